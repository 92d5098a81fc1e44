/* What judging one file found. `tutor grade` writes it into a folder, as lines of fields (see
   common/grade/README.md), and make grade reads it there. */
#ifndef JUDGED_H
#define JUDGED_H

#include "base/text.h"

#include <stdbool.h>

/* GRADED, IN_PART (some functions do not compile) and NOT_BUILT are verdicts on a file. A class has
   files without a verdict, too: NOT_READ was handed in and not understood, LOST is our fault, and
   STOPPED waits for another run. */
enum file_state { GRADED, IN_PART, NOT_BUILT, MISSING, NOT_READ, LOST, STOPPED, FILE_STATES };
extern const char *const file_state_words[];

enum test_result { TEST_PASSED, TEST_FAILED, TEST_ERROR, TEST_SKIPPED };

struct judged_test {
    const char *exercise, *sentence;
    enum test_result result;
    double seconds;
    const char *place, *said; /* place: "test_softmax.c:12", or empty */
};

struct judged_exercise {
    const char *name, *state, *mistake; /* state: done, wrong, broken, todo, missing, waits ... */
    int passed, count;                  /* of its tests */
    struct judged_test *tests;
    int listed;     /* how many of them are listed */
    bool reference; /* its text is the reference's, apart from layout, comments and names */
};

struct judged {
    enum file_state state;
    int done, of, passed, tests;
    const char *problem; /* the first one, in a line, or "" */
    struct judged_exercise *exercises;
    int count;
    double seconds;                               /* how long judging took; make grade adds it */
    struct text head, exercise_lines, test_lines; /* what was read: the strings point into it */
};

/* Adds an exercise, or a test to its exercise; the strings are not copied. */
void judged_add(struct judged *judged, struct judged_exercise exercise);
void judged_add_test(struct judged_exercise *exercise, struct judged_test test);

/* False if a file cannot be written. */
bool judged_write(const struct judged *judged, const char *folder);

/* False if the folder does not hold all of it. `place` is left out of all strings. */
bool judged_read(struct judged *judged, const char *folder, const char *place);
void judged_free(struct judged *judged);

bool is_done(const struct judged_exercise *exercise);

#endif
