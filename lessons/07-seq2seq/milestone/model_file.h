/* A trained network in a file: eight letters that say what it is, a version, all sizes, a checksum
   of the task's words, the numbers, and a checksum of all that. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include "network.h"

/* Each returns false and says why in one line on stderr. A file is replaced whole or not at all. */
bool model_save(const char *path, const struct network *net);

/* Into `net`, made for the task; it stays as it was unless the whole file is right. */
bool model_load(const char *path, struct network *net);

#endif
