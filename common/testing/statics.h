/* What a function keeps in static or global variables from one call to the next: two threads that
   call it would write there both. The program's own memory for variables is looked at, before and
   after. */
#ifndef STATICS_H
#define STATICS_H

#include <stdbool.h>

/* The second call leaves every static variable as it was. The first is made before anything is
   compared: it may have numbers of its own, and should. */
#define EXPECT_NOTHING_KEPT(first_call, second_call)                                               \
    do {                                                                                           \
        first_call;                                                                                \
        statics_remember();                                                                        \
        second_call;                                                                               \
        expect_statics_kept(__LINE__);                                                             \
    } while (0)

void statics_remember(void);
bool statics_kept(void); /* true if all are as they were, and where this cannot be found out */
const char *statics_changed(void);  /* if not, which */
void expect_statics_kept(int line); /* in expect.c */

#endif
