/* The folder that all is written into, and what several formats say. Files are written into a
   folder beside OUT, or in it, that has a mark of ours, and are moved to their places at the end: a
   run that is stopped leaves what an earlier one wrote. */
#include "grade/class/output.h"

#include "grade/class/jobs.h"

#include "base/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* All formats, and what each leaves in OUT. The next run replaces these, and nothing else. */
static const struct writer {
    const char *format; /* NULL: it is always written */
    void (*write)(const struct output *o);
    const char *made[3];
} writers[] = {
    {NULL, write_tables, {"results.csv", "exercises.csv", "index.csv"}},
    {NULL, write_feedback, {"feedback"}},
    {NULL, write_junit, {"junit.xml"}},
    {"nbgrader", write_nbgrader, {"grades.csv"}},
    {"canvas", write_canvas, {"canvas.csv"}},
    {"moodle", write_moodle, {"moodle.csv"}},
    {"gradescope", write_gradescope, {"gradescope"}},
    {"prairielearn", write_prairielearn, {"prairielearn"}},
    {"check50", write_check50, {"check50"}},
    {NULL, write_summary, {"summary.txt"}},
};
enum { WRITERS = sizeof writers / sizeof *writers };

bool is_asked(const struct output *o, const char *format) {
    return o->formats && strstr(string_of(" %s ", o->formats), string_of(" %s ", format));
}

void check_formats(const char *asked) {
    const char *known = " csv junit "; /* always there */
    char word[64];
    int length = 0;
    for (int i = 0; i < WRITERS; i++)
        known = string_of("%s%s ", known, writers[i].format ? writers[i].format : "");
    for (; asked && sscanf(asked, "%63s%n", word, &length) == 1; asked += length)
        if (!strstr(known, path_of(" %s ", word).chars))
            die("FORMATS=%s: there are nbgrader, moodle, canvas, gradescope,\n"
                "prairielearn and check50; tables, JUnit and feedback are always made.",
                word);
}

void write_all(const struct output *o) {
    for (int i = 0; i < WRITERS; i++)
        if (!writers[i].format || is_asked(o, writers[i].format))
            writers[i].write(o);
}

static _Noreturn void cannot_write(const char *path) {
    die("cannot write %s: %s", path, strerror(errno));
}

static void move(const char *from, const char *to) {
    if (rename(from, to) != 0)
        cannot_write(to);
}

static const char *begun; /* OUT.part, until it has OUT's place */

static void clear_up(void) {
    if (begun)
        remove_all(begun);
}

/* Says that a folder is of our making. */
static const char *mark_of(const struct output *o) {
    return string_of("%s/being-written", o->part);
}

void output_begin(const struct output *o) {
    struct text nothing = {0};
    const char *mark = mark_of(o);
    make_folder_of(o->part);
    if (file_is_there(o->part) && !file_is_there(mark))
        die("%s is in the way: move it.", o->part);
    remove_all(o->part);
    if (mkdir(o->part, 0777) != 0)
        cannot_write(o->part);
    begun = o->part;
    atexit(clear_up);
    if (!file_replace(mark, &nothing))
        exit(2);
}

void save(const struct output *o, const char *file, struct text *text) {
    struct path path = path_of("%s/%s", o->part, file);
    make_folder_of(path.chars);
    if (!file_replace(path.chars, text))
        exit(2);
    text_free(text);
}

/* Moves a file or folder of an earlier run away, and that of this run to its place. */
static void replace(const struct output *o, const char *old, const char *name) {
    const char *new = string_of("%s/%s", o->part, name), *place = string_of("%s/%s", o->out, name);
    if (file_is_there(place))
        move(place, string_of("%s/%s", old, name));
    if (file_is_there(new))
        move(new, place);
}

/* Whatever else lies in OUT stays there, and what an earlier run wrote until it is replaced. */
void output_end(const struct output *o) {
    const char *old = string_of("%s/old", o->part);
    begun = NULL;
    if (!file_is_there(o->out)) {
        remove(mark_of(o));
        move(o->part, o->out);
        return;
    }
    if (mkdir(old, 0777) != 0)
        cannot_write(old);
    for (int i = 0; i < WRITERS; i++)
        for (int k = 0; k < 3 && writers[i].made[k]; k++)
            replace(o, old, writers[i].made[k]);
    remove_all(o->part);
}

/* --- what several of them say --------------------------------------------------------------- */

const char *why_unknown(const struct class *class, const struct submission *s) {
    const char *all = "";
    for (int k = 0; k < class->graded_count; k++) {
        const struct row *row = s->graded[k];
        int count = rows_with(class, row, NO_VERDICT);
        const char *lesson = count == 1 ? string_of("%s: ", row->lesson->folder) : "";
        if (count > 0)
            all = joined(
                all, "; ",
                string_of("%s%s: %s", lesson, file_state_words[row->state], row_problem(row)));
    }
    return all;
}

static void add_row_feedback(struct text *text, const struct row *row) {
    struct score score = row_score(row);
    text_print(text, "%s: ", row->lesson->folder);
    if (row->state == GRADED || row->state == IN_PART)
        text_print(text, "%d of %d exercises, %d of %d tests.", score.done, score.of, score.passed,
                   score.tests);
    else
        text_print(text, "%s.",
                   row->state == MISSING ? "not handed in" : file_state_words[row->state]);
    if (row_problem(row)[0])
        text_print(text, " %s", row_problem(row));
    if (row->note[0])
        text_print(text, " (%s)", row->note);
    text_print(text, "\n");
}

const char *short_feedback(const struct output *o, const struct submission *s) {
    struct text text = {0};
    if (o->unboxed)
        text_print(&text, "%s\n", UNBOXED);
    for (int k = 0; k < o->class->graded_count; k++)
        add_row_feedback(&text, s->graded[k]);
    return text_of(&text);
}

const char *exercise_feedback(const struct judged_exercise *e) {
    struct text text = {0};
    if (e->mistake[0])
        text_print(&text, "%s\n", e->mistake);
    for (int i = 0; i < e->listed; i++) {
        const struct judged_test *t = &e->tests[i];
        if (t->result == TEST_FAILED || t->result == TEST_ERROR)
            text_print(&text, "%s: %s\n", t->sentence, t->said[0] ? t->said : "it did not pass");
    }
    return text_of(&text);
}
