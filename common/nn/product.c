/* Matrix products by the definition: three loops, no blocking, no reuse of lesson code. */
#include "product.h"

void product(int n, int m, int p, const double A[n][m], const double B[m][p], double C[n][p]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < m; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

void product_by_rows(int n, int m, int p, const double A[n][m], const double B[p][m],
                     double C[n][p]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < m; k++)
                C[i][j] += A[i][k] * B[j][k];
        }
}

void product_by_columns(int n, int m, int p, const double A[m][n], const double B[m][p],
                        double C[n][p]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < m; k++)
                C[i][j] += A[k][i] * B[k][j];
        }
}

double sum_of_products(int n, const void *a, const void *b) {
    const double *x = a, *y = b;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void add_into(int n, const void *from, void *to) {
    const double *x = from;
    double *y = to;
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

void scale_into(int n, double factor, const void *from, void *to) {
    const double *x = from;
    double *y = to;
    for (int i = 0; i < n; i++)
        y[i] = factor * x[i];
}
