"""What Gascuel and Lyon (1995) say of motions with rendez-vous (§6.3, fig. 9), one test per claim.

Their key is "fixed in the glass space"; ours is too, until it is passed. That it is pinned then is from Lamouret and
Gascuel (1995), §4.
"""

import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, Key, Motion, MotionPath, Orientation, Pose, SpeedProfile, Stage, shoot
from keypose.curves.relative.relative_path import RelativePath
from keypose.maths import quaternion
from keypose.motion.hierarchy import to_local

FIGURE = Path(__file__).parents[2] / "examples" / "papers" / "gl95_09.py"
GRASP, SECONDS = 1.5, 2.0
HANDLE, PALM = (0.06, 0.07, 0.01), Orientation.from_euler((20, -70, 130))

GLASS_PATH = MotionPath(
    [
        Key((-2, 1, 0), orientation=Orientation.turned(10, "y")),
        Key((-1, 1.5, 0.3), orientation=Orientation.turned(140, (1, 2, 0))),
        Key((0.4, 1.1, -0.2), orientation=Orientation.turned(-60, "x")),
        Key((1.2, 1.0, 0.5), orientation=Orientation.turned(90, "z")),
    ]
)
GLASS_MOTION = Motion(GLASS_PATH, duration=SECONDS)


class FallingGlass:
    """A glass that takes ticks: it falls, and spins."""

    def begin(self, view):
        return 2.0, 0.0

    def step(self, state, view, dt):
        height, velocity = state
        return height + dt * velocity, velocity - 1.5 * dt

    def pose(self, state):
        return Pose(np.array([0.3, state[0], 0.1]), np.array(Orientation.turned(50 * state[1], "x")))


GLASSES = {
    "key framed": [Actor("glass", GLASS_MOTION)],
    "with drawn speed": [Actor("glass", Motion(GLASS_PATH, SpeedProfile([1, 8, 1]), duration=SECONDS))],
    "facing forward": [Actor("glass", GLASS_MOTION, facing=FaceForward())],
    "standing still": [Actor("glass", Motion(MotionPath([Key((1, 1, 1))] * 2), duration=SECONDS))],
    "recorded": [Actor("glass", shoot(Stage([Actor("it", GLASS_MOTION)]), SECONDS)["it"])],
    "on a wagon": [Actor("glass", GLASS_MOTION, parent="wagon"), Actor("wagon", GLASS_MOTION, facing=FaceForward())],
    "caught itself": [
        Actor("glass", Motion(MotionPath([Key((0, 2, 0)), Key((0, 0.1, 0), relative_to="tray")]), duration=SECONDS)),
        Actor("tray", GLASS_MOTION),
    ],
    "physically based": [Actor("glass", FallingGlass())],
}


def grasp(**options):
    return Key(HANDLE, orientation=PALM, relative_to="glass", name="grasp", **options)


REST, AWAY = (0, 1, 1), (2, 2, 2)
HANDS = {
    "timed": Motion(MotionPath([Key(REST, time=0), grasp(time=GRASP), Key(AWAY, time=2)])),
    "with tangents by hand": Motion(
        MotionPath([Key(REST, time=0), grasp(time=GRASP, arrive=(0, 0, 3), leave=(1, 0, 0)), Key(AWAY, time=2)])
    ),
    "at steady speed": Motion(MotionPath([Key(REST), Key((0.2, 1.4, 0.6)), grasp()]), duration=GRASP),
    "at drawn speed": Motion(MotionPath([Key(REST), grasp()]), SpeedProfile([0, 5, 2, 0]), duration=GRASP),
    "captured": Motion(
        MotionPath([Key(REST), grasp(), Key(AWAY)]),
        SpeedProfile([1, 5, 1]),
        duration=SECONDS,
        capture={"grasp": GRASP},
    ),
}


def resolved_path(path, carrier):
    """The path with its carried keys where one pose of their carrier puts them."""
    turn, keys = Orientation.of(carrier.orientation), []
    for key in path.keys:
        if key.relative_to is None:
            keys.append(key)
            continue
        tangents = {
            word: turn.rotate(getattr(key, word)) for word in ("arrive", "leave") if getattr(key, word) is not None
        }
        place, facing = carrier.position + turn.rotate(key.position), turn @ Orientation.of(key.orientation)
        keys.append(key.changed(position=place, orientation=facing, relative_to=None, **tangents))
    return MotionPath(keys)


# ---- "the grasping key position of the hand fixed in the glass space" ------------------------------------------------


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("glass", GLASSES)
def test_hand_reaches_the_glass_whatever_the_glass_motion(glass, hand):
    take = shoot(Stage([Actor("hand", HANDS[hand]), *GLASSES[glass]]), SECONDS)
    frame = round(GRASP * take.fps)
    relative_pose = to_local(take.poses["glass"][frame], take.poses["hand"][frame])
    early = 1e-7 if hand == "at drawn speed" else 0  # [m]: it comes to rest, so it is as good as there before
    assert_allclose(relative_pose.position, HANDLE, rtol=0, atol=1e-12 + early)
    assert np.degrees(quaternion.angle_between(relative_pose.orientation, PALM.wxyz)) < 1e-5


@pytest.mark.parametrize("seed", range(12))
def test_hand_reaches_randomly_moving_glasses(seed):
    rng = np.random.default_rng(seed)
    keys = [
        Key(place, orientation=turn)
        for place, turn in zip(3 * rng.normal(size=(6, 3)), rng.normal(size=(6, 4)), strict=True)
    ]
    cast = Stage([Actor("glass", Motion(MotionPath(keys), duration=SECONDS)), Actor("hand", HANDS["timed"])]).at(GRASP)
    assert_allclose(to_local(cast["glass"], cast["hand"]).position, HANDLE, rtol=0, atol=1e-12)


def test_fixed_key_would_miss_the_glass():
    other_motion = Motion(MotionPath([Key((-3, 0, 0)), Key((3, 1, 0))]), duration=SECONDS)
    where_it_is_now = resolved_path(HANDS["timed"].path, GLASS_MOTION.at(GRASP))
    hand = Motion(where_it_is_now)
    for glass, misses in ((GLASS_MOTION, False), (other_motion, True)):
        cast = Stage([Actor("glass", glass), Actor("hand", hand)]).at(GRASP)
        off = np.linalg.norm(to_local(cast["glass"], cast["hand"]).position - HANDLE)
        assert (off > 0.5) == misses


def test_several_keys_may_be_relative_to_different_carriers():
    juggling = MotionPath(
        [
            Key((0, 1, 1), time=0),
            Key((0, 0.1, 0), time=0.5, relative_to="glass"),
            Key((0.1, 0, 0), time=1.0, relative_to="cup"),
            Key((0, 0.2, 0), time=1.5, relative_to="glass"),
            Key((0, 1, 2), time=2.0),
        ]
    )
    cup = Motion(
        MotionPath([Key((1, 0, 0)), Key((0, 1, 3), orientation=Orientation.turned(80, "x"))]), duration=SECONDS
    )
    stage = Stage([Actor("glass", GLASS_MOTION), Actor("cup", cup), Actor("hand", Motion(juggling))])
    for time, carrier, place in ((0.5, "glass", (0, 0.1, 0)), (1.0, "cup", (0.1, 0, 0)), (1.5, "glass", (0, 0.2, 0))):
        cast = stage.at(time)
        assert_allclose(to_local(cast[carrier], cast["hand"]).position, place, rtol=0, atol=1e-12)


def test_passed_key_is_pinned_in_the_world():
    hand, after = HANDS["timed"], np.linspace(GRASP, SECONDS, 25)
    thrown_away = Motion(GLASS_PATH.with_key(3, position=(9, 9, 9)), SpeedProfile([1, 8, 1]), duration=SECONDS)
    paths = []
    for glass in (GLASS_MOTION, thrown_away):
        stage = Stage([Actor("glass", glass), Actor("hand", hand)])
        paths.append(stage.at(after)["hand"].position)
        assert_allclose(paths[-1], resolved_path(hand.path, glass.at(GRASP)).at(1 + (after - GRASP) / 0.5), atol=1e-12)
    assert np.linalg.norm(paths[0][0] - paths[1][0]) > 0.5  # pinned where each glass was


# ---- "local parameters (such as tangents) and global ones (such as l_max) have to be re-computed at each time step" --

PATH = MotionPath(
    [
        Key((0, 1, 1), orientation=Orientation.identity),
        Key((0.3, 1.6, 0.4)),
        grasp(),
        Key((1, 2, 1)),
        Key((2, 1, 0), orientation=Orientation.turned(90, "y")),
    ]
)
TIMED_PATH = MotionPath([key.changed(time=0.5 * index) for index, key in enumerate(PATH.keys)])
BEFORE = np.linspace(0, 0.99, 34)  # [s] before the grasp, which is at 1 s


def test_local_parameters_such_as_tangents_are_recomputed_at_each_time_step():
    stage = Stage([Actor("glass", GLASS_MOTION), Actor("hand", Motion(TIMED_PATH))])
    found, glass = stage.at(BEFORE), GLASS_MOTION.at(BEFORE)
    paths = [resolved_path(TIMED_PATH, glass[index]) for index in range(len(BEFORE))]
    for index, path in enumerate(paths):
        assert_allclose(found["hand"].position[index], path.at(2 * BEFORE[index]), atol=1e-12)
        assert quaternion.angle_between(found["hand"].orientation[index], path.orientation_at(2 * BEFORE[index])) < 1e-7
    tangents = np.array([path.leave for path in paths])
    moved = np.ptp(tangents, axis=0).max(axis=1)
    assert (moved[[1, 3]] > 0.1).all()  # beside the carried key
    once = resolved_path(TIMED_PATH, glass[0])
    initial_tangent_paths = [path.with_key(1, arrive=once.arrive[1], leave=once.leave[1]) for path in paths]
    assert (
        max(
            np.linalg.norm(initial_tangent_paths[i].at(2 * BEFORE[i]) - found["hand"].position[i])
            for i in range(len(BEFORE))
        )
        > 0.05
    )


def test_global_parameters_such_as_l_max_are_recomputed_at_each_time_step():
    profile = SpeedProfile([2, 4, 3])
    hand = Motion(PATH, profile, duration=4.0)  # the grasp lies ahead for as long as we look
    stage = Stage([Actor("glass", GLASS_MOTION), Actor("hand", hand)])
    found, glass = stage.at(BEFORE), GLASS_MOTION.at(BEFORE)
    share = profile.covered(BEFORE / 4.0) / profile.total
    paths = [resolved_path(PATH, glass[index]) for index in range(len(BEFORE))]
    lengths = np.array([path.length for path in paths])
    assert np.ptp(lengths) > 0.5
    for index, path in enumerate(paths):
        assert_allclose(found["hand"].position[index], path.along(share[index] * lengths[index]), atol=1e-9)
    positions = [path.along(part * lengths[0]) for path, part in zip(paths, share, strict=True)]
    assert np.linalg.norm(positions - found["hand"].position, axis=1).max() > 0.05


def test_no_recomputation_is_needed_for_a_still_carrier():
    still = Motion(MotionPath([GLASS_PATH.keys[1]] * 2), duration=SECONDS)
    once = Motion(resolved_path(PATH, still.at(0.0)), duration=SECONDS)
    t = np.linspace(0, SECONDS, 49)
    found = Stage([Actor("glass", still), Actor("hand", Motion(PATH, duration=SECONDS))]).at(t)["hand"]
    assert_allclose(found.position, once.at(t).position, atol=1e-9)


def test_only_segments_near_a_relative_key_are_recomputed():
    rng = np.random.default_rng(3)
    keys = [Key(place) for place in rng.normal(size=(20, 3))]
    keys[10] = Key((0, 0.1, 0), orientation=PALM, relative_to="glass")
    path = MotionPath(keys)
    assert_array_equal(RelativePath(path, np.array([10])).changing_segments, [8, 9, 10, 11])
    now, then = (resolved_path(path, GLASS_MOTION.at(time)) for time in (0.3, 1.4))
    u = np.arange(19)[:, None] + np.linspace(0.1, 0.9, 5)
    same = (now.at(u) == then.at(u)).all(axis=(1, 2))
    assert_array_equal(np.flatnonzero(~same), [8, 9, 10, 11])


# ---- figure 9 --------------------------------------------------------------------------------------------------------


def test_figure_9_racket_meets_the_ball_with_its_strings_and_follows_through():
    namespace = runpy.run_path(str(FIGURE))
    hit, radius = namespace["HIT"], namespace["RADIUS"]
    for stage in namespace["STAGES"].values():
        cast = stage.at(hit)
        push = quaternion.rotate(cast["ball"].orientation, np.array([0.0, 0, 1]))
        assert_allclose(cast["racket"].position, cast["ball"].position - radius * push, atol=1e-12)
        assert_allclose(quaternion.rotate(cast["racket"].orientation, np.array([0.0, 0, 1])), push, atol=1e-12)
        assert np.delete(namespace["ball_distance"](stage), np.argmin(np.abs(namespace["TIMES"] - hit))).min() > 0
        direction = np.diff(stage.at(hit + np.array([0, 1e-6]))["racket"].position, axis=0)[0] / 1e-6
        assert_allclose(direction / np.linalg.norm(direction), push, atol=1e-4)
        ball = stage["ball"].motion
        turned = ball.velocity(hit) - ball.velocity(hit - 1e-9)  # a blow of the strings is along their normal
        assert_allclose(turned / np.linalg.norm(turned), push, atol=1e-6)


def test_figure_9_curve_is_the_racket_path_at_each_time():
    namespace = runpy.run_path(str(FIGURE))
    back, hit = namespace["BACK"], namespace["HIT"]
    for share in (0, 0.25, 0.5, 0.75, 1):  # the curve is drawn through 61 places
        time = back + share * (hit - back)
        racket = namespace["STAGE"].at(time)["racket"].position
        assert_allclose(namespace["swing_at"](time)[round(60 * share)], racket, atol=1e-12)
