"""Programs and systems for courses change the names of files: copies get numbers, downloads get the
student's name in front, and archives have many endings. This file knows these forms."""

import re
from dataclasses import dataclass

# Archives that the box unpacks, and those that nothing here does.
ARCHIVES = ".zip .tar .tar.gz .tgz .tar.xz .txz .tar.bz2 .tbz2 .tbz".split()
FOREIGN = ".rar .7z .gz .xz .bz2 .zst .lz .zipx .cab .dmg .iso .z".split()


def ending_among(name, endings):
    return max((name[-len(e):] for e in endings if len(name) > len(e) and name.lower().endswith(e)),
               key=len, default="")


def archive_ending(name):
    """The ending of an archive, as written in the name: ".zip", ".TAR.GZ"; or ""."""
    return ending_among(name, ARCHIVES)


def foreign_ending(name):
    return "" if archive_ending(name) else ending_among(name, FOREIGN)


def fits_lesson(file, lesson):
    """How well a file's name fits the file LESSON.c: 0 if it is that; 1 if it is a usual change of
    it, such as "softmax 2.c", "softmax (1).c", "softmax.c.txt" and "ada_123_softmax.c"; None if it
    is another file. Some programs of Windows zip whole paths as names."""
    if file == lesson + ".c":
        return 0
    plain = re.sub("[- ]", "_", file.split("\\")[-1].lower())
    form = rf"(.*[0-9]_)?{lesson}([_()0-9]|copy|kopie)*\.c(\.txt)?"
    return 1 if re.fullmatch(form, plain, re.S) and file[0] != "." else None


@dataclass
class Download:
    """A file that Canvas or Moodle downloads without a folder for each student."""
    person: str  # "kingada_123", "Ada King_123_assignsubmission_file"
    file: str    # the name that the student gave it
    canvas_name: str = ""
    canvas_id: str = ""
    late: bool = False  # Canvas says so


def read_download(name):
    """None for another name."""
    number = re.match(r"(.+?)_([0-9]{2,})_(.+)", name, re.S)
    if not number:
        return None
    who, digits, rest = number.groups()
    moodle = re.match("assignsubmission_file_(.+)", rest, re.S)
    if moodle:
        return Download(f"{who}_{digits}_assignsubmission_file", moodle[1])
    attachment = re.match("[0-9]{3,}_(.+)", rest, re.S)
    if not attachment and not re.search(r"\.c(\.txt)?\Z", rest, re.I):
        return None
    own = re.sub(r"_(late|LATE)\Z", "", who)
    file = attachment[1] if attachment else rest
    return Download(f"{own}_{digits}", file, own, digits, own != who)


def moodle_name(name):
    """"Ada Lovelace_4711_assignsubmission_file" is Ada Lovelace, whose number for Moodle is 4711.
    None for another kind of name."""
    found = re.match("(.+)_([0-9]+)_assignsubmission_", name, re.S)
    return found and found.groups()
