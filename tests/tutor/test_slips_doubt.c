/* What speaks against a diagnosis: the learner's own source, and the tests that it does not fit.
   Most cases are false sentences that students had on their screens. */
#include "base/files.h"
#include "diagnose/diagnose.h"
#include "diagnose/matching.h"
#include "diagnose/overlooked.h"
#include "expect.h"
#include "lesson_test.h"
#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- does a source show a slip? -------------------------------------------------------------- */

#define F(body) "void f(int n) {\n" body "\n}\n"

static const struct shown {
    const char *right, *slip, *says, *source;
    enum doubt listed, generated;
} shown[] = {
    {F("y[0] += x;"), F("y[0] = x;"), "Only the last is left.", F("y[0]  =  x ;"), NO_DOUBT,
     NO_DOUBT},
    {F("y[0] += x;"), F("y[0] = x;"), "Only the last is left.", F("const double z = x; y[0] = z;"),
     SOME_DOUBT, SOME_DOUBT},
    {F("y[0] += x;"), F("y[0] = x;"), "Only the last is left.", F("y[0] += x; y[0] *= 0;"), REFUTED,
     REFUTED},
    {F("a = .9 * a + .1 * g;"), F("a = .1 * a + .9 * g;"), "0.1 and 0.9 changed places.",
     F("a = 0.1 * a + 0.9 * g;"), NO_DOUBT, NO_DOUBT},
    /* One of the two lines is right. */
    {F("z = x - h[0]; r = x - h[d];"), F("z = x; r = x;"), "z and r look at the word alone.",
     F("z = x - h[d]; r = x - h[d];"), REFUTED, REFUTED},
    /* A size is not used where another belongs if both stand where they should. */
    {F("int g = n_heads / n_kv_heads;"), F("int g = n_kv_heads / n_kv_heads;"),
     "n_kv_heads stands where n_heads belongs",
     F("int g = n_heads / n_kv_heads; for (h = 0; h < 1; h++) k(h);"), REFUTED, REFUTED},
    /* A number that the sentence marks has to be there; one that it does not mark may be another.
     */
    {F("s = b ? -INFINITY : s;"), F("s -= b * 1e9;"), "You took {1e9} from it.",
     F("s -= b * 1e10;"), REFUTED, REFUTED},
    {F("s = b ? -INFINITY : s;"), F("s -= b * 1e9;"), "You took {1e9} from it.",
     F("if (b) s = s - 1e9;"), SOME_DOUBT, REFUTED},
    {F("s = b ? -INFINITY : s;"), F("s -= b * 1e9;"), "You took a large number from it.",
     F("s -= b * 1e10;"), SOME_DOUBT, SOME_DOUBT},
    {F("x = larger(-127.0f, x);"), F("x = larger(-126.0f, x);"), "It weighs 2^-{126} here.",
     F("x = exp2f(x);"), REFUTED, REFUTED},
    {F("p = calloc(n, 8);"), F("p = malloc(n * 8);"), "{malloc()} does not clear.",
     F("double p[8];"), REFUTED, REFUTED},
    /* Sizes and variables of loops do not count. */
    {F("double m = x;"), F("int m = x;"), "It is an {int}.",
     F("for (int i = 0; i < n; i++) m += x;"), REFUTED, REFUTED},
    {F("double m = x;"), F("int m = x;"), "It is an {int}.", F("int s = 0; s += x;"), SOME_DOUBT,
     SOME_DOUBT},
    /* Only the two neighbours that meet show that a call is left out. */
    {F("a(); b(); c();"), F("a(); c();"), "b() is left out.", F("a(); c();"), NO_DOUBT, NO_DOUBT},
    {F("a(); b(); c();"), F("a(); c();"), "b() is left out.", F("a(); bb(); c();"), SOME_DOUBT,
     SOME_DOUBT},
    {F("a(); b();"), F("a();"), "b() is left out.", F("d(); a();"), NO_DOUBT, NO_DOUBT},
    {F("a(); b();"), F("a();"), "b() is left out.", F("b(); a();"), SOME_DOUBT, SOME_DOUBT},
    /* Nothing is added where there is no plus. */
    {F("return p / pow(4, 2.0 * i / d);"), F("return p / pow(4, 2.0 + i / d);"),
     "something is added, not multiplied", F("return p / pow(4, 2.0 * d / d);"), SOME_DOUBT,
     REFUTED},
    {F("for (int j = 0; j < n; j++) y[j] = x;"), F("for (int j = 0; j < d; j++) y[j] = x;"),
     "the loop over n runs to d", F("for (int j = 0; j < n; j++) s += x; m(d, y, x);"), SOME_DOUBT,
     SOME_DOUBT},
    /* Heads and bodies are statements by themselves, whatever brackets are around them. */
    {F("for (int i = 0; i < n; i++) { if (a[i]) y += a[i]; else y = 0; }"),
     F("for (int i = 1; i < n; i++) { if (a[i]) y += a[i]; else y = 0; }"), "It starts at 1.",
     F("for (int i = 1; i < n; i++)\n if (a[i]) { y += a[i]; }"), NO_DOUBT, NO_DOUBT},
};

/* A list with the slip alone, as it was read last. */
static struct variants list_of_one;

static void read_list(const struct shown *s) {
    const char *path = "build/test_slips_doubt.list";
    const char *right = strchr(s->right, '\n') + 1, *slip = strchr(s->slip, '\n') + 1;
    struct text list = {0};
    text_print(&list, "exercise f\nslip a\n- %.*s\n+ %.*s\nsays %s\n", (int)strcspn(right, "\n"),
               right, (int)strcspn(slip, "\n"), slip, s->says);
    TEST_ASSERT_TRUE(file_replace(path, &list));
    TEST_ASSERT_TRUE(variants_make(&list_of_one, s->right, (struct wanted){.list = path}));
    remove(path);
}

static struct variant exchanged(const struct shown *s, struct text *line) {
    read_list(s);
    struct variant v = list_of_one.all[0];
    add_exchange(line, s->right, &v);
    char *tab = strchr(line->chars, '\t');
    *tab = '\0';
    v.taken = line->chars;
    v.put = tab + 1;
    return v;
}

TEST(shown, a_source_speaks_for_a_slip_or_against_it) {
    FOR_ALL_OF(struct shown, s, shown) {
        struct text line = {0};
        const char *statements = statements_of(s->source, strchr(s->source, '\0'));
        struct variant v = exchanged(s, &line);
        enum doubt listed = doubt_about(&v, statements);
        v.origin = GENERATED;
        enum doubt generated = doubt_about(&v, statements);
        TEST_ASSERT_EQUAL_INT_MESSAGE(s->listed, listed, s->source);
        TEST_ASSERT_EQUAL_INT_MESSAGE(s->generated, generated, s->source);
    }
}

/* A term that another right form has is not left out of one that never had it. */
TEST(shown, a_change_of_another_form_has_to_be_there) {
    static const struct shown s = {F("a += (1 - .9) * (g - a);"),
                                   F("a += .9 * (g - a);"),
                                   "a term is left out, and a minus",
                                   F("a = .1 * a + .9 * g;"),
                                   SOME_DOUBT,
                                   SOME_DOUBT};
    struct text line = {0};
    const char *other = statements_of(s.source, strchr(s.source, '\0'));
    const char *same = statements_of(s.slip, strchr(s.slip, '\0'));
    struct variant v = exchanged(&s, &line);
    v.origin = GENERATED;
    v.of_way = true;
    enum doubt of_other = doubt_about(&v, other), of_same = doubt_about(&v, same);
    TEST_ASSERT_EQUAL_INT(REFUTED, of_other);
    TEST_ASSERT_EQUAL_INT(NO_DOUBT, of_same);
}

/* --- is a relation more than chance? --------------------------------------------------------- */

#define SEEN  "3 N 4 0.25 0.5 0.75 7"
#define WHOLE "only the whole part of"
#define CUT(x)                                                                                     \
    { "a", false, SEEN, "whole|" x "|Each of your numbers is " WHOLE " it.\n" }
#define TIMES(x, by)                                                                               \
    { "a", false, SEEN, "times|" x "|Each of your numbers is " by " times it.\n" }
#define LITTLE_OFF "Your numbers are off by only 1e-08.\n"
#define OFF(x)                                                                                     \
    { "a", false, SEEN, "little|" x "|" LITTLE_OFF "float|" x "|" LITTLE_OFF }
#define LITTLE(x)                                                                                  \
    { "a", false, SEEN, "little|" x "|Your numbers are off by only 1e-05.\n" }
#define OTHER                                                                                      \
    { "a", false, SEEN, "" }
#define NO_NUMBERS                                                                                 \
    { "a", false, "2 P 0 row 0 sums to 2", "" }
#define CRASHED                                                                                    \
    { "a", false, "", "" }

static const struct related {
    const char *source;
    struct outcome tests[3];
    const char *told;
} related[] = {
    {"int x = y;", {CUT(" 1.5 2.5"), CUT(" 3.5 4.5")}, "Each of your numbers is " WHOLE " it."},
    {"y = (int)x;", {CUT(" 1.5 2.5"), CUT(" 3.5 4.5")}, "Each of your numbers is " WHOLE " it."},
    {"y = 1 / n;",
     {CUT(" 1.5 2.5"), NO_NUMBERS, CUT(" 3.5 4.5")},
     "Each of your numbers is " WHOLE " it."},
    /* K in the place of V, clamped to 1: nothing in the source cuts a number off. */
    {"void f(int n) { for (int i = 0; i < n; i++) y[i] = x; }",
     {CUT(" 1.5 2.5"), CUT(" 3.5 4.5")},
     ""},
    {"int x = y;", {CUT(" 1.5 2.5"), OTHER}, ""},
    {"int x = y;",
     {CUT(" 1.5 2.5"), {"a", false, "9 N 2 nan 0.5", ""}, CUT(" 3.5 4.5")},
     "Each of your numbers is " WHOLE " it."},
    {"int x = y;", {CUT(" 1.5 2.5 3.5 4.5")}, ""},
    {"int x = y;", {CUT(" 1.5 2.5 3.5 4.5"), CUT("")}, ""},
    {"int x = y;", {CUT(" 1.5 2.5 3.5"), CUT(" 1.5 2.5")}, ""},
    {"int x = y;",
     {CUT(" 1.5 2.5 3.5 4.5"), CUT(" 1.5"), CRASHED},
     "Each of your numbers is " WHOLE " it."},
    /* A gradient of (1, 0, 0) is in proportion to what another formula gives, no other one is. */
    {"d += w - g;", {TIMES(" .08 -.02 -.06", "-11.11"), OTHER}, ""},
    {"d += w - g;", {TIMES(" .08 -.02 -.06", "-11.11"), TIMES(" .3 .4", "2")}, ""},
    {"d += 2 * g;",
     {TIMES(" .08 -.02 -.06", "2"), TIMES(" .3 .4", "2")},
     "Each of your numbers is 2 times it."},
    /* A float has to be there; what only is small is a fact. */
    {"float s = 0;",
     {OFF(" .5"), NO_NUMBERS},
     "Your numbers are off by only 1e-08. It looks like a float somewhere. Everything here is "
     "double."},
    {"y = expf(x);",
     {NO_NUMBERS, OFF(" .5"), OTHER},
     "Your numbers are off by only 1e-08. It looks like a float somewhere. Everything here is "
     "double."},
    {"y = 0.5f * x;", {OFF(" .5"), OTHER, OTHER}, "Your numbers are off by only 1e-08."},
    {"y = 0.5f * x;", {OTHER, OFF(" .5"), OFF(" .5")}, ""},
    {"y = x + 1e-9;",
     {OFF(" .5 .25"), OFF(" .125 .75")},
     "Your numbers are off by only 1e-08. It looks like a small number that is added. Leave it "
     "out."},
    {"y = x + 1e-9;", {OFF(" .5")}, "Your numbers are off by only 1e-08."},
    {"double *y = malloc(n);",
     {OFF(" .5 .25"), OFF(" .125 .75")},
     "Your numbers are off by only 1e-08."},
    {"y = x;", {NO_NUMBERS, OFF(" .5 .25")}, ""},
    {"y = log(x + 1e-5);",
     {LITTLE(" .5 .25"), LITTLE(" .125 .75")},
     "Your numbers are off by only 1e-05. Does the small number in your code belong there?"},
    {"y = x + 1e-5;", {LITTLE(" .5 .25"), OTHER}, ""},
    {"void f_backward(int n) { y = (f(x + 1e-3) - f(x)) / 1e-3; }",
     {LITTLE(" .5 .25"), LITTLE(" .125 .75")},
     "Your numbers are off by only 1e-05. It looks like a difference quotient, which is never "
     "exact. Use a formula."},
    {"y = x;", {LITTLE(" .5 .25"), LITTLE(" .125 .75")}, ""},
};

TEST(chance, a_relation_that_may_be_chance_is_not_told) {
    FOR_ALL_OF(struct related, r, related) {
        struct code code = {0};
        int count = 0;
        while (count < 3 && r->tests[count].evidence)
            count++;
        code_read_tokens(&code, r->source, strchr(r->source, '\0'));
        const struct relation told = relation_of(r->tests, count, &code);
        code = (struct code){0};
        TEST_ASSERT_EQUAL_STRING_MESSAGE(r->told, told.sentence, r->source);
    }
}

/* --- lines that compilers accept ------------------------------------------------------------- */

static void expect_nothing_odd(struct lesson *lesson, const char *function, const char *source,
                               const char *detail) {
    struct test test = {.evidence = "1 N 1 -1e9"};
    struct finding f = {.exercise = lesson_exercise(lesson, function), .test = &test};
    text_print(&test.detail, "%s", detail);
    bool odd = f.exercise && find_overlooked(&f, lesson, source);
    TEST_ASSERT_FALSE_MESSAGE(odd, path_of("%s: %s", finding_code_name(f.code), source));
}

TEST(overlooked, nothing_is_odd_in_the_references_and_their_other_ways) {
    for (char **folder = lesson_folders("tests"); *folder; folder++) {
        struct lesson lesson;
        struct variants ways = {0};
        bool read = lesson_read(&lesson, *folder, "solutions", "out");
        TEST_ASSERT_TRUE_MESSAGE(read, *folder);
        for (int i = 0; i < lesson.count; i++)
            expect_nothing_odd(&lesson, lesson.exercises[i].name,
                               own_source(&lesson, &lesson.exercises[i]), "unset");
        read = variants_make(&ways, file_text(lesson.source),
                             (struct wanted){.list = list_of(&lesson)});
        TEST_ASSERT_TRUE_MESSAGE(read, *folder);
        for (int i = 0; i < ways.count; i++)
            if (ways.all[i].origin == WAY)
                expect_nothing_odd(&lesson, ways.all[i].function, ways.all[i].text, "");
    }
}

#define STEP(body)                                                                                 \
    "void decoder_step(const struct context_decoder *w, const double *y, const double *c,\n"       \
    "                  const double *s, struct context_decoder_values *v, double *next) {\n"       \
    "    double *row = v->input;\n    use(w, y, c, s, row, next);\n    " body "\n}\n"

TEST(overlooked, right_counts_and_differences_are_not_odd) {
    static const char *const right[] = {
        STEP("int bytes = w->d_word * (int)sizeof(double); memcpy(row, y, bytes);"),
        STEP("memcpy(row, y, 8 * w->d_word);"),
        STEP("memcpy(row, y, (size_t)w->d_word * sizeof *row);"),
        STEP("unsigned i = 1, k = 2; int x = i - k; next[0] = x;"),
        STEP("unsigned i = 1, k = 2; next[0] = (double)i - k;"),
        STEP("int len = 0; while (len < 2) { next[len] = 1; len++; }"),
    };
    struct lesson lesson;
    TEST_ASSERT_TRUE(lesson_read(&lesson, "07-seq2seq", "solutions", "out"));
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        expect_nothing_odd(&lesson, "decoder_step", right[i], "");
}
