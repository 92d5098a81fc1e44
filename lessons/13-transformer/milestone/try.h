/* `make try-13`: type sentences, and see the attention weights of every head. */
#ifndef TRY_H
#define TRY_H

#include "machine.h"

/* Reads lines until one is empty. */
void converse(struct machine *translator, struct machine *calendar, struct machine *writer);

#endif
