/* The definition of one function as tokens: its brackets, names, loops and statements. It is read
   as a student may have written it, so whatever does not fit is left out and never an error. */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdbool.h>

enum token_kind { NAME, NUMBER, STRING, SIGN };

struct token {
    enum token_kind kind;
    int from, to; /* letters of the text */
    int match;    /* the other one of a pair of brackets; -1 */
};

enum type { OTHER_TYPE, AN_INT, A_DOUBLE };

struct name {
    int token, until; /* where it is declared, and the last token that it is known to */
    enum type type;
    int rank;    /* 0 for a number, 1 for a row, 2 for a matrix */
    int columns; /* the '[' of its last size, or -1 */
    bool parameter, constant;
};

struct loop {
    int open, first_end, second_end, close; /* for ( ; ; ) */
    int variable;                           /* its token, or -1 */
    int body, end;                          /* first and last token of what is repeated */
};

enum { MOST_NAMES = 64, MOST_LOOPS = 24 };

struct code {
    char *text; /* its comments are blank; its preprocessor lines have no tokens */
    struct token *tokens;
    int count;
    int name, open, close; /* of the function, and the braces of its body */
    struct name names[MOST_NAMES];
    int name_count;
    struct loop loops[MOST_LOOPS];
    int loop_count;
};

/* `text` is the definition, from its type to behind its last brace. False if it is none, or has too
   many loops. */
bool code_read(struct code *code, const char *text, int length);
void code_free(struct code *code);

/* Blanks out comments, so that lines and letters keep their places. */
void blank_comments(char *text);

bool is(const struct code *code, int token, const char *word);
bool is_any(const struct code *code, int token, const char *words); /* " = += -= " */
bool same_token(const struct code *code, int a, int b);

/* The parameter or local number, row or matrix of that name that is known before it; NULL if none.
 */
const struct name *name_at(const struct code *code, int token);

/* Do rows of the two have the same length, as far as their declarations tell? */
bool have_same_columns(const struct code *code, const struct name *a, const struct name *b);

/* Are all names between two tokens known at another place? */
bool names_known_at(const struct code *code, int from, int to, int place);

/* For the last ']' or the name of `x[i][j]`: the token of x. */
int array_of(const struct code *code, int token);

/* The last token of the statement that starts there. */
int statement_end(const struct code *code, int token);
bool starts_statement(const struct code *code, int token);
bool is_declaration(const struct code *code, int token);
bool is_call(const struct code *code, int token);
bool is_binary(const struct code *code, int token);

/* The operands of the binary operator at `token`: they end before an operator in `stop`. -1: none.
 */
int right_end(const struct code *code, int token, const char *stop);
int left_start(const struct code *code, int token, const char *stop);

/* The innermost loop that is around a token (in its body), or whose head the token is in; NULL. */
const struct loop *loop_around(const struct code *code, int token);
const struct loop *head_around(const struct code *code, int token);

#endif
