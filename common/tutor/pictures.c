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

/* A line for each picture of a lesson: its name, and the exercises that it waits for. */
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

/* True for an item of a list, a line that is indented, and another line that stands for itself. */
static bool is_own_line(const char *line) {
    size_t digits = strspn(line, "0123456789");
    return strchr(" \t-*+|`>", line[0]) || (digits > 0 && strchr(".)", line[digits]));
}

/* The lines of a paragraph flow together, unless they are items or between lines of ```. */
static void print_prose(const struct text *answer) {
    const char *at = text_of(answer);
    bool fenced = false, inside = false;
    puts("::: {.answer}");
    for (char *line; (line = next_line(&at));) {
        bool apart = fenced || is_own_line(line);
        fenced ^= starts_with(line, "```");
        for (char *c = line; *c; c++)
            *c = isspace((unsigned char)*c) ? ' ' : *c;
        line += strspn(line, " ");
        if (inside && *line && apart)
            puts("\\");
        else
            putchar('\n');
        plain_print(line);
        inside = *line != '\0';
    }
    puts("\n:::\n");
}

static bool print_answer(const char *answers, const char *picture) {
    char name[64];
    struct text answer;
    bool found = false;
    while (next_answer(&answers, name, &answer))
        if (strcmp(name, picture) == 0 && answer.length > 0) {
            print_prose(&answer);
            found = true;
        }
    return found;
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
            print_prose(&answer);
        }
    }
}

/* --- the report ----------------------------------------------------------------------------- */

/* With PICTURES=no the questions remain. */
static bool are_wanted(void) {
    const char *wanted = getenv("PICTURES");
    return !wanted || strcmp(wanted, "no") != 0;
}

/* With its caption, which is the text that replaces it, too, and with what was answered to its
   question, or room for that. True: it was not answered. */
static bool print_picture(const struct lesson *lesson, const struct picture *p,
                          const char *answers) {
    puts("::: {.plot}");
    if (are_wanted())
        printf("![%s](%s/%s.png)\n\n", p->caption, lesson->folder, p->name);
    else
        printf("%s\n\n", p->caption);
    bool answered = print_answer(answers, p->name), asked = strchr(p->caption, '?');
    if (asked && !answered)
        puts("::: {.room}\nAnswer:\n:::\n");
    puts(":::\n");
    return asked && !answered;
}

/* The pictures that have to wait, and what for: not a list of all, because it is not read. */
struct later {
    int pictures;
    struct text needs;
};

static void print_later(const struct lesson *lesson, const struct later *later) {
    const char *names[2] = {"", ""};
    int count = 0;
    if (later->pictures == 0)
        return;
    for (int i = 0; i < lesson->count; i++) {
        const char *name = lesson->exercises[i].name;
        if (has_word(text_of(&later->needs), name, strlen(name)) && count++ < 2)
            names[count - 1] = name;
    }
    printf(later->pictures == 1 ? "1 picture waits" : "%d pictures wait", later->pictures);
    printf(" for `%s`", names[0]);
    if (count > 1)
        printf("%s `%s`", count > 2 ? "," : " and", names[1]);
    if (count > 2)
        printf(" and %d more", count - 2);
    puts(".\n");
}

/* Each picture that can be seen, with its question. True: some question was not answered. */
static bool print_pictures(const struct lesson *lesson, const char *at, const char *answers,
                           struct later *later, struct text *missing) {
    struct picture p;
    bool open = false;
    puts(":::: {.plots}");
    while (next_picture(&at, &p)) {
        const char *waiting = waiting_for(lesson, p.name);
        if (*waiting) {
            later->pictures++;
            text_print(&later->needs, "%s", waiting);
        } else if (!are_wanted() && !strchr(p.caption, '?'))
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
    struct later later = {0};
    struct text missing = {0};
    const char *file = plain_is_too_large(answers) ? "" : file_text(answers);
    bool open = print_pictures(lesson, file_text(lesson->readme), file, &later, &missing);
    print_other_answers(file, lesson);
    if (open) {
        printf("Write your answers in ");
        plain_print(answers);
        puts(", each below the name of its picture, for example `## weights`.\n");
    }
    print_later(lesson, &later);
    if (missing.length > 0)
        printf("These pictures could not be drawn:%s.\n\n", text_of(&missing));
}
