"""Opens and reads what other people wrote, by its name in an open folder. A file is looked at
before it is opened and again when it is open, because it may be replaced in between; no open waits,
and none follows a link."""

import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass

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
    opened = None
    try:
        opened = os.open(name, FLAGS | os.O_DIRECTORY, dir_fd=folder)
    except OSError:
        pass
    try:
        yield opened if opened is not None and is_readable(os.fstat(opened).st_mode) else None
    finally:
        if opened is not None:
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
