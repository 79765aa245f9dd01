"""What can a beginner open with one click? The examples that come with the library.

One of them has a mover of its own, made in Python. That script is the library's, not a stranger's, so it is imported
before the scene is read; a scene of the user's never leads to Python that is run.
"""

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import msgspec

from keypose.document.scene import read
from keypose.document.schema.kinds import MOVERS
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.files.reading import read_whole
from keypose.stage.stage import Stage
from keypose.studio.protocol.updates.updates import Example, Trail

PICTURES = "pictures.json"


def folder() -> Path | None:
    """Where the examples lie: they come with the library, or stand beside its sources."""
    room = Path(__file__).resolve().parents[1]
    places = (room / "examples", room.parents[1] / "examples")
    return next((place for place in places if (place / "papers").is_dir()), None)


@cache
def examples() -> tuple[Example, ...]:
    """The example scenes, each with what its script says of it."""
    place = folder()
    if place is None:
        return ()
    pictures = _pictures(place)
    return tuple(_told(scene, pictures.get(scene.stem, ())) for scene in sorted(place.glob("[0-9]*.json")))


def example(name: str) -> Stage:
    """An example's stage."""
    place, known = folder(), [one.name for one in examples()]
    if place is None or name not in known:
        raise UnknownNameError(f"There is no example {shown(name)}.{did_you_mean(name, known)}")
    scene = place / f"{name}.json"
    try:
        _know_movers_of(scene)
        content = read_whole(scene)
    except Exception as error:  # the way to the library's own files helps nobody
        why = f"its files cannot be used ({type(error).__name__}). Install the library anew."
        raise KeyposeError(f"The example {shown(name)} cannot be opened: {why}") from error
    return read(content, f"The example {name}")


def know_movers() -> None:
    """Make the examples' own movers known, so that what was made from an example can be opened and recovered again."""
    place = folder()
    for one in examples() if place is not None else ():
        with suppress(Exception):  # told when that example is opened
            assert place is not None
            _know_movers_of(place / f"{one.name}.json")


def _know_movers_of(scene: Path) -> None:
    """Import an example's script if it makes a mover savable under a word that nobody has."""
    script, known = scene.with_suffix(".py"), {kind.word for kind in MOVERS}
    if not script.exists() or known.issuperset(_savable(script)):
        return
    called = f"keypose_example_{scene.stem}"
    spec = spec_from_file_location(called, script)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[called] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[called]
        raise


@cache
def _parsed(script: Path) -> ast.Module:
    return ast.parse(script.read_text(encoding="utf-8"))


def _savable(script: Path) -> Iterator[str]:
    """The words under which a script makes its movers savable."""
    for one in ast.walk(_parsed(script)):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "savable":
            yield from (word.value for word in one.args if isinstance(word, ast.Constant))  # type: ignore[misc]


def _pictures(place: Path) -> dict[str, tuple[Trail, ...]]:
    """What `postcards` has drawn; a card without its picture still opens its scene."""
    try:
        return msgspec.json.decode((place / PICTURES).read_bytes(), type=dict[str, tuple[Trail, ...]])
    except (OSError, msgspec.DecodeError):
        return {}


def _told(scene: Path, picture: tuple[Trail, ...]) -> Example:
    words = scene.stem.split("_")[1:]
    script = scene.with_suffix(".py")
    text = ast.get_docstring(_parsed(script)) if script.exists() else None
    told = " ".join((text or "").split())
    first = re.match(r".+?[.](?= [A-Z]|$)", told)  # a card holds a sentence
    text = first.group() if first else told
    return Example(name=scene.stem, title=" ".join(words).capitalize(), text=text, picture=picture)
