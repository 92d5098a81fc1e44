/* Takes one file out of a folder that others wrote. */
#ifndef TAKE_H
#define TAKE_H

#include "base/text.h"

#include <dirent.h>
#include <time.h>

struct taken {
    struct text bytes;
    time_t written;
    const char *refused; /* why it was not taken, or NULL */
    bool absent;         /* because it is not there */
    bool converted;      /* from UTF-16 */
};

/* A regular file of at most so many bytes, in the open folder. No link is followed, no device and
   no pipe opened. */
struct taken take_file(int folder, const char *name, size_t most);

/* The same for a path through folders, no link among them. */
struct taken take_path(int folder, const char *path, size_t most);

/* The same as take_file() for a text: UTF-16 with its mark in front becomes UTF-8. */
struct taken take_source(int folder, const char *name, size_t most);

/* Opens a folder in an open one, and no link to one; -1. */
int take_folder(int folder, const char *name);

/* A list of what is in an open folder, or NULL, and the next name in it; NULL at its end, where the
   list is closed. */
DIR *entries_of(int folder);
const char *next_name(DIR *entries);

#endif
