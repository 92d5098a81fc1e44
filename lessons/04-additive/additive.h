/* Lesson 04: let a small network decide how well a key fits.

   There are n_q queries of d_q dimensions and n_k keys of d_k dimensions, and d_q and d_k may
   differ. Each pair of a query and a key has a hidden layer of d_a units. Each key has a value of
   d_v dimensions. Outputs come last and do not overlap the inputs. They have no defined values
   before the call, except in a function whose name ends in _backward, which ADDS (+=) to its
   outputs. No function declares an array whose size grows with n_q or n_k. */
#ifndef ADDITIVE_H
#define ADDITIVE_H

/* Returns Bahdanau's score of one query and one key, v_a . tanh(W_q query + W_k key), where tanh is
   applied to each of the d_a sums. */
double additive_score(int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                      const double W_k[d_a][d_k], const double v_a[d_a], const double query[d_q],
                      const double key[d_k]);

/* Returns Luong's score concat, v_a . tanh(W [query; key]). The first d_q columns of W belong to
   the query and the other d_k columns to the key. */
double concat_score(int d_q, int d_k, int d_a, const double W[d_a][d_q + d_k],
                    const double v_a[d_a], const double query[d_q], const double key[d_k]);

/* Returns Luong's score general, which is query . (W key). */
double general_score(int d_q, int d_k, const double W[d_q][d_k], const double query[d_q],
                     const double key[d_k]);

/* Writes the additive score of query i and key j into scores[i][j]. Also writes the d_a hidden
   units of this pair, which are the results of tanh, into hidden[i][j] for the backward pass.
   Multiplies W_q by each query only once and W_k by each key only once, not once for each pair. */
void additive_scores(int n_q, int n_k, int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                     const double W_k[d_a][d_k], const double v_a[d_a], const double Q[n_q][d_q],
                     const double K[n_k][d_k], double hidden[n_q][n_k][d_a],
                     double scores[n_q][n_k]);

/* The backward pass of additive_scores. Computes the gradients of W_q, W_k, v_a, Q and K from
   d_scores, and adds them to d_W_q, d_W_k, d_v_a, d_Q and d_K. `hidden` comes from the forward
   pass. */
void additive_scores_backward(int n_q, int n_k, int d_q, int d_k, int d_a,
                              const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                              const double v_a[d_a], const double Q[n_q][d_q],
                              const double K[n_k][d_k], const double hidden[n_q][n_k][d_a],
                              const double d_scores[n_q][n_k], double d_W_q[d_a][d_q],
                              double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                              double d_K[n_k][d_k]);

/* Computes the scores, applies the softmax to the row of each query, and writes the weighted sums
   of the values into out. `hidden` and `weights` are kept for the backward pass. */
void additive_attention(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                        const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                        const double v_a[d_a], const double Q[n_q][d_q], const double K[n_k][d_k],
                        const double V[n_k][d_v], double hidden[n_q][n_k][d_a],
                        double weights[n_q][n_k], double out[n_q][d_v]);

/* The backward pass of additive_attention. Computes the gradients of W_q, W_k, v_a, Q, K and V from
   d_out, and adds them to d_W_q, d_W_k, d_v_a, d_Q, d_K and d_V. `hidden` and `weights` come from
   the forward pass. */
void additive_attention_backward(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                                 const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                                 const double v_a[d_a], const double Q[n_q][d_q],
                                 const double K[n_k][d_k], const double V[n_k][d_v],
                                 const double hidden[n_q][n_k][d_a], const double weights[n_q][n_k],
                                 const double d_out[n_q][d_v], double d_W_q[d_a][d_q],
                                 double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                                 double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* Writes the general score of query i and key j into scores[i][j]. */
void general_scores(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                    const double Q[n_q][d_q], const double K[n_k][d_k], double scores[n_q][n_k]);

/* The backward pass of general_scores. Computes the gradients of W, Q and K from d_scores, and adds
   them to d_W, d_Q and d_K. */
void general_scores_backward(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                             const double Q[n_q][d_q], const double K[n_k][d_k],
                             const double d_scores[n_q][n_k], double d_W[d_q][d_k],
                             double d_Q[n_q][d_q], double d_K[n_k][d_k]);

#endif
