"""How does an old scene file become a new one? One function for each old version, applied one after the other.

A function takes the plain values of its version and gives those of the next; `tests/document/samples` keeps a file of
every version for ever.
"""

from collections.abc import Callable, Mapping
from typing import Any

from keypose.document.problems import Bad, Reading
from keypose.document.schema.value_types import kind_of
from keypose.errors import shown

VERSION = 1
Step = Callable[[dict[str, Any]], dict[str, Any]]
STEPS: Mapping[int, Step] = {}


def migrated(
    scene: Any, reading: Reading, version: int = VERSION, steps: Mapping[int, Step] = STEPS
) -> dict[str, Any] | Bad:
    """The scene as the present version says it, without its version number."""
    if not isinstance(scene, dict):
        return reading.wrong(
            "", f'It is {kind_of(scene)}. A scene is an object that starts with {{"keypose": {version}.'
        )
    if "keypose" not in scene:
        return reading.wrong("keypose", f'It is missing. A scene starts with "keypose": {version}, its version.')
    said = scene["keypose"]
    if type(said) is not int or said < 1:
        return reading.wrong("keypose", f"It is {kind_of(said)}. Give the version of the file, {version} for new ones.")
    if said > version:
        return reading.wrong(
            "keypose",
            f"The file is of version {shown(said)}, and this Keypose reads up to {version}. Use a newer Keypose.",
        )
    current = {name: value for name, value in scene.items() if name != "keypose"}
    for old in range(said, version):
        current = steps[old](current)
    return current
