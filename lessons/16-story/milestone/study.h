/* The tables for the pictures of lesson 16. */
#ifndef STUDY_H
#define STUDY_H

#include "model.h"
#include "tale.h"

/* tokens.dat: the tokens of a story, and which of them were given. */
void write_tokens(const char *folder, int given, const struct tale *tale);

/* All others. `tellers` and `tales` have an element for each kind. */
void write_tables(const char *folder, const struct model *m, struct teller tellers[],
                  const struct tale tales[]);

#endif
