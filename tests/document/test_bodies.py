"""Bodies in a scene file: every kind comes back, reads as it was said, and whatever is wrong is told at its place."""

import inspect
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Free,
    Key,
    KeyposeError,
    Mesh,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    SceneStyle,
    Sphere,
    Stage,
    Still,
    fields,
)
from keypose.document.bodies import BODY, BODY_MOVERS, SHAPES
from keypose.document.problems import INVALID, ReadContext
from keypose.document.scene import find_problems, read, scene_object, scene_schema
from keypose.document.schema.value_types import Number
from tests.document.body_samples import BALL, MESHES, PATH, every_body
from tests.document.stage_samples import scene_bytes

VALID = Draft202012Validator(scene_schema())
SPHERE = {"kind": "sphere", "radius": 0.3}
KEYS = [{"position": [0, 1, 0]}, {"position": [3, 1, 0]}]


def scene(mover=None, **options):
    """A file with one actor that has this mover, or goes a path and has this said of it, and a man."""
    own = {"path": {"keys": KEYS}, "duration": 1} if mover is None else {"mover": mover}
    man = {"name": "man", "path": {"keys": KEYS}, "duration": 1}
    return json.dumps({"keypose": 1, "actors": [{"name": "red", **own, **options}, man]}).encode()


def follow(**options):
    return {"kind": "follow", "path": {"keys": KEYS}, "body": {"shape": SPHERE}, "within": 0.4, **options}


def still(**body):
    return {"kind": "still", "body": {"shape": SPHERE, **body}}


def free(**options):
    return {"kind": "free", "body": {"shape": SPHERE}, "position": [0, 1, 0], **options}


def shape(**options):
    return {"kind": "still", "body": {"shape": options}}


def problem_texts(content):
    return {problem.path: problem.text for problem in find_problems(content)}


def mover_object(thing, **more):
    return scene_object(Stage([Actor("red", thing)], **more))["actors"][0]["mover"]


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_sample_stage_has_every_kind_and_every_field():
    text = scene_bytes(every_body()).decode()
    for kind in (*BODY_MOVERS, *(one for one in SHAPES if one.tag != "mesh")):
        assert f'"kind": "{kind.tag}"' in text, kind.tag
    for record in (BODY, *(kind.record for kind in BODY_MOVERS)):
        assert [word for word in record.fields if f'"{word}": ' not in text] == []


def test_body_object_has_its_shape_and_non_default_fields():
    assert mover_object(Still(Body(Sphere(0.3)))) == {"kind": "still", "body": {"shape": SPHERE}}
    assert mover_object(Still(Body(Plane(offset=-0.3), 2, bounce=0.5), (1, 0, 0)))["body"] == {
        "shape": {"kind": "plane", "offset": -0.3},
        "mass": 2,
        "bounce": 0.5,
    }
    assert mover_object(Free(BALL, (0, 1))) == {
        "kind": "free",
        "body": {"shape": SPHERE, "mass": 2, "bounce": 0.6, "friction": 0.1},
        "position": [0, 1, 0],
    }


def test_follower_path_is_written_like_a_motion_path():
    style = SceneStyle(0.25)
    path = MotionPath([Key((0, 0, 0)), Key((1, 2, 0), name="up"), Key((2, 0, 0))], tension=0.25, ends="still")
    stage = Stage([Actor("red", Follow(path, BALL, within=0.4)), Actor("man", Motion(path, duration=1))], style=style)
    one, two = json.loads(scene_bytes(stage))["actors"]
    assert one["mover"]["path"] == two["path"]
    assert "tension" not in one["mover"]["path"], "the style says it"
    assert list(one["mover"]) == ["kind", "path", "body", "within"]
    assert read(scene_bytes(stage)) == stage


def test_long_followed_path_takes_one_line_per_key():
    path = MotionPath([(index, index % 7, 0.5) for index in range(500)])
    stage = Stage([Actor("red", Follow(path, BALL, within=0.4))])
    lines = scene_bytes(stage).decode().splitlines()
    assert sum('"position"' in line for line in lines) == 500
    assert len(lines) < 520
    assert read(scene_bytes(stage)) == stage


def test_disabled_correction_is_null_and_the_default_is_omitted():
    assert mover_object(Follow(PATH, BALL, within=1, correction=None))["correction"] is None
    assert "correction" not in mover_object(Follow(PATH, BALL, within=1))
    assert read(scene(follow(correction=None)))["red"].mover.correction is None
    assert read(scene(follow()))["red"].mover.correction == 0.1


@pytest.mark.parametrize("kind", [*SHAPES, *BODY_MOVERS], ids=lambda kind: kind.tag)
def test_defaults_are_those_of_python(kind):
    usual = {name: one.default for name, one in inspect.signature(kind.type).parameters.items()}
    for name, field in kind.record.fields.items():
        assert field.is_required == (usual[name] is inspect.Parameter.empty)
        if field.default is not None:
            reading = ReadContext()
            found = field.value_type.read(field.default, name, reading)
            assert found is not INVALID, reading.problems
            assert repr(found) == repr(usual[name]) or tuple(found) == usual[name]


def test_cube_accepts_one_number_and_normal_accepts_an_axis_name():
    assert read(scene(shape(kind="box", size=2)))["red"].mover.body.shape == Box((2, 2, 2))
    assert read(scene(shape(kind="plane", normal="x")))["red"].mover.body.shape == Plane((1, 0, 0))


def test_motions_and_recordings_may_have_a_collision_body():
    stage = read(scene(body={"shape": SPHERE, "mass": 3}))
    assert stage["red"].body == Body(Sphere(0.3), 3)
    frames = {"times": [0, 1], "position": [[0, 0, 0], [1, 0, 0]]}
    content = json.dumps({"keypose": 1, "actors": [{"name": "a", "frames": frames, "body": {"shape": SPHERE}}]})
    assert read(content.encode())["a"].body == Body(Sphere(0.3))


@pytest.mark.parametrize("file", ["bunny.obj", "../meshes/ä b.stl", "/models/x.OBJ", "C:\\x\\bunny.stl"])
def test_mesh_file_name_is_kept_verbatim(file):
    stage = Stage([Actor("red", Free(Body(Mesh(file, 0.01)), (0, 1, 0)))])
    assert mover_object(stage["red"].mover)["body"]["shape"] == {"kind": "mesh", "file": file, "scale": 0.01}
    assert read(scene_bytes(stage)) == stage


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(MESHES)
def test_any_mesh_round_trips(mesh):
    stage = Stage([Actor("red", Still(Body(mesh)))])
    assert read(scene_bytes(stage)) == stage
    assert scene_bytes(read(scene_bytes(stage))) == scene_bytes(stage)


@pytest.mark.parametrize("number", [-0.0, 5e-324, 1 / 3, 1e6, -1e6])
def test_body_numbers_round_trip_bitwise(number):
    stage = Stage([Actor("a", Free(BALL, (number, 0, 0), (0, number, 0), spin=(0, 0, number)))])
    again = read(scene_bytes(stage))["a"].mover
    for word, place in (("position", 0), ("velocity", 1), ("spin", 2)):
        assert repr(getattr(again, word)[place]) == repr(number)


def test_orientation_round_trips_bitwise():
    facing = Orientation.turned(33.3, (1, 2, 3))
    again = read(scene_bytes(Stage([Actor("a", Still(BALL, orientation=facing))])))["a"].mover
    assert again.orientation.wxyz.tobytes() == facing.wxyz.tobytes()


def test_two_followers_may_have_keys_relative_to_each_other():
    def path(other):
        return {"keys": [{"position": [0, 0, 0]}, {"position": [0, 0.1, 0], "relative_to": other, "pin": False}]}

    cast = [{"name": one, "mover": follow(path=path(two))} for one, two in (("left", "right"), ("right", "left"))]
    content = json.dumps({"keypose": 1, "actors": cast}).encode()
    stage = read(content)
    assert stage["left"].mover.carriers == ("right",)
    assert json.loads(scene_bytes(stage)) == json.loads(content)
    assert read(scene_bytes(stage)) == stage


def test_unknown_key_carrier_of_a_follower_is_reported_at_its_path():
    for other, sentence in (("mann", "Did you mean 'man'?"), ("red", "itself")):
        keys = [{"position": [0, 0, 0]}, {"position": [0, 0.1, 0], "relative_to": other}]
        ((path, problem),) = problem_texts(scene(follow(path={"keys": keys}))).items()
        assert path == "actors[0].mover.path.keys[1].relative_to"
        assert sentence in problem


# ---- what is wrong ---------------------------------------------------------------------------------------------------

MOVER, SHAPE = "actors[0].mover", "actors[0].mover.body.shape"
STIFFNESS = f"{MOVER}.body.stiffness"
WRONG = {
    "a kind that is not there": (scene({"kind": "folow"}), f"{MOVER}.kind", "Did you mean 'follow'?"),
    "a follower without a path": (
        scene({"kind": "follow", "body": {"shape": SPHERE}, "within": 1}),
        f"{MOVER}.path",
        "It is missing in a follower. Give where it is to go, roughly.",
    ),
    "a follower without a distance": (
        scene({word: value for word, value in follow().items() if word != "within"}),
        f"{MOVER}.within",
        "It is missing in a follower. Give how far ahead",
    ),
    "a mover without a body": (scene({"kind": "still"}), f"{MOVER}.body", "It is missing in a still body."),
    "a free body from nowhere": (scene({"kind": "free", "body": {"shape": SPHERE}}), f"{MOVER}.position", "missing"),
    "a body that is a shape": (scene({"kind": "still", "body": SPHERE}), None, None),
    "a body without a shape": (scene({"kind": "still", "body": {}}), SHAPE, "It is missing in a body. Give its form."),
    "a mistyped field": (scene(follow(eagernes=1)), f"{MOVER}.eagernes", "Did you mean 'eagerness'?"),
    "a shape that is not there": (scene(shape(kind="spere")), f"{SHAPE}.kind", "Did you mean 'sphere'?"),
    "a shape without a kind": (scene(shape(radius=1)), f"{SHAPE}.kind", "A shape has a kind. There is 'box'"),
    "a shape in words": (
        scene({"kind": "still", "body": {"shape": "sphere"}}),
        SHAPE,
        'Give a shape as {"kind": "sphere" or "box" or',
    ),
    "a radius of zero": (scene(shape(kind="sphere", radius=0)), f"{SHAPE}.radius", "It is 0. Give a finite number"),
    "a radius below zero": (scene(shape(kind="sphere", radius=-1)), f"{SHAPE}.radius", "It is -1."),
    "a ball like a moon": (scene(shape(kind="sphere", radius=1e5)), f"{SHAPE}.radius", "10000 at most"),
    "two sides": (scene(shape(kind="box", size=[1, 2])), f"{SHAPE}.size", "It has 2 sides. Give 3."),
    "a side of zero": (scene(shape(kind="box", size=[1, 0, 2])), f"{SHAPE}.size[1]", "It is 0."),
    "a capsule without a length": (scene(shape(kind="capsule", radius=1)), f"{SHAPE}.length", "It is missing"),
    "a normal of zeros": (scene(shape(kind="plane", normal=[0, 0, 0])), f"{SHAPE}.normal", "points nowhere"),
    "a file that is no mesh": (scene(shape(kind="mesh", file="a.png")), f"{SHAPE}.file", "ends with .obj or .stl"),
    "a file that is empty": (scene(shape(kind="mesh", file="")), f"{SHAPE}.file", "It is empty."),
    "a scale of zero": (scene(shape(kind="mesh", file="a.obj", scale=0)), f"{SHAPE}.scale", "more than 0"),
    "no mass": (scene(still(mass=0)), f"{MOVER}.body.mass", "It is 0. Give a finite number, 1e-06 or more"),
    "too much bounce": (scene(still(bounce=1.5)), f"{MOVER}.body.bounce", "It is 1.5. Give a finite number"),
    "friction below zero": (scene(still(friction=-0.1)), f"{MOVER}.body.friction", "It is -0.1."),
    "no stiffness": (
        scene(free(body={"shape": {"kind": "sphere", "radius": 1}, "stiffness": 0})),
        STIFFNESS,
        "It is 0.",
    ),
    "a wall that is soft": (scene(still(stiffness=500)), STIFFNESS, "only what follows a path or is free may be soft"),
    "a soft plane": (
        scene(free(body={"shape": {"kind": "plane"}, "stiffness": 500})),
        STIFFNESS,
        "only a sphere, a box or a capsule may be soft",
    ),
    "a plane that follows": (
        scene(follow(body={"shape": {"kind": "plane"}})),
        SHAPE,
        "A follower has the shape of a plane, which is half of space and cannot move. Use Still(body).",
    ),
    "a plane that falls": (scene(free(body={"shape": {"kind": "plane"}})), SHAPE, "cannot move"),
    "a plane that is keyed": (scene(body={"shape": {"kind": "plane"}}), "actors[0].body.shape", "cannot move"),
    "a body beside a mover": (
        scene(follow(), body={"shape": SPHERE}),
        "actors[0].body",
        "Actor 'red' takes ticks and has a body beside that. Only a motion can be given one.",
    ),
    "speed and eagerness": (
        scene(follow(speed=2, eagerness=0.4)),
        f"{MOVER}.eagerness",
        "A follower has speed=2 and eagerness=0.4. Give one",
    ),
    "a distance of zero": (scene(follow(within=0)), f"{MOVER}.within", "It is 0. Give a finite number, 0.0001 or more"),
    "no reaction": (scene(follow(reaction=0)), f"{MOVER}.reaction", "0.0001 or more"),
    "no damping": (scene(follow(damping=0)), f"{MOVER}.damping", "0.001 or more"),
    "a damping of null": (scene(follow(damping=None)), f"{MOVER}.damping", "It is null."),
    "a correction in words": (scene(follow(correction="off")), f"{MOVER}.correction", "or null for none"),
    "a correction of zero": (scene(follow(correction=0)), f"{MOVER}.correction", "It is 0."),
    "a turn too wide": (scene(follow(turn_within=200)), f"{MOVER}.turn_within", "It is 200. Give a finite number"),
    "a path of one number": (
        scene(follow(path={"keys": [{"position": [0]}, {"position": [1]}]})),
        f"{MOVER}.path",
        "A follower was given a path of places shaped (1,). A body is at one place",
    ),
    "a path of drawings": (
        scene(follow(path={"keys": [{"position": [[0, 0], [1, 1]]}, {"position": [[1, 0], [1, 1]]}]})),
        f"{MOVER}.path",
        "shaped (2, 2)",
    ),
    "a key of text": (
        scene(follow(path={"keys": [{"position": [0, 0, 0]}, {"position": "up"}]})),
        f"{MOVER}.path.keys[1].position",
        "the text 'up'",
    ),
    "a place too far": (scene(free(position=[0, 1e7, 0])), f"{MOVER}.position[1]", "1e+06 at most"),
    "a place of one number": (scene(free(position=[0])), f"{MOVER}.position", "It has 1 coordinates. Give 2 to 3."),
    "a facing of zeros": (scene(free(orientation=[0, 0, 0, 0])), f"{MOVER}.orientation", "zero"),
    "senses": (scene({**still(), "senses": []}), f"{MOVER}.senses", "There is no such field in a still body."),
}
SEVERAL_PROBLEMS = "a body that is a shape"


@pytest.mark.parametrize("what", [what for what in WRONG if what != SEVERAL_PROBLEMS])
def test_invalid_body_is_reported_at_its_path(what):
    content, path, sentence = WRONG[what]
    ((found, problem),) = problem_texts(content).items()
    assert found == path
    assert sentence in problem


@pytest.mark.parametrize("what", WRONG)
def test_schema_rejects_values_of_another_type(what):
    content, _, _ = WRONG[what]
    if any(one.text.startswith(("It is ", "It has ", "There is no ", "A shape has")) for one in find_problems(content)):
        assert not VALID.is_valid(json.loads(content)) or "carried by nobody" in what


def test_shape_in_place_of_a_body_is_reported_field_by_field():
    content, _, _ = WRONG[SEVERAL_PROBLEMS]
    body = f"{MOVER}.body"
    assert list(problem_texts(content)) == [f"{body}.kind", f"{body}.radius", f"{body}.shape"]


def test_all_body_problems_are_reported_together():
    content = scene(follow(body={"shape": {"kind": "box", "size": [0, 1, -1]}, "mass": 0}, within=0, path={"keys": []}))
    ends = ["path.keys", "body.shape.size[0]", "body.shape.size[2]", "body.mass", "within"]
    assert list(problem_texts(content)) == [f"{MOVER}.{end}" for end in ends]


def test_file_limits_are_those_of_python():
    for kind in (*SHAPES, *BODY_MOVERS):
        for name, field in kind.record.fields.items():
            if isinstance(field.value_type, Number):
                for value in (field.value_type.minimum, field.value_type.maximum):
                    if field.value_type.above is None or value > field.value_type.above:
                        kind.type(**{**MINIMAL_ARGUMENTS[kind.tag], name: value})


MINIMAL_ARGUMENTS = {
    "sphere": {"radius": 1},
    "capsule": {"radius": 1, "length": 1},
    "plane": {},
    "mesh": {"file": "a.obj"},
    "follow": {"path": PATH, "body": BALL, "within": 1},
}


# ---- what cannot be saved --------------------------------------------------------------------------------------------


def test_mesh_name_with_a_lone_surrogate_is_refused_before_writing():
    with pytest.raises(KeyposeError, match=r"The file of 'mesh' is .*half a character"):
        mover_object(Still(Body(Mesh("\ud800.obj"))))


def test_follower_subclass_is_refused():
    class Own(Follow):
        pass

    with pytest.raises(KeyposeError, match="which a scene file does not know"):
        mover_object(Own(PATH, BALL, within=1))


# ---- what bodies sense -----------------------------------------------------------------------------------------------


def test_body_senses_are_written_like_those_of_a_dynamic_spline():
    wind = fields.Uniform((1, 0, 0))
    senses = [{"field": "wind", "affinity": 0.5}, {"field": {"kind": "uniform", "vector": [0, 1, 0]}, "affinity": 1}]
    for mover in (Free(BALL, (0, 1), senses={}), Follow(PATH, BALL, within=1)):
        assert "senses" not in mover_object(mover)
        sensing = replace(mover, senses={"wind": 0.5, fields.Uniform((0, 1, 0)): 1})
        assert mover_object(sensing, fields={"wind": wind})["senses"] == senses
    assert read(scene(free(senses=[])))["red"].mover.senses == {}


def test_invalid_senses_are_reported_at_their_path():
    wind = {"kind": "uniform", "vector": [1, 0, 0]}
    for mover in (follow, free):
        assert (
            "There is no field 'wnd'"
            in problem_texts(scene(mover(senses=[{"field": "wnd", "affinity": 1}])))["actors[0].mover.senses[0].field"]
        )
        twice = [{"field": wind, "affinity": 1}, {"field": wind, "affinity": 0.5}]
        assert "sensed in 0 too" in problem_texts(scene(mover(senses=twice)))["actors[0].mover.senses[1].field"]
        assert "actors[0].mover.senses[0].affinity" in problem_texts(
            scene(mover(senses=[{"field": wind, "affinity": 2}]))
        )
    own = {**wind, "then": [{"kind": "carried_by", "carrier": "red"}]}
    (problem,) = problem_texts(scene(free(senses=[{"field": own, "affinity": 1}]))).items()
    assert problem[0].startswith("actors[0].mover.senses[0]")
