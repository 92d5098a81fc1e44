/* A file is replaced as a whole: the new one is written beside the old one and renamed. Locks are
   those of the system, so a process that dies leaves none. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_is_there(const char *path) {
    return access(path, F_OK) == 0;
}

void make_folder_of(const char *file) {
    const char *path = path_of("%s", file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            die("cannot make the folder %s: %s", path, strerror(errno));
        *slash = '/';
    }
}

bool file_replace(const char *path, const struct text *text) {
    const char *part = path_of("%s.%d", path, (int)getpid());
    FILE *file = fopen(part, "w");
    bool good = file && fwrite(text_of(text), 1, text->length, file) == text->length;
    good = file && fclose(file) == 0 && good;
    if (good && rename(part, path) == 0)
        return true;
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    remove(part);
    return false;
}

int file_lock(const char *path, bool wait) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    make_folder_of(path);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || fcntl(file, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return file;
    if (!wait) {
        close(file);
        return TAKEN;
    }
    while (fcntl(file, F_SETLKW, &lock) != 0 && errno == EINTR)
        ;
    return file;
}

void file_unlock(int lock) {
    if (lock >= 0)
        close(lock);
}

const char *setting(const char *name, const char *otherwise) {
    const char *config = getenv("LOOKBACK_CONFIG"), *value = getenv(name);
    const char *begin = path_of("\n%s := ", name);
    const char *at =
        strstr(path_of("\n%s", file_text(config ? config : "build/obj-cc/config")), begin);
    if (!value && at && (at += strlen(begin)))
        value = next_line(&at);
    return value && *value ? value : otherwise;
}

int file_lock_owner(const char *path) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool taken = file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    file_unlock(file);
    return taken ? (int)lock.l_pid : 0;
}
