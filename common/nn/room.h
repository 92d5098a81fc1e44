/* A buffer of doubles, handed out piece by piece (a bump allocator). All weights of a network
   are in one room and all values of a forward pass in another. So saving, counting, zeroing and
   training work on one vector, and the rest of the code uses names. */
#ifndef ROOM_H
#define ROOM_H

#include <stddef.h>

struct room {
    double *numbers; /* NULL: nothing is given out, only counted */
    int used;        /* so many, so far */
};

/* The next `count` numbers, unchanged. NULL if there is no buffer and the room only counts. */
void *take(struct room *room, int count);

#endif
