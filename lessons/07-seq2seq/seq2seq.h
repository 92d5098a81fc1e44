/* Lesson 07: an encoder reads a sentence and a decoder writes another one, with attention or
   without.

   A word comes as its embedding, a vector of d_in numbers, and a state has d numbers. A vector that
   is multiplied by a matrix is declared as a matrix with one row, `x[1][d_in]`, because project()
   of lesson 06 takes matrices. The three parts of a GRU share a row of 3 * d numbers: the first d
   belong to the update gate z, the next d to the reset gate r, and the last d to the candidate n.

   Matrices that belong together are members of a struct, together with their sizes. The declaration
   MATRIX(U, d, 3 * d) means `void *U`, and says that U points to a matrix U[d][3 * d]. VECTOR and
   TENSOR declare an array with one dimension or with three (see shape.h). You can pass U to any
   function that takes such a matrix. To reach a single number, first give the pointer its shape:

       project(1, w->d_in, 3 * w->d, x, w->W, v->gates);
       double(*gates)[3 * d] = v->gates;         now gates[0][c] is number c

   The parameters `w` and their gradients `d_w` have the same struct type. The values `v`, which a
   forward pass keeps for its backward pass, and their gradients `d_v` also share a type. A `const`
   struct is an input. v is an output of the forward pass, and d_v and d_w are outputs of the
   backward pass. In the messages of the tests, gates is v->gates, and d_gates is d_v->gates.

   Outputs come last and may not overlap inputs. At first they have no defined values, and the
   matrices of v have none either. A function called ..._backward ADDS (+=) to its outputs and to
   the matrices of d_v and d_w. The caller sets the matrices of d_v to 0 before each step. First add
   to d_v, and then pass its totals to the functions that need these gradients.

   The milestone calls these functions from two threads at the same time. So keep nothing in
   `static` or global variables, because both threads would write to them (a test checks this).
 */
#ifndef SEQ2SEQ_H
#define SEQ2SEQ_H

#include "room.h"
#include "shape.h"

/* The parameters of a gated recurrent unit (GRU) that reads vectors of d_in numbers, or the
   gradients of these parameters. */
struct gru {
    int d_in, d;
    MATRIX(W, d_in, 3 * d); /* is multiplied by the word x */
    MATRIX(U, d, 3 * d);    /* is multiplied by the state h */
};

/* What a step keeps for its backward pass, as v. When the same struct is d_v, its gates is the
   gradient of x W, and its acc is the gradient of h U. */
struct gru_values {
    MATRIX(gates, 1, 3 * d); /* z, r and n */
    MATRIX(acc, 1, 3 * d);   /* the product h U */
};

/* These functions are given, as are all take_...(). They place the matrices of a struct in a
   buffer, one after the other. */
struct gru take_gru(struct room *room, int d_in, int d);
struct gru_values take_gru_values(struct room *room, const struct gru *w);

/* One step of a GRU: from the word x and the state h to the new state `next`.

       gates = x W          acc = h U
       z = sigmoid(z part of gates + z part of acc)          the same for r
       n = tanh(n part of gates + r * n part of acc)         r is applied after U
       next = (1 - z) * n + z * h

   At the end, gates holds z, r and n, and acc still holds h U. The backward pass needs both. */
void gru_step(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
              struct gru_values *v, double next[1][w->d]);

/* The backward pass, from d_next. Add the gradient of x W to d_v->gates and the gradient of h U to
   d_v->acc. Then use their totals: d_gates for x and W, and d_acc for h and U. The state h also
   receives a gradient directly, because next contains z * h. */
void gru_step_backward(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
                       const struct gru_values *v, const double d_next[1][w->d],
                       struct gru_values *d_v, struct gru *d_w, double d_x[1][w->d_in],
                       double d_h[1][w->d]);

/* Reads the n words of X with two GRUs of the same sizes. The first, w[0], reads from the first
   word to the last, and the second, w[1], from the last word to the first. So the state H[j][0] has
   read the words 0 to j, and H[j][1] the words n-1 down to j. The initial states are start[0]
   and start[1]. v[j][0] and v[j][1] hold the values of the two steps at word j. */
void encode(int n, const struct gru w[2], const double X[n][w->d_in], const double start[2][w->d],
            struct gru_values v[n][2], double H[n][2][w->d]);

/* The backward pass. At first, d_H holds the gradient of each state from the rest of the network.
   The backward pass of a step adds to the gradient of the state from which the step started, in d_H
   or in d_start. The gradient of a state is complete after this addition, so take the steps of each
   GRU in reverse order. */
void encode_backward(int n, const struct gru w[2], const double X[n][w->d_in],
                     const double start[2][w->d], const struct gru_values v[n][2],
                     const double H[n][2][w->d], double d_H[n][2][w->d],
                     struct gru_values d_v[n][2], struct gru d_w[2], double d_X[n][w->d_in],
                     double d_start[2][w->d]);

/* The context vector without attention: the two final states, which have read all n words. The
   first GRU's final state goes to c[0], and the second GRU's to c[1]. */
void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]);

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]);

/* A decoder without attention is a GRU whose input is a word, followed by a context vector. */
struct context_decoder {
    int d_word, d_context;
    struct gru gru; /* its d_in is d_word + d_context */
};
struct context_decoder_values {
    MATRIX(input, 1, d_word + d_context); /* the word, then the context */
    struct gru_values gru;
};
struct context_decoder take_context_decoder(struct room *room, int d_word, int d_context, int d);
struct context_decoder_values take_context_decoder_values(struct room *room,
                                                          const struct context_decoder *w);

/* One step of the decoder, from the state s to the state `next`. The input of its GRU is one row:
   the previous word y, followed by the context vector c. */
void decoder_step(const struct context_decoder *w, const double y[1][w->d_word],
                  const double c[1][w->d_context], const double s[1][w->gru.d],
                  struct context_decoder_values *v, double next[1][w->gru.d]);

/* First add the gradient of the input to d_v->input. Then add the two parts of its total to d_y and
   d_c. */
void decoder_step_backward(const struct context_decoder *w, const double s[1][w->gru.d],
                           const struct context_decoder_values *v, const double d_next[1][w->gru.d],
                           struct context_decoder_values *d_v, struct context_decoder *d_w,
                           double d_y[1][w->d_word], double d_c[1][w->d_context],
                           double d_s[1][w->gru.d]);

/* A decoder with the additive attention of lesson 04. A key has decoder.d_context numbers, and a
   query has decoder.gru.d numbers. */
struct attention_decoder {
    int d_a;
    MATRIX(W_q, d_a, decoder.gru.d);
    MATRIX(W_k, d_a, decoder.d_context);
    VECTOR(v_a, d_a);
    struct context_decoder decoder;
};
struct attention_decoder_values {
    TENSOR(hidden, 1, n_k, d_a);        /* d_v has it, too, but does not use it */
    MATRIX(weights, 1, n_k);            /* as hidden */
    MATRIX(c, 1, w->decoder.d_context); /* the context vector */
    struct context_decoder_values decoder;
};
struct attention_decoder take_attention_decoder(struct room *room, int d_word, int d_k, int d,
                                                int d_a);
struct attention_decoder_values
take_attention_decoder_values(struct room *room, const struct attention_decoder *w, int n_k);

/* One step of the decoder with attention. The query is the state s, before it reads y. The n_k
   states of the encoder, the rows of H, are both keys and values. The result of the additive
   attention is the context vector of this step. */
void attention_step(int n_k, const struct attention_decoder *w,
                    const double y[1][w->decoder.d_word], const double H[n_k][w->decoder.d_context],
                    const double s[1][w->decoder.gru.d], struct attention_decoder_values *v,
                    double next[1][w->decoder.gru.d]);

/* The backward pass, from d_next. Leave d_v->hidden and d_v->weights unchanged, because
   additive_attention_backward() does not return these gradients. */
void attention_step_backward(
    int n_k, const struct attention_decoder *w, const double H[n_k][w->decoder.d_context],
    const double s[1][w->decoder.gru.d], const struct attention_decoder_values *v,
    const double d_next[1][w->decoder.gru.d], struct attention_decoder_values *d_v,
    struct attention_decoder *d_w, double d_y[1][w->decoder.d_word],
    double d_H[n_k][w->decoder.d_context], double d_s[1][w->decoder.gru.d]);

/* Words are numbered from 0. Two of the numbers are special words, for the beginning and the end of
   a sentence. PADDING is a target that does not count. */
enum { BEGIN = 0, END = 1, PADDING = -1 };

/* The inputs and the targets of the decoder in training. The inputs are BEGIN and then the right
   words, and the targets are the words and then END, which takes n + 1 steps. If there are more
   steps, each of them has END as input and PADDING as target. */
void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]);

/* The mean cross-entropy of all steps whose target is not PADDING, or 0 if there is no such step.
   The gradient of the mean is added to d_logits in the rows of these steps. */
double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]);

void sequence_loss_backward(int steps, int vocabulary, const double logits[steps][vocabulary],
                            const int targets[steps], double d_logits[steps][vocabulary]);

/* Computes one step of `decoder` with the input `word`. `logits` receives one logit for each word
   of the vocabulary. */
typedef void decoder_function(void *decoder, int word, double logits[]);

/* Writes a sentence by greedy decoding. The first input of `step` is BEGIN, and each later input is
   the word just chosen. The chosen word is the one with the largest logit, or on a tie the first of
   them. Stops when END is chosen, which is not stored, or when `limit` words are stored, and does
   not call `step` after that. Returns the number of stored words and leaves the rest of `words`
   unchanged. */
int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]);

#endif
