/* What a check has found as one JSON document, for editors, graders and pages. README.md in this
   folder has the table of its fields. */
#pragma once

#include "check/check.h"
#include "tutor/show.h"

/* Is that wanted: make 03 FORMAT=json? */
bool findings_are_wanted(void);

/* `check` and `lesson` are NULL if every lesson is passed, and none was checked. `kept` is false if
   the file was saved while it was checked. */
void findings_print(const struct check *check, struct lesson *lesson,
                    const struct progress *progress, bool kept);
