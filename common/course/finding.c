/* The names of what findings say, for other programs. */
#include "course/finding.h"

#include <ctype.h>

#define NAME(name, json) [FOUND_##name] = json,
static const char *const kinds[] = {FINDING_KINDS(NAME)};
#undef NAME

#define NAME(name) #name,
static const char *const codes[] = {FINDING_CODES(NAME)};
#undef NAME

const char *finding_kind_name(enum finding_kind kind) {
    return kinds[kind];
}

struct path finding_code_name(enum finding_code code) {
    struct path name = path_of("%s", codes[code]);
    for (char *c = name.chars; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    return name;
}

bool finding_is_stop(const struct finding *finding) {
    return finding->kind == FOUND_TIME || finding->kind == FOUND_FLOOD;
}

void finding_free(struct finding *finding) {
    text_free(&finding->excerpt);
    text_free(&finding->cause.names);
}
