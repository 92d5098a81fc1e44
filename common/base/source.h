/* Finds the functions in a C file, also in one that is not finished, and answers small questions
   about names and lines; and which functions a function needs, as far as the words of C files show:
   the functions in its body, those in their bodies, and so on; through macros, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A function that is declared or defined outside all braces. */
struct function {
    const char *start; /* its type */
    const char *name, *after_name;
    const char *body; /* the '{' of a definition; NULL for a declaration */
    const char *end;  /* after its last brace, or after its parameters; or the end of the text */
    bool whole;       /* a definition whose last brace is there */
    bool todo;        /* a whole definition, and it begins with TODO(...) */
    const char *comment, *comment_end; /* the last comment before it, or NULL */
};

/* The next function after `at`, in a text that begins at `start`. Continue from its end. */
bool next_function(const char *start, const char *at, struct function *f);

bool has_name(const struct function *f, const char *name);

/* The first declaration or definition of a function. */
bool find_function(const char *start, const char *name, struct function *f);

/* The whole definition of a function, from its type to after its last brace. */
bool find_definition(const char *start, const char *name, const char **from, const char **to);

/* True when the text holds the `length` letters at `word` as a name of their own. */
bool has_word(const char *text, const char *word, size_t length);

bool finds_word(const char *from, const char *to, const char *word, size_t length);

/* True if the code uses a name, outside of comments, strings and lines of the preprocessor. */
bool uses_name(const char *code, const char *name);

/* Replaces a part of a text, or all its comments, by spaces. Line ends stay. */
void blank_part(char *from, const char *to);
void blank_comments(char *text);

/* The number of the line that `at` is in. */
int line_of(const char *start, const char *at);

/* --- which function needs which --------------------------------------------------------------- */

struct piece; /* a function's body, a macro's text, or a variable of a whole file */

struct calls {
    struct piece *pieces;
    int count;
    int first[128]; /* by first letter: the number of the last piece plus 1; 0: no piece */
};

/* Adds the functions, macros and variables of a file; nothing if it cannot be read. */
void calls_read(struct calls *calls, const char *path);

/* Marks everything that `name` needs as reached, until calls_forget(). A test that a macro makes,
   MACRO(exercise, name, ...), needs what the macro and its arguments need. If no piece has that
   name, it needs the pieces that contain it as a word, and without those, all pieces. */
void calls_follow(struct calls *calls, const char *name);
void calls_forget(struct calls *calls);
bool calls_reached(const struct calls *calls, const char *name);

/* True if two functions use the same variable of the file, and the second function is not reached
   through a call. */
bool calls_share(struct calls *calls, const char *name, const char *other);
