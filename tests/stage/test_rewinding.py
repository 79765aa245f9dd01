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
from tests.stage.runners import TURN, WALK, Drifting, Follower, same, ticked

# ---- rewinding -------------------------------------------------------------------------------------------------------


def test_a_run_is_rewound_to_the_last_tick_not_after_a_time():
    run = ticked(Run(Stage([Actor("a", Drifting())])), 50)
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


def test_a_change_comes_again_where_it_was_made_and_a_new_one_begins_another_story():
    run = ticked(Run(Stage([Actor("a", Drifting())])), 10)
    run.change("a", Drifting(velocity=(1.0, 0.0, 0.0)))
    ticked(run, 10)
    run.rewind(0.5)
    assert_allclose(ticked(run, 15).poses["a"].position, (1, 0, 1))
    run.rewind(0.5)
    run.change("a", Drifting(velocity=(0.0, 1.0, 0.0)))
    assert_allclose(ticked(run, 15).poses["a"].position, (0, 1.5, 0.5))


def test_a_snapshot_brings_a_run_back_with_its_story():
    run = ticked(Run(Stage([Actor("a", Drifting())])), 30)
    run.change("a", Drifting(velocity=(1.0, 0.0, 0.0)))
    snapshot, there = ticked(run, 7).snapshot(), run.poses
    run.rewind(1.0)
    run.change("a", Drifting(velocity=(0.0, 5.0, 0.0)))
    ticked(run, 40)
    assert run.rewind(snapshot) == snapshot.time == 3.7
    assert same(run.poses, there)
    run.rewind(0.2)
    assert same(ticked(run, 35).poses, there)


def test_a_run_that_is_changed_all_the_time_can_forget_how_it_began():
    run = Run(Stage([Actor("man", WALK), Actor("dog", Drifting())]))
    for count in range(1, 51):
        ticked(run, 1)
        run.change("dog", Drifting(velocity=(0.0, 0.0, float(count))))
    here = run.poses
    run.forget(10)
    assert run.earliest_time == pytest.approx(4.1)
    assert run.rewind(4.5) == pytest.approx(4.5)
    ticked(run, 5)
    assert same(run.poses, here)
    with pytest.raises(KeyposeError, match=r"is at 5 s and is known since 4.1 s and cannot be rewound to 4 s"):
        run.rewind(4.0)
    for wrong in (0, -1, 1.5):
        with pytest.raises(KeyposeError, match="Give a whole number from 1 on"):
            run.forget(wrong)


def test_a_long_run_keeps_few_moments_and_is_rewound_to_the_same_bits():
    run = Run(Stage([Actor("man", WALK), Actor("a", Follower(("man",), 1.0))]), tick=0.001)
    ticked(run, 100)
    run.change("a", Follower(("man",), 2.0))
    seen = {}
    for _ in range(9000):
        run.tick()
        if run.ticks % 1111 == 0:
            seen[run.ticks] = run.time, run.poses
    assert len(run._checkpoints) < 120
    for ticks in (8888, 4444, 3333):
        assert run.rewind(seen[ticks][0]) == seen[ticks][0]
        assert same(run.poses, seen[ticks][1])
    assert run.rewind(0.099) == 0.099
    assert run.stage["a"].mover.pull == 1.0
    assert ticked(run, 1).stage["a"].mover.pull == 2.0


CAST = [
    Actor("man", WALK, facing=FaceForward(0.2)),
    Actor("a", Follower(("man", "b"), 2.0), facing=FaceForward(0.5)),
    Actor("b", Follower(("a",), 5.0, (3.0, 0.0, 0.0)), parent="man"),
    Actor("c", Follower(("hat",), 1.0, (0.0, 0.0, 7.0)), facing=LookAt("b")),
    Actor("hat", TURN, parent="c"),
]
CHANGES = [
    ("a", {"thing": Follower(("b",), 7.0)}),
    ("a", {"thing": Drifting(("man",))}),
    ("man", {"thing": TURN}),
    ("b", {"parent": None}),
    ("c", {"facing": FaceForward()}),
    ("hat", {"parent": "a"}),
]
STORIES = st.lists(st.one_of(st.integers(1, 40), st.sampled_from(CHANGES)), min_size=1, max_size=8)


def played(run, story):
    """All poses tick by tick of a story of ticks and changes, and what was there after each change."""
    seen = [run.poses]
    for part in story:
        if isinstance(part, int):
            for _ in range(part):
                run.tick()
                seen.append(run.poses)
        else:
            run.change(part[0], **part[1])
            seen[-1] = run.poses
    return seen


@settings(deadline=None, max_examples=30)
@given(STORIES, st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_rewinding_and_replaying_is_the_same_to_the_bit(story, shares):
    run = Run(Stage(CAST))
    seen = played(run, story)
    for share in shares:
        run.rewind(share * run.time)
        while run.ticks < len(seen) - 1:
            assert same(run.poses, seen[run.ticks])
            run.tick()
        assert same(run.poses, seen[-1])


@settings(deadline=None, max_examples=20)
@given(STORIES, st.permutations(CAST))
def test_the_order_of_actors_does_not_matter(story, cast):
    one, two = played(Run(Stage(CAST)), story), played(Run(Stage(cast)), story)
    assert all(same(before, after) for before, after in zip(one, two, strict=True))


def test_a_run_shows_the_frames_that_are_shot():
    stage = Stage(CAST)
    take, run = shoot(stage, 3.0), Run(stage)
    for frame in range(len(take)):
        for name, pose in run.poses.items():
            assert_array_equal(pose.position, take[name].position[frame])
            assert_array_equal(pose.orientation, take[name].orientation[frame])
        run.tick()
