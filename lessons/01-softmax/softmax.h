/* Lesson 01: from any scores to weights that are not negative and sum to one.

   Everywhere: sizes come first and are at least 1, inputs are const, outputs come last and start
   out undefined. A function called ..._backward ADDS (+=) into the d_... that it is given. Weights
   that come as an input are those of a softmax: they may also be all 0, as it makes them when every
   score is -INFINITY. No function needs an array of its own. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

/* weights[i] = exp(scores[i]) / the sum of exp(scores[j]) over all j.
   Any finite scores will do, 1e4 or -1e4 too, and every weight is right to 9 digits, even if all
   scores are near -1e9. A number of that size has only 7 digits after the point, so subtract the
   largest score before you add anything to it: exp(score - log_sum_exp) is too coarse. A score of
   -INFINITY gets a weight of exactly 0; if all are -INFINITY, all weights are 0. A NaN among the
   scores makes every weight NaN. In place is fine: softmax(n, x, x). */
void softmax(int n, const double scores[n], double weights[n]);

/* The softmax of each row on its own. In place is fine. */
void softmax_rows(int rows, int cols, const double scores[rows][cols], double weights[rows][cols]);

/* The softmax of scores / temperature, for a temperature above 0: below 1 sharpens, above 1
   flattens. In place is fine. */
void softmax_at_temperature(int n, double temperature, const double scores[n], double weights[n]);

/* log(the sum of exp(scores[j]) over all j), for any finite scores; -INFINITY if all of them are
   -INFINITY, NaN if there is a NaN among them. */
double log_sum_exp(int n, const double scores[n]);

/* out[c] = the sum of weights[i] * values[i][c] over all i: one blended row. `out` may not overlap
   the inputs. */
void expected_value(int n, int d, const double weights[n], const double values[n][d],
                    double out[d]);

/* -(the sum of weights[i] * log(weights[i]) over all i), in nats. 0 log 0 counts as 0. */
double entropy(int n, const double weights[n]);

/* jacobian[i][j] = how much weights[i] moves when scores[j] does. Takes the weights, not the
   scores: they are all that it needs. */
void softmax_jacobian(int n, const double weights[n], double jacobian[n][n]);

/* d_scores += Jacobian times d_weights, in O(n): without building the Jacobian.
   `d_scores` may not overlap the inputs. */
void softmax_backward(int n, const double weights[n], const double d_weights[n],
                      double d_scores[n]);

/* The same for each row on its own. */
void softmax_rows_backward(int rows, int cols, const double weights[rows][cols],
                           const double d_weights[rows][cols], double d_scores[rows][cols]);

#endif
