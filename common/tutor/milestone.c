/* A milestone: given code of a lesson and the learner's own, compiled together for speed, without
   sanitizers. */
#include "base/command.h"
#include "base/files.h"
#include "course/results.h"
#include "course/sealed.h"
#include "diagnose/slip_runs.h"
#include "tutor/programs.h"
#include "tutor/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What it ends with if it has said itself what is wrong, and if it was stopped before anything was
   finished. */
enum { HAS_SAID_WHY = 2, NOTHING_FINISHED = 3 };

struct milestone {
    struct lesson *lesson;
    const struct settings *settings;
    struct command sources, headers; /* or what is read by the linker or a launcher */
    struct stamps of;                /* all of these */
    const char *how;                 /* it is compiled: the compiler and its flags */
    const char *program, *tables;
    const char *launcher; /* a script around its compiler and around the program, if there is one */
    struct lesson with;   /* a later lesson on whose functions it runs, too; no folder: none */
    const char *suffix;   /* then, of its program and its tables */
    const char *instead;  /* for the linker: those functions for which that lesson has others */
};

/* --- its sources ---------------------------------------------------------------------------- */

static void add_earlier(struct milestone *m, const struct lesson *earlier, bool passed) {
    const char *folder = earlier->folder, *name = earlier->name;
    if (passed)
        command_add(&m->sources, earlier->source);
    else if (is_release())
        command_add(&m->sources, path_of("%s/fast/%s/%s.o", m->settings->object, folder, name));
    else
        command_add(&m->sources, reference_of(earlier));
}

static const char *with_file(const char *with, const struct lesson *lesson, const char *name) {
    return path_of("lessons/%s/milestone/with-%s/%s", with, lesson->number, name);
}

/* WITH=14: the milestone uses functions of lesson 14, too. The folder milestone/with-13 of lesson
   14 has the files that are added to lesson 13's milestone. Its file `instead` has a line for each
   function that it replaces: the linker turns calls of NAME into calls of __wrap_NAME, which finds
   the replaced function as __real_NAME. */
static bool choose_with(struct milestone *m) {
    const char *number = getenv("WITH");
    struct command found = {0};
    char folder[64] = "";
    if (!number || !*number)
        return true;
    if (!number[strspn(number, "0123456789")])
        command_add_found(&found, with_file(path_of("%.40s-*", number), m->lesson, "instead"));
    if (found.count == 1 && sscanf(found.words[0], "lessons/%63[^/]", folder) == 1) {
        lesson_read(&m->with, folder, m->settings->from, m->settings->out);
        m->suffix = path_of("-with-%s", number);
    } else
        printf("Lesson %s has nothing for WITH=%.40s.\n", m->lesson->number, number);
    return folder[0];
}

static void add_with(struct milestone *m) {
    struct lesson *with = &m->with;
    const char *instead = with_file(with->folder, m->lesson, "instead");
    add_earlier(m, with, with->count > 0 && results_load(with) == RESULTS && lesson_done(with));
    command_add_found(&m->sources, with_file(with->folder, m->lesson, "*.c"));
    command_add_found(&m->headers, with_file(with->folder, m->lesson, "*.h"));
    command_add_found(&m->headers, instead);
    for (const char *at = file_text(instead), *line; (line = next_line(&at));)
        m->instead = path_of("%s -Wl,--wrap=%s", m->instead, line);
}

static bool is_asked_for(const char *setting) {
    const char *value = getenv(setting);
    return value && *value && strcmp(value, "0") != 0;
}

static bool is_part(void) {
    return is_asked_for("QUICK") || is_asked_for("STEPS") || is_asked_for("ONLY");
}

/* The tables of a run that is not the whole one are kept apart, so that it costs no other's. The
   pictures are drawn from it where there is no whole one: plot.sh chooses like this, too. */
static void choose_tables(struct milestone *m, bool renew) {
    bool part = is_part();
    const char *run = path_of("%s/%s/run%s", m->settings->out, m->lesson->folder, m->suffix);
    const char *quick = path_of("%s-quick", run);
    m->tables = run;
    if (!part && renew && !file_is_there(m->tables) && file_is_there(quick)) {
        setenv("QUICK", "1", 1); /* should it have to be made again */
        part = true;
    }
    if (part)
        m->tables = quick;
}

static void open_milestone(struct milestone *m, char *const sources[]) {
    const char *folder = m->lesson->folder;
    struct command *s = &m->sources, *h = &m->headers;
    m->how = path_of("%s %s", m->settings->compiler, m->settings->fast_flags);
    m->program = path_of("%s/%s/milestone%s", m->settings->out, folder, m->suffix);
    m->launcher = path_of("lessons/%s/milestone/launch.sh", folder);
    command_add(s, m->lesson->source);
    for (struct earlier *e = earlier_lessons(m->lesson, m->settings); e->lesson.folder[0]; e++)
        add_earlier(m, &e->lesson, e->passed);
    if (m->with.folder[0])
        add_with(m);
    command_add_found(s, path_of("lessons/%s/milestone.c", folder));
    command_add_found(s, path_of("lessons/%s/milestone/*.c", folder));
    command_add_all(s, sources);
    command_add_found(h, "common/nn/*.h");
    command_add_found(h, "common/nn/tasks/*.h");
    command_add_found(h, "lessons/*/*.h");
    command_add_found(h, "lessons/*/milestone/*.h");
    command_add_found(h, m->launcher);
    for (int i = 0; i < s->count; i++)
        stamps_add(&m->of, s->words[i]);
    for (int i = 0; i < h->count; i++)
        stamps_add(&m->of, h->words[i]);
}

/* --- compiling it --------------------------------------------------------------------------- */

/* Adds the launcher and the verb. False if the lesson has no launcher. */
static bool add_launcher(const struct milestone *m, struct command *c, const char *verb) {
    if (!file_is_there(m->launcher))
        return false;
    command_add(c, "sh", m->launcher, verb);
    return true;
}

/* What the compiler says is shown. */
static bool run_compiler(const struct milestone *m, char *const words[], const char *libraries,
                         bool launched) {
    struct child child;
    struct command c = {0};
    if (!launched || !add_launcher(m, &c, "compile"))
        command_add_split(&c, m->settings->compiler);
    command_add_split(&c, m->settings->fast_flags);
    command_add_all(&c, words);
    command_add_split(&c, libraries);
    child_run(&child, c.words,
              (struct limits){.cpu_seconds = 120, .idle_seconds = 240, .output = 1 << 20});
    bool good = child.ending == ENDED && child.status == 0;
    fputs(text_of(&child.err), stderr);
    return good;
}

static bool compile_source(const struct milestone *m, char *source, const char *stem) {
    const char *object = path_of("%s.o", stem), *stamp = path_of("%s.of", stem);
    char *part = path_of("%s.%d", object, (int)getpid()), *rule = path_of("%s.d", stem);
    char *words[] = {"-c", source, "-o", part, "-MMD", "-MF", rule, NULL};
    if (stamps_kept(stamp, m->how) && file_is_there(object))
        return true;
    struct stamps of = {0};
    stamps_add(&of, source); /* before the compiler reads it */
    bool own = strstr(source, path_of("%s/milestone", m->lesson->folder));
    bool good = run_compiler(m, words, "", own) && rename(part, object) == 0;
    stamps_add_sources(&of, object);
    good = good && stamps_keep(&of, m->how, stamp);
    return good;
}

/* Each source has an object of its own, for the milestones of other lessons, too. */
static bool compile_all(const struct milestone *m, struct command *objects) {
    bool good = true;
    for (int i = 0; i < m->sources.count && good; i++) {
        char *source = m->sources.words[i];
        if (ends_with(source, ".o")) {
            command_add(objects, source);
            continue;
        }
        const char *stem =
            path_of("%s/fast/%.*s", m->settings->object, (int)strlen(source) - 2, source);
        int lock = file_lock(path_of("%s.lock", stem), true);
        good = compile_source(m, source, stem);
        file_unlock(lock);
        command_add(objects, path_of("%s.o", stem));
    }
    return good;
}

static bool compile(struct milestone *m) {
    struct command words = {0};
    const char *stamp = path_of("%s.of", m->program);
    const char *libraries = path_of("%s%s", m->settings->libraries, m->instead);
    if (stamps_kept(stamp, m->how) && file_is_there(m->program))
        return true;
    make_folder_of(stamp);
    remove(stamp);
    bool good = compile_all(m, &words);
    command_add(&words, "-o", m->program);
    good =
        good && run_compiler(m, words.words, libraries, true) && stamps_keep(&m->of, m->how, stamp);
    return good;
}

/* --- running it ----------------------------------------------------------------------------- */

/* A training that does not end is stopped after half an hour; the user can press Ctrl-C before. */
static const struct limits limits = {1800, 0, 1 << 20, .memory = (size_t)4 << 30, .attached = true};

static int run_in(struct milestone *m, const char *what, const char *folder) {
    struct child child;
    struct finding finding;
    struct command c = {0};
    add_launcher(m, &c, "run");
    command_add(&c, m->program);
    if (what)
        command_add(&c, what);
    command_add(&c, folder);
    fflush(stdout);
    child_run(&child, c.words, limits);
    int status = child.status;
    fputs(text_of(&child.err), stderr);
    if (child.ending != ENDED) {
        status = -1;
        explain_crash(&finding, m->lesson, &child, NULL);
        putchar('\n');
        show_stop(&finding, m->lesson, "the milestone");
        printf("\n  The milestone is compiled for speed, without the sanitizers that find the "
               "line.\n  make %s and make show-%s have them.\n",
               m->lesson->number, m->lesson->number);
    }
    return status;
}

/* What lies in a folder of tables: all of it is files. */
static void remove_folder(const char *folder) {
    struct command files = {0};
    command_add_found(&files, path_of("%s/*", folder));
    for (int i = 0; i < files.count; i++)
        remove(files.words[i]);
    remove(folder);
}

/* What was trained before and not this time is still good to be tried. */
static void keep_models(const char *old, const char *new) {
    struct command models = {0};
    command_add_found(&models, path_of("%s/*.model", old));
    for (int i = 0; i < models.count; i++) {
        const char *kept = path_of("%s/%s", new, strrchr(models.words[i], '/') + 1);
        if (!file_is_there(kept))
            rename(models.words[i], kept);
    }
}

static int run_whole(struct milestone *m) {
    const char *new = path_of("%s.new", m->tables);
    remove_folder(new);
    make_folder_of(path_of("%s/x", new));
    int status = run_in(m, NULL, new);
    if (status == 0 || (status == NOTHING_FINISHED && !file_is_there(m->tables))) {
        stamps_keep(&m->of, "", path_of("%s/sources", new));
        keep_models(m->tables, new);
        remove_folder(m->tables);
        return rename(new, m->tables) == 0 ? 0 : 1;
    }
    remove_folder(new);
    if (status == NOTHING_FINISHED) {
        puts("No training was completed, so the tables of the run before are kept.");
        return 0;
    }
    if (status != HAS_SAID_WHY)
        fputs("The milestone stopped. If there was a run before, its tables are kept.\n", stderr);
    return 1;
}

static int run_as(struct milestone *m, const char *what) {
    const char *lock = path_of("%s.lock", m->program);
    bool renew = strcmp(what, "renew") == 0, whole = renew || strcmp(what, "run") == 0;
    if (renew && (stamps_kept(path_of("%s/sources", m->tables), "") || file_is_there(m->launcher)))
        return 0; /* a run that needs a launcher is never started for a picture */
    if (renew)
        fprintf(stderr, "The milestone of lesson %s runs first, because the pictures need it.\n",
                m->lesson->number);
    if (file_lock(lock, false) == TAKEN) {
        fputs("Another make is running this milestone.\n", stderr);
        return 1;
    }
    if (!compile(m))
        return 1;
    const char *also = "";
    if (m->with.folder[0])
        also = path_of(" with lesson %s", m->with.number);
    tell_whose_code(m->lesson, m->settings,
                    path_of("Milestone of lesson %s%s, on", m->lesson->number, also));
    setenv("OMP_WAIT_POLICY", "passive", 1); /* a thread that waits leaves the core to others */
    if (whole)
        return run_whole(m);
    make_folder_of(path_of("%s/x", m->tables));
    return run_in(m, what, m->tables);
}

/* What to do with the tables of a whole run. */
static void tell_next(const struct milestone *m) {
    const struct lesson *lesson = m->lesson;
    if (is_part() || m->with.folder[0] || strcmp(m->settings->from, "lessons") != 0)
        return;
    if (file_is_there(path_of("lessons/%s/milestone/try.c", lesson->folder)))
        printf("make try-%s tries what you have trained; ", lesson->number);
    printf("make plot-%s draws it.\n", lesson->number);
}

int milestone_run(struct lesson *lesson, const struct settings *settings, const char *what,
                  char *const sources[]) {
    struct milestone m = {.lesson = lesson, .settings = settings, .suffix = "", .instead = ""};
    const bool renew = strcmp(what, "renew") == 0;
    if (!renew && !choose_with(&m))
        return 1;
    open_milestone(&m, sources);
    choose_tables(&m, renew);
    int status = run_as(&m, what);
    if (status == 0 && strcmp(what, "run") == 0)
        tell_next(&m);
    return status;
}
