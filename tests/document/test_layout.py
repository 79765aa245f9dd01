"""How a scene looks: always the same, short where it can be, a line for each key, numbers that read back exactly."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from keypose.document.text.layout import Rows, encode_value, plain_numbers

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def encoded_text(value):
    return b"".join(encode_value(value)).decode()


def test_short_values_stay_on_one_line():
    assert encoded_text({"a": [1, 2.5], "b": {"c": True}}) == '{"a": [1, 2.5], "b": {"c": true}}\n'


def test_long_values_get_one_line_per_part():
    long = "x" * 60
    lines = ["{", f'  "a": "{long}",', '  "b": [', f'    "{long}",', f'    "{long}"', "  ]", "}", ""]
    assert encoded_text({"a": long, "b": [long, long]}).split("\n") == lines


def test_rows_get_one_line_each():
    assert (
        encoded_text({"keys": Rows(iter([{"a": 1}, {"b": 2}]))})
        == '{\n  "keys": [\n    {"a": 1},\n    {"b": 2}\n  ]\n}\n'
    )
    assert encoded_text(Rows([])) == "[]\n"


def test_many_numbers_go_ten_to_a_line():
    lines = encoded_text([float(n) for n in range(105)]).splitlines()
    assert lines[0] == "["
    assert lines[1] == "  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,"
    assert lines[11:] == ["  100, 101, 102, 103, 104", "]"]


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        (2.0, "2"),
        (-3.0, "-3"),
        (0.0, "0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e15, "1000000000000000.0"),
        (1e15 - 1, "999999999999999"),
        (1e22, "1e+22"),
        (5e-324, "5e-324"),
        (1 / 3, "0.3333333333333333"),
    ],
)
def test_numbers_are_written_as_short_as_possible(number, digits):
    assert encoded_text(number) == digits + "\n"
    assert encoded_text(Rows(plain_numbers(np.array([number])))) == f"[\n  {digits}\n]\n"


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=FINITE))
def test_numbers_round_trip_bitwise(numbers):
    for given_ in (numbers.tolist(), Rows(plain_numbers(numbers))):
        again = np.array(json.loads(encoded_text(given_)), dtype=np.float64)
        assert again.tobytes() == numbers.tobytes()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | st.text(),
    lambda inner: st.lists(inner, max_size=120) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=150,
)


@given(JSON_VALUES)
def test_written_values_round_trip_to_the_same_value_and_text(value):
    text = encoded_text(value)
    assert json.loads(text) == value
    assert encoded_text(json.loads(text)) == text


MARKS = ["}, {", "], [", '"', "{", "}, ", "x"]


@given(
    st.lists(st.dictionaries(st.sampled_from(MARKS), st.sampled_from(MARKS), max_size=2), min_size=1)
    | st.lists(st.lists(st.sampled_from(MARKS) | st.lists(st.integers(), max_size=2), max_size=3), min_size=1)
    | st.lists(st.sampled_from([{}, [], [[1], [2], [3]], {"a": 1}, "x"]), min_size=1)
)
def test_rows_are_separated_whatever_they_contain(parts):
    lines = encoded_text(Rows(parts)).splitlines()
    assert [json.loads(one.rstrip(",")) for one in lines[1:-1]] == parts


def test_long_lists_are_encoded_in_chunks():
    pieces = list(encode_value(Rows({"n": n} for n in range(5000))))
    assert len(pieces) > 5
    assert [one["n"] for one in json.loads(b"".join(pieces))] == list(range(5000))
