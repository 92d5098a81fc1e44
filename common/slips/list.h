/* tests/NN-name/slips: what a lesson knows of slips. CONTRIBUTING.md says how it is written. */
#ifndef LIST_H
#define LIST_H

#include "writing.h"

/* Adds the slips and ways of a function (NULL: of all) to a family. False, with a message to
   standard error, when the list is wrong. */
bool list_read(struct family *family, const char *path, const char *function);

#endif
