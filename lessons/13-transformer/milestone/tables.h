/* Tables for the plots. */
#ifndef TABLES_H
#define TABLES_H

#include "machine.h"

/* The cross-attention weights of each head while a date is written: date-1.dat and so on. */
void write_date(const char *folder, struct machine *dates);

/* gradients.dat: the size of the gradient of each matrix, after training and at initialization. */
void write_gradients(const char *folder, struct machine *translator);

#endif
