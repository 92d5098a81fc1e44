/* What an exercise is worth, and when it had to be there. */
#ifndef POINTS_H
#define POINTS_H

#include "grade/class/class.h"

struct points {
    struct worth {
        const char *exercise;
        double points;
    } * all;
    int count;
    double even;   /* without POINTS=: 100 for all together */
    bool by_tests; /* an exercise that is not done gets the share of the tests that it passes */
};

/* Reads POINTS=; NULL: evenly. Ends the program, with a line, if there is an error in it. */
struct points points_read(const char *path, const struct class *class);

/* What an exercise of a lesson is worth, and what a row gets for it. */
double points_for(const struct points *points, const struct course_lesson *lesson, int exercise);
double points_got(const struct points *points, const struct row *row, int exercise);

/* DUE="2026-11-30T23:59+01:00 10%": until when, and what each day late that has begun costs. */
struct due {
    time_t time; /* 0: whenever */
    double share;
};
struct due due_read(const char *text);

/* All graded lessons of a submission together. */
struct sum {
    double raw, penalty, score, most;
    bool known;       /* if not, a part is not read or not judged, and raw to score mean nothing */
    time_t handed_in; /* the latest; 0: never */
    enum clock clock; /* which says so */
    int days_late;    /* begun ones, of the latest */
};
struct sum sum_of(const struct class *class, const struct submission *s,
                  const struct points *points, const struct due *due);

double hundredths(double x);

#endif
