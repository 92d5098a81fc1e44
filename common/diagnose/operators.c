/* Generates mistakes: small changes of a function, each with a clause that says what it did.

   A rule is a pattern of tokens with holes, what to put in its place, and a sentence with names to
   fill in. For each token of the function each rule is tried; match_rest() fills the holes from
   left to right, in all ways that are possible. A rule may have a condition (`fits`) that keeps it
   from changes that are no mistake, or that do not compile.

   For example "X += K" finds `sum += a[c] * b[c]`, with X = `sum` and K = `a[c] * b[c]`. The rule
   puts "X = K" and says "@X is set (=), not added to (+=)". */
#include "diagnose/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMS        "+ -"
#define PRODUCTS    "* / %"
#define ASSIGNMENTS "= += -= *= /="

struct span {
    int from, to; /* tokens, without the last */
};

struct match {
    const struct code *code;
    const struct rule *rule;
    const char *kind;
    struct span all, holes['Z' + 1];
    const struct name *other; /* in the hole O */
    void (*found)(void *context, const struct change *change);
    void *context;
};

/* --- what a change depends on --------------------------------------------------------------- */

static struct span hole(const struct match *m, char letter) {
    return m->holes[(int)letter];
}

static const struct name *name_of(const struct match *m, char letter) {
    return name_at(m->code, hole(m, letter).from);
}

static bool is_int(const struct code *c, const struct name *n) {
    return n && is_whole(c, n) && n->rank == 0;
}

static bool is_size(const struct code *c, const struct name *n) {
    return is_int(c, n) && n->parameter;
}

static bool is_counter(const struct code *c, int name, int token) {
    for (int i = 0; i < c->loop_count; i++) {
        const struct loop *l = &c->loops[i];
        if (l->variable >= 0 && same_token(c, l->variable, c, name) && l->body <= token &&
            token <= l->end)
            return true;
    }
    return false;
}

/* The parameter that the statement around a token writes to: its token, or -1. */
static int target_of(const struct code *c, int token) {
    int i = token;
    while (i > c->open && !is(c, i, "; { }"))
        i--;
    for (i++; i < c->close && !is(c, i, ";"); i++)
        if (is(c, i, ASSIGNMENTS) && !head_around(c, i)) {
            const struct name *n = name_at(c, array_of(c, i - 1));
            return n && n->parameter ? array_of(c, i - 1) : -1;
        }
    return -1;
}

/* The array that a token is an index of: its token, or -1. */
static int indexed_by(const struct code *c, int i) {
    int open = bracket_around(c, i);
    return is(c, open, "[") ? array_of(c, open - 1) : -1;
}

/* The variable that these tokens are, or are an element of, if that is a number; NULL. */
static const struct name *number_at(const struct code *c, struct span element) {
    int array = array_of(c, element.to - 1), rank = 0;
    const struct name *n = name_at(c, array);
    for (int i = element.from; is(c, i, "*"); i++)
        rank++;
    for (int i = array + 1; i < element.to; i = behind_one(c, i))
        rank++;
    return n && n->rank == rank ? n : NULL;
}

/* --- when a change is one ------------------------------------------------------------------- */

/* No call, no cast, and no `(*x)[n]` that is declared. */
static bool is_group(const struct code *c, const struct match *m) {
    int open = m->all.from;
    const struct name *n = name_at(c, open + 2);
    return c->tokens[open - 1].kind == SIGN && !is(c, open - 1, ") ]") &&
           !is_declaration(c, open + 1) && !(n && n->token == open + 2);
}

/* free() changes no number. */
static bool is_step(const struct code *c, const struct match *m) {
    int first = m->all.from;
    return starts_statement(c, first) && !is(c, first, "return free {") &&
           !is_declaration(c, first);
}

static bool is_composed(const struct code *c, const struct match *m) {
    const struct name *n = number_at(c, hole(m, 'X'));
    struct span put = hole(m, 'K');
    return n && is_real(c, n) && put.to - put.from > 1 && !is(c, put.to - 1, "INFINITY");
}

static bool is_result(const struct code *c, const struct match *m) {
    struct span result = hole(m, 'K');
    return !is(c, result.to - 1, "INFINITY NAN") &&
           (result.to - result.from > 1 || c->tokens[result.from].kind == NAME);
}

static bool is_result_for_size(const struct code *c, const struct match *m) {
    return is_result(c, m) && is_size(c, m->other);
}

/* Does the token occur in the variable's first value? It has no value there yet. */
static bool is_first_value_of(const struct code *c, const struct name *n, int token) {
    return is(c, n->token + 1, "=") && n->token < token &&
           token < behind_expression(c, n->token + 2);
}

/* Is another of that type known here, and V not only declared? For a member, another one of the
 * same struct that is declared near it. */
static bool is_other(const struct code *c, const struct match *m) {
    const struct name *n = name_of(m, 'V'), *o = m->other;
    if (!n || n == o || n->of != o->of || n->rank != o->rank || !have_same_type(c, n, o) ||
        !have_same_columns(c, n, o))
        return false;
    return n->of ? o - n <= 3 && n - o <= 3
                 : o->token <= m->all.from && m->all.from <= o->until &&
                       !is_first_value_of(c, o, m->all.from) && n->token != hole(m, 'V').from &&
                       !same_token(c, n->token, c, o->token);
}

static bool is_other_size(const struct code *c, const struct match *m) {
    return is_other(c, m) && is_int(c, m->other) &&
           (m->other->of || (m->other->parameter && is_size(c, name_of(m, 'V'))));
}

static bool is_other_bound(const struct code *c, const struct match *m) {
    int i = hole(m, 'V').from;
    while (object_of(c, i) >= 0)
        i = object_of(c, i);
    return is_other_size(c, m) && is(c, i - 1, "< <= > >= == !=");
}

/* One loop over a whole matrix: neither the loop nor one around it has the other size. */
static bool is_flat_bound(const struct code *c, const struct match *m) {
    const struct loop *l = head_around(c, hole(m, 'V').from);
    bool flat = l && is_other_bound(c, m) && !loop_around(c, l->open);
    for (int i = flat ? l->open : 0; flat && i <= l->end; i++)
        flat = !same_token(c, i, c, m->other->token);
    return flat;
}

static bool is_other_counter(const struct code *c, const struct match *m) {
    const struct name *n = name_of(m, 'V'), *o = m->other;
    return is_other(c, m) && is_int(c, n) && !n->of && !n->parameter && !o->parameter &&
           (is_counter(c, o->token, m->all.from) || !is_counter(c, n->token, m->all.from));
}

static bool is_other_index(const struct code *c, const struct match *m) {
    return is_other_counter(c, m) && indexed_by(c, m->all.from) >= 0;
}

static bool is_other_variable(const struct code *c, const struct match *m) {
    return is_other_counter(c, m) && indexed_by(c, m->all.from) < 0;
}

static bool is_counter_of_outer(const struct code *c, const struct match *m) {
    const struct loop *own = head_around(c, m->all.from);
    const struct loop *outer = own ? loop_around(c, own->open) : NULL;
    return own && own->variable >= 0 && outer && outer->variable == m->other->token &&
           m->all.from > own->first_end && same_token(c, m->all.from, c, own->variable);
}

static bool is_one_cell(const struct code *c, const struct match *m) {
    int array = array_of(c, m->all.from - 1);
    const struct name *n = name_of(m, 'V'), *of = name_at(c, array);
    return n && of && of->token != array &&
           (n->parameter || is_counter(c, hole(m, 'V').from, m->all.from));
}

/* No int. */
static bool is_other_thing(const struct code *c, const struct match *m) {
    const struct name *n = name_of(m, 'V'), *o = m->other;
    int i = m->all.from, behind = i + 1;
    while (is(c, behind, "["))
        behind = behind_one(c, behind);
    bool written = is(c, behind, ASSIGNMENTS) || (behind == i + 1 && n && n->rank > 0);
    return is_other(c, m) && !is_whole(c, n) && !is_int(c, name_at(c, path_end(c, i))) &&
           !(o->constant && !n->constant && written);
}

static bool is_other_named(const struct code *c, const struct match *m) {
    const struct name *n = name_of(m, 'V');
    return is_other_thing(c, m) && (n->of || (n->parameter && m->other->parameter));
}

static bool is_other_number(const struct code *c, const struct match *m) {
    return is_other_thing(c, m) && !is_other_named(c, m);
}

/* Do the types of two arguments agree, as far as their names tell? */
static bool are_alike(const struct code *c, const struct match *m) {
    struct span a = hole(m, 'Z'), b = hole(m, 'K');
    const struct name *n = name_at(c, path_end(c, a.from + is(c, a.from, "&")));
    const struct name *o = name_at(c, path_end(c, b.from + is(c, b.from, "&")));
    bool whole = a.to - a.from == 1;
    return n && o && have_same_type(c, n, o) && whole == (b.to - b.from == 1) &&
           (!whole || (n->rank == o->rank && have_same_columns(c, n, o))) &&
           !same_text(c, a.from, a.to, b.from, b.to);
}

static bool is_known_before_loop(const struct code *c, const struct match *m) {
    return are_known_at(c, hole(m, 'P').from, hole(m, 'P').to, m->all.from);
}

/* A sum of its own, from before the loop, grows in it. */
static bool is_sum(const struct code *c, const struct match *m) {
    const struct name *o = m->other;
    bool grows = false;
    for (int i = hole(m, 'S').from; i < hole(m, 'S').to; i++)
        grows = grows || (name_at(c, i) == o && is(c, i + 1, "+= -="));
    return grows && is_real(c, o) && o->rank == 0 && !o->parameter && o->token < m->all.from;
}

/* An element of an array that stands as a factor somewhere, and is known here. */
static bool is_factor_of_elsewhere(const struct code *c, const struct match *m) {
    struct span cell = hole(m, 'R');
    const struct name *x = number_at(c, hole(m, 'X')), *n = number_at(c, cell);
    return x && is_real(c, x) && n && is_real(c, n) && n->rank > 0 &&
           c->tokens[hole(m, 'K').from].kind != NUMBER &&
           are_known_at(c, cell.from, cell.to, m->all.from) && !is(c, cell.to, ASSIGNMENTS) &&
           (is(c, cell.to, "* ) ; - +") || is(c, cell.from - 1, "*"));
}

/* Too near 0, or too far from it, to be meant as a number: 1e-8 for none, 1e9 for infinity. */
static bool is_extreme(const struct code *c, const struct match *m) {
    const double number = strtod(c->tokens[m->all.from].at, NULL);
    return number >= 1e4 || (number > 0.0 && number < 1e-3);
}

/* blocked[i][j] */
static bool is_flag(const struct code *c, const struct match *m) {
    const struct span cell = hole(m, 'R');
    const struct name *n = number_at(c, cell);
    return n && n->rank > 0 && is_word(&c->tokens[n->type], "bool") &&
           is(c, cell.to, "? ) && ||") && are_known_at(c, cell.from, cell.to, m->all.from);
}

/* A number that other sums are multiplied by, as when the largest score changes. */
static bool is_scale(const struct code *c, const struct match *m) {
    const struct span scale = hole(m, 'R');
    const struct name *x = number_at(c, hole(m, 'X')), *n = number_at(c, scale);
    return x && is_real(c, x) && n && is_real(c, n) && n->rank == 0 && !n->parameter &&
           is(c, scale.from - 1, "* *=") && are_known_at(c, scale.from, scale.to, m->all.from);
}

static bool is_counted_here(const struct code *c, const struct match *m) {
    return is_int(c, m->other) && is_counter(c, m->other->token, m->all.from);
}

static bool is_part_of_size(const struct code *c, const struct match *m) {
    return is_size(c, name_at(c, hole(m, 'F').to - 1));
}

static bool may_come_first(const struct code *c, const struct match *m) {
    return is(c, m->all.from - 1, "; { }");
}

static bool may_come_last(const struct code *c, const struct match *m) {
    return may_come_first(c, m) && !is_declaration(c, hole(m, 'S').from);
}

/* A size that is known there, and no index of a row. */
static bool is_other_stride(const struct code *c, const struct match *m) {
    const struct span size = hole(m, 'R');
    const struct name *n = name_at(c, path_end(c, size.from));
    return is_int(c, n) && !is_counter(c, n->token, m->all.from) &&
           are_known_at(c, size.from, size.to, m->all.from);
}

/* --- the rules ------------------------------------------------------------------------------ */

#define ANOTHER(name, a, b)                                                                        \
    { name, a, b, b " stands where " a " belongs@into", NULL }
#define EITHER_WAY(name, a, b) ANOTHER(name, a, b), ANOTHER(name, b, a)
#define KIND(says)                                                                                 \
    { NULL, NULL, NULL, says, NULL }
#define SAME "^" /* what the rule above says */

/* In `find` and `put` a capital is a hole:
       A D  between brackets, any part       H    the head of a loop
       S    a statement                      P    one that is plain: a call or an assignment
       B C  any number of statements         X    what is assigned to
       K L  an expression                    Z    the same, an argument
       E    a sum   T U  a term              Q    a product, or its start   F G  a factor
       V    a variable, or a member          N    a number
       W    what is called                   J    the same, a function of a number
       Y    = or +=, or the like             M    int, double or float  I    if or while
       O    each other name that fits        R    each factor that fits
   In `says`, @loop is "the loop over n", @into is " in what goes into y" or nothing. Without it, it
   only repairs: a round too many reads what is not there, a factor too many was found elsewhere,
   and 1.0 / n or a double for an int is as good. A kind is advice that fits each rule below it, and
   what undoes it; " here" may follow. */
static const struct rule {
    const char *name, *find, *put, *says;
    bool (*fits)(const struct code *c, const struct match *m);
} rules[] = {
    KIND("change the start or the end of a loop"),
    {"LOOP", "for ( A = 0 ;", "for ( A = 1 ;", "@loop starts at 1", NULL},
    {"LOOP", "for ( A = 1 ;", "for ( A = 0 ;", "@loop starts at 0", NULL},
    {"LATE", "for ( A ; D < E", "for ( A ; D <= E", "", NULL},
    {"LATE", "for ( A ; D > E", "for ( A ; D >= E", "", NULL},
    {"LOOP", "for ( A ; D <= E", "for ( A ; D < E", "@loop ends one round too early", NULL},
    {"LOOP", "for ( A ; D >= E", "for ( A ; D > E", SAME, NULL},
    {"LOOP", "for ( A ; D < E ;", "for ( A ; D < E - 1 ;", SAME, NULL},
    {"LOOP", "for ( A ; D > E ;", "for ( A ; D > E + 1 ;", SAME, NULL},
    {"LOOP", "for ( A ; D - 1 ;", "for ( A ; D ;", "@loop does not end one round earlier", NULL},
    {"LOOP", "for ( A ; D + 1 ;", "for ( A ; D ;", SAME, NULL},
    KIND("let a loop run to another size"),
    {"BOUND", "for ( A ; D V", "for ( A ; D O", "@loop runs to @O", is_other_bound},
    {"BOUND", "for ( A ; D V ;", "for ( A ; D V * O ;", "", is_flat_bound},
    KIND("let a loop test or count another variable"),
    {"IDX", "V", "O", "a loop asks for, or counts, the variable of the loop around it",
     is_counter_of_outer},
    KIND("change when a loop is left"),
    {"ONCE", "H S", "H { S break; }", "@loop ends after its first round", NULL},
    {"RETURN", "H S return K ;", "H { S return K ; } return K ;",
     "the function returns in the first round of @loop", NULL},
    EITHER_WAY("BREAK", "break", "continue"),
    KIND("move a step into a loop or out of it"),
    {"INTO", "P H S", "H { P S }", "a step@into is repeated in each round of @loop", NULL},
    {"OUTOF", "H { B P C }", "{ P H { B C } }",
     "a step@into is taken once, before @loop, and not in each round", is_known_before_loop},
    {"OUTOF", "H { B P C }", "{ H { B C } P }",
     "a step@into is taken once, after @loop, and not in each round", is_known_before_loop},
    KIND("exchange two steps"),
    {"ORDER", "P S", "S P", "", may_come_first},
    {"ORDER", "S P", "P S", "", may_come_last},
    KIND("move a first value into a loop or out of it"),
    {"HOIST", "H { B M V = N ; C }", "{ M V = N ; H { B C } }",
     "a number is carried over from one round of @loop to the next", NULL},
    {"HOIST", "H { B double V = - INFINITY ; C }", "{ double V = - INFINITY ; H { B C } }", SAME,
     NULL},
    KIND("change how often a sum starts again at 0"),
    {"RESET", "H S", "H { O = 0; S }", "a sum starts again at 0 in each round of @loop", is_sum},
    KIND("add or remove a step"),
    {"LEFT", "W ( A ) ;", ";", "the call of @W() is left out", is_step},
    {"LEFT", "S", ";", "a step@into is left out", is_step},
    KIND("add or remove a `static`"),
    {"STATIC", "static", "", "a number does not go on from the last call", NULL},
    KIND("use another kind of assignment"),
    {"ACC", "X += K", "X = K", "@X is set (=), not added to (+=)", NULL},
    {"ACC", "X += K", "X -= K", "@X is lowered (-=), not raised (+=)", NULL},
    {"ACC", "X -= K", "X += K", "@X is raised (+=), not lowered (-=)", NULL},
    {"ACC", "X -= K", "X = K", "@X is set (=), not lowered (-=)", NULL},
    {"ACC", "X *= K", "X /= K", "@X is divided, not multiplied", NULL},
    {"ACC", "X *= K", "X = K", "@X is set (=), not multiplied", NULL},
    {"ACC", "X /= K", "X *= K", "@X is multiplied, not divided", NULL},
    {"ACC", "X /= K", "X = K", "@X is set (=), not divided", NULL},
    {"ACC", "X = K", "X += K", "@X is added to (+=), not set (=)", NULL},
    KIND("change a sign or an operator"),
    {"SIGN", "X Y K ;", "X Y - ( K ) ;", "what goes into @X has the other sign", is_composed},
    {"SIGN", "X = A = K ;", "X = A = - ( K ) ;", "", is_composed},
    {"SIGN", "return K ;", "return - ( K ) ;", "the result has the other sign", is_result},
    {"SIGN", "- F", "F", "a minus is left out@into", NULL},
    {"AOR", "T + U", "T - U", "something is subtracted, not added@into", NULL},
    {"AOR", "T + U", "T * U", "something is multiplied, not added@into", NULL},
    {"AOR", "T - U", "T + U", "something is added, not subtracted@into", NULL},
    {"AOR", "F * G", "F / G", "something is divided, not multiplied@into", NULL},
    {"AOR", "F * G", "F + G", "something is added, not multiplied@into", NULL},
    {"AOR", "F / G", "F * G", "something is multiplied, not divided@into", NULL},
    KIND("add or remove a factor or a term"),
    {"TERM", "T + U", "T", "a term is left out@into", NULL},
    {"TERM", "T + U", "U", SAME, NULL},
    {"TERM", "T - U", "T", SAME, NULL},
    {"TERM", "T - U", "- U", SAME, NULL},
    {"TERM", "T - U", "U", "a term is left out, and a minus@into", NULL},
    {"FACTOR", "F * G", "F", "a factor is left out@into", NULL},
    {"FACTOR", "Q * G", "G", SAME, NULL},
    {"FACTOR", "F / G", "F", "a division is left out@into", NULL},
    {"EXTRA", "X Y K ;", "X Y ( K ) * R ;", "", is_factor_of_elsewhere},
    {"EXTRA", "X += K", "X += X * ( R - 1 ) + K", "", is_scale},
    KIND("add or remove a division"),
    {"EXTRA", "return K ;", "return ( K ) / O ;", "the result is divided by @O",
     is_result_for_size},
    {"EXTRA", "return K ;", "return ( K ) / sqrt ( O ) ;",
     "the result is divided by the root of @O", is_result_for_size},
    KIND("add or remove brackets"),
    {"BRACKETS", "( K )", "K", "a pair of brackets is left out@into", is_group},
    KIND("change a function such as exp() or sqrt()"),
    {"FN", "J ( K )", "( K )", "@J() is left out@into", NULL},
    {"FN", "J ( A / F )", "( A )", "", NULL},
    {"FN", "/ F", "/ sqrt ( F )", "", is_part_of_size},
    ANOTHER("FN", "log10", "log"),
    EITHER_WAY("FN", "log", "log2"),
    EITHER_WAY("FN", "exp", "exp2"),
    EITHER_WAY("FN", "logf", "log2f"),
    EITHER_WAY("FN", "expf", "exp2f"),
    EITHER_WAY("FN", "fmax", "fmin"),
    EITHER_WAY("FN", "fmaxf", "fminf"),
    KIND("change a first value"),
    {"UNINIT", "M V = K ;", "M V ;", "a number has no first value", NULL},
    {"FIRST", "double V = N ;", "double V = -INFINITY ;", "a number starts at -INFINITY", NULL},
    {"FIRST", "M V ;", "M V = 0 ;", "a number starts at 0", NULL},
    KIND("change a type"),
    {"INT", "double V = K ;", "int V = K ;", "a number is kept in an int", NULL},
    {"FLOAT", "double V = K ;", "float V = K ;", "a number is kept in a float", NULL},
    {"SIGNED", "unsigned V", "int V", "", NULL},
    {"SIGNED", "for ( unsigned V", "for ( int V", "", NULL},
    {"SIGNED", "for ( size_t V", "for ( int V", "", NULL},
    {"DOUBLE", "int V", "double V", "", NULL},
    {"DOUBLE", "float V", "double V", "a number is kept in a double", NULL},
    KIND("change a constant"),
    EITHER_WAY("CONST", "0.0", "1.0"),
    EITHER_WAY("CONST", "0.0f", "1.0f"),
    EITHER_WAY("CONST", "1.0", "2.0"),
    EITHER_WAY("CONST", "1", "2"),
    EITHER_WAY("CONST", "2", "3"),
    ANOTHER("CONST", "0.5", "1.0"),
    EITHER_WAY("CONST", "0", "1"),
    {"CONST", "- INFINITY", "0.0", "0 stands where -INFINITY belongs", NULL},
    {"CONST", "N", "1e-300", "", is_extreme},
    {"CONST", "N", "INFINITY", "", is_extreme},
    {"WHOLE", "1 / F", "1.0 / F", "", NULL},
    KIND("reverse a condition"),
    {"IF", "I ( A )", "I (!( A ))", "a condition is the wrong way round", NULL},
    {"CHOICE", "? K : L", "? L : K", "the two cases of a condition change places@into", NULL},
    KIND("add or remove a case"),
    {"IF", "I ( A )", "I (0 && ( A ))", "a special case is left out", NULL},
    {"IF", "if ( A )", "if (1 || ( A ))", "a special case is taken always", NULL},
    {"CHOICE", "? K : L", "? K : K", "no difference is made between two cases@into", NULL},
    {"CHOICE", "? K : L", "? L : L", SAME, NULL},
    {"IF", "I ( A )", "I ( ! R && ( A ) )", "", is_flag},
    {"IF", "P", "if ( ! R ) P", "", is_flag},
    KIND("change a comparison or a condition"),
    EITHER_WAY("ROR", "<", "<="),
    EITHER_WAY("ROR", "<", ">"),
    EITHER_WAY("ROR", "<=", ">="),
    EITHER_WAY("ROR", ">", ">="),
    EITHER_WAY("ROR", "==", "!="),
    EITHER_WAY("AND", "&&", "||"),
    {"AND", "^", "|", "", NULL},
    {"AND", "!=", "||", "", NULL},
    KIND("change an index"),
    {"IDX", "V", "O", "an index of @array is that of another loop", is_other_index},
    {"IDX0", "[ V ]", "[ 0 ]", "one and the same row or cell of @array is used in every round",
     is_one_cell},
    {"IDX0", "[ 0 ]", "[ O ]", "", is_counted_here},
    {"STRIDE", "[ V * F + G ]", "[ G * R + V ]", "", is_other_stride},
    {"STRIDE", "[ G + V * F ]", "[ G * R + V ]", "", is_other_stride},
    KIND("use another variable"),
    {"IDX", "V", "O", "the variable of another loop is used@into", is_other_variable},
    KIND("use another size"),
    {"SIZE", "V", "O", "@O stands where @V belongs@into", is_other_size},
    KIND("use another array or variable"),
    {"VAR", "V", "O", "@O is used where @V belongs@into", is_other_named},
    {"VAR", "V", "O", "one number is used where another belongs@into", is_other_number},
    KIND("exchange row and column"),
    {"TURN", "V [ K ] [ L ]", "V [ L ] [ K ]", "row and column of @array change places", NULL},
    KIND("exchange two arguments"),
    {"ARGS", "Z , K", "K , Z", "two arguments of @call() change places", are_alike},
    {"ARGS", "Z , A , K", "K , A , Z", SAME, are_alike},
};

/* --- matching ------------------------------------------------------------------------------- */

/* Each word of a pattern; a capital alone is a hole. */
static bool take_word(const char **at, char word[32]) {
    int length = 0;
    *at += strspn(*at, " ");
    sscanf(*at, "%31s%n", word, &length);
    *at += length;
    return length > 0;
}

static bool is_hole(const char *word) {
    return word[0] >= 'A' && word[0] <= 'Z' && !word[1];
}

/* May a hole begin there? A factor or a term is no member of what stands before it, and a term no
   factor or operand of a sign. */
static bool may_start(const struct code *c, char letter, int i) {
    bool operand = !follows_operand(c, i) && !is(c, i - 1, ". -> struct sizeof");
    bool starts_factor = operand && !is(c, i, "- + !");
    bool starts_term = operand && !is(c, i - 1, follows_operand(c, i - 1) ? PRODUCTS : SUMS);
    return strchr("SPX", letter) ? starts_statement(c, i)
           : letter == 'F'       ? starts_factor
           : letter == 'Q'       ? starts_factor && starts_term
           : letter == 'T'       ? starts_term
           : letter == 'Z'       ? is(c, i - 1, "( ,") && is_call(c, bracket_around(c, i) - 1)
                                 : true;
}

static int behind_plain_statement(const struct code *c, int i) {
    bool plain = starts_statement(c, i) && !is_declaration(c, i) &&
                 !is(c, i, "for if while do return switch { else break continue");
    return plain ? behind_statement(c, i) : -1;
}

/* Behind one more token or statement than before: holes that may hold several are tried so. */
static int behind_more(const struct code *c, char letter, int from, int before) {
    if (before < from)
        return from;
    if (before >= c->close || is(c, before, ") ] }"))
        return -1;
    if (strchr("BC", letter))
        return starts_statement(c, before) ? behind_statement(c, before) : -1;
    return is(c, before, ";") ? -1 : behind_one(c, before);
}

/* Holes of one token. */
static bool is_token_of(const struct code *c, char letter, int i) {
    return letter == 'N'   ? c->tokens[i].kind == NUMBER
           : letter == 'V' ? name_at(c, i) != NULL
           : letter == 'Y' ? is(c, i, ASSIGNMENTS)
           : letter == 'M' ? is(c, i, "int double float")
           : letter == 'I' ? is(c, i, "if while")
           : letter == 'J'
               ? is(c, i, "sqrt exp log tanh fabs sqrtf expf logf log2f fabsf floor round")
               : is_call(c, i);
}

/* Where a hole may end that begins at a token, beyond `before`; -1: nowhere. */
static int hole_end(const struct code *c, char letter, int from, int before) {
    if (before < from && !may_start(c, letter, from))
        return -1;
    if (strchr("ADBC", letter))
        return behind_more(c, letter, from, before);
    if (letter == 'Q' && before > from)
        return is(c, before, PRODUCTS) ? behind_operand(c, before + 1) : -1;
    if (before > from)
        return -1;
    if (strchr("FGQX", letter))
        return behind_operand(c, from);
    if (strchr("ETU", letter))
        return behind_joined(c, from, letter == 'E' ? SUMS " " PRODUCTS : PRODUCTS);
    if (letter == 'H')
        return is(c, from, "for") && is(c, from + 1, "(") ? behind_one(c, from + 1) : -1;
    if (strchr("KLZ", letter))
        return behind_expression(c, from);
    if (strchr("SP", letter))
        return letter == 'S' ? behind_statement(c, from) : behind_plain_statement(c, from);
    return is_token_of(c, letter, from) ? from + 1 : -1;
}

/* --- what is put, and said ------------------------------------------------------------------ */

static void put(struct text *text, const struct match *m) {
    char word[32];
    for (const char *at = m->rule->put; take_word(&at, word);) {
        text_print(text, " ");
        if (is_hole(word))
            add_tokens(text, m->code, hole(m, *word).from, hole(m, *word).to);
        else
            text_print(text, "%s", word);
    }
    text_print(text, " ");
}

/* The parameter, or what is said in place of it. */
static void say_name(struct text *says, const struct code *c, int token, const char *otherwise) {
    const struct name *n = token >= 0 ? name_at(c, token) : NULL;
    if (n && n->parameter)
        add_tokens(says, c, token, token + 1);
    else
        text_print(says, "%s", otherwise);
}

/* `w->gru.d`, with another name in the place of one; without its start, if that is no parameter. */
static void say_path(struct text *says, const struct code *c, int token, int instead) {
    int from = token;
    while (object_of(c, from) >= 0 && object_of(c, from) == from - 2)
        from -= 2;
    if (from < token && !(name_at(c, from) && name_at(c, from)->parameter))
        from = token;
    add_tokens(says, c, from, token);
    add_tokens(says, c, instead, instead + 1);
    add_tokens(says, c, token + 1, path_end(c, token) + 1);
}

static void say_loop(struct text *says, const struct code *c, const struct match *m) {
    const int keyword = hole(m, 'H').from >= 0 ? hole(m, 'H').from : m->all.from;
    const struct loop *l = head_around(c, keyword + 1);
    for (int i = l ? l->first_end : 0; l && i < l->second_end; i++) {
        const struct name *n = is(c, i, "< <=") ? name_at(c, i + 1) : NULL;
        if (n && n->parameter) {
            text_print(says, "the loop over ");
            say_path(says, c, i + 1, i + 1);
            return;
        }
    }
    text_print(says, "a loop");
}

static void say_target(struct text *says, const struct code *c, const struct match *m) {
    int from = hole(m, 'P').from >= 0 ? hole(m, 'P').from : m->all.from;
    int target = target_of(c, from);
    if (target >= 0 && target != hole(m, 'V').from) {
        text_print(says, " in what goes into ");
        add_tokens(says, c, target, target + 1);
    }
}

/* The meaning of "@loop" and similar words. */
static void say_word(struct text *says, const struct match *m, const char *word) {
    const struct code *c = m->code;
    const int call = bracket_around(c, m->all.from) - 1;
    if (starts_with(word, "loop"))
        say_loop(says, c, m);
    else if (starts_with(word, "into"))
        say_target(says, c, m);
    else if (starts_with(word, "array"))
        say_name(says, c, indexed_by(c, m->all.to - 1), "an array");
    else if (starts_with(word, "call"))
        add_tokens(says, c, call, call + 1);
    else if (*word == 'X')
        say_name(says, c, array_of(c, hole(m, 'X').to - 1), "a number of its own");
    else if (*word == 'W' || *word == 'J')
        add_tokens(says, c, hole(m, *word).from, hole(m, *word).to);
    else
        say_path(says, c, hole(m, 'V').from, hole(m, *word).from);
}

/* `means` tells it from others: the rule that has the sentence, and the names in it. */
static void say(struct text *says, struct text *means, const struct match *m) {
    const struct rule *rule = m->rule;
    while (rule->says[0] == SAME[0])
        rule--;
    const char *at = rule->says;
    text_print(means, "%d", (int)(rule - rules));
    for (size_t plain; plain = strcspn(at, "@"), text_add(says, at, plain), at[plain];) {
        const size_t before = says->length;
        at += plain + 1;
        say_word(says, m, at);
        text_print(means, " %s", text_of(says) + before);
        at += name_length(at);
    }
}

/* How many loops a function must have that is wrong in this way. */
static int loops_of(const struct rule *rule) {
    if (rule->fits == is_other_index || rule->fits == is_other_variable)
        return 2;
    return rule->fits == is_counter_of_outer || strstr(rule->find, "for (") ||
           strchr(rule->find, 'H');
}

/* Where one leaves out a call, other changes only make that call do nothing. RESET is about the
   line where the sum has its first value. */
static void take(const struct match *m) {
    const int moved = m->rule->fits == is_sum ? m->other->token : hole(m, 'P').from;
    struct text text = {0}, says = {0}, means = {0};
    if (m->rule->fits && !m->rule->fits(m->code, m))
        return;
    put(&text, m);
    say(&says, &means, m);
    m->found(m->context, &(struct change){m->rule->name, m->kind, text_of(&says), text_of(&means),
                                          m->all.from, m->all.to, text.chars, loops_of(m->rule),
                                          moved, hole(m, 'W').from >= 0});
}

/* With each name for O, each operand for R. */
static void take_all(struct match *m) {
    const struct code *c = m->code;
    if (strchr(m->rule->put, 'O'))
        for (int i = 0; i < c->name_count; i++) {
            m->other = &c->names[i];
            m->holes['O'] = (struct span){m->other->token, m->other->token + 1};
            take(m);
        }
    else if (strchr(m->rule->put, 'R'))
        for (int i = c->open; i < c->close; i++) {
            m->holes['R'] = (struct span){i, behind_operand(c, i)};
            if (c->tokens[i].kind == NAME && hole(m, 'R').to > i)
                take(m);
        }
    else
        take(m);
}

/* --- the search ----------------------------------------------------------------------------- */

/* The rest of a pattern from a token on, in all ways. */
static void match_rest(struct match *m, const char *pattern, int at) {
    char word[32];
    if (!take_word(&pattern, word)) {
        m->all.to = at;
        take_all(m);
        return;
    }
    if (!is_hole(word)) {
        if (is(m->code, at, word))
            match_rest(m, pattern, at + 1);
        return;
    }
    int to = hole_end(m->code, *word, at, at - 1);
    for (; to >= 0 && to <= m->code->close; to = hole_end(m->code, *word, at, to)) {
        m->holes[(int)*word] = (struct span){at, to};
        match_rest(m, pattern, to);
    }
}

/* `if (!d_Q)`: is a pointer asked for? Running out of memory is not considered here. */
static bool asks_for_memory(const struct code *c, int i) {
    const struct name *n = is(c, i, "if") && is(c, i + 2, "!") ? name_at(c, i + 3) : NULL;
    return n && is_real(c, n) && n->rank > 0 && !is(c, i + 4, "[");
}

/* May the rule begin there? A minus at its start has one operand. What is in a sizeof stays. */
static bool may_begin(const struct rule *rule, const struct code *c, int i) {
    return !is(c, i - 1, "sizeof") && !is(c, i - 2, "sizeof") &&
           !is(c, bracket_around(c, i) - 1, "sizeof") &&
           (head_around(c, i) != NULL) == (rule->fits == is_counter_of_outer) &&
           !(rule->find[0] == '-' && follows_operand(c, i));
}

void each_change(const struct code *code, void (*found)(void *, const struct change *),
                 void *context) {
    struct match m = {.code = code, .found = found, .context = context};
    for (int i = code->open + 1; i < code->close; i++) {
        if (asks_for_memory(code, i))
            i = behind_statement(code, i);
        m.all.from = i;
        for (m.rule = rules; m.rule < rules + sizeof rules / sizeof *rules; m.rule++) {
            memset(m.holes, -1, sizeof m.holes);
            if (!m.rule->find)
                m.kind = m.rule->says;
            else if (may_begin(m.rule, code, i))
                match_rest(&m, m.rule->find, i);
        }
    }
}
