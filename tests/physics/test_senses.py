"""Bodies that sense fields: pushed by mass · affinity · field, by whoever carries it, and remembered to the bit."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Follow,
    Free,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Run,
    Sphere,
    Stage,
    Still,
    fields,
    shoot,
)
from keypose.physics.values.movers import TICK
from tests.physics.replays import poses_after, same_poses

BALL = Body(Sphere(0.1))
WIND = fields.Uniform((3.0, 0.5, 0.0))


def positions_of(mover, seconds=1.0, others=(), **options):
    """Where a body that is called "it" goes."""
    return shoot(Stage([Actor("it", mover), *others], **options), seconds)["it"].position


def parabola(acceleration, seconds, velocity=(0, 0, 0)):
    """The parabola of a steady push, in steps as the simulation takes them."""
    return np.outer(seconds, velocity) + np.outer(seconds * (seconds + TICK) / 2, acceleration)


# ---- what pushes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mass", [1e-3, 1.0, 250.0])
def test_free_body_of_any_mass_in_a_uniform_field_follows_a_parabola(mass):
    seconds = np.arange(25) / 24
    positions = positions_of(Free(Body(Sphere(0.1), mass), (0, 0, 0), (0, 2, 0), senses={WIND: 1.0}))
    assert_allclose(positions[::12], parabola((3, 0.5, 0), seconds, (0, 2, 0))[::12], rtol=1e-9, atol=1e-12)
    assert_allclose(positions, seconds[:, None] * (0, 2, 0) + np.outer(seconds**2 / 2, (3, 0.5, 0)), atol=2 * 3 * TICK)


def test_a_field_as_strong_as_gravity_pulls_as_gravity_does():
    with_gravity = positions_of(Free(BALL, (0, 5, 0)), gravity=(0, -9.81, 0))
    with_field = positions_of(Free(BALL, (0, 5, 0), senses={fields.Uniform((0, -9.81, 0)): 1.0}))
    assert_allclose(with_field, with_gravity, rtol=1e-12)


def test_affinity_scales_the_field():
    full, half = (positions_of(Free(BALL, (0, 0, 0), senses={WIND: affinity})) for affinity in (1.0, 0.5))
    assert_allclose(half, full / 2, rtol=1e-9, atol=1e-15)
    assert_array_equal(positions_of(Free(BALL, (0, 0, 0), senses={WIND: 0.0})), np.zeros((25, 3)))


def test_body_senses_only_the_fields_it_lists():
    named_fields = {"wind": WIND, "storm": fields.Uniform((0, 0, 99.0))}
    unaffected, affected = (
        Free(BALL, (0, 9, 0)),
        Free(BALL, (0, 0, 0), senses={"wind": 1.0, fields.Uniform((1, 0, 0)): 0.5}),
    )
    take = shoot(Stage([Actor("calm", unaffected), Actor("both", affected)], fields=named_fields), 1.0)
    assert_array_equal(take["calm"].position[-1], (0, 9, 0))
    assert_allclose(take["both"].position[-1], parabola((3.5, 0.5, 0), np.array([1.0]))[0], rtol=1e-9)


def test_field_is_evaluated_at_the_position_velocity_and_time_of_the_body():
    damped = positions_of(Free(BALL, (0, 0, 0), (1, 0, 0), senses={fields.Formula("(-2*vx, 0, 0)"): 1.0}), 3.0)
    assert_allclose(damped[-1, 0], (1 - np.exp(-6)) / 2, rtol=5e-3)
    oscillating = positions_of(Free(BALL, (1, 0, 0), senses={fields.Spring(4.0): 1.0}), np.pi)
    assert_allclose(oscillating[-1], (1, 0, 0), atol=0.01)
    accelerated = positions_of(Free(BALL, (0, 0, 0), senses={fields.Formula("(0, t, 0)"): 1.0}))
    assert_allclose(accelerated[-1, 1], 1 / 6, rtol=5e-3)


def test_follower_pushed_aside_by_a_field_returns_by_disturbance_compensation():
    path, side_field = MotionPath([(0, 0, 0), (9, 0, 0)]), fields.Uniform((0, 0, 5.0))
    for correction, expected in ((0.1, 0.0), (None, 5 * 0.1**2 / (2 * 0.5))):
        follow = Follow(path, BALL, within=0.4, correction=correction, senses={side_field: 1.0})
        offsets = positions_of(follow, 3.0)[:, 2]
        assert offsets.max() > 0.008
        assert_allclose(offsets[-1], expected, rtol=0.05, atol=1e-6)


# ---- who carries and who is tracked ----------------------------------------------------------------------------------


def test_field_attached_to_a_body_moves_and_rotates_with_it():
    jet = fields.Uniform((1.0, 0, 0)).within(3).carried_by("fan")
    orientation = Orientation.turned(90, "y")  # x to -z
    fan = Actor("fan", Free(Body(Sphere(0.1)), (5, 0, 0), (-10, 0, 0), orientation=orientation))
    positions = positions_of(Free(BALL, (0, 1, 0), senses={jet: 1.0}), others=[fan])
    assert_array_equal(positions[:4], np.tile((0, 1, 0), (4, 1)))
    assert positions[-1, 2] < -0.1
    assert_allclose(positions[:, 0], 0, atol=1e-12)


def test_field_may_be_attached_to_a_still_body_or_a_motion():
    pull = fields.Attractor(2.0)
    still_actor = Actor("mill", Still(Body(Sphere(0.1)), (0, 0, -3)))
    moving_actor = Actor("mill", Motion(MotionPath([(0, 0, 3), (0, 0, 4)]), duration=1.0))
    moving_body = Actor("mill", moving_actor.motion, body=BALL)
    for carrier, sign in ((still_actor, -1), (moving_actor, 1), (moving_body, 1)):
        positions = positions_of(Free(BALL, (0, 0, 0), senses={pull.carried_by("mill"): 1.0}), others=[carrier])
        assert sign * positions[-1, 2] > 0.05
        assert_allclose(positions[:, :2], 0, atol=1e-12)


def test_group_members_push_each_other_and_not_themselves():
    field = fields.Repeller(1.0).carried_by("flock/*")
    stage = Stage([Actor(f"flock/{i}", Free(BALL, (i, 0, 0), senses={field: 1.0})) for i in (0, 1)])
    take = shoot(stage, 1.0)
    one, two = (take[f"flock/{i}"].position[-1, 0] for i in (0, 1))
    assert one < -0.1
    assert_allclose(one + two, 1.0, rtol=1e-9)


def test_many_links_evaluated_as_arrays_equal_single_evaluation(monkeypatch):
    from keypose.fields.sensing import link_arrays

    field = fields.Attractor(0.5).within(2.0).carried_by("flock/*") + fields.Uniform((1, 0, 0)).carried_by("flock/3")
    rng = np.random.default_rng(4)
    actors = [
        Actor(f"flock/{i}", Free(BALL, position, senses={field: 0.5} if i != 3 else {}, spin=(0, 90, 0)))
        for i, position in enumerate(rng.uniform(-9, 9, (60, 3)))
    ]
    array_take = shoot(Stage(actors), 0.5)
    monkeypatch.setattr(link_arrays, "MIN_PAIRS_FOR_ARRAYS", 10**9)
    single_take = shoot(Stage(actors), 0.5)
    for actor in actors:
        assert_allclose(array_take[actor.name].position, single_take[actor.name].position, rtol=1e-9, atol=1e-9)


def test_tracker_acceleration_is_in_metres_per_frame_squared():
    offset = fields.KeepOffset((0, 0, 0), offset=(0, 0, 0), response=0.0)
    take = shoot(Stage([Actor("it", Free(BALL, (1, 0, 0), senses={offset: 0.01}))]), np.pi / (0.1 * 24))
    assert_allclose(take["it"].position[-1], (-1, 0, 0), atol=0.02)  # half a swing of ω = √0.01 a frame


def test_body_keeps_its_initial_distance_to_another():
    leader = Actor("lead", Free(BALL, (0, 0, 0), (1.0, 0, 0)))
    tracker = fields.KeepDistance("lead", response=1.0)
    take = shoot(Stage([leader, Actor("it", Free(BALL, (-2, 0, 0), senses={tracker: 0.3}))]), 6.0)
    distances = np.linalg.norm(take["lead"].position - take["it"].position, axis=1)
    assert_allclose(distances[-24:], 2.0, atol=0.02)


def test_body_avoids_every_obstacle_near_its_course():
    pillars = [Actor(f"pillar/{i}", Still(Body(Sphere(0.2)), (3, 0, 0.2 * i))) for i in (1, 4)]
    for senses in ({}, {fields.Avoid("pillar/*", 1.0): 0.3}):
        stage = Stage([Actor("bird", Free(BALL, (0, 0, 0), (2, 0, 0), senses=senses)), *pillars])
        take = shoot(stage, 2.0)
        min_distance = min(
            np.linalg.norm(take["bird"].position - take[pillar.name].position, axis=1).min() for pillar in pillars
        )
        assert (min_distance > 0.6) == bool(senses)
        assert bool(take.events) != bool(senses)


def test_delayed_field_of_a_body_arrives_later():
    pull = fields.Uniform((0, 0, 1)).carried_by("horn").delayed(5.0)
    horn = Actor("horn", Free(BALL, (-4.0, 0, 0)))
    positions = positions_of(Free(BALL, (0, 0, 0), senses={pull: 1.0}), 2.0, [horn])
    assert positions[-1, 2] > 0


def test_dynamic_spline_and_body_sense_each_other():
    kite = DynamicSpline((0, 1, 0), senses={fields.KeepOffset("ball", offset=(0, 1, 0)): 0.2})
    pull = fields.Uniform((0, 0, 1.0)).within(2).carried_by("kite")
    ball = Free(BALL, (0, 0, 0), (1, 0, 0), senses={pull: 1.0})
    stage = Stage([Actor("kite", kite), Actor("ball", ball)])
    assert stage.resolved.batch_kind is None
    take = shoot(stage, 2.0)
    assert_allclose(take["ball"].position[-1, [0, 2]], (2, 2), rtol=5e-3)
    assert_allclose(take["kite"].position[-1], take["ball"].position[-1] + (0, 1, 0), atol=0.6)
    run = Run(stage)
    expected = poses_after(run, 500)
    run.rewind(0.3)
    assert same_poses(poses_after(run, 350), expected)


# ---- what has no value, and what is refused --------------------------------------------------------------------------


def test_undefined_field_is_reported_and_leaves_other_bodies_bitwise_identical():
    field = fields.Formula("(1 / (x - 1) ** 0.5, 0, 0)")  # no value left of x = 1
    actors = [
        Actor("it", Free(BALL, (2, 0, 0), (-2, 0, 0), senses={"hole": 1.0, fields.Uniform((0, 0.5, 0)): 1.0})),
        Actor("other", Free(BALL, (0, 5, 0), senses={WIND: 1.0})),
    ]
    take = shoot(Stage(actors, fields={"hole": 0.1 * field}), 1.5)
    (event,) = take.events
    assert event.kind == "warning"
    assert event.actor == "it"
    assert event.text == "Senses nothing any more: 'hole' has no value where it is."
    late_positions = take["it"].position[take.times > event.time + 0.1]
    assert np.isfinite(late_positions).all()
    assert_allclose(np.diff(late_positions, n=2, axis=0), 0, atol=1e-12)
    reference = shoot(Stage(actors[1:]), 1.5)
    assert_array_equal(take["other"].position, reference["other"].position)
    run = Run(Stage(actors, fields={"hole": 0.1 * field}))
    poses_after(run, 750)
    assert run.events == take.events
    run.change("other", Free(BALL, (0, 5, 0)))
    assert run.events == take.events


def test_undefined_tracker_is_reported_and_the_run_continues():
    tracker = fields.Keep("log(x - 1)", (0.0, 0.0, 0.0), 0.0)
    take = shoot(Stage([Actor("it", Free(BALL, (2, 0, 0), (-4, 0, 0), senses={tracker: 0.001}))]), 1.0)
    assert any(event.text.startswith("Senses nothing any more") for event in take.events)
    assert np.isfinite(take["it"].position).all()


def test_a_field_that_is_far_too_strong_names_the_body_that_is_lost():
    storm = fields.Uniform((1e9, 0, 0))
    stage = Stage([Actor("calm", Free(BALL, (0, 9, 0))), Actor("leaf", Free(BALL, (0, 0, 0), senses={storm: 1.0}))])
    with pytest.raises(KeyposeError, match="The body of 'leaf' is lost"):
        shoot(stage, 2.0)


def test_unstable_tracker_is_reported_before_the_first_tick():
    tracker = fields.KeepOffset((0, 0, 0), response=0.1, memory=0.5)
    stage = Stage([Actor("it", Free(BALL, (1, 0, 0), senses={tracker: 0.5}))])
    (event,) = Run(stage).events
    assert event.kind == "warning"
    assert "settles" in event.text
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    assert not Run(Stage([Actor("it", Follow(path, BALL, within=0.4, senses={tracker: 0.5}))])).events


@pytest.mark.parametrize(
    ("senses", "message"),
    [
        (3, "senses 3. Give affinities by field"),
        ({WIND: 2}, "The affinity to Uniform.* is 2. Give 0 to 1"),
        ({WIND: "much"}, "The affinity to Uniform"),
        ({"": 1}, "senses ''. Give a field, or the name of one"),
        ({7: 1}, "senses 7. Give a field"),
        ({fields.Uniform: 1}, "Give a field"),
    ],
)
def test_invalid_senses_are_refused_with_reason(senses, message):
    with pytest.raises(KeyposeError, match=message):
        Free(BALL, (0, 0, 0), senses=senses)
    with pytest.raises(KeyposeError, match=message):
        Follow(MotionPath([(0, 0), (1, 0)]), BALL, within=1, senses=senses)


@pytest.mark.parametrize(
    ("senses", "message"),
    [
        ({"wnd": 1}, "Actor 'it' senses the field 'wnd', which is not on the stage. Did you mean 'wind'"),
        ({WIND.carried_by("nobody"): 1}, "Actor 'it' watches 'nobody', which is not on the stage"),
        ({WIND.carried_by("crowd/*"): 1}, "the group 'crowd/\\*', and nobody is in it"),
        ({WIND.carried_by("it"): 1}, "Actor 'it' senses .* that it carries itself"),
        ({fields.KeepOffset("it"): 1}, "Actor 'it' tracks itself"),
    ],
)
def test_sensed_fields_and_actors_must_be_on_the_stage(senses, message):
    with pytest.raises(KeyposeError, match=message):
        Stage([Actor("it", Free(BALL, (0, 0, 0), senses=senses))], fields={"wind": WIND})


def test_object_resembling_a_field_is_refused_by_the_stage():
    class Mine:
        names = ()

        def push(self, query):
            return query

        def __repr__(self):
            return "Mine()"

    with pytest.raises(KeyposeError, match=r"Actor 'it' senses Mine\(\). Give a field"):
        Stage([Actor("it", Free(BALL, (0, 0, 0), senses={Mine(): 1.0}))])


# ---- as values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "build_mover",
    [
        lambda senses: Free(BALL, (0, 0, 0), senses=senses),
        lambda senses: Follow(MotionPath([(0, 0), (1, 0)]), BALL, within=1, senses=senses),
    ],
)
def test_sensing_movers_are_compared_hashed_and_pickled_by_their_senses(build_mover):
    affinities = {WIND: 0.5, "storm": 1}
    mover = build_mover(affinities)
    assert mover == build_mover({"storm": 1.0, fields.Uniform((3, 0.5, 0)): 0.5})
    assert hash(mover) == hash(build_mover({"storm": 1.0, WIND: 0.5}))
    assert mover != build_mover({WIND: 0.4, "storm": 1})
    assert mover != build_mover({})
    assert pickle.loads(pickle.dumps(mover)) == mover
    affinities.clear()
    assert dict(mover.senses) == {WIND: 0.5, "storm": 1.0}
    with pytest.raises(TypeError):
        mover.senses[WIND] = 1.0
    assert "Uniform((3.0, 0.5, 0.0)): 0.5" in repr(mover)


def test_stage_without_senses_watches_no_actor():
    stage = Stage([Actor("it", Free(BALL, (0, 0, 0))), Actor("man", Motion(MotionPath([(0, 0), (1, 0)]), duration=1))])
    assert stage.resolved.watches == {"it": ()}
    senses = {WIND.carried_by("man"): 1.0, fields.KeepOffset("other"): 0.5}
    larger_stage = stage.changed(
        actors=[
            *stage.actors,
            Actor("other", Free(BALL, (5, 0, 0))),
            Actor("leaf", Free(BALL, (9, 0, 0), senses=senses)),
        ]
    )
    assert larger_stage.resolved.watches["leaf"] == ("man",), "bodies know each other"
