/* Finds the learner's line in stack traces, and draws it: addresses are named by addr2line, frames
   of other files are left out, and a line of code that is too long is cut or folded for the screen.
 */
#include "explain/explain.h"

#include "base/child.h"
#include "base/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- code, drawn ---------------------------------------------------------------------------- */

enum { DRAWN = 68 }; /* columns of source code that fit the screen */

/* Takes away indentation, and what is left of a caret too far to the right to be seen. */
static void shift_drawing(char *source, char *caret) {
    size_t cut = strspn(source, " ");
    size_t at = strcspn(caret, "^");
    if (cut > at || cut > strlen(source))
        return;
    memmove(source, source + cut, strlen(source + cut) + 1);
    memmove(caret, caret + cut, strlen(caret + cut) + 1);
    at -= cut;
    if (at + 10 < DRAWN)
        return;
    cut = at - DRAWN / 2;
    if (cut + 3 > strlen(source))
        return;
    memmove(source, source + cut, strlen(source + cut) + 1);
    memcpy(source, "...", 3);
    memset(caret, ' ', at);
    memmove(caret, caret + cut, strlen(caret + cut) + 1);
}

/* The text after the bar of " 15 | code" or " | ^~~~"; NULL without a bar. */
static char *behind_bar(char *line) {
    char *bar = strstr(line, " | ");
    return bar ? bar + 3 : NULL;
}

/* gcc and clang draw the source line, and a caret under it; gcc puts a bar before both. */
void take_drawing(struct text *drawing, const char *at) {
    char *source = next_line(&at), *caret;
    for (int i = 0; i < 2 && (caret = next_line(&at)); i++, source = caret) {
        if (caret[strspn(caret, " |~")] != '^')
            continue;
        char *code = behind_bar(source), *mark = behind_bar(caret);
        bool bars = code && mark;
        shift_drawing(bars ? code : source, bars ? mark : caret);
        text_print(drawing, "%s\n%s\n", source, caret);
        return;
    }
}

const char *drawn_at_caret(const struct text *drawing) {
    const char *source = text_of(drawing), *end = strchr(source, '\n');
    const char *caret = end ? strchr(end, '^') : NULL;
    size_t column = caret ? (size_t)(caret - end - 1) : 0;
    return caret && column < (size_t)(end - source) ? source + column : "";
}

/* Where a line of a text begins; NULL if it has no such line. */
static const char *start_of(const char *text, int line) {
    while (text && --line > 0)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    return text;
}

/* Without its end; NULL if the file has no such line. A tab is as wide as any other character. */
static char *source_line(const char *file, int line) {
    const char *at = start_of(file_text(file), line);
    char *found = at ? next_line(&at) : NULL;
    for (char *c = found; c && *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    return found;
}

/* On several rows of the screen where it is too long. */
static void draw_whole(struct text *drawing, int line, const char *chars) {
    size_t length = strlen(chars), from = length <= DRAWN ? 0 : strspn(chars, " ");
    for (size_t at = from, part; at < length; at += part) {
        part = length - at;
        if (part > DRAWN)
            for (part = DRAWN; part > 1 && chars[at + part - 1] != ' ';)
                part--;
        if (at == from)
            text_print(drawing, "%5d | ", line);
        else
            text_print(drawing, "      | ");
        text_print(drawing, "%.*s\n", (int)part - (chars[at + part - 1] == ' '), chars + at);
    }
}

static int open_brackets(const char *chars) {
    int open = 0;
    for (; *chars; chars++)
        open += (*chars == '(') - (*chars == ')');
    return open;
}

/* With a caret under the column, which is brought into view. */
static void draw_at(struct text *drawing, int line, char *chars, int column) {
    char *caret = path_of("%*s", column, "^");
    if (strlen(chars) > DRAWN)
        shift_drawing(chars, caret);
    text_print(drawing, "%5d | %s\n      | %s\n", line, chars, caret);
}

void draw_line(struct text *drawing, const char *file, int line, int column) {
    char *chars = source_line(file, line);
    if (!chars)
        return;
    int open = open_brackets(chars), last = line + 2;
    size_t length = strlen(chars), code = length - strspn(chars, " ");
    bool fits = code <= DRAWN && open <= 0, endless = code > 3 * DRAWN;
    if (column > 0 && (size_t)column <= length && (fits || endless)) {
        draw_at(drawing, line, chars, column);
        return;
    }
    draw_whole(drawing, line, chars);
    while (open > 0 && line++ < last && (chars = source_line(file, line))) {
        draw_whole(drawing, line, chars);
        open += open_brackets(chars);
    }
}

const char *names_in_function(const char *file, const struct frame *frame, const char *array) {
    const char *text = file_text(file), *at = start_of(text, frame->line), *names = "", *from, *to;
    struct code c;
    if (!at || !find_definition(text, frame->function, &from, &to) ||
        !code_read_parameters(&c, from, to, ""))
        return "";
    for (int i = 0; i < c.count; i++) {
        const struct token *t = &c.tokens[i];
        const struct name *n = name_at(&c, i);
        const bool is_indexed =
            t->at >= at && t->at < at + strcspn(at, "\n") && t->kind == NAME && is(&c, i + 1, "[");
        if (n ? is_word(t, array) : is_indexed)
            return "";
        if (is_indexed && !has_word(names, t->at, t->length))
            names = path_of("%s%s%.*s", names, names[0] ? " " : "", (int)t->length, t->at);
    }
    return names;
}

/* --- stacks --------------------------------------------------------------------------------- */

/* The file as a stack names it, whose folders are written out; in a box they lie below another one.
 */
static const char *source_name(const struct lesson *lesson) {
    const char *source = lesson->source;
    while (starts_with(source, "../"))
        source += 3;
    return source + (*source == '/');
}

/* "    #1 0x55d0c0 in softmax_rows /home/…/softmax.c:31" */
static void take_function(char function[NAME_SIZE], const char *line) {
    const char *name = part_of(line, "#.* in ([A-Za-z0-9_]+)", 1);
    snprintf(function, NAME_SIZE, "%s", name ? name : "");
}

/* The place in a line with "path/of/the/source.c:31" or "source.c:31:5", and the function. On some
   systems a stack names the file without its folder: "in dot dot_product.c:31". */
static bool read_frame(struct frame *frame, const char *line, const char *source) {
    static const char place[] = "^(.*\\.c):([1-9][0-9]*)(:([0-9]+))?";
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *path = strstr(line, base) ? part_of(line, place, 1) : NULL;
    const char *named = path && ends_with(path, source) ? source : base;
    if (!path || !ends_with(path, named))
        return false;
    const char *own = path + strlen(path) - strlen(named);
    *frame = (struct frame){atoi(part_of(line, place, 2)), atoi(part_of(line, place, 4)), ""};
    take_function(frame->function, line);
    return own == path ? named == source : strchr(named == source ? "/ (" : " ", own[-1]) != NULL;
}

static void add_frame(struct stack *stack, struct frame frame) {
    struct frame *first = &stack->frames[0];
    for (int i = 0; i < stack->count; i++)
        if (strcmp(stack->frames[i].function, frame.function) == 0)
            return;
    if (stack->count == 1 && !first->function[0])
        strcpy(first->function, frame.function); /* a "runtime error" came without one */
    else if (stack->count < 16 && (stack->count == 0 || frame.function[0]))
        stack->frames[stack->count++] = frame;
}

/* Of the first stack in the text; a second one says where memory was allocated. */
struct stack stack_of(const struct lesson *lesson, const char *said) {
    struct stack stack = {0};
    struct frame frame;
    for (const char *line; (line = next_line(&said));) {
        if (stack.count > 0 && stack.frames[0].function[0] && strstr(line, "#0 "))
            break;
        if (read_frame(&frame, line, source_name(lesson))) {
            add_frame(&stack, frame);
            stack.calls += strchr(line, '#') != NULL;
        } else if (stack.count == 0 && strstr(line, "solutions/")) {
            take_function(stack.earlier, line);
        }
    }
    return stack;
}

/* "(/…/test+0x1a2b)" of a sanitizer, "/…/test(+0x1a2b)" of the system: the address in the program;
   NULL if the line has none. */
static const char *address_in(const char *line, const char *program) {
    const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
    return strstr(line, base) ? part_of(line, path_of("%s[(+]+([0-9a-fx]+)", base), 1) : NULL;
}

void stack_name(struct text *said, const char *program) {
    struct command command = {0};
    struct child child;
    struct text named = {0};
    const char *address, *name;
    command_add_split(&command, "addr2line -pfe"); /* "softmax_rows at /home/…/softmax.c:31" */
    command_add(&command, program);
    for (const char *at = text_of(said), *line;
         command.count < MOST_WORDS && (line = next_line(&at));)
        if ((address = address_in(line, program)))
            command_add(&command, address);
    if (command.count == 3 || !command_run(&command, &child))
        return;
    const char *at = text_of(said), *names = text_of(&child.out), *line;
    for (int i = 0; (line = next_line(&at)); i++) {
        i = strchr(line, '#') ? atoi(strchr(line, '#') + 1) : i;
        if ((address = address_in(line, program)) && (name = next_line(&names)))
            text_print(&named, "    #%d %s in %s\n", i, address, name);
        else
            text_print(&named, "%s\n", line);
    }
    *said = named;
}

static bool is_done(struct lesson *lesson, const char *function, const struct exercise *tested) {
    const struct exercise *e = lesson_exercise(lesson, function);
    return e && e != tested && e->state == DONE;
}

void put_place(struct finding *f, struct lesson *lesson, const struct exercise *tested) {
    const struct frame *frames = f->stack.frames;
    int at = 0;
    while (tested && at + 1 < f->stack.count && is_done(lesson, frames[at].function, tested))
        at++;
    if (f->stack.count == 0)
        return;
    f->at = at;
    f->line = frames[at].line;
    snprintf(f->where, sizeof f->where, "%.380s", lesson->source);
    snprintf(f->function, sizeof f->function, "%s", frames[at].function);
    snprintf(f->right, sizeof f->right, "%s", at > 0 ? frames[at - 1].function : f->stack.earlier);
    draw_line(&f->excerpt, f->where, f->line, frames[at].column);
    for (int i = at; i < f->stack.count && !f->exercise; i++)
        f->exercise = lesson_exercise(lesson, frames[i].function);
}

/* Does the token stand in an index, between `from` and `to`, and in the words (if there are any)?
 */
static bool is_index(const struct code *c, int i, const char *from, const char *to,
                     const char *words) {
    const struct token *t = &c->tokens[i];
    return t->at >= from && t->at < to && is(c, bracket_around(c, i), "[") &&
           (!*words || has_word(words, t->at, t->length));
}

void draw_loops(struct finding *f) {
    const char *text = file_text(f->where), *from = start_of(text, f->line);
    struct code c = {0};
    struct text heads = {0};
    const char *index = f->code == INDEX_OUTSIDE ? f->name : "";
    if (!from || !code_read_tokens(&c, text, strchr(text, '\0')))
        return;
    const char *to = from + strcspn(from, "\n");
    for (const struct loop *l = c.loops; l < c.loops + c.loop_count; l++)
        for (int i = l->body; i <= l->end && l->variable >= 0 && c.tokens[l->open].at < from; i++)
            if (same_token(&c, i, &c, l->variable) && is_index(&c, i, from, to, index)) {
                draw_line(&heads, f->where, line_of(text, c.tokens[l->open].at), 0);
                break;
            }
    text_print(&heads, "%s", text_of(&f->excerpt));
    f->excerpt = heads;
}

/* --- indices -------------------------------------------------------------------------------- */

/* The last bracket of the index that is meant: gcc names the first one of it, and clang the begin
   of the whole, whose type has a bracket for each index that follows. */
static int end_of_index(const struct code *c, int at, const char *type) {
    const bool is_first = is(c, at, "[");
    int i = is_first ? at : path_end(c, at) + 1, before = 0;
    for (int k = i; is(c, k, "["); k = behind_one(c, k))
        before++;
    for (; *type; type++)
        before -= *type == '[';
    for (before = is_first ? 0 : before; before > 0; before--)
        i = behind_one(c, i);
    return before == 0 && is(c, i, "[") ? behind_one(c, i) : -1;
}

const char *indexed_at(const char *file, const char *said) {
    const char *slash = strrchr(file, '/'), *text = file_text(file);
    const char *error =
        path_of("%s:([0-9]+):([0-9]+): runtime error: index[^\n]*for type '([^\n]*)",
                slash ? slash + 1 : file);
    const char *line = part_of(said, error, 1), *at = line ? start_of(text, atoi(line)) : NULL;
    struct code c = {0};
    int i = 0;
    if (!at || !code_read_tokens(&c, text, strchr(text, '\0')))
        return "";
    for (at += atoi(part_of(said, error, 2)) - 1; i < c.count && c.tokens[i].at < at;)
        i++;
    int to = end_of_index(&c, i, part_of(said, error, 3)), from = is(&c, i, "[") ? i - 1 : i;
    for (int array = from; to > 0 && array >= 0; array = object_of(&c, from))
        from = array_of(&c, array);
    return to > 0 ? tokens_of(&c, from, to) : "";
}
