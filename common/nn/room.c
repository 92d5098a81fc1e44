/* A bump allocator for doubles. Without a buffer it only counts, so that the same code measures
   a buffer first and then hands it out. */
#include "room.h"

void *take(struct room *room, int count) {
    double *piece = room->numbers ? room->numbers + room->used : NULL;
    room->used += count;
    return piece;
}
