#include "grade.h"

#include "files.h"

#include <stdio.h>
#include <string.h>

/* --- fields --------------------------------------------------------------------------------- */

/* How many bytes of UTF-8 begin there: 0 if they are none, or are not to be seen. */
static int letter_length(const unsigned char *at) {
    int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at >= 0xe0 && *at < 0xf0 ? 2 : 3;
    unsigned code = more ? *at & (0x3fu >> more) : *at;
    if (*at < ' ' || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) || *at > 0xf4)
        return 0;
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool short_form = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
    bool hidden = (code >= 0x80 && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
                  (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return short_form || hidden || surrogate || code > 0x10ffff ? 0 : more + 1;
}

/* One line of readable text, and a tab or a line's end behind it. */
static void add_field(struct text *text, const char *field, char end) {
    for (const unsigned char *at = (const unsigned char *)field; *at;) {
        int length = letter_length(at);
        text_add(text, length ? (const char *)at : *at == '\n' || *at == '\t' ? " " : "?",
                 length ? (size_t)length : 1);
        at += length ? length : 1;
    }
    text_add(text, &end, 1);
}

static bool write_table(struct text *table, const char *folder, const char *name) {
    if (table->length == 0)
        text_add(table, "", 0);
    bool written = file_replace(path_of("%s/%s", folder, name).chars, table);
    text_free(table);
    return written;
}

/* --- the tables ----------------------------------------------------------------------------- */

/* Its TODO() is that of the host: the function itself is not there. */
static bool is_missing(const struct check *check, const struct exercise *e) {
    const struct test *bad = report_first_bad(&check->report, e);
    return e->state == NOT_STARTED && bad && strcmp(bad->missing, e->name) == 0 &&
           test_of_missing(bad);
}

static const char *word_of(const struct check *check, const struct lesson *lesson,
                           const struct exercise *e) {
    static const char *const words[] = {
        [NOT_CHECKED] = "unchecked", [NOT_STARTED] = "todo", [WAITING] = "waits",
        [WRONG] = "wrong",           [BROKEN] = "broken",    [DONE] = "done",
    };
    return lesson->unbuilt ? "unchecked" : is_missing(check, e) ? "missing" : words[e->state];
}

static bool write_exercises(const struct check *check, const struct lesson *lesson,
                            const char *folder) {
    struct text table = {0};
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        text_print(&table, "%s\t%s\t%d\t%d\t", e->name, word_of(check, lesson, e), e->passed,
                   e->tests);
        add_field(&table, text_of(&e->told), '\n');
    }
    return write_table(&table, folder, "exercises");
}

static const char *verdict_of(const struct test *t) {
    switch (t->verdict) {
    case PASSED:
        return "pass";
    case FAILED:
        return "fail";
    case RUNNING:
        return "error";
    default:
        return "skipped";
    }
}

static bool write_tests(const struct check *check, const char *folder) {
    struct text table = {0};
    for (int i = 0; i < check->report.count; i++) {
        const struct test *t = &check->report.tests[i];
        struct path sentence = path_of("%s", t->name);
        for (char *c = sentence.chars; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        text_print(&table, "%s\t%s\t%s\t", t->exercise->name, sentence.chars, verdict_of(t));
        add_field(&table, t->where, '\t');
        add_field(&table, t->message[0] ? t->message : t->touched, '\n');
    }
    return write_table(&table, folder, "tests");
}

/* What is wrong first, in one line: of the file, or of an exercise. */
static void add_problem(struct text *text, const struct check *check, struct lesson *lesson) {
    const struct exercise *e = lesson_first_undone(lesson);
    struct text line = {0};
    if (check->stage == NO_FILE)
        text_print(&line, "there is no file");
    else if (check->stage != TESTED)
        text_print(&line, "%s: %s", check->fault.where, check->fault.what);
    else if (e)
        text_print(&line, "%s: %s", e->name,
                   e->told.length ? text_of(&e->told) : word_of(check, lesson, e));
    add_field(text, text_of(&line), '\n');
    text_free(&line);
}

static bool write_verdict(const struct check *check, struct lesson *lesson, const char *folder) {
    struct text table = {0};
    int passed = 0, tests = 0;
    for (int i = 0; i < lesson->count; i++) {
        passed += lesson->exercises[i].passed;
        tests += lesson->exercises[i].tests;
    }
    text_print(&table, "%s\t%d\t%d\t%d\t%d\n", lesson->unbuilt ? "not built" : "graded",
               lesson->unbuilt ? 0 : lesson_done_count(lesson), lesson->count, passed, tests);
    add_problem(&table, check, lesson);
    return write_table(&table, folder, "verdict");
}

bool grade_write(const struct check *check, struct lesson *lesson, const char *folder) {
    return write_exercises(check, lesson, folder) && write_tests(check, folder) &&
           write_verdict(check, lesson, folder);
}
