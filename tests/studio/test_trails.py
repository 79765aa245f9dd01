"""A trail shows the way through the world: what is drawn is what the stage says."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose import Actor, Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile, Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.session.examples import examples, load_example
from tests.studio.studio_client import unpack_update

ARM = Motion(
    MotionPath([Key((0, 0, 0), orientation=Orientation.turned(angle, "z")) for angle in (0, 60, 90)]), duration=2.0
)
PATH = MotionPath([(0, 0, 0), (1, 2, 0), (3, 0, 1), (4, 1, 1)])


def trail_of(stage, name, fps=24):
    return unpack_update(pack_curve(Preview(stage), name, fps, 7))


def test_a_dot_per_frame_and_four_samples_between_dots():
    stage = Stage([Actor("red", Motion(PATH, SpeedProfile([1, 8, 2, 1]), duration=2.0))])
    trail = trail_of(stage, "red", 25)
    motion = stage["red"].motion
    assert np.allclose(trail["dots"], motion.frames(25).position, atol=1e-5)
    assert np.allclose(trail["dot_speed"], motion.speed(motion.frame_times(25)), atol=1e-4)
    assert np.allclose(trail["stripes"], motion.time_bar(25), atol=1e-5)
    assert len(trail["line"]) == 4 * 50 + 1 + len(PATH)
    assert trail["length"] == pytest.approx(PATH.length)
    assert np.allclose(trail["line"], PATH.at(trail["line_u"].astype(float)), atol=1e-4)


def test_keys_and_tangents_of_a_child_actor_are_in_world_space():
    stage = Stage([Actor("arm", ARM), Actor("hand", Motion(PATH, duration=2.0), parent="arm")])
    trail, motion = trail_of(stage, "hand"), stage["hand"].motion
    for key, moment in enumerate(motion.key_times):
        poses = stage.at(float(moment))
        assert np.allclose(trail["keys"][key], poses["hand"].position, atol=1e-5)
        turn = Orientation.of(poses["arm"].orientation)
        assert np.allclose(trail["leave"][key], turn.rotate(PATH.leave[key]), atol=1e-5)
        assert np.allclose(trail["arrive"][key], turn.rotate(PATH.arrive[key]), atol=1e-5)
    speed = np.linalg.norm(np.gradient(trail["line"][:40].astype(float), axis=0), axis=1)
    assert np.all(trail["line_speed"] >= 0)
    assert np.isfinite(speed).all()


def test_untimed_key_is_drawn_in_place_and_nudging_back_and_forth_restores_it():
    stage = load_example("07_the_catch")
    position, preview = (2.2, 1.4, 1.6), Preview(stage)
    assert np.allclose(trail_of(stage, "hand")["keys"][1], position, atol=1e-5)
    moment = preview.key_times("hand", stage["hand"].motion)[1]
    assert np.allclose(stage.at(float(moment))["hand"].position, position, atol=1e-9)
    nudged, _ = apply_edit(stage, commands.NudgeKey(id=1, actor="hand", key=1, frames=1, fps=24))
    restored, _ = apply_edit(nudged, commands.NudgeKey(id=1, actor="hand", key=1, frames=-1, fps=24))
    assert nudged["hand"].motion.key_times[1] == pytest.approx(moment + 1 / 24)
    t = np.linspace(0, 5, 50)
    assert np.allclose(restored.at(t)["hand"].position, stage.at(t)["hand"].position, atol=1e-9)


def test_relative_key_is_drawn_where_it_is_passed():
    meets = MotionPath([Key((0, 3, 0)), Key((0, 0.5, 0), relative_to="ball"), Key((5, 3, 0))])
    stage = Stage([Actor("ball", Motion(PATH, duration=2.0)), Actor("hand", Motion(meets, duration=2.0))])
    trail = trail_of(stage, "hand")
    passed = float(
        stage.resolved.relative_keys.relative_motion("hand").pass_time(1, stage.resolved.relative_keys.pass_log("hand"))
    )
    poses = stage.at(passed)
    assert np.allclose(trail["keys"][1], poses["hand"].position, atol=1e-5)
    assert np.allclose(trail["keys"][1], np.add(poses["ball"].position, (0, 0.5, 0)), atol=1e-5)
    before, after = stage.at(passed - 1e-4)["hand"].position, stage.at(passed + 1e-4)["hand"].position
    assert np.dot(trail["arrive"][1], poses["hand"].position - before) > 0
    assert np.dot(trail["leave"][1], after - poses["hand"].position) > 0


@pytest.mark.parametrize("duration", [1e-6, 3000.0, 1e9])
def test_number_of_trail_samples_is_limited(duration):
    trail = trail_of(Stage([Actor("red", Motion(PATH, duration=duration))]), "red", 60)
    assert 2 <= len(trail["line"]) <= 4001 + len(PATH)
    assert len(trail["stripes"]) == len(trail["dots"])


@pytest.mark.parametrize("name", [one.name for one in examples() if "follower" not in one.name])
def test_every_example_can_be_drawn(name):
    stage = load_example(name)
    for actor in stage.names[:5]:  # of a flock of hundreds some
        trail = trail_of(stage, actor)
        assert len(trail["keys"]) == len((rough_path_of(stage, actor) or stage[actor]).keys)
        for array in (
            "line",
            "line_u",
            "line_speed",
            "dots",
            "dot_speed",
            "keys",
            "key_orientations",
            "arrive",
            "leave",
        ):
            assert np.isfinite(trail[array]).all()
        assert trail["profile"].shape == ((0, 2) if stage[actor].motion is None else (200, 2))


@pytest.mark.parametrize(
    "options",
    [
        {"duration": 2.0},
        {"duration": 2.0, "start": 1.3, "outside": "cycle"},
        {"duration": 2.0, "timing": SpeedProfile([1, 8, 2, 1]), "start": -0.7, "outside": "mirror"},
        {"duration": 2.0, "timing": SpeedProfile.through({0: 1, 0.5: 0, 1: 2}), "capture": {1: 0.4, 2: 1.5}},
        {"timing": KeyTimes([0, 0.5, 1.5, 2.0])},
    ],
)
def test_trail_after_a_drag_equals_that_of_a_newly_opened_scene(options):
    for step in range(3):
        motion = Motion(PATH.with_key(1, position=(1, 2 + step, 0)), **options)
        trail = trail_of(Stage([Actor("red", motion)]), "red")
        line = np.linspace(*motion.span, 4 * 48 + 1)
        among = np.isin(trail["line_u"], motion.parameter(line).astype(np.float32))
        assert among.sum() >= len(line)
        assert_array_equal(trail["stripes"], motion.distance(line[::4]).astype(np.float32))
        assert_array_equal(trail["dot_speed"], motion.speed(line[::4]).astype(np.float32))
        assert_array_equal(trail["dots"], motion.at(line[::4]).position.astype(np.float32))


def test_overridden_motion_methods_are_used_for_the_trail():
    class Late(Motion):
        def parameter(self, t):
            return super().parameter(np.asarray(t) - 0.5)

    plain = Motion(PATH, SpeedProfile([1, 8, 2, 1]), duration=2.0)
    late = Late(PATH, SpeedProfile([1, 8, 2, 1]), duration=2.0)
    first, second = (trail_of(Stage([Actor("red", motion)]), "red") for motion in (plain, late))
    assert not np.array_equal(first["dots"], second["dots"])
    assert np.allclose(second["dots"][12:], first["dots"][:-12], atol=1e-5)
