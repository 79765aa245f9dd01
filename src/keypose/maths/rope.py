"""How can an edited sequence of a million rows share all it did not touch with the old one?

A rope is an immutable sequence held as strands of a few hundred rows. Splicing new rows in rewrites the strands they
fall into and shares the others; the whole as one strand is put together only when somebody asks for it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from keypose.maths.arrays import Ints

CHUNK_ROWS = 256  # rows; an edit copies at most two strands and the list of strands


class Chunk(Protocol):
    """Rows that can be cut and joined."""

    def __len__(self) -> int: ...

    def sliced(self, start: int, stop: int) -> Self:
        """Rows start … stop, sharing memory."""
        ...

    @classmethod
    def concatenate(cls, chunks: Sequence[Self]) -> Self:
        """One strand after the other, copied."""
        ...


S = TypeVar("S", bound=Chunk)


class Rope(Generic[S]):
    """An immutable sequence of rows in strands."""

    __slots__ = ("_chunks", "_starts", "_whole")

    def __init__(self, whole: S) -> None:
        self._whole: S | None = whole
        self._chunks: tuple[S, ...] | None = None
        self._starts: Ints | None = None

    @classmethod
    def _from_chunks(cls, chunks: tuple[S, ...], starts: Ints) -> "Rope[S]":
        rope = cls.__new__(cls)
        rope._whole = chunks[0] if len(chunks) == 1 else None
        rope._chunks = chunks
        rope._starts = starts
        return rope

    def __len__(self) -> int:
        return len(self._whole) if self._whole is not None else int(self.starts[-1])

    @property
    def is_whole(self) -> bool:
        """Whether the rows lie together already."""
        return self._whole is not None

    @property
    def whole(self) -> S:
        """All rows as one strand; joined once, then kept."""
        if self._whole is None:
            assert self._chunks is not None
            self._whole = type(self._chunks[0]).concatenate(self._chunks)
        return self._whole

    @property
    def chunks(self) -> tuple[S, ...]:
        """The strands, cut from the whole when first needed."""
        if self._chunks is None:
            assert self._whole is not None
            bounds = [*range(0, len(self._whole) - CHUNK_ROWS // 2, CHUNK_ROWS), len(self._whole)]
            if len(bounds) < 3:
                self._chunks = (self._whole,)
            else:
                self._chunks = tuple(self._whole.sliced(start, stop) for start, stop in pairwise(bounds))
        return self._chunks

    @property
    def starts(self) -> Ints:
        """The row each strand starts at, and the number of rows, (strands + 1,)."""
        if self._starts is None:
            self._starts = np.cumsum([0, *map(len, self.chunks)], dtype=np.int64)
        return self._starts

    def mapped(self, change: Callable[[S], S]) -> "Rope[S]":
        """A rope with every strand changed alike; each keeps its number of rows."""
        return Rope._from_chunks(tuple(change(chunk) for chunk in self.chunks), self.starts)

    def locate_row(self, row: int) -> tuple[S, int]:
        """The strand that holds `row`, and where in it."""
        if self._whole is not None:
            return self._whole, row
        chunk = int(np.searchsorted(self.starts, row, side="right")) - 1
        return self.chunks[chunk], row - int(self.starts[chunk])

    def rows(self, start: int, stop: int) -> S:
        """Rows start … stop as one strand."""
        if self._whole is not None:
            return self._whole.sliced(start, stop)
        parts = list(self._slices(start, stop)) or [self.chunks[0].sliced(0, 0)]
        return parts[0] if len(parts) == 1 else type(parts[0]).concatenate(parts)

    def spliced(self, start: int, stop: int, rows: S) -> "Rope[S]":
        """A rope with rows start … stop replaced by `rows` (of any number); shares the strands it does not touch."""
        chunks = self.chunks
        if len(chunks) == 1:
            return self._splice_single(start, stop, rows)
        starts = self.starts
        first = min(max(int(np.searchsorted(starts, start, side="right")) - 1, 0), len(chunks) - 1)
        last = max(int(np.searchsorted(starts, stop, side="left")), first + 1)
        before = chunks[first].sliced(0, start - int(starts[first]))
        after = chunks[last - 1].sliced(stop - int(starts[last - 1]), len(chunks[last - 1]))
        middle = type(rows).concatenate([part for part in (before, rows, after) if len(part)] or [rows])
        new_chunks = Rope(middle).chunks if len(middle) > 2 * CHUNK_ROWS else (middle,)
        if not len(middle) and last - first < len(chunks):
            new_chunks = ()
        ends = starts[first] + np.cumsum([0, *map(len, new_chunks)], dtype=np.int64)
        shifted_starts = starts[last + 1 :] + (ends[-1] - starts[last])
        return Rope._from_chunks(
            chunks[:first] + new_chunks + chunks[last:], np.concatenate([starts[:first], ends, shifted_starts])
        )

    def _splice_single(self, start: int, stop: int, rows: S) -> "Rope[S]":
        """The same for a rope of one strand."""
        before, after = self.whole.sliced(0, start), self.whole.sliced(stop, len(self.whole))
        return Rope(type(rows).concatenate([part for part in (before, rows, after) if len(part)] or [rows]))

    def _slices(self, start: int, stop: int) -> Iterator[S]:
        chunk = int(np.searchsorted(self.starts, start, side="right")) - 1
        while start < stop:
            begin, end = int(self.starts[chunk]), int(self.starts[chunk + 1])
            yield self.chunks[chunk].sliced(start - begin, min(stop, end) - begin)
            start, chunk = end, chunk + 1
