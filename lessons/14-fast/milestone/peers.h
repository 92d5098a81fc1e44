/* Others that can do attention, if they are installed. Nothing of them is needed to build. */
#ifndef PEERS_H
#define PEERS_H

#include "work.h"

/* OpenBLAS (Debian: libopenblas0), as the kernels of two matrix products, 128 rows of weights at a
   time, with our softmax between them. */
extern const struct runner openblas;

/* PyTorch (Debian: python3-torch) in a process of its own: scaled_dot_product_attention where it
   has that, and otherwise two products and a softmax. */
extern const struct runner torch, torch_backward;

/* Looks for both, and says which there are: "OpenBLAS 0.3.21, SkylakeX". Call it before any thread
   is started. */
void find_peers(void);
const char *openblas_version(void); /* NULL: it is not there */
const char *torch_version(void);

#endif
