/* Reads what compilers, linkers, sanitizers and the test program say of a learner's file: a code,
   names, numbers and a place come out, and no sentence. */
#pragma once

#include "base/child.h"
#include "course/finding.h"

/* Why the program ended as it did, in the middle of test `t` (NULL: after its last test). */
void explain_crash(struct finding *finding, struct lesson *lesson, const struct child *child,
                   const struct test *t);

/* What the test program said of a crash, "past wrote weights weights[2][0] 2 3"; see where.h. */
void explain_touched(struct finding *finding, const char *said);

/* The first error of a compiler or linker. */
void explain_compiler(struct finding *finding, const struct lesson *lesson,
                      const struct child *child);
void explain_linker(struct finding *finding, struct lesson *lesson, const struct child *child);

/* The warnings, a line each, at most `most`, those of a sign last; returns how many there are in
   all. */
int explain_warnings(struct text *lines, const struct child *child, int most);

/* Copies the C name at the start of `at`; false if there is no name. */
bool take_name(char name[NAME_SIZE], const char *at);

/* The words that others use for something, as an extended regular expression, and the code for it.
 */
struct sign {
    const char *words;
    enum finding_code code;
};
enum finding_code code_in(const struct sign signs[], size_t count, const char *text);
#define CODE_IN(signs, text) code_in(signs, sizeof(signs) / sizeof(signs)[0], text)

/* --- where in the learner's file something happened ------------------------------------------ */

/* From what a sanitizer said. */
struct stack stack_of(const struct lesson *lesson, const char *said);

/* Puts names and places into frames that have only an address in the program. */
void stack_name(struct text *said, const char *program);

/* Finds the place of what happened, by its stack. What happens in an exercise that is done, or in
   an earlier lesson, is its caller's doing: then the place is the call, and the function that is
   called is `right`. */
void put_place(struct finding *finding, struct lesson *lesson, const struct exercise *tested);

/* "weights[i][j + 1]": what "file:31:20: runtime error: index ..." speaks of; "" if unknown. */
const char *indexed_at(const char *file, const char *said);

/* "a b": what the line of the frame may call the test's `array`, where no parameter of its function
   has that name; "" if unknown. */
const char *names_in_function(const char *file, const struct frame *frame, const char *array);

/* Line number `line` as "   31 |     weights[i] = ...", and a caret under the column if that is not
   0. A line that is too long, or whose brackets stay open, is drawn whole, on several rows and
   without a caret; one without an end is moved to the column. */
void draw_line(struct text *drawing, const char *file, int line, int column);

/* Draws the heads of the loops that have the indices in the line of a finding, before that line. */
void draw_loops(struct finding *finding);

/* The drawing of gcc or clang that follows an error, brought into view. */
void take_drawing(struct text *drawing, const char *at);

/* The word above the caret of a drawing; "" without a caret. */
const char *drawn_at_caret(const struct text *drawing);
