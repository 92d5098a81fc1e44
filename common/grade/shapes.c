/* Do the shapes in a lesson's structs tell the truth? The program that generate.c writes lets each
   take_...() lay a struct out in a room, and goes through its members as a call does; here they are
   compared with the room: without a gap, and to its end. */
#include "grade/shapes.h"

#include "grade/caller.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PIECES = 4000, ROOM = 1 << 20 };

static double numbers[ROOM];
static struct piece {
    const double *first;
    size_t bytes;
} pieces[MOST_PIECES];
static int count, wrong;

struct room shapes_room(void) {
    count = 0;
    return (struct room){numbers, 0};
}

static int in_order(const void *a, const void *b) {
    const struct piece *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void shapes_compare(const char *name, const struct room *room) {
    const double *at = numbers;
    qsort(pieces, (size_t)count, sizeof *pieces, in_order);
    for (int i = 0; i < count && at; i++) {
        at = pieces[i].first == at ? at + pieces[i].bytes / sizeof *at : NULL;
        if (!at)
            printf("%s: piece %d is not where the shapes say\n", name, i + 1);
    }
    if (at && at != numbers + room->used)
        printf("%s takes %d numbers; the shapes say %ld\n", name, room->used, (long)(at - numbers));
    wrong += !at || at != numbers + room->used;
}

int shapes_end(void) {
    return wrong > 0;
}

void call_number(const void *number, size_t size) {
    (void)number, (void)size;
}

int call_int_back(void) {
    return 0;
}

int call_count(int structs, int most) {
    if (structs >= 0 && structs <= most)
        return structs;
    printf("a shape says that %d structs of %d are used\n", structs, most);
    wrong++;
    return 0;
}

void call_piece(const void *first, int rank, const long sizes[]) {
    size_t bytes = sizeof *numbers;
    for (int k = 0; k < rank; k++)
        bytes *= (size_t)sizes[k];
    if (first && count < MOST_PIECES)
        pieces[count++] = (struct piece){first, bytes};
    else
        wrong++;
    if (!first)
        printf("a shape tells of an array that was not taken\n");
}
