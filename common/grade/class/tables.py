"""Tables of commas, as RFC 4180 has them. The reader takes LF and CRLF, a BOM and semicolons, and
skips empty lines; a worksheet of Moodle's is written as it was read."""

import os
import re

from text import die

MARK = "\ufeff"


def is_formula(cell):
    """Would a spreadsheet run it? A single sign means "nothing", as in Moodle's worksheets."""
    words = cell.lstrip(" ")
    number = re.fullmatch(r"[+-]\d*\.?\d+([eE][+-]?\d+)?", words)
    return len(words) > 1 and words[0] in "=+-@\t\r\n" and not number


def cell(value):
    words = value if isinstance(value, str) else f"{value:.10g}"
    if is_formula(words):
        words = "'" + words
    if re.search(r'[,"\t\r\n]|^ | \Z', words):
        words = '"' + words.replace('"', '""') + '"'
    return words


def row(*values, end="\r\n"):
    return ",".join(map(cell, values)) + end


class Table:
    def __init__(self, text):
        self.marked, self.returns = text.startswith(MARK), "\r\n" in text
        text = text.lstrip(MARK)
        first = text.partition("\n")[0]
        self.comma = ";" if ";" in first and "," not in first else ","
        self.rows, row = [], []
        part = re.compile(rf'("(?:[^"]|"")*")?([^{self.comma}\r\n]*)({self.comma}|\r?\n|\r|\Z)')
        for quoted, rest, end in part.findall(text):
            if rest.startswith('"'):
                raise ValueError("a quote is not closed")
            row.append(quoted[1:-1].replace('""', '"') + rest)
            if end != self.comma:
                self.rows += [row] if row != [""] else []
                row = []
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
    except ValueError as error:
        die(f"{path} is not a table with commas: {error}.")
