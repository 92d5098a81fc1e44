/* The shapes of the arrays that a struct points to, as a part of their declarations:

       VECTOR(gain, d_model);             declares  double *gain
       MATRIX(W, d_in, 3 * d);            declares  void *W, for W[d_in][3 * d]
       TENSOR(Q, n_heads, n, d_head);     declares  void *Q, for Q[n_heads][n][d_head]

   C cannot keep sizes in the type of a member, so the compiler sees the pointer alone. The tools
   read the sizes, too: they know from them how many numbers belong to an array. To use a matrix,
   give its sizes back to it: `double(*W)[3 * d] = w->W;`, and its numbers are W[r][c].

   A size is a member of the struct, of a struct inside it, or of the struct `w` that take_...() is
   given; or a number that take_...() is given. */
#ifndef SHAPE_H
#define SHAPE_H

#define VECTOR(name, size)          double *name
#define MATRIX(name, rows, columns) void *name
#define TENSOR(name, ...)           void *name

/* `struct encoder_block encoder[USED_OF(n_encoders, MOST_BLOCKS)]`: an array of MOST_BLOCKS
   structs, of which the first n_encoders are used. */
#define USED_OF(count, most) most

/* `struct attention_layer_values self WHERE(m = n)`: in the sizes of that struct, m means our n. */
#define WHERE(...)

#endif
