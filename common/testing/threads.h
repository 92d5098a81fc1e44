/* OpenMP without threads that run at the same time, for tests. Each parallel loop is shared out
   among so many threads as threads_pretend() says, one at first; they take turns (team.h), so that
   the same code does the same at every run.

   It stands in for the library that a compiler's `omp parallel for` calls: gcc's names and clang's.
   Milestones have the true one. */
#ifndef THREADS_H
#define THREADS_H

/* So many of them from now on, in what the function that calls this calls next. What they show then
   is observed(). */
void threads_pretend(int threads);
int threads_pretended(void);

#endif
