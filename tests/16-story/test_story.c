/* Tests of lesson 16: the gate and the feed-forward network. The layers, the tokenizer, the choice
   of the next token and the fast products have files of their own. */
#include "llama.h"

/* swiglu */

#define EXPECT_SWIGLU(n, d_ff, gate, up, expected, tolerance)                                      \
    do {                                                                                           \
        NEW_MATRIX(hidden, n, d_ff);                                                               \
        swiglu(n, d_ff, gate, up, hidden);                                                         \
        EXPECT_MATRIX(n, d_ff, expected, hidden, tolerance);                                       \
    } while (0)

TEST(swiglu, the_worked_gates_let_these_numbers_through) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -2, 0});
    NEW_MATRIX_OF(up, 1, 3, {2, 3, 4});
    BECAUSE("silu is .7311, -.2384 and 0 here.");
    EXPECT_SWIGLU(1, 3, gate, up, OF(1.4621, -0.7152, 0), FOUR_DECIMALS);
}

TEST(swiglu, silu_of_the_gate_is_multiplied_by_up) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -1, 3});
    NEW_MATRIX_OF(up, 1, 3, {-2, -2, -0.5});
    BECAUSE("silu is .7311, -.2689 and 2.8577 here, and up may be negative.");
    EXPECT_SWIGLU(1, 3, gate, up, OF(-1.4621, 0.5379, -1.4289), FOUR_DECIMALS);
}

TEST(swiglu, a_large_gate_is_open_and_a_very_negative_one_is_closed) {
    NEW_MATRIX_OF(gate, 1, 6, {1e4, -1e4, 800, -800, 1e308, -1e308});
    NEW_MATRIX_OF(up, 1, 6, {2, 2, 3, 3, 0.5, 0.5});
    BECAUSE("For a large g, silu(g) is g. For a very negative g it is 0.");
    EXPECT_SWIGLU(1, 6, gate, up, OF(2e4, 0, 2400, 0, 0.5e308, 0), EXACTLY);
}

TEST(swiglu, near_0_half_of_the_gate_passes) {
    NEW_MATRIX_OF(gate, 1, 2, {1e-9, -1e-9});
    NEW_MATRIX_OF(up, 1, 2, {1e9, 1e9});
    BECAUSE("silu(g) is about g / 2 where g is close to 0.");
    EXPECT_SWIGLU(1, 2, gate, up, OF(0.5, -0.5), 1e-8);
}

/* From the definition, in long doubles. */
static void gate_obviously(int count, const double *gate, const double *up, double *hidden) {
    for (int i = 0; i < count; i++)
        hidden[i] = (double)(gate[i] / (1.0L + expl(-(long double)gate[i])) * up[i]);
}

TEST(swiglu, random_numbers_of_any_size_agree_with_the_formula) {
    struct random r = random_seed(1601);
    for (int n = 1; n <= 4; n++)
        for (int d_ff = 1; d_ff <= 9; d_ff += 4) {
            matrix_free_all();
            NEW_MATRIX_RANDOM(gate, n, d_ff, &r);
            NEW_MATRIX_RANDOM(up, n, d_ff, &r);
            NEW_MATRIX(expected, n, d_ff);
            gate_obviously(n * d_ff, gate[0], up[0], expected[0]);
            BECAUSE("n is %d and d_ff is %d here.", n, d_ff);
            EXPECT_SWIGLU(n, d_ff, gate, up, expected, 1e-12);
        }
}

TEST(swiglu, no_call_keeps_anything) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -2, 0});
    NEW_MATRIX_OF(up, 1, 3, {2, 3, 4});
    NEW_MATRIX(hidden, 1, 3);
    EXPECT_NOTHING_KEPT(swiglu(1, 3, up, gate, hidden), swiglu(1, 3, gate, up, hidden));
}

/* swiglu_backward */

TEST(swiglu_backward, the_worked_gates_have_these_gradients) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -2, 0});
    NEW_MATRIX_OF(up, 1, 3, {2, 3, 4});
    NEW_MATRIX_FILLED(d_hidden, 1, 3, 1.0);
    NEW_MATRIX_FILLED(d_gate, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_up, 1, 3, 0.0);
    swiglu_backward(1, 3, gate, up, d_hidden, d_gate, d_up);
    BECAUSE("The derivative of silu is .9277, -.0908 and .5 here, and up is 2, 3 and 4.");
    EXPECT_MATRIX(1, 3, OF(1.8553, -0.2724, 2), d_gate, FOUR_DECIMALS);
    BECAUSE("The gradient of up is silu(gate) times d_hidden, which is 1 everywhere here.");
    EXPECT_MATRIX(1, 3, OF(0.7311, -0.2384, 0), d_up, FOUR_DECIMALS);
}

TEST(swiglu_backward, both_gradients_are_multiplied_by_d_hidden) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -2, 0});
    NEW_MATRIX_OF(up, 1, 3, {2, 3, 4});
    NEW_MATRIX_OF(d_hidden, 1, 3, {10, -1, 0.5});
    NEW_MATRIX_FILLED(d_gate, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_up, 1, 3, 0.0);
    swiglu_backward(1, 3, gate, up, d_hidden, d_gate, d_up);
    BECAUSE("The gradients for a d_hidden of 1 are 1.8553, -.2724 and 2.");
    EXPECT_MATRIX(1, 3, OF(18.5534, 0.2724, 1), d_gate, FOUR_DECIMALS);
    BECAUSE("The gradients for a d_hidden of 1 are .7311, -.2384 and 0.");
    EXPECT_MATRIX(1, 3, OF(7.3106, 0.2384, 0), d_up, FOUR_DECIMALS);
}

struct gates {
    int n, d_ff;
    double *gate, *up, *d_hidden;
};

static double loss_of_gates(void *context) {
    const struct gates *g = context;
    NEW_MATRIX(hidden, g->n, g->d_ff);
    swiglu(g->n, g->d_ff, (void *)g->gate, (void *)g->up, hidden);
    return sum_of_products(g->n * g->d_ff, hidden, g->d_hidden);
}

TEST(swiglu_backward, central_differences_of_swiglu_agree) {
    struct random r = random_seed(1602);
    NEW_MATRIX_RANDOM(gate, 3, 5, &r);
    NEW_MATRIX_RANDOM(up, 3, 5, &r);
    NEW_MATRIX_RANDOM(d_hidden, 3, 5, &r);
    NEW_MATRIX_FILLED(d_gate, 3, 5, 0.0);
    NEW_MATRIX_FILLED(d_up, 3, 5, 0.0);
    swiglu_backward(3, 5, gate, up, d_hidden, d_gate, d_up);
    struct gates g = {3, 5, gate[0], up[0], d_hidden[0]};
    EXPECT_NUDGED(loss_of_gates, &g, 3, 5, g.gate, d_gate);
    EXPECT_NUDGED(loss_of_gates, &g, 3, 5, g.up, d_up);
}

TEST(swiglu_backward, gradients_are_added_to_what_is_there) {
    NEW_MATRIX_OF(gate, 2, 2, {1, -2}, {0, 0.5});
    NEW_MATRIX_OF(up, 2, 2, {2, 3}, {4, -1});
    NEW_MATRIX_FILLED(d_hidden, 2, 2, 1.0);
    NEW_MATRIX_FILLED(d_gate, 2, 2, 10.0);
    NEW_MATRIX_FILLED(d_up, 2, 2, 20.0);
    swiglu_backward(2, 2, gate, up, d_hidden, d_gate, d_up);
    EXPECT_ADDED(2, 2, 10.0, OF(1.855341024, -0.272352746, 2, -0.739961187), d_gate);
    EXPECT_ADDED(2, 2, 20.0, OF(0.731058579, -0.238405844, 0, 0.311229666), d_up);
}

TEST(swiglu_backward, far_from_0_the_slope_of_the_gate_is_1_or_0) {
    NEW_MATRIX_OF(gate, 1, 4, {1e4, -1e4, 800, -800});
    NEW_MATRIX_OF(up, 1, 4, {2, 2, 3, 3});
    NEW_MATRIX_FILLED(d_hidden, 1, 4, 1.0);
    NEW_MATRIX_FILLED(d_gate, 1, 4, 0.0);
    NEW_MATRIX_FILLED(d_up, 1, 4, 0.0);
    swiglu_backward(1, 4, gate, up, d_hidden, d_gate, d_up);
    BECAUSE("For a large g, silu(g) is g, so its slope is 1. For a very negative g both are 0.");
    EXPECT_MATRIX(1, 4, OF(2, 0, 3, 0), d_gate, 1e-12);
    EXPECT_MATRIX(1, 4, OF(1e4, 0, 800, 0), d_up, 1e-9);
}

TEST(swiglu_backward, no_call_depends_on_another) {
    NEW_MATRIX_OF(gate, 1, 3, {1, -2, 0});
    NEW_MATRIX_OF(up, 1, 3, {2, 3, 4});
    NEW_MATRIX_FILLED(d_hidden, 1, 3, 1.0);
    NEW_MATRIX_FILLED(d_gate, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_up, 1, 3, 0.0);
    EXPECT_NOTHING_KEPT(swiglu_backward(1, 3, up, gate, d_hidden, d_up, d_gate),
                        swiglu_backward(1, 3, gate, up, d_hidden, d_gate, d_up));
}

/* gated_feed_forward */

/* A call for row i of S2. */
struct feeding {
    struct llama_layer_values v;
    double *change;
};

static struct feeding feed(const struct pass *p, int i) {
    const int d = d_of(p->z);
    const struct feeding f = {new_values(p->z, 1), matrix_new("change", 1, d)};
    memcpy(f.v.scaled, (double *)p->S2 + i * d, (size_t)d * sizeof(double));
    gated_feed_forward(&p->w, &f.v, (void *)f.change);
    return f;
}

/* Row i of what was computed in the obvious way, with this many columns. */
static void expect_fed(int line, const struct pass *p, int i, const char *name, int cols,
                       const void *rows, const void *actual) {
    BECAUSE("d_model = %d and d_ff = %d here.", d_of(p->z), p->z.d_ff);
    expect_array(line, name, dims_of_rows(1, cols), (const double *)rows + i * cols, actual,
                 ROUNDING);
}

static void expect_feeding(int line, const struct pass *p) {
    feed_obviously(p);
    for (int i = 0; i < p->z.n; i++) {
        const struct feeding f = feed(p, i);
        expect_fed(line, p, i, "gate", p->z.d_ff, p->gate, f.v.gate);
        expect_fed(line, p, i, "up", p->z.d_ff, p->up, f.v.up);
        expect_fed(line, p, i, "hidden", p->z.d_ff, p->hidden, f.v.hidden);
        expect_fed(line, p, i, "change", d_of(p->z), p->change, f.change);
    }
}

static struct pass random_feeding(struct sizes z, struct random *r) {
    const struct llama_layer w = random_layer(z, true, r);
    struct pass p = empty_pass(z, &w, NULL);
    random_fill_normal(r, z.n * d_of(z), p.S2);
    return p;
}

TEST(gated_feed_forward, the_worked_row_is_changed_by_this) {
    const struct llama_layer w = worked_layer();
    struct pass p = empty_pass(worked_sizes, &w, NULL);
    p.S2 =
        matrix_copy(UNNAMED, 2, 4, OF(0, 0, 0, 0, 0.01886944, 1.69862228, 0.11026438, 1.04983526));
    const struct feeding f = feed(&p, 1);
    BECAUSE("scaled is .0189, 1.6986, .1103, 1.0498. W_gate takes its first two numbers.");
    expect_array(__LINE__, "gate", dims_of_rows(1, 2), OF(0.0189, 1.6986), f.v.gate, FOUR_DECIMALS);
    BECAUSE("scaled is .0189, 1.6986, .1103, 1.0498. W_up takes its last two numbers.");
    expect_array(__LINE__, "up", dims_of_rows(1, 2), OF(0.1103, 1.0498), f.v.up, FOUR_DECIMALS);
    BECAUSE("gate is .0189, 1.6986 and up is .1103, 1.0498.");
    expect_array(__LINE__, "hidden", dims_of_rows(1, 2), OF(0.0011, 1.5075), f.v.hidden,
                 FOUR_DECIMALS);
    BECAUSE("hidden is .0011, 1.5075, and W_down puts both numbers out twice.");
    expect_array(__LINE__, "change", dims_of_rows(1, 4), OF(0.0011, 1.5075, 0.0011, 1.5075),
                 f.change, FOUR_DECIMALS);
}

TEST(gated_feed_forward, each_matrix_has_a_row_for_each_number_that_comes_out) {
    struct random r = random_seed(1610);
    const struct pass p = random_feeding(square, &r);
    expect_feeding(__LINE__, &p);
}

TEST(gated_feed_forward, networks_of_any_size_agree_with_the_obvious_way) {
    struct random r = random_seed(1611);
    FOR_ALL_SIZES(z) {
        const struct pass p = random_feeding(*z, &r);
        expect_feeding(__LINE__, &p);
    }
}

TEST(gated_feed_forward, the_parameters_and_the_row_do_not_change) {
    struct random r = random_seed(1612);
    const struct pass p = random_feeding(all_sizes[0], &r);
    const int d = d_of(p.z), d_ff = p.z.d_ff;
    const void *const matrices[] = {p.w.W_gate, p.w.W_up, p.w.W_down};
    const char *const names[] = {"W_gate", "W_up", "W_down"};
    void *before[3];
    for (int k = 0; k < 3; k++)
        before[k] = matrix_copy(UNNAMED, d_ff, d, matrices[k]);
    const struct feeding f = feed(&p, 0);
    BECAUSE("scaled is an input here, and it was changed.");
    expect_array(__LINE__, "scaled", dims_of_rows(1, d), p.S2, f.v.scaled, EXACTLY);
    for (int k = 0; k < 3; k++) {
        BECAUSE("%s is an input here, and it was changed.", names[k]);
        expect_array(__LINE__, names[k], dims_of_rows(d_ff, d), before[k], matrices[k], EXACTLY);
    }
}

TEST(gated_feed_forward, two_threads_may_call_it_at_once) {
    struct random r = random_seed(1613);
    const struct pass p = random_feeding(all_sizes[0], &r), other = random_feeding(square, &r);
    const struct feeding f = feed(&p, 0), of_other = feed(&other, 0);
    EXPECT_NOTHING_KEPT(gated_feed_forward(&other.w, &of_other.v, (void *)of_other.change),
                        gated_feed_forward(&p.w, &f.v, (void *)f.change));
}
