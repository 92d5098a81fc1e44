/* What a class handed in, and what became of it. Everything that make grade writes is made of this.
   The program runs once and then ends, so strings and rows are never freed. */
#ifndef CLASS_H
#define CLASS_H

#include "base/sha256.h"
#include "base/text.h"
#include "course/judged.h"

#include <time.h>

/* A lesson of the course, as far as grading knows it. */
struct course_lesson {
    char folder[64], name[64], number[8]; /* 02-dot-product, dot_product, 02 */
    const char *title;
    struct hash key; /* hash of everything else than the file that a verdict depends on */
    bool asked;      /* it is graded */
    struct judged reference;
    const char *solution,
        *stub; /* the texts of the reference and of the stub; NULL: not read yet */
};

/* What says when something was handed in. */
enum clock { BY_FILE, BY_TIMESTAMP, BY_NAME, BY_WORKSHEET };

struct unit;
struct student;
struct submission;

/* One lesson of one submission. */
struct row {
    const struct submission *by;
    const struct course_lesson *lesson;
    enum file_state state;
    bool begun;          /* a file was handed in that is not the stub */
    const char *problem; /* why there is no verdict, or "" */
    const char *note;    /* what was read instead of NN-name/name.c, or was left beside it, or "" */
    bool doubtful;       /* the lecturer should look at what the note says */
    const char *source;  /* our copy of the file that is judged, or NULL */
    struct hash sha256;  /* of that file */
    struct unit *unit;   /* see grading.c */
    time_t handed_in;    /* 0: nothing was */
    enum clock clock;    /* which says so */
    bool headers;        /* it brought headers of its own, which are not taken */
    const struct judged *verdict;
    const char *screen; /* the file with the learner's own screen; there is one with a verdict */
};

struct submission {
    const char *name;                    /* as the file system has it */
    const char *shown;                   /* the same as text that can be read: see names.h */
    int number;                          /* names our copies of its files: s017 */
    const char *label;                   /* names the files that are written about it */
    const char *canvas_id, *canvas_name; /* from a file that Canvas named, or "" */
    bool late_by_canvas;                 /* Canvas says that it is late */
    const char *release;                 /* its files of the release: see handed_out.h */
    bool release_changed;                /* some of them are not as they were */
    const struct student *student;       /* on the roster, or NULL */
    struct row *rows;                    /* one for each lesson of the course */
    struct row **graded;                 /* those of the graded lessons */
    bool told;                           /* its line is on the screen */
};

struct class {
    const char *dir; /* as it was asked for */
    struct course_lesson *lessons;
    int lesson_count;
    struct submission **submissions;
    int count;
    int graded_count;  /* graded lessons: as many as a submission has graded rows */
    struct row **rows; /* the graded rows of all submissions, in order */
    int row_count;
    const char *others; /* files beside the submissions: "notes.txt, plan.pdf" */
    const char *chosen; /* why these lessons are graded, where LESSON= does not name them, or "" */
};

/* Adds a submission that handed in nothing so far. */
struct submission *add_submission(struct class *class, const char *name);

/* Once all submissions and the graded lessons are known: sorts the submissions, labels them, and
   lists the graded rows. */
void settle_class(struct class *class);

/* Exercises done, of how many; tests passed, of how many. Without a verdict nothing is done. */
struct score {
    int done, of, passed, tests;
};
struct score row_score(const struct row *row);

/* What became of the exercise of that number; NULL without a verdict. */
const struct judged_exercise *row_exercise(const struct row *row, int number);

/* The first thing that is wrong, in a line: "entropy: the minus is missing" */
const char *row_problem(const struct row *row);

/* Sets of states: IN(LOST) | IN(STOPPED). DOUBTFUL rows are in it as well as in their own state. */
enum { DOUBTFUL = FILE_STATES };
#define IN(state)  (1U << (state))
#define NO_VERDICT (IN(NOT_READ) | IN(LOST) | IN(STOPPED))

/* The states of a submission's graded rows. */
unsigned states_of(const struct class *class, const struct submission *s);

/* Why a row is in one of these states, in words; what its note says, if it is DOUBTFUL; "" if it is
   in none of them. */
const char *why_in(const struct row *row, unsigned states);

/* How many of the submission's graded rows have the same reason as this one; 0 if it has none, or
   if an earlier row has the same. */
int rows_with(const struct class *class, const struct row *row, unsigned states);

/* Was anything of a graded lesson handed in? */
bool handed_in_any(const struct class *class, const struct submission *s);

/* ada-01-softmax, and feedback/ada-01-softmax.txt. */
const char *row_id(const struct row *row);
const char *row_feedback(const struct row *row);

#endif
