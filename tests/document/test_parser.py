"""Texts that are no JSON, or not strictly so, are refused with their line, column and field; absurd sizes unread."""

import gc
import json
import re
import tracemalloc

import pytest

from keypose.document.problems import ReadContext
from keypose.document.scene import find_problems
from keypose.document.text import parser as parser_module
from keypose.document.text.parser import parse_text
from tests.document.stage_samples import STAGES, scene_bytes

GOOD = scene_bytes(STAGES["shapes_and_timings"])


def only_problem(content):
    """The one problem of a text."""
    (problem,) = find_problems(content)
    return problem


SCENE = '{"keypose": 1, "actors": [{"name": "a", "duration": 1, "path": {"keys": [{"position": [0]}, %s]}}]}'

REFUSED = {
    "a key twice": (SCENE % '{"time": 1, "time": 2}', "actors[0].path.keys[1].time", "said twice"),
    "NaN": (SCENE % '{"time": NaN}', "actors[0].path.keys[1].time", "'NaN'.*Give a finite number"),
    "Infinity": (SCENE % '{"time": Infinity}', "actors[0].path.keys[1].time", "'Infinity'"),
    "minus infinity": (SCENE % '{"position": [-Infinity]}', "actors[0].path.keys[1].position[0]", "'-Infinity'"),
    "1e999": (SCENE % '{"time": 1e999}', "actors[0].path.keys[1].time", "It is inf.*finite"),
    "1e999 in a place": (SCENE % '{"position": [-1e999]}', "actors[0].path.keys[1].position[0]", "It is -inf.*finite"),
    "a bare word": (SCENE % '{"name": top}', "actors[0].path.keys[1].name", 'in quotes: "top"'),
    "a wrong literal": (SCENE % '{"pin": True}', "actors[0].path.keys[1].pin", "true, false"),
    "ten thousand digits": (SCENE % ('{"time": 1%s}' % ("0" * 10_000)), "actors[0].path.keys[1].time", "too large"),
    "four thousand digits": (SCENE % ('{"time": 1%s}' % ("0" * 4_000)), "actors[0].path.keys[1].time", "finite"),
    "a comma too many": (SCENE % '{"time": 1,}', "actors[0].path.keys[1].time", "column .*'}' where a name"),
    "a comma missing": (SCENE % '{"time": 1 "name": "x"}', "actors[0].path.keys[1].time", "where a comma or }"),
    "a colon missing": (SCENE % '{"time" 1}', "actors[0].path.keys[1].time", "where a colon"),
    "a value missing": (SCENE % '{"time": }', "actors[0].path.keys[1].time", "where a value should be"),
    "a text that does not end": (SCENE % '{"name": "x', "actors[0].path.keys[1].name", "a text without its end"),
    "a newline in a text": (SCENE % '{"name": "x\n"}', "actors[0].path.keys[1].name", "a text without its end"),
    "a wrong escape": (SCENE % r'{"name": "\x"}', "actors[0].path.keys[1].name", "a wrong escape"),
    "a comment": (SCENE % "{} // two", "actors[0].path.keys[1]", "'/' where a comma"),
    "single quotes": (SCENE % "{'time': 1}", "actors[0].path.keys[1]", "where a name in quotes or }"),
    "a bracket that closes a brace": (SCENE % '{"time": 1]', "actors[0].path.keys[1].time", "']' where a comma or }"),
    "leading zeros": (SCENE % '{"time": 01}', "actors[0].path.keys[1].time", "'1' where a comma"),
    "half a character": (SCENE % r'{"name": "\ud800"}', "actors[0].path.keys[1].name", "half a character"),
    "a plus sign": (SCENE % '{"time": +1}', "actors[0].path.keys[1].time", "no value in a scene"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_invalid_text_is_reported_with_its_field(what):
    content, path, sentence = REFUSED[what]
    problem = only_problem(content.encode())
    assert problem.path == path

    assert re.search(sentence, problem.text), problem.text


def test_syntax_error_has_its_line_and_column():
    assert "Line 3, column 9" in only_problem(b'{\n  "keypose": 1,\n  "gra" 7}').text


@pytest.mark.parametrize("end", [b"", b" ", b"\n\n"])
def test_empty_file_is_reported(end):
    assert only_problem(end).text.startswith("It is empty. A scene is an object")


@pytest.mark.parametrize("content", [b"[]", b"7", b'"scene"', b"null", b"true"])
def test_text_that_is_no_object_is_no_scene(content):
    assert "A scene is an object" in only_problem(content).text


def test_trailing_content_is_refused():
    assert "nothing more should be" in only_problem(GOOD + b"{}").text


def test_byte_order_mark_is_accepted():
    assert find_problems(b"\xef\xbb\xbf" + GOOD) == ()


@pytest.mark.parametrize("code", ["utf-16", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused(code):
    assert find_problems(GOOD.decode().encode(code))


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\x00\x00", b"\x00" * 100, b"PK\x03\x04", bytes(range(256))])
def test_binary_files_are_refused(content):
    assert find_problems(content)


def test_invalid_utf_8_is_reported_with_line_and_field():
    problem = only_problem(GOOD.replace(b'"line"', b'"l\xffne"'))
    assert problem.path == "actors[0].name"
    assert "Line 6 " in problem.text
    assert "UTF-8" in problem.text


@pytest.mark.parametrize("depth", [101, 900, 5000, 200_000])
@pytest.mark.parametrize("opening", ["[", '{"a": '])
def test_unclosed_nesting_is_refused(depth, opening):
    scene = '{"keypose": 1, "actors": ' + opening * depth
    assert only_problem(scene.encode()).path.startswith("actors")


@pytest.mark.parametrize("field", ["actors", "gravity", "style", "what"])
@pytest.mark.parametrize("depth", [50, 150, 800])
def test_deep_nesting_is_refused_in_every_field(field, depth):
    nested = "[" * depth + "]" * depth
    for inner in (nested, f'{{"name": {nested}}}', f'[{{"name": "a", "path": {{"keys": {nested}}}}}]'):
        assert find_problems(f'{{"keypose": 1, "{field}": {inner}}}'.encode())


def test_several_text_problems_are_reported_together():
    content = SCENE % '{"time": NaN, "tension": 1, "tension": 2, "bias": 1e9999999}, {"name": nobody}'
    paths = [problem.path.rsplit(".", 1)[1] for problem in find_problems(content.encode())]
    assert paths == ["time", "tension", "bias", "name"]


SIZES = [("MAX_BYTES", len(GOOD)), ("MAX_OBJECTS", GOOD.count(b"{")), ("MAX_VALUES", GOOD.count(b","))]


@pytest.mark.parametrize(("limit", "most"), SIZES)
def test_file_over_a_limit_is_refused_unparsed(limit, most, monkeypatch):
    monkeypatch.setattr(parser_module, limit, most)
    assert find_problems(GOOD) == ()
    monkeypatch.setattr(parser_module, limit, most - 1)
    monkeypatch.setattr(json, "loads", lambda *given, **options: pytest.fail("it was read"))
    assert f"more than {most - 1:,}. Split it" in only_problem(GOOD).text


def test_too_many_objects_are_refused_without_allocating_them():
    content = b"[" + b"{}," * 10_000_001
    tracemalloc.start()
    try:
        reading = ReadContext()
        parse_text(content, reading)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reading.problems[0].text.startswith("It has 10,000,001 objects, more than 10,000,000.")
    assert peak < 100_000


def test_reading_restores_the_garbage_collector_state():

    gc.disable()
    try:
        find_problems(GOOD)
        assert not gc.isenabled()
    finally:
        gc.enable()
    find_problems(b"{")
    assert gc.isenabled()
