"""What was not saved when the studio last ended? What its journal tells, played again to the same bytes."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keypose.document.scene import read, write
from keypose.errors import KeyposeError
from keypose.files.reading import read_whole
from keypose.files.trouble import called
from keypose.stage.stage import Stage
from keypose.studio.differences import Scene, applied, difference, plain_scene
from keypose.studio.journal import Found, left_behind, read_records
from keypose.studio.state import journals

DAMAGED = ".damaged"


def begun(stage: Stage, file: Path | None, is_saved: bool) -> bytes:
    """The record of a whole document: the first of a journal, and another one opened later."""
    return _record({"document": plain_scene(stage), "file": None if file is None else str(file), "saved": is_saved})


def changed(before: Stage, after: Stage, says: str, is_saved: bool) -> bytes:
    """The record of a change to the document."""
    return _record({"change": difference(before, after), "says": says, "saved": is_saved})


@dataclass(frozen=True)
class Recoverable:
    """The document of a studio that ended before it was saved."""

    journal: Path
    file: Path | None
    base: Scene
    """The document before the edits, as plain values."""
    base_is_saved: bool
    scene: Scene
    """The document after them."""
    is_saved: bool
    """Whether nothing of it is lost if it is not recovered."""
    edits: int
    last: str | None
    """What the last of them was."""
    damage: str | None

    def __str__(self) -> str:
        told = f"{self.what.capitalize()} {'of' if self.edits else 'on'} "
        if self.file is None:
            told += "a scene that was never saved"
        else:
            told += f"{called(self.file.name)} {'were' if self.edits > 1 else 'was'} not saved"
        if self.last is not None:
            told += f"; the last was: {self.last}" if self.edits > 1 else f": {self.last}"
        told = told.removesuffix(".") + "."  # a name may end with one
        return told if self.damage is None else f"{told} {self.damage}"

    @property
    def what(self) -> str:
        """What there is to recover, in a word or two."""
        return {0: "work", 1: "1 edit"}.get(self.edits, f"{self.edits} edits")


def recoverable(state: Path) -> tuple[Recoverable, ...]:
    """All that can be recovered, the latest first. Journals with nothing to lose are removed."""
    found = []
    for file in left_behind(journals(state)):
        with suppress(OSError, KeyposeError):
            one = played(file, read_records(read_whole(file)))
            if one is None:
                file.rename(file.with_suffix(DAMAGED))
            elif one.is_saved or _is_in_its_file(one):
                file.unlink()
            else:
                found.append(one)
    return tuple(reversed(found))


def forget(one: Recoverable) -> None:
    """Leave it; it is not offered again."""
    with suppress(OSError):
        one.journal.unlink()


def stage_of(scene: Scene) -> Stage:
    """The stage that plain values describe."""
    return read(json.dumps(scene, allow_nan=False).encode(), "The journal's scene")


def played(file: Path, found: Found) -> Recoverable | None:
    """What a journal comes to, or None if not even its first record is good."""
    state: dict[str, Any] = {}
    for content in found.records:
        try:
            record = json.loads(content)
            if "document" in record:
                base = record["document"]
                state = {"base": base, "scene": base, "file": record["file"], "base_is_saved": record["saved"]}
                state |= {"edits": 0, "last": None, "is_saved": record["saved"]}
            else:
                scene = applied(state["scene"], record["change"])
                state |= {"scene": scene, "edits": state["edits"] + 1, "last": record["says"]}
                state["is_saved"] = record["saved"]
        except (ValueError, KeyError, TypeError, AttributeError):  # a good checksum over words of another version
            break
    if not state:
        return None
    state["file"] = None if state["file"] is None else Path(state["file"])
    return Recoverable(journal=file, damage=found.damage, **state)


def _is_in_its_file(one: Recoverable) -> bool:
    """Whether the scene was saved after all, just before the end."""
    if one.file is None:
        return False
    try:
        return read_whole(one.file) == b"".join(write(stage_of(one.scene)))
    except KeyposeError:
        return False


def _record(said: dict[str, Any]) -> bytes:
    return _ENCODER.encode(said).encode()


_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
