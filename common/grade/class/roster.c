/* Finds out whose a submission is. A folder's name may be a number, an address or a name, and names
   are spelled in many ways: they are compared without marks, case and what stands between words. A
   name counts only if one student alone has it. */
#include "grade/class/roster.h"

#include "base/utf8.h"
#include "grade/class/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct student student_in(const struct csv *csv, int row) {
    return (struct student){
        .id = csv_cell(csv, row, csv_column(csv, "student_id")),
        .last = csv_cell(csv, row, csv_column(csv, "last_name")),
        .first = csv_cell(csv, row, csv_column(csv, "first_name")),
        .email = csv_cell(csv, row, csv_column(csv, "email")),
        .canvas_id = csv_cell(csv, row, csv_column(csv, "ID")),
        .login = csv_cell(csv, row, csv_column(csv, "SIS Login ID")),
        .section = csv_cell(csv, row, csv_column(csv, "Section")),
    };
}

bool roster_read(struct roster *roster, const char *path) {
    struct csv csv;
    *roster = (struct roster){0};
    if (!path)
        return true;
    if (!csv_read(&csv, path))
        return false;
    if (csv_column(&csv, "student_id") < 0) {
        fprintf(stderr, "%s: its first line names no column student_id.\n", path);
        return false;
    }
    for (int i = 1; i < csv.count; i++) {
        struct student student = student_in(&csv, i);
        if (!student.id[0])
            continue;
        roster->students = with_room(roster->students, roster->count, sizeof student);
        roster->students[roster->count++] = student;
    }
    return true;
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

/* A name in Latin letters without their marks, which macOS writes behind the letter, others with it
   as one character, and some leave out: Müller, and what is spelled u and two dots, is Muller. */
static struct path unmarked(const char *name) {
    static const char from_c0[] =
        "AAAAAAACEEEEIIIIDNOOOOO*OUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
        "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNn"
        "OoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
    const unsigned char *at = (const unsigned char *)name, *end = at + strlen(name);
    struct path plain;
    size_t length = 0, bytes;
    for (; at < end && length + 4 < sizeof plain.chars; at += bytes) {
        unsigned long code = utf8_decode(at, (size_t)(end - at), &bytes);
        bytes = bytes > 0 ? bytes : 1;
        if (bytes == 2 && code >= 0xC0 && code < 0x180)
            plain.chars[length++] = from_c0[code - 0xC0];
        else if (code < 0x300 || code >= 0x370)
            for (size_t i = 0; i < bytes; i++)
                plain.chars[length++] = (char)at[i];
    }
    plain.chars[length] = '\0';
    return plain;
}

/* The same words, whatever stands between them: Ada_King is "Ada King". */
static bool same_words(const char *a, const char *b) {
    static const char between[] = " _-.,";
    for (;;) {
        a += strspn(a, between);
        b += strspn(b, between);
        size_t length = strcspn(a, between);
        if (length != strcspn(b, between) || strncasecmp(a, b, length) != 0)
            return false;
        if (length == 0)
            return true;
        a += length;
        b += length;
    }
}

/* Canvas writes kingada. */
static bool same_letters(const char *a, const char *b) {
    static const char between[] = " _-.,'";
    for (;; a++, b++) {
        a += strspn(a, between);
        b += strspn(b, between);
        if (!*a || strncasecmp(a, b, 1) != 0)
            return !*a && !*b;
    }
}

/* "Ada King", "King, Ada" or kingada. */
static bool is_called(const struct student *student, const char *name) {
    struct path plain = unmarked(name);
    struct path first = unmarked(student->first), last = unmarked(student->last);
    struct path one = path_of("%.400s %.400s", first.chars, last.chars);
    struct path other = path_of("%.400s %.400s", last.chars, first.chars);
    return (first.chars[0] || last.chars[0]) &&
           (same_words(plain.chars, one.chars) || same_words(plain.chars, other.chars) ||
            same_letters(plain.chars, other.chars));
}

/* A name counts if no other student has it. */
static bool is_theirs(const struct roster *roster, const struct student *student,
                      const struct submission *s) {
    struct path person, number;
    const char *name = s->name;
    if (strcmp(name, student->id) == 0 ||
        (student->email[0] && strcasecmp(name, student->email) == 0))
        return true;
    if (s->canvas_id[0] && strcmp(s->canvas_id, student->canvas_id) == 0)
        return true;
    if (s->canvas_name[0])
        name = s->canvas_name;
    if (moodle_name(name, &person, &number))
        name = person.chars;
    if (!is_called(student, name))
        return false;
    int called = 0;
    for (int i = 0; i < roster->count; i++)
        called += is_called(&roster->students[i], name);
    return called == 1;
}

void roster_join(const struct roster *roster, struct class *class) {
    for (int i = 0; i < roster->count; i++) {
        const struct student *student = &roster->students[i];
        struct submission *found = NULL;
        for (int k = 0; k < class->count && !found; k++)
            if (!class->submissions[k]->student &&
                is_theirs(roster, student, class->submissions[k]))
                found = class->submissions[k];
        if (!found)
            found = add_submission(class, student->id);
        found->student = student;
    }
}
