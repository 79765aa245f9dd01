"""How are a million keys kept? As columns, shared between a path and its edits.

`Keys` reads like a tuple of `Key` values; inside, what the keys say lies in one array per word, and a word that no key
says has none. In these columns NaN means unset, and an infinite tangent means the plain chord.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keypose.curves.key import FARTHEST, Key, Turn, placed
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.arrays import Floats
from keypose.maths.rope import Rope

NO_SHAPING = np.full(3, np.nan)


class Columns:
    """Some consecutive keys, word by word: a strand of a rope."""

    __slots__ = ("count", "of")

    def __init__(self, count: int, of: dict[str, NDArray[Any]]) -> None:
        self.count = count
        self.of = of

    def __len__(self) -> int:
        return self.count

    def sliced(self, start: int, stop: int) -> Self:
        """Keys start … stop."""
        return type(self)(stop - start, {word: column[start:stop] for word, column in self.of.items()})

    @classmethod
    def joined(cls, strands: Sequence[Self]) -> Self:
        """One after the other; all have the same words."""
        words = strands[0].of
        count = sum(len(strand) for strand in strands)
        return cls(count, {word: np.concatenate([strand.of[word] for strand in strands]) for word in words})

    def with_unset(self, words: dict[str, NDArray[Any]]) -> Self:
        """The same keys with columns in which none of them says anything yet, shaped like those given."""
        missing = {word: _unset(column, self.count) for word, column in words.items() if word not in self.of}
        return type(self)(self.count, self.of | missing) if missing else self

    @classmethod
    def said_by(cls, keys: Sequence[Key], shape: tuple[int, ...] = (3,)) -> Self:
        """The columns that these keys fill; `shape` is that of a place, if none of them has one to show it."""
        of: dict[str, NDArray[Any]] = {}
        places = [key.position for key in keys]
        shape = next((place.shape for place in places if place is not None), shape)
        if any(place is not None for place in places):
            of["position"] = _vectors(places, shape)
        for side in ("arrive", "leave"):
            tangents = [getattr(key, side) for key in keys]
            if any(tangent is not None for tangent in tangents):
                of[side] = _vectors(tangents, shape)
        times = [key.time for key in keys]
        if any(time is not None for time in times):
            of["time"] = np.array(times, dtype=np.float64)
        shaping = [(key.tension, key.continuity, key.bias) for key in keys]
        if any(values != (None, None, None) for values in shaping):
            of["tcb"] = np.array(shaping, dtype=np.float64)
        if any(key.orientation is not None for key in keys):
            of |= _facings(keys)
        for word in ("name", "relative_to"):
            texts = [getattr(key, word) for key in keys]
            if any(text is not None for text in texts):
                of[word] = np.array(texts, dtype=object)
        if not all(key.pin for key in keys):
            of["pin"] = np.array([key.pin for key in keys])
        return cls(len(keys), of)

    def key(self, index: int) -> Key:
        """One key as a value again."""
        row = {word: column[index] for word, column in self.of.items()}
        tension, continuity, bias = (_or_none(value) for value in row.get("tcb", NO_SHAPING))
        facing: Orientation | Turn | None = None
        if "facing" in row and not np.isnan(row["facing"][0]):
            facing = Orientation.of(row["facing"])
            shaping = [_or_none(value) for value in row.get("turn_tcb", NO_SHAPING)]
            by_hand = [_tangent(row.get("turn_arrive")), _tangent(row.get("turn_leave"))]
            if any(value is not None for value in (*shaping, *by_hand)):
                facing = Turn(
                    facing,
                    tension=shaping[0],
                    continuity=shaping[1],
                    bias=shaping[2],
                    arrive=by_hand[0],
                    leave=by_hand[1],
                )
        return Key(
            None if "position" not in row or np.isnan(row["position"].flat[0]) else row["position"],
            time=_or_none(row.get("time", np.nan)),
            tension=tension,
            continuity=continuity,
            bias=bias,
            arrive=_tangent(row.get("arrive")),
            leave=_tangent(row.get("leave")),
            orientation=facing,
            relative_to=row.get("relative_to"),
            pin=bool(row.get("pin", True)),
            name=row.get("name"),
        )


class Keys(Sequence[Key]):
    """The keys of a path: a sequence of `Key` values, found by index or by name."""

    __slots__ = ("_latest", "rope")

    def __init__(self, rope: Rope[Columns]) -> None:
        self.rope = rope
        self._latest: tuple[int, Key] | None = None  # a hand that drags a key asks for it again and again

    @classmethod
    def of(cls, keys: "Sequence[Key] | ArrayLike") -> "Keys":
        """Keys from keys, from plain places, or from one array (keys, dim) or (keys, points, dim)."""
        if isinstance(keys, Keys):
            return keys
        if isinstance(keys, np.ndarray):
            return cls(Rope(_from_array(keys)))
        if isinstance(keys, str | bytes | Mapping | set | frozenset) or not isinstance(keys, Iterable):
            raise KeyposeError(f"A path was given {shown(keys)} as its keys. Give a list of keys or places.")
        said = [key if isinstance(key, Key) else Key(placed(key, f"key {i}")) for i, key in enumerate(keys)]
        _check_shapes(said)
        return cls(Rope(Columns.said_by(said)))

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
        index, latest = int(index) % len(self), self._latest
        if latest is None or latest[0] != index:
            strand, row = self.rope.holding(index)
            self._latest = latest = (index, strand.key(row))
        return latest[1]

    def __iter__(self) -> Iterator[Key]:
        whole = self.rope.whole
        return (whole.key(index) for index in range(len(whole)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keys) or len(self) != len(other):
            return NotImplemented if not isinstance(other, Keys) else False
        mine, theirs = self.rope.whole.of, other.rope.whole.of
        return all(_same(_comparable(word, mine), _comparable(word, theirs)) for word in mine.keys() | theirs.keys())

    def __hash__(self) -> int:
        position = self.column("position")
        said = position is not None and not np.isnan(position).all()
        return hash((len(self), position.tobytes() if position is not None and said else None))

    def __repr__(self) -> str:
        shown = [repr(key) for key in self[:6]] + (["…"] if len(self) > 6 else [])
        return f"({', '.join(shown)})"

    def column(self, word: str) -> NDArray[Any] | None:
        """What all keys say about `word`, or None where none says anything."""
        return self.rope.whole.of.get(word)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Where a key is: by its name, its index (negative counts from the end), or the key itself."""
        if isinstance(value, str):
            wanted = np.array(value, dtype=object)  # as a text of numpy's own it would lose zeros at its end
            for begin, strand in zip(self.rope.starts, self.rope.strands, strict=False):
                names = strand.of.get("name")
                if names is not None and (found := np.flatnonzero(names == wanted)).size:
                    return int(begin) + int(found[0])
            names = self.column("name")
            known = [] if names is None else [name for name in names if name is not None]
            raise UnknownNameError(f"No key is named {shown(value)}.{did_you_mean(value, known)}")
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64):
            if not -len(self) <= value < len(self):
                raise UnknownNameError(f"There is no key {shown(value)}. This path has keys 0 … {len(self) - 1}.")
            return int(value) % len(self)
        if isinstance(value, Key):
            for i in range(*slice(start, stop).indices(len(self))):
                if self[i] == value:
                    return i
            raise UnknownNameError(f"This path has no {shown(value)}. Take one of its own keys, a name or an index.")
        raise KeyposeError(f"Keys go by name or index, but {shown(value)} was given.")

    def spliced(self, start: int, stop: int, keys: Sequence[Key]) -> "Keys":
        """Keys with start … stop replaced; shares what is not touched. A new word is unset in all the others."""
        words = self.rope.strands[0].of
        fresh = Columns.said_by(keys, words["position"].shape[1:] if "position" in words else (3,))
        if "position" in fresh.of and "position" not in words:
            return Keys.of([*self[:start], *keys, *self[stop:]])
        new = {word: column for word, column in fresh.of.items() if word not in words}
        rope = self.rope.mapped(lambda strand: strand.with_unset(new)) if new else self.rope
        return Keys(rope.spliced(start, stop, fresh.with_unset(words)))


def _vectors(values: Sequence[Any], shape: tuple[int, ...]) -> Floats:
    """Positions or tangents as rows: NaN where there is none, infinity for "chord"."""
    if not any(value is None or isinstance(value, str) for value in values):
        return np.array(values, dtype=np.float64)
    rows = np.full((len(values), *shape), np.nan)
    for index, value in enumerate(values):
        if value is not None:
            rows[index] = np.inf if isinstance(value, str) else value
    return rows


def _facings(keys: Sequence[Key]) -> dict[str, NDArray[Any]]:
    turns = [Turn(key.orientation) if isinstance(key.orientation, Orientation) else key.orientation for key in keys]
    of: dict[str, NDArray[Any]] = {"facing": _vectors([t.orientation.wxyz if t else None for t in turns], (4,))}
    shaping = [(t.tension, t.continuity, t.bias) if t else (None, None, None) for t in turns]
    if any(values != (None, None, None) for values in shaping):
        of["turn_tcb"] = np.array(shaping, dtype=np.float64)
    for side in ("arrive", "leave"):
        tangents = [getattr(t, side) if t else None for t in turns]
        if any(tangent is not None for tangent in tangents):
            of[f"turn_{side}"] = _vectors(tangents, (3,))
    return of


def _from_array(places: NDArray[Any]) -> Columns:
    if places.ndim not in (2, 3) or not places.size or places.dtype.kind not in "iuf":
        raise KeyposeError(
            f"A path was given an array of {places.dtype} of shape {places.shape}. "
            "Give numbers (keys, dim), or (keys, points, dim) for drawings."
        )
    rows = places.astype(np.float64, order="C")
    rows += 0.0  # -0.0 and 0.0 are the same place
    wrong = ~(np.abs(rows).reshape(len(rows), -1) <= FARTHEST).all(axis=1)
    if wrong.any():
        index = int(np.argmax(wrong))
        placed(rows[index], f"key {index}")
    return Columns(len(rows), {"position": rows})


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


def _unset(column: NDArray[Any], count: int) -> NDArray[Any]:
    shape = (count, *column.shape[1:])
    if column.dtype == object:
        return np.full(shape, None, dtype=object)
    return np.ones(shape, dtype=bool) if column.dtype == bool else np.full(shape, np.nan)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _tangent(row: Any) -> Any:
    if row is None or np.isnan(row.flat[0]):
        return None
    return "chord" if np.isinf(row.flat[0]) else row


def _comparable(word: str, of: dict[str, NDArray[Any]]) -> NDArray[Any] | None:
    """A column as it is compared: a facing equals its negative, and unset or chord tangents have no dimension."""
    column = of.get(word)
    if column is None:
        return None
    if word == "facing":
        first = np.argmax(column != 0, axis=1)
        sign = np.where(column[np.arange(len(column)), first] < 0, -1.0, 1.0)
        return np.asarray(column * sign[:, None] + 0.0)
    if word in ("arrive", "leave") and not np.isfinite(column).any():
        return np.asarray(column.reshape(len(column), -1)[:, 0])
    return column


def _same(mine: NDArray[Any] | None, theirs: NDArray[Any] | None) -> bool:
    """Whether two columns say the same; a column that is not there says nothing."""
    if mine is None or theirs is None:
        said = mine if theirs is None else theirs
        return said is None or _same(said, _unset(said, len(said)))
    return mine.shape == theirs.shape and bool(np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f"))
