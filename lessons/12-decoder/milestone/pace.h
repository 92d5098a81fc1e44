/* Measures the time to compute tokens one by one, with a KV cache and without. */
#ifndef PACE_H
#define PACE_H

struct pace {
    int words;
    double whole, cached;        /* seconds */
    double difference;           /* the largest difference between the two results */
    int whole_rows, cached_rows; /* rows that each block computes */
};

/* Computes `words` tokens in both ways, by two decoder blocks at initialization, with a memory of
   16 tokens. */
struct pace pace_of(int words);

#endif
