/* Products and sums that no lesson teaches: the slow, obvious kind, for tests and plots. */
#ifndef PRODUCT_H
#define PRODUCT_H

/* C = A B */
void product(int n, int m, int p, const double A[n][m], const double B[m][p], double C[n][p]);

/* C = A B^T: every row of A with every row of B */
void product_by_rows(int n, int m, int p, const double A[n][m], const double B[p][m],
                     double C[n][p]);

/* C = A^T B: every column of A with every column of B */
void product_by_columns(int n, int m, int p, const double A[m][n], const double B[m][p],
                        double C[n][p]);

/* For whatever holds `n` numbers, of any shape. */
double sum_of_products(int n, const void *a, const void *b);
void add_into(int n, const void *from, void *to);
void scale_into(int n, double factor, const void *from, void *to);

#endif
