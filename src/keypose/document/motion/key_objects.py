"""How do a million keys say what they say? Column by column, then a plain object for each, with nothing unset in it."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key_columns import Keys
from keypose.document.motion.key_columns import SHAPING, SIDES
from keypose.document.text.layout import plain


def key_objects(keys: Keys, effects: Mapping[tuple[Any, ...], str]) -> Iterator[dict[str, Any]]:
    """What each key says, as plain values; `effects`: names of the scene's own, by their tension, continuity, bias.

    Nothing is looked at before the first is asked for: who wants only some words of a path does not wait for its keys.
    """
    of = keys.rope.whole.of
    said: dict[str, list[Any]] = {word: _values(of[word]) for word in ("name", "time", "position") if word in of}
    if "facing" in of:
        said["orientation"] = _facings(of)
    if "tcb" in of:
        said |= _shaping(of["tcb"])
        _name_effects(said, effects)
    said |= {word: _values(of[word]) for word in (*SIDES, "relative_to") if word in of}
    if "pin" in of:
        said["pin"] = [None if pin else False for pin in of["pin"].tolist()]
    if not said:
        yield from ({} for _ in range(len(keys)))
        return
    words, rows = tuple(said), zip(*said.values(), strict=True)
    yield from ({word: value for word, value in zip(words, row, strict=True) if value is not None} for row in rows)


def _values(column: NDArray[Any]) -> list[Any]:
    """A column as plain values: None where it is unset, "chord" where a tangent follows its chord."""
    if column.dtype == object:
        return column.tolist()  # type: ignore[no-any-return]
    values, first = plain(column), column.reshape(len(column), -1)[:, 0]
    for row in np.flatnonzero(~np.isfinite(first)).tolist():
        values[row] = None if np.isnan(first[row]) else "chord"
    return values


def _shaping(rows: NDArray[Any]) -> dict[str, list[Any]]:
    return {word: _values(rows[:, index]) for index, word in enumerate(SHAPING)}


def _facings(of: Mapping[str, NDArray[Any]]) -> list[Any]:
    """Facings as w x y z, or with what their turns say beside."""
    facings = _values(of["facing"])
    turns = _shaping(of["turn_tcb"]) if "turn_tcb" in of else {}
    turns |= {side: _values(of[f"turn_{side}"]) for side in SIDES if f"turn_{side}" in of}
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
