/* A command of the tutor, and the small ones that scripts call. Each returns an exit status. */
#pragma once

#include "check/check.h"

/* A command that runs. */
struct job {
    const struct settings *settings;
    char **words;         /* after its name */
    struct lesson lesson; /* that the words name */
    struct task task;     /* of this lesson, with the objects that the last words name */
    struct check check;
};

/* FILE: prints it sealed, or a sealed one as it was. */
int script_seal(struct job *job);

/* keep FILE HOW [MADE-OF...], holds FILE HOW: keeps a stamp of what something is made of, or asks
   whether it holds. See base/stamp.h. */
int script_stamp(struct job *job);

/* FILE: prints what another person's code has printed into it, readable. See base/utf8.h. */
int script_readable(struct job *job);

/* FILE...: prints what identifies the present state of each, a line each. */
int script_saves(struct job *job);

/* SAVES FILE...: returns when the files differ from what script_saves() wrote into SAVES, and have
   not changed for a moment. A file that disappears while an editor replaces it is waited for. */
int script_wait(struct job *job);

/* FILE NAME: prints the definition of a function. */
int script_function(struct job *job);

/* FILE STUB NAME: prints the file with the function's definition replaced by the one in STUB. */
int script_splice(struct job *job);

/* FILE REFERENCE NAME...: prints which of these functions are those of the reference but for names.
   Short ones are alike by nature. */
int script_alike(struct job *job);
