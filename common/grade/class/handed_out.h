/* Of what was handed out as a release, what somebody handed in again: is it as it was? */
#ifndef HANDED_OUT_H
#define HANDED_OUT_H

#include "base/text.h"

struct handed_out {
    struct text list; /* "SHA-256  path" lines: a release's file RELEASE */
};

/* The list of the release that was made here; none if none was. */
struct handed_out handed_out_read(const char *path);

/* Compares what there is of it in an open folder, which stands for this one of the release, "" or
   "lessons/". Adds nothing if there is none; "as handed out"; or "changed: ", and which, and is
   true then. */
bool handed_out_compare(const struct handed_out *release, int folder, const char *stands_for,
                        struct text *said);

#endif
