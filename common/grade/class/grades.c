#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/output.h"

/* Of what is not read or not judged there is no grade: 0 would be one. */
static void add_grade(struct text *table, const struct sum *sum, double number) {
    if (sum->known)
        add_number_cell(table, number);
    else
        add_cell(table, "");
}

/* nbgrader's columns, as its own export has them, and one more, in which stands why there is no
 * grade. */
void write_nbgrader(const struct output *o) {
    static const char *const headings[] = {"assignment", "duedate",   "timestamp",
                                           "student_id", "last_name", "first_name",
                                           "email",      "raw_score", "late_submission_penalty",
                                           "score",      "max_score", "comment"};
    struct text table = {0};
    for (int i = 0; i < 12; i++)
        add_cell(&table, headings[i]);
    end_row(&table);
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        add_cell(&table, o->name);
        add_cell(&table, moment(o->due.time).chars);
        add_cell(&table, moment(sum.handed_in).chars);
        add_cell(&table, s->student ? s->student->id : text_of(&s->shown));
        add_cell(&table, s->student ? s->student->last : "");
        add_cell(&table, s->student ? s->student->first : "");
        add_cell(&table, s->student ? s->student->email : "");
        add_grade(&table, &sum, sum.raw);
        add_grade(&table, &sum, sum.penalty);
        add_grade(&table, &sum, sum.score);
        add_number_cell(&table, sum.most);
        struct text comment = why_unknown(o->class, s);
        add_cell(&table, text_of(&comment));
        text_free(&comment);
        end_row(&table);
    }
    save(o, "grades.csv", &table);
}

/* The heading, and a second row, for what can be reached. */
static void add_canvas_head(struct text *table, const struct output *o) {
    static const char *const headings[] = {"Student", "ID", "SIS User ID", "SIS Login ID",
                                           "Section"};
    struct sum sum = sum_of(o->class, &o->class->submissions[0], &o->points, &o->due);
    for (int i = 0; i < 5; i++)
        add_cell(table, headings[i]);
    add_cell(table, o->name);
    end_row(table);
    add_cell(table, "    Points Possible");
    for (int i = 1; i < 5; i++)
        add_cell(table, "");
    add_number_cell(table, sum.most);
    end_row(table);
}

/* Canvas knows nobody who is not on its roster. */
void write_canvas(const struct output *o) {
    struct text table = {0};
    add_canvas_head(&table, o);
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        const struct student *who = s->student;
        if (!who)
            continue;
        add_cell(&table, path_of("%.400s, %.400s", who->last, who->first).chars);
        add_cell(&table, who->canvas_id);
        add_cell(&table, who->id);
        add_cell(&table, who->login[0] ? who->login : who->email);
        add_cell(&table, who->section);
        struct sum sum = sum_of(o->class, s, &o->points, &o->due);
        add_grade(&table, &sum, sum.score);
        end_row(&table);
    }
    save(o, "canvas.csv", &table);
}
