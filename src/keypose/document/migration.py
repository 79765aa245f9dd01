"""How does an old scene file become a new one? One function for each old version, applied one after the other.

A function takes the plain values of its version and gives those of the next; `tests/document/samples` keeps a file of
every version for ever.
"""

from collections.abc import Callable, Mapping
from typing import Any

from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.value_types import describe_value
from keypose.errors import short_repr

VERSION = 1
Migration = Callable[[dict[str, Any]], dict[str, Any]]
MIGRATIONS: Mapping[int, Migration] = {}


def migrate(
    scene: Any, context: ReadContext, version: int = VERSION, migrations: Mapping[int, Migration] = MIGRATIONS
) -> dict[str, Any] | Invalid:
    """The scene as the present version says it, without its version number."""
    if not isinstance(scene, dict):
        return context.add_problem(
            "", f'It is {describe_value(scene)}. A scene is an object that starts with {{"keypose": {version}.'
        )
    if "keypose" not in scene:
        return context.add_problem("keypose", f'It is missing. A scene starts with "keypose": {version}, its version.')
    file_version = scene["keypose"]
    if type(file_version) is not int or file_version < 1:
        return context.add_problem(
            "keypose", f"It is {describe_value(file_version)}. Give the version of the file, {version} for new ones."
        )
    if file_version > version:
        return context.add_problem(
            "keypose",
            f"The file is of version {short_repr(file_version)}, and this Keypose reads up to {version}. Use "
            "a newer Keypose.",
        )
    current = {name: value for name, value in scene.items() if name != "keypose"}
    for from_version in range(file_version, version):
        current = migrations[from_version](current)
    return current
