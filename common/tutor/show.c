/* The screen of a check: how far the learner is, a line for each exercise, and what is known of the
   first one that is not done. It fits 24 lines: tables give way to what comes after them. And the
   line that make list has for a lesson. */

#include "base/files.h"
#include "base/screen.h"
#include "base/tokens.h"
#include "tutor/commands.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 3 }; /* lines that a table has at least */

static int first_line; /* of this screen, */
static int kept_free;  /* and lines of it that another screen has, */
static int reserved;   /* or that are for a test that was stopped */

/* Is make alone about another lesson, so that its number has to be typed? */
static bool is_elsewhere;

static const enum colour colours[] = {
    [NOT_CHECKED] = DIM, [NOT_STARTED] = DIM, [WAITING] = DIM,
    [WRONG] = RED,       [BROKEN] = RED,      [DONE] = GREEN,
};
static const char marks[] = {
    [NOT_CHECKED] = '?', [NOT_STARTED] = '.', [WAITING] = '?',
    [WRONG] = 'x',       [BROKEN] = '!',      [DONE] = '+',
};

/* --- head ----------------------------------------------------------------------------------- */

void show_progress(const struct progress *progress) {
    say_ends("Lookback: attention from scratch, in C",
             path_of("%d of %d exercises", progress->done, progress->total));
    say_bar(progress->done, progress->total);
    say(PLAIN, "\n");
}

static void show_head(const struct lesson *lesson, const struct settings *settings) {
    const char *title = path_of("Lesson %s: %s", lesson->number, lesson->title);
    if (strcmp(settings->from, "lessons") != 0)
        title = path_of("%s (from %.80s)", title, settings->from);
    if ((int)(strlen(title) + strlen(lesson->tagline)) + 3 <= screen_width())
        say_ends(title, lesson->tagline);
    else {
        say(BOLD, "%s\n", title);
        say_paragraph(PLAIN, 0, lesson->tagline);
    }
    say(PLAIN, "\n");
}

/* Everything is wanted, however long it is. */
static bool is_verbose(void) {
    const char *verbose = getenv("VERBOSE");
    return verbose && *verbose && *verbose != '0';
}

/* The words after the name of an exercise. */
static const char *note_on(const struct lesson *lesson, int i, const struct finding *f) {
    const struct exercise *e = &lesson->exercises[i];
    const char *other = words_waits_for(f);
    enum state state = lesson->exercises[i].state;
    if (state == DONE)
        return path_of("%d test%s", e->tests, e->tests == 1 ? "" : "s");
    if (state == WRONG || (state == BROKEN && e->tests > 0))
        return path_of("%d of %d tests pass", e->passed, e->tests);
    if (state == NOT_CHECKED)
        return path_of("not checked%s", f->test ? ": the tests ended earlier" : "");
    return other[0] ? path_of("waits for %.40s()", other) : "";
}

/* Too narrow for columns. */
static bool is_narrow(void) {
    return screen_width() < WIDTH;
}

/* How many exercises share the line of the one at `first`: those of the same state that follow. */
static int alike_from(const struct lesson *lesson, int first, const struct exercise *here) {
    int i = first + 1;
    while (i < lesson->count && !is_verbose() && here != &lesson->exercises[first] &&
           here != &lesson->exercises[i] &&
           lesson->exercises[i].state == lesson->exercises[first].state)
        i++;
    return i - first;
}

static void show_exercises(const struct check *check, struct lesson *lesson) {
    const struct exercise *here = lesson->unbuilt ? NULL : lesson_first_undone(lesson);
    for (int i = 0, count; i < lesson->count; i += count) {
        const struct exercise *e = &lesson->exercises[i];
        enum state state = lesson->exercises[i].state;
        const char *note = note_on(lesson, i, &check->findings[i]);
        count = alike_from(lesson, i, here);
        const char *name =
            count == 1 ? path_of("%s", e->name) : path_of("%s and %d more", e->name, count - 1);
        if (count > 1 && state != NOT_CHECKED)
            note = "";
        say(colours[state], "  %c %-*s", marks[state], note[0] && !is_narrow() ? 32 : 0, name);
        say(PLAIN, "%s%s%s\n", note[0] ? " " : "", note, e == here ? "  <- you are here" : "");
    }
    say(PLAIN, "\n");
}

/* --- the first exercise that is not done ---------------------------------------------------- */

static void show_what(const char *label, const char *what) {
    say(PLAIN, "%-7s", label);
    say_hanging(PLAIN, 7, what);
}

/* The contract as its header has it: paragraphs, and formulas between them. */
static void show_contract(const char *text) {
    for (const char *part; (part = next_line(&text));)
        if (*part == '\t')
            say(PLAIN, "    %s\n", part + 1);
        else
            say_paragraph(PLAIN, 0, part);
}

static void show_not_started(const struct lesson *lesson, const struct exercise *e,
                             const struct test *t) {
    const char *colon = strrchr(t->todo, ':');
    int line = colon ? atoi(colon + 1) : e->line;
    if (test_of_missing(t)) {
        say_paragraph(RED, 2, path_of("%s() is not in the file.", t->missing));
        say_paragraph(PLAIN, 2, "Was it deleted, or is its name misspelled?");
    } else if (strcmp(t->missing, e->name) != 0) {
        say(PLAIN, "%s() waits for %s(), which is not written yet.\n", e->name, t->missing);
    } else if (e->line > 0 && !e->todo) { /* code stands before the TODO(), which was forgotten */
        say(YELLOW, "TODO() is still in %s:%d\n", lesson->source, line);
        say_paragraph(
            PLAIN, 0,
            "The function already contains code. Delete TODO(), so that the tests run it.");
    } else {
        show_contract(text_of(&e->contract));
    }
    say(PLAIN, "\n");
    const char *place = line > 0 ? path_of(":%d", line) : "";
    show_what("Read", path_of("%s  or make read-%s", lesson->readme, lesson->number));
    show_what("Write", path_of("%s%s  %s()", lesson->source, place, t->missing));
    show_what("Then", is_elsewhere ? path_of("make %s", lesson->number)
                                   : "make           or make watch, to check after every save");
    show_what("Stuck", path_of("make hint-%s", lesson->number));
}

static int count_lines(const char *lines) {
    int count = 0;
    while (next_line(&lines))
        count++;
    return count;
}

/* Without the rows of a table that are right. */
static const char *wrong_lines(const char *lines) {
    struct text wrong = {0};
    for (const char *line; (line = next_line(&lines));)
        if (!strstr(line, " row ") || strchr(line, '*') || strstr(line, "expected"))
            text_print(&wrong, "%s\n", line);
    return text_of(&wrong);
}

/* In so many lines; what does not fit is counted in the last, if there are more than three. A row
   that is expected is shown with yours, below it, or not at all. */
static void show_lines(const char *lines, const char *indent, int room) {
    const char *line;
    const int all = count_lines(lines);
    int count = 0, most = all <= room || is_verbose() ? all : room > FEW ? room - 1 : room;
    while ((line = next_line(&lines))) {
        if (count + 1 == most && most < all && strstr(line, "expected  ") && !strstr(line, "yours"))
            most--;
        if (count++ < most)
            say_cut(path_of("%s%s", indent, line));
    }
    if (all > most && room > FEW)
        say(PLAIN, "%s... and %d lines more; VERBOSE=1 shows all\n", indent, all - most);
}

static void show_printed(const struct test *t, int room) {
    if (t->printed.length == 0)
        return;
    say(PLAIN, "\n  Your code printed:\n");
    show_lines(text_of(&t->printed), "    ", room);
}

static bool is_wide(const char *place, const char *text) {
    return (int)(strlen(place) + strlen(text)) + 2 > screen_width();
}

/* "place: text" on one line, or on several where that is too wide. */
static void show_at(const char *place, const char *text) {
    bool wide = is_wide(place, text);
    say(PLAIN, "%s:%s%s\n", place, wide || !*text ? "" : " ", wide ? "" : text);
    if (wide)
        say_paragraph(PLAIN, 2, text);
}

/* True if the exercise writes into the array of that name: in its header that is not const. */
static bool is_written_by(const char *header, const struct exercise *e, const char *name,
                          size_t length) {
    struct function f;
    if (!find_function(header, e->name, &f))
        return false;
    const char *declared = copy_of(f.start, f.end);
    const char *constant = path_of("const [^,]*[^A-Za-z0-9_]%.*s[^A-Za-z0-9_]", (int)length, name);
    return has_word(declared, name, length) && !part_of(declared, constant, 0);
}

/* "normed = {unset, unset}" of what the function was not to write says nothing. */
static bool is_all_unset(const char *line) {
    return part_of(line, "=[={}, .]*(unset[={}, .]*)+$", 0) != NULL;
}

/* The matrices of the test whose names the lesson's header knows: inputs first, then what the
   function has written. */
static void show_inputs(const struct lesson *lesson, const struct exercise *e, const struct test *t,
                        int room) {
    struct text inputs = {0}, written = {0};
    const char *header = file_text(lesson->header);
    for (const char *at = text_of(&t->inputs), *line; (line = next_line(&at));) {
        size_t length = strcspn(line, "[ ");
        bool output = is_written_by(header, e, line, length);
        if (has_word(header, line, length) && (output || !is_all_unset(line)))
            text_print(output ? &written : &inputs, "%s\n", line);
    }
    if (written.length > 0)
        text_print(&inputs, "after the last call of %s():\n%s", e->name, text_of(&written));
    const bool fits = count_lines(text_of(&inputs)) <= room || room > FEW || is_verbose();
    if (inputs.length > 0 && fits) {
        say(PLAIN, "\n");
        show_lines(text_of(&inputs), "    ", room);
    }
}

/* Says what is wrong: the mistake behind it, or else the property that broke, or else that no known
   mistake matches. */
static void show_sentence(const struct finding *f) {
    const char *why = words_of_wrong(f);
    if (!*why && words_have_line(f))
        return; /* the line says it */
    if (*why)
        say_paragraph(YELLOW, 2, why);
    else
        say_paragraph(PLAIN, 2,
                      "No known mistake gives these numbers. Add a printf() to your function to "
                      "follow one of them: its output appears here.");
    say(PLAIN, "\n");
}

/* Does the table of both sides fit the screen? */
static bool has_room(const struct test *t) {
    const char *at = text_of(&t->detail), *line;
    while ((line = next_line(&at)))
        if ((int)strlen(line) + 4 > screen_width())
            return false;
    return true;
}

/* True if the table does not hold all that the message says: it has four decimals. */
static bool says_more(const struct test *t) {
    char kind = 0; /* for a gradient the message says something else */
    if (!has_room(t) || t->detail.length == 0 || sscanf(t->evidence, "%*d %c", &kind) != 1 ||
        !strchr("NMF", kind))
        return true;
    return part_of(t->message, "[.][0-9]{5}", 0) != NULL;
}

/* How many lines of the screen are left, without the last `behind`. */
static int lines_left(int behind) {
    return HEIGHT - behind - kept_free - reserved - (screen_lines() - first_line);
}

/* The line itself, if there is no room for the loops above it. */
static void show_excerpt(const struct finding *f, int room) {
    const char *drawing = text_of(&f->excerpt), *own = strstr(drawing, path_of("%5d | ", f->line));
    show_lines(own && count_lines(drawing) > room ? own : drawing, "", room);
}

/* The line of the first NaN, or of a crash in a later test. */
static void show_line(const struct finding *f, int behind) {
    say_paragraph(YELLOW, 2, words_line(f));
    const int room = lines_left(behind + 1);
    show_excerpt(f, room < FEW ? room : FEW);
    say(PLAIN, "\n");
}

/* The numbers have a place on each screen: the end of it gives way, and the drawing of a line. */
static void show_wrong(const struct lesson *lesson, const struct finding *f) {
    const struct test *t = f->test;
    const char *place = path_of("%s:%d", lesson->source, f->exercise->line);
    const char *yours = path_of("your %s()", f->exercise->name);
    const int lines = has_room(t) ? count_lines(text_of(&t->detail)) : 0;
    const int table = says_more(t) + (lines < FEW ? lines : FEW);
    int behind = is_wide(place, yours) ? 4 : 3; /* with an empty line, and help */
    show_sentence(f);
    if (words_have_line(f))
        show_line(f, table + 2 + is_wide(t->where, words_test(t->name)));
    show_at(t->where, words_test(t->name));
    const bool is_tight = lines_left(behind) < table;
    behind = is_tight ? 1 : behind;
    reserved = lines_left(behind) < table ? 0 : reserved;
    const int room = lines_left(behind + says_more(t));
    if (lines > 0)
        show_lines(lines > room ? wrong_lines(text_of(&t->detail)) : text_of(&t->detail), "    ",
                   room);
    if (says_more(t))
        say_paragraph(PLAIN, 4, words_message(t));
    show_printed(t, 5);
    show_inputs(lesson, f->exercise, t, lines_left(behind + 1));
    if (is_tight)
        return;
    say(PLAIN, "\n");
    show_at(place, yours);
}

/* lessons/01-softmax/softmax.c:31: in softmax_rows() */
static void show_place(const struct finding *f) {
    if (!f->where[0])
        return;
    say(PLAIN, "\n");
    show_at(words_where(f), f->function[0] ? path_of("in %s()", f->function) : "");
    show_excerpt(f, 5);
    say(PLAIN, "%s", words_callers(f));
}

static void show_advice(const struct finding *f, const struct lesson *lesson) {
    const char *advice = words_advice(f, lesson);
    if (!advice[0])
        return;
    say(PLAIN, "\n");
    say_paragraph(PLAIN, 2, advice);
}

static void show_crash(const struct finding *f, const struct lesson *lesson, const char *blamed) {
    say_paragraph(RED, 2, words_blame(blamed, f));
    show_place(f);
    show_advice(f, lesson);
}

void show_stop(const struct finding *f, const struct lesson *lesson, const char *program) {
    const char *function = path_of("%s()", f->function);
    show_crash(f, lesson, f->function[0] ? function : program);
}

static void show_broken(const struct lesson *lesson, const struct finding *f) {
    show_crash(f, lesson, path_of("%s()", f->exercise->name));
    if (f->test) {
        show_printed(f->test, 3);
        say(PLAIN, "\n");
        say_paragraph(PLAIN, 2, path_of("It was in the test: %s", words_test(f->test->name)));
    }
}

/* A test after the one that is shown, at which the program had to be stopped; "" without one. */
static const char *words_stopped(const struct check *check, const struct test *shown) {
    const struct test *last = NULL;
    bool more = false;
    for (int i = 0; i < check->report.count; i++) {
        const struct test *t = &check->report.tests[i];
        const struct finding *f = finding_of(check, t->exercise);
        if (t->verdict == RUNNING && (f->stopped || finding_is_stop(f)))
            last = t;
        more = more || (last && t->verdict == PLANNED && t->exercise->state != BROKEN);
    }
    if (!last || last <= shown)
        return "";
    const struct finding *f = finding_of(check, last->exercise);
    return path_of("A later test, %s, %s%s%s%s", last->name, words_stop(f),
                   f->function[0] ? " in " : "", f->function[0] ? path_of("%s()", f->function) : "",
                   more ? ". The tests after it were not run." : ".");
}

static void show_first_undone(struct check *check, struct lesson *lesson) {
    const struct exercise *e = lesson_first_undone(lesson);
    const struct finding *f = finding_of(check, e);
    const char *stopped = e->state != BROKEN && f->test ? words_stopped(check, f->test) : "";
    reserved = *stopped ? 4 : 0;
    if (e->state == BROKEN || !f->test)
        show_broken(lesson, f);
    else if (e->state == NOT_STARTED)
        show_not_started(lesson, e, f->test);
    else
        show_wrong(lesson, f);
    if (*stopped && reserved > 0) {
        say(PLAIN, "\n");
        say_paragraph(YELLOW, 2, stopped);
    }
}

/* --- the file as a whole -------------------------------------------------------------------- */

void show_not_built(const struct check *check, const struct lesson *lesson) {
    const struct finding *f = &check->file;
    if (check->stage == NO_FILE) {
        say(RED, "  ! %s is not there.\n\n", lesson->source);
        say(PLAIN, "  %s\n", words_advice(f, lesson));
        return;
    }
    say(RED, "  ! %s\n\n", words_unbuilt(check, lesson));
    show_at(words_where(f), words_what(f));
    show_lines(text_of(&f->excerpt), "", 4);
    show_advice(f, lesson);
}

static void offer(const char *what, const struct lesson *lesson, const char *verb,
                  const char *gives) {
    say(PLAIN, "  %-10s%-19s%s\n", what, path_of("make %s-%s", verb, lesson->number), gives);
}

static void show_passed(const struct lesson *lesson, const struct progress *progress) {
    int tests = 0;
    for (int i = 0; i < lesson->count; i++)
        tests += lesson->exercises[i].tests;
    say(GREEN, "Lesson %s is done: %d of %d exercises, %d tests.\n\n", lesson->number,
        lesson->count, lesson->count, tests);
    if (file_is_there(path_of("lessons/%s/milestone.c", lesson->folder)))
        offer("Run", lesson, "run", "the milestone: what your functions can do");
    if (file_is_there(path_of("lessons/%s/milestone/try.c", lesson->folder)))
        offer("", lesson, "try", "then try the network that you have trained");
    offer("See it", lesson, "plot", "pictures drawn from your code");
    offer("", lesson, "show", "the worked example, step by step");
    if (file_is_there(path_of("plots/%s/%s_try.c", lesson->folder, lesson->name)))
        offer("", lesson, "try", "numbers of your own, through your functions");
    offer("Ask", lesson, "quiz", "questions, from easy to hard");
    if (!is_release())
        offer("Compare", lesson, "solution", "your functions next to the reference");
    say(PLAIN, "  Hand in   make report        pictures, code and score, as HTML and PDF\n");
    const struct lesson *next = progress->next;
    if (!next)
        say(PLAIN, "  Next      Every lesson is passed. make list shows them all.\n");
    else
        say(PLAIN, "  Next      make %s            %s%s\n", next->number, next->title,
            progress->next_is_behind ? "" : " (not passed, or changed since)");
}

/* All that there are, or one where there is more to say, but none of a sign: those come last. */
static void show_warnings(const struct check *check, bool all) {
    int shown = 0;
    if (check->warning_count == 0 || (!all && strstr(text_of(&check->warnings), "sign")))
        return;
    bool unset = strstr(text_of(&check->warnings), "uninitialized");
    say(YELLOW, "The compiler warns%s:\n",
        unset ? " about a variable that has no first value"
              : ", which does not count as a failure");
    const char *at = text_of(&check->warnings);
    for (char *line; (all || shown == 0) && (line = next_line(&at)); shown++)
        say_hanging(PLAIN, 2, line);
    if (check->warning_count > shown)
        say(PLAIN, "... and %d more\n", check->warning_count - shown);
    say(PLAIN, "\n");
}

/* Counts what the learner's code printed in tests that passed, which is not shown. */
static void show_printed_elsewhere(const struct report *report) {
    int lines = 0;
    for (int i = 0; i < report->count; i++)
        if (report->tests[i].verdict == PASSED)
            lines += count_lines(text_of(&report->tests[i].printed));
    if (lines > 0 && lines_left(0) >= 2)
        say(PLAIN, "\nYour code printed %d line%s in tests that passed.\n", lines,
            lines == 1 ? "" : "s");
}

/* Where something is red: a screen of what is to be begun has this line already. */
static void show_help(struct lesson *lesson, const struct settings *settings) {
    const struct exercise *e = lesson_first_undone(lesson);
    const char *note = lesson->unbuilt || settings->untrusted ? "" : "  looks for the line";
    if (lesson->unbuilt || (e && (e->state == WRONG || e->state == BROKEN)))
        show_what("Stuck", path_of("make hint-%s%s", lesson->number, note));
}

void show_check(struct check *check, struct lesson *lesson, const struct progress *progress,
                const struct settings *settings) {
    first_line = screen_lines();
    is_elsewhere = progress->make_is_before;
    kept_free = progress->hidden ? 3 : 0;
    if (!progress->hidden)
        show_progress(progress);
    show_head(lesson, settings);
    show_exercises(check, lesson);
    show_warnings(check, is_verbose() || lesson_done(lesson));
    if (check->stage != TESTED)
        show_not_built(check, lesson);
    else if (lesson_done(lesson))
        show_passed(lesson, progress);
    else
        show_first_undone(check, lesson);
    if (!progress->hidden && check->stage != NO_FILE)
        show_help(lesson, settings);
    show_printed_elsewhere(&check->report);
    const char *quote = strchr(settings->from, ' ') ? "'" : ""; /* its name has no quotes */
    if (strcmp(settings->from, "lessons") != 0)
        say(PLAIN, "\nAdd FROM=%s%s%s to each command, as you did here.\n", quote, settings->from,
            quote);
    if (is_verbose() && check->raw.length > 0)
        say_raw(path_of("\n%s", text_of(&check->raw)));
}

/* --- the list ------------------------------------------------------------------------------- */

static void show_state_in_words(struct lesson *lesson, int room) {
    const struct exercise *e = lesson_first_undone(lesson);
    if (!file_is_there(lesson->source))
        say(DIM, "no file");
    else if (lesson->unbuilt)
        say(RED, "does not build");
    else if (!e)
        say(GREEN, "passed");
    else if (e->state == WRONG || e->state == BROKEN)
        say(RED, "%s: %.*s", state_word(e->state), room, e->name);
    else
        say(PLAIN, "next: %.*s", room, e->name);
}

void show_lesson_line(struct lesson *lesson, int most) {
    const char *score = quiz_score(lesson);
    say(PLAIN, " %s %-21.21s%s", lesson->number, lesson->title, is_narrow() ? "\n    " : " ");
    for (int i = 0; i < lesson->count; i++)
        say(colours[lesson->exercises[i].state], "%c", marks[lesson->exercises[i].state]);
    say(PLAIN, "%*s %2d/%-2d  ", most > lesson->count ? most - lesson->count : 0, "",
        lesson_done_count(lesson), lesson->count);
    show_state_in_words(lesson, is_narrow() ? WIDTH : WIDTH - most - 42);
    if (score[0] && lesson_done(lesson)) /* beside a name there is no room */
        say(PLAIN, "  quiz %.30s", score);
    say(PLAIN, "\n");
}
