/* junit.xml: a testsuite for each row, and in it a testcase for each test. */
#include "grade/class/output.h"

#include "base/utf8.h"

#include <string.h>

/* What XML forbids stands as the sign for what cannot be shown. ]]> loses its bracket. */
static void add_xml(struct text *text, const char *words) {
    const unsigned char *at = (const unsigned char *)words, *end = at + strlen(words);
    while (at < end) {
        size_t bytes;
        unsigned long code = utf8_decode(at, (size_t)(end - at), &bytes);
        bool forbidden = bytes == 0 || (code < 0x20 && code != '\n' && code != '\t') ||
                         code == 0xFFFE || code == 0xFFFF;
        if (forbidden)
            text_add(text, "\xEF\xBF\xBD", 3);
        else if (strchr("&<>\"\n\t", (int)(code < 0x80 ? code : 'a')))
            text_print(text, "&#%lu;", code);
        else
            text_add(text, (const char *)at, bytes);
        at += bytes > 0 ? bytes : 1;
    }
}

static void add_attribute(struct text *text, const char *name, const char *value) {
    text_print(text, " %s=\"", name);
    add_xml(text, value);
    text_add(text, "\"", 1);
}

/* Why a case did not pass; element: failure, error or skipped. */
static void add_outcome(struct text *text, const char *element, const char *type,
                        const char *message) {
    text_print(text, "      <%s", element);
    if (strcmp(element, "skipped") != 0)
        add_attribute(text, "type", type);
    add_attribute(text, "message", message);
    text_print(text, "/>\n");
}

/* "test_softmax.c:12" */
static void add_place(struct text *text, const char *place) {
    const char *colon = strrchr(place, ':');
    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return;
    add_attribute(text, "file", path_of("%.*s", (int)(colon - place), place).chars);
    add_attribute(text, "line", colon + 1);
}

static void add_test(struct text *text, const char *lesson, const struct judged_exercise *e,
                     const struct judged_test *t) {
    static const char *const elements[] = {
        [TEST_FAILED] = "failure", [TEST_ERROR] = "error", [TEST_SKIPPED] = "skipped"};
    text_print(text, "    <testcase");
    add_attribute(text, "classname", path_of("%s.%s", lesson, e->name).chars);
    add_attribute(text, "name", t->sentence);
    add_place(text, t->place);
    text_print(text, " time=\"%.4f\"", t->seconds);
    text_print(text, t->result == TEST_PASSED ? "/>\n" : ">\n");
    if (t->result == TEST_PASSED)
        return;
    add_outcome(text, elements[t->result], t->result == TEST_FAILED ? "wrong" : "broken",
                t->said[0]      ? t->said
                : e->mistake[0] ? e->mistake
                                : e->state);
    text_print(text, "    </testcase>\n");
}

/* The one case of a lesson that was not handed in, not taken or not built. */
static void add_whole(struct text *text, const struct row *row, const char *element) {
    const char *word = file_state_words[row->state];
    text_print(text, "    <testcase");
    add_attribute(text, "classname", row->lesson->folder);
    add_attribute(text, "name", row->state == NOT_BUILT ? "it builds" : "it is handed in");
    text_print(text, " time=\"0\">\n");
    add_outcome(text, element, word, row_problem(row)[0] ? row_problem(row) : word);
    text_print(text, "    </testcase>\n");
}

struct counts {
    int all, of[4];
};

static void count(struct counts *counts, enum test_result result) {
    counts->all++;
    counts->of[result]++;
}

static struct counts add_cases(struct text *text, const struct row *row) {
    struct counts counts = {0};
    if (row->state != GRADED && row->state != IN_PART) {
        bool missing = row->state == MISSING || row->state == STOPPED;
        add_whole(text, row, missing ? "skipped" : "error");
        count(&counts, missing ? TEST_SKIPPED : TEST_ERROR);
    }
    for (int i = 0; row->verdict && i < row->verdict->count; i++) {
        const struct judged_exercise *e = &row->verdict->exercises[i];
        for (int k = 0; k < e->listed; k++) {
            add_test(text, row->lesson->folder, e, &e->tests[k]);
            count(&counts, e->tests[k].result);
        }
    }
    return counts;
}

static void add_suite(struct text *xml, const struct row *row) {
    struct text cases = {0};
    struct counts counts = add_cases(&cases, row);
    text_print(xml, "  <testsuite");
    add_attribute(xml, "name", string_of("%s.%s", row->by->shown, row->lesson->folder));
    text_print(xml, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
               counts.all, counts.of[TEST_FAILED], counts.of[TEST_ERROR], counts.of[TEST_SKIPPED],
               row->verdict ? row->verdict->seconds : 0.0);
    text_add(xml, text_of(&cases), cases.length);
    text_print(xml, "  </testsuite>\n");
    text_free(&cases);
}

void write_junit(const struct output *o) {
    struct text xml = {0};
    text_print(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (o->unboxed)
        text_print(&xml, "<!-- %s -->\n", UNBOXED);
    text_print(&xml, "<testsuites");
    add_attribute(&xml, "name", o->name);
    text_print(&xml, ">\n");
    for (int i = 0; i < o->class->row_count; i++)
        add_suite(&xml, o->class->rows[i]);
    text_print(&xml, "</testsuites>\n");
    save(o, "junit.xml", &xml);
}
