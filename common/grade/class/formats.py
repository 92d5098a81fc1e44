"""All that is written, by its format: FORMATS= asks for those that have a name. The other system's
own documents describe each form. Exercises are those of the reference, whatever became of the file
that was handed in; those of a row without a verdict are listed, too."""

import json
import re
from xml.etree.ElementTree import Element, SubElement, tostring

from marks import sum_of
from output import UNBOXED, exercise_feedback, short_feedback, why_unknown, write_summary
from rows import (ERROR, FAIL, LOST, MISSING, NOT_BUILT, NOT_READ, PASS, SKIPPED, STOPPED)
from text import (MARK, die, file_text, moment, moment_in_words, moodle_name, read_table,
                  line, shown_name)

ELEMENTS = {FAIL: "failure", ERROR: "error", SKIPPED: "skipped"}
FORBIDDEN = "[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def allowed(value):
    """What XML forbids stands as the sign for what cannot be shown."""
    return re.sub(FORBIDDEN, "\ufffd", str(value))


def add(parent, tag, **attributes):
    """Adds an element. An attribute that is None is left out."""
    element = SubElement(parent, tag, {name: allowed(value) for name, value in attributes.items()
                                       if value is not None})
    element.tail = "\n"
    return element


def add_case(suite, of, name, place, seconds, result, kind, why):
    """Adds a case; its place is "test_softmax.c:12" or something else."""
    found = re.fullmatch(r"(.*):(\d+)", place)
    file, number = found.groups() if found else (None, None)
    case = add(suite, "testcase", classname=of, name=name, file=file, line=number, time=seconds)
    if result != PASS:
        add(case, ELEMENTS[result], type=None if result == SKIPPED else kind, message=why)


def add_suite(suites, row):
    """A lesson that was not handed in, not read or not built is one case."""
    tests = [(exercise, test) for exercise in (row.verdict.exercises if row.verdict else [])
             for test in exercise.tests]
    results = [test.result for _, test in tests]
    whole = SKIPPED if row.state in (MISSING, STOPPED) else ERROR
    results += [] if row.is_judged() else [whole]
    suite = add(suites, "testsuite", name=f"{row.by.shown}.{row.lesson.folder}",
                tests=len(results), failures=results.count(FAIL), errors=results.count(ERROR),
                skipped=results.count(SKIPPED), time=f"{row.seconds():.3f}")
    if not row.is_judged():
        name = "it builds" if row.state == NOT_BUILT else "it is handed in"
        add_case(suite, row.lesson.folder, name, "", 0, whole, row.state,
                 row.problem() or row.state)
    for exercise, test in tests:
        add_case(suite, f"{row.lesson.folder}.{exercise.name}", test.sentence, test.place,
                 f"{test.seconds:.4f}", test.result, "wrong" if test.result == FAIL else "broken",
                 test.said or exercise.mistake or exercise.state)


def write_junit(o):
    suites = Element("testsuites", name=allowed(o.name))
    for row in o.students.rows():
        add_suite(suites, row)
    unboxed = f"<!-- {UNBOXED} -->\n" if o.unboxed else ""
    o.save("junit.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{unboxed}'
           + tostring(suites, encoding="unicode") + "\n")


# --- Moodle: the worksheet that it lets a lecturer download. Its rows and columns stay; only grades
# and comments are filled in. It also says when each submission was handed in.

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


LONGEST = 20000  # letters of one output: PrairieLearn takes 1 MB for all


# --- for the lecturer

def write_results(o):
    table = line("submission", "lesson", "done", "of", "tests_passed", "tests", "state",
                 "first_problem", "seconds", "sha256", "feedback", "student_id", "handed_in",
                 "note", *["box"] * o.unboxed)
    for row in o.students.rows():
        table += line(row.by.shown, row.lesson.folder, *row.done(), *row.passed(), row.state,
                      row.problem(), f"{row.seconds():.2f}", row.sha256,
                      f"feedback/{row.name()}.txt", row.by.student.id,
                      moment(row.handed_in), row.note, *["unboxed"] * o.unboxed)
    o.save("results.csv", table)


def flags_of(o, row, found):
    """What a lecturer may want to look at, as words."""
    flags = {"reference": found.reference, "headers": row.headers, "unboxed": o.unboxed}
    return " ".join(word for word, is_so in flags.items() if is_so)


def write_exercises(o):
    table = line("submission", "lesson", "exercise", "state", "passed", "tests", "mistake", "flags")
    for row in o.students.rows():
        for whole, found in row.exercises():
            table += line(row.by.shown, row.lesson.folder, whole.name, found.state, found.passed,
                          whole.count, found.mistake, flags_of(o, row, found))
    o.save("exercises.csv", table)


def write_index(o):
    table = line("files", "submission", "last_name", "first_name", "student_id", "release")
    for s in o.students.submissions:
        who = s.student
        table += line(s.label, s.shown, who.last, who.first, who.id, s.release)
    o.save("index.csv", table)


# --- a page for each row

NO_PAGE = {MISSING: "was not handed in", NOT_READ: "was not read", STOPPED: "is not graded yet",
           LOST: "could not be graded, which is not your fault"}


def page_of(row):
    """The learner's own screen, with the student's folder in place of the one that it was judged
    in; or why there is none."""
    if row.verdict:
        screen = file_text(row.screen)
        screen = screen.replace(f"lessons/{row.file}", f"{row.by.shown}/{row.file}")
        return screen if screen.endswith("\n") else screen + "\n"
    why = row.problem() and f"{row.problem()}\n"
    return f"{row.by.shown}/{row.file} {NO_PAGE[row.state]}.\n{why}"


def write_feedback(o):
    """Whose it is: files are sent by mail, and printed."""
    for row in o.students.rows():
        who = row.by.student
        head = f"{row.lesson.folder}: {row.by.shown}"
        if who.id:
            head += f", {shown_name(f'{who.name()}, {who.id}')}"
        if row.note:
            head += f"\n({row.note})"
        page = f"{head}\n\n{page_of(row)}"
        if o.unboxed:
            page = f"{UNBOXED}\n\n{page}\n{UNBOXED}\n"
        o.save(f"feedback/{row.name()}.txt", page)


# --- nbgrader and Canvas

def grades_of(o, s):
    """The sum, and its numbers as cells. Of what is not read or not judged there is no grade: 0
    would be one."""
    sum = sum_of(s, o.points, o.due)
    return sum, [x if s.is_known() else "" for x in (sum.raw, sum.penalty, sum.score)]


def write_nbgrader(o):
    """The columns of nbgrader's own export, and one more for why there is no grade."""
    table = line("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name",
                 "email", "raw_score", "late_submission_penalty", "score", "max_score", "comment")
    for s in o.students.submissions:
        (sum, grades), who = grades_of(o, s), s.student
        table += line(o.name, moment(o.due.time), moment(sum.handed_in), who.id or s.shown,
                      who.last, who.first, who.email, *grades, sum.most, why_unknown(s))
    o.save("grades.csv", table)


def write_canvas(o):
    """The second row says how many points there are. Canvas knows only students of its roster."""
    most = sum_of(o.students.submissions[0], o.points, o.due).most
    table = line("Student", "ID", "SIS User ID", "SIS Login ID", "Section", o.name)
    table += line("    Points Possible", "", "", "", "", most)
    for s in o.students.submissions:
        who = s.student
        if who.id:
            table += line(f"{who.last}, {who.first}", who.canvas_id, who.id, who.login or who.email,
                          who.section, grades_of(o, s)[1][2])
    o.save("canvas.csv", table)


# --- Gradescope and PrairieLearn

def save_json(o, file, content):
    o.save(f"{file}.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def tests_of(o, s, test):
    """`test` gives what is the system's own in a test."""
    return [{"name": f"{row.lesson.folder}: {whole.name}",
             "output": exercise_feedback(found)[:LONGEST],
             **test(row, number, whole, found, round(o.points.got(row, whole, found), 2),
                    round(o.points.most(whole), 2))}
            for row in s.graded() for number, (whole, found) in enumerate(row.exercises(), 1)]


def gradescope_test(row, number, whole, found, points, most):
    return {"score": points, "max_score": most, "number": f"{row.lesson.number}.{number}",
            "tags": [row.lesson.folder], "visibility": "visible"}


def write_gradescope(o):
    for s in o.students.submissions:
        save_json(o, f"gradescope/{s.label}", {
            "score": sum_of(s, o.points, o.due).score,
            "execution_time": round(sum(row.seconds() for row in s.graded()), 2),
            "output": short_feedback(o, s)[:LONGEST],
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": tests_of(o, s, gradescope_test)})


def prairie_test(row, number, whole, found, points, most):
    return {"description": f"{found.passed} of {whole.count} tests pass",
            "points": points, "max_points": most,
            "message": found.state if row.verdict else "not checked"}


def write_prairielearn(o):
    """There, files that build nowhere are no attempt."""
    for s in o.students.submissions:
        sum, said = sum_of(s, o.points, o.due), short_feedback(o, s)[:LONGEST]
        gradable = any(row.is_judged() for row in s.graded()) or not s.handed_in_any()
        save_json(o, f"prairielearn/{s.label}", {
            "gradable": gradable,
            "score": sum.score / sum.most if sum.most else 0,
            "message": "" if s.handed_in_any() else "Nothing was handed in.",
            "output": said,
            **({} if gradable else {"format_errors": [said]}),
            "tests": tests_of(o, s, prairie_test)})


# --- check50

def check(name, description, result, why, help, dependency):
    cause = {"rationale": why, "help": help or None, "expected": None, "actual": None}
    return {"name": name, "description": description,
            "passed": None if result == SKIPPED else result == PASS, "log": [],
            "cause": None if result == PASS else cause, "data": {}, "dependency": dependency}


def checks_of(whole, found, dependency):
    """The first check of an exercise is what the next exercise depends on."""
    tests = {test.sentence: test for test in found.tests}
    for i, wanted in enumerate(whole.tests, 1):
        test = tests.get(wanted.sentence)
        result, why = (test.result, test.said or found.state) if test else (SKIPPED, "not checked")
        yield check(f"{whole.name}_{i}", wanted.sentence, result, why, found.mistake, dependency)


def write_check50(o):
    for row in o.students.rows():
        before = "compiles"
        checks = [check(before, f"{row.lesson.name}.c compiles", PASS if row.is_judged() else FAIL,
                        row.problem() or row.state, None, None)]
        for whole, found in row.exercises():
            checks += checks_of(whole, found, before)
            before = f"{whole.name}_1"
        save_json(o, f"check50/{row.name()}", {"slug": f"lookback/{row.lesson.folder}",
                                               "version": "3.3.11", "results": checks})


# --- all of them

# A format, or None if it is always written; what writes it; and what that leaves in OUT. The next
# run replaces these, and nothing else.
FORMATS = [
    (None, write_results, ["results.csv"]),
    (None, write_exercises, ["exercises.csv"]),
    (None, write_index, ["index.csv"]),
    (None, write_feedback, ["feedback"]),
    (None, write_junit, ["junit.xml"]),
    ("nbgrader", write_nbgrader, ["grades.csv"]),
    ("canvas", write_canvas, ["canvas.csv"]),
    ("moodle", write_moodle, ["moodle.csv"]),
    ("gradescope", write_gradescope, ["gradescope"]),
    ("prairielearn", write_prairielearn, ["prairielearn"]),
    ("check50", write_check50, ["check50"]),
    (None, write_summary, ["summary.txt"]),
]


def check_formats(asked):
    known = ["csv", "junit"] + [name for name, _, _ in FORMATS]
    for word in asked:
        if word not in known:
            die(f"FORMATS={word}: choose from nbgrader, moodle, canvas, gradescope,\n"
                "prairielearn and check50. Tables, JUnit and feedback are always written.")


def write_all(o):
    for name, write, _ in FORMATS:
        if not name or name in o.formats:
            write(o)
    o.end([file for _, _, made in FORMATS for file in made])
