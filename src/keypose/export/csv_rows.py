"""What do the rows of a table say? Numbers, read in pieces as they come; what is not one is found by row and column.

Rows are counted as a spreadsheet counts them: the header is row 1.
"""

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import BinaryIO

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.export.columns import TIME
from keypose.export.tracks import MAX_BYTES, MAX_NUMBERS, too_large_error
from keypose.maths import Floats

CHUNK_BYTES = 1 << 20  # bytes read at a time, and then to the end of the row
MAX_HEADER_BYTES = 1 << 23  # bytes: some hundred thousand columns
MAX_ROW_BYTES = 1 << 25  # bytes: numbers are longer than names
BOM = b"\xef\xbb\xbf"

_FIELD = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|([^",\r\n]*+))(,|\Z)')
_NUMBER = re.compile(r"[ \t]*+[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?[ \t]*+")


def read_header(stream: BinaryIO) -> list[str]:
    """The names of the columns."""
    lines: list[bytes] = []
    size = quotes = 0
    while not lines or quotes % 2:  # a name in quotes may go on on the next line
        line = stream.readline(MAX_HEADER_BYTES - size + 1)
        lines.append(line)
        size += len(line)
        quotes += line.count(b'"')
        if size > MAX_HEADER_BYTES:
            raise KeyposeError(
                f"The header of the table is longer than {MAX_HEADER_BYTES:,} bytes. Save the take as .npz."
            )
        if not line:
            break
    header = b"".join(lines).removeprefix(BOM)
    if not header.strip():
        raise KeyposeError("The table is empty. Its first row names the columns, such as time [s], glass.x [m].")
    try:
        return _header_fields(header.decode().removesuffix("\n").removesuffix("\r"))
    except UnicodeDecodeError:
        raise KeyposeError("The header of the table is not UTF-8 text. Save it as CSV UTF-8.") from None


def read_rows(stream: BinaryIO, columns: Sequence[str]) -> Iterator[Floats]:
    """The rows after the header, (rows, columns) piece by piece; everything in them is finite."""
    size = count = rows = blank = 0
    while piece := stream.read(CHUNK_BYTES):
        rest = stream.readline(MAX_ROW_BYTES)
        if len(rest) == MAX_ROW_BYTES:
            raise KeyposeError(f"A row of the table is longer than {MAX_ROW_BYTES:,} bytes. Save the take as .npz.")
        piece += rest
        body = piece.rstrip(b"\r\n")
        size += len(piece)
        if size > MAX_BYTES:
            raise too_large_error("The table", size)
        if body:
            if blank > 0:
                raise _empty_row_error(rows + 2)
            count += (body.count(b"\n") + 1) * len(columns)
            if count > MAX_NUMBERS:
                raise KeyposeError(f"The table holds more than {MAX_NUMBERS:,} numbers. Save the take in parts.")
            found = _parse_numbers(body, columns, rows + 2)
            rows += len(found)
            yield found
        blank += piece.count(b"\n", len(body)) - bool(body)


def _header_fields(header: str) -> list[str]:
    """The cells of the header; names with commas, quotes or line ends stand in quotes, quotes in them twice."""
    _check_separator(header)
    fields: list[str] = []
    start, separator = 0, ","
    while separator:
        found = _FIELD.match(header, start)
        if found is None:
            raise _header_error(header, start, len(fields) + 1)
        fields.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        start, separator = found.end(), found[3]
    return fields


def _check_separator(header: str) -> None:
    """Refuse what spreadsheets write where commas stand in numbers."""
    if TIME in (field.strip('"') for field in header.split(",")):
        return
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if header.count(separator) > header.count(","):
            raise KeyposeError(
                f"The table is separated by {name}. Save it with commas between columns and points in numbers."
            )


def _header_error(header: str, start: int, column: int) -> KeyposeError:
    if '"' not in header and "\r" in header:
        return KeyposeError("The lines of the table end in lone carriage returns. Save it with LF or CRLF line ends.")
    cell = short_repr(header[start : start + 60])
    return KeyposeError(f"The quotes of column {column} do not pair up: {cell}. Write a quote inside quotes twice.")


def _parse_numbers(body: bytes, columns: Sequence[str], row: int) -> Floats:
    """Whole rows as numbers; `row` is that of the first."""
    if body.count(b",") != (body.count(b"\n") + 1) * (len(columns) - 1):  # before millions of cells are made of commas
        raise _row_error(body, columns, row)
    try:
        lines = body.decode("ascii").split("\n")
        found = np.loadtxt(lines, delimiter=",", comments=None, quotechar='"', ndmin=2)
    except ValueError:
        raise _row_error(body, columns, row) from None
    if found.shape != (len(lines), len(columns)) or not np.isfinite(found).all():
        raise _row_error(body, columns, row)
    return found


def _row_error(body: bytes, columns: Sequence[str], first: int) -> KeyposeError:
    """What is wrong with rows that could not be read: the first thing, cell by cell."""
    lines = body.decode(errors="replace").split("\n")
    for row, line in enumerate(lines, first):
        if not line.strip():
            return _empty_row_error(row)
        count = line.count(",") + 1
        if count != len(columns):
            return KeyposeError(f"Row {row} has {count} cells for {len(columns)} columns. Give every column a number.")
        cells = [cell.removeprefix('"').removesuffix('"') for cell in line.removesuffix("\r").split(",")]
        for column, cell in zip(columns, cells, strict=True):
            if not cell.strip():
                return KeyposeError(f"Row {row}, column {short_repr(column)} is empty. Give a number.")
            if not _NUMBER.fullmatch(cell) or not isfinite(float(cell)):
                return KeyposeError(
                    f"Row {row}, column {short_repr(column)} says {short_repr(cell)}. Give a finite number."
                )
    return KeyposeError(f"Rows {first} to {first + len(lines) - 1} are not numbers between commas. Write them anew.")


def _empty_row_error(row: int) -> KeyposeError:
    return KeyposeError(f"Row {row} is empty, but others follow it. Delete it.")
