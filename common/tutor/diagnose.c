#include "diagnose.h"

#include "../slips/matching.h"
#include "../slips/writing.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- building and running ------------------------------------------------------------------- */

static struct path reference_of(const struct lesson *lesson) {
    return path_of("solutions/%s/%s.c", lesson->folder, lesson->name);
}

static struct path list_of(const struct lesson *lesson) {
    return path_of("tests/%s/slips", lesson->folder);
}

static bool write_file(const char *path, const struct text *text) {
    FILE *file = fopen(path, "w");
    bool good = file && fwrite(text_of(text), 1, text->length, file) == text->length;
    return file && fclose(file) == 0 && good;
}

static bool run_quietly(struct command *command, struct child *child) {
    child_run(child, command->words, (struct limits){60, 120, 64 << 20});
    command_free(command);
    return child->ending == ENDED && child->status == 0;
}

/* Those that do not compile are left out. */
static bool compile_family(struct family *family, const char *stem, const struct settings *settings,
                           const char *flags) {
    for (int round = 0; round < 6; round++) {
        struct text c = {0};
        struct command command = {0};
        struct child child;
        family_write(family, &c);
        bool written = write_file(path_of("%s.c", stem).chars, &c);
        text_free(&c);
        command_add_split(&command, settings->compiler);
        command_add_split(&command, flags);
        command_add_split(&command, path_of("-c %s.c -o %s.o", stem, stem).chars);
        bool good = written && run_quietly(&command, &child);
        int dropped = good ? 0 : family_drop(family, text_of(&child.err));
        if (!good && dropped <= 0 && getenv("VERBOSE"))
            fprintf(stderr, "%s", text_of(&child.err));
        child_free(&child);
        if (good || dropped <= 0)
            return good;
    }
    return false;
}

static bool link_family(const char *stem, const struct settings *settings, char *const objects[]) {
    struct command command = {0};
    struct child child;
    struct path object = path_of("%s.o", stem);
    struct path runner = path_of("%s/common/slips/running.o", settings->object);
    command_add_split(&command, settings->compiler);
    command_add_split(&command, settings->flags);
    command_add(&command, object.chars);
    command_add(&command, runner.chars);
    for (int i = 0; objects[i]; i++)
        if (!ends_with(objects[i], "/lesson_test.o"))
            command_add(&command, objects[i]);
    command_add(&command, "-o");
    command_add(&command, stem);
    command_add_split(&command, settings->libraries);
    bool good = run_quietly(&command, &child);
    if (!good && getenv("VERBOSE"))
        fprintf(stderr, "%s", text_of(&child.err));
    child_free(&child);
    return good;
}

static bool run_family(const char *stem, struct text *said) {
    struct command command = {0};
    struct child child;
    struct path program = path_of("%s", stem);
    setenv("ASAN_OPTIONS",
           "detect_leaks=0:symbolize=0:handle_segv=0:handle_abort=0:handle_sigbus=0:"
           "handle_sigfpe=0:allocator_may_return_null=1:quarantine_size_mb=1:"
           "detect_stack_use_after_return=0",
           1);
    setenv("UBSAN_OPTIONS", "symbolize=0:print_stacktrace=0", 1);
    command_add(&command, program.chars);
    bool good = run_quietly(&command, &child);
    text_add(said, text_of(&child.report), child.report.length);
    child_free(&child);
    return good;
}

/* Compiles, links and runs the slips: what there is to know of each, or an empty text. */
static struct text run_slips(struct family *family, const char *stem,
                             const struct settings *settings, char *const objects[],
                             const char *flags) {
    struct text text = {0};
    make_folder_of(stem);
    bool good =
        compile_family(family, stem, settings, flags) && link_family(stem, settings, objects);
    table_write_slips(&text, family);
    if (!good || !run_family(stem, &text))
        text_free(&text);
    if (!getenv("LOOKBACK_KEEP")) {
        remove(path_of("%s.c", stem).chars);
        remove(path_of("%s.o", stem).chars);
        remove(stem);
    }
    return text;
}

/* --- the table of an exercise --------------------------------------------------------------- */

static void add_stamp(struct text *stamp, const char *path) {
    struct stat about;
    struct timespec time = file_time(path);
    long size = stat(path, &about) == 0 ? (long)about.st_size : -1;
    text_print(stamp, " %ld.%ld.%ld", (long)time.tv_sec, time.tv_nsec, size);
}

/* What a table was made of: it holds as long as none of this changes. */
static struct text stamp_of(const struct lesson *lesson, const struct settings *settings,
                            char *const objects[]) {
    struct text stamp = {0};
    text_print(&stamp, "stamp");
    add_stamp(&stamp, reference_of(lesson).chars);
    add_stamp(&stamp, list_of(lesson).chars);
    add_stamp(&stamp, path_of("%s/tutor", settings->object).chars);
    add_stamp(&stamp, path_of("%s/common/slips/running.o", settings->object).chars);
    for (int i = 0; objects[i]; i++)
        add_stamp(&stamp, objects[i]);
    text_print(&stamp, "\n");
    return stamp;
}

static struct text make_table(const struct lesson *lesson, const char *exercise, const char *stem,
                              const struct settings *settings, char *const objects[]) {
    struct text source, table = {0};
    struct family family;
    struct path list = list_of(lesson);
    if (text_read_file(&source, reference_of(lesson).chars) &&
        family_make(&family, text_of(&source),
                    (struct wanted){exercise, list.chars, true, false})) {
        table = run_slips(&family, stem, settings, objects, settings->slip_flags);
        family_free(&family);
    }
    text_free(&source);
    return table;
}

/* From the file where it is kept; made at first, and when something has changed. */
static bool exercise_table(struct table *table, const struct lesson *lesson, const char *exercise,
                           const struct settings *settings, char *const objects[]) {
    struct text text, stamp = stamp_of(lesson, settings, objects);
    struct path kept = path_of("%s/slips/%s/%s", settings->object, lesson->folder, exercise);
    if (!text_read_file(&text, kept.chars) || !starts_with(text_of(&text), text_of(&stamp))) {
        struct path stem = path_of("%s.%d", kept.chars, (int)getpid());
        struct path part = path_of("%s.part", stem.chars);
        text_free(&text);
        struct text made = make_table(lesson, exercise, stem.chars, settings, objects);
        if (made.length > 0) {
            text_add(&text, text_of(&stamp), stamp.length);
            text_add(&text, text_of(&made), made.length);
            if (!write_file(part.chars, &text) || rename(part.chars, kept.chars) != 0)
                remove(part.chars);
        }
        text_free(&made);
    }
    text_free(&stamp);
    table_read(table, text);
    return table->whole;
}

/* --- a learner's failure -------------------------------------------------------------------- */

static int outcomes_of(const struct report *report, const struct exercise *e,
                       struct outcome outcomes[400]) {
    int count = 0;
    for (int i = 0; i < report->count && count < 400; i++) {
        const struct test *t = &report->tests[i];
        if (t->exercise == e)
            outcomes[count++] = (struct outcome){
                t->name, t->verdict == PASSED, t->verdict == FAILED && t->evidence[0], t->evidence};
    }
    return count;
}

void diagnose(struct check *check, struct lesson *lesson, const struct settings *settings,
              char *const objects[]) {
    struct exercise *e = lesson_first_undone(lesson);
    struct test *bad = e && check->stage == TESTED ? report_first_bad(&check->report, e) : NULL;
    struct outcome outcomes[400];
    struct table table;
    if (!bad || bad->verdict != FAILED || file_time(list_of(lesson).chars).tv_sec == 0)
        return;
    int count = outcomes_of(&check->report, e, outcomes);
    if (exercise_table(&table, lesson, e->name, settings, objects)) {
        struct verdict_text told = table_tell(&table, count, outcomes);
        snprintf(bad->slip, sizeof bad->slip, "%s", told.chars);
    }
    table_free(&table);
}

/* --- proofs --------------------------------------------------------------------------------- */

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
        if (f->slip == slip && strchr("=@", f->how) && strstr(f->evidence, words))
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

int diagnose_prove(struct lesson *lesson, const struct settings *settings, char *const objects[]) {
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
