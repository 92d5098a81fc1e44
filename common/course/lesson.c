/* Reads a lesson's folder: the title from its README, the exercises from its header and hints.md,
   and their lines in the learner's file. */
#include "course/lesson.h"

#include "base/child.h"
#include "base/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_words[] = {
    [NOT_CHECKED] = "unchecked", [NOT_STARTED] = "todo", [WAITING] = "waits",
    [WRONG] = "wrong",           [BROKEN] = "broken",    [DONE] = "done",
};

const char *state_word(enum state state) {
    return state_words[state];
}

/* --- the header and the source -------------------------------------------------------------- */

/* The words of a comment without its stars and indentation, as one paragraph; but a line that is
   set in, a formula, stays a line: "\n\t" stands before it, and "\n" before what follows. */
static void read_contract(struct text *contract, const struct function *f) {
    const char *glue = "", *line;
    if (!f->comment)
        return;
    const char *at = copy_of(f->comment + 2, f->comment_end - (f->comment[1] == '*' ? 2 : 0));
    for (bool first = true; (line = next_line(&at)); first = false) {
        const char *words = trimmed(line);
        const bool set_in = !first && strspn(line, " ") > 3;
        if (set_in && words[0])
            glue = contract->length > 0 ? "\n\t" : "\t";
        for (size_t n; *words; words += n + strspn(words + n, " \t")) {
            n = set_in ? strlen(words) : strcspn(words, " \t");
            text_print(contract, "%s%.*s", glue, (int)n, words);
            glue = set_in ? "\n" : " ";
        }
    }
}

static void add_exercise(struct lesson *lesson, const struct function *f) {
    size_t length = (size_t)(f->after_name - f->name);
    if (length >= NAME_SIZE || lesson->count == MOST_EXERCISES)
        die("lessons/%s: %.*s is too long a name, or one exercise too many", lesson->folder,
            (int)length, f->name);
    lesson->exercises = with_room(lesson->exercises, lesson->count, sizeof *lesson->exercises);
    struct exercise *e = &lesson->exercises[lesson->count++];
    *e = (struct exercise){.told = "", .slips = ""};
    memcpy(e->name, f->name, length);
    read_contract(&e->contract, f);
}

/* Is there a line "## name"? */
static bool has_section(const char *text, const char *name, size_t length) {
    for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
        if (starts_with(text, "## ") && strncmp(text + 3, name, length) == 0 &&
            text[3 + length + strspn(text + 3 + length, " \r")] == '\n')
            return true;
    return false;
}

static void read_exercises(struct lesson *lesson, const char *header, const char *hints) {
    struct function f;
    for (const char *at = header; next_function(header, at, &f); at = f.end)
        if (has_section(hints, f.name, (size_t)(f.after_name - f.name)))
            add_exercise(lesson, &f);
}

static void find_definitions(struct lesson *lesson, const char *source) {
    struct function f;
    for (const char *at = source; next_function(source, at, &f); at = f.end) {
        for (int i = 0; f.body && i < lesson->count; i++) {
            struct exercise *e = &lesson->exercises[i];
            if (e->line || !has_name(&f, e->name))
                continue;
            e->line = line_of(source, f.name);
            e->todo = f.todo;
        }
    }
}

/* --- the folder ----------------------------------------------------------------------------- */

/* The README starts "# 01 · Softmax", an empty line, and the tagline. */
static void read_title(struct lesson *lesson) {
    const char *at = file_text(lesson->readme);
    for (char *line; !lesson->tagline[0] && (line = next_line(&at));) {
        const char *title = line + strcspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        line[strcspn(line, "\r")] = '\0';
        if (line[0] == '#')
            snprintf(lesson->title, sizeof lesson->title, "%.60s", title);
        else if (line[0])
            snprintf(lesson->tagline, sizeof lesson->tagline, "%.90s", line);
    }
}

bool lesson_read(struct lesson *lesson, const char *folder, const char *from, const char *out) {
    *lesson = (struct lesson){0};
    if (!strchr(folder, '-'))
        return false;
    snprintf(lesson->folder, sizeof lesson->folder, "%s", folder);
    snprintf(lesson->number, sizeof lesson->number, "%.*s", (int)strcspn(folder, "-"), folder);
    snprintf(lesson->name, sizeof lesson->name, "%s", folder + strcspn(folder, "-") + 1);
    for (char *c = lesson->name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    lesson->readme = path_of("lessons/%s/README.md", folder);
    lesson->source = path_of("%s/%s/%s.c", from, folder, lesson->name);
    lesson->results = path_of("%s/%s/results", out, folder);
    lesson->header = path_of("lessons/%s/%s.h", folder, lesson->name);
    read_exercises(lesson, file_text(lesson->header),
                   sealed_text(path_of("lessons/%s/hints.md", folder)));
    find_definitions(lesson, file_text(lesson->source));
    read_title(lesson);
    return lesson->count > 0;
}

const char *lesson_file(const struct lesson *lesson, const char *name) {
    const char *slash = strrchr(lesson->results, '/');
    return path_of("%.*s/%s", (int)(slash - lesson->results), lesson->results, name);
}

char **lesson_folders(const char *where) {
    struct command found = {0};
    command_add_found(&found, path_of("%s/[0-9]*-*/", where));
    char **names = calloc((size_t)found.count + 1, sizeof *names);
    for (int i = 0; names && i < found.count; i++) {
        const char *name = found.words[i] + strlen(where) + 1;
        names[i] = path_of("%.*s", (int)strcspn(name, "/"), name);
    }
    return names;
}

bool lesson_done(const struct lesson *lesson) {
    return lesson->count > 0 && lesson_done_count(lesson) == lesson->count;
}

int lesson_done_count(const struct lesson *lesson) {
    int done = 0;
    for (int i = 0; i < lesson->count; i++)
        done += lesson->exercises[i].state == DONE;
    return done;
}

static int urgency(enum state state) {
    return state == DONE ? 0 : state == WAITING ? 1 : state == WRONG || state == BROKEN ? 3 : 2;
}

struct exercise *lesson_first_undone(struct lesson *lesson) {
    struct exercise *first = NULL;
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        if (urgency(e->state) > (first ? urgency(first->state) : 0))
            first = e;
    }
    return first;
}

struct exercise *lesson_exercise(struct lesson *lesson, const char *name) {
    for (int i = 0; i < lesson->count; i++)
        if (strcmp(lesson->exercises[i].name, name) == 0)
            return &lesson->exercises[i];
    return NULL;
}

bool lesson_takes_memory(const struct lesson *lesson) {
    return uses_word(sealed_text(reference_of(lesson)), "calloc");
}

const char *reference_of(const struct lesson *lesson) {
    return sealed_path(path_of("solutions/%s/%s.c", lesson->folder, lesson->name));
}

const char *list_of(const struct lesson *lesson) {
    return sealed_path(path_of("tests/%s/slips", lesson->folder));
}

void blank_exercises(char *source, const struct lesson *lesson, exercise_set set) {
    const char *from, *to;
    for (int i = 0; i < lesson->count; i++)
        if (has(set, i) && find_definition(source, lesson->exercises[i].name, &from, &to))
            blank_part(source + (from - source), to);
}

/* --- what the last check found -----------------------------------------------------------------

   The file has stamps of what was checked, then a line for each exercise and, below it, why it is
   not done and the slips that this is about. */

/* "wrong 3 5 softmax_rows", where 3 of its 5 tests pass; then, if there is more to say, "told ...",
   and "slip NAME" for each slip that this is about. */
static void read_line(struct lesson *lesson, const char *line, struct exercise **last) {
    char word[16];
    int passed, tests, name = 0;
    lesson->unbuilt = lesson->unbuilt || strcmp(line, "unbuilt") == 0;
    if (starts_with(line, "told ") && *last)
        (*last)->told = path_of("%s", line + 5);
    if (starts_with(line, "slip ") && *last)
        (*last)->slips = path_of("%s%s\n", (*last)->slips, line + 5);
    if (sscanf(line, "%15s %d %d %n", word, &passed, &tests, &name) != 3 || name == 0)
        return;
    struct exercise *e = *last = lesson_exercise(lesson, line + name);
    for (int state = NOT_CHECKED; e && state <= DONE; state++)
        if (strcmp(word, state_word((enum state)state)) == 0)
            e->state = (enum state)state;
    if (e) {
        e->passed = passed;
        e->tests = tests;
    }
}

/* Without results that hold: what can be seen without a check. True if there is something to check.
 */
static bool look_at_source(struct lesson *lesson) {
    bool there = file_is_there(lesson->source), begun = false;
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        e->told = e->slips = "";
        e->state = e->todo ? NOT_STARTED : NOT_CHECKED;
        e->tests = e->passed = 0;
        begun = begun || !e->todo;
    }
    return there && begun;
}

enum results results_load(struct lesson *lesson) {
    struct stamps of = {0};
    struct exercise *last = NULL;
    for (const char *at = file_text(lesson->results), *line; (line = next_line(&at));)
        if (!stamps_read_line(&of, line))
            read_line(lesson, line, &last);
    bool same = of.count > 0 && stamp_holds(&of.all[0]); /* the learner's own */
    if (same && stamps_hold(&of))
        return RESULTS;
    bool passed = lesson_done(lesson);
    lesson->unbuilt = false;
    bool begun = look_at_source(lesson);
    return same && passed ? RENEWABLE : begun ? OLD_RESULTS : NO_RESULTS;
}

bool results_save(const struct lesson *lesson, const struct stamps *of) {
    struct text text = {0};
    stamps_print(of, &text);
    if (lesson->unbuilt)
        text_print(&text, "unbuilt\n");
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        text_print(&text, "%s %d %d %s\n", state_word(e->state), e->passed, e->tests, e->name);
        if (*e->told)
            text_print(&text, "told %s\n", e->told);
        for (const char *at = e->slips, *line; (line = next_line(&at));)
            text_print(&text, "slip %s\n", line);
    }
    make_folder_of(lesson->results);
    return file_replace(lesson->results, &text);
}

/* --- a release -------------------------------------------------------------------------------- */

#define FOLDER "sealed/"

bool is_release(void) {
    return file_is_there("RELEASE");
}

const char *sealed_path(const char *path) {
    const char *sealed = path_of(FOLDER "%s", path);
    return file_is_there(path) || !file_is_there(sealed) ? path_of("%s", path) : sealed;
}

const char *sealed_text(const char *path) {
    struct text text;
    const char *found = sealed_path(path);
    text_read_file(&text, found);
    if (starts_with(found, FOLDER))
        text_seal(&text);
    return text_of(&text);
}

void text_seal(struct text *text) {
    const int signs = '~' - '!' + 1;
    for (char *c = text->chars; c && *c; c++)
        if (*c >= '!' && *c <= '~')
            *c = (char)('!' + (*c - '!' + signs / 2) % signs);
}
