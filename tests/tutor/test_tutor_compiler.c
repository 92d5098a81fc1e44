/* What the tutor says of a compiler's and a linker's errors. */
#include "made.h"

static void compile_said(const char *err) {
    make_said(err);
    explain_compiler(&found, &lesson, &child);
}

TEST(explain, an_error_of_gcc_is_explained) {
    compile_said("In file included from " SOURCE ":1:\n" SOURCE ": In function 'dot':\n" SOURCE
                 ":4:12: warning: unused variable 'x' [-Wunused-variable]\n" SOURCE
                 ":4:12: error: 'weights' undeclared (first use in this function)\n"
                 "    4 |     return weights[n];\n"
                 "      |            ^~~~~~~\n" SOURCE
                 ":4:12: note: each undeclared identifier is reported only once\n" SOURCE
                 ":9:1: error: expected ';' before '}' token\n");
    TEST_ASSERT_EQUAL_STRING("'weights' undeclared (first use in this function)", found_what());
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:12", found_where());
    TEST_ASSERT_EQUAL_STRING("    4 | return weights[n];\n      |        ^~~~~~~\n",
                             text_of(&found.excerpt));
}

TEST(explain, an_error_far_to_the_right_is_brought_into_view) {
    compile_said(SOURCE ":4:92: error: invalid operands to binary + (have 'const double *')\n"
                        "    4 |     a_long_call(one_of_many, two_of_many, three_of_many, "
                        "four_of_many, five_of_many, W + x);\n"
                        "      |                                                           "
                        "                             ^\n");
    TEST_ASSERT_EQUAL_STRING("    4 | ... four_of_many, five_of_many, W + x);\n"
                             "      |                                   ^\n",
                             text_of(&found.excerpt));
    TEST_ASSERT_NOT_NULL(strstr(found_advice(), "Which element, [i], do you mean?"));
}

TEST(explain, a_fatal_error_is_explained) {
    compile_said(SOURCE ":1:10: fatal error: dot_produkt.h: No such file or directory\n"
                        "    1 | #include \"dot_produkt.h\"\n"
                        "      |          ^~~~~~~~~~~~~~~\n"
                        "compilation terminated.\n");
    TEST_ASSERT_EQUAL_STRING("dot_produkt.h: No such file or directory", found_what());
    TEST_ASSERT_EQUAL_STRING(SOURCE ":1:10", found_where());
    TEST_ASSERT_EQUAL_STRING(
        "    1 | #include \"dot_produkt.h\"\n      |          ^~~~~~~~~~~~~~~\n",
        text_of(&found.excerpt));
}

TEST(explain, an_error_of_clang_is_explained) {
    compile_said(SOURCE ":4:12: error: use of undeclared identifier 'weights'\n"
                        "    return weights[n];\n"
                        "           ^\n"
                        "1 error generated.\n");
    TEST_ASSERT_EQUAL_STRING("use of undeclared identifier 'weights'", found_what());
    TEST_ASSERT_EQUAL_STRING(SOURCE ":4:12", found_where());
    TEST_ASSERT_EQUAL_STRING("return weights[n];\n       ^\n", text_of(&found.excerpt));
}

/* clang before 16 draws no line numbers, so a line that starts in column 1 starts with a letter. */
TEST(explain, an_error_of_clang_in_the_first_column_is_drawn) {
    compile_said(SOURCE
                 ":3:8: error: conflicting types for 'dot'\n"
                 "double dot(int n) {\n"
                 "       ^\n"
                 "lessons/02-dot-product/dot_product.h:1:8: note: previous declaration is here\n"
                 "double dot(int n);\n"
                 "       ^\n"
                 "1 error generated.\n");
    TEST_ASSERT_EQUAL_STRING("conflicting types for 'dot'", found_what());
    TEST_ASSERT_EQUAL_STRING(SOURCE ":3:8", found_where());
    expect_part("double dot(int n) {\n", text_of(&found.excerpt));
    TEST_ASSERT_NULL(strstr(text_of(&found.excerpt), "previous"));
}

TEST(explain, an_error_without_a_drawing_has_none) {
    compile_said(SOURCE ":5:1: error: expected declaration or statement at end of input\n"
                        "make: something else\n");
    TEST_ASSERT_EQUAL_STRING(SOURCE ":5:1", found_where());
    TEST_ASSERT_NULL(strstr(text_of(&found.excerpt), "make"));
}

/* Each error of a compiler, as it says it after "error: ", with the words of the advice. */
static void expect_advice(const char *error, const char *words) {
    compile_said(path_of(SOURCE ":4:12: error: %s\n", error));
    if (words)
        expect_part(words, found_advice());
    else
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", found_advice(), error);
}

TEST(explain, operands_that_do_not_fit_are_told_apart) {
    expect_advice("invalid operands to binary ^ (have 'double' and 'int')",
                  "do not compute a power");
    expect_advice("invalid operands to binary % (have 'double' and 'int')", "for whole numbers");
    expect_advice("invalid operands to binary expression ('double' and 'int')",
                  "for whole numbers");
    expect_advice(
        "invalid operands to binary * (have 'const double (*)[(long int)(m) - 1]' and 'int')",
        "Which element, [i], do you mean?");
    expect_advice("assignment to '_Bool (*)[(long int)(n_k) - 1]' from 'int' makes pointer from "
                  "integer without a cast",
                  "One side is a number and the other an array");
    expect_advice("expected '=', ',', ';', 'asm' or '__attribute__' before '<' token",
                  "A for has two");
    expect_advice("called object 'weights' is not a function or function pointer", "not ( )");
    expect_advice("called object type 'const double *' is not a function or function pointer",
                  "not ( )");
    expect_advice("stray '\\342' in program", "Type it again");
    expect_advice("unexpected character <U+2212>", "Type it again");
    expect_advice("implicit declaration of function 'ln'", "is log()");
    expect_advice("'h' undeclared (first use in this function)",
                  "needs a type, as in double h = 0");
    expect_advice("expected identifier or '(' before 'for'", "outside of any function");
    expect_advice("expected identifier or '(' before '}' token", "a } too many");
    expect_advice("expected ')' before 'weights'", "a comma, an operator or a )");
    expect_advice("implicit declaration of function 'abs'", "fabs()");
    expect_advice("implicitly declaring library function 'abs' with type 'int (int)'", "fabs()");
    expect_advice("invalid operands to binary * (have 'const double (*)[m]' and 'int')",
                  "Which element, [i], do you mean?");
    expect_advice("invalid operands to binary expression ('row' (aka 'double[3]') and 'int')",
                  "Which element, [i], do you mean?");
    expect_advice("invalid operands to binary * (have 'double (*)(double)' and 'int')",
                  "The name of a function");
    expect_advice("invalid operands to binary expression ('double (double)' and 'int')",
                  "The name of a function");
    expect_advice("invalid operands to binary expression ('void' and 'int')", "A void function");
    expect_advice("invalid operands to binary + (have 'struct text' and 'int')", NULL);
}

TEST(explain, clang_draws_the_operator_that_it_does_not_name) {
    compile_said(SOURCE ":4:18: error: invalid operands to binary expression ('double' and "
                        "'int')\n"
                        "    return 1 - h ^ 2;\n"
                        "           ~~~~~ ^ ~\n");
    expect_part("do not compute a power", found_advice());
    compile_said(SOURCE ":4:18: error: invalid operands to binary expression ('double' and "
                        "'int')\n"
                        "    4 |     return h + h % 2; // not ^\n"
                        "      |                ~ ^ ~\n");
    expect_part("for whole numbers", found_advice());
}

TEST(explain, const_in_a_type_is_no_const_that_was_written) {
    expect_advice("incompatible pointer types passing 'const double (*)[m]' to parameter of type "
                  "'const double *' [-Werror,-Wincompatible-pointer-types]",
                  "Row i of a matrix M is M[i]");
    expect_advice("passing 'const double *' to parameter of type 'double *' discards qualifiers "
                  "[-Werror,-Wincompatible-pointer-types-discards-qualifiers]",
                  "Do you pass it where the header has an output");
    expect_advice("read-only variable is not assignable", "Write into the output");
    expect_advice("assignment to expression with array type", "M[i, j] is all of row j");
    expect_advice("array type 'double[n]' is not assignable", "M[i, j] is all of row j");
    expect_advice("assignment of read-only location '*q'", "Write into the output");
    TEST_ASSERT_EQUAL_STRING("assignment of read-only location", found_what());
    expect_advice("assignment of read-only variable 's'", "so it cannot be changed");
    expect_advice("cannot assign to variable 's' with const-qualified type 'const double'",
                  "so it cannot be changed");
}

TEST(explain, numbers_and_arrays_in_each_others_place_are_told) {
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
        expect_advice(passed[i], "Is the order of the arguments different");
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        expect_advice(set[i], "Is an index, [i], missing, or is there one too many?");
    expect_advice("initializing 'double' with an expression of incompatible type 'void'",
                  "A void function");
    expect_advice("initializing 'double' with an expression of incompatible type 'double (double)'",
                  "The name of a function");
    expect_advice("passing argument 2 of 'two' from incompatible pointer type",
                  "Row i of a matrix M is M[i]");
}

TEST(explain, a_missing_argument_is_told_before_those_it_displaces) {
    static const char displaced[] =
        SOURCE ":4:5: error: passing argument 2 of 'two' makes integer from pointer without a "
               "cast\n" SOURCE ":4:5: error: too few arguments to function '%s'\n";
    compile_said(path_of(displaced, "two"));
    expect_part("Count the arguments", found_advice());
    compile_said(path_of(displaced, "three")); /* of another call */
    expect_part("Is the order of the arguments different", found_advice());
    expect_advice("too few arguments to function call, expected 4, have 3", "Count the arguments");
}

TEST(explain, functions_that_nobody_declared_are_told) {
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
    expect_advice("use of undeclared identifier 'weight'",
                  "Is the name misspelled? A variable that is not");
}

TEST(explain, braces_that_are_missing_are_told) {
    compile_said(SOURCE ":4:5: error: expected expression\n    else\n    ^\n");
    expect_part("This else has no if", found_advice());
    compile_said(SOURCE ":4:9: error: expected expression\n    x = ;\n        ^\n");
    expect_part("Is a name or a number missing", found_advice());
    expect_advice("'else' without a previous 'if'", "This else has no if");
    expect_advice("expected '}' before 'else'", "is a } missing before it");
    expect_advice("expected '}'", "A } is missing somewhere above");
    expect_advice("function definition is not allowed here", "Is a } missing somewhere above?");
    expect_advice("extraneous closing brace ('}')", "There is a } too many");
    expect_advice("non-void function does not return a value [-Werror,-Wreturn-type]",
                  "must end with a return");
}

static void explain_in_a_lesson_with_room(const char *err, bool compiler) {
    make_said(err);
    make_folder("solutions");
    make_folder("solutions/02-dot-product");
    write_file("solutions/02-dot-product/dot_product.c", "void f(void) { free(calloc(1, 8)); }\n");
    if (compiler)
        explain_compiler(&found, &lesson, &child);
    else
        explain_crash(&found, &lesson, &child, NULL);
}

TEST(explain, where_a_lesson_asks_for_room_it_is_not_advised_against) {
    static const char variable[] = SOURCE ":4:5: error: variable-sized object may not be "
                                          "initialized\n";
    static const char bound[] = SOURCE ":4:5: runtime error: variable length array bound evaluates "
                                       "to non-positive value 0\n";
    static const char stack[] = "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffc\n";
    explain_in_a_lesson_with_room(variable, true);
    expect_part("use calloc()", found_advice());
    explain_in_a_lesson_with_room(bound, false);
    expect_part("use calloc()", found_advice());
    explain_in_a_lesson_with_room(stack, false);
    expect_part("use calloc()", found_advice());
    compile_said(variable);
    expect_part("does the function need one at all?", found_advice());
    explain(bound, NULL);
    expect_part("Which size is 0", found_advice());
    explain(stack, NULL);
    expect_part("Work row by row", found_advice());
}

TEST(explain, a_compiler_that_fails_without_an_error_is_told) {
    compile_said("cannot run gcc-99: No such file or directory\n");
    TEST_ASSERT_EQUAL_STRING("the compiler failed: cannot run gcc-99: No such file or directory",
                             found_what());
    TEST_ASSERT_EQUAL_STRING(SOURCE, found_where());
    make_said("");
    child.ending = TIMED_OUT;
    explain_compiler(&found, &lesson, &child);
    expect_part("the compiler did not finish", found_what());
}

/* So that what a function leaves unset is not empty by chance. */
static void dirty_the_stack(void) {
    volatile char dirt[10000];
    for (size_t i = 0; i < sizeof dirt; i++)
        dirt[i] = 'x';
}

TEST(explain, a_compiler_that_fails_silently_is_told) {
    make_said("");
    dirty_the_stack();
    explain_compiler(&found, &lesson, &child);
    TEST_ASSERT_EQUAL_STRING("the compiler failed: ", found_what());
}

TEST(explain, a_folder_that_nobody_may_write_in_is_no_fault_of_the_file) {
    make_said("t.c:5:1: fatal error: opening dependency file build/t.d: Permission denied\n");
    explain_compiler(&found, &lesson, &child);
    expect_part("cannot write here", found_what());
    expect_part("sudo chown", found_advice());
    TEST_ASSERT_EQUAL_STRING("build/", found_where());
    make_said("error: unable to open output file 'build/t.o': 'No such file or directory'\n");
    explain_compiler(&found, &lesson, &child);
    expect_part("deleted in the meantime", found_what());
    TEST_ASSERT_TRUE(found.kind == FOUND_OUTSIDE);
}

TEST(explain, a_full_disk_is_no_fault_of_the_file) {
    make_said("/usr/bin/ld.gold: fatal error: build/test.1: No space left on device\n");
    explain_linker(&found, &lesson, &child);
    expect_part("the disk is full", found_what());
    make_said("t.c:1:1: fatal error: error writing to /tmp/x.s: No space left on device\n");
    explain_compiler(&found, &lesson, &child);
    expect_part("the disk is full", found_what());
    TEST_ASSERT_TRUE(found.kind == FOUND_OUTSIDE);
}

/* What the tutor makes of a linker's words; on macOS they have no location (line 0). */
static void expect_link(const char *what, const char *advice, int line, const char *err) {
    make_said(err);
    explain_linker(&found, &lesson, &child);
    TEST_ASSERT_EQUAL_STRING(what, found_what());
    expect_part(advice, found_advice());
    TEST_ASSERT_EQUAL_STRING(line ? path_of(SOURCE ":%d", line) : SOURCE, found_where());
}

TEST(explain, a_missing_exercise_is_told_of_gnu_ld) {
    expect_link("dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
                "/usr/bin/ld: obj/test_dot_product.o: in function `some_test':\n"
                "/home/u/lookback/tests/02/test_dot_product.c:3: undefined reference to `dot'\n"
                "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, a_missing_exercise_is_told_of_lld) {
    expect_link(
        "dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
        "ld.lld: error: undefined symbol: dot\n"
        ">>> referenced by test_dot_product.c:3 (/home/u/tests/02/test_dot_product.c:3)\n"
        ">>>               obj/test_dot_product.o:(some_test)\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
}

TEST(explain, a_missing_exercise_is_told_of_macos) {
    expect_link(
        "dot() is missing from the file", "lessons/02-dot-product/dot_product.h", 0,
        "Undefined symbols for architecture arm64:\n"
        "  \"_dot\", referenced from:\n"
        "      _some_test in test_dot_product.o\n"
        "ld: symbol(s) not found for architecture arm64\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
}

TEST(explain, a_function_that_nobody_wrote_is_told_of_gnu_ld) {
    expect_link("nothing() is called, but it is not defined", "Is the name misspelled?", 4,
                "/usr/bin/ld: obj/dot_product.o: in function `dot':\n"
                "/home/u/lookback/" SOURCE ":4: undefined reference to `nothing'\n"
                "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, a_function_that_nobody_wrote_is_told_of_gold) {
    expect_link("nothing() is called, but it is not defined", "Is the name misspelled?", 4,
                SOURCE ":4: error: undefined reference to 'nothing'\n"
                       "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, a_function_that_nobody_wrote_is_told_of_lld) {
    expect_link("nothing() is called, but it is not defined", "Is the name misspelled?", 4,
                "ld.lld: error: undefined symbol: nothing\n"
                ">>> referenced by dot_product.c:4 (" SOURCE ":4)\n"
                ">>>               obj/dot_product.o:(dot)\n");
}

TEST(explain, a_function_that_nobody_wrote_is_told_of_macos) {
    expect_link("nothing() is called, but it is not defined", "Is the name misspelled?", 0,
                "Undefined symbols for architecture x86_64:\n"
                "  \"_nothing\", referenced from:\n"
                "      _dot in dot_product.o\n"
                "ld: symbol(s) not found for architecture x86_64\n");
}

/* Another file than the learner's is to blame. */
static void expect_caller(const char *where, const char *err) {
    make_said(err);
    explain_linker(&found, &lesson, &child);
    TEST_ASSERT_EQUAL_STRING(where, found_where());
    expect_part("calls gone(), which is not defined anywhere", found_what());
    TEST_ASSERT_TRUE(found.kind == FOUND_OUTSIDE);
}

TEST(explain, a_call_from_another_file_is_that_file_s_fault_for_gnu_ld) {
    expect_caller("plots/02-dot-product/dot_product_data.c:31",
                  "/usr/bin/ld: obj/plots/02-dot-product/dot_product_data.o: in function `main':\n"
                  "/home/u/plots/x/plots/02-dot-product/dot_product_data.c:31: undefined reference "
                  "to `gone'\n"
                  "/usr/bin/ld: /home/u/" SOURCE ":4: undefined reference to `nothing'\n");
    TEST_ASSERT_EQUAL_STRING("", text_of(&found.excerpt));
    expect_part("plots/02-dot-product/dot_product_data.c calls", found_what());
    expect_caller("tests/attention.c",
                  "/usr/bin/ld: obj/tests/attention.o: in function `main':\n"
                  "tests/attention.c:(.text+0x9): undefined reference to `gone'\n");
}

TEST(explain, a_call_from_another_file_is_that_file_s_fault_for_lld) {
    expect_caller("plots/02-dot-product/dot_product_show.c:9",
                  "ld.lld: error: undefined symbol: gone\n"
                  ">>> referenced by dot_product_show.c:9 "
                  "(/home/u/plots/02-dot-product/dot_product_show.c:9)\n"
                  ">>>               obj/dot_product_show.o:(main)\n");
}

TEST(explain, a_call_from_another_file_is_that_file_s_fault_for_macos) {
    expect_caller("dot_product_data.o", "Undefined symbols for architecture arm64:\n"
                                        "  \"_gone\", referenced from:\n"
                                        "      _main in dot_product_data.o\n");
}

TEST(explain, a_second_definition_is_told_of_gnu_ld) {
    expect_link("product() is defined a second time", "Rename yours", 3,
                "/usr/bin/ld: obj/product.o: in function `product':\n"
                "/home/u/lookback/common/nn/product.c:2: multiple definition of `product'; "
                "obj/dot_product.o:/home/u/lookback/" SOURCE ":3: first defined here\n"
                "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, a_main_of_ones_own_is_told_to_stand_elsewhere) {
    expect_link("main() is defined a second time", "in another file", 3,
                "/usr/bin/ld: obj/product.o: in function `main':\n"
                "/home/u/lookback/common/nn/product.c:2: multiple definition of `main'; "
                "obj/dot_product.o:/home/u/lookback/" SOURCE ":3: first defined here\n"
                "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, a_second_definition_is_told_of_lld) {
    expect_link("product() is defined a second time", "Rename yours", 3,
                "ld.lld: error: duplicate symbol: product\n"
                ">>> defined at dot_product.c:3 (" SOURCE ":3)\n"
                ">>>            obj/dot_product.o:(product)\n"
                ">>> defined at product.c:2 (/home/u/lookback/common/nn/product.c:2)\n"
                ">>>            obj/product.o:(.text+0x0)\n");
}

TEST(explain, a_second_definition_is_told_of_macos) {
    expect_link("product() is defined a second time", "Rename yours", 0,
                "duplicate symbol '_product' in:\n"
                "    obj/dot_product.o\n"
                "    obj/product.o\n"
                "ld: 1 duplicate symbols for architecture arm64\n");
}

TEST(explain, another_error_of_a_linker_is_told_as_it_is) {
    expect_link("it does not link: /usr/bin/ld: cannot find -lnothing: No such file or directory",
                "", 0,
                "/usr/bin/ld.gold: warning: Cannot export local symbol 'x'\n"
                "/usr/bin/ld: cannot find -lnothing: No such file or directory\n"
                "collect2: error: ld returned 1 exit status\n");
}

TEST(explain, warnings_are_counted_and_cut) {
    make_said(SOURCE ": In function 'dot':\n" SOURCE
                     ":4:9: warning: unused variable 'a' [-Wunused-variable]\n"
                     "    4 |     int a;\n" SOURCE
                     ":5:9: warning: implicit conversion [-Wconversion]\n" SOURCE
                     ":6:9: warning: without an option\n"
                     "3 warnings generated.\n");
    TEST_ASSERT_EQUAL_INT(3, explain_warnings(&text, &child, 2));
    TEST_ASSERT_EQUAL_STRING(
        SOURCE ":4:9: unused variable 'a'\n" SOURCE ":5:9: implicit conversion\n", text_of(&text));
    text = (struct text){0};
    TEST_ASSERT_EQUAL_INT(3, explain_warnings(&text, &child, 9));
    TEST_ASSERT_TRUE(ends_with(text_of(&text), ":6:9: without an option\n"));
    text = (struct text){0};
    child = (struct child){0};
    TEST_ASSERT_EQUAL_INT(0, explain_warnings(&text, &child, 9));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
}

TEST(explain, warnings_of_a_sign_come_last) {
    make_said(SOURCE ":4:9: warning: conversion may change the sign [-Wsign-conversion]\n" SOURCE
                     ":5:9: warning: comparison of different signedness [-Wsign-compare]\n" SOURCE
                     ":6:9: warning: sizeof of a pointer [-Wsizeof-pointer-memaccess]\n");
    TEST_ASSERT_EQUAL_INT(3, explain_warnings(&text, &child, 2));
    TEST_ASSERT_EQUAL_STRING(SOURCE ":6:9: sizeof of a pointer\n" SOURCE
                                    ":4:9: conversion may change the sign\n",
                             text_of(&text));
    text = (struct text){0};
    child = (struct child){0};
}

/* Of memory ? memory : v->scaled: gcc by C17 alone. */
TEST(explain, a_warning_of_right_code_is_left_out) {
    make_said(SOURCE ":4:9: warning: pointer to array loses qualifier in conditional expression "
                     "[-Wdiscarded-array-qualifiers]\n");
    TEST_ASSERT_EQUAL_INT(0, explain_warnings(&text, &child, 9));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
    child = (struct child){0};
}
