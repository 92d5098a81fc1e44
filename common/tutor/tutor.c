/* The program behind make: checks a lesson, lists them all. It knows lessons only as data, so that
   a new one needs no change here. The Makefile tells it how to compile (see check.c). */
#include "attempts.h"
#include "check.h"
#include "diagnose.h"
#include "files.h"
#include "guide.h"
#include "lesson.h"
#include "prove.h"
#include "report.h"
#include "screen.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LESSONS = 64 };

static void open_lesson(struct lesson *lesson, const char *folder,
                        const struct settings *settings) {
    if (lesson_read(lesson, folder, settings->from, settings->out))
        return;
    fprintf(stderr, "no lesson with functions in lessons/%s\n", folder);
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
    char folders[MOST_LESSONS][64];
    int count = lesson_folders(folders, MOST_LESSONS);
    struct progress progress = {0};
    for (int i = 0; i < count; i++) {
        struct lesson lesson;
        open_lesson(&lesson, folders[i], settings);
        lesson_load_results(&lesson, true);
        int order = current ? strcmp(folders[i], current->folder) : 0;
        progress.done += lesson_done_count(current && order == 0 ? current : &lesson);
        progress.total += lesson.count;
        if (current && order != 0 && !lesson_done(&lesson))
            note_next(&progress, &lesson, order > 0);
        lesson_free(&lesson);
    }
    return progress;
}

/* check NN-name OBJECT...: everything about one lesson; quietly: only the results. */
static int check_command(const struct settings *settings, char **arguments, bool quietly) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 1);
    bool done = lesson_done(&lesson);
    if (!quietly) {
        if (!done)
            check_optimizer_warnings(&check, &lesson, settings);
        diagnose(&check, &lesson, settings, arguments + 1);
        struct progress progress = measure_progress(&lesson, settings);
        show_check(&check, &lesson, &progress, settings);
    }
    check_free(&check);
    lesson_free(&lesson);
    return done || quietly ? 0 : 1;
}

/* list: a line a lesson, from the results that are there. */
static int list_command(const struct settings *settings) {
    char folders[MOST_LESSONS][64];
    int count = lesson_folders(folders, MOST_LESSONS);
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    putchar('\n');
    for (int i = 0; i < count; i++) {
        struct lesson lesson;
        open_lesson(&lesson, folders[i], settings);
        lesson_load_results(&lesson, true);
        show_lesson_line(&lesson);
        lesson_free(&lesson);
    }
    puts("\n + done   x wrong   ! broken   . to do   ? not checked");
    return 0;
}

/* passed NN-name: silent if the lesson is passed; otherwise says what is missing. */
static int passed_command(const struct settings *settings, const char *folder) {
    struct lesson lesson;
    open_lesson(&lesson, folder, settings);
    lesson_load_results(&lesson, true);
    bool done = lesson_done(&lesson);
    if (!done) {
        const struct exercise *e = lesson_first_undone(&lesson);
        fprintf(stderr,
                "The pictures of lesson %s are drawn from your code, and %d of its %d "
                "exercises\nare not done. First: %s (%s), see make %s.\n",
                lesson.number, lesson.count - lesson_done_count(&lesson), lesson.count, e->name,
                state_word(e->state), lesson.number);
    }
    lesson_free(&lesson);
    return done ? 0 : 1;
}

/* current: after the last lesson there is nothing to check. */
static int finished_command(const struct settings *settings) {
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    puts("\nEvery lesson is done. make report puts it all on paper; make plots draws it.");
    return 0;
}

/* hint NN-name EXERCISE OBJECT...: - for the exercise that one is on. */
static int hint_command(const struct settings *settings, char **arguments) {
    struct lesson lesson;
    open_lesson(&lesson, arguments[0], settings);
    lesson_load_results(&lesson, true);
    const char *exercise = strcmp(arguments[1], "-") == 0 ? NULL : arguments[1];
    int status = hint(&lesson, exercise, settings, arguments + 2);
    lesson_free(&lesson);
    return status;
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
static int report_command(const struct settings *settings, char **folders) {
    puts("| | lesson | exercises done | | quiz |\n|:--|:--|:--|:--|:--|");
    for (int whole = 0; whole < 2; whole++) {
        for (int i = 0; folders[i]; i++) {
            struct lesson lesson;
            open_lesson(&lesson, folders[i], settings);
            lesson_load_results(&lesson, true);
            if (whole)
                report_lesson(&lesson);
            else
                report_overview(&lesson);
            lesson_free(&lesson);
        }
        putchar('\n');
    }
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
    fputs("usage: tutor check|record LESSON OBJECT... | list | passed LESSON | finished\n"
          "       tutor hint LESSON EXERCISE|- OBJECT... | quiz LESSON | report LESSON...\n"
          "       tutor slips|mutants|costs LESSON OBJECT... | plant LESSON SLIP\n"
          "       tutor faults|attempts LESSON LIST OBJECT...\n"
          "       tutor state FILE... | wait STATE FILE... | splice FILE STUB FUNCTION\n"
          "make runs this program; see make help.\n",
          stderr);
    return 2;
}

/* For the compiler, whose messages are read here, and for the sanitizers. */
static void set_environment(void) {
    const char *leaks = getenv("LOOKBACK_LEAKS");
    char options[100];
    snprintf(options, sizeof options, "detect_leaks=%d:handle_abort=1:handle_sigfpe=1",
             leaks && *leaks == '1');
    setenv("LC_ALL", "C", 1);
    setenv("ASAN_OPTIONS", options, 1);
    setenv("UBSAN_OPTIONS", "print_stacktrace=1", 1);
}

static int run(const struct settings *settings, int count, char **arguments) {
    const char *command = arguments[0];
    if (strcmp(command, "check") == 0 && count > 1)
        return check_command(settings, arguments + 1, false);
    if (strcmp(command, "record") == 0 && count > 1)
        return check_command(settings, arguments + 1, true);
    static const char for_maintainers[] = " slips mutants costs faults attempts plant ";
    if (count > 2 && strstr(for_maintainers, path_of(" %s ", command).chars))
        return prove_command(settings, command, arguments + 1);
    if (strcmp(command, "list") == 0 && count == 1)
        return list_command(settings);
    if (strcmp(command, "passed") == 0 && count == 2)
        return passed_command(settings, arguments[1]);
    if (strcmp(command, "finished") == 0 && count == 1)
        return finished_command(settings);
    if (strcmp(command, "hint") == 0 && count > 2)
        return hint_command(settings, arguments + 1);
    if (strcmp(command, "quiz") == 0 && count == 2)
        return quiz_command(settings, arguments[1]);
    if (strcmp(command, "report") == 0 && count > 1)
        return report_command(settings, arguments + 1);
    if (strcmp(command, "wait") == 0 && count > 2)
        return files_wait(arguments[1], arguments + 2);
    if (strcmp(command, "splice") == 0 && count == 4)
        return files_splice(arguments[1], arguments[2], arguments[3]);
    if (strcmp(command, "state") != 0 || count < 2)
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
