/* A unit is one file that is to be judged; rows with the same file share it. Units that have no
   verdict from an earlier run are judged by one.sh, several at a time. First come the guards, the
   reference and the stub of each lesson, which prove that the judge works; then the class. */
#include "grade/class/grading.h"

#include "grade/class/handed_out.h"
#include "grade/class/jobs.h"
#include "grade/class/names.h"

#include "base/files.h"
#include "progress.h"
#include "seconds.h"

#include <stdio.h>
#include <string.h>

struct unit {
    const struct course_lesson *lesson;
    const char *source;
    const char *kept; /* the folder of its verdict */
    enum { WAITS, JUDGED, NOT_JUDGED } state;
    struct judged verdict;
    const char *why; /* it was not judged */
};

/* If two boxes in a row do not start, no other will. */
enum { MOST_IN_A_ROW = 2 };

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
    struct unit *u = zeroed(1, sizeof *u);
    *u = (struct unit){.lesson = lesson, .source = source, .kept = kept};
    if (read_verdict(u, kept))
        u->state = JUDGED;
    g->units = with_room(g->units, g->count, sizeof u);
    return g->units[g->count++] = u;
}

/* --- judging -------------------------------------------------------------------------------- */

/* The folder that the verdict on that unit is written into, and what its judge prints. */
static const char *part_of(const struct grading *g, int number) {
    return string_of("%s/judging-%d", g->work, number);
}

static const char *said_of(const struct grading *g, int number) {
    return string_of("%s.said", part_of(g, number));
}

/* The verdict moves to its place whole, or not at all. */
static bool keep(struct unit *u, const char *folder, double seconds) {
    struct text text = {0};
    text_print(&text, "%.3f\n", seconds);
    bool good = file_replace(path_of("%s/seconds", folder).chars, &text) && read_verdict(u, folder);
    remove_all(u->kept);
    return good && rename(folder, u->kept) == 0;
}

static void tell_ended(struct grading *g);

static bool judged(void *context, int number, const struct job *job) {
    struct grading *g = context;
    struct unit *u = g->units[number];
    const char *part = part_of(g, number), *said = said_of(g, number);
    bool ended = job->status == 0;
    g->graded++;
    u->state = ended && keep(u, part, job->seconds) ? JUDGED : NOT_JUDGED;
    if (u->state == NOT_JUDGED)
        u->why = string_of("%s: %s", ended ? "its verdict is not whole" : "it could not be judged",
                           first_words(said));
    remove_all(part);
    remove(said);
    g->in_a_row = job->status == NOT_BEGUN ? g->in_a_row + 1 : 0;
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
            words = joined(words, " ", g->class->lessons[k].folder);
    }
    if (!words[0])
        return true;
    printf("Preparing %s.\n", words);
    fflush(stdout);
    const char *script = string_of("%s/prepare.sh", g->judge);
    int status = run_job(
        (struct job){.words = {"sh", "-c", "exec sh \"$0\" $1", script, words}, .said = said});
    if (status > 0)
        fprintf(stderr, "The lessons cannot be prepared: %s\n", first_words(said));
    g->stopped |= status < 0;
    return status == 0;
}

/* False if nothing could be judged. */
static bool judge_units(struct grading *g) {
    struct job *jobs = zeroed(g->count, sizeof *jobs);
    const char *script = string_of("%s/one.sh", g->judge);
    if (!prepare(g))
        return false;
    for (int i = 0; i < g->count; i++)
        if (g->units[i]->state == WAITS)
            jobs[i] = job_into(part_of(g, i), script, g->units[i]->lesson->folder,
                               g->units[i]->source, said_of(g, i));
    g->began = seconds_now();
    g->graded = 0;
    g->stopped |= !run_jobs(jobs, g->count, g->jobs, judged, g);
    return true;
}

/* --- the guards ----------------------------------------------------------------------------- */

/* Ends the program, with a line, unless a guard got what it should. */
static void check_guard(const struct unit *u, const char *role, bool right) {
    const struct judged *v = &u->verdict;
    if (u->state != JUDGED)
        die("Nothing is graded: the %s of %s was not judged: %s", role, u->lesson->folder, u->why);
    if (!right || v->state == NOT_BUILT)
        die("Nothing is graded: the %s of %s gets %d of %d exercises and %d of %d tests. %s", role,
            u->lesson->folder, v->done, v->of, v->passed, v->tests, v->problem);
}

/* Adds two units for each asked lesson, a reference and a stub. */
static void find_guards(struct grading *g) {
    for (int k = 0; k < g->class->lesson_count; k++) {
        struct course_lesson *l = &g->class->lessons[k];
        const char *reference = string_of("solutions/%s/%s.c", l->folder, l->name);
        if (!l->asked)
            continue;
        if (!stub_of(l, g->work)[0])
            die("No stub can be made of %s.", reference);
        l->solution = file_text(reference);
        unit_for(g, l, "reference", reference);
        unit_for(g, l, "stub", stub_file(l, g->work));
    }
}

bool guard_lessons(struct grading *g) {
    find_guards(g);
    if (!judge_units(g))
        return false;
    for (int i = 0; !g->stopped && i < g->count; i += 2) {
        const struct unit *reference = g->units[i], *stub = g->units[i + 1];
        const struct judged *r = &reference->verdict, *s = &stub->verdict;
        bool everything = r->done == r->of && r->passed == r->tests && r->tests > 0;
        check_guard(reference, "reference", everything);
        check_guard(stub, "stub", s->done == 0 && s->passed == 0 && s->of == r->of);
        g->class->lessons[reference->lesson - g->class->lessons].reference = *r;
    }
    return !g->stopped;
}

/* --- rows ----------------------------------------------------------------------------------- */

static void compare_with_reference(struct unit *u) {
    struct text theirs;
    text_read_file(&theirs, u->source);
    for (int i = 0; i < u->verdict.count; i++)
        u->verdict.exercises[i].reference =
            is_alike(text_of(&theirs), u->lesson->solution, u->verdict.exercises[i].name);
    text_free(&theirs);
}

/* Notes in the row what became of its file. A row that waits is one that was stopped. */
static void fill_row(struct row *row) {
    struct unit *u = row->unit;
    if (!u || row->verdict)
        return;
    if (u->state != JUDGED) {
        row->state = u->state == NOT_JUDGED ? LOST : STOPPED;
        row->problem = u->state == NOT_JUDGED ? u->why : "the run was stopped before";
        return;
    }
    compare_with_reference(u);
    row->state = u->verdict.state;
    row->verdict = &u->verdict;
    row->screen = string_of("%s/screen.txt", u->kept);
}

/* --- what is on the screen meanwhile -------------------------------------------------------- */

static bool has_unit(const struct class *class, const struct submission *s, bool that_waits) {
    for (int k = 0; k < class->graded_count; k++)
        if (s->graded[k]->unit && (!that_waits || s->graded[k]->unit->state == WAITS))
            return true;
    return false;
}

/* [ 37/120] ada   01 9/9   02 6/9 */
static void tell_line(const struct grading *g, const struct submission *s) {
    printf("[%*d/%d] %s", g->class->count > 99 ? 3 : 2, g->told, g->class->count, s->shown);
    for (int k = 0; k < g->class->graded_count; k++) {
        struct row *row = s->graded[k];
        fill_row(row);
        printf("   %s ", row->lesson->number);
        if (row->state == GRADED || row->state == IN_PART)
            printf("%d/%d", row->verdict->done, row->verdict->of);
        else
            printf("%s", file_state_words[row->state]);
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
    if (progress_moves())
        tell_bar(g);
    for (int i = 0; !progress_moves() && i < g->class->count; i++) {
        struct submission *s = g->class->submissions[i];
        if (s->told || has_unit(g->class, s, true))
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
        s->told = !has_unit(g->class, s, true);
        g->told += s->told;
        kept += s->told && has_unit(g->class, s, false);
    }
    if (kept > 0)
        printf("%d of %d submissions are as they were: their verdicts are kept.\n", kept,
               g->class->count);
    if (g->told > kept)
        printf("%d of %d hold nothing that can be graded.\n", g->told - kept, g->class->count);
    fflush(stdout);
}

/* --- the class ------------------------------------------------------------------------------ */

bool grade_class(struct grading *g) {
    bool good = true;
    for (int i = 0; i < g->class->row_count; i++) {
        struct row *row = g->class->rows[i];
        if (row->source)
            row->unit = unit_for(g, row->lesson, row->sha256.hex, row->source);
    }
    tell_kept(g);
    if (!judge_units(g))
        g->lost = !g->stopped;
    for (int i = 0; i < g->class->row_count; i++) {
        struct row *row = g->class->rows[i];
        fill_row(row);
        good &= row->state != LOST && row->state != STOPPED;
    }
    return good;
}
