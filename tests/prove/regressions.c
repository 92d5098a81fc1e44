/* Checks what the tutor finds in wrong attempts: see prove.h. */
#include "prove.h"

#include "base/child.h"
#include "base/files.h"
#include "diagnose/diagnose.h"
#include "diagnose/repair.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct attempt {
    char name[NAME_SIZE], function[NAME_SIZE];
    const char *told, *hint; /* as the list has them; "": no such line */
    struct text code;
};

struct regressions {
    struct task task;
    struct text source; /* the reference */
    bool writes;        /* the list again, and proves nothing */
    int failed;
};

/* --- the file with an attempt in it ------------------------------------------------------------
 */

/* A learner's function may call those of the lessons before. */
static void add_includes(struct text *file, const char *lesson) {
    text_print(file, "#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n"
                     "#include <stdlib.h>\n#include <string.h>\n");
    for (char **f = lesson_folders("tests"); *f && strcmp(*f, lesson) < 0; f++) {
        char *header = path_of("%s.h", strchr(*f, '-') + 1);
        for (char *c = header; *c; c++)
            *c = *c == '-' ? '_' : *c;
        text_print(file, "#include \"%s\"\n", header);
    }
}

/* The reference with the attempt in the place of its function. Gives the line where that begins; 0
   if there is no such function. */
static int plant(struct text *file, const struct regressions *r, const struct attempt *a) {
    const char *source = text_of(&r->source), *code = text_of(&a->code), *from, *to, *unused;
    if (!find_definition(source, a->function, &from, &to))
        return 0;
    add_includes(file, r->task.lesson->folder);
    text_add(file, source, (size_t)(from - source));
    int line = line_of(file->chars, file->chars + file->length);
    if (find_definition(code, a->function, &unused, &unused))
        text_print(file, "%s%s", code, to);
    else
        text_print(file, "%.*s{\n%s}%s", (int)strcspn(from, "{"), from, code, to);
    return line;
}

/* --- what is found -----------------------------------------------------------------------------
 */

static void describe_cause(struct text *told, const struct cause *cause) {
    static const char *const words[] = {[STATED] = "stated",
                                        [LIKELY] = "likely",
                                        [EITHER] = "either",
                                        [OF_ONE_KIND] = "of_one_kind",
                                        [IN_THIS_TEST] = "in_this_test"};
    text_print(told, "%s%s", words[cause->sureness], cause->short_tests ? " in_short_tests" : "");
    const char *at = text_of(&cause->names);
    for (char *name; (name = next_line(&at));) {
        name[strcspn(name, ":")] = '\0'; /* of a generated one its rule */
        if (!has_word(text_of(told), name, strlen(name)))
            text_print(told, " %s", name);
    }
}

/* What `make` finds in a test that fails. */
static void describe_failure(struct text *told, struct check *check, const struct exercise *e) {
    const struct test *bad = report_first_bad(&check->report, e);
    const char *before = path_of("%s", bad->broke);
    diagnose(check);
    const struct finding *f = finding_of(check, e);
    if (f->cause.sureness != NO_CAUSE)
        describe_cause(told, &f->cause);
    else if (f->code > TOO_LARGE && f->code <= RETURNS_EARLY)
        text_print(told, "overlooked %s", finding_code_name(f->code));
    else if (f->laws.length > 0)
        text_print(told, "law");
    else if (strcmp(before, bad->broke) != 0)
        text_print(told, "relation");
    else
        text_print(told, bad->sure ? "property" : bad->broke[0] ? "hunch" : "nothing");
}

static void describe_check(struct text *told, struct check *check, const struct exercise *e) {
    const struct finding *f = check->stage == TESTED ? finding_of(check, e) : &check->file;
    if (f->kind == FOUND_WRONG && f->test->verdict == FAILED) {
        describe_failure(told, check, e);
    } else {
        diagnose(check);
        text_print(told, "%s%s%s%s%s", finding_kind_name(f->kind), f->code == NO_CODE ? "" : " ",
                   f->code == NO_CODE ? "" : finding_code_name(f->code), f->function[0] ? " " : "",
                   f->function);
    }
}

/* What `make hint` finds. Lines are counted from the first one of the function. */
static void describe_hint(struct text *hint, const struct check *check, struct lesson *lesson,
                          const struct exercise *e, int first) {
    static const char *const changes[] = {"", " kind", " mistake", " repeated"};
    words_tell(check, lesson);
    struct advice advice = diagnose_further(&check->task, e);
    for (int i = 0; i < 2 && advice.lines[i] > 0; i++)
        text_print(hint, "%s %d", i == 0 ? "line" : "", advice.lines[i] - first + 1);
    text_print(hint, "%s", hint->length ? changes[advice.change] : "none");
}

/* Checks the file as `make` would, but only this exercise. */
static void judge_file(struct text *told, struct text *hint, const struct regressions *r,
                       struct lesson *lesson, const struct attempt *a, int first) {
    struct check check;
    const struct exercise *e = lesson_exercise(lesson, a->function);
    if (e) {
        check_lesson(&check, (struct task){lesson, r->task.settings, r->task.objects});
        describe_check(told, &check, e);
        if (a->hint[0] && check.stage == TESTED)
            describe_hint(hint, &check, lesson, e, first);
    }
}

/* Plants the attempt in a folder of its own, and judges it. If that is impossible, both texts stay
   empty. */
static void judge(struct text *told, struct text *hint, const struct regressions *r,
                  const struct attempt *a) {
    struct lesson lesson;
    struct text planted = {0};
    const char *from = path_of("build/tmp/regressions.%d", (int)getpid());
    const char *file = path_of("%s/%s/%s.c", from, r->task.lesson->folder, r->task.lesson->name);
    struct settings settings = *r->task.settings;
    struct regressions mine = *r;
    settings.from = settings.out = from;
    settings.only = a->function;
    settings.seconds = 1;
    mine.task.settings = &settings;
    const int first = plant(&planted, r, a);
    make_folder_of(file);
    if (first > 0 && file_replace(file, &planted) &&
        lesson_read(&lesson, r->task.lesson->folder, from, from))
        judge_file(told, hint, &mine, &lesson, a, first);
    remove(file);
}

/* --- the list ----------------------------------------------------------------------------------
 */

/* Is it one of these words? */
static bool is_among(const char *words, const char *word, size_t length) {
    for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == length && strncmp(words, word, length) == 0)
            return true;
    return false;
}

/* Is the first word the same, and each that follows among those found? */
static bool agrees(const char *expected, const char *found) {
    size_t length = strcspn(expected, " ");
    bool good = length > 0 && strncmp(expected, found, length) == 0 && strchr(" ", found[length]);
    for (const char *at = expected + length; good && *at; at += length) {
        at += strspn(at, " ");
        length = strcspn(at, " ");
        good = is_among(found, at, length);
    }
    return good;
}

static void write_entry(const struct attempt *a, const char *told, const char *hint) {
    printf("attempt %s in %s\ntold    %s\n", a->name, a->function, told);
    if (*hint)
        printf("hint    %s\n", hint);
    printf("%s\n", text_of(&a->code));
}

static bool prove_entry(const struct regressions *r, const struct attempt *a, const char *told,
                        const char *hint) {
    const bool good = agrees(a->told, told) && strcmp(a->hint, hint) == 0;
    printf("%s %s: %s: %s: %s%s%s\n", good ? "ok   " : "FAIL ", r->task.lesson->folder, a->function,
           a->name, told, *hint ? "; hint: " : "", hint);
    if (!good)
        printf("      expected: %s%s%s\n", a->told, a->hint[0] ? "; hint: " : "", a->hint);
    return good;
}

static bool take_entry(const struct regressions *r, const struct attempt *a) {
    struct text told = {0}, hint = {0};
    judge(&told, &hint, r, a);
    if (!told.length)
        text_print(&told, "the lesson has no exercise %s", a->function);
    if (!r->writes)
        return prove_entry(r, a, text_of(&told), text_of(&hint));
    write_entry(a, text_of(&told), text_of(&hint));
    return true;
}

/* An attempt leaves a lot in memory, and each program that is started later begins as a copy of it.
   So each attempt has a process of its own. */
static void end_entry(struct regressions *r, struct attempt *a) {
    int status;
    while (a->code.length > 1 && a->code.chars[a->code.length - 2] == '\n')
        a->code.chars[--a->code.length] = '\0';
    if (a->name[0]) {
        const pid_t child = fork();
        if (child == 0)
            exit(take_entry(r, a) ? 0 : 1);
        r->failed += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    *a = (struct attempt){.name = "", .told = "", .hint = ""};
}

static void take_line(struct regressions *r, struct attempt *a, const char *line) {
    const char *rest = line + strcspn(line, " ");
    rest += strspn(rest, " ");
    if (starts_with(line, "attempt ")) {
        end_entry(r, a);
        if (sscanf(line, "attempt %255s in %255s", a->name, a->function) != 2)
            snprintf(a->name, sizeof a->name, "%.255s", line);
    } else if (starts_with(line, "told ") && !a->code.length) {
        a->told = path_of("%s", rest);
    } else if (starts_with(line, "hint ") && !a->code.length) {
        a->hint = path_of("%s", rest);
    } else if (a->name[0]) {
        text_print(&a->code, "%s\n", line);
    }
}

static int run_list(struct proof *p, bool writes) {
    struct regressions r = {.task = p->task};
    struct attempt attempt = {.name = "", .told = "", .hint = ""};
    struct text file;
    const char *line;
    r.writes = writes;
    if (!text_read_file(&r.source, reference_of(p->task.lesson)) ||
        !text_read_file(&file, p->word)) {
        fprintf(stderr, "%s cannot be read\n", p->word);
        return 2;
    }
    for (const char *at = text_of(&file); (line = next_line(&at));)
        take_line(&r, &attempt, line);
    end_entry(&r, &attempt);
    return r.failed > 0;
}

int prove_regressions(struct proof *p) {
    return run_list(p, false);
}

int prove_attempts(struct proof *p) {
    return run_list(p, true);
}
