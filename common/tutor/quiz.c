/* make quiz: reads the questions of a quiz.md, shuffles their options, asks them at the terminal
   and keeps the score of the first try and of the last. */
#include "tutor/commands.h"

#include "base/screen.h"
#include "course/sealed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- reading -------------------------------------------------------------------------------- */

enum { MOST_QUESTIONS = 40, MOST_OPTIONS = 6 };

struct question {
    const char *text, *why;
    const char *options[MOST_OPTIONS];
    int count;  /* of options */
    int answer; /* the right one, from 0 */
};

struct questions {
    struct question all[MOST_QUESTIONS];
    int count;
};

/* "- a) an option", "**b)** the answer, and why", or the question itself. */
static void read_question_line(struct question *q, const char *line, const char **at) {
    if (starts_with(line, "- ") && line[3] == ')' && q->count < MOST_OPTIONS) {
        q->options[q->count++] = paragraph_of(line + 5, at);
    } else if (starts_with(line, "**") && starts_with(line + 3, ")** ")) {
        q->answer = line[2] - 'a';
        q->why = paragraph_of(line + 7, at);
    } else if (line[0] && !q->text) {
        q->text = paragraph_of(line, at);
    }
}

static bool can_be_asked(const struct questions *questions) {
    for (int i = 0; i < questions->count; i++) {
        const struct question *q = &questions->all[i];
        if (q->count < 2 || q->answer < 0 || q->answer >= q->count || !q->why)
            return false;
    }
    return questions->count > 0;
}

static bool read_questions(struct questions *questions, const struct lesson *lesson) {
    const char *at = sealed_text(path_of("lessons/%s/quiz.md", lesson->folder));
    *questions = (struct questions){0};
    for (const char *line; (line = next_line(&at));) {
        if (starts_with(line, "## ") && questions->count < MOST_QUESTIONS)
            questions->count++;
        else if (questions->count > 0)
            read_question_line(&questions->all[questions->count - 1], line, &at);
    }
    return can_be_asked(questions);
}

/* --- shuffling ------------------------------------------------------------------------------ */

/* So that letters carry nothing from one taking to the next. */
static void shuffle_options(struct question *q) {
    for (int i = q->count - 1; i > 0; i--) {
        int k = rand() % (i + 1);
        const char *option = q->options[i];
        q->options[i] = q->options[k];
        q->options[k] = option;
        q->answer = q->answer == i ? k : q->answer == k ? i : q->answer;
    }
}

static void shuffle(struct questions *questions) {
    const char *asked = getenv("SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    bool is_asked = asked && *asked;
    unsigned seed = is_asked ? (unsigned)atoi(asked) : (unsigned)(now.tv_nsec ^ now.tv_sec);
    srand(seed);
    for (int i = 0; (seed || !is_asked) && i < questions->count; i++)
        shuffle_options(&questions->all[i]);
}

/* --- scores --------------------------------------------------------------------------------- */

struct try {
    int right, asked, total;
};

/* The first try and the last: how many there are, 0 to 2. */
static int load_tries(struct try tries[2], const struct lesson *lesson) {
    const char *at = file_text(lesson_file(lesson, "quiz")), *line;
    int count = 0;
    while (count < 2 && (line = next_line(&at)) &&
           sscanf(line, "%d %d %d", &tries[count].right, &tries[count].asked,
                  &tries[count].total) == 3)
        count++;
    return count;
}

static void keep_tries(const struct try *tries, int count, const struct lesson *lesson) {
    FILE *file = fopen(lesson_file(lesson, "quiz"), "w");
    if (!file)
        return;
    for (int i = 0; i < count; i++)
        fprintf(file, "%d %d %d\n", tries[i].right, tries[i].asked, tries[i].total);
    fclose(file);
}

const char *quiz_score(const struct lesson *lesson) {
    struct try tries[2];
    int count = load_tries(tries, lesson);
    const struct try *first = &tries[0], *last = &tries[1];
    if (count == 0)
        return "";
    if (count == 1)
        return path_of("%d of %d%s", first->right, first->asked,
                       first->asked < first->total ? " so far" : "");
    return path_of("%d of %d, then %d of %d", first->right, first->asked, last->right, last->asked);
}

/* --- asking --------------------------------------------------------------------------------- */

/* The number of an option from standard input, or -1 at its end. Anything else is explained and
   asked again. */
static int read_answer(int count) {
    char line[200];
    char last = (char)('a' + count - 1);
    for (;;) {
        printf("  Your answer (a to %c): ", last);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return -1;
        if (!isatty(STDIN_FILENO))
            putchar('\n'); /* the terminal shows no Enter then */
        const char *at = line + strspn(line, " \t");
        char letter = (char)tolower((unsigned char)*at);
        bool alone = *at && strspn(at + 1, " \t\r\n).") == strlen(at + 1);
        if (alone && letter >= 'a' && letter <= last)
            return letter - 'a';
        printf("  Type one letter from a to %c, then Enter. Ctrl-D ends the quiz.\n", last);
    }
}

static void show_question(const struct question *q, int number, int total) {
    say(BOLD, "\nQuestion %d of %d\n", number, total);
    say_paragraph(PLAIN, 2, q->text ? q->text : "");
    putchar('\n');
    for (int i = 0; i < q->count; i++) {
        printf("  %c) ", 'a' + i);
        say_hanging(PLAIN, 5, q->options[i]);
    }
    putchar('\n');
}

/* Adds the answer to the try. False at the end of the input. */
static bool ask(const struct question *q, struct try *now) {
    show_question(q, now->asked + 1, now->total);
    int answer = read_answer(q->count);
    if (answer < 0)
        return false;
    putchar('\n');
    if (answer == q->answer)
        say(GREEN, "  Right: %c.\n", 'a' + q->answer);
    else
        say(RED, "  Not %c. The answer is %c.\n", 'a' + answer, 'a' + q->answer);
    say_paragraph(PLAIN, 2, q->why);
    now->asked++;
    now->right += answer == q->answer;
    return true;
}

static void ask_all(const struct questions *questions, const struct lesson *lesson) {
    struct try tries[2] = {{0, 0, 0}, {0, 0, 0}};
    int before = load_tries(tries, lesson) > 0;
    struct try *now = &tries[before];
    *now = (struct try){0, 0, questions->count};
    while (now->asked < now->total && ask(&questions->all[now->asked], now))
        keep_tries(tries, before + 1, lesson);
    bool left = now->asked < now->total;
    printf("%s\n%d of %d right", left ? "\n" : "", now->right, now->asked);
    if (left)
        printf(", and %d questions left. %s", now->total - now->asked,
               now->asked > 0 ? "Your score is saved" : "Nothing is saved");
    puts(".");
    if (before)
        printf("Your first try: %d of %d.\n", tries[0].right, tries[0].asked);
}

int run_quiz(struct job *job) {
    const struct lesson *lesson = &job->lesson;
    struct questions questions;
    bool good = read_questions(&questions, lesson);
    if (good) {
        shuffle(&questions);
        printf("Lesson %s: %s. %d questions. Ctrl-D ends the quiz at any time.\n", lesson->number,
               lesson->title, questions.count);
        ask_all(&questions, lesson);
    } else {
        fprintf(stderr, "lessons/%s/quiz.md has no valid questions.\n", lesson->folder);
    }
    return good ? 0 : 1;
}
