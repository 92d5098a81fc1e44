/* The tables that make run-14 writes for the plots. */
#ifndef TABLES_H
#define TABLES_H

#include "bench.h"

void write_tables(const char *folder, const struct report *r);

/* Writes bench.dat for make bench: the best speed of each and its share of the peak. */
void write_summary(const char *folder, const struct report *r);

#endif
