/* summary.txt, which is on the screen, too: what the lecturer should know of the class, in 80
   columns. First comes how far each exercise got, then lists of people, each with a heading that
   gives the reason. An empty list is left out. */
#include "grade/class/names.h"
#include "grade/class/output.h"

#include <stdio.h>
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

/* The first of the most frequent; NULL if nothing was noted. */
static const struct said *most(const struct tally *tally) {
    const struct said *best = NULL;
    for (int i = 0; i < tally->count; i++)
        if (!best || tally->all[i].times > best->times)
            best = &tally->all[i];
    return best;
}

/* --- paragraphs ----------------------------------------------------------------------------- */

/* The length of the first word, cut to what fits into a line. */
static size_t word_length(const char *words, int most) {
    size_t length = strcspn(words, " ");
    if (length > (size_t)most)
        length = (size_t)most;
    while (length > 1 && ((unsigned char)words[length] & 0xC0) == 0x80)
        length--; /* between two characters */
    return length;
}

/* Adds a paragraph, broken at spaces; the first line has `column` columns already. */
static void add_wrapped(struct text *text, int indent, int column, const char *words) {
    bool first = true; /* in its line */
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        size_t length = word_length(words, COLUMNS - indent);
        char *word = string_of("%.*s", (int)length, words);
        int width = columns_of(word);
        if (!first && column + 1 + width > COLUMNS) {
            text_print(text, "\n%*s%s", indent, "", word);
            column = indent + width;
        } else {
            text_print(text, "%s%s", first ? "" : " ", word);
            column += width + !first;
        }
        first = false;
        words += length;
    }
    text_add(text, "\n", 1);
}

static void add_bar(struct text *text, int part, int whole) {
    int filled = whole > 0 ? BAR * part / whole : 0;
    for (int i = 0; i < BAR; i++)
        text_add(text, i < filled ? "#" : "-", 1);
}

/* --- a lesson ------------------------------------------------------------------------------- */

/* "3 have it: ...", of what was noted most often, if anything was. */
static void add_most(struct text *text, const struct tally *tally, const char *one,
                     const char *many) {
    const struct said *said = most(tally);
    if (!said)
        return;
    text_print(text, "      ");
    add_wrapped(text, 6, 6,
                string_of("%d %s: %s", said->times, said->times == 1 ? one : many, said->what));
}

static void add_exercise(struct text *text, const struct class *class, int lesson, int i,
                         int judged) {
    struct tally mistakes = {0}, failed = {0};
    int done = 0;
    for (int k = 0; k < class->count; k++) {
        const struct judged_exercise *e = row_exercise(class->submissions[k]->graded[lesson], i);
        if (!e)
            continue;
        done += is_done(e);
        if (e->mistake[0] && !is_done(e))
            note(&mistakes, e->mistake);
        for (int t = 0; t < e->listed; t++)
            if (e->tests[t].result == TEST_FAILED || e->tests[t].result == TEST_ERROR)
                note(&failed, e->tests[t].sentence);
    }
    text_print(text, "  %-34.34s ", class->rows[lesson]->lesson->reference.exercises[i].name);
    add_bar(text, done, judged);
    text_print(text, " %d of %d\n", done, judged);
    add_most(text, &mistakes, "has it", "have it");
    add_most(text, &failed, "fails", "fail");
}

/* `lesson` counts the graded lessons. */
static void add_lesson(struct text *text, const struct class *class, int lesson) {
    static const struct {
        enum file_state state;
        const char *words;
    } counted[] = {{IN_PART, "builds only in part with"},
                   {NOT_BUILT, "does not build with"},
                   {NOT_READ, "not read of"}};
    const struct course_lesson *l = class->rows[lesson]->lesson;
    int handed_in = 0, judged = 0, all = 0, in[FILE_STATES] = {0};
    for (int k = 0; k < class->count; k++) {
        const struct row *row = class->submissions[k]->graded[lesson];
        handed_in += row->source != NULL;
        judged += row->verdict != NULL;
        all += row->verdict && row->verdict->state != NOT_BUILT &&
               row->verdict->done == row->verdict->of;
        in[row->state]++;
    }
    const char *line = string_of("%s %s: handed in by %d of %d, all of it right with %d", l->number,
                                 l->title, handed_in, class->count, all);
    for (int i = 0; i < 3; i++)
        if (in[counted[i].state] > 0)
            line = string_of("%s, %s %d", line, counted[i].words, in[counted[i].state]);
    text_add(text, "\n", 1);
    add_wrapped(text, 3, 0, line);
    for (int i = 0; judged > 0 && i < l->reference.count; i++)
        add_exercise(text, class, lesson, i, judged);
}

/* --- who ------------------------------------------------------------------------------------ */

/* Words for behind the name of a submission, or ""; NULL: it is not on the list. */
typedef const char *about(const struct output *o, const struct submission *s);

/* Adds a heading, and those whom it is about; nothing if the list is empty. A student whose folder
   is a number has a name behind it. */
static void add_people(struct text *text, const struct output *o, const char *heading,
                       about *what) {
    const char *names = "";
    int count = 0;
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        const struct student *who = s->student;
        const char *said = what(o, s);
        if (!said)
            continue;
        names = joined(names, ", ", s->shown);
        count++;
        if (who && strcmp(s->name, who->id) == 0)
            names =
                string_of("%s %s", names, shown_name(string_of("%s %s", who->first, who->last)));
        if (said[0])
            names = string_of("%s (%s)", names, said);
    }
    if (count == 0)
        return;
    text_print(text, "\n%s, %d:\n  ", heading, count);
    add_wrapped(text, 2, 2, names);
}

static const char *handed_in_none(const struct output *o, const struct submission *s) {
    return handed_in_any(o->class, s) ? NULL : "";
}

static const char *is_a_stranger(const struct output *o, const struct submission *s) {
    return o->roster->count > 0 && !s->student ? "" : NULL;
}

static const char *has_alike(const struct output *o, const struct submission *s) {
    int found = 0;
    for (int k = 0; k < o->class->graded_count; k++)
        for (int i = 0; row_exercise(s->graded[k], i); i++)
            found += row_exercise(s->graded[k], i)->reference;
    return found > 0 ? string_of("%d", found) : NULL;
}

static const char *is_late(const struct output *o, const struct submission *s) {
    static const char *const clocks[] = {[BY_FILE] = "",
                                         [BY_TIMESTAMP] = " by timestamp.txt",
                                         [BY_NAME] = " by the name",
                                         [BY_WORKSHEET] = " by the worksheet"};
    struct sum sum = sum_of(o->class, s, &o->points, &o->due);
    return sum.days_late > 0 ? string_of("%d d%s", sum.days_late, clocks[sum.clock]) : NULL;
}

static const char *is_late_by_canvas(const struct output *o, const struct submission *s) {
    (void)o;
    return s->late_by_canvas ? "" : NULL;
}

/* The lessons that are not graded, where LESSON= names none. */
static const char *began_others(const struct output *o, const struct submission *s) {
    const char *said = "";
    for (int k = 0; o->class->chosen[0] && k < o->class->lesson_count; k++)
        if (s->rows[k].begun && !s->rows[k].lesson->asked)
            said = joined(said, " ", s->rows[k].lesson->number);
    return said[0] ? said : NULL;
}

/* --- with a reason -------------------------------------------------------------------------- */

/* Adds a line of a list, and first its heading, if it has not been added yet. */
static void add_line(struct text *text, const char **heading, const char *line) {
    text_print(text, *heading ? "\n%s:\n  " : "  ", *heading);
    *heading = NULL;
    add_wrapped(text, 4, 2, line);
}

/* A line for each reason: "ada/01-softmax: why", or "ada: why" if it is that of several lessons. */
static void add_reasons(struct text *text, const struct output *o, int state, const char *heading) {
    for (int i = 0; i < o->class->row_count; i++) {
        const struct row *row = o->class->rows[i];
        int count = rows_with(o->class, row, IN(state));
        const char *lesson = count == 1 ? string_of("/%s", row->lesson->folder) : "";
        if (count > 0)
            add_line(text, &heading,
                     string_of("%s%s: %s", row->by->shown, lesson, why_in(row, IN(state))));
    }
}

/* Submissions in which files of the release were changed that are not to be handed in. */
static void add_changed(struct text *text, const struct output *o) {
    const char *heading = "Not as handed out (what is graded is the functions alone)";
    for (int i = 0; i < o->class->count; i++) {
        const struct submission *s = o->class->submissions[i];
        if (s->release_changed)
            add_line(text, &heading, string_of("%s: %s", s->shown, s->release));
    }
}

/* What lies beside the submissions, because it may have been meant as one. */
static void add_others(struct text *text, const struct output *o) {
    if (!o->class->others[0])
        return;
    text_print(text, "\nNot looked at, because these are neither folders nor archives:\n  ");
    add_wrapped(text, 2, 2, o->class->others);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void add_head(struct text *text, const struct output *o) {
    static const char *const words[] = {[MISSING] = "not handed in",
                                        [NOT_READ] = "not read",
                                        [LOST] = "lost",
                                        [STOPPED] = "waiting"};
    int in[FILE_STATES] = {0};
    for (int i = 0; i < o->class->row_count; i++)
        in[o->class->rows[i]->state]++;
    if (o->unboxed)
        text_print(text, "%s\n", UNBOXED);
    const char *line = string_of("%s: %d submissions. Of their lessons %d are graded", o->name,
                                 o->class->count, in[GRADED] + in[IN_PART] + in[NOT_BUILT]);
    for (int state = MISSING; state <= STOPPED; state++)
        if (in[state] > 0)
            line = string_of("%s, %d %s", line, in[state], words[state]);
    add_wrapped(text, 0, 0, string_of("%s. %s", line, o->class->chosen));
    if (o->strange_times)
        text_print(
            text,
            "Some times in the worksheet are not understood: there those of the files count.\n");
}

void write_summary(const struct output *o) {
    struct text text = {0};
    add_head(&text, o);
    for (int k = 0; k < o->class->graded_count; k++)
        add_lesson(&text, o->class, k);
    add_people(&text, o, "Handed in none of these lessons", handed_in_none);
    add_reasons(&text, o, NOT_READ, "Not read (no grade in the tables: please look at it)");
    add_reasons(&text, o, DOUBTFUL, "Please look whether the right file was read");
    add_reasons(&text, o, IN_PART, "Builds only in part (each function that compiles was judged)");
    add_reasons(&text, o, NOT_BUILT, "Does not build");
    add_reasons(&text, o, LOST, "Could not be graded, for reasons of ours");
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
