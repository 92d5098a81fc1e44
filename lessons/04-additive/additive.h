/* Lesson 04: let a small network decide how well a key fits.

   n_q queries of d_q numbers ask, n_k keys of d_k numbers answer: the sizes may differ. Between
   them lies a hidden layer of d_a numbers for each pair, and each key carries a value of d_v.
   Outputs come last and start out undefined; they may not overlap the inputs. A function called
   ..._backward ADDS (+=) into every d_... that it is given last. No function keeps an array of its
   own that grows with n_q or n_k. */
#ifndef ADDITIVE_H
#define ADDITIVE_H

/* Bahdanau's score of one pair: v_a . tanh(W_q query + W_k key). */
double additive_score(int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                      const double W_k[d_a][d_k], const double v_a[d_a], const double query[d_q],
                      const double key[d_k]);

/* Luong's concat: v_a . tanh(W [query; key]). The first d_q columns of W meet the query, the other
   d_k the key. */
double concat_score(int d_q, int d_k, int d_a, const double W[d_a][d_q + d_k],
                    const double v_a[d_a], const double query[d_q], const double key[d_k]);

/* Luong's general: query . W key. */
double general_score(int d_q, int d_k, const double W[d_q][d_k], const double query[d_q],
                     const double key[d_k]);

/* The additive score of every query with every key. hidden[i][j] receives the d_a values of tanh
   for query i and key j, which the backward pass needs. W_q meets each query once and W_k each key
   once, not once for each pair. */
void additive_scores(int n_q, int n_k, int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                     const double W_k[d_a][d_k], const double v_a[d_a], const double Q[n_q][d_q],
                     const double K[n_k][d_k], double hidden[n_q][n_k][d_a],
                     double scores[n_q][n_k]);

/* Adds what d_scores means for the weights of the network into d_W_q, d_W_k and d_v_a, for the
   queries into d_Q and for the keys into d_K. */
void additive_scores_backward(int n_q, int n_k, int d_q, int d_k, int d_a,
                              const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                              const double v_a[d_a], const double Q[n_q][d_q],
                              const double K[n_k][d_k], const double hidden[n_q][n_k][d_a],
                              const double d_scores[n_q][n_k], double d_W_q[d_a][d_q],
                              double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                              double d_K[n_k][d_k]);

/* Score, softmax each query's row, blend. Leaves hidden and weights for the backward pass. */
void additive_attention(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                        const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                        const double v_a[d_a], const double Q[n_q][d_q], const double K[n_k][d_k],
                        const double V[n_k][d_v], double hidden[n_q][n_k][d_a],
                        double weights[n_q][n_k], double out[n_q][d_v]);

/* The whole way back, from d_out to everything that the forward pass was given. */
void additive_attention_backward(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                                 const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                                 const double v_a[d_a], const double Q[n_q][d_q],
                                 const double K[n_k][d_k], const double V[n_k][d_v],
                                 const double hidden[n_q][n_k][d_a], const double weights[n_q][n_k],
                                 const double d_out[n_q][d_v], double d_W_q[d_a][d_q],
                                 double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                                 double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* The general score of every query with every key. */
void general_scores(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                    const double Q[n_q][d_q], const double K[n_k][d_k], double scores[n_q][n_k]);

/* Adds what d_scores means for W into d_W, for the queries into d_Q and for the keys into d_K. */
void general_scores_backward(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                             const double Q[n_q][d_q], const double K[n_k][d_k],
                             const double d_scores[n_q][n_k], double d_W[d_q][d_k],
                             double d_Q[n_q][d_q], double d_K[n_k][d_k]);

#endif
