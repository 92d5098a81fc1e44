#include "grade/class/grading.h"

#include "grade/class/alike.h"
#include "grade/class/jobs.h"
#include "grade/class/names.h"
#include "grade/class/stub.h"

#include "base/files.h"
#include "progress.h"
#include "seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One file that is to be judged; several rows may have the same one. */
struct unit {
    int lesson;
    struct hash key;
    struct path source;
    enum { WAITS, JUDGED, NOT_JUDGED } state;
    struct judged verdict;
    bool compared;   /* with the reference */
    struct text why; /* it was not judged */
};

/* Twice in a row, and the rest of a class would be the same. */
enum { BOX_DID_NOT_START = 3, MOST_IN_A_ROW = 2 };

static struct path kept_at(const struct grading *g, const struct unit *u) {
    return path_of("%s/%s", g->kept, u->key.hex);
}

static bool read_verdict(const struct grading *g, struct unit *u, struct path folder) {
    const struct course_lesson *l = &g->class->lessons[u->lesson];
    return judged_read(&u->verdict, folder.chars, path_of("lessons/%s/", l->folder).chars);
}

static struct hash key_of(const struct course_lesson *lesson, const char *what) {
    struct path all = path_of("%s %s", lesson->key.hex, what);
    return sha256(all.chars, strlen(all.chars));
}

/* The number of the unit for that file: a new one, or the one of somebody with the same. */
static int unit_for(struct grading *g, int lesson, const char *what, struct path source) {
    struct hash key = key_of(&g->class->lessons[lesson], what);
    for (int i = 0; i < g->count; i++)
        if (strcmp(g->units[i].key.hex, key.hex) == 0)
            return i;
    g->units = with_room(g->units, g->count, sizeof *g->units);
    struct unit *u = &g->units[g->count];
    *u = (struct unit){.lesson = lesson, .key = key, .source = source};
    if (read_verdict(g, u, kept_at(g, u)))
        u->state = JUDGED;
    return g->count++;
}

/* --- judging -------------------------------------------------------------------------------- */

static struct path part_of(const struct grading *g, int number) {
    return path_of("%s/judging-%d", g->work, number);
}

static struct path said_of(const struct grading *g, int number) {
    return path_of("%s/judging-%d.said", g->work, number);
}

static bool start_judging(void *context, int number, struct job *job) {
    struct grading *g = context;
    struct unit *u = &g->units[number];
    static struct path one, folder; /* the words outlive this call */
    if (u->state != WAITS)
        return false;
    one = path_of("%s/one.sh", g->judge);
    folder = part_of(g, number);
    remove_all(folder.chars);
    if (mkdir(folder.chars, 0755) != 0) {
        fprintf(stderr, "cannot make the folder %s\n", folder.chars);
        exit(2);
    }
    *job = (struct job){
        {"sh", one.chars, g->class->lessons[u->lesson].folder, u->source.chars, folder.chars, NULL},
        said_of(g, number)};
    return true;
}

/* The verdict moves to its place whole, or not at all. */
static bool keep(struct grading *g, struct unit *u, int number, double seconds) {
    struct path folder = part_of(g, number), kept = kept_at(g, u);
    struct text text = {0};
    text_print(&text, "%.3f\n", seconds);
    bool good = file_replace(path_of("%s/seconds", folder.chars).chars, &text) &&
                read_verdict(g, u, folder);
    text_free(&text);
    remove_all(kept.chars);
    return good && rename(folder.chars, kept.chars) == 0;
}

static void tell_ended(struct grading *g, int number);

static bool judged(void *context, int number, int status, double seconds) {
    struct grading *g = context;
    struct unit *u = &g->units[number];
    struct job job = {.said = said_of(g, number)};
    g->graded++;
    if (status == 0 && keep(g, u, number, seconds)) {
        u->state = JUDGED;
    } else {
        u->state = NOT_JUDGED;
        text_print(&u->why,
                   status == 0 ? "its verdict is not whole: " : "it could not be judged: ");
        add_first_words(&u->why, &job);
    }
    remove_all(part_of(g, number).chars);
    remove(job.said.chars);
    g->in_a_row = status == BOX_DID_NOT_START ? g->in_a_row + 1 : 0;
    g->lost = g->in_a_row >= MOST_IN_A_ROW;
    tell_ended(g, number);
    return !g->lost;
}

/* What grading needs, once for those lessons that have something to judge. */
static bool prepare(struct grading *g) {
    struct text words = {0};
    struct path said = path_of("%s/preparing.said", g->work);
    for (int k = 0; k < g->class->lesson_count; k++)
        for (int i = 0; i < g->count; i++)
            if (g->units[i].lesson == k && g->units[i].state == WAITS) {
                text_print(&words, " %s", g->class->lessons[k].folder);
                break;
            }
    if (words.length == 0)
        return true;
    printf("Preparing%s.\n", text_of(&words));
    fflush(stdout);
    struct path all = path_of("exec sh '%s/prepare.sh'%s", g->judge, text_of(&words));
    struct job job = {{"sh", "-c", all.chars, NULL}, said};
    text_free(&words);
    int status = run_job(&job);
    if (status > 0) {
        struct text why = {0};
        add_first_words(&why, &job);
        fprintf(stderr, "The lessons cannot be prepared: %s\n", text_of(&why));
        text_free(&why);
    }
    g->stopped |= status < 0;
    return status == 0;
}

static void judge_units(struct grading *g) {
    struct job_hooks hooks = {g, start_judging, judged};
    g->began = seconds_now();
    if (!run_jobs(g->count, g->jobs, hooks))
        g->stopped = true;
}

/* --- the guards ----------------------------------------------------------------------------- */

static bool guard_lesson(struct grading *g, int k, int reference, int stub) {
    const struct unit *best = &g->units[reference], *empty = &g->units[stub];
    const struct judged *r = &best->verdict, *s = &empty->verdict;
    const char *folder = g->class->lessons[k].folder;
    if (best->state != JUDGED || empty->state != JUDGED) {
        const struct unit *bad = best->state != JUDGED ? best : empty;
        fprintf(stderr, "Nothing is graded: of %s, the %s was not judged: %s\n", folder,
                bad == best ? "reference" : "stub", text_of(&bad->why));
        return false;
    }
    bool everything =
        r->state != NOT_BUILT && r->done == r->of && r->passed == r->tests && r->tests > 0;
    bool nothing = s->state != NOT_BUILT && s->done == 0 && s->passed == 0 && s->of == r->of;
    if (!everything)
        fprintf(stderr,
                "Nothing is graded: the reference of %s gets %d of %d exercises and %d of %d "
                "tests. %s\n",
                folder, r->done, r->of, r->passed, r->tests, r->problem);
    else if (!nothing)
        fprintf(stderr, "Nothing is graded: the stub of %s gets %d exercises and %d tests. %s\n",
                folder, s->done, s->passed, s->problem);
    return everything && nothing;
}

/* The units of all that are asked for: a reference and a stub each. */
static bool find_guards(struct grading *g) {
    for (int k = 0; k < g->class->lesson_count; k++) {
        const struct course_lesson *l = &g->class->lessons[k];
        struct path stub;
        if (!l->asked)
            continue;
        if (!make_stub(l, g->work, &stub)) {
            fprintf(stderr, "No stub can be made of solutions/%s/%s.c.\n", l->folder, l->name);
            return false;
        }
        unit_for(g, k, "reference", path_of("solutions/%s/%s.c", l->folder, l->name));
        unit_for(g, k, "stub", stub);
    }
    return true;
}

bool guard_lessons(struct grading *g) {
    if (!find_guards(g) || !prepare(g))
        return false;
    judge_units(g);
    for (int i = 0; !g->stopped && i < g->count; i += 2) {
        int lesson = g->units[i].lesson;
        if (!guard_lesson(g, lesson, i, i + 1))
            return false;
        g->class->lessons[lesson].reference = g->units[i].verdict;
    }
    return !g->stopped;
}

/* --- the class ------------------------------------------------------------------------------ */

static bool waits(const struct grading *g, const struct submission *s) {
    for (int k = 0; k < g->class->lesson_count; k++)
        if (g->class->lessons[k].asked && s->rows[k].state == STOPPED && s->rows[k].sha256.hex[0] &&
            g->units[s->rows[k].unit].state == WAITS)
            return true;
    return false;
}

static bool has_unit(const struct grading *g, const struct submission *s, int unit) {
    for (int k = 0; k < g->class->lesson_count; k++)
        if (g->class->lessons[k].asked && s->rows[k].sha256.hex[0] && s->rows[k].unit == unit)
            return true;
    return false;
}

/* [ 37/120] ada   01 9/9   02 6/9 */
static void tell_line(const struct grading *g, const struct submission *s, int ended) {
    printf("[%*d/%d] %s", g->class->count > 99 ? 3 : 2, ended, g->class->count, text_of(&s->shown));
    for (int k = 0; k < g->class->lesson_count; k++) {
        const struct row *row = &s->rows[k];
        if (!g->class->lessons[k].asked)
            continue;
        const struct unit *u = row->sha256.hex[0] ? &g->units[row->unit] : NULL;
        if (u && u->state == JUDGED && u->verdict.state != NOT_BUILT)
            printf("   %s %d/%d", g->class->lessons[k].number, u->verdict.done, u->verdict.of);
        else
            printf("   %s %s", g->class->lessons[k].number,
                   !u                       ? file_state_words[row->state]
                   : u->state == NOT_JUDGED ? "error"
                                            : "not built");
    }
    putchar('\n');
    fflush(stdout);
}

static void tell_bar(const struct grading *g) {
    int left = 0, all = 0;
    for (int i = 0; i < g->count; i++)
        left += g->units[i].state == WAITS;
    all = g->graded + left;
    double rest = (seconds_now() - g->began) / g->graded * left;
    if (rest < 90.0)
        progress(g->graded, all, "%d of %d, %.0f s left", g->graded, all, rest);
    else
        progress(g->graded, all, "%d of %d, %.0f min left", g->graded, all, rest / 60.0);
}

/* Once a file is judged, those are told whose last one it was. */
static void tell_ended(struct grading *g, int number) {
    int ended = 0;
    if (g->class->lessons[g->units[number].lesson].reference.of == 0)
        return; /* a reference, or a stub */
    if (progress_moves()) {
        tell_bar(g);
        return;
    }
    for (int i = 0; i < g->class->count; i++)
        ended += !waits(g, &g->class->submissions[i]);
    int told = 0;
    for (int i = 0; i < g->class->count; i++) {
        const struct submission *s = &g->class->submissions[i];
        told += !waits(g, s) && has_unit(g, s, number);
    }
    for (int i = 0, k = 1; i < g->class->count; i++) {
        const struct submission *s = &g->class->submissions[i];
        if (!waits(g, s) && has_unit(g, s, number))
            tell_line(g, s, ended - told + k++);
    }
}

static void find_units(struct grading *g) {
    for (int i = 0; i < g->class->count; i++)
        for (int k = 0; k < g->class->lesson_count; k++) {
            const struct submission *s = &g->class->submissions[i];
            const struct course_lesson *l = &g->class->lessons[k];
            if (l->asked && s->rows[k].sha256.hex[0])
                s->rows[k].unit = unit_for(
                    g, k, s->rows[k].sha256.hex,
                    path_of("%s/%s/%s.c", copies_of(g->work, s).chars, l->folder, l->name));
        }
}

static void compare_with_reference(const struct grading *g, struct unit *u) {
    const struct course_lesson *l = &g->class->lessons[u->lesson];
    struct text mine, reference;
    text_read_file(&mine, u->source.chars);
    text_read_file(&reference, path_of("solutions/%s/%s.c", l->folder, l->name).chars);
    for (int i = 0; i < u->verdict.count; i++)
        u->verdict.exercises[i].reference =
            is_alike(text_of(&mine), text_of(&reference), u->verdict.exercises[i].name);
    text_free(&mine);
    text_free(&reference);
}

/* True if it is a verdict, or nobody's fault but the submission's. */
static bool fill_row(struct grading *g, struct row *row) {
    if (!row->sha256.hex[0])
        return row->state != LOST && row->state != STOPPED;
    struct unit *u = &g->units[row->unit];
    if (u->state == JUDGED) {
        if (!u->compared)
            compare_with_reference(g, u);
        u->compared = true;
        row->state = u->verdict.state;
        row->verdict = &u->verdict;
        row->key = u->key;
    } else {
        row->state = u->state == NOT_JUDGED ? LOST : STOPPED;
        text_print(&row->problem, "%s",
                   u->state == NOT_JUDGED ? text_of(&u->why) : "the run was stopped before");
    }
    return u->state == JUDGED;
}

static void tell_kept(const struct grading *g) {
    int kept = 0, ready = 0;
    for (int i = 0; i < g->class->count; i++) {
        const struct submission *s = &g->class->submissions[i];
        bool any = false;
        for (int k = 0; k < g->class->lesson_count; k++)
            any |= g->class->lessons[k].asked && s->rows[k].sha256.hex[0];
        ready += !waits(g, s);
        kept += any && !waits(g, s);
    }
    if (kept > 0)
        printf("%d of %d submissions are as they were: their verdicts are kept.\n", kept,
               g->class->count);
    if (ready > kept)
        printf("%d of %d hold nothing that can be graded.\n", ready - kept, g->class->count);
    fflush(stdout);
}

bool grade_class(struct grading *g) {
    bool good = true;
    find_units(g);
    tell_kept(g);
    g->graded = 0;
    if (!prepare(g) && !g->stopped)
        g->lost = true;
    else
        judge_units(g);
    for (int i = 0; i < g->class->count; i++)
        for (int k = 0; k < g->class->lesson_count; k++)
            if (g->class->lessons[k].asked)
                good &= fill_row(g, &g->class->submissions[i].rows[k]);
    return good;
}

void grading_free(struct grading *g) {
    for (int i = 0; i < g->count; i++) {
        judged_free(&g->units[i].verdict);
        text_free(&g->units[i].why);
    }
    free(g->units);
}
