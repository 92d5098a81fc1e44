/* What the file of wrong functions (common/diagnose/writing.h) and the program that runs it
   (slip_test.c) share. */
#ifndef RUNNING_H
#define RUNNING_H

struct slip_entry {
    int number, place; /* numbers of the mistake and of its branch */
    int thorough;      /* are long tests run, too, when another one has failed? -1: none is */
    int laws;          /* are its laws reported? */
    const char *exercise;
};
extern const struct slip_entry slip_list[]; /* the last one's number is 0 */

/* At each place the number of the slip that is on; 0: none is. */
extern int slip_at[];

/* Each round of a loop counts, so that none is endless; and something else may have its turn. */
extern unsigned long work_done, work_pause, slip_limit;
extern void (*work_paused)(void);
int slip_over(void);
#define SLIP_ROUND                                                                                 \
    ((++work_done < work_pause || (work_paused(), 1)) && (work_done < slip_limit || slip_over()))

#endif
