/* Your scores in the online softmax, and attention with your own `seen`. */
#include "fast.h"

#include "ask.h"
#include "matrix.h"
#include "shade.h"

/* At first the numbers of the text. */
static struct ask_table scores = {1, 4, {1, 2, 5, 0}}, values = {1, 4, {10, 20, 30, 40}};
static struct ask_table seen = {1, 1, {2}}, queries = {1, 3, {1, 1, 1}},
                        x = {1, 3, {-1, -0.5, -127}};

static float *narrowed(const struct ask_table *table) {
    float *numbers = floats_new("", dims_of_rows(table->rows, table->cols));
    for (int i = 0; i < table->rows * table->cols; i++)
        numbers[i] = (float)table->numbers[i];
    return numbers;
}

static void check_line(const char *what, const struct ask_table *table) {
    if (table->rows != 1)
        ask_refuse("%s: one row of numbers, please.", what);
}

static void check_keys(void) {
    check_line("scores", &scores);
    check_line("values", &values);
    if (scores.cols != values.cols)
        ask_refuse("There are %d scores and %d values. Give as many scores as values.", scores.cols,
                   values.cols);
}

static void show_steps(void) {
    static const char *const names[] = {"max", "sum", "acc", "so far"};
    check_keys();
    const int n = scores.cols;
    const float *score = narrowed(&scores), *value = narrowed(&values);
    float max = -FLT_MAX, sum = 0.0f, acc = 0.0f;
    NEW_MATRIX(steps, n, 4);
    for (int j = 0; j < n; j++) {
        online_softmax_step(1, score[j], &value[j], &max, &sum, &acc);
        const double step[] = {(double)max, (double)sum, (double)acc, (double)(acc / sum)};
        memcpy(steps[j], step, sizeof step);
    }
    shade_matrix("online_softmax_step", "so far: acc / sum", n, 4, ask_names("key", n), names,
                 steps);
}

static void show_seen(void) {
    check_keys();
    check_line("queries", &queries);
    if (seen.rows * seen.cols != 1 || fabs(seen.numbers[0]) > 1e6)
        ask_refuse("seen is one number, the number of keys that query 0 sees.");
    const int n_q = queries.cols, n_k = scores.cols;
    const float(*Q)[1] = (void *)narrowed(&queries), (*K)[1] = (void *)narrowed(&scores);
    NEW_FLOAT_MATRIX(weights, n_q, n_k);
    NEW_FLOAT_MATRIX(out, n_q, 1);
    naive_attention(n_q, n_k, 1, 1, (int)seen.numbers[0], Q, K, (void *)narrowed(&values), weights,
                    out);
    shade_matrix("weights", "0 for a hidden key", n_q, n_k, ask_names("query", n_q),
                 ask_names("key", n_k), widened("weights", dims_of_rows(n_q, n_k), weights));
    shade_matrix("out", "", 1, n_q, (const char *const[]){""}, ask_names("query", n_q),
                 widened("out", dims_of_rows(1, n_q), out));
}

static void show_powers(void) {
    check_line("exp2", &x);
    for (int i = 0; i < x.cols; i++)
        if (!(x.numbers[i] <= 0.0))
            ask_refuse("exp2_lanes needs numbers that are 0 or negative.");
    NEW_MATRIX(powers, 2, x.cols);
    for (int i = 0; i < x.cols; i++) {
        const vec power = exp2_lanes(splat((float)x.numbers[i]));
        powers[0][i] = (double)power[0];
        powers[1][i] = 1e7 * ((double)power[0] / exp2((double)(float)x.numbers[i]) - 1.0);
    }
    shade_matrix("exp2_lanes", "error: relative, times 1e7", 2, x.cols,
                 (const char *const[]){"power", "error"}, ask_names("x", x.cols), powers);
}

int main(void) {
    ask(14, "Queries and keys have one dimension, so a score is their product.",
        (const struct ask_command[]){
            {"scores 1 2 5 0", "the scores, added one by one", &scores, NULL, show_steps},
            {"values 10 20 30 40", "the values of the keys", &values, NULL, show_steps},
            {"queries 1 1 1", "the queries", &queries, NULL, show_seen},
            {"seen 2", "the number of keys that query 0 sees", &seen, NULL, show_seen},
            {"exp2 -1 -0.5 -127", "powers of 2 and their errors", &x, NULL, show_powers},
            {0},
        });
}
