"""The class's folder, in four steps: list who handed in what; walk through it (walk.py); unpack the
archives that were found, in boxes and several at a time, and walk through those; say in the rows
what was found of each lesson. Then it is known which lessons are graded.

A student hands in a folder, an archive, or files that Canvas or Moodle named. The names come from
other people: they reach no shell and no compiler, since our copies have numbers for names."""

import hashlib
import os
import re
import stat

from jobs import NOT_BEGUN, job_into, remove_all, run_jobs
from rows import LOST, NOT_READ, STOPPED, STUB, Submission
from take import mode_of, open_folder, take_file, take_path
from text import (archive_ending, die, file_text, foreign_ending, listed, moment_in_name,
                  read_download, save, shown_name)
from walk import ASTRAY, DEEPEST, ENTRIES_MOST, RENAMED, Spot

ARCHIVE_MOST = 64 << 20  # bytes


class Scan:
    def __init__(self, students, release, judge, work):
        self.students, self.lessons = students, students.lessons
        self.release, self.judge, self.work = release, judge, work
        self.handed, self.archives = [], []
        try:
            self.dir = os.open(students.dir, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            die(f"DIR={students.dir}: {error.strerror}")

    # --- the class's folder

    def list_entry(self, entry):
        """A link is a submission, too, though not one that is read. Other files are not; their
        names are kept, because one of them may have been meant as a submission."""
        mode = mode_of(self.dir, entry)
        if entry == "__MACOSX" or not mode:
            return
        folder, link = stat.S_ISDIR(mode), stat.S_ISLNK(mode)
        ending = archive_ending(entry) or foreign_ending(entry)
        name = entry[:-len(ending)] if ending and not folder else entry
        download = {} if folder else read_download(entry)
        file = download.pop("file", entry)
        h = Submission(download.pop("person", name), self.lessons, items=[(entry, file)],
                       folder=folder, download=file != entry, **download)
        h.other = not (folder or link or h.download or ending)
        if link:
            h.refused = "it is a link, not a regular file"
        elif not folder and not stat.S_ISREG(mode):
            h.refused = "it is not a regular file"
        if not h.other or entry[0] != ".":
            self.handed.append(h)

    def is_submission(self):
        """A folder of lessons is one submission: a lesson, others of that form, answers, files. A
        lesson's folder that strayed among the students' does not make it one."""
        if not any(stat.S_ISDIR(mode_of(self.dir, lesson.folder)) for lesson in self.lessons):
            return False
        return all(h.other or re.match(r"\.|answers\Z|[0-9][0-9]-", h.items[0][0])
                   for h in self.handed)

    def list_one(self):
        """Takes the folder above for the class, with this one submission in it."""
        self.handed = []
        above = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.dir)
        os.close(self.dir)
        self.dir = above
        self.list_entry(os.path.basename(os.path.realpath(self.students.dir)))

    def merge_twins(self):
        """Two of the same name are files that one student uploaded. If both ada/ and ada.zip exist,
        refuse both."""
        kept = {}
        self.handed.sort(key=lambda h: (os.fsencode(h.name), os.fsencode(h.items[0][0])))
        for h in self.handed:
            first = kept.setdefault(h.name, h) if not h.other else h
            if h.other:
                self.students.others = listed(self.students.others, shown_name(h.name))
            elif first is not h and first.download and h.download:
                first.items += h.items
                first.late_by_canvas |= h.late_by_canvas
            elif first is not h:
                names = [shown_name(twin.items[0][0]) for twin in (first, h)]
                first.refused = f"it was handed in twice, as {names[0]} and as {names[1]}"
        self.handed = self.students.submissions = list(kept.values())
        for number, h in enumerate(self.handed, 1):
            h.number = number

    def list_class(self):
        for entry in os.listdir(self.dir):
            self.list_entry(entry)
        if self.is_submission():
            self.list_one()
        self.merge_twins()
        if not self.handed:
            die(f"{self.students.dir} contains no submissions. They must be in folders DIR/student/NN-name.")

    # --- what lies there

    def walk_one(self, h):
        if h.refused:
            return
        if not h.folder:
            h.entries += len(h.items)
            for entry, file in h.items:
                Spot(self, h, None, self.dir).look_at_file(entry, file, True)
            return
        with open_folder(self.dir, h.name) as folder:
            if folder is None:
                h.refused = "its folder cannot be read"
            else:
                Spot(self, h, None, folder).look_into()

    # --- archives

    def take_archive(self, a):
        if a.of.folder:
            return take_path(self.dir, f"{a.of.name}/{a.path}", ARCHIVE_MOST)
        entry = next(entry for entry, file in a.of.items if file == a.path)
        return take_file(self.dir, entry, ARCHIVE_MOST)

    def unpacking(self, number, a, known):
        """What unpacks a copy of it, if an equal one is neither unpacked already nor going to be.
        Another course may unpack it in another way."""
        taken = self.take_archive(a)
        a.written, a.refused = taken.written, taken.refused
        if a.refused:
            return
        own = hashlib.sha256(self.lessons[0].key.encode() + taken.data).hexdigest()
        a.folder = os.path.join(os.path.dirname(self.work), "unpacked", own)
        if a.folder in known or os.path.exists(a.folder):
            return
        copy, part = f"{self.work}/archive-{number}", f"{a.folder}.part"
        save(copy, taken.data)
        os.makedirs(os.path.dirname(part), exist_ok=True)
        remove_all(part)
        known[a.folder] = job_into(part, f"{self.judge}/box.sh", "unpack", copy, f"{a.folder}.said")

    def walk_unpacked(self, a):
        """An archive inside that could not be unpacked is a line of what was said."""
        with open_folder(None, a.folder) as folder:
            if folder is not None:
                Spot(self, a.of, a, folder).look_into()
        for line in file_text(f"{a.folder}.said").splitlines():
            a.of.add_unread(a.path, line)

    def walk_archive(self, a, job):
        """A missing lesson may be in an archive for which there was no box, or no time."""
        if not a.refused and os.path.exists(a.folder):
            self.walk_unpacked(a)
        elif not a.refused and job.status in (None, NOT_BEGUN):
            a.of.lost = STOPPED if job.status is None else LOST
            a.of.why_lost = ("it was not unpacked before the run was stopped" if job.status is None
                             else job.said_first())
        else:
            a.of.add_unread(a.path, a.refused or job.said_first())

    def walk_archives(self, at_once):
        jobs, found = {}, list(self.archives)
        for number, a in enumerate(found):
            self.unpacking(number, a, jobs)
        run_jobs(list(jobs.values()), at_once)
        for folder, job in jobs.items():
            if job.status == 0:
                os.rename(f"{folder}.part", folder)
            remove_all(f"{folder}.part")
        for a in found:
            self.walk_archive(a, jobs.get(a.folder))


# --- what was found, as rows

def add_note(row, words):
    row.note = listed(row.note, words, "; ")


def note_file(row):
    """Notes which file is read, and what lies beside it."""
    not_stub = row.stub and not row.place & STUB
    if not_stub:
        add_note(row, f'read from "{row.paths}", because "{row.stub}" is the stub')
    elif row.place & (ASTRAY | RENAMED):
        add_note(row, f'read from "{row.paths}"')
    if row.beside:
        add_note(row, f"{row.beside} is in the same submission and was not read")
    if row.best.converted:
        add_note(row, "converted from UTF-16")
    row.doubtful = bool(row.beside or not_stub)


def set_clock(row):
    """A system's own clock goes before that of the files."""
    named = moment_in_name(row.by.name)
    row.handed_in = row.best.written
    if row.by.stamped:
        row.handed_in, row.clock = row.by.stamped, "by timestamp.txt"
    elif named:
        row.handed_in, row.clock = named, "by the name"
    if row.by.odd_stamp:
        add_note(row, "its timestamp.txt could not be read")
        row.doubtful = True


def why_not_read(row):
    """Why a lesson is not read, or ""."""
    h, lesson = row.by, row.lesson
    if h.refused:
        return h.refused
    if row.times > 1:
        return f"there are {row.times} different {lesson.name}.c: {row.paths}"
    if row.times == 1:
        return f"{lesson.name}.c: {row.best.refused}" if row.best.refused else ""
    if row.holds:
        return f"{lesson.folder} contains {shown_name(row.holds)}, but no {lesson.name}.c"
    if h.unread or any(other.times for other in h.rows):
        return h.unread
    if h.no_work:
        return f"it contains {shown_name(h.no_work)}, but no file of a lesson"
    return f"its folders are more than {DEEPEST} deep" if h.deeper else ""


def keep_source(work, row):
    """Our copy has a number for a name, and the user of the box may read it."""
    row.source = f"{work}/s{row.by.number:03d}/{row.file}"
    save(row.source, row.best.data)
    row.sha256 = hashlib.sha256(row.best.data).hexdigest()


def fill_row(work, row):
    row.begun = not row.by.refused and row.times > 0 and not row.place & STUB
    row.why = why_not_read(row)
    if row.why:
        row.state, row.headers = NOT_READ, False
    elif row.times > 0:
        row.state = STOPPED
        note_file(row)
        keep_source(work, row)
        set_clock(row)
    elif row.by.why_lost:
        row.state, row.why = row.by.lost, row.by.why_lost


def scan_class(students, release, judge, work, jobs):
    """Adds the submissions, copies the file of each lesson to WORK/s017/NN-name/name.c, and notes
    in the rows what was found, or why it was not read. `release` is the text of its file
    RELEASE."""
    scan = Scan(students, release, judge, work)
    scan.list_class()
    for h in scan.handed:
        scan.walk_one(h)
    scan.walk_archives(jobs)
    for h in scan.handed:
        if h.entries > ENTRIES_MOST:
            h.refused = h.refused or f"it contains more than {ENTRIES_MOST} files"
        for row in h.rows:
            fill_row(work, row)
    os.close(scan.dir)
    choose_lessons(students, release)


# --- which lessons are graded, where LESSON= names none

def begun(students, lessons):
    """How many students began one of these lessons. Stubs do not count."""
    return sum(any(row.begun and row.lesson in lessons for row in s.rows)
               for s in students.submissions)


def lessons_to_grade(students, release):
    """A release has a stub for each lesson that was handed out. If no student began one of these,
    it was made for another class. Then these are the lessons that at least half of the students
    began; and if no student began a lesson, those whose stubs came back. Returns also why these."""
    released = [lesson for lesson in students.lessons if f"  stubs/{lesson.folder}/" in release]
    if begun(students, released):
        return released, "These are the lessons of the release that was made here."
    began = begun(students, students.lessons)
    if began:
        return ([lesson for lesson in students.lessons if 2 * begun(students, [lesson]) >= began],
                f"These are the lessons that at least half of the {began} students who handed in a "
                "lesson began.")
    back = {row.lesson for s in students.submissions for row in s.rows if row.source}
    return back, "No student began a lesson, so these are the lessons whose stubs were handed in."


def choose_lessons(students, release):
    if students.asked():
        return
    chosen, students.chosen = lessons_to_grade(students, release)
    for lesson in chosen:
        lesson.asked = True
    began = begun(students, students.lessons)
    counts = [f"\n  {lesson.folder}: {begun(students, [lesson])} of {began}"
              for lesson in students.lessons if begun(students, [lesson])]
    if not chosen and not counts:
        die(f"{students.dir} contains no lessons. They must be in files DIR/student/NN-name/name.c.")
    if not chosen:
        die('No lesson was handed in by half of the class. Name the lessons to grade: LESSON="01 02"' +
            "".join(counts))
