/* Keeps a hash of each file as a line of a text, and compares it later. The sources of an object
   are in the rule that the compiler writes beside it (x.d). */
#include "base/stamp.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a: it tells a file that was changed, not one that somebody forged. */
static unsigned long long hash_of(const char *path) {
    unsigned long long hash = 0xcbf29ce484222325;
    struct text text;
    if (!text_read_file(&text, path))
        return 0;
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.chars[i]) * 0x100000001b3;
    text_free(&text);
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
