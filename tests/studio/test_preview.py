"""Where everybody is at any moment is what the stage says, however it was found out."""

import numpy as np
import pytest

from keypose import (
    Actor,
    DynamicSpline,
    FaceForward,
    Key,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Stage,
    fields,
    shoot,
)
from keypose.studio.preview.preview import Preview
from tests.studio.studio_client import serve_stage

RNG = np.random.default_rng(4)


def random_motion(keys=4, dim=3):
    return Motion(MotionPath(RNG.normal(size=(keys, dim))), duration=2.0)


def turning_motion():
    facings = [Orientation.turned(degrees, "y") for degrees in (0, 80, 200)]
    return Motion(MotionPath([Key(RNG.normal(size=3), orientation=facing) for facing in facings]), duration=2.0)


ACTOR_LISTS = {
    "nobody": [],
    "one": [Actor("a", random_motion())],
    "many who stand alone": [Actor(f"a{i}", turning_motion() if i % 3 else random_motion()) for i in range(9)],
    "in two and three dimensions": [Actor(f"a{i}", random_motion(4, 2 + i % 2)) for i in range(6)],
    "on top of each other": [
        Actor("a", turning_motion()),
        Actor("b", random_motion(), parent="a"),
        Actor("c", random_motion(), parent="b"),
    ],
    "looking": [
        Actor("a", random_motion(), facing=LookAt("b")),
        Actor("b", random_motion(), facing=FaceForward(bank=1.0)),
    ],
}


@pytest.mark.parametrize("case", ACTOR_LISTS)
def test_preview_poses_equal_stage_poses(case):
    stage = Stage(ACTOR_LISTS[case])
    for t in (0.0, 0.7, 2.0, 5.0):
        rows, points = Preview(stage).all_poses(t)
        expected = stage.at(t)
        assert not points
        assert rows.shape == (len(stage.names), 7)
        for row, name in zip(rows, stage.names, strict=True):
            assert np.allclose(row[:3], expected[name].position)
            assert np.allclose(row[3:], expected[name].orientation)


@pytest.mark.parametrize("case", ["many who stand alone", "on top of each other", "looking"])
def test_edit_updates_the_poses_of_the_same_instant(case):
    stage = Stage(ACTOR_LISTS[case])
    preview = Preview(stage)
    preview.all_poses(0.7)
    for name in stage.names:
        edited = preview.stage.with_actor(preview.stage[name].changed(motion_or_mover=random_motion()))
        preview = preview.with_stage(
            edited, frozenset(edited.names) if case != "many who stand alone" else frozenset([name])
        )
        assert np.allclose(preview.all_poses(0.7)[0], Preview(edited).all_poses(0.7)[0])
        assert np.allclose(preview.all_poses(0.9)[0], Preview(edited).all_poses(0.9)[0])
        preview.all_poses(0.7)


def test_points_of_drawings_are_concatenated_in_order():
    drawing = MotionPath([Key([(0, 0), (1, 0), (1, 1)]), Key([(2, 0), (3, 0), (3, 1)])])
    stage = Stage([Actor("a", Motion(drawing, duration=1.0)), Actor("b", random_motion())])
    rows, points = Preview(stage).all_poses(0.5)
    assert np.allclose(points[0], stage.at(0.5)["a"].position)
    assert np.allclose(rows[0, :3], stage.at(0.5)["a"].position.mean(axis=0))


@pytest.mark.parametrize(("outside", "seconds"), [("hold", 2.0), ("cycle", 2.0), ("mirror", 2.0)])
def test_endless_motion_is_shown_for_one_period(outside, seconds):
    motion = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=2.0, outside=outside)
    assert Preview(Stage([Actor("a", motion)])).duration == seconds


def test_shoot_warnings_are_listed_by_actor():
    hole = fields.Formula("(log(0.5 - t), 0, 0)")
    moth = DynamicSpline((0, 0, 0), senses={fields.KeepOffset("a"): 1.0, hole: 1.0})
    stage = Stage([Actor("a", random_motion()), Actor("moth", moth), Actor("leaf", DynamicSpline((1, 0, 0)))])
    assert Preview(stage).warnings("moth") == ()
    preview = Preview(stage, shoot(stage, 1.0))
    unsettled, stopped = preview.warnings("moth")
    assert unsettled.startswith("'keeps its offset to a': Affinity 1 does not settle")
    assert stopped == "At 0.5 s: Stopped: 'its own formula' has no value where it is."
    assert preview.warnings("a") == preview.warnings("leaf") == ()


def test_carrier_that_stops_too_early_is_warned_of_without_a_take():
    met = Motion(MotionPath([(0, 0, 0), Key((0, 1, 0), relative_to="boat"), (0, 9, 0)]), duration=9.0)
    boat = Motion(MotionPath([(0, 5, 0), (1, 5, 0)]), duration=1.0)
    (warning,) = Preview(Stage([Actor("boat", boat), Actor("hand", met)])).warnings("hand")
    assert warning.startswith("At 1 s: Key 1 is carried by 'boat', whose motion ends at 1 s")


def test_client_receives_a_warning_and_its_removal(tmp_path):
    moth = DynamicSpline((0, 0, 0), senses={fields.KeepOffset("a"): 1.0})
    with (
        serve_stage(Stage([Actor("a", random_motion()), Actor("moth", moth)]), tmp_path) as studio,
        studio.connect() as client,
    ):

        def wait_for_warnings(is_warned):
            client.receive_until(
                lambda update: (
                    update["is"] == "scene"
                    and any(one["name"] == "moth" and bool(one["warnings"]) == is_warned for one in update["actors"])
                )
            )

        wait_for_warnings(True)
        client.request("link_actors", actors=["moth"], field={"kind": "keep_offset", "target": "a"}, affinity=0.2)
        wait_for_warnings(False)
