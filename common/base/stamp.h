/* Decides whether something is stale, where make does not decide it. A stamp has the hash of a file
   from which something was made. It holds as long as the file still has that. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

struct stamp {
    char *path;
    unsigned long long hash; /* 0: it cannot be read */
};

struct stamps {
    struct stamp *all;
    int count;
};

/* Adds the present state of the file, unless the file has a stamp already. */
void stamps_add(struct stamps *stamps, const char *path);

/* The same for the sources of an object. The compiler lists the sources of "x.o" in "x.d". */
void stamps_add_sources(struct stamps *stamps, const char *object);

/* Writes a line for each file, and reads such a line; false if the line is not one. */
void stamps_print(const struct stamps *stamps, struct text *text);
bool stamps_read_line(struct stamps *stamps, const char *line);

/* True if the file has not changed. */
bool stamp_holds(const struct stamp *stamp);
bool stamps_hold(const struct stamps *stamps);

/* The same in a file. `how` is one line that says how the result is made from these files. */
bool stamps_keep(const struct stamps *stamps, const char *how, const char *file);
bool stamps_kept(const char *file, const char *how);
