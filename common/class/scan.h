/* What lies in the class's folder: who handed in which lesson. It was put there by people who may
   mean harm, so nothing is followed, opened or waited for that is no regular file. */
#ifndef SCAN_H
#define SCAN_H

#include "class.h"
#include "handed_out.h"

/* Takes each file of an asked lesson to WORK/s017/NN-name/name.c; all lessons if none is asked yet,
   and then asks for those that were found. False, with a line, if there is nothing to grade. */
bool scan_class(struct class *class, const struct handed_out *release, const char *judge,
                const char *work, int jobs);

enum {
    SOURCE_MOST = 256 << 10, /* bytes */
    ARCHIVE_MOST = 64 << 20,
    ENTRIES_MOST = 20000, /* files and folders of one submission that are looked at */
    DEEPEST = 4,          /* folders between a submission and its lessons */
};

#endif
