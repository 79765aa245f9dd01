"""How are a million keys read at once? Column by column, as they are kept in memory.

This is the quick twin of `keys`, which reads them one by one: it takes only what is plainly right. Anything else
gives None, and is for `keys` to look at.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import MAX_COORDINATE, MAX_TCB, KeyColumns, Orientation
from keypose.document.schema.lists import NumberArray, parse_array
from keypose.maths import UNIT_TOLERANCE, Bools, Floats

Effects = Mapping[str, Mapping[str, float | str]]

MAX_DIMENSION = 3
POSITION = NumberArray((1, 2), (1, MAX_DIMENSION))
TCB = ("tension", "continuity", "bias")
SIDES = ("arrive", "leave")
TURN_FIELDS = {"orientation", *TCB, *SIDES}
KEY_FIELDS = {"position", "time", "effect", "name", "relative_to", "pin"} | TURN_FIELDS


def read_columns(given: list[Any], effects: Effects) -> KeyColumns | None:
    """The keys as columns, or None if anything about them is wrong."""
    if {*map(type, given)} != {dict}:
        return None
    try:
        return KeyColumns(len(given), _columns(_values_by_field(given, KEY_FIELDS), effects))
    except (ValueError, OverflowError):
        return None


def _values_by_field(given: Sequence[dict[str, Any]], allowed: set[str]) -> dict[str, list[Any]]:
    """What all of them say about each word, None where one says nothing."""
    fields = {*chain.from_iterable(given)}
    if not fields <= allowed:
        raise ValueError("unknown")
    values_by_field = {field: [key.get(field) for key in given] for field in fields}
    for field, values in values_by_field.items():
        if (missing := values.count(None)) and missing != sum(field not in key for key in given):
            raise ValueError("null")
    return values_by_field


def _columns(values_by_field: dict[str, list[Any]], effects: Effects) -> dict[str, NDArray[Any]]:
    if "effect" in values_by_field:
        _apply_effects(values_by_field.pop("effect"), values_by_field, effects)
    columns: dict[str, NDArray[Any]] = {}
    if "position" in values_by_field:
        columns["position"] = _vectors(values_by_field["position"]) + 0.0  # -0.0 and 0.0 are the same place
        if columns["position"].ndim > 3 or columns["position"].shape[-1] > MAX_DIMENSION:
            raise ValueError("position")
    shape, has_position = (3,), np.zeros(len(next(iter(values_by_field.values()), ())), dtype=bool)
    if "position" in columns:
        shape, has_position = (
            columns["position"].shape[1:],
            _first_values(columns["position"]) == _first_values(columns["position"]),
        )
    columns |= _tangent_columns(values_by_field, "", shape, has_position)
    if "time" in values_by_field:
        columns["time"] = _numbers(values_by_field["time"], MAX_COORDINATE)
    columns |= _tcb_columns(values_by_field, "tcb")
    if "orientation" in values_by_field:
        columns |= _orientation_columns(values_by_field["orientation"])
    columns |= {field: _texts(values_by_field[field]) for field in ("name", "relative_to") if field in values_by_field}
    if "pin" in values_by_field and not _flags(values_by_field["pin"]).all():
        columns["pin"] = _flags(values_by_field["pin"])
    return columns


def _apply_effects(names: list[Any], values_by_field: dict[str, list[Any]], effects: Effects) -> None:
    """Let keys say what the effects they name say, where they do not say it themselves."""
    for row, name in enumerate(names):
        if name is None:
            continue
        if not isinstance(name, str) or name not in effects:
            raise ValueError("effect")
        for field, value in effects[name].items():
            values = values_by_field.setdefault(field, [None] * len(names))
            if values[row] is None:
                values[row] = value


def _numbers(values: list[Any], limit: float) -> Floats:
    """Numbers, NaN where there is none."""
    if not {*map(type, values)} <= {int, float, type(None)}:
        raise ValueError("no number")
    numbers = np.array(values, dtype=np.float64)
    if (np.abs(numbers) > limit).any():
        raise ValueError("too large")
    return numbers


def _tcb_columns(values_by_field: Mapping[str, list[Any]], column: str) -> dict[str, NDArray[Any]]:
    known = {name: _numbers(values_by_field[name], MAX_TCB) for name in TCB if name in values_by_field}
    if not known:
        return {}
    unset = np.full(len(next(iter(known.values()))), np.nan)
    return {column: np.stack([known.get(name, unset) for name in TCB], axis=1)}


def _vectors(values: Sequence[Any]) -> Floats:
    """Places, tangents or facings as rows; NaN where there is none."""
    known = [value for value in values if value is not None]
    found = parse_array(known)
    if found is None or found.ndim < 2:
        raise ValueError("no vectors")
    if len(known) == len(values):
        return found
    rows = np.full((len(values), *found.shape[1:]), np.nan)
    rows[[value is not None for value in values]] = found
    return rows


def _tangent_columns(
    values_by_field: Mapping[str, list[Any]], prefix: str, shape: tuple[int, ...], has_position: Bools
) -> dict[str, NDArray[Any]]:
    """Tangents by hand, infinite where they are chords; a vector needs a place of its own shape."""
    columns: dict[str, NDArray[Any]] = {}
    for side in SIDES:
        if side not in values_by_field:
            continue
        rows = np.full((len(has_position), *shape), np.nan)
        chords = [value == "chord" for value in values_by_field[side]]
        vectors = [None if chord else value for chord, value in zip(chords, values_by_field[side], strict=True)]
        if any(value is not None for value in vectors):
            found = _vectors(vectors) + 0.0
            if found.shape != rows.shape or not has_position[_first_values(found) == _first_values(found)].all():
                raise ValueError(side)
            rows = found
        rows[chords] = np.inf
        columns[prefix + side] = rows
    return columns


def _orientation_columns(values: list[Any]) -> dict[str, NDArray[Any]]:
    """Facings, and what their turns say beside."""
    columns: dict[str, NDArray[Any]] = {}
    if dict in {*map(type, values)}:
        turns = [{} if turn is None else turn if type(turn) is dict else {"orientation": turn} for turn in values]
        values_by_field = _values_by_field(turns, TURN_FIELDS)
        if any(turn and "orientation" not in turn for turn in turns) or {} in values:
            raise ValueError("orientation")
        always = np.ones(len(values), dtype=bool)
        columns |= _tcb_columns(values_by_field, "turn_tcb") | _tangent_columns(values_by_field, "turn_", (3,), always)
        values = values_by_field["orientation"]
    found = _vectors(values)
    if found.shape[1:] != (4,):
        raise ValueError("orientation")
    w, x, y, z = found.T
    for row in np.flatnonzero(np.abs(w * w + x * x + y * y + z * z - 1) > UNIT_TOLERANCE):
        found[row] = Orientation.of(found[row]).wxyz
    return {"facing": found, **columns}


def _texts(values: list[Any]) -> NDArray[Any]:
    texts = [value for value in values if value is not None]
    if {*map(type, texts)} != {str} or not all(texts):
        raise ValueError("no text")
    "".join(texts).encode()  # half a character raises
    return np.array(values, dtype=object)


def _flags(values: list[Any]) -> Bools:
    if not {*map(type, values)} <= {bool, type(None)}:
        raise ValueError("no flag")
    return np.array([value is not False for value in values])


def _first_values(rows: Floats) -> Floats:
    """The first number of each row: NaN in rows that say nothing."""
    return rows.reshape(len(rows), -1)[:, 0]
