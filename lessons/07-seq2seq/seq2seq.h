/* Lesson 07: an encoder reads a sentence, a decoder writes another, without attention or with it.

   Words come as vectors of numbers, and states have d numbers. What meets a matrix is a matrix of
   one row here, `x[1][d_in]`, as lesson 06's project wants it. The three gates of a GRU lie side by
   side in a row of 3 * d numbers: first d for the update z, then d for the reset r, then d for the
   candidate n.

   Matrices that belong together travel in a struct, together with their sizes. The declaration
   MATRIX(U, d, 3 * d) stands for `void *U`, and says that U points to a matrix U[d][3 * d]; VECTOR
   and TENSOR do the same for one size and for three (shape.h). Any function takes U as the matrix
   that it wants. To reach a number, give the pointer its shape:

       project(1, w->d_in, 3 * w->d, x, w->W, v->gates);
       double(*gates)[3 * d] = v->gates;         and gates[0][c] is number c

   Weights `w` and their gradients `d_w` are of one type, and so are the values `v`, which a step
   leaves for its way back, and their gradients `d_v`. A struct that is an input is `const`; v is an
   output on the way forward, d_v and d_w are outputs on the way back. Tests call the matrix of
   v->gates gates, that of d_v->gates d_gates, that of d_w->W d_W.

   Outputs come last and start out undefined, as does what v points to; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that is no `const double`, and
   into what d_v and d_w point to. In d_v are the gradients of what lies half-way: what they hold
   after adding goes on. The caller zeroes them for each step, and can plot them afterwards.

   The milestone calls these functions from two threads at once: keep nothing in `static` or global
   variables, where both threads would write. A test looks whether you do.
 */
#ifndef SEQ2SEQ_H
#define SEQ2SEQ_H

#include "room.h"
#include "shape.h"

/* A gated recurrent unit, which reads vectors of d_in numbers; or the gradients of its matrices. */
struct gru {
    int d_in, d;
    MATRIX(W, d_in, 3 * d); /* meets the word */
    MATRIX(U, d, 3 * d);    /* meets the state */
};

/* What a step leaves for the way back; or their gradients, those of the two sums x W and h U. */
struct gru_values {
    MATRIX(gates, 1, 3 * d); /* z, r and n */
    MATRIX(acc, 1, 3 * d);   /* h U */
};

/* These are given, as all take_...() are: they lay a struct out in a room, member after member. */
struct gru take_gru(struct room *room, int d_in, int d);
struct gru_values take_gru_values(struct room *room, const struct gru *w);

/* One step of a gated recurrent unit: the state h reads x and becomes next.

       acc = h U            gates starts as x W
       z = sigmoid(z of gates + z of acc)          the same for r
       n = tanh(n of gates + r * n of acc)         r acts after U
       next = (1 - z) * n + z * h

   gates is left holding z, r and n, and acc h U: the way back needs both. */
void gru_step(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
              struct gru_values *v, double next[1][w->d]);

/* The way back, from d_next. In d_v, gates and acc are the gradients of the two sums x W and h U;
   what they hold after adding goes on to W and x, and to U and h. h has a straight way, too: next
   holds z * h. */
void gru_step_backward(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
                       const struct gru_values *v, const double d_next[1][w->d],
                       struct gru_values *d_v, struct gru *d_w, double d_x[1][w->d_in],
                       double d_h[1][w->d]);

/* Reads the n words of X in both directions, with a GRU for each, of the same sizes: w[0] from the
   first word to the last, w[1] from the last to the first. H[j][0] has read the words 0 to j,
   H[j][1] the words n-1 down to j: each has just read word j. Before its first word a reader's
   state is start[0], or start[1]. v[j][0] and v[j][1] are what the steps at word j leave. */
void encode(int n, const struct gru w[2], const double X[n][w->d_in], const double start[2][w->d],
            struct gru_values v[n][2], double H[n][2][w->d]);

/* The way back. d_H comes with what the rest of the network has sent to each state; what a state
   owes to its neighbour's is added to it here, and it goes on from there. */
void encode_backward(int n, const struct gru w[2], const double X[n][w->d_in],
                     const double start[2][w->d], const struct gru_values v[n][2],
                     const double H[n][2][w->d], double d_H[n][2][w->d],
                     struct gru_values d_v[n][2], struct gru d_w[2], double d_X[n][w->d_in],
                     double d_start[2][w->d]);

/* The whole sentence in one vector: the two states that have read all n words, the first reader's
   in c[0], the second's in c[1]. */
void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]);

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]);

/* A decoder reads a word and beside it a context: a GRU with both for its input. */
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

/* One step of the decoder: its state s reads the word y that was written last, and beside it the
   context c, as one row, the input [y; c]; s becomes next. */
void decoder_step(const struct context_decoder *w, const double y[1][w->d_word],
                  const double c[1][w->d_context], const double s[1][w->gru.d],
                  struct context_decoder_values *v, double next[1][w->gru.d]);

/* d_v->input collects first; what it then holds goes on to d_y and d_c. */
void decoder_step_backward(const struct context_decoder *w, const double s[1][w->gru.d],
                           const struct context_decoder_values *v, const double d_next[1][w->gru.d],
                           struct context_decoder_values *d_v, struct context_decoder *d_w,
                           double d_y[1][w->d_word], double d_c[1][w->d_context],
                           double d_s[1][w->gru.d]);

/* A decoder with lesson 04's additive attention: the size of a key is decoder.d_context, and d is
   decoder.gru.d. */
struct attention_decoder {
    int d_a;
    MATRIX(W_q, d_a, decoder.gru.d);
    MATRIX(W_k, d_a, decoder.d_context);
    VECTOR(v_a, d_a);
    struct context_decoder decoder;
};
struct attention_decoder_values {
    TENSOR(hidden, 1, n_k, d_a);        /* no gradient of it is kept */
    MATRIX(weights, 1, n_k);            /* neither of these */
    MATRIX(c, 1, w->decoder.d_context); /* the context */
    struct context_decoder_values decoder;
};
struct attention_decoder take_attention_decoder(struct room *room, int d_word, int d_k, int d,
                                                int d_a);
struct attention_decoder_values
take_attention_decoder_values(struct room *room, const struct attention_decoder *w, int n_k);

/* The same step with a context of its own: the state s, before it reads y, looks back at the n_k
   states of the encoder by lesson 04's additive attention. They are keys and values both. */
void attention_step(int n_k, const struct attention_decoder *w,
                    const double y[1][w->decoder.d_word], const double H[n_k][w->decoder.d_context],
                    const double s[1][w->decoder.gru.d], struct attention_decoder_values *v,
                    double next[1][w->decoder.gru.d]);

/* d_v->hidden and d_v->weights stay as they are. */
void attention_step_backward(
    int n_k, const struct attention_decoder *w, const double H[n_k][w->decoder.d_context],
    const double s[1][w->decoder.gru.d], const struct attention_decoder_values *v,
    const double d_next[1][w->decoder.gru.d], struct attention_decoder_values *d_v,
    struct attention_decoder *d_w, double d_y[1][w->decoder.d_word],
    double d_H[n_k][w->decoder.d_context], double d_s[1][w->decoder.gru.d]);

/* Words are numbers from 0 on. Two of them are signs, and where a short sentence is filled up to
   the length of a longer one there is no word to be learned. */
enum { BEGIN = 0, END = 1, PADDING = -1 };

/* What the decoder reads at each step of training, and what it should then write. It reads BEGIN
   and then the right words, whatever it wrote; it should write the words and then END. Of the
   `steps` steps, n + 1 or more, those left over read END and have PADDING for a target. */
void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]);

/* The mean cross-entropy of the steps whose target is no PADDING; 0 if there is none. */
double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]);

void sequence_loss_backward(int steps, int vocabulary, const double logits[steps][vocabulary],
                            const int targets[steps], double d_logits[steps][vocabulary]);

/* Lets `decoder` read `word` and go on by one step; `logits` receives a score for each word that
   may come next. */
typedef void decoder_function(void *decoder, int word, double logits[]);

/* Writes a sentence: `step` reads BEGIN, then each word that was chosen, and the word chosen is the
   one of the largest logit, the first on a tie. Ends before END, which is not kept, or when `limit`
   words are written: then no further step is taken. Returns how many there are in `words`; its
   cells past these stay as they are. */
int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]);

#endif
