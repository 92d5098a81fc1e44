#include "fitting.h"

#include "../tutor/source.h"

#include <string.h>

/* How much of a line has to be alike, how much the lines around it count, and by how much it has to
   be more alike than any other one. */
static const double enough = 0.85, of_neighbour = 0.05, margin = 0.02;

enum { MOST_TOKENS = 120 };

struct line {
    const struct code *code;
    int from, to; /* tokens */
};

static bool starts_line(const struct code *c, int i) {
    const char *behind = i > 0 ? behind_token(c, i - 1) : NULL;
    return !behind || i >= c->count || memchr(behind, '\n', (size_t)(c->tokens[i].at - behind));
}

/* The line that begins with a token, and the one before; without tokens beyond the function. */
static struct line line_at(const struct code *c, int from) {
    int to = from < c->count ? from + 1 : from;
    while (to < c->count && !starts_line(c, to))
        to++;
    return (struct line){c, from, to};
}

static struct line line_before(const struct line *line) {
    int from = line->from > 0 ? line->from - 1 : 0;
    while (!starts_line(line->code, from))
        from--;
    return (struct line){line->code, from, line->from};
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
    if (count > MOST_TOKENS || a->to - a->from + count == 0)
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

static bool has_token(const struct line *line, const struct code *of, int i) {
    int at = line->from;
    while (at < line->to && !same_token(line->code, at, of, i))
        at++;
    return at < line->to;
}

/* Is the token not in the lines that the line gave way to? */
static bool is_news(const struct line *line, int token, const struct code *before) {
    for (int i = 0; i < before->count; i = line_at(before, i).to) {
        struct line old = line_at(before, i);
        if (has_token(&old, line->code, token) && !has_line(line->code, &old))
            return false;
    }
    return !is_local(name_at(line->code, token));
}

static bool has_all_news(const struct line *own, const struct line *line,
                         const struct code *before) {
    for (int i = line->from; i < line->to; i++)
        if (is_news(line, i, before) && !has_token(own, line->code, i))
            return false;
    return true;
}

/* A mistake that has more new lines than these is a function of its own: any line may be like one.
 */
enum { FEW_LINES = 3 };

/* Counts the lines that the one function has and the other has not, and gives the longest of them.
   Heads of loops are alike anywhere: they count where nothing else is new. */
static int find_new(const struct code *has, const struct code *has_not, bool heads,
                    struct line *longest) {
    int count = 0;
    *longest = (struct line){has, 0, 0};
    for (int i = 0; i < has->count; i = line_at(has, i).to) {
        struct line line = line_at(has, i);
        if (is(has, i, "for") != heads || has_line(has_not, &line))
            continue;
        count++;
        if (line.to - line.from > longest->to - longest->from)
            *longest = line;
    }
    return count == 0 && !heads ? find_new(has, has_not, true, longest) : count;
}

/* How much the line is like one that the one function has and the other has not. */
static double likeness_to_new(const struct line *line, const struct code *has,
                              const struct code *has_not) {
    double most = 0.0;
    for (int i = 0; i < has->count; i = line_at(has, i).to) {
        struct line other = line_at(has, i);
        double like = has_line(has_not, &other) || !has_all_news(line, &other, has_not)
                          ? 0.0
                          : likeness(line, &other);
        most = like > most ? like : most;
    }
    return most;
}

static double likeness_around(const struct line *a, const struct line *b) {
    struct line before = line_before(a), other_before = line_before(b);
    struct line after = line_at(a->code, a->to), other_after = line_at(b->code, b->to);
    return likeness(&before, &other_before) + likeness(&after, &other_after);
}

static struct fit fit_lines(const struct code *own, int first_line, const struct code *right,
                            const struct code *wrong, bool touched[], int lines) {
    struct fit fit = {0};
    struct line news;
    double second = 0.0;
    if (find_new(wrong, right, false, &news) > FEW_LINES)
        return fit;
    for (int i = 0; i < own->count; i = line_at(own, i).to) {
        struct line line = line_at(own, i);
        int number = first_line - 1 + line_of(own->tokens[0].at, own->tokens[i].at);
        double like = likeness_to_new(&line, wrong, right);
        if (like < enough || like <= likeness_to_new(&line, right, wrong) ||
            has_line(right, &line) || number >= lines)
            continue;
        touched[number] = true;
        like = likeness(&line, &news);
        if (like < enough)
            continue;
        like += of_neighbour * likeness_around(&line, &news);
        second = like > fit.likeness ? fit.likeness : like > second ? like : second;
        if (like > fit.likeness)
            fit = (struct fit){number, like};
    }
    fit.line = fit.likeness - second > margin ? fit.line : 0;
    return fit;
}

static bool read_function(struct code *code, const struct family *family, const char *name) {
    const char *from, *to;
    *code = (struct code){0};
    return find_definition(text_of(&family->source), name, &from, &to) &&
           code_read(code, from, to, text_of(&family->types));
}

struct fit fit_mistake(const struct family *own, const struct family *reference,
                       const struct variant *mistake, bool touched[], int lines) {
    struct code code, right, wrong;
    struct fit fit = {0};
    const char *types = text_of(&reference->types);
    bool read = read_function(&code, own, mistake->function);
    read = read_function(&right, reference, mistake->function) && read;
    if (code_read(&wrong, mistake->text, strchr(mistake->text, '\0'), types) && read)
        fit = fit_lines(&code, line_of(text_of(&own->source), code.tokens[0].at), &right, &wrong,
                        touched, lines);
    code_free(&code);
    code_free(&right);
    code_free(&wrong);
    return fit;
}
