/* `make bench-13` measures how fast a translator trains and which functions take the time. It
   compares this with the result of `make bench-07`, and writes its own to bench.dat. */
#ifndef BENCH_H
#define BENCH_H

#include "machine.h"

void bench(const struct course *course, const char *folder);

#endif
