/* Finds simple relations between wrong numbers and the right ones: a factor, a difference, a
   sharper softmax, a function of the right number, swapped rows and columns, a row or column
   that is right. relate_all() gives all relations of an array to the tutor, and relate() writes
   one sentence for the reader. */
#include "relate.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static double sum_of(int count, int step, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += x[i * step];
    return sum;
}

/* Places and counts, which are no shares of anything. */
static bool are_whole(int count, const double *x) {
    for (int i = 0; i < count; i++)
        if (x[i] != floor(x[i]))
            return false;
    return true;
}

/* Does each row sum to 1? */
static bool are_shares(struct dims dims, const double *x, double tolerance) {
    const int rows = dims_rows(dims), cols = dims_cols(dims);
    bool shares = cols > 1;
    for (int i = 0; i < rows; i++)
        shares = shares && fabs(sum_of(cols, 1, x + i * cols) - 1.0) <= cols * (tolerance + 1e-9);
    return shares;
}

/* Is every row the right one times a factor of its own? */
static bool rows_in_proportion(int rows, int cols, const double *expected, const double *actual,
                               double tolerance) {
    for (int i = 0; i < rows * cols; i += cols) {
        const double by = sum_of(cols, 1, actual + i);
        for (int j = i; j < i + cols; j++)
            if (by == 0.0 ||
                !(fabs(actual[j] - by * expected[j]) <= 2 * tolerance * fmax(1.0, by) + 1e-12))
                return false;
    }
    return true;
}

/* Are the expected rows shares of one whole, and yours are not? */
static bool sums(char *text, size_t size, const char *name, struct dims dims,
                 const double *expected, const double *actual, double tolerance) {
    const int rows = dims_rows(dims), cols = dims_cols(dims);
    char row[100];
    int odd = -1;
    double room = cols * (tolerance + 1e-9);
    bool columns = dims.rank == 2 && rows > 1;
    for (int i = 0; i < rows; i++) {
        double sum = sum_of(cols, 1, actual + i * cols);
        if (!(fabs(sum_of(cols, 1, expected + i * cols) - 1.0) <= room) || !isfinite(sum))
            return false;
        if (odd < 0 && fabs(sum - 1.0) > 2 * room)
            odd = i;
    }
    for (int j = 0; j < cols; j++)
        columns =
            columns && fabs(sum_of(rows, cols, actual + j) - 1.0) <= rows * (tolerance + 1e-9);
    if (odd < 0 || cols < 2 || (rows == 1 && are_whole(cols, expected) && are_whole(cols, actual)))
        return false;
    const double sum = sum_of(cols, 1, actual + odd * cols);
    const int digits = fabs(sum - 1.0) < 1e-3 ? 12 : 4; /* never "sums to 1" */
    if (columns)
        snprintf(text, size, "Every column of %s sums to 1, but the rows should sum to 1.", name);
    else if (dims.rank == 2)
        snprintf(text, size, "Row %d of %s sums to %.*g, but it should sum to 1.%s", odd, name,
                 digits, sum,
                 rows_in_proportion(rows, cols, expected, actual, tolerance)
                     ? " Each row is right except for a factor."
                     : "");
    else
        snprintf(text, size, "%s sums to %.*g, but it should sum to 1.",
                 dims_place(row, sizeof row, name, dims, dims.rank - 1, (long)odd * cols), digits,
                 sum);
    return true;
}

/* Numbers enough, and different enough, that being in proportion is no chance. */
static bool is_evidence(int count, const double *x, double tolerance) {
    double first = 0.0;
    for (int i = 0; i < count; i++) {
        if (first == 0.0 && fabs(x[i]) > 20 * tolerance)
            first = fabs(x[i]);
        else if (first != 0.0 && fabs(x[i]) > 20 * tolerance &&
                 fabs(fabs(x[i]) - first) > 1e-3 * first)
            return true;
    }
    return false;
}

static int largest(int count, const double *x) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (fabs(x[i]) > fabs(x[best]))
            best = i;
    return best;
}

/* The words for what all numbers have been multiplied by; false where that is not so. */
static bool factor(char *text, size_t size, struct dims dims, const double *expected,
                   const double *actual, double tolerance) {
    const int count = dims_count(dims);
    int best = largest(count, expected);
    double by = actual[best] / expected[best];
    if (count < 3 || !is_evidence(count, expected, tolerance) || !isfinite(by) || fabs(by) < 1e-6 ||
        fabs(by - 1.0) < 1e-3)
        return false;
    for (int i = 0; i < count; i++)
        if (!(fabs(actual[i] - by * expected[i]) <= 2 * tolerance * fmax(1.0, fabs(by)) + 1e-12))
            return false;
    if (fabs(by + 1.0) < 1e-3)
        snprintf(text, size, "has the wrong sign.");
    else
        snprintf(text, size, "is %.4g times the expected one%s", by,
                 are_shares(dims, expected, tolerance)
                     ? ", so their proportions are right. Do you divide each by the sum of all, "
                       "and only once?"
                     : ".");
    return true;
}

static bool offset(char *text, size_t size, int count, const double *expected, const double *actual,
                   double tolerance) {
    double by = actual[0] - expected[0];
    if (count < 3 || !is_evidence(count, expected, tolerance) || !isfinite(by) || fabs(by) < 1e-9)
        return false;
    for (int i = 0; i < count; i++)
        if (!(fabs(actual[i] - expected[i] - by) <= 2 * tolerance + 1e-12))
            return false;
    snprintf(text, size, "is %.4g too %s.", fabs(by), by > 0 ? "large" : "small");
    return true;
}

/* The right numbers, as a list in the order of the columns. */
static bool by_columns(char *text, size_t size, int rows, int cols, const double *expected,
                       const double *actual, double tolerance) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (!(fabs(actual[j * rows + i] - expected[i * cols + j]) <= tolerance))
                return false;
    if (rows < 2 || cols < 2 || rows == cols)
        return false;
    snprintf(text, size, "Your numbers are right, but they are written column after column.");
    return true;
}

static bool turned(char *text, size_t size, int rows, int cols, const double *expected,
                   const double *actual, double tolerance) {
    for (int i = 0; rows == cols && i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (!(fabs(actual[i * cols + j] - expected[j * cols + i]) <= tolerance))
                return false;
    snprintf(text, size, "Rows and columns are swapped.");
    return rows == cols && rows > 1;
}

/* Only one column differs: rows that do are marked anyway. */
static bool column(char *text, size_t size, const char *name, int rows, int cols,
                   const double *expected, const double *actual, double tolerance) {
    int only = -1, wrong = 0;
    for (int i = 0; i < rows * cols; i++) {
        if (fabs(actual[i] - expected[i]) <= tolerance)
            continue;
        if (only >= 0 && only != i % cols)
            return false;
        only = i % cols;
        wrong++;
    }
    if (cols < 2 || wrong < 2)
        return false;
    snprintf(text, size, "Only column %d of %s is wrong.", only, name);
    return true;
}

/* All that differ should be 0: cut off by a ReLU, or blocked. */
static bool not_zero(char *text, size_t size, const char *name, int count, const double *expected,
                     const double *actual, double tolerance) {
    int wrong = 0, below = 0;
    for (int i = 0; i < count; i++) {
        if (fabs(actual[i] - expected[i]) <= tolerance)
            continue;
        if (expected[i] != 0.0)
            return false;
        wrong++;
        below += actual[i] < 0.0;
    }
    if (wrong < 2 || wrong == count)
        return false;
    snprintf(text, size, "The wrong numbers of %s should be 0%s.", name,
             below == wrong ? ", but they are below 0" : "");
    return true;
}

/* Only cells of the diagonal differ. */
static bool diagonal(char *text, size_t size, const char *name, int rows, int cols,
                     const double *expected, const double *actual, double tolerance) {
    int wrong = 0;
    for (int i = 0; i < rows * cols; i++) {
        if (fabs(actual[i] - expected[i]) <= tolerance)
            continue;
        if (i % (cols + 1) != 0)
            return false;
        wrong++;
    }
    if (rows != cols || wrong < 2)
        return false;
    snprintf(text, size, "Only the diagonal of %s is wrong.", name);
    return true;
}

static double square(double x) {
    return x * x;
}
static double inverse(double x) {
    return 1.0 / x;
}
static double rest(double x) {
    return 1.0 - x;
}

static const struct function {
    const char *name;
    double (*of)(double);
    const char *words;
} functions[] = {{"square", square, "the square of"},
                 {"root", sqrt, "the root of"},
                 {"inverse", inverse, "1 divided by"},
                 {"exp", exp, "exp() of"},
                 {"log", log, "log() of"},
                 {"rest", rest, "1 minus"},
                 {"whole", trunc, "only the whole part of"}};

/* Is every number of yours that function of the expected one? */
static bool is_function(double (*of)(double), int count, const double *expected,
                        const double *actual, double tolerance) {
    for (int i = 0; i < count; i++) {
        double x = of(expected[i]);
        double slope = expected[i] == 0.0 ? 1.0 : fmax(1.0, fabs(x / expected[i]));
        if (!(fabs(actual[i] - x) <= 2 * tolerance * slope + 1e-12))
            return false;
    }
    return true;
}

/* The factor of all scores of a softmax, as far as its weights show it. 0: the factors differ,
   or the weights do not show them. Two weights show as much as one number. */
static double sharpness(struct dims dims, const double *expected, const double *actual,
                        double tolerance) {
    const int cols = dims_cols(dims), count = dims_count(dims);
    double by = 0.0;
    int tell = 0;
    for (int i = 0; i < count; i++) {
        const int first = i - i % cols;
        const double lead = log(expected[i] / expected[first]);
        const double yours = log(actual[i] / actual[first]);
        const double room = 4 * tolerance * (1 / expected[i] + 1 / expected[first]) + 1e-9;
        if (!isfinite(lead) || !isfinite(yours))
            return 0.0;
        if (tell == 0 && fabs(lead) > 0.05 + 10 * room)
            by = yours / lead;
        tell += fabs(lead) > 0.05 + 10 * room;
        if (!(fabs(yours - by * lead) <= room * (2 + fabs(by)) + fabs(lead) * 10 * room))
            return 0.0;
    }
    return tell < 2 || fabs(by - 1.0) < 1e-2 || by < 1e-3 ? 0.0 : by;
}

/* The largest error, if it is larger than the rounding of a double, and less than so much of the
   largest number; else 0. Numbers too large for a float are left out. */
static double small_error(int count, const double *expected, const double *actual, double share) {
    double off = 0.0, most = 1.0;
    for (int i = 0; i < count; i++) {
        off = isfinite(actual[i] - expected[i]) ? fmax(off, fabs(actual[i] - expected[i])) : off;
        most = isfinite(expected[i]) ? fmax(most, fabs(expected[i])) : most;
    }
    return off < 1e-14 * most || off >= share * most ? 0.0 : off;
}

/* Numbers that are not 0, 1 or like each other on both sides: what is so of these is less likely to
   be chance. At most four. */
static void add_witnesses(char *text, size_t size, int count, const double *expected,
                          const double *actual, double tolerance) {
    double seen[4];
    int found = 0;
    text[0] = '\0';
    for (int i = 0; i < count && found < 4; i++) {
        const double least = 20 * tolerance + 1e-9;
        bool other = isfinite(actual[i]) && fabs(expected[i]) > least && fabs(actual[i]) > least &&
                     fabs(fabs(expected[i]) - 1.0) > least;
        for (int k = 0; k < found; k++)
            other = other && fabs(seen[k] - expected[i]) > 1e-3 * fabs(seen[k]);
        if (!other)
            continue;
        seen[found++] = expected[i];
        snprintf(text + strlen(text), size - strlen(text), " %.6g", expected[i]);
    }
}

/* What finds a relation, and leaves its name. */
struct finder {
    struct dims dims;
    const double *expected, *actual;
    double tolerance;
    char witnesses[100];
    void (*found)(const char *kind, const char *witnesses, const char *sentence);
    bool any;
};

__attribute__((format(printf, 3, 4))) static void leave(struct finder *f, const char *kind,
                                                        const char *format, ...) {
    char sentence[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    f->found(kind, f->witnesses, sentence);
    f->any = f->any || strcmp(kind, "little") != 0; /* which is no relation */
}

static void find_amounts(struct finder *f) {
    const int count = dims_count(f->dims);
    const double off = small_error(count, f->expected, f->actual, 1e-3);
    char words[200];
    if (off > 0.0)
        leave(f, "little", "Your numbers are off by only %.2g.", off);
    if (small_error(count, f->expected, f->actual, 1e-6) > 0.0) /* as much as a float rounds */
        leave(f, "float", "Your numbers are off by only %.2g.", off);
    if (factor(words, sizeof words, f->dims, f->expected, f->actual, f->tolerance))
        leave(f, "times", "Each of your numbers %s", words);
    else if (offset(words, sizeof words, count, f->expected, f->actual, f->tolerance))
        leave(f, "more", "Each of your numbers %s", words);
}

static void find_scale(struct finder *f) {
    const bool shares = are_shares(f->dims, f->expected, f->tolerance) &&
                        are_shares(f->dims, f->actual, f->tolerance);
    const double by = shares ? sharpness(f->dims, f->expected, f->actual, f->tolerance) : 0.0;
    if (by > 0.0)
        leave(f, "scores",
              "Your weights come from scores that are %.3g times as large. Check how the scores "
              "are scaled.",
              by);
}

static void find_functions(struct finder *f) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_function(functions[i].of, dims_count(f->dims), f->expected, f->actual, f->tolerance))
            leave(f, functions[i].name, "Each of your numbers is %s the expected one.",
                  functions[i].words);
}

bool relate_all(struct dims dims, const double *expected, const double *actual, double tolerance,
                void (*found)(const char *kind, const char *witnesses, const char *sentence)) {
    struct finder f = {dims, expected, actual, tolerance, "", found, false};
    add_witnesses(f.witnesses, sizeof f.witnesses, dims_count(dims), expected, actual, tolerance);
    find_amounts(&f);
    find_scale(&f);
    find_functions(&f);
    return f.any;
}

static bool same_line(int count, int step, const double *a, const double *b, double tolerance) {
    for (int i = 0; i < count * step; i += step)
        if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= tolerance))
            return false;
    return true;
}

static bool same_row(int cols, const double *a, const double *b, double tolerance) {
    return same_line(cols, 1, a, b, tolerance);
}

static bool all_0(int count, const double *x) {
    for (int i = 0; i < count; i++)
        if (x[i] != 0.0)
            return false;
    return true;
}

static int rows_of_zeros(int rows, int cols, const double *x) {
    int found = 0;
    for (int i = 0; i < rows; i++)
        found += all_0(cols, x + i * cols);
    return found;
}

/* Does each number, or each row, hold those before it, too? */
static bool running(char *text, size_t size, const char *name, int rows, int cols, bool down,
                    const double *expected, const double *actual, double tolerance) {
    int off = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            const int before = down ? i : j, k = i * cols + j;
            const double more =
                down ? sum_of(before, cols, expected + j) : sum_of(before, 1, expected + i * cols);
            if (!(fabs(actual[k] - expected[k] - more) <= (before + 1) * tolerance + 1e-12))
                return false;
            off += fabs(more) > 20 * tolerance;
        }
    if (off < 3)
        return false;
    snprintf(text, size, "Each %s of %s contains the sum of those before it.",
             down       ? "row"
             : rows > 1 ? "number in a row"
                        : "number",
             name);
    return true;
}

/* All rows of yours are one, or they are the expected ones in another order. With more rows of
   zeros than are expected they are not: a row was lost. */
static bool rows_mixed(char *text, size_t size, const char *name, bool vector, int rows, int cols,
                       const double *expected, const double *actual, double tolerance) {
    bool equal = rows > 1, differ = false;
    bool found = equal && cols > 1 &&
                 rows_of_zeros(rows, cols, actual) <= rows_of_zeros(rows, cols, expected);
    for (int i = 1; i < rows; i++) {
        equal = equal && same_row(cols, actual, actual + i * cols, tolerance);
        differ = differ || !same_row(cols, expected, expected + i * cols, tolerance);
    }
    for (int i = 0; i < rows && found; i++) {
        found = false;
        for (int k = 0; k < rows; k++)
            found = found || same_row(cols, actual + i * cols, expected + k * cols, tolerance);
    }
    bool whole = equal && !vector;
    for (int j = 0; j < cols && whole; j++)
        whole = fabs(actual[j] - sum_of(rows, cols, expected + j)) <= rows * tolerance + 1e-12;
    if (whole && differ)
        snprintf(text, size, "Each row of your %s is the sum of all rows that are expected.", name);
    else if (equal && differ)
        snprintf(text, size, "All your %s of %s are equal, but they should differ.",
                 vector ? "numbers" : "rows", name);
    else if (found && differ)
        snprintf(text, size,
                 "Each row of %s is one of the expected rows, but some are in the wrong place.",
                 name);
    return differ && (equal || found);
}

/* A row of yours is all 0, and should not be. */
static bool row_lost(char *text, size_t size, const char *name, struct dims dims,
                     const double *expected, const double *actual) {
    const int rows = dims.rank < 2 ? 1 : dims_rows(dims), cols = dims_cols(dims);
    char row[100];
    for (int i = 0; i < rows; i++) {
        if (cols < 2 || !all_0(cols, actual + i * cols) || all_0(cols, expected + i * cols))
            continue;
        if (dims.rank > 2)
            snprintf(text, size, "Your %s is all 0, but should not be.",
                     dims_place(row, sizeof row, name, dims, dims.rank - 1, (long)i * cols));
        else
            snprintf(text, size, "Row %d of your %s is all 0, but should not be.", i, name);
        return true;
    }
    return false;
}

static bool has_two(int count, int step, const double *x) {
    int found = 0;
    for (int i = 0; i < count; i++)
        found += x[i * step] != 0.0;
    return found > 1 || count == 1;
}

/* Of lines, `apart` from each other, only the first is right, or only the last of several. A
   question is asked only if most of the other numbers are wrong, and none about a first line with
   one number, as under a causal mask, where much that is wrong cannot change it. */
static bool one_right(char *text, size_t size, const char *line, const char *name, int lines,
                      int apart, int cells, int step, const double *expected, const double *actual,
                      double tolerance) {
    int right = -1, off = 0;
    for (int i = 0; i < lines; i++)
        for (int j = 0; j < cells; j++)
            off += !same_line(1, 1, expected + i * apart + j * step, actual + i * apart + j * step,
                              tolerance);
    for (int i = 0; i < lines; i++)
        if (same_line(cells, step, expected + i * apart, actual + i * apart, tolerance)) {
            if (right >= 0)
                return false;
            right = i;
        }
    if (right < 0 || (right > 0 && right < lines - 1) || lines < (right == 0 && cells > 1 ? 2 : 3))
        return false;
    snprintf(
        text, size, "%s %d of %s is right, and all others are wrong%s", line, right, name,
        2 * off <= (lines - 1) * cells || !has_two(cells, step, expected) ? "."
        : right == 0
            ? ": is something carried over into the next round, or overwritten before it is read?"
            : ": is something used before it is complete?");
    return true;
}

static bool nothing(char *text, size_t size, const char *name, int count, const double *actual) {
    if (!all_0(count, actual))
        return false;
    snprintf(text, size, count > 1 ? "All numbers of %s are 0 here." : "%s is 0 here.", name);
    return true;
}

enum { FEW = 100 };

/* The places of the wrong numbers; more than FEW: too many. */
static int find_wrong(int wrong[FEW], int count, const double *expected, const double *actual,
                      double tolerance) {
    int found = 0;
    for (int i = 0; i < count && found <= FEW; i++)
        if (!(fabs(actual[i] - expected[i]) <= tolerance) && found++ < FEW)
            wrong[found - 1] = i;
    return found;
}

static int count_near(int count, const int at[], const double *x, double y, double tolerance) {
    int found = 0;
    for (int k = 0; k < count; k++)
        found += fabs(x[at[k]] - y) <= tolerance;
    return found;
}

/* Are the wrong numbers the right ones in another order, each of which is there once? Any number of
   them may be 0. */
static bool moved(char *text, size_t size, const char *name, struct dims dims,
                  const double *expected, const double *actual, double tolerance) {
    int wrong[FEW], first = -1, from = 0;
    char cell[100], other[100];
    const int found = find_wrong(wrong, dims_count(dims), expected, actual, tolerance);
    if (found < 2 || found > FEW ||
        count_near(found, wrong, actual, 0.0, 0.0) != count_near(found, wrong, expected, 0.0, 0.0))
        return false;
    for (int i = 0; i < found; i++) {
        const double x = actual[wrong[i]];
        if (x == 0.0)
            continue;
        if (count_near(found, wrong, expected, x, tolerance) != 1 ||
            count_near(found, wrong, actual, x, 2 * tolerance) != 1)
            return false;
        first = first < 0 ? wrong[i] : first;
    }
    if (first < 0)
        return false;
    while (fabs(expected[wrong[from]] - actual[first]) > tolerance)
        from++;
    dims_place(cell, sizeof cell, name, dims, dims.rank, first);
    dims_place(other, sizeof other, name, dims, dims.rank, wrong[from]);
    snprintf(text, size,
             "Some numbers of %s are in the wrong place: %s has the value that %s should have.",
             name, cell, other);
    return true;
}

/* Is the factor, or the difference, of the wrong numbers the same? */
static bool of_wrong(char *text, size_t size, const char *name, struct dims dims,
                     const double *expected, const double *actual, double tolerance) {
    int wrong[FEW];
    double right[FEW], yours[FEW];
    char words[200];
    const int count = dims_count(dims);
    const int found = find_wrong(wrong, count, expected, actual, tolerance);
    if (found == count || found > FEW)
        return false;
    for (int i = 0; i < found; i++) {
        right[i] = expected[wrong[i]];
        yours[i] = actual[wrong[i]];
    }
    if (!factor(words, sizeof words, dims_of_rows(1, found), right, yours, tolerance) &&
        !offset(words, sizeof words, found, right, yours, tolerance))
        return false;
    snprintf(text, size, "Each wrong number of %s %s", name, words);
    return true;
}

void relate(char *text, size_t size, const char *name, struct dims dims, const double *expected,
            const double *actual, double tolerance) {
    const bool vector = dims.rank < 2, flat = dims.rank == 2; /* columns: of one matrix only */
    const int rows = vector ? 1 : dims_rows(dims);
    const int cols = dims_cols(dims), count = dims_count(dims);
    if (nothing(text, size, name, count, actual) ||
        sums(text, size, name, dims, expected, actual, tolerance) ||
        rows_mixed(text, size, name, vector, vector ? count : rows, vector ? 1 : cols, expected,
                   actual, tolerance) ||
        running(text, size, name, rows, cols, false, expected, actual, tolerance) ||
        (flat && running(text, size, name, rows, cols, true, expected, actual, tolerance)) ||
        (flat && by_columns(text, size, rows, cols, expected, actual, tolerance)) ||
        (flat && turned(text, size, rows, cols, expected, actual, tolerance)) ||
        row_lost(text, size, name, dims, expected, actual) ||
        column(text, size, name, rows, cols, expected, actual, tolerance) ||
        not_zero(text, size, name, count, expected, actual, tolerance) ||
        (flat && diagonal(text, size, name, rows, cols, expected, actual, tolerance)) ||
        moved(text, size, name, dims, expected, actual, tolerance) ||
        of_wrong(text, size, name, dims, expected, actual, tolerance))
        return;
    text[0] = '\0';
}

bool relate_factor(char *text, size_t size, const char *name, struct dims dims,
                   const double *expected, const double *actual) {
    char words[200];
    if (!factor(words, sizeof words, dims, expected, actual, 5e-10))
        return false;
    snprintf(text, size, "Every number of %s %s", name, words);
    return true;
}

void relate_lines(char *text, size_t size, const char *name, struct dims dims,
                  const double *expected, const double *actual, double tolerance) {
    const int rows = dims.rank > 1 ? dims_rows(dims) : 0, cols = dims_cols(dims);
    if (one_right(text, size, "Row", name, rows, cols, cols, 1, expected, actual, tolerance) ||
        (dims.rank == 2 &&
         one_right(text, size, "Column", name, cols, 1, rows, cols, expected, actual, tolerance)) ||
        (dims.rank == 1 &&
         one_right(text, size, "Number", name, cols, 1, 1, 1, expected, actual, tolerance)))
        return;
    text[0] = '\0';
}

/* A row of yours, or a matrix, that is right in another's place. */
static bool misplaced(char *text, size_t size, const char *name, struct dims dims,
                      const double *expected, const double *actual, double tolerance) {
    const int n = dims.size[0], cells = dims.rank > 1 ? dims_count(dims) / n : 1;
    for (int i = 0; i < n && cells > 1 && n < 100; i++)
        for (int k = 0; k < n; k++) {
            const double *mine = actual + i * cells, *other = expected + k * cells;
            if (i == k || !same_row(cells, mine, other, tolerance) || all_0(cells, mine) ||
                same_row(cells, expected + i * cells, other, tolerance))
                continue;
            snprintf(text, size, "%s[%d] has the value that %s[%d] should have.", name, i, name, k);
            return true;
        }
    return false;
}

/* Line i is number i of `lines` that take turns, each of `cells` beside each other. */
static bool is_right(int i, int lines, int cells, int count, const double *expected,
                     const double *actual, double tolerance) {
    for (int at = i * cells; at < count; at += lines * cells)
        if (!same_row(cells, expected + at, actual + at, tolerance))
            return false;
    return true;
}

/* Are the first lines right and all others wrong, or the other way round? */
static bool range(char *text, size_t size, const char *line, const char *name, int lines, int cells,
                  int count, const double *expected, const double *actual, double tolerance) {
    const bool first = is_right(0, lines, cells, count, expected, actual, tolerance);
    int until = 1;
    while (until < lines &&
           is_right(until, lines, cells, count, expected, actual, tolerance) == first)
        until++;
    for (int i = until; i < lines; i++)
        if (is_right(i, lines, cells, count, expected, actual, tolerance) == first)
            return false;
    if (until >= lines)
        return false;
    int used = snprintf(text, size, until > 1 ? "%ss 0 to %d of %s are " : "%s %d of %s is ", line,
                        until - 1, name);
    if (used < 0 || (size_t)used >= size)
        return false;
    text += used;
    size -= (size_t)used;
    if (until == lines - 1)
        snprintf(text, size, "%s, the last one is %s.", first ? "right" : "wrong",
                 first ? "not" : "right");
    else
        snprintf(text, size, "%s, %d to %d are %s.", first ? "right" : "wrong", until, lines - 1,
                 first ? "not" : "right");
    return true;
}

void relate_ranges(char *text, size_t size, const char *name, struct dims dims,
                   const double *expected, const double *actual, double tolerance) {
    const int count = dims_count(dims), cols = dims_cols(dims), most = dims.rank > 2 ? 3 : 2;
    const int lines[3] = {cols, dims.rank > 1 ? dims.size[dims.rank - 2] : 1, dims.size[0]};
    static const char *const names[3] = {"Column", "Row", "Head"};
    text[0] = '\0';
    if (misplaced(text, size, name, dims, expected, actual, tolerance))
        return;
    for (int k = most - 1; k >= 0; k--) {
        const int cells = k == 2 ? count / lines[2] : k == 1 ? cols : 1;
        if (lines[k] > (k < 2 ? 2 : 1) &&
            range(text, size, dims.rank < 2 ? "Number" : names[k], name, lines[k], cells, count,
                  expected, actual, tolerance))
            return;
    }
}
