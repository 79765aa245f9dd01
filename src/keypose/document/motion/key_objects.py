"""How do a million keys say what they say? Column by column, then a plain object for each, with nothing unset in it."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import Keys
from keypose.document.motion.key_columns import SIDES, TCB
from keypose.document.text.layout import plain_numbers


def key_objects(keys: Keys, effects: Mapping[tuple[Any, ...], str]) -> Iterator[dict[str, Any]]:
    """What each key says, as plain values; `effects`: names of the scene's own, by their tension, continuity, bias.

    Nothing is looked at before the first is asked for: who wants only some words of a path does not wait for its keys.
    """
    columns = keys.rope.whole.arrays
    values_by_field: dict[str, list[Any]] = {
        name: _column_values(columns[name]) for name in ("name", "time", "position") if name in columns
    }
    if "facing" in columns:
        values_by_field["orientation"] = _orientation_values(columns)
    if "tcb" in columns:
        values_by_field |= _tcb_values(columns["tcb"])
        _name_effects(values_by_field, effects)
    values_by_field |= {name: _column_values(columns[name]) for name in (*SIDES, "relative_to") if name in columns}
    if "pin" in columns:
        values_by_field["pin"] = [None if pin else False for pin in columns["pin"].tolist()]
    if not values_by_field:
        yield from ({} for _ in range(len(keys)))
        return
    names, rows = tuple(values_by_field), zip(*values_by_field.values(), strict=True)
    yield from ({name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows)


def _column_values(column: NDArray[Any]) -> list[Any]:
    """A column as plain values: None where it is unset, "chord" where a tangent follows its chord."""
    if column.dtype == object:
        return column.tolist()  # type: ignore[no-any-return]
    values, first = plain_numbers(column), column.reshape(len(column), -1)[:, 0]
    for row in np.flatnonzero(~np.isfinite(first)).tolist():
        values[row] = None if np.isnan(first[row]) else "chord"
    return values


def _tcb_values(rows: NDArray[Any]) -> dict[str, list[Any]]:
    return {name: _column_values(rows[:, index]) for index, name in enumerate(TCB)}


def _orientation_values(columns: Mapping[str, NDArray[Any]]) -> list[Any]:
    """Facings as w x y z, or with what their turns say beside."""
    orientations = _column_values(columns["facing"])
    turns = _tcb_values(columns["turn_tcb"]) if "turn_tcb" in columns else {}
    turns |= {side: _column_values(columns[f"turn_{side}"]) for side in SIDES if f"turn_{side}" in columns}
    for name, values in turns.items():
        for row, value in enumerate(values):
            if value is not None:
                if not isinstance(orientations[row], dict):
                    orientations[row] = {"orientation": orientations[row]}
                orientations[row][name] = value
    return orientations


def _name_effects(values_by_field: dict[str, list[Any]], effects: Mapping[tuple[Any, ...], str]) -> None:
    """Say an effect by its name where a key has exactly its values."""
    if not effects:
        return
    names = [effects.get(values) for values in zip(*(values_by_field[field] for field in TCB), strict=True)]
    for row, name in enumerate(names):
        if name is not None:
            for field in TCB:
                values_by_field[field][row] = None
    values_by_field["effect"] = names
