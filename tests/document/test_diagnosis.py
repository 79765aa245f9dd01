"""The slow reader of texts: it agrees with Python's about what is JSON, and knows the field of every token."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keypose.document.problems import ReadContext
from keypose.document.text import diagnosis as room
from keypose.document.text.diagnosis import MAX_DEPTH, diagnose, path_at_end

NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
MARKS = ['"', "{", "}", "[", "]", ",", ":", "x", "\\", "1", "-", " "]
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def told(text):
    reading = ReadContext()
    diagnose(text, reading)
    return reading.problems


@given(PLAIN, st.sampled_from([None, 0, 2]), st.booleans())
def test_good_json_has_nothing_that_could_be_told(value, indent, ascii_only):
    (problem,) = told(json.dumps(value, indent=indent, ensure_ascii=ascii_only))
    assert problem.text.startswith("It is not JSON as Keypose reads it")  # it was called although nothing is wrong


@given(PLAIN, st.data())
def test_what_python_refuses_is_told_in_a_sentence(value, data):
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + data.draw(st.sampled_from(MARKS)) + text[at:]
    try:
        json.loads(broken)
    except ValueError:
        assert all(problem.text.endswith(".") for problem in told(broken))


WRONG = [
    "NaN",
    "1e999",
    "9" * 400,
    '{"a": 1, "a": 2}',
    "nobody",
    "{",
    "]",
    '"',
    "1E400",
    "9" * 220 + "e90",
    "-" + "9" * 5000,
    "[" * 200,
]


@given(st.lists(PLAIN, min_size=1, max_size=8), st.lists(st.sampled_from(WRONG), min_size=1, max_size=3), st.data())
def test_what_is_plainly_right_is_passed_without_missing_anything(values, wrong, data):
    items = [json.dumps({"a": [value, [value]]}) for value in values]
    for one in wrong:
        at = data.draw(st.integers(0, len(items)))
        items.insert(at, data.draw(st.sampled_from(["%s", '{"b": %s}', "[0, [%s]]"])) % one)
    text = '{"k": [' + data.draw(st.sampled_from([", ", ",\n", " ,"])).join(items) + "]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "MAX_LOOKAHEAD_DEPTH", 0)
        word_by_word = told(text)
    assert told(text) == word_by_word


def test_of_many_keys_only_a_wrong_one_is_read_word_by_word(monkeypatch):
    steps, step = [], room._Scanner._accept
    monkeypatch.setattr(room._Scanner, "_accept", lambda self, *given: steps.append(given) or step(self, *given))
    keys = ['{"time": 1, "position": [0, 1.5e-3, 0]}'] * 9 + ['{"time": 1, "position": [[0, 1], [2, 3]]}'] * 5000
    (problem,) = told('{"actors": [{"path": {"keys": [' + ",\n".join([*keys, '{"position": [0 1]}']) + "]}}]}")
    assert problem.path == "actors[0].path.keys[5009].position[0]"
    assert len(steps) < 200
    steps.clear()
    assert path_at_end('{"frames": {"position": [' + "[1, 2, 3], " * 5000 + "[1, ") == "frames.position[5000][1]"
    assert len(steps) < 50


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"a": {"b": [1, {"c d": ', 'a.b[1]["c d"]'),
        ('{"a": [[1, 2], [3, ', "a[1][1]"),
        ('{"a": 1, "b', "a"),
        ('{"a": 1, "b"', "b"),
        ('[{"a": 1}, ', "[1]"),
        ("{", ""),
        ("", ""),
        ('"', ""),
    ],
)
def test_the_field_in_which_a_text_breaks_off_is_known(text, path):
    assert path_at_end(text) == path
    assert told(text)[0].path == path


def test_lists_may_lie_in_each_other_just_so_deep():
    assert "is not JSON as" in told("[" * MAX_DEPTH + "]" * MAX_DEPTH)[0].text
    assert f"{MAX_DEPTH} deep already" in told("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))[0].text


def test_line_and_column_count_from_one():
    assert "Line 1, column 1 has '!'" in told("!")[0].text
    assert "Line 2, column 3 has '!'" in told("[\n  !")[0].text


def test_a_long_text_is_no_trouble():
    assert told('["' + "ab\\n" * 500_000 + '", NaN]')[0].path == "[1]"
