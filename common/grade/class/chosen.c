#include "grade/class/scan.h"

#include <stdio.h>
#include <string.h>

static bool any_asked(const struct class *class) {
    for (int k = 0; k < class->lesson_count; k++)
        if (class->lessons[k].asked)
            return true;
    return false;
}

/* How many handed in that lesson; of -1, any. Stubs do not count. */
static int who_began(const struct class *class, int lesson) {
    int count = 0;
    for (int i = 0; i < class->count; i++) {
        bool begun = false;
        for (int k = 0; k < class->lesson_count; k++)
            begun |= class->submissions[i].rows[k].begun && (lesson < 0 || k == lesson);
        count += begun;
    }
    return count;
}

/* A release has a stub for each lesson that was handed out. */
static bool ask_for_released(struct class *class, const struct handed_out *release) {
    int began = 0;
    for (int k = 0; k < class->lesson_count; k++) {
        struct course_lesson *l = &class->lessons[k];
        l->asked = strstr(text_of(&release->list), path_of("  stubs/%s/", l->folder).chars);
        began += l->asked ? who_began(class, k) : 0;
    }
    for (int k = 0; began == 0 && k < class->lesson_count; k++)
        class->lessons[k].asked = false; /* it was made for others */
    if (began > 0)
        text_print(&class->chosen, "These are the lessons of the release that was made here.");
    return began > 0;
}

static bool ask_for_most(struct class *class, int began) {
    for (int k = 0; k < class->lesson_count; k++)
        class->lessons[k].asked = 2 * who_began(class, k) >= began && who_began(class, k) > 0;
    if (any_asked(class))
        text_print(
            &class->chosen,
            "These are the lessons that at least half of the %d students who handed in a lesson "
            "began.",
            began);
    return any_asked(class);
}

/* Nobody began: then those whose stubs came back. */
static bool ask_for_stubs(struct class *class) {
    for (int k = 0; k < class->lesson_count; k++)
        for (int i = 0; i < class->count; i++)
            class->lessons[k].asked |= class->submissions[i].rows[k].sha256.hex[0];
    if (any_asked(class))
        text_print(&class->chosen,
                   "Nobody began: these are the lessons whose stubs were handed in.");
    return any_asked(class);
}

static void tell_counts(const struct class *class, int began) {
    fprintf(
        stderr,
        "No lesson was handed in by half of the class. Which ones are graded? LESSON=\"01 02\"\n");
    for (int k = 0; k < class->lesson_count; k++)
        if (who_began(class, k) > 0)
            fprintf(stderr, "  %s: %d of %d\n", class->lessons[k].folder, who_began(class, k),
                    began);
}

bool choose_lessons(struct class *class, const struct handed_out *release) {
    int began = who_began(class, -1);
    if (any_asked(class) || ask_for_released(class, release) ||
        (began == 0 ? ask_for_stubs(class) : ask_for_most(class, began)))
        return true;
    if (began > 0)
        tell_counts(class, began);
    else
        fprintf(stderr, "%s holds no lesson: wanted are files DIR/student/NN-name/name.c.\n",
                class->dir);
    return false;
}
