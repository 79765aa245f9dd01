"""What was not saved when the studio last ended? What its journal tells, played again to the same bytes."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keypose.document.scene import read, write
from keypose.errors import KeyposeError
from keypose.files.os_errors import called
from keypose.files.reading import read_whole
from keypose.stage.stage import Stage
from keypose.studio.session.app_state import journals
from keypose.studio.session.journal import Found, left_behind, read_records
from keypose.studio.session.scene_diff import Scene, applied, difference, plain_scene

DAMAGED = ".damaged"


def begun(stage: Stage, file: Path | None, is_saved: bool) -> bytes:
    """The record of a whole document: the first of a journal, and another one opened later."""
    return _record({"document": plain_scene(stage), "file": None if file is None else str(file), "saved": is_saved})


def changed(before: Stage, after: Stage, says: str | None, edits: int, is_saved: bool) -> bytes:
    """The record of a change to the document, which is so many edits away now from the last whole one."""
    return _record({"change": difference(before, after), "says": says, "edits": edits, "saved": is_saved})


@dataclass(frozen=True, eq=False)
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
    found: list[Recoverable] = []
    for file in left_behind(journals(state)):
        with suppress(OSError, KeyposeError):
            told = played(file, read_records(read_whole(file)))
            unsaved = [one for one in told if not (one.is_saved or _is_in_its_file(one))]
            if not told:
                file.rename(file.with_suffix(DAMAGED))
            elif not unsaved:
                file.unlink()
            else:
                found = [*_without(found, unsaved[-1]), unsaved[-1]]
    return tuple(reversed(found))


def forget(one: Recoverable) -> None:
    """Leave it; it is not offered again."""
    with suppress(OSError):
        one.journal.unlink()


def stage_of(scene: Scene) -> Stage:
    """The stage that plain values describe."""
    return read(json.dumps(scene, allow_nan=False).encode(), "The journal's scene")


def played(file: Path, found: Found) -> list[Recoverable]:
    """What a journal comes to: its last document, after those that were left unsaved and that undo would bring back.

    Nothing if not even its first record is good.
    """
    told: list[dict[str, Any]] = []
    for content in found.records:
        try:
            record = json.loads(content)
            if "document" in record:
                told = [*_left(told, record), _begun(record)]
            else:
                told = [*told[:-1], _after(told[-1], record)]
        except (ValueError, LookupError, TypeError, AttributeError):  # a good checksum over words of another version
            break
    return [Recoverable(journal=file, damage=found.damage, **one) for one in told]


def _begun(record: dict[str, Any]) -> dict[str, Any]:
    """A whole document, before anything was done to it."""
    scene, file, is_saved = record["document"], record["file"], record["saved"]
    return {
        "file": None if file is None else Path(file),
        "base": scene,
        "base_is_saved": is_saved,
        "scene": scene,
        "is_saved": is_saved,
        "edits": 0,
        "last": None,
    }


def _after(now: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    """A document after a change. A journal of an earlier studio does not tell how many edits that are."""
    return {
        **now,
        "scene": applied(now["scene"], record["change"]),
        "is_saved": record["saved"],
        "edits": record.get("edits", now["edits"] + 1),
        "last": record["says"],
    }


def _left(told: list[dict[str, Any]], record: dict[str, Any]) -> list[dict[str, Any]]:
    """Those that are left unsaved when another document comes, without one that comes back."""
    coming = record["document"], _begun(record)["file"]
    return [one for one in told if not one["is_saved"] and (one["scene"], one["file"]) != coming]


def _without(found: list[Recoverable], later: Recoverable) -> list[Recoverable]:
    """Those that are not the same as a later one, into which they were taken up just before the end."""
    same = [one for one in found if one.file == later.file and _text(one) == _text(later)]
    for one in same:
        forget(one)
    return [one for one in found if one not in same]


def _text(one: Recoverable) -> bytes:
    """Its scene as a file would have it."""
    return b"".join(write(stage_of(one.scene)))


def _is_in_its_file(one: Recoverable) -> bool:
    """Whether the scene was saved after all, just before the end."""
    if one.file is None:
        return False
    try:
        return read_whole(one.file) == _text(one)
    except KeyposeError:
        return False


def _record(said: dict[str, Any]) -> bytes:
    return _ENCODER.encode(said).encode()


_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
