#define _DEFAULT_SOURCE /* wait4 */
#include "peers.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The CPU time of a program, whose output is thrown away. NAN if it fails. */
static double seconds_of_program(char *const words[]) {
    struct rusage used;
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(words[0], words);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        return (double)NAN;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static bool is_compiled(const struct peer *peer, char *source) {
    const char *compiler = getenv("CC");
    char *words[] = {(char *)(compiler && *compiler && !strchr(compiler, ' ') ? compiler : "cc"),
                     "-Ofast",
                     "-march=native",
                     "-w",
                     source,
                     "-o",
                     (char *)peer->program,
                     "-lm",
                     NULL};
    return !isnan(seconds_of_program(words));
}

/* runq.c has a file of its own, which its export.py has quantized. */
static void find_peer(const struct model *m, const char *into, const char *name, const char *suffix,
                      struct peer *peer) {
    char folder[2000], source[4096];
    const char *path = m->file.path, *wanted = getenv("LLAMA2");
    const int stem = (int)strlen(path) - (int)strlen(".bin");
    if (wanted && *wanted)
        snprintf(folder, sizeof folder, "%s", wanted);
    else
        model_folder(m, sizeof folder, folder);
    peer->name = name;
    snprintf(source, sizeof source, "%s/%s.c", folder, name);
    snprintf(peer->program, sizeof peer->program, "%.4000s/%s", into, name);
    snprintf(peer->model, sizeof peer->model, "%.*s%s.bin", stem > 0 ? stem : 0, path, suffix);
    if (access(source, R_OK) != 0) {
        if (wanted && *wanted)
            fprintf(stderr, "%s cannot be read.\n", source);
        peer->name = NULL;
    } else if (access(peer->model, R_OK) != 0) {
        fprintf(stderr, "%s is there, but not its model, %s.\n", source, peer->model);
        peer->name = NULL;
    } else if (!is_compiled(peer, source)) {
        fprintf(stderr, "%s does not compile.\n", source);
        peer->name = NULL;
    }
}

void find_peers(const struct model *m, const char *into, struct peer peers[PEERS]) {
    find_peer(m, into, "run", "", &peers[RUN]);
    find_peer(m, into, "runq", "_q80", &peers[RUNQ]);
    for (int i = 0; i < PEERS; i++)
        snprintf(peers[i].tokenizer, sizeof peers[i].tokenizer, "%s", m->tokenizer);
}

double peer_seconds(const struct peer *peer) {
    static char *const lengths[] = {"20", "180"};
    double seconds[2];
    if (!peer->name)
        return (double)NAN;
    for (int i = 0; i < 2; i++) {
        char *words[] = {(char *)peer->program,
                         (char *)peer->model,
                         "-t",
                         "0",
                         "-n",
                         lengths[i],
                         "-i",
                         "Once upon a time",
                         "-z",
                         (char *)peer->tokenizer,
                         NULL};
        seconds[i] = seconds_of_program(words);
    }
    return (seconds[1] - seconds[0]) / (180 - 20);
}
