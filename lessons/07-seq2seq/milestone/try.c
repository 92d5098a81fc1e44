#include "try.h"

#include "exam.h"
#include "shade.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LEFT = 13, MOST_WORDS = 40, WIDE = 20, LINE = 1000 };

/* The source, above the cells: words stand upright, a letter under the other. */
static void print_source(const struct task *task, const struct pair *p, int width) {
    int tallest = 0;
    for (int j = 0; j < p->n; j++) {
        int letters = (int)strlen(task->source[p->source[j]]);
        if (tallest < letters)
            tallest = letters;
    }
    for (int row = 0; row < tallest; row++) {
        printf("%*s", LEFT, "");
        for (int j = 0; j < p->n; j++) {
            const char *word = task->source[p->source[j]];
            int letter = row - (tallest - (int)strlen(word));
            printf("%-*c", width, letter < 0 ? ' ' : word[letter]);
        }
        putchar('\n');
    }
}

struct page {
    const struct task *task;
    const struct pair *pair;
    int width;
};

/* A row as soon as its word is there: the word, where it looked, and where most of all. */
static void print_word(void *whom, int word, const double *weights) {
    const struct page *page = whom;
    int n = page->pair->n, best = largest(n, weights);
    printf("  %-*s", LEFT - 2, page->task->target[word]);
    shade_cells(n, page->width, weights);
    const char *where = page->task->source[page->pair->source[best]];
    printf("  %s %.2f\n", *where == ' ' ? "(space)" : where, weights[best]);
    fflush(stdout);
}

/* A word of a list that breaks its lines. */
static void print_listed(const char *word, bool spelled, int *column) {
    int letters = (int)strlen(word) + (spelled ? 0 : 1);
    if (*column + letters > 76)
        *column = 0;
    printf("%s%s%s", *column == 0 ? "\n  " : "", word, spelled ? "" : " ");
    *column += letters;
}

static void answer(const struct network *net, const struct pair *p) {
    struct page page = {net->task, p, p->n > WIDE ? 1 : 2};
    int words[LONGEST], column = 0, limit = 2 * p->n + 10 < LONGEST ? 2 * p->n + 10 : LONGEST - 1;
    struct thought *t = thought_new(net);
    print_source(net->task, p, page.width);
    int m = network_write(net, t, p, limit, words, print_word, &page);
    thought_free(t);
    for (int i = 0; i < m; i++)
        print_listed(net->task->target[words[i]], net->task->spelled, &column);
    printf(m == limit ? "\n  ... and on: it found no end.\n\n" : "\n\n");
}

static void list_words(const struct task *task) {
    int column = 0;
    for (int w = 0; w < task->sources; w++)
        print_listed(task->source[w], task->spelled, &column);
    printf("\n\n");
}

static void hear(const struct network *net, const char *line) {
    struct pair p = {0};
    char unknown[40];
    p.n = read_words(net->task, line, MOST_WORDS + 1, p.source, unknown);
    if (p.n < 0)
        printf("It has never heard '%s'. %s\n\n", unknown,
               net->task->spelled ? "In a date it knows letters, digits and  , . / -"
                                  : "? lists its words.");
    else if (p.n > MOST_WORDS)
        printf("That is more than %d %s, and no more fit here.\n\n", MOST_WORDS,
               net->task->spelled ? "letters" : "words");
    else if (p.n > 0)
        answer(net, &p);
}

static bool has_digit(const char *line) {
    return strpbrk(line, "0123456789") != NULL;
}

/* The next line, without what surrounds it; false at the end. What does not fit is no part of it.
 */
static bool read_line(char line[LINE]) {
    if (isatty(STDIN_FILENO))
        printf("> ");
    fflush(stdout);
    if (!fgets(line, LINE, stdin))
        return false;
    if (!strchr(line, '\n'))
        for (int c = 0; c != '\n' && c != EOF;)
            c = getchar();
    size_t blank = strspn(line, " \t\r\n"), length = strlen(line);
    while (length > blank && strchr(" \t\r\n", line[length - 1]))
        length--;
    memmove(line, line + blank, length - blank);
    line[length - blank] = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?'; /* an arrow key, say */
    return line[0] != '\0';
}

void converse(const struct network *translator, const struct network *calendar) {
    char line[LINE];
    printf("Type a sentence, such as   the young cat saw a red house and Olga takes the book\n"
           "or a date, such as         wednesday, 18 november 2026\n"
           "? lists its words, an empty line ends.\n\n");
    while (read_line(line))
        if (strcmp(line, "?") == 0)
            list_words(translator->task);
        else
            hear(has_digit(line) ? calendar : translator, line);
}
