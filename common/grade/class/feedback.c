/* A page for each row: the screen that the learner would have read, or why it is missing. */
#include "grade/class/names.h"
#include "grade/class/output.h"

#include <stdlib.h>
#include <string.h>

/* The learner's own screen, with the student's folder in place of the one that it was judged in. */
static void add_screen(struct text *text, const struct row *row) {
    struct text screen;
    struct path ours = path_of("lessons/%s/%s.c", row->lesson->folder, row->lesson->name);
    text_read_file(&screen, row->screen);
    char *clean = shown_lines(text_of(&screen));
    const char *at = clean;
    for (const char *next; (next = strstr(at, ours.chars)); at = next + strlen("lessons")) {
        text_add(text, at, (size_t)(next - at));
        text_print(text, "%s", row->by->shown);
    }
    text_print(text, "%s", at);
    if (!ends_with(text_of(text), "\n"))
        text_print(text, "\n");
    text_free(&screen);
    free(clean);
}

static void add_reason(struct text *text, const struct row *row) {
    static const char *const words[] = {
        [MISSING] = "was not handed in",
        [NOT_READ] = "was not read",
        [LOST] = "could not be graded, for a reason that is not yours",
        [STOPPED] = "is not graded yet",
    };
    text_print(text, "%s/%s/%s.c %s.\n", row->by->shown, row->lesson->folder, row->lesson->name,
               words[row->state]);
    if (row_problem(row)[0])
        text_print(text, "%s\n", row_problem(row));
}

/* Whose it is: files are sent by mail, and printed. */
static void add_head(struct text *text, const struct row *row) {
    const struct student *who = row->by->student;
    text_print(text, "%s: %s", row->lesson->folder, row->by->shown);
    if (who)
        text_print(text, ", %s",
                   shown_name(string_of("%s %s, %s", who->first, who->last, who->id)));
    text_print(text, row->note[0] ? "\n(%s)\n\n" : "\n\n", row->note);
}

void write_feedback(const struct output *o) {
    for (int i = 0; i < o->class->row_count; i++) {
        const struct row *row = o->class->rows[i];
        struct text text = {0};
        if (o->unboxed)
            text_print(&text, "%s\n\n", UNBOXED);
        add_head(&text, row);
        if (row->verdict)
            add_screen(&text, row);
        else
            add_reason(&text, row);
        if (o->unboxed)
            text_print(&text, "\n%s\n", UNBOXED);
        save(o, row_feedback(row), &text);
    }
}
