#include "tell.h"

#include "model.h"
#include "tale.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* SEED=2 tells a story again. Without a seed each story is another one. */
static uint64_t seed_of_story(void) {
    const char *seed = getenv("SEED");
    return seed && *seed ? seed_wanted() : (uint64_t)time(NULL) % 100000;
}

int tell_one(void) {
    static const struct manner manner = {1.0, 0, 0.9};
    static struct model m;
    static struct teller t;
    static struct tale tale;
    const uint64_t seed = seed_of_story();
    struct random random = random_seed(seed);
    model_open(&m);
    puts("\nThese numbers were trained on children's stories by Andrej Karpathy. They\n"
         "become a story by the functions of this course, which you will write.\n");
    if (!teller_open(&t, &m.file, FLOATS))
        return 2;
    tell_tale(&t, &m.words, &manner, &random, 1, (int[]){BOS}, STORY, &tale);
    printf("\n%d tokens, %.0f a second. make story SEED=%llu tells this story again.\n", tale.end,
           1.0 / tale.token, (unsigned long long)seed);
    return 0;
}
