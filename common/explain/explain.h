/* Reads what compilers, linkers, sanitizers and the test program say of a learner's file: a code,
   names, numbers and a place come out, and no sentence. */
#pragma once

#include "base/child.h"
#include "course/finding.h"

/* Why the program ended as it did, in the middle of test `t` (NULL: after its last test). */
void explain_crash(struct finding *finding, struct lesson *lesson, const struct child *child,
                   const struct test *t);

/* What the test program said of a crash, "past wrote weights weights[2][0] 2 3"; see where.h. */
void explain_touched(struct finding *finding, const char *said);

/* The first error of a compiler or linker. */
void explain_compiler(struct finding *finding, const struct lesson *lesson,
                      const struct child *child);
void explain_linker(struct finding *finding, struct lesson *lesson, const struct child *child);

/* The warnings, a line each, at most `most`, those of a sign last; returns how many there are in
   all. */
int explain_warnings(struct text *lines, const struct child *child, int most);

/* Copies the C name at the start of `at`; false if there is no name. */
bool take_name(char name[NAME_SIZE], const char *at);

/* The words that others use for something, and the code for it. */
struct sign {
    const char *words;
    enum finding_code code;
};
enum finding_code code_in(const struct sign signs[], size_t count, const char *text);
#define CODE_IN(signs, text) code_in(signs, sizeof(signs) / sizeof(signs)[0], text)
