/* The tutor's modules, each by itself. What it says of real files, with real compilers, is proved
   in tests/suites/tutor.sh. */
#include "lesson_test.h"
#include "tutor/calls.h"
#include "tutor/check.h"
#include "tutor/child.h"
#include "tutor/explain.h"
#include "tutor/files.h"
#include "tutor/judge.h"
#include "tutor/lesson.h"
#include "tutor/place.h"
#include "tutor/results.h"
#include "tutor/screen.h"
#include "tutor/show.h"
#include "tutor/stamp.h"
#include "tutor/text.h"
#include "unity.h"
#include "where.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/ptrace.h>
#endif
#include <time.h>
#include <unistd.h>

/* --- what the tests share ------------------------------------------------------------------- */

/* Static, so that a test that fails in the middle loses no memory: the next one clears them. */
static struct text text;
static struct lesson lesson;
static struct child child;
static struct report judged;
static struct fault fault;
static struct check checked;
static struct calls calls;

static int home = -1; /* the folder that we came from */
static char folder[64];

static void leave_folder(void) {
    char command[100];
    if (home < 0)
        return;
    TEST_ASSERT_EQUAL_INT(0, fchdir(home));
    close(home);
    home = -1;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

static void clear(void) {
    text_free(&text);
    lesson_free(&lesson);
    child_free(&child);
    report_free(&judged);
    fault_free(&fault);
    check_free(&checked);
    calls_free(&calls);
    lesson = (struct lesson){0};
    child = (struct child){0};
    fault = (struct fault){0};
    checked = (struct check){0};
    leave_folder();
}

static void enter_folder(void) {
    clear();
    mkdir("build", 0777);
    strcpy(folder, "build/tutor-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    home = open(".", O_RDONLY);
    TEST_ASSERT_TRUE(home >= 0);
    TEST_ASSERT_EQUAL_INT(0, chdir(folder));
}

static void write_file(const char *path, const char *chars) {
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    fputs(chars, file);
    fclose(file);
}

static bool exists(const char *path) {
    struct stat unused;
    return stat(path, &unused) == 0;
}

static void set_time(const char *path, time_t seconds, long nanoseconds) {
    struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    TEST_ASSERT_EQUAL_INT(0, utimensat(AT_FDCWD, path, times, 0));
}

static void make_folder(const char *path) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, mkdir(path, 0777), path);
}

static bool read_lesson(const char *name) {
    return lesson_read(&lesson, name, "lessons", "out");
}

static const char known_hints[] =
    "# Hints\n\n## dot\n\n1. Sum.\n\n## blend\n\n## pick\n\n1. Which?\n"
    "## a\n## b\n## c\n## d\n## e\n## f\n## g\n";

/* A lesson of its own in a folder of its own; without `source`, the learner has no file yet. Of the
   header's functions dot, blend, pick and a to g are exercises. */
static void make_lesson(const char *header, const char *source) {
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/02-dot-product");
    make_folder("out");
    make_folder("out/02-dot-product");
    write_file("lessons/02-dot-product/README.md",
               "# 02 \302\267 Dot-product attention\n\nScore by agreement, blend by weight.\n\n"
               "## The question\n\nWhy?\n");
    write_file("lessons/02-dot-product/dot_product.h", header);
    write_file("lessons/02-dot-product/hints.md", known_hints);
    if (source)
        write_file("lessons/02-dot-product/dot_product.c", source);
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
}

static const char three[] = "double dot(int n);\ndouble blend(int n);\ndouble pick(int n);\n";

static void expect_names(const char *names) {
    char all[400] = "";
    for (int i = 0; i < lesson.count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", lesson.exercises[i].name);
    TEST_ASSERT_EQUAL_STRING(names, all[0] ? all + 1 : all);
}

static void expect_part(const char *part, const char *whole) {
    char message[1000];
    snprintf(message, sizeof message, "\"%.300s\" is not in \"%.600s\"", part, whole);
    TEST_ASSERT_TRUE_MESSAGE(strstr(whole, part) != NULL, message);
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For what may crash: runs it in a process of its own. True if that comes back, with true. */
static bool survives(bool (*run)(void)) {
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run() ? 0 : 1);
    TEST_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- text ----------------------------------------------------------------------------------- */

static void an_empty_text_reads_as_nothing(void) {
    clear();
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    text_add(&text, "unused", 0);
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    text_free(&text);
    text_free(&text);
    TEST_ASSERT_NULL(text.chars);
}

static void a_text_grows_and_always_ends(void) {
    clear();
    for (int i = 0; i < 1000; i++) {
        text_add(&text, "abcdef", 3);
        TEST_ASSERT_EQUAL_size_t((size_t)(3 * (i + 1)), text.length);
        TEST_ASSERT_EQUAL_size_t(text.length, strlen(text.chars));
    }
    text_print(&text, "[%d %s]", 7, "seven");
    TEST_ASSERT_TRUE(ends_with(text_of(&text), "abcabc[7 seven]"));
}

static void printing_a_very_long_line_cuts_it(void) {
    clear();
    text_print(&text, "%10000d", 1);
    TEST_ASSERT_EQUAL_size_t(text.length, strlen(text.chars));
    TEST_ASSERT_TRUE(text.length > 1000 && text.length < 10000);
}

static void a_missing_file_is_an_empty_text(void) {
    clear();
    text.length = 5; /* what was there before does not matter */
    TEST_ASSERT_FALSE(text_read_file(&text, "build/no/such/file"));
    TEST_ASSERT_NULL(text.chars);
    TEST_ASSERT_EQUAL_size_t(0, text.length);
}

static void a_folder_is_no_file(void) {
    clear();
    TEST_ASSERT_FALSE(text_read_file(&text, "."));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
}

static void a_file_is_read_whole(void) {
    enter_folder();
    FILE *file = fopen("big", "w");
    TEST_ASSERT_NOT_NULL(file);
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%04d\n", i);
    fclose(file);
    TEST_ASSERT_TRUE(text_read_file(&text, "big"));
    TEST_ASSERT_EQUAL_size_t(15000, text.length);
    TEST_ASSERT_TRUE(ends_with(text.chars, "2998\n2999\n"));
    text_free(&text);
    write_file("none", "");
    TEST_ASSERT_TRUE(text_read_file(&text, "none"));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    clear();
}

static void lines_come_one_by_one(void) {
    char line[16];
    const char *at = "one\n\nthree";
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("one", line);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("", line);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("three", line);
    TEST_ASSERT_FALSE(next_line(&at, line, sizeof line));
    TEST_ASSERT_FALSE(next_line(&at, line, sizeof line));
}

static void a_long_line_is_cut_and_left_behind(void) {
    char line[5];
    const char *at = "123456789\n1234\nx\n";
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("1234", line);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("1234", line);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("x", line);
    TEST_ASSERT_FALSE(next_line(&at, line, sizeof line));
}

static void starts_and_ends_are_told(void) {
    TEST_ASSERT_TRUE(starts_with("softmax", "soft"));
    TEST_ASSERT_TRUE(starts_with("softmax", ""));
    TEST_ASSERT_FALSE(starts_with("soft", "softmax"));
    TEST_ASSERT_TRUE(ends_with("softmax", "max"));
    TEST_ASSERT_TRUE(ends_with("softmax", "softmax"));
    TEST_ASSERT_TRUE(ends_with("softmax", ""));
    TEST_ASSERT_FALSE(ends_with("max", "softmax"));
    TEST_ASSERT_FALSE(ends_with("softmax", "soft"));
}

static void a_path_is_printed(void) {
    TEST_ASSERT_EQUAL_STRING("a/02-b/c.h", path_of("%s/%02d-%s/c.h", "a", 2, "b").chars);
}

static void a_path_that_is_too_long_ends_the_program(void) {
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(STDERR_FILENO);
        where_finish(); /* else it would tell of an exit() in the middle of a test */
        path_of("%2000d", 1);
        _exit(0);
    }
    TEST_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
    TEST_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

/* --- lesson --------------------------------------------------------------------------------- */

static void a_lesson_is_named_by_its_folder(void) {
    make_lesson(three, NULL);
    TEST_ASSERT_EQUAL_STRING("02-dot-product", lesson.folder);
    TEST_ASSERT_EQUAL_STRING("02", lesson.number);
    TEST_ASSERT_EQUAL_STRING("dot_product", lesson.name);
    TEST_ASSERT_EQUAL_STRING("lessons/02-dot-product/README.md", lesson.readme.chars);
    TEST_ASSERT_EQUAL_STRING("lessons/02-dot-product/dot_product.c", lesson.source.chars);
    TEST_ASSERT_EQUAL_STRING("out/02-dot-product/results", lesson.results.chars);
    clear();
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/01-softmax");
    write_file("lessons/01-softmax/softmax.h", "void softmax(int n);\n");
    write_file("lessons/01-softmax/hints.md", "## softmax\n");
    TEST_ASSERT_TRUE(lesson_read(&lesson, "01-softmax", "solutions", "out"));
    TEST_ASSERT_EQUAL_STRING("01", lesson.number);
    TEST_ASSERT_EQUAL_STRING("softmax", lesson.name);
    TEST_ASSERT_EQUAL_STRING("solutions/01-softmax/softmax.c", lesson.source.chars);
    clear();
}

static void title_and_tagline_are_those_of_the_readme(void) {
    make_lesson(three, NULL);
    TEST_ASSERT_EQUAL_STRING("Dot-product attention", lesson.title);
    TEST_ASSERT_EQUAL_STRING("Score by agreement, blend by weight.", lesson.tagline);
    clear();
}

static void a_lesson_needs_no_readme(void) {
    make_lesson(three, NULL);
    lesson_free(&lesson);
    remove("lessons/02-dot-product/README.md");
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
    TEST_ASSERT_EQUAL_STRING("", lesson.title);
    TEST_ASSERT_EQUAL_STRING("", lesson.tagline);
    clear();
}

static bool reads_02(void) {
    return read_lesson("02-dot-product");
}

static void an_empty_readme_does_no_harm(void) {
    make_lesson(three, NULL);
    lesson_free(&lesson);
    write_file("lessons/02-dot-product/README.md", "");
    bool survived = survives(reads_02);
    clear();
    TEST_ASSERT_TRUE(survived);
}

static bool refuses_name_without_a_dash(void) {
    char *name = strdup("02"); /* on the heap, where a sanitizer guards its end */
    bool read = name && read_lesson(name);
    free(name);
    return !read;
}

static void a_folder_without_a_dash_is_no_lesson(void) {
    enter_folder();
    bool survived = survives(refuses_name_without_a_dash);
    clear();
    TEST_ASSERT_TRUE(survived);
}

static void without_a_header_there_is_no_lesson(void) {
    enter_folder();
    TEST_ASSERT_FALSE(read_lesson("02-dot-product"));
    make_folder("lessons");
    make_folder("lessons/02-dot-product");
    write_file("lessons/02-dot-product/dot_product.h", "/* nothing (yet) */\n");
    TEST_ASSERT_FALSE(read_lesson("02-dot-product"));
    clear();
}

static const char full_header[] = /* as odd as a header may be */
    "/* Lesson 02: score (by agreement), \"blend\" by weight; don't(panic). */\n"
    "#ifndef DOT_PRODUCT_H\n"
    "#define DOT_PRODUCT_H\n"
    "#include <stddef.h>\n"
    "#define SQUARE(x) ((x) * (x))\n"
    "enum { MOST = sizeof(int) };\n"
    "\n"
    "/* The sum of a[i] * b[i] (for all i), not \"cosine(a, b)\":\n"
    "   that one's below. */\n"
    "double dot(int d, const double a[d], const double b[d]);\n"
    "\n"
    "void blend(int n_q, int n_k,\n"
    "           const double weights[n_q][n_k], /* rows (each sums to 1) */\n"
    "           const double V[(n_k + 1) * sizeof(char)], double out[n_q]);\n"
    "\n"
    "struct pair {\n"
    "    double (*measure)(int n);\n"
    "};\n"
    "/* Of no function. */\n"
    "extern int counter;\n"
    "/* Not this one. */\n"
    "/* The\t last\n\n   one. */\n"
    "double\n"
    "pick (int n, double (*measure)(int n));\n"
    "#endif\n";

static void exercises_are_functions_of_the_header(void) {
    make_lesson(full_header, NULL);
    expect_names("dot blend pick");
    TEST_ASSERT_EQUAL_INT(3, lesson.count);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[i].state);
        TEST_ASSERT_EQUAL_INT(0, lesson.exercises[i].line);
    }
    clear();
}

static void the_contract_is_the_comment_above(void) {
    make_lesson(full_header, NULL);
    TEST_ASSERT_EQUAL_STRING("The sum of a[i] * b[i] (for all i), not \"cosine(a, b)\": that one's "
                             "below.",
                             text_of(&lesson.exercises[0].contract));
    TEST_ASSERT_EQUAL_STRING("", text_of(&lesson.exercises[1].contract));
    TEST_ASSERT_EQUAL_STRING("The last one.", text_of(&lesson.exercises[2].contract));
    clear();
}

static void a_contract_may_be_a_line_comment(void) {
    make_lesson("// The sum.\ndouble dot(int n);\n", NULL);
    TEST_ASSERT_EQUAL_STRING("The sum.", text_of(&lesson.exercises[0].contract));
    clear();
}

static void a_macro_of_many_lines_is_no_exercise(void) {
    make_lesson("#define EACH(i, n) \\\n    for (int i = 0; \\\n         i < MOST(n); i++)\n"
                "double dot(int n);\n",
                NULL);
    expect_names("dot");
    clear();
}

static void an_indented_macro_is_no_exercise(void) {
    make_lesson("#ifndef SQUARE\n  #define SQUARE(x) ((x) * (x))\n#endif\ndouble dot(int n);\n",
                NULL);
    expect_names("dot");
    clear();
}

static void what_is_no_function_is_no_exercise(void) {
    make_lesson("typedef double (*measure)(int n);\n"
                "_Static_assert(sizeof(int) == 4, \"32 bits\");\n"
                "typedef struct { int rows; } shape;\n"
                "double dot(int n) __attribute__((pure));\n"
                "__attribute__((const)) double blend(int n);\n",
                NULL);
    expect_names("dot blend");
    clear();
}

static void what_has_no_hints_is_given(void) {
    make_lesson("typedef double number;\nstruct head { int rows; number *room; };\n"
                "enum { HEADS = 8 };\n"
                "/* Given. */\nnumber take_head(int n);\n"
                "/* The sum. */\ndouble dot(int n);\n"
                "static inline int twice(int n) { return blend(n) + n; }\n"
                "/* Blended. */\nnumber blend(struct head h);\nvoid dots(int n);\n",
                "number take_head(int n) {\n    return n;\n}\n");
    expect_names("dot blend");
    TEST_ASSERT_EQUAL_STRING("The sum.", text_of(&lesson.exercises[0].contract));
    TEST_ASSERT_EQUAL_STRING("Blended.", text_of(&lesson.exercises[1].contract));
    clear();
}

static void exercises_come_in_the_order_of_the_header(void) {
    make_lesson("int pick(int n);\nint dot(int n);\nint blend(int n);\n", NULL);
    expect_names("pick dot blend");
    clear();
}

static void a_name_that_is_too_long_is_refused(void) {
    char name[301] = "";
    int status;
    memset(name, 'f', 300);
    make_lesson(three, NULL);
    lesson_free(&lesson);
    write_file("lessons/02-dot-product/dot_product.h", path_of("int %s(void);\n", name).chars);
    write_file("lessons/02-dot-product/hints.md", path_of("## %s\n", name).chars);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(STDERR_FILENO);
        where_finish();
        read_lesson("02-dot-product");
        _exit(0);
    }
    TEST_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
    TEST_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    clear();
}

static void definitions_are_found_and_nothing_else(void) {
    make_lesson(three, "#include \"dot_product.h\"\n"                          /* 1 */
                       "/* double dot(int n) { it's here? } */\n"              /* 2 */
                       "static const char *s = \"double dot(int n) {\\\"\";\n" /* 3 */
                       "// double dot(int n) {\n"                              /* 4 */
                       "#define OPEN double dot(int n) {\n"                    /* 5 */
                       "double dot(int n);\n"                                  /* 6 */
                       "static double dots(int n) {\n"                         /* 7 */
                       "    if (n) { return blend(n) + '{' + '\\''; }\n"       /* 8 */
                       "    for (;;) { dot(n); }\n"                            /* 9 */
                       "}\n"                                                   /* 10 */
                       "double\n"                                              /* 11 */
                       "dot(int n)\n"                                          /* 12 */
                       "{\n"                                                   /* 13 */
                       "    return dots(n);\n"                                 /* 14 */
                       "}\n"                                                   /* 15 */
                       "double blend(int n /* (not { this) */) {\n"            /* 16 */
                       "    return dot(n);\n"                                  /* 17 */
                       "}\n");
    TEST_ASSERT_EQUAL_INT(12, lesson_exercise(&lesson, "dot")->line);
    TEST_ASSERT_EQUAL_INT(16, lesson_exercise(&lesson, "blend")->line);
    TEST_ASSERT_EQUAL_INT(0, lesson_exercise(&lesson, "pick")->line);
    TEST_ASSERT_NULL(lesson_exercise(&lesson, "dots"));
    clear();
}

static void a_definition_after_a_macro_of_many_lines_is_found(void) {
    make_lesson(three, "#define ADD(a, b) do { \\\n"
                       "        (a) += (b);    \\\n"
                       "    } while (0)\n"
                       "double dot(int n) {\n"
                       "    double x = 0; ADD(x, n); return x;\n"
                       "}\n"
                       "double blend(int n) { return n; }\n");
    TEST_ASSERT_EQUAL_INT(4, lesson_exercise(&lesson, "dot")->line);
    TEST_ASSERT_EQUAL_INT(7, lesson_exercise(&lesson, "blend")->line);
    clear();
}

static void a_definition_may_have_a_comment_before_its_brace(void) {
    make_lesson(three, "double dot(int n) // of what?\n{\n    return n;\n}\n"
                       "double blend(int n) /* { */ { return n; }\n");
    TEST_ASSERT_EQUAL_INT(1, lesson_exercise(&lesson, "dot")->line);
    TEST_ASSERT_EQUAL_INT(5, lesson_exercise(&lesson, "blend")->line);
    clear();
}

static void a_file_that_is_half_written_is_read(void) {
    static const char *const halves[] = {"double dot(int n",
                                         "double dot(",
                                         "/* double dot(int n) {",
                                         "double dot(int n) { \"",
                                         "'",
                                         "}}}} double dot(int n) {",
                                         "double dot(int n) { '\\",
                                         ""};
    make_lesson(three, "");
    for (int i = 0; i < (int)(sizeof halves / sizeof *halves); i++) {
        lesson_free(&lesson);
        write_file("lessons/02-dot-product/dot_product.c", halves[i]);
        TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
        TEST_ASSERT_EQUAL_INT(3, lesson.count);
    }
    clear();
}

static void set_result(int i, enum state state, int passed, int tests) {
    lesson.exercises[i].state = state;
    lesson.exercises[i].passed = passed;
    lesson.exercises[i].tests = tests;
}

/* Results of the last check of the lesson's file, and of a test. */
static void save_results(void) {
    struct stamps of = {0};
    stamps_add(&of, lesson.source.chars);
    stamps_add(&of, "test.c");
    TEST_ASSERT_TRUE(results_save(&lesson, &of));
    stamps_free(&of);
    lesson_free(&lesson);
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
}

static void a_lesson_may_have_many_exercises_with_long_names(void) {
    struct text header = {0}, hints = {0};
    char long_name[201] = "";
    memset(long_name, 'f', 200);
    make_lesson(three, NULL);
    for (int i = 0; i < 100; i++) {
        text_print(&header, "int %s_%d(void);\n", long_name, i);
        text_print(&hints, "## %s_%d\n\n1. One.\n", long_name, i);
    }
    write_file("lessons/02-dot-product/dot_product.h", text_of(&header));
    write_file("lessons/02-dot-product/hints.md", text_of(&hints));
    text_free(&header);
    text_free(&hints);
    lesson_free(&lesson);
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
    TEST_ASSERT_EQUAL_INT(100, lesson.count);
    TEST_ASSERT_EQUAL_STRING(path_of("%s_%d", long_name, 99).chars, lesson.exercises[99].name);
    lesson.exercises[99].state = WRONG;
    write_file("lessons/02-dot-product/dot_product.c", "");
    write_file("test.c", "a test\n");
    save_results();
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[99].state);
    clear();
}

static void make_results(enum state blend) {
    make_lesson(three, "double dot(int n) { return n; }\n");
    write_file("test.c", "a test\n");
    set_result(0, DONE, 4, 4);
    set_result(1, blend, 2, 5);
    set_result(2, blend, 0, 3);
    text_print(&lesson.exercises[1].told, "It is the sum.");
    save_results();
}

static void results_are_saved_and_loaded(void) {
    make_results(WRONG);
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(DONE, lesson.exercises[0].state);
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[1].state);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[1].passed);
    TEST_ASSERT_EQUAL_INT(5, lesson.exercises[1].tests);
    TEST_ASSERT_EQUAL_STRING("It is the sum.", text_of(&lesson.exercises[1].told));
    TEST_ASSERT_EQUAL_STRING("", text_of(&lesson.exercises[2].told));
    TEST_ASSERT_EQUAL_INT(1, lesson_done_count(&lesson));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_EQUAL_STRING("blend", lesson_first_undone(&lesson)->name);
    clear();
}

static void every_state_survives_saving(void) {
    make_results(WRONG);
    for (int state = NOT_CHECKED; state <= DONE; state++) {
        set_result(0, (enum state)state, 1, 2);
        save_results();
        TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
        TEST_ASSERT_EQUAL_INT(state, lesson.exercises[0].state);
    }
    clear();
}

static void a_lesson_is_done_when_every_exercise_is(void) {
    make_lesson(three, NULL);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_FALSE(lesson_done(&lesson));
        TEST_ASSERT_EQUAL_PTR(&lesson.exercises[i], lesson_first_undone(&lesson));
        set_result(i, DONE, 1, 1);
    }
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    TEST_ASSERT_EQUAL_INT(3, lesson_done_count(&lesson));
    TEST_ASSERT_NULL(lesson_first_undone(&lesson));
    clear();
}

static void one_that_waits_does_not_come_before_the_other(void) {
    make_lesson(three, NULL);
    set_result(0, WAITING, 0, 2);
    set_result(1, DONE, 1, 1);
    set_result(2, WRONG, 0, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[2], lesson_first_undone(&lesson));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    set_result(2, DONE, 1, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[0], lesson_first_undone(&lesson));
    clear();
}

/* What results_load() says after another file stands there, and no state is left of before. */
static void expect_old(enum results expected) {
    TEST_ASSERT_EQUAL_INT(expected, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[0].state);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
}

static void results_hold_for_the_very_file_only(void) {
    make_results(DONE);
    set_time(lesson.source.chars, 999, 900);
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson)); /* the same words, saved again */
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    struct timespec time = file_time(lesson.source.chars);
    write_file(lesson.source.chars, "double dot(int n) { return 1; }\n");
    set_time(lesson.source.chars, (int)time.tv_sec, (int)time.tv_nsec);
    expect_old(OLD_RESULTS); /* the same time and size */
    remove(lesson.source.chars);
    expect_old(NO_RESULTS);
    clear();
}

static void results_of_other_tests_are_renewed_if_they_were_good(void) {
    make_results(DONE);
    write_file("test.c", "another test\n");
    expect_old(RENEWABLE);
    make_results(WRONG);
    write_file("test.c", "another test\n");
    expect_old(OLD_RESULTS);
    remove("test.c");
    expect_old(OLD_RESULTS);
    clear();
}

static void what_is_still_a_todo_needs_no_check(void) {
    make_lesson(three, "double dot(int n) {\n    TODO(\"x\");\n}\n");
    TEST_ASSERT_EQUAL_INT(OLD_RESULTS, results_load(&lesson)); /* two functions are gone */
    TEST_ASSERT_EQUAL_INT(NOT_STARTED, lesson.exercises[0].state);
    TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[1].state);
    clear();
    make_lesson("double dot(int n);\n", "double dot(int n) {\n    TODO(\"x\");\n}\n");
    TEST_ASSERT_EQUAL_INT(NO_RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(NOT_STARTED, lesson.exercises[0].state);
    clear();
}

/* --- stamps --------------------------------------------------------------------------------- */

static void a_stamp_names_what_a_rule_names(void) {
    struct stamps stamps = {0};
    enter_folder();
    write_file("a b.c", "one");
    write_file("h.h", "two");
    write_file("x.d", "x.o: a\\ b.c \\\n h.h\n\nh.h:\n");
    stamps_add_sources(&stamps, "x.o");
    stamps_add(&stamps, "h.h");
    stamps_add_sources(&stamps, "none.o");
    TEST_ASSERT_EQUAL_INT(2, stamps.count);
    TEST_ASSERT_EQUAL_STRING("a b.c", stamps.all[0].path);
    TEST_ASSERT_EQUAL_STRING("h.h", stamps.all[1].path);
    TEST_ASSERT_TRUE(stamps_hold(&stamps));
    stamps_free(&stamps);
    TEST_ASSERT_FALSE(stamps_hold(&stamps)); /* of nothing */
    clear();
}

static void a_stamp_holds_while_recipe_and_files_are_the_same(void) {
    struct stamps stamps = {0};
    enter_folder();
    write_file("a b.c", "one");
    stamps_add(&stamps, "a b.c");
    TEST_ASSERT_TRUE(stamps_keep(&stamps, "cc -O0", "x.of"));
    stamps_free(&stamps);
    TEST_ASSERT_TRUE(stamps_kept("x.of", "cc -O0"));
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O"));
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0 -g"));
    TEST_ASSERT_FALSE(stamps_kept("none.of", "cc -O0"));
    write_file("a b.c", "two");
    set_time("a b.c", 5, 5);
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0"));
    remove("a b.c");
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0"));
    clear();
}

static void a_file_is_replaced_whole_or_not_at_all(void) {
    struct text words = {0};
    enter_folder();
    write_file("x", "old");
    text_print(&words, "new");
    TEST_ASSERT_TRUE(file_replace("x", &words));
    TEST_ASSERT_TRUE(text_read_file(&text, "x"));
    TEST_ASSERT_EQUAL_STRING("new", text_of(&text));
    TEST_ASSERT_FALSE(file_replace("none/x", &words));
    if (exists("/dev/full")) {
        TEST_ASSERT_EQUAL_INT(0, symlink("/dev/full", path_of("x.%d", (int)getpid()).chars));
        TEST_ASSERT_FALSE(file_replace("x", &words));
    }
    text_free(&text);
    TEST_ASSERT_TRUE(text_read_file(&text, "x"));
    TEST_ASSERT_EQUAL_STRING("new", text_of(&text));
    text_free(&words);
    clear();
}

static void a_lock_is_free_again_when_its_owner_is_gone(void) {
    int ready[2], status = 0;
    char byte;
    enter_folder();
    TEST_ASSERT_EQUAL_INT(0, pipe(ready));
    pid_t pid = fork();
    if (pid == 0) {
        file_lock("folder/lock", true);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    TEST_ASSERT_EQUAL_INT(1, (int)read(ready[0], &byte, 1));
    TEST_ASSERT_EQUAL_INT(TAKEN, file_lock("folder/lock", false));
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    int lock = file_lock("folder/lock", false);
    TEST_ASSERT_TRUE(lock >= 0);
    file_unlock(lock);
    close(ready[0]);
    close(ready[1]);
    clear();
}

/* --- results that are none ------------------------------------------------------------------ */

static void results_that_make_no_sense_change_nothing(void) {
    static const char *const odd[] = {"",
                                      "\n\n",
                                      "done",
                                      "done 3 3",
                                      "done three 3 dot",
                                      "done 3 3 nobody\n",
                                      "\1\2\377\n",
                                      "donedonedonedonedonedone 3 3 dot\n",
                                      "Done 0 0 dot\n"};
    make_results(DONE);
    for (int i = 0; i < (int)(sizeof odd / sizeof *odd); i++) {
        write_file(lesson.results.chars, odd[i]);
        TEST_ASSERT_EQUAL_INT(OLD_RESULTS, results_load(&lesson));
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_EQUAL_INT_MESSAGE(NOT_CHECKED, lesson.exercises[k].state, odd[i]);
    }
    remove(lesson.results.chars);
    expect_old(OLD_RESULTS);
    clear();
}

static void results_that_cannot_be_saved_are_told(void) {
    struct stamps of = {0};
    make_lesson(three, NULL);
    make_folder("out/02-dot-product/results");
    TEST_ASSERT_FALSE(results_save(&lesson, &of));
    rmdir("out/02-dot-product/results");
    clear();
}

static void lesson_folders_come_in_order_without_others(void) {
    static const char *const made[] = {"10-last", "02-b", "01-a",  "common",
                                       "x1-no",   "03",   ".04-no"};
    struct folders folders;
    enter_folder();
    TEST_ASSERT_EQUAL_INT(0, lesson_folders().count);
    make_folder("lessons");
    for (int i = 0; i < (int)(sizeof made / sizeof *made); i++)
        make_folder(path_of("lessons/%s", made[i]).chars);
    folders = lesson_folders();
    TEST_ASSERT_EQUAL_INT(3, folders.count);
    TEST_ASSERT_EQUAL_STRING("01-a", folders.names[0].chars);
    TEST_ASSERT_EQUAL_STRING("02-b", folders.names[1].chars);
    TEST_ASSERT_EQUAL_STRING("10-last", folders.names[2].chars);
    folders_free(&folders);
    clear();
}

static void a_file_is_no_lesson_folder(void) {
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/01-a");
    write_file("lessons/02-notes.txt", "mine\n");
    struct folders folders = lesson_folders();
    TEST_ASSERT_EQUAL_INT(1, folders.count);
    folders_free(&folders);
    clear();
}

/* --- calls ---------------------------------------------------------------------------------- */

/* Does `name` need `other`, in a file of that code? */
static bool needs(const char *code, const char *name, const char *other) {
    enter_folder();
    write_file("code.c", code);
    calls_read(&calls, "code.c");
    calls_follow(&calls, name);
    bool reached = calls_reached(&calls, other);
    clear();
    return reached;
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
    "GIVEN(a_test, pick(1))\nstatic void a_next_test(void) { puts(\"take\"); }\n"
    "GIVEN(the_last_test)\n";

static void a_function_needs_what_its_words_name(void) {
    TEST_ASSERT_TRUE(needs(code, "helper", "dot"));
    TEST_ASSERT_TRUE(needs(code, "blend", "dot")); /* through another */
    TEST_ASSERT_TRUE(needs(code, "pick", "dot"));  /* through a macro */
    TEST_ASSERT_FALSE(needs(code, "pick", "blend"));
    TEST_ASSERT_FALSE(needs(code, "dot", "blend"));
    TEST_ASSERT_FALSE(needs(code, "blend", "pick")); /* only a comment names it */
    TEST_ASSERT_FALSE(needs(code, "a_next_test", "take"));
    TEST_ASSERT_TRUE(
        needs("int a(int n) { return n ? b(n) : 0; }\nint b(int n) { return a(n); }\n", "b", "a"));
}

static void what_stands_only_in_a_macro_needs_what_is_around_it(void) {
    TEST_ASSERT_TRUE(needs(code, "a_test", "pick"));
    TEST_ASSERT_FALSE(needs(code, "a_test", "take"));
    TEST_ASSERT_TRUE(needs(code, "the_last_test", "take")); /* nothing is known of it */
}

static bool share(const char *name, const char *other) {
    enter_folder();
    write_file("code.c", code);
    calls_read(&calls, "code.c");
    bool both = calls_share(&calls, name, other);
    clear();
    return both;
}

static void two_functions_may_share_a_variable(void) {
    TEST_ASSERT_TRUE(share("blend", "leave"));
    TEST_ASSERT_TRUE(share("keep", "leave"));
    TEST_ASSERT_TRUE(share("take", "leave"));
    TEST_ASSERT_FALSE(share("pick", "leave"));
    TEST_ASSERT_FALSE(share("pick", "dot"));
}

static void what_a_body_begins_with_is_known(void) {
    enter_folder();
    write_file("code.c", "int dot(int n) {\n    /* yet */\n    TODO(\"sum\");\n}\n"
                         "int blend(int n) {\n    n++;\n    TODO(\"sum\");\n}\n"
                         "int pick(int n) {\n    TODOS(n);\n}\n");
    calls_read(&calls, "code.c");
    TEST_ASSERT_TRUE(calls_begins_with(&calls, "dot", "TODO"));
    TEST_ASSERT_FALSE(calls_begins_with(&calls, "blend", "TODO"));
    TEST_ASSERT_FALSE(calls_begins_with(&calls, "pick", "TODO"));
    TEST_ASSERT_FALSE(calls_begins_with(&calls, "last", "TODO"));
    clear();
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
    return !calls_share(&calls, "a", "x");
}

static void half_a_file_does_no_harm_to_calls(void) {
    enter_folder();
    bool survived = survives(reads_halves);
    clear();
    TEST_ASSERT_TRUE(survived);
}

/* --- child ---------------------------------------------------------------------------------- */

static const struct limits ample = {.cpu_seconds = 10, .wall_seconds = 20, .output = 1 << 16};

static void run_shell(const char *script, struct limits limits) {
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    clear();
    child_run(&child, argv, limits);
}

static void a_child_ends_with_its_status(void) {
    run_shell("exit 7", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(7, child.status);
    run_shell("exit 0", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(0, child.status);
    TEST_ASSERT_EQUAL_STRING("", text_of(&child.out));
}

static void a_child_that_crashes_has_a_signal(void) {
    run_shell("kill -SEGV $$", ample);
    TEST_ASSERT_EQUAL_INT(SIGNALLED, child.ending);
    TEST_ASSERT_EQUAL_INT(SIGSEGV, child.status);
}

static void a_child_killed_before_its_time_was_not_too_slow(void) {
    run_shell("kill -KILL $$", ample); /* as the system does when memory is short */
    TEST_ASSERT_EQUAL_INT(SIGNALLED, child.ending);
    TEST_ASSERT_EQUAL_INT(SIGKILL, child.status);
}

static void output_errors_and_report_are_kept_apart(void) {
    run_shell("echo out; echo err >&2; echo report >/dev/fd/$LOOKBACK_REPORT; echo more", ample);
    TEST_ASSERT_EQUAL_STRING("out\nmore\n", text_of(&child.out));
    TEST_ASSERT_EQUAL_STRING("err\n", text_of(&child.err));
    TEST_ASSERT_EQUAL_STRING("report\n", text_of(&child.report));
}

static void the_report_is_the_childs_own(void) {
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

static void a_child_reads_nothing(void) {
    run_shell("cat; echo end", ample);
    TEST_ASSERT_EQUAL_STRING("end\n", text_of(&child.out));
}

static void much_output_arrives_whole(void) {
    run_shell("i=0; while [ $i -lt 5000 ]; do echo 0123456789; i=$((i + 1)); done", ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_size_t(55000, child.out.length);
}

/* Runs into the limit of a second, after it printed this. */
static void expect_stopped(const char *script, struct limits limits, const char *printed) {
    double start = seconds_now();
    limits.output = 1 << 16;
    run_shell(script, limits);
    TEST_ASSERT_TRUE(limits.wall_seconds > 1 || seconds_now() - start < 20.0);
    TEST_ASSERT_EQUAL_INT(TIMED_OUT, child.ending);
    TEST_ASSERT_EQUAL_INT(limits.wall_seconds == 1, child.waited);
    TEST_ASSERT_EQUAL_INT(1, child.seconds);
    TEST_ASSERT_EQUAL_STRING(printed, text_of(&child.out));
}

static void a_busy_loop_is_stopped(void) {
    expect_stopped("echo before; while :; do :; done",
                   (struct limits){.cpu_seconds = 1, .wall_seconds = 60}, "before\n");
}

static void a_sleeper_is_stopped(void) {
    expect_stopped("echo before; sleep 60; echo after",
                   (struct limits){.cpu_seconds = 10, .wall_seconds = 1}, "before\n");
}

static void a_sleeper_that_heeds_no_signal_is_stopped(void) {
    expect_stopped("trap '' XCPU TERM INT HUP; sleep 60; sleep 60",
                   (struct limits){.cpu_seconds = 10, .wall_seconds = 1}, "");
}

static void a_child_that_said_where_it_was_is_out_of_time(void) {
    run_shell("exit 124", ample);
    TEST_ASSERT_EQUAL_INT(TIMED_OUT, child.ending);
    TEST_ASSERT_FALSE(child.waited);
    TEST_ASSERT_EQUAL_INT(10, child.seconds);
}

static void a_flood_is_stopped_and_cut(void) {
    run_shell("while :; do echo 0123456789012345678901234567890123456789; done", ample);
    TEST_ASSERT_EQUAL_INT(FLOODED, child.ending);
    TEST_ASSERT_TRUE(child.out.length > 0 && child.out.length <= 1 << 16);
    run_shell("while :; do echo 0123456789012345678901234567890123456789 >&2; done", ample);
    TEST_ASSERT_EQUAL_INT(FLOODED, child.ending);
    TEST_ASSERT_TRUE(child.err.length > 0 && child.err.length <= 1 << 16);
}

static void children_of_the_child_do_not_outlive_it(void) {
    int alive[2]; /* open for as long as anybody holds its other end */
    clear();
    TEST_ASSERT_EQUAL_INT(0, pipe(alive));
    double start = seconds_now();
    run_shell("sleep 60 & (trap '' HUP TERM XCPU; sleep 60) & echo said; exit 3", ample);
    double took = seconds_now() - start;
    close(alive[1]);
    struct pollfd ended = {.fd = alive[0], .events = POLLIN};
    int ready = poll(&ended, 1, 5000);
    close(alive[0]);
    TEST_ASSERT_TRUE(took < 15.0);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(3, child.status);
    TEST_ASSERT_EQUAL_STRING("said\n", text_of(&child.out));
    TEST_ASSERT_EQUAL_INT(1, ready);
}

static void a_program_that_is_missing_is_told(void) {
    char *argv[] = {"no-such-program-anywhere", NULL};
    clear();
    child_run(&child, argv, ample);
    TEST_ASSERT_EQUAL_INT(ENDED, child.ending);
    TEST_ASSERT_EQUAL_INT(127, child.status);
    expect_part("cannot run no-such-program-anywhere", text_of(&child.err));
}

static void a_child_leaves_no_file_open(void) {
    int before = dup(0), after;
    close(before);
    for (int i = 0; i < 3; i++)
        run_shell("sleep 60 & exit 0", ample);
    after = dup(0);
    close(after);
    TEST_ASSERT_EQUAL_INT(before, after);
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

static void hear(const char *report_text, const char *out) {
    child_free(&child);
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

#define PLAN "plan dot one\nplan dot two\nplan blend three\nplan pick four\n"
#define RUN(exercise, test, verdict)                                                               \
    "run " exercise " " test "\nunity tests/t.c:12:" test ":" verdict "\n"
#define DOT_PASSES  RUN("dot", "one", "PASS") RUN("dot", "two", "PASS")
#define OTHERS_PASS RUN("blend", "three", "PASS") RUN("pick", "four", "PASS")

static void all_passed_is_done(void) {
    name_exercises();
    hear(PLAN DOT_PASSES OTHERS_PASS "unity \ndone 4\n", "");
    expect_states(DONE, DONE, DONE);
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    TEST_ASSERT_TRUE(judged.finished);
    TEST_ASSERT_EQUAL_INT(4, judged.count);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].tests);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].passed);
    TEST_ASSERT_NULL(running());
    TEST_ASSERT_NULL(report_first_bad(&judged, &lesson.exercises[0]));
}

static void one_failure_is_wrong(void) {
    name_exercises();
    hear(PLAN RUN("dot", "one",
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

static void a_failure_without_a_message_is_a_failure(void) {
    name_exercises();
    hear(PLAN DOT_PASSES RUN("blend", "three", "FAIL"), "");
    TEST_ASSERT_EQUAL_STRING("", report_first_bad(&judged, &lesson.exercises[1])->message);
    expect_states(DONE, WRONG, NOT_CHECKED);
}

static void a_todo_is_not_started(void) {
    name_exercises();
    hear(PLAN DOT_PASSES
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

static void the_first_bad_test_decides(void) {
    name_exercises();
    hear(PLAN RUN("dot", "one", "FAIL: 1") "run dot two\ntodo dot a.c:1\n" OTHERS_PASS "done 4\n",
         "");
    expect_states(WRONG, DONE, DONE);
    name_exercises();
    hear(PLAN "run dot one\ntodo dot a.c:1\n" RUN("dot", "two", "FAIL: 1") OTHERS_PASS, "");
    expect_states(NOT_STARTED, DONE, DONE);
}

static void a_crash_breaks_its_exercise_and_no_other(void) {
    name_exercises();
    hear(PLAN DOT_PASSES "run blend three\n@ wrote past the end of `out`\n", "");
    expect_states(DONE, BROKEN, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_EQUAL_STRING("three", running()->name);
    TEST_ASSERT_EQUAL_STRING("wrote past the end of `out`", running()->touched);
}

static void a_report_cut_in_the_middle_of_a_line_is_no_pass(void) {
    name_exercises();
    hear(PLAN "run dot one\nunity tests/t.c:12:one:PA", "");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
}

static void tests_that_never_ran_leave_their_exercise_unchecked(void) {
    name_exercises();
    hear(PLAN RUN("dot", "one", "PASS"), "");
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[0].tests);
    TEST_ASSERT_EQUAL_INT(1, lesson.exercises[0].passed);
}

static void an_exercise_without_tests_is_not_done(void) {
    name_exercises();
    hear("plan dot one\n" RUN("dot", "one", "PASS") "done 1\n", "");
    expect_states(DONE, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
}

static void an_empty_report_judges_nothing(void) {
    name_exercises();
    set_result(0, DONE, 1, 1); /* of an earlier check */
    hear("", "");
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_NULL(running());
}

static void a_test_that_was_left_has_not_passed(void) {
    name_exercises();
    hear(PLAN RUN("dot", "one", "PASS") "@ left\n" RUN("dot", "two", "PASS") OTHERS_PASS "done 4\n",
         "");
    expect_states(BROKEN, DONE, DONE);
    TEST_ASSERT_EQUAL_STRING("left", running()->touched);
    TEST_ASSERT_EQUAL_STRING("one", running()->name);
}

static void a_pass_on_standard_output_counts_for_nothing(void) {
    name_exercises();
    hear(PLAN "run dot one\n", "\1tests/t.c:12:one:PASS\nunity tests/t.c:12:one:PASS\ndone 4\n"
                               "64 Tests 0 Failures 0 Ignored\nOK\n");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_FALSE(judged.finished);
    TEST_ASSERT_EQUAL_INT(0, lesson.exercises[0].passed);
}

static void a_pass_of_another_test_counts_for_nothing(void) {
    name_exercises();
    hear(PLAN "run dot one\nunity tests/t.c:12:two:PASS\nunity one:PASS\n", "");
    expect_states(BROKEN, NOT_CHECKED, NOT_CHECKED);
}

static void what_a_test_printed_is_its_own(void) {
    name_exercises();
    hear(PLAN DOT_PASSES OTHERS_PASS "done 4\n", "before\1first\n\1\1third\nand more\1");
    TEST_ASSERT_EQUAL_STRING("first\n", text_of(&judged.tests[0].printed));
    TEST_ASSERT_EQUAL_STRING("", text_of(&judged.tests[1].printed));
    TEST_ASSERT_EQUAL_STRING("third\nand more", text_of(&judged.tests[2].printed));
    TEST_ASSERT_EQUAL_STRING("", text_of(&judged.tests[3].printed));
}

static void a_second_run_fills_in_what_the_first_left_out(void) {
    name_exercises();
    hear(PLAN DOT_PASSES "run blend three\n", "\1\1\1x");
    expect_states(DONE, BROKEN, NOT_CHECKED);
    hear("plan pick four\n" RUN("pick", "four", "PASS") "done 1\n", "\1y");
    expect_states(DONE, BROKEN, DONE);
    TEST_ASSERT_EQUAL_INT(4, judged.count);
    TEST_ASSERT_TRUE(judged.finished);
    TEST_ASSERT_EQUAL_STRING("x", text_of(&judged.tests[2].printed));
    TEST_ASSERT_EQUAL_STRING("y", text_of(&judged.tests[3].printed));
}

static void a_test_told_again_is_told_once(void) {
    static const char again[] = "plan dot one\nrun dot one\n| a line\n= a mistake\n"
                                "unity tests/t.c:3:one:FAIL: why\n";
    name_exercises();
    hear(again, "\1x");
    hear(again, "\1x");
    TEST_ASSERT_EQUAL_INT(1, judged.count);
    TEST_ASSERT_EQUAL_STRING("x", text_of(&judged.tests[0].printed));
    TEST_ASSERT_EQUAL_STRING("a line\n", text_of(&judged.tests[0].detail));
    hear("run dot one\nunity tests/t.c:3:one:PASS\n", "");
    TEST_ASSERT_EQUAL_STRING("", judged.tests[0].broke);
    TEST_ASSERT_EQUAL_STRING("", judged.tests[0].message);
}

static bool hears_of_a_stranger(void) {
    hear("plan dot one\nplan stranger x\nplan dot two\n" DOT_PASSES, "");
    return judged.count == 2 && lesson.exercises[0].state == DONE;
}

static void a_test_of_no_exercise_does_no_harm(void) {
    name_exercises();
    TEST_ASSERT_TRUE(survives(hears_of_a_stranger));
}

static void lines_that_make_no_sense_are_passed_over(void) {
    name_exercises();
    hear("\n \nrun\nrun dot\nplan\nplan dot\nwhat is this\nunity\n@\n= \nrun dot nobody\n"
         "| detail of nobody\nunity t.c:1:nobody:PASS\n",
         "\1");
    TEST_ASSERT_EQUAL_INT(0, judged.count);
    expect_states(NOT_CHECKED, NOT_CHECKED, NOT_CHECKED);
}

static void very_long_lines_are_cut(void) {
    static char line[3000];
    name_exercises();
    snprintf(line, sizeof line, "plan dot one\nrun dot one\nunity tests/t.c:3:one:FAIL: %2000d\n%s",
             7, "plan dot two\n");
    hear(line, "");
    TEST_ASSERT_EQUAL_INT(2, judged.count);
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[0].state);
}

/* --- explain -------------------------------------------------------------------------------- */

#define SOURCE "lessons/02-dot-product/dot_product.c"
#define FRAME(number, function, line)                                                              \
    "    #" number " 0x55f2d13d031f in " function " /home/u/lookback/" SOURCE ":" line "\n"
#define TEST_FRAME(number)                                                                         \
    "    #" number " 0x55f2d13d05f5 in some_test "                                                 \
    "/home/u/lookback/tests/02/test_dot_product.c:10\n"

/* The learner's file of these tests, and what a tool said of it on standard error. */
static void make_said(const char *err) {
    make_lesson(three, "#include \"dot_product.h\"\n" /* 1 */
                       "\n"                           /* 2 */
                       "double dot(int n) {\n"        /* 3 */
                       "    return weights[n];\n"     /* 4 */
                       "}\n"                          /* 5 */
                       "double blend(int n) {\n"      /* 6 */
                       "    return dot(n);\n"         /* 7 */
                       "}\n"                          /* 8 */
                       "double pick(int n) { return dot(n); }\n" /* 9 */);
    child.ending = ENDED;
    child.status = 1;
    text_add(&child.err, err, strlen(err));
}

static void explain(const char *err, const struct test *t) {
    make_said(err);
    explain_crash(&fault, &lesson, &child, t, "build/obj/test");
    leave_folder();
}

static void expect_place(int line, const char *function, const char *excerpt) {
    char where[100];
    snprintf(where, sizeof where, SOURCE ":%d", line);
    TEST_ASSERT_EQUAL_STRING(where, fault.where);
    TEST_ASSERT_EQUAL_STRING(function, fault.function);
    TEST_ASSERT_EQUAL_STRING(excerpt, text_of(&fault.excerpt));
}

#define OVERFLOW_HEAD                                                                              \
    "=================================================================\n"                          \
    "==20559==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x603000000058 at pc "      \
    "0x55f2d13d0320 bp 0x7ffdf83bcf90 sp 0x7ffdf83bcf88\n"                                         \
    "READ of size 8 at 0x603000000058 thread T0\n"
#define OVERFLOW_TAIL                                                                              \
    "\n"                                                                                           \
    "0x603000000058 is located 0 bytes to the right of 24-byte region "                            \
    "[0x603000000040,0x603000000058)\n"                                                            \
    "allocated by thread T0 here:\n"                                                               \
    "    #0 0x7f3f004b89cf in __interceptor_malloc ../../asan_malloc_linux.cpp:69\n"               \
    "    #1 0x55f2d13d049d in pick /home/u/lookback/" SOURCE ":9\n"                                \
    "\n"                                                                                           \
    "SUMMARY: AddressSanitizer: heap-buffer-overflow /home/u/lookback/" SOURCE ":4 in dot\n"       \
    "==20559==ABORTING\n"

static void an_overflow_of_gcc_is_explained(void) {
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2")
                OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("read or wrote outside an array", fault.what);
    TEST_ASSERT_TRUE(fault.advice[0]);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void an_overflow_of_clang_is_explained(void) {
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4:110") FRAME("1", "blend", "7:12")
                TEST_FRAME("2") "    #3 0x563b85599310 in _start (/home/u/obj/test+0x21310) "
                                "(BuildId: c5727e5f)\n" OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("read or wrote outside an array", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void the_matrix_that_was_overrun_is_told(void) {
    struct test t = {.touched = "read past the end of `weights`"};
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4") OVERFLOW_TAIL, &t);
    TEST_ASSERT_EQUAL_STRING("read past the end of `weights`", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
}

static void a_fault_inside_the_library_lies_where_it_was_called(void) {
    explain(OVERFLOW_HEAD
            "    #0 0x7f3f004b8 in __interceptor_memcpy ../../x.inc:827\n" FRAME("1", "dot", "4")
                FRAME("2", "pick", "9") TEST_FRAME("3") OVERFLOW_TAIL,
            NULL);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":9: called from here, in pick()\n", text_of(&fault.callers));
}

static void every_caller_is_told_once(void) {
    explain(OVERFLOW_HEAD FRAME("0", "helper", "4") FRAME("1", "blend", "7")
                FRAME("2", "blend", "7") FRAME("3", "dot", "9") FRAME("4", "blend", "7")
                    TEST_FRAME("5") OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("helper", fault.function);
    /* `dot` is part of the folder's name, and still a caller of its own. */
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n" SOURCE
                                    ":9: called from here, in dot()\n",
                             text_of(&fault.callers));
}

static void frames_with_bare_file_names_are_places(void) {
    /* macOS, where atos looks the places up */
    explain(OVERFLOW_HEAD
            "    #0 0x102a37e5c in dot dot_product.c:4\n"
            "    #1 0x102a37f00 in some_test test_dot_product.c:10\n"
            "allocated by thread T0 here:\n    #0 0x102a in malloc+0x94 (libclang_rt:arm64)\n",
            NULL);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
}

static void the_tests_are_not_the_learners_file(void) {
    explain(OVERFLOW_HEAD TEST_FRAME("0") "    #1 0x1 in f /home/u/lookback/my" SOURCE ":4\n"
                                          "    #2 0x1 in f /home/u/lookback/" SOURCE "x:4\n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("", fault.where);
    TEST_ASSERT_EQUAL_STRING("", fault.function);
    TEST_ASSERT_EQUAL_STRING("", text_of(&fault.excerpt));
}

static void the_call_of_what_is_done_is_the_place(void) {
    struct test t = {.touched = "read past the end of `weights`: it is 2 x 3 here"};
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "4") FRAME("1", "blend", "7") OVERFLOW_TAIL);
    lesson.exercises[0].state = DONE; /* dot */
    t.exercise = &lesson.exercises[1];
    explain_crash(&fault, &lesson, &child, &t, "build/obj/test");
    leave_folder();
    expect_place(7, "blend", "    7 |     return dot(n);\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4: it happened here, in dot()\n", text_of(&fault.callers));
    expect_part("dot() itself is right: look at what it is given in this call", fault.advice);
}

static void the_call_of_an_earlier_lesson_is_the_place(void) {
    struct test t = {.touched = "read past the end of `weights`: it is 2 x 3 here"};
    make_said(OVERFLOW_HEAD
              "    #0 0x1 in entropy /home/u/lookback/solutions/01-softmax/softmax.c:80\n"
              "    #1 0x1 in softmax /home/u/lookback/solutions/01-softmax/softmax.c:9\n" FRAME(
                  "2", "blend", "7") OVERFLOW_TAIL);
    t.exercise = &lesson.exercises[1];
    explain_crash(&fault, &lesson, &child, &t, "build/obj/test");
    leave_folder();
    expect_place(7, "blend", "    7 |     return dot(n);\n");
    expect_part("softmax() itself is right", fault.advice);
}

static void an_array_has_the_name_that_the_function_gives_it(void) {
    struct test t = {.touched = "read past the end of `Q`: it is 2 x 3 here"};
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "4") OVERFLOW_TAIL);
    write_file(SOURCE, "\n\ndouble dot(int n, const double a[n], const double b[n]) {\n"
                       "    return a[n] * b[n] + b[0];\n}\n");
    explain_crash(&fault, &lesson, &child, &t, "build/obj/test");
    TEST_ASSERT_EQUAL_STRING(
        "read past the end of `Q`: it is 2 x 3 here. In dot() that is `a` or `b`", fault.what);
    fault_free(&fault);
    write_file(SOURCE, "\n\ndouble dot(int n, const double a[n], const double b[n]) {\n"
                       "    return a[n] * own[n];\n}\n");
    explain_crash(&fault, &lesson, &child, &t, "build/obj/test"); /* nobody knows */
    TEST_ASSERT_EQUAL_STRING(t.touched, fault.what);
    leave_folder();
}

static void a_long_line_of_code_goes_on_below(void) {
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "2") OVERFLOW_TAIL);
    write_file(SOURCE, "\n"
                       "        total += one_of_many[i] * two_of_many[i] * three_of_many[i] * "
                       "four_of_many(i,\n            j);\n");
    explain_crash(&fault, &lesson, &child, NULL, "build/obj/test");
    leave_folder();
    TEST_ASSERT_EQUAL_STRING("    2 | total += one_of_many[i] * two_of_many[i] * "
                             "three_of_many[i] *\n"
                             "      | four_of_many(i,\n"
                             "    3 |             j);\n",
                             text_of(&fault.excerpt));
}

static void a_line_without_an_end_is_moved_to_the_column(void) {
    char line[300];
    memset(line, ' ', sizeof line);
    memcpy(line + 250, "weights[n];\n", 13);
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "1:251") OVERFLOW_TAIL);
    memcpy(line, "x", 1);
    write_file(SOURCE, line);
    explain_crash(&fault, &lesson, &child, NULL, "build/obj/test");
    leave_folder();
    expect_part("    1 | ...  ", text_of(&fault.excerpt));
    expect_part("weights[n];\n      |                                   ^\n",
                text_of(&fault.excerpt));
}

static void expect_indexed(const char *name, const char *line, int column, const char *type) {
    struct path said = path_of("dot_product.c:1:%d: runtime error: index 3 out of bounds for type "
                               "'%s'\n",
                               column, type);
    write_file("dot_product.c", line);
    TEST_ASSERT_EQUAL_STRING(name, indexed_at("dot_product.c", said.chars).chars);
}

static void the_array_that_an_index_leaves_is_named(void) {
    enter_folder();
    expect_indexed("Q[i][j + 1]", "x = Q[i][j + 1];\n", 9, "double [*]"); /* gcc */
    expect_indexed("Q[i]", "x = Q[i][j + 1];\n", 6, "double [*][*]");     /* gcc */
    expect_indexed("Q[i][j + 1]", "x = Q[i][j + 1];\n", 5, "double[n]");  /* clang */
    expect_indexed("Q[i]", "x = Q[i][j + 1];\n", 5, "double[n][d]");      /* clang */
    expect_indexed("w.Q[at[i]]", "x = w.Q[at[i]];\n", 8, "double [4]");
    expect_indexed("", "x = Q[i][j + 1];\n", 70, "double [*]");
    expect_indexed("", "x = y;\n", 5, "double [*]");
    leave_folder();
}

static void an_index_out_of_bounds_of_gcc_is_explained(void) {
    explain(SOURCE ":4:19: runtime error: index 3 out of bounds for type 'double [3]'\n" FRAME(
                "0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2") "\n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("used index 3 in `weights[n]`, outside of its row or array",
                             fault.what);
    TEST_ASSERT_TRUE(fault.advice[0]);
    expect_place(4, "dot", "    4 |     return weights[n];\n      |                   ^\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void an_index_out_of_bounds_of_clang_is_explained(void) {
    explain(SOURCE
            ":4:12: runtime error: index -1 out of bounds for type 'row' (aka 'double[3]')\n" FRAME(
                "0", "dot", "4:12")
                TEST_FRAME("1") "\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior " SOURCE
                                ":4:12 in \n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("used index -1 in `weights[n]`, outside of its row or array",
                             fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n      |            ^\n");
    TEST_ASSERT_EQUAL_STRING("", text_of(&fault.callers));
}

static void undefined_behaviour_is_explained(void) {
    explain(SOURCE
            ":4:12: runtime error: load of null pointer of type 'double'\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a null pointer", fault.what);
    explain(SOURCE ":4:12: runtime error: division by zero\n" FRAME("0", "dot", "4"), NULL);
    TEST_ASSERT_EQUAL_STRING("divided an integer by zero", fault.what);
    explain(SOURCE ":4:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be "
                   "represented in type 'int'\n",
            NULL);
    expect_part("computed 2147483647 + 1, which an int cannot hold", fault.what);
    expect_place(4, "", "    4 |     return weights[n];\n      |            ^\n");
}

static void undefined_behaviour_of_a_new_kind_is_told_as_it_is(void) {
    explain(SOURCE ":4:12: runtime error: something that nobody foresaw\nand more\n", NULL);
    TEST_ASSERT_EQUAL_STRING("did what C does not define: something that nobody foresaw",
                             fault.what);
    TEST_ASSERT_EQUAL_STRING("", fault.advice);
}

static void a_null_pointer_is_explained(void) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x55 T0)\n"
            "==7==The signal is caused by a READ memory access.\n"
            "==7==Hint: address points to the zero page.\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a null pointer", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
}

static void a_pointer_to_nowhere_is_explained(void) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x7f00deadbeef (pc 0x55 T0)\n"
            "==7==The signal is caused by a WRITE memory access.\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a pointer to nowhere", fault.what);
}

static void a_stack_overflow_is_explained(void) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffcfcdffffc (pc 0x55 "
            "T0)\n" FRAME("0", "dot", "4") FRAME("1", "dot", "4") FRAME("2", "dot", "4")
                FRAME("3", "dot", "4") "SUMMARY: AddressSanitizer: stack-overflow " SOURCE
                                       ":4 in dot\n",
            NULL);
    expect_part("ran out of stack: an array of its own", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING("", text_of(&fault.callers));
}

static void a_function_that_calls_itself_is_told_from_a_large_array(void) {
    struct text said = {0};
    text_print(&said, "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffcfcdffffc\n");
    for (int i = 0; i < 100; i++)
        text_print(&said, "    #%d 0x1 in %s /home/u/lookback/" SOURCE ":%d\n", i,
                   i % 2 ? "blend" : "dot", i % 2 ? 7 : 4);
    explain(text_of(&said), NULL);
    text_free(&said);
    expect_part("ran out of stack: it calls itself", fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void a_leak_is_explained(void) {
    explain("\n==20579==ERROR: LeakSanitizer: detected memory leaks\n\n"
            "Direct leak of 24 byte(s) in 1 object(s) allocated from:\n"
            "    #0 0x7f5cb6ab89cf in __interceptor_malloc ../../asan_malloc_linux.cpp:69\n" FRAME(
                "1", "dot", "4") FRAME("2", "blend", "7")
                TEST_FRAME("3") "\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n"
                                "    #0 0x7f5cb6ab89cf in __interceptor_malloc "
                                "../../asan_malloc_linux.cpp:69\n" FRAME(
                                    "1", "pick", "9") "\nSUMMARY: AddressSanitizer: 32 byte(s) "
                                                      "leaked in 2 allocation(s).\n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("allocated memory and never freed it", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void a_double_free_is_explained(void) {
    explain("==7==ERROR: AddressSanitizer: attempting double-free on 0x603000000040 in thread T0:\n"
            "    #0 0x5562d1d65eb2 in free (/home/u/obj/test+0xa3eb2) (BuildId: c5727e5f)\n" FRAME(
                "1", "dot", "4:22")
                TEST_FRAME("2") "\n0x603000000040 is located 0 bytes inside of 24-byte region\n"
                                "freed by thread T0 here:\n"
                                "    #0 0x5562d1d65eb2 in free (/home/u/obj/test+0xa3eb2) "
                                "(BuildId: c5727e5f)\n" FRAME("1", "pick", "9:13"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("freed the same memory twice", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n      |                      ^\n");
    TEST_ASSERT_EQUAL_STRING("", text_of(&fault.callers));
}

static void too_much_memory_is_told(void) {
    explain("==7==ERROR: AddressSanitizer: specified RSS limit exceeded, currently set to "
            "soft_rss_limit_mb=1000\n"
            "    #0 0x7f in __interceptor_malloc ../../x.cpp:69\n" FRAME("1", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("took far too much memory", fault.what);
    explain("==7==AddressSanitizer: hard rss limit exhausted (2000Mb vs 2012Mb)\n", NULL);
    TEST_ASSERT_EQUAL_STRING("took far too much memory", fault.what);
    explain("==7==ERROR: AddressSanitizer: requested allocation size 0x77359400 (0x7735a400 after "
            "adjustments) exceeds maximum supported size of 0x1f400000\n"
            "    #0 0x7f in __interceptor_malloc ../../x.cpp:69\n" FRAME("1", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("asked for far too much memory at once", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
}

static void a_report_of_a_new_kind_is_a_crash(void) {
    explain("==7==ERROR: AddressSanitizer: brand-new-trouble on 0x603000000040\n" FRAME("0", "dot",
                                                                                        "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("crashed", fault.what);
    TEST_ASSERT_EQUAL_STRING("", fault.advice);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
}

static void explain_child(enum ending ending, int status, bool waited, const struct test *t) {
    make_said("");
    child.ending = ending;
    child.status = status;
    child.waited = waited;
    child.seconds = 5;
    explain_crash(&fault, &lesson, &child, t, "build/obj/test");
    leave_folder();
}

static void endings_without_a_report_are_explained(void) {
    struct test t = {.touched = "exit"};
    explain_child(TIMED_OUT, SIGXCPU, false, NULL);
    expect_part("was stopped after 5 s of work: a loop that does not end, or one", fault.what);
    TEST_ASSERT_EQUAL_STRING("", fault.where);
    explain_child(TIMED_OUT, SIGKILL, true, NULL);
    TEST_ASSERT_EQUAL_STRING("was stopped after 5 s of waiting", fault.what);
    explain_child(FLOODED, SIGXCPU, false, NULL);
    expect_part("printed far too much", fault.what);
    explain_child(SIGNALLED, SIGSEGV, false, NULL);
    expect_part("followed a pointer to nowhere", fault.what);
    explain_child(SIGNALLED, SIGFPE, false, NULL);
    TEST_ASSERT_EQUAL_STRING("divided an integer by zero", fault.what);
    explain_child(SIGNALLED, SIGKILL, false, NULL);
    TEST_ASSERT_EQUAL_STRING("was killed: too much memory?", fault.what);
    explain_child(ENDED, 3, false, NULL);
    expect_part("ended the whole program (status 3)", fault.what);
    explain_child(ENDED, 0, false, &t);
    expect_part("called exit()", fault.what);
    strcpy(t.touched, "left");
    explain_child(ENDED, 0, false, &t);
    expect_part("jumped out of the test", fault.what);
}

static void a_loop_that_does_not_end_has_a_place(void) {
    make_said(FRAME("0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2"));
    child.ending = TIMED_OUT;
    child.seconds = 5;
    explain_crash(&fault, &lesson, &child, NULL, "build/obj/test");
    leave_folder();
    expect_part("a loop that does not end, or one that does far too much?", fault.what);
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n", text_of(&fault.callers));
}

static void a_fault_is_found_in_a_file_from_elsewhere(void) {
    make_said(OVERFLOW_HEAD "    #0 0x1 in dot /home/u/mine/02-dot-product/dot_product.c:4\n");
    lesson.source = path_of("../../mine/02-dot-product/dot_product.c");
    explain_crash(&fault, &lesson, &child, NULL, "build/obj/test");
    leave_folder();
    TEST_ASSERT_EQUAL_STRING("../../mine/02-dot-product/dot_product.c:4", fault.where);
    TEST_ASSERT_EQUAL_STRING("dot", fault.function);
}

static void compile_said(const char *err) {
    make_said(err);
    explain_compiler(&fault, &lesson, &child);
    leave_folder();
}

static void an_error_of_gcc_is_explained(void) {
    compile_said("In file included from " SOURCE ":1:\n" SOURCE ": In function 'dot':\n" SOURCE
                 ":4:12: warning: unused variable 'x' [-Wunused-variable]\n" SOURCE
                 ":4:12: error: 'weights' undeclared (first use in this function)\n"
                 "    4 |     return weights[n];\n"
                 "      |            ^~~~~~~\n" SOURCE
                 ":4:12: note: each undeclared identifier is reported only once\n" SOURCE
                 ":9:1: error: expected ';' before '}' token\n");
    TEST_ASSERT_EQUAL_STRING("'weights' undeclared (first use in this function)", fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:12", fault.where);
    TEST_ASSERT_EQUAL_STRING("    4 | return weights[n];\n      |        ^~~~~~~\n",
                             text_of(&fault.excerpt));
}

static void an_error_far_to_the_right_is_brought_into_view(void) {
    compile_said(SOURCE ":4:92: error: invalid operands to binary + (have 'const double *')\n"
                        "    4 |     a_long_call(one_of_many, two_of_many, three_of_many, "
                        "four_of_many, five_of_many, W + x);\n"
                        "      |                                                           "
                        "                             ^\n");
    TEST_ASSERT_EQUAL_STRING("    4 | ... four_of_many, five_of_many, W + x);\n"
                             "      |                                   ^\n",
                             text_of(&fault.excerpt));
    TEST_ASSERT_NOT_NULL(strstr(fault.advice, "which element, [i]?"));
}

static void a_fatal_error_is_explained(void) {
    compile_said(SOURCE ":1:10: fatal error: dot_produkt.h: No such file or directory\n"
                        "    1 | #include \"dot_produkt.h\"\n"
                        "      |          ^~~~~~~~~~~~~~~\n"
                        "compilation terminated.\n");
    TEST_ASSERT_EQUAL_STRING("dot_produkt.h: No such file or directory", fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":1:10", fault.where);
    TEST_ASSERT_EQUAL_STRING(
        "    1 | #include \"dot_produkt.h\"\n      |          ^~~~~~~~~~~~~~~\n",
        text_of(&fault.excerpt));
}

static void an_error_of_clang_is_explained(void) {
    compile_said(SOURCE ":4:12: error: use of undeclared identifier 'weights'\n"
                        "    return weights[n];\n"
                        "           ^\n"
                        "1 error generated.\n");
    TEST_ASSERT_EQUAL_STRING("use of undeclared identifier 'weights'", fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:12", fault.where);
    TEST_ASSERT_EQUAL_STRING("return weights[n];\n       ^\n", text_of(&fault.excerpt));
}

/* clang before 16 draws no line numbers, so a line that starts in column 1 starts with a letter. */
static void an_error_of_clang_in_the_first_column_is_drawn(void) {
    compile_said(SOURCE
                 ":3:8: error: conflicting types for 'dot'\n"
                 "double dot(int n) {\n"
                 "       ^\n"
                 "lessons/02-dot-product/dot_product.h:1:8: note: previous declaration is here\n"
                 "double dot(int n);\n"
                 "       ^\n"
                 "1 error generated.\n");
    TEST_ASSERT_EQUAL_STRING("conflicting types for 'dot'", fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":3:8", fault.where);
    expect_part("double dot(int n) {\n", text_of(&fault.excerpt));
    TEST_ASSERT_NULL(strstr(text_of(&fault.excerpt), "previous"));
}

static void an_error_without_a_drawing_has_none(void) {
    compile_said(SOURCE ":5:1: error: expected declaration or statement at end of input\n"
                        "make: something else\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":5:1", fault.where);
    TEST_ASSERT_NULL(strstr(text_of(&fault.excerpt), "make"));
}

static void a_compiler_that_fails_without_an_error_is_told(void) {
    compile_said("cannot run gcc-99: No such file or directory\n");
    TEST_ASSERT_EQUAL_STRING("the compiler failed: cannot run gcc-99: No such file or directory",
                             fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE, fault.where);
    make_said("");
    child.ending = TIMED_OUT;
    explain_compiler(&fault, &lesson, &child);
    leave_folder();
    expect_part("it did not come to an end", fault.what);
}

/* Each error of a compiler, as it says it after "error: ", with the words of the advice. */
static void expect_advice(const char *error, const char *words) {
    compile_said(path_of(SOURCE ":4:12: error: %s\n", error).chars);
    if (words)
        expect_part(words, fault.advice);
    else
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", fault.advice, error);
}

static void operands_that_do_not_fit_are_told_apart(void) {
    expect_advice("invalid operands to binary ^ (have 'double' and 'int')", "^ is no power");
    expect_advice("invalid operands to binary % (have 'double' and 'int')", "for whole numbers");
    expect_advice("invalid operands to binary expression ('double' and 'int')",
                  "for whole numbers");
    expect_advice("invalid operands to binary * (have 'const double (*)[m]' and 'int')",
                  "which element, [i]?");
    expect_advice("invalid operands to binary expression ('row' (aka 'double[3]') and 'int')",
                  "which element, [i]?");
    expect_advice("invalid operands to binary * (have 'double (*)(double)' and 'int')",
                  "A function's name");
    expect_advice("invalid operands to binary expression ('double (double)' and 'int')",
                  "A function's name");
    expect_advice("invalid operands to binary expression ('void' and 'int')", "A void function");
    expect_advice("invalid operands to binary + (have 'struct text' and 'int')", NULL);
}

static void clang_draws_the_operator_that_it_does_not_name(void) {
    compile_said(SOURCE ":4:18: error: invalid operands to binary expression ('double' and "
                        "'int')\n"
                        "    return 1 - h ^ 2;\n"
                        "           ~~~~~ ^ ~\n");
    expect_part("^ is no power", fault.advice);
    compile_said(SOURCE ":4:18: error: invalid operands to binary expression ('double' and "
                        "'int')\n"
                        "    4 |     return h + h % 2; // not ^\n"
                        "      |                ~ ^ ~\n");
    expect_part("for whole numbers", fault.advice);
}

static void const_in_a_type_is_no_const_that_was_written(void) {
    expect_advice("incompatible pointer types passing 'const double (*)[m]' to parameter of type "
                  "'const double *' [-Werror,-Wincompatible-pointer-types]",
                  "Row i of a matrix M is M[i]");
    expect_advice("passing 'const double *' to parameter of type 'double *' discards qualifiers "
                  "[-Werror,-Wincompatible-pointer-types-discards-qualifiers]",
                  "Does it stand where the header has an output");
    expect_advice("read-only variable is not assignable", "write into the output");
    expect_advice("assignment of read-only location '*q'", "write into the output");
    expect_advice("assignment of read-only variable 's'", "it keeps the value");
    expect_advice("cannot assign to variable 's' with const-qualified type 'const double'",
                  "it keeps the value");
}

static void numbers_and_arrays_in_each_others_place_are_told(void) {
    static const char *const passed[] = {
        "passing argument 1 of 'dot' makes integer from pointer without a cast "
        "[-Werror=int-conversion]",
        "incompatible pointer to integer conversion passing 'const double[m]' to parameter of type "
        "'int' [-Werror,-Wint-conversion]",
        "passing argument 3 of 'dot' makes pointer from integer without a cast",
        "incompatible integer to pointer conversion passing 'int' to parameter of type 'double *'",
        "incompatible type for argument 1 of 'z'",
        "passing 'double *' to parameter of incompatible type 'double'; dereference with *"};
    static const char *const set[] = {
        "assignment to 'int' from 'const double *' makes integer from pointer without a cast",
        "incompatible pointer to integer conversion assigning to 'int' from 'const double *'",
        "incompatible types when initializing type 'double' using type 'const double *'",
        "assigning to 'double' from incompatible type 'const double *'",
        "returning 'const double *' from a function with incompatible result type 'double'"};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        expect_advice(passed[i], "does the header have the arguments in another order");
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        expect_advice(set[i], "is an index, [i], missing, or one too many?");
    expect_advice("initializing 'double' with an expression of incompatible type 'void'",
                  "A void function");
    expect_advice("initializing 'double' with an expression of incompatible type 'double (double)'",
                  "A function's name");
    expect_advice("passing argument 2 of 'two' from incompatible pointer type",
                  "Row i of a matrix M is M[i]");
}

static void a_missing_argument_is_told_before_those_it_displaces(void) {
    static const char displaced[] =
        SOURCE ":4:5: error: passing argument 2 of 'two' makes integer from pointer without a "
               "cast\n" SOURCE ":4:5: error: too few arguments to function '%s'\n";
    compile_said(path_of(displaced, "two").chars);
    expect_part("Count the arguments", fault.advice);
    compile_said(path_of(displaced, "three").chars); /* of another call */
    expect_part("in another order", fault.advice);
    expect_advice("too few arguments to function call, expected 4, have 3", "Count the arguments");
}

static void functions_that_nobody_declared_are_told(void) {
    static const char *const forms[] = {
        "implicit declaration of function '%s' [-Werror=implicit-function-declaration]",
        "implicit declaration of function '%s' is invalid in C99",
        "implicitly declaring library function '%s' with type 'double (double)'",
        "call to undeclared function '%s'; ISO C99 and later do not support it",
        "call to undeclared library function '%s' with type 'double (double)'"};
    char error[200];
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(error, sizeof error, forms[i], "proiect");
        expect_advice(error, "further down");
        snprintf(error, sizeof error, forms[i], "tanh");
        expect_advice(error, "#include <math.h>");
        snprintf(error, sizeof error, forms[i], "rand");
        expect_advice(error, "#include <stdlib.h>");
        snprintf(error, sizeof error, forms[i], "calloc");
        expect_advice(error, "#include <stdlib.h>");
    }
    expect_advice("too few arguments to function 'exp'", "Count the arguments");
    expect_advice("use of undeclared identifier 'weight'", "A slip in the name? Names are");
}

static void braces_that_are_missing_are_told(void) {
    compile_said(SOURCE ":4:5: error: expected expression\n    else\n    ^\n");
    expect_part("This else has no if", fault.advice);
    compile_said(SOURCE ":4:9: error: expected expression\n    x = ;\n        ^\n");
    expect_part("Is a name or a number missing", fault.advice);
    expect_advice("'else' without a previous 'if'", "This else has no if");
    expect_advice("expected '}' before 'else'", "is a } missing before it");
    expect_advice("expected '}'", "A } is missing somewhere above");
    expect_advice("function definition is not allowed here", "A } is missing somewhere above");
    expect_advice("extraneous closing brace ('}')", "A } too many");
    expect_advice("non-void function does not return a value [-Werror,-Wreturn-type]",
                  "must end with a return");
}

static void explain_in_a_lesson_with_room(const char *err, bool compiler) {
    make_said(err);
    write_file("lessons/02-dot-product/README.md", "# 02\n\nMake room with `calloc`.\n");
    if (compiler)
        explain_compiler(&fault, &lesson, &child);
    else
        explain_crash(&fault, &lesson, &child, NULL, "build/obj/test");
    leave_folder();
}

static void where_a_lesson_asks_for_room_it_is_not_advised_against(void) {
    static const char variable[] = SOURCE ":4:5: error: variable-sized object may not be "
                                          "initialized\n";
    static const char bound[] = SOURCE ":4:5: runtime error: variable length array bound evaluates "
                                       "to non-positive value 0\n";
    static const char stack[] = "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffc\n";
    explain_in_a_lesson_with_room(variable, true);
    expect_part("comes from calloc()", fault.advice);
    explain_in_a_lesson_with_room(bound, false);
    expect_part("comes from calloc()", fault.advice);
    explain_in_a_lesson_with_room(stack, false);
    expect_part("comes from calloc()", fault.advice);
    compile_said(variable);
    expect_part("does the function need one?", fault.advice);
    explain(bound, NULL);
    expect_part("the caller owns every buffer", fault.advice);
    explain(stack, NULL);
    expect_part("work row by row", fault.advice);
}

static void too_little_memory_of_its_own_is_told(void) {
    struct test t = {.touched = "read outside of the memory that it took for itself"};
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4"), &t);
    TEST_ASSERT_EQUAL_STRING(t.touched, fault.what);
    expect_part("n * sizeof *p", fault.advice);
    strcpy(t.touched, "read past the end of `weights`");
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4"), &t);
    expect_part("two sizes in a call", fault.advice);
    TEST_ASSERT_NULL(strstr(fault.advice, "sizeof"));
}

static void sizes_may_be_swapped_where_an_own_array_is_left(void) {
    explain("==7==ERROR: AddressSanitizer: dynamic-stack-buffer-overflow on address 0x7ffc\n",
            NULL);
    expect_part("two sizes swapped in a call?", fault.advice);
    explain("==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffc\n", NULL);
    expect_part("two sizes swapped in a call?", fault.advice);
}

/* So that what a function leaves unset is not empty by chance. */
static void dirty_the_stack(void) {
    volatile char dirt[10000];
    for (size_t i = 0; i < sizeof dirt; i++)
        dirt[i] = 'x';
}

static void a_compiler_that_fails_silently_is_told(void) {
    make_said("");
    dirty_the_stack();
    explain_compiler(&fault, &lesson, &child);
    leave_folder();
    TEST_ASSERT_EQUAL_STRING("the compiler failed: ", fault.what);
}

/* What is told of a linker's words; on macOS they have no place (line 0). */
static void expect_link(const char *what, const char *advice, int line, const char *err) {
    make_said(err);
    explain_linker(&fault, &lesson, &child);
    leave_folder();
    TEST_ASSERT_EQUAL_STRING(what, fault.what);
    expect_part(advice, fault.advice);
    TEST_ASSERT_EQUAL_STRING(line ? path_of(SOURCE ":%d", line).chars : SOURCE, fault.where);
}

static void a_missing_exercise_is_told_of_gnu_ld(void) {
    expect_link("dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
                "/usr/bin/ld: obj/test_dot_product.o: in function `some_test':\n"
                "/home/u/lookback/tests/02/test_dot_product.c:3: undefined reference to `dot'\n"
                "collect2: error: ld returned 1 exit status\n");
}

static void a_missing_exercise_is_told_of_lld(void) {
    expect_link(
        "dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
        "ld.lld: error: undefined symbol: dot\n"
        ">>> referenced by test_dot_product.c:3 (/home/u/tests/02/test_dot_product.c:3)\n"
        ">>>               obj/test_dot_product.o:(some_test)\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
}

static void a_missing_exercise_is_told_of_macos(void) {
    expect_link(
        "dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
        "Undefined symbols for architecture arm64:\n"
        "  \"_dot\", referenced from:\n"
        "      _some_test in test_dot_product.o\n"
        "ld: symbol(s) not found for architecture arm64\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
}

static void a_function_that_nobody_wrote_is_told_of_gnu_ld(void) {
    expect_link("nothing() is called, but nobody wrote it", "A slip in the name?", 4,
                "/usr/bin/ld: obj/dot_product.o: in function `dot':\n"
                "/home/u/lookback/" SOURCE ":4: undefined reference to `nothing'\n"
                "collect2: error: ld returned 1 exit status\n");
}

static void a_function_that_nobody_wrote_is_told_of_gold(void) {
    expect_link("nothing() is called, but nobody wrote it", "A slip in the name?", 4,
                SOURCE ":4: error: undefined reference to 'nothing'\n"
                       "collect2: error: ld returned 1 exit status\n");
}

static void a_function_that_nobody_wrote_is_told_of_lld(void) {
    expect_link("nothing() is called, but nobody wrote it", "A slip in the name?", 4,
                "ld.lld: error: undefined symbol: nothing\n"
                ">>> referenced by dot_product.c:4 (" SOURCE ":4)\n"
                ">>>               obj/dot_product.o:(dot)\n");
}

static void a_function_that_nobody_wrote_is_told_of_macos(void) {
    expect_link("nothing() is called, but nobody wrote it", "A slip in the name?", 0,
                "Undefined symbols for architecture x86_64:\n"
                "  \"_nothing\", referenced from:\n"
                "      _dot in dot_product.o\n"
                "ld: symbol(s) not found for architecture x86_64\n");
}

static void a_second_definition_is_told_of_gnu_ld(void) {
    expect_link("product() is defined a second time", "rename yours", 3,
                "/usr/bin/ld: obj/product.o: in function `product':\n"
                "/home/u/lookback/common/product.c:2: multiple definition of `product'; "
                "obj/dot_product.o:/home/u/lookback/" SOURCE ":3: first defined here\n"
                "collect2: error: ld returned 1 exit status\n");
}

static void a_second_definition_is_told_of_lld(void) {
    expect_link("product() is defined a second time", "rename yours", 3,
                "ld.lld: error: duplicate symbol: product\n"
                ">>> defined at dot_product.c:3 (" SOURCE ":3)\n"
                ">>>            obj/dot_product.o:(product)\n"
                ">>> defined at product.c:2 (/home/u/lookback/common/product.c:2)\n"
                ">>>            obj/product.o:(.text+0x0)\n");
}

static void a_second_definition_is_told_of_macos(void) {
    expect_link("product() is defined a second time", "rename yours", 0,
                "duplicate symbol '_product' in:\n"
                "    obj/dot_product.o\n"
                "    obj/product.o\n"
                "ld: 1 duplicate symbols for architecture arm64\n");
}

static void another_error_of_a_linker_is_told_as_it_is(void) {
    expect_link("it does not link: /usr/bin/ld: cannot find -lnothing: No such file or directory",
                "", 0,
                "/usr/bin/ld.gold: warning: Cannot export local symbol 'x'\n"
                "/usr/bin/ld: cannot find -lnothing: No such file or directory\n"
                "collect2: error: ld returned 1 exit status\n");
}

static void warnings_are_counted_and_cut(void) {
    make_said(SOURCE ": In function 'dot':\n" SOURCE
                     ":4:9: warning: unused variable 'a' [-Wunused-variable]\n"
                     "    4 |     int a;\n" SOURCE
                     ":5:9: warning: implicit conversion [-Wconversion]\n" SOURCE
                     ":6:9: warning: without an option\n"
                     "3 warnings generated.\n");
    TEST_ASSERT_EQUAL_INT(3, explain_warnings(&text, &child, 2));
    TEST_ASSERT_EQUAL_STRING(
        SOURCE ":4:9: unused variable 'a'\n" SOURCE ":5:9: implicit conversion\n", text_of(&text));
    text_free(&text);
    TEST_ASSERT_EQUAL_INT(3, explain_warnings(&text, &child, 9));
    TEST_ASSERT_TRUE(ends_with(text_of(&text), ":6:9: without an option\n"));
    text_free(&text);
    child_free(&child);
    TEST_ASSERT_EQUAL_INT(0, explain_warnings(&text, &child, 9));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    clear();
}

/* --- screen --------------------------------------------------------------------------------- */

/* Runs `print` with standard output in a file, and no colour asked for; `text` is what it wrote. */
static void capture(void (*print)(void)) {
    char part[1000];
    size_t length;
    clear();
    unsetenv("FORCE_COLOR");
    unsetenv("NO_COLOR");
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
}

static const char prose[] =
    "Each row of the weights says how much of each value goes into the output, and since a row "
    "sums to one the output lies between the values: it is a blend, never more than its parts, "
    "and `weights[1][2]` is the share of the third value in the second output.";

static void say_prose(void) {
    say_paragraph(PLAIN, 6, prose);
}

static void a_paragraph_is_broken_at_spaces_and_indented(void) {
    char line[200], joined[sizeof prose + 10] = "";
    int lines = 0;
    capture(say_prose);
    TEST_ASSERT_TRUE(ends_with(text_of(&text), ".\n"));
    for (const char *at = text_of(&text); next_line(&at, line, sizeof line); lines++) {
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

static void a_line_may_be_as_wide_as_the_screen(void) {
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

static void a_word_wider_than_the_screen_is_kept_whole(void) {
    char line[200];
    capture(say_a_long_word);
    const char *at = text_of(&text);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("  before", line);
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_size_t(2 + 93, strlen(line));
    TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
    TEST_ASSERT_EQUAL_STRING("  after it", line);
    TEST_ASSERT_FALSE(next_line(&at, line, sizeof line));
}

static void say_bars(void) {
    say_bar(0, 10);
    say_bar(5, 10);
    say_bar(10, 10);
    say_bar(0, 0);
}

static void a_bar_is_as_wide_as_the_screen(void) {
    static const size_t filled[] = {0, (WIDTH - 2) / 2, WIDTH - 2, 0};
    char line[200];
    capture(say_bars);
    const char *at = text_of(&text);
    for (int i = 0; i < 4; i++) {
        TEST_ASSERT_TRUE(next_line(&at, line, sizeof line));
        TEST_ASSERT_EQUAL_size_t(WIDTH, strlen(line));
        TEST_ASSERT_TRUE(line[0] == '[' && line[WIDTH - 1] == ']');
        TEST_ASSERT_EQUAL_size_t(filled[i], strspn(line + 1, "#"));
        TEST_ASSERT_EQUAL_size_t(WIDTH - 2 - filled[i], strspn(line + 1 + filled[i], "-"));
    }
    TEST_ASSERT_FALSE(next_line(&at, line, sizeof line));
}

static void say_two_ends(void) {
    say_ends("left", "right");
}

static void two_ends_fill_a_line(void) {
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

static void without_a_terminal_there_is_no_colour(void) {
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

static void colour_can_be_forced_and_refused(void) {
    capture(say_in_forced_colour);
    TEST_ASSERT_EQUAL_STRING("\033[32mgreen\033[0mplain", text_of(&text));
}

/* --- show ----------------------------------------------------------------------------------- */

/* The screen of a check that ended with this report. */
static void show_report(const char *report_text) {
    struct progress progress = {.total = 9};
    struct settings settings = {.from = "lessons"};
    hear(report_text, "");
    checked.stage = TESTED;
    checked.report = judged;
    judged = (struct report){0};
    show_check(&checked, &lesson, &progress, &settings);
}

#define SHOWN_PLAN "plan dot one\nplan blend two\n"

static void show_two_taglines(void) {
    make_lesson(three, NULL);
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why"));
    check_free(&checked);
    strcpy(lesson.tagline, "One network reads, another writes and learns where to look, word by");
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why"));
}

static void a_tagline_that_does_not_fit_has_its_own_line(void) {
    char line[200];
    capture(show_two_taglines);
    expect_part("\nLesson 02: Dot-product attention          Score by agreement", text_of(&text));
    expect_part("\nLesson 02: Dot-product attention\nOne network reads, another writes and learns "
                "where to look, word by\n\n",
                text_of(&text));
    for (const char *at = text_of(&text); next_line(&at, line, sizeof line);)
        TEST_ASSERT_TRUE_MESSAGE(strlen(line) <= 80, line);
    clear();
}

static void show_results_among_inputs(void) {
    make_lesson("void dot(int n, int m, const double Q[n][m], const double (*K)[m],\n"
                "         double (*hidden)[m], double weights[n][m], const double last[n]);\n"
                "void blend(int n, const double hidden[n], double Q[n], double last[n]);\n",
                NULL);
    show_report(SHOWN_PLAN "run dot one\n< Q[0] = 1, 2\n< hidden[0] = 7, 8\n< K[0] = 3, 4\n"
                           "< unheard_of = 9\n< weights[0] = 5, 6\n< last = 0, 0\n"
                           "unity tests/t.c:3:one:FAIL: why\n");
    check_free(&checked);
    show_report(SHOWN_PLAN RUN("dot", "one", "PASS") "run blend two\n< hidden = 7, 8\n"
                                                     "unity tests/t.c:3:two:FAIL: why\n");
}

static void results_come_behind_the_inputs(void) {
    capture(show_results_among_inputs);
    expect_part("\n\n    Q[0] = 1, 2\n    K[0] = 3, 4\n    last = 0, 0\n"
                "    after the last call of dot():\n"
                "    hidden[0] = 7, 8\n    weights[0] = 5, 6\n\n",
                text_of(&text));
    expect_part("\n\n    hidden = 7, 8\n\n", text_of(&text)); /* an input of blend */
    TEST_ASSERT_NULL(strstr(text_of(&text), "unheard_of"));
    clear();
}

static const char seven[] = "void a(int n);\nvoid b(int n);\nvoid c(int n);\nvoid d(int n);\n"
                            "void e(int n);\nvoid f(int n);\nvoid g(int n);\n";

static void show_seven(void) {
    make_lesson(seven, NULL);
    show_report("plan a t\nplan b t\nplan c t\nplan d t\nplan e t\nplan f t\nplan g t\n" RUN(
        "a", "t", "PASS") RUN("b", "t", "PASS") RUN("c", "t", "FAIL: why")
                    RUN("d", "t", "FAIL: why"));
}

static void exercises_alike_share_a_line(void) {
    capture(show_seven);
    expect_part("\n\n  + a and 1 more\n"
                "  x c                                0 of 1 tests pass  <- you are here\n"
                "  x d                                0 of 1 tests pass\n"
                "  ? e and 2 more                     not checked: the tests never got there\n\n",
                text_of(&text));
    clear();
}

static void show_an_old_result(void) {
    struct progress progress = {.total = 9};
    struct settings settings = {.from = "lessons"};
    make_lesson(three, "int int;\n");
    lesson.exercises[0].state = DONE;
    lesson.unbuilt = true;
    checked.stage = NOT_COMPILED;
    show_check(&checked, &lesson, &progress, &settings);
    show_lesson_line(&lesson);
}

static void of_a_file_that_does_not_build_nothing_is_checked(void) {
    capture(show_an_old_result);
    expect_part("\n\n  ? dot and 2 more                   not checked\n\n", text_of(&text));
    expect_part("02 Dot-product attention ???             0/3   does not build", text_of(&text));
    clear();
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
    text_free(&report);
}

static void what_counts_stands_within_24_lines(void) {
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
    clear();
}

#define FAILED_AND_STOPPED                                                                         \
    "plan dot one\nplan dot long_rows\nplan blend two\n" RUN("dot", "one",                         \
                                                             "FAIL: why") "run dot long_rows\n"

static void show_stopped_later(void) {
    make_lesson(three, NULL);
    checked.faulty = &lesson.exercises[0];
    strcpy(checked.fault.what, "was stopped after 5 s of work: a loop that does not end, or more");
    strcpy(checked.fault.function, "dot");
    show_report(FAILED_AND_STOPPED);
}

static void a_later_test_that_was_stopped_is_told(void) {
    capture(show_stopped_later);
    expect_part("  A later test, long_rows, was stopped after 5 s of work in dot(); what\n"
                "  follows it was not checked.\n",
                text_of(&text));
    clear();
}

static void show_stopped_last(void) {
    make_lesson(three, NULL);
    checked.faulty = &lesson.exercises[0];
    strcpy(checked.fault.what, "printed far too much, and was stopped");
    show_report("plan dot one\nplan dot two\n" RUN("dot", "one", "FAIL: why") "run dot two\n");
}

static void behind_the_last_test_nothing_was_left_unchecked(void) {
    capture(show_stopped_last);
    expect_part("  A later test, two, printed far too much, and was stopped.\n", text_of(&text));
    clear();
}

static void show_crashed_later(void) {
    make_lesson(three, NULL);
    checked.faulty = &lesson.exercises[0];
    strcpy(checked.fault.what, "followed a null pointer");
    show_report(FAILED_AND_STOPPED);
    check_free(&checked);
    show_report(SHOWN_PLAN RUN("dot", "one", "FAIL: why") RUN("blend", "two", "PASS"));
}

static void a_later_crash_is_not_called_a_stop(void) {
    capture(show_crashed_later); /* the tests behind a crash are run */
    TEST_ASSERT_NULL(strstr(text_of(&text), "A later test"));
    clear();
}

/* --- tests by hand -------------------------------------------------------------------------- */

static void loop_for_ever(void) {
    for (volatile int i = 0; i >= 0; i = 1)
        ;
}

static void loop_beyond_the_limit(void) {
    clock_t start = clock();
    while (clock() - start < CLOCKS_PER_SEC * 5 / 4)
        ;
}

/* In a process of its own, with a limit of a second; its standard output goes into `text`. */
static int run_by_hand(void (*test)(void), bool debugged) {
    struct lesson_test table[] = {
        {.exercise = "dot", .name = "a_test_of_it", .run = test, .line = 7, .file = "tests/t.c"}};
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
        setenv("LOOKBACK_SECONDS", "1", 1);
        unsetenv("LOOKBACK_REPORT");
#ifdef __linux__
        if (debugged && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(99);
#endif
        int failed = run_tests(1, argv, "tests/t.c", 1, table);
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

static void by_hand_a_loop_without_an_end_is_stopped_and_named(void) {
    TEST_ASSERT_EQUAL_INT(124, run_by_hand(loop_for_ever, false));
    expect_part("tests/t.c:7:a_test_of_it:FAIL: stopped after 1 s of work: a loop that does not "
                "end, or one that does far too much? make says where.",
                text_of(&text));
}

static void under_a_debugger_no_test_is_stopped(void) {
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
    struct path setting = path_of("CC=%s", compiler);
    char *argv[] = {"env", setting.chars, "sh", "common/make/probe.sh", "build/tutor-probe.mk",
                    NULL};
    clear();
    child_run(&child, argv, ample);
    TEST_ASSERT_EQUAL_INT(1, child.status);
    expect_part("is not installed", text_of(&child.err));
    TEST_ASSERT_TRUE(child.err.length <= 81);
    TEST_ASSERT_FALSE(exists("build/tutor-probe.mk"));
}

static void a_compiler_that_is_missing_is_asked_for_by_its_name(void) {
    probe_without("nocc");
    TEST_ASSERT_EQUAL_STRING("'nocc' is not installed: apt install nocc (Debian, "
                             "Ubuntu), or leave CC away.\n",
                             text_of(&child.err));
    probe_without("/no/such/gcc");
    TEST_ASSERT_NULL(strstr(text_of(&child.err), "apt"));
}

/* --- check ---------------------------------------------------------------------------------- */

static void settings_come_from_the_environment(void) {
    static const char *const names[] = {"LOOKBACK_FROM",   "LOOKBACK_OUT",    "LOOKBACK_OBJECTS",
                                        "LOOKBACK_CC",     "LOOKBACK_CFLAGS", "LOOKBACK_LDLIBS",
                                        "LOOKBACK_SECONDS"};
    for (int i = 0; i < 7; i++)
        unsetenv(names[i]);
    struct settings s = settings_from_environment();
    TEST_ASSERT_EQUAL_STRING("lessons", s.from);
    TEST_ASSERT_EQUAL_STRING("build/lessons", s.out);
    TEST_ASSERT_EQUAL_STRING("cc", s.compiler);
    TEST_ASSERT_EQUAL_STRING("", s.flags);
    TEST_ASSERT_EQUAL_INT(5, s.seconds);
    setenv("LOOKBACK_FROM", "solutions", 1);
    setenv("LOOKBACK_CC", "", 1);
    setenv("LOOKBACK_SECONDS", "9", 1);
    s = settings_from_environment();
    TEST_ASSERT_EQUAL_STRING("solutions", s.from);
    TEST_ASSERT_EQUAL_STRING("cc", s.compiler);
    TEST_ASSERT_EQUAL_INT(9, s.seconds);
    setenv("LOOKBACK_SECONDS", "-3", 1);
    TEST_ASSERT_EQUAL_INT(5, settings_from_environment().seconds);
    setenv("LOOKBACK_SECONDS", "soon", 1);
    TEST_ASSERT_EQUAL_INT(5, settings_from_environment().seconds);
    for (int i = 0; i < 7; i++)
        unsetenv(names[i]);
}

/* A shell script stands in for the compiler; what it "links" is a script as well. */
static void check_with(const char *compile, const char *link, const char *program) {
    struct settings settings = {.from = "lessons",
                                .out = "out",
                                .object = "obj",
                                .compiler = "sh cc.sh",
                                .flags = "",
                                .libraries = "-lm",
                                .seconds = 5};
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
    check_lesson(&checked, &lesson, &settings, objects);
    check_save(&checked, &lesson, &settings);
}

/* Is the lesson passed, as far as anybody can know who was not there? */
static bool is_passed(void) {
    struct lesson again;
    bool read = lesson_read(&again, lesson.folder, "lessons", "out");
    bool passed = read && results_load(&again) == RESULTS && lesson_done(&again);
    lesson_free(&again);
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

static void a_lesson_that_passes_is_kept_as_passed(void) {
    make_checkable();
    check_with("echo 'a.c:1:2: warning: odd [-Wodd]' >&2", "", BOTH_PASS "echo done 2 >&3\n");
    TEST_ASSERT_EQUAL_INT(TESTED, checked.stage);
    expect_two_states(DONE, DONE);
    TEST_ASSERT_NULL(checked.faulty);
    TEST_ASSERT_TRUE(is_passed());
    TEST_ASSERT_TRUE(exists(lesson.results.chars));
    TEST_ASSERT_EQUAL_INT(1, checked.warning_count);
    TEST_ASSERT_EQUAL_STRING("a.c:1:2: odd\n", text_of(&checked.warnings));
    TEST_ASSERT_TRUE(text_read_file(&text, "linked"));
    struct path words = path_of("obj/yours/lessons/02-dot-product/dot_product.o -o "
                                "obj/yours/lessons/02-dot-product/test.%d one.o two.o -lm\n",
                                (int)getpid());
    TEST_ASSERT_EQUAL_STRING(words.chars, text_of(&text));
    clear();
}

static void without_a_file_nothing_is_checked(void) {
    make_checkable();
    remove(lesson.source.chars);
    check_with("touch compiled", "", "");
    TEST_ASSERT_EQUAL_INT(NO_FILE, checked.stage);
    TEST_ASSERT_FALSE(exists("compiled"));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_file_that_does_not_compile_is_broken(void) {
    make_checkable();
    check_with("echo \"$2:4:2: error: expected ';'\" >&2; exit 1", "", "");
    TEST_ASSERT_EQUAL_INT(NOT_COMPILED, checked.stage);
    TEST_ASSERT_EQUAL_STRING("expected ';'", checked.fault.what);
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:2", checked.fault.where);
    expect_part("error: expected ';'", text_of(&checked.raw));
    expect_two_states(NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_TRUE(lesson.unbuilt);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(exists("linked"));
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_file_that_does_not_link_is_broken(void) {
    make_checkable();
    check_with("", "echo \"t.c:1: undefined reference to \\`blend'\" >&2; exit 1", "");
    TEST_ASSERT_EQUAL_INT(NOT_LINKED, checked.stage);
    TEST_ASSERT_EQUAL_STRING("blend() is missing from the file", checked.fault.what);
    expect_two_states(NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_TRUE(lesson.unbuilt);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_FALSE(exists("runs"));
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_failing_test_takes_that_away(void) {
    make_checkable();
    check_with("", "",
               "cat >&3 <<E\nplan dot one\nplan blend two\n" RUN("dot", "one", "PASS")
                   RUN("blend", "two", "FAIL: why") "done 2\nE\nexit 1\n");
    TEST_ASSERT_EQUAL_INT(TESTED, checked.stage);
    expect_two_states(DONE, WRONG);
    TEST_ASSERT_NULL(checked.faulty);
    TEST_ASSERT_FALSE(is_passed());
    TEST_ASSERT_TRUE(exists(lesson.results.chars));
    clear();
}

static void after_a_crash_the_other_exercises_are_run(void) {
    make_checkable();
    check_with("", "",
               "if [ $# = 0 ]; then\n"
               "    printf 'plan dot one\\nplan blend two\\nrun dot one\\n' >&3\n"
               "    kill -SEGV $$\n"
               "fi\n"
               "echo \"$*\" >names\n"
               "cat >&3 <<E\nplan blend two\n" RUN("blend", "two", "PASS") "done 1\nE\n");
    expect_two_states(BROKEN, DONE);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[0], checked.faulty);
    expect_part("followed a pointer to nowhere", checked.fault.what);
    TEST_ASSERT_TRUE(text_read_file(&text, "names"));
    TEST_ASSERT_EQUAL_STRING("blend\n", text_of(&text));
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_crash_before_any_test_is_run_once(void) {
    make_checkable();
    check_with("", "", "kill -SEGV $$\n");
    expect_two_states(NOT_CHECKED, NOT_CHECKED);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[0], checked.faulty);
    TEST_ASSERT_TRUE(text_read_file(&text, "runs"));
    TEST_ASSERT_EQUAL_STRING("ran\n", text_of(&text));
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_leak_at_the_end_breaks_the_exercise_that_made_it(void) {
    make_checkable();
    check_with("", "",
               BOTH_PASS "echo done 2 >&3\n"
                         "cat >&2 <<E\n==7==ERROR: LeakSanitizer: detected memory leaks\n"
                         "    #0 0x1 in malloc x.c:1\n" FRAME("1", "blend", "1") "E\nexit 1\n");
    expect_two_states(DONE, BROKEN);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[1], checked.faulty);
    TEST_ASSERT_EQUAL_STRING("allocated memory and never freed it", checked.fault.what);
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static void a_program_that_never_came_to_its_end_has_not_passed(void) {
    make_checkable();
    check_with("", "", BOTH_PASS "kill -SEGV $$\n");
    bool done = lesson_done(&lesson), stamped = is_passed();
    clear();
    TEST_ASSERT_FALSE(done);
    TEST_ASSERT_FALSE(stamped);
}

static void a_file_saved_during_its_check_is_not_passed(void) {
    make_checkable();
    check_with("echo '/* more */' >>\"$2\"", "", BOTH_PASS "echo done 2 >&3\n");
    expect_two_states(DONE, DONE);
    TEST_ASSERT_FALSE(is_passed());
    clear();
}

static const struct lesson_test tests[] = {
    TEST(text, an_empty_text_reads_as_nothing),
    TEST(text, a_text_grows_and_always_ends),
    TEST(text, printing_a_very_long_line_cuts_it),
    TEST(text, a_missing_file_is_an_empty_text),
    TEST(text, a_folder_is_no_file),
    TEST(text, a_file_is_read_whole),
    TEST(text, lines_come_one_by_one),
    TEST(text, a_long_line_is_cut_and_left_behind),
    TEST(text, starts_and_ends_are_told),
    TEST(text, a_path_is_printed),
    TEST(text, a_path_that_is_too_long_ends_the_program),
    TEST(lesson, a_lesson_is_named_by_its_folder),
    TEST(lesson, title_and_tagline_are_those_of_the_readme),
    TEST(lesson, a_lesson_needs_no_readme),
    TEST(lesson, an_empty_readme_does_no_harm),
    TEST(lesson, a_folder_without_a_dash_is_no_lesson),
    TEST(lesson, without_a_header_there_is_no_lesson),
    TEST(lesson, exercises_are_functions_of_the_header),
    TEST(lesson, the_contract_is_the_comment_above),
    TEST(lesson, a_contract_may_be_a_line_comment),
    TEST(lesson, a_macro_of_many_lines_is_no_exercise),
    TEST(lesson, an_indented_macro_is_no_exercise),
    TEST(lesson, what_is_no_function_is_no_exercise),
    TEST(lesson, what_has_no_hints_is_given),
    TEST(lesson, exercises_come_in_the_order_of_the_header),
    TEST(lesson, a_lesson_may_have_many_exercises_with_long_names),
    TEST(lesson, a_name_that_is_too_long_is_refused),
    TEST(lesson, definitions_are_found_and_nothing_else),
    TEST(lesson, a_definition_after_a_macro_of_many_lines_is_found),
    TEST(lesson, a_definition_may_have_a_comment_before_its_brace),
    TEST(lesson, a_file_that_is_half_written_is_read),
    TEST(lesson, results_are_saved_and_loaded),
    TEST(lesson, every_state_survives_saving),
    TEST(lesson, a_lesson_is_done_when_every_exercise_is),
    TEST(lesson, one_that_waits_does_not_come_before_the_other),
    TEST(lesson, results_hold_for_the_very_file_only),
    TEST(lesson, results_of_other_tests_are_renewed_if_they_were_good),
    TEST(lesson, what_is_still_a_todo_needs_no_check),
    TEST(lesson, a_stamp_names_what_a_rule_names),
    TEST(lesson, a_stamp_holds_while_recipe_and_files_are_the_same),
    TEST(lesson, a_file_is_replaced_whole_or_not_at_all),
    TEST(lesson, a_lock_is_free_again_when_its_owner_is_gone),
    TEST(lesson, results_that_make_no_sense_change_nothing),
    TEST(lesson, results_that_cannot_be_saved_are_told),
    TEST(lesson, lesson_folders_come_in_order_without_others),
    TEST(lesson, a_file_is_no_lesson_folder),
    TEST(calls, a_function_needs_what_its_words_name),
    TEST(calls, what_stands_only_in_a_macro_needs_what_is_around_it),
    TEST(calls, two_functions_may_share_a_variable),
    TEST(calls, what_a_body_begins_with_is_known),
    TEST(calls, half_a_file_does_no_harm_to_calls),
    TEST(child, a_child_ends_with_its_status),
    TEST(child, a_child_that_crashes_has_a_signal),
    TEST(child, a_child_killed_before_its_time_was_not_too_slow),
    TEST(child, output_errors_and_report_are_kept_apart),
    TEST(child, the_report_is_the_childs_own),
    TEST(child, a_child_reads_nothing),
    TEST(child, much_output_arrives_whole),
    TEST(child, a_busy_loop_is_stopped),
    TEST(child, a_sleeper_is_stopped),
    TEST(child, a_sleeper_that_heeds_no_signal_is_stopped),
    TEST(child, a_child_that_said_where_it_was_is_out_of_time),
    TEST(child, a_flood_is_stopped_and_cut),
    TEST(child, children_of_the_child_do_not_outlive_it),
    TEST(child, a_program_that_is_missing_is_told),
    TEST(child, a_child_leaves_no_file_open),
    TEST(judge, all_passed_is_done),
    TEST(judge, one_failure_is_wrong),
    TEST(judge, a_failure_without_a_message_is_a_failure),
    TEST(judge, a_todo_is_not_started),
    TEST(judge, the_first_bad_test_decides),
    TEST(judge, a_crash_breaks_its_exercise_and_no_other),
    TEST(judge, a_report_cut_in_the_middle_of_a_line_is_no_pass),
    TEST(judge, tests_that_never_ran_leave_their_exercise_unchecked),
    TEST(judge, an_exercise_without_tests_is_not_done),
    TEST(judge, an_empty_report_judges_nothing),
    TEST(judge, a_test_that_was_left_has_not_passed),
    TEST(judge, a_pass_on_standard_output_counts_for_nothing),
    TEST(judge, a_pass_of_another_test_counts_for_nothing),
    TEST(judge, what_a_test_printed_is_its_own),
    TEST(judge, a_second_run_fills_in_what_the_first_left_out),
    TEST(judge, a_test_told_again_is_told_once),
    TEST(judge, a_test_of_no_exercise_does_no_harm),
    TEST(judge, lines_that_make_no_sense_are_passed_over),
    TEST(judge, very_long_lines_are_cut),
    TEST(explain, an_overflow_of_gcc_is_explained),
    TEST(explain, an_overflow_of_clang_is_explained),
    TEST(explain, the_matrix_that_was_overrun_is_told),
    TEST(explain, a_fault_inside_the_library_lies_where_it_was_called),
    TEST(explain, every_caller_is_told_once),
    TEST(explain, frames_with_bare_file_names_are_places),
    TEST(explain, the_tests_are_not_the_learners_file),
    TEST(explain, the_call_of_what_is_done_is_the_place),
    TEST(explain, the_call_of_an_earlier_lesson_is_the_place),
    TEST(explain, an_array_has_the_name_that_the_function_gives_it),
    TEST(explain, a_long_line_of_code_goes_on_below),
    TEST(explain, a_line_without_an_end_is_moved_to_the_column),
    TEST(explain, the_array_that_an_index_leaves_is_named),
    TEST(explain, an_index_out_of_bounds_of_gcc_is_explained),
    TEST(explain, an_index_out_of_bounds_of_clang_is_explained),
    TEST(explain, undefined_behaviour_is_explained),
    TEST(explain, undefined_behaviour_of_a_new_kind_is_told_as_it_is),
    TEST(explain, a_null_pointer_is_explained),
    TEST(explain, a_pointer_to_nowhere_is_explained),
    TEST(explain, a_stack_overflow_is_explained),
    TEST(explain, a_function_that_calls_itself_is_told_from_a_large_array),
    TEST(explain, a_leak_is_explained),
    TEST(explain, a_double_free_is_explained),
    TEST(explain, too_much_memory_is_told),
    TEST(explain, a_report_of_a_new_kind_is_a_crash),
    TEST(explain, endings_without_a_report_are_explained),
    TEST(explain, a_loop_that_does_not_end_has_a_place),
    TEST(explain, a_fault_is_found_in_a_file_from_elsewhere),
    TEST(explain, an_error_of_gcc_is_explained),
    TEST(explain, an_error_far_to_the_right_is_brought_into_view),
    TEST(explain, a_fatal_error_is_explained),
    TEST(explain, an_error_of_clang_is_explained),
    TEST(explain, an_error_of_clang_in_the_first_column_is_drawn),
    TEST(explain, an_error_without_a_drawing_has_none),
    TEST(explain, operands_that_do_not_fit_are_told_apart),
    TEST(explain, clang_draws_the_operator_that_it_does_not_name),
    TEST(explain, const_in_a_type_is_no_const_that_was_written),
    TEST(explain, numbers_and_arrays_in_each_others_place_are_told),
    TEST(explain, a_missing_argument_is_told_before_those_it_displaces),
    TEST(explain, functions_that_nobody_declared_are_told),
    TEST(explain, braces_that_are_missing_are_told),
    TEST(explain, where_a_lesson_asks_for_room_it_is_not_advised_against),
    TEST(explain, too_little_memory_of_its_own_is_told),
    TEST(explain, sizes_may_be_swapped_where_an_own_array_is_left),
    TEST(explain, a_compiler_that_fails_without_an_error_is_told),
    TEST(explain, a_compiler_that_fails_silently_is_told),
    TEST(explain, a_missing_exercise_is_told_of_gnu_ld),
    TEST(explain, a_missing_exercise_is_told_of_lld),
    TEST(explain, a_missing_exercise_is_told_of_macos),
    TEST(explain, a_function_that_nobody_wrote_is_told_of_gnu_ld),
    TEST(explain, a_function_that_nobody_wrote_is_told_of_gold),
    TEST(explain, a_function_that_nobody_wrote_is_told_of_lld),
    TEST(explain, a_function_that_nobody_wrote_is_told_of_macos),
    TEST(explain, a_second_definition_is_told_of_gnu_ld),
    TEST(explain, a_second_definition_is_told_of_lld),
    TEST(explain, a_second_definition_is_told_of_macos),
    TEST(explain, another_error_of_a_linker_is_told_as_it_is),
    TEST(explain, warnings_are_counted_and_cut),
    TEST(screen, a_paragraph_is_broken_at_spaces_and_indented),
    TEST(screen, a_line_may_be_as_wide_as_the_screen),
    TEST(screen, a_word_wider_than_the_screen_is_kept_whole),
    TEST(screen, a_bar_is_as_wide_as_the_screen),
    TEST(screen, two_ends_fill_a_line),
    TEST(screen, without_a_terminal_there_is_no_colour),
    TEST(screen, colour_can_be_forced_and_refused),
    TEST(show, a_tagline_that_does_not_fit_has_its_own_line),
    TEST(show, results_come_behind_the_inputs),
    TEST(show, exercises_alike_share_a_line),
    TEST(show, of_a_file_that_does_not_build_nothing_is_checked),
    TEST(show, what_counts_stands_within_24_lines),
    TEST(show, a_later_test_that_was_stopped_is_told),
    TEST(show, behind_the_last_test_nothing_was_left_unchecked),
    TEST(show, a_later_crash_is_not_called_a_stop),
    TEST(by_hand, by_hand_a_loop_without_an_end_is_stopped_and_named),
    TEST(by_hand, under_a_debugger_no_test_is_stopped),
    TEST(probe, a_compiler_that_is_missing_is_asked_for_by_its_name),
    TEST(check, settings_come_from_the_environment),
    TEST(check, a_lesson_that_passes_is_kept_as_passed),
    TEST(check, without_a_file_nothing_is_checked),
    TEST(check, a_file_that_does_not_compile_is_broken),
    TEST(check, a_file_that_does_not_link_is_broken),
    TEST(check, a_failing_test_takes_that_away),
    TEST(check, after_a_crash_the_other_exercises_are_run),
    TEST(check, a_crash_before_any_test_is_run_once),
    TEST(check, a_leak_at_the_end_breaks_the_exercise_that_made_it),
    TEST(check, a_program_that_never_came_to_its_end_has_not_passed),
    TEST(check, a_file_saved_during_its_check_is_not_passed),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
