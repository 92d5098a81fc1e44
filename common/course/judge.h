/* Reads what a lesson's test program reported, and judges each exercise. */
#pragma once

#include "base/child.h"
#include "course/lesson.h"

enum verdict { PLANNED, RUNNING, PASSED, FAILED, TODO_REACHED };

struct test {
    struct exercise *exercise;
    char name[NAME_SIZE];
    enum verdict verdict;
    char where[256];       /* file:line of the expectation that failed */
    char message[800];     /* weights[1][2]: expected 0.2500, was 0.5000 */
    char broke[800];       /* the property that broke */
    bool sure;             /* and it says all: a cell never set, a float */
    bool guessed;          /* or it is a guess: the only row that is right */
    char evidence[1100];   /* the numbers, see expect.c */
    struct text relations; /* of them to those that are expected, see slips/chance.h */
    char trapped[16];      /* what made the first NaN, where that is known: testing/trap.h */
    struct text trap_stack;
    struct text facts; /* of its exercise, where it is the first that failed: testing/laws.c */
    char touched[400]; /* how a crash came about, in codes: see testing/where.h */
    char missing[NAME_SIZE]; /* the function that is not written yet */
    char todo[256];          /* file:line of its TODO */
    double seconds;          /* 0 if it did not come to its end */
    double cost;             /* of CPU in the box, where the test bounds the work; or 0 */
    double reference_cost;   /* what the reference takes, if that is far less; or 0 */
    struct text inputs;      /* lines "scores = 1, 2, 3": the matrices made before the output */
    struct text detail;      /* lines, both sides of a matrix */
    struct text printed;     /* what the learner's code printed during this test */
};

struct report {
    struct test *tests;
    int count;
    bool finished;     /* the program came to its end */
    char failure[200]; /* of ours, where a file is graded: it is nobody's fault who is judged */
};

/* Adds what one run of the program said. Tests that were known before are overwritten. */
void report_read(struct report *report, struct lesson *lesson, const struct child *child);

/* As if the tests of the exercise had not run yet. */
void report_forget(struct report *report, const struct exercise *exercise);

/* Sets state, tests and passed of every exercise. */
void report_judge(const struct report *report, struct lesson *lesson);

/* A test that called a function that the file has not, which a graded file may do. */
bool test_of_missing(const struct test *test);

/* The first test of the exercise that has not passed. */
struct test *report_first_bad(const struct report *report, const struct exercise *exercise);
