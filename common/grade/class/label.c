#include "grade/class/label.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 100 }; /* bytes */

/* Letters of other scripts stay: names.h has made them ones that can be seen. */
static struct path plain(const char *shown) {
    size_t length = strlen(shown);
    if (length > LONGEST)
        for (length = LONGEST; ((unsigned char)shown[length] & 0xC0) == 0x80;)
            length--; /* between two characters */
    struct path label = path_of("%.*s", (int)length, shown);
    for (char *c = label.chars; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c) &&
            (unsigned char)*c < 0x80)
            *c = '_';
    if (strchr(".-", label.chars[0]))
        label = path_of("_%s", label.chars);
    return label;
}

/* Whatever the case: some systems make no difference. */
static bool is_taken(const struct class *class, int count, const char *label) {
    for (int i = 0; i < count; i++)
        if (strcasecmp(class->submissions[i].label, label) == 0)
            return true;
    return false;
}

void label_submissions(struct class *class) {
    for (int i = 0; i < class->count; i++) {
        struct path own = plain(text_of(&class->submissions[i].shown)), label = own;
        for (int n = 2; is_taken(class, i, label.chars); n++)
            label = path_of("%s-%d", own.chars, n);
        class->submissions[i].label = strdup(label.chars);
    }
}
