/* The names of what findings say, for other programs. */
#include "course/finding.h"

#include <ctype.h>
#include <string.h>

#define NAME(name, json) [FOUND_##name] = json,
static const char *const kinds[] = {FINDING_KINDS(NAME)};
#undef NAME

#define NAME(name) #name,
static const char *const codes[] = {FINDING_CODES(NAME)};
#undef NAME

const char *finding_kind_name(enum finding_kind kind) {
    return kinds[kind];
}

const char *finding_code_name(enum finding_code code) {
    char *name = path_of("%s", codes[code]);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    return name;
}

bool cause_hedges(const struct cause *cause) {
    return strstr(cause->slips[0], " looks like ") != NULL;
}

bool finding_is_stop(const struct finding *finding) {
    return finding->kind == FOUND_TIME || finding->kind == FOUND_FLOOD;
}
