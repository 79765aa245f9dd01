"""Moving, adding and removing keys: the same as saying it all anew, sharing all that was not touched."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.key import Key
from keypose.curves.key_columns import Keys
from keypose.curves.path.motion_path import MotionPath, path_from_keys
from keypose.errors import KeyposeError, UnknownNameError
from keypose.maths import quaternion
from tests.curves.random_paths import paths, random_keys, turned


def assert_same_path(path, other):
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
def test_changing_a_key_equals_rebuilding_the_path(sample, data):
    path, keys, style, rng = sample
    index = data.draw(st.integers(0, len(keys) - 1) if len(keys) < 20 else st.sampled_from([0, 1, 128, -3, -2, -1]))
    time = keys[index].time
    changes = data.draw(
        st.sampled_from(
            [
                {"position": rng.normal(size=2)},
                {"tension": 0.7, "bias": -0.4},
                {"arrive": (1.0, 2.0), "leave": None},
                {"leave": "chord"},
                {"orientation": quaternion.normalize(rng.normal(size=4))},
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
    assert_same_path(edited, MotionPath(keys, **style))


@settings(deadline=None, max_examples=40)
@given(paths(st.one_of(st.integers(3, 12), st.sampled_from([257, 513, 700]))), st.data())
def test_removing_a_key_equals_rebuilding_the_path(sample, data):
    path, keys, style, _ = sample
    index = data.draw(st.integers(0, len(keys) - 1) if len(keys) < 20 else st.sampled_from([0, 1, 256, -2, -1]))
    edited = path.without_key(index)
    del keys[index]
    assert_same_path(edited, MotionPath(keys, **style))


@settings(deadline=None, max_examples=40)
@given(paths(), st.floats(0.001, 0.999), st.data())
def test_inserting_a_tcb_key_equals_rebuilding_the_path(sample, s, data):
    path, keys, style, _ = sample
    gap = data.draw(st.integers(0, path.segments - 1))
    edited = path.insert(gap + s, keep_shape=False, name="new")
    new = edited.keys[gap + 1]
    assert_allclose(new.position, path.at(gap + s), atol=1e-14)
    assert (new.arrive, new.leave, new.tension, new.name) == (None, None, None, "new")
    keys.insert(gap + 1, new)
    if edited.options.closing is None:
        assert_same_path(edited, MotionPath(keys, **style))
    else:  # on closed timed paths the last way is remembered: there is no word for it
        assert_same_path(edited, path_from_keys(Keys.of(keys), edited.options))


@settings(deadline=None, max_examples=30)
@given(paths(st.integers(2, 9), turning=True), st.data())
def test_editing_orientation_only_keys_equals_rebuilding_the_path(sample, data):
    path, keys, style, rng = sample
    index = data.draw(st.integers(0, len(keys) - 1))
    changes = data.draw(
        st.sampled_from([{"tension": 1.0}, {"orientation": turned(50)}, {"position": rng.normal(size=2)}])
    )
    edited = path.with_key(index, **changes)
    keys[index] = keys[index].changed(**changes)
    assert_same_path(edited, MotionPath(keys, **style))
    if len(keys) > 3:
        del keys[0]
        if any(key.position is not None for key in keys):
            assert_same_path(edited.without_key(0), MotionPath(keys, **style))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("timed", ["none", "all"])
def test_path_after_two_hundred_edits_equals_a_rebuilt_path(closed, timed):
    rng = np.random.default_rng(7)
    path = MotionPath(random_keys(rng, 600, timed=timed, faced="some"), closed=closed)
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
    anew = path_from_keys(Keys.of(list(path.keys)), path.options)
    assert_same_path(path, anew)
    assert sum(chunk.length_table.length for chunk in path.geometry.rope.chunks) == pytest.approx(
        anew.length, rel=1e-12
    )


def test_edit_that_changes_the_adjust_rule_rederives_all_segments():
    keys = [Key((index % 3, index**1.5), time=float(index**2)) for index in range(9)]
    partly = [*keys[:4], keys[4].changed(time=None), *keys[5:]]
    path = MotionPath(partly)
    assert path.adjust == "length"
    assert_same_path(path.with_key(4, time=16), MotionPath(keys))
    assert_same_path(MotionPath(keys).with_key(4, time=None), path)
    assert path.without_key(4).adjust == "time"
    assert_same_path(path.without_key(4), MotionPath([*keys[:4], *keys[5:]]))
    faced = keys[4].changed(orientation=turned(20))
    only_turns = MotionPath([*keys[:4], faced, *keys[5:]]).with_key(4, position=None)
    assert_same_path(only_turns, MotionPath([*keys[:4], faced.changed(position=None), *keys[5:]]))
    assert_same_path(only_turns.with_key(4, position=(1, 8)), MotionPath([*keys[:4], faced, *keys[5:]]))


@pytest.mark.parametrize("adjust", ["time", "velocity"])
@pytest.mark.parametrize("key", [0, 1, -3, -2, -1])
def test_closing_span_of_a_timed_loop_follows_the_last_interval(key, adjust):
    rng = np.random.default_rng(8)
    keys = random_keys(rng, 30, timed="all")
    path = MotionPath(keys, closed=True, adjust=adjust)
    edited = path.with_key(key, time=keys[key].time + 0.05)
    keys[key] = keys[key].changed(time=keys[key].time + 0.05)
    assert_same_path(edited, MotionPath(keys, closed=True, adjust=adjust))
    del keys[key]
    assert_same_path(edited.without_key(key), MotionPath(keys, closed=True, adjust=adjust))


def test_last_position_can_be_removed_and_set_again():
    turns = [Key(orientation=turned(30)), Key(orientation=turned(60))]
    path = MotionPath([Key((1, 2), orientation=turned(0)), *turns])
    nowhere = path.with_key(0, position=None)
    assert nowhere.shape == (3,)
    assert_same_path(nowhere, MotionPath([Key(orientation=turned(0)), *turns]))
    assert_same_path(nowhere.with_key(0, position=(1, 2)), path)


# ---- sharing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edit", ["move", "remove", "insert"])
def test_edit_shares_every_unaffected_chunk(edit):
    path = MotionPath(np.random.default_rng(0).normal(size=(2560, 3)))
    path.length  # noqa: B018
    edits = {
        "move": lambda: path.with_key(1300, position=(0, 0, 0)),
        "remove": lambda: path.without_key(1300),
        "insert": lambda: path.insert(1300.5, keep_shape=False),
    }
    edited = edits[edit]()
    for rope, old in ((edited.geometry.rope, path.geometry.rope), (edited.keys.rope, path.keys.rope)):
        assert len(old.chunks) == 10
        assert [mine is theirs for mine, theirs in zip(rope.chunks, old.chunks, strict=True)].count(False) == 1
        assert rope.chunks[5] is not old.chunks[5]
    assert all(chunk.is_measured for chunk in edited.geometry.rope.chunks)  # measured: only the new part was


def test_edit_leaves_the_old_path_unchanged():
    path = MotionPath(np.random.default_rng(1).normal(size=(700, 2)))
    u = np.linspace(0, 699, 2000)
    before, length = path.at(u), path.length
    path.with_key(300, position=(50, 50)).insert(300.5).without_key(10)
    assert_array_equal(path.at(u), before)
    assert path.length == length
    assert len(path) == 700


def test_few_queries_of_an_edited_path_do_not_concatenate_its_chunks():
    path = MotionPath(np.random.default_rng(2).normal(size=(3000, 2)))
    path.length  # noqa: B018
    edited = path.with_key(1500, position=(0, 0))
    few = np.array([0.3, 1499.5, 1500.0, 2998.9])
    results = edited.at(few), edited.velocity(few), edited.along(few), edited.at(1499.5), edited.length
    assert not edited.geometry.rope.is_whole
    anew = MotionPath(list(edited.keys))
    assert_array_equal(results[0], anew.at(few))
    assert_array_equal(results[1], anew.velocity(few))
    assert_allclose(results[2], anew.along(few), atol=1e-11)
    assert_array_equal(results[3], anew.at(1499.5))
    assert results[4] == pytest.approx(anew.length, rel=1e-13)
    out = np.empty((2, 2))
    assert edited.at(few[:2], out=out) is out
    assert_array_equal(out, results[0][:2])


def test_edited_path_clamps_beyond_its_ends():
    places = np.random.default_rng(3).normal(size=(900, 2))
    places[600:] = places[600]  # the last strand has no length at all
    edited = MotionPath(places).with_key(300, position=(0, 0))
    assert_array_equal(edited.parameter([-1.0, edited.length, np.inf]), [0, 899, 899])


# ---- names, removal, refusals ----------------------------------------------------------------------------------------


def test_key_names_are_found_after_edits():
    path = MotionPath([Key((0, 0)), Key((1, 1)), Key((2, 0), name="bounce"), Key((3, 1))])
    path = path.insert(0.5, name="new").without_key(0).with_key("bounce", position=(2, -1))
    assert path.keys.index("bounce") == 2
    assert path.keys.index("new") == 0
    assert_array_equal(path.at(2.0), (2, -1))
    renamed = path.with_key("bounce", name="hit")
    assert renamed.keys.index("hit") == 2
    with pytest.raises(UnknownNameError, match="No key is named 'bounce'"):
        renamed.keys.index("bounce")


def test_key_names_are_found_in_a_long_path():
    path = MotionPath([Key((index, 0), name=f"k{index}") for index in range(600)])
    edited = path.insert(300.5).without_key("k10").insert(0.5, name="early")
    assert [edited.keys.index(name) for name in ("k0", "early", "k1", "k300", "k599")] == [0, 1, 2, 300, 600]


def test_duplicate_key_name_is_refused():
    path = MotionPath([Key((0, 0), name="start"), Key((1, 1)), Key((2, 0), name="end")])
    with pytest.raises(KeyposeError, match=r"Key 0 is named 'start' already\. Give each its own name\."):
        path.with_key(1, name="start")
    with pytest.raises(KeyposeError, match=r"Key 2 is named 'end' already\. Give each its own name\."):
        path.insert(0.5, name="end")


def test_keys_can_be_removed_until_two_are_left():
    path = MotionPath([(0, 0), (1, 1), (2, 0), (3, 1)])
    path = path.without_key(1).without_key(-2)
    assert_same_path(path, MotionPath([(0, 0), (3, 1)]))
    with pytest.raises(KeyposeError, match=r"A path with two keys cannot lose one\. Move the key instead"):
        path.without_key(0)


@pytest.mark.parametrize("times", [(0, 1, 2, 3), (0, None, 2, 3), (0, None, None, 3)], ids=str)
@pytest.mark.parametrize(("key", "time"), [(3, -1), (3, 0), (0, 3), (0, 7)])
def test_key_time_out_of_order_is_refused(times, key, time):
    path = MotionPath([Key((index, index % 2), time=t) for index, t in enumerate(times)])
    with pytest.raises(KeyposeError, match=r"Key \d is at .* s and key \d at .* s\. Times must increase"):
        path.with_key(key, time=time)


def test_key_with_wrong_shape_or_unknown_option_is_refused():
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
