/* `make bench-07` measures the speed of training and the time of each function. The speed is also
   written to bench.dat, which lesson 13 and make bench read. */
#ifndef BENCH_H
#define BENCH_H

#include "training.h"

void bench(const struct course *course, const char *folder);

#endif
