/* Lesson 09: where a word stands.

   To a head a sentence is a heap: it gives the same vectors for the same words in any order. Here
   are four ways to say where a word stands: add a row of a table that is learned, or waves; turn
   queries and keys (RoPE); or lower the score by the distance (ALiBi).

   Positions count from 0. `first` is the position of row 0, for rows that go on with a sentence
   begun before: row i stands at first + i. Of the d numbers of a row, 2p and 2p + 1 are pair p; if
   d is odd, the last number has no partner.

   Outputs come last and start out undefined; they may not overlap the inputs. A function called
   ..._backward ADDS (+=) into the d_... that it is given last. No function keeps a matrix of its
   own, or anything in a `static` or global variable. */
#ifndef POSITIONS_H
#define POSITIONS_H

#include <stdbool.h>

/* X[i] = scale * table[words[i]]: words are numbers from 0 to vocabulary - 1, each has a row of the
   table. Learned positions are a second table, and its words are 0, 1, 2, ... */
void embed(int n, int vocabulary, int d, double scale, const int words[n],
           const double table[vocabulary][d], double X[n][d]);

/* Adds what d_X means for the table into d_table. */
void embed_backward(int n, int vocabulary, int d, double scale, const int words[n],
                    const double d_X[n][d], double d_table[vocabulary][d]);

/* How far the clock of a pair has turned at a position, in radians: position / 10000^(2 pair / d).
   The clock of pair 0 is the fastest. */
double position_angle(int position, int pair, int d);

/* Row i is of position first + i: its numbers 2p and 2p + 1 are the sine and the cosine of pair p's
   angle. If d is odd, the last number is a sine. */
void sinusoidal_positions(int n, int d, int first, double P[n][d]);

/* RoPE: turns each pair of row i by its angle at position first + i, counterclockwise: (1, 0)
   becomes the cosine and the sine. If d is odd, the last number stays as it is. */
void rotate(int n, int d, int first, const double X[n][d], double out[n][d]);

/* Adds what d_out means for X into d_X. */
void rotate_backward(int n, int d, int first, const double d_out[n][d], double d_X[n][d]);

/* What ALiBi charges a head for each word of distance: 2^(-8 (head + 1) / n_heads), whatever
   n_heads is; heads count from 0. */
double alibi_slope(int n_heads, int head);

/* bias[i][j] = -slope * the distance between query i, at position first + i, and key j, at j. */
void alibi_bias(int n_q, int n_k, int first, double slope, double bias[n_q][n_k]);

/* Lesson 03's attention, or lesson 05's where `blocked` is not NULL, with a bias: the scores are
   scaled, then bias[i][j] is added, then comes the softmax. A bias that is not learned adds nothing
   to any gradient: the way back is that of lesson 03 or 05, from these weights. */
void biased_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const double bias[n_q][n_k], const bool blocked[n_q][n_k],
                      double weights[n_q][n_k], double out[n_q][d_v]);

#endif
