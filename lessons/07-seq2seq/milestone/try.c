#include "try.h"

#include "exam.h"
#include "shade.h"
#include "tasks/prompt.h"
#include "trainer.h"
#include "typed.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 40, WIDE = 20 };

struct page {
    const struct task *task;
    const struct pair *pair;
    int width;
};

/* Prints a row as soon as its word is written: the word, the weights, and the largest weight. */
static void print_word(void *whom, int word, const double *weights) {
    const struct page *page = whom;
    int n = page->pair->n, best = largest(n, weights);
    printf("  %-*s", PROMPT_LEFT - 2, page->task->target[word]);
    shade_cells(n, page->width, weights);
    const char *where = page->task->source[page->pair->source[best]];
    printf("  %s %.2f\n", *where == ' ' ? "(space)" : where, weights[best]);
    fflush(stdout);
}

static void answer(const struct network *net, const struct pair *p) {
    struct page page = {net->task, p, p->n > WIDE ? 1 : 2};
    int words[LONGEST], column = 0, limit = 2 * p->n + 10 < LONGEST ? 2 * p->n + 10 : LONGEST - 1;
    struct buffers *t = buffers_new(net);
    const char *source[LONGEST];
    for (int j = 0; j < p->n; j++)
        source[j] = net->task->source[p->source[j]];
    prompt_upright(p->n, page.width, source);
    int m = network_write(net, t, p, limit, words, print_word, &page);
    buffers_free(t);
    for (int i = 0; i < m; i++)
        prompt_listed(net->task->target[words[i]], net->task->spelled, &column);
    printf(m == limit ? "\n  ... The limit was reached before END.\n\n" : "\n\n");
}

static void list_words(const struct task *task) {
    int column = 0;
    for (int w = 0; w < task->sources; w++)
        prompt_listed(task->source[w], task->spelled, &column);
    printf("\n\n");
}

static void answer_line(const struct network *net, const char *line) {
    struct pair p = {0};
    char unknown[40];
    p.n = read_words(net->task, line, MOST_WORDS + 1, p.source, unknown);
    if (p.n < 0)
        printf("It does not know '%s'. %s\n\n", unknown,
               net->task->spelled ? "A date may have letters, digits and  , . / -"
                                  : "Type ? for its words.");
    else if (p.n > MOST_WORDS)
        printf("That is more than %d %s. Please type fewer.\n\n", MOST_WORDS,
               net->task->spelled ? "characters" : "words");
    else if (p.n > 0)
        answer(net, &p);
}

static bool has_digit(const char *line) {
    return strpbrk(line, "0123456789") != NULL;
}

void converse(const struct network *translator, const struct network *calendar) {
    char line[1000];
    printf("Type a sentence, such as   the young cat saw a red house and Olga takes the book\n"
           "or a date, such as         wednesday, 18 november 2026\n"
           "Type ? for a list of its words, or an empty line to end.\n\n");
    while (typed_line("> ", sizeof line, line) && line[0])
        if (strcmp(line, "?") == 0)
            list_words(translator->task);
        else
            answer_line(has_digit(line) ? calendar : translator, line);
}
