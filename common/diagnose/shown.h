/* Does a source show a slip? Several mistakes may give the same numbers. If the source has a
 * statement that the slip replaces, the slip is unlikely. */
#pragma once

#include "diagnose/writing.h"

/* The statements of a text, heads of loops and conditions too: each on the line without its blanks,
   between two bytes 1. */
const char *statements_of(const char *from, const char *to);

/* Adds what a variant takes out of a function, "\1statement\1statement\1", a tab, and what it puts
   there; where that is nothing, the two statements that meet. */
void add_exchange(struct text *text, const char *function, const struct variant *variant);

/* Has a list of statements this token, which is written as in statements_of()? */
bool has_token(const char *statements, const char *token);

/* What the statements of a source say of a slip that came with its exchange. */
enum doubt doubt_about(const struct variant *slip, const char *statements);

/* Notes what the learner's source says of each of these slips: their `doubt`. */
void note_doubts(const char *own, struct variant *slips, int count);

/* The line of a learner's own function in which a known mistake stands: the one that the mistake
   has and the reference has not, where local variables may have other names. `mistake` is a variant
   of `reference`, and `own` the learner's file. 0: no line is like it, or several are. */
int line_of_mistake(const struct variants *own, const struct variants *reference,
                    const struct variant *mistake);
