#include "boxed.h"

#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What box.sh ends with when no box can be had, or one did not start. */
enum { NO_BOX = 2, NO_START = 3 };

void boxed_begin(struct command *command, const struct settings *settings, const char *verb,
                 const char *from, const char *to) {
    if (settings->box) {
        command_add(command, "sh");
        command_add(command, settings->box);
        command_add(command, verb);
        command_add(command, from);
        command_add(command, to);
        command_add_split(command, settings->flags);
        return;
    }
    command_add_split(command, settings->compiler);
    command_add_split(command, settings->flags);
    if (strcmp(verb, "compile") == 0)
        command_add(command, "-c");
    command_add(command, from);
    command_add(command, "-o");
    command_add(command, to);
}

void boxed_see(const struct settings *settings, const struct child *child) {
    if (!settings->box || child->ending != ENDED ||
        (child->status != NO_BOX && child->status != NO_START))
        return;
    fputs(text_of(&child->err), stderr);
    exit(NO_START);
}

/* --- the host ------------------------------------------------------------------------------- */

static bool run(struct command *command) {
    struct child child;
    bool good = command_run(command, &child);
    if (!good)
        fputs(text_of(&child.err), stderr);
    child_free(&child);
    return good;
}

/* The names that somebody's object may have, and what links with it: a line each. */
static bool write_names(const struct lesson *lesson, const char *path) {
    struct text names = {0};
    text_print(&names, "main\n");
    for (int i = 0; i < lesson->count; i++)
        text_print(&names, "%s\n", lesson->exercises[i].name);
    bool good = file_replace(path, &names);
    text_free(&names);
    return good;
}

static bool keep_names(const char *names, const char *from, const char *to) {
    const char *own = getenv("LOOKBACK_OBJCOPY");
    struct path list = path_of("--keep-global-symbols=%s", names);
    struct command command = {0};
    command_add(&command, own && *own ? own : "objcopy");
    command_add(&command, list.chars);
    command_add(&command, from);
    command_add(&command, to);
    return run(&command);
}

/* The proxies of those that the reference stands in for. */
static bool make_proxies(const struct lesson *lesson, const struct settings *settings,
                         const bool standing[], const char *path) {
    struct text names = {0};
    struct path list = path_of("%s.names", path), all = path_of("%s/proxies.o", settings->base);
    for (int i = 0; i < lesson->count; i++)
        if (standing[i])
            text_print(&names, "%s\n", lesson->exercises[i].name);
    bool good = file_replace(list.chars, &names);
    text_free(&names);
    return good && keep_names(list.chars, all.chars, path);
}

bool boxed_host(const struct lesson *lesson, const struct settings *settings, const bool standing[],
                const char *path) {
    static const char *const parts[] = {"calls.o", "missing.o", "host.o", "call.o"};
    struct path names = path_of("%s.names", path), whole = path_of("%s.whole", path);
    struct path proxies = path_of("%s.proxies", path);
    struct command command = {0};
    make_folder_of(path);
    if (!write_names(lesson, names.chars) ||
        (standing && !make_proxies(lesson, settings, standing, proxies.chars)))
        return false;
    command_add(&command, "ld");
    command_add(&command, "-r");
    command_add(&command, "-o");
    command_add(&command, whole.chars);
    if (standing)
        command_add(&command, proxies.chars);
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
        command_add_copy(&command, path_of("%s/%s", settings->base, parts[i]).chars);
    return run(&command) && keep_names(names.chars, whole.chars, path);
}

/* --- running -------------------------------------------------------------------------------- */

/* The command line that runs the program in its box. */
static bool set_words(const struct settings *settings, const char *variable, const char *program) {
    struct command command = {0};
    struct child child;
    if (!settings->box) {
        setenv(variable, program, 1);
        return true;
    }
    command_add(&command, "sh");
    command_add(&command, settings->box);
    command_add(&command, "words");
    command_add(&command, program);
    bool good = command_run(&command, &child);
    boxed_see(settings, &child);
    setenv(variable, text_of(&child.out), 1);
    child_free(&child);
    return good;
}

bool boxed_tests(struct command *command, const struct settings *settings, const char *program) {
    command_add_copy(command, path_of("%s/test", settings->base).chars);
    return set_words(settings, "LOOKBACK_BOX", program) &&
           set_words(settings, "LOOKBACK_OTHER_BOX",
                     path_of("%s/reference", settings->base).chars);
}
