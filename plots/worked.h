/* The worked example of lessons 02, 03 and 05. Lessons 02 and 03 have the first two queries. */
#ifndef PLOTS_WORKED_H
#define PLOTS_WORKED_H

enum { N_K = 3, D_K = 3, D_V = 2 };

static const char *const queries[] = {"query 0", "query 1", "query 2"};
static const char *const keys[] = {"key 0", "key 1", "key 2"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2"};

static const double Q[][D_K] = {{1, 0, 1}, {0, 1, 0}, {1, 1, 0}};
static const double K[][D_K] = {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}};
static const double V[][D_V] = {{1, 2}, {3, 0}, {0, 1}};
static const double d_out[][D_V] = {{1, 0}, {0, 1}, {1, 1}};

#endif
