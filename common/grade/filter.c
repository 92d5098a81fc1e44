/* Prints the filter that bwrap --seccomp reads: the system calls that the program in a box may
   make. Any other call gets the answer of a kernel that does not know it. A program may start
   threads, and no processes. */
#define _GNU_SOURCE /* for the flags of clone() */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
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

static bool say(unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
    struct sock_filter line = {code, yes, no, value};
    return fwrite(&line, sizeof line, 1, stdout) == 1;
}

static bool load(size_t offset) {
    return say(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset);
}

static bool answer(unsigned value) {
    return say(BPF_RET | BPF_K, 0, 0, value);
}

static bool allow_calls(void) {
    bool good = true;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        good = good && say(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)allowed[i]) &&
               answer(SECCOMP_RET_ALLOW);
    return good;
}

/* A thread shares its memory. A process does not, or has CLONE_VFORK, to become another program.
   The filter cannot see the flags of clone3(), so that stays unknown, and the C library falls back
   on clone(). */
static bool allow_threads(void) {
    return say(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_clone) &&
           load(offsetof(struct seccomp_data, args[0])) &&
           say(BPF_JMP | BPF_JSET | BPF_K, 0, 2, CLONE_VM) &&
           say(BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_VFORK | NEW_WORLDS) &&
           answer(SECCOMP_RET_ALLOW);
}

int main(void) {
    bool good = load(offsetof(struct seccomp_data, arch)) &&
                say(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MACHINE) && answer(SECCOMP_RET_KILL_PROCESS) &&
                load(offsetof(struct seccomp_data, nr)) && allow_calls() && allow_threads() &&
                answer(SECCOMP_RET_ERRNO | ENOSYS);
    return good && fflush(stdout) == 0 ? 0 : 1;
}
