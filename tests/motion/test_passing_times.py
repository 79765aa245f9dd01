"""When a carried key is passed: at the earliest instant, by brute force too, and without ever going back."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Pose, SpeedProfile
from keypose.motion.hierarchy import to_world
from keypose.motion.relative.corner_times import merge_corners
from keypose.motion.relative.passing_times import advance_log, solve_passing_times, truncate_log
from keypose.motion.relative.relative_motion import RelativeMotion

UPRIGHT = np.array([1.0, 0, 0, 0])


def carrier_poses(place, spin=0.0):
    """A carrier that is at place(t) and spins about y."""

    def look(name, t):
        turn = np.stack([np.cos(spin * t / 2), 0 * t, np.sin(spin * t / 2), 0 * t], axis=-1)
        return Pose(np.stack([value + 0 * t for value in place(t)], axis=-1), turn)

    return look


def reaching_motion(*keys, timing=None, **options):
    options.setdefault("duration", None if isinstance(timing, KeyTimes) else 2.0)
    return RelativeMotion(Motion(MotionPath(keys), timing, **options))


# ---- by brute force --------------------------------------------------------------------------------------------------


def world_key(key, frame):
    own = Pose(np.asarray(key.position, dtype=float), UPRIGHT)
    return Key(own.position if frame is None else to_world(frame, own).position, tension=key.tension)


def brute_force_passing(motion, look, step):
    """Times, places and passing times by small steps, the path built anew at each: first order in the step."""
    first, last = motion.span
    times, keys = np.linspace(first, last, round((last - first) / step) + 1), list(motion.path.keys)
    world = {key.relative_to: look(key.relative_to, times) for key in keys if key.relative_to}
    passed, paths, pinned, ahead, base = np.full(len(keys), np.inf), [], {}, 0.0, -1
    share = motion.timing.covered((times - first) / motion.duration) / motion.timing.total
    share[-1] = 1
    at, travelled, nearest = (np.empty(len(times)) for _ in range(3))
    for index, moment in enumerate(times):
        frames = [
            pinned.get(i, world[key.relative_to][index]) if key.relative_to else None for i, key in enumerate(keys)
        ]
        path = MotionPath([world_key(key, frame) for key, frame in zip(keys, frames, strict=True)])
        reached = np.append(path.distance(np.arange(len(keys) - 1.0)), path.length)
        goal = share[index] * path.length
        while base + 1 < len(keys) and goal >= reached[base + 1] - 1e-12 * path.length:
            if base >= 0:  # it was known where this key would be: nobody went further before
                leg = times[:index] >= passed[base]
                nearest[:index][leg] = np.minimum(nearest[:index][leg], reached[base + 1] - reached[base])
            base, ahead = base + 1, 0.0
            passed[base] = moment
            if keys[base].relative_to and keys[base].pin:
                pinned[base] = frames[base]
        ahead = max(ahead, goal - reached[base])
        paths.append(path)
        at[index], travelled[index], nearest[index] = (
            reached[base],
            ahead,
            reached[min(base + 1, len(keys) - 1)] - reached[base],
        )
        leg = times[:index] >= passed[base]
        nearest[:index][leg] = np.minimum(nearest[:index][leg], nearest[index])
    places = [path.along(distance) for path, distance in zip(paths, at + np.minimum(travelled, nearest), strict=True)]
    return times, np.array(places), passed


def random_reaching_motion(seed):
    rng = np.random.default_rng(seed)
    moves = {}
    for name in ("glass", "ball"):
        facings = rng.normal(size=(4, 4))
        keys = [Key(2 * rng.normal(size=3), orientation=facing) for facing in facings]
        moves[name] = Motion(MotionPath(keys), SpeedProfile(rng.uniform(0.2, 3, 4)), duration=rng.uniform(1, 3))
    path_keys = [
        Key(
            rng.normal(size=3),
            relative_to=("glass", "ball", None)[index % 3],
            pin=index != 4,
            tension=rng.uniform(-1, 1),
        )
        for index in rng.permutation(5)
    ]
    motion = Motion(MotionPath(path_keys), SpeedProfile(rng.uniform(0.2, 3, 4)), duration=2.0, start=rng.uniform(-1, 1))
    return motion, lambda name, t: moves[name].at(t)


@pytest.mark.parametrize("seed", range(4))
def test_passing_times_and_positions_match_brute_force(seed):
    motion, look = random_reaching_motion(seed)
    relative_motion = RelativeMotion(motion)
    pass_log = solve_passing_times(relative_motion, look)
    exact = [relative_motion.pass_time(key, pass_log) for key in range(5)]
    for step in (2e-2, 5e-3):
        times, places, passed = brute_force_passing(motion, look, step)
        assert ((passed - exact > -1e-9) & (passed - exact < 3 * step)).all()  # a step late at most, and what follows
        assert np.abs(relative_motion.at(times, look, pass_log).position - places).max() < 12 * step


# ---- the earliest instant --------------------------------------------------------------------------------------------


def test_key_is_passed_when_the_travelled_fraction_equals_its_fraction_of_length():
    relative_motion = reaching_motion(
        (0, 0, 0), Key((0, 0, 0), relative_to="glass"), Key((0, 0, 0), relative_to="glass", pin=False)
    )
    # The glass is 1 + t away, so the path is 1 + t long, all of it before the glass; then it waits on the spot.
    pass_log = solve_passing_times(relative_motion, carrier_poses(lambda t: (1 + t, 0, 0)))
    assert pass_log.passed_at[2] == 2
    half = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass"), (10, 0, 0))
    moment = solve_passing_times(half, carrier_poses(lambda t: (1 + t, 0, 0))).passed_at[1]
    assert moment / 2 * 10 == pytest.approx(1 + moment, abs=1e-12)  # straight all the way


def test_returning_carrier_is_met_at_the_earliest_time():
    # Of the ten metres 5 t are travelled at t: it is at the glass at 0.5 s, and twice again later.
    glass = carrier_poses(lambda t: (2.5 + 4 * np.sin(2 * np.pi * (t - 0.5)), 0, 0))
    pass_log = solve_passing_times(reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass"), (10, 0, 0)), glass)
    t = np.linspace(0, 0.5, 200_001)
    has_arrived = 5 * t >= 2.5 + 4 * np.sin(2 * np.pi * (t - 0.5))
    assert pass_log.passed_at[1] == pytest.approx(t[np.argmax(has_arrived)], abs=3e-6)


@pytest.mark.parametrize("at", [0.4, 0.4031, 0.41])
def test_carrier_in_reach_for_milliseconds_is_met(at):
    near = carrier_poses(lambda t: (5 * t + 1e-7 - 1e-4 + 30 * (t - at) ** 2 + 1e-4, 0, 0))  # just misses, by 1e-7 m
    passing_carrier = carrier_poses(
        lambda t: (5 * t - 1e-4 + 30 * (t - at) ** 2, 0, 0)
    )  # there for 4 ms: looks are 20 ms apart
    keys = (0, 0, 0), Key((0, 0, 0), relative_to="glass"), Key((100, 0, 0), relative_to="post")

    def both(glass):
        still = carrier_poses(lambda t: (-90, 0, 0))
        return lambda name, t: glass(name, t) if name == "glass" else still(name, t)

    assert solve_passing_times(reaching_motion(*keys), both(near)).passed_at[1] > at + 0.1
    assert solve_passing_times(reaching_motion(*keys), both(passing_carrier)).passed_at[1] == pytest.approx(
        at - np.sqrt(1e-4 / 30), abs=1e-9
    )


def test_abrupt_carrier_movement_is_found_at_its_corners():
    def blink(name, t):  # beside the way, but for a thousandth of a second
        is_close = np.abs(t - 500.0105) < 0.0005
        return Pose(np.stack([np.where(is_close, 1.0, 900), 0 * t, 0 * t], axis=-1), np.tile(UPRIGHT, (len(t), 1)))

    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass"), (1000, 0, 0), duration=1000.0)
    assert solve_passing_times(relative_motion, blink).passed_at[1] > 800
    corners = merge_corners([np.array([0, 500.01, 500.011, 1000])])
    assert solve_passing_times(relative_motion, blink, corners).passed_at[1] == pytest.approx(500.0105, abs=6e-4)


# ---- never back ------------------------------------------------------------------------------------------------------


def distance_travelled(relative_motion, look, pass_log, t):
    return np.linalg.norm(relative_motion.at(t, look, pass_log).position, axis=1)


@pytest.mark.parametrize("rate", [3.0, 40.0])
def test_actor_never_moves_back_while_the_path_length_oscillates(rate):
    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False))
    glass = carrier_poses(lambda t: (5 + 0.4 * np.sin(rate * t), 0, 0))
    pass_log = solve_passing_times(relative_motion, glass)
    t = np.linspace(0, 1.6, 20_001)
    distance = distance_travelled(relative_motion, glass, pass_log, t)
    assert np.diff(distance).min() > -1e-12
    assert_allclose(
        distance, np.maximum.accumulate(t / 2 * (5 + 0.4 * np.sin(rate * t))), atol=1e-6
    )  # waits as it must


@pytest.mark.parametrize("pin", [True, False])
def test_actor_waits_at_the_meeting_position_of_an_approaching_carrier(pin):
    # The share t / 2 of the way 5 - 2 t would take it on to 1.5625 m, from where the glass would push it back to 1 m.
    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=pin))
    glass = carrier_poses(lambda t: (5 - 2 * t, 0, 0))
    pass_log = solve_passing_times(relative_motion, glass)
    t = np.linspace(0, 2, 2001)
    assert pass_log.passed_at[1] == 2
    assert_allclose(
        distance_travelled(relative_motion, glass, pass_log, t),
        np.minimum(np.maximum.accumulate(t / 2 * (5 - 2 * t)), 1),
    )


def test_carrier_that_recedes_before_the_key_time_is_followed():
    def away(t):
        return 1 + 8 * (t - 1) ** 2  # 9 m at first, 1 m after a second, and 9 m again

    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass"))
    glass = carrier_poses(lambda t: (away(t), 0, 0))
    pass_log, t = solve_passing_times(relative_motion, glass), np.linspace(0, 2, 20_001)
    travelled = np.maximum.accumulate(t / 2 * away(t))
    remaining_limit = np.minimum.accumulate(away(t)[::-1])[::-1]
    assert_allclose(
        distance_travelled(relative_motion, glass, pass_log, t), np.minimum(travelled, remaining_limit), atol=1e-6
    )


def test_key_approaching_faster_than_the_search_step_is_anticipated():
    # All at once the path shrinks and the next key comes nearer still: to 1.2 m, where it is met when that is due.
    relative_motion = reaching_motion(
        (0, 0, 0), Key((0, 0, 0), relative_to="glass"), Key((0, 0, 0), relative_to="post")
    )
    near, far = (lambda t: 6 - 600 * np.clip(t - 0.92, 0, 0.008)), (lambda t: 10 - 400 * np.clip(t - 0.92, 0, 0.008))

    def look(name, t):
        return carrier_poses(lambda t: ((near if name == "glass" else far)(t), 0, 0))(name, t)

    pass_log, expected = solve_passing_times(relative_motion, look), 0.92 + (6 - 4.6) / 600
    assert expected < pass_log.passed_at[1] < expected + 0.001
    distance = distance_travelled(relative_motion, look, pass_log, np.linspace(0, 2, 20_001))
    assert np.diff(distance).min() > -1e-9
    assert distance_travelled(relative_motion, look, pass_log, pass_log.passed_at[1:2])[0] == pytest.approx(
        near(pass_log.passed_at[1]), abs=1e-9
    )
    assert distance[-1] == pytest.approx(6.8, abs=1e-12)


@pytest.mark.parametrize("seed", range(4, 16))
def test_distance_to_random_carriers_never_decreases(seed):
    motion, look = random_reaching_motion(seed)
    relative_motion = RelativeMotion(motion)
    pass_log = solve_passing_times(relative_motion, look)
    for following in range(1, 5):
        begin, end = pass_log.passed_at[following - 1 : following + 1]
        t = np.linspace(begin, end, 2001)[:-1]
        schedule = relative_motion.distance_schedule(t, look, truncate_log(relative_motion, pass_log, begin))
        last, apart = (
            schedule.distances_at_keys[:, following - 1],
            np.diff(schedule.distances_at_keys)[:, following - 1],
        )
        travelled = np.maximum(schedule.target_distance - last, pass_log.hold_at(t))
        assert np.diff(np.minimum(travelled, np.minimum(pass_log.limit_at(t), apart))).min(initial=0) > -1e-7


def test_holds_are_logged_once_in_increasing_order():
    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False), duration=20.0)
    pass_log = solve_passing_times(relative_motion, carrier_poses(lambda t: (5 + np.sin(9 * t), 0, 0)))
    assert (np.diff(pass_log.hold_times) > 0).all()
    inner = pass_log.hold_distances[1:-1]
    assert len(inner) > 10
    assert (np.diff(inner) > 0).all()


# ---- timed, captured, and telling on ---------------------------------------------------------------------------------


def test_on_a_timed_path_a_key_is_pinned_at_its_time():
    keys = (0, 0, 0), Key((0, 1, 0), relative_to="glass"), (9, 0, 0)
    glass = carrier_poses(lambda t: (t * t, 0, 0), spin=1.0)
    pass_log = solve_passing_times(reaching_motion(*keys, timing=KeyTimes([0, 1.5, 2]), start=3), glass)
    assert_array_equal(pass_log.passed_at, [3, 4.5, 5])
    assert_allclose(pass_log.carrier_positions, [(4.5**2, 0, 0)])
    assert_allclose(pass_log.carrier_orientations, [(np.cos(2.25), 0, np.sin(2.25), 0)])


def test_captured_key_is_passed_at_its_time():
    keys = (0, 0, 0), Key((0, 1, 0), relative_to="glass", name="grasp"), (9, 0, 0), (9, 9, 0)
    options = {"timing": SpeedProfile([1, 5, 1]), "capture": {"grasp": 0.7}, "start": 2.0}
    pass_log = solve_passing_times(reaching_motion(*keys, **options), carrier_poses(lambda t: (np.sin(t), t, 0)))
    assert pass_log.passed_at[1] == pytest.approx(2.7, abs=1e-12)
    assert_allclose(pass_log.carrier_positions, [(np.sin(2.7), 2.7, 0)], atol=1e-9)


@pytest.mark.parametrize("start", [0.0, 0.1, -1.3, 1e6, 0.6465040360720627])
@pytest.mark.parametrize("duration", [1e-6, 2.0, 1e6])
def test_last_key_is_passed_exactly_at_the_end(start, duration):
    relative_motion = reaching_motion((0, 0, 0), Key((0, 0, 0), relative_to="glass"), start=start, duration=duration)
    glass = carrier_poses(lambda t: (1 + (t - start) / duration, 0, 0))
    pass_log = solve_passing_times(relative_motion, glass)
    assert pass_log.passed_at.tolist() == list(relative_motion.motion.span)
    assert pass_log.is_pinned.all()
    later = relative_motion.at(relative_motion.motion.span[1] + np.array([0.0, duration]), glass, pass_log).position
    assert_array_equal(later[0], later[1])


@pytest.mark.parametrize("scale", [1e-6, 1e50])
def test_very_short_and_very_long_paths_are_supported(scale):
    relative_motion = reaching_motion((0, 0, 0), Key((scale, 0, 0), relative_to="glass"), (3 * scale, 4 * scale, 0))
    pass_log = solve_passing_times(
        relative_motion, carrier_poses(lambda t: (scale * np.sin(t), scale * t, 0), spin=2.0)
    )
    assert (np.diff(pass_log.passed_at) > 0).all()
    assert np.isfinite(
        relative_motion.at(np.linspace(-1, 3, 50), carrier_poses(lambda t: (0, 0, 0)), pass_log).position
    ).all()


def test_coincident_keys_are_passed_together():
    keys = [(0, 0, 0), *[Key((0, 0, 0), relative_to="glass")] * 3, (10, 0, 0)]
    pass_log = solve_passing_times(reaching_motion(*keys), carrier_poses(lambda t: (5, 0, 0)))
    assert_allclose(pass_log.passed_at, [0, 1, 1, 1, 2])
    assert np.isfinite(pass_log.carrier_positions).all()
    all_on_one = reaching_motion(*[Key((0, 0, 0), relative_to="glass")] * 3)
    assert_array_equal(solve_passing_times(all_on_one, carrier_poses(lambda t: (5 + t, 0, 0))).passed_at[0], 0)


def test_pass_log_advanced_in_parts_equals_the_complete_log():
    motion, look = random_reaching_motion(1)
    relative_motion = RelativeMotion(motion)
    whole = solve_passing_times(relative_motion, look)
    times = np.linspace(*motion.span, 97)
    parts = relative_motion.empty_log
    for first in range(0, 96, 8):
        parts = advance_log(relative_motion, parts, times[first : first + 9], look)
    assert_allclose(parts.passed_at, whole.passed_at, atol=1e-9)
    assert_allclose(parts.carrier_positions, whole.carrier_positions, atol=1e-7)


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])])
def test_truncated_log_drops_later_passes_and_can_be_advanced_again(timing):
    keys = [(0, 0, 0), *[Key((index, 0, 0), relative_to="glass") for index in (1, 2, 3)]]
    relative_motion, glass = reaching_motion(*keys, timing=timing), carrier_poses(lambda t: (0, t, 0))
    pass_log = solve_passing_times(relative_motion, glass)
    before = truncate_log(relative_motion, pass_log, 1.2)
    assert before.is_pinned.tolist() == (pass_log.passed_at[1:] <= 1.2).tolist()
    again = advance_log(relative_motion, before, np.linspace(1.2, 2, 40), glass)
    assert_allclose(again.passed_at, pass_log.passed_at, atol=1e-12)
    assert_allclose(again.carrier_positions, pass_log.carrier_positions, atol=1e-9)


def test_repeating_motion_passes_its_keys_in_the_first_lap():
    keys = (0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False), (10, 0, 0)
    relative_motion = reaching_motion(*keys, outside="cycle", start=1.0)
    pass_log = solve_passing_times(relative_motion, carrier_poses(lambda t: (5, 0, 0)))
    assert_allclose(pass_log.passed_at, [1, 2, 3])
    assert not pass_log.is_pinned.any()
    again = relative_motion.at(np.array([4.0]), carrier_poses(lambda t: (5, 0, 0)), pass_log)
    assert_allclose(again.position, [(5, 0, 0)])
