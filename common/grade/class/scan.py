"""The class's folder, in four steps: list who handed in what; look through what each student handed
in; unpack the archives that were found, in boxes and several at a time, and look through those; say
in the rows what was found of each lesson. Then it is known which lessons are graded.

A student hands in a folder, an archive, or files that Canvas or Moodle named. It was made by people
who may mean harm, so nothing is followed, opened or waited for that is no regular file. Names reach
no shell and no compiler, since our copies have numbers for names.

Each file is compared with the best one so far of its lesson. Which of two is better is decided by
their places alone; two that are equally good and different make the lesson unreadable. What else
was found is kept as words for the lecturer."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass

from jobs import NOT_BEGUN, job_into, remove_all, run_jobs
from rows import LOST, NOT_READ, STOPPED, STUB, Lesson, Submission
from take import (Taken, mode_of, open_folder, release_changed, same_but_for_space, stub_of,
                  take_file, take_path, take_source)
from text import (archive_ending, die, file_text, fits_lesson, foreign_ending, listed,
                  moment_in_name, read_download, read_moment, save, shown_name)

SOURCE_MOST = 256 << 10  # bytes
ARCHIVES_MOST = 8        # that are unpacked, of one submission
ENTRIES_MOST = 20000     # files and folders of one submission that are looked at
DEEPEST = 4              # folders between a submission and its lessons

# How good a file is as that of its lesson: the smallest sum of these, STUB and its depth.
RENAMED = 16  # softmax 2.c
ASTRAY = 32   # in another folder than the lesson's
PACKED = 64   # in an archive
WORST = RENAMED + ASTRAY + PACKED + STUB


@dataclass(eq=False)
class Archive:
    of: Submission
    path: str         # from the submission on
    folder: str = ""  # what is unpacked of it
    written: int = 0
    refused: str = ""  # why it is not read


def first_of(first, name):
    return min(first or name, name, key=os.fsencode)


def is_work(name):
    """A header, a README or a timestamp is not meant as a solution."""
    return name[0] != "." and not name.endswith((".h", ".md")) and name != "timestamp.txt"


@dataclass
class Spot:
    """A folder on the way."""
    scan: object
    of: Submission
    packed: Archive  # what it was unpacked from, or None
    folder: int      # open
    path: str = ""   # "a/b/", from the submission on
    depth: int = 0
    lesson: Lesson = None  # whose folder it is

    def path_at(self, name):
        return (f"{self.packed.path}: " if self.packed else "") + self.path + name

    # --- files

    def note_archive(self, name):
        path, of = self.path_at(name), self.of
        if foreign_ending(name):
            of.add_unread(path, "this kind of archive cannot be read. Hand in a .zip or a .tar.gz")
        elif self.packed:
            of.add_unread(path, "it is inside too many archives, or with too many others")
        elif of.archives == ARCHIVES_MOST:
            of.add_unread(path, f"the submission has more than {ARCHIVES_MOST} archives")
        else:
            of.archives += 1
            self.scan.archives.append(Archive(of, path))

    def has_headers(self):
        """Are there headers that are not the course's? They are not taken."""
        for name in os.listdir(self.folder):
            if name.endswith(".h") and name[0] != ".":
                course = os.fsencode(file_text(f"lessons/{self.lesson.folder}/{name}"))
                theirs = take_file(self.folder, name, SOURCE_MOST)
                if not same_but_for_space(course, theirs.data):
                    return True
        return False

    def note_source(self, entry, name, lesson, renamed):
        file = take_source(self.folder, entry, SOURCE_MOST)
        stub = stub_of(lesson, self.scan.work)
        astray = self.lesson is not lesson
        place = (self.depth + STUB * (stub != b"" and same_but_for_space(stub, file.data)) +
                 PACKED * (self.packed is not None) + ASTRAY * astray + RENAMED * renamed)
        if self.packed:
            file.written = self.packed.written
        headers = (lambda: False) if astray else self.has_headers
        self.of.row_of(lesson).compare(file, place, self.path_at(name), headers)

    def look_at_file(self, entry, name, regular):
        """`entry` is what it is called there, and `name` what the student called it."""
        fits = False
        for lesson in self.scan.lessons:
            fit = fits_lesson(name, lesson.name)
            if fit is not None and (regular or fit == 0 and self.lesson is lesson):
                self.note_source(entry, name, lesson, fit == 1)
                fits = True
        if fits or not is_work(name):
            return
        archive = regular and (archive_ending(name) or foreign_ending(name))
        if archive:
            self.note_archive(name)
        self.of.no_work = first_of(self.of.no_work, name)
        if self.lesson and not archive:
            row = self.of.row_of(self.lesson)
            row.holds = first_of(row.holds, name)

    # --- folders

    def is_left_out(self, name):
        """A whole clone or release holds the reference and the stubs, too; those are not
        candidates."""
        ours = name in ("solutions", "stubs", "sealed", "build")
        return name in ("__MACOSX", ".git") or ours and mode_of(self.folder, "lessons")

    def refuse_folder(self, name, lesson, why):
        """The worst candidate: any file is better, even a stub."""
        self.of.row_of(lesson).compare(Taken(why), WORST + self.depth, self.path_at(name))

    def look_at_folder(self, name, lesson):
        if self.depth >= DEEPEST and not lesson:
            self.of.deeper = True
        if self.depth > DEEPEST or self.depth == DEEPEST and not lesson:
            return
        with open_folder(self.folder, name) as inner:
            if inner is not None:
                Spot(self.scan, self.of, self.packed, inner, f"{self.path}{name}/", self.depth + 1,
                     lesson).look_into()
            elif lesson:
                self.refuse_folder(name, lesson, "its folder cannot be read")

    def look_at_entry(self, name):
        mode = mode_of(self.folder, name)
        lesson = next((lesson for lesson in self.scan.lessons if lesson.folder == name), None)
        in_place_of_file = self.lesson and name == f"{self.lesson.name}.c"
        if stat.S_ISDIR(mode) and not in_place_of_file:
            self.look_at_folder(name, lesson)
        elif lesson:
            self.refuse_folder(name, lesson, "it is a link, not a folder" if stat.S_ISLNK(mode)
                               else "there is a file instead of its folder")
        elif mode:
            self.look_at_file(name, name, stat.S_ISREG(mode))

    def compare_copy(self):
        """The copy at the top is the one that counts; of some there are only the lessons."""
        s = self.of
        stands_for = "" if mode_of(self.folder, "lessons") else "lessons/"
        if not s.release:
            s.release, s.release_changed = release_changed(
                self.scan.release, self.folder, stands_for)

    def read_timestamp(self):
        """nbgrader's own: not read in an archive, where it may be the student's."""
        stamp = take_file(self.folder, "timestamp.txt", 200).data
        time, rest = read_moment(os.fsdecode(stamp))
        if time and not rest.strip(" \r\n"):
            self.of.stamped = time
        elif stamp:
            self.of.odd_stamp = True

    def look_into(self):
        self.compare_copy()
        if self.depth <= 1 and not self.packed:
            self.read_timestamp()
        for name in sorted(os.listdir(self.folder), key=os.fsencode):
            if not self.is_left_out(name):
                self.of.entries += 1
                if self.of.entries <= ENTRIES_MOST:
                    self.look_at_entry(name)


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
