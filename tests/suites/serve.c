/* serve FOLDER: a web server for the pages of a suite, on this machine alone. Prints its port, and
   then a line for each request: what came of it, and of what. It ends when it is killed, or after
   five minutes. */
#define _POSIX_C_SOURCE 200809L
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void need(int right, const char *what) {
    if (right)
        return;
    perror(what);
    exit(1);
}

static int open_port(void) {
    int port = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    need(port >= 0 && bind(port, (struct sockaddr *)&here, size) == 0 && listen(port, 64) == 0 &&
             getsockname(port, (struct sockaddr *)&here, &size) == 0,
         "port");
    printf("%d\n", ntohs(here.sin_port));
    fflush(stdout);
    return port;
}

static const char *type_of(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html"},    {".css", "text/css"},  {".js", "text/javascript"},
        {".svg", "image/svg+xml"}, {".png", "image/png"},
    };
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
        if (strcmp(end, types[i][0]) == 0)
            return types[i][1];
    return "text/plain";
}

/* The path of "GET /path HTTP/1.1", below the folder. */
static int read_path(FILE *browser, char path[static 1000]) {
    char line[2000];
    if (!fgets(line, sizeof line, browser) || sscanf(line, "GET /%999[^ ?]", path) != 1)
        return 0;
    while (fgets(line, sizeof line, browser) && strcmp(line, "\r\n") != 0)
        ;
    return !strstr(path, "..");
}

static void answer(FILE *browser) {
    char path[1000], piece[4096];
    size_t size;
    if (!read_path(browser, path))
        return;
    FILE *file = fopen(path, "r");
    printf("%s /%s\n", file ? "200" : "404", path);
    fflush(stdout);
    fseek(browser, 0, SEEK_CUR); /* between reading and writing */
    fprintf(browser, "HTTP/1.0 %s\r\nContent-Type: %s\r\n\r\n", file ? "200 OK" : "404 Not Found",
            type_of(path));
    while (file && (size = fread(piece, 1, sizeof piece, file)) > 0)
        fwrite(piece, 1, size, browser);
    fflush(browser);
}

int main(int argc, char **argv) {
    need(argc == 2 && chdir(argv[1]) == 0, "folder");
    signal(SIGCHLD, SIG_IGN);
    alarm(300);
    int port = open_port();
    for (;;) {
        int browser = accept(port, NULL, NULL);
        need(browser >= 0, "accept");
        if (fork() == 0) { /* a browser opens connections in advance, and says nothing on them */
            alarm(300);
            answer(fdopen(browser, "r+"));
            _Exit(0);
        }
        close(browser);
    }
}
