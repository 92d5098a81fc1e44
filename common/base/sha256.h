/* SHA-256 (FIPS 180-4), the hash for everything that is compared by its content. Scripts have it in
   common/make/lib.sh. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

struct hash {
    char hex[65];
};

struct hash sha256(const void *bytes, size_t length);

#endif
