/* What the files that are written about a submission are called by. */
#ifndef LABEL_H
#define LABEL_H

#include "grade/class/class.h"

/* Gives each submission its folder's name as its label, with _ for what does not belong into a
   file's name. Two that would be the same get -2, -3 ... in the order of their names. */
void label_submissions(struct class *class);

#endif
