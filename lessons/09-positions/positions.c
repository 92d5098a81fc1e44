#include "positions.h"

#include "dot_product.h"
#include "masked.h"
#include "scaled.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>
#include <stdlib.h>

void embed(int n, int vocabulary, int d, double scale, const int words[n],
           const double table[vocabulary][d], double X[n][d]) {
    TODO("word i chooses its row of the table");
}

void embed_backward(int n, int vocabulary, int d, double scale, const int words[n],
                    const double d_X[n][d], double d_table[vocabulary][d]) {
    TODO("back to the row that was chosen; a word may come twice");
}

double position_angle(int position, int pair, int d) {
    TODO("the header's formula, with pow(), and no division of one int by another");
}

void sinusoidal_positions(int n, int d, int first, double P[n][d]) {
    TODO("number c belongs to pair c / 2; is c even, or odd?");
}

void rotate(int n, int d, int first, const double X[n][d], double out[n][d]) {
    TODO("two numbers at a time; where do (1, 0) and (0, 1) go?");
}

void rotate_backward(int n, int d, int first, const double d_out[n][d], double d_X[n][d]) {
    TODO("a turn is undone by the turn the other way");
}

double alibi_slope(int n_heads, int head) {
    TODO("the header's formula; the first head is head 0");
}

void alibi_bias(int n_q, int n_k, int first, double slope, double bias[n_q][n_k]) {
    TODO("a charge for each word between, whichever of the two comes first");
}

void biased_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const double bias[n_q][n_k], const bool blocked[n_q][n_k],
                      double weights[n_q][n_k], double out[n_q][d_v]) {
    TODO("lesson 03's steps; where does the bias come in?");
}
