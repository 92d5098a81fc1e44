/* `make try-13`: type, and watch every head of every layer look. */
#ifndef TRY_H
#define TRY_H

#include "machine.h"

/* Reads lines until one is empty. */
void converse(struct machine *translator, struct machine *calendar, struct machine *writer);

#endif
