/* A prompt for the learner's own numbers. Each line is computed in a process of its own, so that a
   crash, an endless loop or a function that is not written yet ends this line and not the prompt.
 */
#ifndef ASK_H
#define ASK_H

#include "gradcheck.h"

enum { ASK_ROWS = 12, ASK_COLS = 7, ASK_LINE = 400 };

/* "1 0; 0 1": rows of equally many numbers, one after the other. */
struct ask_table {
    int rows, cols;
    double numbers[ASK_ROWS * ASK_COLS];
};

/* The table as a matrix: `const double(*Q)[d] = ASK_MATRIX(table, d)`. */
#define ASK_MATRIX(table, cols) ((const double(*)[cols])(table).numbers)

struct ask_command {
    const char *example;       /* its first word is the command: "softmax 1 2 3" */
    const char *what;          /* in a few words */
    struct ask_table *numbers; /* receives what follows the command; or */
    char *text; /* receives the rest of the line, at most ASK_LINE letters; NULL: nothing follows */
    void (*show)(void); /* computes and shows */
};

/* Reads commands for a lesson until the end of the input; the list ends in one without an example.
   A line that begins with a number belongs to the first command; so does any line with an unknown
   first word, if the first command takes text. `note` is more to be known, or NULL. */
void ask(int lesson, const char *note, const struct ask_command commands[]);

/* For show(): ends the command with a sentence that says what is wrong with the line. */
_Noreturn void ask_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, unless queries, keys and values fit together. */
void ask_check_sizes(const struct ask_table *Q, const struct ask_table *K,
                     const struct ask_table *V);

/* Shows a gradient beside what nudging its input x measures; see gradcheck.h. */
void ask_show_gradient(const char *what, int rows, int cols, const double given[rows][cols],
                       loss_function *loss, void *context, double x[rows][cols]);

/* "key 0", "key 1", ... */
const char *const *ask_names(const char *what, int n);

#endif
