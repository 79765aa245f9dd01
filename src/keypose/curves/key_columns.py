"""How are a million keys kept? As columns, shared between a path and its edits.

`Keys` reads like a tuple of `Key` values; inside, what the keys say lies in one array per word, and a word that no key
says has none. In these columns NaN means unset, and an infinite tangent means the plain chord.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import MAX_COORDINATE, Key, Turn, parse_position
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import ArrayLike, Floats, Rope

UNSET_TCB = np.full(3, np.nan)


class KeyColumns:
    """Some consecutive keys, word by word: a strand of a rope."""

    __slots__ = ("arrays", "count")

    def __init__(self, count: int, arrays: dict[str, NDArray[Any]]) -> None:
        self.count = count
        self.arrays = arrays

    def __len__(self) -> int:
        return self.count

    def sliced(self, start: int, stop: int) -> Self:
        """Keys start … stop."""
        return type(self)(stop - start, {name: column[start:stop] for name, column in self.arrays.items()})

    @classmethod
    def concatenate(cls, chunks: Sequence[Self]) -> Self:
        """One after the other; all have the same words."""
        arrays = chunks[0].arrays
        count = sum(len(chunk) for chunk in chunks)
        return cls(count, {name: np.concatenate([chunk.arrays[name] for chunk in chunks]) for name in arrays})

    def with_unset_columns(self, columns: dict[str, NDArray[Any]]) -> Self:
        """The same keys with columns in which none of them says anything yet, shaped like those given."""
        missing = {
            name: _unset_column(column, self.count) for name, column in columns.items() if name not in self.arrays
        }
        return type(self)(self.count, self.arrays | missing) if missing else self

    @classmethod
    def from_keys(cls, keys: Sequence[Key], shape: tuple[int, ...] = (3,)) -> Self:
        """The columns that these keys fill; `shape` is that of a place, if none of them has one to show it."""
        arrays: dict[str, NDArray[Any]] = {}
        positions = [key.position for key in keys]
        shape = next((position.shape for position in positions if position is not None), shape)
        if any(position is not None for position in positions):
            arrays["position"] = _vector_rows(positions, shape)
        for side in ("arrive", "leave"):
            tangents = [getattr(key, side) for key in keys]
            if any(tangent is not None for tangent in tangents):
                arrays[side] = _vector_rows(tangents, shape)
        times = [key.time for key in keys]
        if any(time is not None for time in times):
            arrays["time"] = np.array(times, dtype=np.float64)
        tcb = [(key.tension, key.continuity, key.bias) for key in keys]
        if any(values != (None, None, None) for values in tcb):
            arrays["tcb"] = np.array(tcb, dtype=np.float64)
        if any(key.orientation is not None for key in keys):
            arrays |= _orientation_columns(keys)
        for name in ("name", "relative_to"):
            texts = [getattr(key, name) for key in keys]
            if any(text is not None for text in texts):
                arrays[name] = np.array(texts, dtype=object)
        if not all(key.pin for key in keys):
            arrays["pin"] = np.array([key.pin for key in keys])
        return cls(len(keys), arrays)

    def key(self, index: int) -> Key:
        """One key as a value again."""
        row = {name: column[index] for name, column in self.arrays.items()}
        tension, continuity, bias = (_none_if_nan(value) for value in row.get("tcb", UNSET_TCB))
        orientation: Orientation | Turn | None = None
        if "facing" in row and not np.isnan(row["facing"][0]):
            orientation = Orientation.of(row["facing"])
            turn_tcb = [_none_if_nan(value) for value in row.get("turn_tcb", UNSET_TCB)]
            manual = [_tangent_value(row.get("turn_arrive")), _tangent_value(row.get("turn_leave"))]
            if any(value is not None for value in (*turn_tcb, *manual)):
                orientation = Turn(
                    orientation,
                    tension=turn_tcb[0],
                    continuity=turn_tcb[1],
                    bias=turn_tcb[2],
                    arrive=manual[0],
                    leave=manual[1],
                )
        return Key(
            None if "position" not in row or np.isnan(row["position"].flat[0]) else row["position"],
            time=_none_if_nan(row.get("time", np.nan)),
            tension=tension,
            continuity=continuity,
            bias=bias,
            arrive=_tangent_value(row.get("arrive")),
            leave=_tangent_value(row.get("leave")),
            orientation=orientation,
            relative_to=row.get("relative_to"),
            pin=bool(row.get("pin", True)),
            name=row.get("name"),
        )


INTERNAL_ATTRIBUTES = frozenset({"column", "of", "rope", "spliced"})
"""For other modules and packages; not shown by tab completion."""


class Keys(Sequence[Key]):
    """The keys of a path: a sequence of `Key` values, found by index or by name."""

    __slots__ = ("_last_key", "rope")

    def __init__(self, rope: Rope[KeyColumns]) -> None:
        self.rope = rope
        self._last_key: tuple[int, Key] | None = None  # a hand that drags a key asks for it again and again

    @classmethod
    def of(cls, keys: "Sequence[Key | ArrayLike] | NDArray[Any]") -> "Keys":
        """Keys from keys, from plain places, or from one array (keys, dim) or (keys, points, dim)."""
        if isinstance(keys, Keys):
            return keys
        if isinstance(keys, np.ndarray):
            return cls(Rope(_columns_from_array(keys)))
        if isinstance(keys, str | bytes | Mapping | set | frozenset) or not isinstance(keys, Iterable):
            raise KeyposeError(f"A path was given {short_repr(keys)} as its keys. Give a list of keys or places.")
        values = [key if isinstance(key, Key) else Key(parse_position(key, f"key {i}")) for i, key in enumerate(keys)]
        _check_shapes(values)
        return cls(Rope(KeyColumns.from_keys(values)))

    def __len__(self) -> int:
        return len(self.rope)

    @overload
    def __getitem__(self, index: int | str) -> Key: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Key, ...]: ...
    def __getitem__(self, index: int | str | slice) -> Key | tuple[Key, ...]:
        if isinstance(index, str):
            index = self.index(index)
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index, latest = int(index) % len(self), self._last_key
        if latest is None or latest[0] != index:
            chunk, row = self.rope.locate_row(index)
            self._last_key = latest = (index, chunk.key(row))
        return latest[1]

    def __iter__(self) -> Iterator[Key]:
        whole = self.rope.whole
        return (whole.key(index) for index in range(len(whole)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keys) or len(self) != len(other):
            return NotImplemented if not isinstance(other, Keys) else False
        arrays, other_arrays = self.rope.whole.arrays, other.rope.whole.arrays
        return all(
            _equal_columns(_canonical_column(name, arrays), _canonical_column(name, other_arrays))
            for name in arrays.keys() | other_arrays.keys()
        )

    def __hash__(self) -> int:
        position = self.column("position")
        has_positions = position is not None and not np.isnan(position).all()
        return hash((len(self), position.tobytes() if position is not None and has_positions else None))

    def __repr__(self) -> str:
        texts = [repr(key) for key in self[:6]] + (["…"] if len(self) > 6 else [])
        return f"({', '.join(texts)})"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    def column(self, name: str) -> NDArray[Any] | None:
        """What all keys say about `name`, or None where none says anything."""
        return self.rope.whole.arrays.get(name)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Where a key is: by its name, its index (negative counts from the end), or the key itself."""
        if isinstance(value, str):
            wanted = np.array(value, dtype=object)  # as a text of numpy's own it would lose zeros at its end
            for begin, chunk in zip(self.rope.starts, self.rope.chunks, strict=False):
                names = chunk.arrays.get("name")
                if names is not None and (found := np.flatnonzero(names == wanted)).size:
                    return int(begin) + int(found[0])
            names = self.column("name")
            known = [] if names is None else [name for name in names if name is not None]
            raise UnknownNameError(f"No key is named {short_repr(value)}.{did_you_mean(value, known)}")
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64):
            if not -len(self) <= value < len(self):
                raise UnknownNameError(f"There is no key {short_repr(value)}. This path has keys 0 … {len(self) - 1}.")
            return int(value) % len(self)
        if isinstance(value, Key):
            for i in range(*slice(start, stop).indices(len(self))):
                if self[i] == value:
                    return i
            raise UnknownNameError(
                f"This path has no {short_repr(value)}. Take one of its own keys, a name or an index."
            )
        raise KeyposeError(f"Keys go by name or index, but {short_repr(value)} was given.")

    def spliced(self, start: int, stop: int, keys: Sequence[Key]) -> "Keys":
        """Keys with start … stop replaced; shares what is not touched. A new word is unset in all the others."""
        arrays = self.rope.chunks[0].arrays
        new_columns = KeyColumns.from_keys(keys, arrays["position"].shape[1:] if "position" in arrays else (3,))
        if "position" in new_columns.arrays and "position" not in arrays:
            return Keys.of([*self[:start], *keys, *self[stop:]])
        missing = {name: column for name, column in new_columns.arrays.items() if name not in arrays}
        rope = self.rope.mapped(lambda chunk: chunk.with_unset_columns(missing)) if missing else self.rope
        return Keys(rope.spliced(start, stop, new_columns.with_unset_columns(arrays)))


def _vector_rows(values: Sequence[Any], shape: tuple[int, ...]) -> Floats:
    """Positions or tangents as rows: NaN where there is none, infinity for "chord"."""
    if not any(value is None or isinstance(value, str) for value in values):
        return np.array(values, dtype=np.float64)
    rows = np.full((len(values), *shape), np.nan)
    for index, value in enumerate(values):
        if value is not None:
            rows[index] = np.inf if isinstance(value, str) else value
    return rows


def _orientation_columns(keys: Sequence[Key]) -> dict[str, NDArray[Any]]:
    turns = [Turn(key.orientation) if isinstance(key.orientation, Orientation) else key.orientation for key in keys]
    arrays: dict[str, NDArray[Any]] = {"facing": _vector_rows([t.orientation.wxyz if t else None for t in turns], (4,))}
    tcb = [(t.tension, t.continuity, t.bias) if t else (None, None, None) for t in turns]
    if any(values != (None, None, None) for values in tcb):
        arrays["turn_tcb"] = np.array(tcb, dtype=np.float64)
    for side in ("arrive", "leave"):
        tangents = [getattr(t, side) if t else None for t in turns]
        if any(tangent is not None for tangent in tangents):
            arrays[f"turn_{side}"] = _vector_rows(tangents, (3,))
    return arrays


def _columns_from_array(positions: NDArray[Any]) -> KeyColumns:
    if positions.ndim not in (2, 3) or not positions.size or positions.dtype.kind not in "iuf":
        raise KeyposeError(
            f"A path was given an array of {positions.dtype} of shape {positions.shape}. "
            "Give numbers (keys, dim), or (keys, points, dim) for drawings."
        )
    rows = positions.astype(np.float64, order="C")
    rows += 0.0  # -0.0 and 0.0 are the same place
    wrong = ~(np.abs(rows).reshape(len(rows), -1) <= MAX_COORDINATE).all(axis=1)
    if wrong.any():
        index = int(np.argmax(wrong))
        parse_position(rows[index], f"key {index}")
    return KeyColumns(len(rows), {"position": rows})


def _check_shapes(keys: Sequence[Key]) -> None:
    shape: tuple[int, ...] | None = None
    for index, key in enumerate(keys):
        if key.position is None:
            continue
        shape = shape or key.position.shape
        if key.position.shape != shape:
            raise KeyposeError(
                f"Key {index} has a position of shape {key.position.shape}, the keys before it {shape}. "
                "All keys of a path need the same number of points and dimensions."
            )


def _unset_column(column: NDArray[Any], count: int) -> NDArray[Any]:
    shape = (count, *column.shape[1:])
    if column.dtype == object:
        return np.full(shape, None, dtype=object)
    return np.ones(shape, dtype=bool) if column.dtype == bool else np.full(shape, np.nan)


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _tangent_value(row: Any) -> Any:
    if row is None or np.isnan(row.flat[0]):
        return None
    return "chord" if np.isinf(row.flat[0]) else row


def _canonical_column(name: str, arrays: dict[str, NDArray[Any]]) -> NDArray[Any] | None:
    """A column as it is compared: a facing equals its negative, and unset or chord tangents have no dimension."""
    column = arrays.get(name)
    if column is None:
        return None
    if name == "facing":
        first = np.argmax(column != 0, axis=1)
        sign = np.where(column[np.arange(len(column)), first] < 0, -1.0, 1.0)
        return np.asarray(column * sign[:, None] + 0.0)
    if name in ("arrive", "leave") and not np.isfinite(column).any():
        return np.asarray(column.reshape(len(column), -1)[:, 0])
    return column


def _equal_columns(column: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    """Whether two columns say the same; a column that is not there says nothing."""
    if column is None or other is None:
        present = column if other is None else other
        return present is None or _equal_columns(present, _unset_column(present, len(present)))
    return column.shape == other.shape and bool(np.array_equal(column, other, equal_nan=column.dtype.kind == "f"))
