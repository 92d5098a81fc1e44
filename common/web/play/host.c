/* In the page, next to the learner's functions: takes the call that page.js has written into
   memory, makes it, and leaves what it computed where page.js reads it. The compiler calls this
   file before each load and store and in each basic block (see play.sh): it stops a function that
   leaves its arrays, or that runs for too long. */
#include "grade/host.h"

#include "todo.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name))) play_##name
#define IMPORTED(name) __attribute__((import_module("page"), import_name(#name)))

enum { MOST_BYTES_HERE = 1 << 23, GAP = 512, LOWEST = 4096 };
enum { MOST_BYTES_OF_STRUCTS = 1 << 16, MOST_GIVEN = 8 };
enum { MOST_BLOCKS_RUN = 10000000 }; /* a quarter of a second: the pages need a thousandth */

/* Functions of the page. The first three throw, and do not return. */
IMPORTED(stop) _Noreturn void page_stop(const char *what);
IMPORTED(outside) _Noreturn void page_outside(int block, long offset, int bytes, int stores);
IMPORTED(todo) _Noreturn void page_todo(const char *function, int line, const char *hint);
IMPORTED(call_back) void page_call_back(int word, double array[]);
IMPORTED(member) void page_member(int member, int count, const uint32_t given[]);

/* What page.js writes and reads: rows of cells of 8 bytes, with the same names there. */
enum { MOST_CELLS = 1000 };
enum row { CALL, NUMBERS, BLOCKS, SIZES, NUMBERS_BACK, LOADED, ROWS };
enum call { FUNCTION, BLOCK_COUNT, RESULT, STEPS };
static union cell {
    int64_t whole;
    double number;
} cells[ROWS][MOST_CELLS];

static uint32_t starts[MOST_CELLS]; /* of blocks, in `arrays` */
static int numbers_read, blocks_read, numbers_written, last_block;
static char structs[MOST_BYTES_OF_STRUCTS] __attribute__((aligned(16)));
static size_t structs_used;
static int member, given_count; /* a function of a struct, and what it is given */
static uint32_t given[MOST_GIVEN];
static char arrays[MOST_BYTES_HERE] __attribute__((aligned(16)));

/* --- is it in an array? --------------------------------------------------------------------- */

/* The gap around an array belongs to it, and no function may touch it. */
static int block_near(size_t at) {
    int low = last_block, high = (int)cells[CALL][BLOCK_COUNT].whole;
    if (low >= high || at + GAP / 2 < starts[low])
        low = 0;
    else if (low + 1 == high || at + GAP / 2 < starts[low + 1])
        return low; /* most of the time */
    while (low + 1 < high) {
        int middle = (low + high) / 2;
        if (at + GAP / 2 < starts[middle])
            high = middle;
        else
            low = middle;
    }
    return last_block = low;
}

static void ask(const void *address, size_t size, int stores) {
    size_t at = (size_t)address - (size_t)arrays;
    if ((size_t)address < LOWEST)
        page_stop(stores ? "writes at a pointer that points nowhere"
                         : "reads at a pointer that points nowhere");
    if (at >= sizeof arrays || size == 0)
        return;
    int b = block_near(at);
    size_t inside = at - starts[b], whole = (size_t)cells[SIZES][b].whole;
    if (cells[CALL][BLOCK_COUNT].whole == 0 || inside > whole || size > whole - inside)
        page_outside(b, (long)inside, (int)size, stores);
    if (!stores)
        cells[LOADED][b].number += (double)size;
}

#define ASKS(size)                                                                                 \
    void __sanitizer_cov_load##size(const void *address);                                          \
    void __sanitizer_cov_load##size(const void *address) {                                         \
        ask(address, size, 0);                                                                     \
    }                                                                                              \
    void __sanitizer_cov_store##size(const void *address);                                         \
    void __sanitizer_cov_store##size(const void *address) {                                        \
        ask(address, size, 1);                                                                     \
    }
ASKS(1)
ASKS(2)
ASKS(4)
ASKS(8)
ASKS(16)

/* In place of the library's, whose loads and stores are not watched. */
void *memcpy(void *to, const void *from, size_t size) {
    return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    char *there = to;
    const char *here = from;
    ask(from, size, 0);
    ask(to, size, 1);
    for (size_t i = 0; i < size; i++) {
        size_t at = there < here ? i : size - 1 - i;
        there[at] = here[at];
    }
    return to;
}

void *memset(void *to, int byte, size_t size) {
    char *there = to;
    ask(to, size, 1);
    for (size_t i = 0; i < size; i++)
        there[i] = (char)byte;
    return to;
}

/* --- does it end? --------------------------------------------------------------------------- */

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    if (++cells[CALL][STEPS].number > MOST_BLOCKS_RUN)
        page_stop("has run 10 million steps, as if it had no end, and was stopped");
    if ((size_t)__builtin_frame_address(0) < 2 * LOWEST) /* the stack ends at 0 */
        page_stop("calls itself without end");
}

_Noreturn void todo(const char *file, int line, const char *function, const char *hint) {
    page_todo(function, line, hint);
}

_Noreturn void host_missing(const char *name) {
    page_todo(name, 0, "");
}

/* --- what page.js calls --------------------------------------------------------------------- */

void *EXPORTED(cells)(void) {
    return cells;
}

/* The first byte of a block, or NULL if there is no room for it. page.js takes them in order. */
void *EXPORTED(block_at)(int b) {
    size_t start = GAP, size = (size_t)cells[SIZES][b].whole;
    if (b > 0)
        start = (starts[b - 1] + (size_t)cells[SIZES][b - 1].whole + GAP + 15) & ~(size_t)15;
    if (start > sizeof arrays || size + GAP > sizeof arrays - start)
        return NULL;
    starts[b] = (uint32_t)start;
    return arrays + start;
}

/* What the page writes in place of a function has to be in an array, too. */
void EXPORTED(writes)(void *address, int bytes) {
    ask(address, (size_t)bytes, 1);
}

void EXPORTED(run)(void) {
    numbers_read = blocks_read = numbers_written = 0;
    memset(structs, 0, structs_used); /* so that pointers after the end of an array are NULL */
    structs_used = 0;
    memset(cells[LOADED], 0, sizeof cells[LOADED]);
    cells[CALL][STEPS].number = 0;
    host_functions[cells[CALL][FUNCTION].whole].run();
}

/* --- what the generated code calls ---------------------------------------------------------- */

void host_number(void *to, size_t size) {
    memcpy(to, &cells[NUMBERS][numbers_read++], size);
}

void *host_array(void) {
    int block = (int)cells[BLOCKS][blocks_read++].whole;
    return block < 0 ? NULL : arrays + starts[block];
}

void *host_structs(int count, size_t size) {
    char *first = structs + structs_used;
    size_t bytes = ((size_t)count * size + 15) & ~(size_t)15;
    if (bytes > sizeof structs - structs_used)
        abort();
    structs_used += bytes;
    return count > 0 ? first : NULL;
}

/* The page keeps what is known there. */
static void call_page_back(void *known, int word, double array[]) {
    (void)known;
    page_call_back(word, array);
}

call_back *host_function(void) {
    return call_page_back;
}

void *host_known(void) {
    return NULL;
}

void host_member(int number) {
    member = number;
    given_count = 0;
}

void host_member_int(int x) {
    given[given_count++] = (uint32_t)x;
}

void host_member_array(const void *first, int count, size_t element, bool is_filled) {
    ask(first, (size_t)count * element, is_filled);
    given[given_count++] = (uint32_t)(size_t)first;
}

void host_member_call(void) {
    page_member(member, given_count, given);
}

void host_result(const void *result, size_t size) {
    memcpy(&cells[CALL][RESULT], result, size);
}

void host_int_back(int x) {
    cells[NUMBERS_BACK][numbers_written++].whole = x;
}
