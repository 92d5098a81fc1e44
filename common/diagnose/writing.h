/* Every slip of a function in one C file: those that tests/NN-name/slips lists, and those that
   operators.c finds in it, each a branch on a number. */
#pragma once

#include "base/text.h"
#include "base/tokens.h"
#include "diagnose/transplant.h"

#include <stdbool.h>

enum origin { LISTED, GENERATED, WAY };

/* What the learner's source says of a slip that has the right numbers: nothing against it, nothing
   for it either, or that the slip is another. */
enum doubt { NO_DOUBT, SOME_DOUBT, REFUTED };

struct variant {
    enum origin origin;
    char *function;
    char *name;       /* of a listed slip or a way; "ACC:5:+=:=" of a generated one */
    const char *kind; /* of a generated one, see operators.h */
    char *says;       /* the sentence; a clause of a generated one; NULL: something else tells it */
    char *sees;       /* then: words that the learner must read */
    char *means;      /* the name of its meaning: slips that share it are reported once */
    char *words;      /* tokens that the sentence is about: the learner's code must have them */
    char *text;       /* the whole function */
    const char *at, *behind; /* of a generated one: what it changes in the function's text */
    char *change;            /* and the text in its place */
    int base;                /* the number of the variant that this one changes further; 0: none */
    int line;                /* of the change, in the file */
    int second_line;         /* of the same change at another place; 0: there is none */
    unsigned long print;     /* of the text without white space: texts that are alike share it */
    int from, to;            /* the narrowest part of the function that can be a branch: tokens */
    bool expression;         /* not a statement */
    const char *branch, *branch_end; /* the new text in its place */
    int loops;                       /* of a generated one: without so many it cannot be made */
    int size;                        /* of a generated one: tokens left out, and others put in */
    bool is_against_header;          /* it would be, in place of what the learner has */
    bool dropped;                    /* it does not compile */
    int place;                       /* the branch's number in the C file */
    const char *taken, *put;         /* of a table: the statements that it exchanges, see shown.c */
    bool of_way;                     /* a change of another right form */
    enum doubt doubt;
};

struct variants {
    struct text source;   /* the file that they are slips of */
    struct text types;    /* the lessons' headers that it includes, and it again */
    const char *exercise; /* whose tests they are for; NULL: those of their own function */
    struct variant *all;
    int count;
    bool laws_of_ways;
    /* Are long tests run though another one failed? With the last, no test is. */
    enum long_tests { OF_LISTED, OF_NONE, OF_ALL, STOP_AT_ONE } long_tests;
};

/* What to put into it: the slips of this function (NULL: of all), listed, and generated. */
struct wanted {
    const char *function;
    const char *list; /* tests/NN-name/slips, or NULL */
    bool generated;
    bool helpers;                 /* of static functions, too */
    bool twins;                   /* only the same change at two places */
    const struct undoing *undone; /* known mistakes; these are changes that may undo one */
    int undone_count;
};

/* `source` is the whole file. False, with a message to standard error, when the list is wrong. */
bool variants_make(struct variants *variants, const char *source, struct wanted wanted);

/* A variant of a function, as far as its text tells. */
struct variant *variants_add(struct variants *variants, enum origin origin, const char *function,
                             const char *text);

/* Adds those of tests/NN-name/slips, as CONTRIBUTING.md says that it is written: of a function
   (NULL: of all). False, with a message to standard error, when the list is wrong. */
bool list_read(struct variants *variants, const char *path, const char *function);

/* Adds the headers of lessons that a source includes. */
void add_headers(struct text *types, const char *source);

/* From where on two functions differ, and up to where in each. */
struct difference {
    int from, to, own_to;
};
struct difference code_compare(const struct code *code, const struct code *own);

/* A number of the text without its white space. */
unsigned long code_print(const char *text);

/* The C file; notes the place of each variant. */
void variants_write(struct variants *variants, struct text *c);

/* Marks those in whose lines the compiler found an error; the number of new ones. */
int variants_drop(struct variants *variants, const char *compiler_said);
