/* `make bench-07`: how fast it trains, and where the time goes. The speed is left in bench.dat, for
   lesson 13 to compare, and for make bench. */
#ifndef BENCH_H
#define BENCH_H

#include "training.h"

void bench(const struct course *course, const char *folder);

#endif
