/* Reads one JSON document from standard input, as strictly as RFC 8259 has it, and writes a line
   for each value: its path, its type, and the value of a string, a number or a word. Anything else
   ends it with status 1. Nothing may follow the document but blanks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20], *at = text, path[1000];

static void fail(const char *what) {
    fprintf(stderr, "no JSON: %s at byte %ld: %.20s\n", what, (long)(at - text), at);
    exit(1);
}

static void blanks(void) {
    at += strspn(at, " \t\r\n");
}

static void take(char c) {
    if (*at++ != c)
        fail("another sign is expected");
}

/* Leaves it as it stands, without its quotes. */
static void string(char *value, size_t size) {
    char *begin = at + 1;
    for (take('"'); *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            fail("a control character, or no end");
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
            at += 4;
        else if (!*at || !strchr("\"\\/bfnrt", *at))
            fail("an escape");
    }
    snprintf(value, size, "%.*s", (int)(at - begin), begin);
    at++;
}

static void digits(void) {
    if (!isdigit((unsigned char)*at))
        fail("no digit");
    at += strspn(at, "0123456789");
}

static void number(void) {
    char *begin = at;
    at += *at == '-';
    if (*at == '0')
        at++;
    else
        digits();
    if (*at == '.') {
        at++;
        digits();
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits();
    }
    printf("%s\tnumber\t%.*s\n", path, (int)(at - begin), begin);
}

static void value(void);

/* An object has a key before each value, a list an index. */
static void all(const char *type, char end) {
    size_t length = strlen(path);
    char key[200];
    int count = 0;
    printf("%s\t%s\t\n", path, type);
    at++;
    blanks();
    while (*at != end) {
        if (count++ > 0) {
            take(',');
            blanks();
        }
        if (end == '}') {
            string(key, sizeof key);
            blanks();
            take(':');
            snprintf(path + length, sizeof path - length, ".%s", key);
        } else {
            snprintf(path + length, sizeof path - length, "[%d]", count - 1);
        }
        value();
        path[length] = '\0';
        blanks();
    }
    at++;
}

static void value(void) {
    static const char *const words[] = {"true", "false", "null"};
    char chars[100000];
    blanks();
    if (*at == '{') {
        all("object", '}');
        return;
    }
    if (*at == '[') {
        all("list", ']');
        return;
    }
    if (*at == '"') {
        string(chars, sizeof chars);
        printf("%s\tstring\t%s\n", path, chars);
        return;
    }
    for (int i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            at += strlen(words[i]);
            printf("%s\t%s\t%s\n", path, i < 2 ? "boolean" : "null", words[i]);
            return;
        }
    number();
}

int main(void) {
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    if (strlen(text) != length)
        fail("a NUL");
    value();
    blanks();
    if (*at)
        fail("something follows");
    return 0;
}
