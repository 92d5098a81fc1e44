/* Where somebody's file is graded, it is compiled, linked and run in a box: nothing of it runs in
   our test program, which common/grade/prepare.sh has linked and which carries its calls to the
   box. What the file is linked with is a host, in place of the tests. */
#ifndef BOXED_H
#define BOXED_H

#include "base/command.h"
#include "check/check.h"

/* Begins the command that makes `to` of `from`: "compile" or "link", in a box if there is one. */
void boxed_begin(struct command *command, const struct settings *settings, const char *verb,
                 const char *from, const char *to);

/* A box that did not start ends the program: that is no fault of the file. */
void boxed_see(const struct settings *settings, const struct child *child);

/* What an object is linked with: `objects`, the tests and the lessons before; or, if it is graded,
   the host, which our test program calls. */
struct boxed_objects {
    struct path host, support;
    char *all[3];
};
char *const *boxed_objects(struct boxed_objects *hosts, const struct settings *settings,
                           char *const objects[]);

/* Makes that host. */
bool boxed_host(const struct lesson *lesson, const struct settings *settings, const char *path);

/* The reference of those exercises, and of no other. */
bool boxed_standin(const struct lesson *lesson, const struct settings *settings,
                   const bool standing[], struct path *object);

/* Adds the command that runs the tests: the program itself, or ours, which calls it in its box;
 * returns false if it cannot be run. */
bool boxed_tests(struct command *command, const struct settings *settings, const char *program);

#endif
