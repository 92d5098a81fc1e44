/* Replaces the OpenMP library: these are the functions that gcc and clang call for `omp parallel
   for`. They give the work to a team of threads that take turns (team.c). */
#include "threads.h"

#include "team.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

static int wanted = 1;

void threads_pretend(int threads) {
    wanted = threads;
    if (threads > 1)
        team_watch_below((const char *)__builtin_frame_address(0) + 2 * sizeof(void *));
}

int threads_pretended(void) {
    return wanted;
}

int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void) {
    return team_size();
}
int omp_get_thread_num(void) {
    return team_self();
}
int omp_get_max_threads(void) {
    return wanted;
}

static void begin_loop(long start, long rounds, long step, long piece) {
    team_begin_loop((struct loop){start, rounds, step, piece > 0 ? piece : 1, 0});
}

/* --- gcc ------------------------------------------------------------------------------------- */

typedef void gcc_part(void *data);

static long rounds_of(long start, long end, long step) {
    return step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
}

/* A parallel loop: each thread comes to the loop first. */
struct gcc_loop {
    gcc_part *part;
    void *data;
    long start, rounds, step, piece;
};

static void run_gcc_loop(void *about) {
    const struct gcc_loop *l = about;
    begin_loop(l->start, l->rounds, l->step, l->piece);
    l->part(l->data);
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
        return team_next_piece(from, to);                                                          \
    }                                                                                              \
    bool GOMP_loop_##kind##_next(long *from, long *to) {                                           \
        return team_next_piece(from, to);                                                          \
    }                                                                                              \
    void GOMP_parallel_loop_##kind(gcc_part *part, void *data, unsigned asked, long start,         \
                                   long end, long step, long piece, unsigned flags) {              \
        struct gcc_loop loop = {part, data, start, rounds_of(start, end, step), step, piece};      \
        team_run(wanted, run_gcc_loop, &loop);                                                     \
    }
GCC_LOOP(dynamic)
GCC_LOOP(nonmonotonic_dynamic)
GCC_LOOP(guided)
GCC_LOOP(nonmonotonic_guided)

void GOMP_parallel(gcc_part *part, void *data, unsigned asked, unsigned flags);
void GOMP_parallel(gcc_part *part, void *data, unsigned asked, unsigned flags) {
    team_run(wanted, part, data);
}

#define DOES(does, name, ...)                                                                      \
    void name(__VA_ARGS__);                                                                        \
    void name(__VA_ARGS__) {                                                                       \
        does;                                                                                      \
    }
DOES(team_barrier(), GOMP_loop_end, void)
DOES((void)0, GOMP_loop_end_nowait, void)
DOES(team_barrier(), GOMP_barrier, void)
DOES(team_lock(), GOMP_critical_start, void)
DOES(team_unlock(), GOMP_critical_end, void)
DOES(team_lock(), GOMP_critical_name_start, void **name)
DOES(team_unlock(), GOMP_critical_name_end, void **name)
DOES(team_lock(), GOMP_atomic_start, void)
DOES(team_unlock(), GOMP_atomic_end, void)

/* --- clang ----------------------------------------------------------------------------------- */

/* It hands over each variable that a parallel loop knows, and each size of an array: MOST at most.
 */
#define EIGHT             void *, void *, void *, void *, void *, void *, void *, void *
#define EIGHT_TIMES_EIGHT EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
#define EIGHT_OF(v)       v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
enum { MOST = 64 };
typedef void clang_part(int *all, int *own, EIGHT_TIMES_EIGHT);
struct clang_loop {
    clang_part *part;
    void **v;
};

static void run_clang_loop(void *about) {
    const struct clang_loop *l = about;
    int thread = team_self();
    void **v = l->v;
    l->part(&thread, &thread, EIGHT_OF(v), EIGHT_OF((v + 8)), EIGHT_OF((v + 16)),
            EIGHT_OF((v + 24)), EIGHT_OF((v + 32)), EIGHT_OF((v + 40)), EIGHT_OF((v + 48)),
            EIGHT_OF((v + 56)));
}

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
    struct clang_loop loop = {part, v};
    team_run(wanted, run_clang_loop, &loop);
}

int __kmpc_global_thread_num(void *place);
int __kmpc_global_thread_num(void *place) {
    return team_self();
}

/* clang's loops end with their last iteration, not after it. Loops without a chunk size are
   divided evenly. */
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
        const long each = team_step();                                                             \
        if (!team_next_piece(&from, &to))                                                          \
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
        const long own = piece > 1 ? (long)piece : (rounds + team_size() - 1) / team_size();       \
        const long behind = (team_self() + 1) * own < rounds ? (team_self() + 1) * own : rounds;   \
        *stride = (change)(own * team_size() * (long)step);                                        \
        *last = (number)((long)*first + (behind - 1) * (long)step);                                \
        *first = (number)((long)*first + team_self() * own * (long)step);                          \
    }
CLANG_LOOP(4, int, int)
CLANG_LOOP(8, long, long)
CLANG_LOOP(4u, unsigned, int)
CLANG_LOOP(8u, unsigned long, long)

DOES((void)0, __kmpc_for_static_fini, void *place, int thread)
DOES((void)0, __kmpc_dispatch_deinit, void *place, int thread)
DOES(team_barrier(), __kmpc_barrier, void *place, int thread)
DOES((void)0, __kmpc_push_num_threads, void *place, int thread, int threads)
DOES(team_lock(), __kmpc_critical, void *place, int thread, void *lock)
DOES(team_unlock(), __kmpc_end_critical, void *place, int thread, void *lock)

/* A sum of all threads: each adds its own, and no other does meanwhile. */
#define CLANG_SUM(name)                                                                            \
    int __kmpc_##name(void *place, int thread, int count, long size, void *data, void *add,        \
                      void *lock);                                                                 \
    int __kmpc_##name(void *place, int thread, int count, long size, void *data, void *add,        \
                      void *lock) {                                                                \
        team_lock();                                                                               \
        return 1;                                                                                  \
    }                                                                                              \
    DOES(team_unlock(), __kmpc_end_##name, void *place, int thread, void *lock)
CLANG_SUM(reduce)
CLANG_SUM(reduce_nowait)
