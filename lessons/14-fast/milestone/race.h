/* Measures several runners in alternating rounds, so that other programs slow down all of them. */
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

/* Runs for this many seconds, but each runner at least once. Slow runners run less often. A runner
   that returns NAN is excluded and has no runs. */
void race(double seconds, int n, struct entrant e[n]);

/* The best run, the quartile and the median, or NAN without any run. */
enum { BEST, QUARTILE, MEDIAN, STATISTICS };
double seconds_of(const struct entrant *e, int statistic);
double gflops_of(const struct entrant *e, int statistic);

/* The load of the machine, or NAN if it is unknown. */
double load_of_machine(void);

#endif
