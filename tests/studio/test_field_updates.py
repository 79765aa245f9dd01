"""A page is told of every field all that can be said of it, and where it is held at every moment."""

import msgspec
import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, Key, Motion, MotionPath, Orientation, Stage, fields
from keypose.document.fields.dynamic_splines import ANY_FIELD, SENSED_KINDS
from keypose.document.fields.field_kinds import FIELDS
from keypose.document.problems import ReadContext
from keypose.fields.algebra.field import Field
from keypose.studio.present.field_kinds import field_kinds
from keypose.studio.present.fields import field_views, sense_views, spline_view
from keypose.studio.present.scene import encode_json, pack_poses, scene_view
from keypose.studio.preview.field_handles import position_option
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.updates import Step
from tests.document.field_samples import every_push
from tests.studio.scenes import field_stage
from tests.studio.studio_client import unpack_update

TURN = Orientation.turned(90, "y")
RIDE = Motion(MotionPath([Key((0, 0, 0), orientation=TURN), Key((4, 0, 0), orientation=TURN)]), duration=4.0)


def views(**definitions):
    stage = Stage(
        [Actor("lamp", RIDE), *(Actor(f"flock/{n}", DynamicSpline((n, 0, 0))) for n in (1, 3))], fields=definitions
    )
    return {view.name: view for view in field_views(stage)}


def handles_at(t, **definitions):
    """Handles in a stage of motions."""
    boats = [Actor(f"boat/{n}", Motion(MotionPath([(n, 0, 0), (n, 2, 0)]), duration=2.0)) for n in (1, 3)]
    preview = Preview(Stage([*boats, Actor("lamp", RIDE)], fields=definitions))
    return unpack_update(pack_poses(preview, t, 1))["fields"]


# ---- in words --------------------------------------------------------------------------------------------------------


def test_every_scene_update_lists_all_fields_in_order():
    preview = Preview(field_stage())
    for changed, whole in ((frozenset(), False), (frozenset({"leaf"}), False), (frozenset(), True)):
        scene = scene_view(preview, changed, whole, (1, 2), Step(undo=None, redo=None), None, True)
        assert [field.name for field in scene.fields] == [*preview.stage.fields]
        assert msgspec.json.decode(encode_json(scene))["fields"][0]["kind"] == "uniform"


def test_field_view_has_kind_options_and_number_of_sensing_actors():
    shown = {view.name: view for view in field_views(field_stage())}
    assert {name: view.kind for name, view in shown.items()} == {
        "wind": "uniform",
        "whirl": "vortex",
        "light": "attractor",
        "mix": "sum",
        "typed": "formula",
        "near": "keep_distance",
    }
    assert {name: view.sensed_by for name, view in shown.items() if view.sensed_by} == {
        "wind": 2,
        "light": 1,
        "near": 1,
    }
    assert shown["whirl"].spec == {"kind": "vortex", "strength": 2.0, "center": [1.0, 0.0, 0.0]}
    assert (shown["light"].carrier, shown["light"].radius) == ("table", 3)
    assert [view.is_placed for view in shown.values()] == [True] * 5 + [False]
    assert shown["near"].carrier == "red"
    (k,) = shown["typed"].parameters
    assert (shown["typed"].text, k.name, k.value, k.low, k.high) == ("(-y, x, 0) * k", "k", 2, 0, 5)


def test_field_view_has_scale_and_boundary():
    shown = views(
        large=fields.Noise(1).scaled((1, 2, 3)).turned(20, "x").during(0, 2).within(size=(1, 2, 3)).moved((1, 0, 0)),
        own=fields.Noise(1).within(2).scaled(3).carried_by("flock/*"),
        kept=fields.Keep("X - x", "lamp"),
        fixed=fields.Avoid((1, 2, 3)),
        plain=fields.Formula("(k, 0, 0)", k=1),
    )
    assert (shown["large"].size, shown["large"].radius) == ((1, 2, 3), None)
    assert (shown["own"].stretch, shown["own"].radius, shown["own"].carrier) == ((3, 3, 3), 2, "flock/*")
    assert (shown["kept"].text, shown["kept"].carrier) == ("X - x", "lamp")
    assert (shown["fixed"].carrier, shown["fixed"].stretch) == (None, (1, 1, 1))
    assert (shown["plain"].parameters[0].value, shown["plain"].parameters[0].low) == (1, None)


class CustomField(Field):
    """A field of somebody's own, which no scene file knows."""

    def push(self, query):
        return np.zeros_like(query.position)


def test_custom_field_is_shown_without_options():
    shown = views(own=CustomField().moved((1, 2, 3)))["own"]
    assert (shown.kind, shown.spec, shown.is_placed) == ("customfield", None, True)
    spline = DynamicSpline((0, 0, 0), senses={CustomField(): 0.5})
    senses = sense_views(spline)
    assert spline_view(spline).friction == 0
    assert (senses[0].title, senses[0].spec) == ("its own customfield", None)


def test_every_savable_field_can_be_shown():
    stage = every_push()
    for view in field_views(stage):
        assert view.spec is not None
        msgspec.json.encode(view)
    for actor in stage.actors:
        if isinstance(actor.mover, DynamicSpline):
            encode_json(spline_view(actor.mover))


def test_dynamic_spline_view_has_all_options_and_senses():
    stage = field_stage()
    leaf = spline_view(stage["leaf"].mover)
    assert set(leaf.spec) >= {"position", "velocity", "friction", "continuity", "integrator", "basis", "beta"}
    assert (leaf.position, leaf.velocity, leaf.friction) == ((0, 3, 0), (1, 0, 0), 0.02)
    wind, red = sense_views(stage["leaf"].mover)
    assert (wind.name, wind.spec, wind.title, wind.target, wind.affinity) == ("wind", None, "wind", None, 0.5)
    assert (red.name, red.title, red.target) == (None, "keeps its offset to red", "red")
    assert red.spec == {"kind": "keep_offset", "target": "red"}
    letter = spline_view(stage["letter"].mover)
    assert "position" not in letter.spec
    assert_allclose(letter.position, (2 / 3, 1 / 3, 0))


@pytest.mark.parametrize(("sensed", "title", "target"), [
    (fields.KeepDistance("man", 2), "keeps its distance to man", "man"),
    (fields.Avoid(("a", "b")), "avoids a, b", None),
    (fields.Avoid("flock/*"), "avoids flock/*", "flock/*"),
    (fields.KeepOnLine((0, 1, 0.5), (1, 0, 0)), "keeps on a line through (0, 1, 0.5)", None),
    (fields.Repeller(1).within(2).carried_by("lamp"), "repeller of lamp", "lamp"),
    (fields.Spring(1) + fields.Noise(1), "its own sum of fields", None),
])  # fmt: skip
def test_link_title_is_readable(sensed, title, target):
    (sense,) = sense_views(DynamicSpline((0, 0, 0), senses={sensed: 1}))
    assert (sense.title, sense.target) == (title, target)


# ---- what there is to choose from ------------------------------------------------------------------------------------


def test_every_field_kind_except_sum_can_be_added_with_valid_defaults():
    kinds = {one.kind: one for one in field_kinds()}
    assert set(kinds) == {kind.tag for kind in SENSED_KINDS} - {"sum"}
    for kind in kinds.values():
        spec = {**kind.spec, "target": "man"} if kind.is_tracker else kind.spec
        reading = ReadContext()
        field = ANY_FIELD.read(spec, "", reading)
        assert not reading.problems
        assert isinstance(field, Field) is not kind.is_tracker
        assert kind.is_tracker is not any(one.tag == kind.kind for one in FIELDS)
        assert kind.text.endswith(".")


def test_field_options_have_types_defaults_and_limits():
    options = {kind.kind: {option.name: option for option in kind.options} for kind in field_kinds()}
    vortex = options["vortex"]
    assert [(option.name, option.form) for option in vortex.values()] == [
        ("strength", "number"),
        ("center", "position"),
        ("falloff", "number"),
        ("core", "number"),
        ("axis", "vector"),
    ]
    assert (vortex["falloff"].default, vortex["falloff"].low, vortex["falloff"].high) == (1, 0, 16)
    assert (vortex["strength"].low, vortex["strength"].high) == (None, None)
    assert options["formula"]["text"].form == "text"
    assert options["avoid"]["target"].form == "target"
    assert all(option.doc for kind in options.values() for option in kind.values())
    assert all("then" not in kind for kind in options.values())


def test_position_option_of_each_kind_has_the_position_form():
    for kind in (kind for kind in field_kinds() if not kind.is_tracker):
        field = ANY_FIELD.read(kind.spec, "", ReadContext())
        assert [option.name for option in kind.options if option.form == "position"] == [
            one for one in [position_option(field)] if one
        ]


def test_sum_view_has_carrier_boundary_and_pose_of_each_part():
    lamp = fields.Repeller(2, center=(0, 1, 0)).within(size=(2, 3, 4), center=(0, 1, 0)).carried_by("lamp")
    whirl = fields.Vortex(1).scaled((1, 2, 1)).turned(30, "y").moved((3, 0, 0))
    shown = views(both=lamp + whirl)["both"]
    assert (shown.carrier, shown.size, shown.degrees) == (None, None, (0, 0, 0))
    one, two = shown.parts
    assert (one.kind, one.carrier, one.size, one.radius, one.position) == (
        "repeller",
        "lamp",
        (2, 3, 4),
        None,
        (0, 1, 0),
    )
    assert (two.kind, two.carrier, two.size, two.position, two.stretch) == ("vortex", None, None, (3, 0, 0), (1, 2, 1))
    assert_allclose(two.degrees, (30, 0, 0), atol=1e-9)
    assert views(one=lamp)["one"].parts == ()


def test_field_view_has_euler_angles_and_unused_parameters():
    shown = views(
        whirl=fields.Vortex(1).turned(Orientation.from_euler((40, 10, -20), "YXZ")),
        typed=fields.Formula("(k * x, 0, 0)", k=1, q=fields.Slider(1, 0, 2)),
        near=fields.KeepDistance("lamp"),
    )
    assert_allclose(shown["whirl"].degrees, (40, 10, -20), atol=1e-9)
    assert (shown["typed"].unused, shown["whirl"].unused) == (("q",), ())
    assert shown["near"].degrees == (0, 0, 0)


# ---- where they are held ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "position"), [
    (fields.Uniform((1, 0, 0)), (0, 0, 0)),
    (fields.Uniform((1, 0, 0)).moved((1, 2, 3)), (1, 2, 3)),
    (fields.Uniform((1, 0, 0)).within(2, center=(0, 1, 0)), (0, 1, 0)),
    (fields.Spring(2, center=(1, 1, 1)).within(2), (1, 1, 1)),
    (fields.Vortex(2, center=(1, 0, 0)).scaled(2).turned(90, "y"), (0, 0, -2)),
    (fields.Wall((0, 1, 0), (0, 1, 0), 1, 1), (0, 1, 0)),
    (fields.Uniform((1, 0, 0)) + fields.Spring(2, center=(4, 0, 0)), (4, 0, 0)),
    (fields.Spring(1) + fields.Spring(2, center=(4, 0, 0)), (2, 0, 0)),
    (fields.Uniform((1, 0, 0)) + fields.Noise(1), (0, 0, 0)),
    (fields.Attractor(2, center=(1, 0, 0)).carried_by("lamp"), (1.5, 0, -1)),
    (fields.Attractor(2, center=(1, 0, 0)).carried_by("boat/*"), (3, 1.5, 0)),
    (fields.KeepOffset("lamp"), (1.5, 0, 0)),
    (fields.Avoid(("boat/1", "boat/3")), (2, 1.5, 0)),
    (fields.KeepDistance((1, 2, 3), 1), (1, 2, 3)),
])  # fmt: skip
def test_handle_is_at_the_field_position(field, position):
    assert_allclose(handles_at(1.5, other=fields.Noise(1), it=field)[1, :3], position, atol=1e-6)


def test_handle_has_the_field_orientation():
    turn = Orientation.turned(90, "x")
    (row,) = handles_at(1.5, it=fields.Noise(1).turned(turn).carried_by("lamp"))
    assert_allclose(row[3:], (TURN @ turn).wxyz, atol=1e-6)


def test_stage_without_fields_has_no_handles():
    assert handles_at(1.5).shape == (0, 7)
