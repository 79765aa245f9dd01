"""Which files may a page name? Those in the studio's folder, whatever it writes to get out of there."""

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from keypose.document import SceneError, read
from keypose.errors import KeyposeError
from keypose.files import FORMATS, file_label, load, read_whole, translate_os_errors
from keypose.motion import Take

SCENE_ENDING = ".json"
TAKE_ENDINGS = tuple(ending for ending, one in FORMATS.items() if one.content_type is Take)
MAX_LISTED_SCENES = 500
MAX_NAME_LENGTH = 200  # bytes
SNIFF_SIZE = 4096  # [bytes] at either end of a file, to see whether it may be a scene
_SHORTENED_PATH = re.compile(r"'…[^'\"]*[/\\]([^'\"/\\]+)['\"]")  # of a very long way only the end is told


class Folder:
    """The folder in which a page may open, save and export."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))

    @property
    def name(self) -> str:
        """Its own name, without the way to it."""
        return self.path.name or str(self.path)

    def scenes(self) -> tuple[str, ...]:
        """The scene files in it, by name."""
        try:
            found = sorted(one for one in self.path.iterdir() if one.suffix.lower() == SCENE_ENDING)
        except OSError:  # removed meanwhile, or not to be listed
            return ()
        scenes = (one.name for one in found if not one.name.startswith(".") and _looks_like_scene(one))
        return tuple(islice(scenes, MAX_LISTED_SCENES))

    def scene_path(self, name: str) -> Path:
        """Where a scene to be opened lies."""
        return self._resolve(name, (SCENE_ENDING,))

    def scene_to_save(self, name: str, current: Path | None) -> Path:
        """Where a scene may be saved: a new file, its own, or another scene's."""
        path = self._resolve(name, (SCENE_ENDING,))
        if path != current and _exists(path):
            try:
                read(read_whole(path))
            except SceneError as error:
                if not _is_keypose_document(path):
                    raise KeyposeError(
                        f"{file_label(name)} holds something else than a scene. Give another name."
                    ) from error
        return path

    def take_to_export(self, name: str) -> Path:
        """Where a take may be written: a new file, or another take's."""
        path = self._resolve(name, TAKE_ENDINGS)
        if _exists(path):
            try:
                content = load(path)
            except KeyposeError as error:
                raise KeyposeError(
                    f"{file_label(name)} holds something else than a take. Give another name."
                ) from error
            assert isinstance(content, Take)
        return path

    def display_name(self, file: Path | None) -> str | None:
        """A file as the page names it."""
        if file is None:
            return None
        return self.relative_name(file) or file.name

    def shorten_paths(self, text: str) -> str:
        """What is said of files, with those of this folder by their own names: the way to it is long, and known."""
        for folder_path in (str(self.path), repr(str(self.path))[1:-1]):
            text = re.sub(f"(?<=['\"]){re.escape(folder_path.removesuffix(os.sep) + os.sep)}", "", text)
        return _SHORTENED_PATH.sub(r"'\1'", text)

    def relative_name(self, file: Path) -> str | None:
        """A file as the page may open it; None if it lies elsewhere."""
        path = Path(os.path.realpath(file))
        return path.relative_to(self.path).as_posix() if path.is_relative_to(self.path) else None

    def _resolve(self, name: str, endings: Sequence[str]) -> Path:
        """The place of a file, links followed; refused if that is not in the folder."""
        _check_name(name)
        if PurePosixPath(name).suffix.lower() not in endings:
            raise KeyposeError(f"{file_label(name)} does not end in {' or '.join(endings)}. Add that to its name.")
        path = Path(os.path.realpath(self.path / name))
        if not path.is_relative_to(self.path) or path == self.path:
            raise KeyposeError(f"{file_label(name)} leads out of the studio's folder. Give the name of a file in it.")
        if path.suffix.lower() not in endings:  # a link may be called as it likes
            raise KeyposeError(f"{file_label(name)} is a link to another kind of file. Give another name.")
        return path


def _check_name(name: str) -> None:
    """Refuse what is no plain name: as it stands, as Windows reads it, and with its percent signs undone."""
    if not name.isprintable() or len(name.encode()) > MAX_NAME_LENGTH:
        raise KeyposeError(
            f"A file cannot be named {file_label(name[:MAX_NAME_LENGTH])}. Use fewer letters, and only visible ones."
        )
    decoded, rounds = name, 0
    while (decoded_again := unquote(decoded)) != decoded and rounds < 5:
        decoded, rounds = decoded_again, rounds + 1
    for text in (name, decoded):
        parts = text.replace("\\", "/").split("/")
        is_outside = PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor or ":" in text or "\0" in text
        if is_outside or any(part in ("", ".", "..") or part.startswith("~") for part in parts):
            raise KeyposeError(f"{file_label(name)} leads out of the studio's folder. Give the name of a file in it.")
        if any(part.startswith(".") for part in parts):
            raise KeyposeError(f"{file_label(name)} is hidden. Give a name that does not begin with a point.")


def _exists(path: Path) -> bool:
    """Whether there is something by that name."""
    with translate_os_errors(path, "cannot be looked at"):
        return path.exists()


def _looks_like_scene(path: Path) -> bool:
    """Whether a file says "keypose" at one of its ends, as scenes do; other programs keep .json files too."""
    try:
        if not path.is_file():  # a pipe would never end
            return False
        with path.open("rb") as file:
            first = file.read(SNIFF_SIZE)
            file.seek(max(len(first), path.stat().st_size - SNIFF_SIZE))
            return b'"keypose"' in first or b'"keypose"' in file.read(SNIFF_SIZE)
    except OSError:
        return False


def _is_keypose_document(path: Path) -> bool:
    """Whether a file that cannot be read was meant to be a scene; a broken scene may be saved over."""
    import msgspec

    try:
        found = msgspec.json.decode(read_whole(path))
    except (msgspec.DecodeError, RecursionError, KeyposeError):
        return False
    return isinstance(found, dict) and "keypose" in found
