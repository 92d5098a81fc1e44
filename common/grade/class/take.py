"""Opens and reads what other people wrote, by its name in an open folder, and compares it with what
was handed out: the stub of each lesson, and all files of a release. A file is looked at before it
is opened and again when it is open, because it may be replaced in between; no open waits, and none
follows a link."""

import hashlib
import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass

from jobs import run_job
from text import file_text, save

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


@dataclass
class Taken:
    refused: str = ""  # why it was not taken
    data: bytes = b""
    written: int = 0
    absent: bool = False
    converted: bool = False  # from UTF-16


def mode_of(folder, name):
    """What a file or folder is; 0 if it is not there."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return 0


def is_readable(mode):
    """Root may read everything, and should not."""
    return mode & 0o444


def what_it_is(mode):
    return ("it is a link, not a regular file" if stat.S_ISLNK(mode)
            else "it is a folder, not a regular file" if stat.S_ISDIR(mode)
            else "it is a pipe, not a regular file" if stat.S_ISFIFO(mode)
            else "it is not a regular file")


def take_open(file, most):
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        return Taken(what_it_is(about.st_mode))
    if not is_readable(about.st_mode):
        return Taken("it cannot be read")
    data = b"" if about.st_size > most else file.read(most + 1)
    if max(len(data), about.st_size) > most:
        return Taken("it is too large")
    return Taken(data=data, written=int(about.st_mtime))


def take_file(folder, name, most):
    """A regular file of at most so many bytes, in the open folder."""
    mode = mode_of(folder, name)
    if not stat.S_ISREG(mode):
        return Taken(what_it_is(mode), absent=mode == 0)
    try:
        with open(os.open(name, FLAGS, dir_fd=folder), "rb") as file:
            return take_open(file, most)
    except OSError:
        return Taken("it cannot be read")


@contextmanager
def open_folder(folder, name):
    """Opens a folder in an open one, and no link to one; None."""
    try:
        opened = os.open(name, FLAGS | os.O_DIRECTORY, dir_fd=folder)
    except OSError:
        yield None
        return
    try:
        yield opened if is_readable(os.fstat(opened).st_mode) else None
    finally:
        os.close(opened)


def take_path(folder, path, most):
    """The same as take_file() for a path through folders, no link among them."""
    first, slash, rest = path.partition("/")
    if not slash:
        return take_file(folder, path, most)
    with open_folder(folder, first) as inner:
        if inner is None:
            return Taken("its folder cannot be read", absent=mode_of(folder, first) == 0)
        return take_path(inner, rest, most)


def take_source(folder, name, most):
    """The same as take_file() for a text. What some editors of Windows call "Unicode", UTF-16 with
    its mark in front, becomes UTF-8."""
    taken = take_file(folder, name, most)
    if not taken.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return taken
    try:
        text = taken.data.decode("utf-16")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return Taken("it begins like UTF-16, but is not valid. Save it as UTF-8")
    return Taken(data=text.encode(), written=taken.written, converted=True)


# --- what was handed out

FILE_MOST = 4 << 20  # bytes
NAMED = 5            # files that are named


def stub_file(lesson, work):
    return f"{work}/stub/{lesson.folder}/{lesson.name}.c"


def stub_of(lesson, work):
    """The text of a lesson's stub, which is made once in a run; b"" if it cannot be."""
    if lesson.stub is None:
        file = stub_file(lesson, work)
        save(file, b"")
        job = run_job(["sh", "common/make/stubs.sh", "print", lesson.folder], file)
        lesson.stub = file_text(file).encode() if job.status == 0 else b""
    return lesson.stub


def squeezed(text):
    """Without white space, which editors change, and the mark with which those of Windows begin."""
    return b"".join(text[3 * text.startswith(b"\xef\xbb\xbf"):].split())


def same_but_for_space(a, b):
    return squeezed(a) == squeezed(b)


def release_changed(release, folder, stands_for):
    """Compares the files of a release in an open folder, which is the folder `stands_for` of it, ""
    or "lessons/". `release` is the text of its file RELEASE, lines "SHA-256 path". Returns "" if no
    such file is there, "as handed out", or "changed: " and which; and whether one has changed. A
    link or a pipe in place of a file is a change."""
    same, changed = 0, []
    for line in release.splitlines():
        path = line[66:]
        if not path.startswith(stands_for) or path == stands_for:
            continue
        file = take_path(folder, path[len(stands_for):], FILE_MOST)
        if not file.refused and hashlib.sha256(file.data).hexdigest() == line[:64]:
            same += 1
        elif not file.absent:
            changed.append(path)
    if not changed:
        return ("as handed out" if same else ""), False
    more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
    return "changed: " + ", ".join(changed[:NAMED]) + more, True
