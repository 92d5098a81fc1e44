/* How far a long computation has come: a bar that moves at a terminal, and otherwise a line for
   each tenth. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

/* True if what is drawn may be drawn over: at a terminal, unless NO_COLOR asks for plain lines. */
bool progress_moves(void);

/* `done` of `all` steps are done; the text that follows goes beside the bar, in at most 40
   letters. Call it as often as you like: it draws only what can be seen. */
void progress(int done, int all, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for several trainings at once: `more` steps of one of them are done, of `all` together.
   Any thread may call it. */
void progress_more(int more, int all, const char *text);

#endif
