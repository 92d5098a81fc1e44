/* Looks in the learner's tokens for code that is no error in C: an array that a call both reads and
   writes, bytes in place of numbers, a comparison that loses fractions, a variable that outlives
   the call, a parameter without use, a loop of which only the last round counts. The sentence is a
   fact about that line, so it is true whatever else is wrong. */
#include "diagnose/overlooked.h"

#include "course/lesson.h"
#include "diagnose/writing.h"
#include "explain/explain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct finding *f;
    const char *own, *headers; /* the learner's file, and all that it includes */
    struct code c;             /* of one function */
    struct code right;         /* of the exercise in the reference */
    char output[NAME_SIZE];    /* that the test found wrong; "" */
    bool unset;                /* the test found cells that were never set, or only zeros */
};

/* Notes that this line does so, with the name of an array or of what is in its place, and with what
   else the sentence quotes. */
static bool note(struct reader *r, int token, enum finding_code code, const char *name,
                 const char *quote) {
    struct finding *f = r->f;
    f->code = code;
    f->stack = (struct stack){.count = 1};
    f->stack.frames[0].line = line_of(r->own, r->c.tokens[token].at);
    take_name(f->stack.frames[0].function, r->c.tokens[r->c.name].at);
    snprintf(f->name, sizeof f->name, "%.200s", name);
    snprintf(f->quote, sizeof f->quote, "%s", quote);
    return true;
}

/* --- calls ---------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 32 };

/* A call, with its arguments as they are written, and the parameters of a function of a lesson. */
struct call {
    int count, last; /* where the last argument begins */
    const char *arguments[MOST_ARGUMENTS];
    struct code parameters;
};

static struct call call_at(const struct code *c, int name) {
    struct call call = {0};
    for (int at = name + 2, end;
         call.count < MOST_ARGUMENTS && (end = behind_expression(c, at)) >= 0; at = end + 1)
        call.arguments[call.count++] = tokens_of(c, call.last = at, end);
    return call;
}

/* Not those of a function that works in place. */
static bool read_parameters(struct call *call, const struct reader *r, const char *name) {
    struct function f;
    if (!find_function(r->headers, name, &f))
        return false;
    const char *said =
        f.comment ? path_of("%.*s", (int)(f.comment_end - f.comment), f.comment) : "";
    return !strstr(said, "in place") && !strstr(said, "the same array") &&
           code_read_parameters(&call->parameters, f.start, f.end, "") &&
           call->parameters.name_count == call->count;
}

static const char *parameter(const struct call *call, int i) {
    const struct code *p = &call->parameters;
    return tokens_of(p, p->names[i].token, p->names[i].token + 1);
}

/* The argument that parameter `d_...` is the gradient of; "". */
static const char *has_gradient(const struct call *call, const char *d_name) {
    for (int i = 0; i < call->count && starts_with(d_name, "d_"); i++)
        if (strcmp(parameter(call, i), d_name + 2) == 0)
            return call->arguments[i];
    return "";
}

/* "d_Q, d_K and d_V" where these parameters get the same array as number `first`, and at least one
   of them is an output; or "". Two gradients of one array may be added up in one. */
static const char *sharers(const struct call *call, int first) {
    const struct name *names = call->parameters.names;
    const char *list = "", *last = parameter(call, first);
    const char *of = has_gradient(call, last);
    bool written = !names[first].constant;
    for (int k = first + 1; k < call->count; k++) {
        const char *name = parameter(call, k);
        if (names[k].rank == 0 || strcmp(call->arguments[first], call->arguments[k]) != 0 ||
            (*of && strcmp(of, has_gradient(call, name)) == 0))
            continue;
        written = written || !names[k].constant;
        list = path_of("%s%s%s", list, *list ? ", " : "", last);
        last = name;
    }
    return written && *list ? path_of("%s and %s", list, last) : "";
}

static bool shares_array(struct reader *r, int at) {
    const char *name = tokens_of(&r->c, at, at + 1), *list = "";
    struct call call = call_at(&r->c, at);
    if (!read_parameters(&call, r, name))
        return false;
    for (int i = 0; i < call.count && !*list; i++) {
        if (call.parameters.names[i].rank > 0 && strcmp(call.arguments[i], "NULL") != 0)
            list = sharers(&call, i);
        if (*list)
            note(r, at, SHARES_ARRAY, call.arguments[i], path_of("%s of %s()", list, name));
    }
    return *list;
}

/* Does the reference pass it this as argument i? */
static bool is_called_with(const struct reader *r, const char *name, int i, const char *argument) {
    struct call call;
    for (int at = r->right.open; at < r->right.close; at++)
        if (is(&r->right, at, name) && (call = call_at(&r->right, at)).count > i &&
            strcmp(call.arguments[i], argument) == 0)
            return true;
    return false;
}

/* f(d_k, d_q) where the parameters are d_q and d_k, and the reference passes them in that order. */
static bool swaps_arguments(struct reader *r, int at) {
    const char *name = tokens_of(&r->c, at, at + 1), *a, *b;
    struct call call = call_at(&r->c, at);
    const int count = read_parameters(&call, r, name) ? call.count : 0;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            if (strcmp(a = parameter(&call, i), call.arguments[k]) == 0 &&
                strcmp(b = parameter(&call, k), call.arguments[i]) == 0 &&
                is_called_with(r, name, i, a))
                return note(r, at, SWAPS_ARGUMENTS, b,
                            path_of("%s() has %s, and %s where it has %s", name, a, a, b));
    return false;
}

/* The value of a number, or of a constant of a header; 0 where it is not known. */
static double value_of(const struct reader *r, const char *word) {
    const char *set = strstr(r->headers, path_of(" %s = ", word));
    return strtod(set ? set + strlen(word) + 4 : word, NULL);
}

/* All bytes of 0 are equal, and those of -1. */
static bool sets_bytes(struct reader *r, int at) {
    const struct call call = call_at(&r->c, at);
    const struct name *to = name_at(&r->c, at + 2);
    if (!is(&r->c, at, "memset") || call.count != 3 || !to || is(&r->c, to->type, "bool char"))
        return false;
    const double value = value_of(r, call.arguments[1]);
    return value != 0.0 && value != -1.0 && note(r, at, SETS_BYTES, call.arguments[1], "");
}

/* Does this count numbers, and not bytes? Then its variables are ints of the lesson, or locals of a
   function that takes no sizes. */
static bool counts_numbers(const struct code *c, int from, int to) {
    int variables = 0;
    for (int i = from; i < to; i++) {
        const struct name *n = name_at(c, i = path_end(c, i));
        const bool local = n && !n->parameter && !n->of;
        if (is(c, i, "sizeof 4 8") || is_call(c, i) ||
            (n ? !is_word(&c->tokens[n->type], "int") ||
                     (local && any_is(c, c->open, c->close, "sizeof 4 8"))
               : c->tokens[i].kind == NAME && !is(c, i, "size_t int unsigned long")))
            return false;
        variables += n != NULL;
    }
    return variables > 0;
}

static bool forgets_size(struct reader *r, int at) {
    const struct code *c = &r->c;
    const struct call call = call_at(c, at);
    const struct name *n = name_at(c, path_end(c, at + 2 + is(c, at + 2, "&")));
    if (!is(c, at, "memcpy memmove memset") || !is(c, c->name, r->f->exercise->name) ||
        call.count != 3 || !n || !is_word(&c->tokens[n->type], "double float int") ||
        !counts_numbers(c, call.last, behind_one(c, at + 1) - 1))
        return false;
    take_name(r->f->element, c->tokens[n->type].at);
    return note(r, at, FORGETS_SIZE, call.arguments[2], tokens_of(c, at, at + 1));
}

/* --- statements ----------------------------------------------------------------------------- */

/* A function that qsort() calls returns the difference of two doubles as an int. */
static bool cuts_difference(struct reader *r, int token) {
    const struct code *c = &r->c;
    const int end = behind_statement(c, token);
    bool minus = false;
    for (int i = token; i < end; i++)
        minus = minus || (is(c, i, "-") && follows_operand(c, i));
    return is(c, token, "return") && minus && any_is(c, c->open, end, "double float") &&
           !any_is(c, token, end, "< > <= >=") &&
           part_of(r->own, path_of("qsort[^;]*[ ,&]%s *\\)", tokens_of(c, c->name, c->name + 1)),
                   0) &&
           note(r, token, CUTS_DIFFERENCE, "", "");
}

static bool keeps_static(struct reader *r, int token) {
    return is(&r->c, token, "static") &&
           !any_is(&r->c, token, behind_statement(&r->c, token), "const") &&
           note(r, token, KEEPS_STATIC, "", "");
}

/* `v->input = row`: an output is unset, because the test looks at what that pointed to before. */
static bool sets_pointer(struct reader *r, int token) {
    const struct code *c = &r->c;
    const struct name *n = name_at(c, token);
    return !(n && n->rank == 0) && r->unset && is(c, token - 1, "->") && is(c, token + 1, "=") &&
           is(c, token, r->output) &&
           note(r, token, SETS_POINTER, tokens_of(c, token - 2, token + 1), "");
}

/* A test found cells that were never set, and a return stands before the first use of an output.
   Not one for a size of 0. */
static bool returns_early(struct reader *r, int token) {
    const struct code *c = &r->c;
    const int condition = token - (is(c, token - 1, "{") ? 3 : 2);
    if (!r->unset || is(c, condition, "0 1") || !is(c, token, "return") || !is(c, token + 1, ";") ||
        token + 3 > c->close)
        return false;
    for (const struct name *n = c->names; n < c->names + c->name_count; n++) {
        const char *name = tokens_of(c, n->token, n->token + 1);
        if (n->parameter && n->rank > 0 && !n->constant && !any_is(c, c->open, token, name))
            return note(r, token, RETURNS_EARLY, name, "");
    }
    return false;
}

/* Is the name set in these tokens, other than again and again to what no round changes? */
static bool varies(const struct code *c, const struct name *n, int from, int to, int depth) {
    for (int i = from; i < to; i++) {
        if (name_at(c, i) != n)
            continue;
        if (depth == 0 || !is(c, i + 1, "= ; ) , < > <= >= == != && || + - * / % ] ? :") ||
            is(c, i - 1, "++ -- & .") || (n->rank > 0 && !is(c, i + 1, "=")))
            return true;
        for (int k = i + 2; is(c, i + 1, "=") && k < behind_expression(c, i + 2); k++) {
            const struct name *other = name_at(c, k);
            if (is_call(c, k) || is(c, k, "[ -> . ++ --") || other == n ||
                (other && varies(c, other, from, to, depth - 1)))
                return true;
        }
    }
    return false;
}

/* Is a loop around this place that depends on the variable: `while (len < n)`, or without an end?
   Another loop over it would change it. */
static bool is_in_loop_of(const struct code *c, int place, const struct name *n) {
    for (int i = c->open; i < place; i++) {
        const bool endless = is(c, i, "for") && is(c, i + 2, ";") && is(c, i + 3, ";");
        if (!(endless || is(c, i, "while")) || behind_statement(c, i) <= place)
            continue;
        if (endless || is(c, i + 2, "1 true"))
            return true;
        for (int k = i + 2; k < behind_one(c, i + 1); k = behind_one(c, k))
            if (name_at(c, k) == n)
                return true;
    }
    return false;
}

/* words[len] = ... in such a loop, and len never changes from what it was set to. */
static bool stays_at_index(struct reader *r, int token) {
    const struct code *c = &r->c;
    const int index = token + 2;
    const struct name *n = name_at(c, index);
    if (!is(c, token + 1, "[") || !is(c, index + 1, "]") || !is(c, index + 2, "=") || !n ||
        n->parameter || n->rank > 0 || !is(c, n->token + 1, "=") ||
        c->tokens[n->token + 2].kind != NUMBER || varies(c, n, c->open, c->close, 4) ||
        !is_in_loop_of(c, token, n))
        return false;
    return note(r, token, STAYS_AT_INDEX, tokens_of(c, index, index + 1),
                tokens_of(c, token, index + 2));
}

/* --- loops ---------------------------------------------------------------------------------- */

/* A loop that nothing leaves, and whose condition depends on what no round changes. */
static bool never_ends(struct reader *r, int loop) {
    const struct code *c = &r->c;
    const struct loop *l = is(c, loop, "for") ? head_around(c, loop + 1) : NULL;
    const int from = l ? l->first_end + 1 : loop + 2, end = behind_statement(c, loop);
    const int to = l ? l->second_end : behind_one(c, loop + 1) - 1;
    if (from >= to || !(l || is(c, loop, "while")) || is(c, to + 1, ";"))
        return false;
    for (int i = from; i < end; i++) {
        const struct name *n = name_at(c, i);
        const bool same = n ? n->rank == 0 && !varies(c, n, from, end, 4)
                            : is(c, i, "< > <= >= == != && || + - * / % ( )") ||
                                  c->tokens[i].kind == NUMBER || isupper(*c->tokens[i].at);
        if ((i < to && !same) || is(c, i, "break return goto exit abort longjmp"))
            return false;
    }
    return note(r, loop, ENDLESS_LOOP, "", tokens_of(c, from, to));
}

/* Does each round of what begins at `from` come to the statement that sets this? Or, after an else,
   to one like it. */
static bool comes_to(const struct code *c, int from, int statement, int set) {
    while (from >= 0 && from < statement) {
        const int end = behind_statement(c, from), body = behind_one(c, from + 1);
        int other = is(c, from, "if") ? behind_statement(c, body) : end;
        if (other < end)
            other += is(c, other + 1, "{") ? 2 : 1;
        const bool both =
            other < end && same_text(c, statement, set, other, other + set - statement);
        from = end <= statement             ? end
               : is(c, from, "for") || both ? body
               : is(c, from, "{")           ? from + 1
                                            : -1;
    }
    return from == statement;
}

/* May this be read, apart from where it is set or added to? Another name may stand for an array. */
static bool is_read(const struct code *c, const struct name *n, int from, int to) {
    for (int i = c->open; i < c->close; i++) {
        if (name_at(c, i) != n || i == n->token)
            continue;
        int end = i + 1, rank = 0;
        for (; is(c, end, "["); end = behind_one(c, end))
            rank++;
        const bool set = starts_statement(c, i) && is(c, end, "= += -= *= /=");
        if (from <= i && i < to ? !set : rank < n->rank && is(c, i - 1, "= & )"))
            return true;
    }
    return false;
}

/* Do the indices stay the same from round to round? They are from before the loop, or count loops
   in it that depend on parameters. */
static bool has_same_indices(const struct code *c, int from, int to, const struct loop *l) {
    for (int i = from; i < to; i++) {
        const struct name *n = name_at(c, i), *bound;
        const struct loop *inner = n ? head_around(c, n->token) : NULL;
        const bool counts = inner && inner->open > l->open;
        for (int k = counts ? inner->open : to; counts && k < inner->close; k++)
            if ((bound = name_at(c, k)) && bound != n && !bound->parameter)
                return false;
        if (n && !counts && (n->token > l->open || varies(c, n, l->open, l->end + 1, 4)))
            return false;
    }
    return true;
}

/* Each round sets it, none reads it, and the loop is another than that of its indices. A constant
   is only meant if something is added to it. */
static bool keeps_last_round(struct reader *r, int token) {
    const struct code *c = &r->c;
    const struct name *n = starts_statement(c, token) ? name_at(c, token) : NULL;
    const struct loop *l = loop_around(c, token);
    const int end = behind_statement(c, token);
    const char *counter = "";
    int set = token + 1;
    while (is(c, set, "["))
        set = behind_one(c, set);
    while (l && l->variable >= 0 &&
           any_is(c, token, set, counter = tokens_of(c, l->variable, l->variable + 1)))
        l = loop_around(c, l->open);
    if (!n || !is(c, set, "=") || (n->rank > 0 && !n->parameter && !is(c, n->token + 1, "[")) ||
        !l || l->variable < 0 || n->token > l->open || is_read(c, n, l->open, l->end + 1) ||
        !comes_to(c, l->body, token, set) || !has_same_indices(c, token + 1, set, l) ||
        any_is(c, l->body, l->end + 1, "break continue return goto"))
        return false;
    bool adds = end > set + 3 && any_is(c, l->body, end, counter);
    for (int i = l->body; i <= l->end; i++)
        adds = adds || (is(c, i, "+= -=") && name_at(c, array_of(c, i - 1)) == n);
    r->f->number = line_of(r->own, c->tokens[l->open].at);
    return adds && note(r, token, KEEPS_LAST_ROUND, tokens_of(c, token, set), "");
}

/* A number of a failed test that is beyond what an exercise gives: a million, at least. */
#define HUGE_NUMBER " -?[0-9]{7}|e\\+(0[6-9]|[1-9])"

/* A smaller type becomes an int before it is subtracted. */
static bool is_unsigned(const struct code *c, const struct name *n) {
    return n && n->rank == 0 && is(c, n->type - is(c, n->type, "int long"), "unsigned size_t");
}

/* double x = i - j, unsigned x = i - j, or slope * (i - j). An int takes the difference back. */
static bool wraps_around(struct reader *r, int minus) {
    const struct code *c = &r->c;
    const int before = minus - 2;
    const struct name *a = name_at(c, minus - 1), *b = name_at(c, minus + 1);
    const struct name *other = name_at(c, array_of(c, before - (is(c, before, "(") ? 2 : 1)));
    if (!is(c, minus, "-") || !a || !b || !is(c, minus + 2, "; )") ||
        !((is_unsigned(c, a) && (is_unsigned(c, b) || is_whole(c, b))) ||
          (is_unsigned(c, b) && is_whole(c, a))) ||
        !(is(c, before, "=")
              ? other && (is_real(c, other) || is_unsigned(c, other))
              : is(c, before, "(") && is(c, before - 1, "* /") && other && is_real(c, other)))
        return false;
    const bool is_long = is(c, a->type, "size_t long") || is(c, b->type, "size_t long");
    return part_of(r->f->test->evidence, HUGE_NUMBER, 0) &&
           note(r, minus, WRAPS_AROUND, tokens_of(c, minus - 1, minus + 2),
                is_long ? "1.8e19" : "4.3e9");
}

static bool is_odd(struct reader *r, int i) {
    return is_call(&r->c, i)
               ? sets_bytes(r, i) || forgets_size(r, i) || shares_array(r, i) ||
                     swaps_arguments(r, i)
               : wraps_around(r, i) || sets_pointer(r, i) ||
                     (starts_statement(&r->c, i) &&
                      (cuts_difference(r, i) || keeps_static(r, i) || returns_early(r, i) ||
                       stays_at_index(r, i) || keeps_last_round(r, i)));
}

/* --- parameters ----------------------------------------------------------------------------- */

/* Is this parameter in the body, apart from `(void)name;`, or in the type of another one? */
static bool is_used(const struct code *c, const struct name *parameter) {
    for (int i = c->name + 1; i < c->close; i++)
        if (i != parameter->token && same_token(c, i, c, parameter->token) &&
            !is(c, i - 1, ". ->") &&
            !(is(c, i - 1, ")") && is(c, i - 2, "void") && is(c, i + 1, ";")))
            return true;
    return false;
}

/* A parameter that only the reference uses. A function that uses none is not written yet, and
   sizeof can take the place of a size. The names of both begin with those of the same structs. */
static bool leaves_parameter(struct reader *r) {
    const struct code *c = &r->c, *right = &r->right;
    const struct name *unused = NULL;
    const bool measures = any_is(c, c->open, c->close, "sizeof");
    int used = 0;
    for (int i = 0; i < c->name_count && i < right->name_count; i++) {
        const struct name *n = &c->names[i], *same = &right->names[i];
        if (!n->parameter || !same->parameter)
            continue;
        if (is_used(c, n))
            used++;
        else if ((!unused || is_word(&c->tokens[n->token], r->output)) && is_used(right, same) &&
                 !(n->rank == 0 && measures))
            unused = n;
    }
    return used > 0 && unused && !any_is(c, c->open, c->close, "TODO") &&
           note(r, unused->token, LEAVES_PARAMETER, tokens_of(c, unused->token, unused->token + 1),
                "");
}

/* Of `d_v->rows_k`: where that stands in the code, for the output d_rows_k of a test; 0. Another
   struct may stand for d_v, but v does not. */
static int member_of(const struct code *c, const char *output) {
    const char *members = path_of("%s %s", output, output + 2 * starts_with(output, "d_"));
    for (int i = c->open; i < c->close; i++)
        if (is(c, i, members) && is(c, i - 1, ". ->") && (is(c, i, output) || !is(c, i - 2, "v")))
            return i;
    return 0;
}

/* An output is unset or 0, and the function never uses it, but the reference passes it to another
   function. */
static bool leaves_member(struct reader *r) {
    const struct code *right = &r->right;
    const int member = r->unset ? member_of(right, r->output) : 0;
    const int open = member ? bracket_around(right, member) : 0;
    if (open <= 0 || !is_call(right, open - 1) || member_of(&r->c, r->output))
        return false;
    return note(r, r->c.name, LEAVES_MEMBER, tokens_of(right, member - 2, member + 1),
                tokens_of(right, open - 1, open));
}

/* Looks at each token of the exercise's function and of those that it uses. */
static bool find_in(struct reader *r, const char *body, const char *end,
                    bool (*is_such)(struct reader *r, int token)) {
    struct function at = {.end = r->own};
    while (r->f->code == NO_CODE && next_function(r->own, at.end, &at))
        if (at.whole && finds_word(body, end, at.name, (size_t)(at.after_name - at.name)) &&
            code_read(&r->c, at.start, at.end, path_of("%s%s", r->headers, r->own)))
            for (int i = r->c.open; i < r->c.close && r->f->code == NO_CODE; i++)
                is_such(r, i);
    return r->f->code != NO_CODE;
}

bool find_overlooked(struct finding *f, struct lesson *lesson, const char *own) {
    struct text headers = {0};
    const char *body, *end, *right, *right_end;
    add_headers(&headers, file_text(lesson->source));
    struct reader r = {.f = f, .own = own, .headers = text_of(&headers)};
    const bool likely = f->cause.sureness == LIKELY || f->cause.sureness == EITHER;
    const enum finding_code before = f->code;
    if (!find_definition(own, f->exercise->name, &body, &end))
        return false;
    if (find_definition(sealed_text(reference_of(lesson)), f->exercise->name, &right, &right_end))
        code_read(&r.right, right, right_end, r.headers);
    r.unset = strstr(text_of(&f->test->detail), "unset") ||
              part_of(f->test->evidence, "^[0-9]+ . [0-9]+( 0)+$", 0); /* only zeros */
    take_name(r.output, f->test->message);
    f->code = NO_CODE;
    if (find_in(&r, body, end,
                before != NO_CODE ? never_ends
                : likely          ? keeps_last_round
                                  : is_odd) ||
        (before == NO_CODE && !likely && code_read(&r.c, body, end, r.headers) &&
         (leaves_member(&r) || leaves_parameter(&r)))) {
        f->excerpt = (struct text){0};
        put_place(f, lesson, NULL);
        return true;
    }
    f->code = before;
    return false;
}
