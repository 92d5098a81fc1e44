#include "expect.h"

#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "relate.h"
#include "unity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char because_text[500]; /* for the next EXPECT */
static bool in_a_mask;         /* 1 is shown as true, 0 as false */
static bool all_whole;         /* no decimals are shown */

static int expectations; /* so far in this test */

/* Unity calls these before and after each test. */
void setUp(void) {
    because_text[0] = '\0';
    expectations = 0;
    in_a_mask = all_whole = false;
}

void tearDown(void) {
    matrix_free_all();
}

void say_because(bool condition, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (condition && !because_text[0])
        vsnprintf(because_text, sizeof because_text, format, arguments);
    va_end(arguments);
}

/* What a failed EXPECT saw, for the tutor: equal slips leave equal numbers. At most 40 of many. */
static void leave_evidence(char kind, int count, const double *numbers) {
    char text[1000] = "";
    int step = count / 40 + 1;
    for (int i = 0; i < count; i += step) {
        size_t used = strlen(text);
        bool unset = is_unset(numbers[i]) || is_made_of_unset(numbers[i]);
        snprintf(text + used, sizeof text - used, unset ? " unset" : " %.12g",
                 isnan(numbers[i]) ? (double)NAN : numbers[i]);
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
static const char *cell_name(const char *name, int rows, int cols, int index) {
    static char text[200];
    if (rows > 0)
        snprintf(text, sizeof text, "%s[%d][%d]", name, index / cols, index % cols);
    else if (cols > 0)
        snprintf(text, sizeof text, "%s[%d]", name, index);
    else
        snprintf(text, sizeof text, "%s", name);
    return text;
}

static bool are_whole(int count, const double *x) {
    for (int i = 0; i < count; i++)
        if (!is_unset(x[i]) && !is_made_of_unset(x[i]) && x[i] != floor(x[i]))
            return false;
    return true;
}

static const char *format_for(double expected, double actual) {
    char a[400], b[400];
    double larger = fmax(fabs(expected), fabs(actual));
    if (larger >= 1e5)
        return "%.6g";
    if (all_whole)
        return "%.0f";
    snprintf(a, sizeof a, "%.4f", expected);
    snprintf(b, sizeof b, "%.4f", actual);
    return strcmp(a, b) == 0 ? "%.12g" : "%.4f";
}

static const char *number_text(char *text, size_t size, const char *format, double x) {
    if (is_unset(x) || is_made_of_unset(x))
        snprintf(text, size, "unset");
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

static void print_row(int cols, const double *row, char *line, size_t size) {
    char text[64];
    for (int j = 0; j < cols; j++) {
        size_t used = strlen(line);
        const char *format = all_whole ? "%.0f" : "%.4f";
        if (fabs(row[j]) >= 9999.5 && isfinite(row[j]))
            format = "%.0e";
        snprintf(line + used, size - used, "%7s ", number_text(text, sizeof text, format, row[j]));
    }
}

static bool row_is_near(int cols, const double *a, const double *b, double tolerance) {
    for (int j = 0; j < cols; j++)
        if (!near(a[j], b[j], tolerance))
            return false;
    return true;
}

static void show_beside(const char *name, int rows, int cols, const double *expected,
                        const double *actual, double tolerance) {
    report('|', "%-10.18s  %-*s  %s", name, cols * 8, "expected", "yours");
    for (int i = 0; i < (rows ? rows : 1); i++) {
        char left[128] = "", right[128] = "", label[32] = "";
        print_row(cols, expected + i * cols, left, sizeof left);
        print_row(cols, actual + i * cols, right, sizeof right);
        if (rows > 0)
            snprintf(label, sizeof label, "row %d", i);
        bool same = row_is_near(cols, expected + i * cols, actual + i * cols, tolerance);
        if (!same)
            strcat(right, "*");
        right[strlen(right) - same] = '\0'; /* no space at the end of the line */
        report('|', "%10s  %s  %s", label, left, right);
    }
}

static void show_above(const char *name, int rows, int cols, const double *expected,
                       const double *actual, double tolerance) {
    report('|', "%.40s", name);
    for (int i = 0; i < (rows ? rows : 1); i++) {
        char above[128] = "", below[128] = "", label[32] = "";
        if (row_is_near(cols, expected + i * cols, actual + i * cols, tolerance))
            continue;
        print_row(cols, expected + i * cols, above, sizeof above);
        print_row(cols, actual + i * cols, below, sizeof below);
        if (rows > 0)
            snprintf(label, sizeof label, "row %d ", i);
        above[strlen(above) - 1] = below[strlen(below) - 1] = '\0';
        report('|', "%sexpected  %s", label, above);
        report('|', "%*s  %s", (int)strlen(label) + 8, "yours", below);
    }
}

/* Both sides, where that fits a terminal: few columns beside each other, with a star at each row
   that differs; more columns one above the other, and only the rows that differ. */
static void show_both(const char *name, int rows, int cols, const double *expected,
                      const double *actual, double tolerance) {
    if (cols < 1 || cols > 7 || rows > 8)
        return;
    if (cols <= 3)
        show_beside(name, rows, cols, expected, actual, tolerance);
    else
        show_above(name, rows, cols, expected, actual, tolerance);
}

/* A small matrix that was made before the output: an input, if the lesson's header has its name. */
static void show_input(const char *name, int rows, int cols, const double *numbers) {
    int shown = rows ? rows : 1;
    if (shown > 3 || cols > 5)
        return;
    for (int i = 0; i < shown; i++) {
        char line[128] = "", row[24] = "", text[64];
        for (int j = 0; j < cols; j++) {
            size_t used = strlen(line);
            number_text(text, sizeof text, "%.6g", numbers[i * cols + j]);
            snprintf(line + used, sizeof line - used, "%s%s", j ? ", " : "", text);
        }
        if (rows > 0)
            snprintf(row, sizeof row, "[%d]", i);
        report('<', "%s%s = %s", name, row, line);
    }
}

static bool diagonal_only(int rows, int cols, const double *actual) {
    if (rows != cols || rows < 2)
        return false;
    for (int i = 0; i < rows * cols; i++)
        if (is_unset(actual[i]) == (i % (cols + 1) == 0))
            return false;
    return true;
}

/* Cells that nobody set, or that were added to before they were set. */
static bool say_unset(const char *name, int rows, int cols, const double *actual, int count) {
    int unset = 0, sums = 0, first = -1, odd = -1;
    for (int i = 0; i < count; i++) {
        unset += is_unset(actual[i]);
        sums += is_made_of_unset(actual[i]);
        if (first < 0 && is_unset(actual[i]))
            first = i;
        if (odd < 0 && is_never_set(actual[i]))
            odd = i;
    }
    if (unset == count)
        report('!', "Nothing was written into %s.", name);
    else if (diagonal_only(rows, cols, actual))
        report('!', "Only the diagonal of %s was set. What belongs beside it?", name);
    else if (unset > 0)
        report('!',
               "%s was never set (%d of %d cells were not), or is a copy of such a cell. Is it set "
               "only inside an if, does a loop start late or end early, does return stand inside "
               "it, do two indices change places, or was a cell read before it was written?",
               cell_name(name, rows, cols, first), unset, count);
    else if (sums > 0)
        report('!',
               "%s was made of something that was never set. Outputs start out undefined: a += "
               "before any =, a cell that no loop or branch sets, or one that was read before it "
               "was written?",
               name);
    else if (odd >= 0)
        report('!',
               "%s is what comes of a variable that nobody set: was the variable that you add to "
               "given a first value?",
               cell_name(name, rows, cols, odd));
    return unset + sums > 0 || odd >= 0;
}

/* Off by as much as a float rounds. */
static bool say_float(int count, const double *expected, const double *actual) {
    double off = 0.0, largest = 1.0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(actual[i] - expected[i]))
            return false;
        off = fmax(off, fabs(actual[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
    }
    if (off == 0.0 || off >= 1e-6 * largest)
        return false;
    report('!',
           "Off by only %.2g: a float somewhere, or something small added? Everything here is "
           "double.",
           off);
    return true;
}

/* What broke, where no slip is known: how the numbers are related, and what the test is about. */
static void say_why(const char *name, int rows, int cols, const double *expected,
                    const double *actual, int count, double tolerance) {
    char relation[300] = "";
    if (say_unset(name, rows, cols, actual, count) || say_float(count, expected, actual))
        return;
    if (!in_a_mask)
        relate(relation, sizeof relation, name, rows, cols, expected, actual, tolerance);
    if (relation[0] || because_text[0])
        report('=', "%s%s%s", relation, relation[0] && because_text[0] ? " " : "", because_text);
}

/* The inputs are what was made before `output`. */
static void expect_same(int line, const char *name, int rows, int cols, const double *expected,
                        const double *actual, double tolerance, const void *output) {
    int count = (rows ? rows : 1) * (cols ? cols : 1);
    all_whole = are_whole(count, expected) && are_whole(count, actual);
    expectations++;
    for (int i = 0; i < count; i++) {
        if (near(expected[i], actual[i], tolerance))
            continue;
        leave_evidence(in_a_mask ? 'M' : 'N', count, actual);
        matrix_each_before(output, show_input);
        show_both(name, rows, cols, expected, actual, tolerance);
        say_why(name, rows, cols, expected, actual, count, tolerance);
        char message[600], a[64], b[64];
        const char *format = format_for(expected[i], actual[i]);
        snprintf(message, sizeof message, "%s: expected %s, was %s", cell_name(name, rows, cols, i),
                 number_text(a, sizeof a, format, expected[i]),
                 number_text(b, sizeof b, format, actual[i]));
        because_text[0] = '\0';
        UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, message);
    }
    because_text[0] = '\0';
}

void expect_numbers(int line, const char *name, int rows, int cols, const double *expected,
                    const double *actual, double tolerance) {
    expect_same(line, name, rows, cols, expected, actual, tolerance, actual);
}

void expect_mask(int line, const char *name, int rows, int cols, const void *expected,
                 const void *actual) {
    const double *right = mask_numbers("expected", rows, cols, expected);
    const double *yours = mask_numbers(name, rows, cols, actual);
    in_a_mask = true;
    expect_same(line, name, rows, cols, right, yours, 0.0, actual);
    in_a_mask = false;
}

void expect_added(int line, const char *name, int rows, int cols, double held, const void *gained,
                  const void *given) {
    int count = (rows ? rows : 1) * cols;
    double *expected = fill(count, held, vector_new("expected", count));
    add_into(count, gained, expected);
    bool overwritten = all_near(count, gained, given, 1e-9);
    if (overwritten)
        because_text[0] = '\0'; /* this says more */
    say_because(overwritten,
                "%s held %g everywhere, and you overwrote it. Other paths may have left their "
                "gradient there: add with +=.",
                name, held);
    expect_same(line, name, rows, cols, expected, given, 1e-9, given);
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

void expect_gradient(int line, const char *name, int rows, int cols, const double *measured,
                     const double *given, double tolerance) {
    int count = (rows ? rows : 1) * (cols ? cols : 1);
    struct gradcheck check = gradcheck(count, given, measured, tolerance);
    all_whole = false;
    expectations++;
    if (check.ok) {
        because_text[0] = '\0';
        return;
    }
    leave_evidence('G', count, given);
    matrix_each_before(given, show_input);
    show_both(name, rows, cols, measured, given, tolerance);
    say_why(name, rows, cols, measured, given, count, 1e-6);
    char message[600], a[64], b[64];
    const char *format = format_for(measured[check.worst], given[check.worst]);
    bool told = check.error > tolerance; /* by the two numbers alone */
    snprintf(message, sizeof message, "%s: %s%snudging the input measures %s, yours is %s",
             cell_name(name, rows, cols, check.worst), told ? "" : check.reason, told ? "" : "; ",
             number_text(a, sizeof a, format, measured[check.worst]),
             number_text(b, sizeof b, format, given[check.worst]));
    because_text[0] = '\0';
    UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, message);
}
