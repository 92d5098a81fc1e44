/* What happens inside the model while it reads a text: attention weights, losses, and what each
   layer would predict. All of it in doubles. */
#ifndef INSIDE_H
#define INSIDE_H

#include "teller.h"

/* map[i][j] is the weight that token i gives to token j in one head. Row i ends with j = i, and the
   rest of it is 0. */
void map_head(struct teller *t, int n, const int words[n], int layer, int head, double map[n][n]);

/* losses[i] is the surprise of token i + 1 after the tokens before it. */
void read_losses(struct teller *t, int n, const int words[n], double losses[n - 1]);

/* The logits that the last norm and the logits' matrix give for x before layer b. For b = n_layers
   they are the model's own logits. Reading another token changes them. */
void lens_logits(struct teller *t, int b, double logits[]);

#endif
