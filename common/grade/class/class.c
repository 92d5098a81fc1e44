#include "grade/class/class.h"

#include <string.h>

struct score row_score(const struct class *class, const struct submission *s, int lesson) {
    const struct judged *v = s->rows[lesson].verdict, *whole = &class->lessons[lesson].reference;
    if (!v)
        return (struct score){0, whole->of, 0, whole->tests};
    return (struct score){v->done, v->of, v->passed,
                          v->state == NOT_BUILT ? whole->tests : v->tests};
}

const char *row_problem(const struct row *row) {
    return row->verdict ? row->verdict->problem : text_of(&row->problem);
}

int rows_with(const struct class *class, const struct submission *s, int lesson, reason *why) {
    const char *said = why(&s->rows[lesson]);
    int count = 0;
    if (!said[0] || !class->lessons[lesson].asked)
        return 0;
    for (int k = 0; k < class->lesson_count; k++) {
        bool same = class->lessons[k].asked && strcmp(why(&s->rows[k]), said) == 0;
        if (same && k < lesson)
            return 0;
        count += same;
    }
    return count;
}

bool handed_in_any(const struct class *class, const struct submission *s) {
    for (int i = 0; i < class->lesson_count; i++)
        if (class->lessons[i].asked && s->rows[i].state != MISSING)
            return true;
    return false;
}

bool is_known(const struct class *class, const struct submission *s) {
    for (int i = 0; i < class->lesson_count; i++)
        if (class->lessons[i].asked && s->rows[i].state != MISSING && !s->rows[i].verdict)
            return false;
    return true;
}

struct path copies_of(const char *work, const struct submission *s) {
    return path_of("%s/s%03d", work, s->number);
}

struct path row_id(const struct class *class, const struct submission *s, int lesson) {
    return path_of("%s-%s", s->label, class->lessons[lesson].folder);
}

struct path row_feedback(const struct class *class, const struct submission *s, int lesson) {
    return path_of("feedback/%s.txt", row_id(class, s, lesson).chars);
}
