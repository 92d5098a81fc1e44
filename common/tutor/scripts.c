/* What scripts ask for: readable output, saves, one function of a file. */
#include "tutor/commands.h"

#include "base/files.h"
#include "base/source.h"
#include "base/tokens.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* FILE: prints what another person's code has printed into it, readable. See base/text.h. */
int run_readable(struct job *job) {
    struct text said, shown = {0};
    bool good = text_read_file(&said, job->words[0]);
    text_add_readable(&shown, text_of(&said), said.length, '\n');
    fputs(text_of(&shown), stdout);
    return good ? 0 : 1;
}

#define NOT_THERE " is not there\n"

/* Time, size and inode: an editor may write in place, or put a new file in place of the old. */
static void add_state(struct text *text, const char *file) {
    struct stat about;
    if (stat(file, &about) != 0) {
        text_print(text, "%s" NOT_THERE, file);
        return;
    }
    struct timespec time = file_time(file);
    text_print(text, "%s %lld.%09ld %lld %llu\n", file, (long long)time.tv_sec, time.tv_nsec,
               (long long)about.st_size, (unsigned long long)about.st_ino);
}

static struct text state_of(char **files) {
    struct text text = {0};
    for (; *files; files++)
        add_state(&text, *files);
    return text;
}

/* FILE...: prints what identifies the present state of each, a line each. */
int run_saves(struct job *job) {
    struct text state = state_of(job->words);
    return fputs(text_of(&state), stdout) < 0;
}

/* SAVES FILE...: returns when the files differ from what run_saves() wrote into SAVES, and have not
   changed for a moment. A file that disappears while an editor replaces it is waited for. */
int run_wait(struct job *job) {
    const char *before = file_text(job->words[0]);
    const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
    const int patience = 40; /* rounds of waiting for a file that is not there: 2 s */
    struct text last = {0};
    if (!*before) {
        fprintf(stderr, "cannot read %s\n", job->words[0]);
        return 2;
    }
    for (int missing = 0, done = false; !done; nanosleep(&moment, NULL)) {
        struct text now = state_of(job->words + 1);
        bool changed = strcmp(text_of(&now), before) != 0;
        bool still = strcmp(text_of(&now), text_of(&last)) == 0;
        missing = strstr(text_of(&now), NOT_THERE) ? missing + 1 : 0;
        done = changed && still && (missing == 0 || missing > patience);
        text_free(&last);
        last = now;
    }
    return 0;
}

/* FILE NAME: prints the definition of a function. */
int run_function(struct job *job) {
    const char *from, *to;
    bool found = find_definition(file_text(job->words[0]), job->words[1], &from, &to);
    if (found)
        printf("%.*s\n", (int)(to - from), from);
    else
        fprintf(stderr, "%s has no whole function %s(): check its braces.\n", job->words[0],
                job->words[1]);
    return found ? 0 : 1;
}

/* FILE STUB NAME: prints the file with the function's definition replaced by the one in STUB. */
int run_splice(struct job *job) {
    const char *mine = file_text(job->words[0]), *from, *to, *stub_from, *stub_to;
    if (!find_definition(file_text(job->words[1]), job->words[2], &stub_from, &stub_to))
        fprintf(stderr, "The lesson has no exercise %s.\n", job->words[2]);
    else if (!find_definition(mine, job->words[2], &from, &to))
        fprintf(stderr, "%s has no whole function %s(): check its braces, or reset the file.\n",
                job->words[0], job->words[2]);
    else
        return printf("%.*s%.*s%s", (int)(from - mine), mine, (int)(stub_to - stub_from), stub_from,
                      to) < 0;
    return 1;
}

/* FILE REFERENCE NAME...: prints which of these functions are those of the reference but for names.
   Short ones are alike by nature. */
int run_alike(struct job *job) {
    enum { TOKENS_THAT_TELL = 40 };
    const char *theirs = file_text(job->words[0]), *reference = file_text(job->words[1]);
    struct code a, b;
    for (char **name = job->words + 2; *name; name++)
        if (code_find_tokens(&a, theirs, *name) && a.count >= TOKENS_THAT_TELL &&
            code_find_tokens(&b, reference, *name) && code_is_alike(&a, &b))
            puts(*name);
    return 0;
}
