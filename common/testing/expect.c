/* What happens when an EXPECT fails. The numbers are written in three forms: as rows of both
   sides for the reader, as sentences about how they are related (relate.c), and as evidence from
   which the tutor recognises known mistakes. Then Unity ends the test. */
#include "expect.h"

#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "relate.h"
#include "statics.h"
#include "unity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char because_text[500]; /* for the next EXPECT */
static bool in_a_mask;         /* 1 is shown as true, 0 as false */
static bool all_whole;         /* no decimals are shown */
static bool in_floats;         /* smaller differences are not visible in four decimals */

static int expectations; /* so far in this test */

/* The expected numbers, and those of the learner's code. */
struct sides {
    const char *name;
    struct dims dims;
    const double *expected, *actual;
    double tolerance;
};

/* Unity calls these before and after each test. */
void setUp(void) {
    because_text[0] = '\0';
    expectations = 0;
    in_a_mask = all_whole = in_floats = false;
}

void (*after_test)(void);

void tearDown(void) {
    if (after_test)
        after_test();
    matrix_free_all();
}

void say_because(bool condition, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (condition && !because_text[0])
        vsnprintf(because_text, sizeof because_text, format, arguments);
    va_end(arguments);
}

static bool is_no_number(double x) {
    return is_unset(x) || is_made_of_unset(x) || is_partly_set(x);
}

/* Some numbers as one, in which each of them counts in its own way. */
static double fold(int count, const double *numbers, bool *unset) {
    double folded = 0.0;
    for (int i = 0; i < count; i++) {
        *unset = *unset || is_no_number(numbers[i]);
        folded += (i + 1) * numbers[i];
    }
    return isnan(folded) ? (double)NAN : folded;
}

/* The evidence of a failed EXPECT, for the tutor: equal mistakes give equal numbers. If there
   are more than 40, several are combined into one. */
static void leave_evidence(char kind, int count, const double *numbers) {
    char text[1000] = "";
    int step = count / 40 + 1;
    for (int i = 0; i < count; i += step) {
        size_t used = strlen(text);
        bool unset = false;
        double number = fold(i + step < count ? step : count - i, &numbers[i], &unset);
        snprintf(text + used, sizeof text - used, unset ? " unset" : " %.12g", number);
    }
    report('~', "%d %c %d%s", expectations, kind, count, text);
}

/* Written so that a NaN on either side is a difference. */
static bool near(double a, double b, double tolerance) {
    return a == b || fabs(a - b) <= tolerance;
}

static bool all_near(int count, const double *a, const double *b, double tolerance) {
    for (int i = 0; i < count; i++)
        if (!near(a[i], b[i], tolerance) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* "weights[1][2]", "weights[2]" or "entropy(3, weights)" */
static const char *cell_name(const struct sides *s, int index) {
    static char text[200];
    return dims_place(text, sizeof text, s->name, s->dims, s->dims.rank, index);
}

static bool are_whole(int count, const double *x) {
    for (int i = 0; i < count; i++)
        if (!is_no_number(x[i]) && x[i] != floor(x[i]))
            return false;
    return true;
}

static const char *number_text(char *text, size_t size, const char *format, double x) {
    if (is_no_number(x))
        snprintf(text, size, is_partly_set(x) ? "partly" : "unset");
    else if (in_a_mask)
        snprintf(text, size, x != 0.0 ? "true" : "false");
    else if (isnan(x))
        snprintf(text, size, "nan"); /* never "-nan": the sign of a NaN says nothing */
    else
        snprintf(text, size, format, x);
    if (text[0] == '-' && strspn(text, "-0.") == strlen(text))
        memmove(text, text + 1, strlen(text)); /* "-0.0000" */
    return text;
}

/* Would the reader see no difference? */
static bool look_alike(const char *format, double a, double b) {
    char first[400], second[400];
    return strcmp(number_text(first, sizeof first, format, a),
                  number_text(second, sizeof second, format, b)) == 0;
}

/* With as many digits as it takes. */
static const char *format_for(double expected, double actual) {
    const char *more = in_floats ? "%.9g" : "%.12g";
    const char *format = fmax(fabs(expected), fabs(actual)) >= 1e5 ? "%.6g"
                         : all_whole                               ? "%.0f"
                                                                   : "%.4f";
    return !look_alike(format, expected, actual) ? format
           : !look_alike(more, expected, actual) ? more
                                                 : "%.17g";
}

static int decimals; /* in a table */

/* The width of a number and its star; seven of them just fit a terminal. */
static int cell_width(int cols) {
    return decimals + (cols < 7 ? 5 : 4);
}

/* A large number without decimals, if it fits. */
static void cell_text(char *text, size_t size, int cols, double x) {
    char format[8];
    snprintf(format, sizeof format, "%%.%df", all_whole ? 0 : decimals);
    const bool large = fabs(x) >= 9999.5 && isfinite(x);
    number_text(text, size, large ? "%.6g" : format, x);
    if (large && strlen(text) >= (size_t)cell_width(cols))
        number_text(text, size, "%.0e", x);
}

/* Numbers that differ from those of the other row, if there is one, have a star. */
static void print_row(int cols, const double *row, const double *other, double tolerance,
                      char *line, size_t size) {
    char text[64];
    for (int j = 0; j < cols; j++) {
        size_t used = strlen(line);
        cell_text(text, sizeof text, cols, row[j]);
        snprintf(line + used, size - used, "%*s%s", cell_width(cols) - 1, text,
                 other && !near(row[j], other[j], tolerance) ? "*" : " ");
    }
}

static bool row_is_near(const struct sides *s, int i) {
    const int cols = dims_cols(s->dims);
    for (int j = i * cols; j < (i + 1) * cols; j++)
        if (!near(s->expected[j], s->actual[j], s->tolerance))
            return false;
    return true;
}

static void trim(char *line) {
    while (*line && line[strlen(line) - 1] == ' ')
        line[strlen(line) - 1] = '\0';
}

/* One row of both sides, beside each other, or where that is too wide one above the other. */
static void show_row(const struct sides *s, int i) {
    const int cols = dims_cols(s->dims);
    const double *expected = s->expected + i * cols, *actual = s->actual + i * cols;
    char right[128] = "", left[128] = "", label[32] = "";
    print_row(cols, expected, NULL, 0.0, left, sizeof left);
    print_row(cols, actual, expected, s->tolerance, right, sizeof right);
    trim(right);
    if (s->dims.rank > 1)
        snprintf(label, sizeof label, cols <= 3 ? "row %d" : "row %d ", i);
    if (cols <= 3) {
        report('|', "%10s  %s  %s", label, left, right);
        return;
    }
    trim(left);
    report('|', "%sexpected  %s", label, left);
    report('|', "%*s  %s", (int)strlen(label) + 8, "yours", right);
}

/* True if everything is wanted, however long it is. */
static bool is_verbose(void) {
    const char *verbose = getenv("VERBOSE");
    return verbose && *verbose && *verbose != '0';
}

/* Do numbers that differ look it, in all rows? */
static bool shows_what_differs(const struct sides *s) {
    char expected[64], actual[64];
    for (int i = 0; i < dims_count(s->dims); i++) {
        cell_text(expected, sizeof expected, dims_cols(s->dims), s->expected[i]);
        cell_text(actual, sizeof actual, dims_cols(s->dims), s->actual[i]);
        if (!near(s->expected[i], s->actual[i], s->tolerance) && strcmp(expected, actual) == 0 &&
            !isnan(s->actual[i]))
            return false;
    }
    return true;
}

/* Four decimals, or as many as it takes, if a line has room for them. */
static void set_decimals(const struct sides *s) {
    const int cols = dims_cols(s->dims), room = cols <= 3 ? 31 : 59;
    for (decimals = 4; decimals < 10 && !shows_what_differs(s);)
        decimals++;
    if (cell_width(cols) * cols > room)
        decimals = 4;
}

/* A matrix or a vector, where it fits a terminal: of more than four rows, or of wide ones, those
   that differ, and of many the first. */
static void show_table(const struct sides *s) {
    const int rows = dims_rows(s->dims), cols = dims_cols(s->dims);
    int most = cols <= 3 ? 6 : 2, left = 0;
    set_decimals(s);
    if (cols <= 3)
        report('|', "%-10.18s  %-*s  %s", s->name, cols * cell_width(cols), "expected", "yours");
    else
        report('|', "%.40s", s->name);
    for (int i = 0; i < rows; i++)
        if (is_verbose() || (cols <= 3 && rows <= 4))
            show_row(s, i);
        else if (!row_is_near(s, i) && most-- > 0)
            show_row(s, i);
        else
            left += !row_is_near(s, i);
    if (left > 0)
        report('|', "... and %d row%s more that differ%s", left, left == 1 ? "" : "s",
               left == 1 ? "s" : "");
}

/* Both sides; of an array of matrices the first two that differ. */
static void show_both(const struct sides *s) {
    char name[100];
    const struct dims dims = s->dims;
    if (dims.rank == 0 || dims_cols(dims) > 7)
        return;
    if (dims.rank < 3) {
        show_table(s);
        return;
    }
    const int rows = dims.size[dims.rank - 2], count = rows * dims_cols(dims);
    int shown = 0;
    for (int first = 0; first < dims_count(dims); first += count) {
        struct sides slice = *s;
        slice.dims = dims_of_rows(rows, dims_cols(dims));
        slice.name = dims_place(name, sizeof name, s->name, dims, dims.rank - 2, first);
        slice.expected += first;
        slice.actual += first;
        bool differs = false;
        for (int i = 0; i < rows; i++)
            differs = differs || !row_is_near(&slice, i);
        if (differs && (shown++ < 2 || is_verbose()))
            show_table(&slice);
    }
    if (shown > 2 && !is_verbose())
        report('|', "... and %d more that differ%s", shown - 2, shown == 3 ? "s" : "");
}

static void print_input_row(int cols, const double *row, char *line, size_t size) {
    char text[64];
    for (int j = 0; j < cols; j++) {
        size_t used = strlen(line);
        number_text(text, sizeof text, "%.6g", row[j]);
        snprintf(line + used, size - used, "%s%s", j ? ", " : "", text);
    }
}

/* A small array that was made before the output: an input, if the lesson's header has its name.
   On one line, its rows in braces, where that fits. */
static void show_input(const char *name, struct dims dims, const double *numbers) {
    const int rows = dims_rows(dims), cols = dims_cols(dims);
    char whole[400] = "", row[128], place[100];
    if (rows > 4 || cols > 6)
        return;
    for (int i = 0; i < rows; i++) {
        size_t used = strlen(whole);
        row[0] = '\0';
        print_input_row(cols, numbers + i * cols, row, sizeof row);
        snprintf(whole + used, sizeof whole - used, rows > 1 ? "%s{%s}" : "%s%s", i ? ", " : "",
                 row);
    }
    if (strlen(name) + strlen(whole) <= 70 && dims.rank < 3) {
        report('<', dims.rank == 2 && rows == 1 ? "%s = {%s}" : "%s = %s", name, whole);
        return;
    }
    for (int i = 0; i < rows; i++) {
        row[0] = '\0';
        print_input_row(cols, numbers + i * cols, row, sizeof row);
        report('<', "%s = %s",
               dims_place(place, sizeof place, name, dims, dims.rank - 1, (long)i * cols), row);
    }
}

static bool diagonal_only(const struct sides *s) {
    const int rows = s->dims.size[0], cols = s->dims.size[1];
    if (s->dims.rank != 2 || rows != cols || rows < 2)
        return false;
    for (int i = 0; i < rows * cols; i++)
        if (is_unset(s->actual[i]) == (i % (cols + 1) == 0))
            return false;
    return true;
}

/* How many are such; and the first of them, if there is one. */
static int count_such(const struct sides *s, bool (*is_such)(double), int *first) {
    int count = 0;
    for (int i = dims_count(s->dims); i-- > 0;)
        if (is_such(s->actual[i])) {
            *first = i;
            count++;
        }
    return count;
}

/* Cells that were computed from unset numbers. */
static bool say_made_of_unset(const struct sides *s) {
    int first = 0;
    if (count_such(s, is_made_of_unset, &first))
        report('!',
               "%s was computed from a value that was never set. Outputs start out undefined. Is "
               "there a += before any =, a cell that no loop or branch sets, or a cell that is "
               "read before it is written?",
               s->name);
    else if (count_such(s, is_never_set, &first))
        report('!',
               "%s was computed from a value that was never set. Does the variable that you add to "
               "have a first value? Is every number of your own arrays set before it is read? "
               "malloc() does not clear its memory, but calloc() does.",
               cell_name(s, first));
    else
        return false;
    return true;
}

/* Cells that were never set, or only in part, or that were added to before they were set. */
static bool say_unset(const struct sides *s, int count) {
    char ranges[300] = "";
    int first = 0, unset = count_such(s, is_unset, &first);
    if (in_floats)
        relate_ranges(ranges, sizeof ranges, s->name, s->dims, s->expected, s->actual,
                      s->tolerance);
    if (unset == count)
        report('!',
               "Nothing was written into %s, or it was computed from values that were never set.",
               s->name);
    else if (diagonal_only(s))
        report('!', "Only the diagonal of %s was set. The other cells need values, too.", s->name);
    else if (count_such(s, is_partly_set, &first))
        report('!',
               "Only some bytes of %s were written. memcpy() and memset() count bytes, and a "
               "double has 8: n numbers are n * sizeof(double).",
               cell_name(s, first));
    else if (unset > 0)
        report('!',
               "%s%s%s was never set, or is a copy of such a cell (%d of %d cells were not set). "
               "Which line should set it, and do its loops, conditions and indices reach it?%s%s",
               ranges, ranges[0] ? " " : "", cell_name(s, first), unset, count,
               in_floats && because_text[0] ? " " : "", in_floats ? because_text : "");
    else
        return say_made_of_unset(s);
    return true;
}

/* Among floats it is nothing to be off by as much as a float rounds. */
static void leave_relation(const char *kind, const char *witnesses, const char *sentence) {
    if (!in_floats || (strcmp(kind, "float") != 0 && strcmp(kind, "little") != 0))
        report('%', "%s|%s|%s", kind, witnesses, sentence);
}

/* The message if no known mistake matches: how the numbers are related, and what the test is
   about. */
static void say_why(const struct sides *s, int count) {
    char relation[300] = "", kind = '=';
    if (say_unset(s, count))
        return;
    const bool related =
        !in_a_mask && relate_all(s->dims, s->expected, s->actual, s->tolerance, leave_relation);
    if (!in_a_mask)
        relate(relation, sizeof relation, s->name, s->dims, s->expected, s->actual, s->tolerance);
    if (in_floats && !relation[0])
        relate_ranges(relation, sizeof relation, s->name, s->dims, s->expected, s->actual,
                      s->tolerance);
    if (!in_a_mask && !relation[0] && !because_text[0]) {
        if (!relate_factor(relation, sizeof relation, s->name, s->dims, s->expected, s->actual) &&
            !related)
            relate_lines(relation, sizeof relation, s->name, s->dims, s->expected, s->actual,
                         s->tolerance);
        kind = ':';
    }
    if (relation[0] || because_text[0])
        report(kind, "%s%s%s", relation, relation[0] && because_text[0] ? " " : "", because_text);
}

/* The inputs are what was made before `output`, or all that was made if that is NULL. */
static void expect_same(int line, const struct sides *s, const void *output) {
    const int count = dims_count(s->dims);
    all_whole = are_whole(count, s->expected) && are_whole(count, s->actual);
    expectations++;
    for (int i = 0; i < count; i++) {
        if (near(s->expected[i], s->actual[i], s->tolerance))
            continue;
        leave_evidence(in_a_mask ? 'M' : in_floats ? 'F' : 'N', count, s->actual);
        if (details_are_read) {
            matrix_each_before(output, show_input);
            show_both(s);
        }
        say_why(s, count);
        char message[600], a[64], b[64];
        const char *format = format_for(s->expected[i], s->actual[i]);
        snprintf(message, sizeof message, "%s: expected %s, was %s", cell_name(s, i),
                 number_text(a, sizeof a, format, s->expected[i]),
                 number_text(b, sizeof b, format, s->actual[i]));
        because_text[0] = '\0';
        UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, message);
    }
    because_text[0] = '\0';
}

void expect_array(int line, const char *name, struct dims dims, const void *expected,
                  const void *actual, double tolerance) {
    const struct sides s = {name, dims, expected, actual, tolerance};
    expect_same(line, &s, dims.rank ? actual : NULL); /* a number is made of all that there is */
}

void expect_numbers(int line, const char *name, int rows, int cols, const double *expected,
                    const double *actual, double tolerance) {
    expect_array(line, name, dims_of_rows(rows, cols), expected, actual, tolerance);
}

void expect_mask(int line, const char *name, int rows, int cols, const void *expected,
                 const void *actual) {
    const double *right = mask_numbers("expected", rows, cols, expected);
    const double *yours = mask_numbers(name, rows, cols, actual);
    in_a_mask = true;
    expect_same(line, &(struct sides){name, dims_of_rows(rows, cols), right, yours, 0.0}, actual);
    in_a_mask = false;
}

void expect_floats(int line, const char *name, struct dims dims, const void *expected,
                   const void *actual, double tolerance) {
    const double *yours = widened(name, dims, actual);
    in_floats = true;
    expect_same(line, &(struct sides){name, dims, expected, yours, tolerance}, actual);
    in_floats = false;
}

/* The gradient is right if the array had held another number before the call. Which one? */
static bool held_another(int count, const double *gained, const double *given, double *held) {
    bool varies = false;
    *held = given[0] - gained[0];
    for (int i = 0; i < count; i++) {
        if (!near(given[i] - gained[i], *held, 1e-9))
            return false;
        varies = varies || !near(gained[i], gained[0], 1e-3);
    }
    return varies && isfinite(*held);
}

void expect_array_added(int line, const char *name, struct dims dims, double held,
                        const void *gained, const void *given) {
    int count = dims_count(dims);
    double *expected = fill(count, held, vector_new("expected", count));
    add_into(count, gained, expected);
    bool overwritten = all_near(count, gained, given, 1e-9);
    if (overwritten)
        because_text[0] = '\0'; /* this says more */
    say_because(overwritten,
                "%s held %g everywhere, and you overwrote it. Add with +=, because other paths may "
                "already have added their gradient there.",
                name, held);
    double other;
    if (!overwritten && held_another(count, gained, given, &other) && !near(other, held, 1e-9))
        BECAUSE("%s held %g everywhere before the call. Yours looks as if it had held %.4g. Do not "
                "use the old value in your computation, only add to it.",
                name, held, other);
    expect_array(line, name, dims, expected, given, 1e-9);
}

void expect_added(int line, const char *name, int rows, int cols, double held, const void *gained,
                  const void *given) {
    expect_array_added(line, name, dims_of_rows(rows, cols), held, gained, given);
}

void expect_that(int line, bool condition, const char *format, ...) {
    expectations++;
    if (condition) {
        because_text[0] = '\0';
        return;
    }
    if (because_text[0])
        report('=', "%s", because_text);
    because_text[0] = '\0';
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report('~', "%d P 0 %s", expectations, message);
    UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, message);
}

void expect_array_gradient(int line, const char *name, struct dims dims, const void *measured,
                           const void *given, double tolerance) {
    const int count = dims_count(dims);
    const struct sides s = {name, dims, measured, given, 1e-6};
    struct gradcheck check = gradcheck(count, given, measured, tolerance);
    all_whole = false;
    expectations++;
    if (check.ok) {
        because_text[0] = '\0';
        return;
    }
    leave_evidence('G', count, given);
    matrix_each_before(given, show_input);
    show_both(&s);
    say_why(&s, count);
    char message[600], a[64], b[64];
    const char *format = format_for(s.expected[check.worst], s.actual[check.worst]);
    bool told = check.error > tolerance; /* by the two numbers alone */
    snprintf(message, sizeof message, "%s: %s%snudging the input measures %s, yours is %s",
             cell_name(&s, check.worst), told ? "" : check.reason, told ? "" : "; ",
             number_text(a, sizeof a, format, s.expected[check.worst]),
             number_text(b, sizeof b, format, s.actual[check.worst]));
    because_text[0] = '\0';
    UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, message);
}

void expect_gradient(int line, const char *name, int rows, int cols, const double *measured,
                     const double *given, double tolerance) {
    expect_array_gradient(line, name, dims_of_rows(rows, cols), measured, given, tolerance);
}

void expect_nudged(int line, const char *name, int rows, int cols, loss_function *loss,
                   void *context, void *input, const void *given) {
    const int count = dims_count(dims_of_rows(rows, cols));
    double *measured = vector_new("measured", count);
    numeric_gradient(loss, context, count, input, measured);
    expect_gradient(line, name, rows, cols, measured, given, SLOPES);
}

void expect_statics_kept(int line) {
    bool kept = statics_kept();
    BECAUSE("A static or global variable exists once for the whole program. The milestone calls "
            "this function from two threads at the same time, so each would overwrite the values "
            "of the other. Use a local variable without `static`, because each call has its own.");
    expect_that(line, kept, "%s keeps something from one call to the next", statics_changed());
}
