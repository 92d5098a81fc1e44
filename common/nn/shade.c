/* Prints matrices with shaded cells. The colours are chosen once from the environment: 24-bit,
   256 colours, or none. */
#include "shade.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum depth { UNKNOWN, NONE, COLOURS_256, COLOURS_24_BIT };

static enum depth depth_of_terminal(void) {
    static enum depth depth;
    if (depth != UNKNOWN)
        return depth;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *more = getenv("COLORTERM");
    const char *force = getenv("FORCE_COLOR");
    depth = NONE;
    if ((no && *no) || (!isatty(STDOUT_FILENO) && !(force && *force)))
        return depth;
    if (more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0))
        depth = COLOURS_24_BIT;
    else if (term && strstr(term, "256color"))
        depth = COLOURS_256;
    return depth;
}

void shade_title(const char *text) {
    printf("\n%s\n", text);
}

/* A sentence that does not fit beside its matrix. */
static void print_note(const char *text) {
    const size_t width = 76;
    while (*text) {
        size_t length = strlen(text);
        if (length > width)
            for (length = width; length > 1 && text[length] != ' '; length--)
                ;
        printf("  %.*s\n", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

/* White to blue for what is positive, white to orange for what is negative; dark cells get white
   letters. */
static void begin_cell(double share) {
    static const int blue[3] = {0, 84, 147}, orange[3] = {176, 80, 0};
    static const int blues[6] = {231, 189, 153, 110, 67, 25};
    static const int oranges[6] = {231, 223, 216, 173, 166, 130};
    const int *full = share < 0.0 ? orange : blue, *steps = share < 0.0 ? oranges : blues;
    const char *letters = fabs(share) > 0.55 ? "97" : "30";
    int c[3];
    for (int i = 0; i < 3; i++)
        c[i] = (int)(255.0 + fabs(share) * (full[i] - 255));
    if (depth_of_terminal() == COLOURS_24_BIT)
        printf("\033[%s;48;2;%d;%d;%dm", letters, c[0], c[1], c[2]);
    else if (depth_of_terminal() == COLOURS_256)
        printf("\033[%s;48;5;%dm", letters, steps[(int)(fabs(share) * 5.0 + 0.5)]);
}

static void print_cell(double number, double largest) {
    if (isfinite(number) && largest > 0.0)
        begin_cell(number / largest);
    if (isnan(number))
        printf("%8s", "nan");
    else
        printf(fabs(number) < 999.0 || isinf(number) ? "%8.4f" : "%8.2g",
               fabs(number) < 0.00005 ? 0.0 : number); /* not -0.0000 */
    if (depth_of_terminal() != NONE)
        printf("\033[0m");
}

static double largest_of(int count, const double *numbers) {
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            largest = fmax(largest, fabs(numbers[i]));
    return largest;
}

void shade_matrix(const char *what, const char *note, int rows, int cols,
                  const char *const row_names[], const char *const col_names[],
                  const double numbers[rows][cols]) {
    double largest = largest_of(rows * cols, &numbers[0][0]);
    printf("\n %-17.17s", what);
    for (int j = 0; j < cols; j++)
        printf("%8.8s", col_names[j]);
    if (note && (int)strlen(note) + 20 + 8 * cols <= 79)
        printf("  %s", note);
    putchar('\n');
    for (int i = 0; i < rows; i++) {
        printf("   %-15.15s", row_names[i]);
        for (int j = 0; j < cols; j++)
            print_cell(numbers[i][j], largest);
        putchar('\n');
    }
    if (note && (int)strlen(note) + 20 + 8 * cols > 79)
        print_note(note);
}

void shade_number(const char *what, const char *note, double number) {
    printf("\n %-17.17s%8.4f  %s\n", what, number, note);
}

void shade_cells(int n, int width, const double shares[n]) {
    static const char letters[] = " .:-=+*#%@";
    bool colour = depth_of_terminal() != NONE;
    for (int i = 0; i < n; i++) {
        bool known = isfinite(shares[i]);
        char letter = known ? letters[(int)(fmin(fmax(shares[i], 0.0), 0.999) * 10.0)] : '?';
        if (colour && known)
            begin_cell(shares[i]);
        for (int k = 0; k < width; k++)
            putchar(colour || (k > 0 && k == width - 1) ? ' ' : letter);
        if (colour)
            printf("\033[0m");
    }
}
