/* A mistake that changes one line is sought in the learner's function: the same line, but local
   variables may have other names there. A line that is also in the reference does not count. A
   mistake of several lines is none of them alone: what is like one of these may be right. */
#include "diagnose/fitting.h"

#include "base/source.h"

#include <string.h>

struct line {
    const struct code *code;
    int from, to; /* tokens */
};

static bool starts_line(const struct code *c, int i) {
    const char *behind = behind_token(c, i - 1);
    return memchr(behind, '\n', (size_t)(c->tokens[i].at - behind)) != NULL;
}

static struct line line_at(const struct code *c, int from) {
    int to = from + 1;
    while (to < c->count && !starts_line(c, to))
        to++;
    return (struct line){c, from, to};
}

/* Parameters and members have the names of the header. */
static bool are_locals(const struct name *n, const struct name *o) {
    return n && o && !n->parameter && !n->of && !o->parameter && !o->of && n->rank == o->rank;
}

static bool are_same(const struct line *a, const struct line *b) {
    bool same = a->to - a->from == b->to - b->from;
    for (int i = a->from, k = b->from; same && i < a->to; i++, k++)
        same = same_value(a->code, i, b->code, k) ||
               are_locals(name_at(a->code, i), name_at(b->code, k));
    return same;
}

static bool has_line(const struct code *c, const struct line *line) {
    for (int i = 0; i < c->count; i = line_at(c, i).to) {
        const struct line own = line_at(c, i);
        if (are_same(&own, line))
            return true;
    }
    return false;
}

/* Counts the lines that the one function has and the other has not; the last of them. */
static int find_new(const struct code *has, const struct code *has_not, struct line *last) {
    int count = 0;
    for (int i = 0; i < has->count; i = line_at(has, i).to) {
        const struct line line = line_at(has, i);
        if (has_line(has_not, &line))
            continue;
        count++;
        *last = line;
    }
    return count;
}

static bool read_function(struct code *code, const struct variants *variants, const char *name) {
    const char *from, *to;
    *code = (struct code){0};
    return find_definition(text_of(&variants->source), name, &from, &to) &&
           code_read(code, from, to, text_of(&variants->types));
}

int line_of_mistake(const struct variants *own, const struct variants *reference,
                    const struct variant *mistake) {
    struct code code, right, wrong;
    struct line put, taken;
    int found = 0, count = 0;
    if (!read_function(&code, own, mistake->function) ||
        !read_function(&right, reference, mistake->function) ||
        !code_read(&wrong, mistake->text, strchr(mistake->text, '\0'),
                   text_of(&reference->types)) ||
        find_new(&wrong, &right, &put) != 1 || find_new(&right, &wrong, &taken) > 1)
        return 0;
    for (int i = 0; i < code.count; i = line_at(&code, i).to) {
        const struct line line = line_at(&code, i);
        if (!are_same(&line, &put))
            continue;
        found = line_of(text_of(&own->source), code.tokens[i].at);
        count++;
    }
    return count == 1 ? found : 0;
}
