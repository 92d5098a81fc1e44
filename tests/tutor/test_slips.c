/* What common/diagnose makes of C, of lists and of tables. What it finds in the lessons is proved
   by tests/suites/slips.sh. */
#include "base/child.h"
#include "base/tokens.h"
#include "diagnose/matching.h"
#include "diagnose/operators.h"
#include "diagnose/writing.h"
#include "evidence.h"
#include "lesson_test.h"
#include "tutor/words.h"
#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what the tests share ------------------------------------------------------------------- */

/* Static, so that a test that fails in the middle loses no memory: the next one clears them. */
static struct code code;
static struct variants variants;
static struct table table;
static struct child child;
static struct text text, source, definition;
static int changes;

static void clear(void) {
    code = (struct code){0};
    variants = (struct variants){0};
    table = (struct table){0};
    child = (struct child){0};
    text = (struct text){0};
}

static void read_source(const char *path) {
    source = (struct text){0};
    TEST_ASSERT_TRUE_MESSAGE(text_read_file(&source, path), path);
}

/* What the lessons' headers say. */
static const char structs[] =
    "struct pair { int left, right; };\n/* struct none { */ int f(struct box *w);\n"
    "struct box { int n, d; double *s; /* [n] */ void *W_q, *W_k, *v;\n"
    "             struct pair at[3], one; void *rows; };\n";

/* The tokens are those of a copy. */
static void read_function(const char *chars) {
    clear();
    definition = (struct text){0};
    text_print(&definition, "%s", chars);
    const char *end = strchr(definition.chars, 0);
    TEST_ASSERT_TRUE_MESSAGE(code_read(&code, definition.chars, end, structs), chars);
}

#define HEAD                                                                                       \
    "void f(int n, int d, const double x[n], double y[n], const double A[n][d],\n"                 \
    "       const struct box *w, const struct box *d_w) {\n"

static void read_body(const char *body) {
    read_function(path_of("%s%s\n}\n", HEAD, body));
}

/* The token that is this word for the nth time in the body. */
static int token(const char *word, int nth) {
    for (int i = code.open; i < code.count; i++)
        if (is(&code, i, word) && --nth == 0)
            return i;
    TEST_FAIL_MESSAGE(word);
    return 0;
}

static const struct name *known(const char *word, int nth) {
    return name_at(&code, token(word, nth));
}

static const char *tokens(int from, int to) {
    bool good = from >= 0 && to >= from && to < code.count;
    return path_of("%.*s", good ? (int)(behind_token(&code, to) - code.tokens[from].at) : 0,
                   good ? code.tokens[from].at : "");
}

static void expect_tokens(const char *expected, int from, int to) {
    TEST_ASSERT_EQUAL_STRING(expected, tokens(from, to));
}

#define OWN "build/test_slips"

static void write_file(const char *path, const char *chars) {
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    fputs(chars, file);
    fclose(file);
}

static bool make_variants(const char *c, const char *list, bool generated) {
    clear();
    write_file(OWN ".list", list);
    struct wanted wanted = {.list = OWN ".list", .generated = generated};
    bool good = variants_make(&variants, c, wanted);
    remove(wanted.list);
    return good;
}

/* --- tokens --------------------------------------------------------------------------------- */

/* --- operators ------------------------------------------------------------------------------ */

static void count_change(void *context, const struct change *change) {
    (void)context, (void)change;
    changes++;
}

/* All changes of a function, as variants without doubles. */
static void change_function(const char *function) {
    read_function(function);
    changes = 0;
    each_change(&code, count_change, NULL);
    text_print(&text, "%s%s", structs, function);
    TEST_ASSERT_TRUE(variants_make(&variants, text.chars, (struct wanted){.generated = true}));
}

/* White space does not count. */
static bool has_part(const char *whole, const char *part) {
    for (; *whole; whole++)
        for (const char *at = whole, *left = part;; at++, left++) {
            at += strspn(at, " \t\n");
            left += strspn(left, " ");
            if (!*left)
                return true;
            if (*at != *left)
                break;
        }
    return false;
}

static void expect_change(const char *says, const char *part) {
    bool never = strcmp(says, "never") == 0, some = false;
    for (int i = 0; i < variants.count; i++)
        some = some || ((never || strcmp(variants.all[i].says, says) == 0) &&
                        has_part(variants.all[i].text, part));
    TEST_ASSERT_TRUE_MESSAGE(some != never, path_of("%s => %s", says, part));
}

TEST(operators, operators_find_what_is_listed) {
    const char *line;
    read_source("tests/tutor/changes");
    for (const char *at = source.chars; (line = next_line(&at));) {
        char *arrow = line[0] == '#' ? NULL : strstr(line, " => ");
        if (starts_with(line, "code  "))
            change_function(path_of("%s%s\n}\n", HEAD, line + 6));
        if (arrow)
            expect_change(path_of("%.*s", (int)(arrow - line), line), arrow + 4);
    }
}

static bool has_partners_and_names(const char *changed) {
    struct code other;
    bool good = code_read(&other, changed, strchr(changed, 0), structs);
    for (int k = 0; k < code.name_count && good; k++) {
        const char *word = tokens(code.names[k].token, code.names[k].token);
        for (int i = other.open; i < other.close; i++)
            good = good && (!is(&other, i, word) || name_at(&other, i));
    }
    return good;
}

static void expect_sound_changes(const char *function) {
    change_function(function);
    for (int i = 0; i < variants.count; i++)
        TEST_ASSERT_TRUE_MESSAGE(has_partners_and_names(variants.all[i].text),
                                 variants.all[i].text);
}

TEST(operators, changes_keep_brackets_and_scopes_and_seldom_come_twice) {
    read_source("tests/tutor/odd_code");
    for (char *from = source.chars, *end; (end = strstr(from, "\n}\n")); from = end + 3) {
        end[2] = '\0';
        expect_sound_changes(from);
        TEST_ASSERT_TRUE((changes - variants.count) * 15 <= changes);
    }
}

TEST(operators, very_long_lines_and_many_names_are_read) {
    source = (struct text){0};
    text_print(&source, "%s float b = 0", HEAD);
    for (int i = 1; i < 80; i++)
        text_print(&source, ", a%d = %d", i, i);
    for (int i = 1; i < 8; i++)
        text_print(&source, "%s (x[%0200d] > %d)", i > 1 ? " &&" : "; if (", i, i);
    text_print(&source, ") y[0] = 1; }");
    expect_sound_changes(source.chars);
}

/* What comes of it does not matter. */
static void try(const char *chars) {
    clear();
    if (code_read(&code, chars, strchr(chars, 0), structs))
        each_change(&code, count_change, NULL);
    if (variants_make(&variants, chars, (struct wanted){.generated = true}))
        variants_write(&variants, &text);
}

TEST(operators, half_a_function_does_no_harm) {
    try("int f(int n), { int m = n; }");
    read_source("solutions/05-masked/masked.c");
    char *from = strstr(source.chars, "\nvoid masked_attention_backward(");
    TEST_ASSERT_NOT_NULL(from);
    for (char *end = strstr(from, "\n}\n") + 2; end > from; end--) {
        *end = '\0';
        try(from);
    }
}

/* Two functions of it, behind the first `after`. */
static char *two_functions(int after) {
    read_source("tests/tutor/odd_code");
    char *from = source.chars;
    while (after-- > 0)
        from = strstr(from, "\n}\n") + 3;
    strstr(strstr(from, "\n}\n") + 3, "\n}\n")[3] = '\0';
    return from;
}

TEST(operators, random_letters_do_no_harm) {
    static const char letters[] = "(){}[];,=*+-<>?:\"'/#\\ \nfor0.eif&|!~";
    char *code_of_two = NULL;
    unsigned seed = 1;
    for (int round = 0; round < 24; round++, seed = seed * 1664525u + 1013904223u) {
        if (round % 8 == 0) /* up to eight of them */
            code_of_two = two_functions(round / 8 % 3);
        code_of_two[(seed >> 8) % strlen(code_of_two)] =
            letters[(seed >> 20) % (sizeof letters - 1)];
        try(code_of_two);
    }
}

/* --- writing -------------------------------------------------------------------------------- */

static const char total[] = "double total(int n) {\n    double sum = 0.0;\n"
                            "    for (int i = 0; i < n; i++)\n        sum += i;\n"
                            "    if (n > 9) {\n        sum = 2 * sum;\n        n++;\n    }\n"
                            "    n++;\n    return sum;\n}\n";

static void expect_refused(const char *list, const char *said) {
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    char line[1000] = "";
    dup2(fileno(file), STDERR_FILENO);
    bool good = make_variants(total, list, false);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    fclose(file);
    TEST_ASSERT_TRUE(!good && !variants.all);
    TEST_ASSERT_EQUAL_STRING(path_of(OWN ".list:%s\n", said), line);
}

#define IN "exercise total\n"

TEST(writing, each_error_of_a_list_is_told_with_its_line) {
    expect_refused(IN "slip a\n- i;\n+ b\nsays A.\n", "5: a: there is no line i;");
    expect_refused(IN "slip a\n- no\n+ b\n- sum += i;\n", "5: a: there is no line no");
    expect_refused(IN "slip a\n- sum += i;\n", "3: a: it says nothing");
    expect_refused(IN "way a\n- sum += i;\nsays A.\n", "4: a: a way says nothing");
    expect_refused("# exercise total\nslip a\n", "2: a: no line before it: exercise FUNCTION");
    expect_refused("exercise totals\nslip a\n", "2: a: no function totals");
    expect_refused(IN "slip a\n+ sum = i;\n", "3: a: what is this: + sum = i;");
    expect_refused(IN "slip a\non b\n", "3: a: above it there is no entry b");
    expect_refused(IN "slip a\nmurmurs A.\n", "3: a: what is this: murmurs A.");
    expect_refused(IN "slip a\n- n++;\nslip b\n", "4: a: there are several lines n++;");
    expect_refused(IN "slip a\n- sum += i;\n+ sum += pow(i, 2);\nsays {exp()} and {pow()}.\n",
                   "5: a: it marks a word that it does not bring in: exp");
    expect_refused(IN "slip a\n- sum += i;\n+ sum = i;\nlike b\n",
                   "5: a: there is no such slip: b");
}

static const char many[] = IN "slip a\nsame as b:\n     unseen\n- sum += i;\n+ sum = i;\n"
                              "says A,\n     B.\n\n# no\nway b\n- sum += i;\n+ sum = i + sum;\n"
                              "slip c\n- return sum;\n+ return sum + 1;\nsays C.\n"
                              "slip d\n- return sum;\n+ return no;\nsays D.\n"
                              "slip e\n- double sum = 0.0;\n+ double sum = 3, m;\nsays E.\n"
                              "slip f\n- sum = 2 * sum;\n+ n = 0; } else { sum--;\nsays F.\n"
                              "slip g\n- sum += i;\n+ sum -= i;\n- return sum;\n+ return -sum;\n"
                              "says G.\nslip h\n- double sum = 0.0;\n+ float sum = 0.5;\nsays H.\n";

TEST(writing, a_sentence_goes_on_and_reasons_are_passed_over) {
    TEST_ASSERT_TRUE(make_variants(total, many, false));
    TEST_ASSERT_EQUAL_STRING("A, B.", variants.all[0].says);
}

/* Slip b has "+" lines alone, and slip c then changes a second place, too. */
TEST(writing, an_entry_may_change_the_place_of_the_entry_above) {
    static const char list[] =
        IN "slip a\n- sum += i;\n+ sum -= i;\n- return sum;\n+ return -sum;\nsays A.\n"
           "slip b\n+ sum *= i;\nsays B.\n"
           "slip c\n+ sum /= i;\n- sum = 2 * sum;\n+ sum = 3;\nsays C.\n"
           "slip d\n- sum += i;\nsays D.\nslip e\n+ sum = i;\nsays E.\n";
    static const char *const changed[] = {"sum -= i;", "sum *= i;", "sum /= i;", NULL, "sum = i;"};
    TEST_ASSERT_TRUE(make_variants(total, list, false));
    for (int i = 0; i < variants.count; i++) {
        const char *function = variants.all[i].text;
        TEST_ASSERT_TRUE(!strstr(function, "sum += i;"));
        TEST_ASSERT_TRUE(!changed[i] || strstr(function, changed[i]));
        TEST_ASSERT_TRUE((i == 0) == (strstr(function, "return -sum;") != NULL));
        TEST_ASSERT_TRUE((i == 2) == (strstr(function, "sum = 3;") != NULL));
    }
}

TEST(writing, an_entry_may_leave_out_lines_between_two_that_it_replaces) {
    static const char list[] = IN "slip a\n- for (int i = 0; i < n; i++)\n- ...\n- n++;\n- }\n"
                                  "+ sum = n;\nsays A.\nslip b\n+ sum = n * n;\nsays B.\n";
    TEST_ASSERT_TRUE(make_variants(total, list, false));
    TEST_ASSERT_NOT_NULL(strstr(variants.all[0].text, "0.0;\n sum = n;\nn++;\n"));
    TEST_ASSERT_NOT_NULL(strstr(variants.all[1].text, "0.0;\n sum = n * n;\nn++;\n"));
    expect_refused(IN "slip a\n- n++;\n- ...\n- sum--;\n", "5: a: there is no line n++;");
}

TEST(writing, an_entry_may_change_another_entry) {
    static const char list[] = "exercise other\nslip a\n- i++;\n+ i--;\nsays A.\n" IN
                               "way a\n- sum += i;\n+ sum = i + sum;\n"
                               "slip b\non a\n- sum = i + sum;\n+ sum = i - sum;\nsays B.\n"
                               "slip c\n- sum += i;\n+ sum *= i;\nsays C.\n";
    char *c = path_of("%sint other(int i) {\n    i++;\n}\n", total);
    TEST_ASSERT_TRUE(make_variants(c, list, false));
    TEST_ASSERT_NOT_NULL(strstr(variants.all[2].text, "sum = i - sum;"));
    TEST_ASSERT_NULL(strstr(variants.all[2].text, "sum += i;"));
}

/* The sentence may belong to another entry; words that only that entry brings in do not count. */
TEST(writing, a_slip_may_be_like_another_one_whose_words_it_has) {
    static const char list[] =
        "exercise other\nslip a\n- i++;\n+ i--;\nsays D.\n\n" IN
        "slip b\n- sum += i;\n+ sum += exp(i);\nlike a\n\n"
        "slip a\n- sum += i;\n+ sum += exp(i) + pow(i, 2.50);\n"
        "says {exp()} or {pow()}\n     of {2.5}.\n\n"
        "slip c\n- sum += i;\n+ sum += 2.5 * log(i);\nsays log() of something.\n\n"
        "slip d\n- sum += i;\n+ sum += pow(i, 3);\nlike 01-softmax  divided_by_n\n";
    TEST_ASSERT_TRUE(
        make_variants(path_of("%sint other(int i) {\n    i++;\n}\n", total), list, false));
    for (int i = 0; i < variants.count; i++)
        text_print(&text, "%s %s [%s] ", variants.all[i].name, variants.all[i].means,
                   variants.all[i].words ? variants.all[i].words : "");
    TEST_ASSERT_EQUAL_STRING("a a [] b a [exp] a a [exp pow 2.5] c c [] "
                             "d 01-softmax divided_by_n [] ",
                             text_of(&text));
    TEST_ASSERT_EQUAL_STRING("exp() or pow() of 2.5.", variants.all[1].says);
    TEST_ASSERT_EQUAL_STRING(variants.all[1].says, variants.all[2].says);
}

TEST(writing, the_narrowest_place_is_a_branch) {
    static const char *const starts[] = {
        "sum = i;", "sum = i + sum", "sum + 1", "no", "{", "if", "{", "{"};
    TEST_ASSERT_TRUE(make_variants(total, many, false));
    for (int i = 0; i < variants.count; i++)
        TEST_ASSERT_EQUAL_STRING_LEN(starts[i], variants.all[i].branch, strlen(starts[i]));
    TEST_ASSERT_TRUE(!variants.all[0].expression && variants.all[2].expression);
    TEST_ASSERT_TRUE(variants.all[1].origin == WAY);
}

TEST(writing, a_listed_change_is_not_made_again) {
    make_variants(total, "", true);
    int alone = variants.count;
    make_variants(total, IN "slip a\n- sum += i;\n+ sum =i;\nsays A.\n", true);
    TEST_ASSERT_TRUE(variants.count == alone && strcmp(variants.all[0].name, "a") == 0);
}

/* As the tutor does it. What the program prints is the child's. */
static bool run_variants(const char *rest) {
    char script[] = "${LOOKBACK_CC:-cc} -std=c17 -w -Werror=implicit-function-declaration "
                    "-Icommon/testing $0.c -o $0.out -lm && $0.out; s=$?; rm $0.*; exit $s";
    char *shell[] = {"sh", "-c", script, OWN, NULL};
    for (int round = 0, dropped = 1; round < 6 && dropped > 0; round++) {
        text = (struct text){0};
        variants_write(&variants, &text);
        text_print(&text, "%s", rest);
        write_file(OWN ".c", text.chars);
        child = (struct child){0};
        child_run(&child, shell,
                  (struct limits){.cpu_seconds = 60, .idle_seconds = 60, .output = 1 << 20});
        dropped = variants_drop(&variants, text_of(&child.err));
    }
    return child.ending == ENDED && child.status == 0;
}

#define MAIN                                                                                       \
    "#include <stdio.h>\nunsigned long work_done, work_pause = ~0ul, slip_limit = 1000;\n"         \
    "void (*work_paused)(void);\n"                                                                 \
    "int slip_over(void) { return 0; }\nint main(void) {\n"

TEST(writing, each_slip_is_turned_on_by_its_number) {
    static const char rest[] = MAIN "for (const struct slip_entry *e = slip_list;; e++) {\n"
                                    "slip_at[e->place] = e->number;\n"
                                    "printf(\"%d %g, \", e->number, total(4));\n"
                                    "slip_at[e->place] = 0; if (!e->number) return 0; } }\n";
    TEST_ASSERT_TRUE(make_variants(total, many, false));
    TEST_ASSERT_TRUE_MESSAGE(run_variants(rest), text_of(&child.err));
    TEST_ASSERT_EQUAL_STRING("1 3, 2 6, 3 7, 5 9, 6 5, 7 6, 8 6.5, 0 6, ", text_of(&child.out));
}

TEST(writing, slips_of_any_code_compile) {
    read_source("tests/tutor/odd_code");
    TEST_ASSERT_TRUE(make_variants(source.chars, "", true));
    TEST_ASSERT_TRUE_MESSAGE(run_variants(MAIN "}\n"), text_of(&child.err));
    int dead = 0;
    for (int i = 0; i < variants.count; i++)
        dead += variants.all[i].dropped;
    TEST_ASSERT_TRUE(variants.count > 300 && dead * 10 < variants.count);
}

TEST(writing, an_error_marks_the_branch_that_it_is_in) {
    struct variant v[2] = {0};
    struct variants f = {.all = v, .count = 2};
    TEST_ASSERT_EQUAL_INT(0, variants_drop(&f, "a.c:1001:5: warning: odd\n"));
    TEST_ASSERT_EQUAL_INT(0, variants_drop(&f, "a.c:35:5: error: odd\na.c:3001:5: error: odd\n"));
    TEST_ASSERT_EQUAL_INT(1, variants_drop(&f, "a.c:1001:5: error: odd\na.c:35: error: odd\n"));
    TEST_ASSERT_TRUE(v[0].dropped && !v[1].dropped);
}

/* --- matching ------------------------------------------------------------------------------- */

static void read_table(const char *lines) {
    clear();
    for (; *lines; lines++)
        text_add(&text, *lines == '|' ? "\t" : lines, 1);
    table_read(&table, text);
    text = (struct text){0};
}

TEST(matching, a_table_holds_any_number_of_tests) {
    struct text lines = {0};
    text_print(&lines, "slip\t1\tl\tf\tname\tkind\tsays\n");
    for (int i = 0; i < 500; i++)
        text_print(&lines, "test f t%d\n", i);
    text_print(&lines, "1 t499 ~ 1 N 6 0.25\nall\n");
    read_table(text_of(&lines));
    TEST_ASSERT_EQUAL_INT(500, table.test_count);
    const struct failure *last = table_failure(&table, 1, "t499");
    TEST_ASSERT_TRUE(last && *last->evidence && !table_failure(&table, 1, "t0"));
}

static struct outcome outcome_of(const char *test, const char *how) {
    bool passed = strcmp(how, "pass") == 0, crashed = strcmp(how, "crash") == 0;
    return (struct outcome){test, passed, passed || crashed ? "" : how, ""};
}

/* "A => B => TOLD": how up to four tests a, b ... came out, and the sentence that is shown. */
static char *read_outcomes(char *at, struct outcomes *o) {
    static const char *const names[] = {"a", "b", "c", "d"};
    for (char *end; o->count < 4 && (end = strstr(at, " =>")) != NULL;
         at = end + 3 + (end[3] == ' ')) {
        *end = '\0';
        o->tests[o->count] = outcome_of(names[o->count], at);
        o->count++;
    }
    return at;
}

/* "doubt SLIP 1": what the learner's source says of it, as an enum doubt. */
static void read_doubts(const char *lines) {
    const char *line;
    int slip, doubt;
    while ((line = next_line(&lines)))
        if (sscanf(line, "doubt %d %d", &slip, &doubt) == 2)
            table.slips[slip - 1].doubt = (enum doubt)doubt;
}

TEST(matching, matching_tells_what_is_listed) {
    const char *lines = "";
    char *line;
    read_source("tests/tutor/told");
    for (const char *at = source.chars; (line = next_line(&at));) {
        struct outcome tests[4];
        struct outcomes o = {tests, 0};
        if (!starts_with(line, "when ")) {
            lines = path_of("%s%s\n", *line ? lines : "", line);
            continue;
        }
        const char *told = read_outcomes(line + 5, &o);
        read_table(lines);
        read_doubts(lines);
        struct cause cause = table_cause(&table, &o);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(told, words_cause(&cause), lines);
    }
}

TEST(matching, a_table_is_written_as_it_is_read) {
    static const char tabs[] = "int f(int n) {\n\tfor (;;) {\n\t\tn++;\n\t}\n\treturn n;\n}\n";
    make_variants(tabs, "", true);
    variants.all[0].dropped = true;
    table_write_slips(&text, &variants);
    TEST_ASSERT_NULL(strstr(text.chars, "LATE")); /* it has no sentence, and only repairs */
    table_read(&table, text);
    text = (struct text){0};
    TEST_ASSERT_TRUE(table.slip_count == variants.count && table.slips[0].dropped);
    for (int i = 1; i < variants.count; i++) {
        TEST_ASSERT_EQUAL_STRING(variants.all[i].says, table.slips[i].says);
        TEST_ASSERT_EQUAL_STRING(variants.all[i].means, table.slips[i].means);
    }
}

TEST(matching, what_was_left_out_comes_from_another_table) {
    struct outcome o[] = {
        {"a", false, "1 N 6 0.25", ""}, {"b", false, "2 N 6 0.5", ""}, {"c", true, "", ""}};
    const struct outcomes all = {o, 3};
    read_table("slip|1|l|f|a||A.\n1 a ~ 1 N 6 0.25\n1 b ~ 2 N 6 0.5\nall\n");
    struct table other = table;
    table = (struct table){0};
    read_table("slip|1|l|f|a||A.\n1 a ~ 1 N 6 0.25\n1 b -\n1 c -\nall\n");
    TEST_ASSERT_TRUE(table_left_out(&table, 1, &all));
    table_fill(&table, &other);
    TEST_ASSERT_TRUE(!table_left_out(&table, 1, &all) && table_matches(&table, 1, &all));
    o[2] = (struct outcome){"c", false, "1 N 6 7", ""};
    TEST_ASSERT_FALSE(table_matches(&table, 1, &all));
    o[2].passed = o[1].passed = true;
    o[2].evidence = o[1].evidence = "";
    TEST_ASSERT_FALSE(table_matches(&table, 1, &all));
}

TEST(matching, evidence_is_the_same_but_for_rounding) {
    TEST_ASSERT_TRUE(same_evidence("3 N 3 0.1 -5 0", "3 N 3 0.1000000000001 -5 1e-13"));
    TEST_ASSERT_TRUE(same_evidence("1 P 0 w is inf, not 0.5", "1 P 0 w is inf, not 0.50"));
    static const char seen[] = "1 N 1 0.1";
    static const char *const others[] = {"1 N 1 0.10000001", "1 N 1 -0.1", "1 M 1 0.1",
                                         "1 N 1 inf",        "1 N 1 nan",  ""};
    for (int i = 0; i < 6; i++)
        TEST_ASSERT_FALSE(same_evidence(seen, others[i]) || same_evidence(others[i], seen));
}

TEST(matching, evidence_of_floats_is_the_same_but_for_theirs) {
    TEST_ASSERT_TRUE(same_evidence("3 F 2 0.1 100", "3 F 2 0.1000004 100.0004"));
    TEST_ASSERT_FALSE(same_evidence("3 F 2 0.1 100", "3 F 2 0.1001 100"));
    TEST_ASSERT_FALSE(same_evidence("3 N 2 0.1 100", "3 N 2 0.1000004 100"));
}

TEST(tokens, floats_and_vectors_are_numbers_of_different_types) {
    read_function(
        "vec g(int n, const float *const a[8], const float b[n][4], vec x) {\n"
        "    _Alignas(vec) float c[4] = {0}; vec y = (vec)((uvec)x + 1); double z = 0;\n"
        "#pragma omp simd\n    for (int i = 0; i < n; i++) { c[i] += a[i][0] * b[0][i]; }\n"
        "    return x * y; }");
    const struct name *a = known("a", 1), *c = known("c", 1), *x = known("x", 1),
                      *z = known("z", 1);
    TEST_ASSERT_TRUE(a->parameter && a->rank == 2 && is_real(&code, a));
    TEST_ASSERT_TRUE(is_real(&code, c) && c->rank == 1 && is_real(&code, x) && x->rank == 0);
    TEST_ASSERT_FALSE(have_same_type(&code, c, x) || have_same_type(&code, x, z));
    TEST_ASSERT_TRUE(have_same_type(&code, x, known("y", 1)) && code.loop_count == 1);
}

TEST(tokens, a_name_is_known_in_its_block_or_loop_only) {
    read_body("y[0] = s; { double s = 1; y[1] = s; } y[2] = s;\n"
              "for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = 1; else y[i] = 0; y[i] = 2;");
    TEST_ASSERT_TRUE(!known("s", 1) && known("s", 2) && !known("s", 4));
    TEST_ASSERT_TRUE(known("s", 2) == known("s", 3) && known("i", 6) && !known("i", 7));
}

TEST(tokens, an_inner_name_hides_an_outer_one_and_a_member_none) {
    read_body("int s = 0; { double s[3]; y[0] = s[0]; } struct box b = {.s = s}; b.s = p->s;");
    TEST_ASSERT_TRUE(is_real(&code, known("s", 3)) && is_whole(&code, known("s", 5)));
    TEST_ASSERT_TRUE(!known("s", 4) && known("s", 6)->of && !known("s", 7));
}

TEST(tokens, each_name_of_a_declaration_has_its_own_rank) {
    read_body("const double s = g(1, 2), *p = x, r[3], m[2][2] = {{1, 2}, {3, 4}},\n"
              "(*rows)[d] = A, t = 0; int a;");
    for (int i = 0; i < code.name_count; i++)
        if (!code.names[i].of)
            text_print(&text, "%s%s%d ", code.names[i].constant ? "c" : "",
                       is_whole(&code, &code.names[i]) ? "i" : "d", code.names[i].rank);
    TEST_ASSERT_EQUAL_STRING("i0 i0 cd1 d1 cd2 cd1 cd1 cd0 cd1 cd1 cd2 cd2 cd0 i0 ",
                             text_of(&text));
}

TEST(tokens, a_pointer_to_rows_knows_their_length) {
    read_function("void g(int n, int d, const double(*pair)[d], double *q, double m[n][d],\n"
                  "       double t[d][n]) { pair = q = m = t; }");
    const struct name *pair = known("pair", 1), *m = known("m", 1), *t = known("t", 1);
    TEST_ASSERT_TRUE(pair->parameter && pair->constant && pair->rank == 2);
    TEST_ASSERT_TRUE(have_same_columns(&code, pair, m) && !have_same_columns(&code, pair, t));
    TEST_ASSERT_TRUE(have_same_columns(&code, t, known("q", 1))); /* as far as anybody knows */
}

TEST(tokens, loops_have_three_parts_and_a_body) {
    read_body("for (int i = g(0, 1); i < n; i += 2)\n y[i] = 0;\n y[0] = 1; while (n < 3) n++;\n"
              "for (;;) { break; } for (n = 0; n > 0; n--);");
    const struct loop *l = &code.loops[0];
    expect_tokens("(int i = g(0, 1);", l->open, l->first_end);
    expect_tokens("i < n; i += 2)", l->first_end + 1, l->close);
    expect_tokens("y[i] = 0;", l->body, l->end);
    expect_tokens(";", l[2].body, l[2].end);
    TEST_ASSERT_TRUE(code.loop_count == 3 && l[1].variable == -1 && is(&code, l->variable, "i"));
}

TEST(tokens, the_innermost_loop_is_around) {
    read_body("for (const double *p = x; p < x + n; p++) for (;;) y[n] = *p; n = 3;");
    const struct loop *l = code.loops;
    TEST_ASSERT_TRUE(loop_around(&code, token("y", 1)) == l + 1 &&
                     head_around(&code, l->body - 1) == l);
    TEST_ASSERT_TRUE(loop_around(&code, l[1].open) == l && head_around(&code, l[1].open) == l + 1);
    TEST_ASSERT_TRUE(!loop_around(&code, token("3", 1)) && !head_around(&code, token("3", 1)));
}

TEST(tokens, a_statement_ends_where_its_last_branch_does) {
    read_body("if (n) if (d) y[0] = 1; else y[0] = 2; else if (n > 2) { y[0] = 3; } else d = 4;\n"
              "do { n--; } while (n > 3); if (d) do n++; while (d); d++;");
    expect_tokens("d = 4;", token("4", 1) - 2, behind_statement(&code, token("if", 1)) - 1);
    expect_tokens("= 2;", token("2", 1) - 1, behind_statement(&code, token("if", 2)) - 1);
    expect_tokens("> 3);", token("3", 2) - 1, behind_statement(&code, token("do", 1)) - 1);
    expect_tokens("while (d);", token("while", 2), behind_statement(&code, token("if", 4)) - 1);
}

TEST(tokens, statements_start_in_no_initializer_and_some_declare) {
    read_body("double m[2][2] = {{n, 1}, {2, 3}}; g((double[]){4, 5}); if (n) h(x); else n = 1;\n"
              "while (n) { k(6); } for (;;) do n--; while (n); matrix o; (void)n;");
    for (int i = code.open + 1; i < code.close; i++)
        if (starts_statement(&code, i))
            text_print(&text, "%s%s ", tokens(i, i), is_declaration(&code, i) ? "!" : "");
    TEST_ASSERT_EQUAL_STRING("double! g if h n while { k for do n while matrix! ( ",
                             text_of(&text));
}

TEST(tokens, an_operator_is_binary_behind_an_operand) {
    read_body("n = - 1; n = (n) - 2; n = x[0] - 3; n = n * - 4; n = (double) - 5; n = f(n) - 6;\n"
              "n = 1e-3 - 7; if (n) - 8; n = sizeof(int) - 9; n = n ? - 10 : - 11; return - 12;");
    char binary[13] = "";
    for (int i = 0; i < 12; i++)
        binary[i] = follows_operand(&code, token("-", i + 1)) ? 'b' : '.';
    TEST_ASSERT_EQUAL_STRING(".bb..bb.b...", binary);
}

TEST(tokens, an_expression_goes_on_as_long_as_its_operators) {
    read_body(
        "y[0] = 1 - A[n][0] * exp(-x[0]) / (double)n - -d; y[1] = n > 2 ? 3 % n : d ? 4 : 5;");
    int from = token("A", 1), two = token("n", 3);
    expect_tokens("A[n][0]", from, behind_operand(&code, from) - 1);
    expect_tokens("A[n][0] * exp(-x[0]) / (double)n", from, behind_joined(&code, from, "* /") - 1);
    expect_tokens("1 - A[n][0] * exp(-x[0]) / (double)n - -d", token("1", 1),
                  behind_joined(&code, token("1", 1), "+ - * /") - 1);
    expect_tokens("n > 2 ? 3 % n : d ? 4 : 5", two, behind_expression(&code, two) - 1);
    expect_tokens("3 % n", token("3", 1), behind_expression(&code, token("3", 1)) - 1);
    TEST_ASSERT_TRUE(behind_operand(&code, token("=", 1)) < 0);
}

TEST(tokens, members_are_names_of_their_struct) {
    read_function("static inline void g(const struct box *w, void *v, int n) {\n"
                  "double(*r)[n] = w->rows, m = w->at[0].left * n; struct pair b = w->one;\n"
                  "matrix o = make(b.right, &w->at[n], v, w->left, o.left); rows(n); }");
    TEST_ASSERT_TRUE(known("w", 1)->parameter && is(&code, known("w", 1)->type, "box") &&
                     !known("w", 1)->of);
    TEST_ASSERT_TRUE(!is_real(&code, known("rows", 1)) && known("at", 2)->rank == 1);
    TEST_ASSERT_TRUE(is_whole(&code, known("left", 1)) && known("right", 1)->of);
    TEST_ASSERT_TRUE(have_same_type(&code, known("at", 1), known("one", 1)));
    TEST_ASSERT_TRUE(!have_same_type(&code, known("at", 1), known("w", 1)));
    TEST_ASSERT_TRUE(!known("left", 2) && !known("left", 3) && !known("rows", 2));
    expect_tokens("w->at[0].left * n", token("w", 2),
                  behind_joined(&code, token("w", 2), " * ") - 1);
    expect_tokens("&w->at[n]", token("&", 1), behind_operand(&code, token("&", 1)) - 1);
}

TEST(tokens, comments_strings_and_directives_are_no_code) {
    read_body("/* it's { \" */ y[0] = 1; // don't \"\n g(\"/* { no\", '\"', '\\'', \"\\\\\");"
              "\n  #if N > 2 /* } */\n#define M \\\n  {\n  y[1] = 0x1F - 1.5e-3f; // */\n#endif");
    expect_tokens("y[0] = 1;", code.open + 1, token(";", 1));
    expect_tokens("'\\'', \"\\\\\");", token(",", 2) + 1, token(";", 2));
    expect_tokens("y[1] = 0x1F - 1.5e-3f;", token(";", 2) + 1, token("1.5e-3f", 1) + 1);
}

TEST(tokens, what_is_no_definition_is_no_function) {
    static const char none[] = "\n}\nint\nint x = 1;\nint f(int n);\nf() }\n1e\nf( {\nf) ( { }\n"
                               "int f(int n) { if (n }\nstruct a { int b; }\nf() { [ ) ] ( }\n";
    for (const char *at = none; *at; at += strcspn(at, "\n") + 1) {
        clear();
        TEST_ASSERT_FALSE_MESSAGE(code_read(&code, at, at + strcspn(at, "\n"), structs), at);
    }
}
