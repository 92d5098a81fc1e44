#include "grade/class/json.h"
#include "grade/class/output.h"

#include <string.h>

enum { LONGEST = 20000 }; /* bytes of one output: PrairieLearn takes 1 MB for all */

static void add_cut(struct json *json, const char *key, struct text *text) {
    if (text->length > LONGEST)
        text->chars[text->length = LONGEST] = '\0';
    json_string(json, key, text_of(text));
    text_free(text);
}

static double seconds_of(const struct class *class, const struct submission *s) {
    double seconds = 0.0;
    for (int k = 0; k < class->lesson_count; k++)
        if (class->lessons[k].asked && s->rows[k].verdict)
            seconds += s->rows[k].verdict->seconds;
    return seconds;
}

static void finish(const struct output *o, const char *file, struct json *json) {
    json_close(json, '}');
    text_add(&json->text, "\n", 1);
    save(o, file, &json->text);
}

/* Calls `add` with each exercise of the asked lessons, and what became of it; NULL: there is no
   verdict. */
static void each_exercise(const struct output *o, const struct submission *s, struct json *json,
                          void (*add)(struct json *json, const struct output *o, int lesson,
                                      int number, const struct judged *v)) {
    for (int k = 0; k < o->class->lesson_count; k++)
        for (int i = 0; o->class->lessons[k].asked && i < o->class->lessons[k].reference.count; i++)
            add(json, o, k, i, s->rows[k].verdict);
}

static double got(const struct output *o, const struct judged *v, int i) {
    return v && i < v->count ? hundredths(points_got(&o->points, v, &v->exercises[i])) : 0.0;
}

static void add_what_was_said(struct json *json, const struct judged *v, int i) {
    struct text said = v && i < v->count ? exercise_feedback(&v->exercises[i]) : (struct text){0};
    add_cut(json, "output", &said);
}

/* --- Gradescope: results.json ---------------------------------------------------------------- */

static void add_gradescope_test(struct json *json, const struct output *o, int k, int i,
                                const struct judged *v) {
    const struct course_lesson *l = &o->class->lessons[k];
    const struct judged_exercise *e = &l->reference.exercises[i];
    json_open(json, NULL, '{');
    json_number(json, "score", got(o, v, i));
    json_number(json, "max_score", hundredths(points_for(&o->points, e->name)));
    json_string(json, "name", path_of("%s: %s", l->folder, e->name).chars);
    json_string(json, "number", path_of("%s.%d", l->number, i + 1).chars);
    add_what_was_said(json, v, i);
    json_open(json, "tags", '[');
    json_string(json, NULL, l->folder);
    json_close(json, ']');
    json_string(json, "visibility", "visible");
    json_close(json, '}');
}

void write_gradescope(const struct output *o) {
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        struct json json = {0};
        struct text said = short_feedback(o, s);
        json_open(&json, NULL, '{');
        json_number(&json, "score", sum_of(o->class, s, &o->points, &o->due).score);
        json_number(&json, "execution_time", hundredths(seconds_of(o->class, s)));
        add_cut(&json, "output", &said);
        json_string(&json, "visibility", "visible");
        json_string(&json, "stdout_visibility", "hidden");
        json_open(&json, "tests", '[');
        each_exercise(o, s, &json, add_gradescope_test);
        json_close(&json, ']');
        finish(o, path_of("gradescope/%s.json", s->label).chars, &json);
    }
}

/* --- PrairieLearn: results.json -------------------------------------------------------------- */

static void add_prairie_test(struct json *json, const struct output *o, int k, int i,
                             const struct judged *v) {
    const struct course_lesson *l = &o->class->lessons[k];
    const struct judged_exercise *whole = &l->reference.exercises[i];
    const struct judged_exercise *e = v && i < v->count ? &v->exercises[i] : NULL;
    json_open(json, NULL, '{');
    json_string(json, "name", path_of("%s: %s", l->folder, whole->name).chars);
    json_string(json, "description",
                path_of("%d of %d tests pass", e ? e->passed : 0, whole->count).chars);
    json_number(json, "points", got(o, v, i));
    json_number(json, "max_points", hundredths(points_for(&o->points, whole->name)));
    json_string(json, "message", e ? e->state : "not checked");
    add_what_was_said(json, v, i);
    json_close(json, '}');
}

/* What was handed in and builds nowhere is no attempt there. */
static bool is_gradable(const struct output *o, const struct submission *s) {
    bool unbuilt = false;
    for (int k = 0; k < o->class->lesson_count; k++) {
        if (o->class->lessons[k].asked &&
            (s->rows[k].state == GRADED || s->rows[k].state == IN_PART))
            return true;
        unbuilt |= o->class->lessons[k].asked && s->rows[k].state != MISSING;
    }
    return !unbuilt;
}

void write_prairielearn(const struct output *o) {
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        struct json json = {0};
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        struct text said = short_feedback(o, s), again = short_feedback(o, s);
        bool gradable = is_gradable(o, s);
        json_open(&json, NULL, '{');
        json_word(&json, "gradable", gradable ? "true" : "false");
        json_number(&json, "score", sum.most > 0.0 ? sum.score / sum.most : 0.0);
        json_string(&json, "message", handed_in_any(o->class, s) ? "" : "Nothing was handed in.");
        add_cut(&json, "output", &said);
        if (!gradable) {
            json_open(&json, "format_errors", '[');
            add_cut(&json, NULL, &again);
            json_close(&json, ']');
        }
        text_free(&again);
        json_open(&json, "tests", '[');
        each_exercise(o, s, &json, add_prairie_test);
        json_close(&json, ']');
        finish(o, path_of("prairielearn/%s.json", s->label).chars, &json);
    }
}

/* --- check50 --------------------------------------------------------------------------------- */

/* The first check of an exercise is what the next one hangs on. */
static struct path check_name(const struct judged_exercise *e, int i) {
    return path_of("%s_%d", e->name, i + 1);
}

static void add_cause(struct json *json, const char *why, const char *help) {
    json_open(json, "cause", '{');
    json_string(json, "rationale", why);
    if (help[0])
        json_string(json, "help", help);
    else
        json_word(json, "help", "null");
    json_word(json, "expected", "null");
    json_word(json, "actual", "null");
    json_close(json, '}');
}

static void add_check(struct json *json, const char *name, const char *description,
                      enum test_result result, const char *why, const char *help,
                      const char *dependency) {
    json_open(json, NULL, '{');
    json_string(json, "name", name);
    json_string(json, "description", description);
    json_word(json, "passed",
              result == TEST_PASSED    ? "true"
              : result == TEST_SKIPPED ? "null"
                                       : "false");
    json_open(json, "log", '[');
    json_close(json, ']');
    if (result == TEST_PASSED)
        json_word(json, "cause", "null");
    else
        add_cause(json, why, help);
    json_open(json, "data", '{');
    json_close(json, '}');
    if (dependency)
        json_string(json, "dependency", dependency);
    else
        json_word(json, "dependency", "null");
    json_close(json, '}');
}

static const struct judged_test *same_test(const struct judged_exercise *e, const char *sentence) {
    for (int i = 0; e && i < e->listed; i++)
        if (strcmp(e->tests[i].sentence, sentence) == 0)
            return &e->tests[i];
    return NULL;
}

/* The checks are those of the reference, whatever became of the file. */
static void add_exercise_checks(struct json *json, const struct judged_exercise *whole,
                                const struct judged_exercise *e, const char *dependency) {
    for (int i = 0; i < whole->listed; i++) {
        const struct judged_test *t = same_test(e, whole->tests[i].sentence);
        add_check(json, check_name(whole, i).chars, whole->tests[i].sentence,
                  t ? t->result : TEST_SKIPPED,
                  t && t->said[0] ? t->said
                  : t             ? e->state
                                  : "not checked",
                  e ? e->mistake : "", dependency);
    }
}

static void write_slug(const struct output *o, const struct submission *s, int k) {
    const struct course_lesson *l = &o->class->lessons[k];
    const struct row *row = &s->rows[k];
    struct path before = path_of("compiles");
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_string(&json, "slug", path_of("lookback/%s", l->folder).chars);
    json_string(&json, "version", "3.3.11");
    json_open(&json, "results", '[');
    add_check(&json, "compiles", path_of("%s.c compiles", l->name).chars,
              row->state == GRADED || row->state == IN_PART ? TEST_PASSED : TEST_FAILED,
              row_problem(row)[0] ? row_problem(row) : file_state_words[row->state], "", NULL);
    for (int i = 0; i < l->reference.count; i++) {
        const struct judged_exercise *whole = &l->reference.exercises[i];
        const struct judged *v = row->verdict;
        add_exercise_checks(&json, whole, v && i < v->count ? &v->exercises[i] : NULL,
                            before.chars);
        before = check_name(whole, 0);
    }
    json_close(&json, ']');
    finish(o, path_of("check50/%s.json", row_id(o->class, s, k).chars).chars, &json);
}

void write_check50(const struct output *o) {
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++)
            if (o->class->lessons[k].asked)
                write_slug(o, &o->class->submissions[i], k);
}
