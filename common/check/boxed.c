#include "check/boxed.h"

#include "base/files.h"
#include "base/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* --- what it is linked with ------------------------------------------------------------------- */

char *const *boxed_objects(struct boxed_objects *hosts, const struct settings *settings,
                           char *const objects[]) {
    if (!settings->base)
        return objects;
    hosts->host = path_of("%s/hosted.o", settings->base);
    hosts->support = path_of("%s/support.o", settings->base);
    hosts->all[0] = hosts->host.chars;
    hosts->all[1] = hosts->support.chars;
    hosts->all[2] = NULL;
    return hosts->all;
}

static bool run(struct command *command) {
    struct child child;
    bool good = command_run(command, &child);
    if (!good)
        fputs(text_of(&child.err), stderr);
    child_free(&child);
    return good;
}

/* Of all that the host is made of, somebody's object sees the exercises, and main. */
static bool keep_names(const struct lesson *lesson, const char *from, const char *to) {
    const char *own = getenv("LOOKBACK_OBJCOPY");
    struct path names = path_of("%s.names", to), list;
    struct command command = {0};
    struct text text = {0};
    text_print(&text, "main\n");
    for (int i = 0; i < lesson->count; i++)
        text_print(&text, "%s\n", lesson->exercises[i].name);
    bool good = file_replace(names.chars, &text);
    text_free(&text);
    list = path_of("--keep-global-symbols=%s", names.chars);
    command_add(&command, own && *own ? own : "objcopy");
    command_add(&command, list.chars);
    command_add(&command, from);
    command_add(&command, to);
    return good && run(&command);
}

bool boxed_host(const struct lesson *lesson, const struct settings *settings, const char *path) {
    struct path whole = path_of("%s.whole", path);
    struct command command = {0};
    command_add_split(&command, "ld -r -o");
    command_add_copy(&command, whole.chars);
    command_add_copy(&command, path_of("%s/calls.o", settings->base).chars);
    command_add_copy(&command, path_of("%s/missing.o", settings->base).chars);
    command_add_copy(&command, path_of("%s/host.o", settings->base).chars);
    return run(&command) && keep_names(lesson, whole.chars, path);
}

/* The reference without the exercises that are not to stand in: what calls one of those calls
   somebody's, and no code of it is there to be found. Lines stay where they are. */
static bool write_part(const struct lesson *lesson, const bool standing[], const char *path) {
    struct text source, part = {0};
    struct path reference = reference_of(lesson);
    const char *from, *to;
    bool good = text_read_file(&source, reference.chars);
    for (int i = 0; good && i < lesson->count; i++)
        if (!standing[i] && find_definition(source.chars, lesson->exercises[i].name, &from, &to))
            for (char *at = source.chars + (from - source.chars); at < to; at++)
                *at = *at == '\n' ? '\n' : ' ';
    text_print(&part, "#line 1 \"%s\"\n", reference.chars);
    if (good)
        text_add(&part, source.chars, source.length);
    good = good && file_replace(path, &part);
    text_free(&source);
    text_free(&part);
    return good;
}

bool boxed_standin(const struct lesson *lesson, const struct settings *settings,
                   const bool standing[], struct path *object) {
    struct command command = {0};
    unsigned long who = 0;
    for (int i = 0; i < lesson->count; i++)
        who |= (unsigned long)standing[i] << i;
    struct path stem = path_of("%s/standin-%lx", settings->base, who);
    struct path source = path_of("%s.%d.c", stem.chars, (int)getpid());
    struct path part = path_of("%s.%d.o", stem.chars, (int)getpid());
    *object = path_of("%s.o", stem.chars);
    if (file_is_there(object->chars))
        return true; /* another file needed the same */
    command_add_split(&command, settings->compiler);
    command_add_split(&command, settings->flags);
    command_add_split(&command, "-w -c -o");
    command_add_copy(&command, part.chars);
    command_add_copy(&command, source.chars);
    bool good = write_part(lesson, standing, source.chars) && run(&command) &&
                rename(part.chars, object->chars) == 0;
    remove(source.chars);
    return good;
}

/* --- running -------------------------------------------------------------------------------- */

/* The command line that runs the program in its box; for a second run of the same it is known. */
static bool set_words(const struct settings *settings, const char *program) {
    static const char *const variable = "LOOKBACK_BOX";
    static struct path known;
    if (strcmp(known.chars, program) == 0)
        return true;
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
    if (good)
        known = path_of("%s", program);
    return good;
}

bool boxed_tests(struct command *command, const struct settings *settings, const char *program) {
    if (!settings->base) {
        command_add_copy(command, program);
        return true;
    }
    command_add_copy(command, path_of("%s/test", settings->base).chars);
    return set_words(settings, program);
}
