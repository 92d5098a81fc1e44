#include "guide.h"

#include "diagnose.h"
#include "files.h"
#include "place.h"
#include "screen.h"
#include "sealed.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- hints ---------------------------------------------------------------------------------- */

struct hints {
    struct text strengths[3];
    int count; /* a release may have fewer */
    struct text after;
};

static void free_hints(struct hints *hints) {
    for (int i = 0; i < 3; i++)
        text_free(&hints->strengths[i]);
    text_free(&hints->after);
}

/* The section "## exercise" of hints.md. */
static bool read_hints(struct hints *hints, const struct lesson *lesson, const char *exercise) {
    struct text file;
    char line[2000];
    bool inside = false;
    *hints = (struct hints){0};
    if (!text_read_sealed(&file, path_of("lessons/%s/hints.md", lesson->folder).chars))
        return false;
    const char *at = text_of(&file);
    while (next_line(&at, line, sizeof line)) {
        if (starts_with(line, "## "))
            inside = strcmp(line + 3, exercise) == 0;
        else if (inside && line[0] >= '1' && line[0] <= '3' && line[1] == '.')
            text_paragraph(&hints->strengths[line[0] - '1'], line, 3, &at);
        else if (inside && starts_with(line, "After: "))
            text_paragraph(&hints->after, line, 7, &at);
    }
    text_free(&file);
    while (hints->count < 3 && hints->strengths[hints->count].length > 0)
        hints->count++;
    return hints->count > 0 || hints->after.length > 0;
}

/* Kept as lines "strength exercise". */
int hints_shown(const struct lesson *lesson, const char *exercise) {
    struct text file;
    char line[400], name[NAME_SIZE];
    int strength, found = 0;
    if (!text_read_file(&file, lesson_file(lesson, "hints").chars))
        return 0;
    const char *at = text_of(&file);
    while (next_line(&at, line, sizeof line))
        if (sscanf(line, "%d %255s", &strength, name) == 2 && strcmp(name, exercise) == 0)
            found = strength;
    text_free(&file);
    return found < 0 ? 0 : found > 3 ? 3 : found;
}

static void keep_strength(const struct lesson *lesson, const char *exercise, int strength) {
    struct path path = lesson_file(lesson, "hints");
    make_folder_of(path.chars);
    FILE *file = fopen(path.chars, "a");
    if (!file)
        return;
    fprintf(file, "%d %s\n", strength, exercise);
    fclose(file);
}

static void show_after(const struct lesson *lesson, const struct exercise *e) {
    struct hints hints;
    if (!read_hints(&hints, lesson, e->name))
        return;
    say(BOLD, "%s()\n", e->name);
    say_paragraph(PLAIN, 2, text_of(&hints.after));
    say(PLAIN, "\n");
    free_hints(&hints);
}

/* Counts what is done and not among the names in `shown`, and adds them; `last` is one of those. */
static int count_new(const struct lesson *lesson, struct text *shown,
                     const struct exercise **last) {
    int count = 0;
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        if (e->state != DONE || has_word(text_of(shown), e->name, strlen(e->name)))
            continue;
        text_print(shown, "%s\n", e->name);
        *last = e;
        count++;
    }
    return count;
}

/* In a line where something is wrong: that needs the screen. */
void show_what_passed(struct lesson *lesson) {
    struct path path = lesson_file(lesson, "after");
    struct text shown;
    const struct exercise *last = NULL, *next = lesson_first_undone(lesson);
    bool known = text_read_file(&shown, path.chars);
    int count = count_new(lesson, &shown, &last);
    if (count > 0)
        file_replace(path.chars, &shown);
    text_free(&shown);
    if (count == 0 || (count > 1 && !known))
        return;
    if (count == 1 && (!next || next->state == NOT_STARTED)) {
        say(GREEN, "Right. What a good solution looks like:\n");
        show_after(lesson, last);
        return;
    }
    struct path right =
        count == 1 ? path_of("%s() is right.", last->name) : path_of("%d more are right.", count);
    say_paragraph(
        GREEN, 0,
        path_of("%s A good one: make hint-%s EXERCISE=%s", right.chars, lesson->number, last->name)
            .chars);
    say(PLAIN, "\n");
}

/* The lesson is named: make hint alone is about the first that is not passed. */
static void show_again(struct lesson *lesson, const struct exercise *e) {
    bool asked_for = e != lesson_first_undone(lesson);
    printf("  make hint-%s%s%s again for a stronger one.\n", lesson->number,
           asked_for ? " EXERCISE=" : "", asked_for ? e->name : "");
}

static void show_hints(struct lesson *lesson, const struct exercise *e, const struct hints *hints,
                       int strength) {
    say(BOLD, "Lesson %s: %s(), hint %d of %d\n\n", lesson->number, e->name, strength,
        hints->count);
    for (int i = 0; i < strength; i++) {
        printf("  %d. ", i + 1);
        say_hanging(i + 1 < strength ? DIM : PLAIN, 5, text_of(&hints->strengths[i]));
    }
    putchar('\n');
    if (strength < hints->count)
        show_again(lesson, e);
    else if (is_release())
        puts("  That was the strongest.");
    else
        printf("  That was the strongest. Still stuck:\n    make solution-%s EXERCISE=%s\n",
               lesson->number, e->name);
}

static int show_next_hint(struct lesson *lesson, const struct exercise *e) {
    struct hints hints;
    int strength = hints_shown(lesson, e->name);
    bool found = read_hints(&hints, lesson, e->name);
    if (!found)
        fprintf(stderr, "lessons/%s/hints.md has no hints for %s()\n", lesson->folder, e->name);
    if (strength < hints.count)
        keep_strength(lesson, e->name, ++strength);
    if (hints.count > 0)
        show_hints(lesson, e, &hints, strength);
    else if (found)
        puts("This release has no hints in words: make says what it sees in your code.");
    free_hints(&hints);
    return found ? 0 : 1;
}

/* --- advice about the learner's own lines ----------------------------------------------------- */

/* What diagnose.h found out about a file, and how much of it has been told. */
struct told {
    char exercise[NAME_SIZE];
    struct timespec time; /* of the file that it is about */
    int times, lines[2];
    char kinds[2][200], effect[120], slips[1200];
};

/* Kept as "exercise seconds nanoseconds times line line", and a line for each text. */
static bool load_told(struct told *told, const struct lesson *lesson, const struct exercise *e) {
    struct text file;
    struct timespec now = file_time(lesson->source.chars);
    char line[1300] = "";
    long seconds = 0, nanoseconds = 0;
    text_read_file(&file, lesson_file(lesson, "advice").chars);
    const char *at = text_of(&file);
    bool good = next_line(&at, line, sizeof line) &&
                sscanf(line, "%255s %ld %ld %d %d %d", told->exercise, &seconds, &nanoseconds,
                       &told->times, &told->lines[0], &told->lines[1]) == 6 &&
                next_line(&at, told->kinds[0], sizeof told->kinds[0]) &&
                next_line(&at, told->kinds[1], sizeof told->kinds[1]) &&
                next_line(&at, told->effect, sizeof told->effect) &&
                next_line(&at, told->slips, sizeof told->slips);
    text_free(&file);
    return good && strcmp(told->exercise, e->name) == 0 && seconds == (long)now.tv_sec &&
           nanoseconds == now.tv_nsec;
}

static void find_out(struct told *told, struct lesson *lesson, const struct exercise *e,
                     const struct settings *settings, char *const objects[]) {
    struct timespec time = file_time(lesson->source.chars);
    struct advice advice = diagnose_further(lesson, e, settings, objects);
    *told = (struct told){.time = time, .lines = {advice.lines[0], advice.lines[1]}};
    snprintf(told->exercise, sizeof told->exercise, "%s", e->name);
    snprintf(told->effect, sizeof told->effect, "%s", advice.effect);
    snprintf(told->slips, sizeof told->slips, "%s", advice.slips);
    for (int i = 0; i < 2; i++)
        snprintf(told->kinds[i], sizeof told->kinds[i], "%s",
                 advice.kinds[i] ? advice.kinds[i] : "");
}

static void keep_told(const struct lesson *lesson, const struct told *told) {
    FILE *file = fopen(lesson_file(lesson, "advice").chars, "w");
    if (!file)
        return;
    fprintf(file, "%s %ld %ld %d %d %d\n%s\n%s\n%s\n%s\n", told->exercise, (long)told->time.tv_sec,
            told->time.tv_nsec, told->times, told->lines[0], told->lines[1], told->kinds[0],
            told->kinds[1], told->effect, told->slips);
    fclose(file);
}

static void show_line(const struct lesson *lesson, int number) {
    struct text drawing = {0};
    draw_line(&drawing, lesson->source.chars, number, 0);
    fputs(text_of(&drawing), stdout);
    text_free(&drawing);
}

static void show_lines(const struct lesson *lesson, const struct told *told, bool kinds) {
    int two = told->lines[1] > 0 && told->lines[1] != told->lines[0];
    if (told->lines[1] > 0)
        say(YELLOW, "  Two changes in your file are enough:\n");
    else
        say_paragraph(YELLOW, 2,
                      path_of("Line %d of your file: %s", told->lines[0],
                              told->effect[0] ? told->effect : "one change there is enough.")
                          .chars);
    for (int i = 0; i <= two; i++)
        show_line(lesson, told->lines[i]);
    for (int i = 0; kinds && i < 2; i++)
        if (told->kinds[i][0] && (i == 0 || strcmp(told->kinds[0], told->kinds[1]) != 0))
            say_paragraph(YELLOW, 2, told->kinds[i]);
}

/* Says the next thing about the learner's own file; false when all has been said. */
static bool show_advice(struct lesson *lesson, const struct exercise *e,
                        const struct settings *settings, char *const objects[]) {
    struct told told = {0};
    if (!load_told(&told, lesson, e))
        find_out(&told, lesson, e, settings, objects);
    told.times++;
    told.time = file_time(lesson->source.chars);
    keep_told(lesson, &told);
    int slips = told.slips[0] != '\0', stages = slips + (told.lines[0] > 0 ? 2 : 0);
    if (told.times > stages)
        return false;
    say(BOLD, "Lesson %s: %s(), as it stands in your file\n\n", lesson->number, e->name);
    if (slips)
        say_paragraph(YELLOW, 2, told.slips);
    if (slips && told.times > 1)
        putchar('\n');
    if (told.times > slips)
        show_lines(lesson, &told, told.times > slips + 1);
    putchar('\n');
    show_again(lesson, e);
    return true;
}

int hint(struct lesson *lesson, const char *exercise, const struct settings *settings,
         char *const objects[]) {
    const struct exercise *e =
        exercise ? lesson_exercise(lesson, exercise) : lesson_first_undone(lesson);
    if (exercise && !e) {
        fprintf(stderr, "Lesson %s has no exercise %s.\n", lesson->number, exercise);
        return 2;
    }
    bool undone = e && e->state != DONE; /* the search below does not look for leaks */
    if (e && (e->state == WRONG || e->state == BROKEN) && !lesson->unbuilt &&
        show_advice(lesson, e, settings, objects))
        return 0;
    if (undone)
        return show_next_hint(lesson, e);
    say(BOLD, "Lesson %s: what a good solution looks like\n\n", lesson->number);
    for (int i = 0; i < lesson->count; i++)
        if (!e || e == &lesson->exercises[i])
            show_after(lesson, &lesson->exercises[i]);
    return 0;
}
