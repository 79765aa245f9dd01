"""How is something saved, and loaded again? By the ending of its file: scenes as .json, takes as .csv or .npz.

Everything is written through `write_safely`: a crash at any moment leaves the old file or the new one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.files.os_errors import File, called, named
from keypose.files.reading import read_whole
from keypose.files.writing import write_safely
from keypose.motion.take import Take
from keypose.stage.stage import Stage


@dataclass(frozen=True)
class Ending:
    """What a file with this ending holds, and the two ways between them."""

    holds: type
    written: Callable[[Any], bytes | Iterable[bytes]]
    read: Callable[[bytes, str], Any]


def save(thing: Stage | Take, file: File) -> Path:
    """Save a stage as .json, a take as .csv or .npz; the path it was saved under."""
    write_safely(file, content_of(thing, file))
    return Path(named(file))


def content_of(thing: Stage | Take, file: File) -> bytes | Iterable[bytes]:
    """What a file with this name would hold, piece by piece where it may be long."""
    return ENDINGS[check_ending(file, type(thing))].written(thing)


def load(file: File) -> Any:
    """What a file holds: a Stage from .json, a Take from .csv or .npz."""
    ending = ENDINGS[check_ending(file)]
    return ending.read(read_whole(file), called(file))


def check_ending(file: File, kind: type | None = None) -> str:
    """The ending of a file in lower case, if it can hold this kind of thing."""
    ending = Path(named(file)).suffix.lower()
    fitting = [other for other, one in ENDINGS.items() if kind is not None and issubclass(kind, one.holds)]
    if ending not in ENDINGS:
        have = f"the ending {shown(ending)}" if ending else "no ending"
        raise KeyposeError(f"{called(file)} has {have}.{did_you_mean(ending[:20], fitting or ENDINGS)}")
    if kind is not None and ending not in fitting:
        remedy = f"Use {' or '.join(fitting)}." if fitting else "Save a Stage or a Take."
        raise KeyposeError(f"A {kind.__name__} cannot be saved as {ending}. {remedy}")
    return ending


def _scene_text(stage: Stage) -> Iterable[bytes]:
    from keypose.document.scene import write

    return write(stage)


def _scene(content: bytes, name: str) -> Stage:
    from keypose.document.scene import read

    return read(content, name)


def _csv_text(take: Take) -> Iterable[bytes]:
    from keypose.export.csv_table import csv_lines

    return csv_lines(take)


def _csv_take(content: bytes, name: str) -> Take:
    from keypose.export.csv_table import csv_take

    return _told(csv_take, content, name)


def _npz_content(take: Take) -> bytes:
    from keypose.export.npz_table import npz_bytes

    return npz_bytes(take)


def _npz_take(content: bytes, name: str) -> Take:
    from keypose.export.npz_table import npz_take

    return _told(npz_take, content, name)


def _told(read: Callable[[bytes], Take], content: bytes, name: str) -> Take:
    """What was read; what is wrong with it is told with the name of the file."""
    try:
        return read(content)
    except KeyposeError as error:
        raise KeyposeError(f"{name} cannot be read. {error}") from None


ENDINGS = {
    ".json": Ending(Stage, _scene_text, _scene),
    ".csv": Ending(Take, _csv_text, _csv_take),
    ".npz": Ending(Take, _npz_content, _npz_take),
}
