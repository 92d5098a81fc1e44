/* Looks through what one student handed in: folders, files, and what came out of archives. It was
   made by people who may mean harm, so nothing is followed, opened or waited for that is no regular
   file. */
#ifndef WALK_H
#define WALK_H

#include "grade/class/called.h"
#include "grade/class/class.h"
#include "grade/class/take.h"

enum {
    SOURCE_MOST = 256 << 10, /* bytes */
    ARCHIVE_MOST = 64 << 20,
    ARCHIVES_MOST = 8,    /* that are unpacked, of one submission */
    ENTRIES_MOST = 20000, /* files and folders of one submission that are looked at */
    DEEPEST = 4,          /* folders between a submission and its lessons */
};

/* How good a file is as that of its lesson: the smallest sum of these and its depth. */
enum {
    RENAMED = 16, /* softmax 2.c */
    ASTRAY = 32,  /* in another folder than the lesson's */
    PACKED = 64,  /* in an archive */
    STUB = 128,   /* as it was handed out: taken only where there is nothing else */
    WORST = RENAMED + ASTRAY + PACKED + STUB,
};

/* The best file of a lesson. The strings are shown names, or "". */
struct found {
    int times; /* how many different files are equally good; 0: no file was found */
    int place;
    struct taken file;
    bool headers;       /* beside it are headers that are not the course's */
    const char *paths;  /* the equally good ones: "a/softmax.c and b/softmax.c" */
    const char *stub;   /* the path of a stub that was passed over */
    const char *beside; /* the paths of others that are no stubs */
    const char *holds;  /* a file in the lesson's folder that is not understood */
};

/* What one student handed in: a folder, an archive, or files that Canvas or Moodle named. */
struct handed {
    const char *name;
    struct item {
        const char *entry, *file; /* in the class's folder, and what the student called it */
    } * items;
    int count;
    bool folder, other; /* other: it is no submission */
    struct download download;
    const char *refused; /* why nothing of it is read, or NULL */
    struct submission *s;
    struct found *found; /* one for each lesson of the course */
    int entries, archives;
    time_t stamped;       /* by nbgrader's timestamp.txt; 0 */
    bool odd_stamp;       /* it is there, and not understood */
    const char *unread;   /* what may have been meant, and why it is not read; or "" */
    const char *no_work;  /* the first file of all, by its name, that is of no lesson; or "" */
    bool deeper;          /* there are folders too deep to be looked into */
    enum file_state lost; /* what a lesson is that was not found, because an archive could not be */
    const char *why_lost; /* unpacked, and why; NULL: all could */
};

struct archive {
    struct handed *of;
    const char *path;   /* from the submission on */
    const char *folder; /* what is unpacked of it */
    time_t written;
    const char *refused; /* why it is not read, or NULL */
    int job;             /* which unpacks it: the first one of equal archives */
};

struct scan {
    struct class *class;
    const char *release, *judge, *work; /* release: see handed_out.h */
    int dir;                            /* the class's folder, open */
    struct handed *handed;
    int count;
    struct archive *archives; /* that are to be unpacked */
    int archive_count;
};

/* Looks at all in an open folder: the submission's, or what was unpacked of an archive. */
void walk_folder(struct scan *scan, struct handed *of, const struct archive *packed, int folder);

/* Looks at one file of the class's folder. */
void walk_file(struct scan *scan, struct handed *of, const struct item *item);

/* Notes what may have been meant as work, and is not read: "work.rar: ..." */
void add_unread(struct handed *of, const char *name, const char *why);

#endif
