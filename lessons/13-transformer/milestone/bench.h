/* `make bench-13`: how fast it trains, and where the time goes, beside what `make bench-07` has
   left; what it says itself is left in bench.dat for make bench. */
#ifndef BENCH_H
#define BENCH_H

#include "machine.h"

void bench(const struct course *course, const char *folder);

#endif
