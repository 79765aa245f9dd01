"""What a value looks like in a sentence."""

import numpy as np
import pytest

from keypose.errors import short_repr


class Broken:
    def __repr__(self):
        raise RuntimeError("broken")


class Counted:
    written = 0

    def __repr__(self):
        Counted.written += 1
        return "one"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2.5, "2.5"),
        ("two", "'two'"),
        (None, "None"),
        ((1, "a"), "(1, 'a')"),
        ({"bounce": 0.5}, "{'bounce': 0.5}"),
        (np.array([1.0, np.nan]), "[1.0, nan]"),
        (np.array(2.0), "2.0"),
        ([10**5000, 1], "[a number of thousands of digits, 1]"),
        ("one\ntwo", r"'one\ntwo'"),
        (Broken(), "a broken Broken"),
        ([Broken()], "[a broken Broken]"),
    ],
    ids=lambda value: "",
)
def test_short_repr_shows_values_as_written(value, written):
    assert short_repr(value) == written


@pytest.mark.parametrize("value", [[0.5] * 10**6, "x" * 10**6, np.zeros((1000, 1000)), {i: i for i in range(10**5)}])
def test_long_value_is_truncated(value):
    assert len(short_repr(value)) == 58
    assert short_repr(value).endswith("…")
    assert "\n" not in short_repr(value)


def test_long_list_is_not_fully_formatted():
    assert short_repr([Counted()] * 100_000).startswith("[one, one, one, ")
    assert Counted.written < 100


def test_self_containing_list_is_truncated():
    knot = []
    knot.append(knot)
    assert short_repr(knot).startswith("[[[")
