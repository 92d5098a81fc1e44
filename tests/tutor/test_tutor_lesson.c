/* Lessons, their stamps and their results, as the tutor reads and keeps them. */
#include "made.h"

#include "tutor/commands.h"
#include "where.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_time(const char *path, time_t seconds, long nanoseconds) {
    struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    TEST_ASSERT_EQUAL_INT(0, utimensat(AT_FDCWD, path, times, 0));
}

static void expect_names(const char *names) {
    char all[400] = "";
    for (int i = 0; i < lesson.count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", lesson.exercises[i].name);
    TEST_ASSERT_EQUAL_STRING(names, all[0] ? all + 1 : all);
}

TEST(lesson, a_lesson_is_named_by_its_folder) {
    make_lesson(three, NULL);
    TEST_ASSERT_EQUAL_STRING("02-dot-product", lesson.folder);
    TEST_ASSERT_EQUAL_STRING("02", lesson.number);
    TEST_ASSERT_EQUAL_STRING("dot_product", lesson.name);
    TEST_ASSERT_EQUAL_STRING("lessons/02-dot-product/README.md", lesson.readme);
    TEST_ASSERT_EQUAL_STRING("lessons/02-dot-product/dot_product.c", lesson.source);
    TEST_ASSERT_EQUAL_STRING("out/02-dot-product/results", lesson.results);
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/01-softmax");
    write_file("lessons/01-softmax/softmax.h", "void softmax(int n);\n");
    write_file("lessons/01-softmax/hints.md", "## softmax\n");
    TEST_ASSERT_TRUE(lesson_read(&lesson, "01-softmax", "solutions", "out"));
    TEST_ASSERT_EQUAL_STRING("01", lesson.number);
    TEST_ASSERT_EQUAL_STRING("softmax", lesson.name);
    TEST_ASSERT_EQUAL_STRING("solutions/01-softmax/softmax.c", lesson.source);
}

TEST(lesson, title_and_tagline_are_those_of_the_readme) {
    make_lesson(three, NULL);
    TEST_ASSERT_EQUAL_STRING("Dot-product attention", lesson.title);
    TEST_ASSERT_EQUAL_STRING("Score by dot product, blend by weight.", lesson.tagline);
}

TEST(lesson, a_lesson_needs_no_readme) {
    make_lesson(three, NULL);
    lesson = (struct lesson){0};
    remove("lessons/02-dot-product/README.md");
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
    TEST_ASSERT_EQUAL_STRING("", lesson.title);
    TEST_ASSERT_EQUAL_STRING("", lesson.tagline);
}

static bool reads_02(void) {
    return read_lesson("02-dot-product");
}

TEST(lesson, an_empty_readme_does_no_harm) {
    make_lesson(three, NULL);
    lesson = (struct lesson){0};
    write_file("lessons/02-dot-product/README.md", "");
    TEST_ASSERT_TRUE(survives(reads_02));
}

static bool refuses_name_without_a_dash(void) {
    char *name = strdup("02"); /* on the heap, where a sanitizer guards its end */
    bool read = name && read_lesson(name);
    free(name);
    return !read;
}

TEST(lesson, a_folder_without_a_dash_is_no_lesson) {
    enter_folder();
    TEST_ASSERT_TRUE(survives(refuses_name_without_a_dash));
}

TEST(lesson, without_a_header_there_is_no_lesson) {
    enter_folder();
    TEST_ASSERT_FALSE(read_lesson("02-dot-product"));
    make_folder("lessons");
    make_folder("lessons/02-dot-product");
    write_file("lessons/02-dot-product/dot_product.h", "/* nothing (yet) */\n");
    TEST_ASSERT_FALSE(read_lesson("02-dot-product"));
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

TEST(lesson, exercises_are_functions_of_the_header) {
    make_lesson(full_header, NULL);
    expect_names("dot blend pick");
    TEST_ASSERT_EQUAL_INT(3, lesson.count);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[i].state);
        TEST_ASSERT_EQUAL_INT(0, lesson.exercises[i].line);
    }
}

TEST(lesson, the_contract_is_the_comment_above) {
    make_lesson(full_header, NULL);
    TEST_ASSERT_EQUAL_STRING("The sum of a[i] * b[i] (for all i), not \"cosine(a, b)\": that one's "
                             "below.",
                             text_of(&lesson.exercises[0].contract));
    TEST_ASSERT_EQUAL_STRING("", text_of(&lesson.exercises[1].contract));
    TEST_ASSERT_EQUAL_STRING("The last one.", text_of(&lesson.exercises[2].contract));
}

TEST(lesson, a_contract_may_be_a_line_comment) {
    make_lesson("// The sum.\ndouble dot(int n);\n", NULL);
    TEST_ASSERT_EQUAL_STRING("The sum.", text_of(&lesson.exercises[0].contract));
}

TEST(lesson, a_macro_of_many_lines_is_no_exercise) {
    make_lesson("#define EACH(i, n) \\\n    for (int i = 0; \\\n         i < MOST(n); i++)\n"
                "double dot(int n);\n",
                NULL);
    expect_names("dot");
}

TEST(lesson, an_indented_macro_is_no_exercise) {
    make_lesson("#ifndef SQUARE\n  #define SQUARE(x) ((x) * (x))\n#endif\ndouble dot(int n);\n",
                NULL);
    expect_names("dot");
}

TEST(lesson, what_is_no_function_is_no_exercise) {
    make_lesson("typedef double (*measure)(int n);\n"
                "_Static_assert(sizeof(int) == 4, \"32 bits\");\n"
                "typedef struct { int rows; } shape;\n"
                "double dot(int n) __attribute__((pure));\n"
                "__attribute__((const)) double blend(int n);\n",
                NULL);
    expect_names("dot blend");
}

TEST(lesson, what_has_no_hints_is_given) {
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
}

TEST(lesson, exercises_come_in_the_order_of_the_header) {
    make_lesson("int pick(int n);\nint dot(int n);\nint blend(int n);\n", NULL);
    expect_names("pick dot blend");
}

void set_result(int i, enum state state, int passed, int tests) {
    lesson.exercises[i].state = state;
    lesson.exercises[i].passed = passed;
    lesson.exercises[i].tests = tests;
}

void save_results(void) {
    struct stamps of = {0};
    stamps_add(&of, lesson.source);
    stamps_add(&of, "test.c");
    TEST_ASSERT_TRUE(results_save(&lesson, &of));
    lesson = (struct lesson){0};
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
}

TEST(lesson, a_lesson_may_have_many_exercises_with_long_names) {
    struct text header = {0}, hints = {0};
    char long_name[201] = "";
    memset(long_name, 'f', 200);
    make_lesson(three, NULL);
    for (int i = 0; i < 63; i++) {
        text_print(&header, "int %s_%d(void);\n", long_name, i);
        text_print(&hints, "## %s_%d\n\n1. One.\n", long_name, i);
    }
    write_file("lessons/02-dot-product/dot_product.h", text_of(&header));
    write_file("lessons/02-dot-product/hints.md", text_of(&hints));
    lesson = (struct lesson){0};
    TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
    TEST_ASSERT_EQUAL_INT(63, lesson.count);
    TEST_ASSERT_EQUAL_STRING(path_of("%s_%d", long_name, 62), lesson.exercises[62].name);
    lesson.exercises[62].state = WRONG;
    write_file("lessons/02-dot-product/dot_product.c", "");
    write_file("test.c", "a test\n");
    save_results();
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[62].state);
}

TEST(lesson, a_name_that_is_too_long_is_refused) {
    char name[301] = "";
    int status;
    memset(name, 'f', 300);
    make_lesson(three, NULL);
    lesson = (struct lesson){0};
    write_file("lessons/02-dot-product/dot_product.h", path_of("int %s(void);\n", name));
    write_file("lessons/02-dot-product/hints.md", path_of("## %s\n", name));
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
}

TEST(lesson, definitions_are_found_and_nothing_else) {
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
}

TEST(lesson, a_definition_after_a_macro_of_many_lines_is_found) {
    make_lesson(three, "#define ADD(a, b) do { \\\n"
                       "        (a) += (b);    \\\n"
                       "    } while (0)\n"
                       "double dot(int n) {\n"
                       "    double x = 0; ADD(x, n); return x;\n"
                       "}\n"
                       "double blend(int n) { return n; }\n");
    TEST_ASSERT_EQUAL_INT(4, lesson_exercise(&lesson, "dot")->line);
    TEST_ASSERT_EQUAL_INT(7, lesson_exercise(&lesson, "blend")->line);
}

TEST(lesson, a_definition_may_have_a_comment_before_its_brace) {
    make_lesson(three, "double dot(int n) // of what?\n{\n    return n;\n}\n"
                       "double blend(int n) /* { */ { return n; }\n");
    TEST_ASSERT_EQUAL_INT(1, lesson_exercise(&lesson, "dot")->line);
    TEST_ASSERT_EQUAL_INT(5, lesson_exercise(&lesson, "blend")->line);
}

TEST(lesson, a_file_that_is_half_written_is_read) {
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
        lesson = (struct lesson){0};
        write_file("lessons/02-dot-product/dot_product.c", halves[i]);
        TEST_ASSERT_TRUE(read_lesson("02-dot-product"));
        TEST_ASSERT_EQUAL_INT(3, lesson.count);
    }
}

static void make_results(enum state blend) {
    make_lesson(three, "double dot(int n) { return n; }\n");
    write_file("test.c", "a test\n");
    set_result(0, DONE, 4, 4);
    set_result(1, blend, 2, 5);
    set_result(2, blend, 0, 3);
    lesson.exercises[1].told = "It is the sum.";
    save_results();
}

TEST(lesson, results_are_saved_and_loaded) {
    make_results(WRONG);
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(DONE, lesson.exercises[0].state);
    TEST_ASSERT_EQUAL_INT(WRONG, lesson.exercises[1].state);
    TEST_ASSERT_EQUAL_INT(2, lesson.exercises[1].passed);
    TEST_ASSERT_EQUAL_INT(5, lesson.exercises[1].tests);
    TEST_ASSERT_EQUAL_STRING("It is the sum.", lesson.exercises[1].told);
    TEST_ASSERT_EQUAL_STRING("", lesson.exercises[2].told);
    TEST_ASSERT_EQUAL_INT(1, lesson_done_count(&lesson));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    TEST_ASSERT_EQUAL_STRING("blend", lesson_first_undone(&lesson)->name);
}

TEST(lesson, every_state_survives_saving) {
    make_results(WRONG);
    for (int state = NOT_CHECKED; state <= DONE; state++) {
        set_result(0, (enum state)state, 1, 2);
        save_results();
        TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson));
        TEST_ASSERT_EQUAL_INT(state, lesson.exercises[0].state);
    }
}

TEST(lesson, a_lesson_is_done_when_every_exercise_is) {
    make_lesson(three, NULL);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_FALSE(lesson_done(&lesson));
        TEST_ASSERT_EQUAL_PTR(&lesson.exercises[i], lesson_first_undone(&lesson));
        set_result(i, DONE, 1, 1);
    }
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    TEST_ASSERT_EQUAL_INT(3, lesson_done_count(&lesson));
    TEST_ASSERT_NULL(lesson_first_undone(&lesson));
}

TEST(lesson, one_left_for_later_does_not_come_before_a_wrong_one) {
    make_lesson(three, NULL);
    set_result(0, NOT_STARTED, 0, 2);
    set_result(1, WRONG, 0, 1);
    set_result(2, BROKEN, 0, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[1], lesson_first_undone(&lesson));
    set_result(1, DONE, 1, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[2], lesson_first_undone(&lesson));
    set_result(2, NOT_STARTED, 0, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[0], lesson_first_undone(&lesson));
}

TEST(lesson, one_that_waits_does_not_come_before_the_other) {
    make_lesson(three, NULL);
    set_result(0, WAITING, 0, 2);
    set_result(1, DONE, 1, 1);
    set_result(2, WRONG, 0, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[2], lesson_first_undone(&lesson));
    TEST_ASSERT_FALSE(lesson_done(&lesson));
    set_result(2, DONE, 1, 1);
    TEST_ASSERT_EQUAL_PTR(&lesson.exercises[0], lesson_first_undone(&lesson));
}

/* Expects results_load() to say this after the file was replaced, with no state left of before. */
static void expect_old(enum results expected) {
    TEST_ASSERT_EQUAL_INT(expected, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[0].state);
    TEST_ASSERT_FALSE(lesson_done(&lesson));
}

TEST(lesson, results_hold_for_the_very_file_only) {
    make_results(DONE);
    set_time(lesson.source, 999, 900);
    TEST_ASSERT_EQUAL_INT(RESULTS, results_load(&lesson)); /* the same words, saved again */
    TEST_ASSERT_TRUE(lesson_done(&lesson));
    write_file(lesson.source, "double dot(int n) { return 1; }\n");
    set_time(lesson.source, 999, 900);
    expect_old(OLD_RESULTS); /* the same time and size */
    remove(lesson.source);
    expect_old(NO_RESULTS);
}

TEST(lesson, results_of_other_tests_are_renewed_if_they_were_good) {
    make_results(DONE);
    write_file("test.c", "another test\n");
    expect_old(RENEWABLE);
    make_results(WRONG);
    write_file("test.c", "another test\n");
    expect_old(OLD_RESULTS);
    remove("test.c");
    expect_old(OLD_RESULTS);
}

TEST(lesson, what_is_still_a_todo_needs_no_check) {
    make_lesson(three, "double dot(int n) {\n    TODO(\"x\");\n}\n");
    TEST_ASSERT_EQUAL_INT(OLD_RESULTS, results_load(&lesson)); /* two functions are gone */
    TEST_ASSERT_EQUAL_INT(NOT_STARTED, lesson.exercises[0].state);
    TEST_ASSERT_EQUAL_INT(NOT_CHECKED, lesson.exercises[1].state);
    make_lesson("double dot(int n);\n", "double dot(int n) {\n    TODO(\"x\");\n}\n");
    TEST_ASSERT_EQUAL_INT(NO_RESULTS, results_load(&lesson));
    TEST_ASSERT_EQUAL_INT(NOT_STARTED, lesson.exercises[0].state);
}

/* --- stamps --------------------------------------------------------------------------------- */

TEST(lesson, a_stamp_names_what_a_rule_names) {
    struct stamps stamps = {0};
    enter_folder();
    write_file("a $b.c", "one");
    write_file("h.h", "two");
    write_file("x.d", "x.o: a\\ $$b.c \\\n h.h\n\nh.h:\n");
    stamps_add_sources(&stamps, "x.o");
    stamps_add(&stamps, "h.h");
    stamps_add_sources(&stamps, "none.o");
    TEST_ASSERT_EQUAL_INT(2, stamps.count);
    TEST_ASSERT_EQUAL_STRING("a $b.c", stamps.all[0].path);
    TEST_ASSERT_EQUAL_STRING("h.h", stamps.all[1].path);
    TEST_ASSERT_TRUE(stamps_hold(&stamps));
    stamps = (struct stamps){0};
    TEST_ASSERT_FALSE(stamps_hold(&stamps)); /* of nothing */
}

TEST(lesson, a_stamp_tells_files_of_the_same_time_and_size_apart) {
    struct stamps stamps = {0};
    enter_folder();
    write_file("x.c", "two");
    set_time("x.c", 5, 5);
    stamps_add(&stamps, "x.c");
    TEST_ASSERT_TRUE(stamps.all[0].hash == 0x5714d319447c9709); /* "two" */
    set_time("x.c", 5, 6);
    TEST_ASSERT_TRUE(stamps_hold(&stamps));
    write_file("x.c", "one");
    set_time("x.c", 5, 5);
    TEST_ASSERT_FALSE(stamps_hold(&stamps));
}

TEST(lesson, a_stamp_holds_while_recipe_and_files_are_the_same) {
    struct stamps stamps = {0};
    enter_folder();
    write_file("a b.c", "one");
    stamps_add(&stamps, "a b.c");
    TEST_ASSERT_TRUE(stamps_keep(&stamps, "cc -O0", "x.of"));
    TEST_ASSERT_TRUE(stamps_kept("x.of", "cc -O0"));
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O"));
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0 -g"));
    TEST_ASSERT_FALSE(stamps_kept("none.of", "cc -O0"));
    write_file("a b.c", "two");
    set_time("a b.c", 5, 5);
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0"));
    remove("a b.c");
    TEST_ASSERT_FALSE(stamps_kept("x.of", "cc -O0"));
}

TEST(lesson, a_file_is_replaced_whole_or_not_at_all) {
    struct text words = {0};
    enter_folder();
    write_file("x", "old");
    text_print(&words, "new");
    TEST_ASSERT_TRUE(file_replace("x", &words));
    TEST_ASSERT_TRUE(text_read_file(&text, "x"));
    TEST_ASSERT_EQUAL_STRING("new", text_of(&text));
    TEST_ASSERT_FALSE(file_replace("none/x", &words));
    if (exists("/dev/full")) {
        TEST_ASSERT_EQUAL_INT(0, symlink("/dev/full", path_of("x.%d", (int)getpid())));
        TEST_ASSERT_FALSE(file_replace("x", &words));
    }
    text = (struct text){0};
    TEST_ASSERT_TRUE(text_read_file(&text, "x"));
    TEST_ASSERT_EQUAL_STRING("new", text_of(&text));
}

/* Another process, which has locked the file and waits. */
static pid_t locked_by_another(const char *path) {
    int ready[2];
    char byte;
    TEST_ASSERT_EQUAL_INT(0, pipe(ready));
    pid_t pid = fork();
    if (pid == 0) {
        file_lock(path, true);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    TEST_ASSERT_EQUAL_INT(1, (int)read(ready[0], &byte, 1));
    close(ready[0]);
    close(ready[1]);
    return pid;
}

TEST(lesson, a_lock_is_free_again_when_its_owner_is_gone) {
    int status = 0;
    enter_folder();
    pid_t pid = locked_by_another("folder/lock");
    TEST_ASSERT_EQUAL_INT(TAKEN, file_lock("folder/lock", false));
    TEST_ASSERT_EQUAL_INT(pid, file_lock_owner("folder/lock"));
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    TEST_ASSERT_EQUAL_INT(0, file_lock_owner("folder/lock"));
    int lock = file_lock("folder/lock", false);
    TEST_ASSERT_TRUE(lock >= 0);
    file_unlock(lock);
    TEST_ASSERT_EQUAL_INT(0, file_lock_owner("no such file"));
}

TEST(lesson, what_runs_in_the_background_is_ended_with_its_files) {
    const struct settings settings = {.out = "out", .object = "obj"};
    int status = 0;
    enter_folder();
    background_end(&settings);
    TEST_ASSERT_FALSE(exists("out/background"));
    pid_t pid = locked_by_another("out/background");
    const char *part = path_of("obj/slips/01-toy/dot.run.%d.c", (int)pid);
    make_folder_of(part);
    write_file(part, "int");
    write_file("obj/slips/01-toy/dot", "table");
    background_end(&settings);
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_FALSE(exists(part));
    TEST_ASSERT_TRUE(exists("obj/slips/01-toy/dot"));
}

/* --- broken results -------------------------------------------------------------------------- */

TEST(lesson, results_that_make_no_sense_change_nothing) {
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
        write_file(lesson.results, odd[i]);
        TEST_ASSERT_EQUAL_INT(OLD_RESULTS, results_load(&lesson));
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_EQUAL_INT_MESSAGE(NOT_CHECKED, lesson.exercises[k].state, odd[i]);
    }
    remove(lesson.results);
    expect_old(OLD_RESULTS);
}

TEST(lesson, results_that_cannot_be_saved_are_told) {
    struct stamps of = {0};
    make_lesson(three, NULL);
    make_folder("out/02-dot-product/results");
    TEST_ASSERT_FALSE(results_save(&lesson, &of));
    rmdir("out/02-dot-product/results");
}

TEST(lesson, lesson_folders_come_in_order_without_others) {
    static const char *const made[] = {"10-last", "02-b", "01-a",  "common",
                                       "x1-no",   "03",   ".04-no"};
    enter_folder();
    TEST_ASSERT_NULL(lesson_folders("lessons")[0]);
    make_folder("lessons");
    for (int i = 0; i < (int)(sizeof made / sizeof *made); i++)
        make_folder(path_of("lessons/%s", made[i]));
    char **folders = lesson_folders("lessons");
    TEST_ASSERT_EQUAL_STRING("01-a", folders[0]);
    TEST_ASSERT_EQUAL_STRING("02-b", folders[1]);
    TEST_ASSERT_EQUAL_STRING("10-last", folders[2]);
    TEST_ASSERT_NULL(folders[3]);
}

TEST(lesson, a_file_is_no_lesson_folder) {
    enter_folder();
    make_folder("lessons");
    make_folder("lessons/01-a");
    write_file("lessons/02-notes.txt", "mine\n");
    char **folders = lesson_folders("lessons");
    TEST_ASSERT_TRUE(folders[0] && !folders[1]);
}
