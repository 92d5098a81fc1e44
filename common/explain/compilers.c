/* Reads the first error of a compiler or a linker. A table leads from the words of gcc, clang, GNU
   ld and lld to codes; what a table cannot tell (which types stand where a number belongs, which
   function has no header) is read from the rest of the message. Failures of the system come first.
 */
#include "base/tokens.h"
#include "explain/explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- errors of compilers -------------------------------------------------------------------- */

/* A name in quotes; and a function's type in quotes, which is no pointer to an array as in gcc's
   "double (*)[(long int)(d) - 1]", and no "(aka ..." or "(have ...". */
#define A_NAME        "([A-Za-z0-9_]+)"
#define QUOTED        "^[^']*'" A_NAME
#define PASSED        "^(passing |[^\n]*(conversion passing |type for argument ))"
#define FUNCTION_TYPE "'[^'[\n]*\\(([^*ah]|a[^k]|h[^a])"

/* Numbers and arrays that stand in each other's places. */
static const char swapped[] = "integer (from|to) pointer|pointer (from|to) integer|"
                              "incompatible (result )?type";
static const struct sign types[] = {
    {"^[^\n]*'void'", NO_RESULT},
    {"^[^\n]*" FUNCTION_TYPE, NOT_CALLED},
    {PASSED ".*(argument is of type 'struct |take the address with &)", STRUCT_ADDRESS},
    {PASSED, OTHER_ORDER},
    {".", INDEX_MISSING},
};

/* gcc names the operands "(have 'double' and 'int')"; clang draws the operator. */
static const struct sign operands[] = {
    {"^[^(\n]*\n|^[^\n]*\\([^\n]*struct ", OTHER_ERROR},
    {"^[^\n]*'void'", NO_RESULT},
    {"^[^\n]*" FUNCTION_TYPE, NOT_CALLED},
    {"^[^\n]*binary \\^|\1\\^", NO_POWER},
    {"^[^\n]*\\([^\n]*[[*]", WHOLE_ARRAY},
    {".", WHOLE_NUMBERS},
};

/* What shows in the drawing or in the notes. In C x ** 2 is x * (*2), and 2 is no pointer. */
static const struct sign around[] = {
    {"^([^\n]*unary '\\*'|indirection ).*\\*\1\\*", NO_POWER},
    {"^[^\n]*incompatible pointer type.*(to parameter of type|expected) 'const struct ",
     OTHER_STRUCT},
    {"^expected expression\n.*\1else", ELSE_WITHOUT_IF},
};

/* The errors that everybody makes: the first sign that occurs in the message counts. */
static const struct sign errors[] = {
    {"at end of input", BRACE_ABOVE},
    {"expected '\\)'", COMMA_OR_BRACKET},
    {"'else' without|expected '}' before 'else'", ELSE_WITHOUT_IF},
    {"expected '}'", BRACE_OR_COMMA},
    {"function definition is not allowed", FUNCTION_INSIDE},
    {"expected identifier or '\\('", OUTSIDE_FUNCTION},
    {"'asm' or '__attribute__'", SEMICOLON_OR_COMMA},
    {"is not a function", NOT_A_FUNCTION},
    {"stray '|unexpected character", STRANGE_CHARACTER},
    {"extraneous closing brace", BRACE_TOO_MANY},
    {"expected expression", EXPRESSION_MISSING},
    {"expected ';'", SEMICOLON_NEAR},
    {"expected ',' or ';'", SEMICOLON_ABOVE},
    {"variable-sized object", VARIABLE_SIZE},
    {"read-only (variable|parameter) '|cannot assign to variable", CONST_VARIABLE},
    {"read-only", CONST_INPUT},
    {"discards qualifiers", CONST_LOST},
    {"control reaches end|does not return a value", NO_RETURN},
    {"implicit|undeclared (function|library)", UNDECLARED_FUNCTION},
    {"undeclared", UNDECLARED},
    {"too (few|many) arguments", COUNT_ARGUMENTS},
    {"void value not ignored", NO_RESULT},
    {"use of void expression|type 'void'", NO_SHAPE},
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

/* "implicit declaration of function 'tanh'": its header is known, or the mistake. */
static enum finding_code code_of_function(struct finding *f) {
    const char *name = part_of(f->quote, "function '" A_NAME, 1);
    if (!name)
        return UNDECLARED_FUNCTION;
    snprintf(f->element, sizeof f->element, "%s", name);
    return needs_header(f, name)       ? NEEDS_HEADER
           : strcmp(name, "abs") == 0  ? ABS_OF_DOUBLE
           : strcmp(name, "ln") == 0   ? NATURAL_LOG
           : strcmp(name, "rand") == 0 ? DRAWS_NUMBERS
                                       : UNDECLARED_FUNCTION;
}

/* "'gates' undeclared", and the header has a "void *gates;"; or a header has it that the file does
   not include. */
static enum finding_code code_of_name(struct finding *f, const struct lesson *lesson) {
    const char *name = part_of(f->quote, QUOTED, 1);
    if (!name)
        return UNDECLARED;
    if (strstr(file_text(lesson->header), path_of("*%s;", name)))
        return A_MEMBER;
    return needs_header(f, name) ? NEEDS_HEADER : UNDECLARED;
}

/* clang counts the arguments first; gcc looks at the argument in the wrong place first. */
static bool too_few_follow(const struct finding *f, const char *rest) {
    const char *of = part_of(f->quote, " of '" A_NAME, 1);
    return of && strstr(rest, path_of("too few arguments to function '%s'", of));
}

/* The message, the line that is drawn below it, with a byte 1 at the caret, and the notes. */
static const char *all_said(const struct finding *f, const char *rest) {
    const char *line = text_of(&f->excerpt), *caret = drawn_at_caret(&f->excerpt);
    const char *next = strstr(rest, "error: ");
    return path_of("%s\n%.*s\1%.*s\n%.*s", f->quote, *caret ? (int)(caret - line) : 0, line,
                   (int)strcspn(caret, "\n"), caret, next ? (int)(next - rest) : -1, rest);
}

/* `rest` is what the compiler said after that error. */
static enum finding_code code_of_error(struct finding *f, const struct lesson *lesson,
                                       const char *rest) {
    const char *said = all_said(f, rest);
    enum finding_code known = CODE_IN(errors, f->quote), more = CODE_IN(around, said);
    if (strstr(f->quote, "invalid operands"))
        return CODE_IN(operands, said);
    if (more)
        return more;
    if (too_few_follow(f, rest))
        return COUNT_ARGUMENTS;
    if (part_of(f->quote, swapped, 0))
        return CODE_IN(types, said);
    if (known == UNDECLARED_FUNCTION)
        return code_of_function(f);
    if (known == UNDECLARED)
        return code_of_name(f, lesson);
    return known ? known : OTHER_ERROR;
}

/* --- a better place ------------------------------------------------------------------------- */

static void move_place(struct finding *f, const struct lesson *lesson, enum finding_code code,
                       int line) {
    f->code = code;
    f->line = line;
    f->column = 0;
    f->excerpt = (struct text){0};
    draw_line(&f->excerpt, lesson->source, line, 0);
}

/* Is the token the first of its line? Counts the blanks before it. */
static bool is_first(const char *text, const char *at, int *indent) {
    for (*indent = 0; at > text && strchr(" \t", at[-1]); at--)
        ++*indent;
    return at == text || at[-1] == '\n';
}

/* A { that is open: its line, the indentation of its statement, and whether what is in it stands
   further in. */
struct block {
    int line, indent;
    bool sets_in;
};

static bool leaves_block(struct block *b, int indent, bool closes) {
    b->sets_in |= indent > b->indent;
    return b->sets_in && indent + closes <= b->indent;
}

/* The compiler misses a } at the end of the file. Where the code is set in, the first line that
   stands no further in than a block that is still open shows where it has to be. */
static void find_missing_brace(struct finding *f, const struct lesson *lesson) {
    struct block blocks[50], *b = blocks; /* b[-1] is the innermost that is open */
    const char *text = file_text(lesson->source);
    int brackets = 0, indent = 0, own;
    if (strstr(text, "\n\t") && strstr(text, "\n  "))
        return; /* tabs and blanks: nobody knows how wide a tab is */
    for (struct token t = next_token(text, text); t.length > 0; t = token_behind(&t, text)) {
        const bool closes = is_word(&t, "}"), first = is_first(text, t.at, &own);
        indent = first && brackets < 1 ? own : indent;
        if (b > blocks && first && !is_word(&t, "{") && leaves_block(&b[-1], own, closes)) {
            f->number = b[-1].line;
            move_place(f, lesson, BRACE_BEFORE, line_of(text, t.at));
            return;
        }
        brackets += is_word(&t, "(") - is_word(&t, ")");
        if (is_word(&t, "{") && b < blocks + 50)
            *b++ = (struct block){line_of(text, t.at), indent, false};
        b -= closes && b > blocks;
    }
}

/* "'i' undeclared", and above that line there is a for (int i = 0; ...); with nothing to repeat. */
static void find_empty_loop(struct finding *f, const struct lesson *lesson) {
    const char *text = file_text(lesson->source), *name = part_of(f->quote, QUOTED, 1);
    struct code code = {0};
    if (!name || !code_read_tokens(&code, text, strchr(text, '\0')))
        return;
    for (const struct loop *l = code.loops; l < code.loops + code.loop_count; l++) {
        const int line = line_of(text, code.tokens[l->open].at);
        if (line <= f->line && line + 3 >= f->line && l->variable >= 0 && is(&code, l->body, ";") &&
            is_word(&code.tokens[l->variable], name)) {
            snprintf(f->name, sizeof f->name, "%s", name);
            move_place(f, lesson, LOOP_IS_EMPTY, line);
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
#define WRITING                                                                                    \
    "(opening dependency file |error: error opening '|(unable to|cannot) open output file )"
static const struct sign system_errors[] = {
    {"No space left on device|Disk quota exceeded", DISK_FULL},
    {WRITING ".*No such file or directory", FOLDER_GONE},
    {WRITING, NOT_WRITABLE},
};

/* True if the system is the reason, and not what is in the learner's file. */
static bool explain_system(struct finding *f, const struct lesson *lesson,
                           const struct child *child) {
    const bool unreadable = access(lesson->source, R_OK) != 0 && errno == EACCES;
    const enum finding_code code =
        unreadable ? UNREADABLE : CODE_IN(system_errors, text_of(&child->err));
    if (code == NO_CODE)
        return false;
    *f = (struct finding){.kind = FOUND_OUTSIDE, .code = code};
    snprintf(f->where, sizeof f->where, "%.380s", unreadable ? lesson->source : "build/");
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
    const char *place = part_of(message, "^(.*only location) '", 1);
    const char *option = part_of(message, "^(.*) \\[-W", 1);
    snprintf(f->quote, sizeof f->quote, "%s", place ? place : option ? option : message);
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

static bool has_no_exercise(const struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++)
        if (lesson->exercises[i].line > 0)
            return false;
    return true;
}

/* The file that a line of a linker names last, with its line: "plots/01-softmax/softmax_data.c:31",
   or an object at the end of the line; "" if it names none. Its path begins at a folder of this
   tree, if one is in it. */
static const char *file_in(const char *line) {
    const char *file = part_of(line, "^(.*[ :('])?([^ :(']+\\.c(:[0-9]+)?)([:)]|$)", 2);
    file = file ? file : part_of(line, "([^ :(']+\\.o)$", 1);
    const char *own =
        file ? part_of(file, ".*/((lessons|solutions|tests|plots|common)/.*)", 1) : "";
    return own ? own : file;
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
    } else if (!caller[0] || part_of(caller, path_of("(^|/)%s\\.[^/]*$", lesson->name), 0)) {
        f->code = FUNCTION_MISSING;
    } else {
        f->kind = FOUND_OUTSIDE;
        f->code = CALLED_ELSEWHERE;
        take_place(f, caller, strchr(caller, '\0'), lesson->source);
    }
}

/* True if the line of a linker says what is wrong; names are "_name" on macOS. */
static bool explain_linker_line(struct finding *f, struct lesson *lesson, const char *line,
                                const char *after) {
    const char *missing = part_of(line, "undefined (reference to|symbol:)[ `'\"]*_?" A_NAME, 2);
    const char *twice =
        part_of(line, "(multiple definition of|duplicate symbol:?)[ `'\"]*_?" A_NAME, 2);
    missing = missing ? missing : part_of(line, "\"_?" A_NAME "\", referenced from:", 1);
    if (missing || twice)
        snprintf(f->name, sizeof f->name, "%s", missing ? missing : twice);
    if (missing)
        explain_undefined(f, lesson, line, after);
    else if (twice)
        f->code = strcmp(twice, "main") == 0 ? MAIN_TWICE : DEFINED_TWICE;
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
