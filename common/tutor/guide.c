/* make hint: first where to look in the learner's own file and what to change there, as diagnose/
   finds it; then the hints of hints.md, one more each time. The number of hints shown is kept
   beside the results, and starts again when the code of the exercise changes. */
#include "tutor/commands.h"

#include "base/files.h"
#include "base/screen.h"
#include "diagnose/diagnose.h"
#include "diagnose/repair.h"
#include "diagnose/writing.h"
#include "explain/explain.h"
#include "tutor/words.h"

#include <stdio.h>
#include <string.h>

/* --- hints ---------------------------------------------------------------------------------- */

struct hints {
    const char *strengths[3];
    int count; /* a release may have fewer */
    const char *after;
};

/* The section "## exercise" of hints.md. */
static bool read_hints(struct hints *hints, const struct lesson *lesson, const char *exercise) {
    bool inside = false;
    *hints = (struct hints){.after = ""};
    const char *at = sealed_text(path_of("lessons/%s/hints.md", lesson->folder));
    for (const char *line; (line = next_line(&at));) {
        if (starts_with(line, "## "))
            inside = strcmp(line + 3, exercise) == 0;
        else if (inside && line[0] >= '1' && line[0] <= '3' && line[1] == '.')
            hints->strengths[line[0] - '1'] = paragraph_of(line + 3, &at);
        else if (inside && starts_with(line, "After: "))
            hints->after = paragraph_of(line + 7, &at);
    }
    while (hints->count < 3 && hints->strengths[hints->count])
        hints->count++;
    return hints->count > 0 || *hints->after;
}

/* The exercise's code as a number, without comments and white space. */
static unsigned long print_of_code(const struct lesson *lesson, const struct exercise *e) {
    return code_print(own_source(lesson, e));
}

/* How strong a hint the code in this form was shown last; or for 0, the strongest of all. Kept as
   lines "strength exercise code". */
static int strongest_shown(const struct lesson *lesson, const char *exercise, unsigned long print) {
    char name[NAME_SIZE];
    unsigned long of;
    int strength, found = 0;
    for (const char *at = file_text(lesson_file(lesson, "hints")), *line;
         (line = next_line(&at));) {
        if (sscanf(line, "%d %255s %lu", &strength, name, &of) != 3 || strcmp(name, exercise) != 0)
            continue;
        bool counts = print == 0 ? strength > found : of == print;
        found = counts ? strength : print == 0 ? found : 0;
    }
    return found < 0 ? 0 : found > 3 ? 3 : found;
}

int hints_shown(const struct lesson *lesson, const char *exercise) {
    return strongest_shown(lesson, exercise, 0);
}

static void keep_strength(const struct lesson *lesson, const struct exercise *e, int strength) {
    const char *path = lesson_file(lesson, "hints");
    make_folder_of(path);
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%d %s %lu\n", strength, e->name, print_of_code(lesson, e));
    fclose(file);
}

static void show_after(const struct lesson *lesson, const struct exercise *e) {
    struct hints hints;
    if (!read_hints(&hints, lesson, e->name))
        return;
    say(BOLD, "%s()\n", e->name);
    say_paragraph(PLAIN, 2, hints.after);
    say(PLAIN, "\n");
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

/* What has just passed. */
struct passed {
    const struct lesson *lesson;
    const struct exercise *exercise;
};

static void print_after(void *context) {
    const struct passed *p = context;
    say(GREEN, "Right. What a good solution looks like:\n");
    show_after(p->lesson, p->exercise);
}

/* In a line where the screen has no room for more. What is wrong comes first: then it is said
 * later. */
void show_what_passed(struct lesson *lesson, int room) {
    const char *path = lesson_file(lesson, "after");
    struct text shown;
    const struct exercise *last = NULL, *next = lesson_first_undone(lesson);
    bool known = text_read_file(&shown, path);
    int count = count_new(lesson, &shown, &last);
    if (count == 0 || (known && next && (next->state == WRONG || next->state == BROKEN)))
        return;
    file_replace(path, &shown);
    struct passed passed = {lesson, last};
    if (count == 1 && screen_count(print_after, &passed) <= room) {
        print_after(&passed);
    } else if (count == 1 || known) {
        const char *right = count == 1 ? path_of("%s() is right.", last->name)
                                       : path_of("%d more exercises are right.", count);
        say_paragraph(GREEN, 0,
                      path_of("%s To see a good solution: make hint-%s EXERCISE=%s", right,
                              lesson->number, last->name));
        say(PLAIN, "\n");
    }
}

/* The lesson is named: make hint alone is about the first that is not passed. */
static void show_again(struct lesson *lesson, const struct exercise *e) {
    bool asked_for = e != lesson_first_undone(lesson);
    say(PLAIN, "  Run make hint-%s%s%s again for a stronger hint.\n", lesson->number,
        asked_for ? " EXERCISE=" : "", asked_for ? e->name : "");
}

static void show_hints(struct lesson *lesson, const struct exercise *e, const struct hints *hints,
                       int strength) {
    say(BOLD, "Lesson %s: %s(), hint %d of %d\n\n", lesson->number, e->name, strength,
        hints->count);
    for (int i = 0; i < strength; i++) {
        say(PLAIN, "  %d. ", i + 1);
        say_hanging(i + 1 < strength ? DIM : PLAIN, 5, hints->strengths[i]);
    }
    say(PLAIN, "\n");
    if (strength < hints->count)
        show_again(lesson, e);
    else if (is_release())
        say(PLAIN, "  That was the strongest hint.\n");
    else
        say(PLAIN,
            "  That was the strongest hint. To see the reference:\n    make solution-%s "
            "EXERCISE=%s\n",
            lesson->number, e->name);
}

static int show_next_hint(struct lesson *lesson, const struct exercise *e) {
    struct hints hints;
    int strength = strongest_shown(lesson, e->name, print_of_code(lesson, e));
    bool found = read_hints(&hints, lesson, e->name);
    if (!found)
        fprintf(stderr, "lessons/%s/hints.md has no hints for %s()\n", lesson->folder, e->name);
    if (strength < hints.count)
        keep_strength(lesson, e, ++strength);
    if (hints.count > 0)
        show_hints(lesson, e, &hints, strength);
    else if (found)
        say(PLAIN,
            "This release has no hints in words. make still says what it finds in your code.\n");
    return found ? 0 : 1;
}

/* --- advice about the learner's own lines ----------------------------------------------------- */

/* What diagnose.h found out, and how much of it has been told. */
struct told {
    char exercise[NAME_SIZE];
    unsigned long code, file; /* what it is about, as numbers: the exercise's code, and the file
                                 with what the screen says of it */
    int times;
    struct advice advice;
};

/* Kept in a line of numbers and one of what to change. */
static struct told load_told(const struct lesson *lesson) {
    struct told told = {.exercise = ""};
    struct advice *a = &told.advice;
    int change = NO_CHANGE;
    const char *at = file_text(lesson_file(lesson, "advice")), *line = next_line(&at);
    bool good =
        line &&
        sscanf(line, "%255s %lu %lu %d %d %d %d %d %d", told.exercise, &told.code, &told.file,
               &told.times, &a->repairs, &a->gave_up, &a->lines[0], &a->lines[1], &change) == 9 &&
        (a->first = next_line(&at));
    a->change = (enum advised)change;
    return good ? told : (struct told){.exercise = ""};
}

static void keep_told(const struct lesson *lesson, const struct told *told) {
    const struct advice *a = &told->advice;
    struct text text = {0};
    text_print(&text, "%s %lu %lu %d %d %d %d %d %d\n%s\n", told->exercise, told->code, told->file,
               told->times, a->repairs, a->gave_up, a->lines[0], a->lines[1], (int)a->change,
               a->first);
    file_replace(lesson_file(lesson, "advice"), &text);
}

/* Diagnoses again if the file has changed, and counts from 0 if the code of the exercise has. */
static struct told find_out(const struct task *task, const struct exercise *e) {
    const struct lesson *lesson = task->lesson;
    struct told told = load_told(lesson);
    struct stamps now = {0};
    unsigned long code = print_of_code(lesson, e);
    stamps_add(&now, lesson->source);
    unsigned long file = (unsigned long)now.all[0].hash ^ code_print(e->told);
    bool same = strcmp(told.exercise, e->name) == 0;
    if (!same || told.file != file)
        told.advice = diagnose_further(task, e);
    if (!same || told.code != code)
        told.times = 0;
    told.code = code;
    told.file = file;
    snprintf(told.exercise, sizeof told.exercise, "%s", e->name);
    return told;
}

void prepare_hint(const struct task *task, const struct exercise *e) {
    const struct told told = find_out(task, e);
    keep_told(task->lesson, &told);
}

static void show_lines(const struct lesson *lesson, const struct advice *a) {
    struct text drawing = {0};
    if (a->lines[1] > 0)
        say(YELLOW, "  %s of these lines of your file is enough:\n",
            a->repairs > 1 ? "The same change in both" : "One change in one");
    else if (a->repairs)
        say(YELLOW, "  %s line %d of your file is enough:\n",
            a->repairs > 1 ? "The same change at two places of" : "One change in", a->lines[0]);
    else
        say(YELLOW, "  Look at line %d of your file:\n", a->lines[0]);
    for (int i = 0; i < 2 && a->lines[i] > 0; i++)
        draw_line(&drawing, lesson->source, a->lines[i], 0);
    const char *at = text_of(&drawing);
    for (const char *line; (line = next_line(&at));)
        say_cut(line);
}

/* Says the next thing about the learner's own file; false when all has been said. */
static bool show_advice(const struct task *task, const struct exercise *e) {
    struct lesson *lesson = task->lesson;
    say_in_a_second("Looking for the line ...\n");
    background_wait(task->settings);
    struct told told = find_out(task, e);
    say_in_a_second(NULL);
    const struct advice *a = &told.advice;
    told.times++;
    keep_told(lesson, &told);
    if (a->lines[0] == 0 && told.times == 1)
        say_paragraph(PLAIN, 0, words_no_line(a, e));
    if (a->lines[0] == 0 || told.times > 3)
        return false;
    say(BOLD, "Lesson %s: your %s()\n\n", lesson->number, e->name);
    show_lines(lesson, a);
    if (told.times > 1)
        say_paragraph(YELLOW, 2, words_change(a));
    say(PLAIN, "\n");
    if (told.times > 2)
        return false;
    show_again(lesson, e);
    return true;
}

/* What the compiler says comes before all hints. */
static int show_first_error(const struct task *task) {
    const struct lesson *lesson = task->lesson;
    struct check check;
    if (task->settings->untrusted) { /* nothing of it is compiled here */
        printf("Lesson %s does not build: see make %s.\n", lesson->number, lesson->number);
        return 0;
    }
    check_lesson(&check, *task);
    say(BOLD, "Lesson %s: the first error in your file\n\n", lesson->number);
    show_not_built(&check, lesson);
    return 0;
}

int run_hint(struct job *job) {
    const struct task *task = &job->task;
    struct lesson *lesson = &job->lesson;
    const char *exercise = job->words[1];
    bool first = strcmp(exercise, "-") == 0;
    const struct exercise *e =
        first ? lesson_first_undone(lesson) : lesson_exercise(lesson, exercise);
    if (!first && !e) {
        fprintf(stderr, "Lesson %s has no exercise %s.\n", lesson->number, exercise);
        return 2;
    }
    if (lesson->unbuilt)
        return show_first_error(task);
    bool undone = e && e->state != DONE; /* the search does not look for leaks */
    if (e && (e->state == WRONG || e->state == BROKEN) && !task->settings->untrusted &&
        show_advice(task, e))
        return 0;
    if (undone)
        return show_next_hint(lesson, e);
    say(BOLD, "Lesson %s: what a good solution looks like\n\n", lesson->number);
    for (int i = 0; i < lesson->count; i++)
        if (!e || e == &lesson->exercises[i])
            show_after(lesson, &lesson->exercises[i]);
    return 0;
}
