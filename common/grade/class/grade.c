/* What make grade runs. common/make/grade.sh puts all settings into the environment, so that no
   name of a folder comes near a shell. The settings are checked before anything is done; then the
   folder is scanned, the guards and the class are judged, and all files are written. The status is
   0 if everything is graded, 1 if something is not for reasons of ours, 2 if it cannot begin. */
#include "grade/class/grading.h"
#include "grade/class/handed_out.h"
#include "grade/class/jobs.h"
#include "grade/class/output.h"
#include "grade/class/scan.h"

#include "base/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *ours; /* build/grade; what lies in it besides results: */
static const char *const our_names[] = {"copies", "base", "verdicts", "unpacked", "keys", "lock"};

/* NULL if it is not set, or empty. */
static const char *asked_for(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* --- the folders ---------------------------------------------------------------------------- */

static void check_dir(const char *dir) {
    struct stat about;
    if (!dir)
        die("make grade DIR=class: the folder that holds a folder for each student.");
    if (stat(dir, &about) != 0)
        die("DIR=%s: %s", dir, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        die("DIR=%s is no folder.", dir);
}

/* The full path of what may not be there yet; "" for the root. */
static const char *full_path(const char *path) {
    char *real = realpath(path, NULL);
    if (real)
        return strcmp(real, "/") == 0 ? "" : real;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *above = slash == path ? "/" : string_of("%.*s", (int)(name - 1 - path), path);
    return string_of("%s/%s", full_path(slash ? above : "."), name);
}

static bool is_inside(const char *inner, const char *outer) {
    return starts_with(string_of("%s/", inner), string_of("%s/", outer));
}

/* By the path that DIR was asked for by, so that two classes do not share theirs. */
static const char *default_out(const char *dir) {
    const char *full = full_path(dir), *top = string_of("%s/", full_path("."));
    return string_of("%s/%s", ours, full + (starts_with(full, top) ? strlen(top) : 1));
}

/* What lies there is ours to delete, at any time. */
static bool is_ours(const char *full) {
    for (size_t i = 0; i < sizeof our_names / sizeof *our_names; i++)
        if (is_inside(full, full_path(string_of("%s/%s", ours, our_names[i]))))
            return true;
    return false;
}

static void check_out(const char *out, const char *dir) {
    const char *full = full_path(out), *class = full_path(dir);
    struct stat about;
    if (is_ours(class))
        die("DIR=%s is a folder of our own, and no class.", dir);
    if (is_ours(full))
        die("OUT=%s is a folder of our own: name another one: OUT=folder", out);
    if (is_inside(full, class))
        die("OUT=%s lies in DIR: what is written would be handed in.", out);
    if (is_inside(class, full))
        die("DIR=%s lies in OUT: what was handed in would be among what is written.", dir);
    if (stat(out, &about) == 0 && !S_ISDIR(about.st_mode))
        die("OUT=%s is no folder.", out);
}

/* Files are written beside OUT, or inside if OUT exists, since it may be a disk of its own. */
static void choose_out(struct output *o, const char *dir) {
    const char *out = asked_for("OUT") ? asked_for("OUT") : default_out(dir);
    size_t length = strlen(out);
    while (length > 1 && out[length - 1] == '/')
        length--;
    o->out = string_of("%.*s", (int)length, out);
    o->part = string_of(file_is_there(o->out) ? "%s/.part" : "%s.part", o->out);
    check_out(o->out, dir);
}

/* --- the course ----------------------------------------------------------------------------- */

static const char *title_of(const char *folder) {
    const char *readme = file_text(path_of("lessons/%s/README.md", folder).chars);
    char line[200] = "";
    next_line(&readme, line, sizeof line);
    const char *dot = strstr(line, " \xC2\xB7 "); /* # 01 · Softmax */
    return string_of("%s", dot ? dot + 4 : folder);
}

/* Reads the lessons from grade.sh's lines "01-softmax hash". LOOKBACK_ASKED names those of LESSON=.
 */
static void read_course(struct class *class) {
    const char *keys = file_text(path_of("%s/keys", ours).chars);
    const char *asked = asked_for("LOOKBACK_ASKED");
    char line[200];
    while (next_line(&keys, line, sizeof line)) {
        struct course_lesson l = {.asked = false};
        if (sscanf(line, "%63s %64s", l.folder, l.key.hex) != 2 || strlen(l.folder) < 4)
            continue;
        snprintf(l.number, sizeof l.number, "%.2s", l.folder);
        snprintf(l.name, sizeof l.name, "%.60s", l.folder + 3);
        for (char *c = l.name; *c; c++)
            *c = *c == '-' ? '_' : *c;
        l.title = title_of(l.folder);
        l.asked = asked && strstr(path_of(" %s ", asked).chars, path_of(" %s ", l.folder).chars);
        class->lessons = with_room(class->lessons, class->lesson_count, sizeof *class->lessons);
        class->lessons[class->lesson_count++] = l;
    }
}

/* --- the course of it ----------------------------------------------------------------------- */

static int jobs_asked(void) {
    const char *asked = asked_for("JOBS");
    long jobs = asked ? strtol(asked, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs < 1 || jobs > 256)
        die("JOBS=%s: wanted is a number from 1 to 256.", asked ? asked : "");
    return (int)jobs;
}

/* Finds what is wrong with the settings before anything is done. */
static void read_settings(struct output *o, struct roster *roster, struct grading *g) {
    const char *dir = asked_for("DIR"), *name = asked_for("NAME"), *sheet = asked_for("WORKSHEET");
    check_dir(dir);
    choose_out(o, dir);
    const char *slash = strrchr(dir, '/');
    g->class->dir = dir;
    g->jobs = jobs_asked();
    o->name = name ? name : slash && slash[1] ? slash + 1 : dir;
    o->formats = asked_for("FORMATS");
    o->unboxed = asked_for("UNSAFE") && strcmp(getenv("UNSAFE"), "0") != 0;
    check_formats(o->formats);
    o->worksheet = sheet ? read_worksheet(sheet) : NULL;
    o->due = due_read(asked_for("DUE"));
    *roster = roster_read(asked_for("ROSTER"));
    o->roster = roster;
    if (is_asked(o, "canvas") && roster->count == 0)
        die("FORMATS=canvas wants the students' names: ROSTER=roster.csv");
    if (is_asked(o, "moodle") && !sheet)
        die("FORMATS=moodle wants the worksheet that Moodle lets you download:\n"
            "WORKSHEET=grades.csv");
}

static int grade(struct output *o, struct grading *g, const struct roster *roster) {
    if (o->unboxed)
        puts(UNBOXED);
    remove_all(g->work);
    make_folder_of(path_of("%s/.", g->work).chars);
    scan_class(g->class, file_text(getenv("LOOKBACK_HANDED_OUT")), g->judge, g->work, g->jobs);
    output_begin(o);
    if (!guard_lessons(g))
        return g->stopped ? 1 : 2;
    o->points = points_read(asked_for("POINTS"), g->class);
    roster_join(roster, g->class);
    settle_class(g->class);
    o->strange_times = !moodle_times(o);
    bool whole = grade_class(g);
    o->stopped = g->stopped;
    write_all(o);
    output_end(o);
    if (g->lost)
        fputs("\nTwo boxes in a row did not start: the rest of the class was not tried.\n", stderr);
    printf("\n%s/results.csv\n", o->out);
    if (o->unboxed)
        puts(UNBOXED);
    return whole ? 0 : 1;
}

int main(void) {
    struct class class = {.others = "", .chosen = ""};
    struct roster roster;
    const char *judge = asked_for("LOOKBACK_JUDGE");
    ours = asked_for("LOOKBACK_GRADE_IN");
    const char *work = string_of("%s/copies", ours), *kept = string_of("%s/verdicts", ours);
    struct grading g = {.class = &class, .work = work, .kept = kept};
    struct output o = {.class = &class};
    g.judge = judge ? judge : "common/grade";
    hold_signals();
    read_settings(&o, &roster, &g);
    read_course(&class);
    make_folder_of(path_of("%s/.", kept).chars);
    if (file_lock(path_of("%s/lock", ours).chars, false) == TAKEN)
        die("Another make grade is running here: one at a time.");
    return grade(&o, &g, &roster);
}
