/* Opens and reads what other people wrote. A file is looked at before it is opened and again when
   it is open, because it may be replaced in between; no open waits, and none follows a link. */
#include "grade/class/take.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Root may read everything, and should not. */
static bool is_readable(mode_t mode) {
    return (mode & (S_IRUSR | S_IRGRP | S_IROTH)) != 0;
}

static const char *what_it_is(mode_t mode) {
    return S_ISLNK(mode)    ? "it is a link, no regular file"
           : S_ISDIR(mode)  ? "it is a folder, no regular file"
           : S_ISFIFO(mode) ? "it is a pipe, no regular file"
                            : "it is no regular file";
}

/* What was read may be longer than what it said. */
static void read_all(int file, struct taken *taken, size_t most) {
    char part[1 << 15];
    ssize_t got;
    while (taken->bytes.length <= most && (got = read(file, part, sizeof part)) != 0) {
        if (got > 0)
            text_add(&taken->bytes, part, (size_t)got);
        else if (errno != EINTR) {
            taken->refused = "it cannot be read";
            return;
        }
    }
    if (taken->bytes.length > most)
        taken->refused = "it is too large";
}

struct taken take_file(int folder, const char *name, size_t most) {
    struct taken taken = {0};
    struct stat about = {0};
    taken.absent = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0;
    if (!S_ISREG(about.st_mode)) {
        taken.refused = what_it_is(about.st_mode);
        return taken;
    }
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || !is_readable(about.st_mode)) {
        taken.refused = "it cannot be read";
    } else if (!S_ISREG(about.st_mode)) {
        taken.refused = what_it_is(about.st_mode);
    } else if (about.st_size > (off_t)most) {
        taken.refused = "it is too large";
    } else {
        taken.written = about.st_mtime;
        read_all(file, &taken, most);
    }
    if (file >= 0)
        close(file);
    if (taken.refused)
        text_free(&taken.bytes);
    return taken;
}

struct taken take_path(int folder, const char *path, size_t most) {
    struct taken taken = {.refused = "its folder cannot be read"};
    struct stat about;
    size_t length = strcspn(path, "/");
    if (!path[length])
        return take_file(folder, path, most);
    struct path name = path_of("%.*s", (int)length, path);
    taken.absent = fstatat(folder, name.chars, &about, AT_SYMLINK_NOFOLLOW) != 0;
    int inner = take_folder(folder, name.chars);
    if (inner < 0)
        return taken;
    taken = take_path(inner, path + length + 1, most);
    close(inner);
    return taken;
}

/* What some editors of Windows call "Unicode". Every character becomes at most 3 bytes a unit.
   False if it is not valid, or holds a 0, which no text does. */
static bool from_utf16(struct text *text) {
    size_t left = text->length, room = 2 * left + 1;
    char *from = text->chars, *utf8 = calloc(1, room), *to = utf8;
    iconv_t converter = iconv_open("UTF-8", "UTF-16");
    bool good = utf8 && converter != (iconv_t)-1 &&
                iconv(converter, &from, &left, &to, &room) != (size_t)-1 && left == 0 &&
                strlen(utf8) == (size_t)(to - utf8);
    if (converter != (iconv_t)-1)
        iconv_close(converter);
    text_free(text);
    text_add(text, utf8 ? utf8 : "", (size_t)(to - utf8));
    free(utf8);
    return good;
}

struct taken take_source(int folder, const char *name, size_t most) {
    struct taken taken = take_file(folder, name, most);
    const char *bytes = text_of(&taken.bytes);
    taken.converted = taken.bytes.length >= 2 &&
                      (starts_with(bytes, "\xFF\xFE") || starts_with(bytes, "\xFE\xFF"));
    if (taken.converted && !from_utf16(&taken.bytes)) {
        taken.refused = "it begins like UTF-16 and is not valid: save it as UTF-8";
        text_free(&taken.bytes);
    }
    return taken;
}

int take_folder(int folder, const char *name) {
    struct stat about;
    int opened = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (opened >= 0 && fstat(opened, &about) == 0 && is_readable(about.st_mode))
        return opened;
    if (opened >= 0)
        close(opened);
    return -1;
}

/* The folder is opened again: a copy of the descriptor would share its position. */
DIR *entries_of(int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return again < 0 ? NULL : fdopendir(again);
}

const char *next_name(DIR *entries) {
    struct dirent *e = entries ? readdir(entries) : NULL;
    if (entries && !e)
        closedir(entries);
    return !e                                                  ? NULL
           : strcmp(e->d_name, ".") && strcmp(e->d_name, "..") ? e->d_name
                                                               : next_name(entries);
}
