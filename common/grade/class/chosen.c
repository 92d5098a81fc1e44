/* Which lessons are graded, where LESSON= names none. A release says which lessons were handed out.
   Without a release, these are the lessons that at least half of the students began. If no student
   began a lesson, these are the lessons whose stubs came back. */
#include "grade/class/scan.h"

#include <string.h>

static bool any_asked(const struct class *class) {
    bool any = false;
    for (int k = 0; k < class->lesson_count; k++)
        any |= class->lessons[k].asked;
    return any;
}

/* How many students began that lesson; any lesson, if it is -1. Stubs do not count. */
static int count_begun(const struct class *class, int lesson) {
    int count = 0;
    for (int i = 0; i < class->count; i++) {
        bool begun = false;
        for (int k = 0; k < class->lesson_count; k++)
            begun |= class->submissions[i]->rows[k].begun && (lesson < 0 || k == lesson);
        count += begun;
    }
    return count;
}

/* A release has a stub for each lesson that was handed out. If no student began one of these, it
   was made for another class. */
static bool ask_for_released(struct class *class, const char *release) {
    int began = 0;
    for (int k = 0; k < class->lesson_count; k++) {
        struct course_lesson *l = &class->lessons[k];
        l->asked = strstr(release, path_of("  stubs/%s/", l->folder).chars);
        began += l->asked ? count_begun(class, k) : 0;
    }
    for (int k = 0; began == 0 && k < class->lesson_count; k++)
        class->lessons[k].asked = false;
    if (began > 0)
        class->chosen = "These are the lessons of the release that was made here.";
    return began > 0;
}

static bool ask_for_most(struct class *class, int began) {
    for (int k = 0; k < class->lesson_count; k++)
        class->lessons[k].asked = 2 * count_begun(class, k) >= began && count_begun(class, k) > 0;
    class->chosen = string_of("These are the lessons that at least half of the %d students who "
                              "handed in a lesson began.",
                              began);
    return any_asked(class);
}

static bool ask_for_stubs(struct class *class) {
    for (int k = 0; k < class->lesson_count; k++)
        for (int i = 0; i < class->count; i++)
            class->lessons[k].asked |= class->submissions[i]->rows[k].source != NULL;
    class->chosen = "Nobody began: these are the lessons whose stubs were handed in.";
    return any_asked(class);
}

void choose_lessons(struct class *class, const char *release) {
    int began = count_begun(class, -1);
    const char *counts = "";
    if (any_asked(class) || ask_for_released(class, release) ||
        (began == 0 ? ask_for_stubs(class) : ask_for_most(class, began)))
        return;
    if (began == 0)
        die("%s holds no lesson: wanted are files DIR/student/NN-name/name.c.", class->dir);
    for (int k = 0; k < class->lesson_count; k++)
        if (count_begun(class, k) > 0)
            counts = string_of("%s\n  %s: %d of %d", counts, class->lessons[k].folder,
                               count_begun(class, k), began);
    die("No lesson was handed in by half of the class. Which ones are graded? LESSON=\"01 02\"%s",
        counts);
}
