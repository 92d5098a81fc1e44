#include "bench.h"
#include "peers.h"

#include <math.h>
#include <string.h>

/* Writes a number in `width` columns, or - for NAN. */
static void tell(FILE *to, int width, int decimals, double x) {
    if (isnan(x))
        fprintf(to, "%*s", width, "-");
    else
        fprintf(to, "%*.*f", width, decimals, x);
}

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

static void tell_machine(FILE *to, const struct report *r) {
    const struct settings *s = &r->settings;
    const char *with_blas = openblas_version(), *with_torch = torch_version();
    fprintf(to,
            "Attention in GFLOP/s: %d head%s of %d dimensions, %d thread%s, %s.\n"
            "For comparison: %s, %s.\n",
            s->n_heads, plural(s->n_heads), WIDTH_OF_HEAD, s->threads, plural(s->threads),
            s->threads == 1 ? "CPU time" : "wall time",
            with_blas ? with_blas : "no OpenBLAS (libopenblas0)",
            with_torch ? with_torch : "no PyTorch (python3-torch)");
    fprintf(to, "The machine's load was %.1f. ", r->load);
    fprintf(to, r->load > 1.5 + s->threads - 1
                    ? "Other programs run, so compare within one run.\n\n"
                    : "\n\n");
}

/* --- All versions ------------------------------------------------------------------------------
 */

static void tell_racer(FILE *to, const struct report *r, int racer) {
    fprintf(to, "%-19s", runners[racer]->name);
    for (int mask = 0; mask < MASKS; mask++) {
        const struct speeds *s = &r->at[r->shown][mask];
        tell(to, 9, 1, gflops(s, racer, BEST));
        tell(to, 7, 1, gflops(s, racer, QUARTILE));
        tell(to, 7, 1, gflops(s, racer, MEDIAN));
        tell(to, 7, 2, gflops(s, racer, MEDIAN) / gflops(s, BARE, MEDIAN));
    }
    fputc('\n', to);
}

static void tell_ladder(FILE *to, const struct report *r) {
    fprintf(to, "%5d token%-8s%30s%30s\n%-19s", r->settings.n, plural(r->settings.n), "all keys",
            "causal", "");
    for (int mask = 0; mask < MASKS; mask++)
        fprintf(to, "%9s%7s%7s%7s", "best", "25 %", "median", "peak");
    fputc('\n', to);
    for (int racer = BARE; racer <= TORCH_BACK; racer++)
        tell_racer(to, r, racer);
    fprintf(to, "%-19s", "flash / best other");
    for (int mask = 0; mask < MASKS; mask++) {
        const struct speeds *s = &r->at[r->shown][mask];
        for (int k = 0; k < STATISTICS; k++)
            tell(to, k ? 7 : 9, 2, gflops(s, FLASH, k) / best_peer(s, k));
        fprintf(to, "%7s", "times");
    }
    fputc('\n', to);
}

/* --- Lengths --------------------------------------------------------------------------------- */

static void tell_length(FILE *to, const struct report *r, int length) {
    fprintf(to, "%8d", r->at[length][0].n);
    for (int mask = 0; mask < MASKS; mask++) {
        const struct speeds *s = &r->at[length][mask];
        tell(to, 8, 0, gflops(s, FLASH, MEDIAN));
        tell(to, 6, 2, gflops(s, FLASH, MEDIAN) / gflops(s, BARE, MEDIAN));
        tell(to, 6, 2, gflops(s, FLASH, MEDIAN) / best_peer(s, MEDIAN));
        tell(to, 8, 0, gflops(s, BACKWARD, MEDIAN));
        tell(to, 6, 2, gflops(s, BACKWARD, MEDIAN) / gflops(s, BARE, MEDIAN));
    }
    fputc('\n', to);
}

static void tell_lengths(FILE *to, const struct report *r) {
    fprintf(to, "\n%-8s%34s%34s\n%8s", "Medians", "all keys", "causal", "tokens");
    for (int mask = 0; mask < MASKS; mask++)
        fprintf(to, "%8s%6s%6s%8s%6s", "flash", "peak", "other", "back", "peak");
    fputc('\n', to);
    for (int length = 0; length < r->lengths; length++)
        tell_length(to, r, length);
}

/* --- Decoding, threads, memory --------------------------------------------------------------- */

static void tell_decoding(FILE *to, const struct report *r) {
    fprintf(to, "\nDecoding, %d heads, in GB/s of K and V (median)\n%8s%10s%12s%8s\n", DECODE_HEADS,
            "tokens", "decode", "bare read", "share");
    for (int i = 0; i < r->lengths; i++) {
        const double *decode = r->at[i][0].seconds[DECODE], *read = r->at[i][0].seconds[READ];
        fprintf(to, "%8d%10.1f%12.1f%8.2f\n", r->at[i][0].n, r->bytes[i] / decode[MEDIAN] / 1e9,
                r->bytes[i] / read[MEDIAN] / 1e9, read[MEDIAN] / decode[MEDIAN]);
    }
}

static void tell_threads(FILE *to, const struct report *r) {
    static const int racers[] = {BARE, FLASH, BACKWARD};
    const struct speeds *one = &r->by_threads[0], *more = &r->by_threads[1];
    if (r->more < 2)
        return;
    fprintf(to, "\n%d threads against one, 8 heads, 1024 tokens (wall time, best and median)\n",
            r->more);
    for (size_t i = 0; i < sizeof racers / sizeof *racers; i++)
        fprintf(to, "  %-19s%6.2f%6.2f\n", runners[racers[i]]->name,
                gflops(more, racers[i], BEST) / gflops(one, racers[i], BEST),
                gflops(more, racers[i], MEDIAN) / gflops(one, racers[i], MEDIAN));
}

void tell_report(FILE *to, const struct report *r) {
    tell_machine(to, r);
    tell_ladder(to, r);
    if (r->lengths > 1)
        tell_lengths(to, r);
    tell_decoding(to, r);
    tell_threads(to, r);
    fprintf(to, "\nMB besides inputs and outputs (8 heads, %d tokens):", r->longest);
    tell(to, 5, 1, r->beyond[0]);
    fprintf(to, " forward,");
    tell(to, 5, 1, r->beyond[1]);
    fprintf(to, " back\n");
}
