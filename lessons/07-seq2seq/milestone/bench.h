/* `make bench-07`: how fast it trains, and where the time goes. */
#ifndef BENCH_H
#define BENCH_H

#include "training.h"

void bench(const struct course *course);

#endif
