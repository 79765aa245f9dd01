"""Thousands of links at once: what the compiled loops come to is what each field says of itself, to rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Motion, MotionPath, Run, Stage, shoot
from keypose.fields import Attractor, Formula, Noise, Repeller, Spring, Uniform, Vortex, Wall
from keypose.fields.algebra.field import FieldQuery
from keypose.fields.film_units import field_per_frame, rates
from keypose.fields.sensing import link_arrays
from keypose.fields.sensing.observed_poses import ParentFrames, PoseHistory, build_pose_lookup, observe_splines
from keypose.fields.sensing.term_arrays import terms
from keypose.fields.splines import integrators
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.fields.system import SplineSystem
from keypose.maths import kernel_switch, quaternion
from keypose.motion.pose import Pose
from keypose.motion.system import StepContext, SystemContext
from tests.fields.asking import above, numbers, simple, turns, vectors

RNG = np.random.default_rng(3)
LAMPS = {f"lamp/{number}": Pose(RNG.normal(size=3), quaternion.normalize(RNG.normal(size=4))) for number in range(20)}
TILTED = Pose(np.array([1.0, 2.0, 3.0]), quaternion.normalize(np.array([0.5, 0.4, -0.2, 0.7])))
FLOCK, LIGHTS = "bird/*", "lamp/*"


def birds(places, senses):
    """A bird at each place; an affinity of its own for each."""
    return {
        f"bird/{number}": DynamicSpline(
            place, senses={field: (number % 7 + 1) / 7 * share for field, share in senses.items()}
        )
        for number, place in enumerate(places)
    }


def pushed(members, *, standing=(), few=link_arrays.MAX_SEPARATE_CARRIERS):
    """What all plain links of these objects come to, and what they come to by definition."""
    said = SystemContext((*members, *LAMPS), {}, standing)
    world = SplineSystem(members, said)
    with pytest.MonkeyPatch.context() as patch:
        for where, what, value in (
            (link_arrays, "MIN_PAIRS_FOR_ARRAYS", 0),
            (link_arrays, "MAX_SEPARATE_CARRIERS", few),
            (kernel_switch, "_allowed", True),
        ):
            patch.setattr(where, what, value)
        arrays = link_arrays.build_link_arrays(world.links.field_links, world.rows, world.total)
    outlook = StepContext(0.0, LAMPS.__getitem__, lambda name: TILTED if name in standing else None, lambda *_: None)
    places = np.concatenate([member.position.reshape(-1, 3) for member in members.values()])
    survey = observe_splines(
        world.rows,
        integrators.initial_state(places, np.zeros(3)),
        ParentFrames.of_parents(world.rows, standing, outlook, world.total),
        outlook,
    )
    assert arrays is not None
    assert not arrays.other_links
    defined = np.zeros((world.total, 3))
    look = build_pose_lookup(survey, PoseHistory(np.empty(0), np.empty((0, 0, 3)), np.empty((0, 0, 4))), ())
    for push in world.links.field_links:
        asked = FieldQuery(survey.P[push.rows], np.array(0.0), None, look, push.names)
        with np.errstate(all="ignore"):
            defined[push.rows] += push.affinity * field_per_frame(push.field.push(asked))
    return arrays.total_push(survey), defined


def assert_same(found, defined, rtol=1e-9):
    assert_allclose(found, defined, rtol=rtol, atol=1e-12 * max(np.abs(defined).max(), 1e-3))


def spread_out(count, seed=1):
    return np.random.default_rng(seed).normal(size=(count, 3))


# ---- which fields are plain ------------------------------------------------------------------------------------------

plain = st.recursive(
    simple.filter(lambda field: not isinstance(field, Noise)),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, k: k * a, inner, numbers),
        st.builds(lambda a, v: a.moved(v), inner, vectors),
        st.builds(lambda a, q: a.turned(q), inner, turns),
    ),
    max_leaves=4,
)
ended = st.one_of(plain, st.builds(lambda a, r, c: a.within(r, center=c, edge=r / 3), plain, above, vectors))
carriers = st.sampled_from([None, "bird/1", "lamp/3", ("lamp/3", "bird/2", "lamp/1"), FLOCK, LIGHTS])


@given(st.lists(st.tuples(ended, carriers), min_size=1, max_size=3), st.sampled_from([0, 2, 100]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_numbers_times_laws_placed_ended_and_carried_by_anybody_push_as_they_say(said, few, on_something):
    senses = {field if carrier is None else field.carried_by(carrier): 1.0 for field, carrier in said}
    places = spread_out(9)
    places[4] = places[3]
    cast = birds(places, senses)
    cast["bird/2"] = DynamicSpline(spread_out(4, seed=8), senses=cast["bird/2"].senses)  # a drawing
    cast["bird/1"] = DynamicSpline(places[1])  # who carries one of them
    assert_same(*pushed(cast, standing=("bird/1", "bird/2", "bird/5") if on_something else (), few=few))


@pytest.mark.parametrize(
    "field",
    [
        Noise(1.0),
        Formula("(x, y, z)"),
        Attractor(1.0).scaled(2),
        Attractor(1.0).within(size=(1, 1, 1)),
        Attractor(1.0).within(1.0).within(2.0),
        Attractor(1.0).during(0, 1),
        Attractor(1.0).carried_by("lamp/1").delayed(3.0),
        Attractor(1.0).carried_by("lamp/1").within(2.0),
        Uniform((1, 0, 0)) + Noise(1.0),
        2 * Noise(1.0),
    ],
    ids=repr,
)
def test_all_other_fields_are_asked_as_they_were_said(field):
    assert terms(field) is None


def test_a_law_of_somebody_s_own_is_asked_itself():
    class Mine(Attractor):
        def push(self, asked):
            return np.zeros_like(asked.place)

    assert terms(Mine(1.0)) is None


def test_few_links_stay_as_they_were_said_and_kernels_can_be_switched_off(monkeypatch):
    def flattened(count):
        members = birds(spread_out(count), {Uniform((1, 0, 0)): 1.0})
        world = SplineSystem(members, SystemContext(tuple(members), {}))
        return link_arrays.build_link_arrays(world.links.field_links, world.rows, world.total)

    monkeypatch.setattr(link_arrays, "MIN_PAIRS_FOR_ARRAYS", 50)
    monkeypatch.setattr(kernel_switch, "_allowed", True)
    assert flattened(49) is None
    assert flattened(50) is not None
    monkeypatch.setattr(kernel_switch, "_allowed", False)
    assert flattened(50) is None


# ---- who is near -----------------------------------------------------------------------------------------------------

NEAR = Repeller(0.5).within(0.4)
CLOUDS = {
    "a cloud": lambda n: spread_out(n),
    "a few": lambda n: spread_out(3),
    "a sheet": lambda n: spread_out(n) * (4, 0, 1),
    "a line": lambda n: spread_out(n) * (0, 30, 0),
    "a crowd in one cell": lambda n: 0.01 * spread_out(n),
    "everybody at one place": lambda n: np.ones((n, 3)),
    "twins": lambda n: np.repeat(spread_out(n // 2), 2, axis=0),
    "many empty cells": lambda n: 300.0 * spread_out(n),
    "some far beyond": lambda n: spread_out(n) * np.where(np.arange(n) % 9, 1.0, 1e90)[:, None],
    "all far beyond": lambda n: np.repeat(1e80 * spread_out(n // 2), 2, axis=0),
    "far from the middle of the world": lambda n: spread_out(n) + 1e6,
    "over the seams of the cells": lambda n: np.round(spread_out(n) / 0.404) * 0.404,
}


@pytest.mark.parametrize("field", [NEAR, Vortex(0.5).within(0.4), NEAR + Attractor(0.3).within(1.0, edge=0.1)])
@pytest.mark.parametrize("cloud", CLOUDS)
def test_of_a_group_whose_field_ends_those_near_are_felt_and_nobody_else(cloud, field):
    cast = birds(CLOUDS[cloud](240), {field.carried_by(FLOCK): 1.0})
    assert_same(*pushed(cast))


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 10.0), st.integers(20, 150))
@settings(max_examples=60, deadline=None)
def test_whatever_the_radius_those_within_it_are_felt(seed, radius, count):
    cast = birds(spread_out(count, seed), {Attractor(1.0).within(radius).carried_by(FLOCK): 1.0})
    assert_same(*pushed(cast))


def test_neighbours_are_found_among_others_than_those_who_sense():
    cast = birds(spread_out(60), {NEAR.carried_by(LIGHTS): 1.0, Uniform((0, 0, 1)).within(1.0).carried_by(LIGHTS): 0.5})
    assert_same(*pushed(cast))
    assert_same(*pushed(cast, standing=tuple(cast)[:30]))


def test_a_ball_beside_its_carrier_is_found_too():
    cast = birds(spread_out(60), {Uniform((0, 0, 1)).within(0.7, center=(1, 0, 0)).carried_by(LIGHTS): 1.0})
    found, defined = pushed(cast)
    assert defined.any()
    assert_same(found, defined)


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("field", [NEAR, Attractor(1.0), Uniform((1, 0, 0))], ids=["near", "all", "wind"])
def test_nobody_feels_itself_not_even_one_point_of_a_drawing_another(field, few):
    senses = {field.carried_by(FLOCK): 1.0}
    found, _ = pushed({"bird/0": DynamicSpline(0.1 * spread_out(5), senses=senses)}, few=few)
    assert_array_equal(found, np.zeros((5, 3)))
    alone, _ = pushed({"bird/0": DynamicSpline((1, 2, 3), senses=senses)}, few=few)
    assert_array_equal(alone, np.zeros((1, 3)))


def test_how_many_threads_there_are_does_not_change_a_bit(monkeypatch):
    cast = birds(
        spread_out(300), {NEAR.carried_by(FLOCK): 1.0, Attractor(1.0).carried_by(FLOCK): 0.2, Spring(1.0): 1.0}
    )
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        found.append(pushed(cast)[0])
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


# ---- on the stage ----------------------------------------------------------------------------------------------------


def flock(count, **said):
    """Enough of them that links become arrays."""
    senses = {Repeller(0.3).within(0.5).carried_by(FLOCK): 0.7, Spring(0.4): 0.5, "wind": 1.0}
    places = spread_out(count)
    return [
        Actor(f"bird/{number}", DynamicSpline(place, -place[::-1], friction=0.02, senses=senses, **said))
        for number, place in enumerate(places)
    ]


WIND = {"wind": Wall((0, -2, 0), (0, 1, 0), 3.0, 1.0)}


def test_a_flock_flies_as_its_fields_say(monkeypatch):
    monkeypatch.setattr(kernel_switch, "_allowed", True)
    fast = shoot(Stage(flock(60), fields=WIND), 0.5)
    monkeypatch.setattr(kernel_switch, "_allowed", False)
    defined = shoot(Stage(flock(60), fields=WIND), 0.5)
    for name in fast.poses:
        assert_allclose(fast[name].position, defined[name].position, atol=1e-9)


def test_a_large_flock_is_rewound_and_replayed_to_the_bit():
    run = Run(Stage(flock(80), fields=WIND))
    for _ in range(30):
        run.tick()
    first = run.poses
    run.rewind(0.4)
    while run.ticks < 30:
        run.tick()
    for name, pose in first.items():
        assert_array_equal(pose.position, run.poses[name].position)


def test_whoever_has_no_value_stops_alone_and_the_rest_of_a_large_flock_goes_on_to_the_bit():
    def cast(factor):
        wild = DynamicSpline((1e60, 0, 0), senses={factor * (factor * Spring(1e50)): 1.0, "wind": 1.0})
        return Stage([*flock(60), Actor("wild", wild)], fields=WIND)

    tame, wild = shoot(cast(0.0), 1.0), shoot(cast(1e100), 1.0)
    (event,) = wild.events
    assert event.actor == "wild"
    assert event.text == "Stopped: 'its own spring' has no value where it is."
    assert_array_equal(wild["wild"].position[-1], (1e60, 0, 0))
    for number in range(60):
        assert_array_equal(tame[f"bird/{number}"].position, wild[f"bird/{number}"].position)


def test_a_large_flock_need_not_know_its_own_members_by_the_stage():
    stage = Stage([*flock(40), Actor("lamp", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0))], fields=WIND)
    assert set(stage.watches.values()) == {()}
    assert len(Run(stage).poses) == 41


# ---- equation 3 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worst", [1.0, 1e101, -1e101, np.nan, np.inf])
@pytest.mark.parametrize("r", [1.0, 0.3])
def test_a_tick_of_many_is_equation_3_to_the_bit_and_whoever_leaves_all_bounds_is_noticed(monkeypatch, r, worst):
    state = integrators.initial_state(spread_out(5000, 1), spread_out(5000, 2))
    f, rate = spread_out(5000, 3), rates(np.random.default_rng(4).uniform(0, 0.9, 5000), r)
    f[4321, 1] = worst
    found = []
    for allowed in (True, False):
        monkeypatch.setattr(kernel_switch, "_allowed", allowed)
        monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
        found.append(integrators.paper_step(state, f, rate))
    for word in ("P", "T", "a", "is_first"):
        assert_array_equal(getattr(found[0], word), getattr(found[1], word))
    assert [state.is_bounded for state in found] == [worst == 1.0] * 2
