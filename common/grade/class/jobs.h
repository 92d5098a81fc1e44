/* Runs commands, several at a time, each in a process group of its own. */
#ifndef JOBS_H
#define JOBS_H

#include "base/text.h"

struct job {
    const char *words[8]; /* the command; ends in NULL */
    struct path said;     /* the file that takes what it prints */
};

struct job_hooks {
    void *context;
    /* Sets up the command of that number; false: it needs none. */
    bool (*start)(void *context, int number, struct job *job);
    /* It came to its end, with an exit status, or 256 + the signal. False: start no more. */
    bool (*ended)(void *context, int number, int status, double seconds);
};

/* Call it first: from then on Ctrl-C and its kin wait until somebody asks. */
void hold_signals(void);
bool stop_is_asked(void);

/* Numbers 0 to count - 1. False if it was stopped; then nothing is left running. */
bool run_jobs(int count, int at_once, struct job_hooks hooks);

/* Runs one command; its status, or -1 if it was stopped. */
int run_job(struct job *job);

/* Deletes what is under a name of ours, whatever it is; no link is followed. */
void remove_all(const char *path);

/* The first line that a job printed, or some words if it printed none. */
void add_first_words(struct text *text, const struct job *job);

/* On the wall, and so a last resort: limits of a judge count work, which on a busy machine takes
 * long. */
enum { JOB_SECONDS = 3600 };

#endif
