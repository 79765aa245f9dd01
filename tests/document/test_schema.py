"""The published schema: JSON Schema 2020-12, true of every scene that is read, and telling editors what may come."""

import inspect
import json

import pytest
from jsonschema import Draft202012Validator

from keypose import MotionPath
from keypose.document.actors import ACTOR, FACINGS, LOOKS
from keypose.document.motion.keys import KEY, TURN
from keypose.document.motion.motions import PATH, TIMINGS
from keypose.document.problems import INVALID, ReadContext
from keypose.document.scene import EFFECT, SCENE, STYLE, find_problems, scene_schema
from keypose.document.scripts import MEETING
from tests.cli.command_line import run_process
from tests.document.stage_samples import STAGES, scene_bytes
from tests.document.test_problems import WRONG

SCHEMA = scene_schema()
VALID = Draft202012Validator(SCHEMA)


def test_schema_is_valid_plain_json():
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert scene_schema() == scene_schema(), "the same every time"


def test_schema_is_valid_before_any_mover_is_registered():
    schema = json.loads(run_process("schema").stdout)
    Draft202012Validator.check_schema(schema)
    dog = {"keypose": 1, "actors": [{"name": "dog", "mover": {"kind": "follower", "pull": 4}}]}
    assert Draft202012Validator(schema).is_valid(dog), "its own Python knows it"
    dog["actors"][0]["mover"] = {"pull": 4}
    assert not Draft202012Validator(schema).is_valid(dog)


@pytest.mark.parametrize("name", STAGES)
def test_every_sample_scene_matches_the_schema(name):
    assert [error.message for error in VALID.iter_errors(json.loads(scene_bytes(STAGES[name])))] == []


TYPE_PROBLEMS = ("It is the ", "It is a ", "It is an ", "It is null", "It is true", "It is missing", "It is empty")
FIELD_PROBLEMS = ("There is no such field", "A facing has a kind", "Nothing moves it", "Both ")


@pytest.mark.parametrize("what", WRONG)
def test_wrong_types_and_fields_are_rejected_by_the_schema(what):
    content, _, _ = WRONG[what]
    (problem,) = find_problems(content)
    if problem.text.startswith(TYPE_PROBLEMS + FIELD_PROBLEMS):
        assert not VALID.is_valid(json.loads(content))


@pytest.mark.parametrize(
    "record", [SCENE, STYLE, EFFECT, ACTOR, PATH, KEY, TURN, MEETING], ids=lambda record: record.title
)
def test_every_field_has_a_description(record):
    schema = record.object_schema({})
    assert list(schema["properties"]) == list(record.fields)
    assert all(one["description"] for one in schema["properties"].values())
    assert not schema["additionalProperties"]


def test_schema_definitions_have_readable_names():
    names = {"actor", "path", "key", "place", "tangent", "turn", "style", "effect", "recording", "drawn_speed"}
    assert names <= SCHEMA["$defs"].keys()
    assert SCHEMA["$defs"]["key"]["properties"]["position"]["$ref"] == "#/$defs/place"
    assert SCHEMA["$defs"]["path"]["properties"]["keys"]["items"] == {"$ref": "#/$defs/key"}


def test_defaults_are_those_of_python():
    usual = {name: one.default for name, one in inspect.signature(MotionPath).parameters.items()}
    for name, field in PATH.fields.items():
        assert field.default == (None if name == "keys" else usual[name])
    for kinds in (FACINGS, LOOKS, TIMINGS):
        for kind in kinds:
            for name, field in kind.record.fields.items():
                if field.default is not None:
                    assert field.default == inspect.signature(kind.type).parameters[name].default


RECORDS = [SCENE, ACTOR, PATH, KEY, MEETING, *(kind.record for kind in TIMINGS)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.title)
def test_defaults_and_examples_can_be_read(record):
    for name, field in record.fields.items():
        for value in (field.default, field.example):
            reading = ReadContext()
            assert value is None or field.value_type.read(value, name, reading) is not INVALID, reading.problems


def test_all_schema_references_resolve():
    text = json.dumps(SCHEMA)
    for part in text.split('"$ref": "')[1:]:
        assert part.split('"')[0].removeprefix("#/$defs/") in SCHEMA["$defs"]
