/* A file is replaced as a whole: the new one is written beside the old one and renamed. Locks are
   those of the system, so a process that dies leaves none. A stamp is a line with the hash of a
   file; the sources of an object are in the rule that the compiler writes beside it (x.d). */
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

/* --- stamps ----------------------------------------------------------------------------------- */

/* FNV-1a: it tells a file that was changed, not one that somebody forged. */
static unsigned long long hash_of(const char *path) {
    unsigned long long hash = 0xcbf29ce484222325;
    struct text text;
    if (!text_read_file(&text, path))
        return 0;
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.chars[i]) * 0x100000001b3;
    return hash;
}

static void add(struct stamps *stamps, const char *path, unsigned long long hash) {
    stamps->all = with_room(stamps->all, stamps->count, sizeof *stamps->all);
    stamps->all[stamps->count++] = (struct stamp){path_of("%s", path), hash};
}

void stamps_add(struct stamps *stamps, const char *path) {
    for (int i = 0; i < stamps->count; i++)
        if (strcmp(stamps->all[i].path, path) == 0)
            return;
    add(stamps, path, hash_of(path));
}

/* The next name of a rule, in which a space is "\ " and a dollar "$$"; false at the end of the
   rule. */
static bool next_name(const char **at, struct text *name) {
    *name = (struct text){0};
    while (**at == ' ' || (**at == '\\' && (*at)[1] == '\n'))
        *at += **at == ' ' ? 1 : 2;
    for (; **at && **at != ' ' && **at != '\n'; ++*at) {
        if (**at == '\\' && (*at)[1] == '\n')
            break;
        if ((**at == '\\' && ((*at)[1] == ' ' || (*at)[1] == '#')) ||
            (**at == '$' && (*at)[1] == '$'))
            ++*at;
        text_add(name, *at, 1);
    }
    return name->length > 0;
}

void stamps_add_sources(struct stamps *stamps, const char *object) {
    struct text name;
    size_t stem = strlen(object) - (ends_with(object, ".o") ? 2 : 0);
    const char *at = strstr(file_text(path_of("%.*s.d", (int)stem, object)), ": ");
    if (at)
        for (at += 1; next_name(&at, &name);)
            if (!starts_with(name.chars, "build/fetched/")) /* they never change */
                stamps_add(stamps, name.chars);
}

void stamps_print(const struct stamps *stamps, struct text *text) {
    for (int i = 0; i < stamps->count; i++)
        text_print(text, "of %llx %s\n", stamps->all[i].hash, stamps->all[i].path);
}

bool stamps_read_line(struct stamps *stamps, const char *line) {
    unsigned long long hash;
    int length = 0;
    if (sscanf(line, "of %llx %n", &hash, &length) == 1 && length > 0)
        add(stamps, line + length, hash);
    return length > 0;
}

bool stamp_holds(const struct stamp *stamp) {
    return stamp->hash && hash_of(stamp->path) == stamp->hash;
}

bool stamps_hold(const struct stamps *stamps) {
    for (int i = 0; i < stamps->count; i++)
        if (!stamp_holds(&stamps->all[i]))
            return false;
    return stamps->count > 0;
}

bool stamps_keep(const struct stamps *stamps, const char *how, const char *file) {
    struct text text = {0};
    text_print(&text, "how %s\n", how);
    stamps_print(stamps, &text);
    return file_replace(file, &text);
}

bool stamps_kept(const char *file, const char *how) {
    const char *at = file_text(file), *first = next_line(&at), *line;
    struct stamps stamps = {0};
    while ((line = next_line(&at)))
        stamps_read_line(&stamps, line);
    return first && strcmp(first, path_of("how %s", how)) == 0 && stamps_hold(&stamps);
}
