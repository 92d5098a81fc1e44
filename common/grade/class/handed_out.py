"""What was handed out to a class: the stub of each lesson, and all files of a release; and the
references, which were not. Compares with it what came back."""

import hashlib
import subprocess

from jobs import run_job
from take import take_path
from text import file_text, save

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


def alike(file, reference, exercises):
    """Those exercises whose functions in the file are the reference's own but for names."""
    names = [exercise.name for exercise in exercises]
    said = subprocess.run(["build/tutor", "alike", file, reference, *names], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout.decode().split()
    return [exercise for exercise in exercises if exercise.name in said]


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
