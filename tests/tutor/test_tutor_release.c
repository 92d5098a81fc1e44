/* What a release has in place of references, hints and quizzes. */
#include "course/sealed.h"
#include "made.h"
#include "tutor/release.h"

static void seal_into(const char *path, const char *chars) {
    text_add(&text, chars, strlen(chars));
    text_seal(&text);
    write_file(path, text_of(&text));
    text_free(&text);
}

static void what_is_sealed_is_read_again(void) {
    static const char words[] = "\tf(x) = ~x;  \n\n1. Größe, 100 %\n!\n";
    enter_folder();
    make_folder("sealed");
    seal_into("sealed/hints.md", words);
    TEST_ASSERT_TRUE(text_read_sealed(&text, "hints.md"));
    TEST_ASSERT_EQUAL_STRING(words, text_of(&text));
}

static void line_ends_of_another_system_do_no_harm(void) {
    enter_folder();
    make_folder("sealed");
    text_add(&text, "one\ntwo\n", 8);
    text_seal(&text);
    struct text other = {0};
    for (const char *c = text_of(&text); *c; c++)
        text_print(&other, *c == '\n' ? "\r\n" : "%c", *c);
    write_file("sealed/hints.md", text_of(&other));
    text_free(&other);
    text_free(&text);
    TEST_ASSERT_TRUE(text_read_sealed(&text, "hints.md"));
    TEST_ASSERT_EQUAL_STRING("one\r\ntwo\r\n", text_of(&text));
}

static void a_sealed_text_has_no_word_of_it(void) {
    static const char words[] = "softmax softmax softmax softmax\nsoftmax\n";
    text_add(&text, words, strlen(words));
    text_seal(&text);
    TEST_ASSERT_NULL(strstr(text_of(&text), "softmax"));
    TEST_ASSERT_NULL(strstr(text_of(&text), "oft"));
    TEST_ASSERT_EQUAL_UINT(strlen(words), text.length);
}

static void the_file_itself_comes_first(void) {
    enter_folder();
    make_folder("sealed");
    seal_into("sealed/hints.md", "sealed");
    write_file("hints.md", "plain");
    TEST_ASSERT_TRUE(text_read_sealed(&text, "hints.md"));
    TEST_ASSERT_EQUAL_STRING("plain", text_of(&text));
}

static void neither_is_an_empty_text(void) {
    enter_folder();
    TEST_ASSERT_FALSE(text_read_sealed(&text, "hints.md"));
    TEST_ASSERT_EQUAL_STRING("", text_of(&text));
}

static void bare(const char *source) {
    text = bare_code(source);
}

static void bare_code_has_no_comments_and_no_names_of_its_own(void) {
    bare("#include \"a.h\"\n\n/* Adds up. */\ndouble sum(int n, const double x[n]) {\n"
         "    double total = 0.0; // so far\n    for (int i = 0; i < n; i++)\n"
         "        total += x[i];\n    return total;\n}\n");
    TEST_ASSERT_EQUAL_STRING(
        "#include \"a.h\"\ndouble sum(int v0,const double v1[v0]){double v2=0.0;"
        "for(int v3=0;v3<v0;v3++)v2+=\nv1[v3];return v2;}\n",
        text_of(&text));
}

static void names_that_others_know_stay(void) {
    bare("struct w f(struct w *w) {\n    w->size = size(w->w);\n    return (struct w){.w = "
         "w->w};\n}\n");
    TEST_ASSERT_EQUAL_STRING(
        "struct w f(struct w*v0){v0->size=size(v0->w);return(struct w){.w=v0->w};}\n",
        text_of(&text));
}

static void signs_that_would_be_others_stay_apart(void) {
    bare("int f(int a, int b) {\n    return a - -b + +a * *&b;\n}\n");
    TEST_ASSERT_EQUAL_STRING("int f(int v0,int v1){return v0- -v1+ +v0* * &v1;}\n", text_of(&text));
}

static void what_stands_between_functions_stays(void) {
    bare("enum { MOST = 3 };\nint f(void) {\n    return MOST;\n}\n\n#define G 1\nint g;\n");
    TEST_ASSERT_EQUAL_STRING("enum { MOST = 3 };\nint f(void){return MOST;}\n#define G 1\nint g;\n",
                             text_of(&text));
}

const struct lesson_test release_tests[] = {
    TEST(sealed, what_is_sealed_is_read_again),
    TEST(sealed, line_ends_of_another_system_do_no_harm),
    TEST(sealed, a_sealed_text_has_no_word_of_it),
    TEST(sealed, the_file_itself_comes_first),
    TEST(sealed, neither_is_an_empty_text),
    TEST(release, bare_code_has_no_comments_and_no_names_of_its_own),
    TEST(release, names_that_others_know_stay),
    TEST(release, signs_that_would_be_others_stay_apart),
    TEST(release, what_stands_between_functions_stays),
    END_OF_TESTS,
};
