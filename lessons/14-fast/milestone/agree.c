#include "agree.h"

#include "fast.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { HEADS = 16, KEY_HEADS = 4, WORDS = 200, D = 16, ROUNDS = 20 };
enum { OF_QUERIES = HEADS * WORDS * D, OF_KEYS = KEY_HEADS * WORDS * D, OF_ROWS = HEADS * WORDS };
enum { ARRAYS = 6 };

static const char *const names[ARRAYS] = {"out", "lse", "d_V", "d_K", "d_Q", "decoded"};
static const int sizes[ARRAYS] = {OF_QUERIES, OF_ROWS, OF_KEYS, OF_KEYS, OF_QUERIES, HEADS *D};

struct tensors {
    float *Q, *K, *V, *d_out, *shared, *made[ARRAYS];
};

static struct tensors tensors_new(void) {
    struct tensors t = {random_floats(OF_QUERIES), random_floats(OF_KEYS), random_floats(OF_KEYS),
                        random_floats(OF_QUERIES), random_floats(OF_ROWS), {0}};
    for (int a = 0; a < ARRAYS; a++)
        t.made[a] = random_floats(sizes[a]);
    return t;
}

static void tensors_free(struct tensors *t) {
    float *const all[] = {t->Q, t->K, t->V, t->d_out, t->shared};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (int a = 0; a < ARRAYS; a++)
        free(t->made[a]);
}

static void compute(int threads, const struct tensors *t) {
    float *const *made = t->made;
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    flash_attention(HEADS, KEY_HEADS, WORDS, WORDS, D, D, 1, (void *)t->Q, (void *)t->K,
                    (void *)t->V, (void *)made[0], (void *)made[1]);
    flash_attention_backward(HEADS, KEY_HEADS, WORDS, WORDS, D, D, 1, (void *)t->Q, (void *)t->K,
                             (void *)t->V, (void *)made[0], (void *)made[1], (void *)t->d_out,
                             (void *)t->shared, (void *)made[4], (void *)made[3], (void *)made[2]);
    decode(HEADS, KEY_HEADS, WORDS, WORDS, D, D, (void *)t->Q, (void *)t->K, (void *)t->V,
           (void *)made[5]);
}

/* The first array that differs in a bit; NULL if none does. */
static const char *difference(int threads, const struct tensors *by_one) {
    struct tensors t = tensors_new();
    const char *name = NULL;
    compute(threads, &t);
    for (int a = 0; a < ARRAYS && !name; a++)
        if (memcmp(t.made[a], by_one->made[a], sizeof(float) * (size_t)sizes[a]) != 0)
            name = names[a];
    tensors_free(&t);
    return name;
}

bool threads_agree(FILE *to) {
    const int threads = threads_possible() > 2 ? threads_possible() : 2;
    const char *name = NULL;
    struct tensors by_one = tensors_new();
    compute(1, &by_one);
    for (int round = 0; round < ROUNDS && !name; round++)
        name = difference(threads, &by_one);
    tensors_free(&by_one);
    if (name)
        fprintf(to,
                "%d threads give a different %s than one thread, so two of them write to the same\n"
                "memory. Declare the variables of a thread inside the parallel loop, and let\n"
                "only one thread write each number. Nothing was measured.\n",
                threads, name);
    return !name;
}
