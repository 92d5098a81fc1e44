/* `make bench-13`: how fast it trains, and where the time goes, beside what `make bench-07` has
   left. */
#ifndef BENCH_H
#define BENCH_H

#include "machine.h"

void bench(const struct course *course, const char *folder);

#endif
