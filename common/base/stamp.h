/* The one means of deciding whether something is stale, where make does not decide it. A stamp has
   of each file that something was made of its time, its size and its hash; it holds as long as all
   of them are what they were. Scripts use it through `tutor stamp`. */
#ifndef STAMP_H
#define STAMP_H

#include "base/sha256.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct stamp {
    char *path;
    long long size; /* -1: it is not there */
    struct timespec time;
    struct hash hash;
};

struct stamps {
    struct stamp *all;
    int count;
};

/* Notes the file as it is now, unless it is noted already. */
void stamps_add(struct stamps *stamps, const char *path);

/* The same for all that a rule of make names, as compilers write one beside an object: the sources
   of "x.o" stand in "x.d". */
void stamps_add_sources(struct stamps *stamps, const char *object);

/* A line a file, and back: false if the line is none of these. */
void stamps_print(const struct stamps *stamps, struct text *text);
bool stamps_read_line(struct stamps *stamps, const char *line);
void stamps_free(struct stamps *stamps);

/* True if the file is what it was. A file whose time and size have not changed is not read, unless
   it is to be read in any case. */
bool stamp_holds(const struct stamp *stamp, bool read);
bool stamps_hold(const struct stamps *stamps);

/* The same in a file of its own, for what is made of `how`, in one line, and the files. */
bool stamps_keep(const struct stamps *stamps, const char *how, const char *file);
bool stamps_kept(const char *file, const char *how);

#endif
