/* The JSON files of Gradescope, PrairieLearn and check50, each in the form that the system's own
   documents describe. The exercises and checks are those of the reference, whatever became of the
   file that was handed in. */
#include "base/json.h"
#include "grade/class/output.h"

#include <string.h>

enum { LONGEST = 20000 }; /* bytes of one output: PrairieLearn takes 1 MB for all */

static void add_cut(struct json *json, const char *key, const char *words) {
    json_string(json, key, string_of("%.*s", LONGEST, words));
}

static void finish(const struct output *o, const char *file, struct json *json) {
    json_close(json, '}');
    text_add(&json->text, "\n", 1);
    save(o, file, &json->text);
}

/* Adds each graded exercise of a submission. */
static void add_exercises(struct json *json, const struct output *o, const struct submission *s,
                          void (*add)(struct json *json, const struct output *o,
                                      const struct row *row, int exercise)) {
    json_open(json, "tests", '[');
    for (int k = 0; k < o->class->graded_count; k++)
        for (int i = 0; i < s->graded[k]->lesson->reference.count; i++) {
            json_open(json, NULL, '{');
            add(json, o, s->graded[k], i);
            json_close(json, '}');
        }
    json_close(json, ']');
}

static void add_name(struct json *json, const struct row *row, int i) {
    json_string(json, "name",
                string_of("%s: %s", row->lesson->folder, row->lesson->reference.exercises[i].name));
}

static void add_points(struct json *json, const struct output *o, const struct row *row, int i,
                       const char *got, const char *most) {
    json_number(json, got, hundredths(points_got(&o->points, row, i)));
    json_number(json, most, hundredths(points_for(&o->points, row->lesson, i)));
}

static void add_what_was_said(struct json *json, const struct row *row, int i) {
    const struct judged_exercise *e = row_exercise(row, i);
    add_cut(json, "output", e ? exercise_feedback(e) : "");
}

/* --- Gradescope: results.json --------------------------------------------------------------- */

static void add_gradescope_test(struct json *json, const struct output *o, const struct row *row,
                                int i) {
    add_points(json, o, row, i, "score", "max_score");
    add_name(json, row, i);
    json_string(json, "number", string_of("%s.%d", row->lesson->number, i + 1));
    add_what_was_said(json, row, i);
    json_open(json, "tags", '[');
    json_string(json, NULL, row->lesson->folder);
    json_close(json, ']');
    json_string(json, "visibility", "visible");
}

void write_gradescope(const struct output *o) {
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        struct json json = {0};
        double seconds = 0.0;
        for (int k = 0; k < o->class->graded_count; k++)
            seconds += s->graded[k]->verdict ? s->graded[k]->verdict->seconds : 0.0;
        json_open(&json, NULL, '{');
        json_number(&json, "score", sum_of(o->class, s, &o->points, &o->due).score);
        json_number(&json, "execution_time", hundredths(seconds));
        add_cut(&json, "output", short_feedback(o, s));
        json_string(&json, "visibility", "visible");
        json_string(&json, "stdout_visibility", "hidden");
        add_exercises(&json, o, s, add_gradescope_test);
        finish(o, path_of("gradescope/%s.json", s->label).chars, &json);
    }
}

/* --- PrairieLearn: results.json ------------------------------------------------------------- */

static void add_prairie_test(struct json *json, const struct output *o, const struct row *row,
                             int i) {
    const struct judged_exercise *e = row_exercise(row, i);
    add_name(json, row, i);
    json_string(json, "description",
                string_of("%d of %d tests pass", e ? e->passed : 0,
                          row->lesson->reference.exercises[i].count));
    add_points(json, o, row, i, "points", "max_points");
    json_string(json, "message", e ? e->state : "not checked");
    add_what_was_said(json, row, i);
}

/* There, files that build nowhere are no attempt. */
static bool is_gradable(const struct output *o, const struct submission *s) {
    return states_of(o->class, s) & (IN(GRADED) | IN(IN_PART)) || !handed_in_any(o->class, s);
}

void write_prairielearn(const struct output *o) {
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        struct json json = {0};
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        bool gradable = is_gradable(o, s);
        json_open(&json, NULL, '{');
        json_word(&json, "gradable", gradable ? "true" : "false");
        json_number(&json, "score", sum.most > 0.0 ? sum.score / sum.most : 0.0);
        json_string(&json, "message", handed_in_any(o->class, s) ? "" : "Nothing was handed in.");
        add_cut(&json, "output", short_feedback(o, s));
        if (!gradable) {
            json_open(&json, "format_errors", '[');
            add_cut(&json, NULL, short_feedback(o, s));
            json_close(&json, ']');
        }
        add_exercises(&json, o, s, add_prairie_test);
        finish(o, path_of("prairielearn/%s.json", s->label).chars, &json);
    }
}

/* --- check50 -------------------------------------------------------------------------------- */

/* The first check of an exercise is what the next exercise depends on. */
static const char *check_name(const struct judged_exercise *e, int i) {
    return string_of("%s_%d", e->name, i + 1);
}

static void add_check(struct json *json, const char *name, const char *description,
                      enum test_result result, const char *why, const char *help,
                      const char *dependency) {
    static const char *const words[] = {"true", "false", "false", "null"};
    json_open(json, NULL, '{');
    json_string(json, "name", name);
    json_string(json, "description", description);
    json_word(json, "passed", words[result]);
    json_word(json, "log", "[\n\n]");
    if (result == TEST_PASSED) {
        json_word(json, "cause", "null");
    } else {
        json_open(json, "cause", '{');
        json_string(json, "rationale", why);
        json_string_or_null(json, "help", help);
        json_word(json, "expected", "null");
        json_word(json, "actual", "null");
        json_close(json, '}');
    }
    json_word(json, "data", "{\n\n}");
    json_string_or_null(json, "dependency", dependency);
    json_close(json, '}');
}

static const struct judged_test *same_test(const struct judged_exercise *e, const char *sentence) {
    for (int i = 0; e && i < e->listed; i++)
        if (strcmp(e->tests[i].sentence, sentence) == 0)
            return &e->tests[i];
    return NULL;
}

static void add_exercise_checks(struct json *json, const struct judged_exercise *whole,
                                const struct judged_exercise *e, const char *dependency) {
    for (int i = 0; i < whole->listed; i++) {
        const struct judged_test *t = same_test(e, whole->tests[i].sentence);
        const char *why = !t ? "not checked" : t->said[0] ? t->said : e->state;
        add_check(json, check_name(whole, i), whole->tests[i].sentence,
                  t ? t->result : TEST_SKIPPED, why, e ? e->mistake : "", dependency);
    }
}

static void write_slug(const struct output *o, const struct row *row) {
    const struct course_lesson *l = row->lesson;
    const char *before = "compiles";
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_string(&json, "slug", string_of("lookback/%s", l->folder));
    json_string(&json, "version", "3.3.11");
    json_open(&json, "results", '[');
    add_check(&json, "compiles", string_of("%s.c compiles", l->name),
              row->state == GRADED || row->state == IN_PART ? TEST_PASSED : TEST_FAILED,
              row_problem(row)[0] ? row_problem(row) : file_state_words[row->state], "", NULL);
    for (int i = 0; i < l->reference.count; i++) {
        const struct judged_exercise *whole = &l->reference.exercises[i];
        add_exercise_checks(&json, whole, row_exercise(row, i), before);
        before = check_name(whole, 0);
    }
    json_close(&json, ']');
    finish(o, path_of("check50/%s.json", row_id(row)).chars, &json);
}

void write_check50(const struct output *o) {
    for (int i = 0; i < o->class->row_count; i++)
        write_slug(o, o->class->rows[i]);
}
