/* Do the shapes in a lesson's structs tell the truth? The program that generate_shapes.c writes
   lets each take_...() lay a struct out in a room, and goes through its members as a call does. The
   shapes have to tell of as many numbers as were taken. */
#include "shapes.h"

#include "grade/caller.h"

#include <stdio.h>

static double numbers[1 << 20];
static long told;
static int wrong;

struct room shapes_room(void) {
    told = 0;
    return (struct room){numbers, 0};
}

void shapes_compare(const char *name, const struct room *room) {
    if (told == room->used)
        return;
    printf("%s takes %d numbers; the shapes say %ld\n", name, room->used, told);
    wrong++;
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
    long count = 1;
    for (int k = 0; k < rank; k++)
        count *= sizes[k];
    told += count;
    if (!first) {
        printf("a shape tells of an array that was not taken\n");
        wrong++;
    }
}
