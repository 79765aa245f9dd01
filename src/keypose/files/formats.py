"""How is something saved, and loaded again? By the ending of its file: scenes as .json, takes as .csv or .npz.

Everything is written through `write_safely`: a crash at any moment leaves the old file or the new one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.files.os_errors import File, file_label, parse_file_name
from keypose.files.reading import read_whole
from keypose.files.writing import write_safely
from keypose.motion import Take
from keypose.stage import Stage


@dataclass(frozen=True)
class FileFormat:
    """What a file with this ending holds, and the two ways between them."""

    content_type: type
    encode: Callable[[Any], bytes | Iterable[bytes]]
    decode: Callable[[bytes, str], Any]


def save(thing: Stage | Take, file: File) -> Path:
    """Save a stage as .json, a take as .csv or .npz; the path it was saved under."""
    write_safely(file, encode_content(thing, file))
    return Path(parse_file_name(file))


def encode_content(thing: Stage | Take, file: File) -> bytes | Iterable[bytes]:
    """What a file with this name would hold, piece by piece where it may be long."""
    return FORMATS[check_format(file, type(thing))].encode(thing)


def load(file: File) -> Any:
    """What a file holds: a Stage from .json, a Take from .csv or .npz."""
    suffix = FORMATS[check_format(file)]
    return suffix.decode(read_whole(file), file_label(file))


def check_format(file: File, kind: type | None = None) -> str:
    """The ending of a file in lower case, if it can hold this kind of thing."""
    suffix = Path(parse_file_name(file)).suffix.lower()
    suitable = [
        suffix_option
        for suffix_option, one in FORMATS.items()
        if kind is not None and issubclass(kind, one.content_type)
    ]
    if suffix not in FORMATS:
        found = f"the ending {short_repr(suffix)}" if suffix else "no ending"
        raise KeyposeError(f"{file_label(file)} has {found}.{did_you_mean(suffix[:20], suitable or FORMATS)}")
    if kind is not None and suffix not in suitable:
        remedy = f"Use {' or '.join(suitable)}." if suitable else "Save a Stage or a Take."
        raise KeyposeError(f"A {kind.__name__} cannot be saved as {suffix}. {remedy}")
    return suffix


def _encode_scene(stage: Stage) -> Iterable[bytes]:
    from keypose.document import write

    return write(stage)


def _decode_scene(content: bytes, name: str) -> Stage:
    from keypose.document import read

    return read(content, name)


def _encode_csv(take: Take) -> Iterable[bytes]:
    from keypose.export import csv_lines

    return csv_lines(take)


def _decode_csv(content: bytes, name: str) -> Take:
    from keypose.export import csv_take

    return _decode_take(csv_take, content, name)


def _encode_npz(take: Take) -> bytes:
    from keypose.export import npz_bytes

    return npz_bytes(take)


def _decode_npz(content: bytes, name: str) -> Take:
    from keypose.export import npz_take

    return _decode_take(npz_take, content, name)


def _decode_take(decode: Callable[[bytes], Take], content: bytes, name: str) -> Take:
    """What was read; what is wrong with it is told with the name of the file."""
    try:
        return decode(content)
    except KeyposeError as error:
        raise KeyposeError(f"{name} cannot be read. {error}") from None


FORMATS = {
    ".json": FileFormat(Stage, _encode_scene, _decode_scene),
    ".csv": FileFormat(Take, _encode_csv, _decode_csv),
    ".npz": FileFormat(Take, _encode_npz, _decode_npz),
}
