"""Dynamic splines on a stage: they sense what they are linked to and nothing else, and take ticks like any mover."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, Key, KeyposeError, KeyTimes, Motion, MotionPath, Orientation, Run, Stage, shoot
from keypose.fields.algebra.field import Field
from keypose.fields.library import Attractor, Repeller, Spring, Uniform
from keypose.fields.sensing import links
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import Pointer
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset

DOWN = Uniform((0, -9.81, 0))
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=2.0)


class PartlyUndefined(Field):
    """A field with a hole: it has no value at x > 1."""

    def push(self, query):
        return np.where(query.position[:, :1] > 1, np.nan, 0.0) + np.zeros_like(query.position)


def projectile(*, senses=None, **options):
    return DynamicSpline((0, 0, 0), (1, 2, 0), senses={DOWN: 1} if senses is None else senses, **options)


def run_ticks(run, ticks):
    for _ in range(ticks):
        run.tick()
    return run


def flock(count, seed=0, **senses):
    rng = np.random.default_rng(seed)
    near = Repeller(0.5).within(2.0).carried_by("bird/*")
    return [
        Actor(
            f"bird/{number}",
            DynamicSpline(
                rng.normal(size=3),
                rng.normal(size=3),
                friction=0.05,
                senses={near: 0.7, KeepDistance("bird/*", 1.0): 0.1, "wind": 0.3},
            ),
        )
        for number in range(count)
    ]


# ---- equation 3 on the stage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fps", [24, 30, 60])
@pytest.mark.parametrize("tick", [None, 1 / 24, 1 / 100])
def test_uniform_field_without_friction_gives_the_analytic_parabola_at_any_frame_rate(fps, tick):
    take = shoot(Stage([Actor("ball", projectile())]), 2.0, fps=fps, tick=tick)
    t = take.times
    assert_allclose(take["ball"].position, np.stack([t, 2 * t - 9.81 * t**2 / 2, 0 * t], axis=1), atol=1e-12, rtol=0)


def test_velocity_is_continuous_where_segments_meet():
    field = Attractor(3.0, center=(1, 1, 0))
    stage = Stage([Actor("moth", projectile(senses={field: 1.0}, friction=0.1))])
    fine = shoot(stage, 1.0, fps=24 * 64)["moth"].position
    v = np.diff(fine, axis=0) * 24 * 64
    within, across = np.diff(v, axis=0), np.arange(63, len(v) - 1, 64)
    steps = np.linalg.norm(within, axis=1)
    assert steps[across].max() < 2 * np.delete(steps, across).max()


def test_velocity_in_a_constant_field_is_independent_of_the_tick():
    ends = []
    for tick in (1 / 24, 1 / 48, 1 / 120):
        run = Run(Stage([Actor("ball", projectile(friction=0.1))]), tick=tick)
        ends.append(run_ticks(run, round(1 / tick)).moment.system_states)
    tangents = [next(iter(cast.values())).state.points.T[0] for cast in ends]
    assert_allclose(tangents[1:], [tangents[0]] * 2, rtol=1e-12)


# ---- scope -----------------------------------------------------------------------------------------------------------


def test_object_senses_only_its_linked_fields():
    stage = Stage(
        [Actor("a", projectile(senses={})), Actor("b", projectile(senses={"down": 0.5}))], fields={"down": DOWN}
    )
    take = shoot(stage, 1.0)
    assert_allclose(take["a"].position[-1], (1, 2, 0), atol=1e-12)
    assert_allclose(take["b"].position[-1], (1, 2 - 9.81 / 4, 0), atol=1e-12)


def test_links_are_not_reflexive():
    lamp = DynamicSpline((3, 0, 0))
    stage = Stage([Actor("moth", projectile(senses={Attractor(2.0).carried_by("lamp"): 1})), Actor("lamp", lamp)])
    take = shoot(stage, 1.0)
    assert_array_equal(take["lamp"].position[-1], (3, 0, 0))
    assert take["moth"].position[-1, 0] > 1.1


def test_links_are_not_transitive():
    """A cat is drawn to a mouse and that is linked to cheese, sated; the cat does not feel the cheese."""

    def chasing(cheese):
        chaser = DynamicSpline((0, 0, 0), senses={Attractor(2.0).carried_by("mouse"): 1})
        sated = DynamicSpline((3, 0, 0), senses={Attractor(2.0).carried_by("cheese"): 0})
        cast = [Actor("cat", chaser), Actor("mouse", sated), Actor("cheese", DynamicSpline(cheese))]
        return shoot(Stage(cast), 1.0)["cat"].position

    near, far = chasing((0, 1, 0)), chasing((0, 90, 0))
    assert_array_equal(near, far)
    assert near[-1, 0] > 0.1


def test_recorded_take_is_tracked_like_its_motion():
    walk = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), KeyTimes([0, 1, 2]))
    man = shoot(Stage([Actor("man", walk)]), 2.0, fps=24)["man"]
    ends = []
    for moving in (walk, man):
        dog = DynamicSpline((1, 0, 0), friction=0.2, senses={KeepOffset("man"): 0.3})
        ends.append(shoot(Stage([Actor("dog", dog), Actor("man", moving)]), 2.0)["dog"].position)
    assert_allclose(ends[1], ends[0], atol=1e-12)
    assert np.linalg.norm(ends[1][-1] - (5, 0, 4)) < 1.5


def test_carried_field_moves_and_turns_with_its_carrier():
    turning = Motion(
        MotionPath(
            [
                Key((0, 0, 0), orientation=Orientation.turned(0, "y")),
                Key((0, 0, 0), orientation=Orientation.turned(90, "y")),
            ]
        ),
        duration=1.0,
    )
    jet = Uniform((0, 0, 1)).carried_by("fan")
    stage = Stage([Actor("leaf", DynamicSpline((5, 0, 0), senses={jet: 1})), Actor("fan", turning)])
    run = Run(stage)
    run_ticks(run, 24)
    before = run.poses["leaf"].position
    v = (run_ticks(run, 24).poses["leaf"].position - before) - (before - (5, 0, 0))
    assert v[0] > 0.8  # by then it blows along +x
    assert abs(v[2]) < abs(v[0])


def test_group_members_sense_each_other_but_not_themselves():
    stage = Stage(flock(8), fields={"wind": Uniform((1, 0, 0))})
    (push, _) = next(iter(stage.resolved.systems.values())).links.field_links
    assert len(push.field.carrier) == len(push.rows) == 8
    take = shoot(stage, 2.0)
    assert np.isfinite(take["bird/3"].position).all()
    one = Stage(flock(1), fields={"wind": Uniform((1, 0, 0))})
    alone = Stage([Actor("bird/0", flock(1)[0].mover)], fields={"wind": Uniform((1, 0, 0))})
    assert_array_equal(shoot(one, 1.0)["bird/0"].position, shoot(alone, 1.0)["bird/0"].position)


def test_shared_field_is_walked_once(monkeypatch):
    looks = []
    monkeypatch.setattr(links, "walk_field", lambda field, plain=links.walk_field: looks.append(1) or plain(field))
    counts = []
    for count in (20, 200):
        looks.clear()
        Stage(flock(count), fields={"wind": DOWN})
        counts.append(len(looks))
    assert counts[0] == counts[1] > 0


def test_sensing_its_own_carried_field_is_refused_with_its_path():
    senses = {"wind": 1, "near": 0.5}
    actors = [Actor(name, projectile(senses=senses)) for name in "abcd"]
    with pytest.raises(KeyposeError, match=r"Actor 'c' senses 'near', a field that it carries itself") as refused:
        Stage(actors, fields={"wind": DOWN, "near": DOWN.carried_by("c")})
    assert refused.value.at == ("actors", 2, "mover", "senses", 1)


def test_the_order_of_actors_does_not_matter():
    cast, fields = flock(6), {"wind": Uniform((1, 0, 0))}
    takes = [shoot(Stage(actors, fields=fields), 1.0) for actors in (cast, cast[::-1])]
    for name in takes[0].poses:
        assert_allclose(takes[0][name].position, takes[1][name].position, atol=1e-12)


# ---- a field that travels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("takes_ticks", [False, True])
def test_delayed_field_is_sensed_after_its_travel_time(takes_ticks):
    if takes_ticks:
        lamp = DynamicSpline((12, 0, 0), (-12, 0, 0))
    else:
        lamp = Motion(MotionPath([(12, 0, 0), (0, 0, 0)]), duration=1.0)
    field = Uniform((0, 1, 0)).within(3.0).carried_by("lamp").delayed(24.0)
    stage = Stage([Actor("moth", DynamicSpline((0, 0.1, 0), senses={field: 1})), Actor("lamp", lamp)])
    at_once = Stage(
        [Actor("moth", DynamicSpline((0, 0.1, 0), senses={field.field.carried_by("lamp"): 1})), Actor("lamp", lamp)]
    )
    moved = [shoot(one, 1.5)["moth"].position[:, 1] > 0.1 + 1e-9 for one in (at_once, stage)]
    assert moved[0].any()
    assert np.argmax(moved[1]) - np.argmax(moved[0]) == 3  # an eighth of a second for three metres


# ---- as any mover ----------------------------------------------------------------------------------------------------


def test_flock_replays_bitwise_identically_after_rewind():
    run = run_ticks(Run(Stage(flock(5), fields={"wind": Uniform((1, 0, 0))})), 40)
    first = run.poses
    run.rewind(0.7)
    again = run_ticks(run, 40 - run.ticks).poses
    for name, pose in first.items():
        assert_array_equal(pose.position, again[name].position)


def test_run_and_shoot_give_identical_frames():
    stage = Stage(flock(4), fields={"wind": Uniform((1, 0, 0))})
    take, run = shoot(stage, 1.0), Run(stage)
    for frame in range(len(take.times)):
        assert_array_equal(run.poses["bird/2"].position, take["bird/2"].position[frame])
        run.tick()


def test_field_change_during_a_run_keeps_positions_and_velocities():
    run = run_ticks(Run(Stage([Actor("ball", projectile(senses={"down": 1}))], fields={"down": DOWN})), 12)
    place = run.poses["ball"].position
    run.change(fields={"down": Uniform((0, 0, 0))})
    assert_array_equal(run.poses["ball"].position, place)
    assert_allclose(run_ticks(run, 24).poses["ball"].position - place, (1, 2 - 9.81 / 2, 0), atol=1e-9)


def test_friction_change_during_a_run_keeps_tracker_references():
    senses = {KeepOffset("man"): 0.3}
    dog = DynamicSpline((1, 0, 0), friction=0.2, senses=senses)
    run = run_ticks(Run(Stage([Actor("dog", dog), Actor("man", WALK)])), 10)
    run.change("dog", DynamicSpline((9, 9, 9), friction=0.4, senses=senses))
    run_ticks(run, 120)
    assert_allclose(run.poses["dog"].position - run.poses["man"].position, (1, 0, 0), atol=1e-3)


def test_actors_can_be_added_and_removed_during_a_run():
    cast, fields = flock(5), {"wind": Uniform((1, 0, 0))}
    run = run_ticks(Run(Stage(cast[:3], fields=fields)), 6)
    place = run.poses["bird/1"].position
    run.change(actors=cast[1:])
    assert_array_equal(run.poses["bird/1"].position, place)
    assert_allclose(run.poses["bird/4"].position, cast[4].mover.position)
    run_ticks(run, 6)


def test_child_starts_in_its_parent_frame_and_fields_are_in_world_axes():
    lying = Motion(MotionPath([Key((5, 0, 0), orientation=Orientation.turned(90, "z"))] * 2), duration=1.0)
    stage = Stage([Actor("ball", DynamicSpline((1, 0, 0), senses={DOWN: 1}), parent="shelf"), Actor("shelf", lying)])
    take = shoot(stage, 1.0)
    assert_allclose(take["ball"].position[0], (5, 1, 0), atol=1e-12)
    assert_allclose(take["ball"].position[-1], (5, 1 - 9.81 / 2, 0), atol=1e-9)


def test_spline_can_face_forward_be_met_and_be_looked_at():
    hand = MotionPath([Key((0, 2, 0)), Key((0, 0, 0), relative_to="ball")])
    stage = Stage([Actor("ball", projectile(), facing=FaceForward()), Actor("hand", Motion(hand, duration=1.0))])
    take = shoot(stage, 1.0)
    assert_allclose(take["hand"].position[-1], take["ball"].position[-1], atol=1e-9)
    assert abs(take["ball"].orientation[-1, 0]) < 1


# ---- drawings --------------------------------------------------------------------------------------------------------


def test_drawing_deforms_under_a_field_and_recovers():
    letter = np.array([(0, 0), (0, 1), (1, 1), (1, 0)], dtype=float)
    jelly = DynamicSpline(letter, friction=0.3, senses={KeepOffset((0, 0, 0)): 0.2, "poke": 1.0})
    poke = Attractor(40.0, center=(2, 2, 0)).during(0.0, 0.2)
    take = shoot(Stage([Actor("letter", jelly)], fields={"poke": poke}), 4.0)
    shape = take["letter"].position
    assert shape.shape == (97, 4, 3)
    assert np.ptp(shape[5] - shape[0], axis=0).max() > 0.01
    assert_allclose(shape[-1], shape[0], atol=1e-3)


# ---- tracking --------------------------------------------------------------------------------------------------------


def test_pointer_is_traced_at_distance_zero():
    pen = Actor("pointer", Motion(MotionPath([(0, 0), (2, 1), (4, 0)]), duration=2.0))
    brush = Actor("brush", DynamicSpline((0, 0, 0), friction=0.3, senses={KeepDistance(Pointer(), 0): 0.9}))
    take = shoot(Stage([pen, brush]), 4.0)
    assert_allclose(take["brush"].position[-1], (4, 0, 0), atol=1e-3)


def test_group_is_tracked_at_its_centroid():
    sheep = [
        Actor(f"sheep/{number}", Motion(MotionPath([(x, 0, 0)] * 2), duration=1.0))
        for number, x in enumerate((0, 2, 7))
    ]
    dog = DynamicSpline((0, 0, 5), friction=0.3, senses={KeepDistance("sheep/*", 1.0): 0.4})
    end = shoot(Stage([*sheep, Actor("dog", dog)]), 8.0)["dog"].position[-1]
    assert np.linalg.norm(end - (3, 0, 0)) == pytest.approx(1, abs=1e-3)


def test_flock_members_avoid_each_other():
    def meeting(senses):
        return Stage(
            [
                Actor("bird/1", DynamicSpline((-3, 0, 0), (3, 0, 0), senses=senses)),
                Actor("bird/2", DynamicSpline((3, 0, 0.05), (-3, 0, 0), senses=senses)),
            ]
        )

    def nearest(stage):
        take = shoot(stage, 2.0, fps=240)
        return np.linalg.norm(take["bird/1"].position - take["bird/2"].position, axis=1).min()

    assert nearest(meeting({})) < 0.1
    assert nearest(meeting({Avoid("bird/*", distance=0.8, ahead=1.0): 0.5})) > 0.6


def test_unstable_gains_are_reported_with_the_largest_stable_gain():
    stage = Stage([Actor("kite", DynamicSpline((0, 3, 0), senses={KeepDistance("man", 1.0): 0.8})), Actor("man", WALK)])
    (event,) = shoot(stage, 0.5).events
    assert (event.actor, event.kind) == ("kite", "warning")
    assert "0.666" in event.text  # 2/3, rounded down


# ---- what has no value -----------------------------------------------------------------------------------------------


def test_undefined_field_stops_one_object_and_the_others_are_bitwise_unchanged():
    def cast(hole):
        broken = Actor("broken", DynamicSpline((0, 0, 0), (2, 0, 0), senses={"hole": 1.0, "wind": 0.5}))
        return Stage([*flock(4), broken], fields={"hole": hole, "wind": Uniform((1, 0, 0))})

    whole, cracked = shoot(cast(Uniform((0, 0, 0))), 2.0), shoot(cast(PartlyUndefined()), 2.0)
    for name in (f"bird/{number}" for number in range(4)):
        assert_array_equal(whole[name].position, cracked[name].position)
    (event,) = [event for event in cracked.events if event.actor == "broken"]
    assert 0.4 < event.time < 0.6
    assert "'hole'" in event.text
    stopped = cracked["broken"].position
    assert_array_equal(stopped[-1], stopped[20])
    assert 1 < stopped[-1, 0] < 1.2


def test_object_leaving_all_bounds_stops_and_is_reported():
    wild = DynamicSpline((1, 0, 0), senses={Spring(1e90): 1.0})
    take = shoot(Stage([Actor("wild", wild), Actor("ball", projectile())]), 1.0)
    assert any(event.actor == "wild" and "bounds" in event.text for event in take.events)
    assert_allclose(take["ball"].position[-1], (1, 2 - 9.81 / 2, 0), atol=1e-12)


INVALID = {
    "a field that is not there": (
        lambda: Stage([Actor("a", projectile(senses={"wnd": 1}))], fields={"wind": DOWN}),
        "wind",
    ),
    "a carrier that is not there": (
        lambda: Stage([Actor("a", projectile(senses={DOWN.carried_by("fan"): 1}))]),
        "'fan'",
    ),
    "a target that is not there": (lambda: Stage([Actor("a", projectile(senses={KeepOffset("b"): 1}))]), "'b'"),
    "a group of nobody": (lambda: Stage([Actor("a", projectile(senses={KeepOffset("x/*"): 1}))]), "nobody is in it"),
    "itself": (lambda: Stage([Actor("a", projectile(senses={KeepOffset("a"): 1}))]), "tracks itself"),
    "its own field": (lambda: Stage([Actor("a", projectile(senses={DOWN.carried_by("a"): 1}))]), "carries itself"),
    "too much affinity": (lambda: projectile(senses={DOWN: 1.5}), "1.5.*0 to 1"),
    "affinity below zero": (lambda: projectile(senses={DOWN: -0.1}), "0 to 1"),
    "too much friction": (lambda: projectile(friction=2), "friction.*0 to 1"),
    "friction that is none": (lambda: projectile(friction=float("nan")), "friction"),
    "what is no field": (lambda: projectile(senses={7: 1}), "senses 7"),
    "a list": (lambda: projectile(senses=[DOWN]), "affinities by field"),
    "a place of four numbers": (lambda: DynamicSpline((0, 0, 0, 0)), "Give a place"),
    "a velocity that does not fit": (lambda: DynamicSpline((0, 0, 0), np.zeros((2, 3))), "velocity"),
    "an unknown continuity": (lambda: projectile(continuity="c3"), "c1"),
    "a beta without use": (lambda: projectile(beta=1), "g2"),
    "c2 with steady": (lambda: projectile(continuity="c2", integrator="steady"), "paper"),
}


@pytest.mark.parametrize("case", INVALID)
def test_invalid_links_are_refused_with_reason(case):
    make, message = INVALID[case]
    with pytest.raises(KeyposeError, match=message):
        make()


# ---- as a value ------------------------------------------------------------------------------------------------------


def test_dynamic_splines_compare_by_value_and_their_repr_is_code():
    one = DynamicSpline((0, 1, 0), (1, 0, 0), friction=0.1, senses={DOWN: 0.5, "wind": 1.0}, integrator="steady")
    assert one == DynamicSpline(
        [0, 1, 0.0], [1, 0, 0], friction=0.1, senses={"wind": 1, DOWN: 0.5}, integrator="steady"
    )
    assert one != projectile()
    assert hash(one) == hash(pickle.loads(pickle.dumps(one)))
    assert pickle.loads(pickle.dumps(one)) == one
    assert eval(repr(one)) == one


def test_object_with_undefined_metric_stops_and_the_others_continue():
    lost = Keep("log(x - 1)", (0.0, 0.0, 0.0), 0.0)
    cast = [
        Actor("it", DynamicSpline((2, 0, 0), (-4, 0, 0), senses={lost: 0.001})),
        Actor("other", DynamicSpline((0, 0, 0), senses={Uniform((1, 0, 0)): 1})),
    ]
    take = shoot(Stage(cast), 1.0)
    (event,) = take.events
    assert event.text == "Stopped: 'keeps a metric to (0, 0, 0)' has no value where it is."
    assert np.isfinite(take["it"].position).all()
    assert_array_equal(take["other"].position, shoot(Stage(cast[1:]), 1.0)["other"].position)
