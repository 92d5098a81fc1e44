/* Turns findings into words. The first table says of each code what happened and what to try, the
   functions below it put names and numbers in. Nothing in common/ reads these sentences again: the
   suite findings compiles this file so that each is in capital letters, and nothing else may
   change. */
#include "tutor/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- crashes, and errors of compilers and linkers ------------------------------------------- */

#define OWN_MEMORY                                                                                 \
    "Most functions need no memory of their own; one that takes some frees it, once, at its end."
#define LAST_INDEX     "Which is the last index of each loop, and how long is that array?"
#define WHICH_ONE      "Which pointer, or which index, is far off there?"
#define ROOM_OF_LESSON "Room of its own, where the text asks for some, comes from calloc()"
#define STOPPED_WORK   "was stopped after {number} s of work"
#define RETURN_INSTEAD "Return from the function instead"
#define SHAPE                                                                                      \
    "A `void *`, as structs hold them, has no numbers until it is given its shape: "               \
    "double (*rows)[columns] = s->member; and then rows[i][j]."

/* What happened, and what to try; "" if nothing is said. If `what` is empty, the compiler's own
   words are used. In a lesson whose functions allocate memory, `other` is the advice. A word in
   braces is filled in, see value_of(). */
static const struct sentence {
    enum finding_code code;
    const char *what, *advice;
} sentences[] = {
    {OUTSIDE_HEAP, "read or wrote outside an array",
     "Which is the first index of each loop, and the last? Or are two indices swapped, or two "
     "sizes in a call?"},
    {OUTSIDE_LOCAL, "read or wrote outside a local array",
     LAST_INDEX " Or are two sizes swapped in a call?"},
    {OUTSIDE_STATIC, "read or wrote outside a static array", LAST_INDEX},
    {OUTSIDE_ARRAY, "{access} {side} `{name}`",
     "Which is the first index of each loop, and the last? Or are two indices swapped, or two "
     "sizes in a call?"},
    {OUTSIDE_OWN, "{access} outside of the memory that it took for itself",
     "Which is the last index of each loop, and how much room was taken? For n rows, or n numbers, "
     "at a pointer p it is n * sizeof *p: sizeof p is that of the pointer alone, and "
     "sizeof(double) that of one number."},
    {INDEX_OUTSIDE, "used index {number}{in}, outside of its row or array",
     "An index runs from 0 to the length less 1."},
    {FREED_ALREADY, "used memory that it had freed already", OWN_MEMORY},
    {FREED_TWICE, "freed the same memory twice", OWN_MEMORY},
    {FREED_ANOTHERS, "freed memory that malloc did not give it",
     "The buffers belong to the caller: leave them as they are."},
    {STACK_FULL, "ran out of stack: an array of its own is too large for it",
     "An array that grows with the text may not fit the stack: work row by row, and write into the "
     "outputs at once."},
    {RECURSION, "ran out of stack: it calls itself, and never stops",
     "A function of a lesson needs no recursion: a loop will do."},
    {SCOPE_OVER, "used a local variable after its life had ended",
     "Keep no pointer to a variable of a block that is over."},
    {HUGE_REQUEST, "asked for far too much memory at once", OWN_MEMORY},
    {MUCH_MEMORY, "took far too much memory", OWN_MEMORY},
    {NO_MEMORY, "asked for more memory than there is", OWN_MEMORY},
    {OVERLAP, "copied a buffer onto itself with memcpy",
     "In a call in place the input and the output are one buffer."},
    {NEGATIVE_SIZE, "copied a negative number of bytes", "Look at how the size is made."},
    {ABORTED, "called abort(), or an assert() failed", "Look at the line that did."},
    {ZERO_DIVISOR, "divided an integer by zero", "Which divisor can be 0 here?"},
    {NULL_POINTER, "followed a null pointer", "Which pointer there can be NULL, or was never set?"},
    {WILD_POINTER, "followed a pointer to nowhere", WHICH_ONE},
    {LEAK, "allocated memory and never freed it", OWN_MEMORY},
    {INT_OVERFLOW, "computed {quote}, which an int cannot hold",
     "A counter that never stops, or a product of sizes?"},
    {EMPTY_ARRAY, "has an array of length 0 or less",
     "An array, or the rows that a pointer leads to, would be of that length. Which size is 0 "
     "here?"},
    {UNSET_BOOL, "used a true or false that nobody had set",
     "Outputs start out undefined: set a cell before you look at it."},
    {CRASHED, "crashed", ""},
    {WILD_SIGNAL,
     "followed a pointer to nowhere, used an index that is far off, or ran out of stack: is an "
     "array of its own too large?",
     ""},
    {KILLED, "was killed: too much memory?", ""},
    {OTHER_SIGNAL, "was stopped by a signal", ""},
    {ENDED_PROGRAM, "ended the whole program (status {number}) in the middle of a test",
     RETURN_INSTEAD " of ending the program."},
    {CALLED_EXIT, "called exit(): the tests could not go on", RETURN_INSTEAD "."},
    {OTHER_PROCESS, "started another process",
     "A function of a lesson needs no processes: compute here, and return."},
    {OWN_THREAD, "left a thread of its own running",
     "A function of a lesson needs no threads but those of OpenMP."},
    {JUMPED_OUT, "jumped out of the test before it could check anything",
     "Return from the function: no longjmp, and none of Unity's macros."},
    {WORKED_LONG, STOPPED_WORK ": a loop that does not end, or one that does far too much?",
     "Which variable must change for the loop to end, and does it? How often does it run?"},
    {WAITED_LONG, "was stopped after {number} s of waiting",
     "A function of a lesson has nothing to wait for: no input, no sleep."},
    {PRINTED_MUCH, "printed far too much, and was stopped",
     "A printf() in a loop that does not end?"},
    {NO_RESULT, "", "A void function gives nothing back: what it computes is in its output."},
    {NOT_CALLED, "", "A function's name stands there without its arguments, (...)."},
    {NO_POWER, "", "In C, ^ is no power, and it is not for doubles: the square of h is h * h."},
    {WHOLE_NUMBERS, "", "That operator is for whole numbers, and a double is none."},
    {WHOLE_ARRAY, "",
     "A whole array stands where a number belongs: which element, [i]? In a matrix M, M[i][j]; "
     "M[i, j] is all of row j."},
    {COUNT_ARGUMENTS, "", "Count the arguments: the function's header lists them, in their order."},
    {STRUCT_ADDRESS, "", "A struct is handed over by its address: &, as in &w->gru."},
    {OTHER_ORDER, "",
     "A number stands where an array belongs, or an array where a number: does the header have the "
     "arguments in another order, is one missing, or an index, [i], missing, or one too many?"},
    {INDEX_MISSING, "",
     "A number on one side, an array on the other: is an index, [i], missing, or one too many?"},
    {A_MEMBER, "", "That is a member of a struct, and reached through it, as in v->gates."},
    {OTHER_STRUCT, "",
     "Another struct is wanted there: a member of this one, as in &w->gru, or one element of an "
     "array, as in &v[j][0]?"},
    {ELSE_WITHOUT_IF, "",
     "This else has no if: is a } missing before it, are { } missing around several statements, or "
     "is there a ; right after if (...)?"},
    {BRACE_ABOVE, "", "A } is missing somewhere above."},
    {COMMA_OR_BRACKET, "", "Is a comma, an operator or a ) missing there?"},
    {BRACE_OR_COMMA, "",
     "A } is missing somewhere above; or, in a list of numbers, a comma between two of them."},
    {FUNCTION_INSIDE, "", "This function stands inside another: is a } missing somewhere above?"},
    {OUTSIDE_FUNCTION, "",
     "This stands outside of any function: is there a } too many, or a { too few, above?"},
    {SEMICOLON_OR_COMMA, "",
     "Is a ; missing there, or a comma in its place? A for has two: for (int i = 0; i < n; i++). "
     "Or does this stand outside of any function, after a } too many?"},
    {NOT_A_FUNCTION, "",
     "An element of an array is taken with [ ], not with ( ). Or is an operator missing there?"},
    {STRANGE_CHARACTER, "",
     "C does not know that character. From a page or a chat, a dash, a quote or a space may look "
     "like the right one: type it again."},
    {BRACE_TOO_MANY, "", "A } too many, or a { too few, here or above."},
    {EXPRESSION_MISSING, "",
     "Is a name or a number missing there, is there an operator or a type's name too many, or is a "
     "bracket, ( or {, still open above?"},
    {SEMICOLON_NEAR, "", "Look at the end of the line above, too: a ; may be missing there."},
    {SEMICOLON_ABOVE, "", "A ; is missing at the end of the line above."},
    {VARIABLE_SIZE, "",
     "An array of that size is set in a loop; but does the function need one? A pointer to rows "
     "has brackets: double (*rows)[columns]."},
    {CONST_VARIABLE, "", "That is const: it keeps the value that it was given."},
    {CONST_INPUT, "", "That array is const, an input: write into the output."},
    {CONST_LOST, "",
     "An input is const. Does it stand where the header has an output, or does a pointer or a "
     "function of your own leave const away?"},
    {NO_RETURN, "", "The function must end with a return, whichever way it goes."},
    {NEEDS_HEADER, "", "That function needs #include <{name}> at the top of the file."},
    {ABS_OF_DOUBLE, "",
     "abs() is for whole numbers. That of a double is fabs(), from #include <math.h>."},
    {NATURAL_LOG, "", "The natural logarithm is log(), in C."},
    {DRAWS_NUMBERS, "",
     "rand() needs #include <stdlib.h>; but no function of a lesson draws numbers by itself."},
    {UNDECLARED_FUNCTION, "",
     "A slip in the name? Or does that function stand further down in the file: then move it up. "
     "Or is an #include missing at the top?"},
    {UNDECLARED, "",
     "A slip in the name? What is not in the function's first line is made with a type, double h = "
     "0. Or is there a ; right after the for (...) that makes it, or are { } missing around what "
     "it is to repeat?"},
    {NO_SHAPE, "", SHAPE},
    {FEW_INDICES, "", "That has no numbers to count off, or fewer [ ] than this. " SHAPE},
    {OTHER_TYPE, "",
     "The header says which type is wanted. Row i of a matrix M is M[i], a vector; the matrix that "
     "begins with that row is &M[i]."},
    {ARRAY_SET, "",
     "A whole array cannot be set with =. Is it one element, [i]? In a matrix M, M[i][j]; M[i, j] "
     "is all of row j. Or does a function write it? Then call it without = before."},
    {NO_SUCH_MEMBER, "", "The header lists the members of each struct. Is another one meant?"},
    {OTHER_FIRST_LINE, "", "The first line of the function must be as it is in the header."},
    {COMPILER_ENDLESS, "the compiler failed: it did not come to an end", ""},
    {CALLED_ELSEWHERE, "{file} calls {name}(), which is not defined anywhere",
     "Was it renamed? Is its lesson one of those before this one?"},
    {MAIN_TWICE, "{name}() is defined a second time",
     "The program that calls your functions is that of the tests: keep a main() of yours in "
     "another file."},
    {DEFINED_TWICE, "{name}() is defined a second time",
     "Another lesson, or the tests, have a function of that name: rename yours, or make it "
     "static."},
    {NONE_THERE, "none of the lesson's functions is in the file",
     "make reset-{lesson} brings the empty exercises back, and keeps what is there now."},
    {NO_SUCH_FILE, "the file is not there", "make reset-{lesson} brings the empty exercises back."},
    {UNREADABLE, "this file cannot be read, because its permissions forbid it",
     "This command allows it: chmod u+r {file}"},
    {DISK_FULL, "the disk is full: what is made of the file finds no room", ""},
    {FOLDER_GONE, "a folder in it was deleted in the meantime, perhaps by make clean",
     "Run make again."},
    {NOT_WRITABLE, "the compiler cannot write here",
     "If it was made by sudo make, this command makes it yours: sudo chown -R $(id -u) build"},
    {UNDEFINED, "did what C does not define: {quote}", ""},
    {MORE_MEMORY, "took more than {number} MB of memory", OWN_MEMORY},
    {COMPILER_FAILED, "the compiler failed: {quote}", ""},
    {INCLUDES_CODE, "a lesson is written in its own file, and here another is included: {quote}",
     ""},
    {EXERCISE_MISSING, "{name}() is missing from the file",
     "Is it deleted, or is its name spelled differently? The header has it: {header}"},
    {FUNCTION_MISSING, "{name}() is called, but nobody wrote it",
     "A slip in the name? A lesson may call its own functions ({header}) and those of the lessons "
     "before it."},
    {LINK_FAILED, "it does not link: {quote}", ""},
};

/* The advice in a lesson whose functions allocate memory. */
static const struct sentence with_memory[] = {
    {STACK_FULL, "", ROOM_OF_LESSON "."},
    {EMPTY_ARRAY, "", ROOM_OF_LESSON "; every other buffer is the caller's."},
    {VARIABLE_SIZE, "",
     "An array of that size cannot be set where it is made. " ROOM_OF_LESSON ", all 0."},
};

static const struct sentence *find(const struct sentence all[], size_t count,
                                   enum finding_code code) {
    static const struct sentence none = {NO_CODE, "", ""};
    for (size_t i = 0; i < count; i++)
        if (all[i].code == code)
            return &all[i];
    return &none;
}
#define FIND(all, code) find(all, sizeof(all) / sizeof(all)[0], code)

/* "has 3 elements", "is 2 x 3" */
static const char *size_of(const struct finding *f) {
    const char *size = path_of("is %d", f->dims[0]);
    if (f->rank == 1)
        return path_of("has %d element%s", f->dims[0], f->dims[0] == 1 ? "" : "s");
    for (int i = 1; i < f->rank; i++)
        size = path_of("%s x %d", size, f->dims[i]);
    return size;
}

/* ". In dot() that is `a` or `b`" */
static const char *own_names(const struct finding *f) {
    const char *words = "";
    char name[NAME_SIZE];
    int used;
    if (f->right[0] || !f->own_names[0])
        return words;
    words = path_of(". In %s() that is", f->stack.frames[0].function);
    for (const char *at = f->own_names; sscanf(at, "%255s%n", name, &used) == 1; at += used)
        words = path_of("%s%s `%s`", words, at > f->own_names ? " or" : "", name);
    return words;
}

/* The value of {key}. */
static const char *value_of(const char *key, size_t length, const struct finding *f,
                            const struct lesson *lesson) {
    const struct {
        const char *key, *value;
    } values[] = {
        {"name", f->name},
        {"quote", f->quote},
        {"file", f->where},
        {"right", f->right},
        {"access", f->wrote ? "wrote" : "read"},
        {"accessed", f->wrote ? "written" : "read"},
        {"element", f->element},
        {"side", f->is_before ? "before the start of" : "past the end of"},
        {"lesson", lesson ? lesson->number : ""},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strlen(values[i].key) == length && strncmp(values[i].key, key, length) == 0)
            return path_of("%s", values[i].value);
    if (strncmp(key, "number", length) == 0)
        return path_of("%.10g", f->number);
    if (strncmp(key, "in", length) == 0)
        return f->name[0] ? path_of(" in `%s`", f->name) : "";
    if (strncmp(key, "is_size", length) == 0)
        return size_of(f);
    return path_of("lessons/%s/%s.h", lesson->folder, lesson->name); /* header */
}

static const char *fill(const char *sentence, const struct finding *f,
                        const struct lesson *lesson) {
    const char *filled = "";
    while (*sentence) {
        size_t plain = 1 + strcspn(sentence + 1, "{"), key = strcspn(sentence, "}");
        bool is_key = sentence[0] == '{' && islower((unsigned char)sentence[1]);
        filled = is_key ? path_of("%s%s", filled, value_of(sentence + 1, key - 1, f, lesson))
                        : path_of("%s%.*s", filled, (int)plain, sentence);
        sentence += is_key ? key + 1 : plain;
    }
    return filled;
}

const char *words_what(const struct finding *f) {
    const char *what = FIND(sentences, f->code)->what;
    const char *words = fill(*what ? what : "{quote}", f, NULL);
    if (f->code != OUTSIDE_ARRAY)
        return words;
    if (f->rank > 0)
        words = path_of("%s%s", words,
                        fill(": it {is_size} here, and {element} was {accessed}", f, NULL));
    return path_of("%s%s", words, own_names(f));
}

const char *words_stop(const struct finding *f) {
    return f->code == WORKED_LONG ? fill(STOPPED_WORK, f, NULL) : words_what(f);
}

const char *words_blame(const char *blamed, const struct finding *f) {
    const char *what = words_what(f);
    return path_of("%s %s%s", blamed, what, ends_with(what, "?") ? "" : ".");
}

const char *words_advice(const struct finding *f, const struct lesson *lesson) {
    const char *advice =
        (f->takes_memory ? FIND(with_memory, f->code) : FIND(sentences, f->code))->advice;
    if (f->right[0])
        advice = f->kind == FOUND_TIME
                     ? "{right}() itself is right. Does the loop around this call ever end? Which "
                       "variable must change for that? Or is what is given here far too large?"
                     : "{right}() itself is right: look at what it is given in this call. Are two "
                       "arguments or two sizes swapped, or is an index wrong?";
    return fill(advice, f, lesson);
}

const char *words_unbuilt(const struct check *check, const struct lesson *lesson) {
    if (check->file.code == CALLED_ELSEWHERE)
        return path_of("the program does not link");
    return path_of("%s.c %s", lesson->name,
                   check->file.kind == FOUND_OUTSIDE ? "could not be built"
                   : check->stage == NOT_COMPILED    ? "does not compile"
                                                     : "does not link");
}

/* --- places --------------------------------------------------------------------------------- */

const char *words_where(const struct finding *f) {
    const char *where = path_of("%s", f->where);
    if (f->line > 0)
        where = path_of("%s:%d", where, f->line);
    return f->column > 0 ? path_of("%s:%d", where, f->column) : where;
}

struct text words_callers(const struct finding *f) {
    struct text callers = {0};
    for (int i = f->at + 1; i < f->stack.count; i++)
        text_print(&callers, "%s:%d: called from here, in %s()\n", f->where,
                   f->stack.frames[i].line, f->stack.frames[i].function);
    if (f->at > 0)
        text_print(&callers, "%s:%d: it happened here, in %s()\n", f->where,
                   f->stack.frames[0].line, f->stack.frames[0].function);
    return callers;
}

/* --- mistakes ------------------------------------------------------------------------------- */

const char *words_test(const char *name) {
    char *words = path_of("%s", name);
    for (char *c = words; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return words;
}

static void tell_listed(struct text *told, const struct cause *cause) {
    text_print(told, "%s",
               cause->sureness == EITHER   ? "Either: "
               : cause->sureness == LIKELY ? "It looks like this: "
                                           : "");
    for (int i = 0; i < cause->count; i++)
        text_print(told, "%s%s", i > 0 ? " Or: " : "", cause->slips[i]);
}

static void tell_generated(struct text *told, const struct cause *cause) {
    if (cause->sureness == EITHER)
        text_print(told, "%s %s, or %s.",
                   cause->short_tests ? "In all but the longest tests, either" : "Either",
                   cause->slips[0], cause->slips[1]);
    else if (cause->sureness == OF_ONE_KIND)
        text_print(told,
                   "Most likely you have to %s. Several mistakes of this kind give your numbers%s.",
                   cause->kind, cause->short_tests ? " in all but the longest tests" : "");
    else
        text_print(told, "%s%s.",
                   cause->short_tests          ? "In all but the longest tests it looks like "
                   : cause->sureness == LIKELY ? "It looks like "
                                               : "In your code ",
                   cause->slips[0]);
}

struct text words_cause(const struct cause *cause) {
    struct text told = {0};
    if (cause->sureness == IN_THIS_TEST)
        text_print(&told, "In this test, though not in all, it looks like this: %s",
                   cause->slips[0]);
    else if (cause->sureness == IN_ANOTHER_TEST)
        text_print(&told, "In another test (%s) it looks like this: %s", words_test(cause->test),
                   cause->slips[0]);
    else if (cause->sureness != NO_CAUSE && cause->generated)
        tell_generated(&told, cause);
    else if (cause->sureness != NO_CAUSE)
        tell_listed(&told, cause);
    return told;
}

const char *words_message(const struct test *t) {
    if (t->reference_cost > 0.0)
        return path_of("takes %.2g s of work here, and the reference %.2g s, however many steps "
                       "are counted",
                       t->cost, t->reference_cost);
    return path_of("%s", t->message);
}

const char *words_waits_for(const struct finding *f) {
    if (f->kind != FOUND_WAITS)
        return "";
    return f->exercise->state == WAITING ? f->exercise->waits_for : f->test->missing;
}

struct text words_why(const struct finding *f) {
    struct text why = {0};
    switch (f->kind) {
    case FOUND_NOTHING:
    case FOUND_PASSED:
    case FOUND_TODO:
    case FOUND_WAITS:
        break;
    case FOUND_WRONG:
        if (f->cause.sureness != NO_CAUSE)
            why = words_cause(&f->cause);
        else if (f->test && f->test->broke[0])
            text_print(&why, "%s", f->test->broke);
        else if (f->test)
            text_print(&why, "%s", words_message(f->test));
        break;
    default:
        if (f->code != NO_CODE)
            text_print(&why, "%s", words_what(f));
    }
    return why;
}

void words_tell(const struct check *check, struct lesson *lesson) {
    for (int i = 0; i < check->finding_count; i++) {
        const struct finding *f = &check->findings[i];
        lesson->exercises[i].told = words_why(f);
        lesson->exercises[i].slips = f->cause.names;
    }
}

/* --- changes that make hint advises --------------------------------------------------------- */

struct text words_change(const struct advice *a) {
    struct text told = {0};
    const char *first = a->first, *second = a->second;
    switch (a->change) {
    case NO_CHANGE:
        break;
    case KIND_OF_CHANGE:
        text_print(&told, "Line %d: %s here.", a->lines[0], first);
        break;
    case KNOWN_MISTAKE:
        text_print(&told, "%s", first);
        break;
    case SAME_TWICE:
        text_print(&told, "The same mistake at two places would give exactly your numbers: %s",
                   first);
        break;
    case TWO_MISTAKES:
        text_print(&told,
                   "Two mistakes at once would give exactly your numbers. One: %s The other: %s",
                   first, second);
        break;
    }
    return told;
}
