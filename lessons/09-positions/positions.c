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
    TODO("row i of X is the row of the table that belongs to word i, times the scale");
}

void embed_backward(int n, int vocabulary, int d, double scale, const int words[n],
                    const double d_X[n][d], double d_table[vocabulary][d]) {
    TODO("add to the row of the word, which may occur several times");
}

double position_angle(int position, int pair, int d) {
    TODO("the header's formula with pow(), without dividing two ints");
}

void sinusoidal_positions(int n, int d, int first, double P[n][d]) {
    TODO("dimension c belongs to pair c / 2; is it the sine or the cosine?");
}

void rotate(int n, int d, int first, const double X[n][d], double out[n][d]) {
    TODO("rotate one pair after another, and keep its old numbers");
}

void rotate_backward(int n, int d, int first, const double d_out[n][d], double d_X[n][d]) {
    TODO("rotate each pair in the other direction, and add");
}

double alibi_slope(int n_heads, int head) {
    TODO("the header's formula, where the first head is head 0");
}

void alibi_bias(int n_q, int n_k, int first, double slope, double bias[n_q][n_k]) {
    TODO("minus the slope times the distance, which is never negative");
}

void biased_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const double bias[n_q][n_k], const bool blocked[n_q][n_k],
                      double weights[n_q][n_k], double out[n_q][d_v]) {
    TODO("the steps of lesson 03; between which two does the bias belong?");
}
