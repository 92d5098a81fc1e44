/* The program behind make. Each command is a line of the table at the end: the words that it takes,
   and what it needs before it runs: the lesson that it names, its last results, or a check. It
   knows lessons only as data, so that a new one needs no change here. The Makefile says how to
   compile. */
#include "base/files.h"
#include "base/screen.h"
#include "base/setting.h"
#include "base/source.h"
#include "check/build.h"
#include "check/check.h"
#include "course/lesson.h"
#include "course/results.h"
#include "course/sealed.h"
#include "diagnose/diagnose.h"
#include "grade/box/runner.h"
#include "tutor/findings.h"
#include "tutor/grade.h"
#include "tutor/guide.h"
#include "tutor/pictures.h"
#include "tutor/programs.h"
#include "tutor/quiz.h"
#include "tutor/report.h"
#include "tutor/scripts.h"
#include "tutor/show.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_lesson(struct lesson *lesson, const char *folder,
                        const struct settings *settings) {
    if (lesson_read(lesson, folder, settings->from, settings->out))
        return;
    fprintf(stderr,
            "lessons/%s has no exercise: a function of its header with a section in hints.md\n",
            folder);
    exit(2);
}

/* --- all lessons ---------------------------------------------------------------------------- */

struct lessons {
    struct lesson *all;
    int count;
};

/* All that can be done here; of one that is not written yet make test says what is missing. */
static struct lessons read_lessons(const char *from, const char *out) {
    struct lessons lessons = {NULL, 0};
    for (char **f = lesson_folders("tests"); *f; f++) {
        lessons.all = with_room(lessons.all, lessons.count, sizeof *lessons.all);
        lessons.count += lesson_read(&lessons.all[lessons.count], *f, from, out);
    }
    return lessons;
}

/* Where to go after `current`: the next lesson that is not passed, or else an earlier one. */
static void note_next(struct progress *progress, const struct lesson *lesson, bool behind) {
    bool earlier = progress->next_folder[0] && !progress->next_is_behind;
    if (progress->next_folder[0] && !(behind && earlier))
        return;
    snprintf(progress->next_folder, sizeof progress->next_folder, "%s", lesson->folder);
    snprintf(progress->next_title, sizeof progress->next_title, "%s", lesson->title);
    progress->next_is_behind = behind;
}

/* Counts what is done in all lessons: from the last results, and in `current` from just now. */
static struct progress measure_progress(const struct lesson *current,
                                        const struct settings *settings) {
    struct lessons lessons = read_lessons(settings->from, settings->out);
    struct progress progress = {0};
    for (struct lesson *l = lessons.all; l < lessons.all + lessons.count; l++) {
        results_load(l);
        int order = current ? strcmp(l->folder, current->folder) : 0;
        progress.done += lesson_done_count(current && order == 0 ? current : l);
        progress.total += l->count;
        if (current && order != 0 && !lesson_done(l))
            note_next(&progress, l, order > 0);
        progress.make_is_before |= order < 0 && !lesson_done(l);
    }
    return progress;
}

/* For make, "passed:NN-name", "renew:", "record:" and "current:"; see results.h. A lesson that is
   to be renewed counts as passed until then. "last:" was checked last, and is not passed. */
static int run_state(struct job *job) {
    struct lessons lessons = read_lessons(job->words[0], job->words[1]);
    const char *last = file_text(path_of("%s/last", job->words[1]));
    bool current = false;
    for (struct lesson *l = lessons.all; l < lessons.all + lessons.count; l++) {
        enum results results = results_load(l);
        bool passed = results == RENEWABLE || (results == RESULTS && lesson_done(l));
        if (results == RENEWABLE || results == OLD_RESULTS)
            printf("%s:%s ", results == RENEWABLE ? "renew" : "record", l->folder);
        if (passed || !current)
            printf("%s:%s ", passed ? "passed" : "current", l->folder);
        if (!passed && strcmp(last, l->folder) == 0)
            printf("last:%s ", l->folder);
        current = current || !passed;
    }
    return 0;
}

/* A line for each lesson, from the results that are there. */
static int run_list(struct job *job) {
    struct progress progress = measure_progress(NULL, job->settings);
    struct lessons lessons = read_lessons(job->settings->from, job->settings->out);
    show_progress(&progress);
    for (struct lesson *l = lessons.all; l < lessons.all + lessons.count; l++) {
        results_load(l);
        show_lesson_line(l);
    }
    puts("\n + done   x wrong   ! broken   . to do   ? not checked");
    return 0;
}

/* After the last lesson there is nothing to check. */
static int run_finished(struct job *job) {
    struct progress progress = measure_progress(NULL, job->settings);
    if (findings_are_wanted()) {
        findings_print(NULL, NULL, &progress, true);
        return 0;
    }
    show_progress(&progress);
    puts("\nEvery lesson is done. make report writes your homework, make plots the pictures.");
    return 0;
}

/* How many letters of the shorter name both begin with, or all of them if the other holds it. */
static int likeness(const char *a, const char *b) {
    int alike = 0;
    while (a[alike] && a[alike] == b[alike])
        alike++;
    return strstr(a, b) ? (int)strlen(b) : strstr(b, a) ? (int)strlen(a) : alike;
}

/* The number of the lesson of an exercise. */
static int run_find(struct job *job) {
    const char *name = job->words[0];
    struct lessons lessons = read_lessons(job->settings->from, job->settings->out);
    const char *found = "", *all = "", *near = "";
    int count = 0, most = 3;
    for (struct lesson *l = lessons.all; l < lessons.all + lessons.count; l++) {
        if (lesson_exercise(l, name)) {
            found = path_of("%s", l->number);
            all = path_of("%s%s%s", all, count++ ? " and " : "", l->number);
        }
        for (struct exercise *e = l->exercises; e < l->exercises + l->count; e++) {
            int alike = likeness(e->name, name);
            if (alike > most)
                near = path_of(" Is it %s of lesson %s?", e->name, l->number);
            most = alike > most ? alike : most;
        }
    }
    if (count == 1)
        puts(found);
    else if (count == 0)
        fprintf(stderr, "No lesson has an exercise %s.%s\n", name, near);
    else
        fprintf(stderr,
                "Lessons %s have an exercise %s. Name the lesson: make hint-%s EXERCISE=%s\n", all,
                name, found, name);
    return count == 1 ? 0 : 2;
}

/* --- a check -------------------------------------------------------------------------------- */

/* The lesson that was checked last is kept in a file: make hint is about that. */
static void note_last(const struct settings *settings, const char *folder) {
    const char *path = path_of("%s/last", settings->out);
    struct text text = {0};
    text_print(&text, "%s", folder);
    make_folder_of(path);
    file_replace(path, &text);
}

/* Notes why each exercise is not done, and keeps that; false if the file was saved meanwhile. */
static bool keep(struct job *job) {
    words_tell(&job->check, &job->lesson);
    return check_save(&job->check);
}

/* The whole screen of a lesson, or all of it as JSON. */
static int run_check(struct job *job) {
    struct lesson *lesson = &job->lesson;
    bool json = findings_are_wanted(), done = lesson_done(lesson);
    note_last(job->settings, lesson->folder);
    if (!done)
        check_optimizer_warnings(&job->check);
    (json ? diagnose_all : diagnose)(&job->check);
    bool kept = keep(job);
    struct progress progress = measure_progress(lesson, job->settings);
    if (json) {
        findings_print(&job->check, lesson, &progress, kept);
        return done ? 0 : 1;
    }
    if (kept)
        show_what_passed(lesson);
    show_check(&job->check, lesson, &progress, job->settings);
    if (!kept && job->check.stage != NO_FILE && !job->settings->only) {
        putchar('\n');
        say_paragraph(
            PLAIN, 0,
            path_of("%s was saved during the check. Run make again to check it.", lesson->source));
    }
    return done ? 0 : 1;
}

/* Writes only the results, which make hint reads; says so if the lesson was passed before and fails
   now. */
static int run_record(struct job *job) {
    enum results before = results_load(&job->lesson);
    check_lesson(&job->check, job->task);
    diagnose(&job->check);
    keep(job);
    if (before == RENEWABLE && !lesson_done(&job->lesson))
        fprintf(stderr,
                "Lesson %s is no longer passed, because its tests or headers have changed.\n",
                job->lesson.number);
    return 0;
}

/* Keeps what a check would say of every exercise, not of the first alone. */
static int run_told(struct job *job) {
    diagnose_all(&job->check);
    keep(job);
    return 0;
}

/* The learner's own screen, and what was found as data, in the folder. */
static int run_grade(struct job *job) {
    struct progress progress = measure_progress(&job->lesson, job->settings);
    progress.hidden = true;
    return grade(&job->check, job->task, job->words[1], &progress) ? 0 : 1;
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

static int run_passed(struct job *job) {
    const char *what = job->words[1];
    return say_missing(&job->lesson, what, what ? job->words[2] : NULL);
}

static int run_hint(struct job *job) {
    const char *exercise = job->words[1];
    return hint(&job->task, strcmp(exercise, "-") == 0 ? NULL : exercise);
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

/* Program, function, test and file:line, a line each, for the debugger. */
static int run_failing(struct job *job) {
    struct lesson *lesson = &job->lesson;
    const struct report *report = &job->check.report;
    const struct exercise *e = NULL;
    keep(job);
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

/* --- other programs, and paper -------------------------------------------------------------- */

static int run_quiz(struct job *job) {
    return quiz(&job->lesson);
}

/* The report on the lessons named, as Markdown. */
static int run_report(struct job *job) {
    struct lessons lessons = {NULL, 0};
    for (; job->words[lessons.count]; lessons.count++) {
        lessons.all = with_room(lessons.all, lessons.count, sizeof *lessons.all);
        open_lesson(&lessons.all[lessons.count], job->words[lessons.count], job->settings);
        results_load(&lessons.all[lessons.count]);
    }
    return report_print(lessons.all, lessons.count, job->settings->from);
}

/* Each picture with the exercises that it waits for. */
static int run_pictures(struct job *job) {
    pictures_list(&job->lesson);
    return 0;
}

static int run_program(struct job *job) {
    return program_run(&job->task, job->words[-1]);
}

static int run_test(struct job *job) {
    note_last(job->settings, job->lesson.folder);
    return program_test(&job->task);
}

static int run_whose(struct job *job) {
    tell_whose_code(&job->lesson, job->settings, job->words[1]);
    return 0;
}

/* Where the functions of these lessons come from: the learner's files, in the folder named first, if
   they are passed, otherwise the references. */
static int run_sources(struct job *job) {
    struct lesson l;
    for (char **folder = job->words + 1; *folder; folder++) {
        lesson_read(&l, *folder, job->settings->from, job->settings->out);
        bool passed = l.count > 0 && results_load(&l) == RESULTS && lesson_done(&l);
        printf("%s/%s/%s.c\n", passed ? job->words[0] : "solutions", l.folder, l.name);
    }
    return 0;
}

static int run_fast(struct job *job) {
    return program_fast(&job->lesson, job->words + 1);
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
    const char *words; /* that follow it: capital letters; those in brackets may be missing */
    int (*run)(struct job *job);
    enum needs needs;
    bool runs_code; /* the learner's */
} commands[] = {
    {"check", "LESSON [OBJECT...]", run_check, A_CHECK, true},
    {"record", "LESSON [OBJECT...]", run_record, ITS_LESSON, true},
    {"told", "LESSON [OBJECT...]", run_told, A_CHECK, true},
    {"grade", "LESSON FOLDER OBJECT...", run_grade, ITS_LESSON, false},
    {"state", "FROM OUT", run_state, NOTHING, false},
    {"list", "", run_list, NOTHING, false},
    {"passed", "LESSON [WHAT] [EXERCISE]", run_passed, RESULTS_OF, false},
    {"finished", "", run_finished, NOTHING, false},
    {"find", "EXERCISE", run_find, NOTHING, false},
    {"hint", "LESSON EXERCISE|- [OBJECT...]", run_hint, RESULTS_OF, false},
    {"failing", "LESSON EXERCISE|- [OBJECT...]", run_failing, A_CHECK, true},
    {"quiz", "LESSON", run_quiz, ITS_LESSON, false},
    {"show", "LESSON OBJECT...", run_program, ITS_LESSON, true},
    {"plots", "LESSON OBJECT...", run_program, ITS_LESSON, true},
    {"try", "LESSON OBJECT...", run_program, ITS_LESSON, true},
    {"test", "LESSON OBJECT...", run_test, ITS_LESSON, true},
    {"whose", "LESSON WHAT", run_whose, ITS_LESSON, false},
    {"sources", "FOLDER [LESSON...]", run_sources, NOTHING, true},
    {"fast", "LESSON PROGRAM [WORD...]", run_fast, RESULTS_OF, true},
    {"pictures", "LESSON", run_pictures, RESULTS_OF, false},
    {"report", "NN-name...", run_report, NOTHING, false},
    {"stamp", "keep|holds FILE HOW [MADE-OF...]", script_stamp, NOTHING, false},
    {"readable", "FILE", script_readable, NOTHING, false},
    {"saves", "FILE...", script_saves, NOTHING, false},
    {"wait", "SAVES FILE...", script_wait, NOTHING, false},
    {"function", "FILE NAME", script_function, NOTHING, false},
    {"splice", "FILE STUB FUNCTION", script_splice, NOTHING, false},
    {"seal", "FILE", script_seal, NOTHING, false},
    {"alike", "FILE REFERENCE NAME...", script_alike, NOTHING, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Do so many words fit "LESSON OBJECT..."? */
static bool fits(const char *words, int count) {
    int least = 0, most = 0;
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        least += *at != '[';
        most++;
    }
    return count >= least && (count <= most || strstr(words, "..."));
}

static int usage(void) {
    fputs("make runs this program; see make help. Its commands:\n", stderr);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stderr, "  tutor %s %s\n", commands[i].name, commands[i].words);
    return 2;
}

static int refuse_code(const struct settings *settings) {
    fprintf(stderr,
            "This would run the code in %s with your rights, not in a box.\n"
            "If you trust it, add UNSAFE=1.\n",
            settings->from);
    return 2;
}

/* How many of the command's words stand before the one that begins so. */
static int words_before(const char *words, const char *begin) {
    const char *end = strstr(words, begin);
    int count = 0;
    for (const char *at = words; end && at < end; at++)
        count += *at == ' ';
    return count;
}

static int run(const struct command_line *c, const struct settings *settings, char **words) {
    struct job job = {.settings = settings, .words = words};
    const char *objects = strstr(c->words, "[OBJECT") ? "[OBJECT" : "OBJECT";
    job.task = (struct task){&job.lesson, settings, words + words_before(c->words, objects)};
    if (c->needs != NOTHING)
        open_lesson(&job.lesson, words[words_before(c->words, "LESSON")], settings);
    if (c->needs == RESULTS_OF)
        results_load(&job.lesson);
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
    for (int i = 0; i < COMMANDS && argc > 1; i++)
        if (strcmp(argv[1], commands[i].name) == 0 && fits(commands[i].words, argc - 2))
            return settings.untrusted && !settings.runner->boxed && commands[i].runs_code
                       ? refuse_code(&settings)
                       : run(&commands[i], &settings, argv + 2);
    return usage();
}
