/* Which part of the way back takes how long? */
#ifndef SHARES_H
#define SHARES_H

/* Writes shares.dat: of a whole tile, microseconds of each of its five products and of the softmax.
 */
void write_shares(const char *folder);

#endif
