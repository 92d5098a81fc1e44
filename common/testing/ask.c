/* The prompt of make try. Each command runs in a child process, and the parent limits its time
   and its output. So a crash or an endless loop of the learner's code ends the command, and the
   prompt stays. */
#include "ask.h"

#include "matrix.h"
#include "shade.h"
#include "stack.h"
#include "typed.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_OUTPUT = 1 << 16, NOT_WRITTEN = 3 };

/* Of CPU time, for a line. */
static double seconds(void) {
    const char *asked = getenv("LOOKBACK_SECONDS");
    return asked && atof(asked) > 0.0 ? atof(asked) : 5.0;
}

_Noreturn void ask_refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    _exit(0);
}

void ask_check_sizes(const struct ask_table *Q, const struct ask_table *K,
                     const struct ask_table *V) {
    if (Q->cols != K->cols)
        ask_refuse("Queries have %d numbers and keys %d: set the other as well.", Q->cols, K->cols);
    if (K->rows != V->rows)
        ask_refuse("There are %d keys and %d values: set the other as well.", K->rows, V->rows);
    if (K->rows > ASK_COLS)
        ask_refuse("More than %d keys do not fit here.", ASK_COLS);
}

const char *const *ask_names(const char *what, int n) {
    char(*names)[32] = calloc((size_t)n, sizeof *names);
    const char **list = calloc((size_t)n, sizeof *list);
    if (!names || !list)
        ask_refuse("Out of memory.");
    for (int i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "%.15s %d", what, i);
        list[i] = names[i];
    }
    return list;
}

void ask_show_gradient(const char *what, int rows, int cols, const double given[rows][cols],
                       loss_function *loss, void *context, double x[rows][cols]) {
    const char *const *names = ask_names("row", rows), *const *dims = ask_names("", cols);
    NEW_MATRIX(measured, rows, cols);
    double gap = 0.0;
    shade_matrix(what, "from your backward pass", rows, cols, names, dims, given);
    numeric_gradient(loss, context, rows * cols, x[0], measured[0]);
    shade_matrix("by nudging", "measured with your forward pass", rows, cols, names, dims,
                 measured);
    for (int i = 0; i < rows * cols && !isnan(gap); i++) {
        double off = fabs((&given[0][0])[i] - (&measured[0][0])[i]);
        gap = off <= gap ? gap : off;
    }
    printf("\n The largest difference is %.0e: %s.\n", gap,
           gap < 1e-7 ? "they agree, as far as this can be measured" : "they do not agree");
}

/* --- the line --------------------------------------------------------------------------------- */

/* One row, up to a semicolon; false if something in it is no number. */
static bool read_row(const char **at, struct ask_table *t, int *cols) {
    for (*cols = 0;; ++*cols) {
        char *end;
        *at += strspn(*at, " ,\t");
        if (!**at || **at == ';')
            return true;
        double number = strtod(*at, &end);
        if (end == *at || !strchr(" ,;\t", *end)) {
            printf("'%.*s' is not a number.\n", (int)strcspn(*at, " ,;\t"), *at);
            return false;
        }
        if (*cols == ASK_COLS) {
            printf("More than %d numbers in a row do not fit here.\n", ASK_COLS);
            return false;
        }
        t->numbers[t->rows * t->cols + *cols] = number;
        *at = end;
    }
}

static bool read_table(const char *at, struct ask_table *table) {
    struct ask_table t = {0};
    while (*at) {
        int cols;
        if (t.rows == ASK_ROWS) {
            printf("More than %d rows do not fit here.\n", ASK_ROWS);
            return false;
        }
        if (!read_row(&at, &t, &cols))
            return false;
        if (cols == 0 || (t.rows > 0 && cols != t.cols)) {
            printf(
                "All rows must have the same length, but row %d has %d numbers and row 0 has %d.\n",
                t.rows, cols, t.cols);
            return false;
        }
        t.cols = cols;
        t.rows++;
        at += *at == ';';
        at += strspn(at, " ,\t");
    }
    if (t.rows > 0)
        *table = t;
    else
        puts("Type some numbers after it.");
    return t.rows > 0;
}

/* --- the learner's code ------------------------------------------------------------------------
 */

static _Noreturn void compute(const struct ask_command *c, const int output[2], FILE *said) {
    double whole, part = modf(seconds(), &whole);
    struct itimerval timer = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * part)}};
    /* exit() would put the input back to where this process has read it. */
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    close(output[0]);
    close(output[1]);
    setitimer(ITIMER_PROF, &timer, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGINT, SIG_DFL);
    c->show();
    fflush(stdout);
    _exit(0);
}

/* Copies the output to the screen; false if it is too long. */
static bool copy(int from) {
    char part[4096];
    ssize_t got, all = 0;
    while ((got = read(from, part, sizeof part)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0)
            fwrite(part, 1, (size_t)got, stdout);
        fflush(stdout);
        all += got;
        if (all > MOST_OUTPUT)
            return false;
    }
    return true;
}

static void copy_file(FILE *from) {
    char part[4096];
    size_t got;
    rewind(from);
    while ((got = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, got, stdout);
}

/* A function that is not written yet has said so in a line. */
static void explain(int lesson, int status, bool flooded, FILE *said) {
    const char *verbose = getenv("VERBOSE");
    bool ended = WIFEXITED(status);
    if (flooded)
        puts("\nYour code was stopped, because it printed more than 64 kB.");
    else if (ended && WEXITSTATUS(status) == NOT_WRITTEN)
        copy_file(said);
    else if (!ended && WTERMSIG(status) == SIGINT)
        puts("\nStopped.");
    else if (ended ? WEXITSTATUS(status) == STACK_TIME_IS_UP : WTERMSIG(status) == SIGKILL)
        printf("Your code was stopped after %g s of work. Is there a loop that does not end?\nmake "
               "%02d says where.\n",
               seconds(), lesson);
    else if (!ended || WEXITSTATUS(status) != 0)
        printf("Your code crashed. make %02d says where.\n", lesson);
    if (status != 0 && verbose && *verbose && *verbose != '0')
        copy_file(said);
}

static void run(int lesson, const struct ask_command *c) {
    int output[2], status = 0;
    FILE *said = tmpfile();
    if (!said || pipe(output) != 0) {
        perror("cannot compute");
        return;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        compute(c, output, said);
    close(output[1]);
    void (*before)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is for the learner's code */
    bool flooded = pid > 0 && !copy(output[0]);
    if (flooded)
        kill(pid, SIGKILL);
    close(output[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, before);
    explain(lesson, status, flooded, said);
    fclose(said);
}

/* --- the conversation --------------------------------------------------------------------------
 */

static void list(int lesson, const char *note, const struct ask_command *commands) {
    printf("Lesson %02d: your code computes with what you type.\n\n", lesson);
    for (const struct ask_command *c = commands; c->example; c++)
        printf("  %-32s  %s\n", c->example, c->what);
    printf("%s%s\n", note ? "\n" : "", note ? note : "");
    puts("Press Enter for an example, ? for this list, Ctrl-D to leave.");
}

static bool is_named(const struct ask_command *c, const char *line) {
    size_t length = strcspn(c->example, " ");
    return strcspn(line, " ") == length && strncmp(line, c->example, length) == 0;
}

/* The command of the line, and where in it the rest begins; NULL if no command matches. */
static const struct ask_command *find(const struct ask_command *commands, const char *line,
                                      const char **rest) {
    *rest = line;
    for (const struct ask_command *c = commands; c->example; c++)
        if (is_named(c, line) && !(c == commands && c->text)) {
            const char *after = line + strcspn(line, " ");
            after += strspn(after, " ");
            if (*after && !c->numbers && commands->text)
                break; /* "open the door" is a sentence */
            *rest = after;
            return c;
        }
    return commands->text || strchr("0123456789+-.", *line) ? commands : NULL;
}

static void answer(int lesson, const struct ask_command *commands, const char *line) {
    const char *rest;
    const struct ask_command *c = find(commands, line, &rest);
    if (!c) {
        printf("'%.*s' is not a command here. Type ? for the list.\n", (int)strcspn(line, " "),
               line);
        return;
    }
    if (c->text)
        snprintf(c->text, ASK_LINE, "%s", rest);
    else if (c->numbers ? !read_table(rest, c->numbers) : *rest != '\0') {
        if (!c->numbers)
            printf("Type nothing after '%s'.\n", c->example);
        return;
    }
    run(lesson, c);
}

/* The examples one after the other, then from the first again. */
static void answer_example(int lesson, const struct ask_command *commands) {
    static const struct ask_command *next;
    if (!next || !next->example)
        next = commands;
    printf("> %s\n", next->example);
    answer(lesson, commands, next++->example);
}

void ask(int lesson, const char *note, const struct ask_command commands[]) {
    char line[ASK_LINE];
    if (isatty(STDOUT_FILENO)) /* which show() cannot see: it writes into a pipe */
        setenv("FORCE_COLOR", "1", 1);
    if (is_typed())
        list(lesson, note, commands);
    while (typed_line("\n> ", ASK_LINE, line))
        if (strcmp(line, "?") == 0 || strcmp(line, "help") == 0)
            list(lesson, note, commands);
        else if (!*line || strcmp(line, "example") == 0)
            answer_example(lesson, commands);
        else
            answer(lesson, commands, line);
}
