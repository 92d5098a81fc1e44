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

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the class's folder, and what the student called it. */
struct item {
    char *entry;
    const char *file;
};

/* What one student handed in: a folder, an archive, or files that Canvas or Moodle named. */
struct handed {
    char *name;
    struct item *items;
    int count;
    bool folder, other; /* other: it is no submission */
    struct download download;
    struct text refused; /* why nothing of it is read, or nothing */
    struct walk walk;
};

struct archive {
    int of;           /* whose it is */
    const char *path; /* from the submission on */
    struct path copy, folder, said;
    time_t written;
    enum { NOT_UNPACKED, UNPACKED, REFUSED, NO_BOX } state;
    struct text why;
};

struct scan {
    struct class *class;
    const struct handed_out *release;
    const char *judge, *work;
    int dir, jobs;
    struct handed *handed;
    int count;
    struct archive *archives;
    int archive_count;
};

/* --- the class's folder --------------------------------------------------------------------- */

static void add_item(struct handed *h, const char *entry, size_t skipped) {
    h->items = with_room(h->items, h->count, sizeof *h->items);
    struct item *item = &h->items[h->count++];
    item->entry = strdup(entry);
    item->file = item->entry + skipped;
}

/* A link is somebody's submission as well, though not one that is read. Other files are none; they
   are named, for one of them may have been meant as such. */
static void list_entry(struct scan *scan, const char *entry) {
    struct stat about;
    if (strcmp(entry, "__MACOSX") == 0 ||
        fstatat(scan->dir, entry, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    const char *ending = archive_ending(entry) ? archive_ending(entry) : foreign_ending(entry);
    struct handed h = {.folder = S_ISDIR(about.st_mode)};
    bool link = S_ISLNK(about.st_mode), download = !h.folder && read_download(entry, &h.download);
    h.other = !h.folder && !link && !download && !ending;
    if (h.other && *entry == '.')
        return;
    h.name = strdup(download ? h.download.person.chars : entry);
    if (ending && !download && !h.folder)
        h.name[ending - entry] = '\0';
    add_item(&h, entry, download ? (size_t)(h.download.file - entry) : 0);
    if (link)
        text_print(&h.refused, "it is a link, no regular file");
    else if (!h.folder && !S_ISREG(about.st_mode))
        text_print(&h.refused, "it is no regular file");
    scan->handed = with_room(scan->handed, scan->count, sizeof *scan->handed);
    scan->handed[scan->count++] = h;
}

static int by_name(const void *a, const void *b) {
    const struct handed *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->items[0].entry, other->items[0].entry);
}

static void set_aside(struct text *others, struct handed *h) {
    text_print(others, "%s", others->length > 0 ? ", " : "");
    add_name(others, h->items[0].entry);
}

/* Files of one student, or ada and ada.zip, which are no choice of ours. */
static void merge(struct handed *first, struct handed *second) {
    const struct item *item = &second->items[0];
    if (first->download.person.chars[0] && second->download.person.chars[0]) {
        add_item(first, item->entry, (size_t)(item->file - item->entry));
        first->download.late |= second->download.late;
        return;
    }
    text_free(&first->refused);
    text_print(&first->refused, "it was handed in twice, as ");
    add_name(&first->refused, first->items[0].entry);
    text_print(&first->refused, " and as ");
    add_name(&first->refused, item->entry);
}

static void free_handed(struct handed *h) {
    for (int i = 0; i < h->count; i++)
        free(h->items[i].entry);
    free(h->items);
    text_free(&h->refused);
}

static void merge_twins(struct scan *scan) {
    int kept = 0;
    for (int i = 0; i < scan->count; i++) {
        struct handed *h = &scan->handed[i], *last = kept > 0 ? &scan->handed[kept - 1] : NULL;
        bool twin = !h->other && last && strcmp(last->name, h->name) == 0;
        if (!h->other && !twin) {
            scan->handed[kept++] = *h;
            continue;
        }
        if (twin)
            merge(last, h);
        else
            set_aside(&scan->class->others, h);
        free(h->name);
        free_handed(h);
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

/* Then the class is the folder above, with this one submission in it. */
static void list_one(struct scan *scan) {
    while (scan->count > 0) {
        free(scan->handed[--scan->count].name);
        free_handed(&scan->handed[scan->count]);
    }
    char *whole = realpath(scan->class->dir, NULL);
    int above = openat(scan->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (whole && above >= 0) {
        close(scan->dir);
        scan->dir = above;
        list_entry(scan, strrchr(whole, '/') + 1);
    }
    free(whole);
}

static void list_all(struct scan *scan) {
    DIR *entries = fdopendir(dup(scan->dir));
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            list_entry(scan, e->d_name);
    if (entries)
        closedir(entries);
}

static bool list_class(struct scan *scan) {
    const char *dir = scan->class->dir;
    list_all(scan);
    if (is_submission(scan))
        list_one(scan);
    if (scan->count > 0)
        qsort(scan->handed, (size_t)scan->count, sizeof *scan->handed, by_name);
    merge_twins(scan);
    if (scan->count == 0)
        fprintf(stderr, "%s holds no submission: wanted are folders DIR/student/NN-name.\n", dir);
    return scan->count > 0;
}

/* --- what lies there ------------------------------------------------------------------------ */

static void walk_one(struct scan *scan, int i) {
    struct handed *h = &scan->handed[i];
    h->walk = (struct walk){.work = scan->work, .release = scan->release};
    h->walk.compared = &scan->class->submissions[i].release;
    h->walk.changed = &scan->class->submissions[i].release_changed;
    if (!walk_begin(&h->walk, scan->class))
        exit(2);
    if (h->refused.length > 0)
        return;
    int folder = h->folder ? take_folder(scan->dir, h->name) : -1;
    if (folder >= 0)
        walk_folder(&h->walk, folder);
    else if (h->folder)
        text_print(&h->refused, "its folder cannot be read");
    for (int k = 0; !h->folder && k < h->count; k++)
        walk_file(&h->walk, scan->dir, h->items[k].entry, h->items[k].file);
    if (folder >= 0)
        close(folder);
}

/* --- archives ------------------------------------------------------------------------------- */

/* Through one folder after the other, no link among them. */
static struct taken take_at(int folder, const char *path) {
    const char *slash = strchr(path, '/');
    if (!slash)
        return take_file(folder, path, ARCHIVE_MOST);
    struct path name = path_of("%.*s", (int)(slash - path), path);
    int inner = take_folder(folder, name.chars);
    struct taken taken = inner < 0 ? (struct taken){.refused = "its folder cannot be read"}
                                   : take_at(inner, slash + 1);
    if (inner >= 0)
        close(inner);
    return taken;
}

static struct taken take_archive(const struct scan *scan, const struct archive *a) {
    const struct handed *h = &scan->handed[a->of];
    for (int i = 0; !h->folder && i < h->count; i++)
        if (strcmp(h->items[i].file, a->path) == 0)
            return take_file(scan->dir, h->items[i].entry, ARCHIVE_MOST);
    int folder = take_folder(scan->dir, h->name);
    struct taken taken = take_at(folder, a->path);
    if (folder >= 0)
        close(folder);
    return taken;
}

static void list_archives(struct scan *scan, int i) {
    const struct walk *w = &scan->handed[i].walk;
    for (int k = 0; k < w->archive_count; k++) {
        scan->archives = with_room(scan->archives, scan->archive_count, sizeof *scan->archives);
        scan->archives[scan->archive_count++] = (struct archive){.of = i, .path = w->archives[k]};
    }
}

/* Where its files lie: another course may unpack it in another way. */
static struct path unpacked_at(const struct scan *scan, const struct text *bytes) {
    struct hash own = sha256(text_of(bytes), bytes->length);
    struct path all = path_of("%s %s", scan->class->lessons[0].key.hex, own.hex);
    return path_of("%s/../unpacked/%s", scan->work, sha256(all.chars, strlen(all.chars)).hex);
}

/* False if it is refused. */
static bool copy_archive(struct scan *scan, struct archive *a, int number) {
    struct taken taken = take_archive(scan, a);
    struct path copies = copies_of(scan->work, &scan->class->submissions[a->of]);
    a->written = taken.written;
    a->copy = path_of("%s/archive-%d", copies.chars, number);
    a->said = path_of("%s.said", a->copy.chars);
    a->folder = unpacked_at(scan, &taken.bytes);
    make_folder_of(a->copy.chars);
    make_folder_of(a->folder.chars);
    if (taken.refused) {
        a->state = REFUSED;
        text_print(&a->why, "%s", taken.refused);
    } else if (!file_is_there(a->folder.chars) && !file_replace(a->copy.chars, &taken.bytes)) {
        exit(2);
    }
    text_free(&taken.bytes);
    return a->state != REFUSED;
}

/* Its own: two may have handed in the same archive, and be unpacked at the same time. */
static struct path part_of(const struct archive *a, int number) {
    return path_of("%s.part-%d", a->folder.chars, number);
}

/* What was said when it was unpacked, for those who hand the same one in again. */
static struct path words_of(const struct archive *a) {
    return path_of("%s.said", a->folder.chars);
}

/* It is unpacked once, whoever hands the same one in again. */
static bool start_unpacking(void *context, int number, struct job *job) {
    struct scan *scan = context;
    struct archive *a = &scan->archives[number];
    static struct path box, folder;
    if (!copy_archive(scan, a, number))
        return false;
    a->state = file_is_there(a->folder.chars) ? UNPACKED : NOT_UNPACKED;
    if (a->state == UNPACKED)
        return false;
    folder = part_of(a, number);
    box = path_of("%s/box.sh", scan->judge);
    remove_all(folder.chars);
    if (mkdir(folder.chars, 0755) != 0) {
        a->state = NO_BOX;
        text_print(&a->why, "no folder to unpack it: %s", strerror(errno));
        return false;
    }
    *job = (struct job){{"sh", box.chars, "unpack", a->copy.chars, folder.chars, NULL}, a->said};
    return true;
}

static bool unpacked(void *context, int number, int status, double seconds) {
    struct scan *scan = context;
    struct archive *a = &scan->archives[number];
    struct job job = {.said = a->said};
    (void)seconds;
    struct path part = part_of(a, number);
    if (status == 0)
        rename(a->said.chars, words_of(a).chars);
    bool kept =
        status == 0 && (rename(part.chars, a->folder.chars) == 0 || file_is_there(a->folder.chars));
    a->state = kept ? UNPACKED : status == 3 ? NO_BOX : REFUSED;
    if (!kept) {
        add_first_words(&a->why, &job);
    }
    remove_all(part.chars);
    return true;
}

/* What is packed in an archive, and could not be unpacked, is a line of what was said. */
static void walk_unpacked(struct walk *w, const struct archive *a) {
    int folder = open(a->folder.chars, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct text said;
    char line[400];
    w->packed = a->path;
    w->written = a->written;
    if (folder >= 0) {
        walk_folder(w, folder);
        close(folder);
    }
    text_read_file(&said, words_of(a).chars);
    const char *at = text_of(&said);
    while (next_line(&at, line, sizeof line))
        walk_add_unread(w, a->path, line);
    text_free(&said);
    w->packed = NULL;
}

static void walk_archives(struct scan *scan) {
    for (int i = 0; i < scan->count; i++)
        list_archives(scan, i);
    run_jobs(scan->archive_count, scan->jobs, (struct job_hooks){scan, start_unpacking, unpacked});
    for (int i = 0; i < scan->archive_count; i++) {
        const struct archive *a = &scan->archives[i];
        struct walk *w = &scan->handed[a->of].walk;
        if (a->state == UNPACKED)
            walk_unpacked(w, a);
        else if (a->state == REFUSED)
            walk_add_unread(w, a->path, text_of(&a->why));
    }
}

/* --- what was found, as rows ---------------------------------------------------------------- */

/* Ours, whatever its name was: under a number, and readable by whoever the box runs as. */
static void keep_source(const struct scan *scan, const struct submission *s, int lesson,
                        struct text *source) {
    const struct course_lesson *l = &scan->class->lessons[lesson];
    struct path path = path_of("%s/%s/%s.c", copies_of(scan->work, s).chars, l->folder, l->name);
    make_folder_of(path.chars);
    if (!file_replace(path.chars, source))
        exit(2);
    s->rows[lesson].sha256 = sha256(text_of(source), source->length);
}

/* What is to be said of a file that is read. */
static void add_note(struct row *row, const struct found *f) {
    struct text *note = &row->note;
    if (f->stub.length > 0 && !f->place.stub)
        text_print(note, "read from \"%s\", because \"%s\" is the stub", text_of(&f->paths),
                   text_of(&f->stub));
    else if (f->place.astray || f->place.renamed)
        text_print(note, "read from \"%s\"", text_of(&f->paths));
    if (f->beside.length > 0)
        text_print(note, "%s%s lies beside it and was not read", note->length > 0 ? "; " : "",
                   text_of(&f->beside));
    if (f->file.converted)
        text_print(note, "%sconverted from UTF-16", note->length > 0 ? "; " : "");
    row->doubtful = f->beside.length > 0 || (f->stub.length > 0 && !f->place.stub);
}

/* Why a lesson of which there is no file is not simply missing; or nothing. */
static void say_unread(struct text *problem, const struct course_lesson *l, const struct walk *w,
                       const struct found *f, bool any) {
    if (f->holds.length > 0) {
        text_print(problem, "%s holds ", l->folder);
        add_name(problem, text_of(&f->holds));
        text_print(problem, ", but no %s.c", l->name);
    } else if (w->unread.length > 0) {
        text_add(problem, text_of(&w->unread), w->unread.length);
    } else if (!any && w->other.length > 0) {
        text_print(problem, "it holds ");
        add_name(problem, text_of(&w->other));
        text_print(problem, ", but no file of a lesson");
    } else if (!any && w->deeper) {
        text_print(problem, "its folders are more than %d deep", DEEPEST);
    }
}

static void fill_row(const struct scan *scan, int i, int lesson, bool any) {
    struct walk *w = &scan->handed[i].walk;
    struct found *f = &w->found[lesson];
    const struct course_lesson *l = &scan->class->lessons[lesson];
    struct row *row = &scan->class->submissions[i].rows[lesson];
    row->begun = f->times > 0 && !f->place.stub;
    if (f->times == 0)
        say_unread(&row->problem, l, w, f, any);
    else if (f->times > 1)
        text_print(&row->problem, "there are %d different %s.c: %s", f->times, l->name,
                   text_of(&f->paths));
    else if (f->file.refused)
        text_print(&row->problem, "%s.c: %s", l->name, f->file.refused);
    row->state = row->problem.length > 0 ? NOT_READ : f->times > 0 ? STOPPED : MISSING;
    if (row->state != STOPPED)
        return;
    row->headers = f->headers;
    row->handed_in = f->file.written;
    add_note(row, f);
    keep_source(scan, &scan->class->submissions[i], lesson, &f->file.bytes);
}

/* A lesson that may be in an archive for which there was no box, or no time. */
static void excuse_rows(struct scan *scan) {
    for (int i = 0; i < scan->archive_count; i++) {
        const struct archive *a = &scan->archives[i];
        for (int k = 0; k < scan->class->lesson_count; k++) {
            struct row *row = &scan->class->submissions[a->of].rows[k];
            if ((a->state != NO_BOX && a->state != NOT_UNPACKED) || row->sha256.hex[0])
                continue;
            row->state = a->state == NO_BOX ? LOST : STOPPED;
            text_free(&row->problem);
            text_print(&row->problem, "%s",
                       a->state == NO_BOX ? text_of(&a->why)
                                          : "it was not unpacked before the run was stopped");
        }
    }
}

/* What is to be said of a whole submission stands in each of its rows. */
static void refuse_rows(struct scan *scan, int i) {
    const struct handed *h = &scan->handed[i];
    for (int k = 0; k < scan->class->lesson_count; k++) {
        struct row *row = &scan->class->submissions[i].rows[k];
        row->state = NOT_READ;
        text_add(&row->problem, text_of(&h->refused), h->refused.length);
    }
}

/* A system's own clock goes before that of the files. */
static void set_clock(struct submission *s, const struct class *class, time_t stamped) {
    time_t named = 0;
    bool in_name = moment_in_name(s->name, &named);
    for (int k = 0; (stamped || in_name) && k < class->lesson_count; k++) {
        struct row *row = &s->rows[k];
        if (row->handed_in == 0)
            continue;
        row->handed_in = stamped ? stamped : named;
        row->clock = stamped ? BY_TIMESTAMP : BY_NAME;
    }
}

static void doubt_clock(struct submission *s, const struct class *class) {
    for (int k = 0; k < class->lesson_count; k++) {
        struct row *row = &s->rows[k];
        if (row->handed_in == 0)
            continue;
        text_print(&row->note, "%sits timestamp.txt is not understood",
                   row->note.length > 0 ? "; " : "");
        row->doubtful = true;
    }
}

static void fill_rows(struct scan *scan, int i) {
    struct handed *h = &scan->handed[i];
    bool any = false;
    for (int k = 0; k < scan->class->lesson_count; k++)
        any |= h->walk.found[k].times > 0;
    if (h->walk.entries > ENTRIES_MOST && h->refused.length == 0)
        text_print(&h->refused, "it holds more than %d files", ENTRIES_MOST);
    if (h->refused.length > 0) {
        refuse_rows(scan, i);
        return;
    }
    for (int k = 0; k < scan->class->lesson_count; k++)
        fill_row(scan, i, k, any);
    set_clock(&scan->class->submissions[i], scan->class, h->walk.stamped);
    if (h->walk.odd_stamp)
        doubt_clock(&scan->class->submissions[i], scan->class);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void make_submissions(struct scan *scan) {
    struct class *class = scan->class;
    class->count = scan->count;
    class->submissions = calloc((size_t)scan->count, sizeof *class->submissions);
    for (int i = 0; class->submissions && i < scan->count; i++) {
        struct submission *s = &class->submissions[i];
        s->name = scan->handed[i].name;
        s->number = i + 1;
        s->canvas_id = scan->handed[i].download.canvas_id;
        s->canvas_name = scan->handed[i].download.canvas_name;
        s->late_by_canvas = scan->handed[i].download.late;
        s->rows = calloc((size_t) class->lesson_count, sizeof *s->rows);
        add_name(&s->shown, s->name);
    }
}

static void end(struct scan *scan) {
    for (int i = 0; i < scan->archive_count; i++)
        text_free(&scan->archives[i].why);
    for (int i = 0; i < scan->count; i++) {
        if (scan->handed[i].walk.found)
            walk_end(&scan->handed[i].walk);
        free_handed(&scan->handed[i]);
    }
    free(scan->archives);
    free(scan->handed);
    close(scan->dir);
}

bool scan_class(struct class *class, const struct handed_out *release, const char *judge,
                const char *work, int jobs) {
    struct scan scan = {
        .class = class, .release = release, .judge = judge, .work = work, .jobs = jobs};
    scan.dir = open(class->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scan.dir < 0) {
        fprintf(stderr, "DIR=%s: %s\n", class->dir, strerror(errno));
        return false;
    }
    bool good = list_class(&scan);
    if (good) {
        make_submissions(&scan);
        for (int i = 0; i < scan.count; i++)
            walk_one(&scan, i);
        walk_archives(&scan);
        for (int i = 0; i < scan.count; i++)
            fill_rows(&scan, i);
        excuse_rows(&scan);
    }
    end(&scan);
    return good && choose_lessons(class, release);
}
