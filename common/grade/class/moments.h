/* Points in time, as people, nbgrader and Moodle write them. */
#ifndef MOMENTS_H
#define MOMENTS_H

#include "base/text.h"

#include <time.h>

/* "2026-11-30T23:59:00.5+01:00", with a blank for the T, with Z or UTC, or without a zone, which is
 *UTC, too. rest is behind it. False if it is something else. */
bool read_moment(const char *text, const char **rest, time_t *time);

/* A date and time somewhere in a name, "ada_attempt_2026-11-30-23-59-00", in the zone of this
 * machine. */
bool moment_in_name(const char *name, time_t *time);

/* "Monday, 30 November 2026, 11:59 PM", in English or German, in the zone of this machine. */
bool moment_in_words(const char *words, time_t *time);

/* 2026-11-30 22:59:00 UTC; "" for 0. */
struct path moment(time_t time);

#endif
