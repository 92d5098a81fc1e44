/* A lesson, as the tutor knows it: what its folder holds. Its exercises are the functions that its
   hints.md has a section for, "## name", in the order of its header: what else the header declares
   is given. */
#pragma once

#include "base/files.h"

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
    const char *results; /* what the last check found: see below */
    struct exercise *exercises;
    int count;
    bool unbuilt; /* the file does not compile or link: all exercises are NOT_CHECKED */
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

/* True when the file builds, and every exercise is done. Without results that hold, none is. */
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

/* --- what the last check found -----------------------------------------------------------------

   It is in one file, which also says of what: of the learner's file, the headers, the tests and the
   references as they were then. Nothing else says whether a lesson is passed. */

enum results {
    NO_RESULTS,  /* never checked, and nothing is written in it; or the file is not there */
    OLD_RESULTS, /* the learner's file is another now, or was never checked */
    RENEWABLE,   /* the file is the same, and passed, but not what it was checked with */
    RESULTS,     /* they hold */
};

/* Sets the exercises' states: only from results that hold. Otherwise what is still a TODO is not
   started, and the rest not checked. */
enum results results_load(struct lesson *lesson);

/* Keeps what a check has found of these files; false, and a line that says why, if it cannot. */
bool results_save(const struct lesson *lesson, const struct stamps *of);

/* --- a release ---------------------------------------------------------------------------------

   A release (common/grade/release.sh) has no answers that a student reads by accident: in place of
   PATH it holds sealed/PATH, with each printable sign rotated (ROT47). This keeps no secret. */

/* Is this a release? */
bool is_release(void);

/* The path itself, or the sealed file in its place. */
const char *sealed_path(const char *path);

/* What the file holds, or the sealed one in its place; "" if there is neither. */
const char *sealed_text(const char *path);

/* Seals a text. Sealing it again gives it back. */
void text_seal(struct text *text);
