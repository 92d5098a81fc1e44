/* The generator is SplitMix64: a counter with a fixed step, whose value is mixed by shifts and
   multiplications. Normal numbers come from two uniform ones by the Box-Muller transform. */
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct random random_seed(uint64_t seed) {
    return (struct random){seed};
}

uint64_t seed_wanted(void) {
    const char *text = getenv("SEED");
    char *end;
    if (!text || !*text)
        return 1;
    uint64_t number = strtoull(text, &end, 10);
    if (*end || *text == '-') {
        fprintf(stderr, "SEED=%s is no number.\n", text);
        exit(2);
    }
    return number;
}

/* SplitMix64: a counter, scrambled (Steele, Lea and Flood, 2014). */
static uint64_t next_bits(struct random *r) {
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_uniform(struct random *r) {
    return (double)(next_bits(r) >> 11) * 0x1p-53;
}

/* Box and Muller's transform; 1 - u keeps the logarithm away from 0. */
double random_normal(struct random *r) {
    double radius = sqrt(-2.0 * log(1.0 - random_uniform(r)));
    return radius * cos(6.283185307179586 * random_uniform(r));
}

int random_below(struct random *r, int n) {
    return (int)(random_uniform(r) * n);
}

void *random_fill_uniform(struct random *r, int count, void *x) {
    double *numbers = x;
    for (int i = 0; i < count; i++)
        numbers[i] = random_uniform(r);
    return x;
}

void *random_fill_normal(struct random *r, int count, void *x) {
    double *numbers = x;
    for (int i = 0; i < count; i++)
        numbers[i] = random_normal(r);
    return x;
}
