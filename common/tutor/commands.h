/* The commands of the tutor that are not in tutor.c, and the small ones that scripts call. Each
   returns an exit status. */
#pragma once

#include "check/check.h"

/* How far the learner is with all lessons, the one at `current` counted as just checked. */
struct progress {
    int done, total;
    char next_folder[64]; /* the lesson to go on with; "" if all others are passed */
    char next_title[64];
    bool next_is_behind; /* it comes after the current one */
    bool hidden;         /* one lesson is graded, and the others elsewhere: this is not shown */
    bool make_is_before; /* an earlier one is not passed: make and make hint are about that */
};

/* A command that runs. */
struct job {
    const struct settings *settings;
    char **words;         /* after its name */
    struct lesson lesson; /* that the words name */
    struct task task;     /* of this lesson, with the objects that the last words name */
    struct check check;
};

/* Counts what is done in all lessons: from the last results, and in `current` from just now. */
struct progress measure_progress(const struct lesson *current, const struct settings *settings);

/* Finds out why exercises are not done, of all or of the first alone, and keeps the results. False
   if the file was saved meanwhile. */
bool keep_diagnosed(struct check *check, bool all);

/* Keeps in a file which lesson was checked last: make hint is about that. */
void note_last(const struct job *job);

/* FROM OUT: for make, "passed:NN-name", "renew:", "record:" and "current:"; see results.h. A lesson
   that is to be renewed counts as passed until then. "last:" was checked last, and is not passed.
 */
int run_state(struct job *job);

/* A line for each lesson, from the results that are there. */
int run_list(struct job *job);

/* After the last lesson there is nothing to check. */
int run_finished(struct job *job);

/* EXERCISE: the number of its lesson. */
int run_find(struct job *job);

/* The learner's own screen, and the verdict as JSON in a file: for make grade. */
int run_grade(struct job *job);

/* "5 of 8", or "5 of 8, then 7 of 8" for the first try and the last, or "" before the first try.
   common/make/quiz.sh keeps them beside the lesson's results. */
const char *quiz_score(const struct lesson *lesson);

/* LESSON EXERCISE: one hint more for an exercise (-: the first that is not done); after it is done,
   what a good solution looks like. */
int run_hint(struct job *job);

/* Finds out what the next hint about a wrong exercise will say, unless that is known. */
void prepare_hint(const struct task *task, const struct exercise *e);

/* Prepares in the background what the learner may ask for next about this exercise; ends that; or
   waits until it is done. */
void background_begin(const struct task *task, const struct exercise *e);
void background_end(const struct settings *settings);
void background_wait(const struct settings *settings);
int run_end(struct job *job);

/* How strong a hint for the exercise has been shown: 0 (none) to 3. */
int hints_shown(const struct lesson *lesson, const char *exercise);

/* What a good solution of an exercise that is done looks like, unless it has been shown before. */
void show_what_passed(struct lesson *lesson, int room);

/* LESSON...: the homework report on these, as Markdown: what is done, points, what is wrong with
   the rest, the pictures, the code. $NAME and $POINTS are the learner's name and the lecturer's
   file of points. */
int run_report(struct job *job);

/* A line for each picture of a lesson: its name, and the exercises that it waits for. */
int run_pictures(struct job *job);

/* The same with questions, and the learner's answers from a file with a "## name" before each. */
void pictures_report(const struct lesson *lesson, const char *answers);

/* Links the objects with the learner's code and runs the program: the command is "show", "plots"
   (its argument is the folder for tables) or "try" (at the terminal). */
int run_program(struct job *job);

/* The lesson's tests by themselves, without the tutor: takes this program's place. */
int run_test(struct job *job);

/* LESSON PROGRAM...: one in which the learner's code is compiled for speed, at the terminal. */
int run_fast(struct job *job);

/* FOLDER LESSON...: where the functions of these lessons come from: the learner's files, in the
   folder, if they are passed, otherwise the references. */
int run_sources(struct job *job);

/* LESSON WHAT: says whose code a lesson's pictures, or WHAT, are computed by. */
int run_whose(struct job *job);

/* FILE: prints it sealed, or a sealed one as it was. */
int run_seal(struct job *job);

/* keep FILE HOW [MADE-OF...], holds FILE HOW: keeps a stamp of what something is made of, or asks
   whether it holds. See base/stamp.h. */
int run_stamp(struct job *job);

/* FILE: prints what another person's code has printed into it, readable. See base/text.h. */
int run_readable(struct job *job);

/* FILE...: prints what identifies the present state of each, a line each. */
int run_saves(struct job *job);

/* SAVES FILE...: returns when the files differ from what run_saves() wrote into SAVES, and have not
   changed for a moment. A file that disappears while an editor replaces it is waited for. */
int run_wait(struct job *job);

/* FILE NAME: prints the definition of a function. */
int run_function(struct job *job);

/* FILE STUB NAME: prints the file with the function's definition replaced by the one in STUB. */
int run_splice(struct job *job);

/* FILE REFERENCE NAME...: prints which of these functions are those of the reference but for names.
   Short ones are alike by nature. */
int run_alike(struct job *job);

/* --- the screens of a check and of the list ------------------------------------------------- */

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings);
/* Why a program with the learner's code in it stopped; `program` is "the milestone". */
void show_stop(const struct finding *finding, const struct lesson *lesson, const char *program);
/* Why there is no program: the file does not compile or link, or is not there. */
void show_not_built(const struct check *check, const struct lesson *lesson);
void show_lesson_line(struct lesson *lesson, int most); /* exercises in one lesson */
void show_progress(const struct progress *progress);

/* --- what a check has found as one JSON document: README.md has the table of its fields ------- */

/* Is that wanted: make 03 FORMAT=json? */
bool findings_are_wanted(void);

/* `check` and `lesson` are NULL if every lesson is passed, and none was checked. `kept` is false if
   the file was saved while it was checked. */
void findings_print(const struct check *check, struct lesson *lesson,
                    const struct progress *progress, bool kept);
