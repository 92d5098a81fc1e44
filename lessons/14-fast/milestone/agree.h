/* Do several threads compute what one does? They run at the same time here, so that a race that
   they lose shows as other numbers. */
#ifndef AGREE_H
#define AGREE_H

#include <stdbool.h>
#include <stdio.h>

/* Several times over, by at least two threads. Says to `to` what came of it. */
bool threads_agree(FILE *to);

#endif
