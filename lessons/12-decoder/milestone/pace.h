/* How long it takes to write, if nothing is kept of the words before, and with a cache. */
#ifndef PACE_H
#define PACE_H

struct pace {
    int words;
    double whole, cached; /* seconds */
    double difference;    /* the largest between the numbers that both come to */
};

/* Writes so many words in both ways: two decoder blocks, weights just drawn, that have read 16. */
struct pace pace_of(int words);

#endif
