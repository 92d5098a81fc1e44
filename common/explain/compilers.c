/* Reads the first error of a compiler or a linker. A table leads from the words of gcc, clang, GNU
   ld and lld to codes; what a table cannot tell (which types stand where a number belongs, which
   function has no header) is read from the rest of the message. Failures of the system come first.
 */
#include "base/source.h"
#include "base/tokens.h"
#include "explain/explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- errors of compilers -------------------------------------------------------------------- */

/* True if "'double' and 'double (*)(double)'" has a function in it; text in [ ] does not count, as
 * in gcc's "double (*)[(long int)(d) - 1]". */
static bool has_function_type(const char *types) {
    for (const char *at = types; (at = strpbrk(at, "([")); at++)
        if (*at == '[')
            at += strcspn(at + 1, "]");
        else if (at > types && at[1] != '*' && !starts_with(at, "(aka ") &&
                 !starts_with(at, "(have "))
            return true;
    return false;
}

/* "invalid operands to binary ^ (have 'double' and 'int')"; clang draws the operator. */
static enum finding_code code_of_operands(const struct finding *f) {
    const char *types = strchr(f->quote, '('), *binary = strstr(f->quote, "binary ^");
    if (!types || strstr(types, "struct "))
        return OTHER_ERROR;
    if (strstr(types, "'void'"))
        return NO_RESULT;
    if (has_function_type(types))
        return NOT_CALLED;
    if (binary || *drawn_at_caret(&f->excerpt) == '^')
        return NO_POWER;
    return strpbrk(types + 1, "*[") ? WHOLE_ARRAY : WHOLE_NUMBERS;
}

/* clang counts the arguments first; gcc looks at the argument in the wrong place first. */
static bool too_few_follow(const struct finding *f, const char *rest) {
    char name[NAME_SIZE];
    const char *of = strstr(f->quote, " of '");
    return of && take_name(name, of + 5) &&
           strstr(rest, path_of("too few arguments to function '%s'", name));
}

/* Does the compiler's text contain these words before its next error? */
static bool follows(const char *rest, const char *words) {
    const char *at = strstr(rest, words), *next = strstr(rest, "error: ");
    return at && (!next || at < next);
}

/* clang says so at once, gcc in the note behind: "argument is of type 'struct gru'". */
static bool is_a_whole_struct(const char *quote, const char *rest) {
    return strstr(quote, "take the address with &") ||
           follows(rest, "argument is of type 'struct ");
}

/* "expected 'const struct gru *' but ..." by gcc's note, "parameter of type 'const ..." by clang.
 */
static bool is_another_struct(const char *quote, const char *rest) {
    return strstr(quote, "incompatible pointer type") &&
           (strstr(quote, "to parameter of type 'const struct ") ||
            follows(rest, "expected 'const struct "));
}

/* Numbers in the place of arrays, and arrays in the place of numbers. */
static enum finding_code code_of_types(const struct finding *f, const char *rest) {
    static const struct sign passing[] = {{"conversion passing ", OTHER_ORDER},
                                          {"type for argument ", OTHER_ORDER}};
    static const struct sign swapped[] = {
        {"integer from pointer", INDEX_MISSING}, {"pointer from integer", INDEX_MISSING},
        {"pointer to integer", INDEX_MISSING},   {"integer to pointer", INDEX_MISSING},
        {"incompatible type", INDEX_MISSING},    {"incompatible result type", INDEX_MISSING}};
    const char *quote = f->quote;
    bool passed = starts_with(quote, "passing ") || CODE_IN(passing, quote);
    if (too_few_follow(f, rest))
        return COUNT_ARGUMENTS;
    if (!CODE_IN(swapped, quote))
        return NO_CODE;
    if (strstr(quote, "'void'"))
        return NO_RESULT;
    if (has_function_type(quote) && !strstr(quote, "pointer type"))
        return NOT_CALLED;
    if (passed && is_a_whole_struct(quote, rest))
        return STRUCT_ADDRESS;
    return passed ? OTHER_ORDER : INDEX_MISSING;
}

/* The errors that everybody makes: the first sign that occurs in the message counts. */
static const struct sign errors[] = {
    {"at end of input", BRACE_ABOVE},
    {"expected ')'", COMMA_OR_BRACKET},
    {"'else' without", ELSE_WITHOUT_IF},
    {"expected '}' before 'else'", ELSE_WITHOUT_IF},
    {"expected '}'", BRACE_OR_COMMA},
    {"function definition is not allowed", FUNCTION_INSIDE},
    {"expected identifier or '('", OUTSIDE_FUNCTION},
    {"'asm' or '__attribute__'", SEMICOLON_OR_COMMA},
    {"is not a function", NOT_A_FUNCTION},
    {"stray '", STRANGE_CHARACTER},
    {"unexpected character", STRANGE_CHARACTER},
    {"extraneous closing brace", BRACE_TOO_MANY},
    {"expected expression", EXPRESSION_MISSING},
    {"expected ';'", SEMICOLON_NEAR},
    {"expected ',' or ';'", SEMICOLON_ABOVE},
    {"variable-sized object", VARIABLE_SIZE},
    {"read-only variable '", CONST_VARIABLE},
    {"read-only parameter '", CONST_VARIABLE},
    {"cannot assign to variable", CONST_VARIABLE},
    {"read-only", CONST_INPUT},
    {"discards qualifiers", CONST_LOST},
    {"control reaches end", NO_RETURN},
    {"does not return a value", NO_RETURN},
    {"implicit", UNDECLARED_FUNCTION},
    {"undeclared function", UNDECLARED_FUNCTION},
    {"undeclared library", UNDECLARED_FUNCTION},
    {"undeclared", UNDECLARED},
    {"too few arguments", COUNT_ARGUMENTS},
    {"too many arguments", COUNT_ARGUMENTS},
    {"void value not ignored", NO_RESULT},
    {"use of void expression", NO_SHAPE},
    {"type 'void'", NO_SHAPE},
    {"subscripted value", FEW_INDICES},
    {"incompatible", OTHER_TYPE},
    {"array type", ARRAY_SET},
    {"no member named", NO_SUCH_MEMBER},
    {"conflicting types", OTHER_FIRST_LINE},
};

/* Which header has the functions and constants that a lesson may need. */
static const struct {
    const char *header, *names;
} headers[] = {
    {"math.h", "exp log sqrt pow tanh fabs fmax fmin sinh cosh sin cos floor isnan"},
    {"stdio.h", "printf puts"},
    {"stdlib.h", "malloc calloc realloc free"},
    {"string.h", "memcpy memset memmove"},
    {"stddef.h", "NULL"},
    {"stdbool.h", "true false"},
    {"float.h", "FLT_MAX DBL_MAX DBL_EPSILON"},
    {"limits.h", "INT_MAX INT_MIN"},
};

static bool needs_header(struct finding *f, const char *name) {
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (has_word(headers[i].names, name, strlen(name))) {
            snprintf(f->name, sizeof f->name, "%s", headers[i].header);
            return true;
        }
    return false;
}

/* "'NULL' undeclared", "use of undeclared identifier 'NULL'" */
static bool names_of_header(struct finding *f) {
    char name[NAME_SIZE];
    const char *quote = strchr(f->quote, '\'');
    return quote && take_name(name, quote + 1) && needs_header(f, name);
}

/* "implicit declaration of function 'tanh'": its header is known, or the mistake. */
static enum finding_code code_of_function(struct finding *f) {
    const char *quote = strstr(f->quote, "function '");
    char name[NAME_SIZE];
    if (!quote || !take_name(name, quote + strlen("function '")))
        return UNDECLARED_FUNCTION;
    snprintf(f->element, sizeof f->element, "%s", name);
    return needs_header(f, name)       ? NEEDS_HEADER
           : strcmp(name, "abs") == 0  ? ABS_OF_DOUBLE
           : strcmp(name, "ln") == 0   ? NATURAL_LOG
           : strcmp(name, "rand") == 0 ? DRAWS_NUMBERS
                                       : UNDECLARED_FUNCTION;
}

/* "'gates' undeclared", and the header has a "void *gates;". */
static bool is_a_member(const struct finding *f, const struct lesson *lesson) {
    char name[NAME_SIZE];
    const char *quote = strchr(f->quote, '\'');
    return quote && take_name(name, quote + 1) &&
           strstr(file_text(lesson->header), path_of("*%s;", name));
}

/* x ** 2 is x * (*2) in C, and 2 is no pointer. */
static bool is_power(const struct finding *f) {
    const char *at = drawn_at_caret(&f->excerpt);
    return (strstr(f->quote, "unary '*'") || starts_with(f->quote, "indirection ")) &&
           starts_with(at, "*") && at[-1] == '*';
}

/* `rest` is what the compiler said after that error. */
static enum finding_code code_of_error(struct finding *f, const struct lesson *lesson,
                                       const char *rest) {
    enum finding_code known = CODE_IN(errors, f->quote), types = code_of_types(f, rest);
    if (strstr(f->quote, "invalid operands"))
        return code_of_operands(f);
    if (is_power(f))
        return NO_POWER;
    if (strstr(f->quote, "undeclared") && is_a_member(f, lesson))
        return A_MEMBER;
    if (is_another_struct(f->quote, rest))
        return OTHER_STRUCT;
    if (types)
        return types;
    if (strcmp(f->quote, "expected expression") == 0 &&
        starts_with(drawn_at_caret(&f->excerpt), "else"))
        return ELSE_WITHOUT_IF;
    if (known == UNDECLARED_FUNCTION)
        return code_of_function(f);
    if (known == UNDECLARED && names_of_header(f))
        return NEEDS_HEADER;
    return known ? known : OTHER_ERROR;
}

/* --- a better place ------------------------------------------------------------------------- */

/* Where the line of a token begins, without its blanks. */
static const char *first_in_line(const char *text, const char *at) {
    while (at > text && at[-1] != '\n')
        at--;
    return at + strspn(at, " \t");
}

static int indent_of(const char *text, const char *at) {
    const char *first = first_in_line(text, at);
    const char *line = first;
    while (line > text && line[-1] != '\n')
        line--;
    return (int)(first - line);
}

/* A { that is open: its statement's indentation, and whether what is in it stands further in. */
struct block {
    const char *brace;
    int indent;
    bool sets_in;
};
enum { DEEPEST = 50 };

struct reader {
    const char *text;
    struct block blocks[DEEPEST];
    const char *brackets[DEEPEST], *bracket; /* the ( that are open, and the one closed last */
    int depth, bracket_depth;
};

static void read_bracket(struct reader *r, const struct token *t, bool follows_head) {
    if (is_word(t, "(") && r->bracket_depth < DEEPEST)
        r->brackets[r->bracket_depth++] = t->at;
    else if (is_word(t, ")") && r->bracket_depth > 0)
        r->bracket = r->brackets[--r->bracket_depth];
    else if (is_word(t, "{") && r->depth < DEEPEST)
        r->blocks[r->depth++] =
            (struct block){t->at, indent_of(r->text, follows_head ? r->bracket : t->at), false};
    else if (is_word(t, "}") && r->depth > 0)
        r->depth--;
}

/* Is the token the first of its line, and no further in than the block that it is in? Or a } that
   belongs to a block around it? */
static bool leaves_block(struct reader *r, const struct token *t) {
    struct block *b = r->depth > 0 ? &r->blocks[r->depth - 1] : NULL;
    if (!b || first_in_line(r->text, t->at) != t->at || is_word(t, "{"))
        return false;
    const int indent = indent_of(r->text, t->at);
    b->sets_in = b->sets_in || indent > b->indent;
    return b->sets_in && (is_word(t, "}") ? indent < b->indent : indent <= b->indent);
}

/* The compiler misses a } at the end of the file. Where the code is set in, the first line that
   stands no further in than a block that is still open shows where it has to be. */
static void find_missing_brace(struct finding *f, const struct lesson *lesson) {
    struct reader r = {.text = file_text(lesson->source)};
    struct token t = next_token(r.text, r.text), before = {0};
    if (strstr(r.text, "\n\t") && strstr(r.text, "\n  "))
        return; /* tabs and blanks: nobody knows how wide a tab is */
    for (; t.length > 0; before = t, t = token_behind(&t, r.text)) {
        if (leaves_block(&r, &t)) {
            f->code = BRACE_BEFORE;
            f->line = line_of(r.text, t.at);
            f->column = 0;
            f->number = line_of(r.text, r.blocks[r.depth - 1].brace);
            f->excerpt = (struct text){0};
            draw_line(&f->excerpt, lesson->source, f->line, 0);
            return;
        }
        read_bracket(&r, &t, before.length > 0 && is_word(&before, ")") && r.bracket);
    }
}

/* "'i' undeclared", and above that line there is a for (int i = 0; ...); with nothing to repeat. */
static void find_empty_loop(struct finding *f, const struct lesson *lesson) {
    const char *text = file_text(lesson->source), *quote = strchr(f->quote, '\'');
    char name[NAME_SIZE];
    struct code code = {0};
    if (!quote || !take_name(name, quote + 1) || !code_read_tokens(&code, text, strchr(text, '\0')))
        return;
    for (const struct loop *l = code.loops; l < code.loops + code.loop_count; l++) {
        const int line = line_of(text, code.tokens[l->open].at);
        if (line <= f->line && line + 3 >= f->line && l->variable >= 0 && is(&code, l->body, ";") &&
            is_spelled(&code, l->variable, name, strlen(name))) {
            f->code = LOOP_IS_EMPTY;
            f->line = line;
            f->column = 0;
            snprintf(f->name, sizeof f->name, "%s", name);
            f->excerpt = (struct text){0};
            draw_line(&f->excerpt, lesson->source, line, 0);
        }
    }
}

static void find_better_place(struct finding *f, const struct lesson *lesson) {
    if (f->code == BRACE_ABOVE || f->code == BRACE_OR_COMMA || f->code == FUNCTION_INSIDE)
        find_missing_brace(f, lesson);
    else if (f->code == UNDECLARED)
        find_empty_loop(f, lesson);
}

/* --- the system ----------------------------------------------------------------------------- */

/* What compilers and linkers say when they cannot write. */
static const struct sign writing[] = {{"opening dependency file ", NOT_WRITABLE},
                                      {"error: error opening '", NOT_WRITABLE},
                                      {"unable to open output file ", NOT_WRITABLE},
                                      {"cannot open output file ", NOT_WRITABLE}};

static void blame_system(struct finding *f, const char *where, enum finding_code code) {
    *f = (struct finding){.kind = FOUND_OUTSIDE, .code = code};
    snprintf(f->where, sizeof f->where, "%s", where);
}

/* True if the system is the reason, and not what is in the learner's file. */
static bool explain_system(struct finding *f, const struct lesson *lesson,
                           const struct child *child) {
    const char *err = text_of(&child->err), *source = lesson->source;
    if (access(source, R_OK) != 0 && errno == EACCES)
        blame_system(f, source, UNREADABLE);
    else if (strstr(err, "No space left on device") || strstr(err, "Disk quota exceeded"))
        blame_system(f, "build/", DISK_FULL);
    else if (CODE_IN(writing, err))
        blame_system(f, "build/",
                     strstr(err, "No such file or directory") ? FOLDER_GONE : NOT_WRITABLE);
    else
        return false;
    return true;
}

/* --- the first error ------------------------------------------------------------------------ */

/* "file:31:20: fatal " up to `end`. */
static void take_place(struct finding *f, const char *line, const char *end, const char *source) {
    int used = 0;
    size_t length = starts_with(line, source) ? strlen(source) : strcspn(line, ":");
    size_t all = (size_t)(end - line);
    snprintf(f->where, sizeof f->where, "%.*s", (int)(length < all ? length : all), line);
    if (length < all && sscanf(line + length, ":%d%n", &f->line, &used) == 1)
        sscanf(line + length + used, ":%d", &f->column);
}

/* Without the option, and without a place in words of gcc's own, '*(scores + (sizetype)...': the
   drawing shows it. */
static void take_quote(struct finding *f, const char *message) {
    static const char gcc[] = "only location '";
    snprintf(f->quote, sizeof f->quote, "%s", message);
    char *option = strstr(f->quote, " [-W"), *place = strstr(f->quote, gcc);
    if (option)
        *option = '\0';
    if (place)
        place[strlen(gcc) - 2] = '\0';
}

void explain_compiler(struct finding *f, const struct lesson *lesson, const struct child *child) {
    const char *at = text_of(&child->err), *line;
    if (explain_system(f, lesson, child))
        return;
    *f = (struct finding){.kind = FOUND_NOT_COMPILED, .code = COMPILER_FAILED};
    while ((line = next_line(&at))) {
        const char *error = strstr(line, "error: ");
        if (!error)
            continue;
        take_place(f, line, error, lesson->source);
        take_quote(f, error + strlen("error: "));
        take_drawing(&f->excerpt, at);
        f->code = code_of_error(f, lesson, at);
        find_better_place(f, lesson);
        f->takes_memory = f->code == VARIABLE_SIZE && lesson_takes_memory(lesson);
        return;
    }
    at = text_of(&child->err);
    if (child->ending == TIMED_OUT)
        f->code = COMPILER_ENDLESS;
    else if ((line = next_line(&at)))
        snprintf(f->quote, sizeof f->quote, "%.500s", line);
    snprintf(f->where, sizeof f->where, "%.380s", lesson->source);
}

/* --- linkers -------------------------------------------------------------------------------- */

/* The name in "undefined reference to `name'" and its like; "_name" on macOS. */
static bool name_after(const char *line, const char *before, char name[NAME_SIZE]) {
    const char *at = strstr(line, before);
    if (!at)
        return false;
    at += strlen(before);
    at += strspn(at, " `'\"");
    at += *at == '_';
    return take_name(name, at);
}

static bool has_no_exercise(const struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++)
        if (lesson->exercises[i].line > 0)
            return false;
    return true;
}

/* Where the path that ends at `end` begins: at a folder of this tree, if one is in it. */
static const char *start_of_path(const char *line, const char *end) {
    static const char *const trees[] = {"lessons/", "solutions/", "tests/", "plots/", "common/"};
    const char *start = end;
    while (start > line && !strchr(" :('", start[-1]))
        start--;
    for (const char *at = end; at-- > start + 1;)
        for (size_t i = 0; at[-1] == '/' && i < sizeof trees / sizeof *trees; i++)
            if (starts_with(at, trees[i]))
                return at;
    return start;
}

/* The file that a line of a linker names last, with its line: "plots/01-softmax/softmax_data.c:31",
   or an object at the end of the line; "" if it names none. */
static const char *file_in(const char *line) {
    int number, after = 0;
    const char *end = ends_with(line, ".o") ? line + strlen(line) : NULL;
    for (const char *at = line; (at = strstr(at, ".c")); at += 2)
        if (at[2] == ':' || at[2] == ')')
            end = at + 2;
    if (!end)
        return path_of("%s", "");
    after = sscanf(end, ":%d%n", &number, &after) == 1 ? after : 0;
    const char *start = start_of_path(line, end);
    return path_of("%.*s", (int)(end - start) + after, start);
}

/* True if it is the learner's file, or its object, whatever the folder. */
static bool is_source(const struct lesson *lesson, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return starts_with(name, lesson->name) && name[strlen(lesson->name)] == '.';
}

/* A function is not defined. The caller's name may be in the line after the linker's.
 */
static void explain_undefined(struct finding *f, struct lesson *lesson, const char *line,
                              const char *after) {
    const char *here = file_in(line), *next = next_line(&after);
    const char *caller = here[0] || !next ? here : file_in(next);
    struct function in_header;
    if (lesson_exercise(lesson, f->name) ||
        find_function(file_text(lesson->header), f->name, &in_header)) {
        f->code = EXERCISE_MISSING;
    } else if (!caller[0] || is_source(lesson, caller)) {
        f->code = FUNCTION_MISSING;
    } else {
        f->kind = FOUND_OUTSIDE;
        f->code = CALLED_ELSEWHERE;
        take_place(f, caller, strchr(caller, '\0'), lesson->source);
    }
}

/* True if the line of a linker says what is wrong. */
static bool explain_linker_line(struct finding *f, struct lesson *lesson, const char *line,
                                const char *after) {
    if (name_after(line, "undefined reference to", f->name) ||
        name_after(line, "undefined symbol:", f->name) ||
        (strstr(line, "referenced from:") && name_after(line, "\"", f->name)))
        explain_undefined(f, lesson, line, after);
    else if (name_after(line, "multiple definition of", f->name) ||
             name_after(line, "duplicate symbol:", f->name) ||
             name_after(line, "duplicate symbol ", f->name))
        f->code = strcmp(f->name, "main") == 0 ? MAIN_TWICE : DEFINED_TWICE;
    return f->code != NO_CODE;
}

void explain_linker(struct finding *f, struct lesson *lesson, const struct child *child) {
    const char *at = text_of(&child->err), *line = "";
    if (explain_system(f, lesson, child))
        return;
    *f = (struct finding){.kind = FOUND_NOT_LINKED};
    do {
        if (!f->quote[0] && !strstr(line, " warning: "))
            snprintf(f->quote, sizeof f->quote, "%.490s", line);
    } while (!explain_linker_line(f, lesson, line, at) && (line = next_line(&at)));
    if (has_no_exercise(lesson))
        f->code = NONE_THERE;
    else if (!f->code)
        f->code = LINK_FAILED;
    if (f->code == NONE_THERE || f->code == EXERCISE_MISSING)
        f->kind = FOUND_MISSING;
    if (f->kind != FOUND_OUTSIDE) {
        f->stack = stack_of(lesson, text_of(&child->err));
        put_place(f, lesson, NULL);
    }
    if (!f->where[0])
        snprintf(f->where, sizeof f->where, "%.380s", lesson->source);
}

/* --- warnings ------------------------------------------------------------------------------- */

/* What is most likely the mistake comes first, and the sign of an index or a size last: such code
   works, as a rule. C17, and not C23, warns of memory ? memory : v->scaled, where one is a matrix
   of constants and the other a void *. */
static int rank_of(const char *line) {
    return strstr(line, " [-Wmisleading-indentation") || strstr(line, " [-Wempty-body") ? 0
           : strstr(line, " [-Wsign-")                                                  ? 2
                                                                                        : 1;
}

/* gcc's own sentence has no end. */
static const char *whole_warning(const char *words) {
    return strstr(words, "clause does not guard...")
               ? path_of("%.*s does not guard all that is indented below it. Is there a ; right "
                         "after its ), or are { } missing?",
                         (int)(strstr(words, " clause") - words), words)
               : words;
}

int explain_warnings(struct text *lines, const struct child *child, int most) {
    static const char sign[] = " warning: ", of_C17[] = "loses qualifier in conditional expression";
    int count = 0;
    for (int rank = 0; rank < 3; rank++)
        for (const char *at = text_of(&child->err), *line; (line = next_line(&at));) {
            const char *warning = strstr(line, sign), *option = strstr(line, " [-W");
            if (!warning || strstr(line, of_C17) || rank_of(line) != rank || count++ >= most)
                continue;
            const char *end = option ? option : strchr(line, '\0'), *words = warning + strlen(sign);
            text_print(lines, "%.*s %s\n", (int)(warning - line), line,
                       whole_warning(path_of("%.*s", (int)(end - words), words)));
        }
    return count;
}
