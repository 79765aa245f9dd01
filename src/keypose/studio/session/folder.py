"""Which files may a page name? Those in the studio's folder, whatever it writes to get out of there."""

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from keypose.document.problems import SceneError
from keypose.document.scene import read
from keypose.errors import KeyposeError
from keypose.files.formats import ENDINGS, load
from keypose.files.os_errors import called, told
from keypose.files.reading import read_whole
from keypose.motion.take import Take

SCENE = ".json"
TAKES = tuple(ending for ending, one in ENDINGS.items() if one.holds is Take)
MOST_LISTED = 500
LONGEST = 200  # bytes
GLANCE = 4096  # [bytes] at either end of a file, to see whether it may be a scene
_CUT_WAY = re.compile(r"'…[^'\"]*[/\\]([^'\"/\\]+)['\"]")  # of a very long way only the end is told


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
            found = sorted(one for one in self.path.iterdir() if one.suffix.lower() == SCENE)
        except OSError:  # removed meanwhile, or not to be listed
            return ()
        scenes = (one.name for one in found if not one.name.startswith(".") and _looks_like_a_scene(one))
        return tuple(islice(scenes, MOST_LISTED))

    def scene(self, name: str) -> Path:
        """Where a scene to be opened lies."""
        return self._inside(name, (SCENE,))

    def scene_to_save(self, name: str, current: Path | None) -> Path:
        """Where a scene may be saved: a new file, its own, or another scene's."""
        place = self._inside(name, (SCENE,))
        if place != current and _is_there(place):
            try:
                read(read_whole(place))
            except SceneError as error:
                if not _says_keypose(place):
                    raise KeyposeError(
                        f"{called(name)} holds something else than a scene. Give another name."
                    ) from error
        return place

    def take_to_export(self, name: str) -> Path:
        """Where a take may be written: a new file, or another take's."""
        place = self._inside(name, TAKES)
        if _is_there(place):
            try:
                held = load(place)
            except KeyposeError as error:
                raise KeyposeError(f"{called(name)} holds something else than a take. Give another name.") from error
            assert isinstance(held, Take)
        return place

    def shown(self, file: Path | None) -> str | None:
        """A file as the page names it."""
        if file is None:
            return None
        return self.within(file) or file.name

    def in_words(self, text: str) -> str:
        """What is said of files, with those of this folder by their own names: the way to it is long, and known."""
        for way in (str(self.path), repr(str(self.path))[1:-1]):
            text = re.sub(f"(?<=['\"]){re.escape(way.removesuffix(os.sep) + os.sep)}", "", text)
        return _CUT_WAY.sub(r"'\1'", text)

    def within(self, file: Path) -> str | None:
        """A file as the page may open it; None if it lies elsewhere."""
        place = Path(os.path.realpath(file))
        return place.relative_to(self.path).as_posix() if place.is_relative_to(self.path) else None

    def _inside(self, name: str, endings: Sequence[str]) -> Path:
        """The place of a file, links followed; refused if that is not in the folder."""
        _check_name(name)
        if PurePosixPath(name).suffix.lower() not in endings:
            raise KeyposeError(f"{called(name)} does not end in {' or '.join(endings)}. Add that to its name.")
        place = Path(os.path.realpath(self.path / name))
        if not place.is_relative_to(self.path) or place == self.path:
            raise KeyposeError(f"{called(name)} leads out of the studio's folder. Give the name of a file in it.")
        if place.suffix.lower() not in endings:  # a link may be called as it likes
            raise KeyposeError(f"{called(name)} is a link to another kind of file. Give another name.")
        return place


def _check_name(name: str) -> None:
    """Refuse what is no plain name: as it stands, as Windows reads it, and with its percent signs undone."""
    if not name.isprintable() or len(name.encode()) > LONGEST:
        raise KeyposeError(
            f"A file cannot be named {called(name[:LONGEST])}. Use fewer letters, and only visible ones."
        )
    undone, seen = name, 0
    while (further := unquote(undone)) != undone and seen < 5:
        undone, seen = further, seen + 1
    for text in (name, undone):
        parts = text.replace("\\", "/").split("/")
        out = PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor or ":" in text or "\0" in text
        if out or any(part in ("", ".", "..") or part.startswith("~") for part in parts):
            raise KeyposeError(f"{called(name)} leads out of the studio's folder. Give the name of a file in it.")
        if any(part.startswith(".") for part in parts):
            raise KeyposeError(f"{called(name)} is hidden. Give a name that does not begin with a point.")


def _is_there(place: Path) -> bool:
    """Whether there is something by that name."""
    with told(place, "cannot be looked at"):
        return place.exists()


def _looks_like_a_scene(place: Path) -> bool:
    """Whether a file says "keypose" at one of its ends, as scenes do; other programs keep .json files too."""
    try:
        if not place.is_file():  # a pipe would never end
            return False
        with place.open("rb") as file:
            first = file.read(GLANCE)
            file.seek(max(len(first), place.stat().st_size - GLANCE))
            return b'"keypose"' in first or b'"keypose"' in file.read(GLANCE)
    except OSError:
        return False


def _says_keypose(place: Path) -> bool:
    """Whether a file that cannot be read was meant to be a scene; a broken scene may be saved over."""
    import msgspec

    try:
        found = msgspec.json.decode(read_whole(place))
    except (msgspec.DecodeError, RecursionError, KeyposeError):
        return False
    return isinstance(found, dict) and "keypose" in found
