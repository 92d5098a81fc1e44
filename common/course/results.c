/* The file of results: stamps of what was checked, then a line for each exercise and, below it, why
   it is not done and the slips that this is about. */
#include "course/results.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>

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
