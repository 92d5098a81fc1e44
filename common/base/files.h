/* Files: writing them completely or not at all, locks, and settings. */
#pragma once

#include "base/text.h"

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
