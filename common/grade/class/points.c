/* Points come from a file of lines "exercise,points", or are even. A submission's sum takes the
   points of all its graded rows, and takes off what the late ones cost. */
#include "grade/class/points.h"

#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- points --------------------------------------------------------------------------------- */

double hundredths(double x) {
    return round(100.0 * x) / 100.0;
}

/* Of any lesson of the course: the same file may serve several sheets. */
static bool is_exercise(const struct class *class, const char *name) {
    const char *heading = string_of("\n## %s\n", name);
    bool found = false;
    for (int k = 0; k < class->lesson_count; k++)
        found |= strstr(file_text(path_of("lessons/%s/hints.md", class->lessons[k].folder).chars),
                        heading) != NULL;
    return found;
}

/* Is it a number of points? */
static bool read_points(const char *word, double *number) {
    char *end;
    *number = strtod(word, &end);
    return end > word && !*end && *number >= 0.0 && *number <= 1e6;
}

/* Takes a row; returns what is wrong with it, or NULL. */
static const char *take_row(struct points *points, const struct class *class,
                            const struct csv_row *row) {
    struct worth worth = {row->cells[0], 0.0};
    const char *value = row->count > 1 ? row->cells[1] : "";
    if (strcmp(worth.exercise, "partial") == 0) {
        points->by_tests = strcmp(value, "tests") == 0;
        return points->by_tests || strcmp(value, "all-or-nothing") == 0
                   ? NULL
                   : "partial is tests or all-or-nothing";
    }
    points->even = 0.0;
    if (!is_exercise(class, worth.exercise) || !read_points(value, &worth.points))
        return "wanted is a line \"exercise,points\"";
    points->all = with_room(points->all, points->count, sizeof worth);
    points->all[points->count++] = worth;
    return NULL;
}

struct points points_read(const char *path, const struct class *class) {
    int exercises = 0;
    for (int k = 0; k < class->lesson_count; k++)
        exercises += class->lessons[k].asked ? class->lessons[k].reference.of : 0;
    struct points points = {.even = 100.0 / exercises};
    struct csv csv = path ? csv_read(path) : (struct csv){.rows = NULL};
    for (int i = 0; i < csv.count; i++) {
        const char *first = csv.rows[i].cells[0];
        bool heading = *first == '#' || (i == 0 && strcmp(first, "exercise") == 0);
        const char *wrong = heading ? NULL : take_row(&points, class, &csv.rows[i]);
        if (wrong)
            die("POINTS=%s: %s: %s.", path, shown_name(first), wrong);
    }
    return points;
}

double points_for(const struct points *points, const struct course_lesson *lesson, int exercise) {
    double found = points->even;
    for (int i = 0; i < points->count; i++)
        if (strcmp(points->all[i].exercise, lesson->reference.exercises[exercise].name) == 0)
            found = points->all[i].points;
    return found;
}

double points_got(const struct points *points, const struct row *row, int exercise) {
    const struct judged_exercise *e = row_exercise(row, exercise);
    double worth = points_for(points, row->lesson, exercise);
    if (!e || row->verdict->state == NOT_BUILT)
        return 0.0;
    if (is_done(e))
        return worth;
    return points->by_tests && e->count > 0 ? worth * e->passed / e->count : 0.0;
}

/* --- time ----------------------------------------------------------------------------------- */

struct due due_read(const char *text) {
    const char *rest = text;
    struct due due = {0, 0.0};
    int length = 0;
    bool good = !text || read_moment(text, &rest, &due.time);
    if (good && text && *rest)
        good = sscanf(rest, " %lf%%%n", &due.share, &length) == 1 && length > 0 && !rest[length] &&
               due.share >= 0.0 && due.share <= 100.0;
    if (!good)
        die("DUE=\"%s\": wanted is \"2026-11-30T23:59+01:00\", or with what a day late costs:\n"
            "\"2026-11-30T23:59+01:00 10%%\".",
            text);
    return due;
}

/* --- sums ----------------------------------------------------------------------------------- */

static int days_between(time_t due, time_t handed_in) {
    return due == 0 || handed_in <= due ? 0 : (int)((handed_in - due - 1) / 86400) + 1;
}

struct sum sum_of(const struct class *class, const struct submission *s,
                  const struct points *points, const struct due *due) {
    struct sum sum = {.known = !(states_of(class, s) & NO_VERDICT)};
    for (int k = 0; k < class->graded_count; k++) {
        const struct row *row = s->graded[k];
        double raw = 0.0;
        for (int i = 0; i < row->lesson->reference.count; i++) {
            sum.most += points_for(points, row->lesson, i);
            raw += points_got(points, row, i);
        }
        int days = days_between(due->time, row->handed_in);
        sum.raw += raw;
        sum.penalty += fmin(raw, raw * due->share / 100.0 * days);
        sum.days_late = days > sum.days_late ? days : sum.days_late;
        if (row->handed_in <= sum.handed_in)
            continue;
        sum.handed_in = row->handed_in;
        sum.clock = row->clock;
    }
    sum.raw = hundredths(sum.raw);
    sum.most = hundredths(sum.most);
    sum.penalty = hundredths(sum.penalty);
    sum.score = hundredths(sum.raw - sum.penalty);
    return sum;
}
