/* Known results of the published model, stories15M.bin. The suite story_real computes these
   numbers again, with a program that shares no code with the lesson. */
#ifndef PINNED_H
#define PINNED_H

#include <stdint.h>

/* The tokens at the beginning of the story that the most likely tokens give after "Once upon a
   time", which is BOS and four tokens. */
enum { PINNED = 24, PINNED_PROMPT = 5 };
extern const int pinned_words[PINNED];

/* The logits of some tokens after each of them. */
enum { PINNED_LOGITS = 8 };
extern const int pinned_of[PINNED_LOGITS];
extern const double pinned_logits[PINNED][PINNED_LOGITS];

/* checksum_of() its file, and the tokens of the whole story as story_sum() adds them up. */
extern const uint64_t pinned_file, pinned_story;
uint64_t story_sum(int n, const int words[n]);

#endif
