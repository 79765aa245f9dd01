"""How are a million keys read at once? Column by column, as they are kept in memory.

This is the quick twin of `keys`, which reads them one by one: it takes only what is plainly right. Anything else gives
None, and is for `keys` to look at.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import FARTHEST, STRONGEST
from keypose.curves.key_columns import Columns
from keypose.curves.orientation import Orientation
from keypose.document.schema.lists import Numbers, rectangular
from keypose.maths.arrays import Floats
from keypose.maths.tolerance import UNIT_TOLERANCE

Effects = Mapping[str, Mapping[str, float | str]]

SPACE = 3
PLACE = Numbers((1, 2), (1, SPACE))
SHAPING = ("tension", "continuity", "bias")
SIDES = ("arrive", "leave")
TURN = {"orientation", *SHAPING, *SIDES}
KEY = {"position", "time", "effect", "name", "relative_to", "pin"} | TURN


def columns_of(given: list[Any], effects: Effects) -> Columns | None:
    """The keys as columns, or None if anything about them is wrong."""
    if {*map(type, given)} != {dict}:
        return None
    try:
        return Columns(len(given), _columns(_by_word(given, KEY), effects))
    except (ValueError, OverflowError):
        return None


def _by_word(given: Sequence[dict[str, Any]], known: set[str]) -> dict[str, list[Any]]:
    """What all of them say about each word, None where one says nothing."""
    words = {*chain.from_iterable(given)}
    if not words <= known:
        raise ValueError("unknown")
    said = {word: [one.get(word) for one in given] for word in words}
    for word, values in said.items():
        if (missing := values.count(None)) and missing != sum(word not in one for one in given):
            raise ValueError("null")
    return said


def _columns(said: dict[str, list[Any]], effects: Effects) -> dict[str, NDArray[Any]]:
    if "effect" in said:
        _apply(said.pop("effect"), said, effects)
    of: dict[str, NDArray[Any]] = {}
    if "position" in said:
        of["position"] = _vectors(said["position"]) + 0.0  # -0.0 and 0.0 are the same place
        if of["position"].ndim > 3 or of["position"].shape[-1] > SPACE:
            raise ValueError("position")
    shape, placed = (3,), np.zeros(len(next(iter(said.values()), ())), dtype=bool)
    if "position" in of:
        shape, placed = of["position"].shape[1:], _first(of["position"]) == _first(of["position"])
    of |= _tangents(said, "", shape, placed)
    if "time" in said:
        of["time"] = _numbers(said["time"], FARTHEST)
    of |= _shaping(said, "tcb")
    if "orientation" in said:
        of |= _facings(said["orientation"])
    of |= {word: _texts(said[word]) for word in ("name", "relative_to") if word in said}
    if "pin" in said and not _flags(said["pin"]).all():
        of["pin"] = _flags(said["pin"])
    return of


def _apply(names: list[Any], said: dict[str, list[Any]], effects: Effects) -> None:
    """Let keys say what the effects they name say, where they do not say it themselves."""
    for row, name in enumerate(names):
        if name is None:
            continue
        if not isinstance(name, str) or name not in effects:
            raise ValueError("effect")
        for word, value in effects[name].items():
            values = said.setdefault(word, [None] * len(names))
            if values[row] is None:
                values[row] = value


def _numbers(values: list[Any], most: float) -> Floats:
    """Numbers, NaN where there is none."""
    if not {*map(type, values)} <= {int, float, type(None)}:
        raise ValueError("no number")
    numbers = np.array(values, dtype=np.float64)
    if (np.abs(numbers) > most).any():
        raise ValueError("too large")
    return numbers


def _shaping(said: Mapping[str, list[Any]], column: str) -> dict[str, NDArray[Any]]:
    known = {word: _numbers(said[word], STRONGEST) for word in SHAPING if word in said}
    if not known:
        return {}
    unset = np.full(len(next(iter(known.values()))), np.nan)
    return {column: np.stack([known.get(word, unset) for word in SHAPING], axis=1)}


def _vectors(values: Sequence[Any]) -> Floats:
    """Places, tangents or facings as rows; NaN where there is none."""
    known = [value for value in values if value is not None]
    found = rectangular(known)
    if found is None or found.ndim < 2:
        raise ValueError("no vectors")
    if len(known) == len(values):
        return found
    rows = np.full((len(values), *found.shape[1:]), np.nan)
    rows[[value is not None for value in values]] = found
    return rows


def _tangents(
    said: Mapping[str, list[Any]], prefix: str, shape: tuple[int, ...], placed: NDArray[np.bool_]
) -> dict[str, NDArray[Any]]:
    """Tangents by hand, infinite where they are chords; a vector needs a place of its own shape."""
    of: dict[str, NDArray[Any]] = {}
    for side in SIDES:
        if side not in said:
            continue
        rows = np.full((len(placed), *shape), np.nan)
        chords = [value == "chord" for value in said[side]]
        vectors = [None if chord else value for chord, value in zip(chords, said[side], strict=True)]
        if any(value is not None for value in vectors):
            found = _vectors(vectors) + 0.0
            if found.shape != rows.shape or not placed[_first(found) == _first(found)].all():
                raise ValueError(side)
            rows = found
        rows[chords] = np.inf
        of[prefix + side] = rows
    return of


def _facings(values: list[Any]) -> dict[str, NDArray[Any]]:
    """Facings, and what their turns say beside."""
    of: dict[str, NDArray[Any]] = {}
    if dict in {*map(type, values)}:
        turns = [{} if one is None else one if type(one) is dict else {"orientation": one} for one in values]
        said = _by_word(turns, TURN)
        if any(one and "orientation" not in one for one in turns) or {} in values:
            raise ValueError("orientation")
        everywhere = np.ones(len(values), dtype=bool)
        of |= _shaping(said, "turn_tcb") | _tangents(said, "turn_", (3,), everywhere)
        values = said["orientation"]
    found = _vectors(values)
    if found.shape[1:] != (4,):
        raise ValueError("orientation")
    w, x, y, z = found.T
    for row in np.flatnonzero(np.abs(w * w + x * x + y * y + z * z - 1) > UNIT_TOLERANCE):
        found[row] = Orientation.of(found[row]).wxyz
    return {"facing": found, **of}


def _texts(values: list[Any]) -> NDArray[Any]:
    texts = [value for value in values if value is not None]
    if {*map(type, texts)} != {str} or not all(texts):
        raise ValueError("no text")
    "".join(texts).encode()  # half a character raises
    return np.array(values, dtype=object)


def _flags(values: list[Any]) -> NDArray[np.bool_]:
    if not {*map(type, values)} <= {bool, type(None)}:
        raise ValueError("no flag")
    return np.array([value is not False for value in values])


def _first(rows: Floats) -> Floats:
    """The first number of each row: NaN in rows that say nothing."""
    return rows.reshape(len(rows), -1)[:, 0]
