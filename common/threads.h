/* OpenMP without threads, for tests. The pieces of a parallel loop are worked on one after the
   other, so that the same code does the same at every run; and with threads_pretend(4) the last
   piece first, as may happen where there are threads. Who adds to what another piece adds to finds
   other bits then.

   It stands in for the library that a compiler's `omp parallel for` calls: gcc's names and clang's.
   Milestones have the true one. */
#ifndef THREADS_H
#define THREADS_H

/* So many of them from now on; 1 at first. */
void threads_pretend(int threads);
int threads_pretended(void);

#endif
