/* What a check has found out, of one exercise or of the file as a whole: kinds, codes, names,
   places and numbers, and no sentences. The tutor's words.c turns a finding into words, json.c into
   JSON. */
#pragma once

#include "base/child.h"
#include "course/lesson.h"

/* --- the report of a test program ------------------------------------------------------------- */

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
    struct text relations; /* of them to those that are expected, see diagnose/chance.c */
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

/* --- what it shows ---------------------------------------------------------------------------- */

/* clang-format off */
/* Each with the name that it has in JSON. */
#define FINDING_KINDS(X)                                                                           \
    X(NOTHING, "not-checked")                                                                      \
    X(PASSED, "passed")                                                                            \
    X(TODO, "to-do")                                                                               \
    X(MISSING, "missing")                                                                          \
    X(WAITS, "waits")                                                                              \
    X(WRONG, "wrong")                                                                              \
    X(CRASH, "crash")                                                                              \
    X(TIME, "time")                                                                                \
    X(FLOOD, "flood")                                                                              \
    X(MEMORY, "memory")                                                                            \
    X(NOT_COMPILED, "does-not-compile")                                                            \
    X(NOT_LINKED, "does-not-link")                                                                 \
    X(OUTSIDE, "outside") /* the system or another file is the reason */

/* In JSON they are in small letters. */
#define FINDING_CODES(X)                                                                           \
    X(NO_CODE)                                                                                     \
    /* what a sanitizer or the system said of a crash */                                           \
    X(OUTSIDE_HEAP) X(OUTSIDE_ARRAY) X(OUTSIDE_OWN) X(OUTSIDE_LOCAL) X(OUTSIDE_STATIC)             \
    X(INDEX_OUTSIDE) X(FREED_ALREADY) X(FREED_TWICE) X(FREED_ANOTHERS) X(STACK_FULL) X(RECURSION)  \
    X(SCOPE_OVER) X(HUGE_REQUEST) X(MUCH_MEMORY) X(NO_MEMORY) X(MORE_MEMORY) X(OVERLAP)            \
    X(NEGATIVE_SIZE) X(ABORTED) X(ZERO_DIVISOR) X(NULL_POINTER) X(WILD_POINTER) X(MAKES_NAN)       \
    X(MAKES_INFINITY) X(TOO_LARGE) X(SHARES_ARRAY) X(SETS_BYTES) X(CUTS_DIFFERENCE)                \
    X(KEEPS_STATIC) X(FORGETS_SIZE) X(STAYS_AT_INDEX) X(WRAPS_AROUND) X(KEEPS_LAST_ROUND)          \
    X(SWAPS_ARGUMENTS) X(SETS_POINTER)                                                             \
    /* and what is said beside another fact */                                                     \
    X(LEAVES_PARAMETER) X(LEAVES_MEMBER) X(RETURNS_EARLY) X(LEAK) X(INT_OVERFLOW) X(CAST_OVERFLOW) \
    X(EMPTY_ARRAY) X(UNSET_BOOL) X(UNDEFINED) X(CRASHED) X(WILD_SIGNAL) X(KILLED) X(OTHER_SIGNAL)  \
    X(ENDED_PROGRAM) X(CALLED_EXIT) X(OTHER_PROCESS) X(OWN_THREAD) X(JUMPED_OUT) X(SAID_BY_BOX)    \
    /* why the program was stopped */                                                              \
    X(WORKED_LONG) X(ENDLESS_LOOP) X(WAITED_LONG) X(PRINTED_MUCH) X(OTHER_ERROR)                   \
    /* what a compiler said of the file */                                                         \
    X(NO_RESULT) X(NOT_CALLED) X(NO_POWER) X(WHOLE_NUMBERS) X(WHOLE_ARRAY) X(COUNT_ARGUMENTS)      \
    X(STRUCT_ADDRESS) X(OTHER_ORDER) X(INDEX_MISSING) X(A_MEMBER) X(OTHER_STRUCT)                  \
    X(ELSE_WITHOUT_IF) X(BRACE_ABOVE) X(BRACE_BEFORE) X(LOOP_IS_EMPTY) X(COMMA_OR_BRACKET)         \
    X(BRACE_OR_COMMA) X(FUNCTION_INSIDE) X(OUTSIDE_FUNCTION) X(SEMICOLON_OR_COMMA)                 \
    X(NOT_A_FUNCTION) X(STRANGE_CHARACTER) X(BRACE_TOO_MANY) X(EXPRESSION_MISSING)                 \
    X(SEMICOLON_NEAR) X(SEMICOLON_ABOVE) X(VARIABLE_SIZE) X(CONST_VARIABLE) X(CONST_INPUT)         \
    X(CONST_LOST) X(NO_RETURN) X(NEEDS_HEADER) X(ABS_OF_DOUBLE) X(NATURAL_LOG) X(DRAWS_NUMBERS)    \
    X(UNDECLARED_FUNCTION) X(UNDECLARED) X(NO_SHAPE) X(FEW_INDICES) X(OTHER_TYPE) X(ARRAY_SET)     \
    X(NO_SUCH_MEMBER) X(OTHER_FIRST_LINE) X(COMPILER_FAILED) X(COMPILER_ENDLESS) X(INCLUDES_CODE)  \
    /* what a linker said */                                                                       \
    X(EXERCISE_MISSING) X(FUNCTION_MISSING) X(CALLED_ELSEWHERE) X(MAIN_TWICE) X(DEFINED_TWICE)     \
    X(NONE_THERE) X(LINK_FAILED)                                                                   \
    /* what is wrong with the file or the system */                                                \
    X(NO_SUCH_FILE) X(UNREADABLE) X(DISK_FULL) X(FOLDER_GONE) X(NOT_WRITABLE)
/* clang-format on */

#define FOUND(name, json) FOUND_##name,
enum finding_kind { FINDING_KINDS(FOUND) };
#undef FOUND
#define CODE(name) name,
enum finding_code { FINDING_CODES(CODE) FINDING_CODE_COUNT };
#undef CODE

/* The calls of the learner's functions, the innermost first; each function once. */
struct frame {
    int line, column; /* column is 0 where the compiler does not tell */
    char function[NAME_SIZE];
};
struct stack {
    struct frame frames[16];
    int count;
    int calls;               /* with each call of a function */
    char earlier[NAME_SIZE]; /* the function of an earlier lesson that the first of them called */
};

/* The mistakes that give the learner's numbers, and how sure it is that one of them is behind. */
enum { SLIP_SIZE = 800 };
struct cause {
    enum sureness {
        NO_CAUSE,
        STATED,       /* it is that one */
        LIKELY,       /* it looks like that one */
        EITHER,       /* it is one of those */
        OF_ONE_KIND,  /* many of one kind: what to change is known, and not where */
        IN_THIS_TEST, /* it would fail so in `test`, though not in all */
    } sureness;
    bool generated;   /* not from the list */
    bool certain;     /* it is listed, and there are more than a few plain numbers */
    bool short_tests; /* nothing is known of the longest tests */
    /* What each of them is: the list's sentence, or a clause for a generated one. */
    char slips[3][SLIP_SIZE];
    int count;            /* of these */
    char kind[100];       /* advice for all of one kind: "change a constant" */
    char test[NAME_SIZE]; /* "": the first that fails */
    struct text names;    /* of all slips that say this, a line each */
};

struct finding {
    enum finding_kind kind;
    enum finding_kind stopped; /* WRONG: how a later test was stopped, FOUND_TIME or FOUND_FLOOD */
    enum finding_code code;
    struct exercise *exercise; /* NULL: the whole file, or unknown */
    const struct test *test;   /* one that has not passed, mostly the first; NULL: there is none */

    char where[400];          /* the learner's file, or another; "" if unknown */
    int line, column;         /* 0: unknown */
    char function[NAME_SIZE]; /* the learner's function there; "" if unknown */
    struct text excerpt;      /* the source line, and what the compiler drew under it */
    struct stack stack;
    int at;                /* the frame of that place */
    char right[NAME_SIZE]; /* a function that is right, which it called last; "" */

    char quote[600];         /* the compiler's own words, or another program's */
    char name[NAME_SIZE];    /* of the array, function or header in question */
    char element[NAME_SIZE]; /* of that array: weights[2][0] */
    char own_names[100];     /* what the function may call that array, by blanks */
    int dims[4], rank;       /* its size */
    bool wrote, is_before;   /* not read; before its start, not past its end */
    double number;           /* seconds, a status, an index, MB */
    bool takes_memory;       /* the lesson's functions may take memory of their own */

    struct cause cause;
    struct text laws; /* that the exercise breaks, at most two, a line each */
};

const char *finding_kind_name(enum finding_kind kind);
const char *finding_code_name(enum finding_code code); /* "null-pointer" */

/* Does the sentence say itself that it may be another mistake? */
bool cause_hedges(const struct cause *cause);

/* Did the program have to be stopped: for the time that it took, or for what it printed? */
bool finding_is_stop(const struct finding *finding);
