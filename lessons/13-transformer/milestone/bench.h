/* `make bench-13`: how fast it trains, and where the time goes. */
#ifndef BENCH_H
#define BENCH_H

#include "machine.h"

void bench(const struct course *course);

#endif
