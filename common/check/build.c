/* An object is made again only if something changed: beside it, in a file that ends in ".o.of", are
   the stamps of all sources that the compiler read and the command line that it was given. What the
   compiler or the linker says is kept for VERBOSE=1, and turned into a finding by explain/.
   Programs are linked under another name and then moved, so that no half-written program is run. */
#include "check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *built(const struct task *task, const char *what) {
    const char *folder = path_of("%s/yours/%s/%s", task->settings->object, task->settings->from,
                                 task->lesson->folder);
    if (strcmp(what, "o") == 0)
        return path_of("%s/%s.o", folder, task->lesson->name);
    return path_of("%s/%s", folder, what);
}

static bool run(struct child *child, struct check *check, struct command *command) {
    check->task.settings->runner->build(
        child, command, (struct limits){.cpu_seconds = 30, .idle_seconds = 60, .output = 1 << 20});
    text_add(&check->raw, text_of(&child->err), child->err.length);
    return child->ending == ENDED && child->status == 0;
}

static bool compile(struct child *child, struct check *check, const char *object) {
    const struct settings *settings = check->task.settings;
    struct command command = {0};
    settings->runner->begin(&command, settings, COMPILE, check->task.lesson->source, object);
    return run(child, check, &command);
}

bool build_link(struct child *child, struct check *check, const char *object, const char *other,
                const char *program) {
    const struct settings *settings = check->task.settings;
    struct command command = {0};
    settings->runner->begin(&command, settings, LINK, object, program);
    if (other)
        command_add(&command, other);
    command_add_all(&command, check->linked);
    command_add_split(&command, settings->libraries);
    return run(child, check, &command);
}

/* --- the object ----------------------------------------------------------------------------- */

/* The line of the file that names `included`, as far as that can be seen; or 0. */
static int line_of_include(const char *file, const char *included) {
    const char *slash = strrchr(included, '/'), *name = slash ? slash + 1 : included;
    const char *at = file_text(file), *line;
    for (int number = 1; (line = next_line(&at)); number++)
        if (strstr(line, "include") && strstr(line, name))
            return number;
    return 0;
}

/* A lesson is one file: another .c in it is most likely the reference. */
static bool brings_in_code(struct check *check, const struct stamps *sources) {
    const char *source = check->task.lesson->source;
    for (int i = 1; i < sources->count; i++) {
        const char *path = sources->all[i].path;
        if (!ends_with(path, ".c"))
            continue;
        int line = line_of_include(source, path);
        check->stage = NOT_COMPILED;
        check->file = (struct finding){
            .kind = FOUND_NOT_COMPILED, .code = INCLUDES_CODE, .line = line ? line : 1};
        snprintf(check->file.quote, sizeof check->file.quote, "%.400s", path);
        snprintf(check->file.where, sizeof check->file.where, "%.380s", source);
        return true;
    }
    return false;
}

/* With what it was made: when that changes, so does the object. */
static const char *recipe_of(const struct settings *settings) {
    return path_of("%s %s", settings->compiler, settings->flags);
}

bool build_object(struct check *check) {
    const struct lesson *lesson = check->task.lesson;
    struct child child;
    struct stamps sources = {0};
    const char *object = built(&check->task, "o"), *stamp = path_of("%s.of", object);
    make_folder_of(object);
    remove(stamp);
    remove(path_of("%.*s.d", (int)strlen(object) - 2, object));
    stamps_add(&sources, lesson->source); /* before the compiler reads it */
    bool compiled = compile(&child, check, object);
    stamps_add_sources(&sources, object);
    bool good = !brings_in_code(check, &sources) && compiled;
    if (good) {
        check->warning_count = explain_warnings(&check->warnings, &child, 3);
        stamps_keep(&sources, recipe_of(check->task.settings), stamp);
    } else if (!compiled && check->stage != NOT_COMPILED) {
        check->stage = NOT_COMPILED;
        explain_compiler(&check->file, lesson, &child);
    }
    return good;
}

bool build_object_if_old(struct check *check) {
    const char *recipe = recipe_of(check->task.settings);
    const char *object = built(&check->task, "o");
    int lock = file_lock(built(&check->task, "lock"), true);
    bool good = (stamps_kept(path_of("%s.of", object), recipe) && file_is_there(object)) ||
                build_object(check);
    file_unlock(lock);
    return good;
}

void check_optimizer_warnings(struct check *check) {
    const struct settings *settings = check->task.settings;
    struct child child;
    struct settings other = *settings;
    const char *object = built(&check->task, "warned.o");
    if (check->stage != TESTED || !*settings->warning_flags)
        return;
    other.flags = settings->warning_flags;
    check->task.settings = &other;
    compile(&child, check, object);
    check->task.settings = settings;
    remove(object);
    remove(built(&check->task, "warned.d"));
    check->warnings = (struct text){0};
    check->warning_count = explain_warnings(&check->warnings, &child, 3);
}

/* --- a program ------------------------------------------------------------------------------ */

bool build_program(struct check *check, const char *program) {
    struct child child;
    const char *object = built(&check->task, "o");
    const char *part = path_of("%s.%d", program, (int)getpid());
    bool linked = build_link(&child, check, object, NULL, part);
    if (!linked) {
        check->stage = NOT_LINKED;
        explain_linker(&check->file, check->task.lesson, &child);
        remove(part);
    } else if (rename(part, program) != 0) {
        perror(program);
        exit(2);
    }
    return linked;
}

/* --- the runner of a learner's own file ------------------------------------------------------ */

static void begin(struct command *command, const struct settings *settings, enum step step,
                  const char *from, const char *to) {
    bool builds = step == COMPILE || step == LINK;
    if (builds) {
        command_add_split(command, settings->compiler);
        command_add_split(command, settings->flags);
    }
    if (step == COMPILE)
        command_add(command, "-c");
    command_add(command, from);
    if (builds)
        command_add(command, "-o");
    if (to)
        command_add(command, to);
    if (step == COMPILE)
        command_add(command, "-MMD");
}

static void build(struct child *child, struct command *command, struct limits limits) {
    child_run(child, command->words, limits);
}

static void test(struct check *check, struct child *child, struct command *command,
                 const char *program) {
    double most = check->task.settings->seconds;
    child_run(child, command->words,
              (struct limits){most, fmax(1.0, most), 1 << 20, .stack = 1 << 20});
    stack_name(&child->err, program);
}

const struct runner child_runner = {
    .begin = begin, .build = build, .test = test, .reference = standin_reference, .most_stops = 3};
