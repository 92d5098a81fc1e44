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

bool formats_are_known(const char *asked) {
    char word[64];
    int length = 0;
    for (; asked && sscanf(asked, "%63s%n", word, &length) == 1; asked += length) {
        bool known = strcmp(word, "csv") == 0 || strcmp(word, "junit") == 0; /* always there */
        for (int i = 0; i < WRITERS; i++)
            known |= writers[i].format && strcmp(writers[i].format, word) == 0;
        if (!known) {
            fprintf(stderr,
                    "FORMATS=%s: there are nbgrader, moodle, canvas, gradescope,\n"
                    "prairielearn and check50; tables, JUnit and feedback are always made.\n",
                    word);
            return false;
        }
    }
    return true;
}

void write_all(const struct output *o) {
    for (int i = 0; i < WRITERS; i++)
        if (!writers[i].format || is_asked(o, writers[i].format))
            writers[i].write(o);
}

static bool complain(const char *path) {
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    return false;
}

/* Says that a folder is of our making. */
static const char *mark_of(const struct output *o) {
    return string_of("%s/being-written", o->part);
}

bool output_begin(struct output *o) {
    struct text nothing = {0};
    const char *mark = mark_of(o);
    make_folder_of(o->part);
    if (file_is_there(o->part) && !file_is_there(mark)) {
        fprintf(stderr, "%s is in the way: move it.\n", o->part);
        return false;
    }
    remove_all(o->part);
    if (mkdir(o->part, 0777) != 0)
        return complain(o->part);
    return file_replace(mark, &nothing);
}

void output_give_up(const struct output *o) {
    remove_all(o->part);
}

void save(const struct output *o, const char *file, struct text *text) {
    struct path path = path_of("%s/%s", o->part, file);
    make_folder_of(path.chars);
    if (!file_replace(path.chars, text)) {
        output_give_up(o);
        exit(2);
    }
    text_free(text);
}

/* Moves a file or folder of an earlier run away, and that of this run to its place. */
static bool replace(const struct output *o, const char *old, const char *name) {
    const char *new = string_of("%s/%s", o->part, name), *place = string_of("%s/%s", o->out, name);
    if (file_is_there(place) && rename(place, string_of("%s/%s", old, name)) != 0)
        return complain(place);
    return !file_is_there(new) || rename(new, place) == 0 || complain(place);
}

/* Whatever else lies in OUT stays there. */
static bool replace_each(const struct output *o) {
    const char *old = string_of("%s/old", o->part);
    if (mkdir(old, 0777) != 0)
        return complain(old);
    for (int i = 0; i < WRITERS; i++)
        for (int k = 0; k < 3 && writers[i].made[k]; k++)
            if (!replace(o, old, writers[i].made[k]))
                return false;
    output_give_up(o);
    return true;
}

bool output_end(struct output *o) {
    if (file_is_there(o->out))
        return replace_each(o);
    remove(mark_of(o));
    return rename(o->part, o->out) == 0 || complain(o->out);
}

/* --- what several of them say --------------------------------------------------------------- */

static const char *why_not_judged(const struct row *row) {
    return row->state == MISSING || row->verdict ? "" : row_problem(row);
}

const char *why_unknown(const struct class *class, const struct submission *s) {
    const char *all = "";
    for (int k = 0; k < class->graded_count; k++) {
        const struct row *row = s->graded[k];
        int count = rows_with(class, row, why_not_judged);
        if (count > 0)
            all = string_of("%s%s%s%s%s: %s", all, all[0] ? "; " : "",
                            count == 1 ? row->lesson->folder : "", count == 1 ? ": " : "",
                            file_state_words[row->state], row_problem(row));
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
