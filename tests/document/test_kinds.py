"""Kinds of things that rooms and people add: read by their word, written by their type, told to editors."""

from dataclasses import dataclass

import pytest

from keypose import Body, Follow, KeyposeError, MotionPath, Reach, SceneStyle, Sphere
from keypose.document.figures import CONNECTIONS
from keypose.document.problems import INVALID, ReadContext
from keypose.document.schema.kinds import MOVERS, Kind, Kinds
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Number


@dataclass(frozen=True)
class Wind:
    speed: float


@dataclass(frozen=True)
class Calm:
    pass


def weathers():
    wind = Record("a wind", {"speed": Field(Number(0.0), "how fast [m/s]", is_required=True)}, Wind)
    return Kinds(
        "weather",
        Kind("wind", Wind, wind, lambda thing: {"speed": thing.speed}),
        Kind("calm", Calm, Record("a calm", {}, Calm), lambda thing: {}),
    )


def test_object_is_written_with_its_kind_first_and_round_trips():
    kinds = weathers()
    assert kinds.to_object(Wind(3.0), "The stage") == {"kind": "wind", "speed": 3.0}
    for thing in (Wind(3.0), Calm()):
        assert kinds.read(kinds.to_object(thing, "x"), "weather", ReadContext()) == thing


def test_kind_can_be_added_later_and_replaced():
    kinds = weathers()

    @dataclass(frozen=True)
    class Storm(Wind):
        pass

    with pytest.raises(KeyposeError, match="The stage has the weather"):
        kinds.to_object(Storm(30.0), "The stage")
    kinds.add(Kind("wind", Storm, Record("a wind", {"speed": Field(Number(), "fast")}, Storm), lambda thing: {}))
    assert kinds.to_object(Storm(30.0), "The stage") == {"kind": "wind"}
    assert [kind.tag for kind in kinds] == ["wind", "calm"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (None, "w"),
        ([], "w"),
        ({}, "w.kind"),
        ({"kind": "wnd"}, "w.kind"),
        ({"kind": ["wind"]}, "w.kind"),
        ({"kind": "wind"}, "w.speed"),
        ({"kind": "wind", "speed": -1}, "w.speed"),
        ({"kind": "calm", "speed": 1}, "w.speed"),
    ],
)
def test_unknown_object_is_reported_at_its_field(given, path):
    reading = ReadContext()
    assert weathers().read(given, "w", reading) is INVALID
    assert [problem.path for problem in reading.problems] == [path]


def test_schema_contains_every_kind():
    named = {}
    assert weathers().json_schema(named) == {"anyOf": [{"$ref": "#/$defs/wind"}, {"$ref": "#/$defs/calm"}]}
    assert named["wind"]["required"] == ["kind", "speed"]
    assert list(named["wind"]["properties"]) == ["kind", "speed"]
    assert named["calm"]["properties"] == {"kind": {"const": "calm"}}


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("wnd", "There is no weather 'wnd'. Did you mean 'wind'? If not: Import it first."),
        ("earthquake", "There is no weather 'earthquake'. Import it first."),
        (3, "There is no weather the number 3. There is 'calm', 'wind'."),
    ],
)
def test_unknown_kind_suggests_a_similar_name_and_the_remedy(word, sentence):
    kinds, reading = Kinds("weather", *weathers(), remedy="Import it first."), ReadContext()
    kinds.read({"kind": word}, "w", reading)
    assert [problem.text for problem in reading.problems] == [sentence]


def test_written_object_has_all_required_fields():
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    reach, follow = Reach("arm/hand", path, within=0.1), Follow(path, Body(Sphere(0.1)), within=0.1)
    for kinds, thing in ((CONNECTIONS, reach), (CONNECTIONS, Reach("a", "b", within=0.1)), (MOVERS, follow)):
        written = kinds.to_object(thing, "It")
        kind = next(one for one in kinds if one.tag == written["kind"])
        needed = {word for word, field in kind.record.fields.items() if field.is_required}
        assert needed <= written.keys()


def test_path_in_a_connection_omits_values_of_the_scene_style():
    path = MotionPath([(0, 0, 0), (1, 0, 0)], tension=0.3)
    reach = Reach("arm/hand", path, within=0.1)
    assert CONNECTIONS.to_object(reach, "It")["goal"]["tension"] == 0.3
    assert "tension" not in CONNECTIONS.to_object(reach, "It", SceneStyle(tension=0.3))["goal"]
