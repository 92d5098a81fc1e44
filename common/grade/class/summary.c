#include "grade/class/names.h"
#include "grade/class/output.h"

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
    bool first = true; /* in its line */
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        struct text word = {0};
        size_t length = strcspn(words, " ");
        if (length > (size_t)(COLUMNS - indent))
            length = (size_t)(COLUMNS - indent);
        while (length > 1 && ((unsigned char)words[length] & 0xC0) == 0x80)
            length--; /* between two characters */
        text_add(&word, words, length);
        int width = columns_of(text_of(&word));
        if (!first && column + 1 + width > COLUMNS) {
            text_print(text, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            text_add(text, " ", 1);
            column++;
        }
        first = false;
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
    const struct judged *v = s->rows[lesson].verdict;
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

static int rows_in(const struct class *class, int lesson, enum file_state state) {
    int count = 0;
    for (int i = 0; i < class->count; i++)
        count += class->submissions[i].rows[lesson].state == state;
    return count;
}

static void add_count(struct text *line, int count, const char *what) {
    if (count > 0)
        text_print(line, ", %s %d", what, count);
}

static void add_lesson(struct text *text, const struct class *class, int lesson) {
    const struct course_lesson *l = &class->lessons[lesson];
    int handed_in = 0, judged = 0, all = 0;
    struct text line = {0};
    for (int k = 0; k < class->count; k++) {
        const struct row *row = &class->submissions[k].rows[lesson];
        handed_in += row->sha256.hex[0] != '\0';
        judged += row->verdict != NULL;
        all += row->verdict && row->verdict->state != NOT_BUILT &&
               row->verdict->done == row->verdict->of;
    }
    text_print(&line, "%s %s: handed in by %d of %d, all of it right with %d", l->number,
               l->title.chars, handed_in, class->count, all);
    add_count(&line, rows_in(class, lesson, IN_PART), "builds only in part with");
    add_count(&line, rows_in(class, lesson, NOT_BUILT), "does not build with");
    add_count(&line, rows_in(class, lesson, NOT_READ), "not read of");
    text_add(text, "\n", 1);
    add_wrapped(text, 3, 0, text_of(&line));
    text_free(&line);
    for (int i = 0; judged > 0 && i < l->reference.count; i++)
        add_exercise(text, class, lesson, i, judged);
}

/* --- who ------------------------------------------------------------------------------------ */

/* Who is called by a number has a name besides. */
static void add_person(struct text *names, const struct submission *s) {
    text_add(names, text_of(&s->shown), s->shown.length);
    if (!s->student || strcmp(s->name, s->student->id) != 0)
        return;
    text_print(names, " ");
    add_name(names, path_of("%.400s %.400s", s->student->first, s->student->last).chars);
}

/* What is said of somebody, behind his name; false: he is not on the list. */
typedef bool about(const struct output *o, const struct submission *s, struct text *said);

/* A heading, and those whom it is about; nothing if it is about nobody. */
static void add_people(struct text *text, const struct output *o, const char *heading,
                       about *is_on_it) {
    struct text names = {0};
    int count = 0;
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = &o->class->submissions[i];
        struct text said = {0};
        if (is_on_it(o, s, &said)) {
            text_print(&names, "%s", count++ > 0 ? ", " : "");
            add_person(&names, s);
            text_print(&names, said.length > 0 ? " (%s)" : "%s", text_of(&said));
        }
        text_free(&said);
    }
    if (count > 0) {
        text_print(text, "\n%s, %d:\n  ", heading, count);
        add_wrapped(text, 2, 2, text_of(&names));
    }
    text_free(&names);
}

static bool handed_in_none(const struct output *o, const struct submission *s, struct text *said) {
    (void)said;
    return !handed_in_any(o->class, s);
}

static bool is_a_stranger(const struct output *o, const struct submission *s, struct text *said) {
    (void)said;
    return o->roster->count > 0 && !s->student;
}

static bool has_alike(const struct output *o, const struct submission *s, struct text *said) {
    int found = 0;
    for (int k = 0; k < o->class->lesson_count; k++)
        for (int i = 0; s->rows[k].verdict && i < s->rows[k].verdict->count; i++)
            found += s->rows[k].verdict->exercises[i].reference;
    text_print(said, "%d", found);
    return found > 0;
}

static bool is_late(const struct output *o, const struct submission *s, struct text *said) {
    static const char *const clocks[] = {[BY_FILE] = "",
                                         [BY_TIMESTAMP] = " by timestamp.txt",
                                         [BY_NAME] = " by the name",
                                         [BY_WORKSHEET] = " by the worksheet"};
    struct sum sum = sum_of(o->class, s, &o->points, &o->due);
    text_print(said, "%d d%s", sum.days_late, clocks[sum.clock]);
    return sum.days_late > 0;
}

static bool is_late_by_canvas(const struct output *o, const struct submission *s,
                              struct text *said) {
    (void)o, (void)said;
    return s->late_by_canvas;
}

/* Where nobody said which lessons are graded. */
static bool began_others(const struct output *o, const struct submission *s, struct text *said) {
    for (int k = 0; o->class->chosen.length > 0 && k < o->class->lesson_count; k++)
        if (s->rows[k].begun && !o->class->lessons[k].asked)
            text_print(said, "%s%s", said->length > 0 ? " " : "", o->class->lessons[k].number);
    return said->length > 0;
}

/* --- with a reason -------------------------------------------------------------------------- */

static const char *why_not_read(const struct row *row) {
    return row->state == NOT_READ ? row_problem(row) : "";
}

static const char *why_failed(const struct row *row) {
    return row->state == LOST ? row_problem(row) : "";
}

static const char *why_not_built(const struct row *row) {
    return row->state == NOT_BUILT ? row_problem(row) : "";
}

static const char *why_in_part(const struct row *row) {
    return row->state == IN_PART ? row_problem(row) : "";
}

static const char *why_doubtful(const struct row *row) {
    return row->doubtful ? text_of(&row->note) : "";
}

/* A line for each reason: "ada/01-softmax: why", or "ada: why" if it is that of several lessons. */
static void add_reasons(struct text *text, const struct output *o, const char *heading,
                        reason *why) {
    bool begun = false;
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++) {
            const struct submission *s = &o->class->submissions[i];
            struct text line = {0};
            int count = rows_with(o->class, s, k, why);
            if (count == 0)
                continue;
            text_print(text, "%s  ", begun ? "" : path_of("\n%s:\n", heading).chars);
            begun = true;
            text_add(&line, text_of(&s->shown), s->shown.length);
            text_print(&line, count > 1 ? "%s" : "/%s",
                       count > 1 ? "" : o->class->lessons[k].folder);
            text_print(&line, ": ");
            text_add(&line, why(&s->rows[k]), strlen(why(&s->rows[k])));
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
        if (!s->release_changed)
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
    text_print(text, "\nNot looked at, because these are neither folders nor archives:\n  ");
    add_wrapped(text, 2, 2, text_of(&o->class->others));
}

/* --- all of it ------------------------------------------------------------------------------ */

static void add_head(struct text *text, const struct output *o) {
    int rows[FILE_STATES] = {0};
    struct text line = {0};
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++)
            if (o->class->lessons[k].asked)
                rows[o->class->submissions[i].rows[k].state]++;
    if (o->unboxed)
        text_print(text, "%s\n", UNBOXED);
    text_print(&line, "%s: %d submissions. Of their lessons %d are graded", o->name,
               o->class->count, rows[GRADED] + rows[IN_PART] + rows[NOT_BUILT]);
    static const char *const words[] = {[MISSING] = "not handed in",
                                        [NOT_READ] = "not read",
                                        [LOST] = "lost",
                                        [STOPPED] = "waiting"};
    for (int state = MISSING; state <= STOPPED; state++)
        if (rows[state] > 0)
            text_print(&line, ", %d %s", rows[state], words[state]);
    text_print(&line, ". %s", text_of(&o->class->chosen));
    add_wrapped(text, 0, 0, text_of(&line));
    if (o->strange_times)
        text_print(
            text,
            "Some times in the worksheet are not understood: there those of the files count.\n");
    text_free(&line);
}

void write_summary(const struct output *o) {
    struct text text = {0};
    add_head(&text, o);
    for (int k = 0; k < o->class->lesson_count; k++)
        if (o->class->lessons[k].asked)
            add_lesson(&text, o->class, k);
    add_people(&text, o, "Handed in none of these lessons", handed_in_none);
    add_reasons(&text, o, "Not read (no grade in the tables: please look at it)", why_not_read);
    add_reasons(&text, o, "Please look whether the right file was read", why_doubtful);
    add_reasons(&text, o, "Builds only in part (each function that compiles was judged)",
                why_in_part);
    add_reasons(&text, o, "Does not build", why_not_built);
    add_reasons(&text, o, "Could not be graded, for reasons of ours", why_failed);
    add_people(&text, o, "Late (by the time of the file where nothing else is named)", is_late);
    add_people(&text, o, "Late, as Canvas has it", is_late_by_canvas);
    add_people(&text, o, "Handed in other lessons, which are not graded (LESSON= names them)",
               began_others);
    add_people(&text, o, "Not on the roster", is_a_stranger);
    add_people(&text, o, "With functions that are the reference's but for names", has_alike);
    add_changed(&text, o);
    add_others(&text, o);
    if (o->stopped)
        text_print(&text, "\nIt was stopped: the same command goes on from there.\n");
    if (o->unboxed)
        text_print(&text, "\n%s\n", UNBOXED);
    printf("\n%s", text_of(&text));
    save(o, "summary.txt", &text);
}
