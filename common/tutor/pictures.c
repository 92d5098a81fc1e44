/* Reads the pictures of a lesson from its README.md, and from each script the exercises that it
   needs. Prints them as Markdown, with the learner's answers, which are found by their headings. */
#include "tutor/commands.h"

#include "base/plain.h"
#include "base/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct picture {
    char name[64];
    const char *caption; /* from the lesson's text: "- `weights.gp`: what to see" */
};

static bool next_picture(const char **at, struct picture *p) {
    for (char *line; (line = next_line(at));) {
        int after = 0;
        if (sscanf(line, "- `%63[a-z0-9_].gp`: %n", p->name, &after) != 1 || after == 0)
            continue;
        line[after] = (char)toupper((unsigned char)line[after]);
        char *to = line + after;
        p->caption = to;
        for (const char *from = to; *from; from++) /* $d_k$ is just d_k here */
            if (*from != '$')
                *to++ = *from;
        *to = '\0';
        return true;
    }
    return false;
}

/* The exercises in the line "# Needs ..." of the script that are not done; without such a line, all
   that are not done. */
static const char *waiting_for(const struct lesson *lesson, const char *picture) {
    struct text waiting = {0};
    const char *script = file_text(path_of("plots/%s/%s.gp", lesson->folder, picture));
    const char *at = strstr(script, "\n# Needs "), *needs = at++ ? next_line(&at) : "";
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        bool needed = !needs[0] || has_word(needs, e->name, strlen(e->name));
        if (needed && (e->state != DONE || lesson->unbuilt))
            text_print(&waiting, "%s%s", waiting.length > 0 ? ", " : " ", e->name);
    }
    return text_of(&waiting);
}

int run_pictures(struct job *job) {
    struct picture p;
    for (const char *at = file_text(job->lesson.readme); next_picture(&at, &p);)
        printf("%s%s\n", p.name, waiting_for(&job->lesson, p.name));
    return 0;
}

/* --- answers -------------------------------------------------------------------------------- */

/* A heading "## weights", "## weights.gp" or "## `weights.gp`". */
static bool heading(const char *line, char name[64]) {
    return starts_with(line, "## ") && (sscanf(line, "## %*[`]%63[A-Za-z0-9_]", name) == 1 ||
                                        sscanf(line, "## %63[A-Za-z0-9_]", name) == 1);
}

/* The next answer in the file: whose it is ("" above the first heading), and its text. */
static bool next_answer(const char **at, char name[64], struct text *answer) {
    char other[64];
    const char *start = *at;
    *answer = (struct text){0};
    name[0] = '\0';
    if (!*start)
        return false;
    if (heading(start, name))
        start += strcspn(start, "\n");
    const char *end = start;
    while (*end && !(*end == '\n' && heading(end + 1, other)))
        end++;
    *at = end + (*end == '\n');
    start += strspn(start, " \t\r\n");
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    if (end > start)
        text_add(answer, start, (size_t)(end - start));
    return true;
}

static bool print_answer(const char *answers, const char *picture) {
    char name[64];
    struct text answer;
    while (next_answer(&answers, name, &answer))
        if (strcmp(name, picture) == 0 && answer.length > 0) {
            plain_print_block("answer", &answer);
            return true;
        }
    return false;
}

/* Prints the answers under other headings, so that a misspelled name loses no answer. */
static void print_other_answers(const char *answers, const struct lesson *lesson) {
    char name[64];
    struct text answer;
    while (next_answer(&answers, name, &answer)) {
        bool known = access(path_of("plots/%s/%s.gp", lesson->folder, name), F_OK) == 0;
        if (!known && answer.length > 0) {
            printf(name[0]
                       ? "Answer under the heading `%s`, which is not a picture of this lesson:\n\n"
                       : "Text without the name of a picture:%s\n\n",
                   name);
            plain_print_block("answer", &answer);
        }
    }
}

/* --- the report ----------------------------------------------------------------------------- */

/* With PICTURES=no the questions remain. */
static bool are_wanted(void) {
    const char *wanted = getenv("PICTURES");
    return !wanted || strcmp(wanted, "no") != 0;
}

/* The caption, and what was answered to its question, or room for that. True: it was not answered.
 */
static bool print_picture(const struct lesson *lesson, const struct picture *p,
                          const char *answers) {
    puts("::: {.plot}");
    if (are_wanted())
        printf("![](%s/%s.png)\n\n", lesson->folder, p->name);
    printf("%s\n\n", p->caption);
    bool answered = print_answer(answers, p->name), asked = strchr(p->caption, '?');
    if (asked && !answered)
        puts("::: {.room}\nAnswer:\n:::\n");
    puts(":::\n");
    return asked && !answered;
}

/* Each picture that can be seen, with its question; the others' names go into two lists. True: some
   question was not answered. */
static bool print_pictures(const struct lesson *lesson, const char *at, const char *answers,
                           struct text *later, struct text *missing) {
    struct picture p;
    bool open = false;
    puts(":::: {.plots}");
    while (next_picture(&at, &p)) {
        const char *waiting = waiting_for(lesson, p.name);
        if (*waiting)
            text_print(later, "%s`%s` needs%s", later->length > 0 ? "; " : "", p.name, waiting);
        else if (!are_wanted() && !strchr(p.caption, '?'))
            ;
        else if (are_wanted() &&
                 access(lesson_file(lesson, path_of("plots/column/%s.png", p.name)), R_OK) != 0)
            text_print(missing, " `%s`", p.name);
        else
            open |= print_picture(lesson, &p, answers);
    }
    puts("::::\n");
    return open;
}

void pictures_report(const struct lesson *lesson, const char *answers) {
    struct text later = {0}, missing = {0};
    const char *file = plain_is_too_large(answers) ? "" : file_text(answers);
    bool open = print_pictures(lesson, file_text(lesson->readme), file, &later, &missing);
    print_other_answers(file, lesson);
    if (open) {
        printf("Write your answers in ");
        plain_print(answers);
        puts(", each below the name of its picture, for example `## weights`.\n");
    }
    if (later.length > 0)
        printf("These pictures are not drawn yet: %s.\n\n", text_of(&later));
    if (missing.length > 0)
        printf("These pictures could not be drawn:%s.\n\n", text_of(&missing));
}
