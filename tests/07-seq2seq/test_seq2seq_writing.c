/* Lesson 07: tests of teacher forcing, of the loss, and of greedy decoding. */
#include "seq2seq.h"

#include "../whole_numbers.h"
#include "expect.h"
#include "laws.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ROUNDING 1e-9

/* What was never set stays unset. */
static void words_into(const char *name, int count, const int *words, double *numbers) {
    for (int i = 0; i < count; i++)
        if (words[i] != NEVER_SET)
            numbers[i] = words[i];
    vector_copy(name, count, numbers);
}

/* teacher_forcing */

static void run_teacher(int n, const double *words, int steps, double *inputs, double *targets) {
    int *whole_words = words_from("words", n, words);
    int *whole_inputs = new_words("inputs", steps), *whole_targets = new_words("targets", steps);
    teacher_forcing(n, whole_words, steps, whole_inputs, whole_targets);
    words_into("inputs", steps, whole_inputs, inputs);
    words_into("targets", steps, whole_targets, targets);
}

TEST(teacher_forcing, the_worked_sentence_is_read_one_step_late) {
    NEW_VECTOR_OF(words, 3, 5, 3, 4);
    NEW_VECTOR(inputs, 5);
    NEW_VECTOR(targets, 5);
    run_teacher(3, words, 5, inputs, targets);
    const double expected_inputs[5] = {0, 5, 3, 4, 1}, expected_targets[5] = {5, 3, 4, 1, -1};
    EXPECT_VECTOR(5, expected_inputs, inputs, 0.0);
    EXPECT_VECTOR(5, expected_targets, targets, 0.0);
}

TEST(teacher_forcing, each_word_is_a_target_before_it_is_an_input) {
    struct random r = random_seed(767);
    for (int n = 1; n <= 5; n++)
        for (int steps = n + 4; steps > n; steps--) {
            matrix_free_all();
            NEW_VECTOR(words, n);
            NEW_VECTOR(inputs, steps);
            NEW_VECTOR(targets, steps);
            NEW_VECTOR_FILLED(right_inputs, steps, END);
            NEW_VECTOR_FILLED(right_targets, steps, PADDING);
            right_inputs[0] = BEGIN, right_targets[n] = END;
            for (int t = 0; t < n; t++)
                words[t] = right_inputs[t + 1] = right_targets[t] = 2 + random_below(&r, 9);
            run_teacher(n, words, steps, inputs, targets);
            BECAUSE("n = %d, steps = %d: the targets are the words, END, and PADDING at the other "
                    "steps.",
                    n, steps);
            EXPECT_VECTOR(steps, right_targets, targets, 0.0);
            BECAUSE(
                "n = %d, steps = %d: the inputs are BEGIN, the words, and END at the other steps.",
                n, steps);
            EXPECT_VECTOR(steps, right_inputs, inputs, 0.0);
        }
}

TEST(teacher_forcing, two_threads_may_run_teacher_forcing_at_once) {
    int *inputs = new_words("inputs", 5), *targets = new_words("targets", 5);
    int *more_inputs = new_words("inputs", 7), *more_targets = new_words("targets", 7);
    const int words[3] = {5, 3, 4}, more[4] = {7, 2, 6, 8};
    EXPECT_NOTHING_KEPT(teacher_forcing(3, words, 5, inputs, targets),
                        teacher_forcing(4, more, 7, more_inputs, more_targets));
}

/* sequence_loss */

#define WORKED_LOGITS                                                                              \
    NEW_MATRIX_OF(logits, 3, 3, {0, 0, 2}, {0, 0, 0}, {1, 2, 3});                                  \
    NEW_VECTOR_OF(targets, 3, 2, 1, PADDING)

/* Six steps for the three targets 0, 3 and END. The row in front of the logits must not be
   read. */
#define PADDED_LOGITS                                                                              \
    NEW_MATRIX_OF(logits_and_more, 7, 4, {9, 9, 9, 9}, {7, 20, 30, 5}, {1, 0, -1, 0.5},            \
                  {9, -4, 0, 10}, {0, 2, 1, -1}, {0.5, -2, 0, 0.25}, {-7, 0, 0, 8});               \
    const double(*logits)[4] = logits_and_more + 1;                                                \
    NEW_VECTOR_OF(targets, 6, PADDING, 0, PADDING, 3, END, PADDING)

/* In a vector, so that a failure shows what was there before it: logits and targets. */
static const double *run_loss(int steps, int vocabulary, const void *logits,
                              const double *targets) {
    const int *whole_targets = words_from("targets", steps, targets);
    NEW_VECTOR(loss, 1);
    loss[0] = sequence_loss(steps, vocabulary, logits, whole_targets);
    return loss;
}

#define EXPECT_LOSS(expected, loss, tolerance) EXPECT_VECTOR(1, OF(expected), loss, tolerance)

/* -log of the probability, without protection; the logits here are small. */
static double slow_surprise(int vocabulary, const double *logits, int target) {
    double sum = 0.0;
    for (int w = 0; w < vocabulary; w++)
        sum += exp(logits[w]);
    return -log(exp(logits[target]) / sum);
}

static int words_among(int steps, const double *targets) {
    int count = 0;
    for (int t = 0; t < steps; t++)
        count += targets[t] >= 0.0;
    return count;
}

static double slow_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                        const double *targets) {
    double sum = 0.0;
    for (int t = 0; t < steps; t++)
        if (targets[t] >= 0.0)
            sum += slow_surprise(vocabulary, logits[t], (int)targets[t]);
    return sum / words_among(steps, targets);
}

/* The first target is a word, and about a third of the others are PADDING. */
static void *random_targets(int steps, int vocabulary, struct random *r) {
    NEW_VECTOR(targets, steps);
    for (int t = 0; t < steps; t++)
        targets[t] = t > 0 && random_below(r, 3) == 0 ? PADDING : random_below(r, vocabulary);
    return targets;
}

#define EACH_SIZE_OF_A_SENTENCE                                                                    \
    for (int steps = 1; steps <= 6; steps++)                                                       \
        for (int vocabulary = 1; vocabulary <= 7; vocabulary += 2)

static void because_of_targets(int steps, int vocabulary, const double *targets) {
    BECAUSE("%d steps, of which %d have a target; the vocabulary has %d words.", steps,
            words_among(steps, targets), vocabulary);
}

TEST(sequence_loss, the_worked_sentence_costs_this_much) {
    WORKED_LOGITS;
    const double *loss = run_loss(3, 3, logits, targets);
    because_of_targets(3, 3, targets);
    EXPECT_LOSS(0.6691, loss, FOUR_DECIMALS);
}

TEST(sequence_loss, padding_at_any_position_costs_nothing) {
    PADDED_LOGITS;
    const double *loss = run_loss(6, 4, logits, targets);
    because_of_targets(6, 4, targets);
    EXPECT_LOSS(slow_loss(6, 4, logits, targets), loss, ROUNDING);
}

TEST(sequence_loss, a_sentence_of_padding_costs_nothing) {
    NEW_MATRIX_FILLED(logits_and_more, 4, 2, 1.0);
    NEW_VECTOR_FILLED(targets, 3, PADDING);
    const double *loss = run_loss(3, 2, logits_and_more + 1, targets);
    BECAUSE_IF(isnan(loss[0]), "There is no word here, and 0 / 0 is NaN.");
    BECAUSE("No step has a target here.");
    EXPECT_LOSS(0.0, loss, 0.0);
}

TEST(sequence_loss, equal_logits_cost_the_log_of_the_vocabulary) {
    for (int vocabulary = 2; vocabulary <= 50; vocabulary = 2 * vocabulary + 1) {
        NEW_MATRIX_FILLED(logits, 4, vocabulary, -0.5);
        NEW_VECTOR_OF(targets, 4, 1, 0, 1, PADDING);
        const double *loss = run_loss(4, vocabulary, logits, targets);
        BECAUSE("All %d logits are equal, so each step costs log(%d), and so does the mean.",
                vocabulary, vocabulary);
        EXPECT_LOSS(log(vocabulary), loss, ROUNDING);
    }
}

TEST(sequence_loss, enormous_logits_of_a_sentence_do_not_overflow) {
    NEW_MATRIX_OF(logits, 2, 3, {1e4, -1e4, 0}, {-1e4, 1e4, -INFINITY});
    NEW_VECTOR_OF(targets, 2, 1, 1);
    const double *nearly = run_loss(1, 2, (const double[1][2]){{1e4 - 1, 1e4}}, targets);
    BECAUSE("Here logits are 9999 and 10000: their exponentials are infinite.");
    EXPECT_LOSS(log(1 + exp(-1)), nearly, ROUNDING);
    const double *loss = run_loss(2, 3, logits, targets);
    BECAUSE("Here logits are 10000 and -10000: their exponentials are infinite and 0.");
    EXPECT_LOSS(1e4, loss, ROUNDING);
}

TEST(sequence_loss, random_losses_of_sentences_agree_with_the_obvious_way) {
    struct random r = random_seed(769);
    for (int steps = 6; steps > 0; steps--) /* one step tells least */
        for (int vocabulary = 1; vocabulary <= 7; vocabulary += 2) {
            NEW_MATRIX_RANDOM(logits, steps, vocabulary, &r);
            const double *targets = random_targets(steps, vocabulary, &r);
            const double *loss = run_loss(steps, vocabulary, logits, targets);
            because_of_targets(steps, vocabulary, targets);
            EXPECT_LOSS(slow_loss(steps, vocabulary, logits, targets), loss, ROUNDING);
        }
}

TEST(sequence_loss, two_threads_may_count_a_loss_at_once) {
    struct random r = random_seed(773);
    NEW_MATRIX_RANDOM(logits, 4, 5, &r);
    NEW_MATRIX_RANDOM(other, 6, 3, &r);
    const int targets[4] = {4, 2, END, PADDING}, more[6] = {2, 0, 2, 2, END, PADDING};
    EXPECT_NOTHING_KEPT(sequence_loss(4, 5, logits, targets), sequence_loss(6, 3, other, more));
}

/* sequence_loss_backward */

static void run_loss_back(int steps, int vocabulary, const void *logits, const double *targets,
                          void *d_logits) {
    sequence_loss_backward(steps, vocabulary, logits, words_from("targets", steps, targets),
                           d_logits);
}

static void *right_pushes(int steps, int vocabulary, const double logits[steps][vocabulary],
                          const double *targets) {
    NEW_MATRIX_FILLED(pushes, steps, vocabulary, 0.0);
    for (int t = 0; t < steps; t++)
        for (int w = 0; w < vocabulary; w++)
            if (targets[t] >= 0.0)
                pushes[t][w] = (exp(-slow_surprise(vocabulary, logits[t], w)) - (w == targets[t])) /
                               words_among(steps, targets);
    return pushes;
}

TEST(sequence_loss_backward, the_worked_logits_of_a_sentence_have_these_gradients) {
    WORKED_LOGITS;
    NEW_MATRIX_FILLED(d_logits, 3, 3, 0.0);
    run_loss_back(3, 3, logits, targets, d_logits);
    const double expected[3][3] = {{0.0533, 0.0533, -0.1065}, {0.1667, -0.3333, 0.1667}, {0, 0, 0}};
    because_of_targets(3, 3, targets);
    EXPECT_MATRIX(3, 3, expected, d_logits, FOUR_DECIMALS);
}

TEST(sequence_loss_backward, only_steps_with_a_target_have_gradients) {
    PADDED_LOGITS;
    NEW_MATRIX_FILLED(d_logits, 6, 4, 0.0);
    run_loss_back(6, 4, logits, targets, d_logits);
    because_of_targets(6, 4, targets);
    EXPECT_MATRIX(6, 4, right_pushes(6, 4, logits, targets), d_logits, ROUNDING);
}

TEST(sequence_loss_backward, the_gradient_of_a_sentence_is_added_to_what_is_there) {
    WORKED_LOGITS;
    NEW_MATRIX_FILLED(d_logits, 3, 3, 10.0);
    run_loss_back(3, 3, logits, targets, d_logits);
    EXPECT_ADDED(3, 3, 10.0, right_pushes(3, 3, logits, targets), d_logits);
}

TEST(sequence_loss_backward, a_sentence_of_padding_has_no_gradient) {
    NEW_MATRIX_FILLED(logits, 3, 2, 1.0);
    NEW_VECTOR_FILLED(targets, 3, PADDING);
    NEW_MATRIX_FILLED(d_logits, 3, 2, 7.0);
    run_loss_back(3, 2, logits, targets, d_logits);
    NEW_MATRIX_FILLED(sevens, 3, 2, 7.0);
    BECAUSE_IF(isnan(d_logits[0][0]), "There is no word here, and 0 / 0 is NaN.");
    BECAUSE("No step has a target here, and d_logits held 7 everywhere.");
    EXPECT_MATRIX(3, 2, sevens, d_logits, 0.0);
}

TEST(sequence_loss_backward, enormous_logits_of_a_sentence_have_finite_gradients) {
    NEW_MATRIX_OF(logits, 2, 3, {1e4, -1e4, 1e4}, {-1e4, 1e4, -INFINITY});
    NEW_VECTOR_OF(targets, 2, 1, 1);
    NEW_MATRIX_FILLED(d_logits, 2, 3, 0.0);
    const double expected[2][3] = {{0.25, -0.5, 0.25}, {0, 0, 0}};
    run_loss_back(2, 3, logits, targets, d_logits);
    BECAUSE("Here logits are 10000 and -10000: their exponentials are infinite and 0.");
    EXPECT_MATRIX(2, 3, expected, d_logits, 1e-12);
}

struct sentence {
    int steps, vocabulary;
    const void *logits;
    const double *targets;
};

static double loss_of_sentence(void *context) {
    const struct sentence *s = context;
    return *run_loss(s->steps, s->vocabulary, s->logits, s->targets);
}

TEST(sequence_loss_backward, gradients_of_logits_are_what_nudging_measures) {
    struct random r = random_seed(770);
    EACH_SIZE_OF_A_SENTENCE {
        const int count = steps * (vocabulary + 1); /* one word alone has no slope */
        NEW_MATRIX_RANDOM(logits, steps, vocabulary + 1, &r);
        const double *targets = random_targets(steps, vocabulary, &r);
        NEW_MATRIX_FILLED(d_logits, steps, vocabulary + 1, 0.0);
        NEW_VECTOR(measured, count);
        struct sentence s = {steps, vocabulary + 1, logits, targets};
        numeric_gradient(loss_of_sentence, &s, count, logits[0], measured);
        run_loss_back(steps, vocabulary + 1, logits, targets, d_logits);
        because_of_targets(steps, vocabulary + 1, targets);
        EXPECT_GRADIENT(steps, vocabulary + 1, measured, d_logits, SLOPES);
    }
}

TEST(sequence_loss_backward, gradients_of_random_logits_agree_with_the_obvious_way) {
    struct random r = random_seed(771);
    EACH_SIZE_OF_A_SENTENCE {
        NEW_MATRIX_RANDOM(logits, steps, vocabulary, &r);
        const double *targets = random_targets(steps, vocabulary, &r);
        NEW_MATRIX_RANDOM(d_logits, steps, vocabulary, &r);
        double(*expected)[vocabulary] = right_pushes(steps, vocabulary, (void *)logits, targets);
        add_into(steps * vocabulary, d_logits, expected);
        run_loss_back(steps, vocabulary, logits, targets, d_logits);
        because_of_targets(steps, vocabulary, targets);
        EXPECT_MATRIX(steps, vocabulary, expected, d_logits, ROUNDING);
    }
}

TEST(sequence_loss_backward, two_threads_may_run_sequence_loss_backward_at_once) {
    struct random r = random_seed(774);
    NEW_MATRIX_RANDOM(logits, 4, 5, &r);
    NEW_MATRIX_RANDOM(other, 6, 3, &r);
    NEW_MATRIX_FILLED(d_logits, 4, 5, 0.0);
    NEW_MATRIX_FILLED(d_other, 6, 3, 0.0);
    const int targets[4] = {4, 2, END, PADDING}, more[6] = {2, 0, 2, 2, END, PADDING};
    EXPECT_NOTHING_KEPT(sequence_loss_backward(4, 5, logits, targets, d_logits),
                        sequence_loss_backward(6, 3, other, more, d_other));
}

/* greedy_decode */

/* A fake decoder: a table with one row of logits for each input word. It logs its calls. */
enum { DIARY = 40 };
struct script {
    int vocabulary, steps;
    const double *scores, *diary; /* the diary notes the words that it was given */
    bool lost;                    /* a different script was handed on */
};
static struct script script; /* which acts even then */

static void scripted_step(void *decoder, int word, double logits[]) {
    const bool is_word = word >= 0 && word < script.vocabulary;
    const double *row = script.scores + (is_word ? word : BEGIN) * script.vocabulary;
    script.lost = script.lost || decoder != &script;
    if (script.steps == DIARY)
        EXPECT_THAT(false, "step was called %d times, and went on", DIARY);
    ((double *)script.diary)[script.steps++] = word;
    memcpy(logits, row, (size_t)script.vocabulary * sizeof *row);
}

/* Returns how many words greedy_decode() says there are in `words`. */
static int run_script(int vocabulary, const void *scores, int limit, double *words) {
    NEW_VECTOR(diary, DIARY);
    NEW_VECTOR(logits, vocabulary);
    int *whole_words = new_words("words", limit);
    script = (struct script){vocabulary, 0, scores, diary, false};
    int count = greedy_decode(vocabulary, limit, scripted_step, &script, logits, whole_words);
    words_into("words", limit, whole_words, words);
    BECAUSE("Pass `decoder` on unchanged, because step keeps its state there.");
    EXPECT_THAT(!script.lost, "step was called with something other than `decoder`");
    BECAUSE("The first chosen word belongs in words[0].");
    EXPECT_THAT(whole_words[-1] == OUTSIDE, "words[-1] was written");
    return count;
}

/* 3 after BEGIN, 2 after 3, END after 2. */
TEST(greedy_decode, the_worked_decoder_writes_two_words) {
    NEW_MATRIX_OF(scores, 5, 5, {-1, 0, 1, 2, 1.5}, {1, 0, 0, 0, 0}, {0, 3, 1, -2, 2},
                  {0, 1, 4, 2, 3}, {0, 2, 0, 0, 1});
    NEW_VECTOR(words, 7);
    const int count = run_script(5, scores, 7, words), steps = script.steps;
    const double expected[2] = {3, 2}, reads[3] = {BEGIN, 3, 2}, *read = script.diary;
    EXPECT_THAT(steps > 0, "step was never called; it fills logits, so call it once for each word");
    BECAUSE("The first step has to read BEGIN.");
    EXPECT_THAT(read[0] == BEGIN, "the first step read %.0f; BEGIN is 0", read[0]);
    BECAUSE(
        "In this test, the largest logit is at word 3 after BEGIN, at 2 after 3, at END after 2.");
    EXPECT_VECTOR(2, expected, words, 0.0);
    BECAUSE("One more step after word 2 chooses END, which is not part of the sentence.");
    EXPECT_THAT(steps >= 3, "step was called %d times; it should read BEGIN, 3 and 2", steps);
    BECAUSE("Each step reads the word that was chosen in the step before.");
    EXPECT_VECTOR(3, reads, read, 0.0);
    BECAUSE("Return the number of words, and leave the rest of words unchanged.");
    EXPECT_THAT(words[2] != END, "words[2] is END, which should not be stored");
    EXPECT_THAT(steps == 3, "step was called %d times; END came at the third", steps);
    BECAUSE("Two words are written here, 3 and 2. Then END is chosen, which does not count.");
    EXPECT_NUMBER(2, count, 0.0);
}

/* 2, 3, 4, 2, ... */
TEST(greedy_decode, the_limit_ends_a_sentence_without_an_end) {
    NEW_MATRIX_OF(scores, 5, 5, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1},
                  {0, 0, 1, 0, 0});
    for (int limit = 1; limit <= 6; limit++) {
        NEW_VECTOR(words, limit);
        NEW_VECTOR(expected, limit);
        for (int i = 0; i < limit; i++)
            expected[i] = 2 + i % 3;
        const int count = run_script(5, scores, limit, words);
        BECAUSE("END is never chosen here. The limit is %d, so that many words are written.",
                limit);
        EXPECT_NUMBER(limit, count, 0.0);
        EXPECT_VECTOR(limit, expected, words, 0.0);
        BECAUSE("Return when `limit` words are written. The result of another step is not needed.");
        EXPECT_THAT(script.steps == limit, "step was called %d times, and the limit is %d",
                    script.steps, limit);
    }
}

/* The logits of each word on the way. */
static void because_of_scores(int vocabulary, const double *scores, int count,
                              const double *words) {
    char text[300] = "";
    for (int i = 0; i <= count && vocabulary <= 5; i++) {
        const int word = i == 0 ? BEGIN : (int)words[i - 1];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s after %d:", i ? ";" : "",
                 word);
        for (int w = 0; w < vocabulary; w++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %g", w ? "," : "",
                     scores[word * vocabulary + w]);
    }
    BECAUSE_IF(*text, "The logits are%s.", text);
}

/* Expects these words within `limit` words, from scores for each word. */
static void expect_written(int line, int vocabulary, const void *scores, int limit, int right_count,
                           const double *expected) {
    NEW_VECTOR(words, limit);
    const int count = run_script(vocabulary, scores, limit, words);
    because_of_scores(vocabulary, scores, right_count, expected);
    if (right_count > 0)
        expect_numbers(line, "words", 0, right_count, expected, words, 0.0);
    BECAUSE_IF(right_count == 0, "The first word chosen is END, so there are no words.");
    expect_numbers(line, "count", 0, 0, (const double[]){right_count}, (const double[]){count},
                   0.0);
    if (right_count < limit)
        EXPECT_THAT(words[right_count] != END, "words[%d] is END, which should not be stored",
                    right_count);
    for (int i = right_count; i < limit; i++) {
        BECAUSE("%d words are written, and the limit is %d. Leave the other entries unchanged.",
                right_count, limit);
        EXPECT_THAT(is_unset(words[i]), "words[%d] was written", i);
    }
}
#define EXPECT_WRITTEN(...) expect_written(__LINE__, __VA_ARGS__)

TEST(greedy_decode, a_sentence_may_be_empty) {
    NEW_MATRIX_OF(scores, 3, 3, {0, 2, 1}, {0, 0, 1}, {0, 0, 1});
    EXPECT_WRITTEN(3, scores, 3, 0, NULL);
}

TEST(greedy_decode, the_first_of_two_equal_logits_is_chosen) {
    NEW_MATRIX_OF(scores, 5, 5, {0, 1, 5, 5, 2}, {0, 0, 0, 0, 1}, {1, 2, 0, 7, 7}, {1, 1, 1, 0, 3},
                  {2, 3, 3, 3, 3});
    EXPECT_WRITTEN(5, scores, 4, 3, (const double[3]){2, 3, 4});
    NEW_MATRIX_OF(none, 3, 3, {0, 0, 1}, {0, 0, 1}, {-INFINITY, -INFINITY, -INFINITY});
    EXPECT_WRITTEN(3, none, 3, 3, (const double[3]){2, 0, 2});
}

TEST(greedy_decode, the_largest_logit_may_be_far_below_zero) {
    NEW_MATRIX_OF(scores, 5, 5, {-5, -4, -3, -2, -6}, {0, 0, 1, 0, 0},
                  {-2e10, -3e10, -INFINITY, -4e10, -1e10}, {-5e3, -4e3, -2e3, -3e3, -6e3},
                  {-INFINITY, -1e300, -INFINITY, -INFINITY, -INFINITY});
    EXPECT_WRITTEN(5, scores, 4, 3, (const double[3]){3, 2, 4});
}

/* The logits are doubles: as a float the first .7 is too small, and the first .1 too large. */
TEST(greedy_decode, the_largest_logit_may_be_larger_by_very_little) {
    NEW_MATRIX_OF(scores, 4, 4, {0, 0, .7, .7 - 1e-9}, {0, 1, 0, 0}, {0, 0, .1, .1 + 1e-9},
                  {0, 1, 0, 0});
    EXPECT_WRITTEN(4, scores, 4, 2, (const double[2]){2, 3});
}

TEST(greedy_decode, the_first_word_of_the_vocabulary_may_be_chosen) {
    NEW_MATRIX_OF(scores, 3, 3, {5, 1, 2}, {0, 0, 1}, {0, 0, 1});
    EXPECT_WRITTEN(3, scores, 2, 2, (const double[2]){0, 0});
}

TEST(greedy_decode, a_logit_that_is_nan_causes_no_crash) {
    for (int odd = 0; odd < 4; odd++) {
        NEW_MATRIX_OF(scores, 4, 4, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 0, 1, 2});
        NEW_VECTOR(words, 5);
        for (int row = 0; row < 4; row++)
            scores[row][odd] = NAN;
        const int count = run_script(4, scores, 5, words);
        EXPECT_THAT(count >= 0 && count <= 5, "%d words, where 5 is the limit", count);
        for (int i = 0; i < count; i++)
            EXPECT_THAT(words[i] >= 0 && words[i] < 4 && words[i] != END,
                        "words[%d] is %g, with a NaN among the logits; the vocabulary is 4", i,
                        words[i]);
    }
}

static int heaviest(int n, const double *weights) {
    int best = 0;
    for (int j = 1; j < n; j++)
        if (weights[j] > weights[best])
            best = j;
    return best;
}

TEST(greedy_decode, random_sentences_agree_with_the_obvious_way) {
    struct random r = random_seed(772);
    for (int vocabulary = 2; vocabulary <= 13; vocabulary++) {
        NEW_MATRIX_RANDOM(scores, vocabulary, vocabulary, &r);
        NEW_VECTOR(expected, 9);
        int count = 0, word = BEGIN;
        while (count < 9 && (word = heaviest(vocabulary, scores[word])) != END)
            expected[count++] = word;
        EXPECT_WRITTEN(vocabulary, scores, 9, count, expected);
    }
}

/* Word 2, then each time `by` more, and END after 6. These keep no diary, and need no decoder. */
static void climb(int by, int word, double logits[]) {
    for (int w = 0; w < 7; w++)
        logits[w] = w == (word == BEGIN ? 2 : word + by <= 6 ? word + by : END);
}

static void climb_by_1(void *decoder, int word, double logits[]) {
    (void)decoder;
    climb(1, word, logits);
}

static void climb_by_2(void *decoder, int word, double logits[]) {
    (void)decoder;
    climb(2, word, logits);
}

TEST(greedy_decode, two_threads_may_decode_at_once) {
    int *words = new_words("words", 8), *more = new_words("words", 9);
    NEW_VECTOR(logits, 7);
    EXPECT_NOTHING_KEPT(greedy_decode(7, 8, climb_by_1, NULL, logits, words),
                        greedy_decode(7, 9, climb_by_2, NULL, logits, more));
}

/* Laws of the functions (common/testing/laws.h). */

static const int three_targets[3] = {1, 0, 2};

LAWS(sequence_loss) {
    NEW_MATRIX(logits, 3, 4);
    NEW_RESULT(result, "sequence_loss");
    PROBE("logits -> sequence_loss()")
    *result = sequence_loss(3, 4, logits, three_targets);
}

LAWS(sequence_loss_backward) {
    NEW_MATRIX(logits, 3, 4);
    NEW_MATRIX(d_logits, 3, 4);
    PROBE("logits -> d_logits")
    sequence_loss_backward(3, 4, logits, three_targets, d_logits);
}
