/* The steps are in check_lesson(), under the lesson's lock. build.c compiles and links, trial.c
   runs the tests until every exercise has had its turn, and standin.c runs some of them again with
   the reference in place of exercises that are not done. The result is a `struct check`: the report
   of each test, a finding for each exercise, and the stamps of all files that were read, so that a
   later make knows whether the result still holds. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings settings_from_environment(void) {
    const char *from = setting("FROM", "lessons");
    struct settings s = {
        .from = from,
        .out = setting("LOOKBACK_OUT",
                       path_of(strcmp(from, "lessons") == 0 ? "build/%s" : "build/from/%s", from)),
        .object = setting("LOOKBACK_OBJECTS", "build/obj-cc"),
        .compiler = setting("LOOKBACK_CC", "cc"),
        .flags = setting("LOOKBACK_CFLAGS", ""),
        .slip_flags = setting("LOOKBACK_SLIP_CFLAGS", ""),
        .warning_flags = setting("LOOKBACK_WARNING_CFLAGS", ""),
        .libraries = setting("LOOKBACK_LDLIBS", "-lm"),
        .seconds = atof(setting("LOOKBACK_SECONDS", "5")),
        .untold = strcmp(setting("LOOKBACK_SLIPS", "all"), "none") == 0,
        .runner = &child_runner,
        .only = getenv("LOOKBACK_ONLY"),
        .references_are_built = is_release(),
    };
    if (!(s.seconds > 0.0))
        s.seconds = 5;
    s.untrusted = strcmp(s.from, "lessons") != 0 && strcmp(s.from, "solutions") != 0 &&
                  strcmp(setting("UNSAFE", "0"), "0") == 0;
    return s;
}

/* --- running -------------------------------------------------------------------------------- */

/* Only the tests of one exercise; the others are taken for done. */
static void run_one(struct check *check, const char *program) {
    const struct lesson *lesson = check->task.lesson;
    const struct exercise *e = lesson_exercise(check->task.lesson, check->task.settings->only);
    const exercise_set due = e ? only((int)(e - lesson->exercises)) : 0;
    trial_run(check, program, due);
    for (int i = 0; i < lesson->count; i++)
        if (!has(due, i))
            lesson->exercises[i].state = DONE;
}

/* What lies a row outside of one array must not lie in another, hence the redzone. The tools name a
   stack themselves, where that can be: the sanitizer would first read whatever is known of the
   system's libraries. */
void sanitizers_begin(bool is_read) {
    const int symbolize = !is_read || !*setting("LOOKBACK_ADDR2LINE", "");
    setenv("LC_ALL", "C", 1);
    setenv("ASAN_OPTIONS",
           path_of("symbolize=%d:detect_leaks=0:handle_abort=1:handle_sigfpe=1:redzone=256:"
                   "max_allocation_size_mb=500:soft_rss_limit_mb=1000:hard_rss_limit_mb=2000:"
                   "malloc_context_size=5:" MALLOC_FILLING,
                   symbolize),
           1);
    setenv("UBSAN_OPTIONS", path_of("symbolize=%d:print_stacktrace=1", symbolize), 1);
}

void look_for_leaks(const struct lesson *lesson) {
    const char *can = setting("LOOKBACK_LEAKS", ""), *options = getenv("ASAN_OPTIONS");
    if (*can == '1' && options && !strstr(options, "detect_leaks=1") &&
        strstr(file_text(lesson->source), "alloc"))
        setenv("ASAN_OPTIONS", path_of("%s:detect_leaks=1", options), 1);
}

static void run_tests(struct check *check, const char *program) {
    const struct runner *runner = check->task.settings->runner;
    if (check->task.settings->only) {
        run_one(check, program);
    } else {
        trial_run(check, program, all_exercises(check->task.lesson));
        standin_judge(check, program);
        if (runner->look_again)
            runner->look_again(check, program);
    }
}

void check_lesson(struct check *check, struct task task) {
    struct lesson *lesson = task.lesson;
    const char *program = built(&task, "test");
    int lock = file_lock(built(&task, "lock"), true);
    check_begin(check, task);
    for (int i = 0; i < lesson->count; i++)
        lesson->exercises[i].state = NOT_CHECKED;
    stamps_add(&check->of, lesson->source);
    if (file_is_there(lesson->source) && build_object(check) && build_program(check, program)) {
        check->stage = TESTED;
        look_for_leaks(lesson);
        run_tests(check, program);
    }
    lesson->unbuilt = check->stage != TESTED;
    stamps_add_sources(&check->of, built(&task, "o"));
    for (int i = 0; task.objects[i]; i++)
        stamps_add_sources(&check->of, task.objects[i]);
    check_note_findings(check);
    file_unlock(lock);
}

/* --- what was found --------------------------------------------------------------------------- */

void check_begin(struct check *check, struct task task) {
    char *const *own = task.settings->runner ? task.settings->runner->objects : NULL;
    *check = (struct check){
        .task = task, .linked = own ? own : task.objects, .finding_count = task.lesson->count};
    check->findings = calloc((size_t)check->finding_count + 1, sizeof *check->findings);
    if (!check->findings)
        abort();
}

struct finding *finding_of(const struct check *check, const struct exercise *e) {
    return &check->findings[e - check->task.lesson->exercises];
}

static enum finding_kind kind_of(const struct finding *f, const struct exercise *e) {
    switch (e->state) {
    case DONE:
        return FOUND_PASSED;
    case WAITING:
        return FOUND_WAITS;
    case WRONG:
        return FOUND_WRONG;
    case NOT_STARTED:
        if (f->test && strcmp(f->test->missing, e->name) != 0)
            return FOUND_WAITS;
        return f->test && test_of_missing(f->test) ? FOUND_MISSING : FOUND_TODO;
    default: /* broken, which is known already, or never run */
        return f->kind;
    }
}

void check_note_findings(struct check *check) {
    struct lesson *lesson = check->task.lesson;
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        struct finding *f = &check->findings[i];
        f->exercise = e;
        f->test = report_first_bad(&check->report, e);
        if (finding_is_stop(f) && e->state != BROKEN)
            f->stopped = f->kind;
        f->kind = kind_of(f, e);
    }
    if (check->stage == NO_FILE) {
        check->file = (struct finding){.kind = FOUND_MISSING, .code = NO_SUCH_FILE};
        snprintf(check->file.where, sizeof check->file.where, "%.380s", lesson->source);
    }
}

bool check_save(const struct check *check) {
    if (check->task.settings->only || !stamp_holds(&check->of.all[0]))
        return false; /* the others were not tested, or it is another file by now */
    results_save(check->task.lesson, &check->of); /* which prints a message if it cannot */
    return true;
}
