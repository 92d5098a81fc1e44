/* Which functions a function needs, as far as the words of C files show: the functions in its body,
   those in their bodies, and so on; through macros, too. */
#pragma once

#include "base/text.h"

struct piece; /* a function's body, a macro's text, or a variable of a whole file */

struct calls {
    struct piece *pieces;
    int count;
    int first[128]; /* by first letter: the number of the last piece plus 1; 0: no piece */
};

/* Adds the functions, macros and variables of a file; nothing if it cannot be read. */
void calls_read(struct calls *calls, const char *path);

/* Marks everything that `name` needs as reached, until calls_forget(). A test that a macro makes,
   MACRO(exercise, name, ...), needs what the macro and its arguments need. If no piece has that
   name, it needs the pieces that contain it as a word, and without those, all pieces. */
void calls_follow(struct calls *calls, const char *name);
void calls_forget(struct calls *calls);
bool calls_reached(const struct calls *calls, const char *name);

/* True if two functions use the same variable of the file, and the second function is not reached
   through a call. */
bool calls_share(struct calls *calls, const char *name, const char *other);
