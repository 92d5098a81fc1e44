/* Compiles the learner's file, links it with a lesson's tests, runs them, and judges. */
#pragma once

#include "base/child.h"
#include "base/files.h"
#include "base/tokens.h"
#include "explain/explain.h"

struct settings;
struct task;
struct check;

enum step {
    COMPILE, /* makes the object `to` of the source `from` */
    LINK,    /* makes the program `to` of the object `from` and the words that follow */
    TEST,    /* runs the test program `from` */
    DRAW,    /* runs the program `from`, which writes its tables into the folder `to`, or none */
};

/* How a learner's file is compiled, linked and run: by child processes, or in the box for other
   people's files, which the tutor sets up (common/grade/box). A check asks its runner, and knows
   nothing of processes and boxes. */
struct runner {
    /* Begins the command for a step; words can be added to it. */
    void (*begin)(struct command *command, const struct settings *settings, enum step step,
                  const char *from, const char *to);
    /* Compiles or links. */
    void (*build)(struct child *child, struct command *command, struct limits limits);
    /* Runs `program`, whose command begun with TEST may name exercises. */
    void (*test)(struct check *check, struct child *child, struct command *command,
                 const char *program);
    /* Makes an object with the reference's functions for these exercises. NULL: it cannot. */
    const char *(*reference)(const struct task *task, exercise_set standing);
    /* A last look when all exercises are judged; or NULL. */
    void (*look_again)(struct check *check, const char *program);

    char *const *objects; /* what the file is linked with; NULL: with the tests */
    const char *missing;  /* C code for functions that the file does not have; or NULL */
    int most_stops;       /* so many endless loops or floods end the run */
    bool boxed;           /* may it run code that has not been read? */
    bool is_mixed;        /* does a replacing reference call the file's other functions? */
};

/* Child processes on this machine. */
extern const struct runner child_runner;

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

    struct calls calls; /* of the learner's file and the tests, once trial.c has read them */
    const struct exercise *followed; /* through the calls */
    int stops;                       /* how often the program had to be stopped */
    double spent;                    /* what those have taken, where the runner counts it */
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

/* --- building: build.c ------------------------------------------------------------------------ */

/* The lesson's object ("o"), the lock that is held while it is built, or a program of that name. */
const char *built(const struct task *task, const char *what);

/* Compiles the file; false, and what is wrong in `check`, if that was not possible. */
bool build_object(struct check *check);

/* The same, unless there is an object that is still good. Locks for as long. */
bool build_object_if_old(struct check *check);

/* Links the lesson's object with those of the check. */
bool build_program(struct check *check, const char *program);

/* Links an object with another one (NULL: none), with those and the libraries. */
bool build_link(struct child *child, struct check *check, const char *object, const char *other,
                const char *program);

/* --- running the tests: trial.c --------------------------------------------------------------- */

/* Runs the tests of the exercises that are due, and judges; what was known of them is forgotten. A
   crash or a loop in one does not end the others. */
void trial_run(struct check *check, const char *program, exercise_set due);

/* Sets the states. */
void trial_judge(struct check *check);

/* Has the program been stopped so often that nothing more is to be run? */
bool trial_is_over(const struct check *check);

/* Might the tests of `e` that have not passed run `other`? */
bool trial_needs(struct check *check, const struct exercise *e, const struct exercise *other);

/* --- with the reference in place of an exercise: standin.c ------------------------------------ */

/* After a run in which some exercises were not done: runs those again that need another of them,
   until each is judged by its own lines, or waits for another where the cause is unknown. `program`
   is the one that was run. */
void standin_judge(struct check *check, const char *program);

/* An object with the reference's functions for these exercises of the lesson, and with nothing else
   that another file can see. False without a solution or without objcopy. */
bool standin_object(const struct task *task, exercise_set standing, const char *path);

/* The same, beside the lesson's object. */
const char *standin_reference(const struct task *task, exercise_set standing);

/* Links a program in which the reference's functions for these exercises replace those of the
   object `own`; NULL: there is no such object. */
bool standin_link(struct check *check, exercise_set standing, const char *own, const char *program);
