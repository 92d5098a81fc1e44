/* Reads in /proc what a process and its children have done: CPU time, memory, and whether a thread
   is ready to run. Without /proc nothing is known, and only the time on the wall counts. */
#include "base/effort.h"

#include "seconds.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One measurement adds at most this, because the measuring process may have waited for a CPU. */
static const double longest_look = 0.25;

/* The first line of a file in /proc; false if it is gone. */
static bool read_line(char *line, int size, const char *folder, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    bool got = file && fgets(line, size, file);
    if (file)
        fclose(file);
    return got;
}

/* The state of a thread follows its name, which may contain anything. */
static void add_thread(struct effort *effort, const char *folder) {
    char line[1024];
    unsigned long long ran, delayed;
    if (!read_line(line, sizeof line, folder, "stat") || !strrchr(line, ')'))
        return;
    char state = strrchr(line, ')')[1] ? strrchr(line, ')')[2] : '\0';
    effort->threads++;
    effort->ready = effort->ready || state == 'R' || state == 'D';
    if (read_line(line, sizeof line, folder, "schedstat") &&
        sscanf(line, "%llu %llu", &ran, &delayed) == 2)
        effort->delayed += 1e-9 * (double)delayed;
}

static void add_process(struct effort *effort, const char *folder) {
    char line[1024];
    unsigned long user = 0, system = 0;
    long user_below = 0, system_below = 0, total, resident;
    if (read_line(line, sizeof line, folder, "stat") && strrchr(line, ')') &&
        sscanf(strrchr(line, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
               &user, &system, &user_below, &system_below) == 4)
        effort->work += ((double)(user + system) + (double)(user_below + system_below)) /
                        (double)sysconf(_SC_CLK_TCK);
    if (read_line(line, sizeof line, folder, "statm") &&
        sscanf(line, "%ld %ld", &total, &resident) == 2)
        effort->pages += resident;
}

static void add_all(struct effort *effort, pid_t pid);

static void add_children(struct effort *effort, const char *thread) {
    char path[128];
    int child;
    snprintf(path, sizeof path, "%s/children", thread);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%d", &child) == 1)
        add_all(effort, child);
    if (children)
        fclose(children);
}

/* Each thread may have children. */
static void add_all(struct effort *effort, pid_t pid) {
    char folder[64], path[128];
    glob_t threads;
    snprintf(folder, sizeof folder, "/proc/%d", (int)pid);
    add_process(effort, folder);
    snprintf(path, sizeof path, "%s/task/*", folder);
    if (glob(path, 0, NULL, &threads) != 0)
        return;
    for (size_t i = 0; i < threads.gl_pathc; i++) {
        add_thread(effort, threads.gl_pathv[i]);
        add_children(effort, threads.gl_pathv[i]);
    }
    globfree(&threads);
}

struct effort effort_below(pid_t pid) {
    struct effort effort = {0};
    add_all(&effort, pid);
    return effort;
}

void idle_again(struct idle *idle) {
    *idle = (struct idle){.looked = seconds_now()};
}

/* If a thread was created or ended, the process has not slept. */
static bool has_slept(const struct effort *before, const struct effort *now) {
    return !now->ready && now->threads == before->threads && now->work >= before->work &&
           now->delayed >= before->delayed;
}

bool idle_for(struct idle *idle, struct effort now, double limit) {
    struct effort before = idle->before;
    double time = seconds_now(), passed = time - idle->looked;
    passed = passed < longest_look ? passed : longest_look;
    idle->looked = time;
    idle->before = now;
    if (!has_slept(&before, &now))
        return false;
    if (now.work > idle->work + 0.1 * limit) {
        idle->work = now.work;
        idle->seconds = 0.0;
        return false;
    }
    passed -= now.work - before.work + now.delayed - before.delayed;
    idle->seconds += passed > 0.0 ? passed : 0.0;
    return idle->seconds > limit;
}
