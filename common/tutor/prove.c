#include "prove.h"

#include "slip_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct proof {
    struct lesson *lesson;
    const struct settings *settings;
    char *const *objects;
    const struct family *family;
    struct table as_learners; /* the listed slips, compiled as a learner's file is */
    int failed;
};

__attribute__((format(printf, 4, 5))) static void proved(struct proof *p, const struct variant *v,
                                                         bool good, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s %s %s in %s: %s", good ? "ok   " : "FAIL ", p->lesson->folder,
           v->origin == WAY ? "way" : "slip", v->function, v->name);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    p->failed += !good;
}

/* Is it told by something else, in these words? Among what the test program said, or on the whole
   screen of the tutor. */
static bool is_seen(const struct proof *p, int slip, const char *words) {
    for (int i = 0; i < p->as_learners.count; i++) {
        const struct failure *f = &p->as_learners.failures[i];
        if (f->slip == slip && strchr("=!@", f->how) && strstr(f->evidence, words))
            return true;
    }
    return false;
}

static void prove_one(struct proof *p, int slip, const struct table *table) {
    const struct variant *v = &p->family->variants[slip - 1];
    struct outcome outcomes[400];
    int count = table_outcomes(&p->as_learners, slip, outcomes), passed = 0;
    for (int i = 0; i < count; i++)
        passed += outcomes[i].passed;
    if (v->stillborn)
        proved(p, v, false, ": does not compile");
    else if (v->origin == WAY || passed == count)
        proved(p, v, v->origin == WAY && passed == count,
               v->origin == WAY ? "" : ": passes all tests");
    else if (v->sees)
        proved(p, v, is_seen(p, slip, v->sees), ": sees \"%s\"", v->sees);
    else {
        struct verdict_text told = table_tell(table, count, outcomes);
        bool good = strstr(told.chars, v->says);
        bool alone = strlen(told.chars) <= strlen(v->says) + strlen("Most likely: ");
        proved(p, v, good, good && alone ? "" : ": told: %s",
               told.chars[0] ? told.chars : "nothing");
    }
}

int prove_slips(struct lesson *lesson, const struct settings *settings, char *const objects[]) {
    struct proof p = {.lesson = lesson, .settings = settings, .objects = objects};
    struct text source;
    struct family family;
    struct path list = list_of(lesson);
    struct path stem =
        path_of("%s/slips/%s/listed.%d", settings->object, lesson->folder, (int)getpid());
    if (!text_read_file(&source, reference_of(lesson).chars) ||
        !family_make(&family, text_of(&source), (struct wanted){NULL, list.chars, false, false}))
        return 2;
    p.family = &family;
    table_read(&p.as_learners, run_slips(&family, stem.chars, settings, objects,
                                         path_of("%s -Icommon/slips -w", settings->flags).chars));
    if (!p.as_learners.whole) {
        printf("FAIL  %s: its slips cannot be run\n", lesson->folder);
        return 1;
    }
    for (int i = 0; i < lesson->count; i++) {
        struct table table;
        if (!exercise_table(&table, lesson, lesson->exercises[i].name, settings, objects)) {
            printf("FAIL  %s: no table for %s\n", lesson->folder, lesson->exercises[i].name);
            p.failed++;
        }
        for (int k = 0; k < family.count; k++)
            if (strcmp(family.variants[k].function, lesson->exercises[i].name) == 0)
                prove_one(&p, k + 1, &table);
        table_free(&table);
    }
    table_free(&p.as_learners);
    family_free(&family);
    text_free(&source);
    return p.failed > 0;
}
