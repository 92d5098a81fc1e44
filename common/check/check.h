/* Compiles the learner's file, links it with a lesson's tests, runs them, and judges. */
#pragma once

#include "base/stamp.h"
#include "check/runner.h"
#include "course/judge.h"
#include "course/lesson.h"
#include "explain/explain.h"

enum stage { NO_FILE, NOT_COMPILED, NOT_LINKED, TESTED };

/* Whose file is built and run, how, and with what. */
struct task {
    struct lesson *lesson;
    const struct settings *settings;
    char *const *objects; /* what the learner's object is linked with; the last is NULL */
};

struct check {
    struct task task;
    char *const *linked; /* what the object is linked with: those, or the runner's */
    enum stage stage;
    struct report report;
    struct finding file;      /* of the file as a whole, if it does not build */
    struct finding *findings; /* of each exercise, in the lesson's order */
    int finding_count;
    struct text warnings; /* of the compiler, the first few */
    int warning_count;
    struct text raw;  /* all that the tools said, for VERBOSE=1 */
    struct stamps of; /* what was checked, the learner's file first */
};

/* How to build, and whose lessons: see base/files.h. */
struct settings {
    const char *from;   /* folder with the implementations: lessons */
    const char *out;    /* folder for results: build/lessons */
    const char *object; /* folder for objects: build/obj-cc */
    const char *compiler, *flags, *libraries;
    const char *slip_flags;    /* for what is run, and not judged: see slip_runs.h */
    const char *warning_flags; /* for warnings that only an optimizer has; "" without any */
    double seconds;            /* of CPU time for the tests of a lesson */
    bool untold;               /* no slip is looked for, which may take a table a second to build */
    const struct runner *runner; /* of what the learner wrote */
    bool untrusted;              /* another person's code, which only a box may compile and run */
    bool references_are_built;   /* by make, of what a release holds in place of solutions/ */
    const char *only; /* the one exercise to test, the others being taken for done; or NULL */
};
struct settings settings_from_environment(void);

/* A check that has found nothing yet. */
void check_begin(struct check *check, struct task task);

/* Sets the state of each exercise, and what was found. */
void check_lesson(struct check *check, struct task task);

/* What was found of an exercise of the lesson. */
struct finding *finding_of(const struct check *check, const struct exercise *e);

/* Completes the findings, once the states are known: see check_lesson(). */
void check_note_findings(struct check *check);

/* Keeps the results. False if they are of no file: it was saved meanwhile. */
bool check_save(const struct check *check);

/* The warnings of a file that was tested, with those that only an optimizer has. */
void check_optimizer_warnings(struct check *check);

/* Sets the environment of compilers, whose messages are read, and of what runs with sanitizers.
   `is_read`: so are stacks. */
void sanitizers_begin(bool is_read);

/* Lets the sanitizer look, in what is run from now on, for memory that is not freed, if the file
   allocates any: that costs a third of a run. */
void look_for_leaks(const struct lesson *lesson);
