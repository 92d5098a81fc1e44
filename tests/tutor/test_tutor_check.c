/* A check from the file to its results, with scripts for compiler and program. */
#include "made.h"

#include <stdlib.h>
#include <unistd.h>

/* With `config` as the file that make has written, and nothing in the environment. */
static struct settings settings_of(const char *config) {
    static const char *const names[] = {"FROM",        "LOOKBACK_OUT",    "LOOKBACK_OBJECTS",
                                        "LOOKBACK_CC", "LOOKBACK_CFLAGS", "LOOKBACK_SECONDS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    setenv("LOOKBACK_CONFIG", config, 1);
    return settings_from_environment();
}

TEST(settings, settings_are_those_of_a_learner_unless_make_says_more) {
    struct settings s = settings_of("no such file");
    TEST_ASSERT_EQUAL_STRING("lessons", s.from);
    TEST_ASSERT_EQUAL_STRING("build/lessons", s.out);
    TEST_ASSERT_EQUAL_STRING("cc", s.compiler);
    TEST_ASSERT_EQUAL_STRING("", s.flags);
    TEST_ASSERT_EQUAL_INT(5, s.seconds);
}

TEST(settings, settings_come_from_the_file_that_make_writes) {
    enter_folder();
    write_file("config", "LOOKBACK_CC := gcc -m32\nLOOKBACK_CFLAGS := \nSCOPES := -w\n");
    struct settings s = settings_of("config");
    TEST_ASSERT_EQUAL_STRING("gcc -m32", s.compiler);
    TEST_ASSERT_EQUAL_STRING("", s.flags);
    TEST_ASSERT_EQUAL_STRING("build/obj-cc", s.object);
}

TEST(settings, the_environment_comes_before_the_file) {
    enter_folder();
    write_file("another", "LOOKBACK_CC := gcc\nLOOKBACK_OBJECTS := build/obj\n");
    settings_of("another");
    setenv("FROM", "solutions", 1);
    setenv("LOOKBACK_CC", "", 1);
    struct settings s = settings_from_environment();
    TEST_ASSERT_EQUAL_STRING("solutions", s.from);
    TEST_ASSERT_EQUAL_STRING("build/from/solutions", s.out);
    TEST_ASSERT_EQUAL_STRING("cc", s.compiler);
    TEST_ASSERT_EQUAL_STRING("build/obj", s.object);
    settings_of("no such file");
}

TEST(settings, seconds_are_a_number_above_0) {
    settings_of("no such file");
    setenv("LOOKBACK_SECONDS", "9", 1);
    TEST_ASSERT_EQUAL_INT(9, settings_from_environment().seconds);
    setenv("LOOKBACK_SECONDS", "-3", 1);
    TEST_ASSERT_EQUAL_INT(5, settings_from_environment().seconds);
    setenv("LOOKBACK_SECONDS", "soon", 1);
    TEST_ASSERT_EQUAL_INT(5, settings_from_environment().seconds);
    settings_of("no such file");
}

/* A shell script replaces the compiler, and what it "links" is a script as well. */
static void check_with(const char *compile, const char *link, const char *program) {
    struct settings settings = {.from = "lessons",
                                .out = "out",
                                .object = "obj",
                                .compiler = "sh cc.sh",
                                .flags = "",
                                .libraries = "-lm",
                                .seconds = 5,
                                .runner = &child_runner};
    char *const objects[] = {"one.o", "two.o", NULL};
    write_file("compile.sh", compile);
    write_file("link.sh", link);
    write_file("program.sh", "#!/bin/sh\nexec 3>/dev/fd/$LOOKBACK_REPORT\necho ran >>runs\n");
    FILE *file = fopen("program.sh", "a");
    TEST_ASSERT_NOT_NULL(file);
    fputs(program, file);
    fclose(file);
    write_file("cc.sh", "if [ \"$1\" = -c ]; then\n"
                        "    . ./compile.sh\n"
                        "else\n"
                        "    echo \"$*\" >linked\n"
                        "    . ./link.sh\n"
                        "    cp program.sh \"$3\" && chmod +x \"$3\"\n"
                        "fi\n");
    check_lesson(&checked, (struct task){&lesson, &settings, objects});
    check_save(&checked);
}

/* Is the lesson passed, as far as anybody can know who was not there? */
static bool is_passed(void) {
    struct lesson again;
    bool read = lesson_read(&again, lesson.folder, "lessons", "out");
    bool passed = read && results_load(&again) == RESULTS && lesson_done(&again);
    return passed;
}

/* dot and blend are the exercises; each script below is a program that tests them. */
static void make_checkable(void) {
    make_lesson("double dot(int n);\ndouble blend(int n);\n", "double dot(int n) { return n; }\n");
    set_result(0, DONE, 1, 1); /* in an earlier check */
    set_result(1, DONE, 1, 1);
    save_results();
}

#define BOTH_PASS                                                                                  \
    "cat >&3 <<E\nplan dot one\nplan blend two\n" RUN("dot", "one", "PASS")                        \
        RUN("blend", "two", "PASS") "E\n"

static void expect_two_states(enum state dot, enum state blend) {
    TEST_ASSERT_EQUAL_STRING(state_word(dot), state_word(lesson.exercises[0].state));
    TEST_ASSERT_EQUAL_STRING(state_word(blend), state_word(lesson.exercises[1].state));
}

TEST(check, a_lesson_that_passes_is_kept_as_passed) {
    make_checkable();
    check_with("echo 'a.c:1:2: warning: odd [-Wodd]' >&2", "", BOTH_PASS "echo done 2 >&3\n");
    TEST_ASSERT_EQUAL_INT(TESTED, checked.stage);
    expect_two_states(DONE, DONE);
    TEST_ASSERT_EQUAL_INT(FOUND_PASSED, checked.findings[0].kind);
    TEST_ASSERT_TRUE(is_passed());
    TEST_ASSERT_TRUE(exists(lesson.results));
    TEST_ASSERT_EQUAL_INT(1, checked.warning_count);
    TEST_ASSERT_EQUAL_STRING("a.c:1:2: odd\n", text_of(&checked.warnings));
    TEST_ASSERT_TRUE(text_read_file(&text, "linked"));
    const char *words = path_of("obj/yours/lessons/02-dot-product/dot_product.o -o "
                                "obj/yours/lessons/02-dot-product/test.%d one.o two.o -lm\n",
                                (int)getpid());
    TEST_ASSERT_EQUAL_STRING(words, text_of(&text));
}

TEST(check, without_a_file_nothing_is_checked) {
    make_checkable();
    remove(lesson.source);
    check_with("touch compiled", "", "");
    TEST_ASSERT_EQUAL_INT(NO_FILE, checked.stage);
    TEST_ASSERT_FALSE(exists("compiled"));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(is_passed());
}

static void expect_unbuilt(enum stage stage, const char *what, const char *never_made) {
    TEST_ASSERT_EQUAL_INT(stage, checked.stage);
    TEST_ASSERT_EQUAL_STRING(what, words_what(&checked.file));
    expect_two_states(NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_TRUE(lesson.unbuilt);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(exists(never_made));
    TEST_ASSERT_FALSE(is_passed());
}

TEST(check, a_file_that_does_not_compile_is_broken) {
    make_checkable();
    set_result(0, DONE, 1, 1);
    check_with("echo \"$2:4:2: error: expected ';'\" >&2; exit 1", "", "");
    expect_unbuilt(NOT_COMPILED, "expected ';'", "linked");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:2", words_where(&checked.file));
    expect_part("error: expected ';'", text_of(&checked.raw));
}

TEST(check, a_file_that_does_not_link_is_broken) {
    make_checkable();
    check_with("", "echo \"t.c:1: undefined reference to \\`blend'\" >&2; exit 1", "");
    expect_unbuilt(NOT_LINKED, "blend() is missing from the file", "runs");
}

TEST(check, a_failing_test_takes_that_away) {
    make_checkable();
    check_with("", "",
               "cat >&3 <<E\nplan dot one\nplan blend two\n" RUN("dot", "one", "PASS")
                   RUN("blend", "two", "FAIL: why") "done 2\nE\nexit 1\n");
    TEST_ASSERT_EQUAL_INT(TESTED, checked.stage);
    expect_two_states(DONE, WRONG);
    TEST_ASSERT_EQUAL_INT(FOUND_WRONG, checked.findings[1].kind);
    TEST_ASSERT_FALSE(is_passed());
    TEST_ASSERT_TRUE(exists(lesson.results));
}

TEST(check, after_a_crash_the_other_exercises_are_run) {
    make_checkable();
    check_with("", "",
               "if [ $# = 0 ]; then\n"
               "    printf 'plan dot one\\nplan blend two\\nrun dot one\\n' >&3\n"
               "    kill -SEGV $$\n"
               "fi\n"
               "echo \"$*\" >names\n"
               "cat >&3 <<E\nplan blend two\n" RUN("blend", "two", "PASS") "done 1\nE\n");
    expect_two_states(BROKEN, DONE);
    TEST_ASSERT_EQUAL_INT(FOUND_CRASH, checked.findings[0].kind);
    TEST_ASSERT_EQUAL_INT(WILD_SIGNAL, checked.findings[0].code);
    TEST_ASSERT_TRUE(text_read_file(&text, "names"));
    TEST_ASSERT_EQUAL_STRING("blend\n", text_of(&text));
    TEST_ASSERT_FALSE(is_passed());
}

TEST(check, a_crash_before_any_test_is_run_once) {
    make_checkable();
    check_with("", "", "kill -SEGV $$\n");
    expect_two_states(NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_EQUAL_INT(FOUND_CRASH, checked.findings[0].kind);
    TEST_ASSERT_TRUE(text_read_file(&text, "runs"));
    TEST_ASSERT_EQUAL_STRING("ran\n", text_of(&text));
    TEST_ASSERT_FALSE(is_passed());
}

TEST(check, a_leak_at_the_end_breaks_the_exercise_that_made_it) {
    make_checkable();
    check_with("", "",
               BOTH_PASS "echo done 2 >&3\n"
                         "cat >&2 <<E\n==7==ERROR: LeakSanitizer: detected memory leaks\n"
                         "    #0 0x1 in malloc x.c:1\n" FRAME("1", "blend", "1") "E\nexit 1\n");
    expect_two_states(DONE, BROKEN);
    TEST_ASSERT_EQUAL_INT(FOUND_MEMORY, checked.findings[1].kind);
    TEST_ASSERT_EQUAL_INT(LEAK, checked.findings[1].code);
    TEST_ASSERT_FALSE(is_passed());
}

TEST(check, a_program_that_never_came_to_its_end_has_not_passed) {
    make_checkable();
    check_with("", "", BOTH_PASS "kill -SEGV $$\n");
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(is_passed());
}

TEST(check, a_file_saved_during_its_check_is_not_passed) {
    make_checkable();
    check_with("echo '/* more */' >>\"$2\"", "", BOTH_PASS "echo done 2 >&3\n");
    expect_two_states(DONE, DONE);
    TEST_ASSERT_FALSE(is_passed());
}
