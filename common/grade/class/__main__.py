"""What make grade runs. common/make/grade.sh puts all settings into the environment, so that no
name of a folder comes near a shell. The settings are checked before anything is done; then the
folder is scanned, the guards and the class are judged, and all files are written. The status is 0
if everything is graded, 1 if something is not for reasons of ours, 2 if it cannot begin."""

import os
import sys
import traceback

from grading import Grading
from jobs import hold_signals, remove_all
from marks import Points, read_due
from formats import check_formats, read_worksheet, take_times, write_all
from output import UNBOXED, Output
from rows import Class, Lesson, join_roster, read_roster
from scan import scan_class
from text import die, file_text, say

OURS = os.getenv("LOOKBACK_GRADE_IN")  # build/grade; what lies in it besides results:
OUR_NAMES = "copies", "base", "verdicts", "unpacked", "keys", "lock"


def asked_for(name):
    return os.getenv(name, "")


def is_inside(inner, outer):
    return f"{inner.rstrip('/')}/".startswith(f"{outer.rstrip('/')}/")


def check_dir(dir):
    if not dir:
        die("Name the folder that contains a folder for each student: make grade DIR=class")
    if not os.path.exists(dir):
        die(f"DIR={dir}: No such file or directory")
    if not os.path.isdir(dir):
        die(f"DIR={dir} is not a folder.")


def default_out(dir):
    """By the path that DIR was asked for by, so that two classes do not share theirs."""
    full, top = os.path.realpath(dir), os.path.realpath(".")
    return f"{OURS}/{os.path.relpath(full, top) if is_inside(full, top) else full.lstrip('/')}"


def check_out(out, dir):
    """What lies in a folder of ours is ours to delete, at any time."""
    full, whole = os.path.realpath(out), os.path.realpath(dir)
    ours = [os.path.realpath(f"{OURS}/{name}") for name in OUR_NAMES]
    if any(is_inside(whole, place) for place in ours):
        die(f"DIR={dir} is a folder of make grade itself, not a class.")
    if any(is_inside(full, place) for place in ours):
        die(f"OUT={out} is a folder of make grade itself. Name another one: OUT=folder")
    if is_inside(full, whole):
        die(f"OUT={out} lies in DIR, so the results would count as submissions.")
    if is_inside(whole, full):
        die(f"DIR={dir} lies in OUT, so the submissions would be among the results.")
    if os.path.exists(out) and not os.path.isdir(out):
        die(f"OUT={out} is not a folder.")


def read_course():
    """The lessons, from grade.sh's lines "01-softmax hash". LOOKBACK_ASKED names those of
    LESSON=."""
    asked = asked_for("LOOKBACK_ASKED").split()
    keys = [line.split() for line in file_text(f"{OURS}/keys").splitlines()]
    return [Lesson(words[0], words[1], words[0] in asked) for words in keys]


def jobs_asked():
    asked = asked_for("JOBS") or str(os.cpu_count())
    if not asked.isdecimal() or not 1 <= int(asked) <= 256:
        die(f"JOBS={asked}: it must be a number from 1 to 256.")
    return int(asked)


def read_settings(students):
    """Finds what is wrong with the settings before anything is done."""
    check_dir(students.dir)
    out = asked_for("OUT").rstrip("/") or default_out(students.dir)
    check_out(out, students.dir)
    formats, worksheet = asked_for("FORMATS").split(), asked_for("WORKSHEET")
    check_formats(formats)
    o = Output(students, read_roster(asked_for("ROSTER")), read_due(asked_for("DUE")),
               asked_for("NAME") or os.path.basename(students.dir) or students.dir, formats,
               read_worksheet(worksheet) if worksheet else None, out=out,
               unboxed=asked_for("UNSAFE") not in ("", "0"))
    o.part = f"{out}/.part" if os.path.exists(out) else f"{out}.part"
    if "canvas" in formats and not o.roster:
        die("FORMATS=canvas needs the students' names: ROSTER=roster.csv")
    if "moodle" in formats and not worksheet:
        die("FORMATS=moodle needs the worksheet that Moodle lets you download:\n"
            "WORKSHEET=grades.csv")
    return o


def grade(o, g):
    remove_all(g.work)
    os.makedirs(g.work)
    os.makedirs(g.kept, exist_ok=True)
    scan_class(o.students, file_text(asked_for("LOOKBACK_HANDED_OUT")), g.judge, g.work, g.jobs)
    o.begin()
    if not g.guard_lessons():
        return 1 if g.stopped else 2
    o.points = Points(asked_for("POINTS"), o.students)
    join_roster(o.roster, o.students)
    o.students.settle()
    o.strange_times = not take_times(o)
    whole = g.grade_class()
    o.stopped = g.stopped
    write_all(o)
    if g.lost:
        print("\nTwo boxes in a row did not start, so the rest of the class was not graded.",
              file=sys.stderr)
    say(f"\n{o.out}/results.csv")
    return 0 if whole else 1


def main():
    hold_signals()
    students = Class(asked_for("DIR"), read_course())
    o = read_settings(students)
    g = Grading(students, asked_for("LOOKBACK_JUDGE") or "common/grade", OURS, jobs_asked())
    if o.unboxed:
        say(UNBOXED)
    status = grade(o, g)
    if o.unboxed and status < 2:
        say(UNBOXED)
    return status


try:
    sys.exit(main())
except Exception:  # a mistake of ours: OUT is as it was
    traceback.print_exc()
    sys.exit(2)
