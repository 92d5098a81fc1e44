#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 7 }; /* 32-bit integers before the floats */

int d_head_of(const struct llama_sizes *sizes) {
    return sizes->d_model / sizes->n_heads;
}

/* --- Other files ----------------------------------------------------------------------------- */

static const struct format {
    const char *begins, *what;
} formats[] = {
    {"24ka", "a newer format of llama2.c. Export the model with --version 0"},
    {"GGUF", "a file of llama.cpp, in the format GGUF"},
    {"PK\3\4", "a ZIP archive, for example a checkpoint of PyTorch"},
    {"\37\213", "a compressed archive, which has to be unpacked first"},
    {"<", "a web page"},
    {"version https://git-lfs", "a pointer of Git LFS, and not the file itself"},
};

/* Says what the file is, as far as is known. */
static bool refuse(const struct checkpoint *c, const void *data) {
    const struct llama_sizes *s = &c->model.sizes;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t length = strlen(formats[i].begins);
        if (c->bytes < length || memcmp(data, formats[i].begins, length) != 0)
            continue;
        fprintf(stderr, "%s is not a model of this format, but %s.\n", c->path, formats[i].what);
        return false;
    }
    fprintf(stderr,
            "%s is not a model of this format: its first numbers, %d %d %d %d %d %d %d,\n"
            "are not the sizes of a Llama.\n",
            c->path, s->d_model, s->d_ff, s->n_layers, s->n_heads, s->n_kv_heads, s->vocabulary,
            s->longest);
    return false;
}

/* --- Sizes ----------------------------------------------------------------------------------- */

/* Small enough that no product of three sizes overflows. */
static bool is_between(int size, int most) {
    return size >= 1 && size <= most;
}

static bool are_sizes(const struct llama_sizes *s) {
    enum { LARGE = 1 << 20 };
    return is_between(s->d_model, LARGE) && is_between(s->d_ff, LARGE) &&
           is_between(s->n_layers, MOST_LAYERS) && is_between(s->n_heads, s->d_model) &&
           is_between(s->n_kv_heads, s->n_heads) && is_between(s->longest, LARGE) &&
           is_between(s->vocabulary, LARGE) && s->vocabulary >= FIRST_PIECE &&
           s->d_model % (2 * s->n_heads) == 0 && s->n_heads % s->n_kv_heads == 0;
}

static size_t of_all_layers(const struct llama_sizes *s) {
    const size_t d = (size_t)s->d_model, d_kv = (size_t)(s->n_kv_heads * d_head_of(s));
    return (size_t)s->n_layers * (2 * d + 2 * d * d + 2 * d * d_kv + 3 * d * (size_t)s->d_ff);
}

static size_t of_table(const struct llama_sizes *s) {
    return (size_t)s->vocabulary * (size_t)s->d_model;
}

/* Before words_out the file has the sines and cosines of RoPE, which lesson 09 computes. */
static size_t of_rotations(const struct llama_sizes *s) {
    return (size_t)s->longest * (size_t)d_head_of(s);
}

static size_t of_file(const struct checkpoint *c) {
    const struct llama_sizes *s = &c->model.sizes;
    return of_table(s) * (c->shares_table ? 1 : 2) + of_all_layers(s) + (size_t)s->d_model +
           of_rotations(s);
}

double parameters_of(const struct checkpoint *c) {
    return (double)(of_file(c) - of_rotations(&c->model.sizes));
}

static bool read_sizes(const void *data, struct checkpoint *c) {
    struct llama_sizes *s = &c->model.sizes;
    memcpy(s, data, HEAD * sizeof(int32_t));
    c->shares_table = s->vocabulary > 0;
    if (s->vocabulary < 0 && s->vocabulary > -INT_MAX)
        s->vocabulary = -s->vocabulary;
    return are_sizes(s) || refuse(c, data);
}

static bool has_right_length(const struct checkpoint *c) {
    const size_t right = (HEAD + of_file(c)) * sizeof(float);
    if (c->bytes < right)
        fprintf(stderr, "%s is cut off: it has %zu of %zu bytes.\n", c->path, c->bytes, right);
    if (c->bytes > right)
        fprintf(stderr, "%s has %zu bytes more than a model of its sizes, %zu.\n", c->path,
                c->bytes - right, right);
    return c->bytes == right;
}

/* --- Matrices -------------------------------------------------------------------------------- */

static const float *skip(const float **at, size_t count) {
    const float *here = *at;
    *at += count;
    return here;
}

static struct matrix next_matrix(const float **at, int rows, int cols) {
    return (struct matrix){rows, cols, skip(at, (size_t)rows * (size_t)cols), NULL, NULL};
}

/* The file has each kind of matrix for all layers, then the next kind. */
#define FOR_EACH_LAYER(member, value)                                                              \
    for (int b = 0; b < s->n_layers; b++)                                                          \
    m->layer[b].member = value

static void find_matrices(const float *at, bool shares_table, struct stored_model *m) {
    const struct llama_sizes *s = &m->sizes;
    const int d = s->d_model, d_kv = s->n_kv_heads * d_head_of(s);
    m->table = skip(&at, of_table(s));
    FOR_EACH_LAYER(attention_gain, skip(&at, (size_t)d));
    FOR_EACH_LAYER(q, next_matrix(&at, d, d));
    FOR_EACH_LAYER(k, next_matrix(&at, d_kv, d));
    FOR_EACH_LAYER(v, next_matrix(&at, d_kv, d));
    FOR_EACH_LAYER(o, next_matrix(&at, d, d));
    FOR_EACH_LAYER(forward_gain, skip(&at, (size_t)d));
    FOR_EACH_LAYER(gate, next_matrix(&at, s->d_ff, d));
    FOR_EACH_LAYER(down, next_matrix(&at, d, s->d_ff));
    FOR_EACH_LAYER(up, next_matrix(&at, s->d_ff, d));
    m->out_gain = skip(&at, (size_t)d);
    at = shares_table ? m->table : at + of_rotations(s);
    m->words_out = next_matrix(&at, s->vocabulary, d);
    m->read = shares_table ? m->table : m->layer[0].attention_gain;
    m->read_bytes = (of_table(s) + of_all_layers(s) + (size_t)d) * sizeof(float);
}

/* --- The file -------------------------------------------------------------------------------- */

static const void *map_file(const char *path, size_t *bytes) {
    struct stat about;
    const int file = open(path, O_RDONLY);
    const void *data = NULL;
    if (file < 0 || fstat(file, &about) != 0) {
        fprintf(stderr, "%s cannot be read: %s.\n", path, strerror(errno));
    } else if (!S_ISREG(about.st_mode) || about.st_size < (off_t)(HEAD * sizeof(float))) {
        fprintf(stderr, "%s is not a model: it is %s.\n", path,
                S_ISREG(about.st_mode)   ? "almost empty"
                : S_ISDIR(about.st_mode) ? "a folder without stories15M.bin"
                                         : "not a file");
    } else {
        *bytes = (size_t)about.st_size;
        data = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED)
            fprintf(stderr, "%s cannot be mapped into memory: %s.\n", path, strerror(errno));
    }
    if (file >= 0)
        close(file);
    return data == MAP_FAILED ? NULL : data;
}

bool checkpoint_open(const char *path, struct checkpoint *c) {
    snprintf(c->path, sizeof c->path, "%s", path);
    const void *data = map_file(path, &c->bytes);
    if (!data || !read_sizes(data, c) || !has_right_length(c))
        return false;
    find_matrices((const float *)data + HEAD, c->shares_table, &c->model);
    return true;
}

uint64_t checksum_of(const struct checkpoint *c) {
    const uint32_t *word = (const uint32_t *)c->model.table - HEAD;
    uint64_t sum[4] = {0};
    for (size_t i = 0; i < c->bytes / sizeof *word; i++)
        sum[i % 4] = (sum[i % 4] ^ word[i]) * 0x9E3779B97F4A7C15u;
    return sum[0] ^ sum[1] ^ sum[2] ^ sum[3];
}
