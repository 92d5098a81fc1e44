/* Tests of lesson 16: attention with RoPE and a KV cache, a layer, and the whole model, all of them
   one token at a time. */
#include "llama.h"

#include "../whole_numbers.h"

/* The arguments of a call for one token, with the names of the header. */
struct step {
    struct cache cache;
    struct llama_layer_values v;
    double *x, *out;
};

static struct step new_step(const struct pass *p, int capacity) {
    return (struct step){.cache = new_cache(p->z, capacity, "K", "V"),
                         .v = new_values(p->z, capacity)};
}

/* Row i of a matrix of the pass, as an array with this name. */
static void *row_of(const char *name, const struct pass *p, const void *rows, int i) {
    const int d = d_of(p->z);
    return matrix_copy(name, 1, d, (const double *)rows + i * d);
}

static void expect_length(int line, int expected, const struct cache *cache) {
    expect_that(line, cache->length == expected,
                "cache->length is %d after the call, and it should be %d", cache->length, expected);
}

/* The first `rows` rows of each key head. */
static void expect_known(int line, const struct pass *p, int rows, const char *name,
                         const void *right, int from, const struct cache *cache, const void *matrix,
                         double tolerance) {
    const struct sizes z = p->z;
    const struct dims dims = dims_of(3, z.n_kv_heads, rows, z.d_head, 1);
    double *expected = array_new(UNNAMED, dims), *known = array_new(name, dims);
    copy_rows(z.n_kv_heads, rows, z.d_head, right, from, expected, rows);
    copy_rows(z.n_kv_heads, rows, z.d_head, matrix, cache->capacity, known, rows);
    BECAUSE("n_heads = %d, n_kv_heads = %d, d_head = %d, and the cache has %d rows.", z.n_heads,
            z.n_kv_heads, z.d_head, cache->capacity);
    expect_array(line, name, dims, expected, known, tolerance);
}

/* After token i the values are those of the pass, and the keys of earlier tokens are unchanged. Its
   own key shows in the weights: they would be the same if all positions were one larger. */
static void expect_cache(int line, const struct pass *p, int i, const void *K_before,
                         const struct cache *cache) {
    expect_length(line, i + 1, cache);
    BECAUSE_IF(i > 0,
               "These are the keys of the tokens before this one, at the positions 0 to %d. "
               "The call should not change them.",
               i - 1);
    if (i > 0)
        expect_known(line, p, i, "K", K_before, cache->capacity, cache, cache->K, EXACTLY);
    BECAUSE("These are the values of the tokens at the positions 0 to %d.", i);
    expect_known(line, p, i + 1, "V", p->V, p->z.n, cache, cache->V, ROUNDING);
}

/* The weights of token i, which are [n_heads][1][i + 1]. */
static void expect_weights(int line, struct sizes z, const void *right, int i,
                           const void *weights) {
    const struct dims dims = dims_of(3, z.n_heads, 1, i + 1, 1);
    double *expected = array_new(UNNAMED, dims);
    const double(*rows)[z.n_heads][z.n] = right;
    copy_rows(z.n_heads, i + 1, 1, rows[i], z.n, expected, i + 1);
    BECAUSE("The token is at position %d. n_heads = %d, n_kv_heads = %d, d_head = %d.", i,
            z.n_heads, z.n_kv_heads, z.d_head);
    expect_array(line, "weights", dims, expected, weights, ROUNDING);
}

static void expect_row(int line, const struct pass *p, const char *name, int cols, const void *rows,
                       int i, const void *actual) {
    const struct sizes z = p->z;
    BECAUSE("The token is at position %d. n_heads = %d, n_kv_heads = %d, d_head = %d, d_ff = %d.",
            i, z.n_heads, z.n_kv_heads, z.d_head, z.d_ff);
    expect_array(line, name, dims_of_rows(1, cols), (const double *)rows + i * cols, actual,
                 ROUNDING);
}

/* The parameters of a layer are inputs. */
struct kept {
    const char *name;
    struct dims dims;
    const void *now, *before;
};
enum { KEPT = 9 };

static void remember(struct sizes z, const struct llama_layer *w, struct kept kept[KEPT]) {
    const int d = d_of(z), d_kv = z.n_kv_heads * z.d_head;
    const struct dims gain = dims_of_rows(1, d), full = dims_of_rows(d, d),
                      narrow = dims_of_rows(d_kv, d), wide = dims_of_rows(z.d_ff, d);
    const struct kept all[KEPT] = {
        {"attention_gain", gain, w->attention_gain, NULL},
        {"W_q", full, w->heads.W_q, NULL},
        {"W_k", narrow, w->heads.W_k, NULL},
        {"W_v", narrow, w->heads.W_v, NULL},
        {"W_o", full, w->heads.W_o, NULL},
        {"forward_gain", gain, w->forward_gain, NULL},
        {"W_gate", wide, w->W_gate, NULL},
        {"W_down", dims_of_rows(d, z.d_ff), w->W_down, NULL},
        {"W_up", wide, w->W_up, NULL},
    };
    for (int k = 0; k < KEPT; k++) {
        kept[k] = all[k];
        kept[k].before = array_copy(UNNAMED, all[k].dims, all[k].now);
    }
}

static void expect_parameters_kept(int line, const struct kept kept[KEPT]) {
    for (int k = 0; k < KEPT; k++) {
        BECAUSE("%s is an input here, and it was changed.", kept[k].name);
        expect_array(line, kept[k].name, kept[k].dims, kept[k].before, kept[k].now, EXACTLY);
    }
}

/* rope_attention_next */

/* All tokens have random rows S1. */
static struct pass random_attention(struct sizes z, struct random *r) {
    const struct llama_layer w = random_layer(z, true, r);
    struct pass p = empty_pass(z, &w, NULL);
    random_fill_normal(r, z.n * d_of(z), p.S1);
    attend_obviously(&p);
    return p;
}

static struct step *given_scaled(const struct pass *p, int i, struct step *step) {
    step->v.scaled = row_of("scaled", p, p->S1, i);
    step->out = matrix_new("change", 1, d_of(p->z));
    return step;
}

static void attend_in(const struct pass *p, struct step *step) {
    rope_attention_next(&p->w, &step->cache, &step->v, (void *)step->out);
}

static void attend_next(const struct pass *p, int i, struct step *step) {
    attend_in(p, given_scaled(p, i, step));
}

static void *keys_in(const struct pass *p, const struct cache *cache) {
    return array_copy(UNNAMED, dims_of(3, p->z.n_kv_heads, cache->capacity, p->z.d_head, 1),
                      cache->K);
}

static void expect_attention(int line, const struct pass *p, int i, struct step *step) {
    const void *K = keys_in(p, &step->cache);
    attend_next(p, i, step);
    expect_cache(line, p, i, K, &step->cache);
    expect_weights(line, p->z, p->weights, i, step->v.heads.weights);
    expect_row(line, p, "change", d_of(p->z), p->attended, i, step->out);
}

TEST(rope_attention_next, the_worked_token_attends_to_the_first_and_to_itself) {
    const struct llama_layer w = worked_layer();
    struct pass p = empty_pass(worked_sizes, &w, NULL);
    p.S1 =
        matrix_copy(UNNAMED, 2, 4, OF(1.41419942, 0, 1.41419942, 0, 0, 1.78884723, 0, 0.89442361));
    struct step step = new_step(&p, 3);
    attend_next(&p, 0, &step);
    attend_next(&p, 1, &step);
    expect_length(__LINE__, 2, &step.cache);
    BECAUSE("The values are not rotated. W_v takes the last two numbers of 0, 1.7888, 0, .8944.");
    expect_array(__LINE__, "V", dims_of(3, 1, 2, 2, 1), OF(1.4142, 0, 0, 0.8944),
                 matrix_copy("V", 2, 2, step.cache.V), FOUR_DECIMALS);
    BECAUSE("This token is at position 1, so its key and its queries are rotated by 1 radian: "
            "-1.5053, .9665 is the key and the first query, and -.7526, .4833 the second. The key "
            "of token 0 is 1.4142, 0.");
    expect_array(__LINE__, "weights", dims_of(3, 2, 1, 2, 1), OF(0.0226, 0.9774, 0.1319, 0.8681),
                 step.v.heads.weights, FOUR_DECIMALS);
    BECAUSE("W_o is the identity, so these are the weighted sums of both heads, side by side.");
    expect_array(__LINE__, "change", dims_of_rows(1, 4), OF(0.0319, 0.8742, 0.1866, 0.7764),
                 step.out, FOUR_DECIMALS);
}

TEST(rope_attention_next, the_first_token_attends_only_to_itself) {
    struct random r = random_seed(1620);
    struct sizes z = square;
    z.n = 1;
    const struct pass p = random_attention(z, &r);
    struct step step = new_step(&p, 1);
    expect_attention(__LINE__, &p, 0, &step);
}

/* The last token of the pass, after all others. */
static void expect_last(int line, const struct pass *p, int capacity) {
    const int last = p->z.n - 1;
    struct step step = new_step(p, capacity);
    for (int i = 0; i < last; i++) {
        attend_next(p, i, &step);
        expect_length(line, i + 1, &step.cache);
    }
    expect_attention(line, p, last, &step);
}

TEST(rope_attention_next, keys_and_queries_are_rotated_by_their_own_positions) {
    struct random r = random_seed(1621);
    const struct pass p = random_attention(square, &r);
    expect_last(__LINE__, &p, 4);
}

/* One head, whose first pair is rotated by one radian for each position. */
TEST(rope_attention_next, the_weights_depend_on_the_distance_alone) {
    struct random r = random_seed(1622);
    struct pass p = random_attention(square, &r);
    double first[3] = {0};
    for (int away = 0; away <= 40; away += 20) {
        struct step step = new_step(&p, 43);
        step.cache.length = away;
        fill(3 * away, 0.0, step.cache.K);
        fill(3 * away, 0.0, step.cache.V);
        for (int i = 0; i < 3; i++)
            attend_next(&p, i, &step);
        const double *weights = (double *)step.v.heads.weights + away;
        double sum = weights[0] + weights[1] + weights[2], share[3];
        for (int i = 0; i < 3; i++)
            share[i] = weights[i] / sum;
        BECAUSE("The same three tokens at the positions %d to %d. RoPE depends on the distance "
                "alone, so their weights keep their proportions.",
                away, away + 2);
        if (away > 0)
            expect_numbers(__LINE__, "weights", 0, 3, first, share, ROUNDING);
        else
            memcpy(first, share, sizeof first);
    }
}

TEST(rope_attention_next, several_query_heads_use_one_key_head) {
    static const struct sizes sets[] = {
        {3, 3, 1, 2, 1, 1, 1}, {3, 6, 2, 3, 1, 1, 1}, {3, 10, 5, 2, 1, 1, 1}};
    struct random r = random_seed(1623);
    FOR_ALL_CASES(struct sizes, z, sets) {
        const struct pass p = random_attention(*z, &r);
        expect_last(__LINE__, &p, 3);
    }
}

TEST(rope_attention_next, token_by_token_agrees_with_all_tokens_at_once) {
    struct random r = random_seed(1624);
    FOR_ALL_SIZES(z) {
        const struct pass p = random_attention(*z, &r);
        for (int more = 0; more <= 2; more += 2) {
            struct step step = new_step(&p, z->n + more);
            for (int i = 0; i < z->n; i++)
                expect_attention(__LINE__, &p, i, &step);
        }
    }
}

/* Scores of about 1e4: exp() of them is infinite. */
TEST(rope_attention_next, large_scores_do_not_overflow) {
    struct random r = random_seed(1625);
    struct pass p = random_attention(square, &r);
    scale_into(9, 1e4, p.w.heads.W_q, p.w.heads.W_q);
    attend_obviously(&p);
    expect_last(__LINE__, &p, 3);
}

TEST(rope_attention_next, the_parameters_and_scaled_are_not_changed) {
    struct random r = random_seed(1626);
    const struct pass p = random_attention(all_sizes[0], &r);
    struct step step = new_step(&p, 4);
    struct kept kept[KEPT];
    remember(p.z, &p.w, kept);
    attend_next(&p, 2, &step);
    expect_parameters_kept(__LINE__, kept);
    BECAUSE("scaled is an input here, and it was changed.");
    expect_array(__LINE__, "scaled", dims_of_rows(1, d_of(p.z)), row_of(UNNAMED, &p, p.S1, 2),
                 step.v.scaled, EXACTLY);
}

TEST(rope_attention_next, two_threads_may_attend_at_once) {
    struct random r = random_seed(1627);
    const struct pass p = random_attention(all_sizes[0], &r), other = random_attention(square, &r);
    struct step step = new_step(&p, 4), of_other = new_step(&other, 3);
    given_scaled(&p, 2, &step);
    EXPECT_NOTHING_KEPT(attend_next(&other, 1, &of_other), attend_in(&p, &step));
}

/* llama_layer_next */

static struct pass random_pass(struct sizes z, struct random *r) {
    const struct llama_layer w = random_layer(z, true, r);
    struct pass p =
        empty_pass(z, &w, random_fill_normal(r, z.n * d_of(z), filled(z.n, d_of(z), 0)));
    pass_obviously(&p);
    return p;
}

static struct step *given_x(const struct pass *p, int i, struct step *step) {
    step->x = row_of("x", p, p->X, i);
    step->out = matrix_new("out", 1, d_of(p->z));
    return step;
}

static void pass_through(const struct pass *p, struct step *step) {
    llama_layer_next(&p->w, (void *)step->x, &step->cache, &step->v, (void *)step->out);
}

static void go_on(const struct pass *p, int i, struct step *step) {
    pass_through(p, given_x(p, i, step));
}

static void expect_layer(int line, const struct pass *p, int i, struct step *step) {
    const int d_ff = p->z.d_ff;
    const void *K = keys_in(p, &step->cache);
    go_on(p, i, step);
    expect_cache(line, p, i, K, &step->cache);
    expect_weights(line, p->z, p->weights, i, step->v.heads.weights);
    expect_row(line, p, "gate", d_ff, p->gate, i, step->v.gate);
    expect_row(line, p, "up", d_ff, p->up, i, step->v.up);
    expect_row(line, p, "hidden", d_ff, p->hidden, i, step->v.hidden);
    expect_row(line, p, "out", d_of(p->z), p->out, i, step->out);
}

TEST(llama_layer_next, the_worked_token_passes_through_both_halves) {
    const struct llama_layer w = worked_layer();
    struct pass p =
        empty_pass(worked_sizes, &w, matrix_copy(UNNAMED, 2, 4, OF(1, 0, 1, 0, 0, 2, 0, 1)));
    struct step step = new_step(&p, 3);
    go_on(&p, 0, &step);
    go_on(&p, 1, &step);
    expect_length(__LINE__, 2, &step.cache);
    BECAUSE("x is 0, 2, 0, 1, and its norm is 0, 1.7888, 0, .8944.");
    expect_array(__LINE__, "weights", dims_of(3, 2, 1, 2, 1), OF(0.0226, 0.9774, 0.1319, 0.8681),
                 step.v.heads.weights, FOUR_DECIMALS);
    BECAUSE("After the attention the token is .0319, 2.8742, .1866, 1.7764, and its norm is .0189, "
            "1.6986, .1103, 1.0498.");
    expect_array(__LINE__, "gate", dims_of_rows(1, 2), OF(0.0189, 1.6986), step.v.gate,
                 FOUR_DECIMALS);
    BECAUSE("After the attention the token is .0319, 2.8742, .1866, 1.7764. The feed-forward "
            "network adds .0011, 1.5075, .0011, 1.5075.");
    expect_array(__LINE__, "out", dims_of_rows(1, 4), OF(0.0330, 4.3817, 0.1876, 3.2839), step.out,
                 FOUR_DECIMALS);
}

TEST(llama_layer_next, if_both_halves_add_0_the_token_passes_unchanged) {
    struct random r = random_seed(1630);
    const struct pass p = random_pass(square, &r);
    fill(9, 0.0, p.w.heads.W_o);
    fill(9, 0.0, p.w.W_down);
    ((double *)p.X)[0] = 1e100;
    struct step step = new_step(&p, 3);
    go_on(&p, 0, &step);
    BECAUSE("W_o and W_down are 0 here, so only the residual connections are left.");
    expect_array(__LINE__, "out", dims_of_rows(1, 3), p.X, step.out, EXACTLY);
}

TEST(llama_layer_next, the_attention_is_added_to_the_token) {
    struct random r = random_seed(1631);
    const struct pass p = random_pass(square, &r);
    fill(9, 0.0, p.w.W_down);
    struct step step = new_step(&p, 3);
    for (int i = 0; i < 3; i++)
        go_on(&p, i, &step);
    BECAUSE("W_down is 0 here, so the feed-forward network adds nothing.");
    expect_array(__LINE__, "out", dims_of_rows(1, 3), row_of(UNNAMED, &p, p.between, 2), step.out,
                 ROUNDING);
}

TEST(llama_layer_next, the_feed_forward_network_gets_the_sum_with_a_norm_of_its_own) {
    struct random r = random_seed(1632);
    const struct pass p = random_pass(square, &r);
    struct step step = new_step(&p, 3);
    for (int i = 0; i < 3; i++)
        expect_layer(__LINE__, &p, i, &step);
}

TEST(llama_layer_next, any_layer_agrees_with_all_tokens_at_once) {
    struct random r = random_seed(1633);
    FOR_ALL_SIZES(z) {
        const struct pass p = random_pass(*z, &r);
        for (int more = 0; more <= 2; more += 2) {
            struct step step = new_step(&p, z->n + more);
            for (int i = 0; i < z->n; i++)
                expect_layer(__LINE__, &p, i, &step);
        }
    }
}

TEST(llama_layer_next, x_and_the_parameters_are_not_changed) {
    struct random r = random_seed(1634);
    const struct pass p = random_pass(all_sizes[0], &r);
    struct step step = new_step(&p, 4);
    struct kept kept[KEPT];
    remember(p.z, &p.w, kept);
    go_on(&p, 2, &step);
    expect_parameters_kept(__LINE__, kept);
    BECAUSE("x is an input here, and it was changed.");
    expect_array(__LINE__, "x", dims_of_rows(1, d_of(p.z)), row_of(UNNAMED, &p, p.X, 2), step.x,
                 EXACTLY);
}

TEST(llama_layer_next, two_threads_may_compute_a_layer_at_once) {
    struct random r = random_seed(1635);
    const struct pass p = random_pass(all_sizes[0], &r), other = random_pass(square, &r);
    struct step step = new_step(&p, 4), of_other = new_step(&other, 3);
    given_x(&p, 2, &step);
    EXPECT_NOTHING_KEPT(go_on(&other, 1, &of_other), pass_through(&p, &step));
}

/* llama_next */

/* A model with empty caches for `longest` tokens. */
struct teller {
    struct llama_values v;
    struct llama_caches caches;
    double *logits;
};

static struct teller new_teller(struct sizes z, int longest) {
    struct teller t = {.v = {.x = block_new("x", z.n_layers + 1, 1, d_of(z))}};
    for (int b = 0; b < z.n_layers; b++) {
        t.v.layer[b] = new_values(z, longest);
        t.caches.layer[b] = new_cache(z, longest, "K", "V");
    }
    t.v.out_normed = matrix_new("out_normed", 1, d_of(z));
    t.v.out_inverse_rms = vector_new("out_inverse_rms", 1);
    t.v.out = matrix_new("v_out", 1, d_of(z));
    t.logits = matrix_new("logits", 1, z.vocabulary);
    return t;
}

static void tell(const struct llama *w, int word, struct teller *t) {
    llama_next(w, word, &t->caches, &t->v, (void *)t->logits);
}

static int *random_words(struct sizes z, struct random *r) {
    double *words = filled(1, z.n, 0.0);
    for (int i = 0; i < z.n; i++)
        words[i] = random_below(r, z.vocabulary);
    return words_from("words", z.n, words);
}

/* Position i, which has been computed. */
static void expect_told(int line, struct sizes z, const struct reading *right, int i,
                        const struct teller *t) {
    const int d = d_of(z);
    const double(*x)[d] = t->v.x;
    for (int b = 0; b <= z.n_layers; b++) {
        BECAUSE_IF(b == 0, "v->x[0] should be the embedding of the token. d_model = %d.", d);
        BECAUSE("v->x[%d] is the output of layer %d, and the layers before it are right. This is "
                "the token at position %d.",
                b, b - 1, i);
        expect_array(line, "x", dims_of_rows(1, d), (double *)right->x[b] + i * d, x[b], ROUNDING);
    }
    for (int b = 0; b < z.n_layers; b++)
        expect_that(line, t->caches.layer[b].length == i + 1,
                    "the cache of layer %d has the length %d after %d tokens", b,
                    t->caches.layer[b].length, i + 1);
    for (int b = 0; b < z.n_layers; b++) {
        BECAUSE("These should be the weights in v->layer[%d]. All of v->x is right here.", b);
        expect_weights(line, z, right->weights[b], i, t->v.layer[b].heads.weights);
    }
    BECAUSE("All of v->x is right here. This is the token at position %d, and vocabulary = %d.", i,
            z.vocabulary);
    expect_array(line, "logits", dims_of_rows(1, z.vocabulary),
                 (double *)right->logits + i * z.vocabulary, t->logits, ROUNDING);
}

static void expect_model(int line, struct sizes z, const struct llama *w, const int *words,
                         int longest) {
    const struct reading right = read_obviously(z, w, words);
    struct teller t = new_teller(z, longest);
    for (int i = 0; i < z.n; i++) {
        t.logits = matrix_new("logits", 1, z.vocabulary);
        tell(w, words[i], &t);
        expect_told(line, z, &right, i, &t);
    }
}

TEST(llama_next, the_worked_words_have_these_logits) {
    struct sizes z = worked_sizes;
    struct llama w = {.sizes = {4, 2, 1, 2, 1, 3, 2}};
    w.table = matrix_copy("table", 3, 4, OF(1, 0, 1, 0, 0, 2, 0, 1, 1, 1, -1, 0));
    w.layer[0] = worked_layer();
    w.out_gain = vector_copy("out_gain", 4, OF(1, 1, 1, 1));
    w.words_out = w.table;
    struct teller t = new_teller(z, 2);
    tell(&w, 0, &t);
    tell(&w, 1, &t);
    BECAUSE("This is token 1 after token 0. Its row of the table is 0, 2, 0, 1, and the layer "
            "makes .0330, 4.3817, .1876, 3.2839 of it.");
    expect_array(__LINE__, "x", dims_of(3, 2, 1, 4, 1),
                 OF(0, 2, 0, 1, 0.0330, 4.3817, 0.1876, 3.2839), t.v.x, FOUR_DECIMALS);
    BECAUSE("The output of the layer is .0330, 4.3817, .1876, 3.2839. Its norm is multiplied by "
            "each row of the table.");
    expect_array(__LINE__, "logits", dims_of_rows(1, 3), OF(0.0805, 4.3976, 1.5430), t.logits,
                 FOUR_DECIMALS);
}

TEST(llama_next, words_out_may_be_a_matrix_of_its_own) {
    struct random r = random_seed(1640);
    const struct llama w = random_llama(square, false, &r);
    expect_model(__LINE__, square, &w, words_from("words", 3, OF(2, 0, 1)), 3);
}

TEST(llama_next, each_layer_has_its_own_cache) {
    struct random r = random_seed(1641);
    const struct llama w = random_llama(square, true, &r);
    expect_model(__LINE__, square, &w, words_from("words", 3, OF(1, 1, 2)), 4);
}

TEST(llama_next, the_same_words_again_have_the_same_logits) {
    struct random r = random_seed(1642);
    const struct llama w = random_llama(square, true, &r);
    const int *words = words_from("words", 3, OF(2, 0, 2));
    const struct reading right = read_obviously(square, &w, words);
    struct teller t = new_teller(square, 3);
    for (int again = 0; again < 2; again++) {
        t.caches.layer[0].length = t.caches.layer[1].length = 0;
        for (int i = 0; i < 3; i++) {
            tell(&w, words[i], &t);
            expect_told(__LINE__, square, &right, i, &t);
        }
    }
}

TEST(llama_next, random_models_agree_with_all_tokens_at_once) {
    struct random r = random_seed(1643);
    FOR_ALL_SIZES(z)
    for (int shared = 0; shared < 2; shared++) {
        matrix_free_all();
        const struct llama w = random_llama(*z, shared, &r);
        expect_model(__LINE__, *z, &w, random_words(*z, &r), z->n + shared);
    }
}

/* The take_...() functions are given. This finds an accidental change. */
TEST(llama_next, the_given_functions_take_a_model_without_gaps) {
    struct room count = {NULL, 0};
    take_llama(&count, 6, 5, 2, 3, 1, 4, 7);
    const int parameters = 2 * 4 * 6 + 2 * (2 * 6 + 2 * 36 + 2 * 12 + 3 * 30) + 6;
    EXPECT_THAT(count.used == parameters, "%d numbers were taken for the model; it should be %d",
                count.used, parameters);
    struct room room = {filled(1, parameters, 0.0), 0};
    const struct llama w = take_llama(&room, 6, 5, 2, 3, 1, 4, 7);
    EXPECT_THAT((double *)w.words_out == room.numbers + parameters - 24,
                "words_out is not the last matrix in the room");
    struct room count_values = {NULL, 0};
    take_llama_values(&count_values, &w);
    take_llama_caches(&count_values, &w);
    struct room of_values = {filled(1, count_values.used, 0.0), 0};
    const struct llama_values v = take_llama_values(&of_values, &w);
    struct llama_caches caches = take_llama_caches(&of_values, &w);
    NEW_MATRIX(logits, 1, 4);
    for (int i = 0; i < 7; i++)
        llama_next(&w, i % 4, &caches, &v, logits);
    BECAUSE("All parameters are 0 here.");
    EXPECT_MATRIX(1, 4, OF(0, 0, 0, 0), logits, EXACTLY);
}

TEST(llama_next, two_threads_may_tell_at_once) {
    struct random r = random_seed(1644);
    const struct llama w = random_llama(all_sizes[0], true, &r),
                       other = random_llama(square, true, &r);
    struct teller t = new_teller(all_sizes[0], 4), of_other = new_teller(square, 3);
    EXPECT_NOTHING_KEPT(tell(&other, 1, &of_other), tell(&w, 2, &t));
}
