#include "check.h"

#include "build.h"
#include "command.h"
#include "files.h"
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

struct settings settings_from_environment(void) {
    struct settings s = {
        .from = setting("LOOKBACK_FROM", "lessons"),
        .out = setting("LOOKBACK_OUT", "build/lessons"),
        .object = setting("LOOKBACK_OBJECTS", "build/obj-cc"),
        .compiler = setting("LOOKBACK_CC", "cc"),
        .flags = setting("LOOKBACK_CFLAGS", ""),
        .slip_flags = setting("LOOKBACK_SLIP_CFLAGS", ""),
        .warning_flags = setting("LOOKBACK_WARNING_CFLAGS", ""),
        .fast_flags = setting("LOOKBACK_FAST_CFLAGS", "-O2"),
        .libraries = setting("LOOKBACK_LDLIBS", "-lm"),
        .seconds = atoi(setting("LOOKBACK_SECONDS", "5")),
        .only = getenv("LOOKBACK_ONLY"),
    };
    if (s.seconds < 1)
        s.seconds = 5;
    return s;
}

void check_optimizer_warnings(struct check *check, const struct lesson *lesson,
                              const struct settings *settings) {
    if (check->stage == TESTED && *settings->warning_flags)
        build_warnings(check, lesson, settings);
}

/* --- running -------------------------------------------------------------------------------- */

static void blame(struct check *check, struct exercise *exercise, struct fault *fault) {
    if (check->faulty) {
        fault_free(fault);
        return;
    }
    check->faulty = exercise;
    check->fault = *fault;
}

/* The program ended in the middle of a test, or before its first one. */
static void blame_for_crash(struct check *check, struct lesson *lesson, const struct child *child,
                            const char *program) {
    struct fault fault;
    struct test *in = report_running(&check->report);
    struct exercise *e = in ? in->exercise : lesson_first_undone(lesson);
    explain_crash(&fault, lesson, child, in, program);
    blame(check, e ? e : &lesson->exercises[0], &fault);
    if (!e)
        check->faulty->state = BROKEN; /* every test passed, and then the program did not end */
}

/* All tests passed, and still the program failed: a leak belongs to the function that made it. */
static void blame_for_ending(struct check *check, struct lesson *lesson, const struct child *child,
                             const char *program) {
    struct fault fault;
    explain_crash(&fault, lesson, child, NULL, program);
    struct exercise *e = lesson_exercise(lesson, fault.function);
    if (e && e->state != DONE) {
        fault_free(&fault); /* it has worse to hear first */
        return;
    }
    blame(check, e ? e : &lesson->exercises[0], &fault);
    check->faulty->state = BROKEN;
}

/* A lesson needs next to no stack. */
static struct limits test_limits(const struct settings *settings) {
    return (struct limits){settings->seconds, 4 * settings->seconds, 1 << 20, .stack = 1 << 20};
}

/* Runs the program, with the tests of all exercises or only of those in `names`. Returns true if
   it crashed, so that tests which could run have not. */
static bool run_once(struct check *check, struct lesson *lesson, const struct settings *settings,
                     const char *program, const char *const names[]) {
    struct child child;
    struct command c = {0};
    command_add(&c, program);
    for (int i = 0; names && names[i]; i++)
        command_add(&c, names[i]);
    child_run(&child, c.words, test_limits(settings));
    text_add(&check->raw, text_of(&child.err), child.err.length);
    report_read(&check->report, lesson, &child);
    report_judge(&check->report, lesson);
    if (!check->report.finished || report_running(&check->report))
        blame_for_crash(check, lesson, &child, program);
    else if (child.ending != ENDED || (lesson_done(lesson) && child.status != 0) ||
             strstr(text_of(&child.err), "detected memory leaks"))
        blame_for_ending(check, lesson, &child, program);
    bool crashed = !check->report.finished && child.ending != TIMED_OUT && child.ending != FLOODED;
    child_free(&child);
    return crashed;
}

static void run_one(struct check *check, struct lesson *lesson, const struct settings *settings,
                    const char *program) {
    const char *names[] = {settings->only, NULL};
    run_once(check, lesson, settings, program, names);
    for (int i = 0; i < lesson->count; i++)
        if (strcmp(lesson->exercises[i].name, settings->only) != 0)
            lesson->exercises[i].state = DONE;
}

/* After a crash, once more for the exercises that had no turn yet, until each has had one. */
static void run_tests(struct check *check, struct lesson *lesson, const struct settings *settings,
                      const char *program) {
    if (settings->only) {
        run_one(check, lesson, settings, program);
        return;
    }
    const char **names = calloc((size_t)lesson->count + 1, sizeof *names);
    bool crashed = run_once(check, lesson, settings, program, NULL);
    for (int rounds = 0; names && crashed && rounds < lesson->count; rounds++) {
        int count = 0;
        for (int i = 0; i < lesson->count; i++)
            if (lesson->exercises[i].state == NOT_CHECKED && lesson->exercises[i].tests > 0)
                names[count++] = lesson->exercises[i].name;
        names[count] = NULL;
        crashed = count > 0 && run_once(check, lesson, settings, program, names);
    }
    free(names);
}

void check_lesson(struct check *check, struct lesson *lesson, const struct settings *settings,
                  char *const objects[]) {
    struct path program = built(lesson, settings, "test");
    int lock = file_lock(built(lesson, settings, "lock").chars, true);
    *check = (struct check){.stage = NO_FILE};
    stamps_add(&check->of, lesson->source.chars);
    if (file_is_there(lesson->source.chars) && build_object(check, lesson, settings) &&
        build_program(check, lesson, settings, program.chars, objects)) {
        check->stage = TESTED;
        run_tests(check, lesson, settings, program.chars);
    }
    lesson->unbuilt = check->stage != TESTED;
    stamps_add_sources(&check->of, built(lesson, settings, "o").chars);
    for (int i = 0; objects[i]; i++)
        stamps_add_sources(&check->of, objects[i]);
    file_unlock(lock);
}

/* Why the exercise is not done; "" where that needs no words. */
static const char *said_of(const struct check *check, const struct exercise *e) {
    const struct test *bad = report_first_bad(&check->report, e);
    if (e->state == BROKEN)
        return check->faulty == e ? check->fault.what : "";
    if (e->state != WRONG || !bad)
        return "";
    return bad->slip[0] ? bad->slip : bad->broke[0] ? bad->broke : bad->message;
}

bool check_save(const struct check *check, struct lesson *lesson, const struct settings *settings) {
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        const char *said = said_of(check, e);
        text_free(&e->told);
        text_add(&e->told, said, strlen(said));
    }
    if (settings->only || !stamp_holds(&check->of.all[0], true))
        return false; /* the others were not asked, or it is another file by now */
    return results_save(lesson, &check->of);
}

void check_free(struct check *check) {
    report_free(&check->report);
    fault_free(&check->fault);
    text_free(&check->warnings);
    text_free(&check->raw);
    stamps_free(&check->of);
}
