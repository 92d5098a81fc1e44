/* Keeps what the last call under threads_pretend() or work_watch() showed. */
#include "observed.h"

struct observed observed(void) {
    return observed_here;
}
