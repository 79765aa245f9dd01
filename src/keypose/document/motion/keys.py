"""How do keys stand in a scene file? One object to a line, with only what they say.

They are read as columns if that will do (`key_columns`), else key by key, which takes longer and tells what is wrong
with which field.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keypose.curves import effects as built_in
from keypose.curves.key import FARTHEST, STRONGEST, Key, Turn
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.orientation import Orientation
from keypose.document.motion.key_columns import PLACE, columns_of
from keypose.document.problems import BAD, Bad, Reading, Reference, Tie
from keypose.document.schema.lists import ListOf, Numbers
from keypose.document.schema.records import Field, Made, Record
from keypose.document.schema.value_types import Called, Either, Flag, Number, OneOf, Schema, Text, kind_of
from keypose.errors import KeyposeError
from keypose.maths.rope import Rope

EFFECTS = {name: dict(one) for name, one in vars(built_in).items() if isinstance(one, built_in.Effect)}
CARRIED = "is carried by"
PIECE = 1000  # keys
TIME = Number(-FARTHEST, FARTHEST)


def shaping(what: str, usual: float | None = None) -> dict[str, Field]:
    """Tension, continuity and bias of something."""
    strength = Number(-STRONGEST, STRONGEST)
    return {
        "tension": Field(strength, f"how tightly {what} is passed; -1 … 1 is the scale", usual=usual),
        "continuity": Field(strength, f"how smoothly {what} is passed, -1 for a corner", usual=usual),
        "bias": Field(strength, f"whether the curve swings before {what} (-1) or after (1)", usual=usual),
    }


class EffectName:
    """The name of an effect: one of KB84's, or one of the scene's own."""

    def read(self, given: Any, path: str, reading: Reading) -> Mapping[str, float | str] | Bad:
        """What the effect says."""
        known = effects_of(reading)
        if isinstance(given, str) and (given in known or reading.style is None):
            return known.get(given, {})
        return reading.wrong(path, f"There is no effect {kind_of(given)}.{reading.suggested(given, known)}")

    def schema(self, named: Schema) -> Schema:
        """Any name: a scene may have its own."""
        return {"anyOf": [{"enum": list(EFFECTS)}, {"type": "string"}]}


def effects_of(reading: Reading) -> Mapping[str, Mapping[str, float | str]]:
    """All effects that keys of a scene may name."""
    return {**EFFECTS, **({} if reading.style is None else reading.style.effects)}


CHORD = OneOf(("chord",))
TANGENT = Called("tangent", Either('numbers, or "chord"', {list: Called("place", PLACE), str: CHORD}))
SPIN = Called("spin", Either('three numbers, or "chord"', {list: Numbers(widths=(3, 3)), str: CHORD}))
QUATERNION = Called("quaternion", Made(Numbers(widths=(4, 4), what="numbers w, x, y, z"), Orientation.of))

TURN = Record(
    "a turn",
    {
        "orientation": Field(QUATERNION, "the facing as w, x, y, z", needed=True),
        **shaping("the facing"),
        "arrive": Field(SPIN, 'the spin it is reached with [rad per key], or "chord"'),
        "leave": Field(SPIN, 'the spin it is left with [rad per key], or "chord"'),
    },
    Turn,
)


def _key(effect: Mapping[str, Any] | None = None, **said: Any) -> Key:
    """A key by what its fields say; what they say themselves counts more than the effect they name."""
    place = said.get("position")
    for side in ("arrive", "leave"):
        if isinstance(tangent := said.get(side), np.ndarray) and (place is None or tangent.shape != place.shape):
            needs = "there is no position" if place is None else f"the position has shape {place.shape}"
            raise KeyposeError(f"It has shape {tangent.shape}, but {needs}. Give both alike.", at=(side,))
    return Key(**{**(effect or {}), **said})


KEY = Record(
    "a key",
    {
        "name": Field(Text(), "what to call it"),
        "time": Field(TIME, "when it is passed [s]"),
        "position": Field(
            Called("place", PLACE), "where it is [m]; a drawing is a list of points", example=[0, 1.5, 0]
        ),
        "orientation": Field(
            Either("four numbers w, x, y, z, or a turn", {list: QUATERNION, dict: TURN}),
            "which way it faces: w, x, y, z, or a turn",
            example=[1, 0, 0, 0],
        ),
        **shaping("the key"),
        "effect": Field(EffectName(), "tension, continuity and bias by name", example="overshoot"),
        "arrive": Field(TANGENT, 'the tangent it is reached with [m per key], or "chord"'),
        "leave": Field(TANGENT, 'the tangent it is left with [m per key], or "chord"'),
        "relative_to": Field(Text(CARRIED, tie=Tie.CARRIES_KEYS), "the actor that carries it"),
        "pin": Field(Flag(), "whether it stays in the world once it was passed", usual=True),
    },
    _key,
)
KEYS = ListOf(KEY, least=2, what="keys")


class KeyList:
    """All keys of a path."""

    def read(self, given: Any, path: str, reading: Reading) -> Keys | Bad:
        """The keys."""
        columns = columns_of(given, effects_of(reading)) if isinstance(given, list) and len(given) > 1 else None
        if columns is None:
            if not isinstance(given, list) or len(given) < KEYS.least:
                KEYS.read(given, path, reading)
                return BAD
            read = _by_pieces(given, path, reading)
            if isinstance(read, Bad):
                return BAD
            columns = Keys.of(read).rope.whole
        else:
            _refer(columns, 0, path, reading)
        good = _in_order(columns, path, reading) and _named_once(columns, path, reading)
        return Keys(Rope(columns)) if good else BAD

    def schema(self, named: Schema) -> Schema:
        """A list of keys."""
        return KEYS.schema(named)


def _by_pieces(given: list[Any], path: str, reading: Reading) -> list[Key] | Bad:
    """The keys one by one, or BAD; of many, only those near a wrong one are looked at so closely."""
    before, spoken = reading.count, len(reading.references)
    for start in range(0, len(given), PIECE):
        piece = given[start : start + PIECE]
        columns = columns_of(piece, effects_of(reading))
        if columns is not None:
            _refer(columns, start, path, reading)
            continue
        for index, one in enumerate(piece, start):
            KEY.read(one, f"{path}[{index}]", reading)
    if reading.count > before or not _alike(given, path, reading):
        return BAD
    del reading.references[spoken:]
    read: list[Key] | Bad = KEYS.read(given, path, reading)
    return read


def _refer(columns: Columns, start: int, path: str, reading: Reading) -> None:
    """Note who carries keys, each where it is said first."""
    names = columns.of.get("relative_to", ())
    first = {name: len(names) - 1 - index for index, name in enumerate(names[::-1]) if name is not None}
    for carrier, index in sorted(first.items(), key=lambda item: item[1]):
        there = f"{path}[{start + index}].relative_to"
        reading.references.append(Reference(there, CARRIED, carrier, reading.speaker, tie=Tie.CARRIES_KEYS))


def _alike(given: list[dict[str, Any]], path: str, reading: Reading) -> bool:
    """Whether all places have as many points and dimensions."""
    shapes = {index: _shape(key["position"]) for index, key in enumerate(given) if "position" in key}
    first = next(iter(shapes), 0)
    wrong = [index for index, shape in shapes.items() if shape != shapes[first]]
    for index in wrong:
        text = f"It has shape {shapes[index]}, but that of key {first} has {shapes[first]}. Give all places alike."
        reading.wrong(f"{path}[{index}].position", text)
    return not wrong


def _shape(place: list[Any]) -> tuple[int, ...]:
    return (len(place), len(place[0])) if isinstance(place[0], list) else (len(place),)


def _in_order(columns: Columns, path: str, reading: Reading) -> bool:
    times = columns.of.get("time")
    if times is None:
        return True
    known = np.flatnonzero(~np.isnan(times))
    late = np.flatnonzero(np.diff(times[known]) <= 0)
    for one, two in zip(known[late], known[late + 1], strict=True):
        text = f"It is {float(times[two])!r} s, not after key {one} at {float(times[one])!r} s. Let times increase."
        reading.wrong(f"{path}[{two}].time", text)
    return not len(late)


def _named_once(columns: Columns, path: str, reading: Reading) -> bool:
    seen: dict[str, int] = {}
    good = True
    for index, name in enumerate(columns.of.get("name", ())):
        if name is not None and seen.setdefault(name, index) != index:
            good = False
            reading.wrong(f"{path}[{index}].name", f"Key {seen[name]} is named {name!r} too. Give each its own name.")
    return good
