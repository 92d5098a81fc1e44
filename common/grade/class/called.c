/* Programs and systems for courses change the names of files: copies get numbers, downloads get the
   student's name in front, and archives have many endings. This file knows these forms. */
#include "grade/class/called.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* --- archives ------------------------------------------------------------------------------- */

static const char *ending_among(const char *name, const char *const endings[]) {
    size_t length = strlen(name);
    for (int i = 0; endings[i]; i++) {
        size_t own = strlen(endings[i]);
        if (length > own && strcasecmp(name + length - own, endings[i]) == 0)
            return name + length - own;
    }
    return NULL;
}

const char *archive_ending(const char *name) {
    static const char *const endings[] = {".zip", ".tar",     ".tar.gz", ".tgz", ".tar.xz",
                                          ".txz", ".tar.bz2", ".tbz2",   ".tbz", NULL};
    return ending_among(name, endings);
}

const char *foreign_ending(const char *name) {
    static const char *const endings[] = {".rar",  ".7z",  ".gz",  ".xz",  ".bz2", ".zst", ".lz",
                                          ".zipx", ".cab", ".dmg", ".iso", ".z",   NULL};
    return archive_ending(name) ? NULL : ending_among(name, endings);
}

/* --- a lesson's file ------------------------------------------------------------------------ */

/* Without its folders, with small letters, and with _ for what stands between words. */
static struct path plain_name(const char *name) {
    const char *slash = strrchr(name, '\\'); /* some programs of Windows zip whole paths as names */
    struct path plain = path_of("%.400s", slash ? slash + 1 : name);
    for (char *c = plain.chars; *c; c++)
        *c = *c == '-' || *c == ' ' ? '_' : (char)tolower((unsigned char)*c);
    return plain;
}

static bool cut_ending(char *name, const char *ending) {
    bool cut = ends_with(name, ending);
    if (cut)
        name[strlen(name) - strlen(ending)] = '\0';
    return cut;
}

/* "_2", "(1)", "_copy": what programs add to the name of a second copy. */
static bool is_of_a_copy(const char *rest) {
    while (*rest) {
        size_t skipped = strspn(rest, "_()0123456789");
        if (skipped == 0 && starts_with(rest, "copy"))
            skipped = strlen("copy");
        else if (skipped == 0 && starts_with(rest, "kopie"))
            skipped = strlen("kopie");
        if (skipped == 0)
            return false;
        rest += skipped;
    }
    return true;
}

int fits_lesson(const char *file, const char *lesson) {
    if (strcmp(file, path_of("%s.c", lesson).chars) == 0)
        return 0;
    struct path plain = plain_name(file);
    cut_ending(plain.chars, ".txt");
    if (file[0] == '.' || !cut_ending(plain.chars, ".c"))
        return -1;
    const char *at = plain.chars;
    if (!starts_with(at, lesson)) /* behind a number of Canvas's: "ada_123_softmax" */
        do
            at = strstr(at + 1, lesson);
        while (at && !(at > plain.chars + 1 && at[-1] == '_' && isdigit((unsigned char)at[-2])));
    return at && is_of_a_copy(at + strlen(lesson)) ? 1 : -1;
}

/* --- downloads ------------------------------------------------------------------------------ */

/* Behind "_123_" with so many digits at least, the first in the name; NULL. */
static const char *behind_number(const char *name, size_t digits, const char **number) {
    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
        size_t length = strspn(at + 1, "0123456789");
        *number = at + 1;
        if (at > name && length >= digits && at[1 + length] == '_' && at[2 + length])
            return at + 2 + length;
    }
    return NULL;
}

bool read_download(const char *name, struct download *d) {
    static const char moodle[] = "assignsubmission_file_";
    const char *number, *rest = behind_number(name, 2, &number);
    *d = (struct download){.file = rest};
    if (!rest)
        return false;
    if (starts_with(rest, moodle)) {
        d->file = rest + strlen(moodle);
        d->person = path_of("%.*sassignsubmission_file", (int)(rest - name), name);
        return d->file[0] != '\0';
    }
    size_t attachment = strspn(rest, "0123456789");
    bool of_canvas = attachment >= 3 && rest[attachment] == '_' && rest[attachment + 1];
    if (of_canvas)
        d->file = rest + attachment + 1;
    else if (!ends_with(plain_name(rest).chars, ".c") && !ends_with(rest, ".c.txt"))
        return false;
    d->canvas_name = path_of("%.*s", (int)(number - 1 - name), name);
    d->late =
        cut_ending(d->canvas_name.chars, "_late") || cut_ending(d->canvas_name.chars, "_LATE");
    d->canvas_id = path_of("%.*s", (int)(rest - 1 - number), number);
    d->person = path_of("%s_%s", d->canvas_name.chars, d->canvas_id.chars);
    return true;
}
