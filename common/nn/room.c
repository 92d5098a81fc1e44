#include "room.h"

void *take(struct room *room, int count) {
    double *piece = room->numbers ? room->numbers + room->used : NULL;
    room->used += count;
    return piece;
}
