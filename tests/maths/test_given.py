"""What an animator may write for a number, and the sentence for everything else."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from keypose.errors import KeyposeError
from keypose.maths.given import listed, moments, number, numbers, position

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
]


def shown_as(value):
    return "a long integer" if isinstance(value, int) and value > 9 else repr(value)[:40]


@pytest.mark.parametrize("wrong", NOT_NUMBERS, ids=shown_as)
@pytest.mark.parametrize("read", [numbers, number, moments])
def test_what_is_no_number_is_answered_with_a_sentence(read, wrong):
    with pytest.raises(KeyposeError, match=r"^A speed must be .*was given\.$"):
        read(wrong, "A speed")


@pytest.mark.parametrize("right", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), Decimal(2), Fraction(4, 2)])
def test_a_number_may_be_of_any_kind(right):
    found = number(right, "A speed")
    assert found == 2.0
    assert type(found) is float


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, None, [1.0], np.array([1.0]), [], np.longdouble("1e400")])
def test_a_single_number_is_single_and_finite(wrong):
    with pytest.raises(KeyposeError, match="A speed must be one finite number"):
        number(wrong, "A speed")


def test_large_numbers_stay_exact():
    assert number(2**53, "A time") == 2.0**53
    assert number(1e300, "A time") == 1e300
    assert number(10**300, "A time") == 1e300


def test_arrays_keep_their_shape_and_are_copied_unless_told_otherwise():
    given = np.arange(6.0).reshape(2, 3)
    assert numbers(given, "Speeds").tolist() == given.tolist()
    assert numbers(given, "Speeds") is not given
    assert not np.shares_memory(numbers(given, "Speeds"), given)
    assert np.shares_memory(numbers(given, "Speeds", copy=False), given)
    assert numbers(np.arange(6, dtype=np.int32)[::2], "Speeds").tolist() == [0, 2, 4]


def test_holes_in_a_list_are_unset_numbers():
    assert np.isnan(numbers([1, None], "Speeds")).tolist() == [False, True]
    assert numbers([], "Speeds").shape == (0,)


def test_a_list_is_flat_and_not_empty():
    assert listed((1, 2, 3), "The speeds", "[1, 2]").tolist() == [1, 2, 3]
    with pytest.raises(KeyposeError, match=r"plain list, but \[\[1, 2\]\] was given\. Write \[1, 2\]\."):
        listed([[1, 2]], "The speeds", "[1, 2]")
    with pytest.raises(KeyposeError, match=r"plain list, but 3 was given"):
        listed(3, "The speeds", "[1, 2]")
    with pytest.raises(KeyposeError, match=r"the list is empty\. Write \[1, 2\]\."):
        listed([], "The speeds", "[1, 2]")


@pytest.mark.parametrize(("asked", "found"), [(0, 0), (3, 3), (-1, 3), (-4, 0), (np.int64(2), 2)])
def test_an_index_may_count_from_the_end(asked, found):
    assert position(asked, 4, "value") == found


@pytest.mark.parametrize("asked", [4, -5, 10**30])
def test_an_index_beyond_the_ends_says_what_there_is(asked):
    with pytest.raises(KeyposeError, match=rf"There is no value {asked}: there are 4, numbered 0 to 3\."):
        position(asked, 4, "value")


@pytest.mark.parametrize("asked", [1.0, "1", None, [1]])
def test_an_index_is_a_whole_number(asked):
    with pytest.raises(KeyposeError, match="values go by whole numbers"):
        position(asked, 4, "value")


def test_moments_may_be_infinite_but_not_unknown():
    assert moments([0, np.inf], "A time").tolist() == [0, np.inf]
    with pytest.raises(KeyposeError, match="contains nan"):
        moments([0, np.nan], "A time")
    with pytest.raises(KeyposeError, match="contains nan"):
        moments([0, None], "A time")


def test_long_values_are_cut_short_in_a_sentence():
    with pytest.raises(KeyposeError) as refused:
        listed(np.zeros((50, 50)), "The speeds", "[1, 2]")
    assert len(str(refused.value)) < 160
    assert "\n" not in str(refused.value)
