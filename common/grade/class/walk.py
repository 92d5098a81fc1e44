"""Looks through what one student handed in: folders, files, and what came out of archives. It was
made by people who may mean harm, so nothing is followed, opened or waited for that is no regular
file.

Each file is compared with the best one so far of its lesson. Which of two is better is decided by
their places alone; two that are equally good and different make the lesson unreadable. What else
was found is kept as words for the lecturer."""

import os
import stat
from dataclasses import dataclass

from rows import STUB, Lesson, Submission
from take import (Taken, mode_of, open_folder, release_changed, same_but_for_space, stub_of,
                  take_file, take_source)
from text import (archive_ending, file_text, fits_lesson, foreign_ending, listed, read_moment,
                  shown_name)

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
