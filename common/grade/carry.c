/* Carries what an archive held out of the box in which it was unpacked:
       carry out FOLDER    in the box: prints all that lies in the folder
       carry in FOLDER     outside: makes it again, in an empty one
   What comes out may have been made by anybody. No path leaves the folder,
   a link leads nowhere, and what is neither a file nor a folder becomes a pipe. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ENTRIES = 2000, MOST_BYTES = 64 << 20, LONGEST_PATH = 1000 };

struct entry {
    char kind; /* d, f, l, p; e after the last */
    char none;
    uint16_t length; /* the path follows, with so many bytes, and then the file */
    uint32_t size;
};

static bool copy(FILE *from, FILE *to, uint32_t size) {
    char part[65536];
    for (size_t got; size > 0; size -= (uint32_t)got) {
        got = fread(part, 1, size < sizeof part ? size : sizeof part, from);
        if (got == 0 || fwrite(part, 1, got, to) != got)
            return false;
    }
    return true;
}

/* --- out ------------------------------------------------------------------------------------ */

static bool say_entry(char kind, const char *path, uint32_t size) {
    struct entry entry = {kind, 0, (uint16_t)strlen(path), size};
    return fwrite(&entry, sizeof entry, 1, stdout) == 1 &&
           fwrite(path, 1, entry.length, stdout) == entry.length;
}

static bool say_file(const char *path, uint32_t size) {
    FILE *file = fopen(path, "r");
    bool good = file && say_entry('f', path, size) && copy(file, stdout, size);
    if (file)
        fclose(file);
    return good;
}

static bool say_folder(const char *folder);

static bool say_one(const char *path) {
    struct stat about;
    if (lstat(path, &about) != 0 || about.st_size > MOST_BYTES)
        return false;
    if (S_ISDIR(about.st_mode))
        return say_entry('d', path, 0) && say_folder(path);
    if (S_ISREG(about.st_mode))
        return say_file(path, (uint32_t)about.st_size);
    return say_entry(S_ISLNK(about.st_mode) ? 'l' : 'p', path, 0);
}

static bool say_folder(const char *folder) {
    char path[LONGEST_PATH];
    bool top = strcmp(folder, ".") == 0, good = true;
    DIR *names = opendir(folder);
    for (struct dirent *name; names && good && (name = readdir(names));) {
        if (strcmp(name->d_name, ".") == 0 || strcmp(name->d_name, "..") == 0)
            continue;
        int length =
            snprintf(path, sizeof path, "%s%s%s", top ? "" : folder, top ? "" : "/", name->d_name);
        good = length < (int)sizeof path && say_one(path);
        if (length >= (int)sizeof path)
            fprintf(stderr, "a path in it is longer than %d bytes\n", LONGEST_PATH);
    }
    return names && closedir(names) == 0 && good;
}

/* --- in ------------------------------------------------------------------------------------- */

static bool is_inside(const char *path) {
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL) {
        size_t length = strcspn(at, "/");
        if (length == 0 || strncmp(at, "..", length) == 0)
            return false;
    }
    return true;
}

static bool make_file(const char *path, uint32_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool good = file && copy(stdin, file, size);
    return file && fclose(file) == 0 && good;
}

static bool make_entry(struct entry entry) {
    char path[LONGEST_PATH + 1] = "";
    if (entry.length > LONGEST_PATH || fread(path, 1, entry.length, stdin) != entry.length ||
        strlen(path) != entry.length || !is_inside(path))
        return false;
    switch (entry.kind) {
    case 'd':
        return mkdir(path, 0700) == 0;
    case 'f':
        return make_file(path, entry.size);
    case 'l':
        return symlink("nowhere", path) == 0;
    default:
        return mkfifo(path, 0600) == 0;
    }
}

static bool make_folder(void) {
    struct entry entry;
    uint32_t bytes = 0;
    for (int count = 0; fread(&entry, sizeof entry, 1, stdin) == 1; count++) {
        if (entry.kind == 'e')
            return true;
        if (count == MOST_ENTRIES || entry.size > MOST_BYTES - bytes) {
            if (count == MOST_ENTRIES)
                fprintf(stderr, "it holds more than %d files\n", MOST_ENTRIES);
            else
                fprintf(stderr, "it holds more than %d MB\n", MOST_BYTES >> 20);
            return false;
        }
        bytes += entry.size;
        if (!make_entry(entry))
            return false;
    }
    return false;
}

int main(int count, char **words) {
    if (count != 3 || chdir(words[2]) != 0) {
        perror("carry");
        return 2;
    }
    bool good = strcmp(words[1], "in") == 0
                    ? make_folder()
                    : say_folder(".") && say_entry('e', "", 0) && fflush(stdout) == 0;
    return good ? 0 : 1;
}
