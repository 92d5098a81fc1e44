/* What `tutor grade LESSON FILE OBJECT...` does for make grade: it prints the learner's own screen,
   and writes the verdict into the file (common/grade/README.md). If a file does not build as a
   whole, each exercise that builds is judged by itself. */
#include "tutor/commands.h"

#include "base/files.h"
#include "base/json.h"
#include "base/screen.h"
#include "base/tokens.h"
#include "grade/box/runner.h"
#include "tutor/words.h"

#include "seconds.h"

#include <string.h>

static const char *state_of(const struct finding *f) {
    return f->kind == FOUND_NOT_COMPILED ? "broken"
           : f->kind == FOUND_MISSING    ? "missing"
                                         : state_word(f->exercise->state);
}

static void say_parts(const struct check *check) {
    say(PLAIN, "\n");
    say_paragraph(PLAIN, 0,
                  "The file does not build as a whole. Each of its exercises that does was tried "
                  "by itself:");
    say(PLAIN, "\n");
    for (int i = 0; i < check->finding_count; i++) {
        const struct finding *f = &check->findings[i];
        bool refused = f->kind == FOUND_NOT_COMPILED;
        say(PLAIN, "  %-32s %-10s", f->exercise->name, refused ? "does not compile" : state_of(f));
        if (!refused && f->exercise->tests > 0)
            say(PLAIN, "%d of %d tests", f->exercise->passed, f->exercise->tests);
        say(PLAIN, "\n");
    }
}

/* Judges what builds of a file that does not, as far as there is something. */
static bool judge_parts(struct check *parts, struct task task) {
    exercise_set refused;
    if (!parts_keep(&task, &refused))
        return false;
    check_lesson(parts, task);
    keep_diagnosed(parts, true);
    for (int i = 0; i < parts->finding_count; i++)
        if (has(refused, i)) {
            parts->findings[i].kind = FOUND_NOT_COMPILED;
            task.lesson->exercises[i].told = "it does not compile";
        }
    say_parts(parts);
    return true;
}

/* The first problem in one line: of the file, or of an exercise. */
static const char *problem_of(const struct check *check, bool in_part) {
    const struct exercise *e = lesson_first_undone(check->task.lesson);
    if (check->stage == NO_FILE)
        return "there is no file";
    if (check->stage != TESTED)
        return path_of("%s%s: %s", in_part ? "builds only in part: " : "",
                       words_where(&check->file), words_what(&check->file));
    if (!e)
        return "";
    const char *state = state_of(finding_of(check, e));
    return path_of("%s: %s", e->name, *e->told ? e->told : state);
}

/* A string in which nothing is invisible, whatever a student has written. */
static void add_readable(struct json *j, const char *key, const char *value) {
    struct text shown = {0};
    text_add_readable(&shown, value, strlen(value), "");
    json_string(j, key, text_of(&shown));
}

static void add_test(struct json *j, const struct test *t) {
    static const char *const results[] = {[PLANNED] = "skipped",
                                          [RUNNING] = "error",
                                          [PASSED] = "pass",
                                          [FAILED] = "fail",
                                          [TODO_REACHED] = "skipped"};
    struct finding touched = {0};
    explain_touched(&touched, t->touched);
    const char *message = words_message(t);
    json_open(j, NULL, '{');
    json_string(j, "sentence", words_test(t->name));
    json_string(j, "result", results[t->verdict]);
    json_number(j, "seconds", t->seconds);
    json_string(j, "place", t->where);
    add_readable(j, "said", message[0] ? message : words_what(&touched));
    json_close(j, '}');
}

/* Is its function that of the reference but for names? Short ones are alike by nature. */
static bool is_reference(const struct lesson *lesson, const char *name) {
    enum { TOKENS_THAT_TELL = 40 };
    struct code own, reference;
    return code_find_tokens(&own, file_text(lesson->source), name) &&
           own.count >= TOKENS_THAT_TELL &&
           code_find_tokens(&reference, file_text(reference_of(lesson)), name) &&
           code_is_alike(&own, &reference);
}

static void add_exercise(struct json *j, const struct check *check, const struct exercise *e) {
    json_open(j, NULL, '{');
    json_string(j, "name", e->name);
    json_string(j, "state", state_of(finding_of(check, e)));
    json_number(j, "passed", e->passed);
    json_number(j, "count", e->tests);
    add_readable(j, "mistake", e->told);
    json_word(j, "reference", is_reference(check->task.lesson, e->name) ? "true" : "false");
    json_open(j, "tests", '[');
    for (int i = 0; i < check->report.count; i++)
        if (check->report.tests[i].exercise == e)
            add_test(j, &check->report.tests[i]);
    json_close(j, ']');
    json_close(j, '}');
}

int run_grade(struct job *job) {
    struct check parts, *check = &job->check;
    struct lesson *lesson = &job->lesson;
    struct progress progress = measure_progress(lesson, job->settings);
    struct json j = {.begun = false};
    const double long_time = 6.0; /* for a compiler */
    progress.hidden = true;
    if (!lesson_done(lesson))
        check_optimizer_warnings(check);
    keep_diagnosed(check, true);
    show_check(check, lesson, &progress, job->settings);
    bool in_part = lesson->unbuilt && seconds_worked(RUSAGE_CHILDREN) < long_time &&
                   judge_parts(&parts, job->task);
    json_open(&j, NULL, '{');
    json_string(&j, "state", lesson->unbuilt ? "not built" : in_part ? "in part" : "graded");
    add_readable(&j, "problem", problem_of(check, in_part));
    json_open(&j, "exercises", '[');
    for (int i = 0; i < lesson->count; i++)
        add_exercise(&j, in_part ? &parts : check, &lesson->exercises[i]);
    json_close(&j, ']');
    json_close(&j, '}');
    return file_replace(job->words[1], &j.text) ? 0 : 1;
}
