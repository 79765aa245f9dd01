"""A rope against a plain list: whatever is spliced, it holds the same rows and shares what was not touched."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.maths import rope
from keypose.maths.rope import Rope


class Rows:
    """The simplest strand there is."""

    def __init__(self, values):
        self.values = list(values)

    def __len__(self):
        return len(self.values)

    def sliced(self, start, stop):
        assert 0 <= start <= stop <= len(self)
        return Rows(self.values[start:stop])

    @classmethod
    def concatenate(cls, chunks):
        return cls(value for chunk in chunks for value in chunk.values)


@contextmanager
def chunk_rows(count):
    """Short strands, so that a few dozen rows make many of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rope, "CHUNK_ROWS", count)
        yield


def chunk_bounds(some):
    ends = np.cumsum([0, *map(len, some.chunks)])
    return list(zip(some.chunks, ends[:-1], ends[1:], strict=True))


splices = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 30)), min_size=1, max_size=8)


@settings(deadline=None)
@given(st.integers(1, 60), splices, st.booleans())
def test_spliced_rope_equals_a_list_and_shares_unaffected_chunks(count, edits, looked_at):
    with chunk_rows(4):
        model = list(range(count))
        some = Rope(Rows(model))
        for place, reach, fresh in edits:
            start = round(place * len(model))
            stop = start + round(reach * (len(model) - start))
            rows = Rows(1000 * len(model) + i for i in range(fresh))
            far = [chunk for chunk, begin, end in chunk_bounds(some) if end < start or begin > stop]
            before = list(model)
            older = some
            some = some.spliced(start, stop, rows)
            model[start:stop] = rows.values

            assert len(some) == len(model)
            assert [value for chunk in some.chunks for value in chunk.values] == model
            assert some.starts.tolist() == np.cumsum([0, *map(len, some.chunks)]).tolist()
            chunk_ids = {id(chunk) for chunk in some.chunks}
            assert all(id(chunk) in chunk_ids for chunk in far)
            assert all(len(chunk) <= 8 for chunk in some.chunks)
            assert all(len(chunk) for chunk in some.chunks) or not model
            assert older.whole.values == before
            if looked_at:
                assert some.whole.values == model


@settings(deadline=None)
@given(st.integers(1, 60), st.data())
def test_rows_are_found_before_and_after_concatenation(count, data):
    with chunk_rows(4):
        some = Rope(Rows(range(count))).spliced(0, 0, Rows(["new"]))
        model = ["new", *range(count)]
        for _ in range(2):
            start = data.draw(st.integers(0, len(model)))
            stop = data.draw(st.integers(start, len(model)))
            assert some.rows(start, stop).values == model[start:stop]
            row = data.draw(st.integers(0, count))
            chunk, inside = some.locate_row(row)
            assert chunk.values[inside] == model[row]
            assert some.whole.values == model


def test_whole_is_concatenated_once_on_first_use():
    with chunk_rows(4):
        some = Rope(Rows(range(40))).spliced(20, 21, Rows(["x"]))
        assert not some.is_whole
        assert some.whole is some.whole
        assert some.is_whole


def test_rope_of_one_chunk_is_not_copied():
    rows = Rows(range(10))
    assert Rope(rows).whole is rows
    assert Rope(rows).chunks == (rows,)


def test_edit_of_a_million_rows_rewrites_one_chunk():
    class Counting(Rows):
        def __init__(self, values):
            self.values = values

        def sliced(self, start, stop):
            return Counting(self.values[start:stop])

        @classmethod
        def concatenate(cls, chunks):
            return cls(np.concatenate([chunk.values for chunk in chunks]))

    old = Rope(Counting(np.arange(1_000_000)))
    new = old.spliced(500_000, 500_001, Counting(np.array([-1])))
    shared = {id(chunk) for chunk in old.chunks}
    assert sum(id(chunk) not in shared for chunk in new.chunks) == 1
    assert len(new.chunks) == len(old.chunks)


def test_all_rows_can_be_removed_and_added_again():
    with chunk_rows(4):
        empty = Rope(Rows(range(30))).spliced(0, 30, Rows([]))
        assert len(empty) == 0
        assert empty.whole.values == []
        assert empty.spliced(0, 0, Rows("abc")).whole.values == ["a", "b", "c"]


def test_many_inserted_rows_are_split_into_chunks():
    with chunk_rows(4):
        grown = Rope(Rows(range(3))).spliced(1, 2, Rows(range(100, 160)))
        assert grown.whole.values == [0, *range(100, 160), 2]
        assert len(grown.chunks) > 10
