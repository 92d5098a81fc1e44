/* OpenMP for tests, without threads that run at the same time. Each parallel loop is divided
   among as many threads as threads_pretend() says, at first one. They take turns (team.h), so
   the same code does the same in every run. These functions replace the OpenMP library, under
   the names that gcc and clang call. Milestones are linked with the real library. */
#ifndef THREADS_H
#define THREADS_H

/* Sets the number of threads for the next calls of the calling function. observed() returns what
   they showed. */
void threads_pretend(int threads);
int threads_pretended(void);

#endif
