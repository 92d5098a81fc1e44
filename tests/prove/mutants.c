/* The generated slips of the reference: are they caught, and what does that cost? */
#include "prove.h"

#include "base/files.h"
#include "diagnose/slip_runs.h"
#include "seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The name "ROR:5:>:>=" contains a line number. In "ROR:*:>:>=", `*` means any line. */
static bool is_called(const char *name, const char *asked) {
    size_t word = strcspn(name, ":"), number = word + 1 + strspn(name + word + 1, "0123456789");
    if (strcmp(name, asked) == 0)
        return true;
    return strncmp(name, asked, word + 1) == 0 && asked[word + 1] == '*' &&
           strcmp(name + number, asked + word + 2) == 0;
}

/* The reason that the list gives for a generated slip: "same  FUNCTION  NAME", which may share its
   reason with those in the lines below it, and a line set in. */
static bool is_excused(const char *list, const struct variant *v) {
    char name[400];
    const char *line;
    while ((line = next_line(&list))) {
        if (!starts_with(line, "same ") || sscanf(line, "same %399s", name) != 1 ||
            strcmp(name, v->function) != 0)
            continue;
        const char *rest = strstr(line + 5, name) + strlen(name), *reason = list;
        while (starts_with(reason, "same ") && strchr(reason, '\n'))
            reason = strchr(reason, '\n') + 1;
        if (is_called(v->name, rest + strspn(rest, " ")) && *reason == ' ')
            return true;
    }
    return false;
}

/* Only those that passed without the sanitizers are worth the time with them. */
static void keep_survivors(struct variants *variants, const struct table *table) {
    bool *fails = calloc((size_t)variants->count + 1, sizeof *fails);
    if (!fails)
        abort();
    for (int i = 0; i < table->count; i++)
        if (table->failures[i].slip <= variants->count && is_failure(&table->failures[i]))
            fails[table->failures[i].slip] = true;
    for (int i = 0; i < variants->count; i++) {
        struct variant *v = &variants->all[i];
        v->dropped = v->origin == LISTED || fails[i + 1] || i >= table->slip_count ||
                     table->slips[i].dropped;
    }
    free(fails);
}

static int alive(const struct variants *variants) {
    int count = 0;
    for (int i = 0; i < variants->count; i++)
        count += !variants->all[i].dropped && variants->all[i].origin == GENERATED;
    return count;
}

/* Finds the mutants that pass all tests, with the sanitizers, too. */
static bool find_survivors(struct proof *p, const struct table *table) {
    const char *stem = path_of("%s/slips/%s/mutants.%d", p->task.settings->object,
                               p->task.lesson->folder, (int)getpid());
    struct table sanitized = {0};
    keep_survivors(&p->variants, table);
    if (alive(&p->variants) == 0)
        return true;
    struct text flags = as_a_learners(p->task.settings);
    table_read(&sanitized, run_slips(&p->variants, stem, &p->task, flags.chars));
    bool whole = sanitized.whole;
    keep_survivors(&p->variants, &sanitized);
    return whole;
}

static void judge_survivors(struct proof *p, const char *exercise, const char *list, int all) {
    int same = 0, failed = 0;
    for (int i = 0; i < p->variants.count; i++) {
        const struct variant *v = &p->variants.all[i];
        if (v->dropped || v->origin == WAY)
            continue;
        bool excused = is_excused(list, v);
        same += excused;
        failed += !excused;
        if (!excused)
            printf("FAIL  %s: passes all tests: same     %s  %s\n      (%s)\n",
                   p->task.lesson->folder, exercise, v->name, v->says);
    }
    printf("%s %s mutants of %s: %d of %d fail, %d are the same\n", failed ? "FAIL " : "ok   ",
           p->task.lesson->folder, exercise, all - same - failed, all, same);
    p->failed += failed;
}

static void prove_mutants_of(struct proof *p, const char *exercise, const char *list) {
    const struct wanted wanted = {.function = exercise, .generated = true};
    struct table table = {0};
    int all = 0;
    bool good = exercise_table(&table, &p->task, exercise) &&
                variants_of(&p->variants, p->task.lesson, wanted) && find_survivors(p, &table);
    for (int i = 0; i < table.slip_count; i++)
        all += !table.slips[i].dropped && table.slips[i].origin == GENERATED;
    if (good)
        judge_survivors(p, exercise, list, all);
    else
        printf("FAIL  %s: no table for %s\n", p->task.lesson->folder, exercise);
    p->failed += !good;
}

int prove_mutants(struct proof *p) {
    struct text list;
    text_read_file(&list, list_of(p->task.lesson));
    for (int i = 0; i < p->task.lesson->count; i++)
        prove_mutants_of(p, p->task.lesson->exercises[i].name, text_of(&list));
    return p->failed > 0;
}

/* --- what it costs -------------------------------------------------------------------------- */

static double worked(void) {
    return seconds_worked(RUSAGE_SELF) + seconds_worked(RUSAGE_CHILDREN);
}

/* Seconds to have the table of an exercise, and how many slips it has; -1 if it cannot be made. */
static int cost_of(struct proof *p, const char *exercise, double *seconds) {
    struct table table;
    *seconds = worked();
    bool good = exercise_table(&table, &p->task, exercise);
    *seconds = worked() - *seconds;
    int count = good ? table.slip_count : -1;
    return count;
}

int prove_costs(struct proof *p) {
    for (int i = 0; i < p->task.lesson->count; i++) {
        const char *exercise = p->task.lesson->exercises[i].name, *folder = p->task.lesson->folder;
        double first, later;
        remove(path_of("%s/slips/%s/%s", p->task.settings->object, folder, exercise));
        if (cost_of(p, exercise, &first) < 0)
            return 1;
        int slips = cost_of(p, exercise, &later);
        printf("%6.3f %6.3f %5d %s %s\n", first, later, slips, folder, exercise);
    }
    return 0;
}
