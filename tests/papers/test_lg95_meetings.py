"""What Lamouret and Gascuel (1995) say about meetings and scripts of them (sections 5 and 6), one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Follow, Key, MotionPath, Orientation, Script, Sphere, Stage, Still, shoot, turn
from keypose.script.sync.rules.speed_factors import MIN_EFFICIENCY, allocate_speed_factors, filter_efficiency
from tests.script.meetings import Meetings

BALL = Body(Sphere(0.1), friction=0)
ZIGZAG = [(0, 0, 0), (1, 0.6, 0), (2, -0.4, 0), (3, 0.3, 0)]


def straight_follower(length, z=0.0, goal=None, speed=1.0, **options):
    """Straight on, to a goal and a metre past it."""
    keys = [Key((0, 0, z)), Key((goal or length, 0, z), name="goal"), Key((length + 1, 0, z))]
    return Follow(MotionPath(keys), BALL, within=0.2, speed=speed, **options)


def meeting_take(script, *cast, seconds=8.0):
    """What two or more did who met."""
    return shoot(Stage([Actor(*one) for one in cast], script=script), seconds, 100)


def meeting_script(**goals):
    script = Script()
    script.meet(goals or {"a": "goal", "b": "goal"}, name="it")
    return script


# ---- a meeting, §5 ---------------------------------------------------------------------------------------------------


def test_slowest_participant_sets_the_pace_and_none_exceeds_its_nominal_speed():
    distances, three = np.array([2.0, 5.0, 1.0]), Meetings([9.0, 9.0, 9.0])
    factors = allocate_speed_factors(three.graph, three.records, three.channel_progress, distances)
    assert_allclose(factors.desired_factor, [0.4, 1.0, 0.2])
    take = meeting_take(meeting_script(), ("a", straight_follower(2)), ("b", straight_follower(5, z=1)))
    alone = shoot(Stage([Actor("b", straight_follower(5, z=1))]), 8.0, 100)
    assert take.script.meetings["it"].spread <= 0.02
    assert_allclose(take["b"].position, alone["b"].position, atol=1e-4)
    slow = (take.times > 1) & (take.times < 4.5)
    assert_allclose(take.script.speed_factors["a"][slow], 0.4, atol=0.05)


def test_speed_is_proportional_to_root_alpha_at_constant_alpha_over_beta_squared():
    quick, quarter = (Follow(straight_follower(3).path, BALL, within=0.2, eagerness=0.4 * k) for k in (1.0, 0.25))
    assert quarter.pace / quick.pace == pytest.approx(0.5), "a quarter of α is half of the speed"


def test_printed_rule_stops_all_participants_and_nominal_speeds_do_not():
    """Two targets on their way of 4 m, whose speeds take a while to follow (Δt/2β), as their bodies do."""
    dt, lag = 0.02, 0.05
    left, speed, alpha = np.array([4.0, 4.0]), np.array([1.0, 1.0]), np.array([1.0, 1.0])
    uneven = np.random.default_rng(1).uniform(0.8, 1.0, (1000, 2))  # nobody gets on quite evenly
    for share in uneven:
        speed += dt / lag * (np.sqrt(alpha) * share - speed)
        estimated = left / np.maximum(speed, 1e-9)
        alpha = estimated / estimated.max() * alpha
        left = np.maximum(left - speed * dt, 1e-6)
        if (left < 0.01).all():
            break
    assert (left > 0.1).any(), "not there after 20 s"
    take = meeting_take(meeting_script(), ("a", straight_follower(4)), ("b", straight_follower(4, z=1)))
    assert take.script.meetings["it"].done < 1.15 * 4


def test_efficiency_of_a_stopped_participant_has_a_lower_bound():
    known = 1.0
    for _ in range(1000):
        known = filter_efficiency(known, 0.0, 0.01, 1.0)
    assert known == pytest.approx(MIN_EFFICIENCY), "so that no time to a goal is infinite"


def test_slowed_participant_keeps_its_path():
    path = MotionPath([*map(Key, ZIGZAG), Key((4, 0, 0), name="goal"), Key((5, 0, 0))])
    winding = Follow(path, BALL, within=0.3, speed=1.5)
    alone = shoot(Stage([Actor("a", winding)]), 9.0, 200)
    take = meeting_take(meeting_script(), ("a", winding), ("b", straight_follower(6, z=2)), seconds=9.0)
    assert take.script.meetings["it"].done > 1.4 * take.times[np.argmax(alone["a"].position[::2, 0] > 4)]
    off = np.linalg.norm(take["a"].position[:, None] - alone["a"].position[None], axis=2).min(axis=1)
    assert off.max() < 0.02


def test_nominal_speed_is_recovered_after_the_meeting():
    slow = straight_follower(6, goal=2, speed=1.5)
    take = meeting_take(meeting_script(), ("a", slow), ("b", straight_follower(5, z=1)))
    done = take.script.meetings["it"].done
    after = (take.times > done + 3 * slow.reaction) & (take.times < done + 1)
    speed = np.gradient(take["a"].position[:, 0], take.times)
    assert take.script.speed_factors["a"][take.times < done].min() < 0.4
    assert_allclose(take.script.speed_factors["a"][after], 1, atol=0.01)
    assert_allclose(speed[after], slow.pace, rtol=0.02)


def test_a_key_a_distance_and_a_turn_are_reached_at_the_same_time():
    facing = [Orientation.turned(angle, "y") for angle in (0, 120, 170)]
    names = (None, "bent", None)
    knee = MotionPath(
        [Key((x, 0, 2), orientation=one, name=n) for x, one, n in zip((0, 1, 2), facing, names, strict=True)]
    )
    turns = Follow(knee, BALL, within=0.2, speed=0.3)
    script = meeting_script(a="goal", b=2.5, c=turn("bent"))
    take = meeting_take(
        script, ("a", straight_follower(2)), ("b", straight_follower(5, z=1)), ("c", turns), seconds=9.0
    )
    assert take.script.meetings["it"].spread <= 0.02


# ---- a graph of them, §6 ---------------------------------------------------------------------------------------------


def dependent_meetings_take(need=None):
    """c comes after a and b."""
    script = Script()
    a = script.meet({"one": 1.0}, name="a")
    b = script.meet({"two": 3.0}, name="b")
    script.meet({"one": 4.0, "two": 4.0}, after=[a, b], need=need, name="c")
    return meeting_take(script, ("one", straight_follower(5)), ("two", straight_follower(5, z=1)))


def test_a_meeting_is_waiting_then_active_then_done():
    report = dependent_meetings_take().script
    a, b, c = (report.meetings[name] for name in "abc")
    assert [report.state("c", time) for time in (0.0, b.done - 0.01, b.done, c.done - 0.01, c.done)] == [
        "waiting", "waiting", "active", "active", "done",
    ]  # fmt: skip
    assert a.active == b.active == 0.0


def test_a_meeting_becomes_active_as_soon_as_all_its_parents_are_done():
    meetings = dependent_meetings_take().script.meetings
    assert meetings["a"].done < meetings["b"].done == meetings["c"].active


def test_meeting_with_need_becomes_active_after_that_many_predecessors():
    meetings = dependent_meetings_take(need=1).script.meetings
    assert meetings["a"].done == meetings["c"].active < meetings["b"].done


def test_meeting_is_kept_when_a_collision_delays_a_participant():
    post = ("post", Still(Body(Sphere(0.2), friction=0), (1.5, -0.12, 0)))
    take = meeting_take(meeting_script(), ("a", straight_follower(4)), ("b", straight_follower(4, z=1)), post)
    assert take.script.meetings["it"].spread <= 0.05
    assert take.script.meetings["it"].done > 4.3
