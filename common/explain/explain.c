#include "explain/explain.h"

#include "base/source.h"
#include "explain/place.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(char *field, size_t size, const char *text) {
    snprintf(field, size, "%s", text);
}

#define PUT(field, text) put(field, sizeof(field), text)

/* --- crashes -------------------------------------------------------------------------------- */

struct known {
    const char *sign, *what, *advice;
};

#define OWN_MEMORY                                                                                 \
    "Most functions need no memory of their own; one that takes some frees it, once, at its end."
#define OWN_ARRAY                                                                                  \
    "Which is the last index of each loop, and how long is that array? Or are two sizes swapped "  \
    "in a call?"

static const struct known sanitizer_signs[] = {
    {"heap-buffer-overflow", "read or wrote outside an array",
     "Which is the first index of each loop, and the last? Or are two indices swapped, or two "
     "sizes in a call?"},
    {"stack-buffer-overflow", "read or wrote outside a local array", OWN_ARRAY},
    {"dynamic-stack-buffer-overflow", "read or wrote outside a local array", OWN_ARRAY},
    {"global-buffer-overflow", "read or wrote outside a static array",
     "Which is the last index of each loop, and how long is that array?"},
    {"heap-use-after-free", "used memory that it had freed already", OWN_MEMORY},
    {"attempting double-free", "freed the same memory twice", OWN_MEMORY},
    {"attempting free on address", "freed memory that malloc did not give it",
     "The buffers belong to the caller: leave them as they are."},
    {"stack-overflow", "ran out of stack: an array of its own is too large for it",
     "An array that grows with the text may not fit the stack: work row by row, and write into the "
     "outputs at once."},
    {"stack-use-after", "used a local variable after its life had ended",
     "Keep no pointer to a variable of a block that is over."},
    {"requested allocation size", "asked for far too much memory at once", OWN_MEMORY},
    {"allocation-size-too-big", "asked for far too much memory at once", OWN_MEMORY},
    {"RSS limit exceeded", "took far too much memory", OWN_MEMORY},
    {"rss limit exhausted", "took far too much memory", OWN_MEMORY},
    {"out of memory", "asked for more memory than there is", OWN_MEMORY},
    {"memcpy-param-overlap", "copied a buffer onto itself with memcpy",
     "In a call in place the input and the output are one buffer."},
    {"negative-size-param", "copied a negative number of bytes", "Look at how the size is made."},
    {"ABRT", "called abort(), or an assert() failed", "Look at the line that did."},
    {"FPE", "divided an integer by zero", "Which divisor can be 0 here?"},
    {"address points to the zero page", "followed a null pointer",
     "Which pointer there can be NULL, or was never set?"},
    {"SEGV", "followed a pointer to nowhere", "Which pointer, or which index, is far off there?"},
    {"BUS", "followed a pointer to nowhere", "Which pointer, or which index, is far off there?"},
    {"detected memory leaks", "allocated memory and never freed it", OWN_MEMORY},
};

static const struct known undefined_signs[] = {
    {"out of bounds", NULL, "An index runs from 0 to the length less 1."},
    {"null pointer", "followed a null pointer",
     "Which pointer there can be NULL, or was never set?"},
    {"division by zero", "divided an integer by zero", "Which divisor can be 0 here?"},
    {"signed integer overflow", NULL, "A counter that never stops, or a product of sizes?"},
    {"variable length array bound", "has an array of length 0 or less",
     "An array, or the rows that a pointer leads to, would be of that length. Which size is 0 "
     "here?"},
    {"not a valid value for type", "used a true or false that nobody had set",
     "Outputs start out undefined: set a cell before you look at it."},
};

static const struct known *look_up(const struct known *table, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strstr(text, table[i].sign))
            return &table[i];
    return NULL;
}

/* True if the lesson's text speaks of calloc(): one of its functions makes room of its own. */
static bool asks_for_room(const struct lesson *lesson) {
    struct text readme;
    text_read_file(&readme, lesson->readme.chars);
    bool asks = has_word(text_of(&readme), "calloc", strlen("calloc"));
    text_free(&readme);
    return asks;
}

#define LOOK_UP(table, text) look_up(table, sizeof(table) / sizeof(table)[0], text)

/* What is said instead in such a lesson. */
static const struct known where_room_is_made[] = {
    {"stack-overflow", "", "Room of its own, where the text asks for some, comes from calloc()."},
    {"variable length array bound", "",
     "Room of its own, where the text asks for some, comes from calloc(); every other buffer is "
     "the caller's."},
    {"variable-sized object", "",
     "An array of that size cannot be set where it is made. Room of its own, where the text asks "
     "for some, comes from calloc(), all 0."},
};

static void advise(struct fault *fault, const struct lesson *lesson, const struct known *known) {
    const struct known *other = LOOK_UP(where_room_is_made, known->sign);
    PUT(fault->advice, other && asks_for_room(lesson) ? other->advice : known->advice);
}

/* The array is the one that stands at the column that the message names. */
static void say_index(struct fault *fault, const struct lesson *lesson, const char *err,
                      int index) {
    struct path used = indexed_at(lesson->source.chars, err);
    snprintf(fault->what, sizeof fault->what,
             "used index %d%s%.200s%s, outside of its row or array", index,
             used.chars[0] ? " in `" : "", used.chars, used.chars[0] ? "`" : "");
}

/* "file:31:20: runtime error: index 3 out of bounds for type 'double [*]'" */
static bool explain_undefined(struct fault *fault, const struct lesson *lesson, const char *err) {
    char message[400];
    const char *error = strstr(err, "runtime error: ");
    if (!error)
        return false;
    error += strlen("runtime error: ");
    next_line(&error, message, sizeof message);
    const struct known *known = LOOK_UP(undefined_signs, message);
    int index;
    if (sscanf(message, "index %d out of bounds", &index) == 1)
        say_index(fault, lesson, err, index);
    else if (starts_with(message, "signed integer overflow: "))
        snprintf(fault->what, sizeof fault->what, "computed %.*s, which an int cannot hold",
                 (int)(strstr(message, " cannot") ? strstr(message, " cannot") - message - 25 : 40),
                 message + 25);
    else
        snprintf(fault->what, sizeof fault->what, "%s%s",
                 known && known->what ? known->what : "did what C does not define: ",
                 known && known->what ? "" : message);
    if (known)
        advise(fault, lesson, known);
    return true;
}

static bool explain_sanitizer(struct fault *fault, const struct lesson *lesson, const char *err,
                              const struct test *t) {
    const char *error = strstr(err, "ERROR: "), *limit = strstr(err, "hard rss limit exhausted");
    error = error ? error : limit;
    if (!error || !strstr(err, "Sanitizer"))
        return false;
    const struct known *known = LOOK_UP(sanitizer_signs, error);
    PUT(fault->what, known ? known->what : "crashed");
    if (known)
        advise(fault, lesson, known);
    if (known && starts_with(known->sign, "stack-overflow") && calls_itself(lesson, err)) {
        PUT(fault->what, "ran out of stack: it calls itself, and never stops");
        PUT(fault->advice, "A function of a lesson needs no recursion: a loop will do.");
    }
    if (t && t->touched[0] && known == &sanitizer_signs[0])
        PUT(fault->what, t->touched);
    if (known == &sanitizer_signs[0] && strstr(fault->what, "that it took for itself"))
        PUT(fault->advice,
            "Which is the last index of each loop, and how much room was taken? For n rows, or n "
            "numbers, at a pointer p it is n * sizeof *p: sizeof p is that of the pointer alone, "
            "and sizeof(double) that of one number.");
    return true;
}

static const char *signal_meaning(int number) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS:
        return "followed a pointer to nowhere, used an index that is far off, or ran out of stack: "
               "is an array of its own too large?";
    case SIGFPE:
        return "divided an integer by zero";
    case SIGABRT:
        return "called abort(), or an assert() failed";
    case SIGKILL:
        return "was killed: too much memory?";
    default:
        return "was stopped by a signal";
    }
}

static void explain_time(struct fault *fault, const struct child *child) {
    if (child->waited) {
        snprintf(fault->what, sizeof fault->what, "was stopped after %g s of waiting",
                 child->seconds);
        PUT(fault->advice, "A function of a lesson has nothing to wait for: no input, no sleep.");
    } else {
        snprintf(fault->what, sizeof fault->what,
                 "was stopped after %g s of work: a loop that does not end, or one that does far "
                 "too much?",
                 child->seconds);
        PUT(fault->advice,
            "Which variable must change for the loop to end, and does it? How often does it run?");
    }
}

static void explain_ending(struct fault *fault, const struct child *child, const struct test *t) {
    if (t && strcmp(t->touched, "exit") == 0) {
        PUT(fault->what, "called exit(): the tests could not go on");
        PUT(fault->advice, "Return from the function instead.");
    } else if (t && strcmp(t->touched, "fork") == 0) {
        PUT(fault->what, "started another process");
        PUT(fault->advice, "A function of a lesson needs no processes: compute here, and return.");
    } else if (t && strcmp(t->touched, "thread") == 0) {
        PUT(fault->what, "left a thread of its own running");
        PUT(fault->advice, "A function of a lesson needs no threads but those of OpenMP.");
    } else if (t && strcmp(t->touched, "left") == 0) {
        PUT(fault->what, "jumped out of the test before it could check anything");
        PUT(fault->advice, "Return from the function: no longjmp, and none of Unity's macros.");
    } else if (t && t->touched[0] && (child->ending != SIGNALLED || child->status == SIGKILL)) {
        PUT(fault->what, t->touched); /* why we have ended it */
    } else if (child->ending == SIGNALLED) {
        PUT(fault->what, signal_meaning(child->status));
    } else {
        snprintf(fault->what, sizeof fault->what,
                 "ended the whole program (status %d) in the middle of a test", child->status);
        PUT(fault->advice, "Return from the function instead of ending the program.");
    }
}

/* A loop that does nothing may be compiled to a jump without a line of its own, and be taken for
   its neighbour in the file. A test calls its exercise, so the stack must name that. */
static void place_the_loop(struct fault *fault, const struct lesson *lesson,
                           const struct stack *stack, const struct exercise *e) {
    for (int i = 0; i < stack->count; i++)
        if (strcmp(stack->frames[i].function, e->name) == 0)
            return;
    fault_free(fault);
    snprintf(fault->where, sizeof fault->where, "%.380s:%d", lesson->source.chars, e->line);
    PUT(fault->function, e->name);
    draw_line(&fault->excerpt, lesson->source.chars, e->line, 0);
}

/* True where sizes or arguments of a call may be to blame. */
static bool is_outside(const struct fault *fault) {
    return starts_with(fault->what, "was stopped") || strstr(fault->what, " past the end of ") ||
           strstr(fault->what, " before the start of ") || starts_with(fault->what, "used index");
}

/* The test has a name for the array, and the function may have another. */
static void add_own_name(struct fault *fault, const struct lesson *lesson,
                         const struct stack *stack) {
    char array[64];
    const char *quoted = strchr(fault->what, '`');
    if (!quoted || stack->count == 0 || sscanf(quoted, "`%63[A-Za-z0-9_]`", array) != 1)
        return;
    struct path names = names_in_function(lesson->source.chars, &stack->frames[0], array);
    size_t used = strlen(fault->what);
    if (names.chars[0])
        snprintf(fault->what + used, sizeof fault->what - used, ". In %s() that is %.100s",
                 stack->frames[0].function, names.chars);
}

void explain_crash(struct fault *fault, struct lesson *lesson, const struct child *child,
                   const struct test *t) {
    const char *err = text_of(&child->err);
    *fault = (struct fault){0};
    if (child->ending == TIMED_OUT) {
        explain_time(fault, child);
    } else if (child->ending == FLOODED) {
        PUT(fault->what, "printed far too much, and was stopped");
        PUT(fault->advice, "A printf() in a loop that does not end?");
    } else if (!explain_undefined(fault, lesson, err) &&
               !explain_sanitizer(fault, lesson, err, t)) {
        explain_ending(fault, child, t);
    }
    struct stack stack = stack_of(lesson, err);
    const struct exercise *tested = t ? t->exercise : NULL;
    const char *called = put_place(fault, lesson, &stack, tested);
    if (child->ending == TIMED_OUT && tested && tested->line > 0)
        place_the_loop(fault, lesson, &stack, tested);
    if (t && called[0] && is_outside(fault))
        snprintf(fault->advice, sizeof fault->advice,
                 child->ending == TIMED_OUT
                     ? "%s() itself is right. Does the loop around this call ever end? Which "
                       "variable must change for that? Or is what is given here far too large?"
                     : "%s() itself is right: look at what it is given in this call. Are two "
                       "arguments or two sizes swapped, or is an index wrong?",
                 called);
    else if (t && t->touched[0] && strcmp(fault->what, t->touched) == 0)
        add_own_name(fault, lesson, &stack);
}

/* --- compilers and linkers ------------------------------------------------------------------ */

#define NO_RESULT  "A void function gives nothing back: what it computes is in its output."
#define NOT_CALLED "A function's name stands there without its arguments, (...)."
#define WHICH_INDEX                                                                                \
    "A number on one side, an array on the other: is an index, [i], missing, or one too many?"
#define OTHER_ORDER                                                                                \
    "A number stands where an array belongs, or an array where a number: does the header have "    \
    "the "                                                                                         \
    "arguments in another order, is one missing, or an index, [i], missing, or one too many?"
#define COUNT_THEM "Count the arguments: the function's header lists them, in their order."
#define NO_IF                                                                                      \
    "This else has no if: is a } missing before it, are { } missing around several statements, "   \
    "or "                                                                                          \
    "is there a ; right after if (...)?"

/* True if "'double' and 'double (*)(double)'" has a function in it; what stands in [ ] is none, as
   in gcc's "double (*)[(long int)(d) - 1]". */
static bool has_function_type(const char *types) {
    for (const char *at = types; (at = strpbrk(at, "([")); at++)
        if (*at == '[')
            at += strcspn(at + 1, "]");
        else if (at > types && at[1] != '*' && !starts_with(at, "(aka ") &&
                 !starts_with(at, "(have "))
            return true;
    return false;
}

/* "invalid operands to binary ^ (have 'double' and 'int')"; clang draws the operator. */
static const char *advise_on_operands(const struct fault *fault) {
    const char *types = strchr(fault->what, '('), *binary = strstr(fault->what, "binary ^");
    if (!types || strstr(types, "struct "))
        return "";
    if (strstr(types, "'void'"))
        return NO_RESULT;
    if (has_function_type(types))
        return NOT_CALLED;
    if (binary || *drawn_at_caret(&fault->excerpt) == '^')
        return "In C, ^ is no power, and it is not for doubles: the square of h is h * h.";
    if (!strpbrk(types + 1, "*["))
        return "That operator is for whole numbers, and a double is none.";
    return "A whole array stands where a number belongs: which element, [i]? In a matrix M, "
           "M[i][j]; M[i, j] is all of row j.";
}

/* clang counts the arguments first; gcc looks at what stands in the wrong place first. */
static bool too_few_follow(const struct fault *fault, const char *rest) {
    char name[NAME_SIZE], few[NAME_SIZE + 64];
    const char *of = strstr(fault->what, " of '");
    if (!of || sscanf(of + 5, "%255[A-Za-z0-9_]", name) != 1)
        return false;
    snprintf(few, sizeof few, "too few arguments to function '%s'", name);
    return strstr(rest, few);
}

static bool is_of_mathematics(const char *what) {
    static const char *const names[] = {"exp",  "log",  "sqrt", "pow", "tanh", "fabs",  "fmax",
                                        "fmin", "sinh", "cosh", "sin", "cos",  "floor", "isnan"};
    char quoted[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(quoted, sizeof quoted, "function '%s'", names[i]);
        if (strstr(what, quoted))
            return true;
    }
    return false;
}

/* clang says so at once, gcc in the note behind: "argument is of type 'struct gru'". */
static bool is_a_whole_struct(const struct fault *fault, const char *rest) {
    const char *of = strstr(rest, "argument is of type 'struct "), *next = strstr(rest, "error: ");
    return strstr(fault->what, "take the address with &") || (of && (!next || of < next));
}

/* "expected 'const struct gru *' but ..." by gcc's note, "parameter of type 'const ..." by clang.
 */
static bool is_another_struct(const struct fault *fault, const char *rest) {
    const char *note = strstr(rest, "expected 'const struct "), *next = strstr(rest, "error: ");
    return strstr(fault->what, "incompatible pointer type") &&
           (strstr(fault->what, "to parameter of type 'const struct ") ||
            (note && (!next || note < next)));
}

/* Numbers in the place of arrays, and arrays in the place of numbers. */
static const char *advise_on_types(const struct fault *fault, const char *rest) {
    const char *what = fault->what;
    bool passed = starts_with(what, "passing ") || strstr(what, "conversion passing ") ||
                  strstr(what, "type for argument ");
    bool swapped = strstr(what, "integer from pointer") || strstr(what, "pointer from integer") ||
                   strstr(what, "pointer to integer") || strstr(what, "integer to pointer") ||
                   strstr(what, "incompatible type") || strstr(what, "incompatible result type");
    if (too_few_follow(fault, rest))
        return COUNT_THEM;
    if (!swapped)
        return NULL;
    if (strstr(what, "'void'"))
        return NO_RESULT;
    if (has_function_type(what) && !strstr(what, "pointer type"))
        return NOT_CALLED;
    if (passed && is_a_whole_struct(fault, rest))
        return "A struct is handed over by its address: &, as in &w->gru.";
    return passed ? OTHER_ORDER : WHICH_INDEX;
}

static const char not_declared[] =
    "A slip in the name? Or does that function stand further down in the file: then move it up. "
    "Or is an #include missing at the top?";

#define NO_SHAPE                                                                                   \
    "A `void *`, as structs hold them, has no numbers until it is given its shape: "               \
    "double (*rows)[columns] = s->member; and then rows[i][j]."

#define STRANGE                                                                                    \
    "C does not know that character. From a page or a chat, a dash, a quote or a space may look "  \
    "like the right one: type it again."

/* What helps with the errors that everybody makes. */
static const struct known errors[] = {
    {"at end of input", "", "A } is missing somewhere above."},
    {"expected ')'", "", "Is a comma, an operator or a ) missing there?"},
    {"'else' without", "", NO_IF},
    {"expected '}' before 'else'", "", NO_IF},
    {"expected '}'", "",
     "A } is missing somewhere above; or, in a list of numbers, a comma between two of them."},
    {"function definition is not allowed", "",
     "This function stands inside another: is a } missing somewhere above?"},
    {"expected identifier or '('", "",
     "This stands outside of any function: is there a } too many, or a { too few, above?"},
    {"'asm' or '__attribute__'", "",
     "Is a ; missing there, or a comma in its place? A for has two: for (int i = 0; i < n; i++). "
     "Or "
     "does this stand outside of any function, after a } too many?"},
    {"is not a function", "",
     "An element of an array is taken with [ ], not with ( ). Or is an operator missing there?"},
    {"stray '", "", STRANGE},
    {"unexpected character", "", STRANGE},
    {"extraneous closing brace", "", "A } too many, or a { too few, here or above."},
    {"expected expression", "",
     "Is a name or a number missing there, is there an operator or a type's name too many, or is a "
     "bracket, ( or {, still open above?"},
    {"expected ';'", "", "Look at the end of the line above, too: a ; may be missing there."},
    {"expected ',' or ';'", "", "A ; is missing at the end of the line above."},
    {"variable-sized object", "",
     "An array of that size is set in a loop; but does the function need one? A pointer to rows "
     "has "
     "brackets: double (*rows)[columns]."},
    {"read-only variable '", "", "That is const: it keeps the value that it was given."},
    {"read-only parameter '", "", "That is const: it keeps the value that it was given."},
    {"cannot assign to variable", "", "That is const: it keeps the value that it was given."},
    {"read-only", "", "That array is const, an input: write into the output."},
    {"discards qualifiers", "",
     "An input is const. Does it stand where the header has an output, or does a pointer or a "
     "function of your own leave const away?"},
    {"control reaches end", "", "The function must end with a return, whichever way it goes."},
    {"does not return a value", "", "The function must end with a return, whichever way it goes."},
    {"function 'printf'", "", "printf() needs #include <stdio.h> at the top of the file."},
    {"function 'puts'", "", "puts() needs #include <stdio.h> at the top of the file."},
    {"alloc'", "", "malloc() and calloc() need #include <stdlib.h> at the top of the file."},
    {"function 'abs'", "",
     "abs() is for whole numbers. That of a double is fabs(), from #include <math.h>."},
    {"function 'ln'", "", "The natural logarithm is log(), in C."},
    {"function 'free'", "", "free() needs #include <stdlib.h> at the top of the file."},
    {"function 'rand'", "",
     "rand() needs #include <stdlib.h>; but no function of a lesson draws numbers by itself."},
    {"function 'mem", "", "memcpy() and memset() need #include <string.h> at the top."},
    {"implicit", "", not_declared},
    {"undeclared function", "", not_declared},
    {"undeclared library", "", not_declared},
    {"undeclared", "",
     "A slip in the name? What is not in the function's first line is made with a type, double h "
     "= 0. Or is there a ; right after the for (...) that makes it, or are { } missing around what "
     "it is to repeat?"},
    {"too few arguments", "", COUNT_THEM},
    {"too many arguments", "", COUNT_THEM},
    {"void value not ignored", "", NO_RESULT},
    {"use of void expression", "", NO_SHAPE},
    {"type 'void'", "", NO_SHAPE},
    {"subscripted value", "",
     "That has no numbers to count off, or fewer [ ] than this. " NO_SHAPE},
    {"incompatible", "",
     "The header says which type is wanted. Row i of a matrix M is M[i], a vector; the matrix "
     "that begins with that row is &M[i]."},
    {"array type", "",
     "A whole array cannot be set with =. Is it one element, [i]? In a matrix M, M[i][j]; M[i, j] "
     "is all of row j. Or does a function write it? Then call it without = before."},
    {"no member named", "", "The header lists the members of each struct. Is another one meant?"},
    {"conflicting types", "", "The first line of the function must be as it is in the header."},
};

/* "'gates' undeclared", and the header has a "void *gates;". */
static bool is_a_member(const struct fault *fault, const struct lesson *lesson) {
    struct text header;
    char name[64], member[70];
    const char *quote = strchr(fault->what, '\'');
    if (!strstr(fault->what, "undeclared") || !quote ||
        sscanf(quote, "'%63[A-Za-z0-9_]'", name) != 1)
        return false;
    snprintf(member, sizeof member, "*%s;", name);
    text_read_file(&header, path_of("lessons/%s/%s.h", lesson->folder, lesson->name).chars);
    bool found = strstr(text_of(&header), member);
    text_free(&header);
    return found;
}

/* `rest` is what the compiler said after that error. */
static void advise_on_error(struct fault *fault, const struct lesson *lesson, const char *rest) {
    char *option = strstr(fault->what, " [-W"), *place = strstr(fault->what, "only location '");
    if (option)
        *option = '\0';
    if (place) /* in words of gcc's own, '*(scores + (sizetype)...'; the drawing shows it */
        place[strlen("only location")] = '\0';
    const struct known *known = LOOK_UP(errors, fault->what);
    const char *types = advise_on_types(fault, rest);
    if (strstr(fault->what, "invalid operands"))
        PUT(fault->advice, advise_on_operands(fault));
    else if (is_a_member(fault, lesson))
        PUT(fault->advice, "That is a member of a struct, and reached through it, as in v->gates.");
    else if (is_another_struct(fault, rest))
        PUT(fault->advice,
            "Another struct is wanted there: a member of this one, as in &w->gru, or "
            "one element of an array, as in &v[j][0]?");
    else if (types)
        PUT(fault->advice, types);
    else if (strcmp(fault->what, "expected expression") == 0 &&
             starts_with(drawn_at_caret(&fault->excerpt), "else"))
        PUT(fault->advice, NO_IF);
    else if (known && known->advice == not_declared && is_of_mathematics(fault->what))
        PUT(fault->advice, "That function needs #include <math.h> at the top of the file.");
    else if (known)
        advise(fault, lesson, known);
}

/* What the compiler and the linker say when they cannot write. */
static bool cannot_write(const char *err) {
    return strstr(err, "opening dependency file ") || strstr(err, "error: error opening '") ||
           strstr(err, "unable to open output file ") || strstr(err, "cannot open output file ");
}

static void blame_system(struct fault *fault, const char *where, const char *what,
                         const char *advice) {
    *fault = (struct fault){.outside = true};
    PUT(fault->where, where);
    PUT(fault->what, what);
    PUT(fault->advice, advice);
}

/* Sets the fault if the system is the reason, and not what is in the learner's file. */
static bool explain_system(struct fault *fault, const struct lesson *lesson,
                           const struct child *child) {
    const char *err = text_of(&child->err), *source = lesson->source.chars;
    if (access(source, R_OK) != 0 && errno == EACCES)
        blame_system(fault, source, "this file cannot be read, because its permissions forbid it",
                     path_of("This command allows it: chmod u+r %s", source).chars);
    else if (strstr(err, "No space left on device") || strstr(err, "Disk quota exceeded"))
        blame_system(fault, "build/", "the disk is full: what is made of the file finds no room",
                     "");
    else if (cannot_write(err) && strstr(err, "No such file or directory"))
        blame_system(fault, "build/",
                     "a folder in it was deleted in the meantime, perhaps by make clean",
                     "Run make again.");
    else if (cannot_write(err))
        blame_system(fault, "build/", "the compiler cannot write here",
                     "If it was made by sudo make, this command makes it yours: sudo chown -R "
                     "$(id -u) build");
    else
        return false;
    return true;
}

void explain_compiler(struct fault *fault, const struct lesson *lesson, const struct child *child) {
    char line[1200] = "";
    const char *at = text_of(&child->err);
    if (explain_system(fault, lesson, child))
        return;
    *fault = (struct fault){0};
    while (next_line(&at, line, sizeof line)) {
        const char *error = strstr(line, "error: ");
        if (!error)
            continue;
        size_t length = (size_t)(error - line);
        while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == ':'))
            length--;
        if (length > 7 && strncmp(line + length - 7, ": fatal", 7) == 0)
            length -= 7;
        snprintf(fault->where, sizeof fault->where, "%.*s", (int)length, line);
        PUT(fault->what, error + strlen("error: "));
        take_drawing(&fault->excerpt, at);
        advise_on_error(fault, lesson, at);
        return;
    }
    at = text_of(&child->err);
    if (!next_line(&at, line, sizeof line))
        line[0] = '\0';
    snprintf(fault->what, sizeof fault->what, "the compiler failed: %.500s",
             child->ending == TIMED_OUT ? "it did not come to an end" : line);
    PUT(fault->where, lesson->source.chars);
}

/* The name in "undefined reference to `name'" and its like; "_name" on macOS. */
static bool name_after(const char *line, const char *before, char name[NAME_SIZE]) {
    const char *at = strstr(line, before);
    if (!at)
        return false;
    at += strlen(before);
    at += strspn(at, " `'\"");
    at += *at == '_';
    return sscanf(at, "%255[A-Za-z0-9_]", name) == 1;
}

static bool has_no_exercise(const struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++)
        if (lesson->exercises[i].line > 0)
            return false;
    return true;
}

/* True if the lesson's header has a function of that name. */
static bool declares(const struct lesson *lesson, const char *name) {
    struct text header;
    struct function f;
    bool found = false;
    text_read_file(&header, path_of("lessons/%s/%s.h", lesson->folder, lesson->name).chars);
    const char *text = text_of(&header);
    for (const char *at = text; !found && next_function(text, at, &f); at = f.end)
        found = strlen(name) == (size_t)(f.after_name - f.name) && starts_with(f.name, name);
    text_free(&header);
    return found;
}

/* Where the path that ends at `end` begins: at a folder of this tree, if one is in it. */
static const char *start_of_path(const char *line, const char *end) {
    static const char *const trees[] = {"lessons/", "solutions/", "tests/", "plots/", "common/"};
    const char *start = end;
    while (start > line && !strchr(" :('", start[-1]))
        start--;
    for (const char *at = end; at-- > start + 1;)
        for (size_t i = 0; at[-1] == '/' && i < sizeof trees / sizeof *trees; i++)
            if (starts_with(at, trees[i]))
                return at;
    return start;
}

/* The file that a line of a linker names last, with its line: "plots/01-softmax/softmax_data.c:31",
   or an object at the end of the line; "" if it names none. */
static struct path file_in(const char *line) {
    int number, after = 0;
    const char *end = ends_with(line, ".o") ? line + strlen(line) : NULL;
    for (const char *at = line; (at = strstr(at, ".c")); at += 2)
        if (at[2] == ':' || at[2] == ')')
            end = at + 2;
    if (!end)
        return path_of("%s", "");
    after = sscanf(end, ":%d%n", &number, &after) == 1 ? after : 0;
    const char *start = start_of_path(line, end);
    return path_of("%.*s", (int)(end - start) + after, start);
}

/* True if it is the learner's file, or its object, whatever the folder. */
static bool is_source(const struct lesson *lesson, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return starts_with(name, lesson->name) && name[strlen(lesson->name)] == '.';
}

static void blame_caller(struct fault *fault, const char *caller, const char *name) {
    fault->outside = true;
    PUT(fault->where, caller);
    snprintf(fault->what, sizeof fault->what, "%.*s calls %s(), which is not defined anywhere",
             (int)strcspn(caller, ":"), caller, name);
    PUT(fault->advice, "Was it renamed? Is its lesson one of those before this one?");
}

static void explain_missing(struct fault *fault, struct lesson *lesson, const char *name,
                            const char *caller) {
    bool exercise = lesson_exercise(lesson, name) || declares(lesson, name);
    if (!exercise && caller[0] && !is_source(lesson, caller)) {
        blame_caller(fault, caller, name);
        return;
    }
    snprintf(fault->what, sizeof fault->what,
             exercise ? "%s() is missing from the file" : "%s() is called, but nobody wrote it",
             name);
    snprintf(fault->advice, sizeof fault->advice,
             exercise ? "Is it deleted, or is its name spelled differently? The header has it: "
                        "lessons/%s/%s.h"
                      : "A slip in the name? A lesson may call its own functions (lessons/%s/%s.h) "
                        "and those of the lessons before it.",
             lesson->folder, lesson->name);
}

/* True if the line of a linker says what is wrong. Who calls may stand in the line after it. */
static bool explain_linker_line(struct fault *fault, struct lesson *lesson, const char *line,
                                const char *after) {
    char name[NAME_SIZE], next[1200] = "";
    if (name_after(line, "undefined reference to", name) ||
        name_after(line, "undefined symbol:", name) ||
        (strstr(line, "referenced from:") && name_after(line, "\"", name))) {
        next_line(&after, next, sizeof next);
        struct path here = file_in(line);
        explain_missing(fault, lesson, name, here.chars[0] ? here.chars : file_in(next).chars);
        return true;
    }
    if (name_after(line, "multiple definition of", name) ||
        name_after(line, "duplicate symbol:", name) ||
        name_after(line, "duplicate symbol ", name)) {
        snprintf(fault->what, sizeof fault->what, "%s() is defined a second time", name);
        if (strcmp(name, "main") == 0)
            PUT(fault->advice, "The program that calls your functions is that of the tests: keep "
                               "a main() of yours in another file.");
        else
            PUT(fault->advice, "Another lesson, or the tests, have a function of that name: rename "
                               "yours, or make it static.");
        return true;
    }
    return false;
}

void explain_linker(struct fault *fault, struct lesson *lesson, const struct child *child) {
    char line[1200] = "", first[500] = "";
    bool explained = false;
    const char *at = text_of(&child->err);
    if (explain_system(fault, lesson, child))
        return;
    *fault = (struct fault){0};
    while (!explained && next_line(&at, line, sizeof line)) {
        if (!first[0] && !strstr(line, " warning: "))
            snprintf(first, sizeof first, "%.490s", line);
        explained = explain_linker_line(fault, lesson, line, at);
    }
    if (!explained)
        snprintf(fault->what, sizeof fault->what, "it does not link: %s", first);
    if (has_no_exercise(lesson)) {
        PUT(fault->what, "none of the lesson's functions is in the file");
        snprintf(fault->advice, sizeof fault->advice,
                 "make reset-%s brings the empty exercises back, and keeps what is there now.",
                 lesson->number);
    }
    struct stack stack = stack_of(lesson, text_of(&child->err));
    if (!fault->outside)
        put_place(fault, lesson, &stack, NULL);
    if (!fault->where[0])
        PUT(fault->where, lesson->source.chars);
}

/* C17 says so of memory ? memory : v->scaled, where one is a matrix of constants and the other a
   void *; C23 does not. */
static bool is_of_C17(const char *line) {
    return strstr(line, "loses qualifier in conditional expression");
}

/* Of an index or a size: such code works, as a rule. */
static bool is_of_a_sign(const char *line) {
    return strstr(line, " [-Wsign-");
}

int explain_warnings(struct text *lines, const struct child *child, int most) {
    char line[1200];
    int count = 0;
    for (int light = 0; light < 2; light++)
        for (const char *at = text_of(&child->err); next_line(&at, line, sizeof line);)
            if (strstr(line, " warning: ") && !is_of_C17(line) && is_of_a_sign(line) == light &&
                count++ < most) {
                char *warning = strstr(line, " warning: "), *option = strstr(line, " [-W");
                if (option)
                    *option = '\0';
                *warning = '\0';
                text_print(lines, "%s %s\n", line, warning + strlen(" warning: "));
            }
    return count;
}

void fault_free(struct fault *fault) {
    text_free(&fault->excerpt);
    text_free(&fault->callers);
}
