/* Writes the tables that gnuplot reads. A table that cannot be opened or written ends the
   program with a message, so that no picture is drawn from half a table. */
#include "columns.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "cannot write %s: %s\n", what, strerror(errno));
    exit(2);
}

FILE *columns_open(const char *folder, const char *file, const char *names) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, file);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        give_up(file);
    }
    FILE *table = fopen(path, "w");
    if (!table)
        give_up(path);
    if (names)
        fprintf(table, "%s\n", names);
    return table;
}

void columns_row(FILE *table, const char *label, int n, const double numbers[n]) {
    const char *space = "";
    if (label) {
        fprintf(table, "\"%s\"", label);
        space = " ";
    }
    for (int i = 0; i < n; i++, space = " ") {
        if (isnan(numbers[i]))
            fprintf(table, "%snan", space); /* some systems print the sign of a NaN */
        else
            fprintf(table, "%s%.10g", space, numbers[i]);
    }
    fputc('\n', table);
}

void columns_gap(FILE *table) {
    fputc('\n', table);
}

void columns_close(FILE *table) {
    int failed = ferror(table);
    if (fclose(table) != 0 || failed)
        give_up("a table");
}

int columns_main(int argc, char **argv, const struct picture_tables all[]) {
    const char *one = getenv("LOOKBACK_PICTURE");
    bool found = false;
    for (int i = 0; argc == 2 && all[i].picture; i++) {
        bool again = i > 0 && all[i].write == all[i - 1].write; /* two pictures of one table */
        if (one ? strcmp(one, all[i].picture) == 0 : !again) {
            all[i].write(argv[1]);
            found = true;
        }
    }
    if (!found)
        fprintf(stderr, "usage: [LOOKBACK_PICTURE=NAME] %s FOLDER\n", argv[0]);
    return found ? 0 : 2;
}
