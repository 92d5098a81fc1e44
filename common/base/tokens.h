/* The one reader of C. next_token() cuts any text into tokens, also one that is not finished.
   code_read() reads the definition of one function: its brackets, names, loops and statements. A
   student may have written anything, so what is not understood is skipped and never an error.
   Positions are indices of tokens. "Behind" something is the position after it. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

enum token_kind { NAME, NUMBER, STRING, SIGN };

struct token {
    enum token_kind kind;
    const char *at; /* in the text, which must not be freed */
    size_t length;
    int match;                         /* the other one of a pair of brackets; -1 */
    const char *comment, *comment_end; /* the last comment before it; NULL */
};

/* The first token at or after `at`, in a text that begins at `text` and ends with '\0'. Its length
   is 0 at the end. Comments and lines of the preprocessor are skipped. */
struct token next_token(const char *at, const char *text);
struct token token_behind(const struct token *token, const char *text);
/* Is the token one of these words? is_word(&t, "( [ {") */
bool is_word(const struct token *token, const char *words);

/* The length of the name that begins there, or 0. */
size_t name_length(const char *at);
/* The end of the comment, string, character or line of the preprocessor that begins there; `at` if
   none does. */
const char *skip_odd(const char *at, const char *text);

struct name {
    int token, until; /* where it is declared, and the last token that it is known to */
    int type;         /* the last word of it: `double`, or the tag of a struct */
    int of;           /* the tag of the struct that it is a member of; 0 */
    int rank;         /* 0 for a number, 1 for a row or a pointer, 2 for a matrix */
    int columns;      /* the '[' of its last size, or -1 */
    bool parameter, constant;
};

struct loop {
    int open, first_end, second_end, close; /* for ( ; ; ) */
    int variable;                           /* its token, or -1 */
    int body, end;                          /* first and last token of what is repeated */
};

struct code {
    struct token *tokens;
    int count;             /* without those of the structs, which follow */
    int name, open, close; /* the name of the function, and the braces of its body */
    struct name *names;
    int name_count;
    struct loop *loops;
    int loop_count;
};

/* Reads a definition from its type to after its last brace. `types` is a text with the structs that
   it may use. False if the text is no definition. */
bool code_read(struct code *code, const char *text, const char *end, const char *types);
/* Reads only its tokens and parameters, with those structs. The text may be a declaration. */
bool code_read_parameters(struct code *code, const char *text, const char *end, const char *types);
/* Reads only the tokens and loops of any text. False if its brackets do not match. */
bool code_read_tokens(struct code *code, const char *text, const char *end);
/* The same for the definition of one function in a text. */
bool code_find_tokens(struct code *code, const char *text, const char *function);
/* Are two pieces of code the same apart from their names? Each name of one has the same places as a
   name of the other. */
bool code_is_alike(const struct code *a, const struct code *b);

/* Is the token one of these words? is(code, i, "= += -=") */
bool is(const struct code *code, int token, const char *words);
/* Is one of these tokens? */
bool any_is(const struct code *code, int from, int to, const char *words);
bool is_spelled(const struct code *code, int token, const char *chars, size_t length);
bool same_token(const struct code *a, int i, const struct code *b, int k);
bool same_text(const struct code *code, int a, int behind_a, int b, int behind_b);
const char *behind_token(const struct code *code, int token);
/* The letters from a token up to another; or adds them. */
const char *tokens_of(const struct code *code, int from, int to);
void add_tokens(struct text *text, const struct code *code, int from, int to);

/* The position after the token, or after the brackets that it opens. */
int behind_one(const struct code *code, int token);

/* The parameter, local or member of that name that is known there; NULL if none. */
const struct name *name_at(const struct code *code, int token);
/* Are they whole numbers, doubles or the like, of the same type? Do rows of the two have the same
   length, as far as their declarations tell? */
bool is_whole(const struct code *code, const struct name *name);
bool is_real(const struct code *code, const struct name *name);
bool have_same_type(const struct code *code, const struct name *a, const struct name *b);
bool have_same_columns(const struct code *code, const struct name *a, const struct name *b);
/* Are all names between two tokens known at another place? */
bool are_known_at(const struct code *code, int from, int to, int place);

bool starts_statement(const struct code *code, int token);
bool is_declaration(const struct code *code, int token);
bool is_call(const struct code *code, int token);
/* Does an operand end before the token? Then a sign there has two. */
bool follows_operand(const struct code *code, int token);

/* The position after what starts there, or -1. In this order: a statement; a number, call or
   element, with its signs; an expression whose operands are joined by these operators; any
   expression, up to a comma, a bracket, a semicolon, or a colon that is not its own. */
int behind_statement(const struct code *code, int token);
int behind_operand(const struct code *code, int token);
int behind_joined(const struct code *code, int token, const char *operators);
int behind_expression(const struct code *code, int token);

/* The bracket around a token, as far as its statement goes; -1. */
int bracket_around(const struct code *code, int token);

/* For the last ']' or the name of `x[i][j]`: the token of x. For a member: the token of the struct
   that has it, or -1. The last name of `w->gru.d`. */
int array_of(const struct code *code, int token);
int object_of(const struct code *code, int token);
int path_end(const struct code *code, int token);

/* The innermost loop that is around a token (in its body), or whose head the token is in; NULL. */
const struct loop *loop_around(const struct code *code, int token);
const struct loop *head_around(const struct code *code, int token);

/* --- the functions of a file, also of one that is not finished: source.c ---------------------- */

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

/* True if one of these words is in the code, outside of comments, strings and lines of the
   preprocessor. */
bool uses_word(const char *code, const char *words);

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
