"""Is this archive what it says? Sizes, kinds and shapes of its arrays are judged before any of them is unpacked.

An array is plain numbers or plain text. Objects are never unpickled: the little header of each array is matched
against what numpy writes, not evaluated.
"""

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from math import prod
from typing import BinaryIO, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.export.tracks import MAX_BYTES, open_stream, too_large_error
from keypose.maths import Floats, Ints

T = TypeVar("T")

FLOATS, INTEGERS, TEXT = "<f8", "<i8", "<U"
KIND_NAMES = {FLOATS: "float64", INTEGERS: "int64", TEXT: "text"}

MAX_MEMBERS = 65_000
MAX_DIRECTORY_BYTES = 1 << 24

_END, _END_SIZE, _LOCATOR, _LOCATOR_SIZE = b"PK\x05\x06", 22, b"PK\x06\x07", 20
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?[a-zA-Z][0-9]{0,9})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,12}, ?){0,3}(?:[0-9]{1,12})?)\), \} *\n"
)
_UNREADABLE = (BadZipFile, EOFError, OSError, OverflowError, RuntimeError, ValueError, struct.error, zlib.error)


@dataclass(frozen=True)
class ArrayMember:
    """One array of an archive, not yet read."""

    archive: ZipFile
    info: ZipInfo
    kind: str
    shape: tuple[int, ...]
    is_fortran_order: bool
    data_start: int

    @property
    def name(self) -> str:
        """Without its ending."""
        return self.info.filename.removesuffix(".npy")

    def check(self, kind: str, shape: tuple[int, ...]) -> None:
        """Refuse another kind, or another shape; −1 stands for any length."""
        if not (self.kind == kind or (kind == TEXT and self.kind.startswith(TEXT))):
            raise KeyposeError(f"Array {self.name!r} is of kind {self.kind!r}. Give {KIND_NAMES[kind]}.")
        fits = len(shape) == len(self.shape) and all(
            length == expected or expected == -1 for length, expected in zip(self.shape, shape, strict=True)
        )
        if not fits:
            shape_text = str(shape).replace("-1", "any")
            raise KeyposeError(f"Array {self.name!r} has the shape {self.shape}. Give {shape_text}.")

    def floats(self) -> Floats:
        """Its numbers, read-only."""
        found = np.frombuffer(self._bytes(), dtype=FLOATS).astype(np.float64, copy=False)
        return found.reshape(self.shape, order="F" if self.is_fortran_order else "C")

    def integer(self) -> int:
        """Its only number."""
        return int(self.integers()[0])

    def integers(self) -> Ints:
        """Its whole numbers, read-only, one after the other."""
        return np.frombuffer(self._bytes(), dtype=INTEGERS).astype(np.int64, copy=False)

    def texts(self) -> list[str]:
        """Its texts."""
        read = self._bytes()
        letters = np.frombuffer(read, dtype="<u4")
        if ((letters > 0x10FFFF) | ((letters >= 0xD800) & (letters < 0xE000))).any():
            raise KeyposeError(f"Array {self.name!r} holds letters that do not exist. Save it anew.")
        texts: list[str] = np.frombuffer(read, dtype=self.kind).tolist()
        return texts

    def _bytes(self) -> bytes:
        size = self.info.file_size - self.data_start

        def read() -> bytes:
            with self.archive.open(self.info) as file:
                file.read(self.data_start)
                return file.read(size)  # asked for all there is, zipfile would unpack beyond what was announced

        found = _try_read(read)
        if len(found) != size:
            raise KeyposeError(f"Array {self.name!r} ends before it should. Save the take anew.")
        return found


def read_members(source: bytes | BinaryIO) -> dict[str, ArrayMember]:
    """The arrays of an archive by name, none of them read; refused if they could not be what they say."""
    stream = _seekable_stream(open_stream(source, "The archive"))
    _check_directory(stream)
    archive = _try_read(lambda: ZipFile(stream))
    infos = archive.infolist()
    size = sum(info.file_size for info in infos)
    if size > MAX_BYTES:
        raise too_large_error("What the archive holds", size)
    found: dict[str, ArrayMember] = {}
    for info in infos:
        member = _parse_member(archive, info)
        if member.name in found:
            raise KeyposeError(f"The archive holds two arrays {member.name!r}. Save the take anew.")
        found[member.name] = member
    return found


def _try_read(read: Callable[[], T]) -> T:
    try:
        return read()
    except _UNREADABLE as error:
        raise KeyposeError(f"The archive cannot be read: {short_repr(str(error))}. Save the take anew.") from None


def _seekable_stream(stream: BinaryIO) -> BinaryIO:
    if stream.seekable():
        return stream
    read = stream.read(MAX_BYTES + 1)
    if len(read) > MAX_BYTES:
        raise too_large_error("The archive", len(read))
    return BytesIO(read)


def _check_directory(stream: BinaryIO) -> None:
    """Refuse a directory that is large by itself: zipfile makes an object of each entry before anybody can look."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _END_SIZE - _LOCATOR_SIZE))
    tail = stream.read()
    end = tail[-_END_SIZE:]
    if len(end) < _END_SIZE or not end.startswith(_END) or not end.endswith(b"\0\0"):
        raise KeyposeError("This is not an .npz archive, or its end is missing. Save the take anew.")
    entries, directory = struct.unpack("<HI", end[10:16])
    if tail.startswith(_LOCATOR) or entries > MAX_MEMBERS or directory > MAX_DIRECTORY_BYTES:
        raise KeyposeError(f"The archive lists more than {MAX_MEMBERS:,} arrays. Save the take in parts.")


def _parse_member(archive: ZipFile, info: ZipInfo) -> ArrayMember:
    """What an entry of the directory says of itself."""
    label = short_repr(info.filename)
    if not re.fullmatch(r"[a-z_]{1,20}[0-9]{0,9}\.npy", info.filename):
        raise KeyposeError(f"The archive holds {label}, which is no array of a take. Take it out.")
    if info.flag_bits & 1 or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise KeyposeError(f"{label} in the archive is encrypted, or packed in an unusual way. Save the take anew.")

    def read() -> tuple[bytes, bytes]:
        with archive.open(info) as file:
            start = file.read(len(_MAGIC) + 2)
            return start, file.read(int.from_bytes(start[-2:], "little"))

    start, header = _try_read(read)
    found = _HEADER.fullmatch(header)
    if not start.startswith(_MAGIC) or found is None:
        raise KeyposeError(f"{label} in the archive is not a plain array of numbers or text. Save the take anew.")
    kind, shape = found[1].decode(), tuple(int(length) for length in found[3].split(b",") if length.strip())
    data_start = len(start) + len(header)
    if kind in (FLOATS, INTEGERS) or kind.startswith(TEXT):
        item_size = 4 * int(kind[2:] or 0) if kind.startswith(TEXT) else 8
        if data_start + prod(shape) * item_size != info.file_size or not item_size:
            raise KeyposeError(f"{label} in the archive is not as long as its shape {shape} says. Save the take anew.")
    return ArrayMember(archive, info, kind, shape, found[2] == b"True", data_start)
