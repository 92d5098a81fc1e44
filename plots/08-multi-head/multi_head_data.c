/* Writes the tables for the plots of lesson 08. Most use the tables of the milestone. */
#include "multi_head.h"

#include "columns.h"
#include "matrix.h"

#include <stdio.h>

/* The sizes of the first Transformer. */
enum { HEADS = 8, D_HEAD = 64, MODEL = HEADS * D_HEAD };

/* How many numbers the keys and values of one token have: K, V and weights follow each other. */
static int kept_per_token(int n_kv_heads) {
    struct room counted = {NULL, 0};
    struct multi_head w = take_multi_head(&counted, MODEL, HEADS, n_kv_heads, D_HEAD);
    counted.used = 0;
    take_multi_head_values(&counted, &w, 1, 1);
    struct room room = {vector_new("values", counted.used), 0};
    struct multi_head_values v = take_multi_head_values(&room, &w, 1, 1);
    return (int)((double *)v.weights - (double *)v.K);
}

static void share(const char *folder) {
    FILE *table = columns_open(folder, "share.dat", "shared_by n_kv_heads kept");
    for (int n_kv_heads = HEADS; n_kv_heads > 0; n_kv_heads /= 2)
        columns_row(table, NULL, 3,
                    (double[]){HEADS / n_kv_heads, n_kv_heads, kept_per_token(n_kv_heads)});
    columns_close(table);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"share", share},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
