/* Links the learner's code with a program of the lesson, and earlier lessons with it: the learner's
   own where they are passed, otherwise the references. Then runs the program within limits, and
   explains how it ended. */
#include "tutor/commands.h"

#include "base/child.h"
#include "base/files.h"
#include "base/screen.h"
#include "explain/explain.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- whose code ----------------------------------------------------------------------------- */

static struct lesson *earlier_lessons(const struct task *task) {
    return read_lessons(task->settings->from, task->settings->out, task->lesson->folder);
}

/* FOLDER LESSON...: where the functions of these lessons come from: the learner's files, in the
   folder, if they are passed, otherwise the references. */
int run_sources(struct job *job) {
    struct lesson l;
    for (char **folder = job->words + 1; *folder; folder++) {
        lesson_read(&l, *folder, job->settings->from, job->settings->out);
        results_load(&l);
        printf("%s/%s/%s.c\n", lesson_done(&l) ? job->words[0] : "solutions", l.folder, l.name);
    }
    return 0;
}

/* LESSON WHAT: says whose code a lesson's pictures, or WHAT, are computed by. */
int run_whose(struct job *job) {
    const struct lesson *lesson = &job->lesson;
    const char *names = "";
    EACH_LESSON (l, earlier_lessons(&job->task))
        if (!lesson_done(l))
            names = path_of("%s%s%s", names, *names ? ", " : "", l->number);
    printf("%s %s/%s.\n", job->words[1], job->settings->from, lesson->folder);
    if (*names)
        say_paragraph(PLAIN, 0,
                      path_of("The reference replaces your code of %s, which is not passed or "
                              "was changed since.",
                              names));
    return 0;
}

/* --- with the sanitizers -------------------------------------------------------------------- */

/* The learner's object of an earlier lesson, if it is passed and builds; otherwise the reference's.
 */
static const char *own_object(struct check *check, struct lesson *lesson) {
    check->task.lesson = lesson;
    return lesson_done(lesson) && build_object_if_old(check)
               ? built(&check->task, "o")
               : path_of("%s/solutions/%s/%s.o", check->task.settings->object, lesson->folder,
                         lesson->name);
}

static bool link_program(struct check *check, const char *program) {
    struct task task = check->task;
    struct command objects = {0};
    command_add_all(&objects, task.objects);
    for (struct lesson *l = earlier_lessons(&task); l->folder[0]; l++)
        command_add(&objects, own_object(check, l));
    check->task = task;
    check->linked = objects.words;
    return build_object_if_old(check) && build_program(check, program);
}

/* Status 3: an exercise is not written yet, and the program has said which. */
static int judge_run(struct check *check, const char *what, const char *program,
                     struct child *child) {
    struct lesson *lesson = check->task.lesson;
    const char *whole = path_of("the program behind make %s-%s", what, lesson->number);
    fputs(text_of(&child->out), stdout);
    if (child->ending == ENDED && (child->status == 0 || child->status == 3)) {
        fputs(text_of(&child->err), stderr);
        return child->status;
    }
    putchar('\n');
    stack_name(&child->err, program);
    explain_crash(&check->file, lesson, child, NULL);
    show_stop(&check->file, lesson, whole);
    if (getenv("VERBOSE"))
        fputs(text_of(&child->err), stderr);
    return 1;
}

/* False, and a line that says so, if the lesson has no such program. The tables of pictures and the
   worked example are written by plots/NN-name/name_data.c and name_show.c. */
static bool is_written(const struct lesson *lesson, const char *what) {
    const char *kind = strcmp(what, "plots") == 0 ? "data" : what;
    const char *source = path_of("plots/%s/%s_%s.c", lesson->folder, lesson->name, kind);
    bool there = file_is_there(source);
    if (!there)
        fprintf(stderr, "Lesson %s has no %s.\n", lesson->number, source);
    return there;
}

/* The command is "show", "plots" (its argument is the folder for tables) or "try" (at the
   terminal). */
int run_program(struct job *job) {
    const char *what = job->words[-1], *program = built(&job->task, what);
    const struct lesson *lesson = &job->lesson;
    const struct settings *settings = job->settings;
    struct check check = {.task = job->task};
    struct child child = {0};
    const char *tables = path_of("%s/%s/plots", settings->out, lesson->folder);
    bool attached = strcmp(what, "try") == 0;
    if (!is_written(lesson, what))
        return 2;
    if (!file_is_there(lesson->source)) {
        fprintf(stderr, "%s is not there.\n", lesson->source);
        return 2;
    }
    if (isatty(STDOUT_FILENO))
        setenv("FORCE_COLOR", "1", 0); /* what it prints is passed on */
    if (!link_program(&check, program)) {
        show_not_built(&check, lesson);
        return 1;
    }
    bool boxed = settings->runner->boxed, draws = boxed || strcmp(what, "plots") == 0;
    struct command command = {0};
    settings->runner->begin(&command, settings, DRAW, program, draws ? tables : NULL);
    make_folder_of(path_of("%s/x", tables));
    double most = boxed ? 60 : 2.0 * settings->seconds; /* the box has a limit of its own */
    child_run(&child, command.words,
              (struct limits){most, attached ? 0 : 10, 1 << 20, .attached = attached});
    return judge_run(&check, what, program, &child);
}

/* The lesson's tests by themselves, without the tutor: takes this program's place. */
int run_test(struct job *job) {
    const struct task *task = &job->task;
    struct check check;
    const char *program = built(task, "plain-test");
    int lock = file_lock(built(task, "lock"), true);
    note_last(job);
    check_begin(&check, *task);
    if (!build_object(&check) || !build_program(&check, program)) {
        fprintf(stderr, "%s", text_of(&check.raw));
        if (check.file.where[0])
            fprintf(stderr, "%s: %s\n", words_where(&check.file), words_what(&check.file));
        return 2;
    }
    file_unlock(lock);
    look_for_leaks(task->lesson);
    struct command command = {0};
    task->settings->runner->begin(&command, task->settings, TEST, program, NULL);
    child_become(command.words);
}

/* LESSON PROGRAM...: one in which the learner's code is compiled for speed, at the terminal. */
int run_fast(struct job *job) {
    /* A training that does not end is stopped after half an hour; the user may press Ctrl-C. */
    const struct limits limits = {1800, 0, 1 << 20, .memory = (size_t)4 << 30, .attached = true};
    struct child child;
    struct finding finding;
    child_run(&child, job->words + 1, limits);
    fputs(text_of(&child.err), stderr);
    if (child.ending == ENDED)
        return child.status;
    explain_crash(&finding, &job->lesson, &child, NULL);
    putchar('\n');
    show_stop(&finding, &job->lesson, "the milestone");
    printf("\n  The milestone is compiled for speed, without the sanitizers that find the line.\n"
           "  make %s and make show-%s have them.\n",
           job->lesson.number, job->lesson.number);
    return 1;
}
