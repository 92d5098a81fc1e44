/* Finds out which slip a learner made: those that are known, and those that a generator thinks of,
   are run by the lesson's own tests, and fail in the same tests with the same numbers
   (writing.h).
 */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include "check/check.h"

/* Finds the cause of the first exercise that is not done, if that is wrong and a known mistake
   matches. The exercise's table is made at its first failure, and kept. */
void diagnose(struct check *check, struct lesson *lesson, const struct settings *settings,
              char *const objects[]);

/* The same for every exercise that is wrong. */
void diagnose_all(struct check *check, struct lesson *lesson, const struct settings *settings,
                  char *const objects[]);

/* The learner's code without the other exercises: the function, and what else it may call, without
   comments. The caller frees it. */
struct text own_source(const struct lesson *lesson, const char *exercise);

/* What takes longer, and is asked for by make hint. */
struct advice {
    int lines[2]; /* of the learner's file, where to look; 0: there is none */
    enum advised { NO_CHANGE, KIND_OF_CHANGE, KNOWN_MISTAKE, SAME_TWICE, TWO_MISTAKES } change;
    char first[800], second[800]; /* "use another size", or what the slips of the list say */
    int repairs;                  /* do all tests pass with one change in that line? */
    int gave_up;                  /* was the search too long? */
};

/* For an exercise that is wrong or broken in the last check. Where that has named a mistake, only
   lines like it count. */
struct advice diagnose_further(struct lesson *lesson, const struct exercise *exercise,
                               const struct settings *settings, char *const objects[]);

#endif
