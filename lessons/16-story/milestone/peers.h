/* run.c and runq.c of llama2.c, if they are in the folder LLAMA2 of the environment, or in that of
   the model. They are compiled for speed and run on the same prompt. */
#ifndef PEERS_H
#define PEERS_H

#include "model.h"

enum { RUN, RUNQ, PEERS };

struct peer {
    const char *name; /* NULL: it is not there */
    char program[4096], model[4096], tokenizer[4096];
};

/* Compiles them into a folder. Says on standard error why one that is there cannot run. */
void find_peers(const struct model *m, const char *into, struct peer peers[PEERS]);

/* The seconds of CPU time that a peer needs for a token, in one thread: the difference between a
   long text and a short one, divided by the difference of their lengths. NAN if it fails. */
double peer_seconds(const struct peer *peer);

#endif
