/* What a call of a lesson's function showed while it ran, to threads_pretend() and work_watch(). */
#ifndef OBSERVED_H
#define OBSERVED_H

struct observed {
    int working;     /* threads that did a part of the work worth speaking of; 0 without a loop */
    char shared[80]; /* what two threads write to; "" if nothing was found */
    /* How many blocks ran between the first changes of an array's first and last number, and
       between their last changes. */
    unsigned long began_apart, ended_apart;
};

/* Wherever it ran: a box, too. */
struct observed observed(void);

extern struct observed observed_here;

#endif
