"""The folder that all is written into; what several formats say; and summary.txt, which is on the
screen, too. Files are written into a folder beside OUT, or in it, that has a mark of ours, and are
moved to their places at the end: a run that is stopped leaves what an earlier one wrote."""

import atexit
import os
from collections import Counter
from dataclasses import dataclass
from textwrap import fill

from jobs import remove_all
from marks import sum_of
from rows import (GRADED, IN_PART, LOST, MISSING, NO_VERDICT, NOT_BUILT, NOT_READ, STOPPED, Class,
                  failed_tests, is_done, reasons)
from text import die, listed, save, say, shown_name

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
    for test in failed_tests(found):
        words += f"{test.sentence}: {test.said or 'this test did not pass'}\n"
    return words


# --- the summary: how far each exercise got, then lists of people, each with its reason

BAR = 30


def wrapped(words, first="", others=""):
    """A paragraph with these indents."""
    return fill(words, 78, initial_indent=first, subsequent_indent=others,
                break_on_hyphens=False) + "\n"


def most(said, one, many):
    """"3 students have this mistake: ...", for the most frequent words, if there are any."""
    for words, times in Counter(said).most_common(1):
        return wrapped(f"{times} {one if times == 1 else many}: {words}", " " * 6, " " * 6)
    return ""


def exercise_lines(name, found):
    """`found`: what became of it with each student whose file was judged."""
    done = sum(map(is_done, found))
    bar = "#" * (BAR * done // len(found))
    mistakes = [e.mistake for e in found if e.mistake and not is_done(e)]
    failed = [test.sentence for e in found for test in failed_tests(e)]
    return (f"  {name:34.34} {bar:-<{BAR}} {done} of {len(found)}\n" +
            most(mistakes, "student has this mistake", "students have this mistake") +
            most(failed, "student fails this test", "students fail this test"))


def lesson_lines(students, lesson):
    rows = [row for row in students.rows() if row.lesson is lesson]
    judged = [row.verdict for row in rows if row.verdict]
    right = sum(v.state != NOT_BUILT and v.done == v.of for v in judged)
    handed_in = sum(row.source != "" for row in rows)
    line = (f"{lesson.number} {lesson.title}: {handed_in} of {len(rows)} students handed it in. "
            f"Everything right: {right}")
    for state, words in ((IN_PART, "builds only in part"), (NOT_BUILT, "does not build"),
                         (NOT_READ, "not read")):
        count = sum(row.state == state for row in rows)
        line += f", {words}: {count}" if count else ""
    return "\n" + wrapped(line, others=" " * 3) + "".join(
        exercise_lines(whole.name, [v.exercises[i] for v in judged])
        for i, whole in enumerate(lesson.reference.exercises) if judged)


def people(o, heading, about):
    """A list of those for whom about(s) gives words for behind their names, or "". A student whose
    folder is a number has a name behind it."""
    names, count = "", 0
    for s in o.students.submissions:
        said = about(s)
        if said is None:
            continue
        whose = f" {shown_name(s.student.name())}" if s.name == s.student.id else ""
        names = listed(names, f"{s.shown}{whose}{said and f' ({said})'}")
        count += 1
    return f"\n{heading}, {count}:\n{wrapped(names, '  ', '  ')}" if count else ""


def functions_alike(s):
    count = sum(found.reference for row in s.graded() for _, found in row.exercises())
    return str(count) if count else None


def lateness(o, s):
    sum = sum_of(s, o.points, o.due)
    return f"{sum.days_late} d{sum.clock and ' '}{sum.clock}" if sum.days_late else None


def began_others(o, s):
    """The lessons that are not graded, where LESSON= names none."""
    others = [row.lesson.number for row in s.rows if row.begun and not row.lesson.asked]
    return " ".join(others) if o.students.chosen and others else None


def lines_below(heading, lines):
    text = "".join(wrapped(line, "  ", "    ") for line in lines)
    return text and f"\n{heading}:\n{text}"


def for_reasons(o, heading, why):
    """A line for each reason: "ada/01-softmax: why", or "ada: why" if it is that of several
    lessons."""
    lines = []
    for s in o.students.submissions:
        for row, words, count in reasons(s.graded(), why):
            lesson = f"/{row.lesson.folder}" if count == 1 else ""
            lines.append(f"{s.shown}{lesson}: {words}")
    return lines_below(heading, lines)


def in_state(o, state, heading):
    return for_reasons(o, heading, lambda row: row.problem() if row.state == state else "")


def head(o):
    states = Counter(row.state for row in o.students.rows())
    line = (f"{o.name}: {len(o.students.submissions)} submissions. Lessons graded: "
            f"{states[GRADED] + states[IN_PART] + states[NOT_BUILT]}")
    for state, words in ((MISSING, "not handed in"), (NOT_READ, "not read"), (LOST, "lost"),
                         (STOPPED, "waiting")):
        line += f", {words}: {states[state]}" if states[state] else ""
    strange = ("Some times in the worksheet could not be read.\n"
               "For these students the times of the files count.\n")
    return (f"{UNBOXED}\n" * o.unboxed + wrapped(f"{line}. {o.students.chosen}") +
            strange * o.strange_times)


def parts(o):
    yield head(o)
    for lesson in o.students.asked():
        yield lesson_lines(o.students, lesson)
    yield people(o, "Handed in none of these lessons", lambda s: None if s.handed_in_any() else "")
    yield in_state(o, NOT_READ, "Not read (no grade in the tables, please look at the files)")
    yield for_reasons(o, "Please check whether the right file was read",
                      lambda row: row.note if row.doubtful else "")
    yield in_state(o, IN_PART, "Builds only in part (each function that compiles was judged)")
    yield in_state(o, NOT_BUILT, "Does not build")
    yield in_state(o, LOST, "Could not be graded (this is not the students' fault)")
    yield people(o, "Late (by the time of the file if no other time is named)",
                 lambda s: lateness(o, s))
    yield people(o, "Late according to Canvas", lambda s: "" if s.late_by_canvas else None)
    yield people(o, "Handed in other lessons, which are not graded (add them to LESSON=)",
                 lambda s: began_others(o, s))
    yield people(o, "Not on the roster", lambda s: "" if o.roster and not s.student.id else None)
    yield people(o, "Some functions equal the reference apart from names (how many)", functions_alike)
    yield lines_below("Changed other files of the release (only the functions are graded)",
                      [f"{s.shown}: {s.release}" for s in o.students.submissions
                       if s.release_changed])
    if o.students.others:
        yield "\nNot graded, because these are neither folders nor archives:\n"
        yield wrapped(o.students.others, "  ", "  ")
    yield "\nGrading was stopped. The same command continues from there.\n" * o.stopped
    yield f"\n{UNBOXED}\n" * o.unboxed


def write_summary(o):
    text = "".join(parts(o))
    say("\n" + text, end="")
    o.save("summary.txt", text)
