/* The test: sentences that a network writes by greedy decoding, compared with the right ones. */
#ifndef EXAM_H
#define EXAM_H

#include "network.h"

/* Shares of 1; NaN where there was nothing of the kind. */
struct marks {
    double exact;   /* sentences right to the last word */
    double words;   /* words right, each at its place */
    double aligned; /* of the nouns, adjectives, verbs and names written right: those for which the
                       largest weight lay on the word that they say */
    double late;    /* of the same: the largest weight on the word after it */
    double names;   /* of the rare names */
    double entropy; /* the mean over the rows of the weights, in nats */
};

/* So many new sentences of n words each, always the same. */
struct marks examine(const struct network *net, int n, int sentences);

double median(int n, double x[n]); /* sorts them */

#endif
