#include "tables.h"

#include "columns.h"
#include "counted.h"
#include "fast.h"
#include "peers.h"
#include "shares.h"

#include <math.h>
#include <stdio.h>

/* GFLOP/s of each version, of the peak and of the other libraries. PyTorch has its version in its
 * name. */
static void write_ladder(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "ladder.dat", "who best median causal_best causal_median");
    const struct speeds *all = &r->at[r->shown][0], *causal = &r->at[r->shown][1];
    for (int who = BARE; who <= TORCH_BACK; who++)
        columns_row(table, who == TORCH && torch_version() ? torch_version() : runners[who]->name,
                    4,
                    (double[]){gflops(all, who, BEST), gflops(all, who, MEDIAN),
                               gflops(causal, who, BEST), gflops(causal, who, MEDIAN)});
    columns_close(table);
}

static void write_speed(FILE *table, const struct speeds *s, int racer, const char *what) {
    char label[80];
    const double speed = gflops(s, racer, BEST), share = speed / gflops(s, BARE, BEST);
    snprintf(label, sizeof label, "%s%s: GF/s", runners[racer]->name, what);
    if (!isnan(speed))
        columns_row(table, label, 2, (double[]){speed, racer == BARE ? (double)NAN : share});
}

void write_summary(const char *folder, const struct report *r) {
    static const int racers[] = {BARE, FLASH, BACKWARD};
    FILE *table = columns_open(folder, "bench.dat", "what number share");
    const struct speeds *at = r->at[r->shown];
    const int peer =
        gflops(&at[0], TORCH, BEST) > gflops(&at[0], OPENBLAS, BEST) ? TORCH : OPENBLAS;
    for (size_t i = 0; i < sizeof racers / sizeof *racers; i++)
        write_speed(table, &at[0], racers[i], "");
    write_speed(table, &at[0], peer, "");
    for (size_t i = 1; i < sizeof racers / sizeof *racers; i++)
        write_speed(table, &at[1], racers[i], ", causal");
    write_speed(table, &at[1], peer, ", causal");
    const double *decode = at[0].seconds[DECODE], *read = at[0].seconds[READ];
    columns_row(table, "decode: GB/s", 2,
                (double[]){r->bytes[r->shown] / decode[BEST] / 1e9, read[BEST] / decode[BEST]});
    columns_close(table);
}

/* Seconds for one head, without a mask. */
static void write_times(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "time.dat",
                               "words naive ordered online tiled flash backward openblas torch");
    for (int i = 0; i < r->lengths; i++) {
        const struct speeds *s = &r->at[i][0];
        double row[9] = {s->n};
        for (int who = NAIVE; who <= TORCH; who++) {
            const int heads = runners[who]->one_head ? 1 : r->settings.n_heads;
            row[who - NAIVE + 1] = s->seconds[who][BEST] / heads;
        }
        columns_row(table, NULL, 9, row);
    }
    columns_close(table);
}

/* GB/s of decoding and of bare reading. */
static void write_decoding(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "decode.dat", "words decode read");
    for (int i = 0; i < r->lengths; i++) {
        const struct speeds *s = &r->at[i][0];
        columns_row(table, NULL, 3,
                    (double[]){s->n, r->bytes[i] / s->seconds[DECODE][BEST] / 1e9,
                               r->bytes[i] / s->seconds[READ][BEST] / 1e9});
    }
    columns_close(table);
}

void write_tables(const char *folder, const struct report *r) {
    write_ladder(folder, r);
    write_times(folder, r);
    write_decoding(folder, r);
    write_counted(folder);
    write_shares(folder);
}
