#include "grade/class/names.h"
#include "grade/class/output.h"

#include <string.h>

/* The learner's own screen, with his folder in place of the one that it was judged in. */
static void add_screen(struct text *text, const struct output *o, const struct submission *s,
                       int k) {
    const struct course_lesson *l = &o->class->lessons[k];
    struct text screen, clean = {0};
    struct path ours = path_of("lessons/%s/%s.c", l->folder, l->name);
    text_read_file(&screen, path_of("%s/%s/screen.txt", o->kept, s->rows[k].key.hex).chars);
    add_lines(&clean, text_of(&screen));
    const char *at = text_of(&clean);
    for (const char *next; (next = strstr(at, ours.chars)); at = next + strlen("lessons")) {
        text_add(text, at, (size_t)(next - at));
        text_add(text, text_of(&s->shown), s->shown.length);
    }
    text_add(text, at, strlen(at));
    if (!ends_with(text_of(text), "\n"))
        text_add(text, "\n", 1);
    text_free(&screen);
    text_free(&clean);
}

static void add_reason(struct text *text, const struct output *o, const struct submission *s,
                       int k) {
    const struct row *row = &s->rows[k];
    static const char *const words[] = {
        [MISSING] = "was not handed in",
        [NOT_READ] = "was not read",
        [LOST] = "could not be graded, for a reason that is not yours",
        [STOPPED] = "is not graded yet",
    };
    text_add(text, text_of(&s->shown), s->shown.length);
    text_print(text, "/%s/%s.c %s.\n", o->class->lessons[k].folder, o->class->lessons[k].name,
               words[row->state]);
    if (row_problem(row)[0])
        text_print(text, "%s\n", row_problem(row));
}

/* Whose it is: files are sent by mail, and printed. */
static void add_head(struct text *text, const struct output *o, const struct submission *s, int k) {
    const struct student *who = s->student;
    text_print(text, "%s: %s", o->class->lessons[k].folder, text_of(&s->shown));
    if (who) {
        text_print(text, ", ");
        add_name(text, path_of("%.300s %.300s, %.300s", who->first, who->last, who->id).chars);
    }
    text_print(text, "\n");
    if (s->rows[k].note.length > 0)
        text_print(text, "(%s)\n", text_of(&s->rows[k].note));
    text_print(text, "\n");
}

static void write_one(const struct output *o, const struct submission *s, int k) {
    struct text text = {0};
    if (o->unboxed)
        text_print(&text, "%s\n\n", UNBOXED);
    add_head(&text, o, s, k);
    if (s->rows[k].verdict)
        add_screen(&text, o, s, k);
    else
        add_reason(&text, o, s, k);
    if (o->unboxed)
        text_print(&text, "\n%s\n", UNBOXED);
    save(o, row_feedback(o->class, s, k).chars, &text);
}

void write_feedback(const struct output *o) {
    for (int i = 0; i < o->class->count; i++)
        for (int k = 0; k < o->class->lesson_count; k++)
            if (o->class->lessons[k].asked)
                write_one(o, &o->class->submissions[i], k);
}
