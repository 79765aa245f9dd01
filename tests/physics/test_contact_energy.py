"""Does nobody get more out of a hit than there was, however many hit each other at once?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Figure, Free, Hinge, Link, Plane, Run, Sphere, Stage, Still, shoot
from tests.physics.replays import check_batch_stepping, check_rewinding

DOWN, FPS = (0, -9.81, 0), 500  # a frame for each tick


def ball_row(bounce, gap=0.0, count=5, masses=(1.0,)):
    """Balls in a row, the first of which comes with 1 m/s."""
    bodies = [Body(Sphere(0.1), masses[number % len(masses)], bounce=bounce, friction=0.0) for number in range(count)]
    movers = [Free(body, ((0.2 + gap) * number, 0, 0)) for number, body in enumerate(bodies)]
    movers[0] = Free(bodies[0], (-0.05, 0, 0), (1, 0, 0))
    return Stage([Actor(f"{number}", mover) for number, mover in enumerate(movers)])


def cradle(bounce):
    """Five balls that hang beside each other, the first of which is let go 46 degrees off."""
    actors = []
    for number in range(5):
        angle = 0.0 if number else 0.8
        ball = Link(
            "ball", Body(Sphere(0.05), bounce=bounce, friction=0.0), (-np.sin(angle) / 2, -np.cos(angle) / 2, 0)
        )
        figure = Figure(Body(Box(0.01)), [Hinge(ball, at=(0, 0, 0))], position=(0.1 * number, 0.5, 0), held=True)
        actors.append(Actor(f"{number}", figure))
    return Stage(actors, gravity=DOWN)


def pile(bounce, shape, count=12):
    """What falls into a pit with four walls."""
    rng = np.random.default_rng(1)
    body = Body(shape, bounce=bounce)
    positions = [(rng.uniform(-0.2, 0.2), 0.2 + 0.22 * number, rng.uniform(-0.2, 0.2)) for number in range(count)]
    planes = [Plane(), *(Plane(normal, -0.35) for normal in [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)])]
    falling_actors = [Actor(f"{number}", Free(body, position)) for number, position in enumerate(positions)]
    return Stage(
        [*falling_actors, *(Actor(f"wall/{number}", Still(Body(plane))) for number, plane in enumerate(planes))],
        gravity=DOWN,
    )


def energy(stage, seconds, mass=1.0):
    """That of all who move, at every tick, but for what spins [J]."""
    take = shoot(stage, seconds, FPS)
    positions = np.stack([take[name].position for name in take.poses])
    velocity = np.diff(positions, axis=1) * FPS
    mass_column = np.resize(mass, len(positions))[:, None]
    height = (positions[:, 1:, 1] + positions[:, :-1, 1]) / 2 if stage.gravity[1] else np.zeros(velocity.shape[:2])
    is_still = np.ptp(positions, axis=(1, 2)) == 0.0
    return (mass_column * ((velocity**2).sum(axis=2) / 2 + 9.81 * height))[~is_still].sum(axis=0), take


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.004])
@pytest.mark.parametrize("bounce", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_a_row_of_balls_has_no_more_energy_after_a_hit_than_before(bounce, gap):
    energies, _ = energy(ball_row(bounce, gap), 0.6)
    assert energies.max() < 1.01 * energies[0]


def test_a_row_of_heavy_and_light_balls_has_no_more_energy_after_a_hit():
    masses = (1.0, 0.1, 3.0)
    energies, _ = energy(ball_row(1.0, masses=masses), 0.6, masses)
    assert energies.max() < 1.01 * energies[0]


def test_last_ball_of_a_row_flies_off():
    _, take = energy(ball_row(1.0), 0.6)
    speeds = [float(take[f"{number}"].position[-1, 0] - take[f"{number}"].position[-2, 0]) * FPS for number in range(5)]
    assert speeds[-1] > 0.9
    assert max(map(abs, speeds[:3])) < 0.2
    assert sum(speeds) == pytest.approx(1.0)


@pytest.mark.parametrize("bounce", [0.6, 0.9, 1.0])
def test_cradle_never_swings_higher_than_its_release_height(bounce):
    energies, take = energy(cradle(bounce), 6)
    assert energies.max() < 1.01 * energies[0]
    first_heights, last_heights = (take[f"{number}/ball"].position[:600, 1] for number in (0, 4))
    assert last_heights.max() > 0.7 * bounce**2 * first_heights[0], "the last one swings out"


@pytest.mark.parametrize("shape", [Sphere(0.1), Box(0.17)])
@pytest.mark.parametrize("bounce", [0.6, 0.9, 1.0])
def test_a_pile_never_gains_energy(bounce, shape):
    energies, _ = energy(pile(bounce, shape), 1.6)
    assert energies.max() < 1.03 * energies[0]


def test_undisturbed_stack_of_bouncy_crates_stays_standing():
    crates = [Actor(f"{number}", Free(Body(Box(0.2), bounce=1.0), (0, 0.1 + 0.2 * number, 0))) for number in range(5)]
    take = shoot(Stage([*crates, Actor("floor", Still(Body(Plane())))], gravity=DOWN), 2)
    for number in range(5):
        assert np.abs(take[f"{number}"].position[:, 1] - (0.1 + 0.2 * number)).max() < 0.03


def test_collision_of_two_balls_has_the_given_bounce():
    _, take = energy(ball_row(0.8, count=2), 0.6)
    distances = (take["1"].position - take["0"].position)[:, 0]
    assert (distances[-1] - distances[-2]) * FPS == pytest.approx(0.8, abs=0.03)


def stage_with_frozen_contact():
    """A ball that is pressed to the floor at 0.1 s, and a pea that hits it so fast at 0.108 s that steps are halved."""
    ball = Free(Body(Sphere(0.2), bounce=0.95), (0, 0.3, 0), (0, -1, 0))
    pea = Free(Body(Sphere(0.03), bounce=0.7), (2, 0.678, 0), (0, -6, 0))
    return Stage([Actor("ball", ball), Actor("pea", pea), Actor("floor", Still(Body(Plane())))])


def test_refined_substeps_do_not_change_the_rebound_of_an_ongoing_contact():
    height = shoot(stage_with_frozen_contact(), 0.2, FPS)["ball"].position[:, 1]
    assert (height[-1] - height[-2]) * FPS == pytest.approx(0.95, abs=0.08)


def test_change_during_a_contact_does_not_change_its_rebound():
    run = Run(stage_with_frozen_contact())
    while not len(next(iter(run.moment.system_states.values())).state.frozen_contacts):
        run.tick()
    actors = stage_with_frozen_contact().actors
    run.change(Stage([actors[2], Actor("far", Free(Body(Sphere(0.1)), (9, 0, 9))), *actors[1::-1]]))
    while run.time < 0.2:
        run.tick()
        height_before, time_before = run.poses["ball"].position[1], run.time
    run.tick()
    assert (run.poses["ball"].position[1] - height_before) / (run.time - time_before) == pytest.approx(0.95, abs=0.08)


def test_rewind_into_refined_substeps_with_frozen_contacts_is_bitwise_identical():
    run, frozen_times = Run(stage_with_frozen_contact()), []
    while run.time < 0.2:
        run.tick()
        (system_state,) = run.moment.system_states.values()
        if len(system_state.state.frozen_contacts):
            frozen_times.append(run.time)
    assert len(frozen_times) > 3
    check_rewinding(run, run.ticks, frozen_times[0], frozen_times[3], 0.05)
    check_batch_stepping(stage_with_frozen_contact(), 0.3, "ball", "pea")
