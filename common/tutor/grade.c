#include "tutor/grade.h"

#include "base/files.h"
#include "base/screen.h"
#include "base/utf8.h"
#include "check/parts.h"
#include "diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCREEN = 100000 }; /* bytes */

/* --- fields --------------------------------------------------------------------------------- */

/* One line of readable text, and a tab or a line's end behind it. */
static void add_field(struct text *text, const char *field, char end) {
    text_add_readable(text, field, strlen(field), '\0');
    text_add(text, &end, 1);
}

static struct path screen_part(const char *folder) {
    return path_of("%s/screen.part", folder);
}

void grade_begin_screen(const char *folder) {
    if (!freopen(screen_part(folder).chars, "w", stdout)) {
        perror(screen_part(folder).chars);
        exit(2);
    }
}

/* What somebody's code has printed is on it, too, and may be any bytes. */
bool grade_end_screen(const char *folder) {
    struct text screen, shown = {0};
    fflush(stdout);
    text_read_file(&screen, screen_part(folder).chars);
    remove(screen_part(folder).chars);
    text_add_readable(&shown, text_of(&screen),
                      screen.length < MOST_SCREEN ? screen.length : MOST_SCREEN, '\n');
    bool written = file_replace(path_of("%s/screen.txt", folder).chars, &shown);
    text_free(&screen);
    text_free(&shown);
    return written;
}

static bool write_table(struct text *table, const char *folder, const char *name) {
    if (table->length == 0)
        text_add(table, "", 0);
    bool written = file_replace(path_of("%s/%s", folder, name).chars, table);
    text_free(table);
    return written;
}

/* --- the tables ----------------------------------------------------------------------------- */

/* The check that found what is known of the exercises. */
static const struct check *check_of(const struct grade *grade) {
    return grade->refused ? &grade->parts : grade->check;
}

static bool is_refused(const struct grade *grade, const struct exercise *e) {
    return grade->refused && grade->refused[e - grade->lesson->exercises];
}

static const char *word_of(const struct grade *grade, const struct exercise *e) {
    static const char *const words[] = {
        [NOT_CHECKED] = "unchecked", [NOT_STARTED] = "todo", [WAITING] = "waits",
        [WRONG] = "wrong",           [BROKEN] = "broken",    [DONE] = "done",
    };
    const struct test *bad = report_first_bad(&check_of(grade)->report, e);
    bool missing = e->state == NOT_STARTED && bad && strcmp(bad->missing, e->name) == 0 &&
                   test_of_missing(bad);
    if (grade->lesson->unbuilt)
        return "unchecked";
    return is_refused(grade, e) ? "broken" : missing ? "missing" : words[e->state];
}

static const char *mistake_of(const struct grade *grade, const struct exercise *e) {
    return is_refused(grade, e) ? "it does not compile" : text_of(&e->told);
}

static bool write_exercises(const struct grade *grade) {
    struct text table = {0};
    for (int i = 0; i < grade->lesson->count; i++) {
        const struct exercise *e = &grade->lesson->exercises[i];
        text_print(&table, "%s\t%s\t%d\t%d\t", e->name, word_of(grade, e), e->passed, e->tests);
        add_field(&table, mistake_of(grade, e), '\n');
    }
    return write_table(&table, grade->folder, "exercises");
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

static bool write_tests(const struct grade *grade) {
    const struct report *report = &check_of(grade)->report;
    struct text table = {0};
    for (int i = 0; i < report->count; i++) {
        const struct test *t = &report->tests[i];
        struct path sentence = path_of("%s", t->name);
        for (char *c = sentence.chars; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        text_print(&table, "%s\t%s\t%s\t%.4f\t", t->exercise->name, sentence.chars, verdict_of(t),
                   t->seconds);
        add_field(&table, t->where, '\t');
        add_field(&table, t->message[0] ? t->message : t->touched, '\n');
    }
    return write_table(&table, grade->folder, "tests");
}

/* What is wrong first, in one line: of the file, or of an exercise. */
static void add_problem(struct text *text, const struct grade *grade) {
    const struct exercise *e = lesson_first_undone(grade->lesson);
    const struct check *check = grade->check;
    struct text line = {0};
    if (check->stage == NO_FILE)
        text_print(&line, "there is no file");
    else if (check->stage != TESTED)
        text_print(&line, "%s%s: %s", grade->refused ? "builds only in part: " : "",
                   check->fault.where, check->fault.what);
    else if (e)
        text_print(&line, "%s: %s", e->name,
                   e->told.length ? text_of(&e->told) : word_of(grade, e));
    add_field(text, text_of(&line), '\n');
    text_free(&line);
}

static bool write_verdict(const struct grade *grade) {
    struct lesson *lesson = grade->lesson;
    struct text table = {0};
    int passed = 0, tests = 0;
    for (int i = 0; i < lesson->count; i++) {
        passed += lesson->exercises[i].passed;
        tests += lesson->exercises[i].tests;
    }
    text_print(&table, "%s\t%d\t%d\t%d\t%d\n",
               lesson->unbuilt  ? "not built"
               : grade->refused ? "in part"
                                : "graded",
               lesson->unbuilt ? 0 : lesson_done_count(lesson), lesson->count, passed, tests);
    add_problem(&table, grade);
    return write_table(&table, grade->folder, "verdict");
}

bool grade_write(const struct grade *grade) {
    return write_exercises(grade) && write_tests(grade) && write_verdict(grade);
}

/* --- parts of a file ------------------------------------------------------------------------ */

static void say_parts(const struct grade *grade) {
    say(PLAIN, "\n");
    say_paragraph(PLAIN, 0,
                  "The file does not build as a whole. Each of its exercises that does was tried "
                  "by itself:");
    say(PLAIN, "\n");
    for (int i = 0; i < grade->lesson->count; i++) {
        const struct exercise *e = &grade->lesson->exercises[i];
        say(PLAIN, "  %-32s %-10s", e->name,
            is_refused(grade, e) ? "does not compile" : word_of(grade, e));
        if (!is_refused(grade, e) && e->tests > 0)
            say(PLAIN, "%d of %d tests", e->passed, e->tests);
        say(PLAIN, "\n");
    }
}

void grade_parts(struct grade *grade, const struct settings *settings, char *const hosts[],
                 char *const objects[]) {
    bool *refused = calloc((size_t)grade->lesson->count, sizeof *refused);
    if (!refused || !parts_keep(grade->lesson, settings, hosts, refused)) {
        free(refused);
        return;
    }
    grade->refused = refused;
    check_lesson(&grade->parts, grade->lesson, settings, hosts);
    diagnose_all(&grade->parts, grade->lesson, settings, objects);
    check_save(&grade->parts, grade->lesson, settings);
    say_parts(grade);
}

void grade_free(struct grade *grade) {
    if (grade->refused)
        check_free(&grade->parts);
    free(grade->refused);
}
