/* A file is replaced as a whole: the new one is written beside the old one and renamed. Locks are
   those of the system, so a process that dies leaves none. */
#include "base/files.h"

#include "base/source.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct timespec file_time(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return (struct timespec){0, 0};
#ifdef __APPLE__
    return about.st_mtimespec;
#else
    return about.st_mtim;
#endif
}

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

/* --- saves ---------------------------------------------------------------------------------- */

#define NOT_THERE " is not there\n"

/* Time, size and inode: an editor may write in place, or put a new file in place of the old. */
static void add_state(struct text *text, const char *file) {
    struct stat about;
    if (stat(file, &about) != 0) {
        text_print(text, "%s" NOT_THERE, file);
        return;
    }
    struct timespec time = file_time(file);
    text_print(text, "%s %lld.%09ld %lld %llu\n", file, (long long)time.tv_sec, time.tv_nsec,
               (long long)about.st_size, (unsigned long long)about.st_ino);
}

static struct text state_of(char *const files[]) {
    struct text text = {0};
    for (int i = 0; files[i]; i++)
        add_state(&text, files[i]);
    return text;
}

void files_print_state(char *const files[]) {
    fputs(state_of(files).chars, stdout);
}

static void sleep_briefly(void) {
    nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
}

int files_wait(const char *state, char *const files[]) {
    const char *before = file_text(state);
    struct text last = {0};
    const int patience = 40; /* rounds of waiting for a file that is not there: 2 s */
    if (!*before) {
        fprintf(stderr, "cannot read %s\n", state);
        return 2;
    }
    for (int missing = 0, done = false; !done; sleep_briefly()) {
        struct text now = state_of(files);
        bool changed = strcmp(now.chars, before) != 0;
        bool still = strcmp(now.chars, text_of(&last)) == 0;
        missing = strstr(now.chars, NOT_THERE) ? missing + 1 : 0;
        done = changed && still && (missing == 0 || missing > patience);
        text_free(&last);
        last = now;
    }
    return 0;
}

/* --- one function --------------------------------------------------------------------------- */

int files_readable(const char *file) {
    struct text said, shown = {0};
    bool good = text_read_file(&said, file);
    text_add_readable(&shown, text_of(&said), said.length, '\n');
    fputs(text_of(&shown), stdout);
    return good ? 0 : 1;
}

int files_function(const char *file, const char *function) {
    const char *from, *to;
    bool found = find_definition(file_text(file), function, &from, &to);
    if (found)
        printf("%.*s\n", (int)(to - from), from);
    else
        fprintf(stderr, "%s has no whole function %s(): check its braces.\n", file, function);
    return found ? 0 : 1;
}

int files_splice(const char *file, const char *stub, const char *function) {
    const char *mine = file_text(file), *from, *to, *stub_from, *stub_to;
    if (!find_definition(file_text(stub), function, &stub_from, &stub_to))
        fprintf(stderr, "The lesson has no exercise %s.\n", function);
    else if (!find_definition(mine, function, &from, &to))
        fprintf(stderr, "%s has no whole function %s(): check its braces, or reset the file.\n",
                file, function);
    else
        return printf("%.*s%.*s%s", (int)(from - mine), mine, (int)(stub_to - stub_from), stub_from,
                      to) < 0;
    return 1;
}
