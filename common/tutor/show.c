#include "show.h"

#include "files.h"
#include "quiz.h"
#include "screen.h"
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum colour colours[] = {DIM, DIM, DIM, RED, RED, GREEN};
static const char marks[] = {'?', '.', '?', 'x', '!', '+'};

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
    else {
        say(BOLD, "%s\n", title);
        say_paragraph(PLAIN, 0, lesson->tagline);
    }
    putchar('\n');
}

/* What stands behind the name of an exercise. */
static void write_note(char *note, size_t size, const struct exercise *e, const struct test *bad) {
    note[0] = '\0';
    if (e->state == DONE)
        snprintf(note, size, "%d test%s", e->tests, e->tests == 1 ? "" : "s");
    else if (e->state == WRONG || (e->state == BROKEN && e->tests > 0))
        snprintf(note, size, "%d of %d tests pass", e->passed, e->tests);
    else if (e->state == WAITING)
        snprintf(note, size, "waits for %.40s()", e->waits_for);
    else if (e->state == NOT_CHECKED && bad)
        snprintf(note, size, "not checked: the tests never got there");
    else if (e->state == NOT_STARTED && bad && strcmp(bad->missing, e->name) != 0)
        snprintf(note, size, "waits for %.40s()", bad->missing);
}

static void show_exercise(const struct exercise *e, const struct test *bad, bool here) {
    char note[100];
    write_note(note, sizeof note, e, bad);
    if (here)
        snprintf(note + strlen(note), sizeof note - strlen(note), "%s<- you are here",
                 note[0] ? "  " : "");
    say(colours[e->state], "  %c %-*s", marks[e->state], note[0] ? 32 : 0, e->name);
    printf("%s%s\n", note[0] ? " " : "", note);
}

static void show_exercises(struct lesson *lesson, const struct report *report) {
    const struct exercise *here = lesson->unbuilt ? NULL : lesson_first_undone(lesson);
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        show_exercise(e, report_first_bad(report, e), e == here);
    }
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

/* True when code stands before the TODO() of the exercise: it is written, and its TODO() forgotten.
 */
static bool todo_is_forgotten(const struct lesson *lesson, const struct exercise *e) {
    struct text source;
    const char *from, *to;
    bool forgotten = false;
    text_read_file(&source, lesson->source.chars);
    if (find_definition(text_of(&source), e->name, &from, &to)) {
        const char *body = strchr(from, '{') + 1;
        forgotten = !starts_with(body + strspn(body, " \t\r\n"), "TODO(");
    }
    text_free(&source);
    return forgotten;
}

/* The contract as its header has it: paragraphs, and formulas between them. */
static void show_contract(const char *text) {
    char part[2000];
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool formula = *text == '\t';
        snprintf(part, sizeof part, "%.*s", (int)length - formula, text + formula);
        if (formula)
            printf("    %s\n", part);
        else
            say_paragraph(PLAIN, 0, part);
        text += length + (text[length] == '\n');
    }
}

static void show_not_started(const struct lesson *lesson, const struct exercise *e,
                             const struct test *t) {
    char note[NAME_SIZE + 8];
    const char *colon = strrchr(t->todo, ':');
    int line = colon ? atoi(colon + 1) : e->line;
    if (strcmp(t->missing, e->name) != 0) {
        printf("%s() waits for %s(), which is not written yet.\n", e->name, t->missing);
    } else if (todo_is_forgotten(lesson, e)) {
        say(YELLOW, "TODO() still stands in %s:%d\n", lesson->source.chars, line);
        say_paragraph(PLAIN, 0,
                      "There is code in the function already: once TODO() is deleted, the "
                      "tests will run it.");
    } else {
        show_contract(text_of(&e->contract));
    }
    putchar('\n');
    snprintf(note, sizeof note, "%s()", t->missing);
    show_where("Read", lesson->readme.chars, 0, path_of("or make read-%s", lesson->number).chars);
    show_where("Write", lesson->source.chars, line, note);
    show_where("Then", "make           or make watch, to check at every save", 0, "");
    show_where("Stuck", "make hint", 0, "");
}

static void show_lines(const char *lines, const char *indent, int most) {
    char line[400];
    int count = 0;
    while (next_line(&lines, line, sizeof line)) {
        bool wide = strlen(indent) + strlen(line) > WIDTH;
        if (count++ < most)
            printf("%s%.*s%s\n", indent, WIDTH - (int)strlen(indent) - (wide ? 3 : 0), line,
                   wide ? "..." : "");
    }
    if (count > most)
        printf("%s... and %d line%s more\n", indent, count - most, count - most == 1 ? "" : "s");
}

static void show_printed(const struct test *t) {
    if (t->printed.length == 0)
        return;
    puts("  Your code printed:");
    show_lines(text_of(&t->printed), "    ", 8);
    putchar('\n');
}

struct sentence {
    char chars[NAME_SIZE];
};

static struct sentence sentence_of(const struct test *t) {
    struct sentence sentence;
    snprintf(sentence.chars, sizeof sentence.chars, "%s", t->name);
    for (char *c = sentence.chars; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return sentence;
}

/* "place: text" on one line, or on several where that is too wide. */
static void show_at(const char *place, const char *text) {
    bool wide = strlen(place) + strlen(text) + 2 > WIDTH;
    printf("%s:%s%s\n", place, wide ? "" : " ", wide ? "" : text);
    if (wide)
        say_paragraph(PLAIN, 2, text);
}

/* True if the parameter "double d_Q[n][d_k]" has that name, and is for the function to write. */
static bool is_output(const char *parameter, const char *name, size_t length) {
    char declared[200];
    snprintf(declared, sizeof declared, "%.*s", (int)strcspn(parameter, "["), parameter);
    return strpbrk(parameter, "[*") && !has_word(declared, "const", strlen("const")) &&
           has_word(declared, name, length);
}

/* True if the exercise writes into what has that name: an array of its header that is not const. */
static bool is_written_by(const char *header, const struct exercise *e, const char *name,
                          size_t length) {
    struct function f;
    char parameter[400];
    for (const char *at = header; next_function(header, at, &f); at = f.end) {
        if ((size_t)(f.after_name - f.name) != strlen(e->name) ||
            strncmp(f.name, e->name, strlen(e->name)) != 0)
            continue;
        for (const char *from = strchr(f.after_name, '('); from && from + 1 < f.end;) {
            size_t part = strcspn(++from, ",)");
            while (from + part < f.end && from[part] == ')' && from + part + 1 < f.end)
                part += 1 + strcspn(from + part + 1, ",)"); /* "(*rows)[3]" */
            snprintf(parameter, sizeof parameter, "%.*s", (int)part, from);
            if (is_output(parameter, name, length))
                return true;
            from += part;
        }
        return false;
    }
    return false;
}

/* The matrices of the test whose names the lesson's header knows: its inputs, and what the function
   has written so far. */
static void show_inputs(const struct lesson *lesson, const struct exercise *e,
                        const struct test *t) {
    struct text header, inputs = {0}, yours = {0};
    char line[400];
    text_read_file(&header, path_of("lessons/%s/%s.h", lesson->folder, lesson->name).chars);
    const char *at = text_of(&t->inputs);
    while (next_line(&at, line, sizeof line)) {
        size_t length = strcspn(line, "[ ");
        if (has_word(text_of(&header), line, length))
            text_print(is_written_by(text_of(&header), e, line, length) ? &yours : &inputs, "%s\n",
                       line);
    }
    show_lines(text_of(&inputs), "    ", 16);
    if (yours.length > 0)
        puts("    yours so far:");
    show_lines(text_of(&yours), "    ", 16);
    if (inputs.length + yours.length > 0)
        putchar('\n');
    text_free(&header);
    text_free(&inputs);
    text_free(&yours);
}

static void show_wrong(const struct lesson *lesson, const struct exercise *e,
                       const struct test *t) {
    struct path place = path_of("%s:%d", lesson->source.chars, e->line);
    show_at(t->where, sentence_of(t).chars);
    putchar('\n');
    show_inputs(lesson, e, t);
    if (t->detail.length > 0) {
        show_lines(text_of(&t->detail), "    ", 14);
        putchar('\n');
    }
    if (t->slip[0] || t->broke[0]) {
        say_paragraph(YELLOW, 2, t->slip[0] ? t->slip : t->broke);
        putchar('\n');
    }
    say_paragraph(PLAIN, 2, t->message);
    putchar('\n');
    if (!t->slip[0] && !t->broke[0]) {
        say_paragraph(PLAIN, 2,
                      "No slip that is known here gives these numbers. Follow one of them through "
                      "your function; what a printf() of yours prints is shown here. make hint "
                      "looks for the line.");
        putchar('\n');
    }
    show_printed(t);
    show_at(place.chars, path_of("your %s()", e->name).chars);
}

/* lessons/01-softmax/softmax.c:31: in softmax_rows() */
static void show_place(const struct fault *fault) {
    if (!fault->where[0])
        return;
    show_at(fault->where, fault->function[0] ? path_of("in %s()", fault->function).chars : "");
    show_lines(text_of(&fault->excerpt), "  ", 4);
    fputs(text_of(&fault->callers), stdout);
    putchar('\n');
}

static void show_broken(const struct exercise *e, const struct test *t, const struct fault *fault) {
    char what[900];
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
        say_paragraph(PLAIN, 2, path_of("It was in the test: %s", sentence_of(t).chars).chars);
    }
}

/* A test after the one that is shown, at which the program had to be stopped. */
static void show_stopped(const struct check *check, const struct test *shown) {
    const struct test *last = NULL;
    const char *what = check->fault.what;
    bool more = false;
    for (int i = 0; i < check->report.count; i++) {
        const struct test *t = &check->report.tests[i];
        if (t->exercise == check->faulty && t->verdict == RUNNING)
            last = t;
        more = more || (last && t->verdict == PLANNED && t->exercise->state != BROKEN);
    }
    if (!last || last <= shown || !strstr(what, "stopped"))
        return;
    putchar('\n');
    say_paragraph(YELLOW, 2,
                  path_of("A later test, %s, %.*s%s%s%s%s", last->name, (int)strcspn(what, ":"),
                          what, check->fault.function[0] ? " in " : "", check->fault.function,
                          check->fault.function[0] ? "()" : "",
                          more ? "; what follows it was not checked." : ".")
                      .chars);
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
    if (e->state != BROKEN)
        show_stopped(check, t);
}

void show_stop(const struct fault *fault, const char *what) {
    struct path blamed = path_of("%.200s%s", fault->function[0] ? fault->function : what,
                                 fault->function[0] ? "()" : "");
    show_place(fault);
    say_paragraph(RED, 2, path_of("%s %s", blamed.chars, fault->what).chars);
    if (fault->advice[0]) {
        putchar('\n');
        say_paragraph(PLAIN, 2, fault->advice);
    }
}

/* --- the file as a whole -------------------------------------------------------------------- */

void show_not_built(const struct check *check, const struct lesson *lesson) {
    if (check->stage == NO_FILE) {
        say(RED, "  ! %s is not there.\n\n", lesson->source.chars);
        printf("  make reset-%s brings the empty exercises back.\n", lesson->number);
        return;
    }
    say(RED, "  ! %s.c does not %s\n\n", lesson->name,
        check->stage == NOT_COMPILED ? "compile" : "link");
    show_at(check->fault.where, check->fault.what);
    show_lines(text_of(&check->fault.excerpt), "  ", 4);
    if (check->fault.advice[0]) {
        putchar('\n');
        say_paragraph(PLAIN, 2, check->fault.advice);
    }
}

static void show_passed(const struct lesson *lesson, const struct progress *progress) {
    int tests = 0;
    for (int i = 0; i < lesson->count; i++)
        tests += lesson->exercises[i].tests;
    say(GREEN, "Lesson %s is done: %d of %d exercises, %d tests.\n\n", lesson->number,
        lesson->count, lesson->count, tests);
    if (file_time(path_of("lessons/%s/milestone.c", lesson->folder).chars).tv_sec != 0)
        printf("  Run       make run-%s        the milestone: your functions learn something\n",
               lesson->number);
    printf("  See it    make plot-%s       pictures drawn from your code\n", lesson->number);
    printf("            make show-%s       the worked example, step by step\n", lesson->number);
    if (file_is_there(path_of("plots/%s/%s_try.c", lesson->folder, lesson->name).chars))
        printf("            make try-%s        numbers of your own, through your functions\n",
               lesson->number);
    printf("  Ask       make quiz-%s       questions of rising difficulty\n", lesson->number);
    printf("  Compare   make solution-%s   your functions beside the reference\n", lesson->number);
    printf("  Hand in   make report        pictures, code and score, as HTML and PDF\n");
    if (!progress->next_folder[0])
        puts("  Next      Every lesson is passed. make list shows them all.");
    else
        printf("  Next      make %.*s            %s%s\n", (int)strcspn(progress->next_folder, "-"),
               progress->next_folder, progress->next_title,
               progress->next_is_behind ? "" : " (not passed, or saved since)");
}

static void show_warnings(const struct check *check) {
    char line[1200];
    if (check->warning_count == 0)
        return;
    bool unset = strstr(text_of(&check->warnings), "uninitialized");
    say(YELLOW, "The compiler warns, %s:\n",
        unset ? "of a variable that was given no first value" : "which does not count, but look");
    const char *at = text_of(&check->warnings);
    while (next_line(&at, line, sizeof line))
        say_hanging(PLAIN, 2, line);
    if (check->warning_count > 3)
        printf("... and %d more\n", check->warning_count - 3);
    putchar('\n');
}

/* What the learner's code printed where nobody looks, because the tests there passed. */
static void show_printed_elsewhere(const struct report *report) {
    int lines = 0;
    for (int i = 0; i < report->count; i++)
        if (report->tests[i].verdict == PASSED)
            for (const char *c = text_of(&report->tests[i].printed); *c; c++)
                lines += *c == '\n';
    if (lines > 0)
        printf("\nYour code printed %d line%s in tests that passed.\n", lines,
               lines == 1 ? "" : "s");
}

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings) {
    const char *verbose = getenv("VERBOSE");
    show_progress(progress);
    show_head(lesson, settings);
    show_exercises(lesson, &check->report);
    show_warnings(check);
    if (check->stage != TESTED)
        show_not_built(check, lesson);
    else if (lesson_done(lesson))
        show_passed(lesson, progress);
    else
        show_first_undone(check, lesson);
    show_printed_elsewhere(&check->report);
    if (strcmp(settings->from, "lessons") != 0)
        printf("\nEach command with FROM=%s, as this one was.\n", settings->from);
    if (verbose && *verbose && *verbose != '0' && check->raw.length > 0)
        printf("\n%s", text_of(&check->raw));
}

/* --- the list ------------------------------------------------------------------------------- */

static void show_state_in_words(struct lesson *lesson) {
    const struct exercise *e = lesson_first_undone(lesson);
    if (!file_is_there(lesson->source.chars))
        say(DIM, "no file");
    else if (lesson->unbuilt)
        say(RED, "does not build");
    else if (!e)
        say(GREEN, "passed");
    else if (e->state == WRONG || e->state == BROKEN)
        say(RED, "%s: %.24s", state_word(e->state), e->name);
    else
        printf("next: %.24s", e->name);
}

static void show_quiz_score(const struct lesson *lesson) {
    struct path score = quiz_score(lesson);
    if (score.chars[0] && lesson_done(lesson)) /* beside a name there is no room */
        printf("  quiz %.30s", score.chars);
}

void show_lesson_line(struct lesson *lesson) {
    printf(" %s %-21.21s ", lesson->number, lesson->title);
    for (int i = 0; i < lesson->count; i++)
        say(colours[lesson->exercises[i].state], "%c", marks[lesson->exercises[i].state]);
    printf("%*s %2d/%-2d  ", lesson->count < 14 ? 14 - lesson->count : 0, "",
           lesson_done_count(lesson), lesson->count);
    show_state_in_words(lesson);
    show_quiz_score(lesson);
    putchar('\n');
}
