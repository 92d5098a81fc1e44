/* Within a line each punctuation mark is escaped, and a file becomes a block with a fence that
   is not in it. */
#include "base/plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void plain_print(const char *chars) {
    struct text text = {0};
    text_add_readable(&text, chars, strlen(chars), "");
    for (const char *c = text_of(&text); *c; c++)
        printf("%s%c", ispunct((unsigned char)*c) ? "\\" : "", *c);
}

bool plain_is_too_large(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size <= PLAIN_MOST_BYTES)
        return false;
    plain_print(path);
    printf(" is not shown: it has %lld bytes, and nobody reads more than %d.\n\n",
           (long long)about.st_size, PLAIN_MOST_BYTES);
    return true;
}

bool plain_print_file(const char *class, const char *path, const char *given) {
    struct text text, shown = {0};
    const char *fence = "~~~";
    if (plain_is_too_large(path))
        return true;
    if (!text_read_file(&text, path))
        return false;
    const bool is_cut = *given && ends_with(text_of(&text), given);
    text_add_readable(&shown, text_of(&text), text.length - (is_cut ? strlen(given) : 0), "\n\t");
    while (strstr(text_of(&shown), fence))
        fence = path_of("%s%s", fence, fence);
    printf("%s {.%s}\n%s%s%s\n%s\n", fence, class, text_of(&shown),
           ends_with(text_of(&shown), "\n") ? "" : "\n", fence,
           is_cut ? "\nThe rest of this file is given, and unchanged.\n" : "");
    return true;
}
