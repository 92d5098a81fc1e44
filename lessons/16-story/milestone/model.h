/* The model that make story-model has fetched, or another one with MODEL=file. */
#ifndef MODEL_H
#define MODEL_H

#include "checkpoint.h"
#include "vocabulary.h"

struct model {
    struct checkpoint file;
    struct vocabulary words;
    char tokenizer[4096]; /* the path of its file */
    bool is_published;    /* it is stories15M.bin, of which pinned.h knows the logits */
};

/* The status of the milestone if there is no model: then it is left out. */
enum { NO_MODEL = 4 };

/* Opens the model and its tokenizer, and says how large they are and which memory they take. Ends
   the program if there is no model, or if the file is not one. */
void model_open(struct model *m);

/* The folder of the model, for other programs that are there. */
void model_folder(const struct model *m, int size, char folder[size]);

#endif
