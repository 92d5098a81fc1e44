/* A lesson, as the tutor knows it: what its folder holds. Its exercises are the functions that its
   hints.md has a section for, "## name", in the order of its header: what else the header declares
   is given. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

/* WAITING: another one must be right before this one can be judged. */
enum state { NOT_CHECKED, NOT_STARTED, WAITING, WRONG, BROKEN, DONE };

struct exercise {
    char name[NAME_SIZE];
    struct text contract; /* the comment above it in the header */
    enum state state;
    const char *waits_for; /* while it is WAITING: the other's name */
    int tests, passed;     /* in the last check */
    const char *told;      /* in words, why it is not done; "" if that needs none */
    const char *slips;     /* the names of the slips that these words are about, a line each */
    int line;              /* of its definition in the learner's file; 0 when it has none */
    bool todo;             /* that definition begins with TODO(...) */
};

struct lesson {
    char folder[64];  /* 02-dot-product */
    char number[8];   /* 02 */
    char name[64];    /* dot_product */
    char title[64];   /* Dot-product attention */
    char tagline[96]; /* Score by dot product, blend by weight. */
    const char *readme, *header;
    const char *source;  /* the learner's file */
    const char *results; /* what the last check found: see results.h */
    struct exercise *exercises;
    int count;
    bool unbuilt; /* the file does not compile or link: nothing in it is checked */
};

/* `from` is the folder with the implementations, `out` the one for what is made of them. */
bool lesson_read(struct lesson *lesson, const char *folder, const char *from, const char *out);

/* Some exercises of a lesson, as a set: bit i is exercise number i. */
typedef unsigned long long exercise_set;
enum { MOST_EXERCISES = 63 };

static inline exercise_set only(int i) {
    return 1ull << i;
}
static inline bool has(exercise_set set, int i) {
    return (set >> i) & 1;
}
static inline exercise_set all_exercises(const struct lesson *lesson) {
    return only(lesson->count) - 1;
}

/* Blanks the definitions of these exercises in a source; lines stay where they are. */
void blank_exercises(char *source, const struct lesson *lesson, exercise_set set);

/* A file beside the lesson's results. */
const char *lesson_file(const struct lesson *lesson, const char *name);

/* The names of all lesson folders in `where`, in order: lessons/, or tests/, which a release has of
   those lessons only that are to be done in it. NULL ends them. */
char **lesson_folders(const char *where);

/* True when the file builds and every exercise is done. */
bool lesson_done(const struct lesson *lesson);
int lesson_done_count(const struct lesson *lesson);
/* The first that is written and wrong, or else the first that is not done: a learner who leaves one
   for later gets findings about what was written meanwhile. One that waits for another does not
   come before that.
 */
struct exercise *lesson_first_undone(struct lesson *lesson);
struct exercise *lesson_exercise(struct lesson *lesson, const char *name);

const char *state_word(enum state state);

/* Do its functions take memory of their own? The reference tells. */
bool lesson_takes_memory(const struct lesson *lesson);

/* solutions/NN-name/name.c, and tests/NN-name/slips. */
const char *reference_of(const struct lesson *lesson);
const char *list_of(const struct lesson *lesson);
