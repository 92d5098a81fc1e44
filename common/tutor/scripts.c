/* What scripts ask for: readable output, and one function of a file. */
#include "tutor/commands.h"

#include "base/source.h"
#include "base/tokens.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* FILE: prints what another person's code has printed into it, readable. See base/text.h. */
int run_readable(struct job *job) {
    struct text said, shown = {0};
    bool good = text_read_file(&said, job->words[0]);
    text_add_readable(&shown, text_of(&said), said.length, "\n");
    fputs(text_of(&shown), stdout);
    return good ? 0 : 1;
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
