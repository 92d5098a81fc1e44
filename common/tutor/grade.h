/* What `make grade` gets for one file: a few tables, for other programs to read. */
#ifndef GRADE_H
#define GRADE_H

#include "check/check.h"

struct grade {
    struct check *check; /* for the whole file */
    struct lesson *lesson;
    const char *folder;
    bool in_part;         /* the whole does not build, */
    struct check parts;   /* but this has been judged: */
    exercise_set refused; /* all but these exercises */
};

/* Between the two, what is printed goes into the folder's screen.txt, as nothing but text. */
void grade_begin_screen(const char *folder);
bool grade_end_screen(const char *folder);

/* Judges what builds of a file that does not, as far as there is something, and says so behind its
   screen. */
void grade_parts(struct grade *grade, const struct settings *settings, char *const hosts[],
                 char *const objects[]);

/* Writes the files verdict, exercises and tests into the folder; see common/grade/README.md. False
   if one of them cannot be written. */
bool grade_write(const struct grade *grade);
void grade_free(struct grade *grade);

#endif
