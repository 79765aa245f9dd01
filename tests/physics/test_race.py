"""The compiled race is what the definitions say: targets that march, pulls and turns that are stable, what lasts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Body, Follow, Key, MotionPath, Orientation, Sphere
from keypose.maths import quaternion
from keypose.physics import kernels
from keypose.physics.actuator import Pull, lasting, torque, turn_away
from keypose.physics.racing import GOING, IS_NEW, LASTING, PULLED, TURN, TURNED, TWISTING, Race, U, curve_of
from keypose.physics.target import advanced

STEP = 0.002


def random_path(rng, turns=False, closed=False):
    places = np.cumsum(rng.normal(size=(6, 3)), axis=0)
    facings = [Orientation.of(quaternion.normalized(rng.normal(size=4))) if turns else None for _ in places]
    keys = [Key(place, orientation=facing) for place, facing in zip(places, facings, strict=True)]
    return MotionPath(keys, tension=rng.uniform(-1, 1), closed=closed)


def raced(follow, place, going, inertia, memory, step=STEP):
    """One step of the compiled race for one follower: the force, and what is remembered afterwards."""
    race, force, memory = Race.of({"a": follow}, [0], 9.81), np.zeros((1, 6)), memory.copy()
    mass, axes = np.array([follow.body.mass]), np.array([[1.0, 0, 0, 0]])
    lost = kernels.race(*race.arrays, place[None], going[None], mass, inertia[None], axes, step, memory, force)
    assert lost == -1
    return force[0], memory[0]


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=40, deadline=None)
def test_segments_as_polynomials_are_the_path(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    cubics, u = curve_of(path), rng.uniform(0, path.segments, 20)
    found = [kernels.place_on(cubics, 0, len(cubics), closed, x) for x in u]
    assert_allclose(found, path.at(u), atol=1e-9)
    paces = [kernels.pace_on(cubics, 0, len(cubics), closed, x) for x in u]
    assert_allclose(paces, np.linalg.norm(path.velocity(u), axis=1), atol=1e-8)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_compiled_target_goes_as_defined(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    cubics, u = curve_of(path), rng.uniform(0, path.segments)
    body, within, most = path.at(u) + rng.normal(size=3) * 0.2, rng.uniform(0.1, 0.6), rng.uniform(0.001, 0.5)
    last = np.inf if closed else float(path.segments)
    defined = advanced(
        u,
        last,
        within,
        most,
        lambda at: float(np.linalg.norm(path.at(at) - body)),
        lambda at: float(np.linalg.norm(path.velocity(at))),
    )
    found = kernels.advanced(cubics, 0, len(cubics), closed, u, within, most, *body)
    assert_allclose(found, defined, atol=1e-7)
    assert found >= u


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_the_compiled_pull_and_turn_are_as_defined(seed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, turns=True)
    follow = Follow(path, Body(Sphere(0.3), rng.uniform(0.5, 5)), within=0.4, correction=rng.uniform(0.05, 0.3))
    place = np.concatenate([path.at(0.3) + rng.normal(size=3) * 0.1, quaternion.normalized(rng.normal(size=4))])
    going, inertia = rng.normal(size=6), rng.uniform(0.1, 2, 3)
    memory = rng.normal(size=(1, Race.of({"a": follow}, [0], 0.0).begun().shape[1])) * 0.1
    memory[0, [U, TURN, IS_NEW]] = 0.2, 0.2, 0.0
    force, after = raced(follow, place, going, inertia, memory)

    pull = Pull.of(*follow.pull, follow.reaction)
    spin = quaternion.rotate(place[3:], going[3:])
    most = pull.stiffness * follow.within + 2 * 9.81
    three = slice(GOING, GOING + 3), slice(PULLED, PULLED + 3), slice(LASTING, LASTING + 3)
    lasts = lasting(
        memory[0, three[2]], memory[0, three[0]], going[:3], memory[0, three[1]], STEP, follow.correction, most
    )
    acceleration = pull.acceleration(path.at(after[U]) - place[:3], going[:3], STEP) - lasts
    assert_allclose(force[:3], follow.body.mass * acceleration, rtol=1e-9, atol=1e-9)

    there = path.orientation_at(after[TURN])
    turned = pull.acceleration(turn_away(place[3:], there), spin, STEP) - after[TWISTING : TWISTING + 3]
    assert_allclose(after[TURNED : TURNED + 3], turned, rtol=2e-2, atol=0.2)  # facings are read from a table
    axes = np.stack([quaternion.rotate(place[3:], axis) for axis in np.eye(3)], axis=1)
    in_world = axes @ np.diag(inertia) @ axes.T
    assert_allclose(force[3:], torque(in_world, after[TURNED : TURNED + 3], spin), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("angle", [1.0, 90.0, 170.0, 179.9])
def test_a_turn_away_is_the_shorter_way_round_also_where_that_is_nearly_half(angle):
    here, there = Orientation.turned(30, "x").wxyz, (Orientation.turned(angle, "y") @ Orientation.turned(30, "x")).wxyz
    assert_allclose(np.degrees(turn_away(here, there)), (0, angle, 0), atol=1e-9)
    assert_allclose(np.degrees(turn_away(here, -there)), (0, angle, 0), atol=1e-9)


def test_what_lasts_is_found_and_a_wall_does_not_wind_it_up():
    known, velocity = np.zeros(3), np.zeros(3)
    for _ in range(1000):
        known = lasting(known, velocity, velocity + np.array([0, -9.81 * STEP, 0]), np.zeros(3), STEP, 0.1, 50.0)
    assert_allclose(known, (0, -9.81, 0), rtol=1e-6)
    for _ in range(5000):
        known = lasting(known, velocity, velocity, np.array([400.0, 0, 0]), STEP, 0.1, 50.0)
    assert_allclose(np.linalg.norm(known), 50.0)


def test_a_spinning_brick_without_a_pull_keeps_its_spin():
    inertia = np.diag([1.0, 2.0, 3.0])
    spin = np.array([1.0, 2.0, -1.0])
    assert_allclose(torque(inertia, np.zeros(3), spin), np.cross(spin, inertia @ spin))
