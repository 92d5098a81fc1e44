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
    "Most functions need no memory of their own. If yours allocates some, free it once, at the "   \
    "end."
#define INDICES                                                                                    \
    "What are the first and the last index of each loop? Or are two indices swapped, or two "      \
    "sizes in a call?"
#define LAST_INDEX     "What is the last index of each loop, and how long is that array?"
#define WHICH_ONE      "Look for a pointer that was never set, or for an index that is much too large."
#define ROOM_OF_LESSON "If the text asks you to allocate a buffer, use calloc()"
#define STOPPED_WORK   "was stopped after {number} s of work"
#define RETURN_INSTEAD "Return from the function instead"
#define SHAPE                                                                                      \
    "A `void *` in a struct has no shape. Give it one before you use it: double (*rows)[columns] " \
    "= s->member; and then rows[i][j]."

/* What happened, and what to try; "" if nothing is said. If `what` is empty, the compiler's own
   words are used. In a lesson whose functions allocate memory, `other` is the advice. A word in
   braces is filled in, see value_of(). */
static const struct sentence {
    enum finding_code code;
    const char *what, *advice;
} sentences[] = {
    {OUTSIDE_HEAP, "read or wrote outside an array", INDICES},
    {OUTSIDE_LOCAL, "read or wrote outside a local array",
     LAST_INDEX " Or are two sizes swapped in a call?"},
    {OUTSIDE_STATIC, "read or wrote outside a static array", LAST_INDEX},
    {OUTSIDE_ARRAY, "{access} {side} `{name}`", INDICES},
    {OUTSIDE_OWN, "{access} outside of the memory that it had allocated",
     "What is the last index of each loop, and how much memory did you allocate? For n rows of d "
     "numbers you need n * d * sizeof(double) bytes. Note that sizeof p is the size of a pointer."},
    {INDEX_OUTSIDE, "used index {number}{in}, outside of its row or array",
     "An index runs from 0 to the length minus 1."},
    {FREED_ALREADY, "used memory that it had freed already", OWN_MEMORY},
    {FREED_TWICE, "freed the same memory twice", OWN_MEMORY},
    {FREED_ANOTHERS, "gave free() an address that malloc() did not give it",
     "Free what malloc() or calloc() returned, each address once. The arrays that a function gets "
     "belong to its caller."},
    {STACK_FULL, "ran out of stack: an array of its own is too large for it",
     "An array that grows with the length of the text may not fit on the stack. Work row by row, "
     "and write each result into the outputs at once."},
    {RECURSION, "ran out of stack: it calls itself, and never stops",
     "A function of a lesson needs no recursion. Use a loop."},
    {SCOPE_OVER, "used a local variable after its life had ended",
     "Do not keep a pointer to a variable of a block that has ended."},
    {HUGE_REQUEST, "asked for far too much memory at once", OWN_MEMORY},
    {MUCH_MEMORY, "allocated far too much memory", OWN_MEMORY},
    {NO_MEMORY, "asked for more memory than there is", OWN_MEMORY},
    {OVERLAP, "copied a buffer onto itself with memcpy",
     "If the function is called in place, the input and the output are the same buffer."},
    {NEGATIVE_SIZE, "copied a negative number of bytes", "Check how the size is computed."},
    {ABORTED, "called abort(), or an assert() failed", "Look at the line that did it."},
    {ZERO_DIVISOR, "divided an integer by zero", "Which divisor can be 0 here?"},
    {NULL_POINTER, "followed a null pointer",
     "Which pointer in that line can be NULL, or was never set?"},
    {WILD_POINTER, "followed a pointer to nowhere", WHICH_ONE},
    {LEAK, "allocated memory and never freed it", OWN_MEMORY},
    {INT_OVERFLOW, "computed {quote}, which an int cannot hold",
     "Is there a counter that never stops, or a product of sizes?"},
    {CAST_OVERFLOW, "converted {quote} to an integer, which cannot hold it",
     "Can a divisor be 0, or is the number too large?"},
    {EMPTY_ARRAY, "has an array of length 0 or less",
     "An array here, or the rows that a pointer points to, would have that length. Which size is "
     "0?"},
    {UNSET_BOOL, "used a bool that was never set",
     "Outputs start out undefined, so set a cell before you read it."},
    {CRASHED, "crashed", ""},
    {WILD_SIGNAL,
     "followed a pointer to nowhere, used an index that is far off, or ran out of stack: is an "
     "array of its own too large?",
     ""},
    {KILLED, "was killed: too much memory?", ""},
    {OTHER_SIGNAL, "was stopped by a signal", ""},
    {ENDED_PROGRAM, "ended the whole program (status {number}) in the middle of a test",
     RETURN_INSTEAD " of ending the program."},
    {CALLED_EXIT, "called exit(), so the tests could not continue", RETURN_INSTEAD "."},
    {OTHER_PROCESS, "started another process",
     "A function of a lesson needs no other processes. Compute the result here, and return."},
    {OWN_THREAD, "left a thread of its own running",
     "A function of a lesson needs no threads except those of OpenMP."},
    {JUMPED_OUT, "jumped out of the test before it could check anything",
     "Return from the function, without longjmp and without Unity's macros."},
    {WORKED_LONG, STOPPED_WORK ": a loop that does not end, or one that does far too much?",
     "Which variable must change so that the loop ends, and does it change? How often does the "
     "loop run?"},
    {ENDLESS_LOOP,
     STOPPED_WORK ": its loop runs while `{quote}`, and no round of the loop changes that",
     "Which variable of that condition must change in each round?"},
    {WAITED_LONG, "was stopped after {number} s of waiting",
     "A function of a lesson has nothing to wait for, so it needs no input and no sleep."},
    {PRINTED_MUCH, "printed far too much, and was stopped",
     "Is there a printf() in a loop that does not end?"},
    {NO_RESULT, "", "A void function returns nothing. Its result is in its output arrays."},
    {NOT_CALLED, "", "The name of a function is used here without its arguments, (...)."},
    {NO_POWER, "",
     "In C, ^ and ** do not compute a power. Write the square of h as h * h, and its root as "
     "sqrt(h)."},
    {WHOLE_NUMBERS, "",
     "That operator works for whole numbers only, and one of these is a double."},
    {WHOLE_ARRAY, "",
     "This is a whole array, but a number is needed. Which element, [i], do you mean? In a matrix "
     "M write M[i][j], because M[i, j] is all of row j."},
    {COUNT_ARGUMENTS, "", "Count the arguments. The header lists them in their order."},
    {STRUCT_ADDRESS, "", "Pass the address of a struct, with &, as in &w->gru."},
    {OTHER_ORDER, "",
     "You pass a number where the header has an array, or an array where it has a number. Is the "
     "order of the arguments different, is one missing, or is there an index, [i], missing or one "
     "too many?"},
    {INDEX_MISSING, "",
     "One side is a number and the other an array. Is an index, [i], missing, or is there one too "
     "many?"},
    {A_MEMBER, "", "That is a member of a struct. Write it with the struct, as in v->gates."},
    {OTHER_STRUCT, "",
     "This is the wrong struct. Do you need a member of it, as in &w->gru, or one element of an "
     "array, as in &v[j][0]?"},
    {ELSE_WITHOUT_IF, "",
     "This else has no if: is a } missing before it, are { } missing around several statements, or "
     "is there a ; right after if (...)?"},
    {BRACE_ABOVE, "", "A } is missing somewhere above."},
    {BRACE_BEFORE, "a } is missing before this line",
     "The { in line {number} is still open here. Close it with a } above this line."},
    {LOOP_IS_EMPTY, "the ; right after the ) ends this loop",
     "The statement below it is not repeated, and does not know {name}. Remove this ; there."},
    {COMMA_OR_BRACKET, "", "Is a comma, an operator or a ) missing there?"},
    {BRACE_OR_COMMA, "",
     "A } is missing somewhere above. Or, in a list of numbers, a comma is missing between two of "
     "them."},
    {FUNCTION_INSIDE, "", "This function is inside another one. Is a } missing somewhere above?"},
    {OUTSIDE_FUNCTION, "",
     "This is outside of any function. Is there a } too many, or a { missing, above?"},
    {SEMICOLON_OR_COMMA, "",
     "Is a ; missing there, or is there a comma in its place? A for has two: for (int i = 0; i < "
     "n; i++). Or is this outside of any function, because of a } too many?"},
    {NOT_A_FUNCTION, "",
     "Write [ ] for an element of an array, not ( ). Or is an operator missing there?"},
    {STRANGE_CHARACTER, "",
     "C does not know that character. A dash, a quote or a space that was copied from a page or a "
     "chat may only look right. Type it again."},
    {BRACE_TOO_MANY, "", "There is a } too many, or a { is missing, here or above."},
    {EXPRESSION_MISSING, "",
     "Is a name or a number missing there, is there an operator or a type's name too many, or is a "
     "bracket, ( or {, still open above?"},
    {SEMICOLON_NEAR, "", "Look at the end of the line above, too: a ; may be missing there."},
    {SEMICOLON_ABOVE, "", "A ; is missing at the end of the line above."},
    {VARIABLE_SIZE, "",
     "Set an array of that size in a loop. But does the function need one at all? If you mean a "
     "pointer to rows, write it with parentheses: double (*rows)[columns]."},
    {CONST_VARIABLE, "", "That variable is const, so it cannot be changed."},
    {CONST_INPUT, "", "That array is const, because it is an input. Write into the output."},
    {CONST_LOST, "",
     "An input is const. Do you pass it where the header has an output? Or did you leave out const "
     "in a pointer or a function of your own?"},
    {NO_RETURN, "", "Every path through the function must end with a return."},
    {NEEDS_HEADER, "", "This needs #include <{name}> at the top of the file."},
    {ABS_OF_DOUBLE, "",
     "abs() is for whole numbers. For a double use fabs(), from #include <math.h>."},
    {NATURAL_LOG, "", "In C, the natural logarithm is log()."},
    {DRAWS_NUMBERS, "",
     "rand() needs #include <stdlib.h>. But no function of a lesson draws random numbers by "
     "itself."},
    {UNDECLARED_FUNCTION, "",
     "Is the name misspelled? Or is that function further down in the file? Then move it up. Or is "
     "an #include missing at the top?"},
    {UNDECLARED, "",
     "Is the name misspelled? A variable that is not a parameter needs a type, as in double h = 0. "
     "Or is there a ; right after the for (...) that declares it, or are { } missing around the "
     "body of that loop?"},
    {NO_SHAPE, "", SHAPE},
    {FEW_INDICES, "", "That has no elements, or fewer dimensions than the [ ] here. " SHAPE},
    {OTHER_TYPE, "",
     "The header says which type is needed. Row i of a matrix M is M[i], a vector. The matrix that "
     "begins with that row is &M[i]."},
    {ARRAY_SET, "",
     "A whole array cannot be set with =. Do you mean one element, [i]? In a matrix M write "
     "M[i][j], because M[i, j] is all of row j. Or does a function write the array? Then call it "
     "without =."},
    {NO_SUCH_MEMBER, "", "The header lists the members of each struct. Do you mean another one?"},
    {OTHER_FIRST_LINE, "", "The first line of the function must be the same as in the header."},
    {COMPILER_ENDLESS, "the compiler did not finish", ""},
    {CALLED_ELSEWHERE, "{file} calls {name}(), which is not defined anywhere",
     "Was it renamed? Does it belong to a lesson before this one?"},
    {MAIN_TWICE, "{name}() is defined a second time",
     "The tests have a main() that calls your functions. Put your own main() in another file."},
    {DEFINED_TWICE, "{name}() is defined a second time",
     "Another lesson or the tests have a function of that name. Rename yours, or make it static."},
    {NONE_THERE, "none of the lesson's functions is in the file",
     "make reset-{lesson} brings the empty exercises back, and keeps your file beside them."},
    {NO_SUCH_FILE, "the file is not there", "make reset-{lesson} brings the empty exercises back."},
    {UNREADABLE, "this file cannot be read, because its permissions forbid it",
     "This command allows it: chmod u+r {file}"},
    {DISK_FULL, "the disk is full, so the compiled file cannot be written", ""},
    {FOLDER_GONE, "a folder in it was deleted in the meantime, perhaps by make clean",
     "Run make again."},
    {NOT_WRITABLE, "the compiler cannot write here",
     "If it was made by sudo make, this command makes it yours: sudo chown -R $(id -u) build"},
    {MAKES_NAN, "makes the first NaN, as 0.0 / 0.0 or sqrt(-1.0) does", ""},
    {MAKES_INFINITY, "makes the first infinity, as 1.0 / 0.0 or log(0.0) does", ""},
    {TOO_LARGE, "makes the first infinity, because the result is too large for its type", ""},
    {SHARES_ARRAY, "passes `{name}` as {quote}, but each needs an array of its own", ""},
    {SETS_BYTES, "sets each byte to {name}, and not each number: use a loop", ""},
    {CUTS_DIFFERENCE,
     "returns a difference as an int, so numbers that are less than 1 apart count as equal: "
     "compare them with < and >",
     ""},
    {RETURNS_EARLY, "returns before {name} is written, if it is reached", ""},
    {FORGETS_SIZE,
     "passes `{name}` to {quote}(), which counts bytes, so it must be multiplied by "
     "sizeof({element})",
     ""},
    {STAYS_AT_INDEX, "writes {quote}, but `{name}` never changes", ""},
    {WRAPS_AROUND, "computes {name} with unsigned numbers, so {quote} comes out in place of -1",
     ""},
    {LEAVES_PARAMETER, "has the parameter `{name}`, which the function never uses", ""},
    {LEAVES_MEMBER,
     "begins a function that never uses `{name}`. The reference passes it to {quote}()", ""},
    {KEEPS_LAST_ROUND,
     "sets `{name}`, and each round of the loop in line {number} sets it again, so only the last "
     "round counts",
     ""},
    {SWAPS_ARGUMENTS, "passes {name} where {quote}", ""},
    {SETS_POINTER, "sets the pointer `{name}`, but the numbers belong where it points already", ""},
    {KEEPS_STATIC, "has a static variable, which keeps its contents for the next call", ""},
    {UNDEFINED, "did what C does not define: {quote}", ""},
    {MORE_MEMORY, "took more than {number} MB of memory", OWN_MEMORY},
    {COMPILER_FAILED, "the compiler failed: {quote}", ""},
    {INCLUDES_CODE, "a lesson has to be in one file, but this one includes another: {quote}", ""},
    {EXERCISE_MISSING, "{name}() is missing from the file",
     "Was it deleted, or is its name misspelled? The header declares it: {header}"},
    {FUNCTION_MISSING, "{name}() is called, but it is not defined",
     "Is the name misspelled? A lesson may call its own functions ({header}) and those of the "
     "lessons before it."},
    {LINK_FAILED, "it does not link: {quote}", ""},
    {NO_CODE, "", ""},
};

/* The advice in a lesson whose functions allocate memory. */
static const struct sentence with_memory[] = {
    {STACK_FULL, "", ROOM_OF_LESSON "."},
    {EMPTY_ARRAY, "", ROOM_OF_LESSON ". Every other buffer belongs to the caller."},
    {VARIABLE_SIZE, "",
     "An array of that size cannot be initialized in its declaration. " ROOM_OF_LESSON
     ", which sets all cells to 0."},
    {NO_CODE, "", ""},
};

static const struct sentence *find(const struct sentence *s, enum finding_code code) {
    while (s->code != code && s->code != NO_CODE)
        s++;
    return s;
}

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
        {"header", lesson ? lesson->header : ""},
        {"number", path_of("%.10g", f->number)},
        {"in", f->name[0] ? path_of(" in `%s`", f->name) : ""},
        {"is_size", size_of(f)},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strlen(values[i].key) == length && strncmp(values[i].key, key, length) == 0)
            return path_of("%s", values[i].value);
    return "";
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
    const char *what = find(sentences, f->code)->what;
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
    const char *advice = find(f->takes_memory ? with_memory : sentences, f->code)->advice;
    if (f->right[0])
        advice =
            f->kind == FOUND_TIME
                ? "{right}() itself is right. Does the loop around this call ever end? Which "
                  "variable must change for that? Or is an argument of this call far too large?"
                : "{right}() itself is right. Look at the arguments of this call. Are two "
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

const char *words_callers(const struct finding *f) {
    struct text callers = {0};
    for (int i = f->at + 1; i < f->stack.count; i++)
        text_print(&callers, "%s:%d: called from here, in %s()\n", f->where,
                   f->stack.frames[i].line, f->stack.frames[i].function);
    if (f->at > 0)
        text_print(&callers, "%s:%d: it happened here, in %s()\n", f->where,
                   f->stack.frames[0].line, f->stack.frames[0].function);
    return text_of(&callers);
}

/* --- mistakes ------------------------------------------------------------------------------- */

const char *words_test(const char *name) {
    char *words = path_of("%s", name);
    for (char *c = words; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return words;
}

static const char *words_of_listed(const struct cause *cause) {
    const char *told = cause->sureness == EITHER                           ? "Either: "
                       : cause->sureness == LIKELY && !cause_hedges(cause) ? "It looks like this: "
                                                                           : "";
    for (int i = 0; i < cause->count; i++)
        told = path_of("%s%s%s", told, i > 0 ? " Or: " : "", cause->slips[i]);
    return told;
}

static const char *words_of_generated(const struct cause *cause) {
    const bool some = cause->short_tests;
    if (cause->sureness == EITHER)
        return path_of("%s %s, or %s.", some ? "In all but the longest tests, either" : "Either",
                       cause->slips[0], cause->slips[1]);
    if (cause->sureness == OF_ONE_KIND)
        return path_of(
            "Most likely you have to %s. Several mistakes of this kind give your numbers%s.",
            cause->kind, some ? " in all but the longest tests" : "");
    return path_of("%s%s.",
                   some                        ? "In all but the longest tests it looks like "
                   : cause->sureness == LIKELY ? "It looks like "
                                               : "In your code ",
                   cause->slips[0]);
}

const char *words_cause(const struct cause *cause) {
    if (cause->sureness == NO_CAUSE)
        return "";
    if (cause->sureness == IN_THIS_TEST)
        return path_of("In this test%s: %s", cause_hedges(cause) ? "" : " it looks like this",
                       cause->slips[0]);
    return cause->generated ? words_of_generated(cause) : words_of_listed(cause);
}

const char *words_of_wrong(const struct finding *f) {
    const char *words = "", *at = text_of(&f->laws), *law;
    const char *rest = f->cause.sureness != NO_CAUSE ? words_cause(&f->cause) : f->test->broke;
    while ((law = next_line(&at)))
        words = path_of("%s%s%s", words, *words ? " " : "", law);
    return path_of("%s%s%s", words, *words && *rest ? " " : "", rest);
}

const char *words_line(const struct finding *f) {
    const bool is_later = f->code < MAKES_NAN || f->code > RETURNS_EARLY;
    return path_of("%s %d %s.", is_later ? "In a later test, line" : "Line", f->line,
                   words_what(f));
}

bool words_have_line(const struct finding *f) {
    return f->line > 0 && !f->stopped; /* show_stopped() has the line of a stop */
}

const char *words_message(const struct test *t) {
    if (t->reference_cost > 0.0)
        return path_of("takes %.2g s of work here, and the reference takes %.2g s. This time "
                       "counts, whatever the number of steps",
                       t->cost, t->reference_cost);
    return path_of("%s", t->message);
}

const char *words_waits_for(const struct finding *f) {
    if (f->kind != FOUND_WAITS)
        return "";
    return f->exercise->state == WAITING ? f->exercise->waits_for : f->test->missing;
}

static const char *why_wrong(const struct finding *f) {
    const char *why = words_of_wrong(f), *line = words_have_line(f) ? words_line(f) : "";
    if (!*why && !*line)
        return words_message(f->test);
    return path_of("%s%s%s", why, *why && *line ? " " : "", line);
}

const char *words_why(const struct finding *f) {
    switch (f->kind) {
    case FOUND_NOTHING:
    case FOUND_PASSED:
    case FOUND_TODO:
    case FOUND_WAITS:
        return "";
    case FOUND_WRONG:
        return f->test ? why_wrong(f) : words_cause(&f->cause);
    default:
        return f->code != NO_CODE ? words_what(f) : "";
    }
}

void words_tell(const struct check *check, struct lesson *lesson) {
    for (int i = 0; i < check->finding_count; i++) {
        const struct finding *f = &check->findings[i];
        lesson->exercises[i].told = words_why(f);
        lesson->exercises[i].slips = text_of(&f->cause.names);
    }
}

/* --- changes that make hint advises --------------------------------------------------------- */

const char *words_change(const struct advice *a) {
    switch (a->change) {
    case KIND_OF_CHANGE:
        return a->lines[1] == 0
                   ? path_of("Line %d: %s %s.", a->lines[0], a->first,
                             a->repairs > 1 ? "at both places" : "here")
                   : path_of(a->repairs > 1 ? "Lines %d and %d: %s." : "Line %d or line %d: %s.",
                             a->lines[0], a->lines[1], a->first);
    case KNOWN_MISTAKE:
        return path_of("%s", a->first);
    case ONE_TOO_MANY:
        return path_of("Lines %d and %d do the same. Remove one of them.", a->lines[0],
                       a->lines[1]);
    default:
        return "";
    }
}

const char *words_no_line(const struct advice *a, const struct exercise *e) {
    return path_of("I looked for one change that is enough, %s.%s%s\n",
                   a->gave_up ? "but stopped because it took too long" : "and found none",
                   e->state == WRONG ? " make has found this: " : "",
                   e->state == WRONG ? e->told : "");
}
