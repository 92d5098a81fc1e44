/* Runs in the box, with somebody's functions: reads calls, makes them, sends what they wrote.
   Nobody believes what comes from here. */
#include "host.h"

#include "matrix.h"
#include "memory.h"
#include "statics.h"
#include "threads.h"
#include "todo.h"
#include "where.h"
#include "wire.h"
#include "work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IN = 3, OUT = 4, MOST_STRUCTS = 16 };
enum { WIDEST_NUMBER = 64 }; /* bytes: a vector of AVX-512 */

/* Not in variables: those are compared before and after a call. */
static struct host {
    struct request request;
    uint64_t numbers[MOST_NUMBERS], back[MOST_NUMBERS];
    struct place places[MOST_PLACES];
    struct wire_block blocks[MOST_BLOCKS_SENT];
    char *contents[MOST_BLOCKS_SENT]; /* as they came */
    void *used[MOST_BLOCKS_SENT];     /* what the function is given */
    bool plain[MOST_BLOCKS_SENT];     /* it is malloc's, not matrix.c's */
    void *structs[MOST_STRUCTS];
    int next_number, next_place, struct_count;
    size_t function_bytes;
    unsigned long work_before;
    struct reply reply;
    jmp_buf back_to_main;
    char coming[1 << 16], going[1 << 16]; /* many small pieces at once */
    size_t coming_start, coming_end, going_length;
} * host;

/* --- the pipes ------------------------------------------------------------------------------ */

static bool get(void *to, size_t size) {
    for (char *at = to; size > 0;) {
        size_t there = host->coming_end - host->coming_start, some = there < size ? there : size;
        memcpy(at, host->coming + host->coming_start, some);
        host->coming_start += some;
        at += some;
        size -= some;
        if (size == 0)
            break;
        ssize_t got = read(IN, host->coming, sizeof host->coming);
        if (got <= 0)
            return false;
        host->coming_start = 0;
        host->coming_end = (size_t)got;
    }
    return true;
}

static void send_bytes(const char *at, size_t size) {
    while (size > 0) {
        ssize_t sent = write(OUT, at, size);
        if (sent <= 0)
            _exit(4);
        at += sent;
        size -= (size_t)sent;
    }
}

static void send_what_goes(void) {
    send_bytes(host->going, host->going_length);
    host->going_length = 0;
}

static void put(const void *from, size_t size) {
    if (host->going_length + size > sizeof host->going)
        send_what_goes();
    if (size > sizeof host->going) {
        send_bytes(from, size);
        return;
    }
    memcpy(host->going + host->going_length, from, size);
    host->going_length += size;
}

static void put_reply(enum reply_type type, const char *text) {
    struct reply *reply = &host->reply;
    reply->magic = WIRE_MAGIC;
    reply->sequence = host->request.sequence;
    reply->type = type;
    reply->work = work_done - host->work_before;
    reply->length = (uint32_t)strnlen(text, MOST_TEXT);
    put(reply, sizeof *reply);
    put(host->back, sizeof host->back[0] * (size_t)reply->numbers);
    put(text, reply->length);
    reply->numbers = 0;
    if (type != DONE)
        send_what_goes();
}

static void say(char kind, const char *format, ...) {
    char text[MOST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (kind == '@')
        put_reply(SAY, text);
}

static void on_todo(const char *file, int line, const char *function, const char *hint) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text, "%s\n%d\n%s\n%s", file, line, function, hint);
    put_reply(TODO_HERE, text);
    longjmp(host->back_to_main, 1);
}

_Noreturn void host_missing(const char *name) {
    put_reply(MISSING, name);
    longjmp(host->back_to_main, 1);
}

/* --- unpacking ------------------------------------------------------------------------------ */

static void next_number(void *to, size_t size) {
    if (host->next_number < host->request.numbers)
        memcpy(to, &host->numbers[host->next_number++], size);
}

int host_int(void) {
    int x = 0;
    next_number(&x, sizeof x);
    return x;
}

double host_double(void) {
    double x = 0.0;
    next_number(&x, sizeof x);
    return x;
}

float host_float(void) {
    float x = 0.0f;
    next_number(&x, sizeof x);
    return x;
}

bool host_bool(void) {
    bool x = false;
    next_number(&x, sizeof x);
    return x;
}

int host_count(void) {
    return host_int();
}

/* At its exact size, and with its name, for what the sanitizer finds. */
static void *memory_for(const struct wire_block *block, bool *plain) {
    const int32_t *d = block->dims;
    *plain = block->name[0] == '\0';
    if (*plain) {
        void *memory = NULL;
        return posix_memalign(&memory, WIDEST_NUMBER, block->size) == 0 ? memory : NULL;
    }
    if (block->element == sizeof(bool))
        return mask_new(block->name, d[0], d[1]);
    struct dims dims = dims_of(block->rank, d[0], d[1], d[2], d[3]);
    return block->element == sizeof(float) ? floats_new(block->name, dims)
                                           : array_new(block->name, dims);
}

void *host_array(void) {
    const struct place *place = &host->places[host->next_place];
    if (host->next_place++ >= host->request.places || place->block < 0)
        return NULL;
    return (char *)host->used[place->block] + place->offset;
}

void *host_structs(int count, size_t size) {
    if (count == 0 || host->struct_count == MOST_STRUCTS)
        return NULL;
    return host->structs[host->struct_count++] = calloc((size_t)count, size);
}

/* --- calling back --------------------------------------------------------------------------- */

/* What it fills may be anywhere. */
static void call_caller(void *known, int word, double array[]) {
    struct host *h = host;
    char *filled = malloc(h->function_bytes + 1);
    h->back[0] = (uint32_t)word;
    h->back[1] = known != NULL;
    h->reply.numbers = 2;
    put_reply(CALL_BACK, "");
    if (!filled || !get(filled, h->function_bytes))
        _exit(4);
    memcpy(array, filled, h->function_bytes);
    free(filled);
}

call_back *host_function(void) {
    bool there = host_int() != 0;
    host->function_bytes = (size_t)host_int();
    return there ? call_caller : NULL;
}

void *host_known(void) {
    return host_int() != 0 ? host : NULL;
}

/* --- a call --------------------------------------------------------------------------------- */

void host_int_result(int x) {
    memcpy(&host->reply.result, &x, sizeof x);
}

void host_double_result(double x) {
    memcpy(&host->reply.result, &x, sizeof x);
}

void host_bool_result(bool x) {
    host->reply.result = x;
}

void host_int_back(int x) {
    if (host->reply.numbers < MOST_NUMBERS)
        host->back[host->reply.numbers++] = (uint32_t)x;
}

static bool get_blocks(void) {
    bool all = true;
    for (int b = 0; all && b < host->request.blocks; b++) {
        size_t size = host->blocks[b].size;
        host->contents[b] = malloc(size + 1);
        host->used[b] = memory_for(&host->blocks[b], &host->plain[b]);
        all = host->contents[b] && host->used[b] && get(host->contents[b], size);
        if (all)
            memcpy(host->used[b], host->contents[b], size);
    }
    return all;
}

static bool next_request(void) {
    struct request *r = &host->request;
    host->next_number = host->next_place = host->struct_count = 0;
    return get(r, sizeof *r) && r->magic == WIRE_MAGIC &&
           get(host->numbers, sizeof host->numbers[0] * (size_t)r->numbers) &&
           get(host->places, sizeof host->places[0] * (size_t)r->places) &&
           get(host->blocks, sizeof host->blocks[0] * (size_t)r->blocks) && get_blocks();
}

static void put_blocks(void) {
    unsigned char changed[MOST_BLOCKS_SENT];
    for (int b = 0; b < host->request.blocks; b++)
        changed[b] = memcmp(host->used[b], host->contents[b], host->blocks[b].size) != 0;
    put(changed, (size_t)host->request.blocks);
    for (int b = 0; b < host->request.blocks; b++)
        if (changed[b])
            put(host->used[b], host->blocks[b].size);
}

static void look_at_statics(void) {
    bool remember = host->request.function == REMEMBER_STATICS;
    if (remember)
        statics_remember();
    bool kept = remember || statics_kept();
    host->reply.result = kept;
    put_reply(DONE, kept ? "" : statics_changed());
    send_what_goes();
}

static void tell_memory(void) {
    host_double_result(memory_most());
    put_reply(DONE, "");
    send_what_goes();
}

static void answer(void) {
    int function = host->request.function;
    host->reply = (struct reply){0};
    host->work_before = work_done;
    threads_pretend(host->request.threads);
    if (function < 0) {
        function == MEMORY_MOST ? tell_memory() : look_at_statics();
        return;
    }
    if (function >= host_function_count)
        _exit(4);
    host_functions[function].run();
    put_reply(DONE, "");
    put_blocks();
    send_what_goes();
}

static void clear(void) {
    for (int b = 0; b < host->request.blocks; b++) {
        free(host->contents[b]);
        if (host->plain[b])
            free(host->used[b]);
    }
    for (int i = 0; i < host->struct_count; i++)
        free(host->structs[i]);
    matrix_free_all();
}

int main(void) {
    host = calloc(1, sizeof *host);
    if (!host)
        return 4;
    setvbuf(stdout, NULL, _IONBF, 0);
    todo_reached = on_todo;
    where_start(say);
    where_forbid_processes();
    while (next_request()) {
        if (setjmp(host->back_to_main) == 0)
            answer();
        clear();
    }
    where_finish();
    return 0;
}
