#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/output.h"

static void add_headings(struct text *table, int count, const char *const headings[]) {
    for (int i = 0; i < count; i++)
        add_cell(table, headings[i]);
}

#define HEADINGS(table, ...)                                                                       \
    add_headings(table, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),                    \
                 (const char *[]){__VA_ARGS__})

static void add_result(struct text *table, const struct output *o, const struct submission *s,
                       int k) {
    const struct row *row = &s->rows[k];
    struct score score = row_score(o->class, s, k);
    add_cell(table, text_of(&s->shown));
    add_cell(table, o->class->lessons[k].folder);
    add_number_cell(table, score.done);
    add_number_cell(table, score.of);
    add_number_cell(table, score.passed);
    add_number_cell(table, score.tests);
    add_cell(table, file_state_words[row->state]);
    add_cell(table, row_problem(row));
    add_cell(table, path_of("%.2f", row->verdict ? row->verdict->seconds : 0.0).chars);
    add_cell(table, row->sha256.hex);
    add_cell(table, row_feedback(o->class, s, k).chars);
    add_cell(table, s->student ? s->student->id : "");
    add_cell(table, moment(row->handed_in).chars);
    add_cell(table, text_of(&row->note));
    if (o->unboxed)
        add_cell(table, "unboxed");
    end_row(table);
}

static void write_results(const struct output *o) {
    struct text table = {0};
    HEADINGS(&table, "submission", "lesson", "done", "of", "tests_passed", "tests", "state",
             "first_problem", "seconds", "sha256", "feedback", "student_id", "handed_in", "note");
    if (o->unboxed)
        add_cell(&table, "box");
    end_row(&table);
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++)
            if (o->class->lessons[k].asked)
                add_result(&table, o, &o->class->submissions[i], k);
    save(o, "results.csv", &table);
}

/* What a lecturer may want to look at himself. */
static struct path flags_of(const struct output *o, const struct row *row, bool reference) {
    return path_of("%s%s%s%s%s", reference ? "reference" : "", reference && row->headers ? " " : "",
                   row->headers ? "headers" : "",
                   (reference || row->headers) && o->unboxed ? " " : "",
                   o->unboxed ? "unboxed" : "");
}

/* Of what has no verdict the exercises are listed all the same. */
static void add_exercise(struct text *table, const struct output *o, const struct submission *s,
                         int k, int i) {
    const struct row *row = &s->rows[k];
    const struct judged_exercise *whole = &o->class->lessons[k].reference.exercises[i];
    const struct judged_exercise *e =
        row->verdict && i < row->verdict->count ? &row->verdict->exercises[i] : NULL;
    add_cell(table, text_of(&s->shown));
    add_cell(table, o->class->lessons[k].folder);
    add_cell(table, whole->name);
    add_cell(table, e ? e->state : row->state == MISSING ? "missing" : "unchecked");
    add_number_cell(table, e ? e->passed : 0);
    add_number_cell(table, whole->count);
    add_cell(table, e ? e->mistake : "");
    add_cell(table, flags_of(o, row, e && e->reference).chars);
    end_row(table);
}

static void write_exercises(const struct output *o) {
    struct text table = {0};
    HEADINGS(&table, "submission", "lesson", "exercise", "state", "passed", "tests", "mistake",
             "flags");
    end_row(&table);
    for (int s = 0; s < o->class->count; s++)
        for (int k = 0; k < o->class->lesson_count; k++)
            for (int i = 0; o->class->lessons[k].asked && i < o->class->lessons[k].reference.count;
                 i++)
                add_exercise(&table, o, &o->class->submissions[s], k, i);
    save(o, "exercises.csv", &table);
}

static void write_index(const struct output *o) {
    struct text table = {0};
    HEADINGS(&table, "files", "submission", "last_name", "first_name", "student_id", "release");
    end_row(&table);
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        add_cell(&table, s->label);
        add_cell(&table, text_of(&s->shown));
        add_cell(&table, s->student ? s->student->last : "");
        add_cell(&table, s->student ? s->student->first : "");
        add_cell(&table, s->student ? s->student->id : "");
        add_cell(&table, text_of(&s->release));
        end_row(&table);
    }
    save(o, "index.csv", &table);
}

void write_tables(const struct output *o) {
    write_results(o);
    write_exercises(o);
    write_index(o);
}
