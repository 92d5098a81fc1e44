/* Finds where in a learner's own function a known mistake stands: the line that is like one that
   the mistake has and the reference has not. Local variables may have other names there. */
#pragma once

#include "diagnose/writing.h"

struct fit {
    int line;        /* of the learner's file; 0: no line is like it, or several are */
    double likeness; /* 1: it is the mistake's own */
};

/* `mistake` is a variant of `reference`; `own` is the learner's file. Sets touched[line] for each
   line that may be the mistake's; there are `lines` of them. */
struct fit fit_mistake(const struct variants *own, const struct variants *reference,
                       const struct variant *mistake, bool touched[], int lines);
