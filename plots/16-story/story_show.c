/* The worked example of lesson 16, step by step, at the terminal. */
#include "story.h"

#include "shade.h"

int main(void) {
    static const char *const row[] = {""}, *const places[] = {"0", "1", "2"};
    static const double gate[1][3] = {{1, -2, 0}}, up[1][3] = {{2, 3, 4}};
    double hidden[1][3];
    swiglu(1, 3, gate, up, hidden);
    shade_title("Lesson 16: the worked example, computed by your code");
    shade_matrix("gate", "x W_gate^T", 1, 3, row, places, gate);
    shade_matrix("up", "x W_up^T", 1, 3, row, places, up);
    shade_matrix("hidden", "silu(gate) * up", 1, 3, row, places, hidden);
}
