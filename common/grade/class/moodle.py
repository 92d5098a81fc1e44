"""The worksheet that Moodle lets a lecturer download. Its rows and columns stay; only grades and
comments are filled in. It also says when each submission was handed in."""

import re

from called import moodle_name
from marks import sum_of
from moments import moment_in_words
from output import short_feedback
from tables import MARK, read_table, row as line
from text import die

# The columns, by their headings in English and in German.
IDENTIFIER = "Identifier", "ID"
NAME = "Full name", "Vollständiger Name"
EMAIL = "Email address", "E-Mail-Adresse"
GRADE = "Grade", "Bewertung"
MOST = "Maximum Grade", "Bestwertung"
COMMENTS = "Feedback comments", "Feedback als Kommentar"
SUBMITTED = "Last modified (submission)", "Zuletzt geändert (Abgabe)"


def read_worksheet(path):
    """Ends the program if it has no columns for grades."""
    table = read_table(path)
    missing = next((names[0] for names in (GRADE, IDENTIFIER) if table.column(*names) is None), "")
    if missing or table.comma != ",":
        die(f"WORKSHEET={path}: it has no column {missing or IDENTIFIER[0]}.\n"
            "It needs Identifier and Grade, or ID and Bewertung. Download the worksheet from\n"
            "Moodle, set to English or German, with commas.")
    return table


def is_row_of(table, row, s):
    """By the number that Moodle gives its folders, or else by address or name."""
    identifier, email = table.cell(row, *IDENTIFIER), table.cell(row, *EMAIL).lower()
    moodle = moodle_name(s.name)
    if moodle:
        return re.sub("^[^0-9]*", "", identifier) == moodle[1]
    if s.student.email and email == s.student.email.lower():
        return True
    return (s.name in (identifier, table.cell(row, *NAME)) or
            email != "" and s.name.lower() == email)


def submission_of(o, row):
    return next((s for s in o.students.submissions if is_row_of(o.worksheet, row, s)), None)


def number_of(words):
    try:
        return float(words.replace(",", "."))
    except ValueError:
        return 0.0


def grade_of(table, row, sum):
    """Moodle refuses a grade above its maximum."""
    most = number_of(table.cell(row, *MOST))
    return round(sum.score * most / sum.most, 2) if most > 0 and sum.most > 0 else sum.score


def filled(o, row):
    table, cells, s = o.worksheet, list(row), submission_of(o, row)
    if not s or not s.handed_in_any():
        return cells
    grade, comments = table.column(*GRADE), table.column(*COMMENTS)
    if grade < len(cells) and s.is_known():
        cells[grade] = grade_of(table, row, sum_of(s, o.points, o.due))
    if comments is not None and comments < len(cells):
        cells[comments] = short_feedback(o, s)
    return cells


def take_times(o):
    """Takes from the worksheet when each submission was handed in; false if one of its times is not
    understood."""
    understood = True
    for row in o.worksheet.rows[1:] if o.worksheet else []:
        s, words = submission_of(o, row), o.worksheet.cell(row, *SUBMITTED)
        if not s or words in ("", "-"):
            continue
        time = moment_in_words(words)
        understood = understood and bool(time)
        for row in s.rows if time else []:
            if row.handed_in:
                row.handed_in, row.clock = time, "by the worksheet"
    return understood


def write_moodle(o):
    end = "\r\n" if o.worksheet.returns else "\n"
    rows = [o.worksheet.rows[0]] + [filled(o, row) for row in o.worksheet.rows[1:]]
    o.save("moodle.csv", MARK * o.worksheet.marked + "".join(line(*row, end=end) for row in rows))
