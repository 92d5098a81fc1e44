#include "tutor/attempts.h"

#include "base/files.h"
#include "diagnose/diagnose.h"
#include "diagnose/repair.h"
#include "diagnose/slip_runs.h"
#include "tutor/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KINDS = 8 };
static const char *const kinds[MOST_KINDS] = {"listed",   "generated", "pair", "line",
                                              "property", "crash",     "weak", "nothing"};

struct attempt {
    char name[64], function[NAME_SIZE], kind[16];
    struct text cause, told, judged, code;
};

struct attempts {
    struct lesson *lesson;
    const struct settings *settings;
    char *const *objects;
    struct text source; /* the reference */
    int count, by[MOST_KINDS], judged[4];
};

/* --- the list ------------------------------------------------------------------------------- */

static void forget(struct attempt *a) {
    text_free(&a->cause);
    text_free(&a->told);
    text_free(&a->judged);
    text_free(&a->code);
    *a = (struct attempt){0};
}

static bool in_code(const struct attempt *a) {
    return a->code.chars != NULL;
}

static void take_line(struct attempt *a, const char *line) {
    const char *rest = line + strcspn(line, " ");
    rest += strspn(rest, " ");
    if (in_code(a))
        text_print(&a->code, "%s\n", line);
    else if (starts_with(line, "in "))
        snprintf(a->function, sizeof a->function, "%.255s", rest);
    else if (starts_with(line, "kind "))
        snprintf(a->kind, sizeof a->kind, "%.15s", rest);
    else if (starts_with(line, "cause "))
        text_print(&a->cause, "%s", rest);
    else if (starts_with(line, "told "))
        text_print(&a->told, "%s", rest);
    else if (starts_with(line, "judged "))
        text_print(&a->judged, "%s", rest);
    else if (strcmp(line, "code") == 0)
        text_add(&a->code, "", 0);
}

/* --- one attempt ---------------------------------------------------------------------------- */

static const char includes[] =
    "#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n";

/* A learner may call what he wrote in the lessons before. */
static bool write_headers(FILE *file, const char *lesson) {
    struct folders folders = lesson_folders("tests");
    for (int i = 0; i < folders.count && strcmp(folders.names[i].chars, lesson) < 0; i++) {
        fputs("#include \"", file);
        for (const char *c = strchr(folders.names[i].chars, '-') + 1; *c; c++)
            fputc(*c == '-' ? '_' : *c, file);
        fputs(".h\"\n", file);
    }
    folders_free(&folders);
    return !ferror(file);
}

static bool write_planted(const struct attempts *all, const struct attempt *a, const char *path) {
    char function[sizeof a->function];
    strcpy(function, a->function);
    struct variant v = {.function = function, .text = a->code.chars};
    struct text planted = variant_plant(text_of(&all->source), &v);
    make_folder_of(path);
    FILE *file = fopen(path, "w");
    bool good = file && planted.length > 0 && fputs(includes, file) >= 0 &&
                write_headers(file, all->lesson->folder) &&
                fwrite(planted.chars, 1, planted.length, file) == planted.length;
    text_free(&planted);
    return file && fclose(file) == 0 && good;
}

/* What make says of it; "" if it passes. */
static void tell_at_once(struct text *told, struct check *check, struct lesson *lesson,
                         const struct settings *settings, char *const objects[]) {
    const struct exercise *e = lesson_first_undone(lesson);
    const struct test *bad = e ? report_first_bad(&check->report, e) : NULL;
    if (check->stage != TESTED)
        text_print(told, "nothing it does not build: %s", words_what(&check->file).chars);
    else if (!e)
        text_print(told, "passes");
    else if (!bad || bad->verdict != FAILED)
        text_print(told, "crash %s %s", words_what(finding_of(check, lesson, e)).chars,
                   finding_of(check, lesson, e)->function);
    else {
        diagnose(check, lesson, settings, objects);
        struct finding *f = finding_of(check, lesson, e);
        struct text why = words_why(f);
        if (f->cause.sureness != NO_CAUSE)
            text_print(told, "%s %s", f->cause.generated ? "generated" : "listed", why.chars);
        else if (bad->broke[0])
            text_print(told, "%s %s", bad->sure ? "property" : "weak", bad->broke);
        else
            text_print(told, "nothing %s", bad->message);
        text_free(&why);
    }
}

/* Does make hint find the line, or two slips at once? Then that, before what make has said. */
static void tell_further(struct text *told, struct advice advice) {
    struct text before = *told;
    *told = (struct text){0};
    struct text what = words_change(&advice);
    if (advice.lines[1] > 0)
        text_print(told, "pair %s", text_of(&what));
    else if (advice.lines[0] > 0)
        text_print(told, "line %d: %s | %s", advice.lines[0], text_of(&what), text_of(&before));
    else
        text_print(told, "%s", text_of(&before));
    text_free(&before);
    text_free(&what);
}

/* What make, and then make hint, say. */
static void tell(struct text *told, struct attempts *all, const struct attempt *a) {
    struct lesson lesson;
    struct check check;
    struct path from = path_of("build/tmp/attempts.%d/%s", (int)getpid(), a->name);
    struct settings settings = *all->settings;
    settings.from = settings.out = from.chars;
    settings.only = a->function;
    settings.seconds = 1;
    struct path file = path_of("%s/%s/%s.c", from.chars, all->lesson->folder, all->lesson->name);
    if (!write_planted(all, a, file.chars) ||
        !lesson_read(&lesson, all->lesson->folder, from.chars, from.chars)) {
        text_print(told, "nothing it cannot be planted");
        return;
    }
    check_lesson(&check, &lesson, &settings, all->objects);
    tell_at_once(told, &check, &lesson, &settings, all->objects);
    const struct exercise *e = lesson_exercise(&lesson, a->function);
    bool more = starts_with(text_of(told), "nothing") || starts_with(text_of(told), "weak") ||
                starts_with(text_of(told), "crash");
    if (more && check.stage == TESTED && e)
        tell_further(told, diagnose_further(&lesson, e, &settings, all->objects));
    check_free(&check);
    lesson_free(&lesson);
    remove(file.chars);
}

static void count(struct attempts *all, const struct attempt *a, const char *told,
                  const char *judged) {
    static const char *const words[4] = {"yes", "no", "false", "?"};
    all->count++;
    for (int i = 0; i < MOST_KINDS; i++)
        all->by[i] += starts_with(told, kinds[i]);
    for (int i = 0; i < 4; i++)
        all->judged[i] += strcmp(judged, words[i]) == 0;
    if (starts_with(told, "passes"))
        fprintf(stderr, "%s: passes\n", a->name);
}

/* The entry as it is to stand in the list, with what is told now. */
static void finish(struct attempts *all, struct attempt *a) {
    struct text told = {0};
    if (!a->name[0])
        return;
    while (a->code.length > 0 && a->code.chars[a->code.length - 1] == '\n')
        a->code.chars[--a->code.length] = '\0';
    tell(&told, all, a);
    while (told.length > 0 && told.chars[told.length - 1] == ' ')
        told.chars[--told.length] = '\0';
    bool same = strcmp(text_of(&told), text_of(&a->told)) == 0;
    const char *judged = same && a->judged.length ? text_of(&a->judged) : "?";
    count(all, a, text_of(&told), judged);
    printf("attempt  %s\nin       %s\nkind     %s\ncause    %s\ntold     %s\njudged   "
           "%s\ncode\n%s\n\n",
           a->name, a->function, a->kind, text_of(&a->cause), text_of(&told), judged,
           text_of(&a->code));
    fflush(stdout);
    text_free(&told);
    forget(a);
}

int attempts_tell(struct lesson *lesson, const char *list, const struct settings *settings,
                  char *const objects[]) {
    struct attempts all = {.lesson = lesson, .settings = settings, .objects = objects};
    struct attempt attempt = {0};
    struct text file;
    char line[2000];
    if (!text_read_file(&all.source, reference_of(lesson).chars) || !text_read_file(&file, list)) {
        fprintf(stderr, "%s is not there yet: write it as its siblings are.\n", list);
        return 2;
    }
    for (const char *at = text_of(&file); next_line(&at, line, sizeof line);) {
        if (starts_with(line, "attempt ")) {
            finish(&all, &attempt);
            sscanf(line, "attempt %63s", attempt.name);
        } else {
            take_line(&attempt, line);
        }
    }
    finish(&all, &attempt);
    fprintf(stderr, "%s: %d attempts; judged yes %d, no %d, false %d, not yet %d; by",
            lesson->folder, all.count, all.judged[0], all.judged[1], all.judged[2], all.judged[3]);
    for (int i = 0; i < MOST_KINDS; i++)
        fprintf(stderr, " %s %d", kinds[i], all.by[i]);
    fputc('\n', stderr);
    text_free(&file);
    text_free(&all.source);
    return 0;
}
