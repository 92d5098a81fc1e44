/* Builds and runs files of slips (writing.h), as the Makefile says. */
#pragma once

#include "check/check.h"
#include "diagnose/matching.h"
#include "diagnose/writing.h"

/* The slips of the reference, its list's too. False, with a message, when the list is wrong. */
bool variants_of(struct variants *variants, const struct lesson *lesson, struct wanted wanted);

/* A stem of this process alone. */
const char *slips_stem(const struct task *task, const char *name);

/* Builds a program that runs the slips; it and what is made on the way are called `stem`. What it
   reports, as the text of a table; empty if that was not possible. */
struct text run_slips(struct variants *variants, const char *stem, const struct task *task,
                      const char *flags);

/* The table of an exercise, listed and generated slips: a release brings it; otherwise it is kept,
   or made now. False if that was not possible, or nothing is known of the lesson. */
bool exercise_table(struct table *table, const struct task *task, const char *exercise);
