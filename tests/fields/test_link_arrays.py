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
from tests.fields.field_strategies import numbers, positive_numbers, simple_fields, turns, vectors

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


def array_and_reference_forces(splines, *, standing=(), few=link_arrays.MAX_SEPARATE_CARRIERS):
    """What all plain links of these objects come to, and what they come to by definition."""
    context = SystemContext((*splines, *LAMPS), {}, standing)
    world = SplineSystem(splines, context)
    with pytest.MonkeyPatch.context() as patch:
        for where, what, value in (
            (link_arrays, "MIN_PAIRS_FOR_ARRAYS", 0),
            (link_arrays, "MAX_SEPARATE_CARRIERS", few),
            (kernel_switch, "allowed", True),
        ):
            patch.setattr(where, what, value)
        arrays = link_arrays.build_link_arrays(world.links.field_links, world.rows, world.total)
    step_context = StepContext(
        0.0, LAMPS.__getitem__, lambda name: TILTED if name in standing else None, lambda *_: None
    )
    places = np.concatenate([spline.position.reshape(-1, 3) for spline in splines.values()])
    survey = observe_splines(
        world.rows,
        integrators.initial_state(places, np.zeros(3)),
        ParentFrames.of_parents(world.rows, standing, step_context, world.total),
        step_context,
    )
    assert arrays is not None
    assert not arrays.other_links
    reference = np.zeros((world.total, 3))
    look = build_pose_lookup(survey, PoseHistory(np.empty(0), np.empty((0, 0, 3)), np.empty((0, 0, 4))), ())
    for push in world.links.field_links:
        query = FieldQuery(survey.P[push.rows], np.array(0.0), None, look, push.names)
        with np.errstate(all="ignore"):
            reference[push.rows] += push.affinity * field_per_frame(push.field.push(query))
    return arrays.total_push(survey), reference


def assert_same(found, reference, rtol=1e-9):
    assert_allclose(found, reference, rtol=rtol, atol=1e-12 * max(np.abs(reference).max(), 1e-3))


def random_positions(count, seed=1):
    return np.random.default_rng(seed).normal(size=(count, 3))


# ---- which fields are plain ------------------------------------------------------------------------------------------

array_fields = st.recursive(
    simple_fields.filter(lambda field: not isinstance(field, Noise)),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, k: k * a, inner, numbers),
        st.builds(lambda a, v: a.moved(v), inner, vectors),
        st.builds(lambda a, q: a.turned(q), inner, turns),
    ),
    max_leaves=4,
)
bounded_fields = st.one_of(
    array_fields, st.builds(lambda a, r, c: a.within(r, center=c, edge=r / 3), array_fields, positive_numbers, vectors)
)
carriers = st.sampled_from([None, "bird/1", "lamp/3", ("lamp/3", "bird/2", "lamp/1"), FLOCK, LIGHTS])


@given(
    st.lists(st.tuples(bounded_fields, carriers), min_size=1, max_size=3), st.sampled_from([0, 2, 100]), st.booleans()
)
@settings(max_examples=150, deadline=None)
def test_array_forces_equal_the_reference_for_transformed_bounded_and_carried_fields(
    fields_and_carriers, few, has_parents
):
    senses = {field if carrier is None else field.carried_by(carrier): 1.0 for field, carrier in fields_and_carriers}
    places = random_positions(9)
    places[4] = places[3]
    cast = birds(places, senses)
    cast["bird/2"] = DynamicSpline(random_positions(4, seed=8), senses=cast["bird/2"].senses)  # a drawing
    cast["bird/1"] = DynamicSpline(places[1])  # who carries one of them
    assert_same(
        *array_and_reference_forces(cast, standing=("bird/1", "bird/2", "bird/5") if has_parents else (), few=few)
    )


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
def test_other_fields_have_no_array_form(field):
    assert terms(field) is None


def test_custom_field_subclass_has_no_array_form():
    class Mine(Attractor):
        def push(self, query):
            return np.zeros_like(query.position)

    assert terms(Mine(1.0)) is None


def test_few_links_or_disabled_kernels_give_no_arrays(monkeypatch):
    def flattened(count):
        splines = birds(random_positions(count), {Uniform((1, 0, 0)): 1.0})
        world = SplineSystem(splines, SystemContext(tuple(splines), {}))
        return link_arrays.build_link_arrays(world.links.field_links, world.rows, world.total)

    monkeypatch.setattr(link_arrays, "MIN_PAIRS_FOR_ARRAYS", 50)
    monkeypatch.setattr(kernel_switch, "allowed", True)
    assert flattened(49) is None
    assert flattened(50) is not None
    monkeypatch.setattr(kernel_switch, "allowed", False)
    assert flattened(50) is None


# ---- who is near -----------------------------------------------------------------------------------------------------

NEAR_REPELLER = Repeller(0.5).within(0.4)
CLOUDS = {
    "a cloud": lambda n: random_positions(n),
    "a few": lambda n: random_positions(3),
    "a sheet": lambda n: random_positions(n) * (4, 0, 1),
    "a line": lambda n: random_positions(n) * (0, 30, 0),
    "a crowd in one cell": lambda n: 0.01 * random_positions(n),
    "everybody at one place": lambda n: np.ones((n, 3)),
    "twins": lambda n: np.repeat(random_positions(n // 2), 2, axis=0),
    "many empty cells": lambda n: 300.0 * random_positions(n),
    "some far beyond": lambda n: random_positions(n) * np.where(np.arange(n) % 9, 1.0, 1e90)[:, None],
    "all far beyond": lambda n: np.repeat(1e80 * random_positions(n // 2), 2, axis=0),
    "far from the middle of the world": lambda n: random_positions(n) + 1e6,
    "over the seams of the cells": lambda n: np.round(random_positions(n) / 0.404) * 0.404,
}


@pytest.mark.parametrize(
    "field", [NEAR_REPELLER, Vortex(0.5).within(0.4), NEAR_REPELLER + Attractor(0.3).within(1.0, edge=0.1)]
)
@pytest.mark.parametrize("cloud", CLOUDS)
def test_group_members_within_the_field_radius_are_sensed_and_no_others(cloud, field):
    cast = birds(CLOUDS[cloud](240), {field.carried_by(FLOCK): 1.0})
    assert_same(*array_and_reference_forces(cast))


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 10.0), st.integers(20, 150))
@settings(max_examples=60, deadline=None)
def test_members_within_any_radius_are_sensed(seed, radius, count):
    cast = birds(random_positions(count, seed), {Attractor(1.0).within(radius).carried_by(FLOCK): 1.0})
    assert_same(*array_and_reference_forces(cast))


def test_neighbours_are_found_among_carriers_other_than_the_sensing_objects():
    cast = birds(
        random_positions(60),
        {NEAR_REPELLER.carried_by(LIGHTS): 1.0, Uniform((0, 0, 1)).within(1.0).carried_by(LIGHTS): 0.5},
    )
    assert_same(*array_and_reference_forces(cast))
    assert_same(*array_and_reference_forces(cast, standing=tuple(cast)[:30]))


def test_ball_offset_from_its_carrier_is_found():
    cast = birds(random_positions(60), {Uniform((0, 0, 1)).within(0.7, center=(1, 0, 0)).carried_by(LIGHTS): 1.0})
    found, reference = array_and_reference_forces(cast)
    assert reference.any()
    assert_same(found, reference)


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("field", [NEAR_REPELLER, Attractor(1.0), Uniform((1, 0, 0))], ids=["near", "all", "wind"])
def test_objects_do_not_sense_themselves_nor_points_of_their_own_drawing(field, few):
    senses = {field.carried_by(FLOCK): 1.0}
    found, _ = array_and_reference_forces({"bird/0": DynamicSpline(0.1 * random_positions(5), senses=senses)}, few=few)
    assert_array_equal(found, np.zeros((5, 3)))
    alone, _ = array_and_reference_forces({"bird/0": DynamicSpline((1, 2, 3), senses=senses)}, few=few)
    assert_array_equal(alone, np.zeros((1, 3)))


def test_thread_count_does_not_change_the_result(monkeypatch):
    cast = birds(
        random_positions(300),
        {NEAR_REPELLER.carried_by(FLOCK): 1.0, Attractor(1.0).carried_by(FLOCK): 0.2, Spring(1.0): 1.0},
    )
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        found.append(array_and_reference_forces(cast)[0])
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


# ---- on the stage ----------------------------------------------------------------------------------------------------


def flock(count, **options):
    """Enough of them that links become arrays."""
    senses = {Repeller(0.3).within(0.5).carried_by(FLOCK): 0.7, Spring(0.4): 0.5, "wind": 1.0}
    places = random_positions(count)
    return [
        Actor(f"bird/{number}", DynamicSpline(place, -place[::-1], friction=0.02, senses=senses, **options))
        for number, place in enumerate(places)
    ]


WIND = {"wind": Wall((0, -2, 0), (0, 1, 0), 3.0, 1.0)}


def test_flock_with_kernels_matches_the_reference(monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", True)
    fast = shoot(Stage(flock(60), fields=WIND), 0.5)
    monkeypatch.setattr(kernel_switch, "allowed", False)
    reference = shoot(Stage(flock(60), fields=WIND), 0.5)
    for name in fast.poses:
        assert_allclose(fast[name].position, reference[name].position, atol=1e-9)


def test_large_flock_replays_bitwise_identically_after_rewind():
    run = Run(Stage(flock(80), fields=WIND))
    for _ in range(30):
        run.tick()
    first = run.poses
    run.rewind(0.4)
    while run.ticks < 30:
        run.tick()
    for name, pose in first.items():
        assert_array_equal(pose.position, run.poses[name].position)


def test_object_without_field_value_stops_and_the_others_are_bitwise_unchanged():
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


def test_large_flock_does_not_watch_its_own_members():
    stage = Stage([*flock(40), Actor("lamp", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0))], fields=WIND)
    assert set(stage.resolved.watches.values()) == {()}
    assert len(Run(stage).poses) == 41


# ---- equation 3 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worst", [1.0, 1e101, -1e101, np.nan, np.inf])
@pytest.mark.parametrize("r", [1.0, 0.3])
def test_batch_step_is_equation_3_bitwise_and_unbounded_values_are_detected(monkeypatch, r, worst):
    state = integrators.initial_state(random_positions(5000, 1), random_positions(5000, 2))
    f, rate = random_positions(5000, 3), rates(np.random.default_rng(4).uniform(0, 0.9, 5000), r)
    f[4321, 1] = worst
    found = []
    for allowed in (True, False):
        monkeypatch.setattr(kernel_switch, "allowed", allowed)
        monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
        found.append(integrators.paper_step(state, f, rate))
    for word in ("P", "T", "a", "is_first"):
        assert_array_equal(getattr(found[0], word), getattr(found[1], word))
    assert [state.is_bounded for state in found] == [worst == 1.0] * 2
