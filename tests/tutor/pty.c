/* pty COMMAND...: runs a command in a pseudo-terminal of 80 columns, types what comes on standard
   input, a line each time that the command has slept in silence for 0.3 s, and prints what appears.
   "^C" and "^D" as a line of their own are those keys. "?words" waits until the words appear; the
   line after it is typed at once. "!command" is run by a shell, and "?words" after it are new ones.
   A command that sleeps for 60 s in silence is stopped. The status is the command's. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* for TIOCSCTTY */

#include "base/effort.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int open_terminal(void) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        perror("pty");
        exit(2);
    }
    return terminal;
}

static _Noreturn void become(const char *name, char **argv) {
    signal(SIGINT, SIG_DFL); /* a shell ignores it for what it starts in the background */
    signal(SIGQUIT, SIG_DFL);
    setsid();
    int mine = open(name, O_RDWR);
    ioctl(mine, TIOCSCTTY, 0);
    struct winsize size = {.ws_row = 40, .ws_col = 80};
    ioctl(mine, TIOCSWINSZ, &size);
    for (int fd = 0; fd < 3; fd++)
        dup2(mine, fd);
    setenv("TERM", "xterm-256color", 1);
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

/* The words that have to appear before anything more is typed, and the end of all that has. */
static char awaited[400], seen[8192];
static size_t kept;

/* The next line of standard input, as keys; at its end, Ctrl-D, a few times. */
static int type_line(int terminal) {
    static int patience = 5;
    char line[400];
    if (!fgets(line, sizeof line, stdin)) {
        strcpy(line, "^D\n");
        if (patience-- == 0)
            return 0;
    }
    if (line[0] == '?') {
        line[strcspn(line, "\n")] = '\0';
        strcpy(awaited, line + 1);
        return 1;
    }
    if (line[0] == '!') {
        kept = 0;
        return system(line + 1) == 0;
    }
    if (strcmp(line, "^C\n") == 0)
        strcpy(line, "\003");
    if (strcmp(line, "^D\n") == 0)
        strcpy(line, "\004");
    return write(terminal, line, strlen(line)) > 0;
}

static void keep(const char *part, size_t length) {
    if (kept + length >= sizeof seen)
        kept = 0;
    memcpy(seen + kept, part, length);
    kept += length;
}

static bool has_appeared(void) {
    seen[kept] = '\0';
    if (!*awaited || !strstr(seen, awaited))
        return false;
    awaited[0] = '\0';
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    int terminal = open_terminal(), typing = 1, status = 0;
    const char *name = ptsname(terminal);
    pid_t pid = fork();
    if (pid == 0)
        become(name, argv + 1);
    struct idle silent;
    idle_again(&silent);
    int first = getc(stdin);
    ungetc(first, stdin);
    if (first == '?') /* it waits for words from the start, not for a silence first */
        typing = type_line(terminal);
    for (;;) {
        char part[4096];
        while (has_appeared())
            typing = typing && type_line(terminal);
        struct pollfd fd = {.fd = terminal, .events = POLLIN};
        bool types = typing && !*awaited;
        if (poll(&fd, 1, 50) == 0) {
            if (!idle_for(&silent, effort_below(pid), types ? 0.3 : 60.0))
                continue;
            if (!types)
                kill(-pid, SIGKILL); /* all that it has started there, too */
            typing = typing && type_line(terminal);
            idle_again(&silent);
            continue;
        }
        idle_again(&silent);
        ssize_t got = read(terminal, part, sizeof part);
        if (got <= 0)
            break; /* the command has closed its terminal */
        fwrite(part, 1, (size_t)got, stdout);
        fflush(stdout);
        keep(part, (size_t)got);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
