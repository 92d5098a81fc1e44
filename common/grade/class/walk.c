#include "grade/class/walk.h"

#include "grade/class/called.h"
#include "grade/class/moments.h"
#include "grade/class/names.h"
#include "grade/class/stub.h"

#include "base/files.h"

#include <dirent.h>
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

static struct text path_at(const struct walk *w, const struct spot *at, const char *name) {
    struct text path = {0};
    if (w->packed)
        text_print(&path, "%s: ", w->packed);
    text_print(&path, "%s%s", at->path, name);
    return path;
}

/* A view of its own: a copy of the descriptor would go on where the folder's was read to. */
static DIR *entries_of(int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return again < 0 ? NULL : fdopendir(again);
}

/* --- what is not read ----------------------------------------------------------------------- */

void walk_add_unread(struct walk *w, const char *name, const char *why) {
    if (w->unread.length > 1000)
        return; /* the first ones tell enough */
    text_print(&w->unread, "%s", w->unread.length > 0 ? "; " : "");
    add_name(&w->unread, name);
    text_print(&w->unread, ": ");
    add_name(&w->unread, why);
}

static void note_archive(struct walk *w, const struct spot *at, const char *name) {
    struct text path = path_at(w, at, name);
    if (foreign_ending(name))
        walk_add_unread(w, text_of(&path),
                        "this kind of archive is not read: hand in a .zip or a .tar.gz");
    else if (w->packed)
        walk_add_unread(w, text_of(&path), "it is packed too deep, or with too many others");
    else if (w->archive_count == ARCHIVES_MOST)
        walk_add_unread(w, text_of(&path),
                        path_of("it is one of more than %d archives", ARCHIVES_MOST).chars);
    else
        w->archives[w->archive_count++] = strdup(text_of(&path));
    text_free(&path);
}

/* A text that is there to be read by people is nobody's work. */
static bool is_work(const char *name) {
    return *name != '.' && !ends_with(name, ".h") && !ends_with(name, ".md") &&
           strcmp(name, "timestamp.txt") != 0;
}

static void keep_first(struct text *first, const char *name) {
    if (first->length > 0 && strcmp(name, text_of(first)) >= 0)
        return;
    text_free(first);
    text_add(first, name, strlen(name));
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

static void add_path(struct text *paths, const char *path, const char *between) {
    if (paths->length > 400)
        return; /* the first ones tell enough */
    text_print(paths, "%s", paths->length > 0 ? between : "");
    add_name(paths, path);
}

/* What was the best, or was never it, lies beside the one that is. */
static void pass_over(struct found *f, bool stub, const char *shown) {
    if (!stub)
        add_path(&f->beside, shown, ", ");
    else if (f->stub.length == 0)
        text_add(&f->stub, shown, strlen(shown));
}

static void take_as_best(struct found *f, struct place place, struct taken file, const char *path) {
    bool passed =
        f->times > 0 && !f->file.refused && (f->times > 1 || !same_bytes(&file, &f->file));
    if (passed)
        pass_over(f, f->place.stub, text_of(&f->paths));
    text_free(&f->paths);
    text_free(&f->file.bytes);
    add_path(&f->paths, path, "");
    f->times = 1;
    f->place = place;
    f->file = file;
    f->headers = false;
}

/* True if it is the best so far. The same file twice is one. */
static bool note_file(struct found *f, struct place place, struct taken file, const char *path) {
    int order = f->times > 0 ? compare_places(place, f->place) : -1;
    if (order < 0) {
        take_as_best(f, place, file, path);
        return true;
    }
    bool same = same_bytes(&file, &f->file);
    if (order == 0 && !same) {
        f->times++;
        add_path(&f->paths, path, " and ");
    } else if (!same && !file.refused) {
        struct text shown = {0};
        add_name(&shown, path);
        pass_over(f, place.stub, text_of(&shown));
        text_free(&shown);
    }
    text_free(&file.bytes);
    return false;
}

/* Headers are not taken. Those of the course are in every release, and are nothing to tell. */
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
    struct place place = {is_stub(w->class, lesson, w->work, text_of(&file.bytes)),
                          w->packed != NULL, at->lesson != lesson, renamed, at->depth};
    struct text path = path_at(w, at, name);
    if (w->packed)
        file.written = w->written;
    if (note_file(&w->found[lesson], place, file, text_of(&path)) && !place.astray)
        w->found[lesson].headers = has_headers(w, at);
    text_free(&path);
}

/* --- files ---------------------------------------------------------------------------------- */

/* nbgrader's own; in an archive anybody may have written it. */
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

/* Who hands in a whole clone, or a release, hands in the reference or the stub, too: that is not a
   second choice. */
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
    if (w->compared->length == 0)
        *w->changed = handed_out_compare(w->release, folder, whole ? "" : "lessons/", w->compared);
}

static void look_into(struct walk *w, const struct spot *at);

/* Any file, be it a stub, is better than a folder that is none: others give their own files such
 * names. */
static void refuse_folder(struct walk *w, const struct spot *at, const char *name, int lesson,
                          const char *why) {
    struct text path = path_at(w, at, name);
    note_file(
        &w->found[lesson],
        (struct place){
            .stub = true, .packed = true, .astray = true, .renamed = true, .depth = at->depth},
        (struct taken){.refused = why}, text_of(&path));
    text_free(&path);
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
    struct text path = {0};
    text_print(&path, "%s%s/", at->path, name);
    look_into(w, &(struct spot){folder, text_of(&path), at->depth + 1, lesson});
    text_free(&path);
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

bool walk_begin(struct walk *w, const struct class *class) {
    w->class = class;
    w->found = calloc((size_t) class->lesson_count, sizeof *w->found);
    return w->found != NULL;
}

void walk_folder(struct walk *w, int folder) {
    look_into(w, &(struct spot){folder, "", 0, -1});
}

void walk_file(struct walk *w, int folder, const char *entry, const char *name) {
    w->entries++;
    look_at_file(w, &(struct spot){folder, "", 0, -1}, entry, name, true);
}

void walk_end(struct walk *w) {
    for (int i = 0; i < w->class->lesson_count; i++) {
        struct found *f = &w->found[i];
        struct text *all[] = {&f->file.bytes, &f->paths, &f->stub, &f->beside, &f->holds};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            text_free(all[k]);
    }
    for (int i = 0; i < w->archive_count; i++)
        free(w->archives[i]);
    text_free(&w->unread);
    text_free(&w->other);
    free(w->found);
}
