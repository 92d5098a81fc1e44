#include "check.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        .libraries = setting("LOOKBACK_LDLIBS", "-lm"),
        .seconds = atoi(setting("LOOKBACK_SECONDS", "5")),
        .only = getenv("LOOKBACK_ONLY"),
    };
    if (s.seconds < 1)
        s.seconds = 5;
    return s;
}

/* --- building ------------------------------------------------------------------------------- */

/* Runs the compiler with flags, then `words`; `more` words, if any, go before libraries. */
static bool run(struct child *child, struct check *check, const struct settings *settings,
                const char *flags, char *const words[], char *const more[]) {
    struct command c = {0};
    command_add_split(&c, settings->compiler);
    command_add_split(&c, flags);
    command_add_all(&c, words);
    if (more)
        command_add_all(&c, more);
    if (more)
        command_add_split(&c, settings->libraries);
    child_run(child, c.words, (struct limits){30, 60, 1 << 20});
    text_add(&check->raw, text_of(&child->err), child->err.length);
    command_free(&c);
    return child->ending == ENDED && child->status == 0;
}

void make_folder_of(const char *file) {
    struct path path = path_of("%s", file);
    for (char *slash = strchr(path.chars + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path.chars, 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "cannot make the folder %s: %s\n", path.chars, strerror(errno));
            exit(2);
        }
        *slash = '/';
    }
}

/* A lesson is one file: an #include of another .c is most likely the reference. */
static bool brings_in_code(struct check *check, const struct lesson *lesson) {
    struct text source;
    char line[1200], name[400];
    int number = 0;
    if (!text_read_file(&source, lesson->source.chars))
        return false;
    const char *at = text_of(&source);
    while (next_line(&at, line, sizeof line)) {
        number++;
        if (sscanf(line, " # include %*1[\"<]%399[^\">]", name) != 1 || !ends_with(name, ".c"))
            continue;
        check->stage = NOT_COMPILED;
        snprintf(check->fault.what, sizeof check->fault.what, "%s",
                 "a lesson is written in its own file, and here another is included");
        snprintf(check->fault.where, sizeof check->fault.where, "%.380s:%d", lesson->source.chars,
                 number);
        break;
    }
    text_free(&source);
    return check->stage == NOT_COMPILED;
}

static bool compile(struct check *check, struct lesson *lesson, const struct settings *settings,
                    const char *object) {
    if (brings_in_code(check, lesson))
        return false;
    struct child child;
    char *const words[] = {"-c", lesson->source.chars, "-o", (char *)object, NULL};
    make_folder_of(object);
    bool compiled = run(&child, check, settings, settings->flags, words, NULL);
    if (compiled) {
        check->warning_count = explain_warnings(&check->warnings, &child, 3);
    } else {
        check->stage = NOT_COMPILED;
        explain_compiler(&check->fault, lesson, &child);
    }
    child_free(&child);
    return compiled;
}

void check_optimizer_warnings(struct check *check, const struct lesson *lesson,
                              const struct settings *settings) {
    struct child child;
    char *const words[] = {"-c", (char *)lesson->source.chars, "-o", "/dev/null", NULL};
    if (check->stage != TESTED || !*settings->warning_flags)
        return;
    run(&child, check, settings, settings->warning_flags, words, NULL);
    text_free(&check->warnings);
    check->warning_count = explain_warnings(&check->warnings, &child, 3);
    child_free(&child);
}

static bool link_tests(struct check *check, struct lesson *lesson, const struct settings *settings,
                       const char *object, const char *program, char *const objects[]) {
    struct child child;
    char *const words[] = {(char *)object, "-o", (char *)program, NULL};
    bool linked = run(&child, check, settings, settings->flags, words, objects);
    if (!linked) {
        check->stage = NOT_LINKED;
        explain_linker(&check->fault, lesson, &child);
    }
    child_free(&child);
    return linked;
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

/* Runs the program, with the tests of all exercises or only of those in `names`. Returns true if
   it crashed, so that tests which could run have not. */
static bool run_once(struct check *check, struct lesson *lesson, const struct settings *settings,
                     const char *program, const char *const names[]) {
    struct child child;
    struct command c = {0};
    command_add(&c, program);
    for (int i = 0; names && names[i]; i++)
        command_add(&c, names[i]);
    child_run(&child, c.words, (struct limits){settings->seconds, 4 * settings->seconds, 1 << 20});
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
    const char *names[33];
    if (settings->only) {
        run_one(check, lesson, settings, program);
        return;
    }
    bool crashed = run_once(check, lesson, settings, program, NULL);
    for (int rounds = 0; crashed && rounds < lesson->count; rounds++) {
        int count = 0;
        for (int i = 0; i < lesson->count; i++)
            if (lesson->exercises[i].state == NOT_CHECKED && lesson->exercises[i].tests > 0)
                names[count++] = lesson->exercises[i].name;
        names[count] = NULL;
        crashed = count > 0 && run_once(check, lesson, settings, program, names);
    }
}

/* An empty file with the time given. */
static void make_stamp(const char *path, struct timespec time) {
    FILE *stamp = fopen(path, "w");
    if (stamp)
        fclose(stamp);
    utimensat(AT_FDCWD, path, (struct timespec[]){time, time}, 0);
}

/* The stamps say whose results these are, a file of that very time, and that it passed: none if it
   was saved again meanwhile. */
static void save(const struct lesson *lesson, struct timespec time, bool unchanged) {
    make_folder_of(lesson->results.chars);
    remove(lesson->passed.chars);
    remove(lesson->of.chars);
    if (!unchanged)
        remove(lesson->results.chars);
    else if (!lesson_save_results(lesson))
        fprintf(stderr, "cannot write %s: %s\n", lesson->results.chars, strerror(errno));
    if (!unchanged)
        return;
    make_stamp(lesson->of.chars, time);
    if (lesson_done(lesson))
        make_stamp(lesson->passed.chars, time);
}

void check_lesson(struct check *check, struct lesson *lesson, const struct settings *settings,
                  char *const objects[]) {
    struct timespec before = file_time(lesson->source.chars);
    struct path object =
        path_of("%s/%s/%s/%s.o", settings->object, settings->from, lesson->folder, lesson->name);
    struct path program =
        path_of("%s/%s/%s/test", settings->object, settings->from, lesson->folder);
    *check = (struct check){.stage = NO_FILE};
    if (before.tv_sec != 0 && compile(check, lesson, settings, object.chars) &&
        link_tests(check, lesson, settings, object.chars, program.chars, objects)) {
        check->stage = TESTED;
        run_tests(check, lesson, settings, program.chars);
    }
    if (check->stage != TESTED) {
        lesson_load_results(lesson, false); /* nothing is known that is newer */
        lesson->unbuilt = true;
    }
    struct timespec after = file_time(lesson->source.chars);
    if (settings->only)
        return; /* the others were not asked: that is no result to keep */
    save(lesson, before, before.tv_sec == after.tv_sec && before.tv_nsec == after.tv_nsec);
}

void check_free(struct check *check) {
    report_free(&check->report);
    fault_free(&check->fault);
    text_free(&check->warnings);
    text_free(&check->raw);
}
