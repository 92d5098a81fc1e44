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

/* The relative luminance of WCAG. */
static double luminance(const int c[3]) {
    static const double shares[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += shares[i] * pow((c[i] / 255.0 + 0.055) / 1.055, 2.4);
    return sum;
}

/* What number `step` of a terminal's cube of 6 x 6 x 6 colours looks like. */
static void colour_of_step(int step, int c[3]) {
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    for (int i = 2, left = step - 16; i >= 0; i--, left /= 6)
        c[i] = levels[left % 6];
}

/* White to blue for what is positive, white to orange for what is negative, with black or white
   letters: those that differ more from what is painted. A 0 is not painted. */
static void begin_cell(double share) {
    static const int blue[3] = {0, 84, 147}, orange[3] = {176, 80, 0};
    static const int blues[6] = {231, 189, 153, 110, 67, 25};
    static const int oranges[6] = {231, 223, 216, 173, 166, 130};
    const int *full = share < 0.0 ? orange : blue;
    const int step = (share < 0.0 ? oranges : blues)[(int)(fabs(share) * 5.0 + 0.5)];
    const bool is_fine = depth_of_terminal() == COLOURS_24_BIT;
    int c[3];
    if (depth_of_terminal() == NONE || fabs(share) < 0.005)
        return;
    for (int i = 0; i < 3; i++)
        c[i] = (int)(255.0 + fabs(share) * (full[i] - 255));
    if (!is_fine)
        colour_of_step(step, c);
    printf("\033[38;5;%dm", luminance(c) > 0.179 ? 16 : 231);
    if (is_fine)
        printf("\033[48;2;%d;%d;%dm", c[0], c[1], c[2]);
    else
        printf("\033[48;5;%dm", step);
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

/* The share as text: a number if there is room; otherwise its weight as a letter, or nothing where
   the colour tells it. */
static void cell_text(char text[4], int width, double share) {
    static const char letters[] = " .:-=+*#%@";
    const double within = fmin(fmax(share, 0.0), 0.999);
    const char letter = depth_of_terminal() != NONE ? ' ' : letters[(int)(within * 10.0)];
    if (isfinite(share) && width >= 4 && within >= 0.005)
        snprintf(text, 4, share >= 0.995 ? "1.0" : ".%02d", (int)(100.0 * within + 0.5));
    else
        snprintf(text, 4, "%c", isfinite(share) ? letter : '?');
}

void shade_cells(int n, int width, const double shares[n]) {
    for (int i = 0; i < n; i++) {
        char text[4];
        cell_text(text, width, shares[i]);
        if (isfinite(shares[i]))
            begin_cell(shares[i]);
        printf("%*s%*s", width > 1 ? width - 1 : width, text, width > 1, "");
        if (depth_of_terminal() != NONE)
            printf("\033[0m");
    }
}
