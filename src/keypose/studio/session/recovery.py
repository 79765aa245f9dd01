"""What was not saved when the studio last ended? What its journal tells, played again to the same bytes."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keypose.document import read, write
from keypose.errors import KeyposeError
from keypose.files import file_label, read_whole
from keypose.stage import Stage
from keypose.studio.session.app_state import journal_folder
from keypose.studio.session.journal import JournalContent, orphan_journals, read_records
from keypose.studio.session.scene_diff import SceneDict, apply_diff, diff_scenes, plain_scene

DAMAGED_ENDING = ".damaged"


def document_record(stage: Stage, file: Path | None, is_saved: bool) -> bytes:
    """The record of a whole document: the first of a journal, and another one opened later."""
    return encode_record(
        {"document": plain_scene(stage), "file": None if file is None else str(file), "saved": is_saved}
    )


def change_record(before: Stage, after: Stage, label: str | None, edits: int, is_saved: bool) -> bytes:
    """The record of a change to the document, which is so many edits away now from the last whole one."""
    return encode_record({"change": diff_scenes(before, after), "says": label, "edits": edits, "saved": is_saved})


@dataclass(frozen=True, eq=False)
class Recoverable:
    """The document of a studio that ended before it was saved."""

    journal: Path
    file: Path | None
    base: SceneDict
    """The document before the edits, as plain values."""
    base_is_saved: bool
    scene: SceneDict
    """The document after them."""
    is_saved: bool
    """Whether nothing of it is lost if it is not recovered."""
    edits: int
    last: str | None
    """What the last of them was."""
    damage: str | None

    def __str__(self) -> str:
        text = f"{self.summary.capitalize()} {'of' if self.edits else 'on'} "
        if self.file is None:
            text += "a scene that was never saved"
        else:
            text += f"{file_label(self.file.name)} {'were' if self.edits > 1 else 'was'} not saved"
        if self.last is not None:
            text += f"; the last was: {self.last}" if self.edits > 1 else f": {self.last}"
        text = text.removesuffix(".") + "."  # a name may end with one
        return text if self.damage is None else f"{text} {self.damage}"

    @property
    def summary(self) -> str:
        """What there is to recover, in a word or two."""
        return {0: "work", 1: "1 edit"}.get(self.edits, f"{self.edits} edits")


def find_recoverable(state: Path) -> tuple[Recoverable, ...]:
    """All that can be recovered, the latest first. Journals with nothing to lose are removed."""
    found: list[Recoverable] = []
    for file in orphan_journals(journal_folder(state)):
        with suppress(OSError, KeyposeError):
            documents = replay_journal(file, read_records(read_whole(file)))
            unsaved = [document for document in documents if not (document.is_saved or _matches_file(document))]
            if not documents:
                file.rename(file.with_suffix(DAMAGED_ENDING))
            elif not unsaved:
                file.unlink()
            else:
                found = [*_drop_duplicates(found, unsaved[-1]), unsaved[-1]]
    return tuple(reversed(found))


def discard(one: Recoverable) -> None:
    """Leave it; it is not offered again."""
    with suppress(OSError):
        one.journal.unlink()


def stage_from_scene(scene: SceneDict) -> Stage:
    """The stage that plain values describe."""
    return read(json.dumps(scene, allow_nan=False).encode(), "The journal's scene")


def replay_journal(file: Path, found: JournalContent) -> list[Recoverable]:
    """What a journal comes to: its last document, after those that were left unsaved and that undo would bring back.

    Nothing if not even its first record is good.
    """
    entries: list[dict[str, Any]] = []
    for content in found.records:
        try:
            record = json.loads(content)
            if "document" in record:
                entries = [*_unsaved_entries(entries, record), _initial_entry(record)]
            else:
                entries = [*entries[:-1], _entry_after(entries[-1], record)]
        except (ValueError, LookupError, TypeError, AttributeError):  # a good checksum over words of another version
            break
    return [Recoverable(journal=file, damage=found.damage, **entry) for entry in entries]


def _initial_entry(record: dict[str, Any]) -> dict[str, Any]:
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


def _entry_after(entry: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    """A document after a change. A journal of an earlier studio does not tell how many edits that are."""
    return {
        **entry,
        "scene": apply_diff(entry["scene"], record["change"]),
        "is_saved": record["saved"],
        "edits": record.get("edits", entry["edits"] + 1),
        "last": record["says"],
    }


def _unsaved_entries(entries: list[dict[str, Any]], record: dict[str, Any]) -> list[dict[str, Any]]:
    """Those that are left unsaved when another document comes, without one that comes back."""
    opened_document = record["document"], _initial_entry(record)["file"]
    return [entry for entry in entries if not entry["is_saved"] and (entry["scene"], entry["file"]) != opened_document]


def _drop_duplicates(found: list[Recoverable], later: Recoverable) -> list[Recoverable]:
    """Those that are not the same as a later one, into which they were taken up just before the end."""
    same = [one for one in found if one.file == later.file and _scene_bytes(one) == _scene_bytes(later)]
    for one in same:
        discard(one)
    return [one for one in found if one not in same]


def _scene_bytes(one: Recoverable) -> bytes:
    """Its scene as a file would have it."""
    return b"".join(write(stage_from_scene(one.scene)))


def _matches_file(one: Recoverable) -> bool:
    """Whether the scene was saved after all, just before the end."""
    if one.file is None:
        return False
    try:
        return read_whole(one.file) == _scene_bytes(one)
    except KeyposeError:
        return False


def encode_record(content: dict[str, Any]) -> bytes:
    """A record of the journal as bytes."""
    return _ENCODER.encode(content).encode()


_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
