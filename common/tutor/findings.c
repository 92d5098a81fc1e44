/* Writes findings as JSON: the data, and the words that the screen uses for it. An empty field is
   left out, except for the fields that README.md calls always present. */
#include "tutor/commands.h"

#include "base/json.h"
#include "tutor/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_NUMBER = 1, MOST_PRINTED = 1000 /* bytes */ };

bool findings_are_wanted(void) {
    const char *format = getenv("FORMAT");
    return format && strcmp(format, "json") == 0;
}

static void add(struct json *j, const char *key, const char *value) {
    if (*value)
        json_string(j, key, value);
}

static void add_number(struct json *j, const char *key, double value) {
    if (value != 0.0)
        json_number(j, key, value);
}

/* Each line is a string. */
static void add_lines(struct json *j, const char *key, const char *lines) {
    json_open(j, key, '[');
    for (const char *line; (line = next_line(&lines));)
        json_string(j, NULL, line);
    json_close(j, ']');
}

/* The learner's numbers, "3 N 6 0.25 nan ..."; anything else becomes null. */
static void add_evidence(struct json *j, const char *evidence) {
    char kind;
    int used = 0;
    char *end;
    if (sscanf(evidence, "%*d %c %*d%n", &kind, &used) != 1 || used == 0 || !strchr("NMGF", kind))
        return;
    json_open(j, "numbers", '[');
    for (const char *at = evidence + used; *at; at = end) {
        double number = strtod(at, &end);
        if (end == at)
            break;
        if (isfinite(number))
            json_number(j, NULL, number);
        else
            json_word(j, NULL, "null");
    }
    json_close(j, ']');
}

static void add_test(struct json *j, const struct test *t) {
    add(j, "test", t->name);
    add(j, "test_place", t->where);
    if (t->verdict == FAILED) {
        add(j, "message", words_message(t));
        add_evidence(j, t->evidence);
    }
    add(j, "printed", path_of("%.*s", MOST_PRINTED, text_of(&t->printed)));
}

static void add_place(struct json *j, const struct finding *f) {
    add(j, "file", f->where);
    add_number(j, "line", f->line);
    add_number(j, "column", f->column);
    add(j, "function", f->function);
    if (f->stack.count == 0)
        return;
    json_open(j, "calls", '[');
    for (int i = 0; i < f->stack.count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "function", f->stack.frames[i].function);
        json_number(j, "line", f->stack.frames[i].line);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* What others said of a crash or of the file. */
static void add_code(struct json *j, const struct finding *f) {
    if (f->code == NO_CODE)
        return;
    json_string(j, "code", finding_code_name(f->code));
    add(j, "quote", f->quote);
    add(j, "name", f->name);
    add_number(j, "number", f->number);
    if (f->rank == 0)
        return;
    json_string(j, "element", f->element);
    json_string(j, "access", f->wrote ? "wrote" : "read");
    json_open(j, "size", '[');
    for (int i = 0; i < f->rank; i++)
        json_number(j, NULL, f->dims[i]);
    json_close(j, ']');
}

static void add_cause(struct json *j, const struct cause *cause) {
    static const char *const sure[] = {
        [NO_CAUSE] = "",     [STATED] = "stated",    [LIKELY] = "likely",
        [EITHER] = "either", [OF_ONE_KIND] = "kind", [IN_THIS_TEST] = "this-test",
    };
    if (cause->sureness == NO_CAUSE)
        return;
    json_string(j, "sure", sure[cause->sureness]);
    json_string(j, "origin", cause->generated ? "generated" : "listed");
    add_lines(j, "slips", text_of(&cause->names));
}

static void add_finding(struct json *j, const struct finding *f, const struct lesson *lesson) {
    json_open(j, NULL, '{');
    json_string_or_null(j, "exercise", f->exercise ? f->exercise->name : NULL);
    json_string(j, "kind", finding_kind_name(f->kind));
    if (f->exercise) {
        json_number(j, "passed", f->exercise->passed);
        json_number(j, "tests", f->exercise->tests);
        add_number(j, "defined", f->exercise->line);
    }
    add(j, "waits_for", words_waits_for(f));
    if (f->test)
        add_test(j, f->test);
    add_code(j, f);
    add_place(j, f);
    add_cause(j, &f->cause);
    if (f->laws.length > 0)
        add_lines(j, "laws", text_of(&f->laws));
    if (f->stopped)
        json_string(j, "stopped", finding_kind_name(f->stopped));
    add(j, "words", words_why(f));
    if (f->kind != FOUND_WRONG)
        add(j, "advice", words_advice(f, lesson));
    json_close(j, '}');
}

static void add_lesson(struct json *j, const struct check *check, struct lesson *lesson) {
    const struct exercise *here = lesson->unbuilt ? NULL : lesson_first_undone(lesson);
    json_string(j, "title", lesson->title);
    json_string(j, "file", lesson->source);
    json_string_or_null(j, "here", here ? here->name : NULL);
    add_lines(j, "warnings", text_of(&check->warnings));
    json_open(j, "findings", '[');
    if (check->stage != TESTED)
        add_finding(j, &check->file, lesson);
    for (int i = 0; i < check->finding_count; i++)
        add_finding(j, &check->findings[i], lesson);
    json_close(j, ']');
}

void findings_print(const struct check *check, struct lesson *lesson,
                    const struct progress *progress, bool kept) {
    struct json j = {.begun = false};
    json_open(&j, NULL, '{');
    json_number(&j, "format", FORMAT_NUMBER);
    json_string_or_null(&j, "lesson", lesson ? lesson->folder : NULL);
    json_word(&j, "passed", lesson == NULL || lesson_done(lesson) ? "true" : "false");
    json_word(&j, "kept", kept ? "true" : "false");
    json_number(&j, "done", progress->done);
    json_number(&j, "of", progress->total);
    json_string_or_null(&j, "next", progress->next ? progress->next->folder : NULL);
    if (lesson)
        add_lesson(&j, check, lesson);
    json_close(&j, '}');
    puts(text_of(&j.text));
}
