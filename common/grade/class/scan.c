/* The class's folder, in four steps: list who handed in what; walk through it (walk.h); unpack the
   archives that were found, in boxes and several at a time, and walk through those; say in the rows
   what was found of each lesson.

   A student hands in a folder, an archive, or files that Canvas or Moodle named. The names come
   from other people: they reach no shell and no compiler, since our copies have numbers for names.
 */
/* For realpath(). */
#define _DEFAULT_SOURCE

#include "grade/class/scan.h"

#include "grade/class/called.h"
#include "grade/class/jobs.h"
#include "grade/class/moments.h"
#include "grade/class/names.h"
#include "grade/class/take.h"
#include "grade/class/walk.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the class's folder, and what the student called it. */
struct item {
    const char *entry, *file;
};

/* What one student handed in. */
struct handed {
    const char *name;
    struct item *items;
    int count;
    bool folder, other; /* other: it is no submission */
    struct download download;
    const char *refused; /* why nothing of it is read, or NULL */
    struct walk walk;
    struct submission *s;
};

struct archive {
    struct handed *of;
    const char *path;          /* from the submission on */
    const char *copy, *folder; /* ours, and what is unpacked of it */
    time_t written;
    enum archive_state { NOT_UNPACKED, UNPACKED, REFUSED, NO_BOX } state;
    const char *why;
};

struct scan {
    struct class *class;
    const char *release, *judge, *work;
    int dir, jobs;
    struct handed *handed;
    int count;
    struct archive *archives;
    int archive_count;
};

/* --- the class's folder --------------------------------------------------------------------- */

static void add_item(struct handed *h, const char *entry, const char *file) {
    h->items = with_room(h->items, h->count, sizeof *h->items);
    h->items[h->count++] = (struct item){entry, file};
}

/* A link is a submission, too, though not one that is read. Other files are not; their names
   are kept, because one of them may have been meant as a submission. */
static void list_entry(struct scan *scan, const char *name) {
    struct stat about;
    if (strcmp(name, "__MACOSX") == 0 || fstatat(scan->dir, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    const char *entry = string_of("%s", name);
    const char *ending = archive_ending(entry) ? archive_ending(entry) : foreign_ending(entry);
    struct handed h = {.name = entry, .folder = S_ISDIR(about.st_mode)};
    bool link = S_ISLNK(about.st_mode), download = !h.folder && read_download(entry, &h.download);
    h.other = !h.folder && !link && !download && !ending;
    if (h.other && *entry == '.')
        return;
    if (download)
        h.name = string_of("%s", h.download.person.chars);
    else if (ending && !h.folder)
        h.name = string_of("%.*s", (int)(ending - entry), entry);
    add_item(&h, entry, download ? h.download.file : entry);
    if (link)
        h.refused = "it is a link, no regular file";
    else if (!h.folder && !S_ISREG(about.st_mode))
        h.refused = "it is no regular file";
    scan->handed = with_room(scan->handed, scan->count, sizeof *scan->handed);
    scan->handed[scan->count++] = h;
}

static int by_name(const void *a, const void *b) {
    const struct handed *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->items[0].entry, other->items[0].entry);
}

/* Two of the same name are files that one student uploaded. If both ada/ and ada.zip exist, refuse
   both. */
static void merge(struct handed *first, const struct handed *second) {
    const struct item *item = &second->items[0];
    if (first->download.person.chars[0] && second->download.person.chars[0]) {
        add_item(first, item->entry, item->file);
        first->download.late |= second->download.late;
        return;
    }
    first->refused = string_of("it was handed in twice, as %s and as %s",
                               shown_name(first->items[0].entry), shown_name(item->entry));
}

static void merge_twins(struct scan *scan) {
    int kept = 0;
    for (int i = 0; i < scan->count; i++) {
        struct handed *h = &scan->handed[i], *last = kept > 0 ? &scan->handed[kept - 1] : NULL;
        const char *others = scan->class->others;
        if (h->other)
            scan->class->others =
                string_of("%s%s%s", others, others[0] ? ", " : "", shown_name(h->items[0].entry));
        else if (last && strcmp(last->name, h->name) == 0)
            merge(last, h);
        else
            scan->handed[kept++] = *h;
    }
    scan->count = kept;
}

/* A folder of lessons is one submission: a lesson, others of that form, answers, files. A lesson's
   folder that strayed among the students' does not make it one. */
static bool is_of_a_submission(const struct handed *h) {
    const char *name = h->items[0].entry;
    return h->other || *name == '.' || strcmp(name, "answers") == 0 ||
           (strspn(name, "0123456789") == 2 && name[2] == '-');
}

static bool is_submission(const struct scan *scan) {
    struct stat about;
    bool lesson = false;
    for (int i = 0; i < scan->class->lesson_count; i++)
        lesson |=
            fstatat(scan->dir, scan->class->lessons[i].folder, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(about.st_mode);
    for (int i = 0; i < scan->count && lesson; i++)
        lesson = is_of_a_submission(&scan->handed[i]);
    return lesson;
}

/* Takes the folder above for the class, with this one submission in it. */
static void list_one(struct scan *scan) {
    char *whole = realpath(scan->class->dir, NULL);
    int above = openat(scan->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    scan->count = 0;
    if (whole && above >= 0) {
        close(scan->dir);
        scan->dir = above;
        list_entry(scan, strrchr(whole, '/') + 1);
    }
    free(whole);
}

static bool list_class(struct scan *scan) {
    DIR *entries = entries_of(scan->dir);
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            list_entry(scan, e->d_name);
    if (entries)
        closedir(entries);
    if (is_submission(scan))
        list_one(scan);
    if (scan->count > 0)
        qsort(scan->handed, (size_t)scan->count, sizeof *scan->handed, by_name);
    merge_twins(scan);
    if (scan->count == 0)
        fprintf(stderr, "%s holds no submission: wanted are folders DIR/student/NN-name.\n",
                scan->class->dir);
    return scan->count > 0;
}

/* --- what lies there ------------------------------------------------------------------------ */

static void walk_one(struct scan *scan, struct handed *h) {
    h->s = add_submission(scan->class, h->name);
    h->s->canvas_id = string_of("%s", h->download.canvas_id.chars);
    h->s->canvas_name = string_of("%s", h->download.canvas_name.chars);
    h->s->late_by_canvas = h->download.late;
    h->walk = (struct walk){
        .class = scan->class, .work = scan->work, .release = scan->release, .of = h->s};
    walk_begin(&h->walk);
    if (h->refused)
        return;
    int folder = h->folder ? take_folder(scan->dir, h->name) : -1;
    if (folder >= 0)
        walk_folder(&h->walk, folder);
    else if (h->folder)
        h->refused = "its folder cannot be read";
    for (int k = 0; !h->folder && k < h->count; k++)
        walk_file(&h->walk, scan->dir, h->items[k].entry, h->items[k].file);
    if (folder >= 0)
        close(folder);
}

/* --- archives ------------------------------------------------------------------------------- */

static struct path copies_of(const struct scan *scan, const struct handed *h) {
    return path_of("%s/s%03d", scan->work, h->s->number);
}

static struct taken take_archive(const struct scan *scan, const struct archive *a) {
    for (int i = 0; !a->of->folder && i < a->of->count; i++)
        if (strcmp(a->of->items[i].file, a->path) == 0)
            return take_file(scan->dir, a->of->items[i].entry, ARCHIVE_MOST);
    return take_path(scan->dir, string_of("%s/%s", a->of->name, a->path), ARCHIVE_MOST);
}

/* Where its files lie: another course may unpack it in another way. */
static const char *unpacked_at(const struct scan *scan, const struct text *bytes) {
    struct hash own = sha256(text_of(bytes), bytes->length);
    struct path all = path_of("%s %s", scan->class->lessons[0].key.hex, own.hex);
    return string_of("%s/../unpacked/%s", scan->work, sha256(all.chars, strlen(all.chars)).hex);
}

/* What was said when it was unpacked, for all who hand in the same one. */
static const char *words_of(const struct archive *a) {
    return string_of("%s.said", a->folder);
}

static void give_up(struct archive *a, enum archive_state state, const char *why) {
    a->state = state;
    a->why = why;
}

/* Copies it, unless it is unpacked already; false if it is refused. */
static bool copy_archive(struct scan *scan, struct archive *a, int number) {
    struct taken taken = take_archive(scan, a);
    a->written = taken.written;
    a->copy = string_of("%s/archive-%d", copies_of(scan, a->of).chars, number);
    a->folder = unpacked_at(scan, &taken.bytes);
    make_folder_of(a->copy);
    make_folder_of(a->folder);
    if (taken.refused)
        give_up(a, REFUSED, taken.refused);
    else if (file_is_there(a->folder))
        a->state = UNPACKED;
    else if (!file_replace(a->copy, &taken.bytes))
        exit(2);
    text_free(&taken.bytes);
    return a->state == NOT_UNPACKED;
}

/* Two may have handed in the same archive, and be unpacked at the same time. */
static const char *part_of(const struct archive *a, int number) {
    return string_of("%s.part-%d", a->folder, number);
}

static bool start_unpacking(void *context, int number, struct job *job) {
    struct scan *scan = context;
    struct archive *a = &scan->archives[number];
    if (!copy_archive(scan, a, number))
        return false;
    const char *folder = part_of(a, number);
    remove_all(folder);
    if (mkdir(folder, 0755) != 0) {
        give_up(a, NO_BOX, string_of("no folder to unpack it: %s", strerror(errno)));
        return false;
    }
    *job =
        (struct job){{"sh", string_of("%s/box.sh", scan->judge), "unpack", a->copy, folder, NULL},
                     string_of("%s.said", a->copy),
                     0};
    return true;
}

static bool unpacked(void *context, int number, int status, double seconds) {
    struct scan *scan = context;
    struct archive *a = &scan->archives[number];
    const char *part = part_of(a, number), *said = string_of("%s.said", a->copy);
    (void)seconds;
    if (status == 0)
        rename(said, words_of(a));
    if (status == 0 && (rename(part, a->folder) == 0 || file_is_there(a->folder)))
        a->state = UNPACKED;
    else
        give_up(a, status == 3 ? NO_BOX : REFUSED, first_words(said));
    remove_all(part);
    return true;
}

/* An archive inside that could not be unpacked is a line of what was said. */
static void walk_unpacked(struct walk *w, const struct archive *a) {
    int folder = open(a->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct text said;
    char line[400];
    w->packed = a->path;
    w->written = a->written;
    if (folder >= 0) {
        walk_folder(w, folder);
        close(folder);
    }
    text_read_file(&said, words_of(a));
    const char *at = text_of(&said);
    while (next_line(&at, line, sizeof line))
        walk_add_unread(w, a->path, line);
    text_free(&said);
    w->packed = NULL;
}

static void walk_archives(struct scan *scan) {
    for (int i = 0; i < scan->count; i++)
        for (int k = 0; k < scan->handed[i].walk.archive_count; k++) {
            struct archive a = {.of = &scan->handed[i], .path = scan->handed[i].walk.archives[k]};
            scan->archives = with_room(scan->archives, scan->archive_count, sizeof a);
            scan->archives[scan->archive_count++] = a;
        }
    run_jobs(scan->archive_count, scan->jobs, (struct job_hooks){scan, start_unpacking, unpacked});
    for (int i = 0; i < scan->archive_count; i++) {
        const struct archive *a = &scan->archives[i];
        if (a->state == UNPACKED)
            walk_unpacked(&a->of->walk, a);
        else if (a->state == REFUSED)
            walk_add_unread(&a->of->walk, a->path, a->why);
    }
}

/* --- what was found, as rows ---------------------------------------------------------------- */

/* Our copy has a number for a name, and the user of the box may read it. */
static void keep_source(struct row *row, const struct path copies, const struct text *source) {
    row->source = string_of("%s/%s/%s.c", copies.chars, row->lesson->folder, row->lesson->name);
    make_folder_of(row->source);
    if (!file_replace(row->source, source))
        exit(2);
    row->sha256 = sha256(text_of(source), source->length);
}

static void add_note(struct row *row, const char *words) {
    row->note = string_of("%s%s%s", row->note, row->note[0] ? "; " : "", words);
}

/* Notes which file is read, and what lies beside it. */
static void note_file(struct row *row, const struct found *f) {
    bool not_stub = f->stub[0] && !f->place.stub;
    if (not_stub)
        add_note(row, string_of("read from \"%s\", because \"%s\" is the stub", f->paths, f->stub));
    else if (f->place.astray || f->place.renamed)
        add_note(row, string_of("read from \"%s\"", f->paths));
    if (f->beside[0])
        add_note(row, string_of("%s lies beside it and was not read", f->beside));
    if (f->file.converted)
        add_note(row, "converted from UTF-16");
    row->doubtful = f->beside[0] || not_stub;
}

/* Why a lesson without a file is not simply missing; or "". */
static const char *why_unread(const struct course_lesson *l, const struct walk *w,
                              const struct found *f, bool any) {
    if (f->holds[0])
        return string_of("%s holds %s, but no %s.c", l->folder, shown_name(f->holds), l->name);
    if (w->unread[0])
        return w->unread;
    if (!any && w->other[0])
        return string_of("it holds %s, but no file of a lesson", shown_name(w->other));
    return !any && w->deeper ? string_of("its folders are more than %d deep", DEEPEST) : "";
}

/* `any`: there is a file of some lesson. */
static void fill_row(const struct scan *scan, const struct handed *h, struct row *row, bool any) {
    const struct course_lesson *l = row->lesson;
    struct found *f = &h->walk.found[l - scan->class->lessons];
    row->begun = f->times > 0 && !f->place.stub;
    if (f->times == 0)
        row->problem = why_unread(l, &h->walk, f, any);
    else if (f->times > 1)
        row->problem = string_of("there are %d different %s.c: %s", f->times, l->name, f->paths);
    else if (f->file.refused)
        row->problem = string_of("%s.c: %s", l->name, f->file.refused);
    row->state = row->problem[0] ? NOT_READ : f->times > 0 ? STOPPED : MISSING;
    if (row->state == STOPPED) {
        row->headers = f->headers;
        row->handed_in = f->file.written;
        note_file(row, f);
        keep_source(row, copies_of(scan, h), &f->file.bytes);
    }
    text_free(&f->file.bytes);
}

/* A system's own clock goes before that of the files. */
static void set_clock(const struct handed *h, struct row *row) {
    time_t named = 0;
    if (row->handed_in == 0)
        return;
    if (h->walk.stamped) {
        row->handed_in = h->walk.stamped;
        row->clock = BY_TIMESTAMP;
    } else if (moment_in_name(h->name, &named)) {
        row->handed_in = named;
        row->clock = BY_NAME;
    }
    if (h->walk.odd_stamp) {
        add_note(row, "its timestamp.txt is not understood");
        row->doubtful = true;
    }
}

static void fill_rows(struct scan *scan, struct handed *h) {
    bool any = false;
    if (h->walk.entries > ENTRIES_MOST && !h->refused)
        h->refused = string_of("it holds more than %d files", ENTRIES_MOST);
    for (int k = 0; k < scan->class->lesson_count; k++)
        any |= h->walk.found[k].times > 0;
    for (int k = 0; k < scan->class->lesson_count; k++) {
        struct row *row = &h->s->rows[k];
        if (h->refused) { /* the reason is that of each row */
            row->state = NOT_READ;
            row->problem = h->refused;
            continue;
        }
        fill_row(scan, h, row, any);
        set_clock(h, row);
    }
}

/* A missing lesson may be in an archive for which there was no box, or no time. */
static void excuse_rows(struct scan *scan) {
    for (int i = 0; i < scan->archive_count; i++) {
        const struct archive *a = &scan->archives[i];
        for (int k = 0; k < scan->class->lesson_count; k++) {
            struct row *row = &a->of->s->rows[k];
            if ((a->state != NO_BOX && a->state != NOT_UNPACKED) || row->source)
                continue;
            row->state = a->state == NO_BOX ? LOST : STOPPED;
            row->problem =
                a->state == NO_BOX ? a->why : "it was not unpacked before the run was stopped";
        }
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

bool scan_class(struct class *class, const char *release, const char *judge, const char *work,
                int jobs) {
    struct scan scan = {class, release, judge, work, -1, jobs, NULL, 0, NULL, 0};
    scan.dir = open(class->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scan.dir < 0) {
        fprintf(stderr, "DIR=%s: %s\n", class->dir, strerror(errno));
        return false;
    }
    bool good = list_class(&scan);
    for (int i = 0; good && i < scan.count; i++)
        walk_one(&scan, &scan.handed[i]);
    walk_archives(&scan);
    for (int i = 0; good && i < scan.count; i++)
        fill_rows(&scan, &scan.handed[i]);
    excuse_rows(&scan);
    close(scan.dir);
    return good && choose_lessons(class, release);
}
