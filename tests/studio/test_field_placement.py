"""Fields and parts of them are placed in numbers, and what somebody senses of its own gets a name."""

import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, Motion, Stage, fields, shoot
from keypose.document.fields.dynamic_splines import sense_object
from keypose.studio.present.fields import field_views
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from tests.studio.edit_calls import do, refused
from tests.studio.scenes import field_stage
from tests.studio.test_field_edits import FLAT, PLACED_FIELDS, SHIP, T, stage_with_field

# ---- in numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", PLACED_FIELDS.values(), ids=PLACED_FIELDS)
def test_field_turned_in_degrees_shows_them_and_keeps_its_handle(field):
    before = Preview(stage_with_field(field)).handles.at(Preview(stage_with_field(field)).all_poses(T)[0])[1]
    edited, label = do(stage_with_field(field), commands.PlaceField, field="it", degrees=(40, None, -10), time=T)
    after = Preview(edited).handles.at(Preview(edited).all_poses(T)[0])[1]
    assert label == "turn the field it"
    assert_allclose(after[:3], before[:3], atol=1e-9)
    (view,) = (one for one in field_views(edited) if one.name == "it")
    nod = next(one for one in field_views(stage_with_field(field)) if one.name == "it").degrees[1]
    assert_allclose(view.degrees, (40, nod, -10), atol=1e-9)


def test_zero_angles_leave_no_turn():
    whirl = fields.Vortex(2, center=(1, 0, 2))
    edited, _ = do(stage_with_field(whirl), commands.PlaceField, field="it", degrees=(40, None, None))
    edited, _ = do(edited, commands.PlaceField, field="it", degrees=(0, None, None))
    assert edited.fields["it"] == fields.Vortex(2).moved((1, 0, 2))


def test_one_part_of_a_sum_is_placed_and_the_others_stay():
    lamp = fields.Repeller(2).within(3).carried_by("ship")
    both = stage_with_field((lamp + fields.Vortex(1)).moved((0, 5, 0)))
    edited, label = do(both, commands.PlaceField, field="it", part=1, to=(None, 2, None), stretch=(1, 3, None))
    assert label == "place part 2 of the field it"
    assert edited.fields["it"] == (lamp + fields.Vortex(1).scaled((1, 3, 1)).moved((0, 2, 0))).moved((0, 5, 0))
    edited, label = do(both, commands.PlaceField, field="it", part=0, to=(1, None, None))
    assert label == "move part 1 of the field it"
    moved = fields.Repeller(2, center=(1, 0, 0)).within(3, center=(1, 0, 0)).carried_by("ship")
    assert edited.fields["it"] == (moved + fields.Vortex(1)).moved((0, 5, 0))


def test_unknown_part_and_empty_placement_are_refused():
    both = stage_with_field(fields.Vortex(1) + fields.Spring(1))
    assert "no part 3" in refused(both, commands.PlaceField, field="it", part=2, to=(1, 1, 1))
    assert "one field alone" in refused(both, commands.PlaceField, field="other", part=0, to=(1, 1, 1))
    assert "Nothing was said" in refused(both, commands.PlaceField, field="it")


# ---- a name for what somebody senses of its own ----------------------------------------------------------------------


def test_naming_shared_own_fields_keeps_the_take_bitwise_identical():
    light, follow = fields.Attractor(2).carried_by("ship"), fields.KeepOffset("ship")
    moths = [
        Actor(f"moth/{n}", DynamicSpline((n, 0.3, 0.7), friction=0.1, senses=senses))
        for n, senses in enumerate((
            {light: 0.7, follow: 0.1, fields.Vortex(1): 0.3},
            {fields.Vortex(1): 0.9, light: 0.2},
            {follow: 0.2, light: 0.5, "other": 0.1},
        ))
    ]  # fmt: skip
    stage = Stage([Actor("ship", Motion(SHIP, duration=2.0)), *moths], fields={"other": FLAT})
    first = shoot(stage, 2.0)
    for number, thing in enumerate((light, follow, fields.Vortex(1))):
        sensing_actor = "moth/1" if number == 2 else "moth/0"
        name = f"named {number}"
        stage, label = do(stage, commands.NameSensed, actor=sensing_actor, field=sense_object(thing, "it"), name=name)
        assert label == f"name the field {name}"
        assert stage.fields[name] == thing
        assert all(thing not in actor.mover.senses for actor in stage.actors[1:])
        second = shoot(stage, 2.0)
        assert second == first
    assert list(stage["moth/2"].mover.senses) == ["named 1", "named 0", "other"]


def test_naming_an_unsensed_field_or_using_a_taken_name_is_refused():
    own = {"kind": "keep_offset", "target": "red"}
    assert "does not sense this" in refused(
        field_stage(), commands.NameSensed, actor="letter", field=own, name="follow"
    )
    assert "does not sense this" in refused(
        field_stage(), commands.NameSensed, actor="leaf", field="wind", name="follow"
    )
    assert "named 'wind' already" in refused(field_stage(), commands.NameSensed, actor="leaf", field=own, name="wind")
