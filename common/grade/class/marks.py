"""What an exercise is worth, and when it had to be there. Points come from a file of lines
"exercise,points", or are even. A submission's sum takes the points of all its graded rows, and
takes off what the late ones cost."""

import re
from dataclasses import dataclass

from rows import NOT_BUILT, is_done
from text import die, file_text, read_moment, read_table, shown_name

DAY = 86400


class Points:
    """POINTS=; without it all exercises together have 100, evenly."""

    def __init__(self, path, students):
        self.known = {}
        self.by_tests = False  # an exercise that is not done gets the share of its tests that pass
        self.even = 100 / sum(lesson.reference.of for lesson in students.asked())
        # The same file may serve several sheets, with lessons that are not graded here.
        self.exercises = set(re.findall("^## (.*)$", "".join(
            file_text(f"lessons/{lesson.folder}/hints.md") for lesson in students.lessons), re.M))
        for i, row in enumerate(read_table(path).rows if path else []):
            heading = row[0].startswith("#") or i == 0 and row[0] == "exercise"
            wrong = None if heading else self.take(row[0], "".join(row[1:2]))
            if wrong:
                die(f"POINTS={path}: {shown_name(row[0])}: {wrong}.")

    def take(self, exercise, value):
        """Takes a row; returns what is wrong with it."""
        if exercise == "partial":
            self.by_tests = value == "tests"
            known = value in ("tests", "all-or-nothing")
            return "" if known else "partial must be tests or all-or-nothing"
        self.even = 0.0
        is_number = re.fullmatch(r" *\+?(\d{1,7}\.?\d*|\.\d+) *", value)
        if exercise not in self.exercises or not is_number:
            return 'a line must have the form "exercise,points"'
        self.known[exercise] = float(value)
        return ""

    def most(self, exercise):
        return self.known.get(exercise.name, self.even)

    def got(self, row, exercise, found):
        """What the row gets for an exercise: see Row.exercises()."""
        if row.state == NOT_BUILT:
            return 0.0
        if is_done(found):
            return self.most(exercise)
        part = found.passed / found.count if self.by_tests and found.count else 0.0
        return part * self.most(exercise)


@dataclass
class Due:
    """DUE="2026-11-30T23:59+01:00 10%": until when, and what each day late that has begun costs."""
    time: int = 0  # whenever
    share: float = 0.0

    def days_late(self, handed_in):
        return max(0, -((self.time - handed_in) // DAY)) if self.time else 0


def read_due(text):
    if not text:
        return Due()
    time, rest = read_moment(text)
    share = re.fullmatch(r"(?: +(\d+\.?\d*)%)?", rest)
    if not time or not share or float(share[1] or 0) > 100:
        die(f'DUE="{text}": write "2026-11-30T23:59+01:00", or add what each day late costs:\n'
            '"2026-11-30T23:59+01:00 10%".')
    return Due(time, float(share[1] or 0))


@dataclass
class Sum:
    """All graded lessons of a submission together."""
    raw: float = 0.0
    penalty: float = 0.0
    score: float = 0.0
    most: float = 0.0
    handed_in: int = 0  # the latest
    clock: str = ""     # what says so
    days_late: int = 0  # of the latest


def sum_of(s, points, due):
    sum = Sum()
    for row in s.graded():
        raw = 0.0
        for exercise, found in row.exercises():
            sum.most += points.most(exercise)
            raw += points.got(row, exercise, found)
        days = due.days_late(row.handed_in)
        sum.raw += raw
        sum.penalty += min(raw, raw * due.share / 100 * days)
        sum.days_late = max(days, sum.days_late)
        if row.handed_in > sum.handed_in:
            sum.handed_in, sum.clock = row.handed_in, row.clock
    sum.raw, sum.most, sum.penalty = round(sum.raw, 2), round(sum.most, 2), round(sum.penalty, 2)
    sum.score = round(sum.raw - sum.penalty, 2)
    return sum
