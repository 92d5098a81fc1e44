/* What the tutor says of a program that did not end well. */
#include "made.h"

#include <signal.h>

#define TEST_FRAME(number)                                                                         \
    "    #" number " 0x55f2d13d05f5 in some_test "                                                 \
    "/home/u/lookback/tests/02/test_dot_product.c:10\n"

void make_said(const char *err) {
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

void explain(const char *err, const struct test *t) {
    make_said(err);
    explain_crash(&found, &lesson, &child, t);
}

static void expect_place(int line, const char *function, const char *excerpt) {
    char where[100];
    snprintf(where, sizeof where, SOURCE ":%d", line);
    TEST_ASSERT_EQUAL_STRING(where, found_where());
    TEST_ASSERT_EQUAL_STRING(function, found.function);
    TEST_ASSERT_EQUAL_STRING(excerpt, text_of(&found.excerpt));
}

/* And, where they count, its callers. */
static void expect_in_dot(const char *callers) {
    expect_place(4, "dot", "    4 |     return weights[n];\n");
    if (callers)
        TEST_ASSERT_EQUAL_STRING(callers, found_callers());
}

#define FROM_BLEND SOURCE ":7: called from here, in blend()\n"

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

TEST(explain, an_overflow_of_gcc_is_explained) {
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2")
                OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("read or wrote outside an array", found_what());
    TEST_ASSERT_TRUE(*found_advice());
    expect_in_dot(FROM_BLEND);
}

TEST(explain, an_overflow_of_clang_is_explained) {
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4:110") FRAME("1", "blend", "7:12")
                TEST_FRAME("2") "    #3 0x563b85599310 in _start (/home/u/obj/test+0x21310) "
                                "(BuildId: c5727e5f)\n" OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("read or wrote outside an array", found_what());
    expect_in_dot(FROM_BLEND);
}

TEST(explain, the_matrix_that_was_overrun_is_told) {
    struct test t = {.touched = "past read weights"};
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4") OVERFLOW_TAIL, &t);
    TEST_ASSERT_EQUAL_STRING("read past the end of `weights`", found_what());
    expect_in_dot(NULL);
}

TEST(explain, a_fault_inside_the_library_lies_where_it_was_called) {
    explain(OVERFLOW_HEAD
            "    #0 0x7f3f004b8 in __interceptor_memcpy ../../x.inc:827\n" FRAME("1", "dot", "4")
                FRAME("2", "pick", "9") TEST_FRAME("3") OVERFLOW_TAIL,
            NULL);
    expect_in_dot(SOURCE ":9: called from here, in pick()\n");
}

TEST(explain, every_caller_is_told_once) {
    explain(OVERFLOW_HEAD FRAME("0", "helper", "4") FRAME("1", "blend", "7")
                FRAME("2", "blend", "7") FRAME("3", "dot", "9") FRAME("4", "blend", "7")
                    TEST_FRAME("5") OVERFLOW_TAIL,
            NULL);
    TEST_ASSERT_EQUAL_STRING("helper", found.function);
    /* `dot` is part of the folder's name, and still a caller of its own. */
    TEST_ASSERT_EQUAL_STRING(SOURCE ":7: called from here, in blend()\n" SOURCE
                                    ":9: called from here, in dot()\n",
                             found_callers());
}

TEST(explain, frames_with_bare_file_names_are_places) {
    /* macOS, where atos looks the places up */
    explain(OVERFLOW_HEAD
            "    #0 0x102a37e5c in dot dot_product.c:4\n"
            "    #1 0x102a37f00 in some_test test_dot_product.c:10\n"
            "allocated by thread T0 here:\n    #0 0x102a in malloc+0x94 (libclang_rt:arm64)\n",
            NULL);
    expect_in_dot(NULL);
}

TEST(explain, the_tests_are_not_the_learners_file) {
    explain(OVERFLOW_HEAD TEST_FRAME("0") "    #1 0x1 in f /home/u/lookback/my" SOURCE ":4\n"
                                          "    #2 0x1 in f /home/u/lookback/" SOURCE "x:4\n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("", found_where());
    TEST_ASSERT_EQUAL_STRING("", found.function);
    TEST_ASSERT_EQUAL_STRING("", text_of(&found.excerpt));
}

TEST(explain, the_call_of_what_is_done_is_the_place) {
    struct test t = {.touched = "past read weights weights[2][0] 2 3"};
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "4") FRAME("1", "blend", "7") OVERFLOW_TAIL);
    lesson.exercises[0].state = DONE; /* dot */
    t.exercise = &lesson.exercises[1];
    explain_crash(&found, &lesson, &child, &t);
    expect_place(7, "blend", "    7 |     return dot(n);\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4: it happened here, in dot()\n", found_callers());
    expect_part("dot() itself is right. Look at the arguments of this call", found_advice());
}

TEST(explain, the_call_of_an_earlier_lesson_is_the_place) {
    struct test t = {.touched = "past read weights weights[2][0] 2 3"};
    make_said(OVERFLOW_HEAD
              "    #0 0x1 in entropy /home/u/lookback/solutions/01-softmax/softmax.c:80\n"
              "    #1 0x1 in softmax /home/u/lookback/solutions/01-softmax/softmax.c:9\n" FRAME(
                  "2", "blend", "7") OVERFLOW_TAIL);
    t.exercise = &lesson.exercises[1];
    explain_crash(&found, &lesson, &child, &t);
    expect_place(7, "blend", "    7 |     return dot(n);\n");
    expect_part("softmax() itself is right", found_advice());
}

TEST(explain, an_array_has_the_name_that_the_function_gives_it) {
    struct test t = {.touched = "past read Q Q[2][0] 2 3"};
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "4") OVERFLOW_TAIL);
    write_file(SOURCE, "\n\ndouble dot(int n, const double a[n], const double b[n]) {\n"
                       "    return a[n] * b[n] + b[0];\n}\n");
    explain_crash(&found, &lesson, &child, &t);
    TEST_ASSERT_EQUAL_STRING(
        "read past the end of `Q`: it is 2 x 3 here, and Q[2][0] was read. In dot() that is `a` or "
        "`b`",
        found_what());
    found = (struct finding){0};
    write_file(SOURCE, "\n\ndouble dot(int n, const double a[n], const double b[n]) {\n"
                       "    return a[n] * own[n];\n}\n");
    explain_crash(&found, &lesson, &child, &t); /* no known cause */
    TEST_ASSERT_EQUAL_STRING("read past the end of `Q`: it is 2 x 3 here, and Q[2][0] was read",
                             found_what());
}

TEST(explain, a_long_line_of_code_goes_on_below) {
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "2") OVERFLOW_TAIL);
    write_file(SOURCE, "\n"
                       "        total += one_of_many[i] * two_of_many[i] * three_of_many[i] * "
                       "four_of_many(i,\n            j);\n");
    explain_crash(&found, &lesson, &child, NULL);
    TEST_ASSERT_EQUAL_STRING("    2 | total += one_of_many[i] * two_of_many[i] * "
                             "three_of_many[i] *\n"
                             "      | four_of_many(i,\n"
                             "    3 |             j);\n",
                             text_of(&found.excerpt));
}

TEST(explain, a_line_without_an_end_is_moved_to_the_column) {
    char line[300];
    memset(line, ' ', sizeof line);
    memcpy(line + 250, "weights[n];\n", 13);
    make_said(OVERFLOW_HEAD FRAME("0", "dot", "1:251") OVERFLOW_TAIL);
    memcpy(line, "x", 1);
    write_file(SOURCE, line);
    explain_crash(&found, &lesson, &child, NULL);
    expect_part("    1 | ...  ", text_of(&found.excerpt));
    expect_part("weights[n];\n      |                                   ^\n",
                text_of(&found.excerpt));
}

static void expect_indexed(const char *name, const char *line, int column, const char *type) {
    const char *said = path_of("dot_product.c:1:%d: runtime error: index 3 out of bounds for type "
                               "'%s'\n",
                               column, type);
    write_file("dot_product.c", line);
    TEST_ASSERT_EQUAL_STRING(name, indexed_at("dot_product.c", said));
}

TEST(explain, the_array_that_an_index_leaves_is_named) {
    enter_folder();
    expect_indexed("Q[i][j + 1]", "x = Q[i][j + 1];\n", 9, "double [*]"); /* gcc */
    expect_indexed("Q[i]", "x = Q[i][j + 1];\n", 6, "double [*][*]");     /* gcc */
    expect_indexed("Q[i][j + 1]", "x = Q[i][j + 1];\n", 5, "double[n]");  /* clang */
    expect_indexed("Q[i]", "x = Q[i][j + 1];\n", 5, "double[n][d]");      /* clang */
    expect_indexed("w.Q[at[i]]", "x = w.Q[at[i]];\n", 8, "double [4]");
    expect_indexed("", "x = Q[i][j + 1];\n", 70, "double [*]");
    expect_indexed("", "x = y;\n", 5, "double [*]");
}

TEST(explain, an_index_out_of_bounds_of_gcc_is_explained) {
    explain(SOURCE ":4:19: runtime error: index 3 out of bounds for type 'double [3]'\n" FRAME(
                "0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2") "\n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("used index 3 in `weights[n]`, outside of its row or array",
                             found_what());
    TEST_ASSERT_TRUE(*found_advice());
    expect_place(4, "dot", "    4 |     return weights[n];\n      |                   ^\n");
    TEST_ASSERT_EQUAL_STRING(FROM_BLEND, found_callers());
}

TEST(explain, an_index_out_of_bounds_of_clang_is_explained) {
    explain(SOURCE
            ":4:12: runtime error: index -1 out of bounds for type 'row' (aka 'double[3]')\n" FRAME(
                "0", "dot", "4:12")
                TEST_FRAME("1") "\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior " SOURCE
                                ":4:12 in \n",
            NULL);
    TEST_ASSERT_EQUAL_STRING("used index -1 in `weights[n]`, outside of its row or array",
                             found_what());
    expect_place(4, "dot", "    4 |     return weights[n];\n      |            ^\n");
    TEST_ASSERT_EQUAL_STRING("", found_callers());
}

TEST(explain, undefined_behaviour_is_explained) {
    explain(SOURCE
            ":4:12: runtime error: load of null pointer of type 'double'\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a null pointer", found_what());
    explain(SOURCE ":4:12: runtime error: division by zero\n" FRAME("0", "dot", "4"), NULL);
    TEST_ASSERT_EQUAL_STRING("divided an integer by zero", found_what());
    explain(SOURCE ":4:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be "
                   "represented in type 'int'\n",
            NULL);
    expect_part("computed 2147483647 + 1, which an int cannot hold", found_what());
    expect_place(4, "", "    4 |     return weights[n];\n      |            ^\n");
}

TEST(explain, undefined_behaviour_of_a_new_kind_is_told_as_it_is) {
    explain(SOURCE ":4:12: runtime error: something that nobody foresaw\nand more\n", NULL);
    TEST_ASSERT_EQUAL_STRING("did what C does not define: something that nobody foresaw",
                             found_what());
    TEST_ASSERT_EQUAL_STRING("", found_advice());
}

TEST(explain, a_null_pointer_is_explained) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x55 T0)\n"
            "==7==The signal is caused by a READ memory access.\n"
            "==7==Hint: address points to the zero page.\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a null pointer", found_what());
    expect_in_dot(NULL);
}

TEST(explain, a_pointer_to_nowhere_is_explained) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x7f00deadbeef (pc 0x55 T0)\n"
            "==7==The signal is caused by a WRITE memory access.\n" FRAME("0", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("followed a pointer to nowhere", found_what());
}

TEST(explain, a_stack_overflow_is_explained) {
    explain("AddressSanitizer:DEADLYSIGNAL\n"
            "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffcfcdffffc (pc 0x55 "
            "T0)\n" FRAME("0", "dot", "4") FRAME("1", "dot", "4") FRAME("2", "dot", "4")
                FRAME("3", "dot", "4") "SUMMARY: AddressSanitizer: stack-overflow " SOURCE
                                       ":4 in dot\n",
            NULL);
    expect_part("ran out of stack: an array of its own", found_what());
    expect_in_dot("");
}

TEST(explain, a_function_that_calls_itself_is_told_from_a_large_array) {
    struct text said = {0};
    text_print(&said, "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffcfcdffffc\n");
    for (int i = 0; i < 100; i++)
        text_print(&said, "    #%d 0x1 in %s /home/u/lookback/" SOURCE ":%d\n", i,
                   i % 2 ? "blend" : "dot", i % 2 ? 7 : 4);
    explain(text_of(&said), NULL);
    expect_part("ran out of stack: it calls itself", found_what());
    TEST_ASSERT_EQUAL_STRING(FROM_BLEND, found_callers());
}

TEST(explain, a_leak_is_explained) {
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
    TEST_ASSERT_EQUAL_STRING("allocated memory and never freed it", found_what());
    expect_in_dot(FROM_BLEND);
}

TEST(explain, a_double_free_is_explained) {
    explain("==7==ERROR: AddressSanitizer: attempting double-free on 0x603000000040 in thread T0:\n"
            "    #0 0x5562d1d65eb2 in free (/home/u/obj/test+0xa3eb2) (BuildId: c5727e5f)\n" FRAME(
                "1", "dot", "4:22")
                TEST_FRAME("2") "\n0x603000000040 is located 0 bytes inside of 24-byte region\n"
                                "freed by thread T0 here:\n"
                                "    #0 0x5562d1d65eb2 in free (/home/u/obj/test+0xa3eb2) "
                                "(BuildId: c5727e5f)\n" FRAME("1", "pick", "9:13"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("freed the same memory twice", found_what());
    expect_place(4, "dot", "    4 |     return weights[n];\n      |                      ^\n");
    TEST_ASSERT_EQUAL_STRING("", found_callers());
}

TEST(explain, too_much_memory_is_told) {
    explain("==7==ERROR: AddressSanitizer: specified RSS limit exceeded, currently set to "
            "soft_rss_limit_mb=1000\n"
            "    #0 0x7f in __interceptor_malloc ../../x.cpp:69\n" FRAME("1", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("allocated far too much memory", found_what());
    explain("==7==AddressSanitizer: hard rss limit exhausted (2000Mb vs 2012Mb)\n", NULL);
    TEST_ASSERT_EQUAL_STRING("allocated far too much memory", found_what());
    explain("==7==ERROR: AddressSanitizer: requested allocation size 0x77359400 (0x7735a400 after "
            "adjustments) exceeds maximum supported size of 0x1f400000\n"
            "    #0 0x7f in __interceptor_malloc ../../x.cpp:69\n" FRAME("1", "dot", "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("asked for far too much memory at once", found_what());
    expect_in_dot(NULL);
}

TEST(explain, a_report_of_a_new_kind_is_a_crash) {
    explain("==7==ERROR: AddressSanitizer: brand-new-trouble on 0x603000000040\n" FRAME("0", "dot",
                                                                                        "4"),
            NULL);
    TEST_ASSERT_EQUAL_STRING("crashed", found_what());
    TEST_ASSERT_EQUAL_STRING("", found_advice());
    expect_in_dot(NULL);
}

static void explain_child(enum ending ending, int status, bool waited, const struct test *t) {
    make_said("");
    child.ending = ending;
    child.status = status;
    child.waited = waited;
    child.seconds = 5;
    explain_crash(&found, &lesson, &child, t);
}

TEST(explain, endings_without_a_report_are_explained) {
    struct test t = {.touched = "exit"};
    explain_child(TIMED_OUT, SIGXCPU, false, NULL);
    expect_part("was stopped after 5 s of work: a loop that does not end, or one", found_what());
    TEST_ASSERT_EQUAL_STRING("", found_where());
    explain_child(TIMED_OUT, SIGKILL, true, NULL);
    TEST_ASSERT_EQUAL_STRING("was stopped after 5 s of waiting", found_what());
    explain_child(FLOODED, SIGXCPU, false, NULL);
    expect_part("printed far too much", found_what());
    explain_child(SIGNALLED, SIGSEGV, false, NULL);
    expect_part("followed a pointer to nowhere", found_what());
    explain_child(SIGNALLED, SIGFPE, false, NULL);
    TEST_ASSERT_EQUAL_STRING("divided an integer by zero", found_what());
    explain_child(SIGNALLED, SIGKILL, false, NULL);
    TEST_ASSERT_EQUAL_STRING("was killed: too much memory?", found_what());
    explain_child(ENDED, 3, false, NULL);
    expect_part("ended the whole program (status 3)", found_what());
    explain_child(ENDED, 0, false, &t);
    expect_part("called exit()", found_what());
    strcpy(t.touched, "left");
    explain_child(ENDED, 0, false, &t);
    expect_part("jumped out of the test", found_what());
}

TEST(explain, a_loop_that_does_not_end_has_a_place) {
    make_said(FRAME("0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2"));
    child.ending = TIMED_OUT;
    child.seconds = 5;
    explain_crash(&found, &lesson, &child, NULL);
    expect_part("a loop that does not end, or one that does far too much?", found_what());
    expect_in_dot(FROM_BLEND);
}

TEST(explain, a_loop_around_a_right_call_is_asked_for) {
    struct test t = {0};
    make_said(FRAME("0", "dot", "4") FRAME("1", "blend", "7") TEST_FRAME("2"));
    child.ending = TIMED_OUT;
    lesson.exercises[0].state = DONE;
    t.exercise = &lesson.exercises[1];
    explain_crash(&found, &lesson, &child, &t);
    expect_part("dot() itself is right. Does the loop around this call ever end?", found_advice());
}

TEST(explain, a_fault_is_found_in_a_file_from_elsewhere) {
    make_said(OVERFLOW_HEAD "    #0 0x1 in dot /home/u/mine/02-dot-product/dot_product.c:4\n");
    lesson.source = path_of("../../mine/02-dot-product/dot_product.c");
    explain_crash(&found, &lesson, &child, NULL);
    TEST_ASSERT_EQUAL_STRING("../../mine/02-dot-product/dot_product.c:4", found_where());
    TEST_ASSERT_EQUAL_STRING("dot", found.function);
}

TEST(explain, too_little_memory_of_its_own_is_told) {
    struct test t = {.touched = "own read"};
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4"), &t);
    TEST_ASSERT_EQUAL_STRING("read outside of the memory that it had allocated", found_what());
    expect_part("n * d * sizeof(double)", found_advice());
    strcpy(t.touched, "past read weights");
    explain(OVERFLOW_HEAD FRAME("0", "dot", "4"), &t);
    expect_part("two sizes in a call", found_advice());
    TEST_ASSERT_NULL(strstr(found_advice(), "sizeof"));
}

TEST(explain, sizes_may_be_swapped_where_an_own_array_is_left) {
    explain("==7==ERROR: AddressSanitizer: dynamic-stack-buffer-overflow on address 0x7ffc\n",
            NULL);
    expect_part("two sizes swapped in a call?", found_advice());
    explain("==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffc\n", NULL);
    expect_part("two sizes swapped in a call?", found_advice());
}
