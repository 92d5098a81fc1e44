/* What common/grade/one.sh found out about one file. */
#ifndef VERDICT_H
#define VERDICT_H

#include "base/text.h"

#include <stdbool.h>

enum test_result { TEST_PASSED, TEST_FAILED, TEST_ERROR, TEST_SKIPPED };

struct judged_test {
    const char *sentence, *place, *said; /* place: "test_softmax.c:12", or empty */
    enum test_result result;
    double seconds;
};

struct judged_exercise {
    const char *name, *state, *mistake; /* state: done, wrong, broken, todo, missing, waits ... */
    int passed, count;                  /* of its tests */
    struct judged_test *tests;
    int listed;     /* how many of them are listed */
    bool reference; /* it is the reference's text, but for layout, comments and names */
};

struct verdict {
    bool there, built, in_part; /* in part: some of its functions do not compile */
    int done, of, passed, tests;
    const char *problem;
    struct judged_exercise *exercises;
    int count;
    double seconds;
    struct text first, exercise_lines, test_lines; /* what all the strings point into */
};

/* Reads what lies in the folder; false if it is not whole. `place` is left out wherever it stands.
 */
bool verdict_read(struct verdict *verdict, const char *folder, const char *place);
void verdict_free(struct verdict *verdict);

bool is_done(const struct judged_exercise *e);

#endif
