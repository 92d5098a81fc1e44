/* A variant that does not compile is dropped, and the file is written and compiled again. The table
   of an exercise is kept in build/obj-CC/slips, and made again when the reference, the list, the
   tests or the tutor change. */
#include "diagnose/slip_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- building and running ------------------------------------------------------------------- */

bool variants_of(struct variants *variants, const struct lesson *lesson, struct wanted wanted) {
    wanted.list = list_of(lesson);
    return variants_make(variants, sealed_text(reference_of(lesson)), wanted);
}

/* Variants that do not compile are skipped. */
static bool compile_variants(struct variants *variants, const char *stem, const char *compiler,
                             const char *flags) {
    for (int round = 0; round < 6; round++) {
        struct text c = {0};
        struct command command = {0};
        struct child child;
        variants_write(variants, &c);
        bool written = file_replace(path_of("%s.c", stem), &c);
        command_add_split(&command, compiler);
        command_add_split(&command, flags);
        command_add_split(&command, "-c -o");
        command_add(&command, path_of("%s.o", stem), path_of("%s.c", stem));
        bool good = written && command_run(&command, &child);
        int dropped = good ? 0 : variants_drop(variants, text_of(&child.err));
        if (!good && dropped == 0 && getenv("VERBOSE"))
            fprintf(stderr, "%s", text_of(&child.err));
        if (dropped == 0)
            return good;
    }
    return false;
}

static bool link_variants(const char *stem, const struct task *task) {
    const struct settings *settings = task->settings;
    char *const *objects = task->objects;
    struct command command = {0};
    struct child child;
    command_add_split(&command, settings->compiler);
    command_add_split(&command, settings->flags);
    command_add(&command, path_of("%s.o", stem),
                path_of("%s/common/testing/slip_test.o", settings->object));
    for (int i = 0; objects[i]; i++)
        if (!ends_with(objects[i], "/lesson_test.o"))
            command_add(&command, objects[i]);
    command_add(&command, "-o", stem);
    command_add_split(&command, settings->libraries);
    bool good = command_run(&command, &child);
    if (!good && getenv("VERBOSE"))
        fprintf(stderr, "%s", text_of(&child.err));
    return good;
}

const char *slips_stem(const struct task *task, const char *name) {
    return path_of("%s/slips/%s/%s.%d", task->settings->object, task->lesson->folder, name,
                   (int)getpid());
}

/* The table; empty if the program did not come to its end. */
static struct text run_program(const struct variants *variants, const char *stem) {
    struct command command = {0};
    struct child child = {.ending = TIMED_OUT};
    struct text table = {0};
    command_add(&command, "env");
    /* A slip writes where it likes: memory that is soon used again would make others crash. */
    command_add(
        &command,
        "ASAN_OPTIONS=detect_leaks=0:symbolize=0:handle_segv=0:handle_abort=0:"
        "handle_sigbus=0:handle_sigfpe=0:allocator_may_return_null=1:quarantine_size_mb=64:"
        "detect_stack_use_after_return=0:malloc_context_size=0:print_legend=0:"
        "fast_unwind_on_fatal=1:print_full_thread_history=0:print_summary=0:" MALLOC_FILLING);
    command_add(&command, "UBSAN_OPTIONS=symbolize=0:print_stacktrace=0",
                path_of("LOOKBACK_WORK=%g", command_work_left()));
    command_add(&command, stem);
    /* All slips of a long lesson take 20 seconds of work; on a busy machine that is minutes. */
    const double clock = command_clock_left();
    if (clock > 0.0)
        child_run(&child, command.words,
                  (struct limits){60, 600, 64 << 20, .stack = 1 << 20, .wall_seconds = clock});
    if (child.ending == ENDED && child.status == 0) {
        table_write_slips(&table, variants);
        text_add(&table, text_of(&child.report), child.report.length);
    }
    return table;
}

struct text run_slips(struct variants *variants, const char *stem, const struct task *task,
                      const char *flags) {
    struct text text = {0};
    make_folder_of(stem);
    if (compile_variants(variants, stem, task->settings->compiler, flags) &&
        link_variants(stem, task))
        text = run_program(variants, stem);
    remove(path_of("%s.c", stem));
    remove(path_of("%s.o", stem));
    remove(stem);
    return text;
}

/* --- the table of an exercise --------------------------------------------------------------- */

/* What a table was made of: it holds as long as none of this changes. */
static struct stamps stamps_of(const struct task *task) {
    struct stamps stamps = {0};
    stamps_add(&stamps, reference_of(task->lesson));
    stamps_add(&stamps, list_of(task->lesson));
    stamps_add(&stamps, "build/tutor");
    stamps_add(&stamps, path_of("%s/common/testing/slip_test.o", task->settings->object));
    for (int i = 0; task->objects[i]; i++)
        stamps_add(&stamps, task->objects[i]);
    return stamps;
}

bool exercise_table(struct table *table, const struct task *task, const char *exercise) {
    const struct lesson *lesson = task->lesson;
    const char *flags = task->settings->slip_flags;
    const char *kept = path_of("%s/slips/%s/%s", task->settings->object, lesson->folder, exercise);
    const char *of = path_of("%s.of", kept);
    struct text text;
    *table = (struct table){0};
    if (!file_is_there(list_of(lesson)))
        return false;
    int lock = file_lock(path_of("%s.lock", kept), true); /* two would do the same work */
    if (!stamps_kept(of, flags) || !text_read_file(&text, kept)) {
        struct stamps stamps = stamps_of(task);
        const char *stem = path_of("%s.run.%d", kept, (int)getpid());
        struct wanted wanted = {.function = exercise, .generated = true};
        struct variants variants;
        text = (struct text){0};
        if (variants_of(&variants, lesson, wanted))
            text = run_slips(&variants, stem, task, flags);
        if (text.length > 0 && file_replace(kept, &text))
            stamps_keep(&stamps, flags, of);
    }
    file_unlock(lock);
    table_read(table, text);
    return table->whole;
}
