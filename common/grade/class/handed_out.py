"""What was handed out to a class: the stub of each lesson, and all files of a release; and the
references, which were not. Compares with it what came back."""

import functools
import hashlib
import re

from jobs import run_job
from take import take_path
from text import file_text, save

FILE_MOST = 4 << 20  # bytes
NAMED = 5            # files that are named
TOKENS_THAT_TELL = 40


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


# --- references

@functools.lru_cache(4)
def tokens_in(text):
    """The tokens of a file, without comments. No pattern here reads a part of the text twice,
    whatever is in it."""
    code = re.sub(r"//[^\n]*|/\*.*?(\*/|\Z)|^[ \t]*#[^\n]*", " ", text, flags=re.S | re.M)
    return re.findall(r'\w+|"(?:[^"\\]|\\.)*"?|\S', code)


def tokens_of(text, function):
    """Those of a function's definition from its name on; [] if it is not there."""
    tokens, depth, start = tokens_in(text), 0, None
    for i, token in enumerate(tokens):
        if depth == 0 and token in (function, ";"):
            start = i if token == function else None
        depth += (token == "{") - (token == "}")
        if token == "}" and depth == 0 and start is not None:
            return tokens[start:i + 1]
    return []


def is_alike(text, reference, function):
    """Is a function the reference's own, apart from its layout, comments and names? The names may
    differ, if each has the same places as a name there. Short functions are alike by nature."""
    a, b = tokens_of(text, function), tokens_of(reference, function)
    if len(a) != len(b) or len(a) < TOKENS_THAT_TELL:
        return False
    for x, y in zip(a, b):
        if x != y and not (re.match(r"[^\W\d]", x) and re.match(r"[^\W\d]", y)):
            return False
    return all(a.index(x) == b.index(y) for x, y in zip(a, b))


# --- a release

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
