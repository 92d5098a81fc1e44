/* Lesson 16: what story.h promises. */
#include "story.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"

TEST(story_mean, the_worked_example_comes_out_to_four_decimals) {
    NEW_VECTOR_OF(x, 3, 1, 2, 6);
    EXPECT_NUMBER(3, story_mean(3, x), FOUR_DECIMALS);
}

TEST(story_mean, a_single_number_is_its_own_mean) {
    NEW_VECTOR_OF(x, 1, -7.5);
    EXPECT_NUMBER(-7.5, story_mean(1, x), 1e-12);
}

TEST(story_mean, raising_one_number_raises_the_mean_by_its_share) {
    for (int n = 1; n <= 20; n++) {
        NEW_VECTOR_FILLED(x, n, 0.1);
        x[n / 2] += n;
        BECAUSE("%d numbers are 0.1 here, and %d is added to one of them.", n, n);
        EXPECT_NUMBER(1.1, story_mean(n, x), 1e-12);
    }
}
