/* What is kept of the three for the pictures. */
#ifndef TABLES_H
#define TABLES_H

#include "machine.h"

/* Where each head looks while the dates are written: date-1.dat and so on, by cross-attention. */
void write_date(const char *folder, struct machine *dates);

/* gradients.dat: what a number of each matrix hears of the loss, in a translator as it is and in
   the same one before its first step. */
void write_gradients(const char *folder, struct machine *translator);

#endif
