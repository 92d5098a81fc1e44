/* Points come from a file of lines "exercise,points", or are even. A submission's sum takes the
   points of all its graded rows, and takes off what the late ones cost. */
#include "grade/class/points.h"

#include "grade/class/moments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- points --------------------------------------------------------------------------------- */

double hundredths(double x) {
    return round(100.0 * x) / 100.0;
}

/* A line of two words with a comma or space between them; false if it is empty or a remark. */
static bool two_words(const char *line, char first[NAME_SIZE], char second[64]) {
    char copy[400];
    snprintf(copy, sizeof copy, "%s", line);
    for (char *c = copy; *c; c++)
        if (*c == ',' || *c == ';' || *c == '=' || *c == '"')
            *c = ' ';
    first[0] = second[0] = '\0';
    return sscanf(copy, "%255s %63s", first, second) >= 1 && first[0] != '#';
}

/* Of any lesson of the course: the same file may serve several sheets. */
static bool is_exercise(const struct class *class, const char *name) {
    bool found = false;
    for (int k = 0; k < class->lesson_count && !found; k++) {
        struct text hints;
        char line[400];
        text_read_file(&hints, path_of("lessons/%s/hints.md", class->lessons[k].folder).chars);
        const char *at = text_of(&hints);
        while (!found && next_line(&at, line, sizeof line))
            found = starts_with(line, "## ") && strcmp(line + 3, name) == 0;
        text_free(&hints);
    }
    return found;
}

/* Is it a number of points? */
static bool read_points(const char *word, double *number) {
    char *end;
    *number = strtod(word, &end);
    return end > word && !*end && *number >= 0.0 && *number <= 1e6;
}

/* Takes a line's two words; returns what is wrong with them, or NULL. */
static const char *take_words(struct points *points, const struct class *class, const char *first,
                              const char *second) {
    struct worth worth = {NULL, 0.0};
    if (strcmp(first, "partial") == 0) {
        points->by_tests = strcmp(second, "tests") == 0;
        return points->by_tests || strcmp(second, "all-or-nothing") == 0
                   ? NULL
                   : "partial is tests or all-or-nothing";
    }
    points->even = 0.0;
    if (!is_exercise(class, first) || !read_points(second, &worth.points))
        return "wanted is a line \"exercise,points\"";
    worth.exercise = string_of("%s", first);
    points->all = with_room(points->all, points->count, sizeof worth);
    points->all[points->count++] = worth;
    return NULL;
}

bool points_read(struct points *points, const char *path, const struct class *class) {
    char line[400], first[NAME_SIZE], second[64];
    struct text file = {0};
    const char *wrong = NULL;
    int exercises = 0;
    for (int k = 0; k < class->lesson_count; k++)
        exercises += class->lessons[k].asked ? class->lessons[k].reference.of : 0;
    *points = (struct points){.even = 100.0 / exercises};
    if (path && !text_read_file(&file, path)) {
        fprintf(stderr, "POINTS=%s: it cannot be read.\n", path);
        return false;
    }
    const char *at = text_of(&file);
    for (int row = 1; !wrong && next_line(&at, line, sizeof line); row++) {
        if (!two_words(line, first, second) || (row == 1 && strcmp(first, "exercise") == 0))
            continue;
        wrong = take_words(points, class, first, second);
        if (wrong)
            fprintf(stderr, "%s:%d: %s.\n", path, row, wrong);
    }
    text_free(&file);
    return !wrong;
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

bool due_read(struct due *due, const char *text) {
    const char *rest = text;
    int length = 0;
    *due = (struct due){0, 0.0};
    if (!text)
        return true;
    bool good = read_moment(text, &rest, &due->time);
    if (good && *rest)
        good = sscanf(rest, " %lf%%%n", &due->share, &length) == 1 && length > 0 && !rest[length] &&
               due->share >= 0.0 && due->share <= 100.0;
    if (!good)
        fprintf(stderr,
                "DUE=\"%s\": wanted is \"2026-11-30T23:59+01:00\", or with what a day late costs:\n"
                "\"2026-11-30T23:59+01:00 10%%\".\n",
                text);
    return good;
}

/* --- sums ----------------------------------------------------------------------------------- */

static int days_between(time_t due, time_t handed_in) {
    return due == 0 || handed_in <= due ? 0 : (int)((handed_in - due - 1) / 86400) + 1;
}

struct sum sum_of(const struct class *class, const struct submission *s,
                  const struct points *points, const struct due *due) {
    struct sum sum = {.known = is_known(class, s)};
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
