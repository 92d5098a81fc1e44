#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "streamed.h"

#include "positions.h"
#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- Buffers --------------------------------------------------------------------------------- */

static int blocks_of(int rows) {
    return (rows + WIDTH - 1) / WIDTH;
}

static int groups_of(int cols) {
    return (cols + GROUP - 1) / GROUP;
}

/* Rounded up, because whole vectors are read and written. */
static float *floats(size_t count) {
    const size_t size = (count + WIDTH) * sizeof(float), line = 64;
    float *x = aligned_alloc(line, (size + line - 1) / line * line);
    if (!x)
        return zeroes(SIZE_MAX); /* ends the program */
    memset(x, 0, size);
    return x;
}

static size_t of_cache(const struct llama_sizes *s) {
    return (size_t)s->n_layers * (size_t)(s->n_kv_heads * d_head_of(s)) * (size_t)s->longest;
}

size_t bytes_of_streamed(const struct llama_sizes *s) {
    return (2 * of_cache(s) + (size_t)s->longest * (size_t)d_head_of(s)) * sizeof(float);
}

static float *turns_of(const struct llama_sizes *s) {
    const int pairs = d_head_of(s) / 2;
    float *turns = floats((size_t)s->longest * (size_t)pairs * 2), *at = turns;
    for (int position = 0; position < s->longest; position++)
        for (int pair = 0; pair < pairs; pair++) {
            const double angle = position_angle(position, pair, 2 * pairs);
            *at++ = (float)cos(angle);
            *at++ = (float)sin(angle);
        }
    return turns;
}

struct streamed streamed_new(const struct stored_model *model) {
    const struct llama_sizes *s = &model->sizes;
    const size_t d = (size_t)s->d_model, d_ff = (size_t)s->d_ff;
    const int groups = groups_of(s->d_model > s->d_ff ? s->d_model : s->d_ff);
    return (struct streamed){model,
                             -1,
                             -1,
                             floats(d),
                             floats(d),
                             floats(d),
                             floats(d),
                             floats(d),
                             floats(d),
                             floats(d),
                             floats(d_ff),
                             floats(d_ff),
                             floats((size_t)s->vocabulary),
                             floats(of_cache(s)),
                             floats(of_cache(s)),
                             turns_of(s),
                             zeroes((size_t)groups * GROUP),
                             floats((size_t)groups),
                             zeroes((size_t)groups * sizeof(int))};
}

void streamed_free(struct streamed *s) {
    void *const all[] = {s->x,      s->scaled,    s->q,      s->k,      s->v,    s->heads,
                         s->change, s->gate,      s->up,     s->logits, s->keys, s->values,
                         s->turns,  s->quantized, s->scales, s->sums};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* --- Bytes ----------------------------------------------------------------------------------- */

/* Memory for the matrices, of which a part is used. */
struct shelf {
    char *free;
    size_t used;
};

/* `free` is NULL if the shelf only counts. */
static void *put(struct shelf *shelf, size_t bytes) {
    void *place = shelf->free ? shelf->free + shelf->used : NULL;
    shelf->used += (bytes + 63) / 64 * 64;
    return place;
}

static void quantize_group(const float *row, int n, int lane, byte (*to)[PIECE], float *scale) {
    int8_t q[GROUP] = {0};
    quantize(n, row, q, scale);
    put_group(lane, q, to);
}

/* Rows and columns that do not exist are 0. */
static void quantize_matrix(const struct matrix *from, byte *bytes, float *scales) {
    const int groups = groups_of(from->cols);
    byte(*to)[groups][GROUP / TOGETHER][PIECE] = (void *)bytes;
    float(*to_scales)[groups][WIDTH] = (void *)scales;
    for (int r = 0; r < blocks_of(from->rows) * WIDTH; r++)
        for (int g = 0; g < groups; g++) {
            const int b = r / WIDTH, lane = r % WIDTH, rest = from->cols - g * GROUP;
            const float *row = &from->numbers[(size_t)r * (size_t)from->cols + (size_t)(g * GROUP)];
            if (r < from->rows)
                quantize_group(row, least(rest, GROUP), lane, to[b][g], &to_scales[b][g][lane]);
            else
                put_group(lane, (int8_t[GROUP]){0}, to[b][g]);
        }
}

static struct matrix to_bytes(struct shelf *shelf, const struct matrix *from) {
    const size_t tiles = (size_t)blocks_of(from->rows) * (size_t)groups_of(from->cols);
    struct matrix m = {.rows = from->rows, .cols = from->cols};
    byte *bytes = put(shelf, tiles * GROUP * WIDTH);
    float *scales = put(shelf, tiles * WIDTH * sizeof *scales);
    if (bytes)
        quantize_matrix(from, bytes, scales);
    m.bytes = bytes;
    m.scales = scales;
    return m;
}

static struct stored_model all_to_bytes(struct shelf *shelf, const struct stored_model *floats) {
    struct stored_model bytes = *floats;
    for (int b = 0; b < floats->sizes.n_layers; b++) {
        const struct stored_layer *from = &floats->layer[b];
        struct stored_layer *to = &bytes.layer[b];
        to->q = to_bytes(shelf, &from->q);
        to->k = to_bytes(shelf, &from->k);
        to->v = to_bytes(shelf, &from->v);
        to->o = to_bytes(shelf, &from->o);
        to->gate = to_bytes(shelf, &from->gate);
        to->up = to_bytes(shelf, &from->up);
        to->down = to_bytes(shelf, &from->down);
    }
    bytes.words_out = to_bytes(shelf, &floats->words_out);
    return bytes;
}

size_t bytes_of_quantized(const struct llama_sizes *s) {
    struct shelf shelf = {NULL, 0};
    const int d = s->d_model, d_kv = s->n_kv_heads * d_head_of(s);
    const struct stored_layer layer = {.q = {d, d, NULL, NULL, NULL},
                                       .k = {d_kv, d, NULL, NULL, NULL},
                                       .v = {d_kv, d, NULL, NULL, NULL},
                                       .o = {d, d, NULL, NULL, NULL},
                                       .gate = {s->d_ff, d, NULL, NULL, NULL},
                                       .up = {s->d_ff, d, NULL, NULL, NULL},
                                       .down = {d, s->d_ff, NULL, NULL, NULL}};
    struct stored_model model = {.sizes = *s, .words_out = {s->vocabulary, d, NULL, NULL, NULL}};
    for (int b = 0; b < s->n_layers; b++)
        model.layer[b] = layer;
    all_to_bytes(&shelf, &model);
    return shelf.used;
}

/* Shared memory, because the limit for a milestone's memory is for mistakes, not for models. */
bool quantize_model(const struct stored_model *floats, struct stored_model *bytes) {
    const size_t size = bytes_of_quantized(&floats->sizes);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    struct shelf shelf = {memory, 0};
    *bytes = all_to_bytes(&shelf, floats);
    bytes->read = memory;
    bytes->read_bytes = size;
    return true;
}

/* --- Products -------------------------------------------------------------------------------- */

/* A row that is multiplied by one matrix or by several. */
struct row {
    const float *x;
    int groups; /* 0: the row is not quantized */
};

static struct row read_row(struct streamed *s, int n, const float *x) {
    if (!s->model->words_out.bytes)
        return (struct row){x, 0};
    const int groups = groups_of(n);
    memset(s->quantized[groups - 1], 0, GROUP);
    for (int g = 0; g < groups; g++)
        s->sums[g] =
            quantize(least(n - g * GROUP, GROUP), &x[g * GROUP], s->quantized[g], &s->scales[g]);
    return (struct row){x, groups};
}

static void multiply(const struct streamed *s, const struct matrix *W, struct row row, float *out) {
    if (W->bytes)
        matrix_vector_int8(blocks_of(W->rows), row.groups, (const void *)W->bytes,
                           (const void *)W->scales, (const void *)s->quantized, s->scales, s->sums,
                           (void *)out);
    else
        matrix_vector(W->rows, W->cols, (const void *)W->numbers, row.x, out);
}

/* --- One token ------------------------------------------------------------------------------- */

static void norm_floats(int n, const float x[n], const float gain[n], float out[n]) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int c = 0; c < n; c++)
        sum += x[c] * x[c];
    const float factor = 1.0f / sqrtf(sum / (float)n + (float)norm_epsilon);
    for (int c = 0; c < n; c++)
        out[c] = gain[c] * (factor * x[c]);
}

static void add_floats(int n, const float x[n], float out[n]) {
    for (int c = 0; c < n; c++)
        out[c] += x[c];
}

/* Rotates the heads of a row, with the cosines and sines of its position. */
static void turn(int n_heads, int d_head, const float *turns, float *row) {
    for (int h = 0; h < n_heads; h++, row += d_head)
        for (int c = 0; c < d_head; c += 2) {
            const float x = row[c], y = row[c + 1];
            row[c] = x * turns[c] - y * turns[c + 1];
            row[c + 1] = x * turns[c + 1] + y * turns[c];
        }
}

static void append(const struct llama_sizes *s, int position, const float *row, float *cache) {
    const size_t d = (size_t)d_head_of(s);
    for (int h = 0; h < s->n_kv_heads; h++)
        memcpy(&cache[((size_t)h * (size_t)s->longest + (size_t)position) * d], &row[(size_t)h * d],
               d * sizeof *row);
}

static void attend_floats(struct streamed *s, int layer, int position) {
    const struct stored_layer *w = &s->model->layer[layer];
    const struct llama_sizes *sizes = &s->model->sizes;
    const int d = d_head_of(sizes), n_kv = sizes->n_kv_heads;
    const size_t of_layer = of_cache(sizes) / (size_t)sizes->n_layers;
    float *keys = s->keys + (size_t)layer * of_layer,
          *values = s->values + (size_t)layer * of_layer;
    const float *turns = &s->turns[(size_t)position * (size_t)d];
    const struct row row = read_row(s, sizes->d_model, s->scaled);
    multiply(s, &w->q, row, s->q);
    multiply(s, &w->k, row, s->k);
    multiply(s, &w->v, row, s->v);
    turn(sizes->n_heads, d, turns, s->q);
    turn(n_kv, d, turns, s->k);
    append(sizes, position, s->k, keys);
    append(sizes, position, s->v, values);
    decode(sizes->n_heads, n_kv, sizes->longest, position + 1, d, d, (const void *)s->q,
           (const void *)keys, (const void *)values, (void *)s->heads);
    if (layer == s->without_layer)
        memset(&s->heads[s->without_head * d], 0, (size_t)d * sizeof *s->heads);
    multiply(s, &w->o, read_row(s, sizes->d_model, s->heads), s->change);
}

/* silu(g) = g / (1 + exp(-g)), and for a negative g it is g exp(g) / (1 + exp(g)), because
   exp2_lanes() takes no number above 0. */
static void gate_floats(int n, const float *gate, float *up) {
    for (int c = 0; c < n; c += WIDTH) {
        const vec g = load(&gate[c]), power = exp2_lanes(-LOG2_E * larger(g, -g));
        const vec top = choose(g >= splat(0.0f), splat(1.0f), power);
        store(load(&up[c]) * g * top / (1.0f + power), &up[c]);
    }
}

static void feed_forward_floats(struct streamed *s, int layer) {
    const struct stored_layer *w = &s->model->layer[layer];
    const struct row row = read_row(s, s->model->sizes.d_model, s->scaled);
    multiply(s, &w->gate, row, s->gate);
    multiply(s, &w->up, row, s->up);
    gate_floats(s->model->sizes.d_ff, s->gate, s->up);
    multiply(s, &w->down, read_row(s, s->model->sizes.d_ff, s->up), s->change);
}

void streamed_next(struct streamed *s, int word, int position) {
    const struct stored_model *m = s->model;
    const int d = m->sizes.d_model;
    memcpy(s->x, &m->table[(size_t)word * (size_t)d], (size_t)d * sizeof *s->x);
    for (int b = 0; b < m->sizes.n_layers; b++) {
        norm_floats(d, s->x, m->layer[b].attention_gain, s->scaled);
        attend_floats(s, b, position);
        add_floats(d, s->change, s->x);
        norm_floats(d, s->x, m->layer[b].forward_gain, s->scaled);
        feed_forward_floats(s, b);
        add_floats(d, s->change, s->x);
    }
    norm_floats(d, s->x, m->out_gain, s->scaled);
    multiply(s, &m->words_out, read_row(s, d, s->scaled), s->logits);
}
