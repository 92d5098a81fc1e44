"""Has each file judged once, even if several students handed it in, and keeps the verdict under the
hash of all that it depends on: the next run finds it there.

A unit is one file that is to be judged; rows with the same file share it. First come the guards,
the reference and the stub of each lesson, which prove that the judge works; then the class."""

import hashlib
import os
import sys
import time

from take import stub_file, stub_of
from jobs import NOT_BEGUN, job_into, remove_all, run_job, run_jobs
from rows import LOST, NOT_BUILT, STOPPED, read_judged
from text import die, save, say

MOST_IN_A_ROW = 2  # if so many boxes in a row do not start, no other will
BAR = 30


def moves():
    """Is standard output a terminal where one line can be drawn again?"""
    return sys.stdout.isatty() and not os.getenv("NO_COLOR") and os.getenv("TERM", "dumb") != "dumb"


class Unit:
    """It waits until it has a verdict, or a reason why it has none. `what` tells files apart."""

    def __init__(self, lesson, what, source, kept):
        self.lesson, self.source, self.why = lesson, source, ""
        self.kept = f"{kept}/{hashlib.sha256(f'{lesson.key} {what}'.encode()).hexdigest()}"
        self.verdict = self.read(self.kept)

    def read(self, folder):
        return read_judged(folder, f"lessons/{self.lesson.folder}/")

    def waits(self):
        return not self.verdict and not self.why

    def keep(self, job, folder):
        """Takes the verdict from the folder, which moves to its place whole, or not at all."""
        if job.status == 0:
            save(f"{folder}/seconds", f"{job.seconds:.3f}\n")
            self.verdict = self.read(folder)
        if self.verdict:
            remove_all(self.kept)
            os.rename(folder, self.kept)
        else:
            what = "its verdict is incomplete" if job.status == 0 else "it could not be judged"
            self.why = f"{what}: {job.said_first()}"


class Grading:
    def __init__(self, students, judge, ours, jobs):
        self.students, self.judge, self.jobs = students, judge, jobs
        self.work, self.kept = f"{ours}/copies", f"{ours}/verdicts"
        self.units = {}
        self.in_a_row = 0   # boxes that did not start
        self.lost = False   # no box starts any more
        self.stopped = False
        self.graded = 0     # how many were judged now
        self.untold = []    # submissions whose line is not on the screen yet

    def unit_for(self, lesson, what, source):
        unit = Unit(lesson, what, source, self.kept)
        return self.units.setdefault(unit.kept, unit)

    def waiting(self):
        return [unit for unit in self.units.values() if unit.waits()]

    # --- judging

    def prepare(self):
        """Makes what grading needs, once for those lessons that have something to judge."""
        lessons = [lesson.folder for lesson in self.students.lessons
                   if any(unit.lesson is lesson for unit in self.waiting())]
        if not lessons:
            return True
        say(f"Preparing {' '.join(lessons)}.")
        job = run_job(["sh", f"{self.judge}/prepare.sh", *lessons], f"{self.work}/preparing.said")
        if job.status:
            print(f"The lessons cannot be prepared: {job.said_first()}", file=sys.stderr)
        self.stopped = job.status is None
        return job.status == 0

    def judged(self, unit, job):
        folder = job.words[-1]
        unit.keep(job, folder)
        remove_all(folder)
        self.graded += 1
        self.in_a_row = self.in_a_row + 1 if job.status == NOT_BEGUN else 0
        self.lost = self.in_a_row == MOST_IN_A_ROW
        if unit.lesson.reference:  # else it is a guard
            self.tell_ended()
        return not self.lost

    def judge_units(self):
        """False if nothing could be judged."""
        if not self.prepare():
            return False
        units = {}
        for unit in self.waiting():
            part = f"{self.work}/judging-{len(units)}"
            units[job_into(part, f"{self.judge}/one.sh", unit.lesson.folder, unit.source,
                           f"{part}.said")] = unit
        self.began, self.graded = time.monotonic(), 0
        self.stopped = not run_jobs(list(units), self.jobs,
                                    lambda job: self.judged(units[job], job))
        return True

    # --- the guards

    def guards(self):
        """A reference and a stub for each asked lesson."""
        for lesson in self.students.asked():
            if not stub_of(lesson, self.work):
                die(f"No stub can be made from {lesson.solution}.")
            yield (self.unit_for(lesson, "reference", lesson.solution),
                   self.unit_for(lesson, "stub", stub_file(lesson, self.work)))

    def check_guard(self, unit, role, is_right):
        """Ends the program, unless a guard got what it should."""
        v, lesson = unit.verdict, unit.lesson.folder
        if not v:
            die(f"Nothing is graded: the {role} of {lesson} was not judged: {unit.why}")
        if v.state == NOT_BUILT or not is_right(v):
            die(f"Nothing is graded: the {role} of {lesson} gets {v.done} of {v.of} exercises and "
                f"{v.passed} of {v.tests} tests. {v.problem}")

    def guard_lessons(self):
        """Judges the reference of each asked lesson, which must get everything, and its stub, which
        must get nothing. False if the run ends here."""
        guards = list(self.guards())
        if not self.judge_units() or self.stopped:
            return False
        for reference, stub in guards:
            self.check_guard(reference, "reference",
                             lambda v: v.done == v.of and v.passed == v.tests > 0)
            of = reference.verdict.of
            self.check_guard(stub, "stub", lambda v: v.done == v.passed == 0 and v.of == of)
            reference.lesson.reference = reference.verdict
        return True

    # --- what is on the screen meanwhile

    def tell_line(self, s):
        """[ 37/120] ada   01 9/9   02 6/9"""
        count = len(self.students.submissions)
        line = f"[{count - len(self.untold):{3 if count > 99 else 2}}/{count}] {s.shown}"
        for row in s.graded():
            fill_row(row)
            what = f"{row.verdict.done}/{row.verdict.of}" if row.is_judged() else row.state
            line += f"   {row.lesson.number} {what}"
        say(line)

    def tell_bar(self):
        left = len(self.waiting())
        rest, count = (time.monotonic() - self.began) / self.graded * left, self.graded + left
        unit = f"{rest / 60:.0f} min" if rest >= 90 else f"{rest:.0f} s"
        bar = "#" * (BAR * self.graded // count)
        words = f"{self.graded} of {count}, {unit} left"
        say(f"\r[{bar:-<{BAR}}]  {words:<40}", end="" if left else "\n")

    def tell_ended(self):
        """Once a file is judged: a line for each submission that waited for it alone."""
        if moves():
            self.tell_bar()
            return
        for s in [s for s in self.untold if not waits(s)]:
            self.untold.remove(s)
            self.tell_line(s)

    def tell_kept(self):
        """Before anything of the class is judged: how many submissions have nothing to be
        judged."""
        count = len(self.students.submissions)
        self.untold = [s for s in self.students.submissions if waits(s)]
        empty = sum(not any(row.unit for row in s.graded()) for s in self.students.submissions)
        kept = count - len(self.untold) - empty
        if kept:
            say(f"{kept} of {count} submissions have not changed, so their verdicts are kept.")
        if empty:
            say(f"{empty} of {count} contain nothing that can be graded.")

    # --- the class

    def grade_class(self):
        """Fills in the verdicts of all rows. False if there is something that could not be
        judged."""
        rows = self.students.rows()
        for row in rows:
            if row.source:
                row.unit = self.unit_for(row.lesson, row.sha256, row.source)
        self.tell_kept()
        if not self.judge_units():
            self.lost = not self.stopped
        for row in rows:
            fill_row(row)
        return not any(row.state in (LOST, STOPPED) for row in rows)


def waits(s):
    return any(row.unit and row.unit.waits() for row in s.graded())


def fill_row(row):
    """Notes in the row what became of its file. A unit that waits is one that was stopped."""
    unit = row.unit
    if not unit or row.verdict:
        return
    if not unit.verdict:
        row.state = LOST if unit.why else STOPPED
        row.why = unit.why or "the run was stopped before this file was graded"
        return
    row.state, row.verdict = unit.verdict.state, unit.verdict
    row.screen = f"{unit.kept}/screen.txt"
