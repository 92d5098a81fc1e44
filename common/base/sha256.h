/* SHA-256, as FIPS 180-4 has it: the hash for all that is compared by its content. Scripts have it
   from common/make/lib.sh. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

struct hash {
    char hex[65];
};

struct hash sha256(const void *bytes, size_t length);

#endif
