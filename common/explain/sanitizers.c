/* Why a program with the learner's code in it did not end well: from what the sanitizers print,
   from what the test program says of the end, and from the signal or the clock that ended it. A
   table leads from their words to codes; place.c finds the line. */
#include "explain/explain.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first sign that occurs in a report decides. */
static const struct sign address_signs[] = {
    {"heap-buffer-overflow", OUTSIDE_HEAP},
    {"stack-buffer-overflow", OUTSIDE_LOCAL},
    {"global-buffer-overflow", OUTSIDE_STATIC},
    {"heap-use-after-free", FREED_ALREADY},
    {"attempting double-free", FREED_TWICE},
    {"attempting free on address", FREED_ANOTHERS},
    {"stack-overflow", STACK_FULL},
    {"stack-use-after", SCOPE_OVER},
    {"requested allocation size|allocation-size-too-big", HUGE_REQUEST},
    {"RSS limit exceeded|rss limit exhausted", MUCH_MEMORY},
    {"out of memory", NO_MEMORY},
    {"memcpy-param-overlap", OVERLAP},
    {"negative-size-param", NEGATIVE_SIZE},
    {"ABRT", ABORTED},
    {"FPE", ZERO_DIVISOR},
    {"address points to the zero page", NULL_POINTER},
    {"SEGV|BUS", WILD_POINTER},
    {"detected memory leaks", LEAK},
};

static const struct sign undefined_signs[] = {
    {"out of bounds", INDEX_OUTSIDE},
    {"null pointer", NULL_POINTER},
    {"division by zero", ZERO_DIVISOR},
    {"signed integer overflow: ", INT_OVERFLOW},
    {"outside the range of representable values", CAST_OVERFLOW},
    {"variable length array bound", EMPTY_ARRAY},
    {"not a valid value for type", UNSET_BOOL},
};

/* How the test program calls what it saw. */
static const struct sign ends[] = {
    {"exit", CALLED_EXIT},   {"fork", OTHER_PROCESS}, {"thread", OWN_THREAD},
    {"left", JUMPED_OUT},    {"own", OUTSIDE_OWN},    {"past|before", OUTSIDE_ARRAY},
    {"memory", MORE_MEMORY},
};

enum finding_code code_in(const struct sign signs[], size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (part_of(text, signs[i].words, 0))
            return signs[i].code;
    return NO_CODE;
}

bool take_name(char name[NAME_SIZE], const char *at) {
    return sscanf(at, "%255[A-Za-z0-9_]", name) == 1;
}

/* "past wrote weights weights[2][0] 2 3": of that array of 2 x 3. */
static void take_array(struct finding *f, const char *said) {
    char place[8], how[8];
    int used = 0;
    if (sscanf(said, "%7s %7s %255s %255s%n", place, how, f->name, f->element, &used) < 2)
        return;
    f->is_before = strcmp(place, "before") == 0;
    f->wrote = strcmp(how, "wrote") == 0;
    for (int part; f->rank < 4 && sscanf(said + used, "%d%n", &f->dims[f->rank], &part) == 1;
         used += part)
        f->rank++;
}

void explain_touched(struct finding *f, const char *said) {
    char word[8] = "";
    f->code = sscanf(said, "%7s", word) == 1 ? CODE_IN(ends, word) : NO_CODE;
    if (f->code == OUTSIDE_ARRAY || f->code == OUTSIDE_OWN)
        take_array(f, said);
    else if (f->code == MORE_MEMORY)
        f->number = atof(said + strlen(word));
    else if (f->code == NO_CODE && *said) {
        f->code = SAID_BY_BOX;
        snprintf(f->quote, sizeof f->quote, "%s", said);
    }
}

/* "file:31:20: runtime error: index 3 out of bounds for type 'double [*]'" */
static bool explain_undefined(struct finding *f, const struct lesson *lesson, const char *err) {
    static const char sign[] = "runtime error: ";
    const char *error = strstr(err, sign), *message;
    if (!error || (error += strlen(sign), !(message = next_line(&error))))
        return false;
    snprintf(f->quote, sizeof f->quote, "%s", message);
    f->code = CODE_IN(undefined_signs, message);
    if (f->code == INDEX_OUTSIDE && sscanf(message, "index %lf out", &f->number) == 1)
        snprintf(f->name, sizeof f->name, "%.200s", indexed_at(lesson->source, err));
    else if (f->code == INDEX_OUTSIDE || f->code == NO_CODE)
        f->code = UNDEFINED;
    const char *sum = part_of(message, "signed integer overflow: ([^ ]+ [^ ]+ [^ ]+)", 1);
    const char *cast = part_of(message, "(.*) is outside the range of representable", 1);
    if (sum || cast) /* "2147483647 + 1", "nan" */
        snprintf(f->quote, sizeof f->quote, "%s", sum ? sum : cast);
    return true;
}

static bool explain_sanitizer(struct finding *f, const char *err, const struct test *t) {
    const char *error = strstr(err, "ERROR: ");
    error = error ? error : strstr(err, "hard rss limit exhausted");
    if (!error || !strstr(err, "Sanitizer"))
        return false;
    f->code = CODE_IN(address_signs, error);
    if (f->code == NO_CODE)
        f->code = CRASHED;
    else if (f->code == STACK_FULL && f->stack.calls > 30)
        f->code = RECURSION;
    else if (f->code == OUTSIDE_HEAP && t && t->touched[0])
        explain_touched(f, t->touched);
    return true;
}

static enum finding_code code_of_signal(int number) {
    return number == SIGSEGV || number == SIGBUS ? WILD_SIGNAL
           : number == SIGFPE                    ? ZERO_DIVISOR
           : number == SIGABRT                   ? ABORTED
           : number == SIGKILL                   ? KILLED
                                                 : OTHER_SIGNAL;
}

/* Neither a sanitizer has said anything, nor was there too much of anything. */
static void explain_ending(struct finding *f, const struct child *child, const struct test *t) {
    struct finding touched = {0};
    explain_touched(&touched, t ? t->touched : "");
    bool is_end = touched.code >= CALLED_EXIT && touched.code <= JUMPED_OUT;
    bool is_ours = child->ending != SIGNALLED || child->status == SIGKILL; /* we have ended it */
    if (is_end || (touched.code != NO_CODE && is_ours)) {
        explain_touched(f, t->touched);
    } else if (child->ending == SIGNALLED) {
        f->code = code_of_signal(child->status);
    } else {
        f->code = ENDED_PROGRAM;
        f->number = child->status;
    }
}

static enum finding_kind kind_of(enum finding_code code) {
    return code == WORKED_LONG || code == WAITED_LONG                      ? FOUND_TIME
           : code == PRINTED_MUCH                                          ? FOUND_FLOOD
           : code == LEAK || (code >= HUGE_REQUEST && code <= MORE_MEMORY) ? FOUND_MEMORY
                                                                           : FOUND_CRASH;
}

/* A loop that does nothing may be compiled to a jump without a line of its own, and be taken for
   its neighbour in the file. A test calls its exercise, so the stack must name that. */
static void place_the_loop(struct finding *f, const struct lesson *lesson,
                           const struct exercise *e) {
    for (int i = 0; i < f->stack.count; i++)
        if (strcmp(f->stack.frames[i].function, e->name) == 0)
            return;
    f->excerpt = (struct text){0};
    f->stack.count = f->at = 0;
    snprintf(f->where, sizeof f->where, "%.380s", lesson->source);
    snprintf(f->function, sizeof f->function, "%s", e->name);
    f->line = e->line;
    draw_line(&f->excerpt, f->where, f->line, 0);
}

void explain_crash(struct finding *f, struct lesson *lesson, const struct child *child,
                   const struct test *t) {
    const char *err = text_of(&child->err);
    const struct exercise *tested = t ? t->exercise : NULL;
    *f = (struct finding){.test = t, .stack = stack_of(lesson, err)};
    if (child->ending == TIMED_OUT) {
        f->code = child->waited ? WAITED_LONG : WORKED_LONG;
        f->number = child->seconds;
    } else if (child->ending == FLOODED) {
        f->code = PRINTED_MUCH;
    } else if (!explain_undefined(f, lesson, err) && !explain_sanitizer(f, err, t)) {
        explain_ending(f, child, t);
    }
    f->kind = kind_of(f->code);
    if (f->code == STACK_FULL || f->code == EMPTY_ARRAY)
        f->takes_memory = lesson_takes_memory(lesson);
    put_place(f, lesson, tested);
    if (child->ending == TIMED_OUT && tested && tested->line > 0)
        place_the_loop(f, lesson, tested);
    if (!t || (f->kind != FOUND_TIME && f->code != OUTSIDE_ARRAY && f->code != INDEX_OUTSIDE))
        f->right[0] = '\0'; /* no sizes or arguments of a call can be to blame */
    if (f->code >= OUTSIDE_HEAP && f->code <= INDEX_OUTSIDE)
        draw_loops(f);
    if (f->code == OUTSIDE_ARRAY && f->stack.count > 0)
        snprintf(f->own_names, sizeof f->own_names, "%.99s",
                 names_in_function(lesson->source, &f->stack.frames[0], f->name));
}
