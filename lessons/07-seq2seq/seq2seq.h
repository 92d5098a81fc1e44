/* Lesson 07: an encoder reads a sentence, a decoder writes another, without attention or with it.

   Words come as vectors of numbers, and states have d numbers. What meets a matrix is a matrix of
   one row here, `x[1][d_in]`, as lesson 06's project wants it. The three gates of a GRU lie side by
   side in a row of 3 * d numbers: first d for the update z, then d for the reset r, then d for the
   candidate n.

   Outputs come last and start out undefined; they may not overlap the inputs. A function called
   ..._backward ADDS (+=) into every d_... that is no `const`. Gradients of what lies half-way, such
   as d_gates or d_c, are among these: what they hold after adding goes on. The caller zeroes them
   for each step, and can plot them afterwards.

   The milestone calls these functions from two threads at once: keep nothing in `static` variables.
 */
#ifndef SEQ2SEQ_H
#define SEQ2SEQ_H

/* One step of a gated recurrent unit: the state h reads x and becomes next.

       heard = h U            gates starts as x W
       z = sigmoid(z of gates + z of heard)          the same for r
       n = tanh(n of gates + r * n of heard)         r acts after U
       next = (1 - z) * n + z * h

   gates is left holding z, r and n, and heard h U: the way back needs both. */
void gru_step(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
              const double x[1][d_in], const double h[1][d], double gates[1][3 * d],
              double heard[1][3 * d], double next[1][d]);

/* The way back, from d_next. d_gates and d_heard are the gradients of the two sums x W and h U;
   what they hold after adding goes on to W and x, and to U and h. h has a straight way, too: next
   holds z * h. */
void gru_step_backward(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
                       const double x[1][d_in], const double h[1][d], const double gates[1][3 * d],
                       const double heard[1][3 * d], const double d_next[1][d],
                       double d_gates[1][3 * d], double d_heard[1][3 * d], double d_W[d_in][3 * d],
                       double d_U[d][3 * d], double d_x[1][d_in], double d_h[1][d]);

/* Reads the n words of X in both directions, with a GRU for each: W[0] and U[0] from the first word
   to the last, W[1] and U[1] from the last to the first. H[j][0] has read the words 0 to j, H[j][1]
   the words n-1 down to j: each has just read word j. Before its first word a reader's state is
   start[0], or start[1]. gates and heard are what the steps leave. */
void encode(int n, int d_in, int d, const double W[2][d_in][3 * d], const double U[2][d][3 * d],
            const double X[n][d_in], const double start[2][d], double gates[n][2][3 * d],
            double heard[n][2][3 * d], double H[n][2][d]);

/* The way back. d_H comes with what the rest of the network has sent to each state; what a state
   owes to its neighbour's is added to it here, and it goes on from there. */
void encode_backward(int n, int d_in, int d, const double W[2][d_in][3 * d],
                     const double U[2][d][3 * d], const double X[n][d_in], const double start[2][d],
                     const double gates[n][2][3 * d], const double heard[n][2][3 * d],
                     const double H[n][2][d], double d_H[n][2][d], double d_gates[n][2][3 * d],
                     double d_heard[n][2][3 * d], double d_W[2][d_in][3 * d],
                     double d_U[2][d][3 * d], double d_X[n][d_in], double d_start[2][d]);

/* The whole sentence in one vector: the two states that have read all n words, the first reader's
   in c[0], the second's in c[1]. */
void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]);

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]);

/* One step of the decoder: its state s reads the word y that was written last, and beside it the
   context c, as one row, the input [y; c]; s becomes next. */
void decoder_step(int d_word, int d_context, int d, const double W[d_word + d_context][3 * d],
                  const double U[d][3 * d], const double y[1][d_word], const double c[1][d_context],
                  const double s[1][d], double input[1][d_word + d_context], double gates[1][3 * d],
                  double heard[1][3 * d], double next[1][d]);

void decoder_step_backward(int d_word, int d_context, int d,
                           const double W[d_word + d_context][3 * d], const double U[d][3 * d],
                           const double s[1][d], const double input[1][d_word + d_context],
                           const double gates[1][3 * d], const double heard[1][3 * d],
                           const double d_next[1][d], double d_gates[1][3 * d],
                           double d_heard[1][3 * d], double d_input[1][d_word + d_context],
                           double d_W[d_word + d_context][3 * d], double d_U[d][3 * d],
                           double d_y[1][d_word], double d_c[1][d_context], double d_s[1][d]);

/* The same step with a context of its own: the state s, before it reads y, looks back at the n_k
   states of the encoder by lesson 04's additive attention. They are keys and values both. */
void attention_step(int n_k, int d_word, int d_k, int d, int d_a, const double W_q[d_a][d],
                    const double W_k[d_a][d_k], const double v_a[d_a],
                    const double W[d_word + d_k][3 * d], const double U[d][3 * d],
                    const double y[1][d_word], const double H[n_k][d_k], const double s[1][d],
                    double hidden[1][n_k][d_a], double weights[1][n_k], double c[1][d_k],
                    double input[1][d_word + d_k], double gates[1][3 * d], double heard[1][3 * d],
                    double next[1][d]);

void attention_step_backward(int n_k, int d_word, int d_k, int d, int d_a, const double W_q[d_a][d],
                             const double W_k[d_a][d_k], const double v_a[d_a],
                             const double W[d_word + d_k][3 * d], const double U[d][3 * d],
                             const double H[n_k][d_k], const double s[1][d],
                             const double hidden[1][n_k][d_a], const double weights[1][n_k],
                             const double input[1][d_word + d_k], const double gates[1][3 * d],
                             const double heard[1][3 * d], const double d_next[1][d],
                             double d_gates[1][3 * d], double d_heard[1][3 * d],
                             double d_input[1][d_word + d_k], double d_c[1][d_k],
                             double d_W_q[d_a][d], double d_W_k[d_a][d_k], double d_v_a[d_a],
                             double d_W[d_word + d_k][3 * d], double d_U[d][3 * d],
                             double d_y[1][d_word], double d_H[n_k][d_k], double d_s[1][d]);

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
   words are written. Returns how many there are in `words`. */
int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]);

#endif
