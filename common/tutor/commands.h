/* What the files of the tutor offer each other. */
#pragma once

#include "check/check.h"

/* How far the learner is with all lessons, the one at `current` counted as just checked. */
struct progress {
    int done, total;
    const struct lesson *next; /* to go on with; NULL if all others are passed */
    bool next_is_behind;       /* it comes after the current one */
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
    struct progress progress; /* after a check */
};

/* The lessons before that folder that are there, with their last results. One without a folder ends
   them. Of a lesson that comes before those of a release, there is only the header. */
struct lesson *read_lessons(const char *from, const char *out, const char *before);
#define ALL_LESSONS "~"
#define EACH_LESSON(l, all)                                                                        \
    for (struct lesson *l = (all); l->folder[0]; l++)                                              \
        if (l->count > 0)

/* Counts what is done in all lessons: from the last results, and in `current` from just now. */
struct progress measure_progress(const struct lesson *current, const struct settings *settings);

/* Finds out why exercises are not done, of all or of the first alone, and keeps the results. False
   if the file was saved meanwhile. */
bool keep_diagnosed(struct check *check, bool all);

/* Keeps in a file which lesson was checked last: make hint is about that. */
void note_last(const struct job *job);

/* The commands. Each returns an exit status. The table in tutor.c has the words that they take, and
   what they need; what they do is said where they are defined. */
typedef int run_job(struct job *job);
run_job run_end, run_fast, run_find, run_finished, run_grade, run_hint, run_list, run_pictures;
run_job run_program, run_report, run_sources, run_state, run_test, run_whose;

/* "5 of 8", or "5 of 8, then 7 of 8" for the first try and the last, or "" before the first try.
   common/make/quiz.sh keeps them beside the lesson's results. */
const char *quiz_score(const struct lesson *lesson);

/* Finds out what the next hint about a wrong exercise will say, unless that is known. */
void prepare_hint(const struct task *task, const struct exercise *e);

/* Prepares in the background what the learner may ask for next about this exercise; ends that; or
   waits until it is done. */
void background_begin(const struct task *task, const struct exercise *e);
void background_end(const struct settings *settings);
void background_wait(const struct settings *settings);

/* How strong a hint for the exercise has been shown: 0 (none) to 3. */
int hints_shown(const struct lesson *lesson, const char *exercise);

/* What a good solution of an exercise that is done looks like, unless it has been shown before. */
void show_what_passed(struct lesson *lesson, int room);

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings);
/* Why a program with the learner's code in it stopped; `program` is "the milestone". */
void show_stop(const struct finding *finding, const struct lesson *lesson, const char *program);
/* Why there is no program: the file does not compile or link, or is not there. */
void show_not_built(const struct check *check, const struct lesson *lesson);
void show_lesson_line(struct lesson *lesson, int most); /* exercises in one lesson */
void show_progress(const struct progress *progress);

/* Is one JSON document wanted (make 03 FORMAT=json)? README.md has its fields. */
bool findings_are_wanted(void);

/* `check` and `lesson` are NULL if every lesson is passed, and none was checked. `kept` is false if
   the file was saved while it was checked. */
void findings_print(const struct check *check, struct lesson *lesson,
                    const struct progress *progress, bool kept);
