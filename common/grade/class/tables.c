/* All tables of comma-separated values: results, exercises and an index for the lecturer, and the
   grades as nbgrader and Canvas import them. */
#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/output.h"

static const char *moment_cell(time_t time) {
    return string_of("%s", moment(time).chars);
}

static const char *id_of(const struct submission *s, const char *otherwise) {
    return s->student ? s->student->id : otherwise;
}

/* --- for the lecturer ----------------------------------------------------------------------- */

static void write_results(const struct output *o) {
    struct text table = {0};
    ROW(&table, "submission", "lesson", "done", "of", "tests_passed", "tests", "state",
        "first_problem", "seconds", "sha256", "feedback", "student_id", "handed_in", "note",
        o->unboxed ? "box" : NULL);
    for (int i = 0; i < o->class->row_count; i++) {
        const struct row *row = o->class->rows[i];
        struct score score = row_score(row);
        ROW(&table, row->by->shown, row->lesson->folder, number_cell(score.done),
            number_cell(score.of), number_cell(score.passed), number_cell(score.tests),
            file_state_words[row->state], row_problem(row),
            string_of("%.2f", row->verdict ? row->verdict->seconds : 0.0), row->sha256.hex,
            row_feedback(row), id_of(row->by, ""), moment_cell(row->handed_in), row->note,
            o->unboxed ? "unboxed" : NULL);
    }
    save(o, "results.csv", &table);
}

/* What a lecturer may want to look at, as words. */
static const char *flags_of(const struct output *o, const struct row *row, bool reference) {
    const char *flags = string_of("%s%s%s", reference ? " reference" : "",
                                  row->headers ? " headers" : "", o->unboxed ? " unboxed" : "");
    return flags[0] ? flags + 1 : "";
}

/* The exercises of a row without a verdict are listed, too. */
static void add_exercise(struct text *table, const struct output *o, const struct row *row, int i) {
    const struct judged_exercise *whole = &row->lesson->reference.exercises[i];
    const struct judged_exercise *e = row_exercise(row, i);
    ROW(table, row->by->shown, row->lesson->folder, whole->name,
        e                       ? e->state
        : row->state == MISSING ? "missing"
                                : "unchecked",
        number_cell(e ? e->passed : 0), number_cell(whole->count), e ? e->mistake : "",
        flags_of(o, row, e && e->reference));
}

static void write_exercises(const struct output *o) {
    struct text table = {0};
    ROW(&table, "submission", "lesson", "exercise", "state", "passed", "tests", "mistake", "flags");
    for (int i = 0; i < o->class->row_count; i++)
        for (int k = 0; k < o->class->rows[i]->lesson->reference.count; k++)
            add_exercise(&table, o, o->class->rows[i], k);
    save(o, "exercises.csv", &table);
}

static void write_index(const struct output *o) {
    struct text table = {0};
    ROW(&table, "files", "submission", "last_name", "first_name", "student_id", "release");
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        ROW(&table, s->label, s->shown, s->student ? s->student->last : "",
            s->student ? s->student->first : "", id_of(s, ""), s->release);
    }
    save(o, "index.csv", &table);
}

void write_tables(const struct output *o) {
    write_results(o);
    write_exercises(o);
    write_index(o);
}

/* --- for nbgrader and Canvas ---------------------------------------------------------------- */

/* Of what is not read or not judged there is no grade: 0 would be one. */
static const char *grade_cell(const struct sum *sum, double number) {
    return sum->known ? number_cell(number) : "";
}

/* The columns of nbgrader's own export, and one more for why there is no grade. */
void write_nbgrader(const struct output *o) {
    struct text table = {0};
    ROW(&table, "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name",
        "email", "raw_score", "late_submission_penalty", "score", "max_score", "comment");
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        const struct student *who = s->student;
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        ROW(&table, o->name, moment_cell(o->due.time), moment_cell(sum.handed_in),
            id_of(s, s->shown), who ? who->last : "", who ? who->first : "", who ? who->email : "",
            grade_cell(&sum, sum.raw), grade_cell(&sum, sum.penalty), grade_cell(&sum, sum.score),
            number_cell(sum.most), why_unknown(o->class, s));
    }
    save(o, "grades.csv", &table);
}

/* The second row says how many points there are. Canvas knows only students of its roster. */
void write_canvas(const struct output *o) {
    struct text table = {0};
    ROW(&table, "Student", "ID", "SIS User ID", "SIS Login ID", "Section", o->name);
    struct sum all = sum_of(o->class, o->class->submissions[0], &o->points, &o->due);
    ROW(&table, "    Points Possible", "", "", "", "", number_cell(all.most));
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        const struct student *who = s->student;
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        if (!who)
            continue;
        ROW(&table, string_of("%s, %s", who->last, who->first), who->canvas_id, who->id,
            who->login[0] ? who->login : who->email, who->section, grade_cell(&sum, sum.score));
    }
    save(o, "canvas.csv", &table);
}
