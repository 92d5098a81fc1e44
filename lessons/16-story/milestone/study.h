/* The tables for the pictures of lesson 16. */
#ifndef STUDY_H
#define STUDY_H

#include "model.h"
#include "tale.h"

/* `tellers` and `tales` have an element for each kind. */
void write_tables(const char *folder, const struct model *m, struct teller tellers[],
                  const struct tale tales[]);

#endif
