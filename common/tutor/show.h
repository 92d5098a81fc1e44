/* The screens of a check and of the list. */
#pragma once

#include "check/check.h"
#include "course/lesson.h"

/* How far the learner is with all lessons, the one at `current` counted as just checked. */
struct progress {
    int done, total;
    char next_folder[64]; /* the lesson to go on with; "" if all others are passed */
    char next_title[64];
    bool next_is_behind; /* it comes after the current one */
    bool hidden;         /* one lesson is graded, and the others elsewhere: this is not shown */
    bool make_is_before; /* an earlier one is not passed: make and make hint are about that */
};

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings);
/* Why a program with the learner's code in it stopped; `program` is "the milestone". */
void show_stop(const struct finding *finding, const struct lesson *lesson, const char *program);
/* Why there is no program: the file does not compile or link, or is not there. */
void show_not_built(const struct check *check, const struct lesson *lesson);
void show_lesson_line(struct lesson *lesson);
void show_progress(const struct progress *progress);
