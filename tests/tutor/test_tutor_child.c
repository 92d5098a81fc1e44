/* What the tutor makes of calls, of the programs that it runs, and of their reports. */
#include "made.h"

#include "base/child.h"
#include "base/effort.h"
#include "base/tokens.h"
#include "where.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- calls ---------------------------------------------------------------------------------- */

/* Does `name` need `other`, in a file of that code? */
static bool needs(const char *code, const char *name, const char *other) {
    enter_folder();
    write_file("code.c", code);
    calls_read(&calls, "code.c");
    calls_follow(&calls, name);
    return calls_reached(&calls, other);
}

static const char code[] =
    "#define TWICE(x) \\\n    dot(2 * (x))\n"
    "/* blend() is not called here. */\n"
    "static int kept = 1, many[3];\nstatic const int fixed = 2;\n"
    "int dot(int n) { return n; }\n"
    "static int helper(int n) {\n    return n ? dot(n) + kept : \'b\';\n}\n"
    "int blend(int n) { return helper(n); } // pick()\n"
    "int pick(int n) { return TWICE(n) + fixed; }\n"
    "int leave(int n) { kept = n; many[0] = n; return n; }\n"
    "int take(void) { return blend(1) + leave(2); }\n"
    "int keep(void) { return leave(1) + kept; }\n"
    "int last(int n);\n"
    "GIVEN(dot, a_test, pick(1))\nTEST(blend, a_next_test) { puts(\"take\"); }\n"
    "RUNS(run_pick, pick, n)\nGIVEN(dot, a_run, run_pick)\n"
    "static const struct way through = {3, blend};\nint through_a_way(void) { return go(&through); "
    "}\n"
    "GIVEN(the_last_test)\n";

TEST(calls, a_function_needs_what_its_words_name) {
    TEST_ASSERT_TRUE(needs(code, "helper", "dot"));
    TEST_ASSERT_TRUE(needs(code, "blend", "dot")); /* through another */
    TEST_ASSERT_TRUE(needs(code, "pick", "dot"));  /* through a macro */
    TEST_ASSERT_TRUE(needs(code, "through_a_way", "blend"));
    TEST_ASSERT_FALSE(needs(code, "through_a_way", "pick"));
    TEST_ASSERT_FALSE(needs(code, "pick", "blend"));
    TEST_ASSERT_FALSE(needs(code, "dot", "blend"));
    TEST_ASSERT_FALSE(needs(code, "blend", "pick")); /* only a comment names it */
    TEST_ASSERT_FALSE(needs(code, "a_next_test", "take"));
    TEST_ASSERT_TRUE(
        needs("int a(int n) { return n ? b(n) : 0; }\nint b(int n) { return a(n); }\n", "b", "a"));
}

TEST(calls, a_test_needs_what_its_macro_is_given) {
    TEST_ASSERT_TRUE(needs(code, "a_test", "pick"));
    TEST_ASSERT_TRUE(needs(code, "a_next_test", "blend"));
    TEST_ASSERT_TRUE(needs(code, "a_run", "pick")); /* through a function that a macro makes */
    TEST_ASSERT_FALSE(needs(code, "a_next_test", "pick"));
    TEST_ASSERT_FALSE(needs(code, "a_test", "take"));
    TEST_ASSERT_TRUE(needs(code, "the_last_test", "take")); /* nothing is known of it */
}

static bool share(const char *name, const char *other) {
    enter_folder();
    write_file("code.c", code);
    calls_read(&calls, "code.c");
    return calls_share(&calls, name, other);
}

TEST(calls, two_functions_may_share_a_variable) {
    TEST_ASSERT_TRUE(share("blend", "leave"));
    TEST_ASSERT_TRUE(share("keep", "leave"));
    TEST_ASSERT_TRUE(share("take", "leave"));
    TEST_ASSERT_FALSE(share("pick", "leave"));
    TEST_ASSERT_FALSE(share("pick", "dot"));
}

static bool is_todo(const char *name) {
    struct function f;
    return find_function("int dot(int n) {\n    /* yet */\n    TODO(\"sum\");\n}\n"
                         "int blend(int n) {\n    n++;\n    TODO(\"sum\");\n}\n"
                         "int pick(int n) {\n    TODOS(n);\n}\n"
                         "int last(int n) {\n    TODO(\"half\");\n",
                         name, &f) &&
           f.body && f.todo;
}

TEST(calls, what_a_body_begins_with_is_known) {
    TEST_ASSERT_TRUE(is_todo("dot"));
    TEST_ASSERT_FALSE(is_todo("blend"));
    TEST_ASSERT_FALSE(is_todo("pick"));
    TEST_ASSERT_FALSE(is_todo("last"));
    TEST_ASSERT_FALSE(is_todo("none"));
}

static bool reads_halves(void) {
    static const char *const halves[] = {"#define",           "#define A \\",      "int a(",
                                         "int a(int n) { \"", "static int x[",     "/*",
                                         "}}}; int y",        "#define A(x) x\\\n"};
    for (int i = 0; i < (int)(sizeof halves / sizeof *halves); i++) {
        write_file("code.c", halves[i]);
        calls_read(&calls, "code.c");
    }
    calls_read(&calls, "none.c");
    calls_follow(&calls, "a");
    return !calls_share(&calls, "a", "b");
}

TEST(calls, half_a_file_does_no_harm_to_calls) {
    enter_folder();
    TEST_ASSERT_TRUE(survives(reads_halves));
}

/* --- child ---------------------------------------------------------------------------------- */

static void run_shell(const char *script, struct limits limits) {
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    clear();
    child_run(&child, argv, limits);
}

TEST(child, a_child_ends_with_its_status) {
    run_shell("exit 7", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(7, child.status);
    run_shell("exit 0", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(0, child.status);
    TEST_ASSERT_EQUAL_STRING("", text_of(&child.out));
}

TEST(child, a_child_that_crashes_has_a_signal) {
    run_shell("kill -SEGV $$", ample);
    TEST_ASSERT_EQUAL_INT(SIGNALLED, child.ending);
    TEST_ASSERT_EQUAL_INT(SIGSEGV, child.status);
}

TEST(child, a_child_killed_before_its_time_was_not_too_slow) {
    run_shell("kill -KILL $$", ample); /* as the system does when memory is short */
    TEST_ASSERT_EQUAL_INT(SIGNALLED, child.ending);
    TEST_ASSERT_EQUAL_INT(SIGKILL, child.status);
}

TEST(child, output_errors_and_report_are_kept_apart) {
    run_shell("echo out; echo err >&2; echo report >/dev/fd/$LOOKBACK_REPORT; echo more", ample);
    TEST_ASSERT_EQUAL_STRING("out\nmore\n", text_of(&child.out));
    TEST_ASSERT_EQUAL_STRING("err\n", text_of(&child.err));
    TEST_ASSERT_EQUAL_STRING("report\n", text_of(&child.report));
}

TEST(child, the_report_is_the_childs_own) {
    const char *ours = getenv("LOOKBACK_REPORT");
    char kept[32] = "";
    if (ours)
        snprintf(kept, sizeof kept, "%s", ours);
    setenv("LOOKBACK_REPORT", "9999", 1);
    run_shell("echo $LOOKBACK_REPORT", ample);
    if (ours)
        setenv("LOOKBACK_REPORT", kept, 1);
    else
        unsetenv("LOOKBACK_REPORT");
    TEST_ASSERT_TRUE(atoi(text_of(&child.out)) > 2);
    TEST_ASSERT_FALSE(starts_with(text_of(&child.out), "9999"));
}

TEST(child, a_child_reads_nothing) {
    run_shell("cat; echo end", ample);
    TEST_ASSERT_EQUAL_STRING("end\n", text_of(&child.out));
}

TEST(child, much_output_arrives_whole) {
    run_shell("i=0; while [ $i -lt 5000 ]; do echo 0123456789; i=$((i + 1)); done", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_size_t(55000, child.out.length);
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs into the limit of a second, after it printed this. */
static void expect_stopped(const char *script, struct limits limits, const char *printed) {
    limits.output = 1 << 16;
    run_shell(script, limits);
    TEST_ASSERT_EQUAL_INT(TIMED_OUT, child.ending);
    TEST_ASSERT_EQUAL_INT(limits.idle_seconds == 1, child.waited);
    TEST_ASSERT_EQUAL_INT(1, child.seconds);
    TEST_ASSERT_EQUAL_STRING(printed, text_of(&child.out));
}

TEST(child, a_busy_loop_is_stopped) {
    expect_stopped("echo before; while :; do :; done",
                   (struct limits){.cpu_seconds = 1, .idle_seconds = 60}, "before\n");
}

TEST(child, a_sleeper_is_stopped) {
    expect_stopped("echo before; sleep 600; echo after",
                   (struct limits){.cpu_seconds = 10, .idle_seconds = 1}, "before\n");
}

TEST(child, a_sleeper_that_heeds_no_signal_is_stopped) {
    expect_stopped("trap '' XCPU TERM INT HUP; sleep 600; sleep 600",
                   (struct limits){.cpu_seconds = 10, .idle_seconds = 1}, "");
}

TEST(child, one_that_closes_its_pipes_and_sleeps_is_stopped) {
    expect_stopped("exec >&- 2>&-; eval \"exec $LOOKBACK_REPORT>&-\"; sleep 600",
                   (struct limits){.cpu_seconds = 10, .idle_seconds = 1}, "");
}

static bool is_given_up(void) {
    where_finish(); /* it may call exit() */
    setenv("LOOKBACK_LAST_RESORT", "0.3", 1);
    if (!freopen("/dev/null", "w", stderr))
        return false;
    run_shell("while :; do :; done", (struct limits){.cpu_seconds = 100, .output = 1 << 16});
    return true;
}

/* No function is to blame: this program ends without a verdict. */
TEST(child, a_child_that_does_not_end_for_a_long_time_is_not_judged) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(is_given_up() ? 0 : 1);
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT(CHILD_NOT_JUDGED, WEXITSTATUS(status));
}

/* So often looked at, a fifth of a second apart; what it does is the same each time. */
static bool is_idle_after(int looks, struct effort each, double limit) {
    struct idle idle;
    struct effort now = {.threads = 1, .ready = each.ready};
    bool over = false;
    idle_again(&idle);
    for (int i = 0; i < looks && !over; i++) {
        now.work += each.work;
        now.delayed += each.delayed;
        now.threads += each.threads;
        idle.looked -= 0.2;
        over = idle_for(&idle, now, limit);
    }
    return over;
}

TEST(effort, who_waits_for_a_processor_does_not_sleep) {
    TEST_ASSERT_TRUE(is_idle_after(10, (struct effort){0}, 1.0));
    TEST_ASSERT_FALSE(is_idle_after(4, (struct effort){0}, 1.0));
    TEST_ASSERT_FALSE(is_idle_after(1000, (struct effort){.ready = true}, 1.0));
    TEST_ASSERT_FALSE(is_idle_after(1000, (struct effort){.delayed = 0.25}, 1.0));
    TEST_ASSERT_FALSE(is_idle_after(1000, (struct effort){.work = 0.05}, 1.0));
    TEST_ASSERT_FALSE(is_idle_after(1000, (struct effort){.threads = 1}, 1.0));
    TEST_ASSERT_TRUE(is_idle_after(20, (struct effort){.work = 0.001}, 1.0));
}

TEST(effort, what_a_process_does_is_seen_from_outside) {
    struct effort own = effort_below(getpid());
    if (own.threads == 0)
        return; /* there is no /proc */
    TEST_ASSERT_TRUE(own.ready);
    TEST_ASSERT_TRUE(own.pages > 0);
}

TEST(child, a_child_that_said_where_it_was_is_out_of_time) {
    run_shell("exit 124", ample);
    TEST_ASSERT_EQUAL_INT(TIMED_OUT, child.ending);
    TEST_ASSERT_FALSE(child.waited);
    TEST_ASSERT_EQUAL_INT(10, child.seconds);
}

TEST(child, a_flood_is_stopped_and_cut) {
    run_shell("while :; do echo 0123456789012345678901234567890123456789; done", ample);
    TEST_ASSERT_EQUAL_INT(FLOODED, child.ending);
    TEST_ASSERT_TRUE(child.out.length > 0 && child.out.length <= 1 << 16);
    run_shell("while :; do echo 0123456789012345678901234567890123456789 >&2; done", ample);
    TEST_ASSERT_EQUAL_INT(FLOODED, child.ending);
    TEST_ASSERT_TRUE(child.err.length > 0 && child.err.length <= 1 << 16);
}

TEST(child, children_of_the_child_do_not_outlive_it) {
    int alive[2]; /* open for as long as anybody holds its other end */
    TEST_ASSERT_EQUAL_INT(0, pipe(alive));
    double start = seconds_now();
    run_shell("sleep 1000 & (trap '' HUP TERM XCPU; sleep 1000) & echo said; exit 3", ample);
    double took = seconds_now() - start;
    close(alive[1]);
    struct pollfd ended = {.fd = alive[0], .events = POLLIN};
    int ready = poll(&ended, 1, 300000);
    close(alive[0]);
    TEST_ASSERT_TRUE(took < 500.0);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(3, child.status);
    TEST_ASSERT_EQUAL_STRING("said\n", text_of(&child.out));
    TEST_ASSERT_EQUAL_INT(1, ready);
}

TEST(child, a_program_that_is_missing_is_told) {
    char *argv[] = {"no-such-program-anywhere", NULL};
    child_run(&child, argv, ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(127, child.status);
    expect_part("cannot run no-such-program-anywhere", text_of(&child.err));
}

TEST(child, a_child_leaves_no_file_open) {
    int before = dup(0), after;
    close(before);
    for (int i = 0; i < 3; i++)
        run_shell("sleep 1000 & exit 0", ample);
    after = dup(0);
    close(after);
    TEST_ASSERT_EQUAL_INT(before, after);
}

static bool true_runs(void) {
    struct command command = {0};
    command_add(&command, "true");
    bool good = command_run(&command, &child);
    child = (struct child){0};
    return good;
}

TEST(child, nothing_is_run_beyond_the_work_that_is_allowed) {
    command_limit(0.0, INFINITY);
    TEST_ASSERT_FALSE(true_runs());
    TEST_ASSERT_TRUE(command_work_left() <= 0.0);
    command_limit(INFINITY, 0.0);
    TEST_ASSERT_FALSE(true_runs());
    command_limit(INFINITY, INFINITY);
    TEST_ASSERT_TRUE(true_runs());
}

TEST(child, what_somebody_waits_for_is_stopped_by_the_clock) {
    char *words[] = {"sleep", "600", NULL};
    child_run(&child, words, (struct limits){.cpu_seconds = 600, .wall_seconds = 0.01});
    TEST_ASSERT_EQUAL_INT(TIMED_OUT, child.ending);
    child = (struct child){0};
}

/* --- judge ---------------------------------------------------------------------------------- */

/* A lesson with the exercises dot, blend and pick, and no files. */
static void name_exercises(void) {
    clear();
    strcpy(lesson.folder, "02-dot-product");
    strcpy(lesson.name, "dot_product");
    lesson.exercises = calloc(3, sizeof *lesson.exercises);
    TEST_ASSERT_NOT_NULL(lesson.exercises);
    strcpy(lesson.exercises[0].name, "dot");
    strcpy(lesson.exercises[1].name, "blend");
    strcpy(lesson.exercises[2].name, "pick");
    lesson.count = 3;
    lesson.source = path_of("lessons/02-dot-product/dot_product.c");
}

/* The first test that began and came to no verdict. */
static const struct test *running(void) {
    for (int i = 0; i < judged.count; i++)
        if (judged.tests[i].verdict == RUNNING)
            return &judged.tests[i];
    return NULL;
}

void judge_said(const char *report_text, const char *out) {
    child = (struct child){0};
    text_add(&child.report, report_text, strlen(report_text));
    text_add(&child.out, out, strlen(out));
    report_read(&judged, &lesson, &child);
    report_judge(&judged, &lesson);
}

static void expect_states(enum state dot, enum state blend, enum state pick) {
    TEST_ASSERT_EQUAL_STRING(state_word(dot), state_word(lesson.exercises[0].state));
    TEST_ASSERT_EQUAL_STRING(state_word(blend), state_word(lesson.exercises[1].state));
    TEST_ASSERT_EQUAL_STRING(state_word(pick), state_word(lesson.exercises[2].state));
}

#define PLAN        "plan dot one\nplan dot two\nplan blend three\nplan pick four\n"
#define DOT_PASSES  RUN("dot", "one", "PASS") RUN("dot", "two", "PASS")
#define OTHERS_PASS RUN("blend", "three", "PASS") RUN("pick", "four", "PASS")

TEST(judge, all_passed_is_done) {
    name_exercises();
    judge_said(PLAN DOT_PASSES OTHERS_PASS "unity \ndone 4\n", "");
    expect_states(DONE, DONE, DONE);
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    TEST_ASSERT_TRUE(judged.finished);
    TEST_ASSERT_EQUAL_INT(4, judged.count);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].tests);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].passed);
    TEST_ASSERT_NULL(running());
    TEST_ASSERT_NULL(report_first_bad(&judged, &lesson.exercises[0]));
}

TEST(judge, one_failure_is_wrong) {
    name_exercises();
    judge_said(PLAN RUN("dot", "one",
                        "PASS") "run dot two\n"
                                "= You forgot the last element.\n"
                                "| expected   was\n"
                                "|   0.2500   0.5000\n"
                                "unity tests/t.c:58:two:FAIL: x[1]: expected 1, was 2\n" OTHERS_PASS
                                "done 4\n",
               "");
    expect_states(WRONG, DONE, DONE);
    TEST_ASSERT_EQUAL_INT(1, lesson.exercises[0].passed);
    const struct test *t = report_first_bad(&judged, &lesson.exercises[0]);
    TEST_ASSERT_EQUAL_STRING("two", t->name);
    TEST_ASSERT_EQUAL_INT(FAILED, t->verdict);
    TEST_ASSERT_EQUAL_STRING("tests/t.c:58", t->where);
    TEST_ASSERT_EQUAL_STRING("x[1]: expected 1, was 2", t->message);
    TEST_ASSERT_EQUAL_STRING("You forgot the last element.", t->broke);
    TEST_ASSERT_EQUAL_STRING("expected   was\n  0.2500   0.5000\n", text_of(&t->detail));
    TEST_ASSERT_EQUAL_STRING("", text_of(&judged.tests[0].detail));
}

TEST(judge, a_failure_without_a_message_is_a_failure) {
    name_exercises();
    judge_said(PLAN DOT_PASSES RUN("blend", "three", "FAIL"), "");
    TEST_ASSERT_EQUAL_STRING("", report_first_bad(&judged, &lesson.exercises[1])->message);
    expect_states(DONE, WRONG, NOT_CHECKED);
}

TEST(judge, a_todo_is_not_started) {
    name_exercises();
    judge_said(PLAN DOT_PASSES
               "run blend three\ntodo blend lessons/02/dot_product.c:14\n"
               "unity lessons/02/dot_product.c:14:three:IGNORE: blend() is not written\n" RUN(
                   "pick", "four", "PASS") "done 4\n",
               "");
    expect_states(DONE, NOT_STARTED, DONE);
    const struct test *t = report_first_bad(&judged, &lesson.exercises[1]);
    TEST_ASSERT_EQUAL_INT(TODO_REACHED, t->verdict);
    TEST_ASSERT_EQUAL_STRING("blend", t->missing);
    TEST_ASSERT_EQUAL_STRING("lessons/02/dot_product.c:14", t->todo);
}

TEST(judge, the_first_bad_test_decides) {
    name_exercises();
    judge_said(PLAN RUN("dot", "one", "FAIL: 1") "run dot two\ntodo dot a.c:1\n" OTHERS_PASS
                                                 "done 4\n",
               "");
    expect_states(WRONG, DONE, DONE);
    name_exercises();
    judge_said(PLAN "run dot one\ntodo dot a.c:1\n" RUN("dot", "two", "FAIL: 1") OTHERS_PASS, "");
    expect_states(NOT_STARTED, DONE, DONE);
}

TEST(judge, a_crash_breaks_its_exercise_and_no_other) {
    name_exercises();
    judge_said(PLAN DOT_PASSES "run blend three\n@ wrote past the end of `out`\n", "");
    expect_states(DONE, BROKEN, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_EQUAL_STRING("three", running()->name);
    TEST_ASSERT_EQUAL_STRING("wrote past the end of `out`", running()->touched);
}

TEST(judge, a_report_cut_in_the_middle_of_a_line_is_no_pass) {
    name_exercises();
    judge_said(PLAN "run dot one\nunity tests/t.c:12:one:PA", "");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
}

TEST(judge, tests_that_never_ran_leave_their_exercise_unchecked) {
    name_exercises();
    judge_said(PLAN RUN("dot", "one", "PASS"), "");
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].tests);
    TEST_ASSERT_EQUAL_INT(1, lesson.exercises[0].passed);
}

TEST(judge, an_exercise_without_tests_is_not_done) {
    name_exercises();
    judge_said("plan dot one\n" RUN("dot", "one", "PASS") "done 1\n", "");
    expect_states(DONE, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
}

TEST(judge, an_empty_report_judges_nothing) {
    name_exercises();
    set_result(0, DONE, 1, 1); /* of an earlier check */
    judge_said("", "");
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_NULL(running());
}

TEST(judge, a_test_that_was_left_has_not_passed) {
    name_exercises();
    judge_said(PLAN RUN("dot", "one", "PASS") "@ left\n" RUN("dot", "two", "PASS") OTHERS_PASS
               "done 4\n",
               "");
    expect_states(BROKEN, DONE, DONE);
    TEST_ASSERT_EQUAL_STRING("left", running()->touched);
    TEST_ASSERT_EQUAL_STRING("one", running()->name);
}

TEST(judge, a_pass_on_standard_output_counts_for_nothing) {
    name_exercises();
    judge_said(PLAN "run dot one\n",
               "\1tests/t.c:12:one:PASS\nunity tests/t.c:12:one:PASS\ndone 4\n"
               "64 Tests 0 Failures 0 Ignored\nOK\n");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_EQUAL_INT(0, lesson.exercises[0].passed);
}

TEST(judge, a_pass_of_another_test_counts_for_nothing) {
    name_exercises();
    judge_said(PLAN "run dot one\nunity tests/t.c:12:two:PASS\nunity one:PASS\n", "");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
}

TEST(judge, what_a_test_printed_is_its_own) {
    name_exercises();
    judge_said(PLAN DOT_PASSES OTHERS_PASS "done 4\n", "before\1first\n\1\1third\nand more\1");
    TEST_ASSERT_EQUAL_STRING("first\n", text_of(&judged.tests[0].printed));
    TEST_ASSERT_EQUAL_STRING("", text_of(&judged.tests[1].printed));
    TEST_ASSERT_EQUAL_STRING("third\nand more", text_of(&judged.tests[2].printed));
    TEST_ASSERT_EQUAL_STRING("", text_of(&judged.tests[3].printed));
}

TEST(judge, a_second_run_fills_in_what_the_first_left_out) {
    name_exercises();
    judge_said(PLAN DOT_PASSES "run blend three\n", "\1\1\1x");
    expect_states(DONE, BROKEN, NOT_CHECKED);
    judge_said("plan pick four\n" RUN("pick", "four", "PASS") "done 1\n", "\1y");
    expect_states(DONE, BROKEN, DONE);
    TEST_ASSERT_EQUAL_INT(4, judged.count);
    TEST_ASSERT_TRUE(judged.finished);
    TEST_ASSERT_EQUAL_STRING("x", text_of(&judged.tests[2].printed));
    TEST_ASSERT_EQUAL_STRING("y", text_of(&judged.tests[3].printed));
}

TEST(judge, a_test_told_again_is_told_once) {
    static const char again[] = "plan dot one\nrun dot one\n| a line\n= a mistake\n"
                                "unity tests/t.c:3:one:FAIL: why\n";
    name_exercises();
    judge_said(again, "\1x");
    judge_said(again, "\1x");
    TEST_ASSERT_EQUAL_INT(1, judged.count);
    TEST_ASSERT_EQUAL_STRING("x", text_of(&judged.tests[0].printed));
    TEST_ASSERT_EQUAL_STRING("a line\n", text_of(&judged.tests[0].detail));
    judge_said("run dot one\nunity tests/t.c:3:one:PASS\n", "");
    TEST_ASSERT_EQUAL_STRING("", judged.tests[0].broke);
    TEST_ASSERT_EQUAL_STRING("", judged.tests[0].message);
}

static bool hears_of_a_stranger(void) {
    judge_said("plan dot one\nplan stranger x\nplan dot two\n" DOT_PASSES, "");
    return judged.count == 2 && lesson.exercises[0].state == DONE;
}

TEST(judge, a_test_of_no_exercise_does_no_harm) {
    name_exercises();
    TEST_ASSERT_TRUE(survives(hears_of_a_stranger));
}

TEST(judge, lines_that_make_no_sense_are_passed_over) {
    name_exercises();
    judge_said("\n \nrun\nrun dot\nplan\nplan dot\nwhat is this\nunity\n@\n= \nrun dot nobody\n"
               "| detail of nobody\nunity t.c:1:nobody:PASS\n",
               "\1");
    TEST_ASSERT_EQUAL_INT(0, judged.count);
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
}

TEST(judge, very_long_lines_are_cut) {
    static char line[3000];
    name_exercises();
    snprintf(line, sizeof line, "plan dot one\nrun dot one\nunity tests/t.c:3:one:FAIL: %2000d\n%s",
             7, "plan dot two\n");
    judge_said(line, "");
    TEST_ASSERT_EQUAL_INT(2, judged.count);
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[0].state);
}
