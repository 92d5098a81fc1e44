/* One row of numbers, and whoever asks is given the next piece of it. All weights of a network lie
   in one room and all values of a pass in another, so that saving, counting, zeroing and training
   see one vector, and the rest of the code sees names. */
#ifndef ROOM_H
#define ROOM_H

#include <stddef.h>

struct room {
    double *numbers; /* NULL: nothing is given out, only counted */
    int used;        /* so many, so far */
};

/* The next `count` numbers; they stay as they are. NULL where there is no room, only a count. */
void *take(struct room *room, int count);

#endif
