/* In the page, next to the learner's functions: calls one of them, with arrays that lie here. What
   the call is given, page.js knows: the generated code asks it for each argument (grade/host.h).
   The compiler calls this file before each load and store and in each basic block (see play.sh): it
   stops a function that leaves its arrays, or that runs for too long. */
#include "grade/host.h"

#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name))) play_##name
#define IMPORTED(name) __attribute__((import_module("env"), import_name(#name)))

enum { MOST_BYTES_HERE = 1 << 23, GAP = 512, GRAIN = 16, LOWEST = 4096, MOST_BLOCKS = 1000 };
enum { MOST_BYTES_OF_STRUCTS = 1 << 16 };
enum { MOST_BLOCKS_RUN = 10000000 }; /* a quarter of a second: the pages need a thousandth */

/* Functions of the page. The first two throw, and do not return. */
IMPORTED(stop) _Noreturn void page_stop(const char *what);
IMPORTED(outside) _Noreturn void page_outside(int block, long offset, int bytes, int stores);
IMPORTED(call_back) void page_call_back(void *known, int word, double array[]);

/* An array of the call: where it starts in `arrays`, and how many of its bytes were loaded. */
static struct block {
    size_t start, size;
    double loaded;
} blocks[MOST_BLOCKS];
static int block_count;
static double steps;
static char structs[MOST_BYTES_OF_STRUCTS] __attribute__((aligned(16)));
static size_t structs_used;
static char arrays[MOST_BYTES_HERE] __attribute__((aligned(16)));
static short near[MOST_BYTES_HERE / GRAIN]; /* the array that each piece of them belongs to */

/* The gap around an array belongs to it, and no function may touch it. */
static int block_near(size_t at) {
    const int last = block_count > 0 ? block_count - 1 : 0;
    return at < blocks[last].start ? near[at / GRAIN] : last;
}

/* The page asks, too, before it writes in place of a function. */
void EXPORTED(ask)(const void *address, size_t size, int stores) {
    size_t at = (size_t)address - (size_t)arrays;
    if ((size_t)address < LOWEST)
        page_stop(stores ? "writes at a pointer that points nowhere"
                         : "reads at a pointer that points nowhere");
    if (at >= sizeof arrays || size == 0)
        return;
    struct block *b = &blocks[block_near(at)];
    size_t inside = at - b->start;
    if (block_count == 0 || inside > b->size || size > b->size - inside)
        page_outside((int)(b - blocks), (long)inside, (int)size, stores);
    if (!stores)
        b->loaded += (double)size;
}

#define ASKS(size)                                                                                 \
    void __sanitizer_cov_load##size(const void *address) {                                         \
        play_ask(address, size, 0);                                                                \
    }                                                                                              \
    void __sanitizer_cov_store##size(const void *address) {                                        \
        play_ask(address, size, 1);                                                                \
    }
ASKS(1)
ASKS(2)
ASKS(4)
ASKS(8)
ASKS(16)

/* In place of the library's, whose loads and stores are not watched. The builtin ones are
   instructions of WebAssembly (-mbulk-memory). */
void *memcpy(void *to, const void *from, size_t size) {
    return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    play_ask(from, size, 0);
    play_ask(to, size, 1);
    return __builtin_memmove(to, from, size);
}

void *memset(void *to, int byte, size_t size) {
    play_ask(to, size, 1);
    return __builtin_memset(to, byte, size);
}

void __sanitizer_cov_trace_pc(void) {
    if (++steps > MOST_BLOCKS_RUN)
        page_stop("has run 10 million steps, as if it had no end, and was stopped");
    if ((size_t)__builtin_frame_address(0) < 2 * LOWEST) /* the stack ends at 0 */
        page_stop("calls itself without end");
}

/* Begins a call without arrays, in which all pointers after the end of an array are NULL. */
void EXPORTED(begin)(void) {
    memset(structs, 0, structs_used);
    structs_used = 0;
    block_count = 0;
    steps = 0;
}

/* The first byte of a further array, or NULL if there is no room for it. */
void *EXPORTED(add_block)(size_t size) {
    const struct block *last = &blocks[block_count - 1];
    size_t start = block_count > 0 ? (last->start + last->size + GAP + 15) & ~(size_t)15 : GAP;
    if (block_count == MOST_BLOCKS || start > sizeof arrays || size + GAP > sizeof arrays - start)
        return NULL;
    for (size_t i = (start - GAP / 2) / GRAIN; i < (start + size + GAP) / GRAIN; i++)
        near[i] = (short)block_count;
    blocks[block_count++] = (struct block){start, size, 0};
    return arrays + start;
}

void EXPORTED(run)(int function) {
    host_functions[function].run();
}

double EXPORTED(steps)(void) {
    return steps;
}

double EXPORTED(loaded)(int block) {
    return blocks[block].loaded;
}

void *host_structs(int count, size_t size) {
    char *first = structs + structs_used;
    size_t bytes = ((size_t)count * size + 15) & ~(size_t)15;
    if (bytes > sizeof structs - structs_used)
        abort();
    structs_used += bytes;
    return count > 0 ? first : NULL;
}

call_back *host_function(void) {
    return page_call_back;
}
