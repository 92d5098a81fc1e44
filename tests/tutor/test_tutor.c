/* The tutor's modules, each by itself. What it says of real files, with real compilers, is proved
   in tests/suites/tutor.sh. */
#include "made.h"

#include "where.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/ptrace.h>
#endif
#include <time.h>
#include <unistd.h>

/* --- what the tests share ------------------------------------------------------------------- */

struct text text;
struct lesson lesson;
struct child child;
struct report judged;
struct finding found;
struct check checked;
struct calls calls;

static int home = -1; /* the folder that we came from */
static char folders[] = "build/tutor-XXXXXX";
static int folder_count; /* so many are in it */

static void leave_folder(void) {
    if (home < 0)
        return;
    TEST_ASSERT_EQUAL_INT(0, fchdir(home));
    close(home);
    home = -1;
}

/* All at once: to delete each takes as long as a test. */
static int remove_folders(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folders);
    return folder_count && system(command) != 0;
}

void clear(void) {
    text = (struct text){0};
    lesson = (struct lesson){0};
    child = (struct child){0};
    judged = (struct report){0};
    found = (struct finding){0};
    checked = (struct check){0};
    calls = (struct calls){0};
    leave_folder();
}

const char *found_what(void) {
    return words_what(&found);
}

const char *found_advice(void) {
    return words_advice(&found, &lesson);
}

const char *found_where(void) {
    return words_where(&found);
}

const char *found_callers(void) {
    return words_callers(&found);
}

void enter_folder(void) {
    char folder[64];
    clear();
    mkdir("build", 0777);
    if (!folder_count++)
        TEST_ASSERT_NOT_NULL(mkdtemp(folders));
    snprintf(folder, sizeof folder, "%s/%d", folders, folder_count);
    make_folder(folder);
    home = open(".", O_RDONLY);
    TEST_ASSERT_TRUE(home >= 0);
    TEST_ASSERT_EQUAL_INT(0, chdir(folder));
}

void write_file(const char *path, const char *chars) {
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    fputs(chars, file);
    fclose(file);
}

bool exists(const char *path) {
    struct stat unused;
    return stat(path, &unused) == 0;
}

void make_folder(const char *path) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, mkdir(path, 0777), path);
}

bool read_lesson(const char *name) {
    return lesson_read(&lesson, name, "lessons", "out");
}

static const char known_hints[] =
    "# Hints\n\n## dot\n\n1. Sum.\n\n## blend\n\n## pick\n\n1. Which?\n"
    "## a\n## b\n## c\n## d\n## e\n## f\n## g\n";

void make_lesson(const char *header, const char *source) {
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/02-dot-product");
    make_folder("out");
    make_folder("out/02-dot-product");
    write_file("lessons/02-dot-product/README.md",
               "# 02 \302\267 Dot-product attention\n\nScore by dot product, blend by weight.\n\n"
               "## The question\n\nWhy?\n");
    write_file("lessons/02-dot-product/dot_product.h", header);
    write_file("lessons/02-dot-product/hints.md", known_hints);
    if (source)
        write_file("lessons/02-dot-product/dot_product.c", source);
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
}

void expect_part(const char *part, const char *whole) {
    char message[1000];
    snprintf(message, sizeof message, "\"%.300s\" is not in \"%.600s\"", part, whole);
    TEST_ASSERT_TRUE_MESSAGE(strstr(whole, part) != NULL, message);
}

bool survives(bool (*run)(void)) {
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run() ? 0 : 1);
    TEST_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- text ----------------------------------------------------------------------------------- */

TEST(text, an_empty_text_reads_as_nothing) {
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    text_add(&text, "unused", 0);
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    text = (struct text){0};
    text = (struct text){0};
    TEST_ASSERT_NULL(text.chars);
}

TEST(text, a_text_grows_and_always_ends) {
    for (int i = 0; i < 1000; i++) {
        text_add(&text, "abcdef", 3);
        TEST_ASSERT_EQUAL_size_t((size_t)(3 * (i + 1)), text.length);
        TEST_ASSERT_EQUAL_size_t(text.length, strlen(text.chars));
    }
    text_print(&text, "[%d %s]", 7, "seven");
    TEST_ASSERT_TRUE(ends_with(text_of(&text), "abcabc[7 seven]"));
}

TEST(text, a_very_long_line_is_printed_whole) {
    text_print(&text, "%10000d", 1);
    text_print(&text, "[%s]", text.chars); /* a part of itself, too */
    TEST_ASSERT_EQUAL_size_t(text.length, strlen(text.chars));
    TEST_ASSERT_EQUAL_size_t(20002, text.length);
    TEST_ASSERT_TRUE(ends_with(text.chars, " 1]"));
}

TEST(text, a_missing_file_is_an_empty_text) {
    text.length = 5; /* what was there before does not matter */
    TEST_ASSERT_FALSE(text_read_file(&text, "build/no/such/file"));
    TEST_ASSERT_NULL(text.chars);
    TEST_ASSERT_EQUAL_size_t(0, text.length);
}

TEST(text, a_folder_is_no_file) {
    TEST_ASSERT_FALSE(text_read_file(&text, "."));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
}

TEST(text, a_file_is_read_whole) {
    enter_folder();
    FILE *file = fopen("big", "w");
    TEST_ASSERT_NOT_NULL(file);
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%04d\n", i);
    fclose(file);
    TEST_ASSERT_TRUE(text_read_file(&text, "big"));
    TEST_ASSERT_EQUAL_size_t(15000, text.length);
    TEST_ASSERT_TRUE(ends_with(text.chars, "2998\n2999\n"));
    text = (struct text){0};
    write_file("none", "");
    TEST_ASSERT_TRUE(text_read_file(&text, "none"));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
}

TEST(text, a_pattern_finds_its_parts) {
    static const char pattern[] = "^(.*\\.c):([0-9]+)(:([0-9]+))?";
    TEST_ASSERT_EQUAL_STRING("a b.c", part_of("a b.c:31: x", pattern, 1));
    TEST_ASSERT_EQUAL_STRING("31", part_of("a b.c:31: x", pattern, 2));
    TEST_ASSERT_EQUAL_STRING("", part_of("a b.c:31: x", pattern, 4)); /* which it does not need */
    TEST_ASSERT_EQUAL_STRING("a b.c:31:5", part_of("a b.c:31:5 x", pattern, 0));
    TEST_ASSERT_NULL(part_of("a b.h:31", pattern, 1));
}

TEST(text, foreign_text_controls_nothing) {
    static const char foreign[] = "a\tb\r\n\033[1m\342\200\256 \303\251 \351";
    text_add_readable(&text, foreign, sizeof foreign, "\n");
    TEST_ASSERT_EQUAL_STRING("a b\n<U+001B>[1m<U+202E> \303\251 \303\251<U+0000>", text.chars);
}

TEST(text, lines_come_one_by_one) {
    const char *at = "one\n\nthree";
    TEST_ASSERT_EQUAL_STRING("one", next_line(&at));
    TEST_ASSERT_EQUAL_STRING("", next_line(&at));
    TEST_ASSERT_EQUAL_STRING("three", next_line(&at));
    TEST_ASSERT_NULL(next_line(&at));
    TEST_ASSERT_NULL(next_line(&at));
}

TEST(text, a_long_line_is_whole) {
    const char *line = path_of("%05000d", 1), *at = path_of("%s\nx\n", line);
    TEST_ASSERT_EQUAL_STRING(line, next_line(&at));
    TEST_ASSERT_EQUAL_STRING("x", next_line(&at));
    TEST_ASSERT_NULL(next_line(&at));
}

TEST(text, starts_and_ends_are_told) {
    TEST_ASSERT_TRUE(starts_with("softmax", "soft"));
    TEST_ASSERT_TRUE(starts_with("softmax", ""));
    TEST_ASSERT_FALSE(starts_with("soft", "softmax"));
    TEST_ASSERT_TRUE(ends_with("softmax", "max"));
    TEST_ASSERT_TRUE(ends_with("softmax", "softmax"));
    TEST_ASSERT_TRUE(ends_with("softmax", ""));
    TEST_ASSERT_FALSE(ends_with("max", "softmax"));
    TEST_ASSERT_FALSE(ends_with("softmax", "soft"));
}

TEST(text, a_path_is_printed) {
    TEST_ASSERT_EQUAL_STRING("a/02-b/c.h", path_of("%s/%02d-%s/c.h", "a", 2, "b"));
}

TEST(text, a_long_path_is_not_cut) {
    TEST_ASSERT_EQUAL_size_t(5000, strlen(path_of("%05000d", 1)));
}

/* --- tests by hand -------------------------------------------------------------------------- */

static void loop_for_ever(void) {
    for (volatile int i = 0; i >= 0; i = 1)
        ;
}

static void loop_beyond_the_limit(void) {
    clock_t start = clock();
    while (clock() - start < CLOCKS_PER_SEC / 8)
        ;
}

/* In a process of its own, with a limit of a tenth of a second; its standard output goes into
 * `text`. */
static int run_by_hand(void (*test)(void), bool debugged) {
    struct lesson_test only = {.exercise = "dot", .name = "a_test_of_it", .run = test, .line = 7};
    char part[1000], *argv[] = {"test", NULL};
    int status = -1, out[2];
    clear();
    TEST_ASSERT_EQUAL_INT(0, pipe(out));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        close(out[1]);
        setenv("LOOKBACK_SECONDS", "0.1", 1);
        unsetenv("LOOKBACK_REPORT");
#ifdef __linux__
        if (debugged && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(99);
#endif
        only.file = only.unit = "tests/t.c";
        listed_tests = &only;
        int failed = run_tests(1, argv);
        fflush(NULL);
        _exit(failed);
    }
    close(out[1]);
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
#ifdef __linux__
        ptrace(PTRACE_CONT, pid, NULL, (void *)(long)WSTOPSIG(status));
#else
        kill(pid, SIGCONT);
#endif
    ssize_t length;
    while ((length = read(out[0], part, sizeof part)) > 0)
        text_add(&text, part, (size_t)length);
    close(out[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(by_hand, by_hand_a_loop_without_an_end_is_stopped_and_named) {
    TEST_ASSERT_EQUAL_INT(124, run_by_hand(loop_for_ever, false));
    expect_part("tests/t.c:7:a_test_of_it:FAIL: stopped after 0.1 s of work: a loop that does not "
                "end, or one that does far too much? make says where.",
                text_of(&text));
}

TEST(by_hand, under_a_debugger_no_test_is_stopped) {
#ifdef __linux__
    int status = run_by_hand(loop_beyond_the_limit, true);
    if (status == 99)
        TEST_IGNORE_MESSAGE("no process may be traced here");
    TEST_ASSERT_EQUAL_INT(0, status);
    expect_part("a_test_of_it:PASS", text_of(&text));
#endif
}

/* --- probe.sh ------------------------------------------------------------------------------- */

static void probe_without(const char *compiler) {
    char *setting = path_of("CC=%s", compiler);
    char *argv[] = {"env", setting, "sh", "common/make/probe.sh", "build/tutor-probe.mk",
                    "",    "",      NULL};
    clear();
    child_run(&child, argv, ample);
    TEST_ASSERT_EQUAL_INT(1, child.status);
    expect_part("is not installed", text_of(&child.err));
    TEST_ASSERT_TRUE(child.err.length <= 81);
    TEST_ASSERT_FALSE(exists("build/tutor-probe.mk"));
}

TEST(probe, a_compiler_that_is_missing_is_asked_for_by_its_name) {
    probe_without("nocc");
    TEST_ASSERT_EQUAL_STRING("'nocc' is not installed: apt install nocc (Debian, "
                             "Ubuntu), or leave out CC.\n",
                             text_of(&child.err));
    probe_without("/no/such/gcc");
    TEST_ASSERT_NULL(strstr(text_of(&child.err), "apt"));
}

static pid_t program;

/* Runs at the end of the program, and not of a child; folders that are left behind make it fail. */
static void end(void) {
    if (getpid() == program && remove_folders())
        _exit(1);
}

__attribute__((constructor)) static void begin(void) {
    program = getpid();
    after_test = clear;
    atexit(end);
}
