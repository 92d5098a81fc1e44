/* junit.xml: a testsuite for each row, and in it a testcase for each test. */
#include "grade/class/output.h"

#include "base/utf8.h"

#include <string.h>

/* What XML forbids stands as the sign for what cannot be shown. ]]> loses its bracket. */
static void add_xml(struct text *text, const char *words) {
    const char *end = words + strlen(words);
    size_t bytes;
    for (const char *at = words, *next = words; at < end; at = next) {
        unsigned long code = utf8_next(&next, end, &bytes);
        bool forbidden = bytes == 0 || (code < 0x20 && code != '\n' && code != '\t') ||
                         code == 0xFFFE || code == 0xFFFF;
        if (forbidden)
            text_add(text, "\xEF\xBF\xBD", 3);
        else if (strchr("&<>\"\n\t", (int)(code < 0x80 ? code : 'a')))
            text_print(text, "&#%lu;", code);
        else
            text_add(text, at, bytes);
    }
}

/* Adds an element that begins with these pairs of names and values, up to where more may come:
   BEGIN(text, "<testsuite", "name", "ada"). A pair without a value is left out. */
#define BEGIN(text, ...) begin(text, (const char *const[]){__VA_ARGS__, NULL})
static void begin(struct text *text, const char *const words[]) {
    text_print(text, "%s", *words);
    for (words++; words[0]; words += 2) {
        if (!words[1])
            continue;
        text_print(text, " %s=\"", words[0]);
        add_xml(text, words[1]);
        text_add(text, "\"", 1);
    }
}

/* A case; its place is "test_softmax.c:12" or something else. */
struct test_case {
    const char *class, *name, *place, *seconds;
    enum test_result result;
    const char *type, *why; /* if it did not pass */
};

static void add_case(struct text *text, const struct test_case *c) {
    static const char *const elements[] = {
        [TEST_FAILED] = "failure", [TEST_ERROR] = "error", [TEST_SKIPPED] = "skipped"};
    const char *colon = strrchr(c->place, ':');
    bool placed = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
    const char *file = placed ? string_of("%.*s", (int)(colon - c->place), c->place) : NULL;
    BEGIN(text, "    <testcase", "classname", c->class, "name", c->name, "file", file, "line",
          placed ? colon + 1 : NULL, "time", c->seconds);
    text_print(text, c->result == TEST_PASSED ? "/>\n" : ">\n");
    if (c->result == TEST_PASSED)
        return;
    BEGIN(text, path_of("      <%s", elements[c->result]).chars, "type",
          c->result == TEST_SKIPPED ? NULL : c->type, "message", c->why);
    text_print(text, "/>\n    </testcase>\n");
}

/* A lesson that was not handed in, not read or not built is one case. */
static void add_whole(struct text *text, const struct row *row, int counts[]) {
    const char *word = file_state_words[row->state], *why = row_problem(row);
    bool missing = row->state == MISSING || row->state == STOPPED;
    struct test_case c = {row->lesson->folder,
                          row->state == NOT_BUILT ? "it builds" : "it is handed in",
                          "",
                          "0",
                          missing ? TEST_SKIPPED : TEST_ERROR,
                          word,
                          *why ? why : word};
    if (row->state == GRADED || row->state == IN_PART)
        return;
    add_case(text, &c);
    counts[c.result]++;
}

static void add_exercise(struct text *text, const char *class, const struct judged_exercise *e,
                         int counts[]) {
    for (int i = 0; i < e->listed; i++) {
        const struct judged_test *t = &e->tests[i];
        struct path seconds = path_of("%.4f", t->seconds);
        const char *said = t->said[0] ? t->said : e->mistake[0] ? e->mistake : e->state;
        const char *type = t->result == TEST_FAILED ? "wrong" : "broken";
        add_case(text, &(struct test_case){class, t->sentence, t->place, seconds.chars, t->result,
                                           type, said});
        counts[t->result]++;
    }
}

static void add_suite(struct text *xml, const struct row *row) {
    struct text cases = {0};
    int of[4] = {0};
    add_whole(&cases, row, of);
    for (int i = 0; row->verdict && i < row->verdict->count; i++) {
        const struct judged_exercise *e = &row->verdict->exercises[i];
        add_exercise(&cases, path_of("%s.%s", row->lesson->folder, e->name).chars, e, of);
    }
    BEGIN(xml, "  <testsuite", "name", string_of("%s.%s", row->by->shown, row->lesson->folder));
    text_print(xml, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
               of[0] + of[1] + of[2] + of[3], of[TEST_FAILED], of[TEST_ERROR], of[TEST_SKIPPED],
               row->verdict ? row->verdict->seconds : 0.0);
    text_print(xml, "%s  </testsuite>\n", text_of(&cases));
    text_free(&cases);
}

void write_junit(const struct output *o) {
    struct text xml = {0};
    text_print(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (o->unboxed)
        text_print(&xml, "<!-- %s -->\n", UNBOXED);
    BEGIN(&xml, "<testsuites", "name", o->name);
    text_print(&xml, ">\n");
    for (int i = 0; i < o->class->row_count; i++)
        add_suite(&xml, o->class->rows[i]);
    text_print(&xml, "</testsuites>\n");
    save(o, "junit.xml", &xml);
}
