/* Each file is compared with the best one so far of its lesson. Which of two is better is decided
   by their places alone (walk.h); two that are equally good and different make the lesson
   unreadable. What else was found is kept as words for the lecturer: files that were passed over,
   archives that cannot be unpacked, names that mean nothing. */
#include "grade/class/walk.h"

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
    struct scan *scan;
    struct handed *of;
    const struct archive *packed; /* what it was unpacked from, or NULL */
    int folder;                   /* open */
    const char *path;             /* "a/b/", from the submission on */
    int depth;
    int lesson; /* whose folder it is; -1 */
};

static const struct course_lesson *lesson_of(const struct spot *at) {
    return &at->scan->class->lessons[at->lesson];
}

static char *path_at(const struct spot *at, const char *name) {
    return string_of("%s%s%s%s", at->packed ? at->packed->path : "", at->packed ? ": " : "",
                     at->path, name);
}

/* --- what is not read ----------------------------------------------------------------------- */

void add_unread(struct handed *of, const char *name, const char *why) {
    if (strlen(of->unread) <= 1000) /* the first ones tell enough */
        of->unread =
            joined(of->unread, "; ", string_of("%s: %s", shown_name(name), shown_name(why)));
}

static void note_archive(const struct spot *at, const char *name) {
    struct scan *scan = at->scan;
    struct archive archive = {.of = at->of, .path = path_at(at, name)};
    if (foreign_ending(name)) {
        add_unread(at->of, archive.path,
                   "this kind of archive is not read: hand in a .zip or a .tar.gz");
    } else if (at->packed) {
        add_unread(at->of, archive.path, "it is packed too deep, or with too many others");
    } else if (at->of->archives++ >= ARCHIVES_MOST) {
        add_unread(at->of, archive.path,
                   string_of("it is one of more than %d archives", ARCHIVES_MOST));
    } else {
        scan->archives = with_room(scan->archives, scan->archive_count, sizeof archive);
        scan->archives[scan->archive_count++] = archive;
    }
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

static bool same_bytes(const struct taken *a, const struct taken *b) {
    return !a->refused && !b->refused && a->bytes.length == b->bytes.length &&
           memcmp(text_of(&a->bytes), text_of(&b->bytes), a->bytes.length) == 0;
}

static void add_path(const char **paths, const char *shown, const char *between) {
    if (strlen(*paths) <= 400) /* the first ones tell enough */
        *paths = joined(*paths, between, shown);
}

/* Notes a file that lies beside the best one. */
static void pass_over(struct found *f, bool stub, const char *shown) {
    if (!stub)
        add_path(&f->beside, shown, ", ");
    else if (!f->stub[0])
        f->stub = string_of("%s", shown);
}

static void take_as_best(struct found *f, int place, struct taken file, const char *shown) {
    if (f->times > 0 && !f->file.refused && (f->times > 1 || !same_bytes(&file, &f->file)))
        pass_over(f, f->place & STUB, f->paths);
    text_free(&f->file.bytes);
    f->paths = shown;
    f->times = 1;
    f->place = place;
    f->file = file;
    f->headers = false;
}

/* True if it is the best so far. Equal files count once. */
static bool note_file(struct found *f, int place, struct taken file, const char *path) {
    char *shown = shown_name(path);
    if (f->times == 0 || place < f->place) {
        take_as_best(f, place, file, shown);
        return true;
    }
    bool same = same_bytes(&file, &f->file);
    if (place == f->place && !same) {
        f->times++;
        add_path(&f->paths, shown, " and ");
    } else if (!same && !file.refused) {
        pass_over(f, place & STUB, shown);
    }
    text_free(&file.bytes);
    free(shown);
    return false;
}

/* Are there headers that are not the course's? They are not taken. */
static bool has_headers(const struct spot *at) {
    DIR *entries = entries_of(at->folder);
    bool found = false;
    for (const char *name; (name = next_name(entries));) {
        if (found || !ends_with(name, ".h") || *name == '.')
            continue;
        struct path ours = path_of("lessons/%s/%s", lesson_of(at)->folder, name);
        struct taken theirs = take_file(at->folder, name, SOURCE_MOST);
        found = !same_but_for_space(file_text(ours.chars), text_of(&theirs.bytes));
        text_free(&theirs.bytes);
    }
    return found;
}

static void note_source(const struct spot *at, const char *entry, const char *name, int lesson,
                        bool renamed) {
    struct found *f = &at->of->found[lesson];
    struct taken file = take_source(at->folder, entry, SOURCE_MOST);
    const char *stub = stub_of(&at->scan->class->lessons[lesson], at->scan->work);
    bool is_stub = stub[0] && same_but_for_space(stub, text_of(&file.bytes));
    int place = at->depth + (is_stub ? STUB : 0) + (at->packed ? PACKED : 0) +
                (at->lesson != lesson ? ASTRAY : 0) + (renamed ? RENAMED : 0);
    if (at->packed)
        file.written = at->packed->written;
    char *path = path_at(at, name);
    if (note_file(f, place, file, path) && !(place & ASTRAY))
        f->headers = has_headers(at);
    free(path);
}

/* --- files ---------------------------------------------------------------------------------- */

/* nbgrader's own: not read in an archive, where it may be the student's. */
static void read_timestamp(const struct spot *at) {
    struct taken stamp = take_file(at->folder, "timestamp.txt", 200);
    const char *rest;
    time_t time;
    if (stamp.bytes.length > 0 && read_moment(text_of(&stamp.bytes), &rest, &time) &&
        !rest[strspn(rest, " \r\n")])
        at->of->stamped = time;
    else if (stamp.bytes.length > 0)
        at->of->odd_stamp = true;
}

/* `entry` is what it is called there, and `name` what the student called it. */
static void look_at_file(const struct spot *at, const char *entry, const char *name, bool regular) {
    bool fits = false;
    for (int i = 0; i < at->scan->class->lesson_count; i++) {
        int fit = fits_lesson(name, at->scan->class->lessons[i].name);
        if (fit == 0 ? regular || at->lesson == i : fit == 1 && regular) {
            note_source(at, entry, name, i, fit == 1);
            fits = true;
        }
    }
    if (fits || !is_work(name))
        return;
    bool archive = regular && (archive_ending(name) || foreign_ending(name));
    if (archive)
        note_archive(at, name);
    keep_first(&at->of->no_work, name);
    if (at->lesson >= 0 && !archive)
        keep_first(&at->of->found[at->lesson].holds, name);
}

/* --- folders -------------------------------------------------------------------------------- */

static bool is_in(int folder, const char *name) {
    struct stat about;
    return fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

static int lesson_called(const struct class *class, const char *name) {
    int lesson = class->lesson_count - 1;
    while (lesson >= 0 && strcmp(class->lessons[lesson].folder, name) != 0)
        lesson--;
    return lesson;
}

/* A whole clone or release holds the reference and the stubs, too; those are not candidates. */
static bool is_left_out(int folder, const char *name) {
    bool ours = strstr(" solutions stubs sealed build ", path_of(" %s ", name).chars);
    return strcmp(name, "__MACOSX") == 0 || strcmp(name, ".git") == 0 ||
           (ours && is_in(folder, "lessons"));
}

/* The copy at the top is the one that counts; of some there are only the lessons. */
static void compare_copy(const struct spot *at) {
    struct submission *s = at->of->s;
    const char *stands_for = is_in(at->folder, "lessons") ? "" : "lessons/";
    if (!s->release[0])
        s->release_changed =
            release_changed(at->scan->release, at->folder, stands_for, &s->release);
}

static void look_into(const struct spot *at);

/* A folder that cannot be read is the worst candidate: any file is better, even a stub. */
static void refuse_folder(const struct spot *at, const char *name, int lesson, const char *why) {
    char *path = path_at(at, name);
    note_file(&at->of->found[lesson], WORST + at->depth, (struct taken){.refused = why}, path);
    free(path);
}

static void look_at_folder(const struct spot *at, const char *name, int lesson) {
    if (at->depth >= DEEPEST && lesson < 0)
        at->of->deeper = true;
    if (at->depth > DEEPEST || (at->depth == DEEPEST && lesson < 0))
        return;
    struct spot inner = *at;
    inner.folder = take_folder(at->folder, name);
    if (inner.folder < 0 && lesson >= 0)
        refuse_folder(at, name, lesson, "its folder cannot be read");
    if (inner.folder < 0)
        return;
    char *path = string_of("%s%s/", at->path, name);
    inner.path = path;
    inner.depth++;
    inner.lesson = lesson;
    look_into(&inner);
    free(path);
    close(inner.folder);
}

static void look_at_entry(const struct spot *at, const char *name) {
    struct stat about;
    if (fstatat(at->folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    int lesson = lesson_called(at->scan->class, name);
    bool in_place_of_file =
        at->lesson >= 0 && strcmp(name, path_of("%s.c", lesson_of(at)->name).chars) == 0;
    if (S_ISDIR(about.st_mode) && !in_place_of_file)
        look_at_folder(at, name, lesson);
    else if (lesson >= 0)
        refuse_folder(at, name, lesson,
                      S_ISLNK(about.st_mode) ? "it is a link, no regular file"
                                             : "there is a file in place of its folder");
    else
        look_at_file(at, name, name, S_ISREG(about.st_mode));
}

static void look_into(const struct spot *at) {
    DIR *entries = entries_of(at->folder);
    compare_copy(at);
    if (at->depth <= 1 && !at->packed)
        read_timestamp(at);
    for (const char *name; (name = next_name(entries));)
        if (!is_left_out(at->folder, name) && ++at->of->entries <= ENTRIES_MOST)
            look_at_entry(at, name);
}

/* --- all of it ------------------------------------------------------------------------------ */

void walk_folder(struct scan *scan, struct handed *of, const struct archive *packed, int folder) {
    look_into(&(struct spot){scan, of, packed, folder, "", 0, -1});
}

void walk_file(struct scan *scan, struct handed *of, const struct item *item) {
    of->entries++;
    look_at_file(&(struct spot){scan, of, NULL, scan->dir, "", 0, -1}, item->entry, item->file,
                 true);
}
