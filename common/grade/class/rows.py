"""What a class handed in, and what became of it: submissions, each with a row for each lesson of
the course. All that make grade writes is made of this."""

import os
from dataclasses import dataclass, field

from judged import GRADED, IN_PART, Exercise, Judged
from roster import NOBODY, Student
from text import file_name, file_text, shown_name

# States of a row, beside those of a verdict (judged.py). NOT_READ: something was handed in and is
# not understood. LOST: it could not be graded, for a reason of ours. STOPPED: it waits for another
# run.
MISSING, NOT_READ, LOST, STOPPED = "missing", "not read", "error", "stopped"
NO_VERDICT = NOT_READ, LOST, STOPPED


@dataclass(eq=False)
class Lesson:
    folder: str  # 02-dot-product
    key: str     # hash of everything else than the file that a verdict depends on
    asked: bool  # it is graded
    reference: Judged = None
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
    verdict: Judged = None
    screen: str = ""        # the file with the learner's own screen, of a verdict

    def __post_init__(self):
        self.file = f"{self.lesson.folder}/{self.lesson.name}.c"

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
        return [(whole, Exercise(whole.name, state, 0, whole.count, "")) for whole in wanted]

    def seconds(self):
        return self.verdict.seconds if self.verdict else 0.0

    def name(self):
        return f"{self.by.label}-{self.lesson.folder}"


@dataclass(eq=False)
class Submission:
    name: str          # as the file system has it
    number: int        # names our copies of its files: s017
    lessons: list
    canvas_name: str = ""  # from a file that Canvas named
    canvas_id: str = ""
    late_by_canvas: bool = False
    release: str = ""  # its files of the release: see handed_out.py
    release_changed: bool = False
    student: Student = NOBODY
    told: bool = False      # its line is on the screen

    def __post_init__(self):
        self.shown = shown_name(self.name)
        self.rows = [Row(self, lesson) for lesson in self.lessons]

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
        """Adds a submission that handed in nothing so far."""
        self.submissions.append(Submission(name, len(self.submissions) + 1, self.lessons))
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
