"""Moving, adding and removing keys: the same as saying it all anew, sharing all that was not touched."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves import editing, facings
from keypose.curves.editing import Lost
from keypose.curves.key import Key, Turn
from keypose.curves.keys import Keys
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError
from keypose.maths import quaternion
from keypose.motion.motion import Motion

SIZES = st.one_of(st.integers(2, 12), st.sampled_from([130, 256, 257, 300, 513, 700]))


def turned(degrees, about="y"):
    return Orientation.turned(degrees, about)


def angle(one, two):
    """Degrees between orientations (…, 4), also small ones."""
    turn = quaternion.multiply(one, quaternion.conjugate(two))
    return np.degrees(2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=-1), np.abs(turn[..., 0])))


def some_keys(rng, count, *, timed="none", faced="none", shaped=True, by_hand=False, turning=False):
    """Keys that say a bit of everything. `timed`, `faced`: none, some or all of them."""
    share = {"none": 0.0, "some": 0.6, "all": 1.0}
    keys = []
    for index in range(count):
        said = {"name": f"k{index}"} if rng.random() < 0.3 else {}
        if rng.random() < share[timed]:
            said["time"] = index + rng.uniform(0, 0.9)
        if rng.random() < share[faced]:
            facing = quaternion.normalized(rng.normal(size=4))
            said["orientation"] = Turn(facing, tension=0.3) if rng.random() < 0.2 else facing
        if shaped and rng.random() < 0.4:
            said |= dict(zip(("tension", "continuity", "bias"), rng.uniform(-1, 1, 3), strict=True))
        only_turns = turning and "orientation" in said and rng.random() < 0.4 and index > 1
        if by_hand and not only_turns and rng.random() < 0.3:
            said["leave"] = rng.normal(size=2)
        keys.append(Key(None if only_turns else rng.normal(size=2), **said))
    return keys


@st.composite
def paths(draw, sizes=SIZES, turning=False):
    """Open and closed paths of every rule, timed or not, with and without facings."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    timed = draw(st.sampled_from(["none", "some", "all"]))
    faced = draw(st.sampled_from(["none", "some", "all"]))
    rules = [None, "none", "length", "unit"] + (["time", "velocity"] if timed == "all" else [])
    style = {
        "adjust": draw(st.sampled_from(rules)),
        "ends": draw(st.sampled_from(["reflect", "still", "zero-chord"])),
        "closed": draw(st.booleans()),
        "bias": 0.2,
    }
    count = draw(sizes)
    keys = some_keys(rng, count, timed=timed, faced=faced, by_hand=draw(st.booleans()), turning=turning)
    path = MotionPath(keys, **style)
    if draw(st.booleans()):
        path.length  # noqa: B018  measured paths hand their rulers on
    return path, keys, style, rng


def assert_same(path, other):
    """Two paths that say, draw and measure the same."""
    assert path == other
    assert hash(path) == hash(other)
    assert (path.adjust, path.shape, path.segments) == (other.adjust, other.shape, other.segments)
    u = np.linspace(-0.5, path.segments + 0.5, 60)
    few = u[::15]
    assert_array_equal(path.at(few), other.at(few))
    assert_allclose(path.length, other.length, rtol=1e-12)
    d = np.linspace(0, path.length, 5)
    assert_allclose(path.along(d), other.along(d), atol=1e-9 * (1 + path.length))
    assert_array_equal(path.at(u), other.at(u))
    assert_array_equal(path.leave, other.leave)
    assert_array_equal(path.arrive, other.arrive)
    assert_array_equal(path.orientation_at(u), other.orientation_at(u))


# ---- the same as saying it anew --------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(paths(), st.data())
def test_a_changed_key_gives_the_path_that_was_built_with_it(made, data):
    path, keys, style, rng = made
    index = data.draw(st.integers(0, len(keys) - 1) if len(keys) < 20 else st.sampled_from([0, 1, 128, -3, -2, -1]))
    time = keys[index].time
    changes = data.draw(
        st.sampled_from(
            [
                {"position": rng.normal(size=2)},
                {"tension": 0.7, "bias": -0.4},
                {"arrive": (1.0, 2.0), "leave": None},
                {"leave": "chord"},
                {"orientation": quaternion.normalized(rng.normal(size=4))},
                {"orientation": None},
                {"name": "new"},
                {"time": None if time is None else time + 0.05},
                {"relative_to": "glass", "pin": False},
                {},
            ]
        )
    )
    edited = path.with_key(index, **changes)
    keys[index] = keys[index].changed(**changes)
    assert_same(edited, MotionPath(keys, **style))


@settings(deadline=None, max_examples=40)
@given(paths(st.one_of(st.integers(3, 12), st.sampled_from([257, 513, 700]))), st.data())
def test_a_removed_key_gives_the_path_that_was_built_without_it(made, data):
    path, keys, style, _ = made
    index = data.draw(st.integers(0, len(keys) - 1) if len(keys) < 20 else st.sampled_from([0, 1, 256, -2, -1]))
    edited = path.without_key(index)
    del keys[index]
    assert_same(edited, MotionPath(keys, **style))


@settings(deadline=None, max_examples=40)
@given(paths(), st.floats(0.001, 0.999), st.data())
def test_a_key_inserted_for_tcb_gives_the_path_that_was_built_with_it(made, s, data):
    path, keys, style, _ = made
    gap = data.draw(st.integers(0, path.segments - 1))
    edited = path.insert(gap + s, keep_shape=False, name="new")
    new = edited.keys[gap + 1]
    assert_allclose(new.position, path.at(gap + s), atol=1e-14)
    assert (new.arrive, new.leave, new.tension, new.name) == (None, None, None, "new")
    keys.insert(gap + 1, new)
    if edited.style.closing is None:
        assert_same(edited, MotionPath(keys, **style))
    else:  # on closed timed paths the last way is remembered: there is no word for it
        assert_same(edited, MotionPath._made(Keys.of(keys), edited.style))


@settings(deadline=None, max_examples=30)
@given(paths(st.integers(2, 9), turning=True), st.data())
def test_paths_with_keys_that_only_turn_are_edited_like_any_other(made, data):
    path, keys, style, rng = made
    index = data.draw(st.integers(0, len(keys) - 1))
    changes = data.draw(
        st.sampled_from([{"tension": 1.0}, {"orientation": turned(50)}, {"position": rng.normal(size=2)}])
    )
    edited = path.with_key(index, **changes)
    keys[index] = keys[index].changed(**changes)
    assert_same(edited, MotionPath(keys, **style))
    if len(keys) > 3:
        del keys[0]
        if any(key.position is not None for key in keys):
            assert_same(edited.without_key(0), MotionPath(keys, **style))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("timed", ["none", "all"])
def test_two_hundred_edits_later_it_is_still_the_path_of_its_keys(closed, timed):
    rng = np.random.default_rng(7)
    path = MotionPath(some_keys(rng, 600, timed=timed, faced="some"), closed=closed)
    path.length  # noqa: B018
    for step in range(200):
        kind, index = rng.integers(5), int(rng.integers(len(path)))
        if kind == 0:
            path = path.with_key(index, position=rng.normal(size=2))
        elif kind == 1:
            path = path.with_key(index, tension=rng.uniform(-1, 1))
        elif kind == 2:
            path = path.without_key(index)
        else:
            path = path.insert(rng.uniform(0, path.segments), keep_shape=kind == 3)
        if step % 20 == 0:
            path.along(1.0)
    anew = MotionPath._made(Keys.of(list(path.keys)), path.style)
    assert_same(path, anew)
    assert sum(strand.ruler.length for strand in path._rope.strands) == pytest.approx(anew.length, rel=1e-12)


def test_an_edit_that_changes_the_rule_derives_everything_again():
    keys = [Key((index % 3, index**1.5), time=float(index**2)) for index in range(9)]
    partly = [*keys[:4], keys[4].changed(time=None), *keys[5:]]
    path = MotionPath(partly)
    assert path.adjust == "length"
    assert_same(path.with_key(4, time=16), MotionPath(keys))
    assert_same(MotionPath(keys).with_key(4, time=None), path)
    assert path.without_key(4).adjust == "time"
    assert_same(path.without_key(4), MotionPath([*keys[:4], *keys[5:]]))
    faced = keys[4].changed(orientation=turned(20))
    only_turns = MotionPath([*keys[:4], faced, *keys[5:]]).with_key(4, position=None)
    assert_same(only_turns, MotionPath([*keys[:4], faced.changed(position=None), *keys[5:]]))
    assert_same(only_turns.with_key(4, position=(1, 8)), MotionPath([*keys[:4], faced, *keys[5:]]))


@pytest.mark.parametrize("adjust", ["time", "velocity"])
@pytest.mark.parametrize("key", [0, 1, -3, -2, -1])
def test_on_a_timed_loop_the_way_back_answers_to_the_last_way(key, adjust):
    rng = np.random.default_rng(8)
    keys = some_keys(rng, 30, timed="all")
    path = MotionPath(keys, closed=True, adjust=adjust)
    edited = path.with_key(key, time=keys[key].time + 0.05)
    keys[key] = keys[key].changed(time=keys[key].time + 0.05)
    assert_same(edited, MotionPath(keys, closed=True, adjust=adjust))
    del keys[key]
    assert_same(edited.without_key(key), MotionPath(keys, closed=True, adjust=adjust))


def test_the_last_place_can_be_taken_away_and_given_again():
    turns = [Key(orientation=turned(30)), Key(orientation=turned(60))]
    path = MotionPath([Key((1, 2), orientation=turned(0)), *turns])
    nowhere = path.with_key(0, position=None)
    assert nowhere.shape == (3,)
    assert_same(nowhere, MotionPath([Key(orientation=turned(0)), *turns]))
    assert_same(nowhere.with_key(0, position=(1, 2)), path)


# ---- sharing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edit", ["move", "remove", "insert"])
def test_an_edit_shares_every_strand_it_does_not_touch(edit):
    path = MotionPath(np.random.default_rng(0).normal(size=(2560, 3)))
    path.length  # noqa: B018
    edits = {
        "move": lambda: path.with_key(1300, position=(0, 0, 0)),
        "remove": lambda: path.without_key(1300),
        "insert": lambda: path.insert(1300.5, keep_shape=False),
    }
    edited = edits[edit]()
    for rope, old in ((edited._rope, path._rope), (edited.keys.rope, path.keys.rope)):
        assert len(old.strands) == 10
        assert [mine is theirs for mine, theirs in zip(rope.strands, old.strands, strict=True)].count(False) == 1
        assert rope.strands[5] is not old.strands[5]
    assert all(strand._ruler is not None for strand in edited._rope.strands)  # measured: only the new part was


def test_an_edit_leaves_the_old_path_as_it_was():
    path = MotionPath(np.random.default_rng(1).normal(size=(700, 2)))
    u = np.linspace(0, 699, 2000)
    before, length = path.at(u), path.length
    path.with_key(300, position=(50, 50)).insert(300.5).without_key(10)
    assert_array_equal(path.at(u), before)
    assert path.length == length
    assert len(path) == 700


def test_a_few_questions_to_an_edited_path_do_not_put_it_together_again():
    path = MotionPath(np.random.default_rng(2).normal(size=(3000, 2)))
    path.length  # noqa: B018
    edited = path.with_key(1500, position=(0, 0))
    few = np.array([0.3, 1499.5, 1500.0, 2998.9])
    answers = edited.at(few), edited.velocity(few), edited.along(few), edited.at(1499.5), edited.length
    assert not edited._rope.is_whole
    anew = MotionPath(list(edited.keys))
    assert_array_equal(answers[0], anew.at(few))
    assert_array_equal(answers[1], anew.velocity(few))
    assert_allclose(answers[2], anew.along(few), atol=1e-11)
    assert_array_equal(answers[3], anew.at(1499.5))
    assert answers[4] == pytest.approx(anew.length, rel=1e-13)
    out = np.empty((2, 2))
    assert edited.at(few[:2], out=out) is out
    assert_array_equal(out, answers[0][:2])


def test_beyond_the_ends_an_edited_path_holds_like_any_other():
    places = np.random.default_rng(3).normal(size=(900, 2))
    places[600:] = places[600]  # the last strand has no length at all
    edited = MotionPath(places).with_key(300, position=(0, 0))
    assert_array_equal(edited.parameter([-1.0, edited.length, np.inf]), [0, 899, 899])


# ---- insert keeps the curve ------------------------------------------------------------------------------------------


def as_it_was(path, u0, u):
    """Where a place u of the old path lies on the one with a key inserted at u0."""
    gap, s = int(u0), u0 - int(u0)
    after = np.where(u < gap + 1, gap + 1 + (u - u0) / (1 - s), u + 1)
    return np.where(u <= gap, u, np.where(u <= u0, gap + (u - gap) / s, after))


@settings(deadline=None, max_examples=60)
@given(paths(turning=True), st.floats(0.01, 0.99), st.data())
def test_an_inserted_key_leaves_the_curve_exactly_where_it_was(made, s, data):
    path, keys, _, _ = made
    gap = data.draw(st.integers(0, path.segments - 1))
    edited = path.insert(gap + s)
    assert len(edited) == len(keys) + 1
    u = np.unique(np.r_[np.linspace(0, path.segments, 150), gap + np.linspace(0, 1, 30)])
    assert_allclose(edited.at(as_it_was(path, gap + s, u)), path.at(u), atol=1e-12)
    assert edited.length == pytest.approx(path.length, rel=1e-9)  # measured anew, in other divisions
    assert edited.adjust == path.adjust
    if path.times is not None:
        old, new = Motion(path), Motion(edited)
        assert new.span == pytest.approx(old.span, abs=1e-12)
        t = np.linspace(*old.span, 100)
        assert_allclose(new.at(t).position, old.at(t).position, atol=1e-10)
        assert angle(new.at(t).orientation, old.at(t).orientation).max() < 1e-6


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["some", "all"]))
def test_an_inserted_key_keeps_a_turn_about_one_axis_exactly(seed, closed, faced):
    rng = np.random.default_rng(seed)
    keys = [key.changed(orientation=key.orientation and turned(rng.uniform(-35, 35), (1, 2, 3)))
            for key in some_keys(rng, 7, faced=faced)]  # fmt: skip
    path = MotionPath(keys, closed=closed)
    u0 = rng.uniform(0, path.segments)
    u = np.linspace(0, path.segments, 200)
    edited = path.insert(u0)
    assert angle(edited.orientation_at(as_it_was(path, u0, u)), path.orientation_at(u)).max() < 1e-5


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("faced", ["some", "all"])
def test_an_inserted_key_keeps_any_turn_within_half_a_degree(closed, faced):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        keys = [key.changed(orientation=key.orientation and quaternion.exp(0.5 * rng.normal(size=3)))
                for key in some_keys(rng, 7, faced=faced)]  # fmt: skip
        path = MotionPath(keys, closed=closed)
        u0 = rng.uniform(0, path.segments)
        u = np.linspace(0, path.segments, 200)
        edited = path.insert(u0)
        assert angle(edited.orientation_at(as_it_was(path, u0, u)), path.orientation_at(u)).max() < 0.5
        assert angle(edited.orientation_at(int(u0) + 1.0), path.orientation_at(u0)) < 1e-5


def test_an_inserted_key_on_a_path_that_only_turns_turns_too():
    path = MotionPath([Key(orientation=turned(0)), Key(orientation=turned(60)), Key(orientation=turned(90))])
    edited = path.insert(0.5)
    assert edited.keys[1].position is None
    u = np.linspace(0, 2, 50)
    assert angle(edited.orientation_at(as_it_was(path, 0.5, u)), path.orientation_at(u)).max() < 1e-6
    assert edited.length == pytest.approx(path.length, rel=1e-8)


def test_the_closing_segment_of_a_timed_loop_takes_as_long_after_a_key_was_inserted():
    path = MotionPath([Key((0, 0), time=0), Key((2, 0), time=1), Key((2, 2), time=4)], closed=True)
    for u0 in (1.25, 2.25):  # before the last key, and on the way back
        edited = path.insert(u0)
        assert edited.times is not None
        assert Motion(edited).duration == pytest.approx(Motion(path).duration) == pytest.approx(7)
        assert Motion(path.insert(u0, keep_shape=False)).duration == pytest.approx(7)
    assert path.insert(2.25).keys[3].time == pytest.approx(4.75)


def test_an_inserted_key_has_tangents_by_hand_and_so_have_its_neighbours():
    edited = MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(1.25, name="new")
    by_hand = [(key.arrive is not None, key.leave is not None) for key in edited.keys]
    assert by_hand == [(False, False), (True, True), (True, True), (True, True), (False, False)]
    assert edited.keys.index("new") == 2


def test_inserting_for_tcb_moves_the_curve():
    path = MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)])
    edited = path.insert(1.25, keep_shape=False)
    u = np.linspace(1, 2, 20)
    assert np.abs(edited.at(as_it_was(path, 1.25, u)) - path.at(u)).max() > 0.01


@pytest.mark.parametrize("wrong", [0, 1, 2, 3, -0.5, 3.5, 1e9])
def test_a_key_is_inserted_between_two_keys_and_nowhere_else(wrong):
    with pytest.raises(
        KeyposeError, match=r"inserted at u = .*\. Give a parameter between 0 and 3, between two keys\."
    ):
        MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(wrong)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "a", None, [0.5, 1.5]], ids=str)
def test_what_is_no_parameter_is_refused_by_insert(wrong):
    with pytest.raises(KeyposeError, match="The parameter of a new key must be"):
        MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(wrong)


# ---- names, removal, refusals ----------------------------------------------------------------------------------------


def test_names_stay_findable_after_edits():
    path = MotionPath([Key((0, 0)), Key((1, 1)), Key((2, 0), name="bounce"), Key((3, 1))])
    path = path.insert(0.5, name="new").without_key(0).with_key("bounce", position=(2, -1))
    assert path.keys.index("bounce") == 2
    assert path.keys.index("new") == 0
    assert_array_equal(path.at(2.0), (2, -1))
    renamed = path.with_key("bounce", name="hit")
    assert renamed.keys.index("hit") == 2
    with pytest.raises(UnknownNameError, match="No key is named 'bounce'"):
        renamed.keys.index("bounce")


def test_names_stay_findable_far_down_a_long_path():
    path = MotionPath([Key((index, 0), name=f"k{index}") for index in range(600)])
    edited = path.insert(300.5).without_key("k10").insert(0.5, name="early")
    assert [edited.keys.index(name) for name in ("k0", "early", "k1", "k300", "k599")] == [0, 1, 2, 300, 600]


def test_a_name_can_be_given_only_once():
    path = MotionPath([Key((0, 0), name="start"), Key((1, 1)), Key((2, 0), name="end")])
    with pytest.raises(KeyposeError, match=r"Key 0 is named 'start' already\. Give each its own name\."):
        path.with_key(1, name="start")
    with pytest.raises(KeyposeError, match=r"Key 2 is named 'end' already\. Give each its own name\."):
        path.insert(0.5, name="end")


def test_keys_can_be_removed_until_two_are_left():
    path = MotionPath([(0, 0), (1, 1), (2, 0), (3, 1)])
    path = path.without_key(1).without_key(-2)
    assert_same(path, MotionPath([(0, 0), (3, 1)]))
    with pytest.raises(KeyposeError, match=r"A path with two keys cannot lose one\. Move the key instead"):
        path.without_key(0)


@pytest.mark.parametrize("times", [(0, 1, 2, 3), (0, None, 2, 3), (0, None, None, 3)], ids=str)
@pytest.mark.parametrize(("key", "time"), [(3, -1), (3, 0), (0, 3), (0, 7)])
def test_a_time_out_of_order_is_refused_wherever_its_neighbours_times_are(times, key, time):
    path = MotionPath([Key((index, index % 2), time=t) for index, t in enumerate(times)])
    with pytest.raises(KeyposeError, match=r"Key \d is at .* s and key \d at .* s\. Times must increase"):
        path.with_key(key, time=time)


def test_a_key_of_another_shape_or_an_unknown_word_is_refused():
    path = MotionPath([(0, 0), (1, 1)])
    with pytest.raises(KeyposeError, match=r"Key 1 was given a position of shape \(3,\) on a path of shape \(2,\)"):
        path.with_key(1, position=(1, 2, 3))
    with pytest.raises(KeyposeError, match=r"A key has no 'tensio'\. Did you mean 'tension'\?"):
        path.with_key(1, tensio=1)
    with pytest.raises(KeyposeError, match="tension"):
        path.with_key(1, tension=np.nan)
    with pytest.raises(KeyposeError, match=r"tangent \(leave\) but no position"):
        path.with_key(1, leave=(1, 1)).with_key(1, position=None)
    with pytest.raises(KeyposeError, match=r'adjust="time" needs a time for every key, and key 1 has none'):
        MotionPath([Key((0, 0), time=0), Key((1, 1), time=1)], adjust="time").with_key(1, time=None)


# ---- the way back from manual tangents -------------------------------------------------------------------------------


def test_going_back_to_tcb_says_what_would_be_lost():
    plain = MotionPath([(0, 0), (1, 0), (2, 0)])
    assert plain.lost_by_tcb(1) is None
    path = plain.with_key(1, arrive=(1, 0), leave=(1, 27))
    lost = path.lost_by_tcb(1)
    assert isinstance(lost, Lost)
    assert (lost.key, lost.sides) == (1, ("arrive", "leave"))
    assert_array_equal(lost.tangents, [(1, 0), (1, 27)])
    assert_array_equal(lost.tcb, [(1, 0), (1, 0)])
    assert str(lost) == (
        "Key 1 has its arrive and leave tangents set by hand. "
        "Going back to TCB loses them and moves the curve by up to 4 m."
    )
    assert "its leave tangent set by hand. Going back to TCB loses it and" in str(
        plain.with_key(1, leave=(9, 9)).lost_by_tcb(1)
    )


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_what_would_be_lost_is_how_far_the_curve_moves(seed):
    rng = np.random.default_rng(seed)
    path = MotionPath(rng.normal(size=(5, 3)), closed=bool(seed % 2))
    path = path.with_key(2, arrive=rng.normal(size=3), leave=rng.normal(size=3))
    back = path.with_key(2, arrive=None, leave=None)
    u = np.linspace(1, 3, 2001)
    moved = np.linalg.norm(path.at(u) - back.at(u), axis=1).max()
    assert path.lost_by_tcb(2).moves == pytest.approx(moved, rel=1e-5)


def test_the_plain_chord_is_lost_too():
    path = MotionPath([(0, 0), Key((1, 0), leave="chord"), (1, 4)])
    lost = path.lost_by_tcb(1)
    assert lost.sides == ("leave",)
    assert_array_equal(lost.tangents[0], (0, 4))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("adjust", ["none", "length", "unit", "time", "velocity"])
@pytest.mark.parametrize("index", [0, 1, 7, 13, 14])
def test_a_moved_key_turns_only_what_it_touches(closed, adjust, index, monkeypatch):
    rng = np.random.default_rng(index)
    keys = [
        Key(rng.normal(size=3), time=1.3 * i, orientation=quaternion.normalized(rng.normal(size=4))) for i in range(15)
    ]
    path = MotionPath(keys, adjust=adjust, closed=closed)
    u = np.linspace(0, path.segments, 97)
    path.orientation_at(u)
    changes = {"position": (1, 2, 3), "tension": 0.3, "time": 1.3 * index + 0.2, "orientation": (1, 2, -1, 0.5)}
    anew = MotionPath(
        [key.changed(**changes) if i == index else key for i, key in enumerate(keys)], adjust=adjust, closed=closed
    )
    expected = anew.orientation_at(u)

    def refuse(*_, **__):
        raise AssertionError("all turns were derived again")

    timed_wrap = closed and adjust in ("time", "velocity") and index >= 13  # then the way back changes too
    if not timed_wrap:
        monkeypatch.setattr(facings, "OrientationPath", refuse)
    np.testing.assert_array_equal(path.with_key(index, **changes).orientation_at(u), expected)


def test_a_path_that_stood_still_turns_by_distance_once_it_travels():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "y")) for angle in (0, 10, 90, 100)]
    path = MotionPath(keys)
    path.orientation_at(1.5)
    edited = path.with_key(2, position=(5, 0, 0))
    anew = MotionPath([*keys[:2], keys[2].changed(position=(5, 0, 0)), keys[3]])
    np.testing.assert_array_equal(edited.orientation_at([0.5, 1.5, 2.5]), anew.orientation_at([0.5, 1.5, 2.5]))


def test_a_closed_timed_path_turns_the_same_after_an_edit_as_built_anew():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        times = np.cumsum(rng.uniform(0.1, 2, 6))
        keys = [Key(rng.normal(size=3), time=t, orientation=quaternion.normalized(rng.normal(size=4))) for t in times]
        path = MotionPath(keys, closed=True)
        u = np.linspace(0, 6, 31)
        path.orientation_at(u)
        edited = path.with_key(2, position=(1, 2, 3))
        anew = MotionPath([*keys[:2], keys[2].changed(position=(1, 2, 3)), *keys[3:]], closed=True)
        assert_array_equal(edited.orientation_at(u), anew.orientation_at(u))


def test_a_path_can_be_edited_after_its_last_time_is_gone():
    path = MotionPath([Key((0, 0), time=0), Key((1, 1)), Key((2, 0)), Key((3, 0))])
    assert path.without_key(0).with_key(0, tension=1).keys[0].tension == 1
    assert len(path.with_key(0, time=None).insert(0.5)) == 5


@pytest.mark.parametrize(
    "changes", [{"tension": 0.5}, {"name": "x"}, {"arrive": (1, 2, 3)}, {"orientation": (1, 0, 0, 0)}, {"pin": False}]
)
def test_a_word_said_for_the_first_time_still_shares_all_other_segments(changes):
    path = MotionPath(np.random.default_rng(0).normal(size=(2000, 3)))
    edited = path.with_key(1000, **changes)
    shared = {id(strand) for strand in path._rope.strands} & {id(strand) for strand in edited._rope.strands}
    assert len(shared) >= len(path._rope.strands) - 2
    keys = list(path.keys)
    keys[1000] = keys[1000].changed(**changes)
    assert edited == MotionPath(keys)
    assert_array_equal(edited.at(np.linspace(995, 1005, 50)), MotionPath(keys).at(np.linspace(995, 1005, 50)))


def test_an_inserted_key_shares_all_other_segments_too():
    path = MotionPath(np.random.default_rng(0).normal(size=(2000, 3)))
    inserted = path.insert(1000.5)
    shared = {id(strand) for strand in path._rope.strands} & {id(strand) for strand in inserted._rope.strands}
    assert len(shared) >= len(path._rope.strands) - 2


def test_the_way_back_speaks_of_turning_tangents_too():
    turn = Turn((1, 0, 0, 0), leave=(0, 1, 0))
    path = MotionPath(
        [Key((0, 0)), Key((1, 1), orientation=turn), Key((2, 0), orientation=(0, 1, 0, 0), arrive=(1, 0))]
    )
    lost = path.lost_by_tcb(1)
    assert lost is not None
    assert lost.turning == ("leave",)
    assert "turn's leave set by hand" in str(lost)
    assert path.lost_by_tcb(2).turning == ()
    assert path.lost_by_tcb(0) is None


def test_names_that_differ_in_a_zero_character_are_two():
    path = MotionPath([Key((0, 0, 0), name="a"), Key((1, 0, 0)), Key((2, 0, 0))])
    assert path.with_key(1, name="a\0").keys[1].name == "a\0"
    with pytest.raises(KeyposeError, match="named 'a' already"):
        path.with_key(1, name="a")


@pytest.mark.parametrize("ends", ["reflect", "still", "zero-chord"])
@pytest.mark.parametrize("key", range(7))
def test_the_tangents_at_both_ends_are_those_of_a_path_built_anew_wherever_a_key_was_moved(key, ends):
    places = np.random.default_rng(3).normal(size=(7, 3))
    path = MotionPath(places, tension=0.2, continuity=-0.3, bias=0.4, ends=ends)
    assert path.arrive.shape == path.leave.shape  # from here on the old path knows them
    places[key] += 0.5
    moved, anew = path.with_key(key, position=places[key]), MotionPath(places, **path.style.said())
    assert_array_equal(moved.arrive, anew.arrive)
    assert_array_equal(moved.leave, anew.leave)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["none", "some", "all"]), st.sampled_from([3, 9, 300]))
def test_keys_moved_together_are_the_keys_moved_one_by_one(seed, closed, timed, count):
    rng = np.random.default_rng(seed)
    path = MotionPath(some_keys(rng, count, timed=timed, faced="some", by_hand=True), closed=closed)
    chosen = sorted({int(key) for key in rng.integers(0, count, 4)})
    places = {key: path.keys[key].position + rng.normal(size=path.shape) for key in chosen}
    together, one_by_one = editing.moved(path, places), path
    for key, place in places.items():
        one_by_one = one_by_one.with_key(key, position=place)
    assert together == one_by_one
    assert_array_equal(together.curve, one_by_one.curve)
    assert together.length == pytest.approx(one_by_one.length, rel=1e-12)


def test_a_key_moved_out_of_the_world_is_refused_by_its_name():
    path = MotionPath([Key((0, 0)), Key((1, 0), name="top"), (2, 0)])
    with pytest.raises(KeyposeError, match=r"key 'top' has position .*nan.* must be finite"):
        editing.moved(path, {1: np.array([np.nan, 0.0])})
    with pytest.raises(KeyposeError, match="The key has position"):
        editing.moved(path, {2: np.array([1e300, 0.0])})
