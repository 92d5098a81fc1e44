/* A unit is one file that is to be judged; rows with the same file share it. Units that have no
   verdict from an earlier run are judged by one.sh, several at a time. First come the guards, the
   reference and the stub of each lesson, which prove that the judge works; then the class. */
#include "grade/class/grading.h"

#include "grade/class/alike.h"
#include "grade/class/handed_out.h"
#include "grade/class/jobs.h"
#include "grade/class/names.h"

#include "base/files.h"
#include "progress.h"
#include "seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct unit {
    const struct course_lesson *lesson;
    const char *source;
    const char *kept; /* the folder of its verdict */
    enum { WAITS, JUDGED, NOT_JUDGED } state;
    struct judged verdict;
    bool compared;   /* with the reference */
    const char *why; /* it was not judged */
};

/* If two boxes in a row do not start, no other will. */
enum { BOX_DID_NOT_START = 3, MOST_IN_A_ROW = 2 };

static bool read_verdict(struct unit *u, const char *folder) {
    return judged_read(&u->verdict, folder, path_of("lessons/%s/", u->lesson->folder).chars);
}

/* The unit for that file: a new one, or the one of another row. `what` tells files apart. */
static struct unit *unit_for(struct grading *g, const struct course_lesson *lesson,
                             const char *what, const char *source) {
    struct path all = path_of("%s %s", lesson->key.hex, what);
    const char *kept = string_of("%s/%s", g->kept, sha256(all.chars, strlen(all.chars)).hex);
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->units[i]->kept, kept) == 0)
            return g->units[i];
    struct unit *u = calloc(1, sizeof *u);
    if (!u)
        exit(2);
    *u = (struct unit){.lesson = lesson, .source = source, .kept = kept};
    if (read_verdict(u, kept))
        u->state = JUDGED;
    g->units = with_room(g->units, g->count, sizeof u);
    return g->units[g->count++] = u;
}

/* --- judging -------------------------------------------------------------------------------- */

static const char *part_of(const struct grading *g, int number) {
    return string_of("%s/judging-%d", g->work, number);
}

static const char *said_of(const struct grading *g, int number) {
    return string_of("%s/judging-%d.said", g->work, number);
}

static bool start_judging(void *context, int number, struct job *job) {
    struct grading *g = context;
    struct unit *u = g->units[number];
    if (u->state != WAITS)
        return false;
    const char *folder = part_of(g, number);
    remove_all(folder);
    if (mkdir(folder, 0755) != 0) {
        fprintf(stderr, "cannot make the folder %s\n", folder);
        exit(2);
    }
    *job = (struct job){
        {"sh", string_of("%s/one.sh", g->judge), u->lesson->folder, u->source, folder, NULL},
        said_of(g, number),
        0};
    return true;
}

/* The verdict moves to its place whole, or not at all. */
static bool keep(struct unit *u, const char *folder, double seconds) {
    struct text text = {0};
    text_print(&text, "%.3f\n", seconds);
    bool good = file_replace(path_of("%s/seconds", folder).chars, &text) && read_verdict(u, folder);
    text_free(&text);
    remove_all(u->kept);
    return good && rename(folder, u->kept) == 0;
}

static void tell_ended(struct grading *g);

static bool judged(void *context, int number, int status, double seconds) {
    struct grading *g = context;
    struct unit *u = g->units[number];
    const char *said = said_of(g, number);
    g->graded++;
    u->state = status == 0 && keep(u, part_of(g, number), seconds) ? JUDGED : NOT_JUDGED;
    if (u->state == NOT_JUDGED)
        u->why =
            string_of("%s: %s", status == 0 ? "its verdict is not whole" : "it could not be judged",
                      first_words(said));
    remove_all(part_of(g, number));
    remove(said);
    g->in_a_row = status == BOX_DID_NOT_START ? g->in_a_row + 1 : 0;
    g->lost = g->in_a_row >= MOST_IN_A_ROW;
    if (u->lesson->reference.of > 0) /* else it is a guard */
        tell_ended(g);
    return !g->lost;
}

/* Makes what grading needs, once for those lessons that have something to judge. */
static bool prepare(struct grading *g) {
    const char *words = "", *said = string_of("%s/preparing.said", g->work);
    for (int k = 0; k < g->class->lesson_count; k++) {
        bool any = false;
        for (int i = 0; i < g->count; i++)
            any |= g->units[i]->lesson == &g->class->lessons[k] && g->units[i]->state == WAITS;
        if (any)
            words = string_of("%s %s", words, g->class->lessons[k].folder);
    }
    if (!words[0])
        return true;
    printf("Preparing%s.\n", words);
    fflush(stdout);
    struct job job = {
        {"sh", "-c", string_of("exec sh '%s/prepare.sh'%s", g->judge, words), NULL}, said, 0};
    int status = run_job(&job);
    if (status > 0)
        fprintf(stderr, "The lessons cannot be prepared: %s\n", first_words(said));
    g->stopped |= status < 0;
    return status == 0;
}

static void judge_units(struct grading *g) {
    g->began = seconds_now();
    if (!run_jobs(g->count, g->jobs, (struct job_hooks){g, start_judging, judged}))
        g->stopped = true;
}

/* --- the guards ----------------------------------------------------------------------------- */

static bool guard_lesson(const struct unit *reference, const struct unit *stub) {
    const struct judged *r = &reference->verdict, *s = &stub->verdict;
    const char *folder = reference->lesson->folder;
    bool everything =
        r->state != NOT_BUILT && r->done == r->of && r->passed == r->tests && r->tests > 0;
    bool nothing = s->state != NOT_BUILT && s->done == 0 && s->passed == 0 && s->of == r->of;
    if (reference->state != JUDGED)
        fprintf(stderr, "Nothing is graded: of %s, the reference was not judged: %s\n", folder,
                reference->why);
    else if (stub->state != JUDGED)
        fprintf(stderr, "Nothing is graded: of %s, the stub was not judged: %s\n", folder,
                stub->why);
    else if (!everything)
        fprintf(stderr,
                "Nothing is graded: the reference of %s gets %d of %d exercises and %d of %d "
                "tests. %s\n",
                folder, r->done, r->of, r->passed, r->tests, r->problem);
    else if (!nothing)
        fprintf(stderr, "Nothing is graded: the stub of %s gets %d exercises and %d tests. %s\n",
                folder, s->done, s->passed, s->problem);
    else
        return true;
    return false;
}

/* Adds two units for each asked lesson, a reference and a stub. */
static bool find_guards(struct grading *g) {
    for (int k = 0; k < g->class->lesson_count; k++) {
        const struct course_lesson *l = &g->class->lessons[k];
        const char *stub = l->asked ? make_stub(l, g->work) : NULL;
        if (!l->asked)
            continue;
        if (!stub) {
            fprintf(stderr, "No stub can be made of solutions/%s/%s.c.\n", l->folder, l->name);
            return false;
        }
        unit_for(g, l, "reference", string_of("solutions/%s/%s.c", l->folder, l->name));
        unit_for(g, l, "stub", stub);
    }
    return true;
}

bool guard_lessons(struct grading *g) {
    if (!find_guards(g) || !prepare(g))
        return false;
    judge_units(g);
    for (int i = 0; !g->stopped && i < g->count; i += 2) {
        const struct unit *reference = g->units[i];
        if (!guard_lesson(reference, g->units[i + 1]))
            return false;
        g->class->lessons[reference->lesson - g->class->lessons].reference = reference->verdict;
    }
    return !g->stopped;
}

/* --- what is on the screen meanwhile -------------------------------------------------------- */

static bool waits(const struct grading *g, const struct submission *s) {
    bool any = false;
    for (int k = 0; k < g->class->graded_count; k++)
        any |= s->graded[k]->unit && s->graded[k]->unit->state == WAITS;
    return any;
}

/* [ 37/120] ada   01 9/9   02 6/9 */
static void tell_line(const struct grading *g, const struct submission *s) {
    printf("[%*d/%d] %s", g->class->count > 99 ? 3 : 2, g->told, g->class->count, s->shown);
    for (int k = 0; k < g->class->graded_count; k++) {
        const struct row *row = s->graded[k];
        const struct unit *u = row->unit;
        if (u && u->state == JUDGED && u->verdict.state != NOT_BUILT)
            printf("   %s %d/%d", row->lesson->number, u->verdict.done, u->verdict.of);
        else
            printf("   %s %s", row->lesson->number,
                   file_state_words[!u                       ? row->state
                                    : u->state == NOT_JUDGED ? LOST
                                                             : NOT_BUILT]);
    }
    putchar('\n');
    fflush(stdout);
}

static void tell_bar(const struct grading *g) {
    int left = 0;
    for (int i = 0; i < g->count; i++)
        left += g->units[i]->state == WAITS;
    double rest = (seconds_now() - g->began) / g->graded * left;
    bool minutes = rest >= 90.0;
    progress(g->graded, g->graded + left, "%d of %d, %.0f %s left", g->graded, g->graded + left,
             minutes ? rest / 60.0 : rest, minutes ? "min" : "s");
}

/* Once a file is judged: a line for each submission that waited for it alone. */
static void tell_ended(struct grading *g) {
    if (progress_moves()) {
        tell_bar(g);
        return;
    }
    for (int i = 0; i < g->class->count; i++) {
        struct submission *s = g->class->submissions[i];
        if (s->told || waits(g, s))
            continue;
        s->told = true;
        g->told++;
        tell_line(g, s);
    }
}

/* Before anything of the class is judged: how many submissions have nothing to be judged. */
static void tell_kept(struct grading *g) {
    int kept = 0;
    for (int i = 0; i < g->class->count; i++) {
        struct submission *s = g->class->submissions[i];
        bool any = false;
        for (int k = 0; k < g->class->graded_count; k++)
            any |= s->graded[k]->unit != NULL;
        s->told = !waits(g, s);
        g->told += s->told;
        kept += s->told && any;
    }
    if (kept > 0)
        printf("%d of %d submissions are as they were: their verdicts are kept.\n", kept,
               g->class->count);
    if (g->told > kept)
        printf("%d of %d hold nothing that can be graded.\n", g->told - kept, g->class->count);
    fflush(stdout);
}

/* --- the class ------------------------------------------------------------------------------ */

static void compare_with_reference(struct unit *u) {
    const struct course_lesson *l = u->lesson;
    struct text theirs, reference;
    text_read_file(&theirs, u->source);
    text_read_file(&reference, path_of("solutions/%s/%s.c", l->folder, l->name).chars);
    for (int i = 0; i < u->verdict.count; i++)
        u->verdict.exercises[i].reference =
            is_alike(text_of(&theirs), text_of(&reference), u->verdict.exercises[i].name);
    text_free(&theirs);
    text_free(&reference);
    u->compared = true;
}

/* True if there is a verdict, or if the submission itself is why not. */
static bool fill_row(struct row *row) {
    struct unit *u = row->unit;
    if (!u)
        return row->state != LOST && row->state != STOPPED;
    if (u->state != JUDGED) {
        row->state = u->state == NOT_JUDGED ? LOST : STOPPED;
        row->problem = u->state == NOT_JUDGED ? u->why : "the run was stopped before";
        return false;
    }
    if (!u->compared)
        compare_with_reference(u);
    row->state = u->verdict.state;
    row->verdict = &u->verdict;
    row->screen = string_of("%s/screen.txt", u->kept);
    return true;
}

bool grade_class(struct grading *g) {
    bool good = true;
    for (int i = 0; i < g->class->row_count; i++) {
        struct row *row = g->class->rows[i];
        if (row->source)
            row->unit = unit_for(g, row->lesson, row->sha256.hex, row->source);
    }
    tell_kept(g);
    g->graded = 0;
    if (!prepare(g) && !g->stopped)
        g->lost = true;
    else
        judge_units(g);
    for (int i = 0; i < g->class->row_count; i++)
        good &= fill_row(g->class->rows[i]);
    return good;
}
