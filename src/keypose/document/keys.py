"""How do keys stand in a scene file? One object to a line, with only what they say.

They are read as columns if that will do (`key_columns`), else key by key, which takes longer and tells what is wrong
with which field.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import effects as built_in
from keypose.curves.key import STRONGEST, Key, Turn
from keypose.curves.keys import Columns, Keys
from keypose.curves.orientation import Orientation
from keypose.document.forms import Field, Flag, ListOf, Number, Numbers, Record, Schema, Text, kind_of
from keypose.document.key_columns import columns_of
from keypose.document.problems import BAD, Bad, Reading
from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.maths.rope import Rope

Floats = NDArray[np.float64]

EFFECTS = {name: dict(one) for name, one in vars(built_in).items() if isinstance(one, built_in.Effect)}
CARRIER = "is carried by"


class Tangent:
    """A vector like the key's place, or the word "chord"."""

    def read(self, given: Any, path: str, reading: Reading) -> Floats | str | Bad:
        """The tangent as an array, or the word."""
        if isinstance(given, list):
            return PLACE.read(given, path, reading)
        return (
            "chord" if given == "chord" else reading.wrong(path, f'It is {kind_of(given)}. Give numbers, or "chord".')
        )

    @property
    def schema(self) -> Schema:
        """Numbers or a word."""
        return {"anyOf": [*PLACE.schema["anyOf"], {"const": "chord"}]}


PLACE = Numbers((1, 2))
QUATERNION = Numbers(width=4, what="numbers w, x, y, z")
SPIN = Numbers(width=3)


class Spin:
    """The tangent of a turn: a rotation vector, or the word "chord"."""

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The rotation vector [rad]."""
        return "chord" if given == "chord" else SPIN.read(given, path, reading)

    @property
    def schema(self) -> Schema:
        """Three numbers or a word."""
        return {"anyOf": [SPIN.schema, {"const": "chord"}]}


class Facing:
    """A facing w x y z, or an object that says how it turns as well."""

    def read(self, given: Any, path: str, reading: Reading) -> Orientation | Turn | Bad:
        """The orientation, or the turn."""
        if isinstance(given, dict):
            read: Turn | Bad = TURN.read(given, path, reading)
            return read
        numbers = QUATERNION.read(given, path, reading)
        if isinstance(numbers, Bad):
            return BAD
        try:
            return Orientation.of(numbers)
        except KeyposeError as error:
            return reading.wrong(path, str(error))

    @property
    def schema(self) -> Schema:
        """Four numbers or a turn."""
        return {"anyOf": [QUATERNION.schema, TURN.schema]}


class EffectName:
    """The name of an effect: one of KB84's, or one of the scene's own."""

    def read(self, given: Any, path: str, reading: Reading) -> Mapping[str, float | str] | Bad:
        """What the effect says."""
        known = {**EFFECTS, **reading.effects}
        if not isinstance(given, str) or given not in known:
            return reading.wrong(path, f"There is no effect {shown(given)}.{did_you_mean(str(given), known)}")
        return known[given]

    @property
    def schema(self) -> Schema:
        """Any name: a scene may have its own."""
        return {"type": "string", "examples": list(EFFECTS)}


def shaping(what: str) -> dict[str, Field]:
    """Tension, continuity and bias of something."""
    return {
        "tension": Field(Number(-STRONGEST, STRONGEST), f"how tightly {what} is passed; -1 … 1 is the scale"),
        "continuity": Field(Number(-STRONGEST, STRONGEST), f"how sharply {what} is turned at; -1 … 1 is the scale"),
        "bias": Field(Number(-STRONGEST, STRONGEST), f"before or after {what} the curve swings; -1 … 1 is the scale"),
    }


TURN = Record(
    "a turn",
    {
        "orientation": Field(QUATERNION, "the facing as w, x, y, z", needed=True),
        **shaping("the facing"),
        "arrive": Field(Spin(), 'the spin it is reached with [rad per key], or "chord"'),
        "leave": Field(Spin(), 'the spin it is left with [rad per key], or "chord"'),
    },
    lambda orientation, **said: Turn(orientation, **said),
)


def _key(effect: Mapping[str, Any] | None = None, **said: Any) -> Key:
    """A key by what its fields say; what they say themselves counts more than the effect they name."""
    return Key(**{**(effect or {}), **said})


KEY = Record(
    "a key",
    {
        "name": Field(Text(), "what to call it"),
        "time": Field(Number(), "when it is passed [s]"),
        "position": Field(PLACE, "where it is [m]; a drawing is a list of points"),
        "orientation": Field(Facing(), "which way it faces: w, x, y, z, or a turn"),
        **shaping("the key"),
        "effect": Field(EffectName(), "tension, continuity and bias by name"),
        "arrive": Field(Tangent(), 'the tangent it is reached with [m per key], or "chord"'),
        "leave": Field(Tangent(), 'the tangent it is left with [m per key], or "chord"'),
        "relative_to": Field(Text(CARRIER), "the actor that carries it"),
        "pin": Field(Flag(), "false: it stays carried after it was passed"),
    },
    _key,
)


class KeyList:
    """All keys of a path."""

    def read(self, given: Any, path: str, reading: Reading) -> Keys | Bad:
        """The keys."""
        columns = columns_of(given) if isinstance(given, list) and len(given) > 1 else None
        if columns is None:
            read = KEYS.read(given, path, reading)
            if isinstance(read, Bad):
                return BAD
            try:
                columns = Keys.of(read).rope.whole
            except KeyposeError as error:
                return reading.wrong(path, str(error))
        elif "relative_to" in columns.of:
            for carrier in dict.fromkeys(name for name in columns.of["relative_to"] if name is not None):
                first = int(np.flatnonzero(columns.of["relative_to"] == carrier)[0])
                reading.references.append((f"{path}[{first}].relative_to", CARRIER, carrier))
        good = _in_order(columns, path, reading) and _named_once(columns, path, reading)
        return Keys(Rope(columns)) if good else BAD

    @property
    def schema(self) -> Schema:
        """A list of keys."""
        return KEYS.schema


KEYS = ListOf(KEY, least=2, what="keys")


def _in_order(columns: Columns, path: str, reading: Reading) -> bool:
    times = columns.of.get("time")
    if times is None:
        return True
    known = np.flatnonzero(~np.isnan(times))
    late = np.flatnonzero(np.diff(times[known]) <= 0)
    for here in late[:20]:
        one, two = known[here], known[here + 1]
        reading.wrong(
            f"{path}[{two}].time",
            f"It is {times[two]:g} s, not after key {one} at {times[one]:g} s. Times must increase from key to key.",
        )
    return not len(late)


def _named_once(columns: Columns, path: str, reading: Reading) -> bool:
    seen: dict[str, int] = {}
    good = True
    for index, name in enumerate(columns.of.get("name", ())):
        if name is not None and seen.setdefault(name, index) != index:
            good = False
            reading.wrong(f"{path}[{index}].name", f"Key {seen[name]} is named {name!r} too. Give each its own name.")
    return good
