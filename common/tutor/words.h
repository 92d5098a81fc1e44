/* Turns findings into words. All sentences about verdicts are in words.c. */
#pragma once

#include "check/check.h"
#include "diagnose/repair.h"

/* What a crash did, or what is wrong with the file: "divided an integer by zero", to be read behind
   the name of a function or a place. It has no full stop at its end, but it may have a question
   mark. */
const char *words_what(const struct finding *finding);

/* The same of a function as a sentence: "softmax() divided an integer by zero." */
const char *words_blame(const char *blamed, const struct finding *finding);

/* How a later test was stopped: "was stopped after 5 s of work". */
const char *words_stop(const struct finding *finding);

/* What to try; "" if there is nothing to say. */
const char *words_advice(const struct finding *finding, const struct lesson *lesson);

/* "file:31:20", or as much of it as is known; and a line for each call that led there. */
const char *words_where(const struct finding *finding);
const char *words_callers(const struct finding *finding);

/* What a failed test says: weights[1][2]: expected 0.2500, was 0.5000. */
const char *words_message(const struct test *test);

/* Which mistake it is, and how sure that is. */
const char *words_of_wrong(const struct finding *finding);

/* What a line of a wrong exercise does, if one is known: "Line 31 makes the first NaN, ..." */
bool words_have_line(const struct finding *finding);
const char *words_line(const struct finding *finding);
const char *words_cause(const struct cause *cause);

/* The exercise that an exercise waits for; "" if it does not wait. */
const char *words_waits_for(const struct finding *finding);

/* Why an exercise is not done, or the file does not build, in a sentence of any of these kinds: for
   tables and reports. */
const char *words_why(const struct finding *finding);

/* Writes into each exercise why it is not done, for its results. */
void words_tell(const struct check *check, struct lesson *lesson);

/* What make hint advises about a line. */
const char *words_change(const struct advice *advice);

/* "softmax.c does not compile", or "the program does not link" if another file is to blame. */
const char *words_unbuilt(const struct check *check, const struct lesson *lesson);

/* What a test is called, "a_row_sums_to_one", as the sentence that it is. */
const char *words_test(const char *name);

/* Of an exercise in which no change was found that is enough. */
const char *words_no_line(const struct advice *advice, const struct exercise *exercise);
