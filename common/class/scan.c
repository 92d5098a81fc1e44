#include "scan.h"

#include "jobs.h"
#include "names.h"
#include "take.h"

#include "../tutor/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was handed in: a folder of the class's folder, or an archive, which is unpacked first. */
struct handed {
    char *entry, *name; /* as it stands there, and without the .zip */
    enum { A_FOLDER, AN_ARCHIVE, NEITHER, NO_SUBMISSION } kind;
    struct text refused;      /* why nothing of it is taken, or nothing */
    enum row_state state;     /* then */
    bool alone;               /* an archive that is alone in a folder, `name` */
    struct path copy, folder; /* of an archive: ours, and what is in it */
    time_t written;
};

struct scan {
    struct class *class;
    const struct handed_out *release;
    const char *judge, *work;
    int dir;
    struct handed *handed;
    int count;
};

static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz"};

static const char *ending_of(const char *entry) {
    for (int i = 0; i < 4; i++)
        if (ends_with(entry, endings[i]) && strlen(entry) > strlen(endings[i]))
            return endings[i];
    return NULL;
}

static void refuse(struct handed *h, enum row_state state, const char *why) {
    text_free(&h->refused);
    text_print(&h->refused, "%s", why);
    h->state = state;
    h->kind = NEITHER;
}

/* --- the class's folder --------------------------------------------------------------------- */

static const struct course_lesson *lesson_called(const struct class *class, const char *name) {
    for (int i = 0; i < class->lesson_count; i++)
        if (strcmp(class->lessons[i].folder, name) == 0)
            return &class->lessons[i];
    return NULL;
}

/* A link is somebody's submission as well, though not one that is taken. Other files are none; they
   are named, for one of them may have been meant as such. */
static void list_entry(struct scan *scan, const char *entry) {
    struct stat about;
    const char *ending = ending_of(entry);
    if (strcmp(entry, "__MACOSX") == 0 ||
        fstatat(scan->dir, entry, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    bool folder = S_ISDIR(about.st_mode), link = S_ISLNK(about.st_mode);
    bool other = !folder && !link && !ending;
    if (other && *entry == '.')
        return;
    scan->handed = with_room(scan->handed, scan->count, sizeof *scan->handed);
    struct handed *h = &scan->handed[scan->count++];
    *h = (struct handed){
        .entry = strdup(entry), .name = strdup(entry), .kind = folder ? A_FOLDER : AN_ARCHIVE};
    if (ending && !folder)
        h->name[strlen(h->name) - strlen(ending)] = '\0';
    if (link)
        refuse(h, REFUSED, "it is a link, no regular file");
    if (other)
        h->kind = NO_SUBMISSION;
}

static int by_name(const void *a, const void *b) {
    const struct handed *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->entry, other->entry);
}

static void set_aside(struct text *others, struct handed *h) {
    text_print(others, "%s", others->length > 0 ? ", " : "");
    add_name(others, h->entry);
    free(h->entry);
    free(h->name);
}

/* ada and ada.zip are no choice of ours. */
static void merge_twins(struct scan *scan) {
    int kept = 0;
    for (int i = 0; i < scan->count; i++) {
        if (scan->handed[i].kind == NO_SUBMISSION) {
            set_aside(&scan->class->others, &scan->handed[i]);
        } else if (kept > 0 && strcmp(scan->handed[kept - 1].name, scan->handed[i].name) == 0) {
            struct handed *first = &scan->handed[kept - 1];
            refuse(first, REFUSED, "it was handed in twice, as ");
            add_name(&first->refused, first->entry);
            text_print(&first->refused, " and as ");
            add_name(&first->refused, scan->handed[i].entry);
            free(scan->handed[i].entry);
            free(scan->handed[i].name);
        } else {
            scan->handed[kept++] = scan->handed[i];
        }
    }
    scan->count = kept;
}

/* A folder of a lesson itself: then it is no class that DIR holds. */
static const struct course_lesson *first_lesson(const struct scan *scan) {
    struct stat about;
    for (int i = 0; i < scan->class->lesson_count; i++) {
        const struct course_lesson *l = &scan->class->lessons[i];
        if (fstatat(scan->dir, l->folder, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(about.st_mode))
            return l;
    }
    return NULL;
}

static bool list_class(struct scan *scan) {
    const char *dir = scan->class->dir;
    const struct course_lesson *lesson = first_lesson(scan);
    if (lesson) {
        fprintf(stderr, "%s is one submission, not a class: make %s FROM=%s\n", dir, lesson->number,
                dir);
        return false;
    }
    DIR *entries = fdopendir(dup(scan->dir));
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            list_entry(scan, e->d_name);
    if (entries)
        closedir(entries);
    if (scan->count > 0)
        qsort(scan->handed, (size_t)scan->count, sizeof *scan->handed, by_name);
    merge_twins(scan);
    if (scan->count == 0)
        fprintf(stderr, "%s holds no submission: wanted are folders DIR/student/NN-name.\n", dir);
    return scan->count > 0;
}

/* --- one submission ------------------------------------------------------------------------- */

struct found {
    int times, depth; /* how many folders of that lesson are there at the least depth */
    struct taken file;
    bool headers, stray; /* stray: a file of its name, but in another folder */
    bool folder;         /* there is a folder of its name */
};

struct walk {
    const struct class *class;
    const struct handed_out *release;
    struct text *compared; /* what is said of its files of the release */
    struct found *found;
    int entries;
    char *archive; /* the only one at the top; */
    int archives;  /* or how many there are */
    char *other;   /* the first file of all, by its name, that is of no lesson */
};

static void note_file(struct found *f, int depth, struct taken file) {
    if (f->times > 0 && depth >= f->depth) {
        f->times += depth == f->depth;
        text_free(&file.bytes);
        return;
    }
    text_free(&f->file.bytes);
    *f = (struct found){1, depth, file, .stray = f->stray, .folder = f->folder};
}

static bool has_headers(int folder) {
    DIR *entries = fdopendir(dup(folder));
    bool found = false;
    for (struct dirent *e; entries && !found && (e = readdir(entries));)
        found = ends_with(e->d_name, ".h");
    if (entries)
        closedir(entries);
    return found;
}

static void look_into_lesson(struct walk *w, int i, int folder, int depth) {
    struct path file = path_of("%s.c", w->class->lessons[i].name);
    struct stat about;
    struct found *f = &w->found[i];
    f->folder = true;
    if (fstatat(folder, file.chars, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    int before = f->times > 0 ? f->depth : DEEPEST + 1;
    note_file(f, depth, take_file(folder, file.chars, SOURCE_MOST));
    if (depth < before)
        f->headers = has_headers(folder);
}

static void look_into(struct walk *w, int folder, int depth);

static void look_at_folder(struct walk *w, int parent, const char *name, int lesson, int depth) {
    int folder = take_folder(parent, name);
    if (folder < 0 && lesson >= 0)
        note_file(&w->found[lesson], depth,
                  (struct taken){.refused = "its folder cannot be read", .unreadable = true});
    if (folder < 0)
        return;
    if (lesson >= 0)
        look_into_lesson(w, lesson, folder, depth);
    if (depth < DEEPEST)
        look_into(w, folder, depth + 1);
    close(folder);
}

static void look_at_file(struct walk *w, const char *name, int depth) {
    if (depth == 0 && ending_of(name)) {
        free(w->archive);
        w->archive = strdup(name);
        w->archives++;
    }
    for (int i = 0; i < w->class->lesson_count; i++)
        w->found[i].stray |= strcmp(path_of("%s.c", w->class->lessons[i].name).chars, name) == 0;
    if (*name != '.' && (!w->other || strcmp(name, w->other) < 0)) {
        free(w->other);
        w->other = strdup(name);
    }
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
           (other && fstatat(folder, "lessons", &about, AT_SYMLINK_NOFOLLOW) == 0);
}

/* The copy at the top is the one that counts; of some there are only the lessons. */
static void compare_copy(struct walk *w, int folder) {
    struct stat about;
    bool whole = fstatat(folder, "lessons", &about, AT_SYMLINK_NOFOLLOW) == 0;
    if (w->compared->length == 0)
        handed_out_compare(w->release, folder, whole ? "" : "lessons/", w->compared);
}

static void look_into(struct walk *w, int folder, int depth) {
    DIR *entries = fdopendir(dup(folder));
    struct stat about;
    compare_copy(w, folder);
    for (struct dirent *e; entries && (e = readdir(entries));) {
        if (is_left_out(folder, e->d_name))
            continue;
        if (++w->entries > ENTRIES_MOST)
            break;
        const struct course_lesson *lesson = lesson_called(w->class, e->d_name);
        int number = lesson ? (int)(lesson - w->class->lessons) : -1;
        if (fstatat(folder, e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(about.st_mode))
            look_at_folder(w, folder, e->d_name, number, depth);
        else if (number >= 0)
            note_file(&w->found[number], depth,
                      (struct taken){.refused = S_ISLNK(about.st_mode)
                                                    ? "it is a link, no regular file"
                                                    : "there is a file in place of its folder"});
        else
            look_at_file(w, e->d_name, depth);
    }
    if (entries)
        closedir(entries);
}

/* --- what was found, as rows ---------------------------------------------------------------- */

/* Ours, whatever its name was: under a number, and readable by whoever the box runs as. */
static void keep_source(const struct scan *scan, const struct submission *s, int i, struct row *row,
                        struct text *source) {
    const struct course_lesson *lesson = &scan->class->lessons[i];
    struct path path =
        path_of("%s/%s/%s/%s.c", scan->work, submission_id(s).chars, lesson->folder, lesson->name);
    make_folder_of(path.chars);
    if (!file_replace(path.chars, source))
        exit(2);
    row->sha256 = sha256(text_of(source), source->length);
}

/* Why a lesson is missing, where something can be said: a wrong name, a Word file, a .rar. */
static void say_missing(struct text *problem, const struct course_lesson *lesson,
                        const struct found *f, const char *instead) {
    if (f->stray)
        text_print(problem, "%s.c lies in no folder %s", lesson->name, lesson->folder);
    else if (f->folder)
        text_print(problem, "its folder holds no %s.c", lesson->name);
    else if (instead)
        text_print(problem, "there is no folder %s, but ", lesson->folder);
    if (instead && !f->stray && !f->folder)
        add_name(problem, instead);
}

static void fill_row(const struct scan *scan, const struct submission *s, int i, struct found *f,
                     const char *instead) {
    const struct course_lesson *lesson = &scan->class->lessons[i];
    struct row *row = &s->rows[i];
    row->found = f->times > 0;
    text_free(&row->problem); /* of the archive that this was before */
    if (!row->found) {
        say_missing(&row->problem, lesson, f, instead);
    } else if (f->times > 1) {
        row->state = REFUSED;
        text_print(&row->problem, "there are %d folders %s", f->times, lesson->folder);
    } else if (f->file.refused) {
        row->state = f->file.unreadable ? MISSING : REFUSED;
        text_print(&row->problem, "%s.c: %s", lesson->name, f->file.refused);
    } else {
        row->state = STOPPED;
        row->headers = f->headers;
        row->handed_in = f->file.written;
        keep_source(scan, s, i, row, &f->file.bytes);
    }
    text_free(&f->file.bytes);
}

/* Is there a lesson among what was found? Each gets its row. */
static bool fill_rows(struct scan *scan, int i, struct walk *w) {
    struct class *class = scan->class;
    bool any = false;
    for (int k = 0; k < class->lesson_count; k++)
        any |= w->found[k].times > 0;
    for (int k = 0; k < class->lesson_count; k++) {
        if (scan->handed[i].written)
            w->found[k].file.written = scan->handed[i].written; /* when its archive was */
        fill_row(scan, &class->submissions[i], k, &w->found[k], any ? NULL : w->other);
    }
    return any;
}

/* Looks through an open folder. A submission that is nothing but one archive becomes that archive.
 */
static void walk_submission(struct scan *scan, int i, int folder) {
    struct class *class = scan->class;
    struct handed *h = &scan->handed[i];
    struct walk w = {.class = class, .release = scan->release};
    w.found = calloc((size_t) class->lesson_count, sizeof *w.found);
    w.compared = &class->submissions[i].release;
    if (!w.found)
        exit(2);
    look_into(&w, folder, 0);
    if (w.entries > ENTRIES_MOST)
        refuse(h, REFUSED, path_of("it holds more than %d files", ENTRIES_MOST).chars);
    if (!fill_rows(scan, i, &w) && w.archives == 1 && h->kind == A_FOLDER) {
        h->kind = AN_ARCHIVE;
        h->alone = true;
        free(h->entry);
        h->entry = w.archive;
        w.archive = NULL;
    }
    free(w.archive);
    free(w.other);
    free(w.found);
}

/* --- archives ------------------------------------------------------------------------------- */

static void keep_archive(struct scan *scan, struct handed *h, int number, struct taken *archive) {
    struct hash hash = sha256(text_of(&archive->bytes), archive->bytes.length);
    h->written = archive->written;
    h->copy = path_of("%s/s%03d/handed-in%s", scan->work, number, ending_of(h->entry));
    h->folder = path_of("%s/../unpacked/%s", scan->work, hash.hex);
    make_folder_of(h->copy.chars);
    make_folder_of(h->folder.chars);
    if (!file_is_there(h->folder.chars) && !file_replace(h->copy.chars, &archive->bytes))
        exit(2);
}

static void copy_archive(struct scan *scan, struct handed *h, int number) {
    int folder = h->alone ? take_folder(scan->dir, h->name) : scan->dir;
    struct taken archive = take_file(folder, h->entry, ARCHIVE_MOST);
    if (archive.refused)
        refuse(h, archive.unreadable ? MISSING : REFUSED, archive.refused);
    else
        keep_archive(scan, h, number, &archive);
    text_free(&archive.bytes);
    if (h->alone)
        close(folder);
}

/* Its own: two may have handed in the same archive, and be unpacked at the same time. */
static struct path part_of(const struct handed *h, int number) {
    return path_of("%s.part-%d", h->folder.chars, number);
}

/* It is unpacked once, whoever hands the same one in again. */
static bool start_unpacking(void *context, int number, struct job *job) {
    struct scan *scan = context;
    struct handed *h = &scan->handed[number];
    static struct path box, folder;
    if (h->kind == AN_ARCHIVE)
        copy_archive(scan, h, number + 1);
    if (h->kind != AN_ARCHIVE || file_is_there(h->folder.chars))
        return false;
    folder = part_of(h, number);
    box = path_of("%s/box.sh", scan->judge);
    remove_all(folder.chars);
    if (mkdir(folder.chars, 0755) != 0) {
        refuse(h, FAILED, path_of("no folder to unpack it: %s", strerror(errno)).chars);
        return false;
    }
    *job = (struct job){{"sh", box.chars, "unpack", h->copy.chars, folder.chars, NULL},
                        path_of("%s/s%03d/said", scan->work, number + 1)};
    return true;
}

static bool unpacked(void *context, int number, int status, double seconds) {
    struct scan *scan = context;
    struct handed *h = &scan->handed[number];
    struct job job = {.said = path_of("%s/s%03d/said", scan->work, number + 1)};
    (void)seconds;
    struct path part = part_of(h, number);
    bool kept =
        status == 0 && (rename(part.chars, h->folder.chars) == 0 || file_is_there(h->folder.chars));
    if (!kept) {
        refuse(h, status == 3 ? FAILED : REFUSED, "it cannot be unpacked: ");
        add_first_words(&h->refused, &job);
    }
    remove_all(part.chars);
    return true;
}

static void walk_archives(struct scan *scan) {
    for (int i = 0; i < scan->count; i++) {
        struct handed *h = &scan->handed[i];
        int folder = h->kind == AN_ARCHIVE && h->folder.chars[0]
                         ? open(h->folder.chars, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                         : -1;
        if (folder >= 0) {
            walk_submission(scan, i, folder);
            close(folder);
        } else if (h->kind == AN_ARCHIVE) {
            refuse(h, STOPPED, "it was not unpacked before the run was stopped");
        }
    }
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
        s->rows = calloc((size_t) class->lesson_count, sizeof *s->rows);
        for (int k = 0; s->rows && k < class->lesson_count; k++)
            s->rows[k].state = MISSING;
        add_name(&s->shown, s->name);
    }
}

static void walk_folders(struct scan *scan) {
    for (int i = 0; i < scan->count; i++) {
        struct handed *h = &scan->handed[i];
        int folder = h->kind == A_FOLDER ? take_folder(scan->dir, h->name) : -1;
        if (folder >= 0)
            walk_submission(scan, i, folder);
        else if (h->kind == A_FOLDER)
            refuse(h, MISSING, "its folder cannot be read");
        if (folder >= 0)
            close(folder);
    }
}

/* Without LESSON=, each lesson that somebody handed in. */
static bool ask_for_lessons(struct class *class) {
    bool asked = false;
    for (int k = 0; k < class->lesson_count; k++)
        asked |= class->lessons[k].asked;
    for (int k = 0; !asked && k < class->lesson_count; k++)
        for (int i = 0; i < class->count; i++)
            class->lessons[k].asked |= class->submissions[i].rows[k].found;
    for (int k = 0; k < class->lesson_count; k++)
        asked |= class->lessons[k].asked;
    if (!asked)
        fprintf(stderr, "%s holds no lesson: wanted are files DIR/student/NN-name/name.c.\n",
                class->dir);
    return asked;
}

/* What is to be said of a whole submission stands in each of its rows. */
static void spread_refusals(struct scan *scan) {
    for (int i = 0; i < scan->count; i++) {
        const struct handed *h = &scan->handed[i];
        for (int k = 0; h->refused.length > 0 && k < scan->class->lesson_count; k++) {
            struct row *row = &scan->class->submissions[i].rows[k];
            text_free(&row->problem);
            *row = (struct row){.state = h->state};
            text_add(&row->problem, text_of(&h->refused), h->refused.length);
        }
    }
}

bool scan_class(struct class *class, const struct handed_out *release, const char *judge,
                const char *work, int jobs) {
    struct scan scan = {.class = class, .release = release, .judge = judge, .work = work};
    scan.dir = open(class->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scan.dir < 0) {
        fprintf(stderr, "DIR=%s: %s\n", class->dir, strerror(errno));
        return false;
    }
    bool good = list_class(&scan);
    if (good) {
        make_submissions(&scan);
        walk_folders(&scan);
        run_jobs(scan.count, jobs, (struct job_hooks){&scan, start_unpacking, unpacked});
        walk_archives(&scan);
        spread_refusals(&scan);
        good = ask_for_lessons(class);
    }
    for (int i = 0; i < scan.count; i++) {
        text_free(&scan.handed[i].refused);
        free(scan.handed[i].entry);
    }
    free(scan.handed);
    close(scan.dir);
    return good;
}
