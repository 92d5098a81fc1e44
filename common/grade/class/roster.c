#include "grade/class/roster.h"

#include "base/utf8.h"
#include "grade/class/csv.h"
#include "grade/class/names.h"

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
    *roster = (struct roster){0};
    if (!path)
        return true;
    roster->csv = calloc(1, sizeof *roster->csv);
    if (!roster->csv || !csv_read(roster->csv, path))
        return false;
    if (csv_column(roster->csv, "student_id") < 0) {
        fprintf(stderr, "%s: its first line names no column student_id.\n", path);
        return false;
    }
    for (int i = 1; i < roster->csv->count; i++) {
        struct student student = student_in(roster->csv, i);
        if (!student.id[0])
            continue;
        roster->students = with_room(roster->students, roster->count, sizeof student);
        roster->students[roster->count++] = student;
    }
    return true;
}

void roster_free(struct roster *roster) {
    if (roster->csv)
        csv_free(roster->csv);
    free(roster->csv);
    free(roster->students);
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
    return (first.chars[0] || last.chars[0]) &&
           (same_words(plain.chars, path_of("%.400s %.400s", first.chars, last.chars).chars) ||
            same_words(plain.chars, path_of("%.400s %.400s", last.chars, first.chars).chars) ||
            same_letters(plain.chars, path_of("%.400s %.400s", last.chars, first.chars).chars));
}

/* A name is believed if nobody else has it. */
static bool is_theirs(const struct roster *roster, const struct student *student,
                      const struct submission *s) {
    struct path person, number;
    const char *name = s->name;
    if (strcmp(name, student->id) == 0 ||
        (student->email[0] && strcasecmp(name, student->email) == 0))
        return true;
    if (s->canvas_id.chars[0] && strcmp(s->canvas_id.chars, student->canvas_id) == 0)
        return true;
    if (s->canvas_name.chars[0])
        name = s->canvas_name.chars;
    if (moodle_name(name, &person, &number))
        name = person.chars;
    if (!is_called(student, name))
        return false;
    int called = 0;
    for (int i = 0; i < roster->count; i++)
        called += is_called(&roster->students[i], name);
    return called == 1;
}

/* A row of "missing" for whoever handed in nothing. */
static void add_absent(struct class *class, const struct student *student) {
    struct submission *more =
        realloc(class->submissions, ((size_t) class->count + 1) * sizeof *more);
    if (!more)
        exit(2);
    class->submissions = more;
    struct submission *s = &more[class->count++];
    *s = (struct submission){.name = strdup(student->id), .number = class->count};
    s->student = student;
    s->rows = calloc((size_t) class->lesson_count, sizeof *s->rows);
    for (int k = 0; s->rows && k < class->lesson_count; k++)
        s->rows[k].state = MISSING;
    add_name(&s->shown, s->name);
}

void roster_join(const struct roster *roster, struct class *class) {
    for (int i = 0; i < roster->count; i++) {
        bool found = false;
        for (int k = 0; k < class->count && !found; k++) {
            struct submission *s = &class->submissions[k];
            found = !s->student && is_theirs(roster, &roster->students[i], s);
            if (found)
                s->student = &roster->students[i];
        }
        if (!found)
            add_absent(class, &roster->students[i]);
    }
}
