/* The class's folder, in four steps: list who handed in what; walk through it (walk.h); unpack the
   archives that were found, in boxes and several at a time, and walk through those; say in the rows
   what was found of each lesson.

   A student hands in a folder, an archive, or files that Canvas or Moodle named. The names come
   from other people: they reach no shell and no compiler, since our copies have numbers for names.
 */
#include "grade/class/scan.h"

#include "grade/class/handed_out.h"
#include "grade/class/jobs.h"
#include "grade/class/moments.h"
#include "grade/class/names.h"
#include "grade/class/walk.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
            scan->class->others = joined(others, ", ", shown_name(h->items[0].entry));
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

static void list_class(struct scan *scan) {
    DIR *entries = entries_of(scan->dir);
    for (const char *name; (name = next_name(entries));)
        list_entry(scan, name);
    if (is_submission(scan))
        list_one(scan);
    if (scan->count > 0)
        qsort(scan->handed, (size_t)scan->count, sizeof *scan->handed, by_name);
    merge_twins(scan);
    if (scan->count == 0)
        die("%s holds no submission: wanted are folders DIR/student/NN-name.", scan->class->dir);
}

/* --- what lies there ------------------------------------------------------------------------ */

static void walk_one(struct scan *scan, struct handed *h) {
    struct submission *s = h->s = add_submission(scan->class, h->name);
    s->canvas_id = string_of("%s", h->download.canvas_id.chars);
    s->canvas_name = string_of("%s", h->download.canvas_name.chars);
    s->late_by_canvas = h->download.late;
    h->unread = h->no_work = "";
    h->found = zeroed(scan->class->lesson_count, sizeof *h->found);
    for (struct found *f = h->found; f < h->found + scan->class->lesson_count; f++)
        f->paths = f->stub = f->beside = f->holds = "";
    int folder = h->folder && !h->refused ? take_folder(scan->dir, h->name) : -1;
    if (folder >= 0)
        walk_folder(scan, h, NULL, folder);
    else if (h->folder && !h->refused)
        h->refused = "its folder cannot be read";
    for (int k = 0; !h->folder && !h->refused && k < h->count; k++)
        walk_file(scan, h, &h->items[k]);
    if (folder >= 0)
        close(folder);
}

/* --- archives ------------------------------------------------------------------------------- */

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

/* While it is unpacked, and what was said then. */
static const char *part_of(const struct archive *a) {
    return string_of("%s.part", a->folder);
}

static const char *said_of(const struct archive *a) {
    return string_of("%s.said", a->folder);
}

/* What unpacks a copy of it; nothing does if it is refused, or unpacked already, or if an equal one
   is going to be. */
static struct job unpacking(struct scan *scan, int number) {
    struct archive *a = &scan->archives[number];
    struct taken taken = take_archive(scan, a);
    const char *copy = string_of("%s/archive-%d", scan->work, number);
    a->written = taken.written;
    a->refused = taken.refused;
    a->folder = a->refused ? "" : unpacked_at(scan, &taken.bytes);
    while (strcmp(scan->archives[a->job].folder, a->folder) != 0)
        a->job++;
    bool unpack = !a->refused && a->job == number && !file_is_there(a->folder);
    if (unpack && !file_replace(copy, &taken.bytes))
        exit(2);
    text_free(&taken.bytes);
    if (!unpack)
        return (struct job){.said = NULL};
    make_folder_of(a->folder);
    remove_all(part_of(a));
    return job_into(part_of(a), string_of("%s/box.sh", scan->judge), "unpack", copy, said_of(a));
}

/* An archive inside that could not be unpacked is a line of what was said. */
static void walk_unpacked(struct scan *scan, const struct archive *a) {
    int folder = open(a->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *said = file_text(said_of(a));
    char line[400];
    if (folder >= 0) {
        walk_folder(scan, a->of, a, folder);
        close(folder);
    }
    while (next_line(&said, line, sizeof line))
        add_unread(a->of, a->path, line);
}

/* A missing lesson may be in an archive for which there was no box, or no time. */
static void walk_archive(struct scan *scan, const struct archive *a, int status) {
    if (!a->refused && file_is_there(a->folder)) {
        walk_unpacked(scan, a);
    } else if (!a->refused && (status == NOT_ENDED || status == NOT_BEGUN)) {
        a->of->lost = status == NOT_ENDED ? STOPPED : LOST;
        a->of->why_lost = status == NOT_ENDED ? "it was not unpacked before the run was stopped"
                                              : first_words(said_of(a));
    } else {
        add_unread(a->of, a->path, a->refused ? a->refused : first_words(said_of(a)));
    }
}

static void walk_archives(struct scan *scan, int at_once) {
    int count = scan->archive_count;
    struct job *jobs = zeroed(count, sizeof *jobs);
    for (int i = 0; i < count; i++)
        jobs[i] = unpacking(scan, i);
    run_jobs(jobs, count, at_once, NULL, NULL);
    for (int i = 0; i < count; i++)
        if (jobs[i].words[0]) {
            const struct archive *a = &scan->archives[i];
            if (jobs[i].status == 0 && rename(part_of(a), a->folder) != 0)
                jobs[i].status = NOT_BEGUN;
            remove_all(part_of(a));
        }
    for (int i = 0; i < count; i++)
        walk_archive(scan, &scan->archives[i], jobs[scan->archives[i].job].status);
}

/* --- what was found, as rows ---------------------------------------------------------------- */

/* Our copy has a number for a name, and the user of the box may read it. */
static void keep_source(const char *work, struct row *row, const struct text *source) {
    row->source = string_of("%s/s%03d/%s/%s.c", work, row->by->number, row->lesson->folder,
                            row->lesson->name);
    make_folder_of(row->source);
    if (!file_replace(row->source, source))
        exit(2);
    row->sha256 = sha256(text_of(source), source->length);
}

static void add_note(struct row *row, const char *words) {
    row->note = joined(row->note, "; ", words);
}

/* Notes which file is read, and what lies beside it. */
static void note_file(struct row *row, const struct found *f) {
    bool not_stub = f->stub[0] && !(f->place & STUB);
    if (not_stub)
        add_note(row, string_of("read from \"%s\", because \"%s\" is the stub", f->paths, f->stub));
    else if (f->place & (ASTRAY | RENAMED))
        add_note(row, string_of("read from \"%s\"", f->paths));
    if (f->beside[0])
        add_note(row, string_of("%s lies beside it and was not read", f->beside));
    if (f->file.converted)
        add_note(row, "converted from UTF-16");
    row->doubtful = f->beside[0] || not_stub;
}

/* A system's own clock goes before that of the files. */
static void set_clock(const struct handed *h, struct row *row) {
    time_t named;
    if (h->stamped) {
        row->handed_in = h->stamped;
        row->clock = BY_TIMESTAMP;
    } else if (moment_in_name(h->name, &named)) {
        row->handed_in = named;
        row->clock = BY_NAME;
    }
    if (h->odd_stamp) {
        add_note(row, "its timestamp.txt is not understood");
        row->doubtful = true;
    }
}

/* Why a lesson is not read, or ""; any: there is a file of some lesson. */
static const char *why_not_read(const struct handed *h, const struct row *row, bool any) {
    const struct course_lesson *l = row->lesson;
    const struct found *f = &h->found[row - h->s->rows];
    if (f->times > 1)
        return string_of("there are %d different %s.c: %s", f->times, l->name, f->paths);
    if (f->file.refused)
        return string_of("%s.c: %s", l->name, f->file.refused);
    if (f->times == 1)
        return "";
    if (f->holds[0])
        return string_of("%s holds %s, but no %s.c", l->folder, shown_name(f->holds), l->name);
    if (h->unread[0])
        return h->unread;
    if (!any && h->no_work[0])
        return string_of("it holds %s, but no file of a lesson", shown_name(h->no_work));
    return !any && h->deeper ? string_of("its folders are more than %d deep", DEEPEST) : "";
}

static void fill_row(const char *work, const struct handed *h, struct row *row, bool any) {
    struct found *f = &h->found[row - h->s->rows];
    row->begun = !h->refused && f->times > 0 && !(f->place & STUB);
    row->problem = h->refused ? h->refused : why_not_read(h, row, any);
    row->state = row->problem[0] ? NOT_READ : f->times > 0 ? STOPPED : MISSING;
    if (row->state == STOPPED) {
        row->headers = f->headers;
        row->handed_in = f->file.written;
        note_file(row, f);
        keep_source(work, row, &f->file.bytes);
        set_clock(h, row);
    } else if (h->why_lost) {
        row->state = h->lost;
        row->problem = h->why_lost;
    }
    text_free(&f->file.bytes);
}

static void fill_rows(struct scan *scan, struct handed *h) {
    bool any = false;
    if (h->entries > ENTRIES_MOST && !h->refused)
        h->refused = string_of("it holds more than %d files", ENTRIES_MOST);
    for (int k = 0; k < scan->class->lesson_count; k++)
        any |= h->found[k].times > 0;
    for (int k = 0; k < scan->class->lesson_count; k++)
        fill_row(scan->work, h, &h->s->rows[k], any);
}

/* --- all of it ------------------------------------------------------------------------------ */

void scan_class(struct class *class, const char *release, const char *judge, const char *work,
                int jobs) {
    struct scan scan = {.class = class, .release = release, .judge = judge, .work = work};
    scan.dir = open(class->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scan.dir < 0)
        die("DIR=%s: %s", class->dir, strerror(errno));
    list_class(&scan);
    for (int i = 0; i < scan.count; i++)
        walk_one(&scan, &scan.handed[i]);
    walk_archives(&scan, jobs);
    for (int i = 0; i < scan.count; i++)
        fill_rows(&scan, &scan.handed[i]);
    close(scan.dir);
    choose_lessons(class, release);
}
