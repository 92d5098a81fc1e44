/* How much memory a program takes: for tests of what a function keeps on the way. */
#ifndef MEMORY_H
#define MEMORY_H

/* The most that this program has had yet, in bytes. */
double memory_most(void);

#endif
