/* The program behind make. Each command is a line of the table at the end: how many words it takes,
   and what it needs before it runs: the lesson that it names, its last results, or a check. It
   knows lessons only as data, so that a new one needs no change here. The Makefile says how to
   compile. */
#include "base/screen.h"
#include "base/tokens.h"
#include "grade/box/runner.h"
#include "tutor/commands.h"
#include "tutor/words.h"

#include <stdio.h>
#include <string.h>

/* --- a check -------------------------------------------------------------------------------- */

static void print_check(void *context) {
    struct job *job = context;
    show_check(&job->check, &job->lesson, &job->progress, job->settings);
}

/* LESSON OBJECT...: the whole screen of a lesson, or all of it as JSON. */
static int run_check(struct job *job) {
    struct lesson *lesson = &job->lesson;
    bool json = findings_are_wanted(), done = lesson_done(lesson);
    note_last(job);
    if (!done)
        check_optimizer_warnings(&job->check);
    bool kept = keep_diagnosed(&job->check, json);
    job->progress = measure_progress(lesson, job->settings);
    if (json) {
        findings_print(&job->check, lesson, &job->progress, kept);
        return done ? 0 : 1;
    }
    if (kept)
        show_what_passed(lesson, HEIGHT + 1 - screen_count(print_check, job));
    print_check(job);
    if (!kept && job->check.stage != NO_FILE && !job->settings->only) {
        putchar('\n');
        say_paragraph(
            PLAIN, 0,
            path_of("%s was saved during the check. Run make again to check it.", lesson->source));
    }
    if (kept && !done && job->check.stage == TESTED)
        background_begin(&job->task, lesson_first_undone(lesson));
    return done ? 0 : 1;
}

/* LESSON OBJECT...: writes only the results, which make hint reads, and after "told" why each
   exercise is not done; says so if the lesson was passed before and fails now. */
static int run_record(struct job *job) {
    enum results before = results_load(&job->lesson);
    check_lesson(&job->check, job->task);
    keep_diagnosed(&job->check, strcmp(job->words[-1], "told") == 0);
    if (before == RENEWABLE && !lesson_done(&job->lesson))
        fprintf(stderr,
                "Lesson %s is no longer passed, because its tests or headers have changed.\n",
                job->lesson.number);
    return 0;
}

/* --- what is done, and what is missing ------------------------------------------------------ */

/* Silent if the lesson is passed, or the exercise `name` is done, if it is not NULL; otherwise says
   what is missing for `what`. */
static int say_missing(struct lesson *lesson, const char *what, const char *name) {
    const struct exercise *only = name ? lesson_exercise(lesson, name) : NULL;
    bool done = only ? only->state == DONE : lesson_done(lesson);
    const struct exercise *e = only && !done ? only : lesson_first_undone(lesson);
    int undone = lesson->count - lesson_done_count(lesson);
    if (!done && lesson->unbuilt)
        fprintf(stderr, "Lesson %s does not build: see make %s.\n", lesson->number, lesson->number);
    else if (!done && what)
        fprintf(stderr,
                "%s of lesson %s: this needs your code, and %d of its %d exercises\n%s not done. "
                "First: %s (%s), see make %s.\n",
                what, lesson->number, undone, lesson->count, undone == 1 ? "is" : "are", e->name,
                state_word(e->state), lesson->number);
    return done ? 0 : 1;
}

/* LESSON [WHAT] [EXERCISE] */
static int run_passed(struct job *job) {
    const char *what = job->words[1];
    return say_missing(&job->lesson, what, what ? job->words[2] : NULL);
}

/* The exercise to debug: the one named, or the first that fails; or NULL, after saying why. */
static struct exercise *failing_exercise(struct lesson *lesson, const char *name) {
    struct exercise *e = lesson_exercise(lesson, name);
    for (int i = 0; i < lesson->count && strcmp(name, "-") == 0 && !e; i++)
        if (lesson->exercises[i].state == WRONG || lesson->exercises[i].state == BROKEN)
            e = &lesson->exercises[i];
    if (!e && strcmp(name, "-") != 0)
        printf("Lesson %s has no exercise %s.\n", lesson->number, name);
    else if (!e)
        printf("Nothing fails in lesson %s%s.\n", lesson->number,
               lesson_done(lesson) ? "" : ", but some exercises are not written yet");
    else if (e->state == NOT_STARTED)
        printf("%s() is not written yet, so there is nothing to debug.\n", e->name);
    return e && e->state != NOT_STARTED ? e : NULL;
}

/* The first line of its body, where its arguments have their values. The function may be on one
   line. */
static int first_line_inside(const struct lesson *lesson, const struct exercise *e) {
    const char *source = file_text(lesson->source), *from, *to;
    if (!find_definition(source, e->name, &from, &to))
        return e->line;
    int opens = line_of(source, strchr(from, '{'));
    return opens < line_of(source, to) ? opens + 1 : e->line;
}

/* LESSON EXERCISE|- OBJECT...: program, function, test and file:line, a line each, for the
 * debugger. */
static int run_failing(struct job *job) {
    struct lesson *lesson = &job->lesson;
    const struct report *report = &job->check.report;
    const struct exercise *e = NULL;
    words_tell(&job->check, lesson);
    check_save(&job->check);
    if (job->check.stage != TESTED)
        printf("%s does not build: make %s says why.\n", lesson->source, lesson->number);
    else
        e = failing_exercise(lesson, job->words[1]);
    const struct test *t = e ? report_first_bad(report, e) : NULL;
    for (int i = 0; e && !t && i < report->count; i++) /* its first, if all pass */
        if (report->tests[i].exercise == e)
            t = &report->tests[i];
    if (t)
        printf("%s\n%s\n%s\n%s:%d\n", built(&job->task, "test"), e->name, t->name, lesson->source,
               first_line_inside(lesson, e));
    return 0;
}

/* --- what scripts ask for ------------------------------------------------------------------- */

/* FILE: prints what another person's code has printed into it, readable. See base/text.h. */
static int run_readable(struct job *job) {
    struct text said, shown = {0};
    bool good = text_read_file(&said, job->words[0]);
    text_add_readable(&shown, text_of(&said), said.length, "\n");
    fputs(text_of(&shown), stdout);
    return good ? 0 : 1;
}

/* FILE NAME: prints the definition of a function. */
static int run_function(struct job *job) {
    const char *from, *to;
    bool found = find_definition(file_text(job->words[0]), job->words[1], &from, &to);
    if (found)
        printf("%.*s\n", (int)(to - from), from);
    else
        fprintf(stderr, "%s has no whole function %s(): check its braces.\n", job->words[0],
                job->words[1]);
    return found ? 0 : 1;
}

/* FILE STUB NAME: prints the file with the function's definition replaced by the one in STUB. */
static int run_splice(struct job *job) {
    const char *mine = file_text(job->words[0]), *from, *to, *stub_from, *stub_to;
    if (!find_definition(file_text(job->words[1]), job->words[2], &stub_from, &stub_to))
        fprintf(stderr, "The lesson has no exercise %s.\n", job->words[2]);
    else if (!find_definition(mine, job->words[2], &from, &to))
        fprintf(stderr, "%s has no whole function %s(): check its braces, or reset the file.\n",
                job->words[0], job->words[2]);
    else
        return printf("%.*s%.*s%s", (int)(from - mine), mine, (int)(stub_to - stub_from), stub_from,
                      to) < 0;
    return 1;
}

/* --- the commands --------------------------------------------------------------------------- */

enum needs {
    NOTHING,
    ITS_LESSON, /* is read */
    RESULTS_OF, /* its last results, too */
    A_CHECK,    /* it is checked */
};

static const struct command_line {
    const char *name;
    int words; /* that have to follow it; then objects, or other words */
    run_job *run;
    enum needs needs;
    bool runs_code; /* the learner's */
} commands[] = {
    {"check", 1, run_check, A_CHECK, true},        {"record", 1, run_record, ITS_LESSON, true},
    {"told", 1, run_record, ITS_LESSON, true},     {"grade", 2, run_grade, A_CHECK, true},
    {"state", 2, run_state, NOTHING, false},       {"list", 0, run_list, NOTHING, false},
    {"passed", 1, run_passed, RESULTS_OF, false},  {"finished", 0, run_finished, NOTHING, false},
    {"end", 0, run_end, NOTHING, false},           {"find", 1, run_find, NOTHING, false},
    {"hint", 2, run_hint, RESULTS_OF, false},      {"failing", 2, run_failing, A_CHECK, true},
    {"show", 1, run_program, ITS_LESSON, true},    {"plots", 1, run_program, ITS_LESSON, true},
    {"try", 1, run_program, ITS_LESSON, true},     {"test", 1, run_test, ITS_LESSON, true},
    {"whose", 2, run_whose, ITS_LESSON, false},    {"sources", 1, run_sources, NOTHING, true},
    {"fast", 2, run_fast, RESULTS_OF, true},       {"pictures", 1, run_pictures, RESULTS_OF, false},
    {"report", 1, run_report, NOTHING, false},     {"readable", 1, run_readable, NOTHING, false},
    {"function", 2, run_function, NOTHING, false}, {"splice", 3, run_splice, NOTHING, false},
};

static int run(const struct command_line *c, const struct settings *settings, char **words) {
    struct job job = {.settings = settings, .words = words};
    if (settings->untrusted && !settings->runner->boxed && c->runs_code)
        die("This would run the code in %s with your rights, not in a box.\n"
            "If you trust it, add UNSAFE=1.",
            settings->from);
    job.task = (struct task){&job.lesson, settings, words + c->words};
    if (c->needs != NOTHING && !lesson_read(&job.lesson, words[0], settings->from, settings->out))
        die("lessons/%s has no exercise: a function of its header with a section in hints.md",
            words[0]);
    if (c->needs == RESULTS_OF)
        results_load(&job.lesson);
    if (c->runs_code)
        background_end(settings);
    if (c->needs == A_CHECK)
        check_lesson(&job.check, job.task);
    return c->run(&job);
}

int main(int argc, char **argv) {
    struct settings settings = settings_from_environment();
    /* A graded file names its own stack, in its box. */
    bool graded = box_from_environment(&settings);
    sanitizers_begin(argc > 1 && strcmp(argv[1], "test") != 0 && !graded);
    screen_start();
    for (size_t i = 0; i < sizeof commands / sizeof *commands && argc > 1; i++)
        if (strcmp(argv[1], commands[i].name) == 0 && commands[i].words <= argc - 2)
            return run(&commands[i], &settings, argv + 2);
    die("make runs this program; see make help.");
}
