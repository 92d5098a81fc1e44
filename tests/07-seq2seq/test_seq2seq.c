/* Lesson 07: what seq2seq.h promises. The tests stand in files beside this one: what steps, what
   reads, what writes and looks back, and what is written. */
#include "lesson_test.h"

extern const struct lesson_test gru_tests[], encoder_tests[], decoder_tests[], writing_tests[];

static const struct lesson_test tests[] = {
    TESTS(gru_tests),
    TESTS(encoder_tests),
    TESTS(decoder_tests),
    TESTS(writing_tests),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
