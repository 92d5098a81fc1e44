#include "exam.h"

#include "softmax.h"

#include <math.h>
#include <string.h>

const struct way ways[WAYS] = {
    {"temperature 1", {1.0, 0, 0.0}},   {"temperature 1.5", {1.5, 0, 0.0}},
    {"temperature 0.5", {0.5, 0, 0.0}}, {"top-k 3", {1.0, 3, 0.0}},
    {"top-p 0.95", {1.0, 0, 0.95}},     {"top-p 0.8", {1.0, 0, 0.8}},
    {"greedy", {0.0, 0, 0.0}},
};

/* A translation with one word too many is wrong as well. */
static bool is_right(const struct machine *m, int half, const struct pair *p) {
    int words[LONGEST], written = machine_translate(m, half, p, p->m + 1, words);
    return written == p->m && memcmp(words, p->target, sizeof(int) * (size_t)written) == 0;
}

double share_right(struct machine *m, int n, int sentences) {
    int right[HALVES] = {0};
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++) {
        struct random r = random_seed((uint64_t)(1000 * n + half));
        for (int i = 0; i < sentences / HALVES; i++) {
            struct pair p;
            m->course->task->draw(&r, n, &p);
            right[half] += is_right(m, half, &p);
        }
    }
    return (double)(right[0] + right[1]) / (sentences / HALVES * HALVES);
}

double price_of(struct machine *writer, int lines) {
    struct random r = random_seed(13);
    double price = 0.0, letters = 0.0;
    for (int i = 0; i < lines; i++) {
        int line[LONGEST_LINE];
        double truth;
        struct transformer_values v;
        int n = draw_line(&r, line, &truth);
        struct example e = example_of_line(n, line);
        letters += n;
        price += writer ? machine_think(writer, 0, &e, &v) : truth;
    }
    return price / letters;
}

struct speech speak(const struct machine *writer, int half, struct manner manner, int lines) {
    struct speech said = {0};
    struct random r = random_seed(77);
    double first[LETTERS] = {0};
    int ended = 0;
    for (int i = 0; i < lines; i++) {
        int line[LONGEST_LINE];
        int n = machine_write(writer, half, manner, &r, 0, LONGEST_SPOKEN, line);
        first[line[0]]++;
        said.names += begins_with_name(n, line);
        ended += line[n - 1] == NEW_LINE;
        said.grammatical += is_grammatical(n, line);
        for (int c = 0; i == 0 && c < n && line[c] != NEW_LINE; c++)
            said.sample[c] = alphabet[line[c]];
    }
    for (int i = 0; i < LETTERS; i++)
        first[i] /= lines;
    said.names /= lines;
    said.grammatical /= ended > 0 ? ended : 1;
    said.entropy = fabs(entropy(LETTERS, first)); /* could be -0 */
    return said;
}
