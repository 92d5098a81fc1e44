#include "report.h"

#include "guide.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The lesson's text says what to see in each picture: "- `weights.gp`: …". */
static struct text caption_of(const char *readme, const char *plot) {
    char line[2000];
    struct path start = path_of("- `%s.gp`: ", plot);
    struct text caption = {0};
    while (next_line(&readme, line, sizeof line))
        if (starts_with(line, start.chars))
            text_print(&caption, "%s", line + strlen(start.chars));
    return caption;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct path *)a)->chars, ((const struct path *)b)->chars);
}

static int find_plots(const struct lesson *lesson, struct path *names, int most) {
    int count = 0;
    DIR *directory = opendir(path_of("plots/%s", lesson->folder).chars);
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory)) && count < most;)
        if (ends_with(entry->d_name, ".gp"))
            names[count++] = path_of("%.*s", (int)strlen(entry->d_name) - 3, entry->d_name);
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static void print_plots(const struct lesson *lesson) {
    struct path names[32];
    struct text readme;
    int count = find_plots(lesson, names, 32);
    const char *slash = strrchr(lesson->results.chars, '/');
    text_read_file(&readme, lesson->readme.chars);
    for (int i = 0; i < count; i++) {
        struct text caption = caption_of(text_of(&readme), names[i].chars);
        printf("![%s](%.*s/plots/%s.png)\n\n", text_of(&caption),
               (int)(slash - lesson->results.chars), lesson->results.chars, names[i].chars);
        text_free(&caption);
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

void report_lesson(const struct lesson *lesson) {
    printf("## Lesson %s: %s\n\n", lesson->number, lesson->title);
    print_exercises(lesson);
    if (!lesson_done(lesson))
        return;
    print_plots(lesson);
    print_code(lesson);
}
