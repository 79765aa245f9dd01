"""Where does the studio keep what is its own? Journals and recent files, in a folder beside nothing of the user's."""

import json
import os
from contextlib import suppress
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.files import read_whole, write_safely
from keypose.studio.session.journal import JOURNAL_ENDING, make_folder

MAX_RECENT = 10


def state_folder(given: Path | None = None) -> Path:
    """The folder given, else that of KEYPOSE_STATE, else the system's own place for such things."""
    if given is not None:
        return given
    if configured := os.environ.get("KEYPOSE_STATE"):
        return Path(configured)
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "keypose"


def journal_folder(state: Path) -> Path:
    """The folder of the journals."""
    return state / "journals"


def new_journal_path(state: Path) -> Path:
    """A name for a journal that no other has."""
    return journal_folder(state) / f"{os.getpid()}-{os.urandom(6).hex()}{JOURNAL_ENDING}"


def recent_files(state: Path) -> tuple[Path, ...]:
    """The scene files that were opened or saved last and are still there, the last one first."""
    try:
        found = json.loads(read_whole(state / "recent.json"))
    except (KeyposeError, ValueError):
        return ()
    files = [Path(one) for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return tuple(file for file in files if "\0" not in str(file) and file.is_file())


def add_recent_file(state: Path, file: Path) -> None:
    """Put a file before the other recent ones; a state folder that cannot be written is no reason to fail."""
    file = Path(os.path.realpath(file))
    files = [file, *(other for other in recent_files(state) if other != file)][:MAX_RECENT]
    with suppress(KeyposeError, OSError):
        make_folder(state)
        write_safely(state / "recent.json", json.dumps([str(one) for one in files]).encode())
