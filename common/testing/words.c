/* Turns a typed sentence into vectors: each letter has a random vector, and a word is the sum of
   its letters' vectors, so that equal words have equal vectors. */
#include "words.h"

#include "ask.h"
#include "random.h"
#include "shade.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void words_read(struct words *w, const char *text) {
    *w = (struct words){0};
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (w->n == WORDS_MOST)
            ask_refuse("More than %d words do not fit here.", WORDS_MOST);
        w->names[w->n] = w->letters[w->n];
        snprintf(w->letters[w->n++], sizeof *w->letters, "%.*s", (int)length, text);
        text += length;
    }
    if (w->n == 0)
        ask_refuse("Type a sentence after it.");
}

void words_vectors(const struct words *w, double X[w->n][WORDS_D]) {
    for (int i = 0; i < w->n; i++) {
        double letters = (double)strlen(w->names[i]);
        for (int c = 0; c < WORDS_D; c++)
            X[i][c] = 0.0;
        for (const char *at = w->names[i]; *at; at++) {
            struct random r = random_seed((uint64_t)tolower((unsigned char)*at));
            for (int c = 0; c < WORDS_D; c++)
                X[i][c] += random_normal(&r) / sqrt(letters);
        }
    }
}

/* Three letters of each word above its column; beside a row, what it looks at most. */
static void show_cells(const struct words *w, const double weights[w->n][w->n]) {
    printf("   %-13s", "");
    for (int j = 0; j < w->n; j++)
        printf("%-4.3s", w->names[j]);
    putchar('\n');
    for (int i = 0; i < w->n; i++) {
        int best = 0;
        for (int j = 1; j < w->n; j++)
            best = weights[i][j] > weights[i][best] ? j : best;
        printf("   %-13.12s", w->names[i]);
        shade_cells(w->n, 4, weights[i]);
        printf("%.2f\n", weights[i][best]);
    }
}

void words_show(const char *what, const char *note, const struct words *w,
                const double weights[w->n][w->n]) {
    if (w->n <= ASK_COLS) {
        shade_matrix(what, note, w->n, w->n, w->names, w->names, weights);
        return;
    }
    printf("\n %s: %s; the largest is at the right\n", what, note);
    show_cells(w, weights);
}
