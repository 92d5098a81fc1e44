/* Files: the time when they were saved, writing them completely or not at all, and locks. Also
   small services for the scripts: waiting for a save, and replacing one function by its stub. */
#ifndef FILES_H
#define FILES_H

#include "base/text.h"

#include <time.h>

/* When the file was written; the beginning of time if it is not there. */
struct timespec file_time(const char *path);
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

/* Prints what identifies the present state of each file (NULL-terminated), a line each. */
void files_print_state(char *const files[]);

/* Returns when the files differ from what files_print_state() wrote into `state`, and have not
   changed for a moment. A file that disappears while an editor replaces it is waited for. */
int files_wait(const char *state, char *const files[]);

/* Prints what another person's code has printed into that file, readable: see utf8.h. */
int files_readable(const char *file);

/* Prints the definition of the function in `file`. */
int files_function(const char *file, const char *function);

/* Prints `file` with the function's definition replaced by the one in `stub`. */
int files_splice(const char *file, const char *stub, const char *function);

#endif
