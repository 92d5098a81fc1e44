/* Notes time, size and SHA-256 of files, as lines of a text, and compares them later. A file is
   read again only if its time differs and its size does not. What an object was made of is in the
   rule that the compiler writes beside it (x.d). */
#include "base/stamp.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct hash hash_of(const char *path) {
    struct text text;
    text_read_file(&text, path);
    struct hash hash = sha256(text.chars, text.length);
    text_free(&text);
    return hash;
}

static struct stamp look_at(const char *path) {
    struct stat about;
    struct stamp stamp = {.size = -1};
    if (stat(path, &about) == 0) {
        stamp.size = (long long)about.st_size;
        stamp.time = file_time(path);
    }
    return stamp;
}

static struct stamp *add(struct stamps *stamps, const char *path) {
    struct stamp *more = realloc(stamps->all, ((size_t)stamps->count + 1) * sizeof *more);
    char *copy = strdup(path);
    if (!more || !copy) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    stamps->all = more;
    more[stamps->count] = (struct stamp){.path = copy};
    return &more[stamps->count++];
}

void stamps_add(struct stamps *stamps, const char *path) {
    for (int i = 0; i < stamps->count; i++)
        if (strcmp(stamps->all[i].path, path) == 0)
            return;
    struct stamp *stamp = add(stamps, path), now = look_at(path);
    stamp->size = now.size;
    stamp->time = now.time;
    stamp->hash = hash_of(path);
}

/* The next name of a rule, where a space is "\ " and a dollar "$$"; false at the rule's end. */
static bool next_name(const char **at, char *name, size_t size) {
    size_t length = 0;
    while (**at == ' ' || (**at == '\\' && (*at)[1] == '\n'))
        *at += **at == ' ' ? 1 : 2;
    for (; **at && **at != ' ' && **at != '\n'; ++*at) {
        if (**at == '\\' && (*at)[1] == '\n')
            break;
        if ((**at == '\\' && ((*at)[1] == ' ' || (*at)[1] == '#')) ||
            (**at == '$' && (*at)[1] == '$'))
            ++*at;
        if (length < size - 1)
            name[length++] = **at;
    }
    name[length] = '\0';
    return length > 0;
}

void stamps_add_sources(struct stamps *stamps, const char *object) {
    struct text rule;
    char name[1024];
    size_t stem = strlen(object) - (ends_with(object, ".o") ? 2 : 0);
    text_read_file(&rule, path_of("%.*s.d", (int)stem, object).chars);
    const char *at = strstr(text_of(&rule), ": ");
    if (at)
        for (at += 1; next_name(&at, name, sizeof name);)
            if (!starts_with(name, "build/fetched/")) /* they never change */
                stamps_add(stamps, name);
    text_free(&rule);
}

void stamps_print(const struct stamps *stamps, struct text *text) {
    for (int i = 0; i < stamps->count; i++) {
        const struct stamp *s = &stamps->all[i];
        text_print(text, "of %lld.%09ld %lld %s %s\n", (long long)s->time.tv_sec, s->time.tv_nsec,
                   s->size, s->hash.hex, s->path);
    }
}

bool stamps_read_line(struct stamps *stamps, const char *line) {
    long long seconds, size;
    long nanoseconds;
    struct hash hash;
    int length = 0;
    if (sscanf(line, "of %lld.%ld %lld %64[0-9a-f] %n", &seconds, &nanoseconds, &size, hash.hex,
               &length) != 4 ||
        length == 0)
        return false;
    struct stamp *stamp = add(stamps, line + length);
    stamp->time.tv_sec = (time_t)seconds;
    stamp->time.tv_nsec = nanoseconds;
    stamp->size = size;
    stamp->hash = hash;
    return true;
}

void stamps_free(struct stamps *stamps) {
    for (int i = 0; i < stamps->count; i++)
        free(stamps->all[i].path);
    free(stamps->all);
    *stamps = (struct stamps){0};
}

bool stamp_holds(const struct stamp *stamp, bool read) {
    struct stamp now = look_at(stamp->path);
    bool same_time = now.time.tv_sec == stamp->time.tv_sec &&  //
                     now.time.tv_nsec == stamp->time.tv_nsec;
    if (now.size != stamp->size || now.size < 0)
        return false;
    return (same_time && !read) || strcmp(hash_of(stamp->path).hex, stamp->hash.hex) == 0;
}

bool stamps_hold(const struct stamps *stamps) {
    for (int i = 0; i < stamps->count; i++)
        if (!stamp_holds(&stamps->all[i], false))
            return false;
    return stamps->count > 0;
}

bool stamps_keep(const struct stamps *stamps, const char *how, const char *file) {
    struct text text = {0};
    text_print(&text, "how ");
    text_add(&text, how, strlen(how));
    text_add(&text, "\n", 1);
    stamps_print(stamps, &text);
    bool kept = file_replace(file, &text);
    text_free(&text);
    return kept;
}

bool stamps_kept(const char *file, const char *how) {
    struct text text;
    struct stamps stamps = {0};
    char line[1200];
    if (!text_read_file(&text, file))
        return false;
    size_t length = strlen(how);
    const char *at = text_of(&text);
    bool same =
        starts_with(at, "how ") && strncmp(at + 4, how, length) == 0 && at[4 + length] == '\n';
    for (at += same ? length + 5 : 0; same && next_line(&at, line, sizeof line);)
        stamps_read_line(&stamps, line);
    same = same && stamps_hold(&stamps);
    text_free(&text);
    stamps_free(&stamps);
    return same;
}
