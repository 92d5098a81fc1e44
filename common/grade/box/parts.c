/* The definitions of all exercises are blanked in the copy of the file, and one after the other is
   put back, as far as the file still builds. If nothing builds, a second round blanks what stands
   between the exercises, too, because the mistake may be there. */
#include "grade/box/runner.h"

#include "base/files.h"
#include "base/tokens.h"

#include <stdio.h>
#include <string.h>

struct parts {
    const struct task *task;
    const struct lesson *lesson; /* its lesson */
    struct text source;          /* as it was handed in */
    exercise_set kept;
    bool bare; /* only the exercises, since the code around them may not build */
};

/* From a line that begins with a type to the first brace that begins one: how functions are laid
   out, also where the braces between do not match. */
static bool find_by_lines(const char *start, const char *name, const char **from, const char **to) {
    size_t length = strlen(name);
    for (const char *line = start; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "("), *brace = strstr(line, "\n}");
        if (name_length(line) == 0 || (size_t)(end - line) <= length || !brace ||
            !finds_word(line, end, name, length) || memchr(line, ';', (size_t)(end - line)) ||
            memchr(line, '\n', (size_t)(end - line)))
            continue;
        *from = line;
        *to = brace + 2;
        return true;
    }
    return false;
}

/* Where a brace is missing, the definition that is read goes on into the next one. */
static bool find(const char *start, const char *name, const char **from, const char **to) {
    const char *line = NULL, *brace = NULL;
    bool lines = find_by_lines(start, name, &line, &brace);
    if (!find_definition(start, name, from, to)) {
        *from = line;
        *to = brace;
        return lines;
    }
    if (lines && line <= *from && brace < *to)
        *to = brace;
    return true;
}

/* The code outside of all exercises, without lines of the preprocessor. */
static void blank_between(char *from, const char *to) {
    while (from < to) {
        const char *found = memchr(from, '\n', (size_t)(to - from)); /* a NUL may stand before it */
        char *end = from + ((found ? found : to) - from);
        if (from[strspn(from, " \t")] != '#')
            blank_part(from, end);
        from = end + (end < to);
    }
}

/* With `bare`, the exercises are put back when all of the code is blank. */
static bool write_kept(const struct parts *p) {
    struct text part = {0}, whole = {0};
    const char *from, *to;
    text_add(&part, text_of(&p->source), p->source.length);
    for (int i = 0; i < p->lesson->count; i++)
        if (find(part.chars, p->lesson->exercises[i].name, &from, &to) && !has(p->kept, i))
            blank_part(part.chars + (from - part.chars), to);
    text_add(&whole, part.chars, part.length);
    if (p->bare)
        blank_between(part.chars, part.chars + part.length);
    for (int i = 0; i < p->lesson->count; i++)
        if (p->bare && has(p->kept, i) &&
            find(whole.chars, p->lesson->exercises[i].name, &from, &to))
            memcpy(part.chars + (from - whole.chars), from, (size_t)(to - from));
    return file_replace(p->lesson->source, &part);
}

static bool builds(const struct parts *p) {
    struct check check = {.task = *p->task, .linked = p->task->settings->runner->objects};
    const char *program = built(p->task, "part");
    bool good = write_kept(p) && build_object(&check) && build_program(&check, program);
    remove(program);
    return good;
}

/* Those of a set that are in the file. */
static exercise_set there(const struct parts *p, exercise_set set) {
    const char *from, *to;
    for (int i = 0; i < p->lesson->count; i++)
        if (!find(text_of(&p->source), p->lesson->exercises[i].name, &from, &to))
            set &= ~only(i);
    return set;
}

/* Adds one exercise after the other, as far as they build together. The code around the exercises
   must build without them: it is tried first. */
static bool try_each(struct parts *p) {
    exercise_set together = p->kept = 0;
    if (!builds(p))
        return false;
    for (int i = 0; i < p->lesson->count; i++) {
        p->kept = together | there(p, only(i));
        if (p->kept != together && builds(p))
            together = p->kept;
    }
    p->kept = together;
    return together && write_kept(p);
}

bool parts_keep(const struct task *task, exercise_set *refused) {
    const struct lesson *lesson = task->lesson;
    struct parts p = {.task = task, .lesson = lesson};
    text_read_file(&p.source, lesson->source);
    bool any = try_each(&p) || (p.bare = true, try_each(&p));
    *refused = there(&p, all_exercises(lesson) & ~p.kept);
    if (!any)
        file_replace(lesson->source, &p.source);
    return any;
}
