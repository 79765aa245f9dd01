"""How are a million keys read and said at once? Column by column, as they are kept in memory.

Reading takes only what is plainly right; anything unusual or wrong gives None and is for `keys` to look at, one by one.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import FARTHEST, STRONGEST
from keypose.curves.keys import Columns, Keys
from keypose.curves.orientation import UNIT, Orientation
from keypose.document.forms import rectangular

Floats = NDArray[np.float64]

SHAPING = ("tension", "continuity", "bias")
PLAIN = {"position", "time", *SHAPING, "orientation", "name", "relative_to", "pin"}


def columns_of(given: list[Any]) -> Columns | None:
    """The keys as columns, or None if anything about them is unusual or wrong."""
    if {*map(type, given)} != {dict}:
        return None
    words = {*chain.from_iterable(given)}
    if not words <= PLAIN:
        return None
    try:
        of = {word: _column(word, given) for word in words}
        return Columns(len(given), _arranged(of))
    except (ValueError, OverflowError, TypeError):
        return None


def _column(word: str, keys: list[dict[str, Any]]) -> NDArray[Any]:
    """What all keys say about a word; anything unusual raises ValueError."""
    values = [key.get(word) for key in keys]
    missing = sum(value is None for value in values)
    if missing and missing != len(keys) - sum(word in key for key in keys):
        raise ValueError("null")
    if word in ("position", "orientation"):
        return _vectors(values, word)
    types = {*map(type, values)} - {type(None)}
    if word == "pin":
        if types != {bool}:
            raise ValueError(word)
        return np.array([value is not False for value in values])
    if word in ("name", "relative_to"):
        texts = [value for value in values if value is not None]
        if types != {str} or not all(texts):
            raise ValueError(word)
        "".join(texts).encode()
        return np.array(values, dtype=object)
    if not types <= {int, float}:
        raise ValueError(word)
    numbers = np.array(values, dtype=np.float64)
    most = STRONGEST if word in SHAPING else FARTHEST
    if (np.abs(numbers[~np.isnan(numbers)]) > most).any():
        raise ValueError(word)
    return numbers


def _vectors(values: list[Any], word: str) -> Floats:
    """Places (keys, …) or facings (keys, 4); NaN where there is none."""
    known = [value for value in values if value is not None]
    found = rectangular(known)
    if found is None or found.ndim < 2:
        raise ValueError(word)
    if word == "orientation":
        found = _units(found)
    else:
        found += 0.0  # -0.0 and 0.0 are the same place
    if len(known) == len(values):
        return found
    rows = np.full((len(values), *found.shape[1:]), np.nan)
    rows[[value is not None for value in values]] = found
    return rows


def _units(found: Floats) -> Floats:
    """Unit quaternions, to the bit as `Orientation` makes them."""
    if found.shape[1:] != (4,):
        raise ValueError("orientation")
    w, x, y, z = found.T
    for row in np.flatnonzero(np.abs(w * w + x * x + y * y + z * z - 1) > UNIT):
        found[row] = Orientation.of(found[row]).wxyz
    return found


def _arranged(of: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Columns by the names they have in memory."""
    made: dict[str, NDArray[Any]] = {
        word: of[word] for word in ("position", "time", "name", "relative_to", "pin") if word in of
    }
    count = len(next(iter(of.values()))) if of else 0
    if any(word in of for word in SHAPING):
        unset = np.full(count, np.nan)
        made["tcb"] = np.stack([of.get(word, unset) for word in SHAPING], axis=1)
    if "orientation" in of:
        made["facing"] = of["orientation"]
    if "pin" in made and made["pin"].all():
        del made["pin"]
    return made


def key_objects(keys: Keys, effects: Mapping[tuple[Any, ...], str]) -> Iterator[dict[str, Any]]:
    """What each key says, as plain values; `effects`: names of the scene's own, by their tension, continuity, bias."""
    of = keys.rope.whole.of
    said: dict[str, list[Any]] = {}
    for word, column in (("name", "name"), ("time", "time"), ("position", "position")):
        if column in of:
            said[word] = _values(of[column])
    if "facing" in of:
        said["orientation"] = _facings(of)
    if "tcb" in of:
        said |= {word: _values(of["tcb"][:, index]) for index, word in enumerate(SHAPING)}
        _name_effects(said, effects)
    said |= {word: _values(of[word]) for word in ("arrive", "leave", "relative_to") if word in of}
    if "pin" in of:
        said["pin"] = [None if pin else False for pin in of["pin"].tolist()]
    words = tuple(said)
    if not words:
        return ({} for _ in range(len(keys)))
    rows = zip(*said.values(), strict=True)
    return ({word: value for word, value in zip(words, row, strict=True) if value is not None} for row in rows)


def _values(column: NDArray[Any]) -> list[Any]:
    """A column as plain values: None where it is unset, "chord" where a tangent follows its chord."""
    values: list[Any] = column.tolist()
    if column.dtype == object:
        return values
    first = column.reshape(len(column), -1)[:, 0]
    for row in np.flatnonzero(~np.isfinite(first)).tolist():
        values[row] = None if np.isnan(first[row]) else "chord"
    return values


def _facings(of: Mapping[str, NDArray[Any]]) -> list[Any]:
    """Facings as w x y z, or with what their turns say beside."""
    facings = _values(of["facing"])
    turns: dict[str, list[Any]] = {}
    if "turn_tcb" in of:
        turns |= {word: _values(of["turn_tcb"][:, index]) for index, word in enumerate(SHAPING)}
    turns |= {side: _values(of[f"turn_{side}"]) for side in ("arrive", "leave") if f"turn_{side}" in of}
    for word, values in turns.items():
        for row, value in enumerate(values):
            if value is not None:
                if not isinstance(facings[row], dict):
                    facings[row] = {"orientation": facings[row]}
                facings[row][word] = value
    return facings


def _name_effects(said: dict[str, list[Any]], effects: Mapping[tuple[Any, ...], str]) -> None:
    """Say an effect by its name where a key has exactly its values."""
    if not effects:
        return
    names = [effects.get(values) for values in zip(*(said[word] for word in SHAPING), strict=True)]
    for row, name in enumerate(names):
        if name is not None:
            for word in SHAPING:
                said[word][row] = None
    said["effect"] = names
