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

from keypose.document import MOVERS, read
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.files import read_whole
from keypose.stage import Stage
from keypose.studio.protocol.updates.updates import CardTrail, Example

CARDS_FILE = "pictures.json"


def folder() -> Path | None:
    """Where the examples lie: they come with the library, or stand beside its sources."""
    package = Path(__file__).resolve().parents[2]
    candidates = (package / "examples", package.parents[1] / "examples")
    return next((candidate for candidate in candidates if (candidate / "papers").is_dir()), None)


@cache
def examples() -> tuple[Example, ...]:
    """The example scenes, each with what its script says of it."""
    directory = folder()
    if directory is None:
        return ()
    cards = _read_cards(directory)
    return tuple(_describe_example(scene, cards.get(scene.stem, ())) for scene in sorted(directory.glob("[0-9]*.json")))


def load_example(name: str) -> Stage:
    """An example's stage."""
    directory, known = folder(), [one.name for one in examples()]
    if directory is None or name not in known:
        raise UnknownNameError(f"There is no example {short_repr(name)}.{did_you_mean(name, known)}")
    scene = directory / f"{name}.json"
    try:
        _register_movers_of(scene)
        content = read_whole(scene)
    except Exception as error:  # the way to the library's own files helps nobody
        reason = f"its files cannot be used ({type(error).__name__}). Install the library anew."
        raise KeyposeError(f"The example {short_repr(name)} cannot be opened: {reason}") from error
    return read(content, f"The example {name}")


def register_movers() -> None:
    """Make the examples' own movers known, so that what was made from an example can be opened and recovered again."""
    directory = folder()
    for one in examples() if directory is not None else ():
        with suppress(Exception):  # told when that example is opened
            assert directory is not None
            _register_movers_of(directory / f"{one.name}.json")


def _register_movers_of(scene: Path) -> None:
    """Import an example's script if it makes a mover savable under a word that nobody has."""
    script, known = scene.with_suffix(".py"), {kind.tag for kind in MOVERS}
    if not script.exists() or known.issuperset(_savable_kinds(script)):
        return
    module_name = f"keypose_example_{scene.stem}"
    spec = spec_from_file_location(module_name, script)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[module_name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise


@cache
def _parse_script(script: Path) -> ast.Module:
    return ast.parse(script.read_text(encoding="utf-8"))


def _savable_kinds(script: Path) -> Iterator[str]:
    """The words under which a script makes its movers savable."""
    for one in ast.walk(_parse_script(script)):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "savable":
            yield from (argument.value for argument in one.args if isinstance(argument, ast.Constant))  # type: ignore[misc]


def _read_cards(directory: Path) -> dict[str, tuple[CardTrail, ...]]:
    """What `example_cards` has drawn; a card without its picture still opens its scene."""
    try:
        return msgspec.json.decode((directory / CARDS_FILE).read_bytes(), type=dict[str, tuple[CardTrail, ...]])
    except (OSError, msgspec.DecodeError):
        return {}


def _describe_example(scene: Path, card: tuple[CardTrail, ...]) -> Example:
    options = scene.stem.split("_")[1:]
    script = scene.with_suffix(".py")
    text = ast.get_docstring(_parse_script(script)) if script.exists() else None
    docstring = " ".join((text or "").split())
    first = re.match(r".+?[.](?= [A-Z]|$)", docstring)  # a card holds a sentence
    text = first.group() if first else docstring
    return Example(name=scene.stem, title=" ".join(options).capitalize(), text=text, trails=card)
