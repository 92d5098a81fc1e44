/* What the name of a file says: an archive, a lesson's file under another name, whose download it
 * is. */
#ifndef CALLED_H
#define CALLED_H

#include "base/text.h"

/* The ending of an archive that the box unpacks, as written in the name: ".zip", ".TAR.GZ"; or
 * NULL. */
const char *archive_ending(const char *name);

/* The ending of an archive that nothing here unpacks: ".rar"; or NULL. */
const char *foreign_ending(const char *name);

/* How well a file's name fits the file LESSON.c: 0 if it is that; 1 if it is a usual change of it,
   such as "softmax 2.c", "softmax (1).c", "softmax.c.txt" and "ada_123_softmax.c"; -1 if it is
   another file. */
int fits_lesson(const char *file, const char *lesson);

/* A file that Canvas or Moodle downloads without a folder for each student. */
struct download {
    struct path person;      /* "kingada_123", "Ada King_123_assignsubmission_file" */
    struct path canvas_id;   /* "123"; of Moodle's: nothing */
    struct path canvas_name; /* "kingada", the same */
    const char *file;        /* the name that the student gave it */
    bool late;               /* Canvas says so */
};
bool read_download(const char *name, struct download *download);

#endif
