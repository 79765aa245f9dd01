"""What Gascuel and Lyon (1995) say in section 6 about movements that depend on each other, one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from keypose import Actor, FaceForward, Key, Motion, MotionPath, Orientation, Pose, SpeedProfile, Stage, shoot
from keypose.maths import quaternion
from keypose.motion.hierarchy import to_local, to_world

SECONDS = 1.5
ARM = ("shoulder", "elbow", "wrist", "fingertip")
LENGTHS = (0.0, 0.34, 0.28, 0.18)  # [m] from the joint before
RNG = np.random.default_rng(61)
TURNS = {name: quaternion.exp(RNG.normal(size=(4, 3))) for name in ARM}  # of ball joints, about any axis


def joint(length, turns, seconds=SECONDS):
    """Only the first key says where it is; the others only turn."""
    times = np.linspace(0, seconds, len(turns))
    first, *others = [Key(time=time, orientation=turn) for time, turn in zip(times, turns, strict=True)]
    return Motion(MotionPath([first.changed(position=(length, 0, 0)), *others]))


def arm(turns):
    parents = [None, *ARM[:-1]]
    joints = zip(ARM, LENGTHS, parents, strict=True)
    return Stage([Actor(name, joint(length, turns[name]), parent=parent) for name, length, parent in joints])


def displacements(pose):
    """The pose as matrices (n, 4, 4)."""
    matrices = np.tile(np.eye(4), (len(pose.orientation), 1, 1))
    matrices[:, :3, :3] = Rotation.from_quat(pose.orientation, scalar_first=True).as_matrix()
    matrices[:, :3, 3] = pose.position
    return matrices


class Falling:
    """Physically based: thrown up, it falls; a state is its height and its velocity."""

    def begin(self, view):
        return 0.0, 3.0

    def step(self, state, view, dt):
        height, velocity = state
        return height + dt * velocity, velocity - 9.81 * dt

    def pose(self, state):
        return Pose(np.array([0.0, state[0], 0.0]), np.array(Orientation.turned(40 * state[1], "x")))


# ---- §6.1: hierarchy of motions --------------------------------------------------------------------------------------


def test_each_joint_just_defines_rotation_in_its_parent_referential():
    stage, times = arm(TURNS), np.linspace(0, SECONDS, 91)
    world = stage.at(times)
    for parent, name, length in zip(ARM, ARM[1:], LENGTHS[1:], strict=False):
        relative_pose = to_local(world[parent], world[name])
        assert_allclose(relative_pose.position, np.tile((length, 0, 0), (91, 1)), atol=1e-14)
        assert (
            np.degrees(
                quaternion.angle_between(relative_pose.orientation, stage[name].motion.at(times).orientation)
            ).max()
            < 1e-5
        )
        apart = np.linalg.norm(world[name].position - world[parent].position, axis=1)
        assert_allclose(apart, length, atol=1e-14)


def test_world_pose_is_the_composition_of_displacements_from_the_root():
    stage, times = arm(TURNS), np.linspace(0, SECONDS, 91)
    world, composed = stage.at(times), np.eye(4)
    for name in ARM:
        composed = composed @ displacements(stage[name].motion.at(times))
        assert_allclose(displacements(world[name]), composed, atol=1e-13)


PATH = MotionPath([Key((0, 0, 0)), Key((1, 2, 0), orientation=Orientation.turned(80, "x")), Key((3, 0, 1))])
KEYED_MOTION = Motion(PATH, duration=SECONDS)
GENERATORS = {
    "key framed": Actor("it", KEYED_MOTION),
    "with drawn speed": Actor("it", Motion(PATH, SpeedProfile([1, 8, 1]), duration=SECONDS)),
    "facing forward": Actor("it", KEYED_MOTION, facing=FaceForward()),
    "only turning": Actor("it", joint(0.3, TURNS["wrist"])),
    "recorded": Actor("it", shoot(Stage([Actor("it", KEYED_MOTION)]), SECONDS)["it"]),
    "physically based": Actor("it", Falling()),
}


@pytest.mark.parametrize("above", GENERATORS)
@pytest.mark.parametrize("below", GENERATORS)
def test_any_motion_generator_may_be_a_child_of_any_other(below, above):
    alone = [shoot(Stage([GENERATORS[kind]]), SECONDS).poses["it"] for kind in (below, above)]
    cast = [GENERATORS[below].changed(name="below"), GENERATORS[above].changed(name="above", parent="below")]
    take, composed = shoot(Stage(cast), SECONDS), to_world(*alone)
    assert_allclose(take["above"].position, composed.position, atol=1e-12)
    assert_allclose(take["above"].orientation, composed.orientation, atol=1e-12)


def line_deviation(poses):
    """How far [m] the wrist strays from a level line 0.2 m up, keyed in so many poses with the wrist on it."""
    x, y, (upper, fore) = np.linspace(-0.45, 0.45, poses), 0.2, LENGTHS[1:3]
    elbow = np.arccos((x**2 + y**2 - upper**2 - fore**2) / (2 * upper * fore))
    shoulder = np.arctan2(y, x) - np.arctan2(fore * np.sin(elbow), upper + fore * np.cos(elbow))
    angles = {"shoulder": shoulder, "elbow": elbow, "wrist": 0 * x, "fingertip": 0 * x}
    about_z = {name: quaternion.exp(angle[:, None] * (0, 0, 1)) for name, angle in angles.items()}
    height = arm(about_z).at(np.linspace(0, SECONDS, 961))["wrist"].position[:, 1]
    return np.abs(height - y).max()


def test_end_of_a_chain_leaves_the_straight_line_between_key_poses():
    assert line_deviation(2) == pytest.approx(0.29, abs=0.005)  # on an arc around the shoulder
    assert line_deviation(5) > 0.01
    assert line_deviation(9) > 0.001
    assert line_deviation(17) < 0.001  # tedious: keys every 6 cm, in every joint
