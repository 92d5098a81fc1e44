/* Files: when they were saved, written whole or not at all, locked; and small services for the
   scripts: waiting for a save, and giving one function back its stub. */
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

/* Locks the file until file_unlock() or the end of this program, however it ends. Waits if another
   program has it; or, if not to wait, returns TAKEN. Where nothing can be locked, all is free. */
enum { TAKEN = -2 };
int file_lock(const char *path, bool wait);
void file_unlock(int lock);

/* Prints what identifies the present state of each file (NULL-terminated), a line each. */
void files_print_state(char *const files[]);

/* Comes back when the files are not as files_print_state() wrote them into `state`, and have been
   still for a moment. A file that disappears while an editor replaces it is waited for. */
int files_wait(const char *state, char *const files[]);

/* Prints what another person's code has printed into that file, readable: see utf8.h. */
int files_readable(const char *file);

/* Prints the function as it is defined in `file`. */
int files_function(const char *file, const char *function);

/* Prints `file` with the function's definition replaced by the one in `stub`. */
int files_splice(const char *file, const char *stub, const char *function);

#endif
