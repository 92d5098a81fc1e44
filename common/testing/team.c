/* Threads that take turns. All of them are real threads, but only the one whose turn it is runs.
   The turn changes between two basic blocks of the lesson's code, where the compiler calls
   __sanitizer_cov_trace_pc(), and a random number generator with a fixed seed decides when. At
   each change the watched part of the caller's stack is compared with a copy, to find variables
   that two threads write to. */
#include "team.h"

#include "observed.h"
#include "sanitizer.h"
#include "work.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Loops that a fast thread may be ahead of a slow one; bytes of a stack that are watched, and words
   that are looked at before each basic block; and when a loop has no end. */
enum { LOOPS = 8, MOST_WATCHED = 1 << 20, FEW_WORDS = 1024, MOST_WORK = 4000000 };
enum { LOCKED = 255 }; /* written under a lock: any thread may */

struct member {
    struct team *team;
    int number;
    bool ended;
    struct loop *loop;
    long loops;           /* that it has come to */
    unsigned long worked; /* basic blocks */
    pthread_t thread;
    pthread_cond_t called;
};

struct team {
    int count, turn, alive;
    struct member member[MOST_IN_TEAM];
    void (*job)(void *about);
    void *about;
    pthread_mutex_t mutex; /* held by the thread whose turn it is */
    bool over;             /* all stop */
    jmp_buf out;           /* where the first thread's job is left */
    struct loop loop[LOOPS];
    long loops;
    int arrived, barriers;
    int locks; /* that `locker` has */
    struct member *locker;
    uint32_t dice;
    unsigned long began, since, change; /* work_done: then, at the last turn, and at the next one */
    const uint32_t *stack;
    uint32_t *copy; /* of it */
    unsigned char *writer;
    size_t words;
};

struct observed observed_here;

/* What a thread is in a loop, and what it is for who deals out turns: within a loop that one thread
   runs in a loop of several it is alone, and goes on taking turns. */
static _Thread_local struct member *self, *seat;
static _Thread_local const char *watched_to;

/* Outside of all loops it is alone. */
static struct member *own(void) {
    static _Thread_local struct team alone;
    if (self)
        return self;
    alone.count = 1;
    alone.member[0].team = &alone;
    return &alone.member[0];
}

int team_size(void) {
    return own()->team->count;
}

int team_self(void) {
    return own()->number;
}

/* --- the stack ------------------------------------------------------------------------------ */

void team_watch_below(const char *address) {
    watched_to = address;
    observed_here = (struct observed){0};
}

/* The sanitizer keeps unreadable gaps between variables. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

UNCHECKED static void start_watching(struct team *t, const char *from) {
    t->stack = (const uint32_t *)(const void *)from;
    if (watched_to <= from || watched_to - from > MOST_WATCHED)
        return;
    t->words = (size_t)(watched_to - from) / sizeof *t->stack;
    t->copy = malloc(t->words * sizeof *t->copy);
    t->writer = calloc(t->words, 1);
    if (!t->copy || !t->writer)
        abort();
    for (size_t i = 0; i < t->words; i++)
        t->copy[i] = t->stack[i];
}

/* "`back`", where the sanitizer knows its name. */
static void name_shared(const uint32_t *word) {
    char name[60] = "";
#ifdef HAVE_SANITIZER
    void *region = NULL;
    size_t bytes = 0;
    __asan_locate_address((void *)(uintptr_t)word, name, sizeof name, &region, &bytes);
#endif
    name[strcspn(name, ".")] = '\0'; /* clang's name for a copy of `seen` is seen.addr */
    if (*name)
        snprintf(observed_here.shared, sizeof observed_here.shared, "`%s`", name);
    else
        strcpy(observed_here.shared, "a variable");
}

/* A counter to which every thread adds 1 may be atomic, and that is not visible here. */
UNCHECKED static void look_at_stack_as(struct team *t, int writer) {
    for (size_t i = 0; i < t->words && !t->over; i++) {
        const uint32_t before = t->copy[i], now = t->stack[i];
        t->copy[i] = now;
        if (now == before || now == before + 1)
            continue;
        if (t->writer[i] && t->writer[i] != writer && writer != LOCKED) {
            name_shared(&t->stack[i]);
            t->over = true;
        }
        t->writer[i] = (unsigned char)writer;
    }
}

static void look_at_stack(struct team *t) {
    look_at_stack_as(t, t->locker == seat ? LOCKED : seat->number + 1);
}

/* A job's last block adds its share to a reduction, with an atomic instruction. */
static void do_job(struct team *t) {
    t->job(t->about);
    look_at_stack_as(t, LOCKED);
}

/* --- turns ---------------------------------------------------------------------------------- */

void team_clocks(int how) {
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGXCPU);
    sigaddset(&all, SIGPROF);
    pthread_sigmask(how, &all, NULL);
}

static uint32_t roll(struct team *t) {
    t->dice ^= t->dice << 13;
    t->dice ^= t->dice >> 17;
    t->dice ^= t->dice << 5;
    return t->dice;
}

/* Now and then soon, now and then late: within a thousand blocks where the number of threads is
   even, and within a hundred thousand where it is odd. */
static void plan_change(struct team *t) {
    const uint32_t most = 1u << roll(t) % (t->count % 2 ? 18 : 11);
    t->change = work_done + 1 + roll(t) % most;
    work_pause = t->words <= FEW_WORDS ? work_done + 1 : t->change;
}

static _Noreturn void leave_job(void) {
    struct team *t = seat->team;
    if (seat->number == 0)
        longjmp(t->out, 1);
    pthread_exit(NULL);
}

/* To another member, and until it is this one's turn again. */
static void hand_turn(int to) {
    struct team *t = seat->team;
    seat->worked += work_done - t->since;
    t->turn = to;
    pthread_cond_signal(&t->member[to].called);
    if (!seat->ended || seat->number == 0) {
        team_clocks(SIG_BLOCK);
        while (t->turn != seat->number)
            pthread_cond_wait(&seat->called, &t->mutex);
        team_clocks(SIG_UNBLOCK);
    }
    t->since = work_done;
}

static void change_turn(int from) {
    struct team *t = seat->team;
    look_at_stack(t);
    for (int i = 0; i < t->count && !t->over; i++) {
        const int to = (from + i) % t->count;
        if (!t->member[to].ended) {
            if (to != seat->number)
                hand_turn(to);
            break;
        }
    }
    if (t->over)
        leave_job();
    plan_change(t);
}

static void next_one(void) {
    change_turn(seat->number + 1);
}

void team_stop(void) {
    if (!seat)
        return;
    strcpy(observed_here.shared, "what a loop counts with");
    seat->team->over = true;
    leave_job();
}

/* Before a basic block. */
static void on_block(void) {
    struct team *t = seat->team;
    if (work_done - t->began > MOST_WORK)
        team_stop();
    if (work_done >= t->change) {
        change_turn((int)(roll(t) % (uint32_t)t->count));
        return;
    }
    look_at_stack(t);
    if (t->over)
        leave_job();
    work_pause = work_done + 1;
}

/* --- members -------------------------------------------------------------------------------- */

static void end_member(void *about) {
    struct member *m = about;
    struct team *t = m->team;
    team_clocks(SIG_BLOCK);
    m->ended = true;
    t->alive--;
    hand_turn(0);
    pthread_mutex_unlock(&t->mutex);
}

static void *run_member(void *about) {
    self = seat = about;
    struct team *t = seat->team;
    pthread_mutex_lock(&t->mutex);
    pthread_cleanup_push(end_member, seat);
    while (t->turn != seat->number)
        pthread_cond_wait(&seat->called, &t->mutex);
    t->since = work_done;
    team_clocks(SIG_UNBLOCK);
    if (!t->over)
        do_job(t);
    pthread_cleanup_pop(1);
    return NULL;
}

static void start_members(struct team *t) {
    pthread_mutex_init(&t->mutex, NULL);
    pthread_mutex_lock(&t->mutex);
    team_clocks(SIG_BLOCK);
    for (int i = 0; i < t->count; i++) {
        struct member *m = &t->member[i];
        *m = (struct member){.team = t, .number = i};
        pthread_cond_init(&m->called, NULL);
        if (i > 0 && pthread_create(&m->thread, NULL, run_member, m) != 0)
            abort();
    }
    team_clocks(SIG_UNBLOCK);
}

/* The remaining threads end one by one. */
static void end_members(struct team *t) {
    seat->ended = true;
    t->alive--;
    while (t->alive > 0) {
        int to = 1;
        while (t->member[to].ended)
            to++;
        hand_turn(to);
    }
    seat->worked += work_done - t->since;
    pthread_mutex_unlock(&t->mutex);
    for (int i = 0; i < t->count; i++) {
        if (i > 0)
            pthread_join(t->member[i].thread, NULL);
        pthread_cond_destroy(&t->member[i].called);
    }
    pthread_mutex_destroy(&t->mutex);
}

/* Where the compiler cannot count blocks, all of them are taken to work. */
static void observe(const struct team *t) {
    const unsigned long all = work_done - t->began, little = all / (unsigned)(8 * t->count);
    int working = 0;
    for (int i = 0; i < t->count; i++)
        working += all == 0 || t->member[i].worked > little;
    if (working > observed_here.working)
        observed_here.working = working;
}

/* No other thread takes part. */
static void run_alone(void (*job)(void *about), void *about) {
    struct member *const kept = self;
    struct team t = {.count = 1, .member[0].team = &t};
    self = &t.member[0];
    job(about);
    self = kept;
}

/* The frame of this function ends the watched part: below it is the first thread's own stack. */
__attribute__((noinline)) static void run_together(struct team *t) {
    start_watching(t, (const char *)__builtin_frame_address(0) + 2 * sizeof(void *));
    start_members(t);
    self = seat = &t->member[0];
    plan_change(t);
    work_paused = on_block;
    if (setjmp(t->out) == 0)
        do_job(t);
    end_members(t);
    work_pause = ~0ul;
    work_paused = NULL;
    self = seat = NULL;
    observe(t);
}

void team_run(int count, void (*job)(void *about), void *about) {
    if (count < 2 || seat) {
        run_alone(job, about);
        return;
    }
    struct team *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->count = t->alive = count < MOST_IN_TEAM ? count : MOST_IN_TEAM;
    t->job = job;
    t->about = about;
    t->dice = 2463534242u;
    t->began = t->since = work_done;
    run_together(t);
    free(t->copy);
    free(t->writer);
    free(t);
}

/* --- what they do together ------------------------------------------------------------------ */

void team_begin_loop(struct loop loop) {
    struct member *m = own();
    struct team *t = m->team;
    const long pieces = (loop.rounds + loop.piece - 1) / loop.piece;
    loop.left = loop.rounds > 0 ? pieces : 0;
    m->loop = &t->loop[m->loops % LOOPS];
    if (t->loops == m->loops++) {
        *m->loop = loop;
        t->loops++;
    }
}

/* Where there are several threads the last piece comes first, as may happen; and of an even number
   the next one gets the next one. */
bool team_next_piece(long *from, long *to) {
    struct loop *loop = own()->loop;
    if (loop->left == 0)
        return false;
    const long pieces = (loop->rounds + loop->piece - 1) / loop->piece;
    const long first = (team_size() > 1 ? loop->left - 1 : pieces - loop->left) * loop->piece;
    const long after = first + loop->piece < loop->rounds ? first + loop->piece : loop->rounds;
    loop->left--;
    *from = loop->start + first * loop->step;
    *to = loop->start + after * loop->step;
    if (seat && seat->team->count % 2 == 0)
        next_one();
    return true;
}

long team_step(void) {
    return own()->loop->step;
}

void team_barrier(void) {
    struct team *t = own()->team;
    if (t->count == 1)
        return;
    const int before = t->barriers;
    t->arrived++;
    while (t->barriers == before)
        if (t->arrived >= t->alive) {
            t->arrived = 0;
            t->barriers++;
        } else {
            next_one();
        }
}

void team_lock(void) {
    if (!seat)
        return;
    while (seat->team->locker && seat->team->locker != seat)
        next_one();
    look_at_stack(seat->team);
    seat->team->locker = seat;
    seat->team->locks++;
}

void team_unlock(void) {
    if (!seat)
        return;
    look_at_stack(seat->team);
    if (--seat->team->locks == 0)
        seat->team->locker = NULL;
}
