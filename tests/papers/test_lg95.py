"""What Lamouret and Gascuel (1995) say about bodies on rough paths (sections 3 and 4), one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Follow,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Sphere,
    Stage,
    Still,
    effects,
    shoot,
)
from keypose.maths.quaternion import rotation_vector_between
from keypose.physics.following.force_law import Gains, torque
from keypose.physics.following.target import advance_target

BALL = Body(Sphere(0.2), 2.0)
SLIPPERY = Body(Sphere(0.2), 2.0, friction=0)
POST = Actor("post", Still(Body(Sphere(0.3), friction=0), (2, -0.25, 0)))
AHEAD = np.array([1.0, 0.0, 0.0])
DOWN = (0, -9.81, 0)
LINE = MotionPath([(0, 0, 0), (8, 0, 0)])
ZIGZAG = MotionPath([Key(place, **effects.corner) for place in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 0), (3, 0)]])


def simulated_positions(eagerness, damping, seconds=4.0, step=1e-3, reaction=0.1):
    """A body pulled by eq. 1 alone from rest at 0 to a target that stays at 1, at each step."""
    pull, place, velocity, places = Gains.of(eagerness, damping, reaction), 0.0, 0.0, []
    for _ in range(round(seconds / step)):
        velocity += step * pull.acceleration(AHEAD * (1 - place), AHEAD * velocity, step)[0]
        place += step * velocity
        places.append(place)
    return np.array(places)


def settling_time(places, step=1e-3, near=0.02):
    """How long it takes until it stays near 1 [s]."""
    return step * (np.flatnonzero(np.abs(places - 1) > near)[-1] + 1)


def body_and_target_positions(stage, seconds):
    """Where a follower and its target are at each tick, (ticks, 3) each."""
    take = shoot(stage, seconds, fps=500)
    return take["a"].position, take.targets["a"]


# ---- equations -------------------------------------------------------------------------------------------------------


def test_equation_1_term_by_term():
    alpha, beta, dt, mass = 0.3, 0.7, 0.2, 3.0
    away, velocity = np.array([0.4, -0.1, 0.2]), np.array([1.0, 2.0, -0.5])
    printed = 2 * mass * alpha * away / dt**2 - 2 * mass * beta * velocity / dt
    assert_allclose(mass * Gains.of(alpha, beta, dt).acceleration(away, velocity, 1e-12), printed, rtol=1e-9)


def test_printed_equation_1_is_unstable_for_long_steps_and_the_implicit_form_is_not():
    alpha, beta, dt, h = 0.5, 1.0, 0.1, 0.12
    pull, place, velocity = Gains.of(alpha, beta, dt), 0.0, 0.0
    printed, speed = 0.0, 0.0
    for _ in range(60):
        velocity += h * pull.acceleration(AHEAD * (1 - place), AHEAD * velocity, h)[0]
        place += h * velocity
        speed += h * (2 * alpha * (1 - printed) / dt**2 - 2 * beta * speed / dt)
        printed += h * speed
    assert place == pytest.approx(1, abs=1e-3)
    assert abs(printed) > 1e6


def test_equation_2_keeps_angular_velocity_only_with_a_positive_gyroscopic_term():
    inertia, angular_velocity = np.diag([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0])
    gyroscopic = np.cross(angular_velocity, inertia @ angular_velocity)

    def change(applied):
        """Euler's equation: how the angular velocity changes under a torque."""
        return np.linalg.solve(inertia, applied - gyroscopic)

    assert_allclose(change(torque(inertia, np.zeros(3), angular_velocity)), 0, atol=1e-12)
    assert_allclose(change(-gyroscopic), 2 * change(np.zeros(3)))


@pytest.mark.parametrize("degrees", [5.0, 90.0, 170.0])
def test_rotation_to_the_target_is_a_rotation_vector_not_a_matrix_difference(degrees):
    angle = np.radians(degrees)
    found = rotation_vector_between(np.array([1.0, 0, 0, 0]), Orientation.turned(degrees, "z").wxyz)
    assert_allclose(found, (0, 0, angle), atol=1e-12)
    difference = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) - np.eye(2)
    printed = (difference[1, 0] - difference[0, 1]) / 2  # what of it is skew
    assert printed == pytest.approx(np.sin(angle))
    assert (printed > 0.99 * angle) == (degrees < 10), "at 170° hardly anything is left of it"


# ---- §3.1 ------------------------------------------------------------------------------------------------------------


def test_the_ideal_speed_is_the_printed_one_divided_by_beta():
    follow = Follow(LINE, BALL, within=0.3, eagerness=0.3, damping=1.2, reaction=0.1)
    take = shoot(Stage([Actor("a", follow)]), 2.0, fps=50)
    speed = (take["a"].position[-1, 0] - take["a"].position[-26, 0]) / 0.5
    assert speed == pytest.approx(0.3 * 0.3 / (1.2 * 0.1), rel=1e-3)
    assert speed == pytest.approx(follow.pace, rel=1e-3)
    assert speed != pytest.approx(0.3 * 0.3 / 0.1, rel=0.1), "as printed"


def test_speed_settles_with_time_constant_reaction_over_twice_beta():
    follow = Follow(LINE, BALL, within=0.4, eagerness=0.2, damping=0.5, reaction=0.2)
    take = shoot(Stage([Actor("a", follow)]), 0.6, fps=500)
    speed = np.diff(take["a"].position[:, 0]) * take.fps
    early, later = follow.pace - speed[[150, 250]]  # 0.2 s apart
    assert np.log(early / later) == pytest.approx(0.2 / (0.2 / (2 * 0.5)), rel=0.05)


def test_undamped_follower_oscillates_forever_and_is_refused():
    swings = simulated_positions(0.5, 0.0, step=5e-5, seconds=1.0)  # so short that dividing damps nearly nothing
    assert swings[-14_000:].max() > 1.95
    with pytest.raises(KeyposeError, match="damping"):
        Follow(LINE, BALL, within=0.3, damping=0)


@pytest.mark.parametrize("eagerness", [0.2, 0.5, 1.0, 3.0])
def test_beta_of_one_does_not_oscillate_only_if_alpha_is_no_more_than_a_half(eagerness):
    assert (simulated_positions(eagerness, 1.0).max() <= 1 + 1e-6) == (eagerness <= 0.5)


@pytest.mark.parametrize("eagerness", [0.125, 0.5, 2.0])
def test_the_critical_beta_is_the_root_of_twice_alpha_and_does_not_overshoot(eagerness):
    critical = Follow(LINE, BALL, within=0.3, eagerness=eagerness).pull[1]
    assert critical == pytest.approx(np.sqrt(2 * eagerness))
    assert simulated_positions(eagerness, critical).max() <= 1 + 1e-6
    assert simulated_positions(eagerness, 0.9 * critical).max() > 1 + 1e-4
    times = {share: settling_time(simulated_positions(eagerness, share * critical)) for share in (0.3, 1.0, 2.0)}
    assert times[1.0] < min(times[0.3], times[2.0]), "quicker than with much less or more"


def test_target_keeps_the_base_distance_or_waits():
    follow = Follow(MotionPath([(0, 0), (1, 0.4), (2, 0), (3, 0.4)]), BALL, within=0.3)
    places, aims = (
        rows[100:] for rows in body_and_target_positions(Stage([Actor("a", follow)]), 1.5)
    )  # once it has run ahead
    away = np.linalg.norm(aims[1:] - places[:-1], axis=1)
    moved = np.linalg.norm(np.diff(aims, axis=0), axis=1) > 0
    assert_allclose(away[moved], 0.3, atol=1e-6)
    assert (away[~moved] >= 0.3 - 1e-6).all()


def test_every_point_of_the_path_is_reached_within_the_base_distance():
    take = shoot(Stage([Actor("a", Follow(ZIGZAG, BALL, within=0.25))]), 6.0, fps=60)
    points = ZIGZAG.at(np.linspace(0, ZIGZAG.segments, 301))
    nearest = np.linalg.norm(take["a"].position[:, None, :2] - points, axis=-1).min(axis=0)
    assert nearest.max() < 0.25


def test_binary_search_would_skip_a_loop_and_marching_does_not():
    def place(u):
        """A hairpin: out for two units, back beside it."""
        return np.array([min(u, 4 - u), 0.05 * (u > 2)])

    body = np.array([1.0, 0.0])

    def away(u):
        return float(np.linalg.norm(place(u) - body))

    low, high = 1.0, 5.5
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if away(middle) < 0.5 else (low, middle)
    assert low > 3, "the printed search ends on the way back"
    assert advance_target(1.0, 5.5, 0.5, 10.0, away, lambda u: 1.0, lambda u: 1.0) == pytest.approx(1.5)


def test_target_advance_per_step_is_limited():
    assert advance_target(0.0, 9.0, 5.0, 0.1, lambda u: u, lambda u: 1.0, lambda u: 1.0) == pytest.approx(0.1, abs=0.06)


def test_target_waits_after_a_collision_and_precision_is_kept():
    places, aims = body_and_target_positions(Stage([Actor("a", Follow(LINE, SLIPPERY, within=0.4)), POST]), 3.0)
    aside = places[:, 1] > 0.05
    assert places[:, 1].max() > 0.2, "it is pushed aside"
    assert np.diff(aims[aside, 0]).min() >= 0
    assert (np.linalg.norm(aims[1:] - places[:-1], axis=1)[aside[1:]] < 0.4 + 0.15).all(), "the target has not run off"
    assert abs(places[-1, 1]) < 0.01, "and it is back"


def test_reaction_time_is_independent_of_the_simulation_step():
    ends = [
        shoot(Stage([Actor("a", Follow(LINE, BALL, within=0.4))]), 1.0, tick=tick)["a"].position[-1, 0]
        for tick in (0.001, 0.004)
    ]
    assert_allclose(ends[0], ends[1], rtol=0.01)


def test_orientation_target_keeps_its_angular_distance():
    path = MotionPath(
        [
            Key((0, 0, 0), orientation=Orientation.turned(0, "z")),
            Key((0.001, 0, 0), orientation=Orientation.turned(120, "z")),
        ]
    )
    follow = Follow(path, BALL, within=0.4, turn_within=20)
    take = shoot(Stage([Actor("a", follow)]), 1.5, fps=100)
    turn = 2 * np.degrees(np.arctan2(take["a"].orientation[:, 3], take["a"].orientation[:, 0]))
    angular_velocity = np.diff(turn) * take.fps
    alpha, beta = follow.pull
    assert angular_velocity.max() == pytest.approx(alpha * 20 / (beta * follow.reaction), rel=0.02), (
        "the same law, in degrees"
    )
    assert turn[-1] == pytest.approx(120, abs=1)


# ---- §3.2 ------------------------------------------------------------------------------------------------------------


def test_constant_forces_do_not_reduce_precision_with_the_filter():
    path = MotionPath([(0, 0, 0), (0.5, 0, 0)])
    sags = [
        -shoot(Stage([Actor("a", Follow(path, BALL, within=0.4, correction=correction))], gravity=DOWN), 2.0)["a"]
        .position[-1, 1]
        for correction in (0.1, None)
    ]  # fmt: skip
    assert abs(sags[0]) < 1e-3
    assert sags[1] == pytest.approx(9.81 * 0.1**2 / (2 * 0.5), rel=0.05)


def test_filter_leaves_the_deviation_of_a_sudden_collision_unchanged():
    highest = [
        shoot(Stage([Actor("a", Follow(LINE, SLIPPERY, within=0.4, correction=correction)), POST]), 2.0, fps=100)["a"]
        .position[:, 1].max()
        for correction in (0.1, None)
    ]  # fmt: skip
    assert_allclose(highest[0], highest[1], atol=0.03)
    assert min(highest) > 0.2


# ---- §4 --------------------------------------------------------------------------------------------------------------


def wagon(speed):
    return Actor("wagon", Motion(MotionPath([(0, 0, 0), (4 * speed, 0, 0)]), duration=4.0))


@pytest.mark.parametrize("speed", [0.2, 0.5])
def test_relative_key_is_reached_at_any_carrier_speed(speed):
    path = MotionPath([Key((0, 1, 0)), Key((0.5, 1, 0)), Key((1, 0.5, 0), relative_to="wagon", pin=False)])
    take = shoot(Stage([wagon(speed), Actor("a", Follow(path, BALL, within=0.3))]), 4.0)
    away = take["a"].position - take["wagon"].position
    assert_allclose(away[-6:], np.tile((1, 0.5, 0), (6, 1)), atol=0.01)


@pytest.mark.parametrize("pin", [True, False])
def test_passed_key_stays_in_the_world_unless_pin_is_false(pin):
    path = MotionPath([Key((0, 1, 0)), Key((0.5, 1, 0), relative_to="wagon", pin=pin)])
    take = shoot(Stage([wagon(0.5), Actor("a", Follow(path, BALL, within=0.3))]), 4.0)
    moved = take["a"].position[-1, 0] - take["a"].position[-25, 0]
    assert moved == pytest.approx(0.0 if pin else 0.5, abs=0.01)


# ---- §5, what of it is needed already --------------------------------------------------------------------------------


def test_printed_spline_length_diverges_and_with_du_outside_the_root_it_converges():
    path, u = MotionPath([(0, 0, 0), (1, 2, 0), (3, 1, 1), (4, 3, 0)]), np.linspace(0, 3, 3001)
    du, slopes = u[1], path.geometry.pace((u[1:] + u[:-1]) / 2)
    assert (slopes * du).sum() == pytest.approx(path.length, rel=1e-6)
    assert np.sqrt(slopes**2 * du).sum() > 10 * path.length, "as printed it grows with the number of samples"
