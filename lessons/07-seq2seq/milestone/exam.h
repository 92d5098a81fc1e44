/* The test: sentences that a network writes by greedy decoding are compared with the targets. */
#ifndef EXAM_H
#define EXAM_H

#include "network.h"

/* Shares between 0 and 1, or NaN if nothing was counted. */
struct marks {
    double exact;   /* sentences with every word right */
    double words;   /* words that are right, at the right position */
    double aligned; /* of the nouns, adjectives, verbs and names that are right, those with the
                       largest weight on the source word of the same meaning */
    double late;    /* of the same words, those with the largest weight on the word after it */
    double names;   /* rare names that are right */
    double entropy; /* the mean entropy of the attention weights, in nats */
};

/* Tests the network on `sentences` sentences of n words. Each call uses the
   same sentences, from seeds that training does not use. */
struct marks examine(const struct network *net, int n, int sentences);

double median(int n, double x[n]); /* sorts x */

#endif
