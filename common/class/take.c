#include "take.h"

#include <errno.h>
#include <fcntl.h>
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
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode)) {
        taken.refused = what_it_is(about.st_mode);
        return taken;
    }
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || !is_readable(about.st_mode)) {
        taken.unreadable = file >= 0 || errno == EACCES;
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

int take_folder(int folder, const char *name) {
    struct stat about;
    int opened = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (opened >= 0 && fstat(opened, &about) == 0 && is_readable(about.st_mode))
        return opened;
    if (opened >= 0)
        close(opened);
    return -1;
}
