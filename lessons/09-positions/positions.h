/* Lesson 09: four methods that tell attention where each word stands.

   Attention alone does not depend on the order of the words. Two methods add a vector to each
   embedding, namely a learned position embedding or a sinusoidal encoding. RoPE rotates the queries
   and the keys. ALiBi subtracts from each score a penalty that grows with the distance.

   Positions count from 0. The parameter `first` is the position of row 0, so row i is at position
   first + i. It is not 0 if the rows continue a sentence that was begun in an earlier call. The
   dimensions 2p and 2p + 1 of a row are pair p. If d is odd, the last dimension has no partner.

   The outputs are the last parameters of a function, and they do not overlap the inputs. They have
   no defined values before the call, except in a function whose name ends in _backward, which ADDS
   (+=) its result to its output. No function needs a matrix of its own. No function may have a
   `static` or global variable, because milestones run these functions in two threads at once. */
#ifndef POSITIONS_H
#define POSITIONS_H

#include <stdbool.h>

/* Looks up embeddings: X[i] = scale * table[words[i]]. The words are numbers from 0 to
   vocabulary - 1, and each of them has a row in the table. Learned position embeddings are a second
   table, which is looked up with the "words" 0, 1, 2, ... */
void embed(int n, int vocabulary, int d, double scale, const int words[n],
           const double table[vocabulary][d], double X[n][d]);

/* The backward pass of embed: adds the gradient of the table to d_table. A word that occurs several
   times adds several times to its row. */
void embed_backward(int n, int vocabulary, int d, double scale, const int words[n],
                    const double d_X[n][d], double d_table[vocabulary][d]);

/* Returns the angle of a pair at a position, in radians: position / 10000^(2 pair / d). The angle
   of pair 0 grows fastest. */
double position_angle(int position, int pair, int d);

/* The sinusoidal positional encoding. Row i belongs to position first + i. Its dimensions 2p and
   2p + 1 are the sine and the cosine of the angle of pair p. If d is odd, the last dimension is a
   sine. */
void sinusoidal_positions(int n, int d, int first, double P[n][d]);

/* RoPE: rotates each pair of row i counterclockwise by its angle at position first + i. For
   example, (1, 0) becomes the cosine and the sine. If d is odd, the last dimension is copied. */
void rotate(int n, int d, int first, const double X[n][d], double out[n][d]);

/* The backward pass of rotate: adds the gradient of X to d_X. */
void rotate_backward(int n, int d, int first, const double d_out[n][d], double d_X[n][d]);

/* Returns ALiBi's slope of a head: 2^(-8 (head + 1) / n_heads), for any n_heads. Heads count from
   0. */
double alibi_slope(int n_heads, int head);

/* ALiBi's bias: bias[i][j] is -slope times the distance between the query of row i, at position
   first + i, and key j, at position j. */
void alibi_bias(int n_q, int n_k, int first, double slope, double bias[n_q][n_k]);

/* The attention of lesson 03, or that of lesson 05 if `blocked` is not NULL, with a bias. The dot
   products are multiplied by the scale, then bias[i][j] is added, and then comes the softmax. The
   bias is not trained, so the backward pass is that of lesson 03 or 05, with the weights that this
   function computes. */
void biased_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const double bias[n_q][n_k], const bool blocked[n_q][n_k],
                      double weights[n_q][n_k], double out[n_q][d_v]);

#endif
