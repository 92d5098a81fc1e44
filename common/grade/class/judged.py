"""Reads what judging one file found, from what `tutor grade` wrote: see the README of the folder
above."""

import json
from dataclasses import dataclass, field

from text import file_text

# Verdicts on a file. IN_PART: some functions do not compile, and each of the others was judged.
GRADED, IN_PART, NOT_BUILT = "graded", "in part", "not built"
PASS, FAIL, ERROR, SKIPPED = "pass", "fail", "error", "skipped"


@dataclass
class Test:
    sentence: str
    result: str
    seconds: float
    place: str  # "test_softmax.c:12", or ""
    said: str

    def is_wrong(self):
        return self.result in (FAIL, ERROR)


@dataclass
class Exercise:
    name: str
    state: str
    passed: int  # of its tests
    count: int
    mistake: str
    tests: list = field(default_factory=list)
    reference: bool = False  # its text is the reference's, apart from layout, comments and names

    def __post_init__(self):
        self.tests = [Test(**test) for test in self.tests]

    def is_done(self):
        return self.state == "done"


class Judged:
    def __init__(self, state, problem, exercises):
        self.state, self.problem = state, problem
        self.exercises = [Exercise(**exercise) for exercise in exercises]
        self.done, self.of = sum(e.is_done() for e in self.exercises), len(exercises)
        self.passed, self.tests = (sum(e.passed for e in self.exercises),
                                   sum(e.count for e in self.exercises))


def read_judged(folder, place):
    """None if the folder does not hold all of it. `place` is left out of all strings."""
    try:
        judged = Judged(**json.loads(file_text(f"{folder}/verdict.json").replace(place, "")))
        judged.seconds = float(file_text(f"{folder}/seconds") or 0)  # how long judging took
    except (ValueError, TypeError):
        return None
    whole = judged.state in (GRADED, IN_PART, NOT_BUILT) and judged.exercises
    return judged if whole else None
