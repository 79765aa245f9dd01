"""A key in another's moving frame: followed until it is passed, then pinned in the world."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, Pose, SpeedProfile, Turn
from keypose.maths import kernel_switch, quaternion
from keypose.motion.hierarchy import to_world
from keypose.motion.relative.passing_times import solve_passing_times
from keypose.motion.relative.relative_motion import RelativeMotion

UPRIGHT = np.array([1.0, 0, 0, 0])


def moving_carrier(name, t):
    """Carriers and a parent, each on a smooth way of its own."""
    t = np.asarray(t, dtype=float)
    place, spin = {
        "glass": ((3 + np.sin(t), t * t / 4, np.cos(t)), 0.7),
        "ball": ((-2 + t, 1.0 + 0 * t, np.sin(2 * t)), -1.1),
        "train": ((2 * t, 0 * t, -t), 0.3),
    }[name]
    turn = np.stack([np.cos(spin * t / 2), 0 * t, np.sin(spin * t / 2), 0 * t], axis=-1)
    return Pose(np.stack(place, axis=-1), turn)


def solved_motion(*keys, parent=None, timing=None, style=None, **options):
    if timing is None:
        options.setdefault("duration", 2.0)
    relative_motion = RelativeMotion(Motion(MotionPath(keys, **(style or {})), timing, **options), parent)
    return relative_motion, solve_passing_times(relative_motion, moving_carrier)


def world_poses(relative_motion, log, t):
    """Poses in the world at times."""
    t = np.atleast_1d(np.asarray(t, dtype=float))
    pose = relative_motion.at(t, moving_carrier, log)
    return pose if relative_motion.parent is None else to_world(moving_carrier(relative_motion.parent, t), pose)


def carrier_position(name, t, place):
    pose = moving_carrier(name, np.array([t]))
    return to_world(pose, Pose(np.array([place], dtype=float), UPRIGHT[None])).position[0]


GRASP = Key((0, 0.5, 0.2), relative_to="glass", name="grasp")


# ---- followed, passed, pinned ----------------------------------------------------------------------------------------


def test_relative_key_is_passed_at_its_carrier():
    relative_motion, pass_log = solved_motion((0, 0, 0), GRASP, (9, 0, 0))
    moment = relative_motion.pass_time(1, pass_log)
    assert 0 < moment < 2
    assert_allclose(
        world_poses(relative_motion, pass_log, moment).position[0],
        carrier_position("glass", moment, GRASP.position),
        atol=1e-9,
    )


@pytest.mark.parametrize("parent", [None, "train"])
def test_passed_key_is_pinned_in_the_world(parent):
    relative_motion, pass_log = solved_motion((0, 0, 0), GRASP, parent=parent)
    t = np.linspace(2, 5, 7)
    position = carrier_position("glass", 2.0, GRASP.position)
    assert_allclose(world_poses(relative_motion, pass_log, t).position, np.tile(position, (7, 1)), atol=1e-9)


@pytest.mark.parametrize("parent", [None, "train"])
def test_unpinned_key_follows_its_carrier_after_passing(parent):
    relative_motion, pass_log = solved_motion(
        (0, 0, 0), Key(GRASP.position, relative_to="glass", pin=False), parent=parent
    )
    t = np.linspace(2, 5, 7)
    expected = [carrier_position("glass", moment, GRASP.position) for moment in t]
    assert_allclose(world_poses(relative_motion, pass_log, t).position, expected, atol=1e-9)


def test_pinned_key_shapes_later_segments_from_its_pinned_position():
    relative_motion, pass_log = solved_motion((0, 0, 0), GRASP, (5, 5, 0), (9, 0, 0), timing=KeyTimes([0, 1, 2, 3]))
    pinned = MotionPath([(0, 0, 0), carrier_position("glass", 1.0, GRASP.position), (5, 5, 0), (9, 0, 0)])
    still = Motion(pinned, KeyTimes([0, 1, 2, 3]))
    t = np.linspace(1, 4, 31)
    assert_allclose(world_poses(relative_motion, pass_log, t).position, still.at(t).position, atol=1e-9)


def test_relative_first_key_follows_its_carrier_until_the_start():
    relative_motion, pass_log = solved_motion(GRASP, (9, 0, 0), start=1.0)
    before = np.array([-3.0, 0, 0.5, 1.0])
    expected = [carrier_position("glass", moment, GRASP.position) for moment in before]
    assert_allclose(world_poses(relative_motion, pass_log, before).position, expected, atol=1e-12)
    assert pass_log.passed_at[0] == 1
    path = MotionPath([carrier_position("glass", 1.0, GRASP.position), (9, 0, 0)])
    assert_allclose(world_poses(relative_motion, pass_log, 2.0).position[0], path.along(path.length / 2), atol=1e-9)


def test_position_is_continuous_where_a_key_is_passed():
    keys = [GRASP, Key((1, 0, 0), relative_to="ball"), (0, 3, 0), Key((0, 0, 1), relative_to="glass"), (4, 4, 4)]
    relative_motion, pass_log = solved_motion(*keys)
    for moment in pass_log.passed_at:
        around = world_poses(relative_motion, pass_log, moment + np.array([-1e-9, 0, 1e-9])).position
        assert np.abs(np.diff(around, axis=0)).max() < 1e-6


# ---- what is carried -------------------------------------------------------------------------------------------------


def test_orientation_and_tangents_move_with_the_carrier():
    turn = Turn(Orientation.turned(40, "x"), arrive=(0, 0, 1))
    key = Key((0, 0, 0), arrive=(1, 0, 0), leave=(0, 2, 0), orientation=turn, relative_to="glass")
    relative_motion, pass_log = solved_motion(Key((0, 0, 0), orientation=UPRIGHT), key, timing=KeyTimes([0, 2]))
    glass = moving_carrier("glass", np.array([1.3]))[0]
    settled = MotionPath(
        [
            Key((0, 0, 0), orientation=UPRIGHT),
            Key(
                glass.position,
                arrive=quaternion.rotate(glass.orientation, np.array([1.0, 0, 0])),
                orientation=Turn(
                    quaternion.multiply(glass.orientation, Orientation.turned(40, "x").wxyz),
                    arrive=quaternion.rotate(glass.orientation, np.array([0.0, 0, 1])),
                ),
            ),
        ]
    )
    pose, expected = world_poses(relative_motion, pass_log, 1.3), Motion(settled, KeyTimes([0, 2])).at(1.3)
    assert_allclose(pose.position[0], expected.position, atol=1e-12)
    assert_allclose(pose.orientation[0], expected.orientation, atol=1e-12)


def test_relative_drawing_is_met_point_by_point():
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
    relative_motion, pass_log = solved_motion(Key(square), Key(square, relative_to="glass"))
    glass = moving_carrier("glass", np.array([2.0]))[0]
    assert_allclose(
        world_poses(relative_motion, pass_log, 2.0).position[0],
        glass.position + quaternion.rotate(glass.orientation, square),
    )


def test_flat_path_meets_a_carrier_in_3d():
    relative_motion, pass_log = solved_motion((0, 0), Key((0, 0.5), relative_to="glass"))
    assert_allclose(
        world_poses(relative_motion, pass_log, 2.0).position[0], carrier_position("glass", 2.0, (0, 0.5, 0)), atol=1e-12
    )


def test_orientation_only_key_rotates_with_its_carrier():
    relative_motion, pass_log = solved_motion(
        (0, 0, 0), Key(orientation=UPRIGHT, relative_to="glass"), (1, 0, 0), timing=KeyTimes([0, 1, 2])
    )
    assert_allclose(world_poses(relative_motion, pass_log, 1.0).position[0], (0.5, 0, 0), atol=1e-12)
    assert_allclose(
        world_poses(relative_motion, pass_log, [1.0, 9.0]).orientation,
        [moving_carrier("glass", [1.0]).orientation[0]] * 2,
    )


# ---- timing ----------------------------------------------------------------------------------------------------------


def test_timed_relative_keys_are_passed_at_their_times():
    keys = Key((0, 0, 0), time=0), Key((0, 0, 0), relative_to="ball", time=1.5), Key((1, 1, 1), time=2.5)
    by_key = solved_motion(*keys, duration=None)
    by_times = solved_motion((0, 0, 0), Key((0, 0, 0), relative_to="ball"), (1, 1, 1), timing=KeyTimes([0, 1.5, 2.5]))
    for relative_motion, pass_log in (by_times, by_key):
        assert_allclose(
            world_poses(relative_motion, pass_log, 1.5).position[0],
            moving_carrier("ball", [1.5]).position[0],
            atol=1e-12,
        )
        assert_allclose(world_poses(relative_motion, pass_log, 9.0).position[0], (1, 1, 1), atol=1e-12)
    t = np.linspace(-1, 4, 40)
    assert_array_equal(world_poses(*by_times, t).position, world_poses(*by_key, t).position)


def test_captured_relative_key_is_met_at_its_time():
    options = {"timing": SpeedProfile([1, 4, 1]), "duration": 3.0, "capture": {"grasp": 1.2}, "start": 0.5}
    relative_motion, pass_log = solved_motion((0, 0, 0), GRASP, (1, 1, 1), **options)
    assert_allclose(
        world_poses(relative_motion, pass_log, 1.7).position[0],
        carrier_position("glass", 1.7, GRASP.position),
        atol=1e-6,
    )


@pytest.mark.parametrize("outside", ["cycle", "mirror"])
@pytest.mark.parametrize("timing", [None, KeyTimes([0, 1, 2])])
def test_repeating_motion_follows_carriers_in_every_lap(outside, timing):
    keys = (0, 0, 0), Key((1, 0, 0), relative_to="glass", pin=False), (4, 0, 0)
    relative_motion, pass_log = solved_motion(*keys, outside=outside, timing=timing)
    for t in (0.3, 2.3, 6.9):
        lap = t % 2 if outside == "cycle" or t % 4 < 2 else 2 - t % 2
        path = MotionPath([(0, 0, 0), carrier_position("glass", t, (1, 0, 0)), (4, 0, 0)])
        expected = Motion(path, timing, duration=2.0 if timing is None else None).at(lap).position
        assert_allclose(world_poses(relative_motion, pass_log, t).position[0], expected, atol=1e-9)


def test_closed_path_returns_to_the_pinned_first_key():
    relative_motion, pass_log = solved_motion(GRASP, (5, 0, 0), (5, 5, 0), style={"closed": True})
    position = carrier_position("glass", 0.0, GRASP.position)
    assert_allclose(world_poses(relative_motion, pass_log, [0, 2, 3]).position, [position] * 3, atol=1e-9)
    unpinned_motion, unpinned_log = solved_motion(
        Key((0, 0, 0), relative_to="glass", pin=False), (5, 0, 0), (5, 5, 0), style={"closed": True}
    )
    assert_allclose(
        world_poses(unpinned_motion, unpinned_log, 2.0).position[0],
        moving_carrier("glass", [2.0]).position[0],
        atol=1e-9,
    )


# ---- several carriers, a parent that moves ---------------------------------------------------------------------------


def test_stationary_carrier_gives_the_plain_motion():
    def still(name, t):
        return Pose(np.tile([2.0, 0, 0], (len(t), 1)), np.tile(UPRIGHT, (len(t), 1)))

    relative_motion = RelativeMotion(
        Motion(MotionPath([(0, 0, 0), Key((1, 1, 0), relative_to="post"), (9, 0, 0)]), duration=2.0)
    )
    plain = Motion(MotionPath([(0, 0, 0), (3, 1, 0), (9, 0, 0)]), duration=2.0)
    t = np.linspace(-1, 3, 33)
    assert_allclose(
        relative_motion.at(t, still, solve_passing_times(relative_motion, still)).position,
        plain.at(t).position,
        atol=1e-9,
    )


def test_carrier_passing_through_the_actor_gives_finite_poses():
    def through(name, t):
        return Pose(np.stack([1 - t, 0 * t, 0 * t], axis=-1), np.tile(UPRIGHT, (len(t), 1)))

    relative_motion = RelativeMotion(Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass")]), duration=2.0))
    t = np.linspace(0, 2, 101)  # at 1 s the whole path is one spot
    pose = relative_motion.at(t, through, solve_passing_times(relative_motion, through))
    assert np.isfinite(pose.position).all()
    assert np.abs(np.diff(pose.position[:, 0])).max() < 0.03
    assert np.isfinite(relative_motion.direction(t, through, solve_passing_times(relative_motion, through))).all()


def test_parent_may_be_the_carrier():
    keys = (0, 0, 0), Key((1, 0, 0), relative_to="train"), (2, 2, 0)
    relative_motion, pass_log = solved_motion(*keys, parent="train", timing=KeyTimes([0, 1, 2]))
    own = Motion(MotionPath([(0, 0, 0), (1, 0, 0), (2, 2, 0)]), KeyTimes([0, 1, 2]))
    t = np.linspace(0, 1, 11)
    expected = to_world(moving_carrier("train", t), own.at(t))
    assert_allclose(world_poses(relative_motion, pass_log, t).position, expected.position, atol=1e-9)  # it rides along
    passing = world_poses(relative_motion, pass_log, [1 - 1e-9, 1, 1 + 1e-9]).position
    assert_allclose(
        passing, np.tile(carrier_position("train", 1.0, (1, 0, 0)), (3, 1)), atol=1e-6
    )  # and lets go in the world


# ---- a pure function of time -----------------------------------------------------------------------------------------


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


@pytest.mark.parametrize("parent", [None, "train"])
@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2]), SpeedProfile([1, 5, 0, 2])])
def test_single_instant_is_bitwise_identical_to_a_batch(backend, timing, parent):
    facing = Orientation.turned(20, "x")
    keys = (
        Key((0, 0, 0), orientation=facing),
        Key((0, 1, 0), relative_to="glass", orientation=facing),
        Key((1, 0, 0), relative_to="ball", pin=False, orientation=facing),
        Key((4, 1, 0), orientation=facing),
    )
    options = {"duration": 2.0} if isinstance(timing, SpeedProfile) else {}
    relative_motion, pass_log = solved_motion(*keys, timing=timing, parent=parent, **options)
    t = np.random.default_rng(0).uniform(-0.5, 2.5, 12)
    many, backwards = world_poses(relative_motion, pass_log, t), world_poses(relative_motion, pass_log, t[::-1])
    for index, moment in enumerate(t):
        one = world_poses(relative_motion, pass_log, moment)
        for other in (many[index], backwards[len(t) - 1 - index]):
            assert_array_equal(one.position[0], other.position)
            assert_array_equal(one.orientation[0], other.orientation)


# ---- which way it leads ----------------------------------------------------------------------------------------------


def test_direction_follows_the_current_path_and_reverses_when_mirrored():
    keys = (0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False)
    relative_motion, pass_log = solved_motion(*keys, outside="mirror")
    t = np.array([0.0, 1.0, 1.9, 2.5, 3.5])
    directions = moving_carrier("glass", t).position * np.where(t > 2, -1, 1)[:, None]
    ahead = relative_motion.direction(t, moving_carrier, pass_log)
    unit = [rows / np.linalg.norm(rows, axis=1)[:, None] for rows in (ahead, directions)]
    assert_allclose(unit[0], unit[1], atol=1e-9)


def test_direction_at_rest_is_the_last_or_the_next_direction():
    still = Key((0, 0, 0), relative_to="train")
    relative_motion, pass_log = solved_motion(
        still, still, Key((0, 0, 5), relative_to="train"), timing=KeyTimes([0, 1, 2])
    )
    ahead = relative_motion.direction(np.array([0.0, 0.5]), moving_carrier, pass_log)
    assert (np.linalg.norm(ahead, axis=1) > 0).all()
    stopping, stopping_log = solved_motion((0, 0, 0), Key((0, 0, 4), tension=1), GRASP, style={"ends": "still"})
    moments = np.array([0.0, stopping_log.passed_at[1], 2.0])
    assert (np.linalg.norm(stopping.direction(moments, moving_carrier, stopping_log), axis=1) > 0).all()
