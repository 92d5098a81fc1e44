/* Undoes a known mistake in a function that was written in another way.

   A known mistake changes an expression of the reference: `exp(scores[i] - largest)` lost its
   `- largest`. The learner made it in `double e = exp(*s)`. So the reference's expression is put in
   the place of each expression of the learner's that has the same use: it is assigned, returned,
   asked for, or the same argument of the same function. The operands in it, here `scores[i]` and
   `largest`, give way to each operand of the learner's that has the same type and is known there.
   Only the tests can tell which of these changes is right. */
#include "diagnose/transplant.h"

#include "diagnose/writing.h"

#include <stdlib.h>
#include <string.h>

#define ASSIGNMENTS "= += -= *= /="
#define VALUES      ASSIGNMENTS " ? :" /* before a value */

/* At most so many operands in an expression, operands of the learner's for one of them, and changes
   of one of the learner's expressions. An expression is nearly another one with so few tokens of
   its own; what stands around a hole may have any number. */
enum { OPERANDS = 5, CHOICES = 8, CHANGES = 40, FEW = 4, ANY = 1000 };

struct span {
    int from, to; /* tokens, without the last */
};

struct search {
    const struct code *own, *right;
    struct span place, part;        /* an expression of the learner's, and one of the reference's */
    struct span hole;               /* in the latter: here the former stays; or empty */
    struct span operands[OPERANDS]; /* of the latter */
    const char *choices[OPERANDS][CHOICES], *chosen[OPERANDS];
    int count, choice_count[OPERANDS], changes;
    bool keeps_arrays; /* an array of a parameter stays, and only its indices give way */
    int most;          /* tokens that the mistake exchanges */
    void (*found)(void *context, const struct change *change);
    void *context;
};

/* --- operands ------------------------------------------------------------------------------- */

/* A variable with its stars, members and indices; empty if none begins there. */
static struct span operand_at(const struct code *c, int from) {
    int i = from;
    while (is(c, i, "*") && !follows_operand(c, i))
        i++;
    if (!name_at(c, i) || is(c, i - 1, ". ->"))
        return (struct span){from, from};
    for (i++; is(c, i, "[ . ->");)
        i = is(c, i, "[") ? behind_one(c, i) : i + 2;
    return (struct span){from, i};
}

/* What tells its type, and how many dimensions are left. */
static const struct name *type_of(const struct code *c, struct span operand, int *rank) {
    const int last = array_of(c, operand.to - 1);
    const struct name *n = name_at(c, last);
    *rank = n ? n->rank : 0;
    for (int i = operand.from; is(c, i, "*"); i++)
        --*rank;
    for (int i = last + 1; i < operand.to; i = behind_one(c, i))
        --*rank;
    return n;
}

/* A parameter, but nothing in an array of it. */
static bool is_parameter(const struct code *c, struct span operand) {
    const struct name *n = operand.to == operand.from + 1 ? name_at(c, operand.from) : NULL;
    return n && n->parameter;
}

static bool is_local(const struct code *c, struct span operand) {
    const struct name *n = name_at(c, operand.from);
    return n && !n->parameter;
}

static bool are_alike(const struct search *s, struct span own, struct span right) {
    int rank, other;
    const struct name *a = type_of(s->own, own, &rank), *b = type_of(s->right, right, &other);
    return a && b && rank == other && is_real(s->own, a) == is_real(s->right, b) &&
           is_whole(s->own, a) == is_whole(s->right, b);
}

/* --- the learner's operands for one of the reference ------------------------------------------ */

static void add_choice(struct search *s, int which, const char *text) {
    int *count = &s->choice_count[which];
    for (int i = 0; i < *count; i++)
        if (strcmp(s->choices[which][i], text) == 0)
            return;
    if (*count < CHOICES)
        s->choices[which][(*count)++] = text;
}

/* Those in a part of the function that are known at the place. */
static void add_choices(struct search *s, int which, struct span in, bool of_same_name) {
    const struct span right = s->operands[which];
    for (int i = in.from; i < in.to; i++) {
        const struct span own = operand_at(s->own, i);
        if (own.to > own.from && are_alike(s, own, right) &&
            are_known_at(s->own, own.from, own.to, s->place.from) &&
            !(is_parameter(s->own, own) && is_local(s->right, right)) &&
            (!of_same_name || same_token(s->own, i, s->right, right.from)))
            add_choice(s, which, tokens_of(s->own, own.from, own.to));
    }
}

/* Of the same name, in the same expression, and anywhere else. */
static void choose(struct search *s, int which) {
    const struct span all = {s->own->open + 1, s->own->close};
    s->choice_count[which] = 0;
    add_choices(s, which, all, true);
    add_choices(s, which, s->place, false);
    add_choices(s, which, all, false);
}

static bool starts_same(const struct code *a, int i, const struct code *b, int k, int count,
                        bool (*same)(const struct code *, int, const struct code *, int)) {
    for (int n = 0; n < count; n++)
        if (!same(a, i + n, b, k + n))
            return false;
    return count > 0;
}

/* Which of the operands that give way it is; -1. */
static int which_is(const struct search *s, struct span operand) {
    for (int i = 0; i < s->count; i++)
        if (same_text(s->right, s->operands[i].from, s->operands[i].to, operand.from, operand.to))
            return i;
    return -1;
}

static bool is_in(struct span span, int i) {
    return span.from <= i && i < span.to;
}

/* Parameters that are no arrays stay as they are. */
static bool gives_way(const struct search *s, struct span operand) {
    const struct name *n = name_at(s->right, operand.from);
    const bool is_array = is(s->right, operand.from + 1, "[");
    return operand.to > operand.from && operand.to <= s->part.to &&
           !(n && n->parameter && (s->keeps_arrays || !is_array));
}

/* False if there are too many. */
static bool find_operands(struct search *s) {
    s->count = 0;
    for (int i = s->part.from; i < s->part.to; i++) {
        const struct span operand = operand_at(s->right, i);
        if (is_in(s->hole, i) || !gives_way(s, operand))
            continue;
        if (which_is(s, operand) < 0 && s->count == OPERANDS)
            return false;
        if (which_is(s, operand) < 0)
            s->operands[s->count++] = operand;
        i = operand.to - 1;
    }
    return true;
}

/* --- changes -------------------------------------------------------------------------------- */

/* The learner's expression, in brackets unless it is one operand. */
static void add_own(struct text *text, const struct search *s) {
    const bool whole =
        behind_operand(s->own, s->place.from) == s->place.to && !is(s->right, s->hole.from, "(");
    text_print(text, "%s%s%s", whole ? " " : " ( ", tokens_of(s->own, s->place.from, s->place.to),
               whole ? "" : " )");
}

/* The reference's expression with the chosen operands. */
static const char *chosen_text(const struct search *s) {
    struct text text = {0};
    for (int i = s->part.from, to; i < s->part.to; i = to) {
        const struct span operand = operand_at(s->right, i);
        const int which = gives_way(s, operand) ? which_is(s, operand) : -1;
        to = which >= 0 ? operand.to : i + 1;
        if (is_in(s->hole, i)) {
            add_own(&text, s);
            to = s->hole.to;
        } else {
            text_print(&text, " %s", which >= 0 ? s->chosen[which] : tokens_of(s->right, i, to));
        }
    }
    return text_of(&text);
}

bool same_value(const struct code *a, int i, const struct code *b, int k) {
    return same_token(a, i, b, k) ||
           (a->tokens[i].kind == NUMBER && b->tokens[k].kind == NUMBER &&
            strtod(a->tokens[i].at, NULL) == strtod(b->tokens[k].at, NULL));
}

static int count_tokens(const struct code *c, struct span in, const struct code *of, int token) {
    int count = 0;
    for (int i = in.from; i < in.to; i++)
        count += same_value(c, i, of, token);
    return count;
}

/* How many tokens of the one are not in the other, wherever they stand. Brackets come with what is
   in them. */
static int count_more(const struct code *a, struct span in, const struct code *b,
                      struct span not_in) {
    int count = 0;
    for (int i = in.from; i < in.to; i++)
        count += !is(a, i, "[ ]") && count_tokens(a, (struct span){in.from, i + 1}, a, i) >
                                         count_tokens(b, not_in, a, i);
    return count;
}

static int distance(const struct code *a, struct span in_a, const struct code *b,
                    struct span in_b) {
    return count_more(a, in_a, b, in_b) + count_more(b, in_b, a, in_a);
}

/* How many tokens are variables of the learner's own. */
static int count_locals(const struct search *s, const struct code *c, struct span in) {
    int count = 0;
    for (int i = in.from; i < in.to; i++)
        for (const struct name *n = s->own->names; n < s->own->names + s->own->name_count; n++)
            count += !n->parameter && !n->of && same_token(s->own, n->token, c, i);
    return count;
}

static void tell(const struct search *s, const char *text, int size) {
    s->found(s->context, &(struct change){.name = "UNDO",
                                          .kind = "change an expression",
                                          .says = "",
                                          .means = "",
                                          .from = s->place.from,
                                          .to = s->place.to,
                                          .text = text,
                                          .moved = -1,
                                          .size = size});
}

/* Is a term added to a sum that has it? */
static bool is_added_twice(const struct search *s) {
    const struct span around = {s->place.from - 2, s->place.to + 2};
    for (int i = s->part.from; i < s->part.to && s->hole.to > s->hole.from; i++)
        if (!is_in(s->hole, i) && name_at(s->right, i) &&
            (is(s->right, i - 1, "+ -") || is(s->right, i + 1, "+ -")) &&
            count_tokens(s->own, around, s->right, i) > 0)
            return true;
    return false;
}

/* What leaves out a variable of the learner's would only pass by the line where that is wrong. */
static void take(struct search *s) {
    const char *text = chosen_text(s);
    struct code new = {0};
    if (!code_read_tokens(&new, text, strchr(text, '\0')) || is_added_twice(s) ||
        count_locals(s, &new, (struct span){0, new.count}) < count_locals(s, s->own, s->place))
        return;
    const int size = distance(s->own, s->place, &new, (struct span){0, new.count});
    if (size <= s->most && s->changes++ < CHANGES)
        tell(s, text, size);
}

/* Two operands never become the same one. */
static void choose_rest(struct search *s, int which) {
    if (which == s->count) {
        take(s);
        return;
    }
    for (int i = 0; i < s->choice_count[which] && s->changes < CHANGES; i++) {
        bool taken = false;
        s->chosen[which] = s->choices[which][i];
        for (int k = 0; k < which; k++)
            taken = taken || strcmp(s->chosen[k], s->chosen[which]) == 0;
        if (!taken)
            choose_rest(s, which + 1);
    }
}

static void put_into(struct search *s, struct span place) {
    s->place = place;
    s->changes = 0;
    for (int round = 0; round < 2; round++) {
        s->keeps_arrays = round == 1;
        if (!find_operands(s))
            continue;
        for (int i = 0; i < s->count; i++)
            choose(s, i);
        choose_rest(s, 0);
    }
}

/* --- expressions ---------------------------------------------------------------------------- */

/* The expression that begins there and is assigned, returned, asked for or an argument; empty. */
static struct span expression_at(const struct code *c, int i) {
    const struct loop *l = head_around(c, i);
    const int before = i - 1;
    const bool starts = is(c, before, VALUES " return") ||
                        (is(c, before, "(") && is(c, before - 1, "if while")) ||
                        (l && before == l->first_end) ||
                        (is(c, before, "( ,") && is_call(c, bracket_around(c, i) - 1));
    const int to = starts ? behind_expression(c, i) : i;
    return (struct span){i, to > i ? to : i};
}

/* Which argument it is of the call whose bracket is open; 0 is the first. */
static int argument_at(const struct code *c, int i, int open) {
    int count = 0;
    for (int k = open + 1; k < i; k = behind_one(c, k))
        count += is(c, k, ",");
    return count;
}

static bool have_same_use(const struct code *a, int i, const struct code *b, int k) {
    const int open = is(a, i - 1, "( ,") ? bracket_around(a, i) : -1;
    const int other = is(b, k - 1, "( ,") ? bracket_around(b, k) : -1;
    if (open >= 0 && is_call(a, open - 1))
        return other >= 0 && same_token(a, open - 1, b, other - 1) &&
               argument_at(a, i, open) == argument_at(b, k, other);
    if (is(a, i - 1, VALUES))
        return is(b, k - 1, VALUES) && !head_around(a, i) == !head_around(b, k);
    return same_token(a, i - 1, b, k - 1) && (!is(a, i - 1, "(") || same_token(a, i - 2, b, k - 2));
}

static void put_everywhere(struct search *s) {
    for (int i = s->own->open + 1; i < s->own->close; i++) {
        const struct span place = expression_at(s->own, i);
        if (place.to > place.from && have_same_use(s->own, i, s->right, s->part.from))
            put_into(s, place);
    }
}

/* --- what was left out ------------------------------------------------------------------------ */

/* Where the operand begins that ends before a token. */
static int operand_before(const struct code *c, int end) {
    for (int i = end - 1; i > c->open; i--)
        if (!follows_operand(c, i) && !is(c, i, "- + ! & *") && behind_operand(c, i) == end)
            return i;
    return end;
}

/* What the mistake has in common with the reference, in the part of it that differs: a hole; what
   was left out stands around it. */
static bool find_hole(struct search *s, const struct difference *d, const struct code *wrong) {
    const int length = d->own_to - d->from;
    s->part = (struct span){d->from, d->to};
    for (int k = d->from; k + length <= d->to; k++)
        if (starts_same(s->right, k, wrong, d->from, length, same_token)) {
            s->hole = (struct span){k, k + length};
            return true;
        }
    if (length > 0 || d->from == d->to)
        return false;
    if (!follows_operand(s->right, d->to))
        s->hole = (struct span){d->to, behind_operand(s->right, d->to)};
    else if (is(s->right, d->to, "("))
        s->hole = (struct span){d->to, behind_one(s->right, d->to)};
    else
        s->hole = (struct span){operand_before(s->right, d->from), d->from};
    s->part.from = s->hole.from < s->part.from ? s->hole.from : s->part.from;
    s->part.to = s->hole.to > s->part.to ? s->hole.to : s->part.to;
    return s->hole.to > s->hole.from;
}

/* May the learner's expression fill the hole? For one operand stands one that is alike; but
   something may be added to a longer one. */
static bool fills_hole(const struct search *s, struct span own) {
    const struct span right = operand_at(s->right, s->hole.from);
    const struct span operand = operand_at(s->own, own.from);
    const bool adds = is(s->right, s->hole.to, "+ -");
    if (right.to != s->hole.to || right.to == right.from || (adds && operand.to != own.to))
        return true;
    return operand.to == own.to && are_alike(s, operand, right) &&
           (is_local(s->own, operand) || is_local(s->right, right) ||
            same_token(s->own, own.from, s->right, right.from));
}

/* An operand, a term, a sum and an expression that begin there. */
static void fill_from(struct search *s, int i) {
    const struct code *c = s->own;
    const int ends[] = {behind_operand(c, i), behind_joined(c, i, "* / %"),
                        behind_joined(c, i, "* / % + -"), expression_at(c, i).to};
    for (int k = 0, before = i; k < 4; k++) {
        const struct span place = {i, ends[k]};
        if (ends[k] <= before)
            continue;
        if (!is(c, ends[k], ASSIGNMENTS " ++ --") && fills_hole(s, place))
            put_into(s, place);
        before = ends[k];
    }
}

static void fill_hole(struct search *s) {
    const struct code *c = s->own;
    for (int i = c->open + 1; i < c->close; i++) {
        const struct name *n = name_at(c, i);
        if (!follows_operand(c, i) && !starts_statement(c, i) && !is_declaration(c, i) &&
            !(n && n->token == i) && !is(c, i - 1, ". ->"))
            fill_from(s, i);
    }
}

/* --- what is another one ---------------------------------------------------------------------- */

static bool is_like(const struct code *a, int i, const struct code *b, int k) {
    const struct span x = {i, i + 1}, y = {k, k + 1};
    return same_token(a, i, b, k) || (is_local(a, x) && is_local(b, y) &&
                                      is_whole(a, name_at(a, i)) == is_whole(b, name_at(b, k)));
}

static bool is_balanced(const struct code *c, int from, int to) {
    for (int i = from; i < to; i++)
        if (c->tokens[i].match >= 0 && !is_in((struct span){from, to}, c->tokens[i].match))
            return false;
    return true;
}

/* Makes it longer up to the brackets' ends. */
static void balance(struct difference *d, const struct code *right, const struct code *wrong) {
    while (d->to < right->close && d->own_to < wrong->close &&
           !(is_balanced(right, d->from, d->to) && is_balanced(wrong, d->from, d->own_to))) {
        d->to++;
        d->own_to++;
    }
}

/* Where the learner has what the mistake brings in, the reference's own comes in its place. */
static void replace(struct search *s, const struct difference *d, const struct code *wrong) {
    const int length = d->own_to - d->from;
    s->part = (struct span){d->from, d->to};
    s->hole = (struct span){0, 0};
    for (int i = s->own->open + 1; i + length < s->own->close; i++)
        if (starts_same(s->own, i, wrong, d->from, length, is_like))
            put_into(s, (struct span){i, i + length});
}

/* A constant of a header that the reference computes with, and the learner does not have. */
static bool is_lost_constant(const struct search *s, int i) {
    const struct code *c = s->right;
    const struct token *t = &c->tokens[i];
    return t->kind == NAME && t->length > 2 && !name_at(c, i) && !is(c, i, "INFINITY NAN") &&
           strspn(t->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") >= t->length &&
           (is(c, i - 1, "* -") || is(c, i + 1, "*")) &&
           !any_is(s->own, s->own->open, s->own->close, tokens_of(c, i, i + 1));
}

/* Multiplies a number of an array by it, or subtracts it from a whole one, in place of a cast. */
static void put_constant(struct search *s, int constant) {
    const struct code *c = s->own;
    const char *put = tokens_of(s->right, constant, constant + 1);
    for (int i = c->open + 1, rank; i < c->close; i++) {
        const struct span own = operand_at(c, i);
        const struct name *n = type_of(c, own, &rank);
        if (own.to == own.from || !is(c, own.to - 1, "]") || rank != 0 || !n ||
            is(c, own.to, ASSIGNMENTS " ++ --"))
            continue;
        s->place = own;
        while (is(c, s->place.from - 1, ")") &&
               c->tokens[s->place.from - 1].match == s->place.from - 3)
            s->place.from -= 3;
        const char *number = tokens_of(c, own.from, own.to);
        tell(s,
             is_real(c, n) ? path_of(" ( %s * %s ) ", put, number)
                           : path_of(" ( %s - %s ) ", number, put),
             2);
    }
}

/* Any expression of the reference that is nearly the learner's, and its constants. */
static void put_all(struct search *s) {
    s->most = FEW;
    s->hole = (struct span){0, 0};
    for (int i = s->right->open + 1; i < s->right->close; i++) {
        s->part = expression_at(s->right, i);
        if (s->part.to > s->part.from)
            put_everywhere(s);
        if (is_lost_constant(s, i))
            put_constant(s, i);
    }
}

static void put_what_differs(struct search *s, const struct difference *d,
                             const struct code *wrong) {
    for (int i = s->right->open + 1; i <= d->from; i++) {
        const struct span other = expression_at(wrong, i);
        s->part = expression_at(s->right, i);
        if (s->part.to > s->part.from && s->part.to >= d->to &&
            other.to == s->part.to + d->own_to - d->to) {
            s->most = distance(s->right, s->part, wrong, other);
            put_everywhere(s);
        }
    }
}

void each_transplant(const struct code *own, const struct undoing *u,
                     void (*found)(void *, const struct change *), void *context) {
    struct search s = {.own = own, .right = u->right, .found = found, .context = context};
    if (!u->wrong) {
        put_all(&s);
        return;
    }
    struct difference d = code_compare(u->right, u->wrong);
    balance(&d, u->right, u->wrong);
    put_what_differs(&s, &d, u->wrong);
    s.most = ANY;
    if (find_hole(&s, &d, u->wrong))
        fill_hole(&s);
    else
        replace(&s, &d, u->wrong);
}
