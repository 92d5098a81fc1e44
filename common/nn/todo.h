/* TODO("first hint") is the body of a lesson's function that is still to be written. */
#ifndef TODO_H
#define TODO_H

/* In a test: the exercise counts as "not started". Anywhere else: says so and ends the program. */
#define TODO(hint) todo(__FILE__, __LINE__, __func__, hint)

_Noreturn void todo(const char *file, int line, const char *function, const char *hint);

/* A test program sets this to be called instead; it must not return. */
extern void (*todo_reached)(const char *file, int line, const char *function, const char *hint);

#endif
