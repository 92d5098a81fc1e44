#include "show.h"

#include "guide.h"
#include "screen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum colour colours[] = {DIM, DIM, RED, RED, GREEN};
static const char marks[] = {'?', '.', 'x', '!', '+'};

/* --- head ----------------------------------------------------------------------------------- */

void show_progress(const struct progress *progress) {
    char right[64];
    snprintf(right, sizeof right, "%d of %d exercises", progress->done, progress->total);
    say_ends("Lookback: attention from scratch, in C", right);
    say_bar(progress->done, progress->total);
}

static void show_head(const struct lesson *lesson, const struct settings *settings) {
    char title[200];
    snprintf(title, sizeof title, "Lesson %s: %s", lesson->number, lesson->title);
    putchar('\n');
    if (strcmp(settings->from, "lessons") != 0)
        snprintf(title + strlen(title), sizeof title - strlen(title), " (from %.80s)",
                 settings->from);
    if (strlen(title) + strlen(lesson->tagline) + 3 <= WIDTH)
        say_ends(title, lesson->tagline);
    else
        say(BOLD, "%s\n", title);
    putchar('\n');
}

static void show_exercise(const struct exercise *e, bool here) {
    char note[64] = "";
    if (e->state == DONE)
        snprintf(note, sizeof note, "%d test%s", e->tests, e->tests == 1 ? "" : "s");
    else if (e->state == WRONG || (e->state == BROKEN && e->tests > 0))
        snprintf(note, sizeof note, "%d of %d tests pass", e->passed, e->tests);
    else if (e->state == NOT_CHECKED)
        snprintf(note, sizeof note, "not checked: the tests stopped above");
    if (here)
        snprintf(note + strlen(note), sizeof note - strlen(note), "%s<- you are here",
                 note[0] ? "  " : "");
    say(colours[e->state], "  %c %-*s", marks[e->state], note[0] ? 32 : 0, e->name);
    printf("%s%s\n", note[0] ? " " : "", note);
}

static void show_exercises(struct lesson *lesson) {
    const struct exercise *here = lesson_first_undone(lesson);
    for (int i = 0; i < lesson->count; i++)
        show_exercise(&lesson->exercises[i], &lesson->exercises[i] == here);
    putchar('\n');
}

/* --- the first exercise that is not done ---------------------------------------------------- */

static void show_where(const char *label, const char *file, int line, const char *note) {
    printf("%-7s", label);
    if (line > 0)
        printf("%s:%d", file, line);
    else
        printf("%s", file);
    printf("%s%s\n", note[0] ? "  " : "", note);
}

static void show_not_started(const struct lesson *lesson, const struct exercise *e,
                             const struct test *t) {
    char note[100];
    int line = e->line;
    const char *colon = strrchr(t->todo, ':');
    bool other = strcmp(t->missing, e->name) != 0;
    if (colon)
        line = atoi(colon + 1);
    if (other)
        printf("%s() waits for %s(), which is not written yet.\n\n", e->name, t->missing);
    else if (e->contract.length > 0)
        say_paragraph(PLAIN, 0, text_of(&e->contract));
    putchar('\n');
    snprintf(note, sizeof note, "%s()", t->missing);
    show_where("Read", lesson->readme.chars, 0, "");
    show_where("Write", lesson->source.chars, line, note);
    show_where("Then", "make           or make watch, to check at every save", 0, "");
    show_where("Stuck", "make hint", 0, "");
}

static void show_lines(const char *lines, const char *indent, int most) {
    char line[400];
    int count = 0;
    while (next_line(&lines, line, sizeof line)) {
        if (count++ < most)
            printf("%s%.*s\n", indent, WIDTH - (int)strlen(indent), line);
    }
    if (count > most)
        printf("%s... and %d lines more\n", indent, count - most);
}

static void show_printed(const struct test *t) {
    if (t->printed.length == 0)
        return;
    puts("  Your code printed:");
    show_lines(text_of(&t->printed), "    ", 8);
    putchar('\n');
}

/* tests/01-softmax/test_softmax.c:58: adding a constant changes nothing */
static void show_test_name(const struct test *t) {
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%s", t->name);
    for (char *c = sentence; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    if (strlen(t->where) + strlen(sentence) + 2 > WIDTH)
        printf("%s:\n  %s\n\n", t->where, sentence);
    else
        printf("%s: %s\n\n", t->where, sentence);
}

static void show_wrong(const struct lesson *lesson, const struct exercise *e,
                       const struct test *t) {
    char note[100];
    show_test_name(t);
    if (t->detail.length > 0) {
        show_lines(text_of(&t->detail), "    ", 12);
        putchar('\n');
    }
    if (t->mistake[0]) {
        say_paragraph(YELLOW, 2, t->mistake);
        putchar('\n');
    }
    say_paragraph(PLAIN, 2, t->message);
    putchar('\n');
    show_printed(t);
    snprintf(note, sizeof note, "%s()", e->name);
    printf("  Your code: %s:%d  %s\n", lesson->source.chars, e->line, note);
}

/* lessons/01-softmax/softmax.c:31: in softmax_rows() */
static void show_place(const struct fault *fault) {
    if (!fault->where[0])
        return;
    printf("%s:", fault->where);
    if (fault->function[0])
        printf(" in %s()", fault->function);
    putchar('\n');
    show_lines(text_of(&fault->excerpt), "  ", 4);
    fputs(text_of(&fault->callers), stdout);
    putchar('\n');
}

static void show_broken(const struct exercise *e, const struct test *t, const struct fault *fault) {
    char what[700];
    show_place(fault);
    snprintf(what, sizeof what, "%s() %s", e->name, fault->what);
    say_paragraph(RED, 2, what);
    if (fault->advice[0]) {
        putchar('\n');
        say_paragraph(PLAIN, 2, fault->advice);
    }
    if (t) {
        putchar('\n');
        show_printed(t);
        printf("  It was in the test: %s\n", t->name);
    }
}

static void show_first_undone(struct check *check, struct lesson *lesson) {
    struct exercise *e = lesson_first_undone(lesson);
    const struct test *t = report_first_bad(&check->report, e);
    if (e->state == BROKEN || !t)
        show_broken(e, t, &check->fault);
    else if (e->state == NOT_STARTED)
        show_not_started(lesson, e, t);
    else
        show_wrong(lesson, e, t);
}

/* --- the file as a whole -------------------------------------------------------------------- */

static void show_no_program(const struct check *check, const struct lesson *lesson) {
    if (check->stage == NO_FILE) {
        say(RED, "  ! %s is not there.\n\n", lesson->source.chars);
        printf("  To have the empty exercises back: git checkout -- %s\n", lesson->source.chars);
        return;
    }
    say(RED, "  ! %s.c does not %s\n\n", lesson->name,
        check->stage == NOT_COMPILED ? "compile" : "link");
    bool wide = strlen(check->fault.where) + strlen(check->fault.what) + 2 > WIDTH;
    printf("%s:%s%s\n", check->fault.where, wide ? "\n  " : " ", check->fault.what);
    show_lines(text_of(&check->fault.excerpt), "  ", 4);
    putchar('\n');
    if (check->fault.advice[0])
        say_paragraph(PLAIN, 2, check->fault.advice);
}

static void show_passed(const struct lesson *lesson, const struct progress *progress) {
    int tests = 0;
    for (int i = 0; i < lesson->count; i++)
        tests += lesson->exercises[i].tests;
    say(GREEN, "Lesson %s is done: %d of %d exercises, %d tests.\n\n", lesson->number,
        lesson->count, lesson->count, tests);
    printf("  See it    make plot-%s       pictures drawn from your code\n", lesson->number);
    printf("            make show-%s       the worked example, step by step\n", lesson->number);
    printf("  Ask       make quiz-%s       questions of rising difficulty\n", lesson->number);
    printf("  Compare   make solution-%s   your functions beside the reference\n", lesson->number);
    printf("  Hand in   make report        pictures, code and score, as HTML and PDF\n");
    if (progress->next_folder[0])
        printf("  Next      make %.*s            %s\n", (int)strcspn(progress->next_folder, "-"),
               progress->next_folder, progress->next_title);
    else
        puts("  Next      That was the last lesson so far.");
}

static void show_warnings(const struct check *check) {
    if (check->warning_count == 0)
        return;
    putchar('\n');
    bool unset = strstr(text_of(&check->warnings), "uninitialized");
    say(YELLOW, "The compiler warns, %s:\n",
        unset ? "of a variable that was given no first value" : "which does not count, but look");
    fputs(text_of(&check->warnings), stdout);
    if (check->warning_count > 3)
        printf("... and %d more\n", check->warning_count - 3);
}

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings) {
    const char *verbose = getenv("VERBOSE");
    show_progress(progress);
    show_head(lesson, settings);
    if (check->stage != TESTED) {
        show_no_program(check, lesson);
    } else {
        show_exercises(lesson);
        if (lesson_done(lesson))
            show_passed(lesson, progress);
        else
            show_first_undone(check, lesson);
        show_warnings(check);
    }
    if (verbose && *verbose && *verbose != '0' && check->raw.length > 0)
        printf("\n%s", text_of(&check->raw));
}

/* --- the list ------------------------------------------------------------------------------- */

static void show_state_in_words(struct lesson *lesson) {
    const struct exercise *e = lesson_first_undone(lesson);
    if (!e)
        say(GREEN, "passed");
    else if (e->state == WRONG || e->state == BROKEN)
        say(RED, "%s: %s", state_word(e->state), e->tests > 0 ? e->name : "does not build");
    else if (lesson_done_count(lesson) > 0)
        printf("next: %s", e->name);
}

static void show_quiz_score(const struct lesson *lesson) {
    struct path score = quiz_score(lesson);
    if (score.chars[0])
        printf("   quiz %.20s", score.chars);
}

void show_lesson_line(struct lesson *lesson) {
    printf(" %s %-24.24s ", lesson->number, lesson->title);
    for (int i = 0; i < lesson->count; i++)
        say(colours[lesson->exercises[i].state], "%c", marks[lesson->exercises[i].state]);
    printf("%*s %2d/%-2d  ", lesson->count < 12 ? 12 - lesson->count : 0, "",
           lesson_done_count(lesson), lesson->count);
    show_state_in_words(lesson);
    show_quiz_score(lesson);
    putchar('\n');
}
