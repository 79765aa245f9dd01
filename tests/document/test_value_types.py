"""Forms: what reading takes an editor takes, and nothing else; each refusal says where and what to give instead."""

import re

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from keypose import KeyposeError, Orientation
from keypose.document.problems import INVALID, ReadContext
from keypose.document.schema.lists import ListOf, MapOf, NumberArray, parse_array
from keypose.document.schema.records import Conversion, Field, Record
from keypose.document.schema.value_types import Boolean, Either, Integer, Number, OneOf, Text, describe_value

PAIR = Record("a pair", {"one": Field(Number(), "the first", is_required=True), "two": Field(Boolean(), "the other")})
VALUE_TYPES = {
    "a number": Number(),
    "a number from 0 to 1": Number(0.0, 1.0),
    "a number between 0 and 1": Number(above=0.0, below=1.0),
    "a whole number": Integer(),
    "a text": Text(),
    "a text, perhaps empty": Text(min_length=0),
    "a flag": Boolean(),
    "a word": OneOf(("hold", "cycle")),
    "a text or a number": Either("a text or a whole number", {str: Text(), int: Integer()}),
    "flags": ListOf(Boolean(), 1, 2, "flags"),
    "numbers": NumberArray(),
    "a place": NumberArray((1, 2), (1, 3)),
    "numbers from 0": NumberArray(minimum=0.0),
    "flags by name": MapOf(Boolean()),
    "a pair": PAIR,
    "an orientation": Conversion(NumberArray(widths=(4, 4)), Orientation.of),
}
VALUES = [None, True, False, 0, 1, -1, 0.5, 2.5, "", "hold", "x", [], [1], [1, 2, 3, 4], [-1], [True]]
VALUES += [
    [[1]],
    [[1, 2], [3, 4]],
    [["x"]],
    [None],
    {},
    {"a": True},
    {"a": 1},
    {"one": 1},
    {"one": 1, "two": True},
    {"o": 1},
]
VALUES += [
    {"o": 1},
    {"one": "1"},
    [True, False],
    [True, False, True],
    {"two": True},
    [1, 2, 3],
    [[1, 2, 3, 4]],
    [[[1]]],
    [[]],
]


@pytest.mark.parametrize("name", VALUE_TYPES)
def test_reading_and_schema_agree(name):
    named = {}
    schema = VALUE_TYPES[name].json_schema(named)
    editor = Draft202012Validator({**schema, "$defs": named})
    Draft202012Validator.check_schema(editor.schema)
    valid_count = 0
    for value in VALUES:
        reading = ReadContext()
        good = VALUE_TYPES[name].read(value, "here", reading) is not INVALID
        assert good == (not reading.problems)
        assert good == editor.is_valid(value), value
        assert all(problem.path.startswith("here") for problem in reading.problems)
        valid_count += good
    assert 0 < valid_count < len(VALUES)


@pytest.mark.parametrize("value", [1, 2.5, -0.0, 10**20, 5e-324, 1.7e308])
def test_a_number_is_a_float(value):
    read = Number().read(value, "", ReadContext())
    assert type(read) is float
    assert read == value


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 10**309, -(10**4000), float("nan"), True, "1", None])
def test_non_finite_and_non_numeric_values_are_refused(value):
    assert Number().read(value, "", ReadContext()) is INVALID
    assert NumberArray().read([value], "", ReadContext()) is INVALID


@pytest.mark.parametrize(
    ("form", "value", "sentence"),
    [
        (Number(0.0, 1.0), 2, "It is 2. Give a finite number, 0 or more, 1 at most."),
        (Number(above=0.0, below=180.0), 0, "It is 0. Give a finite number, more than 0, less than 180."),
        (Number(), {}, "It is an object. Give a finite number."),
        (Text(), 7, "It is the number 7. Give a text in quotes."),
        (Text(), "", "It is empty. Give a text."),
        (OneOf(("hold", "cycle")), "hodl", "It is the text 'hodl'. Did you mean 'hold'?"),
        (ListOf(Boolean(), 1, 2, "flags"), [], "It has 0 flags. Give 1 to 2."),
        (ListOf(Boolean(), 2, 2, "flags"), [True], "It has 1 flags. Give 2."),
        (NumberArray((2,)), [[1], [2, 3]], "Its lists differ in how many numbers they have. Give each as many."),
        (PAIR, [], "It is a list. Give a pair as an object in { }."),
        (PAIR, {}, "It is missing in a pair. Give the first."),
        (PAIR, {"one": 1, "tow": 2}, "There is no such field in a pair. Did you mean 'two'?"),
    ],
)
def test_problem_text_states_fact_and_remedy(form, value, sentence):
    reading = ReadContext()
    form.read(value, "", reading)
    assert [problem.text for problem in reading.problems] == [sentence]


def test_all_problems_in_a_list_or_record_are_reported():
    reading = ReadContext()
    ListOf(PAIR).read([{"one": "x", "two": 1}, {"one": 1}, 5, {"tow": 1}], "all", reading)
    assert [problem.path for problem in reading.problems] == [
        "all[0].one",
        "all[0].two",
        "all[2]",
        "all[3].tow",
        "all[3].one",
    ]


def test_record_builder_may_refuse_a_field():
    def build(one, two=False):
        raise KeyposeError("The first is odd. Give another.", at=("one",))

    reading = ReadContext()
    assert Record("a pair", PAIR.fields, build).read({"one": 1}, "x", reading) is INVALID
    assert str(reading.problems[0]) == "x.one: The first is odd. Give another."


@pytest.mark.parametrize("value", [[1, 2.5], [[1, 2], [3, 4]], [[[1.0]]]])
def test_rectangular_number_lists_become_arrays(value):
    assert np.array_equal(parse_array(value), np.array(value, dtype=np.float64))


@pytest.mark.parametrize("value", [[], [[]], [1, [2]], [[1], [2, 3]], ["1"], [True], [None], [10**400], [1e101], 1])
def test_other_values_give_no_array(value):
    assert parse_array(value) is None


def test_problem_texts_stay_short_for_deep_or_long_values():
    deep = []
    for _ in range(900):
        deep = [deep]
    for value in (deep, {"a": deep}, "x" * 1_000_000, 10**4999, [0] * 100_000):
        for form in VALUE_TYPES.values():
            reading = ReadContext()
            form.read(value, "here", reading)
            assert all(len(problem.text) < 300 for problem in reading.problems)
    assert re.fullmatch(r"the text 'x+…", describe_value("x" * 1000))
