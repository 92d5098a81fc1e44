/* The worksheet that Moodle lets a lecturer download. Its rows and columns stay; only grades and
   comments are filled in. It also says when each submission was handed in. */
#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The columns, by their headings in English and in German. */
#define IDENTIFIER "Identifier|ID"
#define NAME       "Full name|Vollst\xC3\xA4ndiger Name"
#define EMAIL      "Email address|E-Mail-Adresse"
#define GRADE      "Grade|Bewertung"
#define MOST       "Maximum Grade|Bestwertung"
#define COMMENTS   "Feedback comments|Feedback als Kommentar"
#define SUBMITTED  "Last modified (submission)|Zuletzt ge\xC3\xA4ndert (Abgabe)"

const struct csv *read_worksheet(const char *path) {
    struct csv *csv = zeroed(1, sizeof *csv);
    *csv = csv_read(path);
    bool graded = csv_column(csv, GRADE) >= 0;
    if (!graded || csv_column(csv, IDENTIFIER) < 0 || csv->comma != ',')
        die("WORKSHEET=%s: it has no column %s.\nLooked for are Identifier and Grade, or ID and "
            "Bewertung: Moodle's own worksheet,\ndownloaded with Moodle set to English or German, "
            "separated by commas.",
            path, graded ? "Identifier" : "Grade");
    return csv;
}

/* By the number that Moodle gives its folders, or else by address or name. */
static bool is_row_of(const struct csv *csv, int row, const struct submission *s) {
    struct path person, number;
    const char *identifier = csv_cell(csv, row, IDENTIFIER);
    const char *name = csv_cell(csv, row, NAME), *email = csv_cell(csv, row, EMAIL);
    if (moodle_name(s->name, &person, &number)) {
        size_t start = strcspn(identifier, "0123456789");
        return strcmp(identifier + start, number.chars) == 0;
    }
    if (s->student && s->student->email[0] && strcasecmp(email, s->student->email) == 0)
        return true;
    return strcmp(s->name, name) == 0 || (email[0] && strcasecmp(s->name, email) == 0) ||
           strcmp(s->name, identifier) == 0;
}

static struct submission *submission_of(const struct output *o, const struct csv *csv, int row) {
    for (int i = 0; i < o->class->count; i++)
        if (is_row_of(csv, row, o->class->submissions[i]))
            return o->class->submissions[i];
    return NULL;
}

/* Moodle refuses a grade above its maximum. */
static double grade_of(const struct csv *csv, int row, struct sum sum) {
    double most = strtod(csv_cell(csv, row, MOST), NULL);
    return most > 0.0 && sum.most > 0.0 ? hundredths(sum.score * most / sum.most) : sum.score;
}

static void fill_row(struct text *table, const struct output *o, const struct csv *csv, int row) {
    const struct submission *s = row > 0 ? submission_of(o, csv, row) : NULL;
    bool fill = s && handed_in_any(o->class, s);
    struct sum sum = fill ? sum_of(o->class, s, &o->points, &o->due) : (struct sum){0};
    for (int i = 0; i < csv->rows[row].count; i++) {
        const char *cell = csv->rows[row].cells[i];
        if (fill && i == csv_column(csv, GRADE) && sum.known) {
            cell = number_cell(grade_of(csv, row, sum));
        } else if (fill && i == csv_column(csv, COMMENTS)) {
            const char *said = short_feedback(o, s);
            cell = string_of("%.*s", (int)strlen(said) - 1, said); /* without its last line's end */
        }
        add_cell(table, cell);
    }
    text_print(table, csv->returns ? "\r\n" : "\n");
}

bool moodle_times(const struct output *o) {
    const struct csv *csv = o->worksheet;
    bool understood = true;
    for (int row = 1; csv && row < csv->count; row++) {
        struct submission *s = submission_of(o, csv, row);
        const char *words = csv_cell(csv, row, SUBMITTED);
        time_t time = 0;
        if (!s || !words[0] || strcmp(words, "-") == 0)
            continue;
        if (!moment_in_words(words, &time))
            understood = false;
        for (int k = 0; time && k < o->class->lesson_count; k++)
            if (s->rows[k].handed_in) {
                s->rows[k].handed_in = time;
                s->rows[k].clock = BY_WORKSHEET;
            }
    }
    return understood;
}

void write_moodle(const struct output *o) {
    struct text table = {0}, file = {0};
    for (int row = 0; row < o->worksheet->count; row++)
        fill_row(&table, o, o->worksheet, row);
    text_print(&file, "%s%s", o->worksheet->marked ? "\xEF\xBB\xBF" : "", text_of(&table));
    save(o, "moodle.csv", &file);
}
