"""What changed from one scene to the next is said briefly, and played again gives the same bytes."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keypose import Actor, Meeting, Motion, MotionPath, SceneStyle, Script, Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import stage_from_scene
from keypose.studio.session.scene_diff import apply_diff, diff_scenes, plain_scene
from tests.document.stage_strategies import stages
from tests.studio.scenes import mixed_stage, text


def diff_round_trip(before, after):
    """The second stage, by way of a journal."""
    diff = json.loads(json.dumps(diff_scenes(before, after), allow_nan=False))
    return stage_from_scene(apply_diff(json.loads(json.dumps(plain_scene(before))), diff))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(stages(), stages())
def test_diff_between_any_two_stages_reproduces_the_same_bytes(before, after):
    assert text(diff_round_trip(before, after)) == text(after)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(stages(), st.data())
def test_diff_of_swapped_paths_reproduces_the_same_bytes(stage, data):
    """Each actor gets the path of another, as if many keys had been edited at once."""
    shuffled = data.draw(st.permutations([actor.motion_or_mover for actor in stage.actors]))
    plain = [Actor(actor.name, moves) for actor, moves in zip(stage.actors, shuffled, strict=True)]
    try:
        after = Stage(plain, fields=stage.fields, gravity=stage.gravity, style=stage.style)
    except ValueError:  # a circle, or a key carried by its own actor
        return
    assert text(diff_round_trip(stage, after)) == text(after)


def test_diff_of_one_key_contains_only_that_key():
    long = Stage([Actor("long", Motion(MotionPath([(x, x % 7, 0) for x in range(5000)]), duration=9))])
    after, _ = apply_edit(long, commands.MoveKeys(id=0, actor="long", keys=(2500,), by=(0, 1, 0)))
    diff = diff_scenes(long, after)
    assert len(json.dumps(diff)) < 300
    assert diff["actors"][0]["path"]["keys"] == [{"position": [2500, 2, 0]}]
    assert text(diff_round_trip(long, after)) == text(after)


def test_diff_of_equal_scenes_is_empty():
    stage = mixed_stage()
    assert diff_scenes(stage, stage) == {}


def test_diff_of_a_key_deleted_among_equal_keys_is_short():
    row = Stage([Actor("row", Motion(MotionPath([(0, 0), (1, 1), (1, 1), (1, 1), (2, 0)]), duration=1))])
    after, _ = apply_edit(row, commands.DeleteKeys(id=0, actor="row", keys=(2,)))
    diff = diff_scenes(row, after)
    assert diff["actors"][0]["path"]["keys"] == []
    assert text(diff_round_trip(row, after)) == text(after)


def test_changed_style_lists_all_actors():
    stage = mixed_stage()
    after = Stage(stage.actors, gravity=(0, -9.81, 0), style=SceneStyle(0.5))
    assert len(diff_scenes(stage, after)["actors"]) == len(stage.actors)
    assert text(diff_round_trip(stage, after)) == text(after)


def test_script_diff_omits_actors_and_one_key_stays_a_short_diff():
    path = MotionPath([(x, x % 7, 0) for x in range(500)])
    actors = [Actor("long", Motion(path, duration=9)), Actor("other", Motion(path, duration=7))]
    script = Script([Meeting(name="half", goals={"long": 9.0, "other": 7.5})])
    before, met = Stage(actors), Stage(actors, script=script)
    assert diff_scenes(before, met) == {
        "head": {"keypose": 1, "script": [{"name": "half", "goals": {"long": 9.0, "other": 7.5}}]}
    }
    assert diff_scenes(met, before) == {"head": {"keypose": 1}}
    assert diff_scenes(met, met) == {}
    for one, two in ((before, met), (met, before)):
        assert text(diff_round_trip(one, two)) == text(two)
    after, _ = apply_edit(met, commands.MoveKeys(id=0, actor="long", keys=(250,), by=(0, 1, 0)))
    diff = diff_scenes(met, after)
    assert len(json.dumps(diff)) < 300
    assert text(diff_round_trip(met, after)) == text(after)
