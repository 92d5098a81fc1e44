"""Reads what judging one file found, from the files that `tutor grade` wrote: see the README of the
folder above."""

from dataclasses import dataclass, field

from text import file_text

# Verdicts on a file. IN_PART: some functions do not compile, and each of the others was judged.
GRADED, IN_PART, NOT_BUILT = "graded", "in part", "not built"
PASS, FAIL, ERROR, SKIPPED = "pass", "fail", "error", "skipped"


@dataclass
class Test:
    exercise: str
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

    def is_done(self):
        return self.state == "done"


@dataclass
class Judged:
    state: str
    done: int
    of: int
    passed: int
    tests: int
    problem: str = ""
    exercises: list = field(default_factory=list)
    seconds: float = 0.0  # how long judging took


def rows_of(kind, lines):
    """One thing a line: its fields have the order and the types of the class."""
    types = list(kind.__annotations__.values())
    for line in lines:
        yield kind(*(of(text) for of, text in zip(types, line.split("\t"))))


def read_all(folder, place):
    def lines_of(part):
        return file_text(f"{folder}/{part}").replace(place, "").split("\n")[:-1]

    head = lines_of("verdict")
    judged = next(rows_of(Judged, head[:1]))
    judged.problem = "".join(head[1:2])
    judged.seconds = float(file_text(f"{folder}/seconds") or 0)
    judged.exercises = list(rows_of(Exercise, lines_of("exercises")))
    named = {exercise.name: exercise for exercise in judged.exercises}
    for test in rows_of(Test, lines_of("tests")):
        named[test.exercise].tests.append(test)
        if test.result not in (PASS, FAIL, ERROR, SKIPPED):
            raise ValueError(test.result)
    whole = judged.state in (GRADED, IN_PART, NOT_BUILT) and 0 < judged.of == len(named)
    return judged if whole else None


def read_judged(folder, place):
    """None if the folder does not hold all of it. `place` is left out of all strings."""
    try:
        return read_all(folder, place)
    except (StopIteration, ValueError, TypeError, KeyError):
        return None
