"""How do keys stand in a scene file? One object to a line, with only what they say.

They are read as columns if that will do (`key_columns`), else key by key, which takes longer and tells what is wrong
with which field.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keypose.curves import MAX_COORDINATE, MAX_TCB, Key, KeyColumns, Keys, Orientation, Turn
from keypose.curves import effects as built_in
from keypose.document.motion.key_columns import POSITION, read_columns
from keypose.document.problems import INVALID, Dependency, Invalid, ReadContext, Reference
from keypose.document.schema.lists import ListOf, NumberArray
from keypose.document.schema.records import Conversion, Field, Record
from keypose.document.schema.value_types import Boolean, Either, Number, OneOf, Schema, SharedType, Text, describe_value
from keypose.errors import KeyposeError
from keypose.maths import Rope

BUILTIN_EFFECTS = {name: dict(one) for name, one in vars(built_in).items() if isinstance(one, built_in.Effect)}
CARRIER_VERB = "is carried by"
CHUNK_SIZE = 1000  # keys
TIME = Number(-MAX_COORDINATE, MAX_COORDINATE)


def tcb_fields(what: str, default: float | None = None) -> dict[str, Field]:
    """Tension, continuity and bias of something."""
    strength = Number(-MAX_TCB, MAX_TCB)
    return {
        "tension": Field(strength, f"how tightly {what} is passed; -1 … 1 is the scale", default=default),
        "continuity": Field(strength, f"how smoothly {what} is passed, -1 for a corner", default=default),
        "bias": Field(strength, f"whether the curve swings before {what} (-1) or after (1)", default=default),
    }


class EffectName:
    """The name of an effect: one of KB84's, or one of the scene's own."""

    def read(self, given: Any, path: str, context: ReadContext) -> Mapping[str, float | str] | Invalid:
        """What the effect says."""
        known = known_effects(context)
        if isinstance(given, str) and (given in known or context.style is None):
            return known.get(given, {})
        return context.add_problem(
            path, f"There is no effect {describe_value(given)}.{context.suggestion(given, known)}"
        )

    def json_schema(self, definitions: Schema) -> Schema:
        """Any name: a scene may have its own."""
        return {"anyOf": [{"enum": list(BUILTIN_EFFECTS)}, {"type": "string"}]}


def known_effects(context: ReadContext) -> Mapping[str, Mapping[str, float | str]]:
    """All effects that keys of a scene may name."""
    return {**BUILTIN_EFFECTS, **({} if context.style is None else context.style.effects)}


CHORD_TYPE = OneOf(("chord",))
TANGENT = SharedType("tangent", Either('numbers, or "chord"', {list: SharedType("place", POSITION), str: CHORD_TYPE}))
SPIN = SharedType("spin", Either('three numbers, or "chord"', {list: NumberArray(widths=(3, 3)), str: CHORD_TYPE}))
QUATERNION = SharedType("quaternion", Conversion(NumberArray(widths=(4, 4), what="numbers w, x, y, z"), Orientation.of))

TURN = Record(
    "a turn",
    {
        "orientation": Field(QUATERNION, "the facing as w, x, y, z", is_required=True),
        **tcb_fields("the facing"),
        "arrive": Field(SPIN, 'the spin it is reached with [rad per key], or "chord"'),
        "leave": Field(SPIN, 'the spin it is left with [rad per key], or "chord"'),
    },
    Turn,
)


def _build_key(effect: Mapping[str, Any] | None = None, **values: Any) -> Key:
    """A key by what its fields say; what they say themselves counts more than the effect they name."""
    position = values.get("position")
    for side in ("arrive", "leave"):
        if isinstance(tangent := values.get(side), np.ndarray) and (
            position is None or tangent.shape != position.shape
        ):
            reason = "there is no position" if position is None else f"the position has shape {position.shape}"
            raise KeyposeError(f"It has shape {tangent.shape}, but {reason}. Give both alike.", at=(side,))
    return Key(**{**(effect or {}), **values})


KEY = Record(
    "a key",
    {
        "name": Field(Text(), "what to call it"),
        "time": Field(TIME, "when it is passed [s]"),
        "position": Field(
            SharedType("place", POSITION), "where it is [m]; a drawing is a list of points", example=[0, 1.5, 0]
        ),
        "orientation": Field(
            Either("four numbers w, x, y, z, or a turn", {list: QUATERNION, dict: TURN}),
            "which way it faces: w, x, y, z, or a turn",
            example=[1, 0, 0, 0],
        ),
        **tcb_fields("the key"),
        "effect": Field(EffectName(), "tension, continuity and bias by name", example="overshoot"),
        "arrive": Field(TANGENT, 'the tangent it is reached with [m per key], or "chord"'),
        "leave": Field(TANGENT, 'the tangent it is left with [m per key], or "chord"'),
        "relative_to": Field(Text(CARRIER_VERB, dependency=Dependency.KEY_CARRIER), "the actor that carries it"),
        "pin": Field(Boolean(), "whether it stays in the world once it was passed", default=True),
    },
    _build_key,
)
KEYS = ListOf(KEY, min_items=2, what="keys")


class KeyList:
    """All keys of a path."""

    def read(self, given: Any, path: str, context: ReadContext) -> Keys | Invalid:
        """The keys."""
        columns = read_columns(given, known_effects(context)) if isinstance(given, list) and len(given) > 1 else None
        if columns is None:
            if not isinstance(given, list) or len(given) < KEYS.min_items:
                KEYS.read(given, path, context)
                return INVALID
            read = _read_by_chunks(given, path, context)
            if isinstance(read, Invalid):
                return INVALID
            columns = Keys.of(read).rope.whole
        else:
            _add_references(columns, 0, path, context)
        is_valid = _check_times(columns, path, context) and _check_names(columns, path, context)
        return Keys(Rope(columns)) if is_valid else INVALID

    def json_schema(self, definitions: Schema) -> Schema:
        """A list of keys."""
        return KEYS.json_schema(definitions)


def _read_by_chunks(given: list[Any], path: str, context: ReadContext) -> list[Key] | Invalid:
    """The keys one by one, or INVALID; of many, only those near a wrong one are looked at so closely."""
    before, reference_count = context.count, len(context.references)
    for start in range(0, len(given), CHUNK_SIZE):
        chunk = given[start : start + CHUNK_SIZE]
        columns = read_columns(chunk, known_effects(context))
        if columns is not None:
            _add_references(columns, start, path, context)
            continue
        for index, entry in enumerate(chunk, start):
            KEY.read(entry, f"{path}[{index}]", context)
    if context.count > before or not _check_shapes(given, path, context):
        _check_readable(given, path, context)
        return INVALID
    del context.references[reference_count:]
    read: list[Key] | Invalid = KEYS.read(given, path, context)
    return read


def _add_references(columns: KeyColumns, start: int, path: str, context: ReadContext) -> None:
    """Note who carries keys, each where it is said first."""
    names = columns.arrays.get("relative_to", ())
    first = {name: len(names) - 1 - index for index, name in enumerate(names[::-1]) if name is not None}
    for carrier, index in sorted(first.items(), key=lambda item: item[1]):
        reference_path = f"{path}[{start + index}].relative_to"
        context.references.append(
            Reference(reference_path, CARRIER_VERB, carrier, context.current_actor, dependency=Dependency.KEY_CARRIER)
        )


def _check_shapes(given: list[dict[str, Any]], path: str, context: ReadContext) -> bool:
    """Whether all places have as many points and dimensions."""
    shapes = {index: _position_shape(key["position"]) for index, key in enumerate(given) if "position" in key}
    first = next(iter(shapes), 0)
    mismatched = [index for index, shape in shapes.items() if shape != shapes[first]]
    for index in mismatched:
        text = f"It has shape {shapes[index]}, but that of key {first} has {shapes[first]}. Give all places alike."
        context.add_problem(f"{path}[{index}].position", text)
    return not mismatched


def _position_shape(position: list[Any]) -> tuple[int, ...]:
    return (len(position), len(position[0])) if isinstance(position[0], list) else (len(position),)


def _check_readable(given: list[Any], path: str, context: ReadContext) -> None:
    """Check times and names as far as they can be read, where something else cannot."""
    keys = [key if isinstance(key, dict) else {} for key in given]
    times = [_readable_time(key.get("time")) for key in keys]
    names = [key.get("name") if isinstance(key.get("name"), str) else None for key in keys]
    columns = KeyColumns(
        len(keys), {"time": np.array(times, dtype=np.float64), "name": np.array(names, dtype=np.object_)}
    )
    _check_times(columns, path, context)
    _check_names(columns, path, context)


def _readable_time(value: Any) -> float | None:
    """A time as a number, None where it is none; an integer of hundreds of digits is too large for one."""
    try:
        return float(value) if type(value) in (int, float) else None
    except OverflowError:
        return None


def _check_times(columns: KeyColumns, path: str, context: ReadContext) -> bool:
    times = columns.arrays.get("time")
    if times is None:
        return True
    known = np.flatnonzero(~np.isnan(times))
    unordered = np.flatnonzero(np.diff(times[known]) <= 0)
    for previous, current in zip(known[unordered], known[unordered + 1], strict=True):
        text = (
            f"It is {float(times[current])!r} s, not after key {previous} at {float(times[previous])!r} s. Let "
            "times increase."
        )
        context.add_problem(f"{path}[{current}].time", text)
    return not len(unordered)


def _check_names(columns: KeyColumns, path: str, context: ReadContext) -> bool:
    seen: dict[str, int] = {}
    is_valid = True
    for index, name in enumerate(columns.arrays.get("name", ())):
        if name is not None and seen.setdefault(name, index) != index:
            is_valid = False
            context.add_problem(
                f"{path}[{index}].name", f"Key {seen[name]} is named {name!r} too. Give each its own name."
            )
    return is_valid
