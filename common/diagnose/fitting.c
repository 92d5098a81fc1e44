/* The line that the mistake changes is compared with each line of the learner's: the longest common
   subsequence of their tokens, as a share of both. Local variables of the same kind are nearly
   alike, whatever their names. A line that is more like the reference's right one does not count,
   and neither does one that is also in the reference. A mistake of several lines is none of them
   alone: what is like one of these may be right. */
#include "diagnose/fitting.h"

#include "base/source.h"

#include <string.h>

/* How much of a line has to be alike. */
static const double enough = 0.85;
enum { MOST_TOKENS = 120 };

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

static bool is_local(const struct name *n) {
    return n && !n->parameter && !n->of;
}

static double alike(const struct line *a, int i, const struct line *b, int k) {
    if (same_token(a->code, i, b->code, k))
        return 1.0;
    const struct name *n = name_at(a->code, i), *o = name_at(b->code, k);
    return is_local(n) && is_local(o) && n->rank == o->rank ? 0.8 : 0.0;
}

/* The part of both that is alike in the same order, from 0 to 1. */
static double likeness(const struct line *a, const struct line *b) {
    double best[MOST_TOKENS + 1] = {0.0};
    int count = b->to - b->from;
    if (count > MOST_TOKENS)
        return 0.0;
    for (int i = a->from; i < a->to; i++) {
        double diagonal = 0.0;
        for (int k = 1; k <= count; k++) {
            double with = diagonal + alike(a, i, b, b->from + k - 1);
            diagonal = best[k];
            best[k] = with > best[k] ? with : best[k];
            best[k] = best[k - 1] > best[k] ? best[k - 1] : best[k];
        }
    }
    return 2.0 * best[count] / (a->to - a->from + count);
}

static bool has_line(const struct code *c, const struct line *line) {
    for (int i = 0; i < c->count; i = line_at(c, i).to) {
        struct line own = line_at(c, i);
        if (own.to - own.from == line->to - line->from && likeness(&own, line) == 1.0)
            return true;
    }
    return false;
}

/* Counts the lines that the one function has and the other has not; the last of them. */
static int find_new(const struct code *has, const struct code *has_not, struct line *last) {
    int count = 0;
    *last = (struct line){has, 0, 0};
    for (int i = 0; i < has->count; i = line_at(has, i).to) {
        struct line line = line_at(has, i);
        if (has_line(has_not, &line))
            continue;
        count++;
        *last = line;
    }
    return count;
}

static bool has_one(const struct line *line, const struct code *of, int token) {
    for (int i = line->from; i < line->to; i++)
        if (same_token(line->code, i, of, token))
            return true;
    return false;
}

/* Does the line do what is wrong? It has all operators and calls of the mistake's line, and the
   parameters that the right line has not. */
static bool has_the_mistake(const struct line *line, const struct line *wrong,
                            const struct line *right) {
    const struct code *c = wrong->code;
    for (int i = wrong->from; i < wrong->to; i++) {
        const bool name = c->tokens[i].kind == NAME && !is_call(c, i);
        if (!is(c, i, "( ) [ ] { } , ;") && !is_local(name_at(c, i)) && !has_one(line, c, i) &&
            !(name && has_one(right, c, i)))
            return false;
    }
    return true;
}

/* How much the line is like one that the mistake has changed, as it was before. */
static double likeness_to_right(const struct line *line, const struct code *right,
                                const struct code *wrong) {
    double most = 0.0;
    for (int i = 0; i < right->count; i = line_at(right, i).to) {
        struct line other = line_at(right, i);
        double like = has_line(wrong, &other) ? 0.0 : likeness(line, &other);
        most = like > most ? like : most;
    }
    return most;
}

static struct fit fit_lines(const struct code *own, int first_line, const struct code *right,
                            const struct code *wrong, bool touched[], int lines) {
    struct fit fit = {0};
    struct line news, old;
    if (find_new(wrong, right, &news) > 1 || find_new(right, wrong, &old) > 1)
        return fit;
    for (int i = 0; i < own->count; i = line_at(own, i).to) {
        struct line line = line_at(own, i);
        int number = first_line - 1 + line_of(own->tokens[0].at, own->tokens[i].at);
        double like = likeness(&line, &news);
        if (like < enough || like <= likeness_to_right(&line, right, wrong) ||
            has_line(right, &line) || !has_the_mistake(&line, &news, &old) || number >= lines)
            continue;
        touched[number] = true;
        if (like >= fit.likeness)
            fit = (struct fit){like > fit.likeness ? number : 0, like};
    }
    return fit;
}

static bool read_function(struct code *code, const struct variants *variants, const char *name) {
    const char *from, *to;
    *code = (struct code){0};
    return find_definition(text_of(&variants->source), name, &from, &to) &&
           code_read(code, from, to, text_of(&variants->types));
}

struct fit fit_mistake(const struct variants *own, const struct variants *reference,
                       const struct variant *mistake, bool touched[], int lines) {
    struct code code, right, wrong;
    struct fit fit = {0};
    const char *types = text_of(&reference->types);
    bool read = read_function(&code, own, mistake->function);
    read = read_function(&right, reference, mistake->function) && read;
    if (code_read(&wrong, mistake->text, strchr(mistake->text, '\0'), types) && read)
        fit = fit_lines(&code, line_of(text_of(&own->source), code.tokens[0].at), &right, &wrong,
                        touched, lines);
    return fit;
}
