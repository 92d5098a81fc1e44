/* The versions of attention in lesson 14, and the tests that each of them has to pass. */
#ifndef WAYS_H
#define WAYS_H

#include "../passes.h"

#include "memory.h"
#include "observed.h"
#include "threads.h"
#include "work.h"

/* The results of a version: weights or a log-sum-exp. The other one is NULL. */
struct result {
    float *weights, *out, *lse;
};
typedef void way(const struct pass *p, const struct result *r);

static inline struct result new_result(const struct sizes *z, bool with_weights) {
    return (struct result){.out = floats_new("out", of_queries(z, z->d_v)),
                           .weights = with_weights ? floats_new("weights", of_weights(z)) : NULL,
                           .lse = with_weights ? NULL : floats_new("lse", of_rows(z))};
}

#define WAY(function, first, second)                                                               \
    static inline void run_##function(const struct pass *p, const struct result *r) {              \
        function##_attention(p->z.n_q, p->z.n_k, p->z.d_k, p->z.d_v, p->z.seen, p->Q, p->K, p->V,  \
                             first, second);                                                       \
    }

WAY(naive, (void *)r->weights, (void *)r->out)
WAY(ordered, (void *)r->weights, (void *)r->out)
WAY(online, (void *)r->out, r->lse)
WAY(tiled, (void *)r->out, r->lse)

static inline void run_flash(const struct pass *p, const struct result *r) {
    const struct sizes *z = &p->z;
    flash_attention(z->heads, z->kv_heads, z->n_q, z->n_k, z->d_k, z->d_v, z->seen, p->Q, p->K,
                    p->V, (void *)r->out, (void *)r->lse);
}

static inline struct result answer(way *run, const struct pass *p) {
    const struct result r = new_result(&p->z, run == run_naive || run == run_ordered);
    run(p, &r);
    return r;
}

static inline void expect_worked(way *run) {
    const struct pass p = worked_pass();
    const struct result r = answer(run, &p);
    const struct dims of_out = of_one(of_queries(&p.z, 2));
    NEW_MATRIX_OF(wanted, 3, 2, {17.3106, 1}, {29.1909, 1}, {29.2587, 1});
    if (r.weights) {
        const float *weights = r.weights;
        NEW_MATRIX_OF(wanted_weights, 3, 4, {0.2689, 0.7311, 0, 0}, {0.0171, 0.0466, 0.9362, 0},
                      {0.0170, 0.0463, 0.9304, 0.0063});
        BECAUSE("The scores are 1, 2, 5, 0. Query 0 sees the first two keys, query 2 all four.");
        EXPECT_FLOATS(of_one(of_weights(&p.z)), wanted_weights, weights, FOUR_DECIMALS);
    }
    const float *out = r.out, *lse = r.lse;
    BECAUSE("The scores are 1, 2, 5, 0. Query 0 sees the first two keys, query 2 all four. The "
            "second number of each value is 1, so the second number of out is 1, too.");
    EXPECT_FLOATS(of_out, wanted, out, FOUR_DECIMALS);
    if (lse)
        EXPECT_FLOATS(dims_of(1, 3, 1, 1, 1), OF(2.3133, 5.0659, 5.0722), lse, FOUR_DECIMALS);
}

static inline void expect_agreement(const struct pass *p, struct result r) {
    const struct sizes *z = &p->z;
    const float *weights = r.weights, *out = r.out, *lse = r.lse;
    if (weights) {
        BECAUSE("n_q is %d, n_k %d, d_k %d, seen %d here.", z->n_q, z->n_k, z->d_k, z->seen);
        EXPECT_FLOATS(of_weights(z), p->weights, weights, near_lse(p));
    }
    BECAUSE("n_q is %d, n_k %d, d_k %d, d_v %d, seen %d here.", z->n_q, z->n_k, z->d_k, z->d_v,
            z->seen);
    EXPECT_FLOATS(of_queries(z, z->d_v), p->out, out, near_out(p));
    if (lse) {
        BECAUSE("out is right here. lse should be the natural logarithm of the sum of exp(score).");
        EXPECT_FLOATS(of_rows(z), p->lse, lse, near_lse(p));
    }
}

static inline void expect_all_lengths(way *run, int round) {
    struct random r = random_seed(1400 + (uint64_t)round);
    for (int i = 0; i < CASES; i++) {
        const struct pass p = case_of(i, round, &r);
        expect_agreement(&p, answer(run, &p));
    }
}

/* Scores for which exp() of a float overflows or gives 0: in any order, rising, falling, and all
   negative. */
static inline void expect_large_scores(way *run) {
    static const char *const scores[] = {"go from 90 to 98", "go from far below 0 to far above",
                                         "rise from below -1400 to above 1400",
                                         "fall from above 1400 to below -1400",
                                         "lie between -1200 and -390"};
    struct random r = random_seed(1410);
    for (int kind = 0; kind < 5; kind++) {
        const struct pass p =
            random_pass((struct sizes){1, 1, 7, 2 * KEYS + 5, 4, 2, 2 * KEYS - 1}, 40, &r);
        float *Q = p.Q, *K = p.K;
        for (int i = 0; kind != 1 && i < 4 * 7; i++)
            Q[i] = 19.5f;
        for (int j = 0; kind != 1 && j < 4 * p.z.n_k; j++)
            K[j] = kind == 0   ? 2.41f + K[j] / 400
                   : kind == 4 ? -20 + K[j] / 4
                               : (kind == 2 ? 0.3f : -0.3f) * (float)(j / 4 - KEYS);
        struct pass expected = p;
        obvious_pass(&expected);
        BECAUSE("The scores %s. exp() of a float is infinite from 89 on and 0 below -104.",
                scores[kind]);
        expect_agreement(&expected, answer(run, &p));
    }
}

/* A copy of the numbers, in which the first `count` are set to `value`. */
static inline double *with_first(int count, double value, struct dims dims, const float *x) {
    double *numbers = widened("wanted", dims, x);
    fill(count, value, numbers);
    return numbers;
}

/* The first three queries see no key. */
static inline void expect_nobody_seen(way *run) {
    struct random r = random_seed(1411);
    const struct pass p = random_pass((struct sizes){1, 1, 5, 6, 3, 2, -2}, 1, &r);
    const struct result result = answer(run, &p);
    const float *weights = result.weights, *out = result.out, *lse = result.lse;
    if (weights) {
        BECAUSE("seen is -2, so queries 0 to 2 see no key, and their weights are 0.");
        EXPECT_FLOATS(dims_of_rows(3, 6), p.weights, weights, 0.0);
    }
    BECAUSE("seen is -2, so queries 0 to 2 see no key, and their output is exactly 0.");
    EXPECT_FLOATS(of_queries(&p.z, 2), with_first(6, 0.0, of_queries(&p.z, 2), out), out, 0.0);
    EXPECT_THAT(out[6] != 0.0f || out[7] != 0.0f || out[8] != 0.0f || out[9] != 0.0f,
                "the first queries see no key, but the last two do, and their output is 0, too");
    if (lse) {
        BECAUSE("seen is -2, so queries 0 to 2 see no key, and their log-sum-exp is -infinity.");
        EXPECT_FLOATS(dims_of(1, 3, 1, 1, 1), p.lse, lse, 0.0);
    }
    expect_agreement(&p, result);
}

/* Key j is huge. It must not change the result of a query that does not see it. */
static inline void expect_key_hidden(way *run, struct sizes z, int j, struct random *r) {
    const struct pass p = random_pass(z, 2, r);
    const double *out_before = widened("wanted", of_queries(&z, z.d_v), answer(run, &p).out);
    set_row(z.d_k, 1e18f, p.K, j);
    set_row(z.d_v, -3e38f, p.V, j);
    const struct result after = answer(run, &p);
    const float *out = after.out, *weights = after.weights;
    int blind = 0;
    while (blind < z.n_q && sees(&z, blind) <= j)
        blind++;
    if (weights)
        for (int i = 0; i < blind; i++)
            EXPECT_THAT(weights[i * z.n_k + j] == 0.0f,
                        "query %d does not see key %d, but weights[%d][%d] is not 0", i, j, i, j);
    BECAUSE("Key %d is 1e18 now and its value -3e38. The first %d of %d queries do not see it, so "
            "no bit of their rows should change.",
            j, blind, z.n_q);
    EXPECT_FLOATS(dims_of_rows(blind, z.d_v), out_before, out, 0.0);
}

static inline void expect_hidden(way *run) {
    struct random r = random_seed(1412);
    const int n = KEYS + 7;
    expect_key_hidden(run, (struct sizes){1, 1, 5, 6, 2, 3, 1}, 3, &r);
    expect_key_hidden(run, (struct sizes){1, 1, 6, 5, 2, 3, 0}, 4, &r);
    expect_key_hidden(run, (struct sizes){1, 1, n, n - 1, 2, 1, 1}, LANES + 1, &r);
    expect_key_hidden(run, (struct sizes){1, 1, n, n + 1, 1, 2, 2}, n, &r);
    expect_key_hidden(run, (struct sizes){1, 1, 9, 2 * KEYS, 1, 2, KEYS - 4}, KEYS, &r);
    expect_key_hidden(run, (struct sizes){1, 1, 4, 2 * KEYS + 3, 2, 1, 3}, 2 * KEYS + 2, &r);
}

/* Key j contains NaN, so each query that sees it should have NaN in its output and its log-sum-exp.
 */
static inline void expect_nan_shows(way *run) {
    const struct sizes z = {1, 1, 4, LANES + 3, 2, 3, LANES};
    for (int j = 0; j < z.n_k; j += j ? LANES : 1)
        for (int in_value = 0; in_value < 2; in_value++) {
            struct random r = random_seed(1413);
            const struct pass p = random_pass(z, 1, &r);
            ((float *)(in_value ? p.V : p.K))[j * (in_value ? z.d_v : z.d_k) + 1] = NAN;
            const struct result result = answer(run, &p);
            for (int i = 0; i < z.n_q; i++)
                EXPECT_THAT(sees(&z, i) <= j || (isnan(result.out[i * z.d_v + 1]) &&
                                                 (in_value || !result.lse || isnan(result.lse[i]))),
                            "%s %d contains NaN and query %d sees it, but %s is not NaN",
                            in_value ? "value" : "key", j, i,
                            isnan(result.out[i * z.d_v + 1]) ? "lse" : "out");
        }
}

/* Most queries see no key, so this is fast. A matrix of weights would need 268 MB. */
static inline void expect_little_room(way *run) {
    const struct sizes z = {1, 1, 8192, 8192, 2, 1, -8188};
    struct pass p = {.z = z};
    p.Q = floats_filled("Q", of_queries(&z, 2), 0.5f);
    p.K = floats_filled("K", of_keys(&z, 2), 0.5f);
    p.V = floats_filled("V", of_keys(&z, 1), 3.0f);
    const double before = memory_most();
    const struct result r = answer(run, &p);
    const float *out = r.out + 8189;
    EXPECT_THAT(memory_most() - before < 8e6,
                "it needed %.0f MB besides its parameters, for 8192 queries and keys",
                1e-6 * (memory_most() - before));
    BECAUSE("All values are 3, and only the last three queries see a key.");
    EXPECT_FLOATS(dims_of_rows(0, 3), OF(3, 3, 3), out, 1e-6);
}

/* A call does not depend on other calls, and nothing is kept between them. */
static inline void expect_own_numbers(way *run) {
    struct random r = random_seed(1414);
    const struct pass p = random_pass((struct sizes){1, 1, 4, 5, 3, 2, 2}, 1, &r),
                      other = random_pass((struct sizes){1, 1, 6, 3, 2, 4, 3}, 1, &r);
    const bool keeps = run == run_naive || run == run_ordered;
    const struct result one = new_result(&p.z, keeps), two = new_result(&other.z, keeps);
    EXPECT_NOTHING_KEPT(run(&p, &one), run(&other, &two));
}

/* --- threads and order ----------------------------------------------------------------------- */

enum { THREADS = 4 };
#define MOST_THREADS (loops_are_parallel ? THREADS : 0)

/* After several threads took turns: did two of them write to the same variable, did all of them
   have work, and did they share the work? An odd number of threads rarely takes turns, so one of
   them may finish everything before another begins. by_one and by_all count basic blocks. */
static inline void expect_threads_apart(int line, int threads, unsigned long by_one,
                                        unsigned long by_all, const char *loop) {
    const struct observed o = observed();
    const int working = o.working > 0 ? o.working : 1;
    BECAUSE(
        "All threads share a variable that is declared before the parallel loop. Each thread has "
        "its own if it is declared inside the loop.");
    expect_that(line, !*o.shared, "two threads write to %s", o.shared);
    BECAUSE("Some threads have no work. `#pragma omp parallel for` distributes %s.", loop);
    expect_that(line, working == threads || threads % 2 == 1, "%d of %d threads work", working,
                threads);
    BECAUSE("Each thread does all of the work. `#pragma omp parallel for` distributes %s.", loop);
    expect_that(line, by_all <= 2 * by_one, "%d threads do %.1f times the work of one", threads,
                (double)by_all / (double)by_one);
}

static inline void expect_same_bits(int line, int threads, const char *name, struct dims dims,
                                    const double *one, const float *x) {
    BECAUSE("With %d threads that take turns the result is different, so two of them write to the "
            "same memory. Only one thread may write each number of %s.",
            threads, name);
    expect_floats(line, name, dims, one, x, 0.0);
}

/* Two different versions round differently, so equal bits mean that one calls the other. */
static inline void expect_bits_of_its_own(int line, way *run, way *other, const char *name,
                                          const char *says) {
    struct random r = random_seed(1415);
    const struct pass p =
        random_pass((struct sizes){1, 1, 7, 2 * KEYS + 5, 4, 3, 2 * KEYS + 5}, 2, &r);
    const struct result own = answer(run, &p), others = answer(other, &p);
    const size_t bytes = sizeof(float) * (size_t)dims_count(of_queries(&p.z, p.z.d_v));
    BECAUSE("%s", says);
    expect_that(line, memcmp(own.out, others.out, bytes) != 0, "out has exactly the bits of %s()",
                name);
}

/* The tests of each version. */
#define WAY_TESTS(name)                                                                            \
    TEST(name##_attention, name##_gives_the_worked_example) {                                      \
        expect_worked(run_##name);                                                                 \
    }                                                                                              \
    TEST(name##_attention, name##_gives_0_to_a_query_that_sees_no_key) {                           \
        expect_nobody_seen(run_##name);                                                            \
    }                                                                                              \
    TEST(name##_attention, name##_hides_a_key_completely) {                                        \
        expect_hidden(run_##name);                                                                 \
    }                                                                                              \
    TEST(name##_attention, name##_shows_a_NaN_to_queries_that_see_it) {                            \
        expect_nan_shows(run_##name);                                                              \
    }                                                                                              \
    TEST(name##_attention, name##_survives_scores_for_which_exp_overflows) {                       \
        expect_large_scores(run_##name);                                                           \
    }                                                                                              \
    TEST(name##_attention, name##_agrees_with_a_simple_reference) {                                \
        expect_all_lengths(run_##name, 0);                                                         \
    }                                                                                              \
    TEST(name##_attention, name##_agrees_for_any_value_of_seen) {                                  \
        expect_all_lengths(run_##name, 3);                                                         \
    }                                                                                              \
    TEST(name##_attention, two_threads_may_use_##name##_at_once) {                                 \
        expect_own_numbers(run_##name);                                                            \
    }

#endif
