/* Other libraries that can compute attention, if they are installed. None is needed to build. */
#ifndef PEERS_H
#define PEERS_H

#include "work.h"

/* OpenBLAS (Debian: libopenblas0) computes two matrix products, for 128 rows of weights at a time,
   and our code computes the softmax between them. */
extern const struct runner openblas;

/* PyTorch (Debian: python3-torch) in a process of its own: scaled_dot_product_attention if it
   exists, and otherwise two products and a softmax. */
extern const struct runner torch, torch_backward;

/* Looks for both. Call it before any thread is started. The versions are texts such as "OpenBLAS
   0.3.21, SkylakeX". */
void find_peers(void);
const char *openblas_version(void); /* NULL if it is not installed */
const char *torch_version(void);

#endif
