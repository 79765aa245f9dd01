"""What an animator may write for a number, and the sentence for everything else."""

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.maths.inputs import (
    as_number,
    as_numbers,
    parse_choice,
    parse_flag,
    parse_index,
    parse_non_nan,
    parse_number,
    parse_numbers,
    parse_sequence,
)

NOT_NUMBERS = [
    "2.5",
    b"2.5",
    ["1", "2"],
    True,
    [True, False],
    1j,
    np.array([1 + 0j]),
    np.datetime64("2020-01-01"),
    {"a": 1},
    {1, 2},
    object(),
    [[1, 2], [3]],
    [1, [2]],
    10**400,
    [10**400],
    [True, 2.0],
    (1, np.True_),
    [[1.0, 2.0], [3.0, True]],
    [np.array(True), 1.0],
    [np.array([True, False]), [1.0, 2.0]],
    deque([1, True]),
    np.array([1, True], dtype=object),
    np.array(["2"], dtype=object),
    ["2", None],
    [np.timedelta64(1, "s"), 1.0],
    np.array([np.complex64(1), None], dtype=object),
    np.ma.array([1.0, 2.0], mask=[False, True]),
]


def short_repr(value):
    if type(value) is object:  # whose text tells where it is in memory
        return "an object"
    return "a long integer" if isinstance(value, int) and value > 9 else repr(value)[:40]


@pytest.mark.parametrize("wrong", NOT_NUMBERS, ids=short_repr)
@pytest.mark.parametrize("read", [parse_numbers, parse_number, parse_non_nan])
def test_nonnumeric_input_is_refused_with_reason(read, wrong):
    with pytest.raises(KeyposeError, match=r"^A speed must be .*was given\.$"):
        read(wrong, "A speed")


@pytest.mark.parametrize("right", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), Decimal(2), Fraction(4, 2)])
def test_number_of_any_type_is_accepted(right):
    found = parse_number(right, "A speed")
    assert found == 2.0
    assert type(found) is float


@pytest.mark.parametrize(
    "right",
    [
        [1, 2],
        (1.0, 2),
        range(1, 3),
        deque([1, 2]),
        [np.float32(1), np.int8(2)],
        [np.array(1.0), 2.0],
        [Decimal(1), Fraction(2)],
        np.array([1, Decimal(2)], dtype=object),
        np.array([1, 2], dtype=np.float16),
        np.ma.array([1.0, 2.0]),
    ],
    ids=repr,
)
def test_list_with_numbers_of_any_type_is_accepted(right):
    found = as_numbers(right)
    assert found.tolist() == [1.0, 2.0]
    assert found.dtype == np.float64


def test_list_with_array_convertible_objects_is_accepted():
    turned = Orientation(0, 1, 0, 0)
    assert parse_numbers([turned, (1, 0, 0, 0)], "Facings").tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("wrong", ["2", True, None, np.nan, [1.0], 1j])
def test_as_number_returns_none_for_invalid_input(wrong):
    assert as_number(wrong) is None
    assert as_number(2) == 2.0


@pytest.mark.parametrize("given", [True, False, np.True_, np.False_])
def test_a_flag_is_true_or_false(given):
    assert parse_flag(given, "A path has closed") is bool(given)


@pytest.mark.parametrize("wrong", ["no", 0, 1, None, np.array(True), []])
def test_invalid_flag_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"^A path has closed=.*\. Give True or False\.$"):
        parse_flag(wrong, "A path has closed")


def test_unknown_choice_suggests_the_nearest():
    assert parse_choice("still", ("still", "reflect"), "A path has ends") == "still"
    with pytest.raises(KeyposeError, match=r"^A path has ends='stil'\. Did you mean 'still'\?$"):
        parse_choice("stil", ("still", "reflect"), "A path has ends")
    with pytest.raises(KeyposeError, match=r"There is 'reflect', 'still'\."):
        parse_choice(np.zeros(3), ("still", "reflect"), "A path has ends")


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, None, [1.0], np.array([1.0]), [], np.longdouble("1e400")])
def test_number_must_be_single_and_finite(wrong):
    with pytest.raises(KeyposeError, match="A speed must be one finite number"):
        parse_number(wrong, "A speed")


def test_large_numbers_stay_exact():
    assert parse_number(2**53, "A time") == 2.0**53
    assert parse_number(1e300, "A time") == 1e300
    assert parse_number(10**300, "A time") == 1e300


def test_arrays_keep_their_shape_and_are_copied_by_default():
    given = np.arange(6.0).reshape(2, 3)
    assert parse_numbers(given, "Speeds").tolist() == given.tolist()
    assert parse_numbers(given, "Speeds") is not given
    assert not np.shares_memory(parse_numbers(given, "Speeds"), given)
    assert np.shares_memory(parse_numbers(given, "Speeds", copy=False), given)
    assert parse_numbers(np.arange(6, dtype=np.int32)[::2], "Speeds").tolist() == [0, 2, 4]


def test_none_in_a_list_becomes_nan():
    assert np.isnan(parse_numbers([1, None], "Speeds")).tolist() == [False, True]
    assert parse_numbers([], "Speeds").shape == (0,)


def test_sequence_must_be_flat_and_not_empty():
    assert parse_sequence((1, 2, 3), "The speeds", "[1, 2]").tolist() == [1, 2, 3]
    with pytest.raises(KeyposeError, match=r"plain list, but \[\[1, 2\]\] was given\. Write \[1, 2\]\."):
        parse_sequence([[1, 2]], "The speeds", "[1, 2]")
    with pytest.raises(KeyposeError, match=r"plain list, but 3 was given"):
        parse_sequence(3, "The speeds", "[1, 2]")
    with pytest.raises(KeyposeError, match=r"the list is empty\. Write \[1, 2\]\."):
        parse_sequence([], "The speeds", "[1, 2]")


@pytest.mark.parametrize(("index", "found"), [(0, 0), (3, 3), (-1, 3), (-4, 0), (np.int64(2), 2)])
def test_an_index_may_count_from_the_end(index, found):
    assert parse_index(index, 4, "value") == found


@pytest.mark.parametrize("index", [4, -5, 10**30])
def test_index_out_of_range_error_lists_the_valid_range(index):
    with pytest.raises(KeyposeError, match=rf"There is no value {index}: there are 4, numbered 0 to 3\."):
        parse_index(index, 4, "value")


@pytest.mark.parametrize("index", [1.0, "1", None, [1], True, np.True_])
def test_noninteger_index_is_refused(index):
    with pytest.raises(KeyposeError, match="Values go by whole numbers"):
        parse_index(index, 4, "value")


def test_times_may_be_infinite_but_not_nan():
    assert parse_non_nan([0, np.inf], "A time").tolist() == [0, np.inf]
    with pytest.raises(KeyposeError, match="contains nan"):
        parse_non_nan([0, np.nan], "A time")
    with pytest.raises(KeyposeError, match="contains nan"):
        parse_non_nan([0, None], "A time")


def test_long_values_are_abbreviated_in_messages():
    with pytest.raises(KeyposeError) as refused:
        parse_sequence(np.zeros((50, 50)), "The speeds", "[1, 2]")
    assert len(str(refused.value)) < 160
    assert "\n" not in str(refused.value)
