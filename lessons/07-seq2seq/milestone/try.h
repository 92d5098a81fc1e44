/* `make try-07`: type a sentence, and see what the network writes and where it attends. */
#ifndef TRY_H
#define TRY_H

#include "network.h"

/* Reads lines until one is empty. A line with a digit in it is a date. */
void converse(const struct network *translator, const struct network *calendar);

#endif
