/* Judges an exercise on its own: where one that it calls, or that its tests call, is not done, the
 * reference replaces that one. */
#pragma once

#include "check/trial.h"

/* After a run in which some exercises were not done: runs those again that need another of them,
   until each is judged by its own lines, or waits for another where the cause is unknown. `program`
   is the one that was run. */
void standin_judge(struct trial *trial, const char *program);

/* An object with the reference's functions for these exercises of the lesson, and with nothing else
   that another file can see. False without a solution or without objcopy. */
bool standin_object(const struct task *task, exercise_set standing, const char *path);

/* The same, beside the lesson's object: see `reference` in runner.h. */
const char *standin_reference(const struct task *task, exercise_set standing);

/* Links a program in which the reference's functions for these exercises replace those of the
   object `own`; NULL: there is no such object. */
bool standin_link(const struct trial *trial, exercise_set standing, const char *own,
                  const char *program);
