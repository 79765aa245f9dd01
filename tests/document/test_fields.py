"""Fields in a scene file: every kind comes back, reads as it was said, and whatever is wrong is told at its place."""

import json

import pytest

from keypose import (
    Actor,
    DynamicSpline,
    KeyposeError,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Run,
    Stage,
    fields,
    shoot,
)
from keypose.document.actors import ACTOR
from keypose.document.fields.dynamic_splines import DEFAULTS, SENSED_KINDS, SPLINE
from keypose.document.fields.field_kinds import FIELDS, MAX_DEPTH
from keypose.document.fields.transforms import TRANSFORMS
from keypose.document.problems import INVALID, Dependency, ReadContext
from keypose.document.scene import find_problems, read, scene_object
from keypose.fields.algebra.field import Field
from tests.document.field_samples import FAN, every_push
from tests.document.stage_samples import scene_bytes


def scene(pushes=None, senses=(), **mover):
    """A file with one leaf, a lamp and these fields."""
    leaf = {"kind": "dynamic-spline", "position": [0, 3, 0], "senses": list(senses), **mover}
    lamp = {"keys": [{"position": [0, 0, 0]}, {"position": [1, 0, 0]}]}
    cast = [{"name": "leaf", "mover": leaf}, {"name": "lamp", "path": lamp, "duration": 1}]
    return json.dumps({"keypose": 1, **({"fields": pushes} if pushes is not None else {}), "actors": cast}).encode()


def problem_texts(content):
    return {problem.path: problem.text for problem in find_problems(content)}


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_sample_stage_has_every_kind():
    text = json.dumps(scene_object(every_push()), default=lambda rows: list(rows.items))
    for kinds in (FIELDS, TRANSFORMS, SENSED_KINDS):
        for kind in kinds:
            assert f'"kind": "{kind.tag}"' in text, kind.tag


def test_field_carrier_may_look_at_an_actor_sensing_the_field():
    flee = fields.Repeller(1).carried_by("cat")
    walk = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1)
    mouse = Actor("mouse", DynamicSpline((0, 0, 0), senses={flee: 0.5}))
    stage = Stage([mouse, Actor("cat", walk, facing=LookAt("mouse"))])
    assert read(scene_bytes(stage)) == stage


def test_field_object_has_its_kind_and_non_default_values():
    stage = Stage([], fields={"wind": fields.Uniform((1, 0, 0)), "pull": fields.Attractor(2, center=(0, 1, 0))})
    assert scene_object(stage)["fields"] == {
        "wind": {"kind": "uniform", "vector": [1, 0, 0]},
        "pull": {"kind": "attractor", "strength": 2, "center": [0, 1, 0]},
    }


def test_field_transforms_are_written_in_order():
    field = (2 * fields.Spring(3)).moved((1, 0, 0)).turned(Orientation(0, 1, 0, 0)).within(2)
    assert scene_object(Stage([], fields={"f": field}))["fields"]["f"]["then"] == [
        {"kind": "times", "factor": 2},
        {"kind": "moved", "offset": [1, 0, 0]},
        {"kind": "turned", "turn": [0, 1, 0, 0]},
        {"kind": "within", "radius": 2},
    ]


def test_sums_of_fields_are_written_as_lists():
    wind = fields.Uniform((1, 0, 0))
    document = scene_object(Stage([], fields={"both": wind + fields.Spring(3), "apart": (wind + wind).within(2)}))
    assert [one["kind"] for one in document["fields"]["both"]] == ["uniform", "spring"]
    assert document["fields"]["apart"]["kind"] == "sum"
    assert len(document["fields"]["apart"]["fields"]) == 2


def test_senses_refer_to_scene_fields_or_define_their_own():
    wind = {"kind": "uniform", "vector": [1, 0, 0]}
    senses = [{"field": "wind", "affinity": 0.5}, {"field": [wind, wind], "affinity": 1}]
    mover = read(scene({"wind": wind}, senses))["leaf"].mover
    one = fields.Uniform((1, 0, 0))
    assert mover == DynamicSpline((0, 3, 0), senses={"wind": 0.5, one + one: 1})


def test_dynamic_spline_object_has_non_default_values_only():
    usual = DynamicSpline((0, 3, 0))
    assert scene_object(Stage([Actor("leaf", usual)]))["actors"][0]["mover"] == {
        "kind": "dynamic-spline",
        "position": [0, 3, 0],
    }
    assert {word: getattr(usual, word) for word in DEFAULTS if word != "senses"} == {
        word: value for word, value in DEFAULTS.items() if word != "senses"
    }
    assert set(DEFAULTS) == set(SPLINE.fields) - {"position", "velocity"}


def test_common_velocity_of_a_drawing_is_written_once():
    letters = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    one, many = DynamicSpline(letters, (1, 0, 0)), DynamicSpline(letters, [(1, 0, 0), (2, 0, 0), (1, 0, 0)])
    stage = Stage([Actor("one", one), Actor("many", many)])
    actors = json.loads(scene_bytes(stage))["actors"]
    assert actors[0]["mover"]["velocity"] == [1, 0, 0]
    assert actors[1]["mover"]["velocity"] == [[1, 0, 0], [2, 0, 0], [1, 0, 0]]
    assert read(scene_bytes(stage)) == stage


@pytest.mark.parametrize("kinds", [FIELDS, TRANSFORMS, SENSED_KINDS], ids=lambda kinds: kinds.title)
def test_defaults_can_be_read(kinds):
    for kind in kinds:
        for name, field in kind.record.fields.items():
            reading = ReadContext()
            if field.default is not None:
                assert field.value_type.read(field.default, name, reading) is not INVALID, reading.problems


# ---- what comes of it ------------------------------------------------------------------------------------------------


def test_loaded_scene_shoots_and_rewinds_bitwise_identically():
    stage = every_push()
    again = read(scene_bytes(stage))
    assert again == stage
    takes = [shoot(one, 1.0) for one in (stage, again, again)]
    run = Run(again)
    for _ in range(24):
        run.tick()
    last = {name: pose.position.tobytes() for name, pose in run.poses.items()}
    run.rewind(0.25)
    while run.time < 1.0 - 1e-9:
        run.tick()
    for name in stage.names:
        places = {take[name].position.tobytes() for take in takes}
        assert len(places) == 1
        assert run.poses[name].position.tobytes() == last[name]


# ---- what is wrong ---------------------------------------------------------------------------------------------------

UNIFORM = {"kind": "uniform", "vector": [1, 0, 0]}
WRONG = {
    "a kind that is not there": ({"kind": "vortx"}, ".kind", "There is no field 'vortx'. Did you mean 'vortex'?"),
    "no kind": ({"vector": [1, 0, 0]}, ".kind", "A field has a kind."),
    "a text": ("wind", "", "It is the text 'wind'. Give a field in { }, or a list of fields that add up."),
    "a missing value": ({"kind": "uniform"}, ".vector", "It is missing in a uniform field."),
    "a value too many": ({**UNIFORM, "strength": 1}, ".strength", "There is no such field in a uniform field."),
    "a list of one": ([UNIFORM], "", "It has 1 fields. Give 2 or more."),
    "a wrong one in a list": ([UNIFORM, {"kind": "spring"}], "[1].stiffness", "It is missing"),
    "a wrong one in a sum": ({"kind": "sum", "fields": [UNIFORM, 3]}, ".fields[1]", "It is the number 3."),
    "a tracker in a list": ([UNIFORM, {"kind": "avoid", "target": [0, 0, 0]}], "[1].kind", "There is no field 'avoid'"),
    "a number too large": ({"kind": "spring", "stiffness": 1e200}, ".stiffness", "It is 1e+200. Give a finite number"),
    "an axis that points nowhere": ({"kind": "vortex", "strength": 1, "axis": [0, 0, 0]}, "", "points nowhere"),
    "a wrong placing": ({**UNIFORM, "then": [{"kind": "move"}]}, ".then[0].kind", "Did you mean 'moved'?"),
    "a limit of nothing": ({**UNIFORM, "then": [{"kind": "within"}]}, ".then[0]", "Give either a radius or the size"),
    "an edge too wide": (
        {**UNIFORM, "then": [{"kind": "moved", "offset": [1, 1]}, {"kind": "within", "radius": 1, "edge": 2}]},
        ".then[1]",
        "The edge of a field is 2. Give a number from 0 to 1.",
    ),
    "an end before the start": ({**UNIFORM, "then": [{"kind": "during", "start": 2, "stop": 1}]}, ".then[0]", "before"),
    "two carriers": (
        {**UNIFORM, "then": [{"kind": "carried_by", "carrier": "lamp"}, {"kind": "carried_by", "carrier": "lamp"}]},
        ".then[1]",
        "Let only one of them carry it.",
    ),
    "a carrier who is not there": (
        {**UNIFORM, "then": [{"kind": "carried_by", "carrier": "lmp"}]},
        ".then[0].carrier",
        "It is carried by 'lmp', who is not in the scene. Did you mean 'lamp'?",
    ),
    "an empty group": (
        {**UNIFORM, "then": [{"kind": "carried_by", "carrier": ["lamp", "flock/*"]}]},
        ".then[0].carrier[1]",
        "It is carried by the group 'flock/*', and nobody in the scene is in it. Name its members 'flock/1' and so on.",
    ),
    "a target who is not there": (
        {"kind": "keep_distance", "target": "moon"},
        ".target",
        "It tracks 'moon', who is not in the scene.",
    ),
    "a pointer who is not there": ({"kind": "avoid", "target": {"pointer": "mouse"}}, ".target.pointer", "It avoids"),
    "a target of the wrong sort": ({"kind": "avoid", "target": 3}, ".target", "It is the number 3. Give the name of"),
    "a gain beyond 1": ({"kind": "keep_offset", "target": "lamp", "response": 2}, ".response", "1 at most"),
    "a formula that is wrong": (
        {"kind": "formula", "text": "(-y, x, 0) * ecp(r)"},
        ".text",
        "Column 14 of the formula: ",
    ),
    "a potential that is a vector": ({"kind": "potential", "text": "(x, y, z)"}, ".text", "Column 1 of the formula"),
    "a value that its metric has not": (
        {"kind": "keep", "target": "lamp", "metric": "X - x", "value": [0, 1, 0]},
        ".value",
        "whose metric is a number",
    ),
    "a metric that is wrong": ({"kind": "keep", "target": "lamp", "metric": "X - q"}, ".metric", "Column 5 of the"),
    "a parameter that is taken": (
        {"kind": "formula", "text": "(x, 0, 0)", "parameters": {"x": 1}},
        ".parameters.x",
        "A formula already knows what 'x' is.",
    ),
    "a slider beyond its range": (
        {"kind": "formula", "text": "(k, 0, 0)", "parameters": {"k": {"value": 3, "low": 0, "high": 1}}},
        ".parameters.k.value",
        "A slider from 0 to 1 has value 3.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_field_is_reported_at_its_path(what):
    pushes, path, sentence = WRONG[what]
    ((found, problem),) = problem_texts(scene({"wind": pushes})).items()
    assert found == f"fields.wind{path}"
    assert sentence in problem


@pytest.mark.parametrize("what", WRONG)
def test_invalid_sensed_field_is_reported_at_its_path(what):
    pushes, path, sentence = WRONG[what]
    if isinstance(pushes, str):
        sentence = "There is no field 'wind' in the scene."
    ((found, problem),) = problem_texts(scene({}, [{"field": pushes, "affinity": 1}])).items()
    assert found == f"actors[0].mover.senses[0].field{path}"
    assert sentence in problem


SENSES = {
    "a field that is not there": (
        [{"field": "wnd", "affinity": 1}],
        {},
        "senses[0].field",
        "There is no field 'wnd' in the scene. Did you mean 'wind'?",
    ),
    "no affinity": ([{"field": "wind"}], {}, "senses[0].affinity", "It is missing in a sense."),
    "too much affinity": ([{"field": "wind", "affinity": 2}], {}, "senses[0].affinity", "It is 2."),
    "the same twice": (
        [{"field": "wind", "affinity": 1}, {"field": "wind", "affinity": 0.5}],
        {},
        "senses[1].field",
        "It is sensed in 0 too. Remove one of them.",
    ),
    "itself": (
        [{"field": {"kind": "keep_distance", "target": "leaf"}, "affinity": 1}],
        {},
        "senses[0].field.target",
        "'leaf' tracks itself.",
    ),
    "friction": ([], {"friction": -1}, "friction", "It is -1."),
    "an integrator": ([], {"integrator": "euler"}, "integrator", "It is the text 'euler'."),
    "a place": ([], {"position": [0]}, "position", "It has 1 coordinates. Give 2 to 3."),
}


@pytest.mark.parametrize("what", SENSES)
def test_invalid_dynamic_spline_is_reported_at_its_path(what):
    senses, mover, path, sentence = SENSES[what]
    ((found, problem),) = problem_texts(scene({"wind": UNIFORM}, senses, **mover)).items()
    assert found == f"actors[0].mover.{path}"
    assert sentence in problem


def test_all_problems_are_reported_together():
    senses = [{"field": "wind", "affinity": 3}, {"field": {"kind": "avoid", "target": "moon"}, "affinity": 1}]
    content = scene({"wind": {"kind": "spring"}, "sun": {"kind": "formula", "text": "(q, 0, 0)"}}, senses)
    paths = ["fields.wind.stiffness", "fields.sun.text"]
    paths += [f"actors[0].mover.senses[{end}" for end in ("0].affinity", "1].field.target")]
    assert list(problem_texts(content)) == paths


def test_field_carried_by_its_only_sensing_actor_is_reported_at_the_sense():
    carried = {**UNIFORM, "then": [{"kind": "carried_by", "carrier": "leaf"}]}
    (found,) = problem_texts(scene({"own": carried}, [{"field": "own", "affinity": 1}]))
    assert found == "actors[0].mover.senses[0]"


@pytest.mark.parametrize(
    "deep",
    [
        [[UNIFORM, UNIFORM], UNIFORM],
        {"kind": "sum", "fields": [UNIFORM, UNIFORM]},
        {**UNIFORM, "then": [{"kind": "times", "factor": 1}] * 3},
    ],
)
def test_field_nesting_depth_is_limited(deep):
    def nested(times):
        field = deep
        for _ in range(times):
            field = [field, UNIFORM] if isinstance(field, list) else {"kind": "sum", "fields": [field, UNIFORM]}
        return field

    assert problem_texts(scene({"f": nested(MAX_DEPTH - 4)}, [{"field": "f", "affinity": 1}])) == {}
    read(scene({"f": nested(MAX_DEPTH - 4)}, [{"field": "f", "affinity": 1}]))
    for times in (MAX_DEPTH, 400):
        assert "more than 64 deep" in problem_texts(scene({"f": nested(times)}))["fields.f"]
    long = {**UNIFORM, "then": [{"kind": "times", "factor": 1}] * 100_000}
    assert "more than 64 deep" in problem_texts(scene({"f": long}))["fields.f"]


# ---- what cannot be saved --------------------------------------------------------------------------------------------


class CustomField(Field):
    def push(self, query):
        return query.position


class Metric:
    is_vector = True

    def __call__(self, P_O, v_O, P_T, v_T, t):
        return P_O


def deeply_moved(field):
    for _ in range(200):
        field = field.moved((1, 0, 0))
    return field


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        (CustomField(), "Field 'f' has the field CustomField(), which a scene file does not know."),
        (fields.Uniform((1, 0, 0)) + CustomField(), "which a scene file does not know. Give one of uniform, attractor"),
        (fields.Keep(Metric(), "lamp"), "The metric of 'keep' is <"),
        (fields.Noise(1, seed=2**60), "The seed of 'noise' is 1152921504606846976, which a scene file cannot hold."),
        (deeply_moved(fields.Uniform((1, 0, 0))), "Field 'f' has fields within fields, more than 64 deep."),
    ],
)
def test_unsavable_field_is_refused_before_writing(field, sentence):
    with pytest.raises(KeyposeError) as why:
        scene_object(Stage([Actor("lamp", FAN)], fields={"f": field}))
    assert sentence in str(why.value)


def test_field_name_with_a_lone_surrogate_is_refused():
    with pytest.raises(KeyposeError, match="A field is named"):
        scene_object(Stage([], fields={"\ud800": fields.Uniform((1, 0, 0))}))


def test_field_naming_an_unknown_actor_is_refused_even_if_not_sensed():
    with pytest.raises(KeyposeError, match="Field 'f' speaks of 'lmp', who is not on the stage"):
        Stage([Actor("lamp", FAN)], fields={"f": fields.Uniform((1, 0, 0)).carried_by("lmp")})
    with pytest.raises(KeyposeError, match="speaks of the group 'flock/\\*', and nobody is in it"):
        Stage([Actor("lamp", FAN)], fields={"f": fields.KeepDistance("flock/*")})


def test_field_carrier_may_be_a_child_of_an_actor_sensing_the_field():
    lamp = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1)
    light = fields.Attractor(2).carried_by("lamp")
    stage = Stage([Actor("leaf", DynamicSpline((0, 3, 0), senses={light: 1})), Actor("lamp", lamp, parent="leaf")])
    assert read(scene_bytes(stage)) == stage


def test_only_key_carriers_are_dependencies_and_not_field_carriers():
    push = {"kind": "spring", "strength": 1, "then": [{"kind": "carried_by", "carrier": "lamp"}]}
    mover = {"kind": "dynamic-spline", "position": [0, 0, 0], "senses": [{"field": push, "affinity": 1}]}
    keys = [{"position": [0, 0], "relative_to": "lamp"}, {"position": [1, 0]}]
    ties = {}
    for word, options in (("field", {"mover": mover}), ("key", {"path": {"keys": keys}, "duration": 1})):
        reading = ReadContext()
        ACTOR.read(
            {"name": "dog", "parent": "rug", "facing": {"kind": "look_at", "name": "cat"}, **options}, "", reading
        )
        assert "is carried by" in {one.verb for one in reading.references}
        ties[word] = {(one.name, one.dependency) for one in reading.references if one.dependency is not None}
    bound = {("rug", Dependency.PARENT), ("cat", Dependency.LOOK_TARGET)}
    assert ties == {"field": bound, "key": bound | {("lamp", Dependency.KEY_CARRIER)}}
