#include "tables.h"

#include "columns.h"
#include "dot_product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Attention weights ----------------------------------------------------------------------- */

/* The names of the source tokens, in quotes because of the space. */
static void head_table(FILE *table, const struct task *task, const struct pair *p) {
    fprintf(table, "word");
    for (int j = 0; j < p->n; j++)
        fprintf(table, " \"%s\"", task->source[p->source[j]]);
    fputc('\n', table);
}

void write_date(const char *folder, struct machine *m) {
    const struct task *task = m->course->task;
    const struct pair p = pair_of(task, "wednesday, 18 november 2026", "2026-11-18");
    const struct example e = example_of_pair(m->course, &p);
    struct transformer_values v;
    machine_think(m, 0, &e, &v);
    const double(*weights)[e.n][e.m] = v.decoder[0].cross.heads.weights;
    for (int head = 0; head < HEADS; head++) {
        char file[30];
        snprintf(file, sizeof file, "date-%d.dat", head + 1);
        FILE *table = columns_open(folder, file, NULL);
        head_table(table, task, &p);
        for (int i = 0; i < p.m; i++)
            columns_row(table, task->target[p.target[i]], p.n, weights[head][i]);
        columns_close(table);
    }
}

/* --- Gradients ------------------------------------------------------------------------------- */

enum { MATRICES = 17, SENTENCES = 64, WORDS = 12 };

/* The embedding table, then the matrices of each layer. */
struct matrix {
    const char *name;
    int count;
    void *numbers;
};

static int list_heads(const struct multi_head *w, struct matrix to[]) {
    const struct matrix all[] = {{"q", D_MODEL * D_MODEL, w->W_q},
                                 {"k", D_MODEL * D_MODEL, w->W_k},
                                 {"v", D_MODEL * D_MODEL, w->W_v},
                                 {"o", D_MODEL * D_MODEL, w->W_o}};
    memcpy(to, all, sizeof all);
    return 4;
}

static int list_forward(const struct feed_forward_layer *w, struct matrix to[]) {
    const struct matrix all[] = {{"1", D_MODEL * D_FF, w->W_1}, {"2", D_FF * D_MODEL, w->W_2}};
    memcpy(to, all, sizeof all);
    return 2;
}

static void list_matrices(const struct transformer *w, struct matrix all[MATRICES]) {
    int n = 0;
    all[n++] = (struct matrix){"table", w->vocabulary * D_MODEL, w->table};
    n += list_heads(&w->encoder[0].self.heads, all + n);
    n += list_forward(&w->encoder[0].forward, all + n);
    n += list_heads(&w->decoder[0].self.heads, all + n);
    n += list_heads(&w->decoder[0].cross.heads, all + n);
    list_forward(&w->decoder[0].forward, all + n);
}

/* The gradient of some sentences, in the arena of the first half. */
static void gather(struct machine *m) {
    struct random r = random_seed(5);
    memset(m->gradient[0], 0, (size_t)m->trainee.count * sizeof(double));
    for (int i = 0; i < SENTENCES; i++) {
        struct pair p;
        m->course->task->draw(&r, WORDS, &p);
        const struct example e = example_of_pair(m->course, &p);
        machine_learn(m, 0, &e);
    }
}

/* The root of the mean square of a gradient. */
static double loudness(const struct matrix *g) {
    return sqrt(dot(g->count, g->numbers, g->numbers) / g->count) / SENTENCES;
}

void write_gradients(const char *folder, struct machine *trained) {
    struct machine fresh = machine_new(trained->course, seed_wanted());
    struct machine *machines[] = {&fresh, trained};
    struct matrix all[2][MATRICES];
    FILE *table = columns_open(folder, "gradients.dat", "matrix new trained");
    for (int i = 0; i < 2; i++) {
        gather(machines[i]);
        const struct transformer g = machine_gradient(machines[i], 0);
        list_matrices(&g, all[i]);
    }
    for (int i = 0; i < MATRICES; i++) {
        columns_row(table, all[0][i].name, 2,
                    (double[]){loudness(&all[0][i]), loudness(&all[1][i])});
        if (i == 0 || i == 6 || i == 10 || i == 14)
            columns_gap(table); /* after the table, the encoder, self and cross */
    }
    columns_close(table);
}
