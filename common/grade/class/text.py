"""Names, lines, tables and dates as other people, programs and systems write them, and as text that
can be read and that commands no terminal.

A name is a string, as os.fsdecode() makes it. What would not be seen in it, and what is no UTF-8,
is shown as \\x0a, byte by byte, so no two names look the same."""

import csv
import io
import os
import re
import sys
import unicodedata
from datetime import datetime, timedelta, timezone


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


# --- names of files: copies get numbers, downloads the student's name in front

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


def read_download(name):
    """What the name of a file says that Canvas or Moodle downloads without a folder for each
    student: its person, "kingada_123" or "Ada King_123_assignsubmission_file", the name that the
    student gave it, and what Canvas says. Empty for another name."""
    number = re.match(r"(.+?)_([0-9]{2,})_(.+)", name, re.S)
    if not number:
        return {}
    who, digits, rest = number.groups()
    moodle = re.match("assignsubmission_file_(.+)", rest, re.S)
    if moodle:
        return {"person": f"{who}_{digits}_assignsubmission_file", "file": moodle[1]}
    attachment = re.match("[0-9]{3,}_(.+)", rest, re.S)
    if not attachment and not re.search(r"\.c(\.txt)?\Z", rest, re.I):
        return {}
    own = re.sub(r"_(late|LATE)\Z", "", who)
    return {"person": f"{own}_{digits}", "file": attachment[1] if attachment else rest,
            "canvas_name": own, "canvas_id": digits, "late_by_canvas": own != who}


def moodle_name(name):
    """"Ada Lovelace_4711_assignsubmission_file" is Ada Lovelace, whose number for Moodle is 4711.
    None for another kind of name."""
    found = re.match("(.+)_([0-9]+)_assignsubmission_", name, re.S)
    return found and found.groups()


# --- tables of commas, as RFC 4180 has them

MARK = "\ufeff"


def is_formula(cell):
    """Would a spreadsheet run it? A single sign means "nothing", as in Moodle's worksheets."""
    words = cell.lstrip(" ")
    number = re.fullmatch(r"[+-]\d*\.?\d+([eE][+-]?\d+)?", words)
    return len(words) > 1 and words[0] in "=+-@\t\r\n" and not number


def cell(value):
    words = value if isinstance(value, str) else f"{value:.10g}"
    return "'" + words if is_formula(words) else words


def line(*values, end="\r\n"):
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(cell, values))
    return text.getvalue()[:-2] + end


class Table:
    """The reader takes LF and CRLF, a BOM and semicolons, and skips empty lines."""

    def __init__(self, text):
        self.marked, self.returns = text.startswith(MARK), "\r\n" in text
        text = text.lstrip(MARK)
        first = text.partition("\n")[0]
        self.comma = ";" if ";" in first and "," not in first else ","
        if text.count('"') % 2:
            raise ValueError("a quote is not closed")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.comma)
        self.rows = [row for row in reader if row]
        if not self.rows:
            raise ValueError("it is empty")

    def column(self, *headings):
        """The number of the column with one of these headings, whatever its case; None."""
        heads = [head.lower() for head in self.rows[0]]
        return next((heads.index(h.lower()) for h in headings if h.lower() in heads), None)

    def cell(self, row, *headings):
        """"" if the row is too short or there is no such column."""
        column = self.column(*headings)
        return row[column] if column is not None and column < len(row) else ""


def read_table(path):
    """Ends the program if it cannot be read or is no such table."""
    try:
        with open(path, "rb") as file:
            text = os.fsdecode(file.read())
        if "\0" in text:
            raise ValueError("it contains bytes that are not text")
        return Table(text)
    except OSError:
        die(f"{path} is not a table with commas: it cannot be read.")
    except (csv.Error, ValueError) as error:
        die(f"{path} is not a table with commas: {error}.")


# --- dates: a computer's is in UTC unless it names a zone, the others in the zone of this machine

# The first letters of a month's name, in English and in German.
MONTHS = {name: 1 + i % 12 for i, name in enumerate(
    "jan feb mar apr may jun jul aug sep oct nov dec "
    "jan feb mär apr mai jun jul aug sep okt nov dez".split())}


def time_of(year, month, day, hour, minute, second=0, zone=timezone.utc):
    """In seconds since 1970; None if there is no such time. A zone that is None is that of here."""
    if hour > 24 or minute > 59:
        return None
    try:
        moment = datetime(year, month, day) + timedelta(hours=hour, minutes=minute, seconds=second)
        return int(moment.replace(tzinfo=zone).timestamp())
    except (ValueError, OverflowError):
        return None


def read_moment(text):
    """Reads "2026-11-30T23:59:00.5+01:00", with a blank for the T, with Z or UTC, or without a
    zone, which is UTC, too. Returns the time, or None, and what comes behind it."""
    found = re.match(r"(\d{4})-(\d\d?)-(\d\d?)[T ](\d\d?):(\d\d?)(?::(\d\d?))?(?:\.\d*)?"
                     r"(?: *(?:UTC|Z|([+-])(\d\d):?(\d\d)))?", text)
    if not found:
        return None, text
    sign, hours, minutes = found[7], int(found[8] or 0), int(found[9] or 0)
    ahead = timedelta(hours=hours, minutes=minutes).total_seconds() * (-1 if sign == "-" else 1)
    time = time_of(*(int(part or 0) for part in found.groups()[:6]))
    return time and int(time - ahead), text[found.end():]


def moment_in_name(name):
    """A time somewhere in a name, as in "ada_attempt_2026-11-30-23-59-00"."""
    found = re.search(r"(20\d\d)-(\d\d)-(\d\d)[-_T ](\d\d)[-.:](\d\d)[-.:](\d\d)", name)
    return found and time_of(*map(int, found.groups()), zone=None)


def moment_in_words(words):
    """Reads "Monday, 30 November 2026, 11:59 PM", in English or German."""
    numbers = [int(number) for number in re.findall(r"(?<![\d:])\d{1,4}(?![\d:])", words)]
    clock = re.search(r"(\d\d?):(\d\d)", words)
    month = next((MONTHS[word[:3].lower()] for word in re.findall(r"[^\W\d]+", words)
                  if word[:3].lower() in MONTHS), 0)
    year, day = max(numbers, default=0), min(numbers, default=0)
    if not clock or year < 1900:
        return None
    half = re.search(r"\b([ap])m\b", words, re.I)
    hour = int(clock[1]) if not half else int(clock[1]) % 12 + 12 * (half[1] in "pP")
    return time_of(year, month, day, hour, int(clock[2]), zone=None)


def moment(time):
    """2026-11-30 22:59:00 UTC; "" for no time."""
    return f"{datetime.fromtimestamp(time, timezone.utc):%Y-%m-%d %H:%M:%S} UTC" if time else ""
