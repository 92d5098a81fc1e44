/* TeX formulas as plain text: "\frac{1}{\sqrt{d_k}}" reads "1 / sqrt(d_k)". */
#ifndef FORMULA_H
#define FORMULA_H

#include "base/text.h"

/* Adds the formula between `tex` and `end` (its dollars left out) to `plain`. A command that is not
   in the list of formula.c is named in `unknown`, and left out. */
void formula_add(struct text *plain, const char *tex, const char *end, char unknown[40]);

/* Spells the Greek letter at `at`, and returns its length there; 0 if there is none. */
size_t formula_greek(struct text *plain, const char *at);

#endif
