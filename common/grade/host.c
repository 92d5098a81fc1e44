/* Runs in the box, together with a student's functions: reads calls, makes them, and sends back
   what they wrote. The other side checks all that comes from here, since the functions may have
   changed anything in this process. Each array is memory of its own, with the name that it has in
   the test, so that the sanitizer finds the first access beyond its end.

   The calls of several threads may be open at once, when functions that are called back wait for
   each other (lesson 15). Each caller has a worker, a thread; one worker works at a time. */
#include "grade/host.h"

#include "grade/wire.h"
#include "matrix.h"
#include "memory.h"
#include "observed.h"
#include "statics.h"
#include "team.h"
#include "threads.h"
#include "todo.h"
#include "where.h"
#include "work.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { IN = 3, OUT = 4, MOST_STRUCTS = 16 };

/* A thread that makes the calls of one caller. The first worker is the thread of main(). The one
   that works reads the requests, too, and hands on what is for another. */
struct worker {
    sem_t turn;
    bool busy; /* with this call */
    struct request request;
    uint64_t numbers[MOST_NUMBERS], back[MOST_NUMBERS];
    struct wire_block blocks[MOST_BLOCKS_SENT];
    char *contents[MOST_BLOCKS_SENT]; /* as they came */
    void *used[MOST_BLOCKS_SENT];     /* what the function is given */
    bool plain[MOST_BLOCKS_SENT];     /* it is malloc's, not matrix.c's */
    void *structs[MOST_STRUCTS];
    int next_number, struct_count;
    int own_blocks; /* the others are lent to the caller, */
    int lent;       /* so many with this call back, */
    bool lends;     /* which has an array */
    size_t function_bytes;
    struct reply reply;
    jmp_buf back_to_work;
};
static _Thread_local struct worker *own;

/* Not in variables: those are compared before and after a call. */
static struct host {
    struct worker *workers[MOST_CALLERS], *works;
    struct request heard;
    bool over;
    unsigned long work_told;
    nlink_t threads_before;
    FILE *requests, *replies;
} * host;

/* --- the pipes ------------------------------------------------------------------------------ */

static bool get(void *to, size_t size) {
    return fread(to, 1, size, host->requests) == size;
}

static void put(const void *from, size_t size) {
    fwrite(from, 1, size, host->replies);
}

static void send_all(void) {
    if (fflush(host->replies) != 0)
        _exit(4);
}

static void put_reply(enum reply_type type, const char *text) {
    struct reply *reply = &own->reply;
    reply->magic = WIRE_MAGIC;
    reply->sequence = own->request.sequence;
    reply->type = type;
    reply->work = work_done - host->work_told;
    host->work_told = work_done;
    reply->length = (uint32_t)strnlen(text, MOST_TEXT);
    put(reply, sizeof *reply);
    put(own->back, sizeof own->back[0] * (size_t)reply->numbers);
    put(text, reply->length);
    reply->numbers = 0;
    if (type != DONE && type != CALL_BACK)
        send_all();
}

static void say(char kind, const char *format, ...) {
    char text[MOST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!own)
        own = host->works; /* a thread of a parallel loop, in the call of this worker */
    if (kind == '@')
        put_reply(SAY, text);
}

static void on_todo(const char *file, int line, const char *function, const char *hint) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text, "%d\n%s\n%s\n%s", line, function, hint, file);
    put_reply(TODO_HERE, text);
    longjmp(own->back_to_work, 1);
}

_Noreturn void host_missing(const char *name) {
    todo("", 0, name, "it is not in the file");
}

/* --- unpacking ------------------------------------------------------------------------------ */

void host_number(void *to, size_t size) {
    if (own->next_number < own->request.numbers)
        memcpy(to, &own->numbers[own->next_number++], size);
}

/* Makes memory of the exact size, with the name of the array, for what the sanitizer finds. */
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
    uint64_t number = 0, offset = 0;
    host_number(&number, sizeof number);
    host_number(&offset, sizeof offset);
    return number > 0 ? (char *)own->used[number - 1] + offset : NULL;
}

void *host_structs(int count, size_t size) {
    if (count == 0 || own->struct_count == MOST_STRUCTS)
        return NULL;
    return own->structs[own->struct_count++] = calloc((size_t)count, size);
}

/* --- who works ------------------------------------------------------------------------------ */

static void wait_for_work(void) {
    while (sem_wait(&own->turn) != 0)
        continue;
}

static void hand_on(struct worker *to) {
    team_clocks(SIG_BLOCK);
    host->works = to;
    sem_post(&to->turn);
    wait_for_work();
    team_clocks(SIG_UNBLOCK);
}

static void *join_in(void *about);

static struct worker *new_worker(void) {
    struct worker *worker = calloc(1, sizeof *worker);
    pthread_t thread;
    team_clocks(SIG_BLOCK);
    if (!worker || sem_init(&worker->turn, 0, 0) != 0 ||
        pthread_create(&thread, NULL, join_in, worker) != 0)
        _exit(4);
    pthread_detach(thread);
    team_clocks(SIG_UNBLOCK);
    return worker;
}

static struct worker *who_is_meant(void) {
    struct worker **worker = &host->workers[host->heard.caller];
    if (!*worker)
        *worker = new_worker();
    return *worker;
}

/* Waits for something from this worker's caller: a call, or the answer to its own call back. False
   at the end of all calls. */
static bool listen_to_caller(void) {
    struct request *heard = &host->heard;
    host->over = !get(heard, sizeof *heard) || heard->magic != WIRE_MAGIC;
    struct worker *meant = host->over ? host->workers[0] : who_is_meant();
    if (meant != own)
        hand_on(meant);
    return !host->over;
}

/* --- calling back --------------------------------------------------------------------------- */

/* Sends the blocks that have changed. */
static void put_blocks(void) {
    unsigned char changed[MOST_BLOCKS_SENT];
    for (int b = 0; b < own->request.blocks; b++)
        changed[b] = memcmp(own->used[b], own->contents[b], own->blocks[b].size) != 0;
    put(changed, (size_t)own->request.blocks);
    for (int b = 0; b < own->request.blocks; b++)
        if (changed[b])
            put(own->used[b], own->blocks[b].size);
}

/* Begins the call of a member of a struct. What it reads is up to date there before it runs, and
   what it has filled is up to date here afterwards. */
void host_member(int member) {
    own->back[0] = (uint32_t)member;
    own->reply.numbers = 2;
    own->lent = 0;
    own->lends = false;
}

void host_member_int(int x) {
    own->back[own->reply.numbers++] = (uint32_t)x;
}

/* The block that the whole array lies in, or else a new one that lends its memory. */
static int block_around(char *first, size_t bytes) {
    for (int b = 0; b < own->request.blocks; b++) {
        char *used = own->used[b];
        if (first >= used && bytes <= own->blocks[b].size &&
            first <= used + own->blocks[b].size - bytes)
            return b;
    }
    int b = own->request.blocks++;
    if (b == MOST_BLOCKS_SENT)
        _exit(4);
    own->blocks[b] = (struct wire_block){.size = bytes, .element = sizeof(float)};
    own->used[b] = first;
    own->plain[b] = false;
    own->contents[b] = calloc(1, bytes + 1);
    own->lent++;
    return b;
}

/* Here the sanitizer finds an array that is too short. */
static void touch(char *first, size_t bytes, bool is_filled) {
    char *copy = malloc(bytes + 1);
    if (!copy)
        _exit(4);
    memcpy(copy, first, bytes);
    if (is_filled)
        memcpy(first, copy, bytes);
    free(copy);
}

void host_member_array(const void *first, int count, size_t element, bool is_filled) {
    size_t bytes = count > 0 ? element * (size_t)count : 0;
    touch((char *)first, bytes, is_filled);
    int b = block_around((char *)first, bytes);
    own->back[own->reply.numbers++] = (uint64_t)b;
    own->back[own->reply.numbers++] = (uint64_t)((char *)first - (char *)own->used[b]);
    own->lends = true;
}

/* Ends what was lent. */
static void take_back(void) {
    while (own->request.blocks > own->own_blocks)
        free(own->contents[--own->request.blocks]);
}

void host_member_call(void) {
    own->back[1] = (uint32_t)own->lent;
    put_reply(CALL_BACK, "");
    for (int b = own->request.blocks - own->lent; b < own->request.blocks; b++)
        put(&own->blocks[b].size, sizeof own->blocks[b].size);
    put_blocks();
    send_all();
    if (!listen_to_caller())
        _exit(4);
    for (int b = 0; b < own->request.blocks; b++) {
        if (!get(own->contents[b], own->blocks[b].size))
            _exit(4);
        memcpy(own->used[b], own->contents[b], own->blocks[b].size);
    }
    if (!own->lends)
        take_back();
}

/* The array may be anywhere in memory, and is lent for this call only. */
static void call_caller(void *known, int word, double array[]) {
    memset(array, 0xff, own->function_bytes);
    host_member(GIVEN_FUNCTION);
    host_member_int(word);
    host_member_int(known != NULL);
    host_member_array(array, (int)(own->function_bytes / sizeof *array), sizeof *array, true);
    own->lends = false;
    host_member_call();
}

call_back *host_function(void) {
    bool there = false;
    host_number(&there, sizeof there);
    host_number(&own->function_bytes, sizeof own->function_bytes);
    return there ? call_caller : NULL;
}

void *host_known(void) {
    bool there = false;
    host_number(&there, sizeof there);
    return there ? host : NULL;
}

/* --- a call --------------------------------------------------------------------------------- */

void host_result(const void *result, size_t size) {
    memcpy(own->reply.result, result, size);
}

void host_int_back(int x) {
    if (own->reply.numbers < MOST_NUMBERS)
        own->back[own->reply.numbers++] = (uint32_t)x;
}

static bool get_blocks(void) {
    bool all = true;
    own->own_blocks = own->request.blocks;
    for (int b = 0; all && b < own->request.blocks; b++) {
        size_t size = own->blocks[b].size;
        own->contents[b] = malloc(size + 1);
        own->used[b] = memory_for(&own->blocks[b], &own->plain[b]);
        all = own->contents[b] && own->used[b] && get(own->contents[b], size);
        if (all)
            memcpy(own->used[b], own->contents[b], size);
    }
    return all;
}

static bool take_request(void) {
    struct request *r = &own->request;
    own->next_number = own->struct_count = 0;
    *r = host->heard;
    own->busy = true;
    return get(own->numbers, sizeof own->numbers[0] * (size_t)r->numbers) &&
           get(own->blocks, sizeof own->blocks[0] * (size_t)r->blocks) && get_blocks();
}

/* The kernel shows a thread as a folder, for a moment longer than it lives. Sanitizers may have had
   threads before. */
static bool has_more_threads(void) {
    struct stat about;
    nlink_t ours = host->threads_before;
    for (int i = 1; i < MOST_CALLERS; i++)
        ours += host->workers[i] != NULL;
    return stat("/proc/self/task", &about) == 0 && ours > 0 && about.st_nlink > ours;
}

/* A thread that is left over would run on in other calls, and at the end. */
static void look_for_threads(void) {
    for (int i = 0; has_more_threads(); i++) {
        if (i == 100) {
            say('@', "thread");
            kill(getpid(), SIGKILL);
        }
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

/* Answers what every host can be asked. */
static void tell_of_all(int function) {
    const struct observed o = observed();
    char text[MOST_TEXT];
    if (function == REMEMBER_STATICS)
        statics_remember();
    bool kept = statics_kept();
    snprintf(text, sizeof text, "%s\n%s", o.shared, kept ? "" : statics_changed());
    host_int_back(kept);
    host_int_back(o.working);
    host_int_back((int)o.began_apart);
    host_int_back((int)o.ended_apart);
    host_result(&(double){memory_most()}, sizeof(double));
    put_reply(DONE, text);
    send_all();
}

/* Then the signal prints where the program is (where.h), and ends it. */
static void limit_time(double seconds) {
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec));
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void answer(void) {
    const struct request *r = &own->request;
    own->reply = (struct reply){0};
    if (r->function < 0) {
        tell_of_all(r->function);
        return;
    }
    if (r->function >= host_function_count)
        _exit(4);
    threads_pretend(r->threads);
    if (r->watched > 0)
        work_watch(r->watched, (void *)((char *)own->used[r->watched_block] + r->watched_from));
    limit_time(r->seconds);
    host_functions[r->function].run();
    if (r->watched > 0)
        work_watch(0, NULL);
    look_for_threads();
    take_back();
    put_reply(DONE, "");
    put_blocks();
    send_all();
}

static void clear(void) {
    limit_time(0.0);
    for (int b = 0; b < own->request.blocks; b++) {
        free(own->contents[b]);
        if (own->plain[b])
            free(own->used[b]);
    }
    for (int i = 0; i < own->struct_count; i++)
        free(own->structs[i]);
    own->busy = false;
    for (int i = 0; i < MOST_CALLERS; i++)
        if (host->workers[i] && host->workers[i]->busy)
            return; /* with arrays of its own */
    matrix_free_all();
}

static void work(void) {
    do {
        if (!take_request())
            _exit(4);
        if (setjmp(own->back_to_work) == 0)
            answer();
        clear();
    } while (listen_to_caller());
}

static void *join_in(void *about) {
    own = about;
    wait_for_work();
    team_clocks(SIG_UNBLOCK);
    work();
    return NULL;
}

int main(void) {
    host = calloc(1, sizeof *host);
    own = calloc(1, sizeof *own);
    if (!host || !own)
        return 4;
    sem_init(&own->turn, 0, 0);
    host->requests = fdopen(IN, "r");
    host->replies = fdopen(OUT, "w");
    host->workers[0] = host->works = own;
    struct stat about;
    host->threads_before = stat("/proc/self/task", &about) == 0 ? about.st_nlink : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    todo_reached = on_todo;
    where_start(say);
    team_clocks(SIG_UNBLOCK);
    where_forbid_processes();
    if (listen_to_caller())
        work();
    where_finish();
    return 0;
}
