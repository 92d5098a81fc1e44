/* Tries from within a box what no box allows, and prints what it could do all the same. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* The clone that the box was made in. */
#ifndef LOOKBACK_ROOT
#define LOOKBACK_ROOT "."
#endif

extern char **environ;

#define CANNOT(what)                                                                               \
    do {                                                                                           \
        if (what)                                                                                  \
            puts("it could: " #what);                                                              \
    } while (0)

static int at_all(void *nothing) {
    return nothing != NULL;
}

static char *const words[] = {"/bin/true", NULL};
static char stack[65536];

static void processes(void) {
    pid_t pid;
    CANNOT(fork() >= 0);
    CANNOT(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0);
    CANNOT(syscall(SYS_clone3, 0, 0) >= 0);
    CANNOT(posix_spawn(&pid, words[0], NULL, NULL, words, environ) == 0);
    CANNOT(system("true") == 0);
    CANNOT(clone(at_all, stack + sizeof stack, CLONE_VM | CLONE_NEWUSER, NULL) >= 0);
#ifdef __x86_64__
    CANNOT(syscall(SYS_vfork) >= 0);
    CANNOT(syscall(0x40000000 + SYS_fork) >= 0);
#endif
    CANNOT(setsid() >= 0);
    CANNOT(setpgid(0, 0) == 0);
}

static void worlds(void) {
    CANNOT(unshare(CLONE_NEWUSER) == 0);
    CANNOT(unshare(CLONE_NEWNS) == 0);
    CANNOT(setns(0, 0) == 0);
    CANNOT(mount("none", "/proc", "tmpfs", 0, NULL) == 0);
    CANNOT(umount2("/proc", MNT_DETACH) == 0);
    CANNOT(chroot("/usr") == 0);
    CANNOT(syscall(SYS_pivot_root, "/", "/proc") == 0);
    CANNOT(setuid(0) == 0);
    CANNOT(syscall(SYS_setgroups, 0, NULL) == 0);
    CANNOT(sethostname("x", 1) == 0);
    CANNOT(getuid() == 0 && access("/etc/shadow", R_OK) == 0);
}

static void messages(void) {
    int pair[2];
    struct iovec here = {stack, 1}, there = {stack, 1};
    CANNOT(socket(AF_INET, SOCK_STREAM, 0) >= 0);
    CANNOT(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    CANNOT(socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
    CANNOT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CANNOT(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
    CANNOT(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600) >= 0);
    CANNOT(syscall(SYS_mq_open, "x", O_CREAT | O_RDWR, 0600, NULL) >= 0);
    CANNOT(memfd_create("x", 0) >= 0);
    CANNOT(process_vm_readv(1, &here, 1, &there, 1, 0) >= 0);
    CANNOT(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0);
    CANNOT(syscall(SYS_bpf, 0, NULL, 0) >= 0);
    CANNOT(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0);
    CANNOT(syscall(425 /* io_uring_setup */, 4, NULL) >= 0);
    CANNOT(syscall(SYS_userfaultfd, 0) >= 0);
    CANNOT(syscall(SYS_inotify_init1, 0) >= 0);
}

static bool can_write(const char *name) {
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    bool could = file >= 0 && write(file, "x", 1) == 1;
    if (file >= 0)
        close(file);
    if (could)
        printf("it wrote %s\n", name);
    return could;
}

static void files(void) {
    static const char *const names[] = {"/x",
                                        "/box/x",
                                        "/tmp/x",
                                        "x",
                                        "/usr/x",
                                        "/usr/lib/x",
                                        "/dev/x",
                                        "/dev/shm/x",
                                        "/proc/1/mem",
                                        "/proc/self/exe",
                                        "/proc/sys/kernel/core_pattern",
                                        "/proc/sysrq-trigger"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CANNOT(can_write(names[i]));
    CANNOT(open("/etc/passwd", O_RDONLY) >= 0);
    CANNOT(open("/proc/1/root/etc/passwd", O_RDONLY) >= 0);
    CANNOT(open("/dev/zero", O_RDONLY) >= 0);
    CANNOT(open(LOOKBACK_ROOT "/Makefile", O_RDONLY) >= 0);
    CANNOT(mkdir("/box/folder", 0700) == 0);
    CANNOT(symlink("/", "/box/link") == 0);
    CANNOT(mkfifo("/box/pipe", 0600) == 0);
    CANNOT(unlink("/proc/self/exe") == 0);
    CANNOT(syscall(SYS_memfd_create, "x", 0) >= 0);
}

/* What bwrap itself was given. */
static bool holds_more(void) {
    bool more = false;
    for (int fd = 5; fd < 10; fd++) {
        char name[64], place[200] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        if (fcntl(fd, F_GETFD) >= 0 && readlink(name, place, sizeof place - 1) > 0) {
            printf("it holds %d: %s\n", fd, place);
            more = true;
        }
    }
    return more;
}

static int others(void) {
    int count = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *one; all && (one = readdir(all));)
        count += atoi(one->d_name) > 2;
    return count;
}

static bool knows_the_machine(void) {
    struct utsname about;
    return uname(&about) == 0 && strcmp(about.nodename, "box") != 0;
}

static bool environment_tells(void) {
    bool tells = false;
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "LC_ALL=", 7) != 0 && strncmp(*at, "PATH=", 5) != 0 &&
            strncmp(*at, "ASAN_OPTIONS=", 13) != 0 && strncmp(*at, "UBSAN_OPTIONS=", 14) != 0 &&
            strncmp(*at, "PWD=", 4) != 0) {
            puts(*at);
            tells = true;
        }
    return tells;
}

static bool can_raise(__rlimit_resource_t which) {
    struct rlimit limit;
    getrlimit(which, &limit);
    limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
    return setrlimit(which, &limit) == 0;
}

static void *wait_here(void *nothing) {
    pause();
    return nothing;
}

static int threads(void) {
    pthread_t thread;
    int count = 0;
    while (count < 100 && pthread_create(&thread, NULL, wait_here, NULL) == 0)
        count++;
    return count;
}

int main(void) {
    if (knows_the_machine()) {
        puts("this is no box: nothing is tried");
        return 1;
    }
    processes();
    worlds();
    messages();
    files();
    CANNOT(holds_more());
    CANNOT(others() > 0);
    CANNOT(environment_tells());
    CANNOT(can_raise(RLIMIT_NPROC));
    CANNOT(can_raise(RLIMIT_FSIZE));
    CANNOT(can_raise(RLIMIT_CORE));
    CANNOT(threads() >= 16);
    CANNOT(kill(-1, 0) == 0 && others() > 0);
    puts("all tried");
    return 0;
}
