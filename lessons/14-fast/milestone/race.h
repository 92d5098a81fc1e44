/* Who is fastest? All run in turn, round by round, so that what else the machine does meets them
 * all. */
#ifndef RACE_H
#define RACE_H

#include "work.h"

enum { MOST_RUNS = 400 };

struct entrant {
    const struct runner *runner;
    const struct work *work;
    int runs;
    double spent, seconds[MOST_RUNS]; /* of each run, sorted when the race is over */
};

/* For so many seconds, but each at least once. Who is slow runs less often. Who returns NAN is out,
   with no runs. */
void race(double seconds, int n, struct entrant e[n]);

/* The best of its runs, the quarter and the half of them that were not better; NAN without any. */
enum { BEST, QUARTILE, MEDIAN, STATISTICS };
double seconds_of(const struct entrant *e, int statistic);
double gflops_of(const struct entrant *e, int statistic);

/* What the machine does beside; NAN where that cannot be known. */
double load_of_machine(void);

#endif
