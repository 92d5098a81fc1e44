/* All that make grade writes: first into OUT.part, or OUT/.part, then, whole, in place of what an
   earlier run wrote into OUT. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "grade/class/class.h"
#include "grade/class/csv.h"
#include "grade/class/points.h"
#include "grade/class/roster.h"

struct output {
    const struct class *class;
    const struct roster *roster;
    struct points points;
    struct due due;
    const char *name, *formats;  /* NAME=, FORMATS= */
    const struct csv *worksheet; /* NULL: none */
    bool unboxed, stopped;
    bool strange_times; /* the worksheet has some that are not understood */
    const char *out, *part;
};

/* Does FORMATS= ask for that format? */
bool is_asked(const struct output *o, const char *format);

/* Ends the program, with a line, if FORMATS= names a format that does not exist. */
void check_formats(const char *formats);

/* Makes OUT.part, which goes when the program ends early, as it does, with a line, wherever
   something cannot be written. */
void output_begin(const struct output *o);
/* Writes one file of it, and frees the text. */
void save(const struct output *o, const char *file, struct text *text);
/* Takes OUT's place. */
void output_end(const struct output *o);

/* Writes all files that are always there or asked for. */
void write_all(const struct output *o);
void write_tables(const struct output *o);       /* results.csv, exercises.csv, index.csv */
void write_feedback(const struct output *o);     /* feedback/ada-01-softmax.txt */
void write_junit(const struct output *o);        /* junit.xml */
void write_nbgrader(const struct output *o);     /* grades.csv */
void write_canvas(const struct output *o);       /* canvas.csv */
void write_moodle(const struct output *o);       /* moodle.csv */
void write_gradescope(const struct output *o);   /* gradescope/ada.json */
void write_prairielearn(const struct output *o); /* prairielearn/ada.json */
void write_check50(const struct output *o);      /* check50/ada-01-softmax.json */
void write_summary(const struct output *o);      /* summary.txt, and on the screen */

/* Reads Moodle's worksheet. Ends the program, with a line, if it has no columns for grades. */
const struct csv *read_worksheet(const char *path);
/* Takes from it when each submission was handed in; false if one of its times is not understood. */
bool moodle_times(const struct output *o);

/* Why there is no sum of a submission's points: "not read: ..."; "" if there is one. */
const char *why_unknown(const struct class *class, const struct submission *s);
/* A submission in a few lines: a line for each lesson, with what is wrong first. */
const char *short_feedback(const struct output *o, const struct submission *s);
/* What to say of one exercise: the mistake, and the tests that failed. */
const char *exercise_feedback(const struct judged_exercise *e);

#define UNBOXED "UNBOXED: what was handed in ran with the rights of whoever graded it (UNSAFE=1)."

#endif
