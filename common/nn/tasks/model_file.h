/* A trained network in a file: eight letters that say what it is, a version, all sizes, a checksum
   of its words, the numbers, and a checksum of all that. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include "tasks/language.h"

#include <stdbool.h>
#include <stdint.h>

/* What a file is about. Sizes are whatever tells one network of the course from all others, the
   number of its lesson first; what is not needed is 0. */
enum { MODEL_SIZES = 8 };
struct model {
    int sizes[MODEL_SIZES];
    uint64_t words;
    int count;
    double *numbers;
};

/* What the words of a model should be: these, in this order. */
uint64_t model_words(const struct task *task);
uint64_t model_letters(const char *letters);

/* Each returns false and says why in one line on stderr. A file is replaced whole or not at all. */
bool model_save(const char *path, const struct model *m);

/* Into m->numbers; they stay as they were unless the whole file is right. */
bool model_load(const char *path, const struct model *m);

#endif
