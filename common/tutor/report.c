/* Prints the homework report lesson by lesson: a table of exercises with tests, points and hints,
   then the pictures with the learner's answers, and the code. The pictures of a lesson are read
   from its README.md, and from each script the exercises that it needs. */
#include "tutor/commands.h"

#include "base/plain.h"
#include "base/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- points --------------------------------------------------------------------------------- */

/* Lines "exercise points" of the lecturer's, or 100 for all exercises alike. */
struct points {
    bool given;
    const char *file;
    double even;
};

static double worth(const struct points *points, const char *exercise) {
    if (!points->given)
        return points->even;
    const char *row = path_of("^(.*\n)?[ \t]*%s[ \t]+([^ \t\r\n]+)", exercise); /* the last one */
    const char *number = part_of(points->file, row, 2);
    return number ? atof(number) : 0.0;
}

/* Of any lesson: the report may be about some of them. */
static bool is_exercise(const char *name) {
    EACH_LESSON (l, read_lessons(".", ".", ALL_LESSONS))
        if (lesson_exercise(l, name))
            return true;
    return false;
}

static bool read_points(struct points *points, const char *path) {
    char name[NAME_SIZE];
    double number;
    struct text file;
    points->given = true;
    if (!text_read_file(&file, path)) {
        fprintf(stderr, "POINTS=%s: the file cannot be read.\n", path);
        return false;
    }
    const char *at = points->file = text_of(&file), *line;
    for (int row = 1; (line = next_line(&at)); row++) {
        size_t space = strspn(line, " \t\r");
        if (!line[space] || line[space] == '#')
            continue;
        if (sscanf(line, "%255s %lf", name, &number) != 2 || !is_exercise(name) ||
            !(number >= 0 && number <= 1e6)) {
            fprintf(stderr, "%s:%d: each line must have the form \"exercise points\".\n", path,
                    row);
            return false;
        }
    }
    return true;
}

static void add_up(const struct lesson *lesson, const struct points *points, double *got,
                   double *of) {
    for (int i = 0; i < lesson->count; i++) {
        double more = worth(points, lesson->exercises[i].name);
        *of += more;
        *got += lesson->exercises[i].state == DONE ? more : 0.0;
    }
}

/* Rounded to tenths, which %g prints without zeros at the end; the lecturer's to hundredths. */
static double rounded(const struct points *points, double x) {
    double steps = points->given ? 100.0 : 10.0;
    return (double)(long)(x * steps + 0.5) / steps;
}

/* Empty if there are no points to get. */
static void print_points(const struct points *points, double got, double of) {
    if (of > 0.0)
        printf("%g of %g", rounded(points, got), rounded(points, of));
    printf(" | ");
}

/* --- exercises ------------------------------------------------------------------------------ */

/* True if two functions with that name differ only in spaces and comments. */
static bool is_identical(const char *a, const char *b, const char *name) {
    struct code mine, reference = {0};
    bool same = code_find_tokens(&mine, a, name) && code_find_tokens(&reference, b, name) &&
                mine.count == reference.count;
    for (int i = 0; same && i < mine.count; i++)
        same = same_token(&mine, i, &reference, i);
    return same;
}

static void print_exercise(const struct lesson *lesson, const struct exercise *e,
                           const struct points *points, bool identical) {
    int hints = hints_shown(lesson, e->name);
    double of = worth(points, e->name);
    printf("| `%s` | %s | ", e->name, state_word(e->state));
    if (e->tests > 0)
        printf("%d of %d", e->passed, e->tests);
    printf(" | ");
    print_points(points, e->state == DONE ? of : 0.0, of);
    if (hints > 0)
        printf("%d", hints);
    printf(" | ");
    if (e->state == WAITING)
        printf("waits for `%s`", e->waits_for);
    else if (e->state != DONE)
        plain_print(e->told);
    else if (identical)
        printf("identical to the reference");
    puts(" |");
}

static void print_exercises(const struct lesson *lesson, const struct points *points) {
    const char *reference = file_text(path_of("solutions/%s/%s.c", lesson->folder, lesson->name));
    const char *mine = file_text(lesson->source);
    if (strlen(mine) > PLAIN_MOST_BYTES)
        mine = "";
    puts("| exercise | state | tests | points | hints | remark |\n"
         "|:---------------|:------|:------|:--------|:---|:-------------------------|");
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        print_exercise(lesson, e, points, is_identical(mine, reference, e->name));
    }
    putchar('\n');
}

/* --- pictures ------------------------------------------------------------------------------- */

struct picture {
    const char *name, *caption; /* from the lesson's text: "- `weights.gp`: what to see" */
};

static bool next_picture(const char **at, struct picture *p) {
    static const char form[] = "^- `([a-z0-9_]+)\\.gp`: *(.*)";
    for (const char *line; (line = next_line(at));) {
        const char *words = part_of(line, form, 2);
        struct text caption = {0};
        if (!words)
            continue;
        for (const char *c = words; *c; c++)
            if (*c != '$') /* $d_k$ is just d_k here */
                text_print(&caption, "%c", c == words ? toupper((unsigned char)*c) : *c);
        *p = (struct picture){part_of(line, form, 1), text_of(&caption)};
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
        if (needed && e->state != DONE)
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

/* True for an item of a list, a line that is indented, and another line that stands for itself. */
static bool is_own_line(const char *line) {
    size_t digits = strspn(line, "0123456789");
    return strchr(" \t-*+|`>", line[0]) || (digits > 0 && strchr(".)", line[digits]));
}

/* The lines of a paragraph flow together, unless they are items or between lines of ```. */
static void print_prose(const char *at) {
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

/* The text below a heading, if that names the picture; or for NULL, if it names no picture. */
static bool print_section(const struct lesson *lesson, const char *name, const char *text,
                          const char *picture) {
    bool known = access(path_of("plots/%s/%s.gp", lesson->folder, name), F_OK) == 0;
    if (!*text || (picture ? strcmp(name, picture) != 0 : known))
        return false;
    if (!picture)
        printf(name[0] ? "Answer under the heading `%s`, which is not a picture of this lesson:\n\n"
                       : "Text without the name of a picture:%s\n\n",
               name);
    print_prose(text);
    return true;
}

/* Prints what is below the headings of a picture, "## weights", "## weights.gp" or "## `weights`".
   NULL: what is below other headings, so that a misspelled name loses no answer. False if there is
   nothing. */
static bool print_answers(const char *answers, const struct lesson *lesson, const char *picture) {
    const char *name = "", *line;
    struct text text = {0};
    bool found = false;
    do {
        line = next_line(&answers);
        const char *next = line ? part_of(line, "^## +`*([A-Za-z0-9_]+)", 1) : "";
        if (!next) {
            text_print(&text, "%s\n", line);
            continue;
        }
        found |= print_section(lesson, name, trimmed(text_of(&text)), picture);
        name = next;
        text = (struct text){0};
    } while (line);
    return found;
}

/* --- pictures with answers ------------------------------------------------------------------ */

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
    bool answered = print_answers(answers, lesson, p->name), asked = strchr(p->caption, '?');
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

/* Prints the pictures of a lesson with their questions, and the learner's answers from a file with
   a "## name" before each. */
static void print_all_pictures(const struct lesson *lesson, const char *answers) {
    struct later later = {0};
    struct text missing = {0};
    const char *file = plain_is_too_large(answers) ? "" : file_text(answers);
    bool open = print_pictures(lesson, file_text(lesson->readme), file, &later, &missing);
    print_answers(file, lesson, NULL);
    if (open) {
        printf("Write your answers in ");
        plain_print(answers);
        puts(", each below the name of its picture, for example `## weights`.\n");
    }
    print_later(lesson, &later);
    if (missing.length > 0)
        printf("These pictures could not be drawn:%s.\n\n", text_of(&missing));
}

/* --- lessons -------------------------------------------------------------------------------- */

static void print_summary(const struct lesson lessons[], int count, const struct points *points) {
    double got = 0.0, of = 0.0;
    int whole = 0, done = 0, exercises = 0;
    for (int i = 0; i < count; i++) {
        add_up(&lessons[i], points, &got, &of);
        whole += lesson_done(&lessons[i]);
        done += lesson_done_count(&lessons[i]);
        exercises += lessons[i].count;
    }
    printf("Done: **%d of %d** exercises, and **%d of %d** lessons as a whole. "
           "Points: **%g of %g**.%s\n\n",
           done, exercises, whole, count, rounded(points, got), rounded(points, of),
           points->given ? "" : " Every exercise is worth the same number of points.");
}

static void print_overview(const struct lesson lessons[], int count, const struct points *points) {
    puts("| lesson | title | done | points | quiz |\n|:--|:--|:--|:--|:--|");
    for (int i = 0; i < count; i++) {
        const struct lesson *l = &lessons[i];
        double got = 0.0, of = 0.0;
        const char *score = quiz_score(l);
        add_up(l, points, &got, &of);
        printf("| %s | %s | %d of %d | ", l->number, l->title, lesson_done_count(l), l->count);
        print_points(points, got, of);
        printf("%s |\n", score[0] ? score : "not taken");
    }
    putchar('\n');
}

/* What the milestone of the lesson came to, where there is one and it has run. */
static void print_milestone(const struct lesson *lesson) {
    const char *result = lesson_file(lesson, "run/result.txt");
    if (access(result, R_OK) != 0)
        result = lesson_file(lesson, "run-quick/result.txt");
    if (!lesson_done(lesson) || access(result, R_OK) != 0)
        return;
    printf("Result of the milestone (`make run-%s`):\n\n", lesson->number);
    plain_print_file("result", result, "");
}

/* A lesson that the learner has not touched has its line in the overview, and no section. */
static bool is_begun(const struct lesson *lesson, const char *answers) {
    bool begun = lesson->unbuilt || access(answers, R_OK) == 0;
    for (int i = 0; i < lesson->count; i++)
        begun = begun || lesson->exercises[i].state > NOT_STARTED ||
                hints_shown(lesson, lesson->exercises[i].name) > 0;
    return begun;
}

/* What follows the last exercise in the reference. */
static const char *given_part(const struct lesson *lesson) {
    const char *reference = path_of("solutions/%s/%s.c", lesson->folder, lesson->name);
    const char *given = part_of(file_text(reference), ".*// END SOLUTION\n}\n(.*)", 1);
    return given ? given : "";
}

static void print_lesson(const struct lesson *lesson, const struct points *points,
                         const char *answers) {
    printf("## Lesson %s: %s\n\n", lesson->number, lesson->title);
    if (lesson->unbuilt)
        puts("The file does not build, so none of its exercises counts as done.\n");
    print_exercises(lesson, points);
    print_milestone(lesson);
    print_all_pictures(lesson, answers);
    printf("The code in ");
    plain_print(lesson->source);
    puts(":\n");
    if (!plain_print_file("c", lesson->source, given_part(lesson)))
        puts("This file does not exist.\n");
}

/* LESSON...: the homework report on these, as Markdown. $NAME and $POINTS are the learner's name
   and the lecturer's file of points. */
int run_report(struct job *job) {
    struct lesson *lessons = NULL;
    struct points points = {0};
    char date[20];
    time_t now = time(NULL);
    const char *name = getenv("NAME"), *file = getenv("POINTS"), *from = job->settings->from;
    int count = 0, exercises = 0;
    if (file && *file && !read_points(&points, file))
        return 2;
    for (; job->words[count]; exercises += lessons[count++].count) {
        lessons = with_room(lessons, count, sizeof *lessons);
        lesson_read(&lessons[count], job->words[count], from, job->settings->out);
        results_load(&lessons[count]);
    }
    points.even = 100.0 / exercises;
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    name = name ? name : "";
    printf("---\npagetitle: |-\n  Lookback: homework report%s", *name ? ", " : "");
    plain_print(name);
    puts("\n---\n\n# Lookback: homework report\n\n::: {.who}");
    plain_print(*name ? name : "No name given: use make report NAME=\"...\"");
    printf("\n:::\n\n%s\n\n", date);
    print_summary(lessons, count, &points);
    print_overview(lessons, count, &points);
    for (int i = 0; i < count; i++) {
        const char *answers = path_of("%s/answers/%s.md", from, lessons[i].number);
        if (is_begun(&lessons[i], answers))
            print_lesson(&lessons[i], &points, answers);
    }
    return 0;
}
