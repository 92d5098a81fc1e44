/* A release (common/grade/release.sh) has no answers that a student reads by accident: in place of
   PATH it holds sealed/PATH, with each printable sign rotated (ROT47). This keeps no secret. */
#pragma once

#include "base/text.h"

/* Is this a release? */
bool is_release(void);

/* The path itself, or the sealed file in its place. */
const char *sealed_path(const char *path);

/* What the file holds, or the sealed one in its place; "" if there is neither. */
const char *sealed_text(const char *path);

/* Seals a text. Sealing it again gives it back. */
void text_seal(struct text *text);
