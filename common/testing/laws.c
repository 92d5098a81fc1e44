/* Calls a function with many inputs, and reports simple facts about its outputs.

   A plan has a step for each call: the inputs as they are, one of them doubled, one number of it
   raised, and so on. After the last call the outputs of all steps are compared. A fact is a line
   "exercise key|value|words". The words say what a learner's function does, or what a right one
   should do, where the function is the reference. Then come the words about a
   learner's function that has none. The two differ in a law if they have the same key with
   different values (diagnose/laws.c). Facts that say most of where a mistake is come first. */
#include "laws.h"

#include "matrix.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 100, SEEDS = 4, MOST_EFFECTS = 100, MOST_CALLS = 1200, MOST_PAIRS = 300 };
static const double held = 1.0; /* in one output, before one of the calls */
static const double bumps[SEEDS] = {0.75, -1.5, 4.0, -4.0}; /* what is added to one number */

/* Differences up to the first are rounding; those above the second are none. Set for each
   output: floats round more than doubles. */
static double least, most;

struct array {
    struct matrix_whole in;
    int count;
    char mark;
    double *base[SEEDS]; /* of an input */
    int from;            /* of an output: its place among the numbers of a call */
};

enum kind { BASE, AGAIN, HELD, TWICE, ZEROS, ONES, RAISED, SWAPPED, BUMPED };

struct step {
    enum kind kind;
    int seed, input; /* HELD: the output */
    int at;          /* BUMPED: the number; SWAPPED: the size of the indices */
    double *numbers; /* of all outputs after the call */
};

static struct array inputs[MOST_ARRAYS], outputs[MOST_ARRAYS];
static int input_count, output_count, width;
static const char *exercise;
static struct step *steps;
static int step_count, now;

/* --- arrays ----------------------------------------------------------------------------------- */

static double number_of(const struct array *a, int i) {
    const void *x = a->in.elements;
    return a->in.element == sizeof(double)  ? ((const double *)x)[i]
           : a->in.element == sizeof(float) ? (double)((const float *)x)[i]
                                            : ((const unsigned char *)x)[i];
}

static void set_number(const struct array *a, int i, double to) {
    void *x = a->in.elements;
    if (a->in.element == sizeof(double))
        ((double *)x)[i] = to;
    else if (a->in.element == sizeof(float))
        ((float *)x)[i] = (float)to;
    else
        ((bool *)x)[i] = to != 0.0;
}

static bool is_mask(const struct array *a) {
    return a->in.element == sizeof(bool);
}

/* The index of number i along an axis. */
static int index_of(struct dims dims, int i, int axis) {
    for (int k = dims.rank - 1; k > axis; k--)
        i /= dims.size[k];
    return i % dims.size[axis];
}

static void make_shares(int count, int cols, double *x) {
    for (int i = 0; i < count; i += cols) {
        double sum = 0.0;
        for (int j = i; j < i + cols; j++)
            sum += x[j];
        for (int j = i; j < i + cols; j++)
            x[j] /= sum;
    }
}

static void put_mark(const struct array *a, double *x) {
    for (int i = 0; a->mark && i < a->count; i++)
        x[i] = fabs(x[i]) + 0.1;
    if (a->mark == '%')
        make_shares(a->count, dims_cols(a->in.dims), x);
}

static void draw_base(struct array *a) {
    struct random r = random_seed(1000u + (unsigned)input_count);
    bool unset = isnan(number_of(a, 0));
    for (int s = 0; s < SEEDS; s++) {
        a->base[s] = calloc((size_t)a->count, sizeof(double));
        if (!a->base[s])
            abort();
        for (int i = 0; i < a->count; i++)
            a->base[s][i] = unset ? random_normal(&r) : number_of(a, i);
        if (unset)
            put_mark(a, a->base[s]);
    }
}

void probe_input(const void *array, char mark) {
    struct array *a = &inputs[input_count < MOST_ARRAYS ? input_count : 0];
    *a = (struct array){.mark = mark};
    if (input_count == MOST_ARRAYS || !matrix_around(array, &a->in))
        abort();
    a->count = dims_count(a->in.dims);
    draw_base(a);
    input_count++;
}

void probe_output(const void *array) {
    struct array *a = &outputs[output_count < MOST_ARRAYS ? output_count : 0];
    *a = (struct array){.from = width};
    if (output_count == MOST_ARRAYS || !matrix_around(array, &a->in))
        abort();
    a->count = dims_count(a->in.dims);
    width += a->count;
    output_count++;
}

/* --- the plan --------------------------------------------------------------------------------- */

static void add_step(struct step step) {
    steps = realloc(steps, ((size_t)step_count + 1) * sizeof *steps);
    step.numbers = calloc((size_t)width, sizeof(double));
    if (!steps || !step.numbers)
        abort();
    steps[step_count++] = step;
}

/* Is there an axis of that size before this one? */
static bool has_size(int size, int before_input, int before_axis) {
    for (int i = 0; i <= before_input; i++)
        for (int k = 0; k < inputs[i].in.dims.rank; k++)
            if (inputs[i].in.dims.size[k] == size && (i < before_input || k < before_axis))
                return true;
    return false;
}

static void plan_swaps(void) {
    for (int i = 0; i < input_count; i++)
        for (int k = 0; k < inputs[i].in.dims.rank; k++) {
            int size = inputs[i].in.dims.size[k];
            if (size > 1 && !has_size(size, i, k))
                add_step((struct step){.kind = SWAPPED, .at = size});
        }
}

static void plan(void) {
    int numbers = 0;
    for (int i = 0; i < input_count; i++)
        numbers += inputs[i].count;
    const int seeds = SEEDS * numbers <= MOST_CALLS ? SEEDS : numbers > MOST_CALLS / 2 ? 1 : 2;
    for (int s = 0; s < SEEDS; s++)
        add_step((struct step){.kind = BASE, .seed = s});
    add_step((struct step){.kind = AGAIN});
    for (int k = 0; k < output_count; k++)
        add_step((struct step){.kind = HELD, .input = k});
    for (int i = 0; i < input_count; i++)
        for (enum kind kind = TWICE; kind <= RAISED; kind++)
            if (!is_mask(&inputs[i]) && inputs[i].mark != '%' &&
                (inputs[i].mark != '+' || kind != ZEROS))
                add_step((struct step){.kind = kind, .input = i});
    plan_swaps();
    for (int i = 0; i < input_count; i++)
        for (int at = 0; at < inputs[i].count; at++)
            for (int s = 0; s < seeds; s++)
                add_step((struct step){BUMPED, s, i, at, NULL});
}

void probe_forget(void) {
    input_count = output_count = width = step_count = 0;
    now = -1;
}

void probe_begin(const char *arrays) {
    char word[64];
    bool is_output = false;
    probe_forget();
    for (int used; sscanf(arrays, "%63s%n", word, &used) == 1; arrays += used) {
        const char mark = strchr("+%", *word) ? *word : '\0';
        struct matrix_whole whole;
        if (strcmp(word, "->") == 0)
            is_output = true;
        else if (!matrix_named(word + (mark != 0), &whole))
            abort();
        else if (is_output)
            probe_output(whole.elements);
        else
            probe_input(whole.elements, mark);
    }
}

/* --- one call --------------------------------------------------------------------------------- */

/* The place of number i after indices 0 and size - 1 have been swapped in each axis of that size.
 */
static int swapped(struct dims dims, int i, int size) {
    int step = 1, to = i;
    for (int k = dims.rank - 1; k >= 0; step *= dims.size[k--]) {
        int at = index_of(dims, i, k);
        if (dims.size[k] == size && (at == 0 || at == size - 1))
            to += (size - 1 - 2 * at) * step;
    }
    return to;
}

static double changed(const struct array *a, const struct step *s, int i) {
    const double *base = a->base[s->seed];
    switch (s->kind) {
    case TWICE:
        return 2.0 * base[i];
    case ZEROS:
        return 0.0;
    case ONES:
        return 1.0;
    case RAISED:
        return base[i] + 1.0;
    case BUMPED:
        return i != s->at   ? base[i]
               : is_mask(a) ? base[i] == 0.0
                            : base[i] + (a->mark ? fabs(bumps[s->seed]) : bumps[s->seed]);
    default:
        return base[i];
    }
}

static void set_input(int k, const struct step *s) {
    const struct array *a = &inputs[k];
    double *x = calloc((size_t)a->count, sizeof *x);
    if (!x)
        abort();
    for (int i = 0; i < a->count; i++)
        x[i] = s->kind == SWAPPED ? a->base[0][swapped(a->in.dims, i, s->at)]
               : s->input == k    ? changed(a, s, i)
                                  : a->base[s->seed][i];
    if (a->mark == '%')
        make_shares(a->count, dims_cols(a->in.dims), x);
    for (int i = 0; i < a->count; i++)
        set_number(a, i, x[i]);
    free(x);
}

static void keep_outputs(const struct step *s) {
    for (int k = 0; k < output_count; k++)
        for (int i = 0; i < outputs[k].count; i++)
            s->numbers[outputs[k].from + i] = number_of(&outputs[k], i);
}

/* The first input that the first call has changed, and a static variable; "" for none. */
static const char *changed_input, *changed_static;

static bool is_kept(const struct array *a) {
    for (int i = 0; i < a->count; i++)
        if (fabs(number_of(a, i) - a->base[0][i]) > 1e-3)
            return false;
    return true;
}

static void look_what_changed(void) {
    changed_static = statics_kept() ? "" : statics_changed();
    changed_input = "";
    for (int k = input_count; k-- > 0;)
        if (!is_kept(&inputs[k]))
            changed_input = inputs[k].in.name;
}

static void report_facts(void);

static void forget(void) {
    for (int i = 0; i < step_count; i++)
        free(steps[i].numbers);
    for (int k = 0; k < input_count; k++)
        for (int s = 0; s < SEEDS; s++)
            free(inputs[k].base[s]);
    free(steps);
    steps = NULL;
}

bool probe_next(void) {
    if (now == 0)
        look_what_changed();
    if (now >= 0)
        keep_outputs(&steps[now]);
    else
        plan();
    if (++now == step_count) {
        report_facts();
        forget();
        return false;
    }
    for (int k = 0; k < input_count; k++)
        set_input(k, &steps[now]);
    for (int k = 0; k < output_count; k++)
        for (int i = 0; i < outputs[k].count; i++)
            set_number(&outputs[k], i,
                       steps[now].kind == HELD && steps[now].input == k ? held : 0.0);
    if (now == 0)
        statics_remember();
    return true;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* `others` is said about a learner's function that has no words of its own. */
static void fact_or(const char *key, const char *value, const char *should, const char *others,
                    const char *yours) {
    if (details_are_read)
        report('?', "%s %s|%s|%s", exercise, key, value, yours);
    else
        report('?', "%s %s|%s|%s|%s", exercise, key, value, should, others);
}

static void fact(const char *key, const char *value, const char *should, const char *yours) {
    fact_or(key, value, should, "", yours);
}

/* A text that lives as long as the next few. */
__attribute__((format(printf, 1, 2))) static const char *words(const char *format, ...) {
    static char texts[64][300];
    static int next;
    char *text = texts[next++ % 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof texts[0], format, arguments);
    va_end(arguments);
    return text;
}

/* '1', '0', or '?' where it may be rounding. */
static char is_same(double a, double b) {
    const double off = fabs(a - b), size = 1.0 + fabs(a) + fabs(b);
    if (!isfinite(a) || !isfinite(b))
        return a == b || (isnan(a) && isnan(b)) ? '1' : '0';
    return off <= least * size ? '1' : off > most * size ? '0' : '?';
}

static const double *numbers_of(const struct step *s, const struct array *out) {
    return s->numbers + out->from;
}

static const struct step *step_of(enum kind kind, int input) {
    for (const struct step *s = steps; s < steps + step_count; s++)
        if (s->kind == kind && s->input == input)
            return s;
    return NULL;
}

static const char *name_of(const struct array *a) {
    return a->in.name;
}

/* --- what depends on what --------------------------------------------------------------------- */

/* The numbers whose index on an axis is `at`; all where the axis is -1. */
struct slice {
    int axis, at;
};

static bool is_in(const struct array *a, struct slice slice, int i) {
    return slice.axis < 0 || index_of(a->in.dims, i, slice.axis) == slice.at;
}

static const char *unit_of(const struct array *a, int axis) {
    return a->in.dims.rank == 1          ? "element"
           : axis == a->in.dims.rank - 1 ? "column"
           : axis == a->in.dims.rank - 2 ? "row"
                                         : "matrix";
}

static const char *units_of(const char *unit) {
    return words(strcmp(unit, "matrix") == 0 ? "matrices" : "%ss", unit);
}

static const char *slice_words(const struct array *a, struct slice slice) {
    return slice.axis < 0 ? name_of(a)
                          : words("%s %d of %s", unit_of(a, slice.axis), slice.at, name_of(a));
}

/* "3 by 5" */
static const char *size_words(const struct array *a) {
    const struct dims d = a->in.dims;
    const char *text = words("%d%s", d.size[0],
                             d.rank > 1      ? ""
                             : d.size[0] > 1 ? " numbers"
                                             : " number");
    for (int k = 1; k < d.rank; k++)
        text = words("%s by %d", text, d.size[k]);
    return text;
}

static const char *shape_words(const struct array *a) {
    return words("%s %s %s", name_of(a), a->in.dims.rank > 1 ? "is" : "has", size_words(a));
}

/* What is said of rows and columns need not be so with other sizes. */
static const char *shapes_words(const struct array *in, const struct array *out) {
    if (strcmp(size_words(in), size_words(out)) == 0)
        return words("If %s and %s %s %s", name_of(in), name_of(out),
                     in->in.dims.rank == 1 ? "have" : "are", size_words(in));
    return out->count > 1 ? words("If %s and %s", shape_words(in), shape_words(out))
                          : words("If %s", shape_words(in));
}

/* How many of the calls in which a number of `from` is another change a number of `to`; as a share.
   Negative where it may be rounding. */
static double share_linked(const struct array *out, struct slice to, int input, struct slice from) {
    int calls = 0, linked = 0;
    bool unsure = false;
    for (const struct step *s = steps; s < steps + step_count; s++) {
        if (s->kind != BUMPED || s->input != input || !is_in(&inputs[input], from, s->at))
            continue;
        const double *before = numbers_of(&steps[s->seed], out), *after = numbers_of(s, out);
        bool changes = false;
        for (int i = 0; i < out->count; i++)
            if (is_in(out, to, i)) {
                changes = changes || is_same(before[i], after[i]) == '0';
                unsure = unsure || is_same(before[i], after[i]) == '?';
            }
        linked += changes;
        calls++;
    }
    return linked > 0 ? (double)linked / calls : unsure ? -1.0 : 0.0;
}

/* "rows 0 and 2", or "all rows". */
static const char *places(const char *unit, const char *set) {
    const int size = (int)strlen(set);
    const char *list = "";
    int count = 0, seen = 0;
    for (const char *c = set; *c; c++)
        count += *c == '1';
    for (int i = 0; i < size; i++)
        if (set[i] == '1')
            list = words("%s%s%d", list, seen++ == 0 ? "" : seen == count ? " and " : ", ", i);
    const char *units = count > 1 ? units_of(unit) : unit;
    return count == size && size > 2 ? words("all %s", units) : words("%s %s", units, list);
}

static void tell_links(const struct array *out, struct slice to, int input, int axis) {
    const struct array *in = &inputs[input];
    const int size = in->in.dims.size[axis];
    char set[64] = "";
    double rarest = 1.0;
    bool sure = true;
    if (size < 2 || size >= (int)sizeof set || (in->mark == '%' && axis == in->in.dims.rank - 1))
        return;
    for (int i = 0; i < size; i++) {
        const double share = share_linked(out, to, input, (struct slice){axis, i});
        set[i] = share > 0.0 ? '1' : '0';
        sure = sure && share >= 0.0;
        rarest = share > 0.0 ? fmin(rarest, share) : rarest;
    }
    const char *on = strchr(set, '1') ? words("%s of ", places(unit_of(in, axis), set)) : "";
    const bool is_law = to.axis >= 0 || !strchr(set, '0');
    if (sure && (rarest >= 0.5 || !strchr(set, '0')))
        fact(words("links %s %s %d.%d %d", name_of(in), name_of(out), to.axis, to.at, axis), set,
             is_law ? words("%s, %s should %sdepend on %s%s.", shapes_words(in, out),
                            slice_words(out, to), *on ? "" : "not ", on, name_of(in))
                    : "",
             *on ? words("Yours depends on %s.", places(unit_of(in, axis), set))
                 : "Yours depends on none of it.");
}

static void tell_changing(const struct array *out, int input) {
    const struct array *in = &inputs[input];
    const double share = share_linked(out, (struct slice){-1, 0}, input, (struct slice){-1, 0});
    const bool linked = share > 0.0;
    if (share >= 0.0)
        fact(words("changing %s %s", name_of(in), name_of(out)), linked ? "yes" : "no",
             words("Changing %s should %schange %s.", name_of(in), linked ? "" : "not ",
                   name_of(out)),
             linked ? "Yours changes." : "Yours stays the same.");
}

static void tell_dependence(const struct array *out, int input) {
    const struct array *in = &inputs[input];
    if (share_linked(out, (struct slice){-1, 0}, input, (struct slice){-1, 0}) <= 0.0)
        return; /* that is all there is to say */
    for (int axis = 0; axis < in->in.dims.rank; axis++)
        tell_links(out, (struct slice){-1, 0}, input, axis);
    if (input_count * output_count > MOST_PAIRS)
        return;
    for (int k = 0; k < out->in.dims.rank; k++)
        for (int at = 0; at < out->in.dims.size[k] && out->in.dims.size[k] > 1; at++)
            for (int axis = 0; axis < in->in.dims.rank; axis++)
                tell_links(out, (struct slice){k, at}, input, axis);
}

/* --- what changed inputs do to all numbers -----------------------------------------------------
 */

/* Is each number of a step `factor` times that of the first one, plus `more`? */
static bool is_all(const struct step *s, const struct array *out, double factor, double more) {
    for (int i = 0; i < out->count; i++)
        if (is_same(numbers_of(s, out)[i], factor * numbers_of(steps, out)[i] + more) != '1')
            return false;
    return true;
}

static bool tell_again(const struct array *out) {
    const bool same = is_all(step_of(AGAIN, 0), out, 1.0, 0.0);
    fact(words("again - %s", name_of(out)), same ? "same" : "other",
         same ? words("A second call with the same inputs should give the same %s.", name_of(out))
              : "",
         "Yours differs.");
    return same;
}

static const struct step *held_step(const struct array *out) {
    return step_of(HELD, (int)(out - outputs));
}

/* How many numbers a call does not write. */
static int unwritten(const struct array *out) {
    const double *before = numbers_of(steps, out), *after = numbers_of(held_step(out), out);
    int count = 0;
    for (int i = 0; i < out->count; i++)
        count += before[i] == 0.0 && after[i] == held;
    return count;
}

/* No call changes it, with any inputs. */
static bool is_untouched(const struct array *out) {
    for (const struct step *s = steps; s < steps + step_count; s++)
        if (s != held_step(out) && !is_all(s, out, 0.0, 0.0))
            return false;
    return unwritten(out) == out->count;
}

static bool is_added_to(const struct array *out) {
    return is_all(held_step(out), out, 1.0, held) && !is_untouched(out);
}

static bool leaves_some(const struct array *out) {
    return unwritten(out) > 0 && !is_added_to(out);
}

/* Does what it held before the call change another output? */
static bool is_read(const struct array *out) {
    for (const struct array *other = outputs; other < outputs + output_count; other++)
        if (other != out && !is_all(held_step(out), other, 1.0, 0.0))
            return true;
    return false;
}

static void tell_held(const struct array *out) {
    const bool sets = is_all(held_step(out), out, 1.0, 0.0), adds = is_added_to(out);
    fact(words("held - %s", name_of(out)),
         sets   ? "sets"
         : adds ? "adds"
                : "other",
         sets   ? words("Each call should replace all that %s held before.", name_of(out))
         : adds ? words("Each call should add to what %s held before.", name_of(out))
                : "",
         sets                ? "Yours replaces it."
         : adds              ? "Yours adds to it."
         : is_untouched(out) ? words("Yours never changes it if %s.", shape_words(out))
         : leaves_some(out)  ? "Yours leaves some of it as it was."
                             : "Yours uses what it held.");
    if (sets || adds || leaves_some(out))
        fact(words("held read %s", name_of(out)), is_read(out) ? "yes" : "no",
             is_read(out) ? "" : words("A call should not use what %s held before.", name_of(out)),
             "Yours does.");
}

static void tell_twice(const struct array *out, int input) {
    static const struct {
        double factor;
        const char *value, *should, *yours;
    } all[] = {
        {1.0, "same", "not change %s", "Yours stays the same."},
        {2.0, "2", "double %s", "Yours doubles."},
        {4.0, "4", "make %s 4 times as large", "Yours becomes 4 times as large."},
        {0.5, "half", "halve %s", "Yours becomes half as large."},
    };
    const struct step *s = step_of(TWICE, input);
    const char *key = words("twice %s %s", name_of(&inputs[input]), name_of(out));
    for (size_t i = 0; s && i < sizeof all / sizeof *all; i++)
        if (is_all(s, out, all[i].factor, 0.0)) {
            char should[200];
            snprintf(should, sizeof should, all[i].should, name_of(out));
            fact_or(key, all[i].value,
                    words("Doubling %s should %s.", name_of(&inputs[input]), should),
                    i == 0 ? "Yours changes." : "Yours does not.", all[i].yours);
            return;
        }
    if (s)
        fact(key, "other", "", "");
}

static void tell_raised(const struct array *out, int input) {
    const struct step *s = step_of(RAISED, input);
    if (!s)
        return;
    const bool same = is_all(s, out, 1.0, 0.0), more = is_all(s, out, 1.0, 1.0);
    const char *adding =
        words(inputs[input].count > 1 ? "Adding 1 to every number of %s" : "Adding 1 to %s",
              name_of(&inputs[input]));
    fact_or(words("raised %s %s", name_of(&inputs[input]), name_of(out)),
            same   ? "same"
            : more ? "more"
                   : "other",
            same   ? words("%s should not change %s.", adding, name_of(out))
            : more ? words(out->count > 1 ? "%s should add 1 to every number of %s."
                                          : "%s should add 1 to %s.",
                           adding, name_of(out))
                   : "",
            same ? "Yours changes." : "Yours does not.",
            same   ? "Yours stays the same."
            : more ? "Yours rises by 1."
                   : "");
}

static const char *number_words(double x) {
    return words("%.4g", fabs(x) < 1e-12 ? 0.0 : x);
}

static bool is_near(double a, double b) {
    return is_same(a, b) == '1';
}

/* Other numbers are only so with these sizes. */
static bool is_simple(double x) {
    return is_near(fabs(x), 1.0) || is_near(x, 0.0);
}

static void tell_constant(const struct array *out, int input, enum kind kind) {
    const struct step *s = step_of(kind, input);
    if (!s)
        return;
    const double *x = numbers_of(s, out);
    double low = x[0], high = x[0];
    for (int i = 1; i < out->count; i++) {
        low = fmin(low, x[i]);
        high = isnan(x[i]) ? x[i] : fmax(high, x[i]);
    }
    const bool constant = is_same(low, high) == '1' && isfinite(low);
    const bool simple = constant && is_simple(low);
    const char *all =
        words(inputs[input].count > 1 ? "all numbers of %s are" : "%s is", name_of(&inputs[input]));
    const char *every = words(out->count > 1 ? "every number of %s" : "%s", name_of(out));
    fact(words("%s %s %s", kind == ZEROS ? "zeros" : "ones", name_of(&inputs[input]), name_of(out)),
         constant ? number_words(low) : "other",
         simple ? words("If %s %d, %s should be %s.", all, kind == ONES, every, number_words(low))
                : "",
         simple                 ? words("Yours is %s.", number_words(low))
         : isfinite(high - low) ? "Yours is not."
                                : "Yours has a NaN or an infinity.");
}

/* --- sums --------------------------------------------------------------------------------------
 */

static double sum_of(const double *x, const struct array *out, struct slice slice) {
    double sum = 0.0;
    for (int i = 0; i < out->count; i++)
        sum += is_in(out, slice, i) ? x[i] : 0.0;
    return sum;
}

/* In all calls each row, or each column, has the sum of the first. That rows should sum to 1 is
   said by relate.c. */
static void tell_sums(const struct array *out, int axis) {
    const int size = axis < 0 ? 1 : out->in.dims.size[axis], rows = out->in.dims.rank > 1 ? 0 : -1;
    const double first = sum_of(steps[0].numbers + out->from, out, (struct slice){axis, 0});
    double other = first;
    int at = 0;
    for (const struct step *s = steps; s < steps + step_count && is_same(other, first) == '1'; s++)
        for (at = 0; at < size && s->kind != HELD; at++)
            if (is_same(other = sum_of(numbers_of(s, out), out, (struct slice){axis, at}), first) !=
                '1')
                break;
    const bool same = is_same(other, first) == '1';
    const bool simple = same && is_simple(first);
    const bool law = simple && !(axis == rows && is_same(first, 1.0) == '1');
    const char *before =
        is_added_to(out) ? words("If %s is 0 before a call, the", name_of(out)) : "The";
    const char *all =
        axis < 0 ? words("%s numbers of %s", before, name_of(out))
                 : words("%s numbers of each %s of %s", before, unit_of(out, axis), name_of(out));
    fact(words("sum - %s %d", name_of(out), axis), law ? number_words(first) : "other",
         law ? words("%s should sum to %s.", all, number_words(first)) : "",
         simple ? words("Yours always sum to %s.", number_words(first)) : "Yours do not.");
}

/* --- what one number does ----------------------------------------------------------------------
 */

/* Is the output a linear function of the input? Then what a number of the input adds says all. */
static bool is_linear(const struct array *out, int input) {
    const struct step *twice = step_of(TWICE, input), *zeros = step_of(ZEROS, input);
    return twice && zeros && is_all(twice, out, 2.0, 0.0) && is_all(zeros, out, 0.0, 0.0) &&
           !is_all(twice, out, 1.0, 0.0);
}

static void tell_effects(const struct array *out, int input) {
    const struct array *in = &inputs[input];
    const bool linear = is_linear(out, input);
    const bool many = input_count * output_count > MOST_PAIRS;
    const int stride = 1 + in->count * out->count / (many ? 10 : MOST_EFFECTS);
    char from[100], to[100];
    for (const struct step *s = steps; s < steps + step_count; s++)
        for (int i = 0; i < out->count && s->kind == BUMPED && s->input == input && s->seed == 0;
             i++) {
            const double by = numbers_of(s, out)[i] - numbers_of(steps, out)[i];
            if (is_near(by, 0.0) || s->at % stride > 0)
                continue;
            dims_place(from, sizeof from, name_of(in), in->in.dims, in->in.dims.rank, s->at);
            dims_place(to, sizeof to, name_of(out), out->in.dims,
                       out->count > 1 ? out->in.dims.rank : 0, i);
            fact(words("effect %s %s %d %d", name_of(in), name_of(out), s->at, i), number_words(by),
                 linear ? words("%s, what %s adds to %s", shapes_words(in, out), from, to) : "",
                 "");
        }
}

/* --- exchanged rows ----------------------------------------------------------------------------
 */

/* "the first and the last row of K and V"; "" if there are too many. */
static const char *swapped_words(const struct array *arrays, int count, int size) {
    const char *text = "", *unit = "";
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < arrays[i].in.dims.rank; k++) {
            const struct array *a = &arrays[i];
            if (a->in.dims.size[k] != size)
                continue;
            if (k > 0 && a->in.dims.size[k - 1] == size)
                text = words("%s and the same %s", text, units_of(unit_of(a, k)));
            else if (strcmp(unit, unit_of(a, k)) == 0)
                text = words("%s and %s", text, name_of(a));
            else
                text = words("%s%sthe first and the last %s of %s", text, found ? " and " : "",
                             unit_of(a, k), name_of(a));
            unit = unit_of(a, k);
            found++;
        }
    return found > 3 ? "" : text;
}

static void tell_swapped(const struct array *out, const struct step *s) {
    const char *in = swapped_words(inputs, input_count, s->at), *to = swapped_words(out, 1, s->at);
    const bool same = is_all(s, out, 1.0, 0.0);
    bool moved = true;
    for (int i = 0; i < out->count; i++)
        moved = moved && is_same(numbers_of(steps, out)[swapped(out->in.dims, i, s->at)],
                                 numbers_of(s, out)[i]) == '1';
    fact_or(words("swapped %d %s", s->at, name_of(out)),
            moved  ? "moved"
            : same ? "same"
                   : "other",
            !moved || !*in ? ""
            : *to          ? words("Swapping %s should swap %s.", in, to)
                           : words("Swapping %s should not change %s.", in, name_of(out)),
            *to ? "Yours does not." : "Yours changes.", same ? "Yours stays the same." : "");
}

/* --- all of them -------------------------------------------------------------------------------
 */

/* What is far too large comes from memory that was never set. */
static bool is_usable(const struct array *out) {
    for (const struct step *s = steps; s < steps + step_count; s++)
        for (int i = 0; i < out->count && s->kind <= HELD; i++)
            if (!(fabs(numbers_of(s, out)[i]) < 1e100))
                return false;
    return true;
}

static bool is_finite(const struct array *out) {
    for (int i = 0; i < out->count; i++)
        if (!isfinite(numbers_of(steps, out)[i]))
            return false;
    return true;
}

/* Of an output that is not written as a whole, nothing more is said. */
static void report_about(const struct array *out) {
    if (leaves_some(out))
        return;
    for (int k = 0; k < input_count; k++)
        tell_changing(out, k);
    for (int axis = -1; axis < out->in.dims.rank && axis < 2; axis++)
        if ((axis < 0) == (out->in.dims.rank == 1) && out->count > 1)
            tell_sums(out, axis);
    for (int k = 0; k < input_count; k++)
        tell_dependence(out, k);
    for (int k = 0; k < input_count; k++)
        tell_effects(out, k);
    for (int k = 0; k < input_count; k++)
        tell_raised(out, k);
    for (int k = 0; k < input_count; k++) {
        tell_constant(out, k, ZEROS);
        tell_constant(out, k, ONES);
    }
    for (int k = 0; k < input_count; k++)
        tell_twice(out, k);
    for (const struct step *s = steps; s < steps + step_count; s++)
        if (s->kind == SWAPPED)
            tell_swapped(out, s);
}

static void set_rounding(const struct array *out) {
    const bool floats = out->in.element == sizeof(float);
    least = floats ? 2e-5 : 1e-10;
    most = floats ? 2e-4 : 1e-7;
}

static void tell_changed(const char *key, const char *changed, const char *should) {
    fact(key, changed, *changed ? "" : should, words("Yours changes %s.", changed));
}

/* If equal calls differ, what else changes a number is not known. */
static void report_facts(void) {
    bool steady = true;
    tell_changed("statics - -", changed_static, "No call should change a static variable.");
    tell_changed("inputs - -", changed_input, "No call should change its inputs.");
    for (const struct array *out = outputs; out < outputs + output_count; out++) {
        const bool finite = is_finite(out);
        set_rounding(out);
        fact(words("finite - %s", name_of(out)), finite ? "yes" : "no",
             finite ? words("All numbers of %s should be finite.", name_of(out)) : "",
             "Yours has a NaN or an infinity.");
        steady = tell_again(out) && steady;
    }
    for (int about = 0; about < 2; about++)
        for (const struct array *out = outputs; steady && out < outputs + output_count; out++) {
            set_rounding(out);
            if (is_usable(out))
                (about ? report_about : tell_held)(out);
        }
}

void laws_report(const char *of) {
    exercise = of;
    for (const struct lesson_test *t = listed_tests; t; t = t->next)
        if (t->laws && strcmp(t->exercise, of) == 0) {
            t->run();
            matrix_free_all();
        }
}
