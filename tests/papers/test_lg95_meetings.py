"""What Lamouret and Gascuel (1995) say about meetings and scripts of them (sections 5 and 6), one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Follow, Key, MotionPath, Orientation, Script, Sphere, Stage, Still, shoot, turn
from keypose.script.sync.rules.speed_shares import MIN_EFFICIENCY, filter_efficiency, speed_factors

BALL = Body(Sphere(0.1), friction=0)
ZIGZAG = [(0, 0, 0), (1, 0.6, 0), (2, -0.4, 0), (3, 0.3, 0)]


def straight(length, z=0.0, goal=None, speed=1.0, **said):
    """Straight on, to a goal and a metre past it."""
    keys = [Key((0, 0, z)), Key((goal or length, 0, z), name="goal"), Key((length + 1, 0, z))]
    return Follow(MotionPath(keys), BALL, within=0.2, speed=speed, **said)


def met(script, *cast, seconds=8.0):
    """What two or more did who met."""
    return shoot(Stage([Actor(*one) for one in cast], script=script), seconds, 100)


def together(**goals):
    script = Script()
    script.meet(goals or {"a": "goal", "b": "goal"}, name="it")
    return script


# ---- a meeting, §5 ---------------------------------------------------------------------------------------------------


def test_all_go_by_the_slowest_and_nobody_is_hurried():
    assert_allclose(speed_factors(np.array([2.0, 5.0, 1.0]), np.ones(3), np.ones(3)), [0.4, 1.0, 0.2])
    take = met(together(), ("a", straight(2)), ("b", straight(5, z=1)))
    alone = shoot(Stage([Actor("b", straight(5, z=1))]), 8.0, 100)
    assert take.script.meetings["it"].spread <= 0.02
    assert_allclose(take["b"].position, alone["b"].position, atol=1e-4)
    slow = (take.times > 1) & (take.times < 4.5)
    assert_allclose(take.script.speed_factors["a"][slow], 0.4, atol=0.05)


def test_a_speed_goes_as_the_root_of_alpha_where_alpha_by_beta_squared_is_kept():
    quick, quarter = (Follow(straight(3).path, BALL, within=0.2, eagerness=0.4 * k) for k in (1.0, 0.25))
    assert quarter.pace / quick.pace == pytest.approx(0.5), "a quarter of α is half of the speed"


def test_the_printed_rule_brings_everybody_to_a_stop_and_speeds_from_their_own_do_not():
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
    take = met(together(), ("a", straight(4)), ("b", straight(4, z=1)))
    assert take.script.meetings["it"].done < 1.15 * 4


def test_who_stands_still_for_a_moment_is_not_taken_to_stand_for_ever():
    known = 1.0
    for _ in range(1000):
        known = filter_efficiency(known, 0.0, 0.01, 1.0)
    assert known == pytest.approx(MIN_EFFICIENCY), "so that no time to a goal is infinite"


def test_the_way_of_who_is_slowed_down_is_the_same():
    path = MotionPath([*map(Key, ZIGZAG), Key((4, 0, 0), name="goal"), Key((5, 0, 0))])
    winding = Follow(path, BALL, within=0.3, speed=1.5)
    alone = shoot(Stage([Actor("a", winding)]), 9.0, 200)
    take = met(together(), ("a", winding), ("b", straight(6, z=2)), seconds=9.0)
    assert take.script.meetings["it"].done > 1.4 * take.times[np.argmax(alone["a"].position[::2, 0] > 4)]
    off = np.linalg.norm(take["a"].position[:, None] - alone["a"].position[None], axis=2).min(axis=1)
    assert off.max() < 0.02


def test_the_original_speed_is_recovered_after_the_meeting():
    slow = straight(6, goal=2, speed=1.5)
    take = met(together(), ("a", slow), ("b", straight(5, z=1)))
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
    script = together(a="goal", b=2.5, c=turn("bent"))
    take = met(script, ("a", straight(2)), ("b", straight(5, z=1)), ("c", turns), seconds=9.0)
    assert take.script.meetings["it"].spread <= 0.02


# ---- a graph of them, §6 ---------------------------------------------------------------------------------------------


def graph(need=None):
    """c comes after a and b."""
    script = Script()
    a = script.meet({"one": 1.0}, name="a")
    b = script.meet({"two": 3.0}, name="b")
    script.meet({"one": 4.0, "two": 4.0}, after=[a, b], need=need, name="c")
    return met(script, ("one", straight(5)), ("two", straight(5, z=1)))


def test_a_meeting_is_waiting_then_active_then_done():
    kept = graph().script
    a, b, c = (kept.meetings[name] for name in "abc")
    assert [kept.state("c", time) for time in (0.0, b.done - 0.01, b.done, c.done - 0.01, c.done)] == [
        "waiting", "waiting", "active", "active", "done",
    ]  # fmt: skip
    assert a.active == b.active == 0.0


def test_a_meeting_becomes_active_as_soon_as_all_its_parents_are_done():
    kept = graph().script.meetings
    assert kept["a"].done < kept["b"].done == kept["c"].active


def test_or_as_soon_as_so_many_of_its_parents_are():
    kept = graph(need=1).script.meetings
    assert kept["a"].done == kept["c"].active < kept["b"].done


def test_appointments_are_kept_where_somebody_is_delayed_by_a_collision():
    post = ("post", Still(Body(Sphere(0.2), friction=0), (1.5, -0.12, 0)))
    take = met(together(), ("a", straight(4)), ("b", straight(4, z=1)), post)
    assert take.script.meetings["it"].spread <= 0.05
    assert take.script.meetings["it"].done > 4.3
