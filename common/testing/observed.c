#include "observed.h"

struct observed observed(void) {
    return observed_here;
}
