/* What a release has in place of references, slips, hints and quizzes. */
#include "course/lesson.h"
#include "made.h"

static void seal_into(const char *path, const char *chars) {
    text_add(&text, chars, strlen(chars));
    text_seal(&text);
    write_file(path, text_of(&text));
    text = (struct text){0};
}

TEST(sealed, what_is_sealed_is_read_again) {
    static const char words[] = "\tf(x) = ~x;  \n\n1. Größe, 100 %\n!\n";
    enter_folder();
    make_folder("sealed");
    seal_into("sealed/hints.md", words);
    TEST_ASSERT_EQUAL_STRING(words, sealed_text("hints.md"));
}

TEST(sealed, line_ends_of_another_system_do_no_harm) {
    enter_folder();
    make_folder("sealed");
    text_add(&text, "one\ntwo\n", 8);
    text_seal(&text);
    struct text other = {0};
    for (const char *c = text_of(&text); *c; c++)
        text_print(&other, *c == '\n' ? "\r\n" : "%c", *c);
    write_file("sealed/hints.md", text_of(&other));
    TEST_ASSERT_EQUAL_STRING("one\r\ntwo\r\n", sealed_text("hints.md"));
}

TEST(sealed, a_sealed_text_has_no_word_of_it) {
    static const char words[] = "softmax softmax softmax softmax\nsoftmax\n";
    text_add(&text, words, strlen(words));
    text_seal(&text);
    TEST_ASSERT_NULL(strstr(text_of(&text), "softmax"));
    TEST_ASSERT_NULL(strpbrk(text_of(&text), "softmax"));
    TEST_ASSERT_EQUAL_UINT(strlen(words), text.length);
}

TEST(sealed, the_file_itself_comes_first) {
    enter_folder();
    make_folder("sealed");
    seal_into("sealed/hints.md", "sealed");
    write_file("hints.md", "plain");
    TEST_ASSERT_EQUAL_STRING("plain", sealed_text("hints.md"));
}

TEST(sealed, neither_is_an_empty_text) {
    enter_folder();
    TEST_ASSERT_EQUAL_STRING("", sealed_text("hints.md"));
}
