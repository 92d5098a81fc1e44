/* What a screen looks like. */
#include "made.h"

#include <stdlib.h>
#include <unistd.h>

/* --- screen --------------------------------------------------------------------------------- */

/* Runs `print` with standard output in a file, and no colour asked for, on a terminal of that
   width; `text` is what it wrote. */
static void capture_at(const char *columns, void (*print)(void)) {
    char part[1000];
    size_t length;
    clear();
    unsetenv("FORCE_COLOR");
    unsetenv("NO_COLOR");
    setenv("COLUMNS", columns, 1);
    FILE *file = tmpfile();
    TEST_ASSERT_NOT_NULL(file);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    screen_start();
    print();
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        text_add(&text, part, length);
    fclose(file);
    unsetenv("COLUMNS");
}

/* A single word may be wider. */
static void expect_narrow(size_t width) {
    const char *line;
    for (const char *at = text_of(&text); (line = next_line(&at));)
        if (strchr(line + strspn(line, " "), ' '))
            TEST_ASSERT_TRUE_MESSAGE(strlen(line) <= width, line);
}

/* Each screen is also as narrow as the terminal. */
static void capture(void (*print)(void)) {
    capture_at("40", print);
    expect_narrow(40);
    capture_at("80", print);
    expect_narrow(80);
}

static const char prose[] =
    "Each row of the weights says how much of each value goes into the output, and since a row "
    "sums to one the output lies between the values: it is a blend, never more than its parts, "
    "and `weights[1][2]` is the share of the third value in the second output.";

static void say_prose(void) {
    say_paragraph(PLAIN, 6, prose);
}

TEST(screen, a_paragraph_is_broken_at_spaces_and_indented) {
    char joined[sizeof prose + 10] = "";
    const char *line;
    int lines = 0;
    capture(say_prose);
    TEST_ASSERT_TRUE(ends_with(text_of(&text), ".\n"));
    for (const char *at = text_of(&text); (line = next_line(&at)); lines++) {
        TEST_ASSERT_TRUE_MESSAGE(strlen(line) <= WIDTH, line);
        TEST_ASSERT_TRUE_MESSAGE(starts_with(line, "      ") && line[6] != ' ', line);
        TEST_ASSERT_FALSE_MESSAGE(ends_with(line, " "), line);
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", lines ? " " : "",
                 line + 6);
    }
    TEST_ASSERT_EQUAL_STRING(prose, joined);
    TEST_ASSERT_EQUAL_INT(4, lines);
}

static void say_exactly_a_line(void) {
    char line[WIDTH + 10];
    memset(line, 'x', WIDTH);
    strcpy(line + WIDTH, " next");
    say_paragraph(BOLD, 0, line);
    line[WIDTH] = '\0';
    say_paragraph(BOLD, 0, line);
}

TEST(screen, a_line_may_be_as_wide_as_the_screen) {
    capture(say_exactly_a_line);
    TEST_ASSERT_EQUAL_size_t(WIDTH + 1 + 5 + WIDTH + 1, text.length);
    TEST_ASSERT_EQUAL_CHAR('\n', text.chars[WIDTH]);
    TEST_ASSERT_TRUE(starts_with(text.chars + WIDTH, "\nnext\nxxx"));
}

static void say_a_long_word(void) {
    char words[200];
    memset(words, 'x', 150);
    strcpy(words + 100, " after it");
    memcpy(words, "before ", 7);
    say_paragraph(PLAIN, 2, words);
    say_paragraph(PLAIN, 2, "");
}

TEST(screen, a_word_wider_than_the_screen_is_kept_whole) {
    const char *line;
    capture(say_a_long_word);
    const char *at = text_of(&text);
    TEST_ASSERT_TRUE((line = next_line(&at)));
    TEST_ASSERT_EQUAL_STRING("  before", line);
    TEST_ASSERT_TRUE((line = next_line(&at)));
    TEST_ASSERT_EQUAL_size_t(2 + 93, strlen(line));
    TEST_ASSERT_TRUE((line = next_line(&at)));
    TEST_ASSERT_EQUAL_STRING("  after it", line);
    TEST_ASSERT_FALSE((line = next_line(&at)));
}

static void say_bars(void) {
    say_bar(0, 10);
    say_bar(5, 10);
    say_bar(10, 10);
    say_bar(0, 0);
}

TEST(screen, a_bar_is_as_wide_as_the_screen) {
    static const size_t filled[] = {0, (WIDTH - 2) / 2, WIDTH - 2, 0};
    const char *line;
    capture(say_bars);
    const char *at = text_of(&text);
    for (int i = 0; i < 4; i++) {
        TEST_ASSERT_TRUE((line = next_line(&at)));
        TEST_ASSERT_EQUAL_size_t(WIDTH, strlen(line));
        TEST_ASSERT_TRUE(line[0] == '[' && line[WIDTH - 1] == ']');
        TEST_ASSERT_EQUAL_size_t(filled[i], strspn(line + 1, "#"));
        TEST_ASSERT_EQUAL_size_t(WIDTH - 2 - filled[i], strspn(line + 1 + filled[i], "-"));
    }
    TEST_ASSERT_FALSE((line = next_line(&at)));
}

static void say_two_ends(void) {
    say_ends("left", "right");
}

TEST(screen, two_ends_fill_a_line) {
    capture(say_two_ends);
    TEST_ASSERT_EQUAL_size_t(WIDTH + 1, text.length);
    TEST_ASSERT_TRUE(starts_with(text.chars, "left "));
    TEST_ASSERT_TRUE(ends_with(text.chars, " right\n"));
}

static void say_everything(void) {
    for (int colour = PLAIN; colour <= YELLOW; colour++)
        say((enum colour)colour, "%s %d\n", "number", colour);
    say_paragraph(RED, 2, "red");
    say_bars();
    say_two_ends();
}

TEST(screen, without_a_terminal_there_is_no_colour) {
    capture(say_everything);
    TEST_ASSERT_NULL(strchr(text_of(&text), '\033'));
    expect_part("number 5\n", text_of(&text));
}

static void say_in_forced_colour(void) {
    setenv("FORCE_COLOR", "1", 1);
    screen_start();
    say(GREEN, "green");
    setenv("NO_COLOR", "1", 1);
    screen_start();
    say(GREEN, "plain");
    unsetenv("NO_COLOR");
    unsetenv("FORCE_COLOR");
    screen_start();
}

TEST(screen, colour_can_be_forced_and_refused) {
    capture(say_in_forced_colour);
    TEST_ASSERT_EQUAL_STRING("\033[32mgreen\033[0mplain", text_of(&text));
}

/* --- show ----------------------------------------------------------------------------------- */

static struct finding broken; /* the finding about dot before its tests are judged */

/* The screen of a check that ended with this report, with earlier lessons open or not. */
static void show_report_of(const char *report_text, bool make_is_before) {
    struct progress progress = {.total = 9, .make_is_before = make_is_before};
    static const struct settings settings = {.from = "lessons"};
    judge_said(report_text, "");
    check_begin(&checked, (struct task){&lesson, &settings, NULL});
    checked.stage = TESTED;
    checked.report = judged;
    checked.findings[0] = broken;
    broken = (struct finding){0};
    judged = (struct report){0};
    check_note_findings(&checked);
    show_check(&checked, &lesson, &progress, &settings);
}

static void show_report(const char *report_text) {
    show_report_of(report_text, false);
}

#define SHOWN_PLAN "plan dot one\nplan blend two\n"

/* A lesson out of turn, with an exercise to do and then a wrong one. */
static void show_out_of_turn(void) {
    make_lesson(three, NULL);
    show_report_of(SHOWN_PLAN "run dot one\ntodo dot lessons/02-dot-product/dot_product.c:9\n",
                   true);
    checked = (struct check){0};
    show_report_of(SHOWN_PLAN RUN("dot", "one", "FAIL: why"), true);
}

static void show_two_taglines(void) {
    make_lesson(three, NULL);
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why"));
    checked = (struct check){0};
    strcpy(lesson.tagline, "One network reads, another writes and learns where to look, word by");
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why"));
}

TEST(show, a_tagline_that_does_not_fit_has_its_own_line) {
    const char *line;
    capture(show_two_taglines);
    expect_part("\nLesson 02: Dot-product attention        Score by dot product", text_of(&text));
    expect_part("\nLesson 02: Dot-product attention\nOne network reads, another writes and learns "
                "where to look, word by\n\n",
                text_of(&text));
    for (const char *at = text_of(&text); (line = next_line(&at));)
        TEST_ASSERT_TRUE_MESSAGE(strlen(line) <= 80, line);
}

TEST(show, out_of_turn_what_to_type_has_the_lesson_s_number) {
    capture(show_out_of_turn);
    expect_part("\nThen   make 02\nStuck  make hint-02\n", text_of(&text));
    expect_part("\nStuck  make hint-02  looks for the line\n", text_of(&text));
}

static void show_results_among_inputs(void) {
    make_lesson("void dot(int n, int m, const double Q[n][m], const double (*K)[m],\n"
                "         double (*hidden)[m], double weights[n][m], const double last[n]);\n"
                "void blend(int n, const double hidden[n], double Q[n], double last[n]);\n",
                NULL);
    show_report(SHOWN_PLAN "run dot one\n< Q[0] = 1, 2\n< hidden[0] = 7, 8\n< K[0] = 3, 4\n"
                           "< unheard_of = 9\n< weights[0] = 5, 6\n< last = 0, 0\n"
                           "unity tests/t.c:3:one:FAIL: why\n");
    checked = (struct check){0};
    show_report(SHOWN_PLAN RUN("dot", "one", "PASS") "run blend two\n< hidden = 7, 8\n"
                                                     "unity tests/t.c:3:two:FAIL: why\n");
}

TEST(show, results_come_behind_the_inputs) {
    setenv("VERBOSE", "1", 1); /* all of them */
    capture(show_results_among_inputs);
    unsetenv("VERBOSE");
    expect_part("\n\n    Q[0] = 1, 2\n    K[0] = 3, 4\n    last = 0, 0\n"
                "    after the last call of dot():\n"
                "    hidden[0] = 7, 8\n    weights[0] = 5, 6\n\n",
                text_of(&text));
    expect_part("\n\n    hidden = 7, 8\n\n", text_of(&text)); /* an input of blend */
    TEST_ASSERT_NULL(strstr(text_of(&text), "unheard_of"));
}

static const char seven[] = "void a(int n);\nvoid b(int n);\nvoid c(int n);\nvoid d(int n);\n"
                            "void e(int n);\nvoid f(int n);\nvoid g(int n);\n";

static void show_seven(void) {
    make_lesson(seven, NULL);
    show_report("plan a t\nplan b t\nplan c t\nplan d t\nplan e t\nplan f t\nplan g t\n" RUN(
        "a", "t", "PASS") RUN("b", "t", "PASS") RUN("c", "t", "FAIL: why")
                    RUN("d", "t", "FAIL: why"));
}

TEST(show, exercises_alike_share_a_line) {
    capture(show_seven);
    expect_part("\n\n  + a and 1 more\n"
                "  x c                                0 of 1 tests pass  <- you are here\n"
                "  x d                                0 of 1 tests pass\n"
                "  ? e and 2 more                     not checked: the tests ended earlier\n\n",
                text_of(&text));
}

static void show_what_does_not_build(void) {
    struct progress progress = {.total = 9};
    static const struct settings settings = {.from = "lessons"};
    make_lesson(three, "int int;\n");
    lesson.unbuilt = true;
    check_begin(&checked, (struct task){&lesson, &settings, NULL});
    checked.stage = NOT_COMPILED;
    show_check(&checked, &lesson, &progress, &settings);
    show_lesson_line(&lesson, 14);
}

TEST(show, of_a_file_that_does_not_build_nothing_is_checked) {
    capture(show_what_does_not_build);
    expect_part("\n\n  ? dot and 2 more                   not checked\n\n", text_of(&text));
    expect_part("02 Dot-product attention ???             0/3   does not build", text_of(&text));
}

static void show_much(void) {
    struct text report = {0};
    make_lesson(seven, NULL);
    strcpy(lesson.tagline, "One network reads, another writes and learns where to look, word by");
    text_print(
        &report, "plan a t\nrun a t\n= %s\n",
        "Row 1 of weights sums to 1.31; it should sum to 1. Row 1 of weights sums to 1.31; it "
        "should sum to 1. Row 1 of weights sums to 1.31; it should sum to 1.");
    for (int i = 0; i < 40; i++)
        text_print(&report, "< n = %d, 2, 3\n| weights[%d] 1 2 3\n", i, i);
    text_print(&report,
               "unity tests/02-dot-product/a_file_with_quite_a_long_name.c:3:t:FAIL: why\n");
    show_report(text_of(&report));
}

TEST(show, what_counts_stands_within_24_lines) {
    int lines = 0;
    capture(show_much);
    for (const char *c = text_of(&text); *c; c++)
        lines += *c == '\n';
    TEST_ASSERT_LESS_OR_EQUAL_INT(HEIGHT, lines);
    expect_part("  Row 1 of weights sums to 1.31", text_of(&text));
    expect_part("lines more; VERBOSE=1 shows all", text_of(&text));
    setenv("VERBOSE", "1", 1);
    capture(show_much);
    unsetenv("VERBOSE");
    expect_part("    weights[39] 1 2 3\n", text_of(&text));
    expect_part("    n = 39, 2, 3\n", text_of(&text));
    expect_part("\n  ? b                                not checked\n  ? c  ", text_of(&text));
}

#define FAILED_AND_STOPPED                                                                         \
    "plan dot one\nplan dot long_rows\nplan blend two\n" RUN("dot", "one",                         \
                                                             "FAIL: why") "run dot long_rows\n"

static void show_stopped_later(void) {
    make_lesson(three, NULL);
    broken =
        (struct finding){.kind = FOUND_TIME, .code = WORKED_LONG, .number = 5, .function = "dot"};
    show_report(FAILED_AND_STOPPED);
}

TEST(show, a_later_test_that_was_stopped_is_told) {
    capture(show_stopped_later);
    expect_part("  A later test, long_rows, was stopped after 5 s of work in dot(). The tests\n"
                "  after it were not run.\n",
                text_of(&text));
}

static void show_stopped_last(void) {
    make_lesson(three, NULL);
    broken = (struct finding){.kind = FOUND_FLOOD, .code = PRINTED_MUCH};
    show_report("plan dot one\nplan dot two\n" RUN("dot", "one", "FAIL: why") "run dot two\n");
}

TEST(show, behind_the_last_test_nothing_was_left_unchecked) {
    capture(show_stopped_last);
    expect_part("  A later test, two, printed far too much, and was stopped.\n", text_of(&text));
}

static void show_crashed_later(void) {
    make_lesson(three, NULL);
    broken = (struct finding){.kind = FOUND_CRASH, .code = NULL_POINTER};
    show_report(FAILED_AND_STOPPED);
    checked = (struct check){0};
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why") RUN("blend", "two", "PASS"));
}

TEST(show, a_later_crash_is_not_called_a_stop) {
    capture(show_crashed_later); /* the tests behind a crash are run */
    TEST_ASSERT_NULL(strstr(text_of(&text), "A later test"));
}
