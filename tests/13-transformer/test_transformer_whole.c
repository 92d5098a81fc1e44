/* Lesson 13: what transformer.h promises of the whole: the gradient of every weight, from the
   logits back to the words that were read. Here weights and values each lie in a room. */
#include "machine.h"

#include "expect.h"
#include "lesson_test.h"
#include "product.h"
#include "random.h"

/* The logits are worth little, so that the loss is small, and its last digit smaller. */
#define WHOLE_SLOPES 1e-7

struct whole {
    struct sizes z;
    struct transformer w, d_w;
    struct transformer_values v, d_v;
    struct room weights, gradients, values, d_values;
    const struct beside *source, *target;
    void *blocked, *logits, *d_logits;
};

static struct transformer weights_in(struct sizes z, struct room *room) {
    return take_transformer(room, z.vocabulary, z.d, z.n_heads, z.d_ff, z.n_encoders, z.n_decoders);
}

/* As many zeroes as were counted. */
static struct room room_of(int count) {
    return (struct room){fill(count, 0.0, vector_new("of_the_test", count)), 0};
}

static struct whole random_whole(struct sizes z, struct random *r) {
    struct whole t = {.z = z};
    weights_in(z, &t.weights);
    const int count = t.weights.used;
    t.weights = room_of(count), t.gradients = room_of(count);
    t.w = weights_in(z, &t.weights), t.d_w = weights_in(z, &t.gradients);
    random_fill_normal(r, count, t.weights.numbers);
    scale_into(count, 0.5, t.weights.numbers, t.weights.numbers);
    take_transformer_values(&t.values, &t.w, z.n, z.m);
    const int values = t.values.used;
    t.values = room_of(values), t.d_values = room_of(values);
    t.v = take_transformer_values(&t.values, &t.w, z.n, z.m);
    t.d_v = take_transformer_values(&t.d_values, &t.w, z.n, z.m);
    t.source = random_beside(z.m ? z.m : 1, z.d, z.vocabulary, NULL, r);
    t.target = random_beside(z.n, z.d, z.vocabulary, NULL, r);
    t.blocked = mask_new("of_the_test", z.n, z.n);
    causal_mask(z.n, t.blocked);
    t.logits = matrix_new("of_the_test", z.n, z.vocabulary);
    NEW_MATRIX_RANDOM(of_the_test, z.n, z.vocabulary, r);
    scale_into(z.n * z.vocabulary, 0.1, of_the_test, of_the_test);
    t.d_logits = of_the_test;
    return t;
}

/* The logits, times what they are worth. */
static double loss_of_whole(void *context) {
    const struct whole *t = context;
    if (t->z.n_encoders)
        read_source(t->z.m, &t->w, t->source->words, (const void *)t->source->P, &t->v);
    write_target(t->z.n, t->z.m, &t->w, t->target->words, (const void *)t->target->P, t->blocked,
                 &t->v, t->logits);
    return sum_of_products(t->z.n * t->z.vocabulary, t->logits, t->d_logits);
}

static void learn(const struct whole *t) {
    write_target_backward(t->z.n, t->z.m, &t->w, t->target->words, t->blocked, &t->v, t->d_logits,
                          &t->d_v, &t->d_w);
    if (t->z.n_encoders)
        read_source_backward(t->z.m, &t->w, t->source->words, &t->v, &t->d_v, &t->d_w);
}

static bool is_smooth(const struct whole *t) {
    bool smooth = true;
    for (int b = 0; b < t->z.n_encoders; b++)
        smooth =
            smooth && has_slopes(t->z.m, &t->w.encoder[b].forward, t->v.encoder[b].forward.scaled);
    for (int b = 0; b < t->z.n_decoders; b++)
        smooth =
            smooth && has_slopes(t->z.n, &t->w.decoder[b].forward, t->v.decoder[b].forward.scaled);
    return smooth;
}

/* Of a large matrix a few numbers, from its first to its last. */
static void expect_tensor(int line, struct whole *t, const char *name, const void *weights,
                          int count) {
    enum { MOST = 3 };
    const int tried = count < MOST ? count : MOST;
    const long first = (const double *)weights - t->weights.numbers;
    NEW_VECTOR(measured, tried);
    NEW_VECTOR(of_the_test, tried);
    for (int i = 0; i < tried; i++) {
        const long at = first + (tried > 1 ? i * (count - 1) / (tried - 1) : 0);
        numeric_gradient(loss_of_whole, t, 1, t->weights.numbers + at, measured + i);
        of_the_test[i] = t->gradients.numbers[at];
    }
    BECAUSE("These are %d of its %d numbers, through reading and writing both, by n_encoders = %d "
            "and n_decoders = %d blocks; what was read gets its gradient in d_v->memory.",
            tried, count, t->z.n_encoders, t->z.n_decoders);
    expect_gradient(line, name, 0, tried, measured, of_the_test, WHOLE_SLOPES);
}
#define EXPECT_TENSOR(name, weights, count) expect_tensor(__LINE__, t, name, weights, count)

static void expect_layer(struct whole *t, const struct attention_layer *w) {
    const int d = t->z.d;
    EXPECT_TENSOR("d_gain", w->gain, d);
    EXPECT_TENSOR("d_bias", w->bias, d);
    EXPECT_TENSOR("d_W_q", w->heads.W_q, d * d);
    EXPECT_TENSOR("d_W_k", w->heads.W_k, d * d);
    EXPECT_TENSOR("d_W_v", w->heads.W_v, d * d);
    EXPECT_TENSOR("d_W_o", w->heads.W_o, d * d);
}

static void expect_network(struct whole *t, const struct forward_layer *w) {
    const int d = t->z.d, d_ff = t->z.d_ff;
    EXPECT_TENSOR("d_gain", w->gain, d);
    EXPECT_TENSOR("d_bias", w->bias, d);
    EXPECT_TENSOR("d_W_1", w->W_1, d * d_ff);
    EXPECT_TENSOR("d_b_1", w->b_1, d_ff);
    EXPECT_TENSOR("d_W_2", w->W_2, d_ff * d);
    EXPECT_TENSOR("d_b_2", w->b_2, d);
}

static void expect_slopes_of_all(struct whole *t) {
    const int d = t->z.d;
    learn(t);
    EXPECT_TENSOR("d_table", t->w.table, t->z.vocabulary * d);
    EXPECT_TENSOR("d_out_gain", t->w.out_gain, d);
    EXPECT_TENSOR("d_out_bias", t->w.out_bias, d);
    for (int b = 0; b < t->z.n_decoders; b++) {
        expect_layer(t, &t->w.decoder[b].self);
        if (t->z.n_encoders)
            expect_layer(t, &t->w.decoder[b].cross);
        expect_network(t, &t->w.decoder[b].forward);
    }
    for (int b = 0; b < t->z.n_encoders; b++) {
        expect_layer(t, &t->w.encoder[b].self);
        expect_network(t, &t->w.encoder[b].forward);
    }
    if (!t->z.n_encoders)
        return;
    EXPECT_TENSOR("d_memory_gain", t->w.memory_gain, d);
    EXPECT_TENSOR("d_memory_bias", t->w.memory_bias, d);
}

static void measure(struct sizes z, struct random *r) {
    struct whole t;
    do {
        t = random_whole(z, r);
        loss_of_whole(&t);
    } while (!is_smooth(&t));
    expect_slopes_of_all(&t);
}

static void all_gradients_of_a_translator_are_what_nudging_measures(void) {
    struct random r = random_seed(1380);
    measure((struct sizes){2, 3, 4, 3, 2, 2, 2, 5, 2, 1}, &r);
}

static void all_gradients_of_a_language_model_are_what_nudging_measures(void) {
    struct random r = random_seed(1381);
    measure((struct sizes){2, 0, 4, 3, 2, 2, 2, 4, 0, 2}, &r);
}

const struct lesson_test whole_tests[] = {
    TEST(write_target_backward, all_gradients_of_a_translator_are_what_nudging_measures),
    TEST(write_target_backward, all_gradients_of_a_language_model_are_what_nudging_measures),
    END_OF_TESTS,
};
