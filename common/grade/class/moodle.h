/* Moodle's grading worksheet: it is filled in, never made of nothing. */
#ifndef MOODLE_H
#define MOODLE_H

#include <stdbool.h>

/* Is there a worksheet, with the columns that are filled in? False, with a line, if not. */
bool moodle_is_ready(const char *worksheet);

/* Takes from it when each submission was handed in; false if one of its times is not understood. */
struct output;
bool moodle_times(const struct output *o);

#endif
