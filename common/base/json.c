/* Writes JSON piece by piece. Commas go between the values of a level, strings are escaped, and a
   byte that is not UTF-8 becomes the replacement character. */
#include "base/json.h"

#include <string.h>

static void add_escaped(struct text *text, const char *value) {
    const char *end = value + strlen(value);
    size_t bytes;
    text_add(text, "\"", 1);
    for (const char *at = value, *next = value; at < end; at = next) {
        unsigned long code = utf8_next(&next, end, &bytes);
        if (bytes == 0)
            text_add(text, "\xEF\xBF\xBD", 3);
        else if (code == '"' || code == '\\')
            text_print(text, "\\%c", (int)code);
        else if (code == '\n')
            text_add(text, "\\n", 2);
        else if (code < 0x20 || code == 0x7F)
            text_print(text, "\\u%04lx", code);
        else
            text_add(text, at, bytes);
    }
    text_add(text, "\"", 1);
}

static void begin(struct json *json, const char *key) {
    if (json->begun)
        text_add(&json->text, ",\n", 2);
    json->begun = true;
    if (!key)
        return;
    add_escaped(&json->text, key);
    text_add(&json->text, ": ", 2);
}

void json_open(struct json *json, const char *key, char bracket) {
    begin(json, key);
    text_add(&json->text, (char[]){bracket, '\n'}, 2);
    json->begun = false;
}

void json_close(struct json *json, char bracket) {
    text_add(&json->text, (char[]){'\n', bracket}, 2);
    json->begun = true;
}

void json_string(struct json *json, const char *key, const char *value) {
    begin(json, key);
    add_escaped(&json->text, value);
}

void json_string_or_null(struct json *json, const char *key, const char *value) {
    if (value && *value)
        json_string(json, key, value);
    else
        json_word(json, key, "null");
}

void json_number(struct json *json, const char *key, double value) {
    begin(json, key);
    text_print(&json->text, "%.10g", value);
}

void json_word(struct json *json, const char *key, const char *word) {
    begin(json, key);
    text_add(&json->text, word, strlen(word));
}
