"""The slow reader of texts: it agrees with Python's about what is JSON, and knows the field of every token."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keypose.document.problems import ReadContext
from keypose.document.text import diagnosis as diagnosis_module
from keypose.document.text.diagnosis import MAX_DEPTH, diagnose, path_at_end

NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
MARKS = ['"', "{", "}", "[", "]", ",", ":", "x", "\\", "1", "-", " "]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def diagnosed_problems(text):
    reading = ReadContext()
    diagnose(text, reading)
    return reading.problems


@given(JSON_VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_valid_json_has_no_specific_problem(value, indent, ascii_only):
    (problem,) = diagnosed_problems(json.dumps(value, indent=indent, ensure_ascii=ascii_only))
    assert problem.text.startswith("It is not JSON as Keypose reads it")  # it was called although nothing is wrong


@given(JSON_VALUES, st.data())
def test_invalid_json_is_reported_in_full_sentences(value, data):
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + data.draw(st.sampled_from(MARKS)) + text[at:]
    try:
        json.loads(broken)
    except ValueError:
        assert all(problem.text.endswith(".") for problem in diagnosed_problems(broken))


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


@given(
    st.lists(JSON_VALUES, min_size=1, max_size=8), st.lists(st.sampled_from(WRONG), min_size=1, max_size=3), st.data()
)
def test_lookahead_finds_the_same_problems_as_full_scanning(values, wrong, data):
    items = [json.dumps({"a": [value, [value]]}) for value in values]
    for one in wrong:
        at = data.draw(st.integers(0, len(items)))
        items.insert(at, data.draw(st.sampled_from(["%s", '{"b": %s}', "[0, [%s]]"])) % one)
    text = '{"k": [' + data.draw(st.sampled_from([", ", ",\n", " ,"])).join(items) + "]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagnosis_module, "MAX_LOOKAHEAD_DEPTH", 0)
        word_by_word = diagnosed_problems(text)
    assert diagnosed_problems(text) == word_by_word


def test_only_invalid_keys_are_scanned_token_by_token(monkeypatch):
    steps, step = [], diagnosis_module.Scanner.accept
    monkeypatch.setattr(
        diagnosis_module.Scanner, "accept", lambda self, *given: steps.append(given) or step(self, *given)
    )
    keys = ['{"time": 1, "position": [0, 1.5e-3, 0]}'] * 9 + ['{"time": 1, "position": [[0, 1], [2, 3]]}'] * 5000
    (problem,) = diagnosed_problems(
        '{"actors": [{"path": {"keys": [' + ",\n".join([*keys, '{"position": [0 1]}']) + "]}}]}"
    )
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
def test_path_at_the_end_of_truncated_text_is_known(text, path):
    assert path_at_end(text) == path
    assert diagnosed_problems(text)[0].path == path


def test_nesting_is_limited_to_max_depth():
    assert "is not JSON as" in diagnosed_problems("[" * MAX_DEPTH + "]" * MAX_DEPTH)[0].text
    assert f"{MAX_DEPTH} deep already" in diagnosed_problems("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))[0].text


def test_line_and_column_count_from_one():
    assert "Line 1, column 1 has '!'" in diagnosed_problems("!")[0].text
    assert "Line 2, column 3 has '!'" in diagnosed_problems("[\n  !")[0].text


def test_long_text_is_diagnosed():
    assert diagnosed_problems('["' + "ab\\n" * 500_000 + '", NaN]')[0].path == "[1]"
