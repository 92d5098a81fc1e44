/* `make bench-16`: the tokens a second of each kind, compared with a bare read of the same weights,
   and with the programs of llama2.c if they are there (peers.h). */
#ifndef BENCH_H
#define BENCH_H

/* Writes bench.dat to the folder. */
int run_bench(const char *folder);

#endif
