/* What the tests of the tutor's modules share: lessons in folders of their own, and what a module
   makes of them. */
#ifndef MADE_H
#define MADE_H

#include "base/child.h"
#include "base/files.h"
#include "base/screen.h"
#include "base/text.h"
#include "check/check.h"
#include "course/finding.h"
#include "course/lesson.h"
#include "explain/explain.h"
#include "lesson_test.h"
#include "tutor/commands.h"
#include "tutor/words.h"
#include "unity.h"

#include <stdio.h>
#include <string.h>

/* Not of a test's own, so that one that fails in the middle loses no memory: each is cleared after
   each test. */
extern struct text text;
extern struct lesson lesson;
extern struct child child;
extern struct report judged;
extern struct finding found;
extern struct check checked;
extern struct calls calls;
void clear(void);

/* What was found, in words. */
const char *found_what(void), *found_advice(void), *found_where(void), *found_callers(void);

/* An empty folder, until clear(). */
void enter_folder(void);
void make_folder(const char *path);
void write_file(const char *path, const char *chars);
bool exists(const char *path);

/* A lesson of its own in a folder of its own; without `source`, the learner has no file yet. The
   functions dot, blend, pick and a to g of the header are exercises. */
void make_lesson(const char *header, const char *source);
bool read_lesson(const char *name);
static const char three[] = "double dot(int n);\ndouble blend(int n);\ndouble pick(int n);\n";

void set_result(int i, enum state state, int passed, int tests);

/* Results of the last check of the lesson's file, and of a test. */
void save_results(void);

/* What a test program reported and printed, judged. */
void judge_said(const char *report_text, const char *out);
#define RUN(exercise, test, verdict)                                                               \
    "run " exercise " " test "\nunity tests/t.c:12:" test ":" verdict "\n"

/* The learner's file of these tests, and what a tool said of it on standard error. */
void make_said(const char *err);
void explain(const char *err, const struct test *t); /* of a crash */
#define SOURCE "lessons/02-dot-product/dot_product.c"
#define FRAME(number, function, line)                                                              \
    "    #" number " 0x55f2d13d031f in " function " /home/u/lookback/" SOURCE ":" line "\n"

static const struct limits ample = {.cpu_seconds = 10, .idle_seconds = 20, .output = 1 << 16};

/* For what may crash: runs it in a process of its own. True if that comes back, with true. */
bool survives(bool (*run)(void));

void expect_part(const char *part, const char *whole);

#endif
