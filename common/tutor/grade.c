/* What `tutor grade LESSON FOLDER OBJECT...` leaves in the folder for make grade: the learner's own
   screen, and the findings as data (common/grade/README.md). If a file does not build as a whole,
   each exercise that builds is judged by itself. */
#include "tutor/grade.h"

#include "base/files.h"
#include "base/screen.h"
#include "base/utf8.h"
#include "diagnose/diagnose.h"
#include "grade/box/parts.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SCREEN = 100000 }; /* bytes */

struct grade {
    struct check *check; /* of the whole file */
    struct lesson *lesson;
    const char *folder;
    bool in_part;         /* the whole does not build, */
    struct check parts;   /* but this has been judged: */
    exercise_set refused; /* all but these exercises */
};

/* --- the screen ----------------------------------------------------------------------------- */

/* Redirects all further output to that file. */
static void begin_screen(const char *part) {
    if (!freopen(part, "w", stdout)) {
        perror(part);
        exit(2);
    }
}

/* The screen also has what the student's code printed, which may be any bytes. */
static bool end_screen(const char *part, const char *folder) {
    struct text screen, shown = {0};
    fflush(stdout);
    text_read_file(&screen, part);
    remove(part);
    text_add_readable(&shown, text_of(&screen),
                      screen.length < MOST_SCREEN ? screen.length : MOST_SCREEN, '\n');
    return file_replace(path_of("%s/screen.txt", folder), &shown);
}

/* --- the tables ----------------------------------------------------------------------------- */

/* The check that found what is known of the exercises. */
static const struct check *check_of(const struct grade *grade) {
    return grade->in_part ? &grade->parts : grade->check;
}

static bool is_refused(const struct grade *grade, const struct exercise *e) {
    return has(grade->refused, (int)(e - grade->lesson->exercises));
}

static const char *word_of(const struct grade *grade, const struct exercise *e) {
    if (grade->lesson->unbuilt)
        return "unchecked";
    if (is_refused(grade, e))
        return "broken";
    bool missing = finding_of(check_of(grade), e)->kind == FOUND_MISSING;
    return missing ? "missing" : state_word(e->state);
}

static const char *mistake_of(const struct grade *grade, const struct exercise *e) {
    return is_refused(grade, e) ? "it does not compile" : e->told;
}

static const char *result_of(const struct test *t) {
    return t->verdict == PASSED    ? "pass"
           : t->verdict == FAILED  ? "fail"
           : t->verdict == RUNNING ? "error"
                                   : "skipped";
}

static const char *message_of(const struct test *t) {
    struct finding touched = {0};
    explain_touched(&touched, t->touched);
    const char *message = words_message(t);
    return message[0] ? message : words_what(&touched);
}

/* Adds a line of fields, and ends it. No field holds a tab or the end of a line, because each is
   made readable text. */
#define ADD_LINE(text, ...) add_line(text, (const char *const[]){__VA_ARGS__, NULL})
static void add_line(struct text *text, const char *const fields[]) {
    for (int i = 0; fields[i]; i++) {
        text_add_readable(text, fields[i], strlen(fields[i]), '\0');
        text_add(text, fields[i + 1] ? "\t" : "\n", 1);
    }
}

static void add_tests(struct text *lines, const struct report *report, const struct exercise *e) {
    for (int i = 0; i < report->count; i++) {
        const struct test *t = &report->tests[i];
        const char *sentence = words_test(t->name), *message = message_of(t);
        const char *seconds = path_of("%.4f", t->seconds);
        if (t->exercise == e)
            ADD_LINE(lines, e->name, sentence, result_of(t), seconds, t->where, message);
    }
}

static const char *number(int n) {
    return path_of("%d", n);
}

/* The first problem in one line: of the file, or of an exercise. */
static const char *problem_of(const struct grade *grade) {
    const struct exercise *e = lesson_first_undone(grade->lesson);
    const struct check *check = grade->check;
    if (check->stage == NO_FILE)
        return "there is no file";
    if (check->stage != TESTED)
        return path_of("%s%s: %s", grade->in_part ? "builds only in part: " : "",
                       words_where(&check->file), words_what(&check->file));
    return e ? path_of("%s: %s", e->name, *e->told ? e->told : word_of(grade, e)) : "";
}

static bool write_part(const struct grade *grade, const char *part, struct text *text) {
    return file_replace(path_of("%s/%s", grade->folder, part), text);
}

static bool write_verdict(const struct grade *grade, int passed, int tests) {
    const struct lesson *lesson = grade->lesson;
    const char *state = lesson->unbuilt ? "not built" : grade->in_part ? "in part" : "graded";
    struct text verdict = {0};
    ADD_LINE(&verdict, state, number(lesson->unbuilt ? 0 : lesson_done_count(lesson)),
             number(lesson->count), number(passed), number(tests));
    ADD_LINE(&verdict, problem_of(grade));
    return write_part(grade, "verdict", &verdict);
}

/* Writes the files verdict, exercises and tests: see common/grade/README.md. */
static bool write_tables(const struct grade *grade) {
    struct text exercises = {0}, tests = {0};
    int passed = 0, count = 0;
    for (int i = 0; i < grade->lesson->count; i++) {
        const struct exercise *e = &grade->lesson->exercises[i];
        ADD_LINE(&exercises, e->name, word_of(grade, e), number(e->passed), number(e->tests),
                 mistake_of(grade, e));
        add_tests(&tests, &check_of(grade)->report, e);
        passed += e->passed;
        count += e->tests;
    }
    bool written = write_part(grade, "exercises", &exercises);
    written &= write_part(grade, "tests", &tests);
    return write_verdict(grade, passed, count) && written;
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

/* Judges what builds of a file that does not, as far as there is something. */
static void judge_parts(struct grade *grade, struct task task) {
    if (!parts_keep(&task, &grade->refused))
        return;
    grade->in_part = true;
    check_lesson(&grade->parts, task);
    diagnose_all(&grade->parts);
    words_tell(&grade->parts, grade->lesson);
    check_save(&grade->parts);
    say_parts(grade);
}

bool grade(struct check *check, struct task task, const char *folder,
           const struct progress *progress) {
    struct lesson *lesson = task.lesson;
    struct grade grade = {.check = check, .lesson = lesson, .folder = folder};
    const char *part = path_of("%s/screen.part", folder);
    const time_t began = time(NULL);
    begin_screen(part);
    check_lesson(check, task);
    if (!lesson_done(lesson))
        check_optimizer_warnings(check);
    diagnose_all(check);
    words_tell(check, lesson);
    check_save(check);
    show_check(check, lesson, progress, task.settings);
    if (lesson->unbuilt && difftime(time(NULL), began) < 6.0)
        judge_parts(&grade, task);
    return end_screen(part, folder) && write_tables(&grade);
}
