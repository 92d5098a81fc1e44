/* In the page, beside somebody's functions: takes the call that page.js has written into memory,
   makes it, and leaves what came of it where it lies. What the compiler was told to ask (play.sh)
   is answered here: is this load or store in an array, and has all this run for too long? */
#include "grade/host.h"

#include "grade/wire.h"
#include "todo.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED(name) __attribute__((export_name(#name))) play_##name

enum { MOST_BYTES_HERE = 1 << 23, GAP = 512, LOWEST = 4096 };
enum { MOST_BYTES_OF_STRUCTS = 1 << 16, MOST_GIVEN = 8 };
enum {
    MOST_BLOCKS_RUN = 10000000
}; /* a quarter of a second; what the pages show needs a thousandth */
enum stop { ENDLESS = 1, RECURSION, OUTSIDE, NOWHERE, NOT_WRITTEN, NOT_THERE };

/* The page's: throws, and does not come back. */
__attribute__((import_module("page"), import_name("stop"))) _Noreturn void
page_stop(enum stop why, int block, long offset, int bytes, int stores);
__attribute__((import_module("page"), import_name("todo"))) _Noreturn void
page_todo(const char *function, int line, const char *hint);
__attribute__((import_module("page"), import_name("call_back"))) void
page_call_back(int word, double array[]);
__attribute__((import_module("page"), import_name("member"))) void
page_member(int member, int count, const uint32_t given[]);

static struct {
    struct request request;
    uint64_t numbers[MOST_NUMBERS];
    struct place places[MOST_PLACES];
    struct wire_block blocks[MOST_BLOCKS_SENT];
    uint32_t starts[MOST_BLOCKS_SENT];
    uint64_t result;
    int next_number, next_place, last_block;
    uint64_t numbers_back[MOST_NUMBERS];
    int back;
    char structs[MOST_BYTES_OF_STRUCTS] __attribute__((aligned(16)));
    size_t structs_used;
    int member, given_count; /* a function of a struct, and what it is given */
    uint32_t given[MOST_GIVEN];
    long blocks_run;
    double bytes_loaded[MOST_BLOCKS_SENT];
} host;

/* page.js counts on these. */
_Static_assert(offsetof(struct request, function) == 8 && offsetof(struct request, blocks) == 20,
               "request");
_Static_assert(sizeof(struct place) == 16 && sizeof(struct wire_block) == 104, "place, block");

static char arrays[MOST_BYTES_HERE] __attribute__((aligned(16)));

/* --- is it in an array? --------------------------------------------------------------------- */

/* Around each array lies a gap that belongs to it, and that nobody may touch. */
static int block_near(size_t at) {
    int low = host.last_block, high = host.request.blocks;
    if (low >= high || at + GAP / 2 < host.starts[low])
        low = 0;
    else if (low + 1 == high || at + GAP / 2 < host.starts[low + 1])
        return low; /* as most of the time */
    while (low + 1 < high) {
        int middle = (low + high) / 2;
        if (at + GAP / 2 < host.starts[middle])
            high = middle;
        else
            low = middle;
    }
    return host.last_block = low;
}

static void ask(const void *address, size_t size, int stores) {
    size_t at = (size_t)address - (size_t)arrays;
    if ((size_t)address < LOWEST)
        page_stop(NOWHERE, -1, 0, (int)size, stores);
    if (at >= sizeof arrays || size == 0)
        return;
    int b = block_near(at);
    size_t inside = at - host.starts[b], whole = (size_t)host.blocks[b].size;
    if (host.request.blocks == 0 || inside > whole || size > whole - inside)
        page_stop(OUTSIDE, b, (long)inside, (int)size, stores);
    if (!stores)
        host.bytes_loaded[b] += (double)size;
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

/* In place of the library's, whose own loads and stores ask nobody. */
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
    if (++host.blocks_run > MOST_BLOCKS_RUN)
        page_stop(ENDLESS, -1, MOST_BLOCKS_RUN, 0, 0);
    if ((size_t)__builtin_frame_address(0) < 2 * LOWEST) /* the stack ends at 0 */
        page_stop(RECURSION, -1, 0, 0, 0);
}

_Noreturn void todo(const char *file, int line, const char *function, const char *hint) {
    page_todo(function, line, hint);
}

_Noreturn void host_missing(const char *name) {
    page_todo(name, 0, "");
}

/* --- what page.js asks for ------------------------------------------------------------------ */

void *EXPORTED(request_at)(void) {
    return &host.request;
}

void *EXPORTED(numbers_at)(void) {
    return host.numbers;
}

void *EXPORTED(places_at)(void) {
    return host.places;
}

void *EXPORTED(blocks_at)(void) {
    return host.blocks;
}

void *EXPORTED(result_at)(void) {
    return &host.result;
}

/* Where the first byte of a block lies, NULL if there is no room for it; those before it have been
   asked for. */
void *EXPORTED(block_at)(int b) {
    size_t start = GAP;
    if (b > 0)
        start =
            ((size_t)host.starts[b - 1] + (size_t)host.blocks[b - 1].size + GAP + 15) & ~(size_t)15;
    if (start > sizeof arrays || host.blocks[b].size + GAP > sizeof arrays - start)
        return NULL;
    host.starts[b] = (uint32_t)start;
    return arrays + start;
}

void *EXPORTED(numbers_back_at)(void) {
    return host.numbers_back;
}

void *EXPORTED(loaded_at)(void) {
    return host.bytes_loaded;
}

double EXPORTED(steps_run)(void) {
    return (double)host.blocks_run;
}

/* What the page writes for somebody must be in an array, too. */
void EXPORTED(writes)(void *address, int bytes) {
    ask(address, (size_t)bytes, 1);
}

void EXPORTED(run)(void) {
    host.next_number = host.next_place = host.back = 0;
    memset(host.structs, 0, host.structs_used); /* behind an array of structs lies nothing */
    host.structs_used = 0;
    host.blocks_run = 0;
    memset(host.bytes_loaded, 0, sizeof host.bytes_loaded);
    host_functions[host.request.function].run();
}

/* --- what the generated code asks for ------------------------------------------------------- */

static uint64_t next_number(void) {
    return host.numbers[host.next_number++];
}

int host_int(void) {
    return (int)next_number();
}

double host_double(void) {
    uint64_t bits = next_number();
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float host_float(void) {
    uint64_t bits = next_number();
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

bool host_bool(void) {
    return next_number() != 0;
}

int host_count(void) {
    return host_int();
}

void *host_structs(int count, size_t size) {
    char *structs = host.structs + host.structs_used;
    size_t bytes = ((size_t)count * size + 15) & ~(size_t)15;
    if (bytes > sizeof host.structs - host.structs_used)
        abort();
    host.structs_used += bytes;
    return count > 0 ? structs : NULL;
}

/* What is known there is the page's own business. */
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

void host_member(int member) {
    host.member = member;
    host.given_count = 0;
}

void host_member_int(int x) {
    host.given[host.given_count++] = (uint32_t)x;
}

void host_member_array(const void *first, int count, size_t element, bool is_filled) {
    ask(first, (size_t)count * element, is_filled);
    host.given[host.given_count++] = (uint32_t)(size_t)first;
}

void host_member_call(void) {
    page_member(host.member, host.given_count, host.given);
}

void *host_array(void) {
    const struct place *place = &host.places[host.next_place++];
    return place->block < 0 ? NULL : arrays + host.starts[place->block] + place->offset;
}

void host_int_result(int x) {
    host.result = (uint64_t)(int64_t)x;
}

void host_double_result(double x) {
    memcpy(&host.result, &x, sizeof x);
}

void host_bool_result(bool x) {
    host.result = x;
}

void host_int_back(int x) {
    host.numbers_back[host.back++] = (uint64_t)(int64_t)x;
}
