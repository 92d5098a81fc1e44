/* What a class handed in, and what became of it. Everything that make grade writes is made of this.
 */
#ifndef CLASS_H
#define CLASS_H

#include "../tutor/text.h"
#include "sha256.h"
#include "verdict.h"

#include <time.h>

/* A lesson of the course, as far as grading knows it. */
struct course_lesson {
    char folder[64], name[64], number[8]; /* 02-dot-product, dot_product, 02 */
    struct path title;
    struct hash key; /* of all that a verdict depends on, but the file that was handed in */
    bool asked;      /* it is graded */
    struct verdict reference;
};

/* GRADED and NOT_BUILT are verdicts; REFUSED is what the submission is to blame for, FAILED what we
   are, and STOPPED waits for another run. */
enum row_state { GRADED, NOT_BUILT, MISSING, REFUSED, FAILED, STOPPED };

/* One lesson of one submission. */
struct row {
    enum row_state state;
    bool found;          /* something was there under its name */
    struct text problem; /* of what has no verdict: why */
    struct hash sha256;  /* of the file */
    struct hash key;     /* under which its verdict is kept */
    int unit;            /* of what is judged: see grading.c */
    time_t handed_in;    /* 0: nothing was */
    bool headers;        /* it brought headers, which are not taken */
    const struct verdict *verdict;
};

struct student;

struct submission {
    char *name;                    /* as the file system has it */
    struct text shown;             /* the same as text that can be read: see names.h */
    int number;                    /* what its files are called by: s017 */
    struct text aside;             /* what of it was left aside, and why; or nothing */
    struct text release;           /* its files of the release: see handed_out.h */
    const struct student *student; /* on the roster, or NULL */
    struct row *rows;              /* one for each lesson of the course */
};

struct class {
    const char *dir; /* as it was asked for */
    struct course_lesson *lessons;
    int lesson_count;
    struct submission *submissions;
    int count;
    struct text others; /* what lies beside the submissions and is none: "notes.txt, ada.7z" */
};

/* The word for it in the tables. */
const char *row_state_word(enum row_state state);

/* Exercises done, of how many; tests passed, of how many: of a row without a verdict, the first of
   each is 0. */
struct score {
    int done, of, passed, tests;
};
struct score row_score(const struct class *class, const struct submission *s, int lesson);

/* The first thing that is wrong, in a line: "entropy: A minus stands in front." */
const char *row_problem(const struct row *row);

/* Was anything of a graded lesson handed in? */
bool handed_in_any(const struct class *class, const struct submission *s);

/* s017, s017-01-softmax, and feedback/s017-01-softmax.txt. */
struct path submission_id(const struct submission *s);
struct path row_id(const struct class *class, const struct submission *s, int lesson);
struct path row_feedback(const struct class *class, const struct submission *s, int lesson);

#endif
