/* What a file of slipped functions (writing.h) and the program that runs it (running.c) share. */
#ifndef RUNNING_H
#define RUNNING_H

struct slip_entry {
    int number, copy, unit;
    int twice; /* true for a change of a copy that is a slip itself */
    const char *exercise;
};
extern const struct slip_entry slip_list[]; /* the last one's number is 0 */

/* What is on: a copy of the function to call, and at each place where it branches a slip, or 0. */
extern int slip_copy, slip_at[];

/* Each round of a loop counts, so that none is endless. */
extern unsigned long work_done, slip_limit;
int slip_over(void);
#define SLIP_ROUND (++work_done < slip_limit || slip_over())

#endif
