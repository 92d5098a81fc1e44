/* Lesson 07: what seq2seq.h promises. The tests stand in files beside this one: what reads, what
   steps and looks back, and what is written. Here is what those of the networks share. */
#include "places.h"

#include <math.h>
#include <stdio.h>

extern const struct lesson_test encoder_tests[], decoder_tests[], writing_tests[];

/* Another way to write the sigmoid, which no sum is too large for. */
static double share(double x) {
    return 0.5 + 0.5 * tanh(0.5 * x);
}

void obvious_gru(int d_in, int d, const void *W, const void *U, const void *x, const double *h,
                 double *gates, double *heard, double *next) {
    NEW_MATRIX(obvious_read, 1, 3 * d);
    product(1, d_in, 3 * d, x, W, obvious_read);
    product(1, d, 3 * d, (const void *)h, U, (void *)heard);
    for (int c = 0; c < d; c++) {
        const double z = share(obvious_read[0][c] + heard[c]),
                     r = share(obvious_read[0][d + c] + heard[d + c]);
        const double n = tanh(obvious_read[0][2 * d + c] + r * heard[2 * d + c]);
        gates[c] = z, gates[d + c] = r, gates[2 * d + c] = n;
        next[c] = n + z * (h[c] - n);
    }
}

/* For Y = x W: d_x += d_Y W^T, and d_W += x^T d_Y. */
static void obvious_product_back(int n, int m, const void *x, const void *W, const void *d_Y,
                                 void *d_x, void *d_W) {
    NEW_MATRIX(obvious_d_x, 1, n);
    NEW_MATRIX(obvious_d_W, n, m);
    product_by_rows(1, m, n, d_Y, W, obvious_d_x);
    product_by_columns(n, 1, m, x, d_Y, obvious_d_W);
    add_into(n, obvious_d_x, d_x);
    add_into(n * m, obvious_d_W, d_W);
}

void obvious_gru_back(int d_in, int d, const void *W, const void *U, const void *x, const double *h,
                      const double *gates, const double *heard, const double *d_next,
                      double *d_gates, double *d_heard, void *d_W, void *d_U, void *d_x,
                      double *d_h) {
    for (int c = 0; c < d; c++) {
        const double z = gates[c], r = gates[d + c], n = gates[2 * d + c];
        const double into_n = d_next[c] * (1.0 - z) * (1.0 - n * n);
        const double into[3] = {d_next[c] * (h[c] - n) * z * (1.0 - z),
                                into_n * heard[2 * d + c] * r * (1.0 - r), into_n};
        for (int i = 0; i < 3; i++) {
            d_gates[i * d + c] += into[i];
            d_heard[i * d + c] += i < 2 ? into[i] : r * into_n;
        }
        d_h[c] += z * d_next[c];
    }
    obvious_product_back(d_in, 3 * d, x, W, d_gates, d_x, d_W);
    obvious_product_back(d, 3 * d, h, U, d_heard, d_h, d_U);
}

static void because_of_sizes(const struct work *w) {
    const struct sizes z = w->z;
    if (w->f->kind == STEP)
        BECAUSE("d_in = %d and d = %d here.", z.d_in, z.d);
    else if (w->f->kind == READ)
        BECAUSE("n = %d, d_in = %d and d = %d here.", z.n, z.d_in, z.d);
    else if (w->f->kind == WRITE)
        BECAUSE("d_word = %d, d_context = %d and d = %d here.", z.d_in, z.d_k, z.d);
    else
        BECAUSE("n_k = %d, d_word = %d, d_k = %d, d = %d and d_a = %d here.", z.n, z.d_in, z.d_k,
                z.d, z.d_a);
}

/* 0 layers: a matrix; 0 rows: a vector. */
struct shape {
    int layers, rows, cols;
};

static struct shape shape_in_reading(struct sizes z, enum place p) {
    const int d = z.d;
    const struct shape shapes[PLACES] = {
        [AT_W] = {2, z.d_in, 3 * d},   [AT_U] = {2, d, 3 * d}, [AT_START] = {0, 2, d},
        [AT_WORDS] = {0, z.n, z.d_in}, [AT_H] = {z.n, 2, d},   [AT_GATES] = {z.n, 2, 3 * d},
        [AT_HEARD] = {z.n, 2, 3 * d},
    };
    return shapes[p];
}

static struct shape shape_of(const struct work *w, enum place p) {
    const struct sizes z = w->z;
    const int input = z.d_in + z.d_k, d = z.d, steps = w->f->kind == STEP ? z.n : 1;
    const struct shape shapes[PLACES] = {
        [AT_W_Q] = {0, z.d_a, d},       [AT_W_K] = {0, z.d_a, z.d_k},
        [AT_V_A] = {0, 0, z.d_a},       [AT_W] = {0, input, 3 * d},
        [AT_U] = {0, d, 3 * d},         [AT_WORD] = {0, steps, z.d_in},
        [AT_STATE] = {0, steps, d},     [AT_C] = {0, 1, z.d_k},
        [AT_Y] = {0, 1, z.d_in},        [AT_S] = {0, 1, d},
        [AT_H] = {0, z.n, z.d_k},       [AT_HIDDEN] = {1, z.n, z.d_a},
        [AT_WEIGHTS] = {0, 1, z.n},     [AT_INPUT] = {0, 1, input},
        [AT_GATES] = {0, steps, 3 * d}, [AT_HEARD] = {0, steps, 3 * d},
        [AT_NEXT] = {0, steps, d},
    };
    return w->f->kind == READ ? shape_in_reading(z, p) : shapes[p];
}

struct gru gru_in(const struct work *w, void *const at[PLACES]) {
    return (struct gru){w->z.d_in + w->z.d_k, w->z.d, at[AT_W], at[AT_U]};
}

struct gru_values values_in(const struct work *w, void *const at[PLACES], int i) {
    double(*gates)[3 * w->z.d] = at[AT_GATES], (*heard)[3 * w->z.d] = at[AT_HEARD];
    return (struct gru_values){&gates[i], &heard[i]};
}

/* Room for the structs, alone on the heap, so that the sanitizer sees who goes past. So small a
   block as that of one word would be shown beside a failure, but for its name. */
static void *new_v(const struct work *w, const char *name) {
    _Static_assert(sizeof(struct gru_values) == 2 * sizeof(double), "they fit a block of numbers");
    return w->f->kind == READ ? block_new(w->z.n > 1 ? name : "(v)", w->z.n, 2, 2) : NULL;
}

struct two_readers readers_in(const struct work *w, void *const at[PLACES]) {
    double(*W)[w->z.d_in][3 * w->z.d] = at[AT_W], (*U)[w->z.d][3 * w->z.d] = at[AT_U];
    struct two_readers both = {.v = at[AT_V]};
    for (int reader = 0; reader < 2; reader++) {
        both.w[reader] = (struct gru){w->z.d_in, w->z.d, &W[reader], &U[reader]};
        for (int j = 0; j < w->z.n; j++)
            both.v[j][reader] = values_in(w, at, 2 * j + reader);
    }
    return both;
}

struct context_decoder decoder_in(const struct work *w, void *const at[PLACES]) {
    return (struct context_decoder){w->z.d_in, w->z.d_k, gru_in(w, at)};
}

struct context_decoder_values decoder_values_in(const struct work *w, void *const at[PLACES]) {
    return (struct context_decoder_values){at[AT_INPUT], values_in(w, at, 0)};
}

struct attention_decoder looking_in(const struct work *w, void *const at[PLACES]) {
    return (struct attention_decoder){w->z.d_a, at[AT_W_Q], at[AT_W_K], at[AT_V_A],
                                      decoder_in(w, at)};
}

struct attention_decoder_values looking_values_in(const struct work *w, void *const at[PLACES]) {
    return (struct attention_decoder_values){at[AT_HIDDEN], at[AT_WEIGHTS], at[AT_C],
                                             decoder_values_in(w, at)};
}

int count_of(const struct work *w, enum place p) {
    const struct shape s = shape_of(w, p);
    return (s.layers ? s.layers : 1) * (s.rows ? s.rows : 1) * s.cols;
}

void *new_place(const struct work *w, enum place p, const char *name) {
    const struct shape s = shape_of(w, p);
    return s.layers ? block_new(name, s.layers, s.rows, s.cols)
           : s.rows ? matrix_new(name, s.rows, s.cols)
                    : vector_new(name, s.cols);
}

bool is_listed(const enum place *list, enum place p) {
    while (*list && *list != p)
        list++;
    return *list != NONE;
}

struct work random_work(const struct function *f, struct sizes z, struct random *r) {
    struct work w = {.f = f, .z = z};
    w.z.n = f->kind == STEP ? 1 : z.n;
    for (const enum place *p = f->inputs; *p; p++) {
        w.at[*p] = random_fill_normal(r, count_of(&w, *p), new_place(&w, *p, d_names[*p] + 2));
        if (*p == AT_W || *p == AT_U) /* away from where the gates are flat */
            scale_into(count_of(&w, *p), 0.5, w.at[*p], w.at[*p]);
    }
    w.d[f->result] =
        random_fill_normal(r, count_of(&w, f->result), new_place(&w, f->result, "upstream"));
    return w;
}

struct work with_room(struct work w, const char *next) {
    for (const enum place *p = w.f->outputs; *p; p++)
        w.at[*p] = new_place(&w, *p, *p == AT_NEXT ? next : d_names[*p] + 2);
    w.at[AT_V] = new_v(&w, "v");
    return w;
}

struct work your_work(struct work w) {
    w = with_room(w, "next");
    w.f->run(&w);
    return w;
}

struct work obvious_work(struct work w) {
    w = with_room(w, "obvious_next"); /* no way back is given it, so no report should show it */
    w.f->obvious(&w);
    return w;
}

struct work with_gradients(struct work w, double half_way, double held) {
    const enum place result = w.f->result;
    w.d[result] = memcpy(new_place(&w, result, d_names[result]), w.d[result],
                         (size_t)count_of(&w, result) * sizeof(double));
    for (const enum place *p = w.f->gradients; *p; p++)
        if (*p != result)
            w.d[*p] = fill(count_of(&w, *p), is_listed(w.f->outputs, *p) ? half_way : held,
                           new_place(&w, *p, d_names[*p]));
    w.d[AT_V] = new_v(&w, "d_v");
    for (enum place p = AT_HIDDEN; p <= AT_WEIGHTS; p++) /* they have none, and stay as they are */
        if (is_listed(w.f->outputs, p))
            w.d[p] = fill(count_of(&w, p), held, new_place(&w, p, d_names[p]));
    return w;
}

struct work yours_back(struct work w, double half_way, double held) {
    w = with_gradients(w, half_way, held);
    w.f->run_back(&w);
    return w;
}

bool are_alike(int count, const void *a, const void *b, double tolerance) {
    const double *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance))
            return false;
    return true;
}

/* Which of the three parts of the rows are off. */
static void because_of_parts(struct shape s, const double *expected, const double *given) {
    static const char *const parts[8] = {"", "z", "r", "z and r", "n", "z and n", "r and n", ""};
    const int d = s.cols / 3;
    int off = 0;
    for (int at = 0; at < 3 * s.rows; at++)
        off |= are_alike(d, expected + at * d, given + at * d, FOUR_DECIMALS) ? 0 : 1 << at % 3;
    BECAUSE_IF(*parts[off], "What is off here belongs to %s. The rest is right.", parts[off]);
}

static void because(const struct work *w, enum place p, const double *expected, const double *given,
                    double tolerance) {
    if (w->f->kind != READ && (p == AT_GATES || p == AT_HEARD))
        because_of_parts(shape_of(w, p), expected, given);
    if (tolerance < FOUR_DECIMALS) /* a worked example shows them */
        because_of_sizes(w);
}

void expect_place(int line, const struct work *w, enum place p, const char *name,
                  const double *expected, const double *given, double tolerance) {
    const struct shape s = shape_of(w, p);
    const int size = (s.rows ? s.rows : 1) * s.cols;
    char layer[40];
    int j = 0;
    while (j < s.layers - 1 && are_alike(size, expected + j * size, given + j * size, tolerance))
        j++;
    snprintf(layer, sizeof layer, s.layers ? "%s[%d]" : "%s", name, j);
    because(w, p, expected, given, tolerance);
    expect_numbers(line, layer, s.rows, s.cols, expected + j * size, given + j * size, tolerance);
}

void expect_forward(int line, struct work given) {
    const struct work w = your_work(given), expected = obvious_work(given);
    for (const enum place *p = given.f->outputs; *p; p++)
        expect_place(line, &w, *p, d_names[*p] + 2, expected.at[*p], w.at[*p], ROUNDING);
}

static void expect_gain(int line, const struct work *w, enum place p, double held,
                        const double *gained) {
    const struct shape s = shape_of(w, p);
    const int size = (s.rows ? s.rows : 1) * s.cols;
    for (int j = 0; j < (s.layers ? s.layers : 1); j++) {
        const double *given = (double *)w->d[p] + j * size, *gain = gained + j * size;
        char layer[40];
        snprintf(layer, sizeof layer, s.layers ? "%s[%d]" : "%s", d_names[p], j);
        NEW_VECTOR_FILLED(expected, size, held);
        add_into(size, gain, expected);
        if (!are_alike(size, gain, given, ROUNDING)) /* else it is said to be overwritten */
            because(w, p, expected, given, ROUNDING);
        expect_added(line, layer, s.rows, s.cols, held, gain, given);
    }
}

void expect_back(int line, enum place from, struct work given, double half_way, double held) {
    const struct work w = yours_back(given, half_way, held);
    const struct work expected = with_gradients(given, half_way, 0.0);
    const enum place *all = given.f->gradients, *first = all, *p;
    given.f->obvious_back(&expected);
    while (from && *first != from)
        first++;
    p = first;
    do {
        const bool waits = is_listed(given.f->outputs, *p);
        NEW_VECTOR_FILLED(gained, count_of(&w, *p), waits ? -half_way : 0.0);
        add_into(count_of(&w, *p), expected.d[*p], gained);
        if (*p == given.f->result)
            expect_place(line, &w, *p, d_names[*p], expected.d[*p], w.d[*p], ROUNDING);
        else
            expect_gain(line, &w, *p, waits ? half_way : held, gained);
        p = p[1] ? p + 1 : all;
    } while (p != first);
}

/* The result, times what it is worth. */
static double loss_of(void *context) {
    const struct work *w = context;
    const enum place p = w->f->result;
    w->f->run(w);
    return sum_of_products(count_of(w, p), w->at[p], w->d[p]);
}

void expect_slopes(int line, struct work given) {
    struct work w = your_work(given);
    const struct work back = yours_back(w, 0.0, 0.0);
    for (enum place p = NONE + 1; p < PLACES; p++) {
        if (!is_listed(given.f->gradients, p) || is_listed(given.f->outputs, p))
            continue;
        const struct shape s = shape_of(&w, p);
        const int count = count_of(&w, p), rows = s.rows * (s.layers ? s.layers : 1);
        NEW_VECTOR(measured, count);
        numeric_gradient(loss_of, &w, count, w.at[p], measured);
        because_of_sizes(&w);
        expect_gradient(line, d_names[p], rows, s.cols, measured, back.d[p], SLOPES);
    }
}

struct work with_leavings(struct work w, struct random *r) {
    w = with_room(w, "obvious_next");
    for (const enum place *p = w.f->outputs; *p; p++) {
        const int count = count_of(&w, *p);
        double *x = random_fill_normal(r, count, w.at[*p]), sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += x[i] = *p == AT_GATES ? share(x[i]) : *p == AT_WEIGHTS ? exp(x[i]) : x[i];
        if (*p == AT_WEIGHTS)
            scale_into(count, 1.0 / sum, x, x);
    }
    return w;
}

static const struct lesson_test tests[] = {
    TESTS(encoder_tests),
    TESTS(decoder_tests),
    TESTS(writing_tests),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
