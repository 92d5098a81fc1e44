/* The tables that make run-14 leaves for the pictures; see each for its columns. */
#ifndef TABLES_H
#define TABLES_H

#include "bench.h"

void write_tables(const char *folder, const struct report *r);

/* What make bench shows: bench.dat, with the best of each and its share of the bare machine's. */
void write_summary(const char *folder, const struct report *r);

#endif
