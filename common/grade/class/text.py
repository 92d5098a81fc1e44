"""Names and lines that other people wrote, as text that can be read and that commands no terminal.

A name is a string, as os.fsdecode() makes it. What would not be seen in it, and what is no UTF-8,
is shown as \\x0a, byte by byte, so no two names look the same."""

import os
import re
import sys
import unicodedata


def die(words):
    """Ends the program, which can grade nothing."""
    print(words, file=sys.stderr)
    sys.exit(2)


def say(words, end="\n"):
    """Prints a line. Its reader may be gone; grading goes on."""
    try:
        print(words, end=end, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def save(path, data):
    """Writes a file, and makes its folder."""
    what = f"make the folder {os.path.dirname(path)}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        what = f"write {path}"
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else os.fsencode(data))
    except OSError as error:
        die(f"cannot {what}: {error.strerror}")


def file_text(path):
    """The text of a file; "" if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read())
    except OSError:
        return ""


def listed(words, more, between=", ", most=None):
    """A list in words, and what comes behind it. Beyond `most` letters it stays as it is."""
    if most is not None and len(words) > most:
        return words
    return words + between + more if words else more


def is_seen(letter):
    kind = unicodedata.category(letter)
    return kind[0] != "C" and kind not in ("Zl", "Zp") and letter < "\U000e0000"


def escaped(words):
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(words))


def shown_lines(lines):
    return "".join(c if c in "\n\t" or is_seen(c) else escaped(c) for c in lines)


def shown_name(name):
    """The name of a file or folder, as a piece of one line. A blank at an end would not be seen."""
    whole = name.replace("\\x", escaped("\\") + "x")  # else it would look like an escape
    seen = "".join(c if is_seen(c) else escaped(c) for c in whole)
    return re.sub(r"^ |(?<=.) $", lambda _: escaped(" "), seen)


def file_name(shown):
    """A shown name as the name of a file of at most 100 bytes; letters of other scripts stay."""
    cut = shown.encode()[:100].decode(errors="ignore")
    name = re.sub("[^\\w.\x80-\U0010ffff-]", "_", cut, flags=re.A)
    return name if re.match("[^.-]", name) else f"_{name}"
