/* Files: writing them completely or not at all, locks, settings, and stamps. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

bool file_is_there(const char *path);

/* Makes the folder that `file` is to lie in. */
void make_folder_of(const char *file);

/* Writes the file, or leaves what was there: false, and a line that says why. */
bool file_replace(const char *path, const struct text *text);

/* Locks the file until file_unlock() or the end of this program, however it ends. If another
   program has it: waits, or returns TAKEN if `wait` is false. On file systems without locks,
   nothing is locked. */
enum { TAKEN = -2 };
int file_lock(const char *path, bool wait);
void file_unlock(int lock);

/* What make has found out (common/make/probe.sh): the compiler, its flags, the lessons. make writes
   it to one file, named by LOOKBACK_CONFIG. Each line is "NAME := value". The environment has
   precedence over it. `otherwise` if there is none, or an empty one. */
const char *setting(const char *name, const char *otherwise);

/* The process that has locked the file; 0 if none has. */
int file_lock_owner(const char *path);

/* --- stamps: is something stale, where make does not decide it? ------------------------------- */

/* The hash of a file from which something was made. It holds as long as the file still has that. */
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
