/* Where functions are in a text of C, also in one that is half written; and a few words about lines
   and names. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* A function that is declared or defined outside all braces. */
struct function {
    const char *start; /* its type */
    const char *name, *after_name;
    const char *end;                   /* behind its parameters */
    const char *comment, *comment_end; /* the last comment before it, or NULL */
};

/* The next one behind `at`, in a text that begins at `start`; go on from its end. */
bool next_function(const char *start, const char *at, struct function *f);

/* The '{' of a definition; NULL for a declaration. */
const char *body_of(const char *start, const struct function *f);

/* Behind the last brace of a definition; NULL if it has none. */
const char *end_of_definition(const char *start, const struct function *f);

/* The definition of a function, from its type to behind its last brace. */
bool find_definition(const char *start, const char *name, const char **from, const char **to);

/* True if the function is defined, and its body still begins with TODO(...). */
bool begins_with_todo(const char *start, const char *name);

/* True when the text holds the `length` letters at `word` as a name of their own. */
bool has_word(const char *text, const char *word, size_t length);

bool finds_word(const char *from, const char *to, const char *word, size_t length);

/* A part of a text becomes spaces, or its comments do, or its strings, characters and preprocessor
   lines, too; a line stays a line. */
void blank_part(char *from, const char *to);
void blank_comments(char *text);
void blank_all_but_code(char *text);

/* The number of the line that `at` is in. */
int line_of(const char *start, const char *at);

#endif
