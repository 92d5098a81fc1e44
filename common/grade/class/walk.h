/* Looks through what one student handed in: folders, files, and what came out of archives. It was
   made by people who may mean harm, so nothing is followed, opened or waited for that is no regular
   file. */
#ifndef WALK_H
#define WALK_H

#include "grade/class/class.h"
#include "grade/class/take.h"

#include <dirent.h>

enum {
    SOURCE_MOST = 256 << 10, /* bytes */
    ARCHIVE_MOST = 64 << 20,
    ARCHIVES_MOST = 8,    /* that are unpacked, of one submission */
    ENTRIES_MOST = 20000, /* files and folders of one submission that are looked at */
    DEEPEST = 4,          /* folders between a submission and its lessons */
};

/* How good a file is as that of its lesson: the smallest, compared from the first field on. */
struct place {
    bool stub;    /* as it was handed out: taken only where there is nothing else */
    bool packed;  /* in an archive */
    bool astray;  /* in another folder than the lesson's */
    bool renamed; /* softmax 2.c */
    int depth;
};

/* The best file of a lesson. The strings are shown names, or "". */
struct found {
    int times; /* how many different files are equally good; 0: no file was found */
    struct place place;
    struct taken file;
    bool headers;       /* beside it are headers that are not the course's */
    const char *paths;  /* the equally good ones: "a/softmax.c and b/softmax.c" */
    const char *stub;   /* the path of a stub that was passed over */
    const char *beside; /* the paths of others that are no stubs */
    const char *holds;  /* a file in the lesson's folder that is not understood */
};

struct walk {
    const struct class *class;
    const char *work;    /* where stubs are made */
    const char *release; /* see read_release() */
    struct submission *of;
    struct found *found; /* one for each lesson of the course */
    int entries;
    time_t stamped;     /* by nbgrader's timestamp.txt; 0 */
    bool odd_stamp;     /* it is there, and not understood */
    const char *packed; /* the archive that is being looked through, or NULL */
    time_t written;     /* when that was */
    const char *archives[ARCHIVES_MOST];
    int archive_count;
    const char *unread; /* what may have been meant, and why it is not read; or "" */
    const char *other;  /* the first file of all, by its name, that is of no lesson; or "" */
    bool deeper;        /* there are folders too deep to be looked into */
};

/* Sets up the rest of a walk that has its first four members. */
void walk_begin(struct walk *walk);

/* Looks at all in an open folder. */
void walk_folder(struct walk *walk, int folder);

/* Looks at one file in an open folder, which the student called `name`. */
void walk_file(struct walk *walk, int folder, const char *entry, const char *name);

/* Notes what may have been meant as work, and is not read: "work.rar: ..." */
void walk_add_unread(struct walk *walk, const char *name, const char *why);

/* Opens a list of what is in an open folder; NULL if it cannot be read. */
DIR *entries_of(int folder);

#endif
