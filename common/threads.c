#include "threads.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

/* How many threads, and which of them runs; how many there are in a parallel loop. */
static int wanted = 1, team = 1, self;

void threads_pretend(int threads) {
    wanted = threads;
}

int threads_pretended(void) {
    return wanted;
}

int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void) {
    return team;
}
int omp_get_thread_num(void) {
    return self;
}
int omp_get_max_threads(void) {
    return wanted;
}

/* --- loops that are shared out piece by piece ------------------------------------------------- */

/* The first thread that runs, which is the last of the team, takes all pieces; the others find
 * none. */
static struct loop {
    long start, rounds, step, piece, left; /* so many rounds; so many in a piece; pieces left */
} loop;

static void begin_loop(long start, long rounds, long step, long piece) {
    loop.start = start;
    loop.rounds = self == team - 1 && rounds > 0 ? rounds : 0;
    loop.step = step;
    loop.piece = piece > 0 ? piece : 1;
    loop.left = (loop.rounds + loop.piece - 1) / loop.piece;
}

/* The next piece: its first round, and the one behind its last. */
static bool next_piece(long *from, long *to) {
    if (loop.left == 0) {
        loop.rounds = loop.start = loop.step = loop.piece = 0; /* as if there had been no loop */
        return false;
    }
    const long pieces = (loop.rounds + loop.piece - 1) / loop.piece;
    const long first = (team > 1 ? loop.left - 1 : pieces - loop.left) * loop.piece;
    const long behind = first + loop.piece < loop.rounds ? first + loop.piece : loop.rounds;
    loop.left--;
    *from = loop.start + first * loop.step;
    *to = loop.start + behind * loop.step;
    return true;
}

/* --- gcc ------------------------------------------------------------------------------------- */

/* What is around a parallel loop: one within another has one thread. */
struct around {
    struct loop loop;
    int team, self;
    bool inside;
};
static bool inside;

static struct around enter(void) {
    const struct around kept = {loop, team, self, inside};
    team = inside ? 1 : wanted;
    self = team - 1;
    inside = true;
    return kept;
}

static void leave(struct around kept) {
    loop = kept.loop;
    team = kept.team;
    self = kept.self;
    inside = kept.inside;
}

typedef void gcc_part(void *data);

static void by_all(gcc_part *part, void *data) {
    for (; self > 0; self--)
        part(data);
    part(data);
}

static long rounds_of(long start, long end, long step) {
    return step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
}

#define GCC_LOOP(kind)                                                                             \
    bool GOMP_loop_##kind##_start(long start, long end, long step, long piece, long *from,         \
                                  long *to);                                                       \
    bool GOMP_loop_##kind##_next(long *from, long *to);                                            \
    void GOMP_parallel_loop_##kind(gcc_part *part, void *data, unsigned asked, long start,         \
                                   long end, long step, long piece, unsigned flags);               \
    bool GOMP_loop_##kind##_start(long start, long end, long step, long piece, long *from,         \
                                  long *to) {                                                      \
        begin_loop(start, rounds_of(start, end, step), step, piece);                               \
        return next_piece(from, to);                                                               \
    }                                                                                              \
    bool GOMP_loop_##kind##_next(long *from, long *to) {                                           \
        return next_piece(from, to);                                                               \
    }                                                                                              \
    void GOMP_parallel_loop_##kind(gcc_part *part, void *data, unsigned asked, long start,         \
                                   long end, long step, long piece, unsigned flags) {              \
        const struct around kept = enter();                                                        \
        begin_loop(start, rounds_of(start, end, step), step, piece);                               \
        by_all(part, data);                                                                        \
        leave(kept);                                                                               \
    }
GCC_LOOP(dynamic)
GCC_LOOP(nonmonotonic_dynamic)
GCC_LOOP(guided)
GCC_LOOP(nonmonotonic_guided)

void GOMP_parallel(gcc_part *part, void *data, unsigned asked, unsigned flags);
void GOMP_parallel(gcc_part *part, void *data, unsigned asked, unsigned flags) {
    const struct around kept = enter();
    by_all(part, data);
    leave(kept);
}

/* Nobody is there to be waited for. */
#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__);                                                                        \
    void name(__VA_ARGS__) {                                                                       \
    }
NOTHING(GOMP_loop_end, void)
NOTHING(GOMP_loop_end_nowait, void)
NOTHING(GOMP_barrier, void)
NOTHING(GOMP_critical_start, void)
NOTHING(GOMP_critical_end, void)
NOTHING(GOMP_atomic_start, void)
NOTHING(GOMP_atomic_end, void)

/* --- clang ----------------------------------------------------------------------------------- */

/* It hands over each variable that a parallel loop knows, and each size of an array: MOST at most.
 */
#define EIGHT             void *, void *, void *, void *, void *, void *, void *, void *
#define EIGHT_TIMES_EIGHT EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
#define EIGHT_OF(v)       v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
enum { MOST = 64 };
typedef void clang_part(int *all, int *own, EIGHT_TIMES_EIGHT);

void __kmpc_fork_call(void *place, int count, clang_part *part, ...);
void __kmpc_fork_call(void *place, int count, clang_part *part, ...) {
    void *v[MOST] = {0};
    va_list arguments;
    if (count > MOST)
        abort();
    va_start(arguments, part);
    for (int i = 0; i < count && i < MOST; i++)
        v[i] = va_arg(arguments, void *);
    va_end(arguments);
    const struct around kept = enter();
    for (int thread = team - 1; thread >= 0; thread--) {
        self = thread;
        part(&thread, &thread, EIGHT_OF(v), EIGHT_OF((v + 8)), EIGHT_OF((v + 16)),
             EIGHT_OF((v + 24)), EIGHT_OF((v + 32)), EIGHT_OF((v + 40)), EIGHT_OF((v + 48)),
             EIGHT_OF((v + 56)));
    }
    leave(kept);
}

int __kmpc_global_thread_num(void *place);
int __kmpc_global_thread_num(void *place) {
    return self;
}

/* The loops of clang end with their last round, not behind it. Those without pieces are shared out
   evenly. */
#define CLANG_LOOP(size, number, change)                                                           \
    void __kmpc_dispatch_init_##size(void *place, int thread, int schedule, number first,          \
                                     number last, change step, change piece);                      \
    int __kmpc_dispatch_next_##size(void *place, int thread, int *is_last, number *first,          \
                                    number *last, change *step);                                   \
    void __kmpc_for_static_init_##size(void *place, int thread, int schedule, int *is_last,        \
                                       number *first, number *last, change *stride, change step,   \
                                       change piece);                                              \
    void __kmpc_dispatch_init_##size(void *place, int thread, int schedule, number first,          \
                                     number last, change step, change piece) {                     \
        begin_loop((long)first, rounds_of((long)first, (long)last + (long)step, (long)step),       \
                   (long)step, (long)piece);                                                       \
    }                                                                                              \
    int __kmpc_dispatch_next_##size(void *place, int thread, int *is_last, number *first,          \
                                    number *last, change *step) {                                  \
        long from, to;                                                                             \
        const long each = loop.step;                                                               \
        if (!next_piece(&from, &to))                                                               \
            return 0;                                                                              \
        *first = (number)from;                                                                     \
        *last = (number)(to - each);                                                               \
        *step = (change)each;                                                                      \
        return 1;                                                                                  \
    }                                                                                              \
    void __kmpc_for_static_init_##size(void *place, int thread, int schedule, int *is_last,        \
                                       number *first, number *last, change *stride, change step,   \
                                       change piece) {                                             \
        const long rounds = rounds_of((long)*first, (long)*last + (long)step, (long)step);         \
        const long own = piece > 1 ? (long)piece : (rounds + team - 1) / team;                     \
        const long behind = (self + 1) * own < rounds ? (self + 1) * own : rounds;                 \
        *stride = (change)(own * team * (long)step);                                               \
        *last = (number)((long)*first + (behind - 1) * (long)step);                                \
        *first = (number)((long)*first + self * own * (long)step);                                 \
    }
CLANG_LOOP(4, int, int)
CLANG_LOOP(8, long, long)
CLANG_LOOP(4u, unsigned, int)
CLANG_LOOP(8u, unsigned long, long)

NOTHING(__kmpc_for_static_fini, void *place, int thread)
NOTHING(__kmpc_dispatch_deinit, void *place, int thread)
NOTHING(__kmpc_barrier, void *place, int thread)
NOTHING(__kmpc_push_num_threads, void *place, int thread, int threads)
NOTHING(__kmpc_critical, void *place, int thread, void *lock)
NOTHING(__kmpc_end_critical, void *place, int thread, void *lock)

/* A sum of all threads: each adds its own, and no other does meanwhile. */
#define CLANG_SUM(name)                                                                            \
    int __kmpc_##name(void *place, int thread, int count, long size, void *data, void *add,        \
                      void *lock);                                                                 \
    int __kmpc_##name(void *place, int thread, int count, long size, void *data, void *add,        \
                      void *lock) {                                                                \
        return 1;                                                                                  \
    }                                                                                              \
    NOTHING(__kmpc_end_##name, void *place, int thread, void *lock)
CLANG_SUM(reduce)
CLANG_SUM(reduce_nowait)
