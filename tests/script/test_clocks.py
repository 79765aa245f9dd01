"""How do motions keep appointments? By clocks of their own, which go slower or stand, and never backwards."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, FaceForward, Follow, Key, LookAt, Motion, MotionPath, Orientation, Run, Script, Stage, shoot
from keypose.motion.sync_protocol import TimedMotion
from keypose.script.sync.rules.clock_rates import RAMP_TIME
from tests.script.straight_paths import BALL, FPS, event_times, follower, meeting, spread, straight_path, walk


def clock_times(stage, seconds, name):
    """What a motion's clock shows at each tick."""
    run, samples = Run(stage), []
    while run.time < seconds:
        run.tick()
        (sync_state,) = [
            system_state.system.sync_state(system_state.state)[1] for system_state in run.moment.system_states.values()
        ]
        row = list(stage.resolved.sync_plan.clocked_motions).index(name)
        samples.append((run.time, float(stage.resolved.sync_plan.clock_times(sync_state)[row])))
    return np.array(samples).T


def test_motion_waits_for_a_motion_and_its_clock_never_decreases():
    stage = Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": "1"}))
    take = shoot(stage, 7.0)
    assert spread(take, "meeting") <= 0.01
    assert event_times(take, "meeting", "done")[0] == pytest.approx(5.0, abs=0.02)
    _, clock = clock_times(stage, 6.0, "a")
    assert (np.diff(clock) >= 0).all()
    assert (np.diff(clock) <= 0.01 + 1e-12).all()
    assert_allclose(take["a"].position[-1], (1, 0, 0))


def test_scripted_motion_differs_from_the_given_one_only_by_its_clock():
    motion = walk(2.0, 0, 2)
    stage = Stage([Actor("a", motion), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": "1"}))
    take, (times, clock) = shoot(stage, 3.0), clock_times(stage, 3.1, "a")
    assert_allclose(take["a"].position, motion.at(np.interp(take.times, [0, *times], [0, *clock])).position, atol=1e-9)


def clock_rates(stage, seconds, name):
    """How fast a motion's clock goes from each tick to the next, and how much that changes in a second at most."""
    times, clock = clock_times(stage, seconds, name)
    rates = np.diff(clock) / np.diff(times)
    return rates, np.abs(np.diff(rates)).max() / (times[1] - times[0])


@pytest.mark.parametrize(
    "build_motions",
    [
        lambda: (walk(5.0, 0, 2), walk(5.0, 1, 2)),
        lambda: (walk(2.0, 0, 2), walk(5.0, 1, 2)),
        lambda: (walk(2.0, 0, 2), walk(2.013, 1, 2)),
        lambda: (walk(0.5, 0, 2), walk(9.0, 1, 2)),
        lambda: (walk(0.5, 0, 2), follower(5, 1, 2)),
        lambda: (walk(6.0, 0, 2), follower(5, 1, 2)),
    ],
    ids=["tie", "slower", "a little", "much too early", "follower", "slower than a follower"],
)
@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_waiting_motion_changes_speed_smoothly_and_reaches_its_goal_in_time(build_motions, of):
    one, two = build_motions()
    stage = Stage([Actor("a", one), Actor("b", two)], script=meeting({"a": "1", "b": "1"}, of=of))
    rates, max_rate_change = clock_rates(stage, 5.5, "a")
    assert rates.min() >= 0
    assert rates.max() <= 1 + 1e-9
    assert max_rate_change <= 1.01 / RAMP_TIME
    take = shoot(stage, 5.5)
    assert take.script.meetings["meeting"].done is not None
    if one.duration > 0.1 * two.duration if isinstance(two, Motion) else True:
        assert spread(take, "meeting") <= 0.02 + 1e-9


def gate_stage(gate=True):
    script = Script()
    first = script.meet({"b": "1"}, name="first")
    script.meet({"a": "1", "b": "2"}, after=first, gate=gate, name="second")
    return Stage([Actor("a", walk(2.0, 0, 2)), Actor("b", walk(6.0, 1, 3))], script=script)


def test_motion_stops_and_starts_smoothly_at_a_gate():
    rates, max_rate_change = clock_rates(gate_stage(), 6.0, "a")
    assert max_rate_change <= 1.01 / RAMP_TIME
    take = shoot(gate_stage(), 6.0, FPS)
    assert_allclose(take["a"].position[125:399, 0], 0.5, atol=1e-9)
    assert take["a"].position[:125, 0].max() <= 0.5 + 1e-9
    assert_allclose(rates[-50:], 1.0)


def test_motion_with_a_late_stop_decelerates_as_evenly_as_possible():
    script = Script()
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "1", "b": "1"}, after=first, name="second")
    actors = [Actor("a", walk(2.1, 0, 2)), Actor("b", walk(6.0, 1, 2)), Actor("c", walk(1.0, 2))]
    take, (rates, _) = (
        shoot(Stage(actors, script=script), 4.0, FPS),
        clock_rates(Stage(actors, script=script), 2.5, "a"),
    )
    assert_allclose(take["a"].position[115:299, 0], 0.5, atol=1e-9)
    stopping_rates = rates[(rates > 0) & (np.arange(len(rates)) > 98) & (np.arange(len(rates)) < 120)]
    assert len(stopping_rates) >= 8, "not within a frame"
    assert (np.diff(stopping_rates) < 0).all()


def test_a_thousand_consecutive_meetings_of_one_actor_do_not_slow_it_down():
    script, last = Script(), ()
    for number in range(1000):
        last = script.meet({"a": (number + 1) / 1000}, after=last, name=f"{number}")
    for mover, free_duration in ((walk(2.0), 2.0), (follower(1.0), 0.4)):
        take = shoot(Stage([Actor("a", mover)], script=script), 2.2, FPS)
        assert take.script.meetings["999"].done <= free_duration + 0.02


def test_motion_returns_to_nominal_speed_after_the_meeting():
    stage = Stage([Actor("a", walk(4.0, 0, 4)), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": 0.5}))
    _, clock = clock_times(stage, 3.5, "a")
    assert_allclose(np.diff(clock)[-60:], 0.01, rtol=0.01)


def test_a_motion_meets_a_follower():
    stage = Stage([Actor("a", walk(0.5)), Actor("b", follower(5, 1))], script=meeting({"a": "1", "b": "1"}))
    take = shoot(stage, 4.0)
    assert spread(take, "meeting") <= 0.02
    _, clock = clock_times(stage, 3.0, "a")
    assert (np.diff(clock) >= 0).all()
    slow = Stage([Actor("a", walk(5.0)), Actor("b", follower(5, 1))], script=meeting({"a": "1", "b": "1"}))
    take = shoot(slow, 6.0)
    assert spread(take, "meeting") <= 0.02
    assert event_times(take, "meeting", "done")[0] == pytest.approx(5.0, abs=0.1)


def test_frames_between_ticks_use_the_interpolated_clock():
    stage = Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": "1"}))
    fine, coarse = shoot(stage, 2.0, 1000), shoot(stage, 2.0, 100)
    assert_allclose(fine["a"].position[::10], coarse["a"].position, atol=1e-12)
    assert np.diff(fine["a"].position[:, 0]).min() > 0


@pytest.mark.parametrize("body", [False, True], ids=["clocks alone", "with bodies"])
def test_children_observers_and_relative_keys_follow_a_waiting_motion(body):
    relative_path = MotionPath([Key((0, 0, 5)), Key((0, 1, 0), relative_to="a", name="side"), Key((3, 0, 5))])
    others = [
        Actor("rider", walk(4.0, 1), parent="a"),
        Actor("onlooker", walk(4.0, 3), facing=LookAt("a")),
        Actor("chaser", Follow(relative_path, BALL, within=0.4) if body else Motion(relative_path, duration=3.0)),
        Actor("b", follower(8, 6) if body else walk(5.0, 6)),
    ]
    stage = Stage([Actor("a", walk(1.0, length=3.0)), *others], script=meeting({"a": "1", "b": "1"}))
    take = shoot(stage, 5.0)
    assert spread(take, "meeting") <= 0.02
    own_position = stage["rider"].motion.at(take.times).position
    assert_allclose(take["rider"].position, own_position + take["a"].position, atol=1e-9)
    gaze_directions = [Orientation.of(orientation).rotate((0, 0, 1)) for orientation in take["onlooker"].orientation]
    direction = take["a"].position - take["onlooker"].position
    assert_allclose(gaze_directions, direction / np.linalg.norm(direction, axis=1)[:, None], atol=1e-6)
    goal_position = take["a"].position + np.array([0, 1, 0])
    assert np.linalg.norm(take["chaser"].position - goal_position, axis=1).min() < (0.4 if body else 0.1)


@pytest.mark.parametrize("bank", [0.0, 1.0])
def test_waiting_motion_faces_forward_as_without_a_script(bank):
    keys = [Key((np.cos(n), np.sin(n) / 3, np.sin(2 * n)), name=f"{n}") for n in range(4)]
    facing = FaceForward(bank=bank)
    motion = Motion(MotionPath(keys), duration=2.0)
    stage = Stage([Actor("a", motion, facing=facing), Actor("b", walk(5.0, 1))], script=meeting({"a": "2", "b": "1"}))
    take, (times, clock) = shoot(stage, 3.0), clock_times(stage, 3.1, "a")
    frame_clocks = np.interp(take.times, [0, *times], [0, *clock])
    unscripted = Stage([Actor("a", motion, facing=facing)]).at(frame_clocks)["a"]
    assert_allclose(np.abs((take["a"].orientation * unscripted.orientation).sum(axis=1)), 1.0, atol=1e-9)
    assert stage["a"].facing == facing


def test_cyclic_motion_waits_at_its_last_key_and_not_at_its_first():
    cycle = Motion(straight_path(1, 0, 2), duration=1.0, outside="cycle")
    script = Script()
    first = script.meet({"b": "2"}, name="first")
    script.meet({"a": "2", "b": "4"}, after=first, gate=True, name="second")
    take = shoot(Stage([Actor("a", cycle), Actor("b", walk(6.0, 1, 4))], script=script), 7.0, FPS)
    assert_allclose(take["a"].position[120:590, 0], 1.0)
    assert take["a"].position[620:, 0].min() < 0.3


def cycle_stage(*keys):
    """Somebody who goes round after round in a second each, and meets another at one of its keys after the other."""
    script, last = Script(), ()
    for number, key in enumerate(keys):
        last = script.meet({"a": key, "b": f"{number + 1}"}, after=last, name=f"{number}")
    cycle = Motion(straight_path(1, 0, 2), duration=1.0, outside="cycle")
    return Stage([Actor("a", cycle), Actor("b", walk(1.6 * len(keys), 1, len(keys)))], script=script)


@pytest.mark.parametrize(
    ("keys", "expected_times"),
    [
        (("1", "1", "1"), (0.5, 1.5, 2.5)),
        (("2", "2", "2"), (1.0, 2.0, 3.0)),
        (("1", "0", "1", "2"), (0.5, 1.0, 1.5, 2.0)),
        (("2", "0", "0"), (1.0, 1.0, 2.0)),
        (("0", "2", "1"), (0.0, 1.0, 1.5)),
    ],
    ids=str,
)
def test_key_of_a_cyclic_motion_is_reached_once_per_cycle(keys, expected_times):
    stage = cycle_stage(*keys)
    plan = stage.resolved.sync_plan
    goal_times = [
        goal_time for goal_time, actor in zip(plan.goal_progress, plan.goal_actors, strict=True) if actor == "a"
    ]
    assert_allclose(goal_times, expected_times, atol=1e-7)
    assert (np.diff(goal_times) > 0).all()
    x_positions = stage["a"].motion.at(np.array(goal_times)).position[:, 0]
    assert_allclose(x_positions, [int(key) / 2 for key in keys], atol=1e-6)


def test_cyclic_motion_meets_another_actor_in_every_cycle():
    stage = cycle_stage("1", "2", "2", "1")
    take = shoot(stage, 8.0, FPS)
    assert [spread(take, f"{number}") <= 0.02 for number in range(4)] == [True] * 4
    times = [event_times(take, f"{number}", "done")[0] for number in range(4)]
    assert_allclose(times, 1.6 * np.arange(1, 5), atol=0.05)
    assert np.diff(clock_times(stage, 7.0, "a")[1]).min() >= 0


def test_cyclic_motion_waits_at_its_last_key_in_every_cycle():
    script = Script()
    first = script.meet({"a": "2"}, name="first")
    script.meet({"a": "2", "b": "1"}, after=first, name="second")
    cycle = Motion(straight_path(1, 0, 2), duration=1.0, outside="cycle")
    take = shoot(Stage([Actor("a", cycle), Actor("b", walk(30.0, 1, 4))], script=script), 7.4, FPS)
    assert_allclose(take["a"].position[-5:, 0], 1.0, atol=0.05)


@pytest.mark.parametrize(
    ("outside", "start", "key", "times"),
    [
        ("cycle", -2.2, "0", (0.8, 1.8)),
        ("cycle", -2.2, "1", (0.3, 1.3)),
        ("cycle", -2.2, "2", (0.8, 1.8)),
        ("cycle", -1.0, "2", (1.0, 2.0)),
        ("cycle", 5.3, "1", (0.8, 1.8)),
        ("mirror", 0.0, "1", (0.5, 1.5)),
        ("mirror", 0.0, "2", (1.0, 3.0)),
        ("mirror", -2.2, "0", (1.8, 3.8)),
        ("mirror", -3.2, "1", (0.3, 1.3)),
        ("mirror", 5.0, "0", (1.0, 3.0)),
    ],
)
def test_cycles_and_mirrored_passes_are_counted_from_the_script_start(outside, start, key, times):
    motion = Motion(straight_path(1, 0, 2), duration=1.0, start=start, outside=outside)
    script = Script()
    script.meet({"a": key}, after=script.meet({"a": key}))
    goal_times = Stage([Actor("a", motion)], script=script).resolved.sync_plan.goal_progress
    assert_allclose(goal_times, times, atol=1e-6)
    assert_allclose(motion.at(goal_times).position[:, 0], int(key) / 2, atol=1e-6)


def test_cyclic_motion_with_negative_start_is_met_at_its_goal():
    cycle = Motion(straight_path(1), duration=1.0, start=-2.2, outside="cycle")
    take = shoot(Stage([Actor("a", cycle), Actor("b", walk(3.0, 1))], script=meeting({"a": "1", "b": "1"})), 4.0, FPS)
    assert event_times(take, "meeting", "reached", "a")[0] == pytest.approx(3.0, abs=0.05)
    assert spread(take, "meeting") <= 0.02


def test_first_key_of_a_closed_path_is_reached_after_one_lap_by_motion_and_follower():
    loop = MotionPath(
        [Key(position, name=name) for name, position in zip("abc", [(0, 0), (1, 0), (1, 1)], strict=True)], closed=True
    )
    script = Script()
    script.meet({"a": "a"}, after=script.meet({"a": "a"}))
    cycle, follow = Motion(loop, duration=2.0, outside="cycle"), Follow(loop, BALL, within=0.2)
    laps = [
        Stage([Actor("a", mover)], script=script).resolved.sync_plan.goal_progress / lap_length
        for mover, lap_length in ((cycle, 2.0), (follow, 3.0))
    ]
    assert_allclose(laps, [[1, 2], [1, 2]], atol=1e-6)


def test_mirrored_motion_is_met_again_on_its_return():
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first")
    script.meet({"a": "1", "b": "2"}, after=first, name="second")
    mirrored = Motion(straight_path(3, 0, 3), duration=3.0, outside="mirror")
    take = shoot(Stage([Actor("a", mirrored), Actor("b", walk(12.0, 1, 2))], script=script), 14.0, FPS)
    assert take.script.meetings["first"].spread <= 0.02
    assert take.script.meetings["second"].spread <= 0.02
    frame = round(event_times(take, "second", "done")[0] * FPS)
    assert take["a"].position[frame, 0] == pytest.approx(1.0, abs=0.05)
    assert take["a"].position[frame - 5, 0] > take["a"].position[frame + 5, 0]


def test_two_dimensional_motion_is_played_in_three_dimensions():
    flat = Motion(MotionPath([Key((0, 0)), Key((1, 2), name="1")]), duration=1.0)
    for other in (walk(2.0, 1), follower(4, 1)):
        take = shoot(Stage([Actor("a", flat), Actor("b", other)], script=meeting({"a": "1", "b": "1"})), 3.0)
        assert_allclose(take["a"].position[-1], (1, 2, 0))
    assert TimedMotion(flat).at([0.0, 0.5]).position.shape == (2, 3)


def test_stage_with_a_script_refuses_evaluation_at_single_times_with_reason():
    stage = Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": "1"}))
    with pytest.raises(ValueError, match="takes ticks, so the stage cannot be asked for single moments"):
        stage.at(1.0)
