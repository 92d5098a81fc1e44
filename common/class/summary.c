#include "names.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 78, BAR = 30 };

/* --- what happened how often ---------------------------------------------------------------- */

struct tally {
    struct said {
        const char *what;
        int times;
    } * all;
    int count;
};

static void note(struct tally *tally, const char *what) {
    for (int i = 0; i < tally->count; i++)
        if (strcmp(tally->all[i].what, what) == 0) {
            tally->all[i].times++;
            return;
        }
    tally->all = with_room(tally->all, tally->count, sizeof *tally->all);
    tally->all[tally->count++] = (struct said){what, 1};
}

/* The first of the most frequent; NULL if there is none. */
static const struct said *most(const struct tally *tally) {
    const struct said *best = NULL;
    for (int i = 0; i < tally->count; i++)
        if (!best || tally->all[i].times > best->times)
            best = &tally->all[i];
    return best;
}

/* --- paragraphs ----------------------------------------------------------------------------- */

/* Broken at spaces; the first line has `column` columns already. */
static void add_wrapped(struct text *text, int indent, int column, const char *words) {
    for (size_t length; (length = strcspn(words, " ")) > 0; words += strspn(words, " ")) {
        struct text word = {0};
        if (length > (size_t)(COLUMNS - indent))
            length = (size_t)(COLUMNS - indent);
        while (length > 1 && ((unsigned char)words[length] & 0xC0) == 0x80)
            length--; /* between two characters */
        text_add(&word, words, length);
        int width = columns_of(text_of(&word));
        if (column > indent && column + 1 + width > COLUMNS) {
            text_print(text, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            text_add(text, " ", 1);
            column++;
        }
        text_add(text, text_of(&word), length);
        column += width;
        words += length;
        text_free(&word);
    }
    text_add(text, "\n", 1);
}

static void add_bar(struct text *text, int part, int whole) {
    int filled = whole > 0 ? BAR * part / whole : 0;
    for (int i = 0; i < BAR; i++)
        text_add(text, i < filled ? "#" : "-", 1);
}

/* --- a lesson ------------------------------------------------------------------------------- */

static const struct judged_exercise *exercise_of(const struct submission *s, int lesson, int i) {
    const struct verdict *v = s->rows[lesson].verdict;
    return v && i < v->count ? &v->exercises[i] : NULL;
}

static void add_times(struct text *text, int times, const char *one, const char *many,
                      const char *what) {
    struct text line = {0};
    text_print(&line, "%d %s: ", times, times == 1 ? one : many);
    text_add(&line, what, strlen(what));
    text_print(text, "      ");
    add_wrapped(text, 6, 6, text_of(&line));
    text_free(&line);
}

static void add_exercise(struct text *text, const struct class *class, int lesson, int i,
                         int judged) {
    struct tally mistakes = {0}, failed = {0};
    int done = 0;
    for (int k = 0; k < class->count; k++) {
        const struct judged_exercise *e = exercise_of(&class->submissions[k], lesson, i);
        if (!e)
            continue;
        done += is_done(e);
        if (e->mistake[0] && !is_done(e))
            note(&mistakes, e->mistake);
        for (int t = 0; t < e->listed; t++)
            if (e->tests[t].result == TEST_FAILED || e->tests[t].result == TEST_ERROR)
                note(&failed, e->tests[t].sentence);
    }
    text_print(text, "  %-34.34s ", class->lessons[lesson].reference.exercises[i].name);
    add_bar(text, done, judged);
    text_print(text, " %d of %d\n", done, judged);
    const struct said *mistake = most(&mistakes), *test = most(&failed);
    if (mistake)
        add_times(text, mistake->times, "has it", "have it", mistake->what);
    if (test)
        add_times(text, test->times, "fails", "fail", test->what);
    free(mistakes.all);
    free(failed.all);
}

static void add_lesson(struct text *text, const struct class *class, int lesson) {
    const struct course_lesson *l = &class->lessons[lesson];
    int handed_in = 0, judged = 0, all = 0, unbuilt = 0;
    for (int k = 0; k < class->count; k++) {
        const struct row *row = &class->submissions[k].rows[lesson];
        handed_in += row->state != MISSING;
        judged += row->verdict || row->state == REFUSED;
        unbuilt += row->state == NOT_BUILT;
        all += row->verdict && row->verdict->built && row->verdict->done == row->verdict->of;
    }
    text_print(text, "\n%s %s: handed in by %d of %d, all of it right with %d", l->number,
               l->title.chars, handed_in, class->count, all);
    text_print(text, unbuilt ? ", not built %d\n" : "\n", unbuilt);
    for (int i = 0; judged > 0 && i < l->reference.count; i++)
        add_exercise(text, class, lesson, i, judged);
}

/* --- who ------------------------------------------------------------------------------------ */

/* Who is called by a number has a name besides. */
static void add_person(struct text *names, const struct submission *s) {
    text_add(names, text_of(&s->shown), s->shown.length);
    if (s->student && strcmp(s->name, s->student->id) == 0)
        add_name(names, path_of(" %.400s %.400s", s->student->first, s->student->last).chars);
}

/* A heading, and for whom the number is not 0, in brackets if it has a unit; nothing if for nobody.
 */
static void add_people(struct text *text, const struct output *o, const char *heading,
                       int (*number)(const struct output *o, const struct submission *s),
                       const char *unit) {
    struct text names = {0};
    int count = 0;
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        int found = number(o, s);
        if (found == 0)
            continue;
        text_print(&names, "%s", count++ > 0 ? ", " : "");
        add_person(&names, s);
        if (unit)
            text_print(&names, " (%d%s)", found, unit);
    }
    if (count > 0) {
        text_print(text, "\n%s, %d:\n  ", heading, count);
        add_wrapped(text, 2, 2, text_of(&names));
    }
    text_free(&names);
}

static int handed_in_nothing(const struct output *o, const struct submission *s) {
    return !handed_in_any(o->class, s);
}

static int is_a_stranger(const struct output *o, const struct submission *s) {
    return o->roster->count > 0 && !s->student;
}

static int functions_alike(const struct output *o, const struct submission *s) {
    int found = 0;
    for (int k = 0; k < o->class->lesson_count; k++)
        for (int i = 0; s->rows[k].verdict && i < s->rows[k].verdict->count; i++)
            found += s->rows[k].verdict->exercises[i].reference;
    return found;
}

static int days_late(const struct output *o, const struct submission *s) {
    return sum_of(o->class, s, &o->points, &o->due).days_late;
}

/* A line each, with the reason. */
static void add_reasons(struct text *text, const struct output *o, const char *heading,
                        enum row_state state) {
    bool begun = false;
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++) {
            const struct submission *s = &o->class->submissions[i];
            struct text line = {0};
            if (!o->class->lessons[k].asked || s->rows[k].state != state ||
                !row_problem(&s->rows[k])[0])
                continue;
            text_print(text, "%s", begun ? "" : path_of("\n%s:\n", heading).chars);
            begun = true;
            text_add(&line, text_of(&s->shown), s->shown.length);
            text_print(&line, "/%s: %s", o->class->lessons[k].folder, row_problem(&s->rows[k]));
            text_print(text, "  ");
            add_wrapped(text, 4, 2, text_of(&line));
            text_free(&line);
        }
}

/* Whose files are not those that were handed out, though they are none to be handed in. */
static void add_changed(struct text *text, const struct output *o) {
    bool begun = false;
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        struct text line = {0};
        if (strncmp(text_of(&s->release), "changed", strlen("changed")) != 0)
            continue;
        text_print(text, "%s  ",
                   begun ? "" : "\nNot as handed out (what is graded is the functions alone):\n");
        begun = true;
        text_add(&line, text_of(&s->shown), s->shown.length);
        text_print(&line, ": %s", text_of(&s->release));
        add_wrapped(text, 4, 2, text_of(&line));
        text_free(&line);
    }
}

/* What lies beside the submissions, for it may have been meant as one. */
static void add_others(struct text *text, const struct output *o) {
    if (o->class->others.length == 0)
        return;
    text_print(text, "\nNot looked at, for they are no folder, .zip or .tar:\n  ");
    add_wrapped(text, 2, 2, text_of(&o->class->others));
}

/* --- all of it ------------------------------------------------------------------------------ */

static void add_head(struct text *text, const struct output *o) {
    int rows[STOPPED + 1] = {0};
    struct text line = {0};
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++)
            if (o->class->lessons[k].asked)
                rows[o->class->submissions[i].rows[k].state]++;
    if (o->unboxed)
        text_print(text, "%s\n", UNBOXED);
    text_print(&line, "%s: %d submissions. Of their lessons %d are graded", o->name,
               o->class->count, rows[GRADED] + rows[NOT_BUILT]);
    static const char *const words[] = {[MISSING] = "not handed in",
                                        [REFUSED] = "refused",
                                        [FAILED] = "lost",
                                        [STOPPED] = "waiting"};
    for (int state = MISSING; state <= STOPPED; state++)
        if (rows[state] > 0)
            text_print(&line, ", %d %s", rows[state], words[state]);
    text_add(&line, ".", 1);
    add_wrapped(text, 0, 0, text_of(&line));
    text_free(&line);
}

void write_summary(const struct output *o) {
    struct text text = {0};
    add_head(&text, o);
    for (int k = 0; k < o->class->lesson_count; k++)
        if (o->class->lessons[k].asked)
            add_lesson(&text, o->class, k);
    add_people(&text, o, "Handed in nothing", handed_in_nothing, NULL);
    add_people(&text, o, "Late", days_late, " d");
    add_people(&text, o, "Not on the roster", is_a_stranger, NULL);
    add_people(&text, o, "With functions that are the reference's but for names", functions_alike,
               "");
    add_changed(&text, o);
    add_others(&text, o);
    add_reasons(&text, o, "Missing, but", MISSING);
    add_reasons(&text, o, "Does not build", NOT_BUILT);
    add_reasons(&text, o, "Refused", REFUSED);
    add_reasons(&text, o, "Could not be graded, for reasons of ours", FAILED);
    if (o->stopped)
        text_print(&text, "\nIt was stopped: the same command goes on from there.\n");
    if (o->unboxed)
        text_print(&text, "\n%s\n", UNBOXED);
    printf("\n%s", text_of(&text));
    save(o, "summary.txt", &text);
}
