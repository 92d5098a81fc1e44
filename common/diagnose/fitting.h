/* Finds where in a learner's own function a known mistake stands: the line that the mistake has and
   the reference has not. Local variables may have other names there. */
#pragma once

#include "diagnose/writing.h"

/* `mistake` is a variant of `reference`; `own` is the learner's file. 0: no line is like it, or
   several are. */
int line_of_mistake(const struct variants *own, const struct variants *reference,
                    const struct variant *mistake);
