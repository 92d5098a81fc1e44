/* Keeps time, size and a hash of files as lines of a text, and compares them later. A file is read
   again only if its time differs and its size does not. The sources of an object are in the rule
   that the compiler writes beside it (x.d). */
#include "base/stamp.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* FNV-1a: it tells a file that was changed, not one that somebody forged. */
static unsigned long long hash_of(const char *path) {
    unsigned long long hash = 0xcbf29ce484222325;
    struct text text;
    text_read_file(&text, path);
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.chars[i]) * 0x100000001b3;
    return hash;
}

/* Its time and size. */
static struct stamp look_at(const char *path) {
    struct stat about;
    bool there = stat(path, &about) == 0;
    return (struct stamp){.size = there ? (long long)about.st_size : -1, .time = file_time(path)};
}

static void add(struct stamps *stamps, const char *path, struct stamp stamp) {
    stamp.path = path_of("%s", path);
    stamps->all = with_room(stamps->all, stamps->count, sizeof stamp);
    stamps->all[stamps->count++] = stamp;
}

static const struct stamp *find(const struct stamps *stamps, const char *path) {
    for (int i = 0; stamps && i < stamps->count; i++)
        if (strcmp(stamps->all[i].path, path) == 0)
            return &stamps->all[i];
    return NULL;
}

static bool same_file(const struct stamp *a, const struct stamp *b) {
    return a->size == b->size && a->time.tv_sec == b->time.tv_sec &&
           a->time.tv_nsec == b->time.tv_nsec;
}

static unsigned long long hash_now(const struct stamps *known, const struct stamp *now,
                                   const char *path) {
    for (; known; known = known->known) {
        const struct stamp *before = find(known, path);
        if (before && same_file(before, now))
            return before->hash;
    }
    return hash_of(path);
}

void stamps_add(struct stamps *stamps, const char *path) {
    if (find(stamps, path))
        return;
    struct stamp now = look_at(path);
    now.hash = hash_now(stamps->known, &now, path);
    add(stamps, path, now);
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
    for (int i = 0; i < stamps->count; i++) {
        const struct stamp *s = &stamps->all[i];
        text_print(text, "of %lld.%09ld %lld %llx %s\n", (long long)s->time.tv_sec, s->time.tv_nsec,
                   s->size, s->hash, s->path);
    }
}

bool stamps_read_line(struct stamps *stamps, const char *line) {
    struct stamp stamp;
    long long seconds;
    int length = 0;
    if (sscanf(line, "of %lld.%ld %lld %llx %n", &seconds, &stamp.time.tv_nsec, &stamp.size,
               &stamp.hash, &length) != 4 ||
        length == 0)
        return false;
    stamp.time.tv_sec = (time_t)seconds;
    add(stamps, line + length, stamp);
    return true;
}

bool stamp_holds(const struct stamp *stamp, bool read) {
    struct stamp now = look_at(stamp->path);
    if (now.size != stamp->size || now.size < 0)
        return false;
    return (same_file(&now, stamp) && !read) || hash_of(stamp->path) == stamp->hash;
}

bool stamps_hold(const struct stamps *stamps) {
    for (int i = 0; i < stamps->count; i++)
        if (!stamp_holds(&stamps->all[i], false))
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
