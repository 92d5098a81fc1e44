/* The tables that make run-14 leaves for the pictures; see each for its columns. */
#ifndef TABLES_H
#define TABLES_H

#include "bench.h"

void write_tables(const char *folder, const struct report *r);

#endif
