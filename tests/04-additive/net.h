/* The network of lesson 04: its inputs, the learner's functions, and the slow, obvious way. */
#ifndef NET_H
#define NET_H

#include "additive.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"

#define ROUNDING 1e-12

struct sizes {
    int n_q, n_k, d_q, d_k, d_a, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 6, 1}, {2, 4, 3, 5, 1, 6}, {1, 3, 2, 4, 5, 7}, {4, 1, 5, 3, 2, 6},
    {5, 2, 1, 4, 3, 7}, {2, 3, 5, 1, 4, 6}, {1, 1, 1, 1, 1, 1},
};

/* An array of a number for each query, or for each key, takes more than the 1 MB of stack that a
   lesson is given. */
enum { MANY = 140000 };
static const struct sizes many_queries = {MANY, 1, 1, 1, 1, 1}, many_keys = {1, MANY, 1, 1, 1, 1};

/* The inputs and outputs of a function, as far as it has them. They are void, because the sizes are
   in z. */
struct net {
    struct sizes z;
    void *W_q, *W_k, *v_a, *W, *Q, *K, *V;
    void *hidden, *scores, *weights, *out;
    void *upstream; /* d_scores, or d_out */
};

/* Whose inputs. */
enum what { ADDITIVE, ATTENTION, CONCAT, GENERAL };

struct net worked_inputs(enum what what);
struct net random_inputs(enum what what, struct sizes z, struct random *r);
struct net with_room(struct net n);

/* The learner's functions. */
typedef void run(const struct net *n);
void run_scores(const struct net *n);
void run_attention(const struct net *n);
void run_general(const struct net *n);

/* Each returns an array of its own, of this name. */
void *obvious_hidden(const char *name, const struct net *n);
void *obvious_weights(const char *name, const struct net *n);

/* Says them of the next EXPECT. */
void because_of_sizes(const struct net *n);

#endif
