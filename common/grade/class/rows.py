"""What a class handed in, and what became of it: submissions, each with a row for each lesson of
the course, and the verdicts on their files, which `tutor grade` wrote (see the README of the folder
above). All that make grade writes is made of this."""

import json
import os
import unicodedata
from dataclasses import dataclass, field
from types import SimpleNamespace

from text import die, file_name, file_text, listed, moodle_name, read_table, shown_name

# --- students: a folder's name may be a number, an address or a name. Names are spelled in many
# ways, so they are compared without marks, case and what stands between words

# Letters that Unicode does not take for another one with a mark.
LATIN = str.maketrans("ßæøłđðþıœħŧ", "saolddtioht")


def letters_of(name):
    """macOS writes a mark behind its letter, others write both as one character, and some leave
    marks out: all of them are muller."""
    plain = unicodedata.normalize("NFKD", name).lower().translate(LATIN)
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in " _-.,'")


class Student:
    def __init__(self, cell):
        self.id, self.last, self.first = cell("student_id"), cell("last_name"), cell("first_name")
        self.email = cell("email")
        # Columns that a roster of Canvas's has besides.
        self.canvas_id, self.login, self.section = cell("ID"), cell("SIS Login ID"), cell("Section")
        self.names = letters_of(self.first + self.last), letters_of(self.last + self.first)

    def name(self):
        return f"{self.first} {self.last}"

    def is_called(self, s):
        """Is it the submission's id, address or number?"""
        return (s.name == self.id or bool(self.email) and s.name.lower() == self.email.lower() or
                bool(s.canvas_id) and s.canvas_id == self.canvas_id)


NOBODY = Student(lambda heading: "")  # whoever is not on the roster


def read_roster(path):
    """The students of the class, from ROSTER=: student_id,last_name,first_name,email."""
    if not path:
        return []
    table = read_table(path)
    if table.column("student_id") is None:
        die(f"{path}: its first line has no column student_id.")
    students = [Student(lambda heading: table.cell(row, heading)) for row in table.rows[1:]]
    return [student for student in students if student.id]


def whose(roster, s):
    """The student whose id, address or number that is, or who alone has that name; None."""
    name = s.canvas_name or s.name
    letters = letters_of((moodle_name(name) or [name])[0])
    sure = [student for student in roster if student.is_called(s)]
    called = [student for student in roster if letters and letters in student.names]
    return sure[0] if sure else called[0] if len(called) == 1 else None


def join_roster(roster, students):
    """Finds the student of each submission, and adds an empty submission for everybody else."""
    found = set()
    for s in students.submissions:
        student = whose(roster, s)
        if student and student not in found:
            s.student = student
            found.add(student)
    for student in roster:
        if student not in found:
            students.add(student.id).student = student


# --- verdicts

# Verdicts on a file. IN_PART: some functions do not compile, and each of the others was judged.
GRADED, IN_PART, NOT_BUILT = "graded", "in part", "not built"
PASS, FAIL, ERROR, SKIPPED = "pass", "fail", "error", "skipped"


def is_done(exercise):
    return exercise.state == "done"


def failed_tests(exercise):
    return [test for test in exercise.tests if test.result in (FAIL, ERROR)]


def read_judged(folder, place):
    """A verdict, with the fields of verdict.json and sums; None if the folder does not hold all of
    it. `place` is left out of all strings."""
    try:
        v = json.loads(file_text(f"{folder}/verdict.json").replace(place, ""),
                       object_hook=lambda fields: SimpleNamespace(**fields))
        v.seconds = float(file_text(f"{folder}/seconds") or 0)  # how long judging took
        v.done, v.of = sum(map(is_done, v.exercises)), len(v.exercises)
        v.passed, v.tests = (sum(e.passed for e in v.exercises), sum(e.count for e in v.exercises))
        return v if v.state in (GRADED, IN_PART, NOT_BUILT) and v.exercises else None
    except (ValueError, TypeError, AttributeError):
        return None


# States of a row, beside those of a verdict. NOT_READ: something was handed in and is
# not understood. LOST: it could not be graded, for a reason of ours. STOPPED: it waits for another
# run.
MISSING, NOT_READ, LOST, STOPPED = "missing", "not read", "error", "stopped"
NO_VERDICT = NOT_READ, LOST, STOPPED

STUB = 128  # in the place of a file that is as it was handed out: see scan.py


@dataclass(eq=False)
class Lesson:
    folder: str  # 02-dot-product
    key: str     # hash of everything else than the file that a verdict depends on
    asked: bool  # it is graded
    reference: object = None  # its verdict
    stub: bytes = None  # not read yet

    def __post_init__(self):
        self.number, _, name = self.folder.partition("-")
        self.name = name.replace("-", "_")
        self.solution = f"solutions/{self.folder}/{self.name}.c"
        heading = file_text(f"lessons/{self.folder}/README.md").partition("\n")[0]
        self.title = heading.partition(" · ")[2] or self.folder  # "# 01 · Softmax"


@dataclass(eq=False)
class Row:
    """One lesson of one submission."""
    by: "Submission"
    lesson: Lesson
    state: str = MISSING
    times: int = 0          # how many different files are equally good; 0: no file was found
    place: int = 0          # how good they are (scan.py)
    best: object = None     # the best file, or one of them: see take.py
    paths: str = ""         # the equally good ones: "a/softmax.c and b/softmax.c"
    stub: str = ""          # the path of a stub that was passed over
    beside: str = ""        # the paths of others that are no stubs
    holds: str = ""         # a file in the lesson's folder that is not understood
    begun: bool = False     # a file was handed in that is not the stub
    why: str = ""           # there is no verdict
    note: str = ""          # what was read instead of NN-name/name.c, or was left beside it
    doubtful: bool = False  # the lecturer should look at what the note says
    source: str = ""        # our copy of the file that is judged
    sha256: str = ""        # of that file
    unit: object = None     # see grading.py
    handed_in: int = 0      # 0: nothing was
    clock: str = ""         # what says so: "" (the file), "by the name"
    headers: bool = False   # it brought headers of its own, which are not taken
    verdict: object = None  # of read_judged()
    screen: str = ""        # the file with the learner's own screen, of a verdict

    def __post_init__(self):
        self.file = f"{self.lesson.folder}/{self.lesson.name}.c"

    def pass_over(self, is_stub, shown):
        """Notes a file that lies beside the best one."""
        if is_stub:
            self.stub = self.stub or shown
        else:
            self.beside = listed(self.beside, shown, most=400)

    def is_same(self, file):
        return not file.refused and not self.best.refused and file.data == self.best.data

    def compare(self, file, place, path, headers=lambda: False):
        """Compares a file with the best one so far. Equal files count once."""
        shown = shown_name(path)
        if self.times == 0 or place < self.place:
            if self.times > 1 or self.times and not self.best.refused and not self.is_same(file):
                self.pass_over(self.place & STUB, self.paths)
            self.times, self.place, self.best, self.paths = 1, place, file, shown
            self.headers = headers()
        elif not self.is_same(file):
            if place == self.place:
                self.times += 1
                self.paths = listed(self.paths, shown, " and ", most=400)
            elif not file.refused:
                self.pass_over(place & STUB, shown)

    def problem(self):
        """The first thing that is wrong, in a line: "entropy: the minus is missing"."""
        return self.verdict.problem if self.verdict else self.why

    def is_judged(self):
        return self.state in (GRADED, IN_PART)

    def passed(self):
        """How many tests passed, of how many."""
        if self.is_judged():
            return self.verdict.passed, self.verdict.tests
        return 0, self.lesson.reference.tests

    def done(self):
        """How many exercises are done, of how many."""
        return (self.verdict.done if self.verdict else 0), self.lesson.reference.of

    def exercises(self):
        """Each exercise as it should be, and what became of it."""
        wanted, state = self.lesson.reference.exercises, "unchecked"
        if self.verdict:
            return list(zip(wanted, self.verdict.exercises))
        if self.state == MISSING:
            state = "missing"
        return [(whole, SimpleNamespace(state=state, passed=0, count=whole.count, mistake="",
                                        tests=[], reference=False)) for whole in wanted]

    def seconds(self):
        return self.verdict.seconds if self.verdict else 0.0

    def name(self):
        return f"{self.by.label}-{self.lesson.folder}"


@dataclass(eq=False)
class Submission:
    """What one student handed in: a folder, an archive, or files that Canvas or Moodle named."""
    name: str          # as the file system has it
    lessons: list
    number: int = 0    # names our copies of its files: s017
    items: list = None  # pairs: a file's name in the class's folder, and what the student called it
    folder: bool = False
    other: bool = False    # it is no submission
    download: bool = False
    canvas_name: str = ""  # from a file that Canvas named
    canvas_id: str = ""
    late_by_canvas: bool = False
    refused: str = ""  # why nothing of it is read
    entries: int = 0   # files and folders that were looked at
    archives: int = 0
    stamped: int = 0   # by nbgrader's timestamp.txt
    odd_stamp: bool = False  # it is there, and not understood
    unread: str = ""   # what may have been meant, and why it is not read
    no_work: str = ""  # the first file of all, by its name, that is of no lesson
    deeper: bool = False  # there are folders too deep to be looked into
    lost: str = ""     # the state of a lesson that was not found, because an archive could not be
    why_lost: str = ""  # unpacked, and why
    release: str = ""  # its files of the release: see take.py
    release_changed: bool = False
    student: Student = NOBODY

    def __post_init__(self):
        self.shown = shown_name(self.name)
        self.rows = [Row(self, lesson) for lesson in self.lessons]

    def row_of(self, lesson):
        return self.rows[self.lessons.index(lesson)]

    def add_unread(self, name, why):
        self.unread = listed(self.unread, f"{shown_name(name)}: {shown_name(why)}", "; ", most=1000)

    def graded(self):
        return [row for row in self.rows if row.lesson.asked]

    def handed_in_any(self):
        return any(row.state != MISSING for row in self.graded())

    def is_known(self):
        """Is all that was handed in judged?"""
        return not any(row.state in NO_VERDICT for row in self.graded())


@dataclass(eq=False)
class Class:
    dir: str  # as it was asked for
    lessons: list
    submissions: list = field(default_factory=list)
    others: str = ""  # files beside the submissions: "notes.txt, plan.pdf"
    chosen: str = ""  # why these lessons are graded, where LESSON= does not name them

    def add(self, name):
        """Adds a submission that handed in nothing."""
        self.submissions.append(Submission(name, self.lessons))
        return self.submissions[-1]

    def asked(self):
        return [lesson for lesson in self.lessons if lesson.asked]

    def rows(self):
        """The graded rows of all submissions, in the order of their names."""
        return [row for s in self.submissions for row in s.graded()]

    def settle(self):
        """Sorts the submissions, and gives each a label, the name of its files. Equal ones get -2,
        -3 ..., whatever the case, which some systems do not tell apart."""
        self.submissions.sort(key=lambda s: os.fsencode(s.name))
        taken = set()
        for s in self.submissions:
            own, n = file_name(s.shown), 1
            s.label = own
            while s.label.lower() in taken:
                n += 1
                s.label = f"{own}-{n}"
            taken.add(s.label.lower())


def reasons(rows, why):
    """For each reason, why(row), that some rows have: the first of these rows, the reason, and how
    many have it."""
    same = {}
    for row in rows:
        same.setdefault(why(row), []).append(row)
    return [(equal[0], words, len(equal)) for words, equal in same.items() if words]
