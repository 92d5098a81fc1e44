/* The milestone of lesson 14: how much faster does each step make attention?

   All versions run one after the other, round by round, at seven lengths, with and without a mask.
   With them run the peak, which is a loop of multiply-adds in registers, and OpenBLAS and PyTorch,
   if they are installed. Before that, several threads have to give exactly the results of one. All
   attention is computed by the functions of lesson 14, and by yours if you have passed it.
   `make run-14` keeps the tables for the plots, and `make bench-14` measures what T=, H=, CAUSAL=,
   THREADS= and SECONDS= ask for. */
#include "milestone/agree.h"
#include "milestone/bench.h"
#include "milestone/tables.h"

#include "columns.h"
#include "trainer.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static struct report r;
    const char *command = argc == 3 ? argv[1] : "run", *folder = argv[argc - 1];
    const bool is_run = strcmp(command, "run") == 0;
    if (argc < 2 || argc > 3 || (!is_run && strcmp(command, "bench") != 0)) {
        fprintf(stderr,
                "usage: [T=1024] [H=2] [CAUSAL=1] [THREADS=1] [SECONDS=3] %s [bench] FOLDER\n",
                argv[0]);
        return 2;
    }
    r.settings = settings_wanted();
    if (!threads_agree(stderr))
        return is_run ? NOTHING_WHOLE : 2;
    stop_at_ctrl_c();
    measure(&r);
    if (is_stopped()) {
        fputs("\nStopped before the end, so nothing is reported.\n", stderr);
        return is_run ? NOTHING_WHOLE : 2;
    }
    tell_report(stdout, &r);
    write_summary(folder, &r);
    if (is_run) {
        write_tables(folder, &r);
        FILE *for_report = columns_open(folder, "result.txt", NULL);
        tell_report(for_report, &r);
        columns_close(for_report);
    }
    return 0;
}
