/* What `tutor grade LESSON FOLDER OBJECT...` leaves in the folder for make grade: the learner's own
   screen, and the findings as data (course/judged.h). If a file does not build as a whole, each
   exercise that builds is judged by itself. */
#include "tutor/grade.h"

#include "base/files.h"
#include "base/screen.h"
#include "base/utf8.h"
#include "course/judged.h"
#include "diagnose/diagnose.h"
#include "grade/box/parts.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
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

/* What is printed from now on goes into that file. */
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
    bool written = file_replace(path_of("%s/screen.txt", folder).chars, &shown);
    text_free(&screen);
    text_free(&shown);
    return written;
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
    return is_refused(grade, e) ? "it does not compile" : text_of(&e->told);
}

static enum test_result result_of(const struct test *t) {
    return t->verdict == PASSED    ? TEST_PASSED
           : t->verdict == FAILED  ? TEST_FAILED
           : t->verdict == RUNNING ? TEST_ERROR
                                   : TEST_SKIPPED;
}

/* What a test says in words. */
struct said {
    struct path sentence, message;
};

static struct path message_of(const struct test *t) {
    struct finding touched = {0};
    explain_touched(&touched, t->touched);
    struct path message = words_message(t);
    return message.chars[0] ? message : words_what(&touched);
}

/* Adds the tests of an exercise; `said` holds their words. */
static void add_tests(struct judged_exercise *judged, const struct report *report,
                      const struct exercise *e, struct said *said) {
    for (int i = 0; i < report->count; i++) {
        const struct test *t = &report->tests[i];
        if (t->exercise != e)
            continue;
        said[i] = (struct said){words_test(t->name), message_of(t)};
        judged_add_test(judged, (struct judged_test){e->name, said[i].sentence.chars, result_of(t),
                                                     t->seconds, t->where, said[i].message.chars});
    }
}

/* The first problem in one line: of the file, or of an exercise. */
static struct text problem_of(const struct grade *grade) {
    const struct exercise *e = lesson_first_undone(grade->lesson);
    const struct check *check = grade->check;
    struct text line = {0};
    if (check->stage == NO_FILE)
        text_print(&line, "there is no file");
    else if (check->stage != TESTED)
        text_print(&line, "%s%s: %s", grade->in_part ? "builds only in part: " : "",
                   words_where(&check->file).chars, words_what(&check->file).chars);
    else if (e)
        text_print(&line, "%s: %s", e->name,
                   e->told.length ? text_of(&e->told) : word_of(grade, e));
    return line;
}

/* Writes the files verdict, exercises and tests: see common/grade/README.md. */
static bool write_tables(const struct grade *grade) {
    struct lesson *lesson = grade->lesson;
    const struct report *report = &check_of(grade)->report;
    struct text problem = problem_of(grade);
    struct said *said = calloc((size_t)report->count + 1, sizeof *said);
    struct judged judged = {.of = lesson->count, .problem = text_of(&problem)};
    judged.state = lesson->unbuilt ? NOT_BUILT : grade->in_part ? IN_PART : GRADED;
    judged.done = lesson->unbuilt ? 0 : lesson_done_count(lesson);
    for (int i = 0; said && i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        judged_add(&judged,
                   (struct judged_exercise){e->name, word_of(grade, e), mistake_of(grade, e),
                                            e->passed, e->tests, NULL, 0, false});
        add_tests(&judged.exercises[i], report, e, said);
        judged.passed += e->passed;
        judged.tests += e->tests;
    }
    bool written = said && judged_write(&judged, grade->folder);
    judged_free(&judged);
    text_free(&problem);
    free(said);
    return written;
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
    const struct path part = path_of("%s/screen.part", folder);
    const time_t began = time(NULL);
    begin_screen(part.chars);
    check_lesson(check, task);
    if (!lesson_done(lesson))
        check_optimizer_warnings(check);
    diagnose_all(check);
    words_tell(check, lesson);
    check_save(check);
    show_check(check, lesson, progress, task.settings);
    if (lesson->unbuilt && difftime(time(NULL), began) < 6.0)
        judge_parts(&grade, task);
    bool written = end_screen(part.chars, folder) && write_tables(&grade);
    if (grade.in_part)
        check_free(&grade.parts);
    return written;
}
