/* Runs commands, several at a time, each in a process group of its own. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>

struct job {
    const char *words[8]; /* the command; ends in NULL */
    const char *said;     /* the file that takes what it prints */
    int status;           /* of run_job(): as in `ended`, or -1 if it was stopped */
};

struct job_hooks {
    void *context;
    /* Sets up the command of that number; false: it needs none. */
    bool (*start)(void *context, int number, struct job *job);
    /* It has ended, with an exit status, or 256 + the signal. False: start no more. */
    bool (*ended)(void *context, int number, int status, double seconds);
};

/* Call it first: from then on Ctrl-C, SIGTERM and SIGHUP wait until stop_is_asked() sees them. */
void hold_signals(void);
bool stop_is_asked(void);

/* Runs the jobs of numbers 0 to count - 1. False if it was stopped; then nothing is left running.
 */
bool run_jobs(int count, int at_once, struct job_hooks hooks);

/* Runs one command, and returns its status. */
int run_job(struct job *job);

/* Deletes a file or a folder of ours with all that is in it; no link is followed. */
void remove_all(const char *path);

/* The first line that a job printed into that file, as text that can be read; or that it printed
   none. */
const char *first_words(const char *said);

/* On the wall, as a last resort: the limits of a judge count work, which takes long on a busy
   machine. */
enum { JOB_SECONDS = 3600 };

#endif
