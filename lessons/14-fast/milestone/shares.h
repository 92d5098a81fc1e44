/* How long does each part of the backward pass take? */
#ifndef SHARES_H
#define SHARES_H

/* Writes shares.dat: the microseconds of the five products and of the softmax, for a whole tile. */
void write_shares(const char *folder);

#endif
