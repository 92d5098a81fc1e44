/* What a release (common/grade/release.sh) holds and shows nobody by the way: the file sealed/PATH
   in place of PATH, each of its letters another one. It keeps no secret from whoever takes this
   program apart. */
#ifndef SEALED_H
#define SEALED_H

#include "base/text.h"

/* Is this a release? */
bool is_release(void);

/* The file, or the sealed one in its place: false, and an empty text, if there is neither. */
bool text_read_sealed(struct text *text, const char *path);

/* Seals a text. */
void text_seal(struct text *text);

/* Runs a compiler that reads the C of sealed/PATH from its standard input. */
int sealed_compile(const char *sealed, char *const compiler[]);

#endif
