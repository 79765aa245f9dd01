"""Figures of links and joints: they hang together, swing as they should, and are led by their hands."""

import pickle

import numpy as np
import pytest

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Capsule,
    DynamicSpline,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    KeyposeError,
    Link,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Reach,
    Run,
    Sphere,
    Stage,
    Still,
    fields,
    load,
    save,
    shoot,
)
from keypose.maths import quaternion
from tests.physics.arms import DOWN, HAND_PATH, arm

LINKS = ("arm/upper", "arm/lower", "arm/hand")
HAND_REACH = Reach("arm/hand", HAND_PATH, within=0.1)


def reach_stage(figure=None, reach=HAND_REACH, **options):
    return Stage([Actor("arm", figure or arm())], connections=[reach], gravity=DOWN, **options)


def link_point(take, name, point):
    """Where a point of a link is, said in its own frame."""
    return take[name].position + quaternion.rotate(take[name].orientation, np.array(point, dtype=float))


def test_links_are_named_by_figure_and_link_name():
    stage = Stage([Actor("arm", arm())])
    assert stage.names == ("arm", *LINKS)
    assert [actor.name for actor in stage.actors] == ["arm"]
    take = shoot(stage, 0.1)
    assert take["arm/hand"].position[0].tolist() == [0.85, 1.0, 0.0]


def test_pendulum_has_the_period_of_a_point_on_a_string():
    bob = Link("bob", Body(Sphere(0.01)), (0.05, -0.9987492, 0))  # 2.9 degrees off, 1 m below
    clock = Figure(Body(Box(0.01)), [Hinge(bob, at=(0, 0, 0))], held=True)
    x = shoot(Stage([Actor("clock", clock)], gravity=DOWN), 2.5, 500)["clock/bob"].position[:, 0]
    return_frame = 500 + int(np.argmax(x[500:]))  # after half a swing at least
    assert return_frame / 500 == pytest.approx(2 * np.pi * np.sqrt(1 / 9.81), rel=2e-3)


def test_joints_hold_under_swinging_links():
    take = shoot(Stage([Actor("arm", arm())], gravity=DOWN), 3)
    gap = link_point(take, "arm/upper", (0, -0.2, 0)) - link_point(take, "arm/lower", (0, 0.2, 0))
    assert np.abs(gap).max() < 1e-4  # frames lie between ticks
    assert np.ptp(take["arm/hand"].position, axis=0)[2] < 1e-9  # all hinges turn about z


def test_figure_without_held_root_falls_as_a_whole():
    take = shoot(Stage([Actor("arm", arm(held=False))], gravity=DOWN), 0.5, 100)
    masses = {"arm": 1.0, "arm/upper": 1.5, "arm/lower": 1.0, "arm/hand": 0.4}
    centre_of_mass = sum(mass * take[name].position for name, mass in masses.items()) / sum(masses.values())
    assert centre_of_mass[-1, 1] - centre_of_mass[0, 1] == pytest.approx(-9.81 * 0.5**2 / 2, rel=0.01)


def test_a_hinge_stays_within_its_limits():
    flap = Hinge(
        Link("flap", Body(Capsule(0.05, 0.6)), (0.5, 0, 0), Orientation.turned(90, "z")), at=(0, 0, 0), limits=(-30, 0)
    )
    take = shoot(Stage([Actor("wall", Figure(Body(Box(0.1)), [flap], held=True))], gravity=DOWN), 3)
    x, y, _ = (take["wall/flap"].position - take["wall"].position).T
    assert np.degrees(np.arctan2(y, x)).min() == pytest.approx(-30, abs=1.5)


def hand_height_after(seconds, **options):
    """How high the hand of an arm is after a while, which nobody leads."""
    return shoot(Stage([Actor("arm", arm(**options))], gravity=DOWN), seconds)["arm/hand"].position[-1, 1]


def test_stiffness_returns_a_joint_to_rest_and_damping_slows_it():
    assert (
        hand_height_after(4, stiffness=5.0, damping=1.0) < hand_height_after(4, stiffness=50.0, damping=1.0) - 0.1 < 1.0
    )
    heights = [hand_height_after(0.25, damping=damping) for damping in (1.0, 5.0, 20.0)]
    assert (np.diff(heights) > 0.02).all()
    assert heights[-1] < 1.0


def test_links_follow_the_driven_hand():
    take = shoot(reach_stage(), 3)
    hand = take["arm/hand"].position
    assert np.linalg.norm(hand[-1] - HAND_PATH.at(2.0)) < 2e-3
    path_points = np.array(HAND_PATH.at(np.linspace(0, 2, 400)))
    distances = np.linalg.norm(hand[:, None] - path_points, axis=2).min(axis=1)
    assert distances.max() < 0.03
    assert np.linalg.norm(take["arm/upper"].position[-1] - take["arm/upper"].position[0]) > 0.05
    assert take["arm"].position.tolist() == [[0, 1, 0]] * len(take.times)


def test_the_weight_of_an_arm_does_not_pull_its_hand_off_the_path():
    sag = {
        correction: np.linalg.norm(
            shoot(reach_stage(reach=Reach("arm/hand", HAND_PATH, within=0.1, correction=correction)), 4)[
                "arm/hand"
            ].position[-1]
            - HAND_PATH.at(2.0)
        )
        for correction in (0.1, None)
    }
    assert sag[0.1] < 1e-3 < 0.03 < sag[None]


def test_sufficient_joint_strength_needs_no_assist_force():
    unassisted = shoot(reach_stage(arm(strength=100), Reach("arm/hand", HAND_PATH, within=0.1, help=0)), 3)[
        "arm/hand"
    ].position
    assisted = shoot(reach_stage(), 3)["arm/hand"].position
    assert np.abs(unassisted - assisted).max() < 1e-6


def test_insufficient_joint_strength_lets_the_hand_sink_without_assist_force():
    def lowest_height(**options):
        return (
            shoot(reach_stage(arm(strength=2.0), Reach("arm/hand", HAND_PATH, within=0.1, **options)), 1)["arm/hand"]
            .position[:, 1]
            .min()
        )

    assert lowest_height(help=0) < 0.3 < lowest_height(help=None)


def test_hand_reaches_another_actor():
    goal_motion = Motion(MotionPath([(0.85, 1, 0), (0.5, 0.6, 0)]), duration=2.0)
    stage = Stage(
        [Actor("arm", arm()), Actor("lead", goal_motion)],
        connections=[Reach("arm/hand", "lead", within=0.1)],
        gravity=DOWN,
    )
    take = shoot(stage, 3)
    assert np.linalg.norm(take["arm/hand"].position[-1] - take["lead"].position[-1]) < 2e-3


def test_loop_of_links_stays_closed():
    leg_shape = Capsule(0.03, 0.5)
    joints = [
        Ball(Link("left", Body(leg_shape), (-0.2, -0.25, 0), Orientation.turned(-40, "z")), at=(0, 0, 0)),
        Ball(Link("right", Body(leg_shape), (0.2, -0.25, 0), Orientation.turned(40, "z")), at=(0, 0, 0)),
        Hinge(
            Link("bar", Body(Capsule(0.02, 0.36)), (0, -0.25, 0), Orientation.turned(90, "z")),
            "left",
            at=(-0.2, -0.25, 0),
        ),
        Ball("bar", "right", at=(0.2, -0.25, 0)),
    ]
    take = shoot(
        Stage([Actor("A", Figure(Body(Sphere(0.05)), joints, position=(0, 2, 0), held=True))], gravity=DOWN), 3
    )
    gap = link_point(take, "A/bar", (0, -0.2, 0)) - take["A/right"].position
    assert np.linalg.norm(gap, axis=1).max() < 0.01


def test_pinned_link_keeps_its_relative_pose():
    take = shoot(
        Stage(
            [
                Actor(
                    "T",
                    Figure(
                        Body(Box(0.2)), [Pin(Link("top", Body(Box((1, 0.1, 0.1))), (0, 0.3, 0)))], position=(0, 2, 0)
                    ),
                ),
                Actor("floor", Still(Body(Plane()))),
            ],
            gravity=DOWN,
        ),
        2,
    )
    offset = quaternion.rotate(take["T"].orientation, np.array([0, 0.3, 0]))
    assert np.abs(take["T"].position + offset - take["T/top"].position).max() < 1e-9


def test_links_can_be_parents_targets_and_carriers():
    cup_motion = Motion(MotionPath([(0, 0.1, 0), (0, 0.1, 0.0001)]), duration=1.0)
    grab_path = MotionPath([Key((2, 1, 0)), Key((0, 0.05, 0), relative_to="arm/hand", pin=False)])
    stage = Stage(
        [
            Actor("arm", arm()),
            Actor("cup", cup_motion, parent="arm/hand"),
            Actor("eye", cup_motion, facing=LookAt("arm/hand")),
            Actor("fly", DynamicSpline((1, 1, 0), senses={fields.KeepDistance("arm/hand", 0.3): 0.5})),
            Actor("other", Motion(grab_path, duration=1.0)),
        ],
        connections=[HAND_REACH],
        gravity=DOWN,
    )
    take = shoot(stage, 1.5)
    hand = take["arm/hand"]
    expected = hand.position + quaternion.rotate(hand.orientation, np.array([0, 0.1, 0]))
    assert np.abs(take["cup"].position - expected)[1:].max() < 2e-3
    assert np.linalg.norm(take["other"].position[-1] - hand.position[-1]) == pytest.approx(0.05, abs=0.01)


def test_collision_of_a_link_is_reported():
    wall = Actor("wall", Still(Body(Box((0.1, 1, 1))), (0.45, 0.3, 0)))
    take = shoot(Stage([Actor("arm", arm()), wall], gravity=DOWN), 1)
    assert {(event.actor, event.other) for event in take.events} & {("arm/hand", "wall"), ("arm/lower", "wall")}


def test_hand_with_unreachable_goal_is_reported_as_stuck():
    path = MotionPath([(0.85, 1, 0), (0.6, 0.6, 0), (0.9, 0.2, 0)])
    (event,) = shoot(reach_stage(reach=Reach("arm/hand", path, within=0.1)), 5).events
    assert (event.actor, event.kind) == ("arm/hand", "warning")


def test_rewind_of_a_figure_is_bitwise_identical():
    run = Run(reach_stage(arm(strength=20.0)))
    while run.time < 1.0:
        run.tick()
    expected = run.poses["arm/hand"].position.copy()
    run.rewind(0.4)
    while run.time < 1.0:
        run.tick()
    assert (run.poses["arm/hand"].position == expected).all()


def test_two_takes_of_a_figure_are_bitwise_identical():
    stage = reach_stage(arm(strength=5.0))
    first, second = shoot(stage, 1), shoot(stage, 1)
    for name in LINKS:
        assert (first[name].position == second[name].position).all()
        assert (first[name].orientation == second[name].orientation).all()


def test_figure_added_again_to_a_run_starts_at_rest():
    crate = Actor("crate", Free(Body(Box(0.1)), (3, 0, 0)))
    before, after = Stage([crate], gravity=DOWN), Stage([crate, Actor("arm", arm())], gravity=DOWN)
    run = Run(before)
    for _ in range(2):
        run.rewind(0)
        run.tick()
        run.change(after)
        assert run.poses["arm/hand"].position.tolist() == [0.85, 1.0, 0.0]
        while run.time < 0.5:
            run.tick()
        assert run.poses["arm/hand"].position[1] < 0.9, "it falls"


def test_batch_steps_are_bitwise_identical_to_single_ticks():
    run, take = Run(reach_stage()), shoot(reach_stage(), 0.5)
    while run.time < 0.5:
        run.tick()
    assert (run.poses["arm/lower"].orientation == take["arm/lower"].orientation[-1]).all()


def test_figure_keeps_its_pose_when_its_joint_strength_changes():
    run = Run(reach_stage())
    while run.time < 0.5:
        run.tick()
    before = run.poses["arm/hand"].position.copy()
    run.change("arm", arm(strength=50.0))
    assert np.abs(run.poses["arm/hand"].position - before).max() < 1e-12


def test_saved_figures_are_shot_again_bitwise_identically(tmp_path):
    stage = reach_stage(arm(strength=5.0))
    save(stage, tmp_path / "arm.json")
    loaded = load(tmp_path / "arm.json")
    assert loaded == stage
    assert pickle.loads(pickle.dumps(stage)) == stage
    assert (shoot(loaded, 0.5)["arm/hand"].position == shoot(stage, 0.5)["arm/hand"].position).all()


BALL = Body(Sphere(0.1))
STRONG_HINGE = Hinge("a", at=(0, 0, 0), strength=3)
FREE, MOVING = Actor("a", Free(BALL, (0, 0, 0))), Actor("a", Motion(HAND_PATH, duration=1.0))
REACH = Reach("a", HAND_PATH, within=0.1)


def figure_with_loop_joint(joint):
    return Figure(BALL, [Pin(Link("a", BALL)), joint])


INVALID_FIGURES = {
    "no joints": (lambda: Figure(BALL, 3), r"joints 3\. Give a list"),
    "a joint that is none": (lambda: Figure(BALL, [3]), r"joint 3\. Give a Hinge"),
    "two links of one name": (lambda: Figure(BALL, [Pin(Link("a", BALL)), Pin(Link("a", BALL))]), r"Two links .*'a'"),
    "an unknown link": (lambda: Figure(BALL, [Pin(Link("hand", BALL)), Pin(Link("b", BALL), "hnd")]),
                        r"'hnd', .*Did you mean 'hand'"),
    "a ring with nobody": (lambda: Figure(BALL, [Ball("b", at=(0, 0, 0))]), r"speaks of 'b', which no joint before"),
    "a ring with limits": (lambda: figure_with_loop_joint(Hinge("a", at=(1, 0, 0), limits=(-30, 30))),
                           r"A hinge that closes a ring at 'a' has limits=\(-30\.0, 30\.0\)\. Only a joint"),
    "a ring with a limit": (
        lambda: figure_with_loop_joint(Ball("a", at=(1, 0, 0), limit=30)),
        r"ball that closes a ring .* limit=30",
    ),
    "a stiff ring": (
        lambda: figure_with_loop_joint(Ball("a", at=(1, 0, 0), stiffness=2)),
        r"closes a ring .* stiffness=2",
    ),
    "a damped ring": (
        lambda: figure_with_loop_joint(Hinge("a", at=(1, 0, 0), damping=2)),
        r"closes a ring .* damping=2",
    ),
    "a ring with a muscle": (
        lambda: figure_with_loop_joint(Hinge("a", at=(1, 0, 0), strength=2)),
        r"closes a ring .* strength=2",
    ),
    "a reach of a drawing": (lambda: Reach("a", MotionPath([[(0, 0, 0), (1, 0, 0)]] * 2), within=0.1),
                             r"A reach was given a path of places shaped \(2, 3\)\. A body is at one place"),
    "a reach too fast": (
        lambda: Reach("a", HAND_PATH, within=1e-4, speed=1e4, reaction=1e4),
        r"A reach has speed=10000, ",
    ),
    "a link with a slash": (lambda: Link("a/b", BALL), r"named 'a/b'\. Give a name without"),
    "a plane for a link": (lambda: Link("a", Body(Plane())), r"half of space"),
    "limits the wrong way round": (lambda: Hinge("a", at=(0, 0, 0), limits=(30, -30)),
                                   r"limits=\(30, -30\)\. Give two angles"),
    "limits beyond rest": (lambda: Hinge("a", at=(0, 0, 0), limits=(10, 45)),
                           r"limits=\(10, 45\), and begins at rest, at 0 degrees, which is outside\. Let 0 be within"),
    "limits before rest": (lambda: Hinge("a", at=(0, 0, 0), limits=(-45, -1e-9)), r"Let 0 be within them, and turn"),
    "a hinge to itself": (lambda: Hinge("a", "a", at=(0, 0, 0)), r"'a' to itself"),
    "a name twice": (lambda: Stage([Actor("arm", arm()), Actor("arm/hand", Free(BALL, (0, 0, 0)))]),
                     r"'arm/hand', and so is a link of 'arm'"),
    "a reach for nobody": (lambda: reach_stage(reach=Reach("arm/hnd", HAND_PATH, within=0.1)),
                           r"A reach holds 'arm/hnd', .*Did you mean 'arm/hand'"),
    "a reach of a follower": (lambda: Stage([Actor("a", Follow(HAND_PATH, BALL, within=0.1))], connections=[REACH]),
                              r"follows a path already"),
    "a reach of what is held": (lambda: reach_stage(reach=Reach("arm", HAND_PATH, within=0.1)), r"'arm', who is held"),
    "two reaches": (
        lambda: Stage([Actor("arm", arm())], connections=[HAND_REACH, HAND_REACH]),
        r"Two reaches lead 'arm/hand'",
    ),
    "a reach of who has no body": (lambda: Stage([MOVING, Actor("arm", arm())], connections=[REACH]),
                                   r"'a', who has no body"),
    "a reach to nobody": (lambda: reach_stage(reach=Reach("arm/hand", "cup", within=0.1)),
                          r"'arm/hand' has a goal at 'cup', who is not"),
    "a reach to itself": (lambda: Reach("a", "a", within=0.1), r"goal 'a'\. Name another"),
    "a reach without a goal": (lambda: Reach("a", 3, within=0.1), r"goal 3\. Give a MotionPath"),
    "muscles between actors": (
        lambda: Stage([FREE], connections=[STRONG_HINGE]),
        r"strength=3.*Only the joints of a figure",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", INVALID_FIGURES)
def test_invalid_figure_is_refused_with_reason(case):
    build, message = INVALID_FIGURES[case]
    with pytest.raises(KeyposeError, match=message):
        build()
