/* Lesson 01: softmax, from any scores to weights that are at least 0 and sum to 1.

   These rules hold for all functions. Sizes come first and are at least 1, inputs are const, and
   outputs come last. An output has no defined values before the call, except that a function whose
   name ends in _backward ADDS (+=) to its output d_scores. An input called `weights` is the output
   of a softmax, so its numbers sum to 1, or they are all 0 because every score was -INFINITY. No
   function needs an array of its own. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

/* weights[i] = exp(scores[i]) / the sum of exp(scores[j]) over all j.
   Begin with this formula, which takes only two loops of one line each: the first computes the sum,
   and the second writes the weights. Then run `make`, and you will see that 9 of 15 tests pass.
   The other tests need more, because scores may be any finite numbers, for example 1e4 or -1e4.
   Every weight must be correct to 9 digits, even if all scores are near -1e9, so subtract the
   largest score before exp(). A score of -INFINITY gets a weight of exactly 0, and if all scores
   are -INFINITY, all weights are 0. If a score is NaN, all weights are NaN. The function must also
   work in place, which means that softmax(n, x, x) is a valid call. */
void softmax(int n, const double scores[n], double weights[n]);

/* Computes the softmax of each row separately, and must work in place. */
void softmax_rows(int rows, int cols, const double scores[rows][cols], double weights[rows][cols]);

/* Computes the softmax of scores / temperature, and must work in place. The temperature is above 0.
   A temperature below 1 makes the weights more unequal, and one above 1 makes them more equal. */
void softmax_at_temperature(int n, double temperature, const double scores[n], double weights[n]);

/* Returns log(the sum of exp(scores[j]) over all j), for any finite scores. Returns -INFINITY if
   all scores are -INFINITY, and NaN if one of them is NaN. */
double log_sum_exp(int n, const double scores[n]);

/* out[c] = the sum of weights[i] * values[i][c] over all i, so `out` is the weighted sum of the
   rows of values. It does not overlap the inputs. */
void expected_value(int n, int d, const double weights[n], const double values[n][d],
                    double out[d]);

/* Returns -(the sum of weights[i] * log(weights[i]) over all i), with the natural logarithm. A
   weight of 0 adds 0 to the sum. */
double entropy(int n, const double weights[n]);

/* jacobian[i][j] = the derivative of weights[i] with respect to scores[j]. It depends only on the
   weights, so the scores are not needed. */
void softmax_jacobian(int n, const double weights[n], double jacobian[n][n]);

/* d_scores[j] += the sum of d_weights[i] * jacobian[i][j] over all i. Compute it without the
   matrix, in a time proportional to n. `d_scores` does not overlap the inputs. */
void softmax_backward(int n, const double weights[n], const double d_weights[n],
                      double d_scores[n]);

/* Computes softmax_backward for each row separately, so it adds to d_scores, too. */
void softmax_rows_backward(int rows, int cols, const double weights[rows][cols],
                           const double d_weights[rows][cols], double d_scores[rows][cols]);

#endif
