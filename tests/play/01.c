/* What the page of lesson 01 shows after: temperature=2.5 score0=-1.3 score2=4.9 */
#include "softmax.h"

#include <stdio.h>

int main(void) {
    double scores[3] = {-1.3, 2, 4.9}, weights[3], jacobian[3][3];
    softmax_at_temperature(3, 2.5, scores, weights);
    softmax_jacobian(3, weights, jacobian);
    for (int i = 0; i < 3; i++)
        printf("weights %.17g\n", weights[i]);
    printf("entropy %.17g\n", entropy(3, weights));
    for (int i = 0; i < 9; i++)
        printf("jacobian %.17g\n", jacobian[i / 3][i % 3]);
    return 0;
}
