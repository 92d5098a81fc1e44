#include "bench.h"

#include "peers.h"
#include "tale.h"

#include "columns.h"
#include "progress.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Each turn of a kind has some tokens and some reads, so that both find the caches alike. */
enum { TOKENS = 16, READS = 4, MOST_TURNS = 100, LENGTH = 150 };

struct racer {
    struct teller teller;
    bool is_open;
    int word, turns;
    double tokens[MOST_TURNS * TOKENS], reads[MOST_TURNS * READS];
};

struct race {
    struct racer racer[KINDS];
    struct peer peer[PEERS];
    double peers[PEERS][MOST_TURNS];
    int rounds;
};

/* SECONDS=3 in the environment. */
static double seconds_wanted(void) {
    const char *text = getenv("SECONDS");
    char *end;
    if (!text || !*text)
        return 8.0;
    const double wanted = strtod(text, &end);
    if (*end || !(wanted >= 0.0 && wanted <= 600.0)) {
        fprintf(stderr, "SECONDS=%s is no number from 0 to 600.\n", text);
        exit(2);
    }
    return wanted;
}

/* --- The race -------------------------------------------------------------------------------- */

/* The next token of a story of LENGTH tokens, which then begins again. */
static double next_token(struct racer *r) {
    static const struct manner likely = {0.0, 0, 1.0};
    if (r->teller.length >= LENGTH || teller_is_full(&r->teller) || r->word == BOS) {
        teller_begin(&r->teller);
        r->word = BOS;
    }
    const double start = cpu_seconds();
    teller_read(&r->teller, r->word);
    r->word = choose_word(&r->teller, &likely, NULL);
    return cpu_seconds() - start;
}

static void take_turn(struct racer *r) {
    for (int i = 0; i < TOKENS; i++)
        r->tokens[r->turns * TOKENS + i] = next_token(r);
    for (int i = 0; i < READS; i++)
        r->reads[r->turns * READS + i] = seconds_to_read(&r->teller);
    r->turns++;
}

static void run_race(struct race *race, double limit) {
    const double start = seconds();
    do {
        for (int kind = 0; kind < KINDS; kind++)
            if (race->racer[kind].is_open)
                take_turn(&race->racer[kind]);
        for (int p = 0; p < PEERS; p++)
            race->peers[p][race->rounds] = peer_seconds(&race->peer[p]);
        race->rounds++;
        progress((int)(1000.0 * fmin(1.0, (seconds() - start) / (limit + 1e-9))), 1000, "%d rounds",
                 race->rounds);
    } while (seconds() - start < limit && race->rounds < MOST_TURNS);
    progress(1000, 1000, "%d rounds", race->rounds);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_row(const char *name, double token, double bytes, double read) {
    printf("%-24s%9.0f%9.1f%13.2f\n", name, 1.0 / token, bytes / token / 1e9, read / token);
}

static void tell_kind(FILE *table, struct racer *r) {
    char label[40];
    const double token = median(r->turns * TOKENS, r->tokens);
    const double read = median(r->turns * READS, r->reads);
    const double bytes = (double)r->teller.read_bytes;
    const char *name = kind_names[r->teller.kind];
    tell_row(name, token, bytes, read);
    snprintf(label, sizeof label, "  a bare read of %.3g MB", bytes / 1e6);
    tell_row(label, read, bytes, read);
    snprintf(label, sizeof label, "%s: tokens/s", name);
    columns_row(table, label, 2, (double[]){1.0 / token, read / token});
}

static void tell_peer(struct race *race, int p) {
    const double token = median(race->rounds, race->peers[p]);
    if (race->peer[p].name && isnan(token))
        printf("%s.c has failed.\n", race->peer[p].name);
    else if (race->peer[p].name)
        printf("%s.c -Ofast%*s%9.0f\n", race->peer[p].name, p == RUN ? 13 : 12, "", 1.0 / token);
}

static void tell_race(const char *folder, struct race *race) {
    FILE *table = columns_open(folder, "bench.dat", "what number share");
    printf("\n%-24s%9s%9s%13s\n", "CPU time of one thread", "tokens/s", "GB/s", "of a read");
    for (int kind = 0; kind < KINDS; kind++)
        if (race->racer[kind].is_open)
            tell_kind(table, &race->racer[kind]);
    for (int p = 0; p < PEERS; p++)
        tell_peer(race, p);
    if (!race->peer[RUN].name)
        puts("To compare with llama2.c: make bench-16 LLAMA2=folder, where its run.c is.");
    columns_close(table);
}

int run_bench(const char *folder) {
    static struct race race;
    static struct model m;
    const double limit = seconds_wanted();
    model_open(&m);
    find_peers(&m, folder, race.peer);
    for (enum kind kind = DOUBLES; kind < KINDS; kind++)
        race.racer[kind].is_open = teller_open(&race.racer[kind].teller, &m.file, kind);
    run_race(&race, limit);
    tell_race(folder, &race);
    return 0;
}
