/* Both ends of one format: what `tutor grade` found out about a file, for make grade to read. Three
   files hold one thing a line, and the tables of columns below say which fields a line has, in
   which order. The writer makes every field readable text, so that none holds a tab or the end of a
   line. The reader cuts the lines where they are. */
#include "course/judged.h"

#include "base/files.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct column {
    enum { STRING, NUMBER, SECONDS, STATE, RESULT } kind;
    size_t at; /* in the struct */
};

/* The columns of a line, and how many there are. */
struct columns {
    struct column all[6];
    int count;
};
#define IN(thing, member) offsetof(struct thing, member)

static const struct columns head_columns = {{{STATE, IN(judged, state)},
                                             {NUMBER, IN(judged, done)},
                                             {NUMBER, IN(judged, of)},
                                             {NUMBER, IN(judged, passed)},
                                             {NUMBER, IN(judged, tests)}},
                                            5};
static const struct columns exercise_columns = {{{STRING, IN(judged_exercise, name)},
                                                 {STRING, IN(judged_exercise, state)},
                                                 {NUMBER, IN(judged_exercise, passed)},
                                                 {NUMBER, IN(judged_exercise, count)},
                                                 {STRING, IN(judged_exercise, mistake)}},
                                                5};
static const struct columns test_columns = {{{STRING, IN(judged_test, exercise)},
                                             {STRING, IN(judged_test, sentence)},
                                             {RESULT, IN(judged_test, result)},
                                             {SECONDS, IN(judged_test, seconds)},
                                             {STRING, IN(judged_test, place)},
                                             {STRING, IN(judged_test, said)}},
                                            6};

const char *const file_state_words[] = {"graded",   "in part", "not built", "missing",
                                        "not read", "error",   "stopped",   NULL};
static const char *const result_words[] = {"pass", "fail", "error", "skipped", NULL};

bool is_done(const struct judged_exercise *e) {
    return strcmp(e->state, "done") == 0;
}

void judged_add(struct judged *judged, struct judged_exercise exercise) {
    judged->exercises = with_room(judged->exercises, judged->count, sizeof exercise);
    judged->exercises[judged->count++] = exercise;
}

void judged_add_test(struct judged_exercise *e, struct judged_test test) {
    e->tests = with_room(e->tests, e->listed, sizeof test);
    e->tests[e->listed++] = test;
}

/* --- writing -------------------------------------------------------------------------------- */

static void add_readable(struct text *text, const char *words) {
    text_add_readable(text, words, strlen(words), '\0');
}

static void add_field(struct text *text, struct column column, const void *thing) {
    const char *member = (const char *)thing + column.at;
    switch (column.kind) {
    case STRING:
        add_readable(text, *(const char *const *)member);
        break;
    case NUMBER:
        text_print(text, "%d", *(const int *)member);
        break;
    case SECONDS:
        text_print(text, "%.4f", *(const double *)member);
        break;
    case STATE:
        text_print(text, "%s", file_state_words[*(const enum file_state *)member]);
        break;
    case RESULT:
        text_print(text, "%s", result_words[*(const enum test_result *)member]);
    }
}

static void add_line(struct text *text, const struct columns *columns, const void *thing) {
    for (int i = 0; i < columns->count; i++) {
        add_field(text, columns->all[i], thing);
        text_add(text, i + 1 < columns->count ? "\t" : "\n", 1);
    }
}

static bool write_part(struct text *text, const char *folder, const char *part) {
    bool written = file_replace(path_of("%s/%s", folder, part).chars, text);
    text_free(text);
    return written;
}

bool judged_write(const struct judged *judged, const char *folder) {
    struct text head = {0}, exercises = {0}, tests = {0};
    add_line(&head, &head_columns, judged);
    add_readable(&head, judged->problem);
    text_add(&head, "\n", 1);
    for (int i = 0; i < judged->count; i++) {
        const struct judged_exercise *e = &judged->exercises[i];
        add_line(&exercises, &exercise_columns, e);
        for (int k = 0; k < e->listed; k++)
            add_line(&tests, &test_columns, &e->tests[k]);
    }
    bool written = write_part(&exercises, folder, "exercises");
    written &= write_part(&tests, folder, "tests");
    return write_part(&head, folder, "verdict") && written;
}

/* --- reading -------------------------------------------------------------------------------- */

static bool read_number(const char *text, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end > text && !*end && value >= 0 && value < 100000;
}

/* Looks a word up among the first `count`. */
static bool read_word(const char *word, const char *const words[], int count, int *number) {
    for (*number = 0; *number < count; ++*number)
        if (strcmp(word, words[*number]) == 0)
            return true;
    return false;
}

static bool read_field(const char *field, struct column column, void *thing) {
    char *member = (char *)thing + column.at;
    int number = 0;
    bool good = true;
    switch (column.kind) {
    case STRING:
        *(const char **)member = field;
        break;
    case NUMBER:
        good = read_number(field, (int *)member);
        break;
    case SECONDS:
        *(double *)member = strtod(field, NULL);
        break;
    case STATE:
        good = read_word(field, file_state_words, NOT_BUILT + 1, &number);
        *(enum file_state *)member = (enum file_state)number;
        break;
    case RESULT:
        good = read_word(field, result_words, TEST_SKIPPED + 1, &number);
        *(enum test_result *)member = (enum test_result)number;
    }
    return good;
}

/* Cuts off the text up to one of these signs, and moves *at behind it; NULL at the end. */
static char *cut(char **at, const char *signs) {
    char *start = *at;
    if (!start)
        return NULL;
    char *end = start + strcspn(start, signs);
    *at = *end ? end + 1 : NULL;
    *end = '\0';
    return start;
}

/* Reads the next line into the struct; false after the last one, and where one is not whole, of
   which *whole then tells. */
static bool next_thing(char **at, const struct columns *columns, void *thing, bool *whole) {
    char *line = *at && **at && *whole ? cut(at, "\n") : NULL;
    bool there = line != NULL;
    for (int i = 0; there && *whole && i < columns->count; i++) {
        const char *field = cut(&line, "\t");
        *whole = field && read_field(field, columns->all[i], thing);
    }
    return there && *whole;
}

static struct judged_exercise *find_exercise(struct judged *judged, const char *name) {
    for (int i = 0; i < judged->count; i++)
        if (strcmp(judged->exercises[i].name, name) == 0)
            return &judged->exercises[i];
    return NULL;
}

static bool read_lines(struct judged *judged) {
    struct judged_exercise e = {0};
    struct judged_test t;
    bool whole = true;
    char *at = judged->head.chars;
    if (!next_thing(&at, &head_columns, judged, &whole))
        return false;
    judged->problem = at ? cut(&at, "\n") : "";
    for (at = judged->exercise_lines.chars; next_thing(&at, &exercise_columns, &e, &whole);)
        judged_add(judged, e);
    for (at = judged->test_lines.chars; next_thing(&at, &test_columns, &t, &whole);) {
        struct judged_exercise *of = find_exercise(judged, t.exercise);
        if (!of)
            return false;
        judged_add_test(of, t);
    }
    return whole && judged->count == judged->of && judged->count > 0;
}

static bool read_part(struct text *text, const char *folder, const char *part, const char *place) {
    bool read = text_read_file(text, path_of("%s/%s", folder, part).chars);
    size_t length = strlen(place);
    for (char *at = text->chars; at && (at = strstr(at, place)); text->length -= length)
        memmove(at, at + length, strlen(at + length) + 1);
    return read;
}

bool judged_read(struct judged *judged, const char *folder, const char *place) {
    struct text seconds;
    *judged = (struct judged){0};
    text_read_file(&seconds, path_of("%s/seconds", folder).chars);
    judged->seconds = strtod(text_of(&seconds), NULL);
    text_free(&seconds);
    bool read = read_part(&judged->head, folder, "verdict", place) &&
                read_part(&judged->exercise_lines, folder, "exercises", place) &&
                read_part(&judged->test_lines, folder, "tests", place) && read_lines(judged);
    if (!read)
        judged_free(judged);
    return read;
}

void judged_free(struct judged *judged) {
    for (int i = 0; i < judged->count; i++)
        free(judged->exercises[i].tests);
    free(judged->exercises);
    text_free(&judged->head);
    text_free(&judged->exercise_lines);
    text_free(&judged->test_lines);
    *judged = (struct judged){0};
}
