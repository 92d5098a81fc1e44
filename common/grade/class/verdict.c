#include "grade/class/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines of fields ------------------------------------------------------------------------ */

/* The next line of a text, cut into as many fields as it must have; false at the end. */
static bool next_fields(char **at, int count, char *fields[]) {
    char *line = *at;
    if (!line || !*line)
        return false;
    size_t length = strcspn(line, "\n");
    *at = line + length + (line[length] == '\n');
    line[length] = '\0';
    for (int i = 0; i < count; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (i + 1 < count && !*line)
            return false;
        if (*line)
            *line++ = '\0';
    }
    return true;
}

static bool read_number(const char *text, int *number) {
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end > text && !*end && value >= 0 && value < 100000;
}

/* --- the parts ------------------------------------------------------------------------------ */

static bool read_first(struct verdict *v) {
    char *at = v->first.chars, *fields[5], *problem[1] = {""};
    if (!next_fields(&at, 5, fields))
        return false;
    next_fields(&at, 1, problem);
    v->problem = problem[0];
    v->in_part = strcmp(fields[0], "in part") == 0;
    v->built = v->in_part || strcmp(fields[0], "graded") == 0;
    return (v->built || strcmp(fields[0], "not built") == 0) && read_number(fields[1], &v->done) &&
           read_number(fields[2], &v->of) && read_number(fields[3], &v->passed) &&
           read_number(fields[4], &v->tests);
}

static bool read_exercises(struct verdict *v) {
    char *at = v->exercise_lines.chars, *fields[5];
    while (next_fields(&at, 5, fields)) {
        v->exercises = with_room(v->exercises, v->count, sizeof *v->exercises);
        struct judged_exercise *e = &v->exercises[v->count++];
        *e = (struct judged_exercise){.name = fields[0], .state = fields[1], .mistake = fields[4]};
        if (!read_number(fields[2], &e->passed) || !read_number(fields[3], &e->count))
            return false;
    }
    return (!at || !*at) && v->count == v->of && v->count > 0;
}

static bool read_result(const char *word, enum test_result *result) {
    static const char *const words[] = {"pass", "fail", "error", "skipped"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0) {
            *result = (enum test_result)i;
            return true;
        }
    return false;
}

static struct judged_exercise *find_exercise(struct verdict *v, const char *name) {
    for (int i = 0; i < v->count; i++)
        if (strcmp(v->exercises[i].name, name) == 0)
            return &v->exercises[i];
    return NULL;
}

static bool read_tests(struct verdict *v) {
    char *at = v->test_lines.chars, *fields[6];
    while (next_fields(&at, 6, fields)) {
        struct judged_exercise *e = find_exercise(v, fields[0]);
        struct judged_test test = {fields[1], fields[4], fields[5], TEST_SKIPPED,
                                   strtod(fields[3], NULL)};
        if (!e || !read_result(fields[2], &test.result))
            return false;
        e->tests = with_room(e->tests, e->listed, sizeof *e->tests);
        e->tests[e->listed++] = test;
    }
    return !at || !*at;
}

static double read_seconds(const char *folder) {
    struct text text;
    text_read_file(&text, path_of("%s/seconds", folder).chars);
    double seconds = strtod(text_of(&text), NULL);
    text_free(&text);
    return seconds;
}

/* Where the file lay when it was judged is nothing to tell. */
static bool read_part(struct text *text, const char *folder, const char *part, const char *place) {
    bool read = text_read_file(text, path_of("%s/%s", folder, part).chars);
    size_t length = strlen(place);
    for (char *at = text->chars; at && (at = strstr(at, place)); text->length -= length)
        memmove(at, at + length, strlen(at + length) + 1);
    return read;
}

bool verdict_read(struct verdict *v, const char *folder, const char *place) {
    *v = (struct verdict){.seconds = read_seconds(folder)};
    v->there = read_part(&v->first, folder, "verdict", place) &&
               read_part(&v->exercise_lines, folder, "exercises", place) &&
               read_part(&v->test_lines, folder, "tests", place) && read_first(v) &&
               read_exercises(v) && read_tests(v);
    if (!v->there)
        verdict_free(v);
    return v->there;
}

void verdict_free(struct verdict *v) {
    for (int i = 0; i < v->count; i++)
        free(v->exercises[i].tests);
    free(v->exercises);
    text_free(&v->first);
    text_free(&v->exercise_lines);
    text_free(&v->test_lines);
    *v = (struct verdict){0};
}

bool is_done(const struct judged_exercise *e) {
    return strcmp(e->state, "done") == 0;
}
