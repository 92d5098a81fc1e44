/* `make story`: a story for a reader who has not begun yet. */
#ifndef TELL_H
#define TELL_H

/* Tells one story. The functions are those of the reference. */
int tell_one(void);

#endif
