/* Writes JSON (RFC 8259). The output is valid whatever bytes a string contains. */
#pragma once

#include "base/text.h"

struct json {
    struct text text;
    bool begun; /* the next thing on this level needs a comma */
};

/* The key is NULL in a list and for the outermost value. */
void json_open(struct json *json, const char *key, char bracket); /* { or [ */
void json_close(struct json *json, char bracket);                 /* } or ] */
void json_string(struct json *json, const char *key, const char *value);
void json_string_or_null(struct json *json, const char *key,
                         const char *value); /* if it is empty */
void json_number(struct json *json, const char *key, double value);
void json_word(struct json *json, const char *key, const char *word); /* true, false, null */
