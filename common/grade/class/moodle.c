/* The worksheet that Moodle lets a lecturer download. Its rows and columns stay; only grades and
   comments are filled in. It also says when each submission was handed in. */
#include "grade/class/csv.h"
#include "grade/class/moments.h"
#include "grade/class/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct worksheet {
    struct csv csv;
    int identifier, name, email, grade, most, comments, submitted; /* columns; -1 */
};

/* By its heading in English, or in German. */
static int column(const struct worksheet *w, const char *english, const char *german) {
    int found = csv_column(&w->csv, english);
    return found >= 0 ? found : csv_column(&w->csv, german);
}

static bool read_worksheet(struct worksheet *w, const char *path) {
    if (!csv_read(&w->csv, path))
        return false;
    w->identifier = column(w, "Identifier", "ID");
    w->name = column(w, "Full name", "Vollst\xC3\xA4ndiger Name");
    w->email = column(w, "Email address", "E-Mail-Adresse");
    w->grade = column(w, "Grade", "Bewertung");
    w->most = column(w, "Maximum Grade", "Bestwertung");
    w->comments = column(w, "Feedback comments", "Feedback als Kommentar");
    w->submitted = column(w, "Last modified (submission)", "Zuletzt ge\xC3\xA4ndert (Abgabe)");
    if (w->identifier >= 0 && w->grade >= 0)
        return true;
    fprintf(
        stderr,
        "WORKSHEET=%s: it has no column %s.\nLooked for are Identifier and Grade, or ID and "
        "Bewertung: "
        "Moodle's own worksheet,\ndownloaded with Moodle set to English or German, separated by "
        "commas.\n",
        path, w->grade < 0 ? "Grade" : "Identifier");
    return false;
}

bool moodle_is_ready(const char *path) {
    struct worksheet w;
    if (!path) {
        fprintf(stderr, "FORMATS=moodle wants the worksheet that Moodle lets you download:\n"
                        "WORKSHEET=grades.csv\n");
        return false;
    }
    return read_worksheet(&w, path);
}

/* By the number that Moodle gives its folders, or else by address or name. */
static bool is_row_of(const struct worksheet *w, int row, const struct submission *s) {
    struct path person, number;
    const char *identifier = csv_cell(&w->csv, row, w->identifier);
    const char *name = csv_cell(&w->csv, row, w->name), *email = csv_cell(&w->csv, row, w->email);
    if (moodle_name(s->name, &person, &number)) {
        size_t start = strcspn(identifier, "0123456789");
        return strcmp(identifier + start, number.chars) == 0;
    }
    if (s->student && s->student->email[0] && strcasecmp(email, s->student->email) == 0)
        return true;
    return strcmp(s->name, name) == 0 || (email[0] && strcasecmp(s->name, email) == 0) ||
           strcmp(s->name, identifier) == 0;
}

static struct submission *submission_of(const struct output *o, const struct worksheet *w,
                                        int row) {
    for (int i = 0; i < o->class->count; i++)
        if (is_row_of(w, row, o->class->submissions[i]))
            return o->class->submissions[i];
    return NULL;
}

/* Moodle refuses a grade above its maximum. */
static double grade_of(const struct worksheet *w, int row, struct sum sum) {
    double most = strtod(csv_cell(&w->csv, row, w->most), NULL);
    return most > 0.0 && sum.most > 0.0 ? hundredths(sum.score * most / sum.most) : sum.score;
}

static void add_row(struct text *table, const struct output *o, const struct worksheet *w,
                    int row) {
    const struct submission *s = row > 0 ? submission_of(o, w, row) : NULL;
    bool fill = s && handed_in_any(o->class, s);
    struct sum sum = fill ? sum_of(o->class, s, &o->points, &o->due) : (struct sum){0};
    for (int i = 0; i < w->csv.rows[row].count; i++) {
        const char *cell = csv_cell(&w->csv, row, i);
        if (fill && i == w->grade && sum.known) {
            cell = number_cell(grade_of(w, row, sum));
        } else if (fill && i == w->comments) {
            const char *said = short_feedback(o, s);
            cell = string_of("%.*s", (int)strlen(said) - 1, said); /* without its last line's end */
        }
        add_cell(table, cell);
    }
    text_print(table, w->csv.returns ? "\r\n" : "\n");
}

bool moodle_times(const struct output *o) {
    struct worksheet w;
    bool understood = true;
    if (!o->worksheet)
        return true;
    if (!read_worksheet(&w, o->worksheet))
        exit(2);
    for (int row = 1; row < w.csv.count; row++) {
        struct submission *s = submission_of(o, &w, row);
        const char *words = csv_cell(&w.csv, row, w.submitted);
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
    static const char mark[] = "\xEF\xBB\xBF";
    struct worksheet w;
    struct text table = {0}, file = {0};
    if (!read_worksheet(&w, o->worksheet))
        exit(2);
    for (int row = 0; row < w.csv.count; row++)
        add_row(&table, o, &w, row);
    text_print(&file, "%s%s", w.csv.marked ? mark : "", text_of(&table));
    save(o, "moodle.csv", &file);
}
