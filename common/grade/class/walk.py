"""Looks through what one student handed in: folders, files, and what came out of archives. It was
made by people who may mean harm, so nothing is followed, opened or waited for that is no regular
file.

Each file is compared with the best one so far of its lesson. Which of two is better is decided by
their places alone; two that are equally good and different make the lesson unreadable. What else
was found is kept as words for the lecturer."""

import os
import stat
from dataclasses import dataclass, field

from called import archive_ending, fits_lesson, foreign_ending
from handed_out import release_changed, same_but_for_space, stub_of
from moments import read_moment
from rows import Lesson
from take import Taken, mode_of, open_folder, take_file, take_source
from text import file_text, listed, shown_name

SOURCE_MOST = 256 << 10  # bytes
ARCHIVES_MOST = 8        # that are unpacked, of one submission
ENTRIES_MOST = 20000     # files and folders of one submission that are looked at
DEEPEST = 4              # folders between a submission and its lessons

# How good a file is as that of its lesson: the smallest sum of these and its depth.
RENAMED = 16  # softmax 2.c
ASTRAY = 32   # in another folder than the lesson's
PACKED = 64   # in an archive
STUB = 128    # as it was handed out: taken only where there is nothing else
WORST = RENAMED + ASTRAY + PACKED + STUB


@dataclass
class Found:
    """The best file of a lesson. The strings are shown names, or ""."""
    times: int = 0  # how many different files are equally good; 0: no file was found
    place: int = 0
    file: Taken = None
    headers: bool = False  # beside it are headers that are not the course's
    paths: str = ""   # the equally good ones: "a/softmax.c and b/softmax.c"
    stub: str = ""    # the path of a stub that was passed over
    beside: str = ""  # the paths of others that are no stubs
    holds: str = ""   # a file in the lesson's folder that is not understood

    def pass_over(self, is_stub, shown):
        """Notes a file that lies beside the best one."""
        if is_stub:
            self.stub = self.stub or shown
        else:
            self.beside = listed(self.beside, shown, most=400)

    def is_same(self, file):
        return not file.refused and not self.file.refused and file.data == self.file.data

    def take(self, file, place, path, headers=lambda: False):
        """Compares a file with the best one so far. Equal files count once."""
        shown = shown_name(path)
        if self.times == 0 or place < self.place:
            if self.times > 1 or self.times and not self.file.refused and not self.is_same(file):
                self.pass_over(self.place & STUB, self.paths)
            self.times, self.place, self.file, self.paths = 1, place, file, shown
            self.headers = headers()
        elif not self.is_same(file):
            if place == self.place:
                self.times += 1
                self.paths = listed(self.paths, shown, " and ", most=400)
            elif not file.refused:
                self.pass_over(place & STUB, shown)


@dataclass(eq=False)
class Handed:
    """What one student handed in: a folder, an archive, or files that Canvas or Moodle named."""
    name: str
    items: list  # pairs: a file's name in the class's folder, and what the student called it
    folder: bool = False
    other: bool = False  # it is no submission
    download: object = None
    refused: str = ""  # why nothing of it is read
    s: object = None   # the submission
    found: dict = field(default_factory=dict)  # of each lesson
    entries: int = 0
    archives: int = 0
    stamped: int = 0  # by nbgrader's timestamp.txt
    odd_stamp: bool = False  # it is there, and not understood
    unread: str = ""  # what may have been meant, and why it is not read
    no_work: str = ""  # the first file of all, by its name, that is of no lesson
    deeper: bool = False  # there are folders too deep to be looked into
    lost: str = ""  # what a lesson is that was not found, because an archive could not be unpacked,
    why_lost: str = ""  # and why

    def add_unread(self, name, why):
        self.unread = listed(self.unread, f"{shown_name(name)}: {shown_name(why)}", "; ", most=1000)


@dataclass(eq=False)
class Archive:
    of: Handed
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
    of: Handed
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
        self.of.found[lesson].take(file, place, self.path_at(name), headers)

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
            found = self.of.found[self.lesson]
            found.holds = first_of(found.holds, name)

    # --- folders

    def is_left_out(self, name):
        """A whole clone or release holds the reference and the stubs, too; those are not
        candidates."""
        ours = name in ("solutions", "stubs", "sealed", "build")
        return name in ("__MACOSX", ".git") or ours and mode_of(self.folder, "lessons")

    def refuse_folder(self, name, lesson, why):
        """The worst candidate: any file is better, even a stub."""
        self.of.found[lesson].take(Taken(why), WORST + self.depth, self.path_at(name))

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
        s = self.of.s
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
