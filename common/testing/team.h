/* A team of threads for tests: they take turns, one of them works at a time, and another one is
   handed the turn between two basic blocks of a lesson's code, where a generator of random numbers
   says so: often if the number of threads is even, seldom if it is odd. So threads meet that share
   what they should not, and every run is like the one before.

   While they run, the stack of whoever called is watched: a variable there that two of them write
   to is one that they share. Then all of them are stopped, before it can do any harm. */
#ifndef TEAM_H
#define TEAM_H

#include <stdbool.h>

enum { MOST_IN_TEAM = 8 };

/* A loop that is dealt out in pieces: so many rounds, so many in a piece; and pieces left. */
struct loop {
    long start, rounds, step, piece, left;
};

/* The stack below this address is watched from now on; nothing is observed yet. */
void team_watch_below(const char *address);

/* Runs job(about) as each of so many threads. Within a team it is run by one. */
void team_run(int count, void (*job)(void *about), void *about);

/* Of the thread that asks. */
int team_size(void);
int team_self(void);

/* The next loop that this thread comes to: the first one that comes to it says what it is. */
void team_begin_loop(struct loop loop);
/* Its next piece, the first round of it and the one after its last; false if there is none. */
bool team_next_piece(long *from, long *to);
long team_step(void);

/* SIG_BLOCK or SIG_UNBLOCK: for this thread, the signals of the clocks that limit a test. Only the
   thread that works takes them. */
void team_clocks(int how);

void team_barrier(void);
/* Within a team nothing comes after this: all of it stops. */
void team_stop(void);
void team_lock(void);
void team_unlock(void);

#endif
