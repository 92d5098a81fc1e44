#include "files.h"

#include "lesson.h"
#include "source.h"
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* --- saves ---------------------------------------------------------------------------------- */

/* Time, size and inode: an editor may write in place, or put a new file in place of the old. */
static void add_state(struct text *text, const char *file) {
    struct stat about;
    if (stat(file, &about) != 0) {
        text_print(text, "%s is not there\n", file);
        return;
    }
    struct timespec time = file_time(file);
    text_print(text, "%s %lld.%09ld %lld %llu\n", file, (long long)time.tv_sec, time.tv_nsec,
               (long long)about.st_size, (unsigned long long)about.st_ino);
}

static struct text state_of(char *const files[]) {
    struct text text = {0};
    for (int i = 0; files[i]; i++)
        add_state(&text, files[i]);
    return text;
}

void files_print_state(char *const files[]) {
    struct text state = state_of(files);
    fputs(text_of(&state), stdout);
    text_free(&state);
}

static void sleep_briefly(void) {
    nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
}

int files_wait(const char *state, char *const files[]) {
    struct text before, last = {0};
    const int patience = 40; /* looks, for a file that is not there: 2 s */
    if (!text_read_file(&before, state)) {
        fprintf(stderr, "cannot read %s\n", state);
        return 2;
    }
    for (int missing = 0;; sleep_briefly()) {
        struct text now = state_of(files);
        bool changed = strcmp(text_of(&now), text_of(&before)) != 0;
        bool still = strcmp(text_of(&now), text_of(&last)) == 0;
        missing = strstr(text_of(&now), "is not there") ? missing + 1 : 0;
        text_free(&last);
        last = now;
        if (changed && still && (missing == 0 || missing > patience))
            break;
    }
    text_free(&before);
    text_free(&last);
    return 0;
}

/* --- one function --------------------------------------------------------------------------- */

int files_splice(const char *file, const char *stub, const char *function) {
    struct text mine, theirs;
    const char *from, *to, *stub_from, *stub_to;
    int status = 1;
    text_read_file(&mine, file);
    text_read_file(&theirs, stub);
    if (!find_definition(text_of(&theirs), function, &stub_from, &stub_to)) {
        fprintf(stderr, "The lesson has no exercise %s.\n", function);
    } else if (!find_definition(text_of(&mine), function, &from, &to)) {
        fprintf(stderr, "%s has no whole function %s(): check its braces, or reset the file.\n",
                file, function);
    } else {
        fwrite(text_of(&mine), 1, (size_t)(from - text_of(&mine)), stdout);
        fwrite(stub_from, 1, (size_t)(stub_to - stub_from), stdout);
        fputs(to, stdout);
        status = 0;
    }
    text_free(&mine);
    text_free(&theirs);
    return status;
}
