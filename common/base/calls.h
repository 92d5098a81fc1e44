/* Which functions a function needs, as far as the words of C files tell: those in its body, those
   in theirs, and so on; through macros, too. */
#ifndef CALLS_H
#define CALLS_H

#include "base/text.h"

struct piece; /* a function's body, a macro's text, or a variable of a whole file */

struct calls {
    struct text *texts;
    struct piece *pieces;
    int text_count, count;
    int first[128]; /* by its first letter, the last piece and 1 more; 0: there is none */
};

/* Adds what stands in a file, or nothing if it cannot be read. */
void calls_read(struct calls *calls, const char *path);
void calls_free(struct calls *calls);

/* All that `name` needs has been reached, from now until calls_forget(). A test that
   a macro makes, MACRO(exercise, name, ...), needs what the macro and its arguments do; a name that
   stands nowhere might need anything. */
void calls_follow(struct calls *calls, const char *name);
void calls_forget(struct calls *calls);
bool calls_reached(const struct calls *calls, const char *name);

/* Do two functions set or read the same variable of the file, where the second is not reached
   through a call? */
bool calls_share(struct calls *calls, const char *name, const char *other);

#endif
