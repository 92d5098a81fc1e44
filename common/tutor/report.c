#include "report.h"

#include "quiz.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const state_names[] = {"not checked", "to do", "wrong", "broken", "done"};

void report_overview(const struct lesson *lesson) {
    struct path score = quiz_score(lesson);
    printf("| %s | %s | %d of %d | %s | %s |\n", lesson->number, lesson->title,
           lesson_done_count(lesson), lesson->count, lesson_done(lesson) ? "passed" : "not yet",
           score.chars[0] ? score.chars : "not taken");
}

static void print_exercises(const struct lesson *lesson) {
    puts("| exercise | state | tests passed |\n|:--|:--|--:|");
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        printf("| `%s` | %s | %d of %d |\n", e->name, state_names[e->state], e->passed, e->tests);
    }
    putchar('\n');
}

/* In a caption $d_k$ is just d_k. */
static const char *without_dollars(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '$')
            *to++ = *from;
    *to = '\0';
    return text;
}

/* The lesson's text lists its pictures, and says what to see in each: "- `weights.gp`: ...". */
static void print_plots(const struct lesson *lesson) {
    struct text readme;
    char line[2000], name[64];
    int behind;
    text_read_file(&readme, lesson->readme.chars);
    const char *at = text_of(&readme);
    while (next_line(&at, line, sizeof line)) {
        behind = 0;
        if (sscanf(line, "- `%63[a-z0-9_].gp`: %n", name, &behind) != 1 || behind == 0)
            continue;
        line[behind] = (char)toupper((unsigned char)line[behind]);
        struct path picture = path_of("plots/%s.png", name);
        printf("![%s](%s)\n\n", without_dollars(line + behind),
               lesson_file(lesson, picture.chars).chars);
    }
    text_free(&readme);
}

/* A fence that no line of C can close. */
static const char fence[] = "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~";

static void print_code(const struct lesson *lesson) {
    struct text source;
    if (!text_read_file(&source, lesson->source.chars))
        return;
    printf("The code, `%s`:\n\n%s {.c}\n%s", lesson->source.chars, fence, text_of(&source));
    if (!ends_with(text_of(&source), "\n"))
        putchar('\n');
    printf("%s\n\n", fence);
    text_free(&source);
}

/* What the milestone of the lesson came to, where there is one and it has run. */
static void print_milestone(const struct lesson *lesson) {
    struct text result;
    if (!text_read_file(&result, lesson_file(lesson, "run/result.txt").chars))
        return;
    printf("The milestone, `make run-%s`:\n\n%s\n%s%s\n\n", lesson->number, fence, text_of(&result),
           fence);
    text_free(&result);
}

/* An untouched stub is nothing to read. */
static bool is_begun(const struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++)
        if (lesson->exercises[i].state > NOT_STARTED)
            return true;
    return lesson->unbuilt;
}

void report_lesson(const struct lesson *lesson) {
    printf("## Lesson %s: %s\n\n", lesson->number, lesson->title);
    print_exercises(lesson);
    if (lesson->unbuilt)
        puts("As it is now, the file does not build. The table is of an earlier one, if of any.\n");
    if (lesson_done(lesson)) {
        print_milestone(lesson);
        print_plots(lesson);
    }
    if (is_begun(lesson))
        print_code(lesson);
}
