/* Read before words.c, for the suite findings: every sentence that it makes is in capital letters.
 */
#include "base/text.h"

#include <ctype.h>

static inline void shout(char *chars) {
    for (; chars && *chars; chars++)
        *chars = (char)toupper((unsigned char)*chars);
}

static inline char *loud(char *words) {
    shout(words);
    return words;
}

#define path_of(...)          loud(path_of(__VA_ARGS__))
#define text_print(text, ...) (text_print(text, __VA_ARGS__), shout((text)->chars))
