/* generate WHAT "EXERCISES" "ALSO" HEADER...: reads a lesson's header, the last one, behind those
   that it includes, and writes C for the calls of its exercises (and of the functions named in
   ALSO):

       calls    the caller's side: functions of these names, which send their arguments to the host
       hosted   the host's side: takes the arguments out, and calls the functions; and stand-ins for
                functions that are not there
       table    parameters and structs as JSON, for a page (common/web/play)

   README.md says what can be passed; anything else in a header ends the program with a message.
   Nothing is freed: the program ends at once. */
#include "base/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, MOST_LISTS = 200 };

/* A member of a struct, or a parameter. */
struct variable {
    const char *name, *type, *dims;
    const char *kind; /* see `forms`; inside: a struct's plain bytes */
    bool is_const, is_struct;
    int from, to; /* tokens of a member: its sizes, or how many structs are used */
    int open;     /* the '(' behind WHERE, or of a function's parameters; 0 */
};
/* A struct, a function, or the take_...() of a struct, by its name. */
struct list {
    const char *name, *result, *words;
    struct variable all[MOST], *end;
    struct list *take;
    const char *needs[MOST]; /* the numbers of take_...() that the shapes of a struct name */
    int need_count;
    bool is_own, has_functions, is_whole;
};
struct lists {
    struct list all[MOST_LISTS], *end;
};

static struct code code; /* of all headers */
static int own_start;    /* its first token of the last one */
static struct lists structs, functions, takes, callbacks;
static const char *what, *own, *exercises, *also;
static bool is_host; /* the host's side is written */
static struct text constants;

#define EACH(type, item, of) for (type *item = (of)->all; item < (of)->end; item++)
#define DIE(...)             exit((fprintf(stderr, "generate: %s: %s\n", own, path_of(__VA_ARGS__)), 1))

/* --- words ---------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool contains(const char *list, const char *name) {
    return strstr(path_of(" %s ", list), path_of(" %s ", name)) != NULL;
}

static bool at(int token, const char *words) {
    return is(&code, token, words);
}

static int closing(int open) {
    return code.tokens[open].match;
}

/* The words from a token up to another, as they stand, but without comments and line ends. */
static const char *words(int from, int to) {
    struct text text = {0};
    for (int i = from; i < to; i++) {
        if (i > from && behind_token(&code, i - 1) < code.tokens[i].at)
            text_add(&text, " ", 1);
        add_tokens(&text, &code, i, i + 1);
    }
    return text_of(&text);
}

static const char *word(int token) {
    return words(token, token + 1);
}

/* Where a part of a list or a declaration ends: at one of the signs, or at `end`. */
static int part_end(int from, int end, const char *signs) {
    while (from < end && !at(from, signs))
        from = behind_one(&code, from);
    return from;
}

static struct list *add_list(struct lists *lists, const char *name) {
    lists->end = lists->end ? lists->end : lists->all;
    if (lists->end == lists->all + MOST_LISTS)
        DIE("too much of it");
    *lists->end = (struct list){.name = name, .end = lists->end->all};
    return lists->end++;
}

static struct list *find_list(struct lists *lists, const char *name) {
    EACH (struct list, l, lists)
        if (same(l->name, name))
            return l;
    return NULL;
}

static struct list *struct_of(const struct variable *v) {
    return v && v->is_struct ? find_list(&structs, v->type) : NULL;
}

static struct variable *find_variable(struct list *l, const char *name, const char *kind) {
    if (l)
        EACH (struct variable, v, l)
            if (same(v->name, name) && (!kind || same(v->kind, kind)))
                return v;
    return NULL;
}

/* --- reading -------------------------------------------------------------------------------- */

static bool has_no_pointers(struct list *s) {
    EACH (struct variable, v, s)
        if (!same(v->kind, "number") && !same(v->kind, "inside"))
            return false;
    return true;
}

/* The kind of a member that is no shape: `int d`, `float q[4]`, `void *engine`, or a struct, as in
   `struct cache memory[USED_OF(n, MOST)] WHERE(w = &w->heads)`. NULL: it cannot be passed. */
static const char *kind_of_member(struct list *s, struct variable *v, int stars, int from,
                                  int end) {
    if (stars > 0)
        return stars == 1 && same(v->type, "void") && s->has_functions ? "known" : NULL;
    if (v->is_struct) {
        v->dims = "";
        if (at(from, "[") && at(from + 1, "USED_OF")) {
            v->from = from + 3;
            v->to = part_end(from + 3, closing(from + 2), ",");
            v->dims = path_of("[%s]", words(v->to + 1, closing(from + 2)));
            from = closing(from) + 1;
        }
        v->open = at(from, "WHERE") ? from + 1 : 0;
        return from < end && !v->open ? NULL : *v->dims ? "structs" : "struct";
    }
    if (from == end && contains("int double bool", v->type))
        return "number";
    if (!contains("int double bool float vec", v->type))
        return NULL;
    s->is_whole = true;
    v->type = "";
    return "inside";
}

static const char *kind_of_struct(struct variable *v, int stars) {
    struct list *s = struct_of(v);
    bool dims = *v->dims, whole = stars + dims == 0 || s->is_whole;
    if (stars + dims > 1 || (s->has_functions && (v->is_const || dims)) ||
        (whole && !has_no_pointers(s)))
        return NULL;
    return stars + dims == 0 ? "value" : whole ? "whole" : "struct";
}

static const char *kind_of_parameter(struct variable *v, int stars, bool const_rows) {
    bool dims = *v->dims;
    if (v->is_struct)
        return const_rows ? NULL : kind_of_struct(v, stars);
    if (const_rows)
        return stars == 1 && dims && v->is_const && same(v->type, "float") ? "rows" : NULL;
    if (stars == 1 && !dims && contains("float double", v->type))
        return v->dims = "[1]", "array";
    if (stars == 1 && !dims)
        return same(v->type, "void") ? "known" : find_list(&callbacks, v->type) ? "function" : NULL;
    if (stars > 0 || !contains("int double float bool vec int8_t byte", v->type))
        return NULL;
    return dims ? "array" : same(v->type, "vec") ? "value" : "number";
}

static struct variable *add_variable(struct list *l, int name, const char *kind, const char *from) {
    if (l->end == l->all + MOST || code.tokens[name].kind != NAME)
        DIE("%s: cannot pass `%s`: see common/grade/README.md", l->name, from);
    *l->end = (struct variable){.name = word(name), .type = "", .dims = "", .kind = kind};
    return l->end++;
}

/* A name with its stars and sizes; the type is before it, or before the first of several names. */
static void read_variable(struct list *l, int type, int from, int end, bool is_member) {
    int stars = at(from, "*"), name = from + stars + at(from + stars, "* const");
    bool const_rows = at(from + stars, "const");
    const char *whole = words(type - at(type - 1, "const"), end);
    struct variable *v = add_variable(l, name, NULL, whole);
    stars = name - from - const_rows;
    v->is_struct = at(type, "struct");
    v->is_const = at(type - 1, "const");
    v->type = word(type + v->is_struct);
    v->dims = words(name + 1, end);
    if (!v->is_struct || struct_of(v))
        v->kind = is_member ? kind_of_member(l, v, stars, name + 1, end)
                            : kind_of_parameter(v, stars, const_rows);
    if (!v->kind)
        DIE("%s: cannot pass `%s`: see common/grade/README.md", l->name, whole);
}

static void read_declaration(struct list *l, int first, int end, bool is_member) {
    int type = first + at(first, "const"), from = type + 1 + at(type, "struct");
    if (is_member && at(first, "VECTOR MATRIX TENSOR") && at(first + 3, ",")) {
        struct variable *v = add_variable(l, first + 2, "piece", words(first, end));
        v->from = first + 4;
        v->to = closing(first + 1);
    } else if (is_member && at(first, "void") && at(first + 1, "(") && at(first + 5, "(")) {
        add_variable(l, first + 3, "function", words(first, end))->open = first + 5;
        l->has_functions = true;
    } else
        for (int next; from <= end; from = next + 1) {
            next = is_member ? part_end(from, end, ",") : end;
            read_variable(l, type, from, next, is_member);
        }
}

/* Members end in a semicolon, parameters at a comma or at the last bracket. */
static struct list *read_list(struct list *l, int first, int close, bool is_member) {
    for (int from = first, end; from < close; from = end + 1) {
        end = part_end(from, close, is_member ? ";" : ",");
        if (!at(from, "void") || end - from > 1)
            read_declaration(l, from, end, is_member);
    }
    return l;
}

static void read_function(int first, int end) {
    int open = first;
    while (open < end && !at(open, "("))
        open++;
    if (open - first < 2 || open == end)
        DIE("cannot read `%s`", words(first, end));
    const char *name = word(open - 1), *result = words(first, open - 1);
    bool is_own = first >= own_start, is_wanted = contains(is_own ? exercises : also, name);
    if (starts_with(name, "take_") && at(first, "struct")) { /* behind the room, its first */
        struct list *take = add_list(&takes, word(first + 1)), *s = find_list(&structs, take->name);
        s->take = read_list(take, part_end(open + 1, closing(open), ",") + 1, closing(open), false);
        take->is_own = is_own;
    } else if (is_wanted) {
        struct list *f = add_list(&functions, name);
        f->result = result;
        f->words = words(open + 1, closing(open));
        if (!contains("void double int bool vec", result))
            DIE("%s(): cannot pass a result of `%s`", name, result);
        read_list(f, open + 1, closing(open), false);
    }
}

/* `enum { WIDEST = 256, BLOCKS = 4 }`: those that are numbers. */
static void read_constants(int open) {
    for (int from = open + 1, end; from < closing(open); from = end + 1) {
        end = part_end(from, closing(open), ",");
        int digits = from + 2 + at(from + 2, "-");
        if (at(from + 1, "=") && digits + 1 == end && code.tokens[digits].kind == NUMBER)
            text_print(&constants, "%s\"%s\": %s", constants.length ? ", " : "", word(from),
                       words(from + 2, end));
    }
}

static void read_headers(void) {
    for (int from = 0, end; from < code.count; from = end + 1) {
        bool is_inline = at(from, "static") && at(from + 1, "inline");
        end = part_end(from, code.count, is_inline ? "{" : ";");
        if (is_inline)
            end = closing(end);
        else if (at(from, "struct") && at(from + 2, "{"))
            read_list(add_list(&structs, word(from + 1)), from + 3, closing(from + 2), true);
        else if (at(from, "enum"))
            read_constants(part_end(from, end, "{"));
        else if (at(from, "typedef")) /* void decoder(void *known, int word, double array[]) */
            read_list(add_list(&callbacks, word(from + 2)), from + 4, closing(from + 3), false);
        else if (!at(from, "static"))
            read_function(from, end);
    }
}

/* --- what a name in a shape means ----------------------------------------------------------- */

/* What take_...() is given beside the room and numbers: the `w` of the values that belong to it. */
static struct variable *partner_of(struct list *s) {
    if (s->take)
        EACH (struct variable, v, s->take)
            if (v->is_struct)
                return v;
    return NULL;
}

/* The path to the first struct of that type inside. */
static const char *path_to(struct list *s, struct list *wanted) {
    EACH (struct variable, v, s) {
        const char *here = path_of("%s%s", v->name, *v->dims ? "[0]" : ""), *further;
        if (v->is_struct && struct_of(v) == wanted)
            return here;
        if (v->is_struct && (further = path_to(struct_of(v), wanted)))
            return path_of("%s.%s", here, further);
    }
    return NULL;
}

static const char *meaning(const char *name, struct list *s) {
    struct variable *partner = partner_of(s);
    if ((isupper((unsigned char)name[0]) && isupper((unsigned char)name[1])) || same(name, "b"))
        return name; /* a constant; the number of a struct in its array */
    if (find_variable(s, name, NULL))
        return path_of("s->%s", name);
    if (partner && same(name, partner->name))
        return "of";
    if (partner && find_variable(s->take, name, "number")) {
        int i = 0;
        while (i < s->need_count && !same(s->needs[i], name))
            i++;
        s->needs[i] = name;
        s->need_count += i == s->need_count;
        return name;
    }
    if (!find_variable(struct_of(partner), name, NULL))
        DIE("struct %s: `%s` in a shape is no member of it, no parameter of take_%s(), and no "
            "member of the struct that this is given",
            s->name, name, s->name);
    return path_of("of->%s", name);
}

static const char *expression(int from, int to, struct list *s) {
    struct text text = {0};
    for (int i = from; i < to; i++) {
        bool apart = i > from && behind_token(&code, i - 1) < code.tokens[i].at;
        bool means = code.tokens[i].kind == NAME && !at(i - 1, ". ->");
        text_print(&text, "%s%s", apart ? " " : "", means ? meaning(word(i), s) : word(i));
    }
    return text_of(&text);
}

/* The sizes of an array, each between two signs. */
static const char *sizes_of(struct list *s, struct variable *v, const char *open,
                            const char *close) {
    struct text text = {0};
    for (int from = v->from, end; from < v->to; from = end + 1) {
        end = part_end(from, v->to, ",");
        text_print(&text, "%s%s%s", open, expression(from, end, s),
                   end < v->to || *close == ']' ? close : "");
    }
    return text_of(&text);
}

/* What WHERE says of a name; NULL. */
static const char *bound(struct list *s, struct variable *v, const char *name) {
    for (int from = v->open + 1, end; v->open && from < closing(v->open); from = end + 1) {
        end = part_end(from, closing(v->open), ",");
        if (same(word(from), name) && at(from + 1, "="))
            return expression(from + 2, end, s);
    }
    return NULL;
}

/* What a nested struct was taken with: ", &of->heads, n, m". */
static const char *taken_in(struct list *s, struct variable *v) {
    struct list *nested = struct_of(v), *outer = struct_of(partner_of(s));
    struct variable *partner = partner_of(nested);
    struct list *wanted = struct_of(partner);
    const char *text = "", *found;
    if (wanted && (found = bound(s, v, partner->name)))
        text = path_of(", %s", found);
    else if (wanted && find_variable(outer, v->name, NULL))
        text = path_of(", &of->%s%s", v->name, *v->dims ? "[b]" : "");
    else if (wanted)
        DIE("struct %s: with which struct %s was `%s` taken?", s->name, wanted->name, v->name);
    for (int i = 0; i < nested->need_count; i++) {
        found = bound(s, v, nested->needs[i]);
        text = path_of("%s, %s", text, found ? found : meaning(nested->needs[i], s));
    }
    return text;
}

/* What the struct of a parameter was taken with. A number that is no parameter is unknown: then an
   array is as long as the memory there. */
static const char *taken_by(struct list *f, struct variable *p) {
    struct list *s = struct_of(p), *wanted = struct_of(partner_of(s));
    const char *text = "", *path;
    EACH (struct variable, v, f)
        if (wanted && struct_of(v) == wanted && !*text)
            text = path_of(", %s", v->name);
    EACH (struct variable, v, f)
        if (wanted && !*text && v->is_struct && (path = path_to(struct_of(v), wanted)))
            text = path_of(", &%s->%s", v->name, path);
    if (wanted && !*text)
        DIE("%s(): no struct %s for `%s`", f->name, wanted->name, p->name);
    for (int i = 0; i < s->need_count; i++)
        text = path_of("%s, %s", text,
                       find_variable(f, s->needs[i], "number") ? s->needs[i] : "UNKNOWN_SIZE");
    return text;
}

/* Does a number, or one in a struct, come back from a call? The size of an array never does. */
static bool comes_back(struct variable *v) {
    if (v->is_struct) {
        EACH (struct variable, m, struct_of(v))
            if (!v->is_const && !struct_of(v)->has_functions && comes_back(m))
                return true;
        return false;
    }
    EACH (struct list, s, &structs)
        EACH (struct variable, m, s)
            for (int i = m->from; i < m->to; i++)
                if (same(word(i), v->name))
                    return false;
    return same(v->kind, "number") && same(v->type, "int");
}

/* --- calls ---------------------------------------------------------------------------------- */

/* What each side does with a variable of a kind. The caller packs a call (caller.h); the host takes
   it out in the same order, calls the function, and gives back what has changed (host.h). $n is the
   name of the variable, and so on: see slot(). A struct is passed by a function of its own, first
   to the host and then, if it is not const, back again (`back`). */
enum use { MEMBER, PARAMETER, RETURNED, CALLED_BACK };
static const struct form {
    enum use use;
    const char *kind, *caller, *host;
} forms[] = {
    {MEMBER, "number",
     "if (!back) call_number(&s->$n, sizeof s->$n); else if ($r) s->$n = call_int_back();",
     "if (!back) host_number(&s->$n, sizeof s->$n); else if ($r) host_int_back((int)s->$n);"},
    {MEMBER, "piece", "if (!back) call_piece(s->$n, CALL_SIZES($z));",
     "if (!back) s->$n = host_array();"},
    {MEMBER, "function", "", "s->$n = $f_$n;"},
    {MEMBER, "struct", "pass_$t(&s->$n, back$a);", "pass_$t(&s->$n, back);"},
    {MEMBER, "structs",
     "for (int b = 0, n_$n = back ? $m : call_count($e, $m); b < n_$n; b++)"
     " pass_$t(&s->$n[b], back$a);",
     "int n_$n = $m; if (!back) host_number(&n_$n, sizeof n_$n);"
     " for (int b = 0; b < n_$n; b++) pass_$t(&s->$n[b], back);"},
    {PARAMETER, "number", "call_number(&$n, sizeof $n);", "$t $n; host_number(&$n, sizeof $n);"},
    {PARAMETER, "known", "call_known($n);", "void *$n = host_known();"},
    {PARAMETER, "array", "call_array($n, sizeof($t $d), sizeof($s));", "void *$n = host_array();"},
    {PARAMETER, "rows", "for (int i = 0; i < $c; i++) call_piece($n[i], CALL_SIZES(UNKNOWN_SIZE));",
     "const float *$n $d; for (int i = 0; i < $c; i++) $n[i] = host_array();"},
    {PARAMETER, "whole", "call_array($n, sizeof *$n, sizeof(float));", "void *$n = host_array();"},
    {PARAMETER, "value", "call_array(&$n, sizeof $n, sizeof(float));",
     "const $T *$n = host_array();"},
    {PARAMETER, "function", "call_function($n, sizeof(double $b));", "$t *$n = host_function();"},
    {PARAMETER, "struct",
     "for (int i = 0, n_$n = call_count($n ? $c : 0, 100000); i < n_$n; i++)"
     " pass_$t((struct $t *)(const void *)$n + i, false$k);",
     "int n_$n; host_number(&n_$n, sizeof n_$n);"
     " struct $t *$n = host_structs(n_$n, sizeof(struct $t));"
     " for (int i = 0; i < n_$n; i++) pass_$t($n + i, false);"},
    {RETURNED, "struct", "if ($r && $n) pass_$t((struct $t *)(const void *)$n, true$k);",
     "if ($r && $n) pass_$t($n, true);"},
    /* Parameters of a function in a struct, which the host calls. */
    {CALLED_BACK, "number", "$t $n = call_$t_back();", "host_member_$t($n);"},
    {CALLED_BACK, "array", "$t *$n = call_array_back(sizeof($t), $c);",
     "host_member_array($n, $c, sizeof($t), $w);"},
    {0},
};

/* "[n][2]" -> "(n) * (2)" */
static const char *count_of(const char *dims) {
    const char *text = *dims ? "" : "1";
    for (const char *from = dims; *from; from += strcspn(from, "]") + 1)
        text =
            path_of("%s%s(%.*s)", text, *text ? " * " : "", (int)strcspn(from, "]") - 1, from + 1);
    return text;
}

/* The sizes of the array that a call-back fills: the parameter has the name of the typedef's. */
static const char *callback_dims(struct list *f, struct variable *v) {
    struct list *type = find_list(&callbacks, v->type);
    struct variable *array = find_variable(f, type->end[-1].name, "array");
    if (!array)
        DIE("%s(): no array `%s` for what is called back", f->name, type->end[-1].name);
    return array->dims;
}

static const char *slot(char letter, struct list *l, struct variable *v) {
    return letter == 'f'   ? l->name
           : letter == 'n' ? v->name
           : letter == 't' ? v->type
           : letter == 's' ? (contains("int8_t byte", v->type) ? "float" : v->type) /* no mask */
           : letter == 'T' ? path_of("%s%s", v->is_struct ? "struct " : "", v->type)
           : letter == 'd' ? v->dims
           : letter == 'w' ? (v->is_const ? "0" : "1")
           : letter == 'r' ? (comes_back(v) ? "1" : "0")
           : letter == 'c' ? count_of(v->dims)
           : letter == 'm' ? path_of("%.*s", (int)strlen(v->dims) - 2, v->dims + 1)
           : letter == 'e' ? expression(v->from, v->to, l)
           : letter == 'z' ? sizes_of(l, v, "", ", ")
           : letter == 'a' ? taken_in(l, v)
           : letter == 'k' ? taken_by(l, v)
                           : callback_dims(l, v);
}

static const char *variables(struct list *l, enum use use) {
    struct text text = {0};
    EACH (struct variable, v, l) {
        const struct form *form = forms;
        while (form->kind && (form->use != use || !same(form->kind, v->kind)))
            form++;
        const char *at = !form->kind ? "" : is_host ? form->host : form->caller;
        text_print(&text, "%s", *at ? "    " : "");
        for (const char *end = strchr(at, '\0'); at < end; at++)
            if (*at == '$')
                text_print(&text, "%s", slot(*++at, l, v));
            else
                text_print(&text, "%c%s", *at, at + 1 == end ? "\n" : "");
    }
    return text_of(&text);
}

/* What a function is given in a call, behind the first, which may be "". */
static const char *given(struct list *f, const char *first) {
    const char *text = first;
    EACH (struct variable, v, f)
        if (!same(v->kind, "struct") || f->result)
            text = path_of("%s%s%s%s", text, *text ? ", " : "", same(v->kind, "value") ? "*" : "",
                           v->name);
    return text;
}

static void write_structs(void) {
    EACH (struct list, s, &structs) {
        struct variable *partner = partner_of(s);
        if (s->is_whole)
            continue;
        const char *members = variables(s, MEMBER); /* finds out what the struct needs */
        printf("static void pass_%s(struct %s *s, bool back", s->name, s->name);
        if (partner && !is_host)
            printf(", const struct %s *of", partner->type);
        for (int i = 0; i < s->need_count && !is_host; i++)
            printf(", int %s", s->needs[i]);
        printf(") {\n%s%s}\n\n", members,
               s->has_functions && !is_host ? "    if (!back)\n        call_engine(s);\n" : "");
    }
}

static void write_member_function(struct list *s, struct list *f, int number) {
    if (is_host)
        printf("static void %s_%s(%s) {\n    host_member(%d);\n%s    host_member_call();\n}\n\n",
               s->name, f->name, f->words, number, variables(f, CALLED_BACK));
    else
        printf("static void call_%s_%s(void *known) {\n    struct %s *s = known;\n%s"
               "    s->%s(%s);\n}\n\n",
               s->name, f->name, s->name, variables(f, CALLED_BACK), f->name, given(f, "s"));
}

/* The functions in a struct. Nothing of the struct itself comes back. */
static void write_member_functions(struct list *s, struct text *names, int *count) {
    EACH (struct variable, v, s) {
        if (!same(v->kind, "function"))
            continue;
        struct list f = {.name = v->name, .end = f.all};
        f.words = words(v->open + 1, closing(v->open));
        read_list(&f, v->open + 1, closing(v->open), false);
        EACH (struct variable, p, &f)
            if (!contains("number array", p->kind) && struct_of(p) != s)
                DIE("struct %s: cannot pass `%s`", s->name, p->name);
        write_member_function(s, &f, (*count)++);
        text_print(names, "call_%s_%s, ", s->name, v->name);
    }
}

static void write_caller(struct list *f, int number) {
    bool is_void = same(f->result, "void");
    printf("%s %s(%s) {\n    call_begin(%d);\n%s    call_go();\n", f->result, f->name, f->words,
           number, variables(f, PARAMETER));
    if (!is_void)
        printf("    %s result;\n    call_result(&result, sizeof result);\n", f->result);
    printf("%s%s}\n\n", variables(f, RETURNED), is_void ? "" : "    return result;\n");
}

/* Calls a function with the arguments that have come; defines it if it is missing. */
static void write_host(struct list *f) {
    printf("static void run_%s(void) {\n%s    ", f->name, variables(f, PARAMETER));
    if (!same(f->result, "void"))
        printf("%s result = %s(%s);\n    host_result(&result, sizeof result);\n", f->result,
               f->name, given(f, ""));
    else
        printf("%s(%s);\n", f->name, given(f, ""));
    printf("%s}\n__attribute__((weak)) %s %s(%s) {\n    host_missing(\"%s\");\n}\n\n",
           variables(f, RETURNED), f->result, f->name, f->words, f->name);
}

static void write_calls(void) {
    struct text members = {0};
    int count = 0;
    EACH (struct list, s, &structs)
        write_member_functions(s, &members, &count);
    write_structs();
    EACH (struct list, f, &functions)
        is_host ? write_host(f) : write_caller(f, (int)(f - functions.all));
    if (!is_host) {
        printf("call_member *const call_members[] = {%sNULL};\n", text_of(&members));
        printf("const int call_member_count = %d;\n", count);
        return;
    }
    printf("const struct host_function host_functions[] = {\n");
    EACH (struct list, f, &functions)
        printf("    {\"%s\", run_%s},\n", f->name, f->name);
    printf("};\nconst int host_function_count = %d;\n", (int)(functions.end - functions.all));
}

/* --- the table for a page ------------------------------------------------------------------- */

static const char *table_of(struct list *l, bool is_member) {
    const char *text = "";
    EACH (struct variable, v, l) {
        const char *taken = !v->is_struct             ? ""
                            : is_member               ? taken_in(l, v)
                            : same(v->kind, "struct") ? taken_by(l, v)
                                                      : "";
        text =
            path_of("%s%s{\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\", \"in\": %s, "
                    "\"sizes\": \"%s\", \"taken\": \"%s\", \"back\": %s}",
                    text, *text ? ",\n    " : "", v->name, v->kind, v->type,
                    v->is_const ? "true" : "false", is_member ? sizes_of(l, v, "[", "]") : v->dims,
                    taken, comes_back(v) ? "true" : "false");
    }
    return text;
}

static void write_table(void) {
    const char *between = "";
    printf("{\"structs\": {");
    EACH (struct list, s, &structs) {
        const char *members = table_of(s, true), *needs = "";
        for (int i = 0; i < s->need_count; i++)
            needs = path_of("%s%s%s", needs, *needs ? " " : "", s->needs[i]);
        if (s->is_whole)
            continue;
        printf("%s\"%s\": {\"of\": %s, \"needs\": \"%s\", \"members\": [%s]}", between, s->name,
               partner_of(s) ? "true" : "false", needs, members);
        between = ",\n";
    }
    printf("},\n\"functions\": {");
    EACH (struct list, f, &functions)
        printf("%s\"%s\": {\"number\": %d, \"result\": \"%s\", \"parameters\": [%s]}",
               f > functions.all ? ",\n" : "", f->name, (int)(f - functions.all), f->result,
               table_of(f, false));
    printf("},\n\"constants\": {%s}}\n", text_of(&constants));
}

/* --- the whole ------------------------------------------------------------------------------ */

static const char *file_name(const char *path) {
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* Reads the headers as one text: the last, and before it each that is included, or all of them. */
static void read_files(char **headers, int count) {
    struct text all = {0}, last = {0};
    for (int i = count - 1; i >= 0; i--) {
        struct text one, before = all;
        if (!text_read_file(&one, headers[i]))
            DIE("%s cannot be read", headers[i]);
        last = i == count - 1 ? one : last;
        if (i == count - 1 || *also ||
            strstr(text_of(&all), path_of("#include \"%s\"", file_name(headers[i])))) {
            text_add(&one, text_of(&before), before.length);
            all = one;
        }
    }
    if (!code_read_tokens(&code, all.chars, all.chars + all.length))
        DIE("its brackets do not fit");
    while (own_start < code.count &&
           code.tokens[own_start].at < all.chars + all.length - last.length)
        own_start++;
}

static void check_exercises(void) {
    for (const char *from = exercises; *(from += strspn(from, " ")); from += strcspn(from, " "))
        if (!find_list(&functions, path_of("%.*s", (int)strcspn(from, " "), from)))
            DIE("no function %.*s()", (int)strcspn(from, " "), from);
}

static void write_includes(char **headers, int count, const char *side) {
    printf("/* Made from %s by common/grade/generate.c. */\n", file_name(own));
    for (int i = 0; i < count; i++)
        if (*also || i == count - 1)
            printf("#include \"%s\"\n", file_name(headers[i]));
    printf("#include \"grade/%s.h\"\n\n", side);
}

int main(int argc, char **argv) {
    if (argc < 5)
        return fputs("generate WHAT \"EXERCISES\" \"ALSO\" HEADER...\n", stderr), 2;
    what = argv[1], exercises = argv[2], also = argv[3], own = argv[argc - 1];
    read_files(argv + 4, argc - 4);
    read_headers();
    check_exercises();
    is_host = same(what, "hosted");
    if (same(what, "table")) {
        write_table();
    } else {
        write_includes(argv + 4, argc - 4, is_host ? "host" : "caller");
        write_calls();
    }
    return fflush(stdout) != 0;
}
