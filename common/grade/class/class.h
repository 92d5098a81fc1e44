/* What a class handed in, and what became of it. Everything that make grade writes is made of this.
 */
#ifndef CLASS_H
#define CLASS_H

#include "base/sha256.h"
#include "base/text.h"
#include "course/judged.h"

#include <time.h>

/* A lesson of the course, as far as grading knows it. */
struct course_lesson {
    char folder[64], name[64], number[8]; /* 02-dot-product, dot_product, 02 */
    struct path title;
    struct hash key; /* of all that a verdict depends on, but the file that was handed in */
    bool asked;      /* it is graded */
    struct judged reference;
};

/* What says when something was handed in. */
enum clock { BY_FILE, BY_TIMESTAMP, BY_NAME, BY_WORKSHEET };

/* One lesson of one submission. */
struct row {
    enum file_state state;
    bool begun;          /* a file was handed in that is not the stub */
    struct text problem; /* of what has no verdict: why */
    struct text
        note;      /* what was read instead of NN-name/name.c, or was left beside it; or nothing */
    bool doubtful; /* somebody should look at what the note says */
    struct hash sha256; /* of the file */
    struct hash key;    /* under which its verdict is kept */
    int unit;           /* of what is judged: see grading.c */
    time_t handed_in;   /* 0: nothing was */
    enum clock clock;   /* which says so */
    bool headers;       /* it brought headers of its own, which are not taken */
    const struct judged *verdict;
};

struct student;

struct submission {
    char *name;                         /* as the file system has it */
    struct text shown;                  /* the same as text that can be read: see names.h */
    int number;                         /* what our copies of its files are called by: s017 */
    char *label;                        /* what is written about it is called by: see label.h */
    struct path canvas_id, canvas_name; /* of a file that Canvas named; or nothing */
    bool late_by_canvas;                /* which says that it is late */
    struct text release;                /* its files of the release: see handed_out.h */
    bool release_changed;               /* some of them are not as they were */
    const struct student *student;      /* on the roster, or NULL */
    struct row *rows;                   /* one for each lesson of the course */
};

struct class {
    const char *dir; /* as it was asked for */
    struct course_lesson *lessons;
    int lesson_count;
    struct submission *submissions;
    int count;
    struct text others; /* what lies beside the submissions and is none: "notes.txt, plan.pdf" */
    struct text chosen; /* why these lessons are graded, where nobody named them */
};

/* Exercises done, of how many; tests passed, of how many: of a row without a verdict, the first of
   each is 0. */
struct score {
    int done, of, passed, tests;
};
struct score row_score(const struct class *class, const struct submission *s, int lesson);

/* The first thing that is wrong, in a line: "entropy: A minus stands in front." */
const char *row_problem(const struct row *row);

/* What is said of a row, or "". How many of the graded lessons have the same to say as that one; 0
   if it has nothing to say, or an earlier one has said it. */
typedef const char *reason(const struct row *row);
int rows_with(const struct class *class, const struct submission *s, int lesson, reason *why);

/* Was anything of a graded lesson handed in? */
bool handed_in_any(const struct class *class, const struct submission *s);

/* Is all of it judged, or not there? If not, there is no sum of its points. */
bool is_known(const struct class *class, const struct submission *s);

/* copies/s017, in the folder of our own work. */
struct path copies_of(const char *work, const struct submission *s);

/* ada-01-softmax, and feedback/ada-01-softmax.txt. */
struct path row_id(const struct class *class, const struct submission *s, int lesson);
struct path row_feedback(const struct class *class, const struct submission *s, int lesson);

#endif
