/* busy LOOPS SECONDS: so many processes that compute for nothing. They end by themselves, at the
   latest when the time is over, and with the process that started this one. */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The alarm ends it; between two looks lie some milliseconds. */
static void compute(pid_t parent, unsigned seconds) {
    alarm(seconds);
    while (getppid() == parent)
        for (volatile long i = 0; i < 10000000; i++)
            ;
}

int main(int count, char **words) {
    int loops = count == 3 ? atoi(words[1]) : 0;
    unsigned seconds = count == 3 ? (unsigned)atoi(words[2]) : 0;
    pid_t parent = getppid(), own = getpid();
    if (loops < 1 || seconds < 1)
        return 2;
    for (int i = 0; i < loops; i++)
        if (fork() == 0) {
            compute(own, seconds);
            return 0;
        }
    alarm(seconds);
    while (getppid() == parent)
        usleep(100000);
    return 0;
}
