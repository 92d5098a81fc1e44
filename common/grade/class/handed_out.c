/* Stubs are printed once for a run by common/make/stubs.sh and compared without white space, since
   editors change that. Of two functions the tokens are compared: names may differ, if each name of
   one function has the same places as a name of the other. The files of a release are compared by
   their hashes. */
#include "grade/class/handed_out.h"

#include "base/files.h"
#include "base/sha256.h"
#include "base/tokens.h"
#include "grade/class/jobs.h"
#include "grade/class/take.h"

#include <string.h>

enum { MOST = 4 << 20, NAMED = 5 }; /* bytes of a file; files that are named */

/* --- stubs ---------------------------------------------------------------------------------- */

const char *stub_file(const struct course_lesson *lesson, const char *work) {
    return string_of("%s/stub/%s/%s.c", work, lesson->folder, lesson->name);
}

const char *stub_of(struct course_lesson *lesson, const char *work) {
    const char *file = stub_file(lesson, work);
    if (lesson->stub)
        return lesson->stub;
    make_folder_of(file);
    int status = run_job((struct job){
        .words = {"sh", "common/make/stubs.sh", "print", lesson->folder}, .said = file});
    return lesson->stub = status == 0 ? file_text(file) : "";
}

bool same_but_for_space(const char *a, const char *b) {
    static const char mark[] = "\xEF\xBB\xBF"; /* Windows' editors begin with it */
    static const char space[] = " \t\r\n\v\f";
    a += starts_with(a, mark) ? 3 : 0;
    b += starts_with(b, mark) ? 3 : 0;
    for (;; a++, b++) {
        a += strspn(a, space);
        b += strspn(b, space);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* --- references ----------------------------------------------------------------------------- */

enum { TOKENS_THAT_TELL = 40 };

/* The same names in the same places: the first place of each is the same on both sides. */
static int first_place(const struct code *code, int token) {
    for (int i = 0; i < token; i++)
        if (code->tokens[i].kind == NAME && same_token(code, i, code, token))
            return i;
    return token;
}

static bool are_alike(const struct code *a, const struct code *b) {
    if (a->count != b->count || a->count < TOKENS_THAT_TELL)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->tokens[i].kind != b->tokens[i].kind ||
            (a->tokens[i].kind != NAME && !same_token(a, i, b, i)))
            return false;
    for (int i = 0; i < a->count; i++)
        if (a->tokens[i].kind == NAME && first_place(a, i) != first_place(b, i))
            return false;
    return true;
}

bool is_alike(const char *text, const char *reference, const char *function) {
    struct code a, b = {0};
    bool alike = code_find_tokens(&a, text, function) &&
                 code_find_tokens(&b, reference, function) && are_alike(&a, &b);
    code_free(&a);
    code_free(&b);
    return alike;
}

/* --- a release ------------------------------------------------------------------------------ */

/* A link or a pipe in place of a file is a change. */
static bool has_hash(const struct taken *file, const char *hex) {
    struct hash hash = sha256(text_of(&file->bytes), file->bytes.length);
    return !file->refused && strncmp(hash.hex, hex, 64) == 0;
}

bool release_changed(const char *release, int folder, const char *stands_for, const char **said) {
    struct text text = {0};
    int same = 0, changed = 0;
    char line[1200];
    while (next_line(&release, line, sizeof line)) {
        const char *path = strlen(line) > 66 ? line + 66 : "";
        if (!path[0] || !starts_with(path, stands_for) || !path[strlen(stands_for)])
            continue;
        struct taken file = take_path(folder, path + strlen(stands_for), MOST);
        bool is_same = has_hash(&file, line);
        same += is_same;
        if (!file.absent && !is_same && ++changed <= NAMED)
            text_print(&text, "%s%s", changed > 1 ? ", " : "changed: ", path);
        text_free(&file.bytes);
    }
    if (changed > NAMED)
        text_print(&text, " and %d more", changed - NAMED);
    else if (changed == 0 && same > 0)
        text_print(&text, "as handed out");
    *said = text_of(&text);
    return changed > 0;
}
