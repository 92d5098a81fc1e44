/* Runs commands, several at a time, each in a process group of its own. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <sys/types.h>

struct job {
    const char *words[8]; /* the command, which ends in NULL; if it is empty, nothing is run */
    const char *said;     /* the file that takes what it prints */
    int status;           /* its exit status, or 256 + the signal; NOT_ENDED */
    double seconds;       /* how long it took */
    pid_t pid;            /* while it runs */
};
enum { NOT_ENDED = -1, NOT_BEGUN = 3 }; /* 3: a script of ours had no folder, or no box */

/* The command `sh script first second folder`, which makes that folder first. */
struct job job_into(const char *folder, const char *script, const char *first, const char *second,
                    const char *said);

/* Call it first: from then on Ctrl-C, SIGTERM and SIGHUP wait until stop_is_asked() sees them. */
void hold_signals(void);
bool stop_is_asked(void);

/* Is called when the job of that number has ended. False: start no more. */
typedef bool job_ended(void *context, int number, const struct job *job);

/* Runs all jobs; `ended` may be NULL. False if the run was stopped; then nothing is left running.
 */
bool run_jobs(struct job *jobs, int count, int at_once, job_ended *ended, void *context);

/* Runs one command, and returns its status. */
int run_job(struct job job);

/* Deletes a file or a folder of ours with all that is in it; no link is followed. */
void remove_all(const char *path);

/* The first line that a job printed into that file, as text that can be read; or that it printed
   none. */
const char *first_words(const char *said);

#endif
