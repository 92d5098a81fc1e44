/* For generated code: compares the shapes in a header with what is taken. */
#pragma once

#include "grade/caller.h"
#include "room.h"

struct room shapes_room(void);

/* The pieces since then are all that was taken. */
void shapes_compare(const char *name, const struct room *room);
int shapes_end(void);

/* For a struct that is given another one, `of`: this one is laid out first. */
#define BESIDE(type, taken)                                                                        \
    {                                                                                              \
        struct room other = {NULL, 0};                                                             \
        struct type of = taken;
#define LOOK(type, taken, ...)                                                                     \
    {                                                                                              \
        struct room room = shapes_room();                                                          \
        struct type made = taken;                                                                  \
        pass_##type(__VA_ARGS__);                                                                  \
        shapes_compare("take_" #type, &room);                                                      \
    }
