/* Every slip of a function in one C file: those that tests/NN-name/slips lists, each a copy of the
   function, and those that operators.c finds in it, most of them a branch on the number `slip`. */
#ifndef WRITING_H
#define WRITING_H

#include "../tutor/text.h"

#include <stdbool.h>

enum origin { LISTED, GENERATED, WAY };

struct variant {
    enum origin origin;
    char function[NAME_SIZE];
    char *name;       /* of a listed slip or a way; "ACC += =" of a generated one */
    const char *kind; /* of a generated one, see operators.h */
    char *says;       /* the sentence; a clause of a generated one; NULL: something else tells it */
    char *sees;       /* then: words that the learner must read */
    char *text;       /* the whole function */
    int form;         /* 0: a change of the file's own; otherwise of the way with that number */
    int line;         /* of the change, in the file; 0 for a copy */
    char *local;      /* what stands in place of letters from .. to of the form; NULL: a copy */
    int from, to;
    bool expression;       /* not a statement */
    unsigned long print;   /* of the text without white space: texts that are alike share it */
    bool stillborn;        /* it does not compile */
    int unit, first, last; /* written as, and in the lines */
};

struct family {
    struct text source;   /* the file that they are slips of */
    const char *exercise; /* whose tests they are for; NULL: those of their own function */
    struct variant *variants;
    int count;
};

/* What to put into a family: the slips of this function (NULL: of all), listed, and generated. */
struct wanted {
    const char *function;
    const char *list; /* tests/NN-name/slips, or NULL */
    bool generated;
    bool helpers; /* of static functions, too */
    bool doubles; /* of listed slips, too: two at once */
};

/* `source` is the whole file. False, with a message to standard error, when the list is wrong. */
bool family_make(struct family *family, const char *source, struct wanted wanted);
void family_free(struct family *family);

/* The source with one variant in its place. */
struct text family_plant(const char *source, const struct variant *variant);

/* The C file; notes in which lines each variant is. */
void family_write(struct family *family, struct text *c);

/* Marks those in whose lines the compiler found an error; their number, or -1: one is elsewhere. */
int family_drop(struct family *family, const char *compiler_said);

#endif
