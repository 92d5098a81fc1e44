#include "grade/class/output.h"

#include "grade/class/jobs.h"

#include "base/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const formats[] = {"nbgrader",     "moodle",  "canvas", "gradescope",
                                      "prairielearn", "check50", NULL};

/* All that a run may leave in OUT: the next one takes these away, and nothing else. */
static const char *const made[] = {
    "results.csv", "exercises.csv", "index.csv",  "feedback",     "junit.xml", "grades.csv",
    "canvas.csv",  "moodle.csv",    "gradescope", "prairielearn", "check50",   "summary.txt",
};
enum { MADE = sizeof made / sizeof *made };

bool is_asked(const struct output *o, const char *format) {
    size_t length = strlen(format);
    for (const char *at = o->formats; at && (at = strstr(at, format)); at += length)
        if ((at == o->formats || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

bool formats_are_known(const char *asked) {
    char word[64];
    int length = 0;
    for (; asked && sscanf(asked, "%63s%n", word, &length) == 1; asked += length) {
        bool known = strcmp(word, "csv") == 0 || strcmp(word, "junit") == 0; /* always there */
        for (int i = 0; formats[i]; i++)
            known |= strcmp(formats[i], word) == 0;
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

static bool complain(const struct path *path) {
    fprintf(stderr, "cannot write %s: %s\n", path->chars, strerror(errno));
    return false;
}

/* Says that a folder is of our making. */
static struct path mark_of(const struct output *o) {
    return path_of("%s/being-written", o->part.chars);
}

bool output_begin(struct output *o) {
    struct text nothing = {0};
    struct path mark = mark_of(o);
    make_folder_of(o->part.chars);
    if (file_is_there(o->part.chars) && !file_is_there(mark.chars)) {
        fprintf(stderr, "%s is in the way: move it.\n", o->part.chars);
        return false;
    }
    remove_all(o->part.chars);
    if (mkdir(o->part.chars, 0777) != 0)
        return complain(&o->part);
    return file_replace(mark.chars, &nothing);
}

void output_give_up(const struct output *o) {
    remove_all(o->part.chars);
}

void save(const struct output *o, const char *file, struct text *text) {
    struct path path = path_of("%s/%s", o->part.chars, file);
    make_folder_of(path.chars);
    if (!file_replace(path.chars, text)) {
        output_give_up(o);
        exit(2);
    }
    text_free(text);
}

/* Whatever else lies in OUT stays there. */
static bool replace_each(const struct output *o) {
    struct path old = path_of("%s/old", o->part.chars);
    if (mkdir(old.chars, 0777) != 0)
        return complain(&old);
    for (int i = 0; i < MADE; i++) {
        struct path new = path_of("%s/%s", o->part.chars, made[i]);
        struct path place = path_of("%s/%s", o->out.chars, made[i]);
        bool there = file_is_there(place.chars);
        if (there && rename(place.chars, path_of("%s/%s", old.chars, made[i]).chars) != 0)
            return complain(&place);
        if (file_is_there(new.chars) && rename(new.chars, place.chars) != 0)
            return complain(&place);
    }
    output_give_up(o);
    return true;
}

bool output_end(struct output *o) {
    if (file_is_there(o->out.chars))
        return replace_each(o);
    remove(mark_of(o).chars);
    return rename(o->part.chars, o->out.chars) == 0 || complain(&o->out);
}

/* --- what several of them say --------------------------------------------------------------- */

static const char *why_not_judged(const struct row *row) {
    return row->state == MISSING || row->verdict ? "" : row_problem(row);
}

struct text why_unknown(const struct class *class, const struct submission *s) {
    struct text text = {0};
    for (int k = 0; k < class->lesson_count; k++) {
        int count = rows_with(class, s, k, why_not_judged);
        if (count == 0)
            continue;
        text_print(&text, "%s", text.length > 0 ? "; " : "");
        if (count == 1)
            text_print(&text, "%s: ", class->lessons[k].folder);
        text_print(&text, "%s: ", file_state_words[s->rows[k].state]);
        text_add(&text, row_problem(&s->rows[k]), strlen(row_problem(&s->rows[k])));
    }
    return text;
}

static void add_row_feedback(struct text *text, const struct output *o, const struct submission *s,
                             int k) {
    const struct row *row = &s->rows[k];
    struct score score = row_score(o->class, s, k);
    text_print(text, "%s: ", o->class->lessons[k].folder);
    if (row->state == GRADED || row->state == IN_PART)
        text_print(text, "%d of %d exercises, %d of %d tests.", score.done, score.of, score.passed,
                   score.tests);
    else
        text_print(text, "%s.",
                   row->state == MISSING ? "not handed in" : file_state_words[row->state]);
    if (row_problem(row)[0])
        text_print(text, " %s", row_problem(row));
    if (row->note.length > 0)
        text_print(text, " (%s)", text_of(&row->note));
    text_add(text, "\n", 1);
}

struct text short_feedback(const struct output *o, const struct submission *s) {
    struct text text = {0};
    if (o->unboxed)
        text_print(&text, "%s\n", UNBOXED);
    for (int k = 0; k < o->class->lesson_count; k++)
        if (o->class->lessons[k].asked)
            add_row_feedback(&text, o, s, k);
    return text;
}

struct text exercise_feedback(const struct judged_exercise *e) {
    struct text text = {0};
    if (e->mistake[0])
        text_print(&text, "%s\n", e->mistake);
    for (int i = 0; i < e->listed; i++) {
        const struct judged_test *t = &e->tests[i];
        if (t->result == TEST_FAILED || t->result == TEST_ERROR)
            text_print(&text, "%s: %s\n", t->sentence, t->said[0] ? t->said : "it did not pass");
    }
    return text;
}
