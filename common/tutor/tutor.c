/* The program behind make: checks a lesson, lists them all. It knows lessons only as data, so that
   a new one needs no change here. The Makefile tells it how to compile (see check.c). */
#include "attempts.h"
#include "build.h"
#include "check.h"
#include "diagnose.h"
#include "files.h"
#include "guide.h"
#include "lesson.h"
#include "pictures.h"
#include "programs.h"
#include "prove.h"
#include "quiz.h"
#include "read.h"
#include "report.h"
#include "results.h"
#include "screen.h"
#include "show.h"
#include "source.h"

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
    struct folders folders = lesson_folders();
    struct progress progress = {0};
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        open_lesson(&lesson, folders.names[i].chars, settings);
        results_load(&lesson);
        int order = current ? strcmp(lesson.folder, current->folder) : 0;
        progress.done += lesson_done_count(current && order == 0 ? current : &lesson);
        progress.total += lesson.count;
        if (current && order != 0 && !lesson_done(&lesson))
            note_next(&progress, &lesson, order > 0);
        lesson_free(&lesson);
    }
    folders_free(&folders);
    return progress;
}

/* check NN-name OBJECT...: everything about one lesson. */
static int check_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 1);
    bool done = lesson_done(&lesson);
    if (!done)
        check_optimizer_warnings(&check, &lesson, settings);
    diagnose(&check, &lesson, settings, arguments + 1);
    bool kept = check_save(&check, &lesson, settings);
    struct progress progress = measure_progress(&lesson, settings);
    if (kept)
        show_what_passed(&lesson);
    show_check(&check, &lesson, &progress, settings);
    if (!kept && !settings->only)
        printf("\n%s was saved while it was checked, or this could not be kept: make checks it "
               "again.\n",
               lesson.source.chars);
    check_free(&check);
    lesson_free(&lesson);
    return done ? 0 : 1;
}

/* record NN-name OBJECT...: only its results; a word if it was passed and is not any more. */
static int record_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    enum results before = results_load(&lesson);
    check_lesson(&check, &lesson, settings, arguments + 1);
    check_save(&check, &lesson, settings);
    if (before == RENEWABLE && !lesson_done(&lesson))
        fprintf(stderr, "Lesson %s is not passed any more: its tests or headers are others now.\n",
                lesson.number);
    check_free(&check);
    lesson_free(&lesson);
    return 0;
}

/* told NN-name OBJECT...: keeps what a check would say of every exercise, not of the first alone.
 */
static int told_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 1);
    diagnose_all(&check, &lesson, settings, arguments + 1);
    check_save(&check, &lesson, settings);
    check_free(&check);
    lesson_free(&lesson);
    return 0;
}

/* state FROM OUT: for make, "passed:NN-name", "renew:", "record:" and "current:"; see results.h.
   What is to be renewed counts as passed until that is done. */
static int state_command(struct settings settings, const char *from, const char *out) {
    struct folders folders = lesson_folders();
    bool current = false;
    settings.from = from;
    settings.out = out;
    for (int i = 0; i < folders.count; i++) {
        const char *name = folders.names[i].chars;
        struct lesson lesson;
        if (lesson_read(&lesson, name, settings.from, settings.out)) {
            enum results results = results_load(&lesson);
            bool passed = results == RENEWABLE || (results == RESULTS && lesson_done(&lesson));
            if (results == RENEWABLE || results == OLD_RESULTS)
                printf("%s:%s ", results == RENEWABLE ? "renew" : "record", name);
            if (passed || !current)
                printf("%s:%s ", passed ? "passed" : "current", name);
            current = current || !passed;
        }
        lesson_free(&lesson);
    }
    folders_free(&folders);
    return 0;
}

/* list: a line a lesson, from the results that are there. */
static int list_command(const struct settings *settings) {
    struct folders folders = lesson_folders();
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    putchar('\n');
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        open_lesson(&lesson, folders.names[i].chars, settings);
        results_load(&lesson);
        show_lesson_line(&lesson);
        lesson_free(&lesson);
    }
    folders_free(&folders);
    puts("\n + done   x wrong   ! broken   . to do   ? not checked");
    return 0;
}

/* passed NN-name [WHAT [EXERCISE]]: silent if the lesson is passed, or the exercise is done;
   otherwise says what is missing for WHAT. */
static int passed_command(const struct settings *settings, const char *folder, const char *what,
                          const char *name) {
    struct lesson lesson;
    open_lesson(&lesson, folder, settings);
    results_load(&lesson);
    const struct exercise *only = name ? lesson_exercise(&lesson, name) : NULL;
    bool done = only ? only->state == DONE : lesson_done(&lesson);
    const struct exercise *e = only && !done ? only : lesson_first_undone(&lesson);
    int undone = lesson.count - lesson_done_count(&lesson);
    if (!done && lesson.unbuilt)
        fprintf(stderr, "Lesson %s does not build: see make %s.\n", lesson.number, lesson.number);
    else if (!done && what)
        fprintf(stderr,
                "%s of lesson %s: your code, and %d of its %d exercises\n"
                "%s not done. First: %s (%s), see make %s.\n",
                what, lesson.number, undone, lesson.count, undone == 1 ? "is" : "are", e->name,
                state_word(e->state), lesson.number);
    lesson_free(&lesson);
    return done ? 0 : 1;
}

/* finished: after the last lesson there is nothing to check. */
static int finished_command(const struct settings *settings) {
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    puts("\nEvery lesson is done. make report puts it all on paper; make plots draws it.");
    return 0;
}

/* find EXERCISE: the number of its lesson. */
static int find_command(const struct settings *settings, const char *name) {
    struct folders folders = lesson_folders();
    struct path found = {""}, all = {""};
    int lessons = 0;
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        open_lesson(&lesson, folders.names[i].chars, settings);
        if (lesson_exercise(&lesson, name)) {
            found = path_of("%s", lesson.number);
            all = path_of("%s%s%s", all.chars, lessons++ ? " and " : "", lesson.number);
        }
        lesson_free(&lesson);
    }
    folders_free(&folders);
    if (lessons == 1)
        puts(found.chars);
    else if (lessons == 0)
        fprintf(stderr, "No lesson has an exercise %s.\n", name);
    else
        fprintf(stderr, "Lessons %s have an exercise %s: say which, make hint-%s EXERCISE=%s\n",
                all.chars, name, found.chars, name);
    return lessons == 1 ? 0 : 2;
}

/* hint NN-name EXERCISE OBJECT...: - for the exercise that one is on. */
static int hint_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    open_lesson(&lesson, arguments[0], settings);
    results_load(&lesson);
    const char *exercise = strcmp(arguments[1], "-") == 0 ? NULL : arguments[1];
    int status = hint(&lesson, exercise, settings, arguments + 2);
    lesson_free(&lesson);
    return status;
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
               lesson_done(lesson) ? "" : ": the rest is still to be written");
    else if (e->state == NOT_STARTED)
        printf("%s() is not written yet: there is nothing to debug.\n", e->name);
    return e && e->state != NOT_STARTED ? e : NULL;
}

/* The first line of its body, where its arguments are there already; it may stand in one line. */
static int first_line_inside(const struct lesson *lesson, const struct exercise *e) {
    struct text source;
    const char *from, *to;
    int line = e->line;
    text_read_file(&source, lesson->source.chars);
    if (find_definition(text_of(&source), e->name, &from, &to)) {
        int opens = line_of(text_of(&source), strchr(from, '{'));
        line = opens < line_of(text_of(&source), to) ? opens + 1 : line;
    }
    text_free(&source);
    return line;
}

/* failing NN-name EXERCISE|- OBJECT...: program, function, test and file:line, a line each, for the
 * debugger. */
static int failing_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 2);
    check_save(&check, &lesson, settings);
    const struct exercise *e = NULL;
    if (check.stage != TESTED)
        printf("%s does not build: make %s says why.\n", lesson.source.chars, lesson.number);
    else
        e = failing_exercise(&lesson, arguments[1]);
    const struct test *t = e ? report_first_bad(&check.report, e) : NULL;
    for (int i = 0; e && !t && i < check.report.count; i++) /* its first, if all pass */
        if (check.report.tests[i].exercise == e)
            t = &check.report.tests[i];
    if (t)
        printf("%s\n%s\n%s\n%s:%d\n", built(&lesson, settings, "test").chars, e->name, t->name,
               lesson.source.chars, first_line_inside(&lesson, e));
    check_free(&check);
    lesson_free(&lesson);
    return 0;
}

/* quiz NN-name: from the lesson's folder. */
static int quiz_command(const struct settings *settings, const char *folder) {
    struct lesson lesson;
    open_lesson(&lesson, folder, settings);
    int status = quiz(&lesson);
    lesson_free(&lesson);
    return status;
}

/* report NN-name...: the report on those lessons, as Markdown. */
static int report_command(const struct settings *settings, char **folders, int count) {
    struct lesson *lessons = calloc((size_t)count, sizeof *lessons);
    for (int i = 0; lessons && i < count; i++) {
        open_lesson(&lessons[i], folders[i], settings);
        results_load(&lessons[i]);
    }
    int status = lessons ? report_print(lessons, count, settings->from) : 2;
    while (lessons && count > 0)
        lesson_free(&lessons[--count]);
    free(lessons);
    return status;
}

/* pictures NN-name: each with the exercises that it waits for. */
static int pictures_command(const struct settings *settings, const char *folder) {
    struct lesson lesson;
    open_lesson(&lesson, folder, settings);
    results_load(&lesson);
    pictures_list(&lesson);
    lesson_free(&lesson);
    return 0;
}

/* For maintainers, see prove.h and attempts.h: COMMAND NN-name [WHICH] OBJECT... */
static int prove_command(const struct settings *settings, const char *command, char **arguments) {
    struct lesson lesson;
    char *which = arguments[1], **objects = arguments + 1;
    int status = 2;
    open_lesson(&lesson, arguments[0], settings);
    if (strcmp(command, "slips") == 0)
        status = prove_slips(&lesson, settings, objects);
    else if (strcmp(command, "mutants") == 0)
        status = prove_mutants(&lesson, settings, objects);
    else if (strcmp(command, "costs") == 0)
        status = prove_costs(&lesson, settings, objects);
    else if (strcmp(command, "faults") == 0)
        status = prove_faults(&lesson, which, settings, objects + 1);
    else if (strcmp(command, "attempts") == 0)
        status = attempts_tell(&lesson, which, settings, objects + 1);
    else
        status = prove_plant(&lesson, which);
    lesson_free(&lesson);
    return status;
}

static int usage(void) {
    fputs("usage: tutor check|record|told LESSON OBJECT... | state FROM OUT | list | finished\n"
          "       tutor show|plots|try|test LESSON OBJECT... | milestone WHAT LESSON SOURCE...\n"
          "       tutor passed LESSON [WHAT [EXERCISE]] | whose LESSON WHAT | quiz LESSON\n"
          "       tutor pictures LESSON | report LESSON... | find EXERCISE | read FILE\n"
          "       tutor hint|failing LESSON EXERCISE|- OBJECT... | function FILE NAME\n"
          "       tutor slips|mutants|costs LESSON OBJECT... | plant LESSON SLIP\n"
          "       tutor faults|attempts LESSON LIST OBJECT...\n"
          "       tutor saves FILE... | wait SAVES FILE... | splice FILE STUB FUNCTION\n"
          "       tutor function FILE FUNCTION\n"
          "make runs this program; see make help.\n",
          stderr);
    return 2;
}

/* show, plots and try NN-name OBJECT...; test NN-name OBJECT...; milestone WHAT NN-name SOURCE...;
   whose NN-name WHAT. */
static int program_command(const struct settings *settings, const char *command, char **arguments) {
    struct lesson lesson;
    bool milestone = strcmp(command, "milestone") == 0;
    int status = 0;
    open_lesson(&lesson, arguments[milestone], settings);
    if (milestone)
        status = milestone_run(&lesson, settings, arguments[0], arguments + 2);
    else if (strcmp(command, "whose") == 0)
        tell_whose_code(&lesson, settings, arguments[1]);
    else if (strcmp(command, "test") == 0)
        status = program_test(&lesson, settings, arguments + 1);
    else
        status = program_run(&lesson, settings, command, arguments + 1);
    lesson_free(&lesson);
    return status;
}

/* For the compiler, whose messages are read here, and for the sanitizers. */
static void set_environment(void) {
    setenv("LC_ALL", "C", 1);
    setenv("ASAN_OPTIONS",
           "detect_leaks=0:handle_abort=1:handle_sigfpe=1:max_allocation_size_mb=500:"
           "soft_rss_limit_mb=1000:hard_rss_limit_mb=2000:malloc_context_size=5",
           1);
    setenv("UBSAN_OPTIONS", "print_stacktrace=1", 1);
}

/* True if `word` is one of `words`, which have a space on each side. */
static bool is_one_of(const char *word, const char *words) {
    return strstr(words, path_of(" %s ", word).chars);
}

static int run(const struct settings *settings, int count, char **arguments) {
    const char *command = arguments[0];
    if (strcmp(command, "check") == 0 && count > 1)
        return check_command(settings, arguments + 1);
    if (strcmp(command, "record") == 0 && count > 1)
        return record_command(settings, arguments + 1);
    if (strcmp(command, "told") == 0 && count > 1)
        return told_command(settings, arguments + 1);
    if (strcmp(command, "state") == 0 && count == 3)
        return state_command(*settings, arguments[1], arguments[2]);
    if (count > 2 && is_one_of(command, " show plots try test milestone whose "))
        return program_command(settings, command, arguments + 1);
    if (count > 2 && is_one_of(command, " slips mutants costs faults attempts plant "))
        return prove_command(settings, command, arguments + 1);
    if (strcmp(command, "list") == 0 && count == 1)
        return list_command(settings);
    if (strcmp(command, "passed") == 0 && count >= 2 && count <= 4)
        return passed_command(settings, arguments[1], arguments[2],
                              count > 3 ? arguments[3] : NULL);
    if (strcmp(command, "find") == 0 && count == 2)
        return find_command(settings, arguments[1]);
    if (strcmp(command, "failing") == 0 && count > 2)
        return failing_command(settings, arguments + 1);
    if (strcmp(command, "finished") == 0 && count == 1)
        return finished_command(settings);
    if (strcmp(command, "hint") == 0 && count > 2)
        return hint_command(settings, arguments + 1);
    if (strcmp(command, "quiz") == 0 && count == 2)
        return quiz_command(settings, arguments[1]);
    if (strcmp(command, "read") == 0 && count == 2)
        return read_text(arguments[1]);
    if (strcmp(command, "report") == 0 && count > 1)
        return report_command(settings, arguments + 1, count - 1);
    if (strcmp(command, "pictures") == 0 && count == 2)
        return pictures_command(settings, arguments[1]);
    if (strcmp(command, "wait") == 0 && count > 2)
        return files_wait(arguments[1], arguments + 2);
    if (strcmp(command, "function") == 0 && count == 3)
        return files_function(arguments[1], arguments[2]);
    if (strcmp(command, "splice") == 0 && count == 4)
        return files_splice(arguments[1], arguments[2], arguments[3]);
    if (strcmp(command, "saves") != 0 || count < 2)
        return usage();
    files_print_state(arguments + 1);
    return 0;
}

int main(int argc, char **argv) {
    struct settings settings = settings_from_environment();
    set_environment();
    screen_start();
    return argc > 1 ? run(&settings, argc - 1, argv + 1) : usage();
}
