/* `make try-16`: writes on from what you type, and shows what happens inside. */
#ifndef TRY_H
#define TRY_H

int try_out(const char *folder);

#endif
