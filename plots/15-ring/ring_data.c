/* Tables for the plots of lesson 15, without those that the milestone measures. */
#include "ring_threads.h"

#include "columns.h"
#include "matrix.h"
#include "random.h"

/* --- weights: the step in which a query meets a key ------------------------------------------ */

enum { WORDS = 16, RANKS = 4 };

static void write_weights(const char *folder) {
    FILE *table = columns_open(folder, "weights.dat", NULL);
    for (int i = 0; i < WORDS; i++) {
        double row[WORDS];
        for (int j = 0; j < WORDS; j++) {
            int seen = stripe_seen(true, WORDS / RANKS, i % RANKS, j % RANKS) + i / RANKS;
            row[j] = j / RANKS < seen ? (i - j + WORDS) % RANKS : -1.0; /* hidden */
        }
        columns_row(table, NULL, WORDS, row);
    }
    columns_close(table);
}

/* --- gradients: the sum of a block when it leaves each rank ---------------------------------- */

enum { SHORT = 64, MANY = 8, WIDTH_OF_HEAD = 4, BLOCK = SHORT / MANY * 2 * WIDTH_OF_HEAD };

struct journey {
    float gathered[MANY][MANY][BLOCK]; /* [block][step] */
    int started[MANY];                 /* the number of messages */
    void (*start)(struct ring *ring, int n_out, const float out[n_out], int n_in, float in[n_in]);
};
static struct journey journey;

/* Blocks and gradients are sent in turns, and at the end only gradients. */
static void start_and_look(struct ring *ring, int n_out, const float out[n_out], int n_in,
                           float in[n_in]) {
    int number = journey.started[ring->rank]++, step = number / 2;
    if (number % 2 == 1 || step == MANY - 1)
        memcpy(journey.gathered[visit_of(ring, step, SHORT).from][step], out, sizeof(float[BLOCK]));
    journey.start(ring, n_out, out, n_in, in);
}

static float *drawn(struct random *r, int n) {
    float *x = malloc(sizeof(float[n]));
    for (int i = 0; i < n; i++)
        x[i] = (float)random_normal(r);
    return x;
}

static void go_back_and_forth(struct ring *ring, void *unused) {
    enum { M = SHORT / MANY, D = WIDTH_OF_HEAD };
    struct random r = random_seed((uint64_t)(15 + ring->rank));
    float kv[2][BLOCK], d_kv[2][BLOCK], part[BLOCK], shared[1][M], lse[1][M], part_lse[1][M];
    float out[1][M][D], piece[1][M][D], d_Q[1][M][D] = {0}, d_K[1][M][D] = {0}, d_V[1][M][D] = {0};
    float *Q = drawn(&r, M * D), *K = drawn(&r, M * D), *V = drawn(&r, M * D);
    float *d_out = drawn(&r, M * D);
    ring_attention(ring, true, 1, 1, SHORT, M, D, D, BLOCK, (void *)Q, (void *)K, (void *)V, kv,
                   piece, part_lse, out, lse);
    journey.start = ring->start;
    ring->start = start_and_look;
    ring_attention_backward(ring, true, 1, 1, SHORT, M, D, D, BLOCK, (void *)Q, (void *)K,
                            (void *)V, out, lse, (void *)d_out, kv, d_kv, part, shared, d_Q, d_K,
                            d_V);
    free(Q), free(K), free(V), free(d_out);
}

/* 1 minus the length of the missing part, divided by the length of the whole gradient. */
static double missing_of(const float now[BLOCK], const float whole[BLOCK]) {
    double missing = 0.0, all = 0.0;
    for (int i = 0; i < BLOCK; i++) {
        double far = (double)whole[i] - (double)now[i];
        missing += far * far;
        all += (double)whole[i] * (double)whole[i];
    }
    return sqrt(missing / all);
}

static void write_gradients(const char *folder) {
    struct ring_threads threads = {.ranks = MANY, .work = go_back_and_forth};
    ring_run(&threads);
    FILE *table = columns_open(folder, "gradients.dat", "messages missing");
    for (int step = 0; step < MANY; step++) {
        double row[] = {step + 1,
                        missing_of(journey.gathered[0][step], journey.gathered[0][MANY - 1])};
        columns_row(table, NULL, 2, row);
    }
    columns_close(table);
}

/* --- waits: the work of each rank ------------------------------------------------------------ */

enum { LONG = 8192, PIECE = LONG / MANY, HALF = PIECE / 2 };
enum dealing { PIECES, ZIG_ZAG, STRIPES, DEALINGS };

/* The visible pairs of two pieces of consecutive tokens. */
static double pairs_of_pieces(int length, int query, int key) {
    return query < key ? 0.0 : visible_pairs(length, length, query > key ? length : 1);
}

static double pairs_of(enum dealing dealing, int query, int key) {
    double pairs = 0.0;
    if (dealing == PIECES)
        return pairs_of_pieces(PIECE, query, key);
    if (dealing == STRIPES)
        return visible_pairs(PIECE, PIECE, stripe_seen(true, PIECE, query, key));
    const int of_query[] = {query, 2 * MANY - 1 - query}, of_key[] = {key, 2 * MANY - 1 - key};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            pairs += pairs_of_pieces(HALF, of_query[a], of_key[b]);
    return pairs;
}

/* The work of each rank, divided by the mean, and the time of the ring if in each step all ranks
   wait for the slowest. */
static void write_waits(const char *folder) {
    double work[DEALINGS][MANY] = {0}, pace[DEALINGS] = {0};
    double mean = visible_pairs(LONG, LONG, 1) / MANY;
    for (enum dealing d = PIECES; d < DEALINGS; d++)
        for (int step = 0; step < MANY; step++) {
            double slowest = 0.0;
            for (int r = 0; r < MANY; r++) {
                double pairs = pairs_of(d, r, (r - step + MANY) % MANY) / mean;
                work[d][r] += pairs;
                slowest = fmax(slowest, pairs);
            }
            pace[d] += slowest;
        }
    FILE *table = columns_open(folder, "waits.dat",
                               "rank pieces zigzag stripes pace_pieces pace_zigzag pace_stripes");
    for (int r = 0; r < MANY; r++)
        columns_row(table, NULL, 7,
                    (double[]){r, work[PIECES][r], work[ZIG_ZAG][r], work[STRIPES][r], pace[PIECES],
                               pace[ZIG_ZAG], pace[STRIPES]});
    columns_close(table);
}

/* --- memory, machines, network: predictions of the model ------------------------------------- */

/* The MB of a rank for the milestone's arrays: 8192 tokens, 2 heads of 64 dimensions. */
static void write_memory(const char *folder) {
    enum { H = 2, D = 64 };
    FILE *table = columns_open(folder, "memory.dat", "ranks arrays");
    for (int ranks = 1; ranks <= 16; ranks++) {
        int m = stripe_length(LONG, ranks, 0);
        int blocks = ranks == 1 ? 4 : 5; /* one rank does not use one half of kv */
        double floats = 9.0 * H * m * D + 3.0 * H * m + blocks * block_floats(H, m, D, D);
        columns_row(table, NULL, 2, (double[]){ranks, 4e-6 * floats});
    }
    columns_close(table);
}

static const struct machine machine = {150e9, 50e-6, 1.25e9};

static void write_machines(const char *folder) {
    static const double words[] = {1e4, 1e5, 1e6};
    FILE *table = columns_open(folder, "machines.dat", "machines thousand10 thousand100 million");
    for (double ranks = 1.0; ranks <= 1000.5; ranks *= pow(10.0, 1.0 / 20.0)) {
        double row[4] = {floor(ranks + 0.5)};
        for (int i = 0; i < 3; i++)
            row[1 + i] =
                ring_seconds(machine, true, 8, 8, words[i], 64, 64, (int)floor(ranks + 0.5));
        columns_row(table, NULL, 4, row);
    }
    columns_close(table);
}

/* The number of tokens per rank from which on the network is hidden, by bisection. */
static double words_to_hide(double flops_per_byte, int kv_heads) {
    double low = 1e-3, high = 1e9;
    const struct machine slow = {flops_per_byte, 0.0, 1.0},
                         free_of_it = {flops_per_byte, 0.0, 1e30};
    for (int i = 0; i < 100; i++) {
        double m = sqrt(low * high);
        bool hidden = ring_seconds(slow, true, 8, kv_heads, 2.0 * m, 64, 64, 2) <=
                      1.0000001 * ring_seconds(free_of_it, true, 8, kv_heads, 2.0 * m, 64, 64, 2);
        *(hidden ? &high : &low) = m;
    }
    return high;
}

static void write_network(const char *folder) {
    FILE *table = columns_open(folder, "network.dat", "flops_per_byte own shared");
    for (double f = 1.0; f <= 10000.5; f *= pow(10.0, 0.1))
        columns_row(table, NULL, 3, (double[]){f, words_to_hide(f, 8), words_to_hide(f, 1)});
    columns_close(table);
}

static const struct picture_tables tables[] = {
    {"weights", write_weights},
    {"gradients", write_gradients},
    {"waits", write_waits},
    {"memory", write_memory},
    {"machines", write_machines},
    {"network", write_network},
    {NULL, NULL},
};

int main(int argc, char **argv) {
    return columns_main(argc, argv, tables);
}
