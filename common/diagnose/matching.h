/* Which slips fail exactly as the learner did? A table has what common/testing/slip_test.c reported
 * of each. */
#pragma once

#include "base/text.h"
#include "course/finding.h"
#include "diagnose/writing.h"

#include <stdbool.h>

struct failure {
    int slip; /* its number; 0 for the unchanged file */
    const char *test;
    char how;             /* ~ X T S U - / = : ! @ % ? ^: see there */
    const char *evidence; /* "3 N 6 0.25 0.5 ..." */
};

struct table {
    struct text text; /* the lines, cut into strings */
    struct variant *slips;
    int slip_count;
    struct failure *failures; /* in order of the slips */
    int count;
    struct table_test {
        const char *exercise, *name;
    } * tests;
    int test_count;
    bool whole; /* the runner came to its end */
};

/* A table as text: the slips, one a line; what the runner reported comes behind it. */
void table_write_slips(struct text *text, const struct variants *variants);

/* Takes the text over, and cuts it up. */
void table_read(struct table *table, struct text text);

/* What was left out of a table comes from another one of the same slips. */
void table_fill(struct table *table, const struct table *other);

/* How the tests of an exercise came out. */
struct outcomes {
    struct outcome {
        const char *test;
        bool passed;
        const char *evidence;  /* of one that failed; "": it crashed, or was not run */
        const char *relations; /* "times| 0.25 0.5|Each of your numbers is ...", one a line */
    } * tests;
    int count;
};
void outcomes_add(struct outcomes *outcomes, struct outcome outcome);

/* The first that did not pass; NULL. */
const struct outcome *first_bad(const struct outcomes *outcomes);

/* Do all tests come out for the slip as they did for the learner? */
bool table_matches(const struct table *table, int slip, const struct outcomes *outcomes);

/* Were long tests not run for the slip? What they would say is not known. */
bool table_left_out(const struct table *table, int slip, const struct outcomes *outcomes);

/* Would a generated slip be reported without having run in all tests? */
bool table_unproven(const struct table *table, const struct outcomes *outcomes);

/* Is it one, and not something else that a test has said? */
bool is_failure(const struct failure *failure);

/* How a slip failed in a test (NULL: in any); NULL: it did not. */
const struct failure *table_failure(const struct table *table, int slip, const char *test);

/* True when all tests passed for that slip. */
bool table_passes(const struct table *table, int slip);

/* Different numbers among the evidence that chance does not make, up to three. */
int evidence_strength(const struct outcomes *outcomes);

/* Is it a slip, and has it a sentence? */
bool may_be_told(const struct variant *variant);

/* Which slips are behind it. It is STATED if all failing tests are the slip's, their numbers
   say enough, no other slip has them, and the learner's source shows it (`doubt`); otherwise it is
   LIKELY. */
struct cause table_cause(const struct table *table, const struct outcomes *outcomes);

/* --- what a source shows of a slip: shown.c --------------------------------------------------- */

/* The statements of a text, heads of loops and conditions too: each on the line without its blanks,
   between two bytes 1. */
const char *statements_of(const char *from, const char *to);

/* Adds what a variant takes out of a function, "\1statement\1statement\1", a tab, and what it puts
   there; where that is nothing, the two statements that meet. */
void add_exchange(struct text *text, const char *function, const struct variant *variant);

/* Has a list of statements this token, which is written as in statements_of()? */
bool has_token(const char *statements, const char *token);

/* What the statements of a source say of a slip that came with its exchange. */
enum doubt doubt_about(const struct variant *slip, const char *statements);

/* Notes what the learner's source says of each of these slips: their `doubt`. */
void note_doubts(const char *own, struct variant *slips, int count);

/* The line of a learner's own function in which a known mistake stands: the one that the mistake
   has and the reference has not, where local variables may have other names. `mistake` is a variant
   of `reference`, and `own` the learner's file. 0: no line is like it, or several are. */
int line_of_mistake(const struct variants *own, const struct variants *reference,
                    const struct variant *mistake);

/* --- is a relation between wrong numbers and the right ones more than chance? chance.c -------- */

/* The message about a relation in the first failing test. `source` is the function, and
   what else it may call. */
struct relation {
    const char *sentence; /* ""; nothing */
    bool sure;            /* it says all: a float */
    bool weak;            /* reported only when there is nothing else */
};
struct relation relation_of(const struct outcome *tests, int count, const struct code *source);
