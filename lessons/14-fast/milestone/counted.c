#include "counted.h"

#include "columns.h"
#include "fast.h"
#include "work.h"

static const double d = WIDTH_OF_HEAD, size = sizeof(float);

/* Bytes of one head: its inputs and outputs (tensors), all its weights, and the buffers of a
 * thread. */
static void write_memory(const char *folder) {
    FILE *table = columns_open(folder, "memory.dat", "words tensors weights tiled flash backward");
    for (double n = 256; n <= 65536; n *= 2)
        columns_row(table, NULL, 6,
                    (double[]){n, 4 * n * d * size, n * n * size, (2 * QUERIES + KEYS) * size,
                               BLOCKS * sizeof(struct block) + KEYS * LANES * size,
                               sizeof(struct back) + 2 * QUERIES * WIDE * size});
    columns_close(table);
}

/* Arithmetic intensity: two operations per multiply-add, divided by the bytes that are loaded from
   memory or from a cache. */
static void write_step(FILE *table, const char *name, double multiply_adds, double numbers) {
    columns_row(table, name, 1, (double[]){2.0 * multiply_adds / (numbers * size)});
}

/* For one pair of a query and a key, the score needs d multiply-adds, and so does the weighted sum.
   We count the factors of a dot product and the sums that lie in memory. Down a column of V, each
   number costs a whole cache line. The kernel loads for ROWS * LANES pairs at once. Its caller
   loads the scores three times in the forward pass and twice in the backward pass. Decoding loads
   each key and value once for its one query. */
static void write_intensity(const char *folder) {
    const double line = 64 / size, pairs = ROWS * LANES, fetched = ROWS + LANES;
    FILE *table = columns_open(folder, "intensity.dat", "step intensity");
    write_step(table, "naive", 2 * d, 3 * d + (2 + line) * d);
    write_step(table, "ordered", 2 * d, 2 * d + 2 * d);
    write_step(table, "online", 2 * d, 2 * d + 2 * d + 3);
    write_step(table, "tiled", 2 * d, 2 * d + 2 * d + 2);
    write_step(table, "flash", 2 * d * pairs, 2 * d * fetched + 3 * pairs);
    write_step(table, "flash, backward", 5 * d * pairs, 5 * d * fetched + 2 * pairs);
    write_step(table, "decode", 2 * d, 2 * d);
    columns_close(table);
}

void write_counted(const char *folder) {
    write_memory(folder);
    write_intensity(folder);
}
