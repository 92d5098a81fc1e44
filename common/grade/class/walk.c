/* Each file is compared with the best one so far of its lesson. Which of two is better is decided
   by struct place alone; two that are equally good and different make the lesson unreadable. What
   else was found is kept as words for the lecturer: files that were passed over, archives that
   cannot be unpacked, names that mean nothing. */
#include "grade/class/walk.h"

#include "grade/class/called.h"
#include "grade/class/handed_out.h"
#include "grade/class/moments.h"
#include "grade/class/names.h"

#include "base/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder on the way. */
struct spot {
    int folder;       /* open */
    const char *path; /* "a/b/", from the submission on */
    int depth;
    int lesson; /* whose folder it is; -1 */
};

static char *path_at(const struct walk *w, const struct spot *at, const char *name) {
    return string_of("%s%s%s%s", w->packed ? w->packed : "", w->packed ? ": " : "", at->path, name);
}

/* The folder is opened again: a copy of the descriptor would share its position. */
DIR *entries_of(int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return again < 0 ? NULL : fdopendir(again);
}

/* --- what is not read ----------------------------------------------------------------------- */

void walk_add_unread(struct walk *w, const char *name, const char *why) {
    if (strlen(w->unread) <= 1000) /* the first ones tell enough */
        w->unread = string_of("%s%s%s: %s", w->unread, w->unread[0] ? "; " : "", shown_name(name),
                              shown_name(why));
}

static void note_archive(struct walk *w, const struct spot *at, const char *name) {
    char *path = path_at(w, at, name);
    if (foreign_ending(name))
        walk_add_unread(w, path, "this kind of archive is not read: hand in a .zip or a .tar.gz");
    else if (w->packed)
        walk_add_unread(w, path, "it is packed too deep, or with too many others");
    else if (w->archive_count == ARCHIVES_MOST)
        walk_add_unread(w, path, string_of("it is one of more than %d archives", ARCHIVES_MOST));
    else
        w->archives[w->archive_count++] = string_of("%s", path);
    free(path);
}

/* A header, a README or a timestamp is not meant as a solution. */
static bool is_work(const char *name) {
    return *name != '.' && !ends_with(name, ".h") && !ends_with(name, ".md") &&
           strcmp(name, "timestamp.txt") != 0;
}

static void keep_first(const char **first, const char *name) {
    if (!(*first)[0] || strcmp(name, *first) < 0)
        *first = string_of("%s", name);
}

/* --- candidates ----------------------------------------------------------------------------- */

static int compare_places(struct place a, struct place b) {
    int differences[] = {a.stub - b.stub, a.packed - b.packed, a.astray - b.astray,
                         a.renamed - b.renamed, a.depth - b.depth};
    for (int i = 0; i < 5; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

static bool same_bytes(const struct taken *a, const struct taken *b) {
    return !a->refused && !b->refused && a->bytes.length == b->bytes.length &&
           memcmp(text_of(&a->bytes), text_of(&b->bytes), a->bytes.length) == 0;
}

static void add_path(const char **paths, const char *shown, const char *between) {
    if (strlen(*paths) <= 400) /* the first ones tell enough */
        *paths = string_of("%s%s%s", *paths, (*paths)[0] ? between : "", shown);
}

/* Notes a file that lies beside the best one. */
static void pass_over(struct found *f, bool stub, const char *shown) {
    if (!stub)
        add_path(&f->beside, shown, ", ");
    else if (!f->stub[0])
        f->stub = string_of("%s", shown);
}

static void take_as_best(struct found *f, struct place place, struct taken file,
                         const char *shown) {
    if (f->times > 0 && !f->file.refused && (f->times > 1 || !same_bytes(&file, &f->file)))
        pass_over(f, f->place.stub, f->paths);
    text_free(&f->file.bytes);
    f->paths = shown;
    f->times = 1;
    f->place = place;
    f->file = file;
    f->headers = false;
}

/* True if it is the best so far. Equal files count once. */
static bool note_file(struct found *f, struct place place, struct taken file, const char *path) {
    int order = f->times > 0 ? compare_places(place, f->place) : -1;
    char *shown = shown_name(path);
    if (order < 0) {
        take_as_best(f, place, file, shown);
        return true;
    }
    bool same = same_bytes(&file, &f->file);
    if (order == 0 && !same) {
        f->times++;
        add_path(&f->paths, shown, " and ");
    } else if (!same && !file.refused) {
        pass_over(f, place.stub, shown);
    }
    text_free(&file.bytes);
    free(shown);
    return false;
}

/* Are there headers that are not the course's? They are not taken. */
static bool has_headers(const struct walk *w, const struct spot *at) {
    DIR *entries = entries_of(at->folder);
    bool found = false;
    for (struct dirent *e; entries && !found && (e = readdir(entries));) {
        if (!ends_with(e->d_name, ".h") || *e->d_name == '.')
            continue;
        struct text ours;
        struct taken theirs = take_file(at->folder, e->d_name, SOURCE_MOST);
        text_read_file(
            &ours, path_of("lessons/%s/%s", w->class->lessons[at->lesson].folder, e->d_name).chars);
        found = !same_but_for_space(text_of(&ours), text_of(&theirs.bytes));
        text_free(&theirs.bytes);
        text_free(&ours);
    }
    if (entries)
        closedir(entries);
    return found;
}

static void note_source(struct walk *w, const struct spot *at, const char *entry, const char *name,
                        int lesson, bool renamed) {
    struct taken file = take_source(at->folder, entry, SOURCE_MOST);
    struct place place = {is_stub(&w->class->lessons[lesson], w->work, text_of(&file.bytes)),
                          w->packed != NULL, at->lesson != lesson, renamed, at->depth};
    if (w->packed)
        file.written = w->written;
    char *path = path_at(w, at, name);
    if (note_file(&w->found[lesson], place, file, path) && !place.astray)
        w->found[lesson].headers = has_headers(w, at);
    free(path);
}

/* --- files ---------------------------------------------------------------------------------- */

/* nbgrader's own: not read in an archive, where it may be the student's. */
static void read_timestamp(struct walk *w, int folder) {
    struct taken stamp = take_file(folder, "timestamp.txt", 200);
    const char *rest;
    time_t time;
    if (stamp.bytes.length > 0 && read_moment(text_of(&stamp.bytes), &rest, &time) &&
        !rest[strspn(rest, " \r\n")])
        w->stamped = time;
    else if (stamp.bytes.length > 0)
        w->odd_stamp = true;
    text_free(&stamp.bytes);
}

/* `entry` is what it is called there, and `name` what the student called it. */
static void look_at_file(struct walk *w, const struct spot *at, const char *entry, const char *name,
                         bool regular) {
    bool fits = false;
    for (int i = 0; i < w->class->lesson_count; i++) {
        int fit = fits_lesson(name, w->class->lessons[i].name);
        if (fit == 0 ? regular || at->lesson == i : fit == 1 && regular) {
            note_source(w, at, entry, name, i, fit == 1);
            fits = true;
        }
    }
    if (fits || !is_work(name))
        return;
    bool archive = regular && (archive_ending(name) || foreign_ending(name));
    if (archive)
        note_archive(w, at, name);
    keep_first(&w->other, name);
    if (at->lesson >= 0 && !archive)
        keep_first(&w->found[at->lesson].holds, name);
}

/* --- folders -------------------------------------------------------------------------------- */

static int lesson_called(const struct class *class, const char *name) {
    for (int i = 0; i < class->lesson_count; i++)
        if (strcmp(class->lessons[i].folder, name) == 0)
            return i;
    return -1;
}

/* A whole clone or release holds the reference and the stubs, too; those are not candidates. */
static bool is_left_out(int folder, const char *name) {
    static const char *const others[] = {"solutions", "stubs", "sealed", "build", NULL};
    struct stat about;
    bool other = false;
    for (int i = 0; others[i]; i++)
        other |= strcmp(name, others[i]) == 0;
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "__MACOSX") == 0 ||
           strcmp(name, ".git") == 0 ||
           (other && fstatat(folder, "lessons", &about, AT_SYMLINK_NOFOLLOW) == 0);
}

/* The copy at the top is the one that counts; of some there are only the lessons. */
static void compare_copy(struct walk *w, int folder) {
    struct stat about;
    bool whole = fstatat(folder, "lessons", &about, AT_SYMLINK_NOFOLLOW) == 0;
    struct submission *s = w->of;
    if (!s->release[0])
        s->release_changed =
            release_changed(w->release, folder, whole ? "" : "lessons/", &s->release);
}

static void look_into(struct walk *w, const struct spot *at);

/* A folder that cannot be read is the worst candidate: any file is better, even a stub. */
static void refuse_folder(struct walk *w, const struct spot *at, const char *name, int lesson,
                          const char *why) {
    struct place worst = {true, true, true, true, at->depth};
    char *path = path_at(w, at, name);
    note_file(&w->found[lesson], worst, (struct taken){.refused = why}, path);
    free(path);
}

static void look_at_folder(struct walk *w, const struct spot *at, const char *name) {
    int lesson = lesson_called(w->class, name);
    if (at->depth >= DEEPEST && lesson < 0)
        w->deeper = true;
    if (at->depth > DEEPEST || (at->depth == DEEPEST && lesson < 0))
        return;
    int folder = take_folder(at->folder, name);
    if (folder < 0 && lesson >= 0)
        refuse_folder(w, at, name, lesson, "its folder cannot be read");
    if (folder < 0)
        return;
    char *path = string_of("%s%s/", at->path, name);
    look_into(w, &(struct spot){folder, path, at->depth + 1, lesson});
    free(path);
    close(folder);
}

static void look_at_entry(struct walk *w, const struct spot *at, const char *name) {
    struct stat about;
    if (fstatat(at->folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    int lesson = lesson_called(w->class, name);
    bool in_place_of_file =
        at->lesson >= 0 &&
        strcmp(name, path_of("%s.c", w->class->lessons[at->lesson].name).chars) == 0;
    if (S_ISDIR(about.st_mode) && !in_place_of_file)
        look_at_folder(w, at, name);
    else if (lesson >= 0)
        refuse_folder(w, at, name, lesson,
                      S_ISLNK(about.st_mode) ? "it is a link, no regular file"
                                             : "there is a file in place of its folder");
    else
        look_at_file(w, at, name, name, S_ISREG(about.st_mode));
}

static void look_into(struct walk *w, const struct spot *at) {
    DIR *entries = entries_of(at->folder);
    compare_copy(w, at->folder);
    if (at->depth <= 1 && !w->packed)
        read_timestamp(w, at->folder);
    for (struct dirent *e; entries && (e = readdir(entries));) {
        if (is_left_out(at->folder, e->d_name))
            continue;
        if (++w->entries > ENTRIES_MOST)
            break;
        look_at_entry(w, at, e->d_name);
    }
    if (entries)
        closedir(entries);
}

/* --- all of it ------------------------------------------------------------------------------ */

void walk_begin(struct walk *w) {
    w->unread = w->other = "";
    w->found = calloc((size_t)w->class->lesson_count, sizeof *w->found);
    if (!w->found)
        exit(2);
    for (int k = 0; k < w->class->lesson_count; k++)
        w->found[k].paths = w->found[k].stub = w->found[k].beside = w->found[k].holds = "";
}

void walk_folder(struct walk *w, int folder) {
    look_into(w, &(struct spot){folder, "", 0, -1});
}

void walk_file(struct walk *w, int folder, const char *entry, const char *name) {
    w->entries++;
    look_at_file(w, &(struct spot){folder, "", 0, -1}, entry, name, true);
}
