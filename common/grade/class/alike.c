/* Compares the tokens of two functions. Names may differ, if each name of one function has the same
   places as a name of the other. */
#include "grade/class/alike.h"

#include "base/tokens.h"

#include <string.h>

/* The same names in the same places: the first place of each is the same on both sides. */
static int first_place(const struct code *code, int token) {
    for (int i = 0; i < token; i++)
        if (code->tokens[i].kind == NAME && same_token(code, i, code, token))
            return i;
    return token;
}

static bool are_alike(const struct code *a, const struct code *b) {
    if (a->count != b->count || a->count < TOKENS_THAT_TELL)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->tokens[i].kind != b->tokens[i].kind ||
            (a->tokens[i].kind != NAME && !same_token(a, i, b, i)))
            return false;
    for (int i = 0; i < a->count; i++)
        if (a->tokens[i].kind == NAME && first_place(a, i) != first_place(b, i))
            return false;
    return true;
}

bool is_alike(const char *text, const char *reference, const char *function) {
    struct code a, b = {0};
    bool alike = code_find_tokens(&a, text, function) &&
                 code_find_tokens(&b, reference, function) && are_alike(&a, &b);
    code_free(&a);
    code_free(&b);
    return alike;
}
