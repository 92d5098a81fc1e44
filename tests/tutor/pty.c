/* pty COMMAND...: runs a command in a pseudo-terminal of 80 columns, types what comes on standard
   input, a line every 0.3 s after the command has been silent that long, and prints what appears.
   "^C" and "^D" as a line of their own are those keys, and "?words" waits until the words appear;
   the line after it is typed at once. A command that lives on for 60 s in silence is stopped. The
   status is the command's. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* for TIOCSCTTY */

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

/* The words that have to appear before anything more is typed. */
static char awaited[400];

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
    if (strcmp(line, "^C\n") == 0)
        strcpy(line, "\003");
    if (strcmp(line, "^D\n") == 0)
        strcpy(line, "\004");
    return write(terminal, line, strlen(line)) > 0;
}

/* Has what is awaited appeared, at the end of all that has? */
static bool has_appeared(const char *part, size_t length) {
    static char seen[8192];
    static size_t kept;
    if (kept + length >= sizeof seen)
        kept = 0;
    memcpy(seen + kept, part, length);
    kept += length;
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
    int first = getc(stdin);
    ungetc(first, stdin);
    if (first == '?') /* it waits for words from the start, not for a silence first */
        typing = type_line(terminal);
    for (;;) {
        char part[4096];
        struct pollfd fd = {.fd = terminal, .events = POLLIN};
        if (poll(&fd, 1, typing && !*awaited ? 300 : 60000) == 0) {
            if (!typing || *awaited)
                kill(pid, SIGKILL);
            typing = typing && type_line(terminal);
            continue;
        }
        ssize_t got = read(terminal, part, sizeof part);
        if (got <= 0)
            break; /* the command has closed its terminal */
        fwrite(part, 1, (size_t)got, stdout);
        fflush(stdout);
        if (has_appeared(part, (size_t)got))
            typing = typing && type_line(terminal);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
