/* The class as data: submissions, each with a row for each lesson of the course. Which rows are
   graded is known only when all files were found; from then on there is one list of all graded
   rows, in the order of the submissions' names. */
#include "grade/class/class.h"

#include "grade/class/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct submission *add_submission(struct class *class, const char *name) {
    struct submission *s = zeroed(1, sizeof *s);
    class->submissions = with_room(class->submissions, class->count, sizeof s);
    class->submissions[class->count++] = s;
    *s = (struct submission){.name = name, .shown = shown_name(name), .number = class->count};
    s->canvas_id = s->canvas_name = s->release = "";
    s->rows = zeroed(class->lesson_count, sizeof *s->rows);
    for (int k = 0; k < class->lesson_count; k++)
        s->rows[k] = (struct row){
            .by = s, .lesson = &class->lessons[k], .state = MISSING, .problem = "", .note = ""};
    return s;
}

static int by_name(const void *a, const void *b) {
    const struct submission *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

/* Whatever the case: some systems make no difference. */
static bool is_taken(const struct class *class, int count, const char *label) {
    for (int i = 0; i < count; i++)
        if (strcasecmp(class->submissions[i]->label, label) == 0)
            return true;
    return false;
}

/* The submission's name as the name of a file; equal ones get -2, -3 ... */
static void label_submission(struct class *class, int i) {
    const char *own = file_name(class->submissions[i]->shown), *label = own;
    for (int n = 2; is_taken(class, i, label); n++)
        label = string_of("%s-%d", own, n);
    class->submissions[i]->label = label;
}

void settle_class(struct class *class) {
    qsort(class->submissions, (size_t) class->count, sizeof *class->submissions, by_name);
    for (int k = 0; k < class->lesson_count; k++)
        class->graded_count += class->lessons[k].asked;
    class->rows = zeroed(class->count * class->graded_count, sizeof *class->rows);
    for (int i = 0; i < class->count; i++) {
        struct submission *s = class->submissions[i];
        label_submission(class, i);
        s->graded = class->rows + class->row_count;
        for (int k = 0; k < class->lesson_count; k++)
            if (class->lessons[k].asked)
                class->rows[class->row_count++] = &s->rows[k];
    }
}

struct score row_score(const struct row *row) {
    const struct judged *v = row->verdict, *whole = &row->lesson->reference;
    if (!v)
        return (struct score){0, whole->of, 0, whole->tests};
    return (struct score){v->done, v->of, v->passed,
                          v->state == NOT_BUILT ? whole->tests : v->tests};
}

const struct judged_exercise *row_exercise(const struct row *row, int number) {
    const struct judged *v = row->verdict;
    return v && number < v->count ? &v->exercises[number] : NULL;
}

const char *row_problem(const struct row *row) {
    return row->verdict ? row->verdict->problem : row->problem;
}

const char *why_in(const struct row *row, unsigned states) {
    if (states & IN(DOUBTFUL) && row->doubtful)
        return row->note;
    return states & IN(row->state) ? row_problem(row) : "";
}

int rows_with(const struct class *class, const struct row *row, unsigned states) {
    const char *why = why_in(row, states);
    int count = 0;
    for (int k = 0; *why && k < class->graded_count; k++) {
        const struct row *other = row->by->graded[k];
        bool same = strcmp(why_in(other, states), why) == 0;
        if (same && other < row)
            return 0;
        count += same;
    }
    return count;
}

unsigned states_of(const struct class *class, const struct submission *s) {
    unsigned states = 0;
    for (int k = 0; k < class->graded_count; k++)
        states |= IN(s->graded[k]->state);
    return states;
}

bool handed_in_any(const struct class *class, const struct submission *s) {
    return states_of(class, s) & ~IN(MISSING);
}

const char *row_id(const struct row *row) {
    return string_of("%s-%s", row->by->label, row->lesson->folder);
}

const char *row_feedback(const struct row *row) {
    return string_of("feedback/%s.txt", row_id(row));
}
