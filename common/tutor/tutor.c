/* The program behind make: checks a lesson, lists them all. It knows lessons only as data, so that
   a new one needs no change here. The Makefile tells it how to compile (see check.c). */
#include "base/files.h"
#include "base/screen.h"
#include "base/source.h"
#include "check/build.h"
#include "check/check.h"
#include "course/lesson.h"
#include "course/results.h"
#include "course/sealed.h"
#include "diagnose/diagnose.h"
#include "grade/box/runner.h"
#include "tutor/attempts.h"
#include "tutor/grade.h"
#include "tutor/guide.h"
#include "tutor/pictures.h"
#include "tutor/programs.h"
#include "tutor/prove.h"
#include "tutor/quiz.h"
#include "tutor/report.h"
#include "tutor/show.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    struct folders folders = lesson_folders("tests");
    struct progress progress = {0};
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        if (!lesson_read(&lesson, folders.names[i].chars, settings->from, settings->out))
            continue; /* not written yet: make test names what is missing */
        results_load(&lesson);
        int order = current ? strcmp(lesson.folder, current->folder) : 0;
        progress.done += lesson_done_count(current && order == 0 ? current : &lesson);
        progress.total += lesson.count;
        if (current && order != 0 && !lesson_done(&lesson))
            note_next(&progress, &lesson, order > 0);
        progress.make_is_before |= order < 0 && !lesson_done(&lesson);
        lesson_free(&lesson);
    }
    folders_free(&folders);
    return progress;
}

/* The lesson that was checked last is kept in a file: make hint is about that. */
static void note_last(const struct settings *settings, const char *folder) {
    struct path path = path_of("%s/last", settings->out);
    struct text text = {0};
    text_print(&text, "%s", folder);
    make_folder_of(path.chars);
    file_replace(path.chars, &text);
    text_free(&text);
}

/* check NN-name OBJECT...: everything about one lesson. */
static int check_command(const struct settings *settings, char **words) {
    char **arguments = words + 1;
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    note_last(settings, lesson.folder);
    check_lesson(&check, &lesson, settings, arguments + 1);
    bool done = lesson_done(&lesson);
    if (!done)
        check_optimizer_warnings(&check, &lesson, settings);
    diagnose(&check, &lesson, settings, arguments + 1);
    words_tell(&check, &lesson);
    bool kept = check_save(&check, &lesson, settings);
    struct progress progress = measure_progress(&lesson, settings);
    if (kept)
        show_what_passed(&lesson);
    show_check(&check, &lesson, &progress, settings);
    if (!kept && check.stage != NO_FILE && !settings->only) {
        putchar('\n');
        say_paragraph(
            PLAIN, 0,
            path_of("%s was saved while it was checked: make checks it again.", lesson.source.chars)
                .chars);
    }
    check_free(&check);
    lesson_free(&lesson);
    return done ? 0 : 1;
}

/* host NN-name: what a file of that lesson is linked with when it is graded. */
static int host_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    open_lesson(&lesson, words[1], settings);
    bool made = box_host(&lesson);
    lesson_free(&lesson);
    return made ? 0 : 2;
}

/* grade NN-name FOLDER OBJECT...: the learner's own screen, and tables of it in the folder. */
static int grade_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, words[1], settings);
    time_t began = time(NULL);
    grade_begin_screen(words[2]);
    check_lesson(&check, &lesson, settings, words + 3);
    if (!lesson_done(&lesson))
        check_optimizer_warnings(&check, &lesson, settings);
    diagnose_all(&check, &lesson, settings, words + 3);
    words_tell(&check, &lesson);
    check_save(&check, &lesson, settings);
    struct progress progress = measure_progress(&lesson, settings);
    progress.hidden = true;
    show_check(&check, &lesson, &progress, settings);
    struct grade grade = {.check = &check, .lesson = &lesson, .folder = words[2]};
    if (lesson.unbuilt && difftime(time(NULL), began) < 6.0)
        grade_parts(&grade, settings, settings->runner->objects, words + 3);
    bool written = grade_end_screen(words[2]) && grade_write(&grade);
    grade_free(&grade);
    check_free(&check);
    lesson_free(&lesson);
    return written ? 0 : 1;
}

/* record NN-name OBJECT...: only its results, which make hint reads; a word if it was passed and is
   not any more. */
static int record_command(const struct settings *settings, char **words) {
    char **arguments = words + 1;
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    enum results before = results_load(&lesson);
    check_lesson(&check, &lesson, settings, arguments + 1);
    diagnose(&check, &lesson, settings, arguments + 1);
    words_tell(&check, &lesson);
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
static int told_command(const struct settings *settings, char **words) {
    char **arguments = words + 1;
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 1);
    diagnose_all(&check, &lesson, settings, arguments + 1);
    words_tell(&check, &lesson);
    check_save(&check, &lesson, settings);
    check_free(&check);
    lesson_free(&lesson);
    return 0;
}

/* state FROM OUT: for make, "passed:NN-name", "renew:", "record:" and "current:"; see results.h.
   What is to be renewed counts as passed until that is done. "last:" was checked last, and is not
   passed. */
static int state_command(const struct settings *settings, char **words) {
    struct folders folders = lesson_folders("tests");
    struct text last;
    bool current = false;
    text_read_file(&last, path_of("%s/last", words[2]).chars);
    for (int i = 0; i < folders.count; i++) {
        const char *name = folders.names[i].chars;
        struct lesson lesson;
        if (lesson_read(&lesson, name, words[1], words[2])) {
            enum results results = results_load(&lesson);
            bool passed = results == RENEWABLE || (results == RESULTS && lesson_done(&lesson));
            if (results == RENEWABLE || results == OLD_RESULTS)
                printf("%s:%s ", results == RENEWABLE ? "renew" : "record", name);
            if (passed || !current)
                printf("%s:%s ", passed ? "passed" : "current", name);
            if (!passed && strcmp(text_of(&last), name) == 0)
                printf("last:%s ", name);
            current = current || !passed;
        }
        lesson_free(&lesson);
    }
    text_free(&last);
    folders_free(&folders);
    return 0;
}

/* list: a line a lesson, from the results that are there. */
static int list_command(const struct settings *settings, char **words) {
    struct folders folders = lesson_folders("tests");
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        if (!lesson_read(&lesson, folders.names[i].chars, settings->from, settings->out))
            continue;
        results_load(&lesson);
        show_lesson_line(&lesson);
        lesson_free(&lesson);
    }
    folders_free(&folders);
    puts("\n + done   x wrong   ! broken   . to do   ? not checked");
    return 0;
}

/* Silent if the lesson is passed, or the exercise `name` is done, if it is not NULL; otherwise says
   what is missing for `what`. */
static int say_missing(const struct settings *settings, const char *folder, const char *what,
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

/* passed NN-name [WHAT [EXERCISE]]: see say_missing(). */
static int passed_command(const struct settings *settings, char **words) {
    return say_missing(settings, words[1], words[2], words[2] ? words[3] : NULL);
}

/* finished: after the last lesson there is nothing to check. */
static int finished_command(const struct settings *settings, char **words) {
    struct progress progress = measure_progress(NULL, settings);
    show_progress(&progress);
    puts("\nEvery lesson is done. make report puts it all on paper; make plots draws it.");
    return 0;
}

/* How many letters of the shorter name both begin with, or all of them if the other holds it. */
static int likeness(const char *a, const char *b) {
    int alike = 0;
    while (a[alike] && a[alike] == b[alike])
        alike++;
    return strstr(a, b) ? (int)strlen(b) : strstr(b, a) ? (int)strlen(a) : alike;
}

/* find EXERCISE: the number of its lesson. */
static int find_command(const struct settings *settings, char **words) {
    const char *name = words[1];
    struct folders folders = lesson_folders("tests");
    struct path found = {""}, all = {""}, near = {""};
    int lessons = 0, most = 3;
    for (int i = 0; i < folders.count; i++) {
        struct lesson lesson;
        if (!lesson_read(&lesson, folders.names[i].chars, settings->from, settings->out))
            continue;
        if (lesson_exercise(&lesson, name)) {
            found = path_of("%s", lesson.number);
            all = path_of("%s%s%s", all.chars, lessons++ ? " and " : "", lesson.number);
        }
        for (int e = 0; e < lesson.count; e++) {
            int alike = likeness(lesson.exercises[e].name, name);
            if (alike <= most)
                continue;
            most = alike;
            near = path_of(" Is it %s of lesson %s?", lesson.exercises[e].name, lesson.number);
        }
        lesson_free(&lesson);
    }
    folders_free(&folders);
    if (lessons == 1)
        puts(found.chars);
    else if (lessons == 0)
        fprintf(stderr, "No lesson has an exercise %s.%s\n", name, near.chars);
    else
        fprintf(stderr, "Lessons %s have an exercise %s: say which, make hint-%s EXERCISE=%s\n",
                all.chars, name, found.chars, name);
    return lessons == 1 ? 0 : 2;
}

/* hint NN-name EXERCISE OBJECT...: - for the exercise that one is on. */
static int hint_command(const struct settings *settings, char **words) {
    char **arguments = words + 1;
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
static int failing_command(const struct settings *settings, char **words) {
    char **arguments = words + 1;
    struct lesson lesson;
    struct check check;
    open_lesson(&lesson, arguments[0], settings);
    check_lesson(&check, &lesson, settings, arguments + 2);
    words_tell(&check, &lesson);
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
static int quiz_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    open_lesson(&lesson, words[1], settings);
    int status = quiz(&lesson);
    lesson_free(&lesson);
    return status;
}

/* report NN-name...: the report on those lessons, as Markdown. */
static int report_command(const struct settings *settings, char **words) {
    int count = 0;
    while (words[1 + count])
        count++;
    struct lesson *lessons = calloc((size_t)count, sizeof *lessons);
    for (int i = 0; lessons && i < count; i++) {
        open_lesson(&lessons[i], words[1 + i], settings);
        results_load(&lessons[i]);
    }
    int status = lessons ? report_print(lessons, count, settings->from) : 2;
    while (lessons && count > 0)
        lesson_free(&lessons[--count]);
    free(lessons);
    return status;
}

/* pictures NN-name: each with the exercises that it waits for. */
static int pictures_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    open_lesson(&lesson, words[1], settings);
    results_load(&lesson);
    pictures_list(&lesson);
    lesson_free(&lesson);
    return 0;
}

/* For maintainers, see prove.h and attempts.h: COMMAND NN-name [WHICH] OBJECT... */
static int prove_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    const char *command = words[0];
    char *which = words[2], **objects = words + 2;
    int status = 2;
    open_lesson(&lesson, words[1], settings);
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

/* show, plots and try NN-name OBJECT...; test NN-name OBJECT...; whose NN-name WHAT. */
static int program_command(const struct settings *settings, char **words) {
    struct lesson lesson;
    int status = 0;
    open_lesson(&lesson, words[1], settings);
    if (strcmp(words[0], "whose") == 0)
        tell_whose_code(&lesson, settings, words[2]);
    else if (strcmp(words[0], "test") == 0) {
        note_last(settings, lesson.folder);
        status = program_test(&lesson, settings, words + 2);
    } else
        status = program_run(&lesson, settings, words[0], words + 2);
    lesson_free(&lesson);
    return status;
}

/* milestone run|renew|try|bench NN-name SOURCE...: renew is for pictures, which do without. */
static int milestone_command(const struct settings *settings, char **words) {
    const char *what = words[1], *folder = words[2];
    struct path source = path_of("lessons/%s/milestone/%s.c", folder, what), to = {""};
    bool renew = strcmp(what, "renew") == 0;
    struct lesson lesson;
    int status = 0;
    if (renew || strcmp(what, "run") == 0)
        source = path_of("lessons/%s/milestone.c", folder);
    if (!renew)
        to = path_of("To %s the milestone", what);
    if (!file_is_there(source.chars)) {
        if (!renew)
            printf("Lesson %.*s has nothing to %s.\n", (int)strcspn(folder, "-"), folder, what);
        return 0;
    }
    if (say_missing(settings, folder, renew ? NULL : to.chars, NULL) != 0)
        return renew ? 0 : 1;
    open_lesson(&lesson, folder, settings);
    status = milestone_run(&lesson, settings, what, words + 3);
    lesson_free(&lesson);
    return status;
}

/* For the compiler, whose messages are read here, and for the sanitizers: what lies a row outside
   of one array must not lie in another. A stack that is read here is named here, where that can be:
   the sanitizer would read whatever is known of the system's libraries first. */
static void set_environment(bool is_read) {
    const char *can = getenv("LOOKBACK_ADDR2LINE");
    int symbolize = !is_read || !can || !*can;
    setenv("LC_ALL", "C", 1);
    setenv("ASAN_OPTIONS",
           path_of("symbolize=%d:detect_leaks=0:handle_abort=1:handle_sigfpe=1:redzone=256:"
                   "max_allocation_size_mb=500:soft_rss_limit_mb=1000:hard_rss_limit_mb=2000:"
                   "malloc_context_size=5:" MALLOC_FILLING,
                   symbolize)
               .chars,
           1);
    setenv("UBSAN_OPTIONS", path_of("symbolize=%d:print_stacktrace=1", symbolize).chars, 1);
}

/* Prints the file sealed, or a sealed one as it was. */
static int seal(const char *path) {
    struct text text;
    bool good = text_read_file(&text, path);
    text_seal(&text);
    fputs(text_of(&text), stdout);
    text_free(&text);
    return good ? 0 : 1;
}

/* Small services for the scripts. */
static int file_command(const struct settings *settings, char **words) {
    if (strcmp(words[0], "seal") == 0)
        return seal(words[1]);
    if (strcmp(words[0], "readable") == 0)
        return files_readable(words[1]);
    if (strcmp(words[0], "wait") == 0)
        return files_wait(words[1], words + 2);
    if (strcmp(words[0], "function") == 0)
        return files_function(words[1], words[2]);
    if (strcmp(words[0], "splice") == 0)
        return files_splice(words[1], words[2], words[3]);
    files_print_state(words + 1);
    return 0;
}

static const struct command_line {
    const char *name,
        *words; /* that follow it: capital letters; those in brackets may be missing */
    int (*run)(const struct settings *settings, char **words);
} commands[] = {
    {"check", "LESSON [OBJECT...]", check_command},
    {"record", "LESSON [OBJECT...]", record_command},
    {"told", "LESSON [OBJECT...]", told_command},
    {"host", "LESSON", host_command},
    {"grade", "LESSON FOLDER OBJECT...", grade_command},
    {"state", "FROM OUT", state_command},
    {"list", "", list_command},
    {"passed", "LESSON [WHAT] [EXERCISE]", passed_command},
    {"finished", "", finished_command},
    {"find", "EXERCISE", find_command},
    {"hint", "LESSON EXERCISE|- [OBJECT...]", hint_command},
    {"failing", "LESSON EXERCISE|- [OBJECT...]", failing_command},
    {"quiz", "LESSON", quiz_command},
    {"show", "LESSON OBJECT...", program_command},
    {"plots", "LESSON OBJECT...", program_command},
    {"try", "LESSON OBJECT...", program_command},
    {"test", "LESSON OBJECT...", program_command},
    {"whose", "LESSON WHAT", program_command},
    {"milestone", "run|renew|try|bench LESSON [SOURCE...]", milestone_command},
    {"pictures", "LESSON", pictures_command},
    {"report", "LESSON...", report_command},
    {"readable", "FILE", file_command},
    {"saves", "FILE...", file_command},
    {"wait", "SAVES FILE...", file_command},
    {"function", "FILE NAME", file_command},
    {"splice", "FILE STUB FUNCTION", file_command},
    {"slips", "LESSON OBJECT...", prove_command},
    {"mutants", "LESSON OBJECT...", prove_command},
    {"costs", "LESSON OBJECT...", prove_command},
    {"faults", "LESSON LIST OBJECT...", prove_command},
    {"attempts", "LESSON LIST OBJECT...", prove_command},
    {"plant", "LESSON SLIP", prove_command},
    {"seal", "FILE", file_command},
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

/* Those that run the learner's code. */
static bool runs_code(const char *command) {
    return strstr(" check record told failing show plots try test milestone ",
                  path_of(" %s ", command).chars);
}

static int refuse_code(const struct settings *settings) {
    fprintf(stderr,
            "This would run the code in %s with your rights, not in a box.\n"
            "If you trust it, add UNSAFE=1.\n",
            settings->from);
    return 2;
}

int main(int argc, char **argv) {
    struct settings settings = settings_from_environment();
    /* What is graded names its own stack, in its box. */
    bool graded = box_from_environment(&settings);
    set_environment(argc > 1 && strcmp(argv[1], "test") != 0 && !graded);
    screen_start();
    for (int i = 0; i < COMMANDS && argc > 1; i++)
        if (strcmp(argv[1], commands[i].name) == 0 && fits(commands[i].words, argc - 2))
            return settings.untrusted && !settings.runner->boxed && runs_code(argv[1])
                       ? refuse_code(&settings)
                       : commands[i].run(&settings, argv + 1);
    return usage();
}
