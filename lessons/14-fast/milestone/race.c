#define _DEFAULT_SOURCE /* getloadavg */
#include "race.h"

#include "trainer.h"

#include <math.h>
#include <stdlib.h>

/* Has it used more than its share of the time so far? */
static bool had_its_turn(const struct entrant *e, int n, double spent) {
    return e->runs > 0 && e->spent > spent / n;
}

static double run(struct entrant *e) {
    const double took = e->runner->run(e->work);
    if (isnan(took))
        e->runs = -1;
    if (e->runs < 0)
        return 0.0;
    e->spent += took;
    e->seconds[e->runs++ % MOST_RUNS] = took;
    return took;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void race(double limit, int n, struct entrant e[n]) {
    const double end = seconds() + limit;
    double spent = 0.0;
    do
        for (int i = 0; i < n; i++)
            if (e[i].runs >= 0 && !had_its_turn(&e[i], n, spent) && !is_stopped())
                spent += run(&e[i]);
    while (seconds() < end && !is_stopped());
    for (int i = 0; i < n; i++) {
        e[i].runs = e[i].runs < 0 ? 0 : e[i].runs > MOST_RUNS ? MOST_RUNS : e[i].runs;
        qsort(e[i].seconds, (size_t)e[i].runs, sizeof(double), by_size);
    }
}

double seconds_of(const struct entrant *e, int statistic) {
    const int place[STATISTICS] = {0, e->runs / 4, e->runs / 2};
    return e->runs > 0 ? e->seconds[place[statistic]] : (double)NAN;
}

double gflops_of(const struct entrant *e, int statistic) {
    return runner_flops(e->runner, e->work) / seconds_of(e, statistic) / 1e9;
}

double load_of_machine(void) {
    double load;
    return getloadavg(&load, 1) == 1 ? load : (double)NAN;
}
