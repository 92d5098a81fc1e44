#include "bench.h"

#include "memory.h"
#include "peers.h"
#include "progress.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const struct runner *const runners[ALL] = {&bare,  &naive,          &ordered,  &online,
                                           &tiled, &flash,          &backward, &openblas,
                                           &torch, &torch_backward, &decoding, &reading};

/* --- Settings ----------------------------------------------------------------------- */

static double number_wanted(const char *name, double lowest, double highest, double otherwise) {
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    const double number = strtod(text, &end);
    if (*end || !(number >= lowest && number <= highest)) {
        fprintf(stderr, "%s=%s is no number from %.0f to %.0f.\n", name, text, lowest, highest);
        exit(2);
    }
    return number;
}

struct settings settings_wanted(void) {
    struct settings s = {
        .n = (int)number_wanted("T", 1, 65536, 0),
        .n_heads = (int)number_wanted("H", 1, 64, 2),
        .threads = (int)number_wanted("THREADS", 1, 256, 1),
        .seconds = number_wanted("SECONDS", 0, 600, 3),
    };
    const int causal = (int)number_wanted("CAUSAL", 0, 1, -1);
    s.one_length = s.n > 0;
    s.n = s.one_length ? s.n : 1024;
    for (int mask = 0; mask < MASKS; mask++)
        s.masks[mask] = causal == -1 || causal == mask;
    return s;
}

/* --- Races ----------------------------------------------------------------------------------- */

static void forget(struct speeds *s) {
    for (int who = 0; who < ALL; who++)
        for (int k = 0; k < STATISTICS; k++)
            s->seconds[who][k] = (double)NAN;
}

/* Measures the runners from `first` to `last`. The numbers of the others are kept. */
static void race_between(int first, int last, double limit, const struct work *work,
                         struct speeds *s) {
    static struct entrant e[ALL];
    for (int who = first; who <= last; who++)
        e[who] = (struct entrant){.runner = runners[who], .work = work};
    race(limit, last - first + 1, &e[first]);
    s->n = work->n;
    for (int who = first; who <= last; who++) {
        s->flops[who] = runner_flops(runners[who], work);
        for (int k = 0; k < STATISTICS; k++)
            s->seconds[who][k] = seconds_of(&e[who], k);
    }
}

static void measure_length(struct report *r, int length, int n) {
    const struct settings *s = &r->settings;
    for (int mask = 0; mask < MASKS; mask++) {
        forget(&r->at[length][mask]);
        r->at[length][mask].n = n;
        if (!s->masks[mask])
            continue;
        struct work work = work_new(s->n_heads, n, mask == 1, s->threads);
        race_between(BARE, TORCH_BACK, s->seconds, &work, &r->at[length][mask]);
        work_free(&work);
    }
    struct work work = work_new(DECODE_HEADS, n, false, s->threads);
    r->bytes[length] = decode_bytes(&work);
    race_between(DECODE, READ, s->seconds / 3.0, &work, &r->at[length][0]);
    work_free(&work);
}

/* Forward, backward and peak with one thread and with several, in alternating rounds. */
static void measure_threads(struct report *r) {
    enum { HEADS = 8, WORDS = 1024 };
    static struct entrant e[2 * RUNGS];
    static const int racers[] = {BARE, FLASH, BACKWARD};
    const int count = sizeof racers / sizeof *racers;
    struct work work[2] = {work_new(HEADS, WORDS, false, 1),
                           work_new(HEADS, WORDS, false, r->more)};
    for (int i = 0; i < 2 * count; i++)
        e[i] = (struct entrant){.runner = runners[racers[i / 2]], .work = &work[i % 2]};
    race(2.0 * r->settings.seconds, 2 * count, e);
    for (int i = 0; i < 2 * count; i++)
        for (int k = 0; k < STATISTICS; k++) {
            struct speeds *s = &r->by_threads[i % 2];
            s->flops[racers[i / 2]] = runner_flops(e[i].runner, e[i].work);
            s->seconds[racers[i / 2]][k] = seconds_of(&e[i], k);
        }
    work_free(&work[0]);
    work_free(&work[1]);
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* In MB. */
static double peak_of_run(const struct runner *runner, const struct work *sizes) {
    const struct work work = work_new(sizes->n_heads, sizes->n, sizes->causal, sizes->threads);
    const double before = memory_most();
    return isnan(runner->run(&work)) ? (double)NAN : (memory_most() - before) / 1e6;
}

double megabytes_of(const struct runner *runner, const struct work *sizes) {
    double beyond = (double)NAN;
    int answer[2];
    if (pipe(answer) != 0)
        return beyond;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        beyond = peak_of_run(runner, sizes);
        _exit(write(answer[1], &beyond, sizeof beyond) != sizeof beyond);
    }
    close(answer[1]);
    if (child < 0 || read(answer[0], &beyond, sizeof beyond) != sizeof beyond)
        beyond = (double)NAN;
    close(answer[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return beyond;
}

/* --- All of it ------------------------------------------------------------------------------- */

static int most_threads(void) {
    enum { ENOUGH = 8 };
    return threads_possible() < ENOUGH ? threads_possible() : ENOUGH;
}

void measure(struct report *r) {
    static const int lengths[LENGTHS] = {256, 512, 1024, 2048, 4096, 8192, 16384};
    const struct settings *s = &r->settings;
    r->longest = s->seconds > 0.0 ? 16384 : 2048; /* for SECONDS=0 a short run */
    const struct work largest = {
        .n_heads = 8, .n = r->longest, .causal = true, .threads = s->threads};
    r->load = load_of_machine();
    r->more = most_threads();
    r->lengths = s->one_length ? 1 : LENGTHS;
    r->shown = s->one_length ? 0 : 2;
    r->beyond[0] = megabytes_of(&flash, &largest);
    r->beyond[1] = megabytes_of(&backward, &largest);
    find_peers();
    for (int i = 0; i < r->lengths && !is_stopped(); i++) {
        const int n = s->one_length ? s->n : lengths[i];
        progress(i, r->lengths + 1, "%d tokens", n);
        measure_length(r, i, n);
    }
    if (is_stopped())
        return;
    progress(r->lengths, r->lengths + 1, "%d thread%s", r->more, r->more == 1 ? "" : "s");
    if (r->more > 1)
        measure_threads(r);
    progress(r->lengths + 1, r->lengths + 1, "measured");
    r->load = fmax(r->load, load_of_machine());
}

double gflops(const struct speeds *s, int racer, int statistic) {
    return s->flops[racer] / s->seconds[racer][statistic] / 1e9;
}

double best_peer(const struct speeds *s, int statistic) {
    return fmax(gflops(s, OPENBLAS, statistic), gflops(s, TORCH, statistic));
}
