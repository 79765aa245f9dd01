"""A run rewound and played again comes to the same bits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    KeyposeError,
    LookAt,
    Run,
    Stage,
    shoot,
)
from tests.stage.sample_movers import TURN, WALK, Drifter, Follower, same_poses, tick_many

# ---- rewinding -------------------------------------------------------------------------------------------------------


def test_rewind_goes_to_the_last_tick_not_after_the_time():
    run = tick_many(Run(Stage([Actor("a", Drifter())])), 50)
    assert run.rewind(3.05) == 3.0
    assert run.rewind(3.05) == 3.0  # it is there already
    assert run.rewind(2.9) == 2.9
    assert run.ticks == 29
    assert run.rewind() == 0
    with pytest.raises(KeyposeError, match=r"is at 0 s and cannot be rewound to 3 s"):
        run.rewind(3)
    for bad in (-1, float("nan"), "yesterday"):
        with pytest.raises(KeyposeError):
            run.rewind(bad)


def test_replay_repeats_changes_until_a_new_change_replaces_them():
    run = tick_many(Run(Stage([Actor("a", Drifter())])), 10)
    run.change("a", Drifter(velocity=(1.0, 0.0, 0.0)))
    tick_many(run, 10)
    run.rewind(0.5)
    assert_allclose(tick_many(run, 15).poses["a"].position, (1, 0, 1))
    run.rewind(0.5)
    run.change("a", Drifter(velocity=(0.0, 1.0, 0.0)))
    assert_allclose(tick_many(run, 15).poses["a"].position, (0, 1.5, 0.5))


def test_snapshot_restores_a_run_with_its_history():
    run = tick_many(Run(Stage([Actor("a", Drifter())])), 30)
    run.change("a", Drifter(velocity=(1.0, 0.0, 0.0)))
    snapshot, poses = tick_many(run, 7).snapshot(), run.poses
    run.rewind(1.0)
    run.change("a", Drifter(velocity=(0.0, 5.0, 0.0)))
    tick_many(run, 40)
    assert run.rewind(snapshot) == snapshot.time == 3.7
    assert same_poses(run.poses, poses)
    run.rewind(0.2)
    assert same_poses(tick_many(run, 35).poses, poses)


def test_forget_drops_the_early_history_of_a_run():
    run = Run(Stage([Actor("man", WALK), Actor("dog", Drifter())]))
    for count in range(1, 51):
        tick_many(run, 1)
        run.change("dog", Drifter(velocity=(0.0, 0.0, float(count))))
    poses = run.poses
    run.forget(10)
    assert run.earliest_time == pytest.approx(4.1)
    assert run.rewind(4.5) == pytest.approx(4.5)
    tick_many(run, 5)
    assert same_poses(run.poses, poses)
    with pytest.raises(KeyposeError, match=r"is at 5 s and is known since 4.1 s and cannot be rewound to 4 s"):
        run.rewind(4.0)
    for wrong in (0, -1, 1.5):
        with pytest.raises(KeyposeError, match="Give a whole number from 1 on"):
            run.forget(wrong)


def test_long_run_stores_few_states_and_rewinds_bitwise_identically():
    run = Run(Stage([Actor("man", WALK), Actor("a", Follower(("man",), 1.0))]), tick=0.001)
    tick_many(run, 100)
    run.change("a", Follower(("man",), 2.0))
    history = {}
    for _ in range(9000):
        run.tick()
        if run.ticks % 1111 == 0:
            history[run.ticks] = run.time, run.poses
    assert len(run.snapshot().checkpoints) < 120
    for ticks in (8888, 4444, 3333):
        assert run.rewind(history[ticks][0]) == history[ticks][0]
        assert same_poses(run.poses, history[ticks][1])
    assert run.rewind(0.099) == 0.099
    assert run.stage["a"].mover.pull == 1.0
    assert tick_many(run, 1).stage["a"].mover.pull == 2.0


CAST = [
    Actor("man", WALK, facing=FaceForward(0.2)),
    Actor("a", Follower(("man", "b"), 2.0), facing=FaceForward(0.5)),
    Actor("b", Follower(("a",), 5.0, (3.0, 0.0, 0.0)), parent="man"),
    Actor("c", Follower(("hat",), 1.0, (0.0, 0.0, 7.0)), facing=LookAt("b")),
    Actor("hat", TURN, parent="c"),
]
CHANGES = [
    ("a", {"thing": Follower(("b",), 7.0)}),
    ("a", {"thing": Drifter(("man",))}),
    ("man", {"thing": TURN}),
    ("b", {"parent": None}),
    ("c", {"facing": FaceForward()}),
    ("hat", {"parent": "a"}),
]
EVENT_SEQUENCES = st.lists(st.one_of(st.integers(1, 40), st.sampled_from(CHANGES)), min_size=1, max_size=8)


def play_sequence(run, sequence):
    """All poses tick by tick of a story of ticks and changes, and what was there after each change."""
    history = [run.poses]
    for part in sequence:
        if isinstance(part, int):
            for _ in range(part):
                run.tick()
                history.append(run.poses)
        else:
            run.change(part[0], **part[1])
            history[-1] = run.poses
    return history


@settings(deadline=None, max_examples=30)
@given(EVENT_SEQUENCES, st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_replay_after_rewind_is_bitwise_identical(sequence, shares):
    run = Run(Stage(CAST))
    history = play_sequence(run, sequence)
    for share in shares:
        run.rewind(share * run.time)
        while run.ticks < len(history) - 1:
            assert same_poses(run.poses, history[run.ticks])
            run.tick()
        assert same_poses(run.poses, history[-1])


@settings(deadline=None, max_examples=20)
@given(EVENT_SEQUENCES, st.permutations(CAST))
def test_actor_order_does_not_matter(sequence, cast):
    one, two = play_sequence(Run(Stage(CAST)), sequence), play_sequence(Run(Stage(cast)), sequence)
    assert all(same_poses(before, after) for before, after in zip(one, two, strict=True))


def test_run_poses_equal_the_frames_of_a_take():
    stage = Stage(CAST)
    take, run = shoot(stage, 3.0), Run(stage)
    for frame in range(len(take.times)):
        for name, pose in run.poses.items():
            assert_array_equal(pose.position, take[name].position[frame])
            assert_array_equal(pose.orientation, take[name].orientation[frame])
        run.tick()
