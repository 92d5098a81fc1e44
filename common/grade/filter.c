/* Prints the filter that bwrap --seccomp reads: the system calls that the program in a box may
   make. Any other call gets the answer of a kernel that does not know it. A program may start
   threads, and no processes. */
#define _GNU_SOURCE /* for the flags of clone() */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#else
#error "the numbers of this machine's system calls are not known here"
#endif

/* clang-format off */
static const int allowed[] = {
    /* memory */
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore,
    /* files */
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_openat, SYS_close,
    SYS_fstat, SYS_statx, SYS_ioctl, SYS_fcntl, SYS_readlinkat, SYS_faccessat, SYS_newfstatat,
    SYS_getdents64, SYS_dup, SYS_dup3, SYS_getcwd, SYS_ppoll, SYS_pselect6,
    /* signals */
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_sigaltstack,
    SYS_kill, SYS_tkill, SYS_tgkill, SYS_setitimer, SYS_getitimer, SYS_restart_syscall,
    /* processes; the leak sanitizer looks at its own threads by ptrace, and sees no others */
    SYS_execve, SYS_exit, SYS_exit_group, SYS_wait4, SYS_prctl, SYS_ptrace, SYS_prlimit64,
    SYS_getrusage, SYS_futex, SYS_sched_yield, SYS_set_tid_address, SYS_set_robust_list,
    SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_sched_getaffinity,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    /* time, and questions about the system */
    SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
    SYS_times, SYS_getrandom, SYS_uname, SYS_sysinfo,
#ifdef __x86_64__ /* older forms of these calls */
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_select,
    SYS_time, SYS_alarm, SYS_pause, SYS_getpgrp, SYS_arch_prctl, SYS_getdents,
#else
    SYS_getpgid,
#endif
};
/* clang-format on */

enum {
    NEW_WORLDS = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP
};

#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define IF(test, value, yes, no)                                                                   \
    BPF_JUMP(BPF_JMP | test | BPF_K, value, yes, no) /* lines to skip */
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)

static const struct sock_filter first[] = {
    LOAD(arch),
    IF(BPF_JEQ, MACHINE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
};

/* A thread shares its memory. A process does not, or has CLONE_VFORK, to become another program.
   The filter cannot see the flags of clone3(), so that stays unknown, and the C library falls back
   on clone(). */
static const struct sock_filter last[] = {
    IF(BPF_JEQ, SYS_clone, 0, 4), LOAD(args[0]),
    IF(BPF_JSET, CLONE_VM, 0, 2), IF(BPF_JSET, CLONE_VFORK | NEW_WORLDS, 1, 0),
    ANSWER(SECCOMP_RET_ALLOW),    ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
};

int main(void) {
    fwrite(first, sizeof first, 1, stdout);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const struct sock_filter call[] = {
            IF(BPF_JEQ, (unsigned)allowed[i], 0, 1),
            ANSWER(SECCOMP_RET_ALLOW),
        };
        fwrite(call, sizeof call, 1, stdout);
    }
    fwrite(last, sizeof last, 1, stdout);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
