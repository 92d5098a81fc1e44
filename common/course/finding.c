/* A report has a line for each thing: the tests that are planned, then for each what it saw and how
   it came out. An exercise is done when all of its tests have passed. */
#include "course/finding.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct test *find(const struct report *report, const char *exercise, const char *name) {
    for (int i = 0; i < report->count; i++) {
        struct test *t = &report->tests[i];
        if (strcmp(t->exercise->name, exercise) == 0 && strcmp(t->name, name) == 0)
            return t;
    }
    return NULL;
}

static void plan(struct report *report, struct lesson *lesson, const char *rest) {
    char exercise[NAME_SIZE], name[NAME_SIZE];
    if (sscanf(rest, "%255s %255s", exercise, name) != 2 || find(report, exercise, name))
        return;
    struct exercise *e = lesson_exercise(lesson, exercise);
    if (!e)
        return;
    report->tests = with_room(report->tests, report->count, sizeof *report->tests);
    struct test *t = &report->tests[report->count++];
    *t = (struct test){.exercise = e};
    snprintf(t->name, sizeof t->name, "%s", name);
}

/* tests/01-softmax/test_softmax.c:58:the_name:FAIL: message */
static void read_unity(struct test *t, const char *rest) {
    char middle[NAME_SIZE + 2];
    snprintf(middle, sizeof middle, ":%s:", t->name);
    const char *name = strstr(rest, middle);
    if (!name)
        return;
    const char *verdict = name + strlen(middle);
    if (starts_with(verdict, "PASS"))
        t->verdict = PASSED;
    if (starts_with(verdict, "IGNORE") && t->verdict != TODO_REACHED)
        snprintf(t->touched, sizeof t->touched, "left"); /* Unity's macros are not for learners */
    if (!starts_with(verdict, "FAIL"))
        return;
    t->verdict = FAILED;
    snprintf(t->where, sizeof t->where, "%.*s", (int)(name - rest), rest);
    if (starts_with(verdict, "FAIL: "))
        snprintf(t->message, sizeof t->message, "%s", verdict + 6);
}

static void read_about(struct test *t, const char *kind, const char *rest) {
    if (strcmp(kind, "unity") == 0)
        read_unity(t, rest);
    else if (strcmp(kind, "|") == 0)
        text_print(&t->detail, "%s\n", rest);
    else if (strcmp(kind, "<") == 0)
        text_print(&t->inputs, "%s\n", rest);
    else if (*kind && strchr("=:!", *kind)) {
        snprintf(t->broke, sizeof t->broke, "%s", rest);
        t->sure = *kind == '!';
        t->guessed = *kind == ':';
    } else if (strcmp(kind, "~") == 0)
        snprintf(t->evidence, sizeof t->evidence, "%s", rest);
    else if (strcmp(kind, "%") == 0)
        text_print(&t->relations, "%s\n", rest);
    else if (strcmp(kind, "?") == 0)
        text_print(&t->facts, "%s\n", rest);
    else if (strcmp(kind, "^") == 0)
        snprintf(t->trapped, sizeof t->trapped, "%s", rest);
    else if (strcmp(kind, "@") == 0)
        snprintf(t->touched, sizeof t->touched, "%s", rest);
    else if (strcmp(kind, "took") == 0)
        t->seconds = atof(rest);
    else if (strcmp(kind, "cost") == 0)
        t->cost = atof(rest);
    else if (strcmp(kind, "todo") == 0) {
        t->verdict = TODO_REACHED;
        sscanf(rest, "%255s %255s", t->missing, t->todo);
    }
    if (strcmp(kind, "@") == 0 && strcmp(rest, "left") == 0)
        t->verdict = RUNNING;
}

/* Takes what stands behind a byte 1, up to the next one or, unless it `ends`, to the end. */
static void take_marked(struct text *to, const char **from, bool ends) {
    const char *mark = strchr(*from, '\1');
    const char *end = mark ? mark + 1 + strcspn(mark + 1, "\1") : "";
    if (!mark || (ends && !*end))
        return;
    text_add(to, mark + 1, (size_t)(end - mark - 1));
    *from = end + ends;
}

/* The child writes a byte 1 to standard output before each test. */
static void begin(struct test *t, const char *name, const char **out) {
    *t = (struct test){.exercise = t->exercise, .verdict = RUNNING};
    snprintf(t->name, sizeof t->name, "%s", name);
    take_marked(&t->printed, out, false);
}

void report_read(struct report *report, struct lesson *lesson, const struct child *child) {
    char exercise[NAME_SIZE], name[NAME_SIZE];
    char *line;
    struct test *current = NULL;
    const char *at = text_of(&child->report), *out = text_of(&child->out),
               *err = text_of(&child->err);
    report->finished = false;
    while ((line = next_line(&at))) {
        size_t length = strcspn(line, " ");
        const char *rest = line[length] ? line + length + 1 : "";
        line[length] = '\0';
        bool runs = strcmp(line, "run") == 0;
        if (strcmp(line, "plan") == 0) {
            plan(report, lesson, rest);
        } else if (runs || strcmp(line, "again") == 0) {
            bool named = sscanf(rest, "%255s %255s", exercise, name) == 2;
            current = named ? find(report, exercise, name) : NULL;
            if (current && runs)
                begin(current, name, &out);
        } else if (strcmp(line, "done") == 0) {
            report->finished = true;
        } else if (strcmp(line, "#") == 0) {
            snprintf(report->failure, sizeof report->failure, "%s", rest);
        } else if (current) {
            read_about(current, line, rest);
            if (strcmp(line, "^") == 0) /* the stack of the first NaN is between two bytes 1 */
                take_marked(&current->trap_stack, &err, true);
        }
    }
}

static enum state state_of(const struct test *first_bad) {
    static const enum state states[] = {
        [FAILED] = WRONG, [TODO_REACHED] = NOT_STARTED, [RUNNING] = BROKEN};
    return first_bad ? states[first_bad->verdict] : DONE;
}

void report_judge(const struct report *report, struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        e->tests = e->passed = 0;
        for (int k = 0; k < report->count; k++)
            if (report->tests[k].exercise == e) {
                e->tests++;
                e->passed += report->tests[k].verdict == PASSED;
            }
        e->state = e->tests > 0 ? state_of(report_first_bad(report, e)) : NOT_CHECKED;
    }
}

void report_forget(struct report *report, const struct exercise *exercise) {
    for (int i = 0; i < report->count; i++)
        if (report->tests[i].exercise == exercise)
            report->tests[i].verdict = PLANNED;
}

bool test_of_missing(const struct test *test) {
    return strcmp(test->todo, ":0") == 0;
}

struct test *report_first_bad(const struct report *report, const struct exercise *exercise) {
    for (int i = 0; i < report->count; i++)
        if (report->tests[i].exercise == exercise && report->tests[i].verdict != PASSED)
            return &report->tests[i];
    return NULL;
}

/* --- the names of what findings say, for other programs --------------------------------------- */

#define NAME(name, json) [FOUND_##name] = json,
static const char *const kinds[] = {FINDING_KINDS(NAME)};
#undef NAME

#define NAME(name) #name,
static const char *const codes[] = {FINDING_CODES(NAME)};
#undef NAME

const char *finding_kind_name(enum finding_kind kind) {
    return kinds[kind];
}

const char *finding_code_name(enum finding_code code) {
    char *name = path_of("%s", codes[code]);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    return name;
}

bool cause_hedges(const struct cause *cause) {
    return strstr(cause->slips[0], " looks like ") != NULL;
}

bool finding_is_stop(const struct finding *finding) {
    return finding->kind == FOUND_TIME || finding->kind == FOUND_FLOOD;
}
