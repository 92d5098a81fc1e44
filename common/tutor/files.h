/* Small services for the scripts: waiting for a save, and giving one function back its stub. */
#ifndef FILES_H
#define FILES_H

/* Prints what identifies the present state of each file (NULL-terminated), a line each. */
void files_print_state(char *const files[]);

/* Comes back when the files are not as files_print_state() wrote them into `state`, and have been
   still for a moment. A file that disappears while an editor replaces it is waited for. */
int files_wait(const char *state, char *const files[]);

/* Prints `file` with the function's definition replaced by the one in `stub`. */
int files_splice(const char *file, const char *stub, const char *function);

#endif
