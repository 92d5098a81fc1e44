"""The folder that all is written into, and what several formats say. Files are written into a
folder beside OUT, or in it, that has a mark of ours, and are moved to their places at the end: a
run that is stopped leaves what an earlier one wrote."""

import atexit
import os
from dataclasses import dataclass

from jobs import remove_all
from rows import MISSING, NO_VERDICT, Class, reasons
from text import die, listed, save

UNBOXED = "UNBOXED: the submissions ran with the rights of the person who graded them (UNSAFE=1)."


@dataclass
class Output:
    students: Class
    roster: list
    due: object
    name: str      # NAME=
    formats: list  # FORMATS=
    worksheet: object = None
    points: object = None
    unboxed: bool = False
    stopped: bool = False
    strange_times: bool = False  # the worksheet has some that are not understood
    out: str = ""
    part: str = ""

    def save(self, file, text):
        save(f"{self.part}/{file}", text)

    def mark(self):
        """Says that a folder is of our making."""
        return f"{self.part}/being-written"

    def begin(self):
        """Makes OUT.part, or OUT/.part, since OUT may be a disk of its own. It goes when the
        program ends early."""
        if os.path.lexists(self.part) and not os.path.exists(self.mark()):
            die(f"{self.part} is in the way. Move it.")
        remove_all(self.part)
        save(self.mark(), "")
        atexit.register(remove_all, self.part)

    def end(self, made):
        """Takes OUT's place. Whatever else lies in OUT stays there, and what an earlier run wrote
        until it is replaced: those that can be made, `made`."""
        old = f"{self.part}/old"
        try:
            os.makedirs(self.out, exist_ok=True)
            os.mkdir(old)
            for name in made:
                for folder, to in (self.out, old), (self.part, self.out):
                    if os.path.lexists(f"{folder}/{name}"):
                        os.rename(f"{folder}/{name}", f"{to}/{name}")
        except OSError as error:
            die(f"cannot write {error.filename2 or error.filename}: {error.strerror}")
        remove_all(self.part)


def why_unknown(s):
    """Why there is no sum of a submission's points: "not read: ..."; "" if there is one."""
    words = ""
    for row, why, count in reasons(
            [row for row in s.graded() if row.state in NO_VERDICT], lambda row: row.problem()):
        lesson = f"{row.lesson.folder}: " if count == 1 else ""
        words = listed(words, f"{lesson}{row.state}: {why}", "; ")
    return words


def row_feedback(row):
    (done, of), (passed, tests) = row.done(), row.passed()
    state = (f"{done} of {of} exercises, {passed} of {tests} tests" if row.is_judged()
             else "not handed in" if row.state == MISSING else row.state)
    why, note = row.problem() and f" {row.problem()}", row.note and f" ({row.note})"
    return f"{row.lesson.folder}: {state}.{why}{note}"


def short_feedback(o, s):
    """A submission in a few lines: a line for each lesson, with what is wrong first."""
    return "\n".join([UNBOXED] * o.unboxed + [row_feedback(row) for row in s.graded()])


def exercise_feedback(found):
    """What to say of one exercise: the mistake, and the tests that failed."""
    words = f"{found.mistake}\n" if found.mistake else ""
    for test in found.tests:
        if test.is_wrong():
            words += f"{test.sentence}: {test.said or 'this test did not pass'}\n"
    return words
