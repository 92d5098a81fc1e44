"""Finds out whose a submission is. A folder's name may be a number, an address or a name, and names
are spelled in many ways: they are compared without marks, case and what stands between words. A
name counts only if one student alone has it."""

import unicodedata

from text import die, moodle_name, read_table

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
