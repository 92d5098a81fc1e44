/* Lesson 07: what seq2seq.h promises. The tests stand in files beside this one: what reads, what
   steps and looks back, and what is written. */
#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-9
#define SLOPES        1e-6 /* how well central differences can agree */

#include "encoder_tests.h"

#include "decoder_tests.h"
#include "writing_tests.h"

static const struct lesson_test tests[] = {GRU_TESTS, READING_TESTS, DECODER_TESTS, WRITING_TESTS};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
