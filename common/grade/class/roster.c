/* Finds out whose a submission is. A folder's name may be a number, an address or a name, and names
   are spelled in many ways: they are compared without marks, case and what stands between words. A
   name counts only if one student alone has it. */
#include "grade/class/roster.h"

#include "base/utf8.h"
#include "grade/class/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The letters of a name, as small ones of ASCII where they are Latin. macOS writes a mark behind
   its letter, others write both as one character, and some leave marks out: all of them are muller.
 */
static const char *letters_of(const char *name) {
    static const char from_c0[] =
        "AAAAAAACEEEEIIIIDNOOOOO*OUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
        "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNn"
        "OoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
    const char *end = name + strlen(name);
    struct text letters = {0};
    size_t bytes;
    text_add(&letters, "", 0);
    for (const char *at = name, *next = name; at < end; at = next) {
        unsigned long code = utf8_next(&next, end, &bytes);
        if (bytes == 2 && code >= 0xC0 && code < 0x180)
            text_print(&letters, "%c", tolower(from_c0[code - 0xC0]));
        else if (code < 0x80 && !strchr(" _-.,'", (int)code))
            text_print(&letters, "%c", tolower((int)code));
        else if (code >= 0x80 && (code < 0x300 || code >= 0x370))
            text_add(&letters, at, (size_t)(next - at));
    }
    return letters.chars;
}

static struct student student_in(const struct csv *csv, int row) {
    struct student s = {
        .id = csv_cell(csv, row, "student_id"),
        .last = csv_cell(csv, row, "last_name"),
        .first = csv_cell(csv, row, "first_name"),
        .email = csv_cell(csv, row, "email"),
        .canvas_id = csv_cell(csv, row, "ID"),
        .login = csv_cell(csv, row, "SIS Login ID"),
        .section = csv_cell(csv, row, "Section"),
    };
    s.names[0] = letters_of(string_of("%s%s", s.first, s.last));
    s.names[1] = letters_of(string_of("%s%s", s.last, s.first));
    return s;
}

struct roster roster_read(const char *path) {
    struct roster roster = {NULL, 0};
    if (!path)
        return roster;
    struct csv csv = csv_read(path);
    if (csv_column(&csv, "student_id") < 0)
        die("%s: its first line names no column student_id.", path);
    roster.students = zeroed(csv.count, sizeof *roster.students);
    for (int i = 1; i < csv.count; i++)
        if (csv_cell(&csv, i, "student_id")[0])
            roster.students[roster.count++] = student_in(&csv, i);
    return roster;
}

bool moodle_name(const char *name, struct path *person, struct path *number) {
    const char *end = strstr(name, "_assignsubmission_");
    const char *digits = end;
    while (digits && digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (!end || digits == end || digits <= name + 1 || digits[-1] != '_')
        return false;
    *person = path_of("%.*s", (int)(digits - 1 - name), name);
    *number = path_of("%.*s", (int)(end - digits), digits);
    return true;
}

/* The student whose id, address or number that is, or who alone has that name; NULL. */
static const struct student *whose(const struct roster *roster, const struct submission *s) {
    struct path person, number;
    const char *name = s->canvas_name[0] ? s->canvas_name : s->name;
    const char *letters = letters_of(moodle_name(name, &person, &number) ? person.chars : name);
    const struct student *called = NULL;
    int count = 0;
    for (int i = 0; i < roster->count; i++) {
        const struct student *who = &roster->students[i];
        if (strcmp(s->name, who->id) == 0 ||
            (who->email[0] && strcasecmp(s->name, who->email) == 0) ||
            (s->canvas_id[0] && strcmp(s->canvas_id, who->canvas_id) == 0))
            return who;
        if (letters[0] && (!strcmp(letters, who->names[0]) || !strcmp(letters, who->names[1]))) {
            called = who;
            count++;
        }
    }
    return count == 1 ? called : NULL;
}

void roster_join(const struct roster *roster, struct class *class) {
    bool *found = zeroed(roster->count, sizeof *found);
    for (int i = 0; i < class->count; i++) {
        const struct student *who = whose(roster, class->submissions[i]);
        if (!who || found[who - roster->students])
            continue;
        class->submissions[i]->student = who;
        found[who - roster->students] = true;
    }
    for (int i = 0; i < roster->count; i++)
        if (!found[i])
            add_submission(class, roster->students[i].id)->student = &roster->students[i];
}
