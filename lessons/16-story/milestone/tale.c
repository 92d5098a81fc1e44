#include "tale.h"

#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Time ------------------------------------------------------------------------------------ */

double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(int n, double x[n]) {
    qsort(x, (size_t)n, sizeof *x, by_size);
    return n > 0 ? x[n / 2] : (double)NAN;
}

/* Written, so that the compiler does not leave out the reading. */
static volatile float last_sum;

double seconds_to_read(const struct teller *t) {
    enum { STEP = 8 * WIDTH };
    const float *numbers = t->read;
    const size_t count = t->read_bytes / sizeof *numbers / STEP * STEP;
    vec sums[8] = {{0}};
    const double start = cpu_seconds();
    for (size_t i = 0; i < count; i += STEP) {
        fetch(STEP, &numbers[i + AHEAD < count ? i + AHEAD : i]);
        for (int k = 0; k < 8; k++)
            sums[k] += load(&numbers[i + (size_t)(k * WIDTH)]);
    }
    for (int k = 1; k < 8; k++)
        sums[0] += sums[k];
    for (int l = 0; l < WIDTH; l++)
        last_sum += sums[0][l];
    return cpu_seconds() - start;
}

/* --- Telling --------------------------------------------------------------------------------- */

void page_add_words(struct page *page, const struct vocabulary *v, int before, int n,
                    const int words[n]) {
    for (int i = 0; i < n; i++, before = words[i - 1]) {
        const struct piece piece = spoken(v, before, words[i]);
        page_add(page, piece.length, piece.text);
    }
}

enum { MOST_BEGUN = 80 };

/* Reads token i and chooses the next one, if it is not given. */
static double take_step(struct teller *t, const struct manner *manner, struct random *random, int i,
                        int given, struct tale *tale) {
    const double start = cpu_seconds();
    teller_read(t, tale->words[i]);
    if (i + 1 >= given)
        tale->words[i + 1] = choose_word(t, manner, random);
    return cpu_seconds() - start;
}

void tell_tale(struct teller *t, const struct vocabulary *v, const struct manner *manner,
               struct random *random, int n, const int words[n], enum extent extent,
               struct tale *tale) {
    const int most = extent == BEGINNING ? MOST_BEGUN : MOST_TOLD;
    struct page page = {0};
    double steps[MOST_TOLD], reads[MOST_TOLD];
    int count = 0;
    *tale = (struct tale){.end = 0};
    memcpy(tale->words, words, (size_t)n * sizeof *words);
    teller_begin(t);
    for (; tale->n < most && !teller_is_full(t) && !is_stopped(); tale->n++) {
        if (tale->end > 0 && extent != BEYOND)
            break;
        const int i = tale->n, next = i + 1;
        if (i % 16 == 0)
            reads[count++] = seconds_to_read(t);
        steps[i] = take_step(t, manner, random, i, n, tale);
        if (tale->end == 0 && tale->words[next] == BOS)
            tale->end = next;
        if (tale->end == 0)
            page_add_words(&page, v, tale->words[i], 1, &tale->words[next]);
    }
    if (tale->end == 0 && extent == BEGINNING)
        page_add(&page, 4, " ...");
    page_end(&page);
    tale->end = tale->end > 0 ? tale->end : tale->n;
    tale->token = median(tale->n, steps);
    tale->read = median(count, reads);
}
