/* A team of threads for tests. They take turns: one of them works at a time, and between two
   basic blocks of a lesson's code a random number decides whether another one continues. With an
   even number of threads the turn changes often, with an odd number seldom. So threads that
   share a variable disturb each other, and every run is like the one before. While they run, the
   stack of the caller is watched. If two threads write to the same variable there, they share
   it, and all of them are stopped before it does any harm. */
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

/* The size of the team, and the number of the calling thread in it. */
int team_size(void);
int team_self(void);

/* Begins the next loop of this thread. The first thread of the team that reaches the loop sets
   its bounds. */
void team_begin_loop(struct loop loop);
/* Its next piece, the first round of it and the one after its last; false if no piece is left. */
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
