"""Who meets whom is said, changed, undone, seen and played in the studio; whatever is renamed, scripts stay right."""

import pytest

from keypose import Actor, Key, Meeting, Motion, MotionPath, Script, shoot
from keypose.script.meeting import TurnGoal
from keypose.studio.playback.live_run import LiveRun
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.dependents import dependents
from keypose.studio.preview.meetings import meeting_event_views, meeting_views
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import Session
from tests.studio.edit_calls import crash_session, do, refused, undo
from tests.studio.live_scenes import join_client, with_hub
from tests.studio.scenes import figure_stage, meeting_stage, text
from tests.studio.studio_client import unpack_update


def stage_with_script(script=None):
    return meeting_stage().changed(script=script)


@pytest.fixture
def stage():
    script = Script()
    script.meet({"red": "arch", "blue": "arch"}, name="first")
    script.meet({"red": "home", "blue": 4.0}, name="last", after="first")
    return stage_with_script(script)


def meeting_names(stage):
    return [] if stage.script is None else [one.name for one in stage.script]


# ---- edits -----------------------------------------------------------------------------------------------------------


def test_meeting_is_added_with_goals_of_every_kind():
    edited, label = do(stage_with_script(), commands.AddMeeting, goals={"red": "arch", "blue": 1.5})
    assert label == "add meeting 1"
    assert dict(edited.script["meeting 1"].goals) == {"red": "arch", "blue": 1.5}
    more, label = do(edited, commands.AddMeeting, goals={"blue": {"key": 2}}, name="finish", after=("meeting 1",))
    assert label == "add the meeting finish"
    assert more.script["finish"].goals["blue"] == "home"
    assert more.script["finish"].after == ("meeting 1",)


def test_unnamed_key_that_becomes_a_goal_gets_the_meeting_name():
    edited, _ = do(stage_with_script(), commands.AddMeeting, goals={"red": {"key": 2}}, name="bridge")
    assert edited["red"].motion.path.keys[2].name == "bridge"
    assert edited.script["bridge"].goals["red"] == "bridge"
    extended, _ = do(edited, commands.SetGoal, meeting="bridge", actor="train", goal={"key": 0})
    assert extended["train"].motion.path.keys[0].name == "bridge"
    other, _ = do(extended, commands.SetMeeting, meeting="bridge", changes={"name": "ford"})
    assert other.script["ford"].goals["train"] == "bridge"
    two, _ = do(other, commands.AddMeeting, goals={"train": {"key": 1}}, name="bridge", after=("ford",))
    assert two["train"].motion.path.keys[1].name == "bridge (2)"


def test_turn_and_driven_link_can_be_goals(stage):
    facing, _ = do(stage, commands.FaceKeys, actor="red", keys=(0, 1), degrees=(90, None, None))
    edited, _ = do(facing, commands.SetGoal, meeting="first", actor="red", goal={"turn": "arch"})
    assert edited.script["first"].goals["red"] == TurnGoal("arch")
    assert meeting_views(edited)[0].goals[0].is_orientation
    with_arm = figure_stage()
    driven, label = do(with_arm, commands.AddMeeting, goals={"arm/hand": {"key": 1}}, name="shake")
    assert label == "add the meeting shake"
    assert driven.script["shake"].goals["arm/hand"] == "shake"


def test_meeting_options_are_changed_and_followers_use_its_new_name(stage):
    edited, label = do(stage, commands.SetMeeting, meeting="first", changes={"gate": True, "patience": 3})
    assert label == "gate and patience of the meeting first"
    assert (edited.script["first"].gate, edited.script["first"].patience) == (True, 3)
    renamed, label = do(edited, commands.SetMeeting, meeting="first", changes={"name": "bridge"})
    assert label == "rename the meeting first to bridge"
    assert renamed.script["last"].after == ("bridge",)


def test_goals_are_changed_added_and_removed(stage):
    edited, label = do(stage, commands.SetGoal, meeting="last", actor="blue", goal="home")
    assert label == "goal of blue in the meeting last"
    assert edited.script["last"].goals["blue"] == "home"
    more, label = do(edited, commands.SetGoal, meeting="last", actor="train", goal=1.0)
    assert label == "add train to the meeting last"
    assert [*more.script["last"].goals] == ["red", "blue", "train"]
    reduced, label = do(more, commands.SetGoal, meeting="last", actor="red", goal=None)
    assert label == "take red out of the meeting last"
    assert [*reduced.script["last"].goals] == ["blue", "train"]


def test_meetings_are_connected_disconnected_and_removed(stage):
    disconnected, label = do(stage, commands.DisconnectMeetings, meeting="last", after="first")
    assert label == "last not after first"
    assert disconnected.script["last"].after == ()
    restored, label = do(disconnected, commands.ConnectMeetings, meeting="last", after="first")
    assert label == "last after first"
    assert restored.script == stage.script
    third, _ = do(restored, commands.AddMeeting, goals={"red": "home"}, name="third", after=("last",))
    without, label = do(third, commands.RemoveMeeting, meeting="last")
    assert label == "remove the meeting last"
    assert without.script["third"].after == ("first",)
    none, _ = do(without, commands.RemoveMeeting, meeting="third")
    none, _ = do(none, commands.RemoveMeeting, meeting="first")
    assert none.script is None
    assert none.resolved.movers == ()


def test_disconnecting_a_meeting_limits_the_needed_count(stage):
    third, _ = do(stage, commands.AddMeeting, goals={"red": "home"}, name="third", after=("first", "last"))
    limited, _ = do(third, commands.SetMeeting, meeting="third", changes={"need": 1})
    assert limited.script["third"].need == 1
    reduced, _ = do(limited, commands.DisconnectMeetings, meeting="third", after="last")
    assert reduced.script["third"].need is None


def test_invalid_meeting_edit_is_refused_with_reason(stage):
    assert "in a circle: 'first' after 'last' after 'first'" in refused(
        stage, commands.ConnectMeetings, meeting="first", after="last"
    )
    assert "comes after 'first' already" in refused(stage, commands.ConnectMeetings, meeting="last", after="first")
    assert "does not come after 'lost'" in refused(stage, commands.DisconnectMeetings, meeting="last", after="lost")
    assert "No meeting is named 'frist'. Did you mean 'first'?" in refused(
        stage, commands.RemoveMeeting, meeting="frist"
    )
    assert "no key of its path is named so" in refused(
        stage, commands.SetGoal, meeting="first", actor="red", goal="arc"
    )
    assert "6 m long" in refused(stage, commands.SetGoal, meeting="first", actor="red", goal=60.0)
    assert "has the goal -1" in refused(stage, commands.SetGoal, meeting="first", actor="red", goal=-1)
    assert "was given the goal {'keys': 1}" in refused(
        stage, commands.SetGoal, meeting="first", actor="red", goal={"keys": 1}
    )
    assert "'train' does not come" in refused(stage, commands.SetGoal, meeting="first", actor="train", goal=None)
    without_red, _ = do(stage, commands.SetGoal, meeting="first", actor="red", goal=None)
    assert "Remove the meeting" in refused(without_red, commands.SetGoal, meeting="first", actor="blue", goal=None)
    assert "has no 'mood'" in refused(stage, commands.SetMeeting, meeting="first", changes={"mood": 1})
    assert "needs 2 of the 1" in refused(stage, commands.SetMeeting, meeting="last", changes={"need": 2})
    assert "Nothing was said" in refused(stage, commands.SetMeeting, meeting="last", changes={})
    assert "Two meetings are named 'first'" in refused(
        stage, commands.SetMeeting, meeting="last", changes={"name": "first"}
    )
    assert "Nobody on the stage is named 'ghost'" in refused(stage, commands.AddMeeting, goals={"ghost": {"key": 1}})


def test_every_script_edit_is_undone(stage):
    session = Session(stage)
    session.apply(commands.AddMeeting(id=1, goals={"train": {"key": 1}}))
    session.apply(commands.ConnectMeetings(id=1, meeting="meeting 3", after="last"))
    session.apply(commands.SetMeeting(id=1, meeting="meeting 3", changes={"of": "bodies"}))
    session.apply(commands.RemoveMeeting(id=1, meeting="first"))
    assert meeting_names(session.stage) == ["last", "meeting 3"]
    for _ in range(4):
        session.apply(undo())
    assert session.stage is stage


def test_script_edits_survive_a_crash(stage, tmp_path):
    session = Session(stage, state=tmp_path)
    session.apply(commands.AddMeeting(id=1, goals={"train": {"key": 1}}, name="third"))
    session.apply(commands.SetMeeting(id=1, meeting="first", changes={"gate": True}))
    expected = crash_session(session)
    assert b'"third"' in expected
    [found] = find_recoverable(tmp_path)
    assert text(Session.from_recovery(found, state=tmp_path).stage) == expected


# ---- what is called otherwise, or goes -------------------------------------------------------------------------------


def test_renamed_actor_keeps_its_goals(stage):
    edited, _ = do(stage, commands.RenameActor, actor="red", name="rose")
    assert [[*one.goals] for one in edited.script] == [["rose", "blue"]] * 2
    arm, _ = do(figure_stage(), commands.AddMeeting, goals={"arm/hand": {"key": 1}}, name="shake")
    limb, _ = do(arm, commands.RenameActor, actor="arm", name="crane")
    assert [*limb.script["shake"].goals] == ["crane/hand"]


def test_removed_actor_leaves_its_meetings_and_empty_meetings_are_removed(stage):
    edited, _ = do(stage, commands.RemoveActor, actor="red")
    assert [[*one.goals] for one in edited.script] == [["blue"], ["blue"]]
    none, _ = do(edited, commands.RemoveActor, actor="blue")
    assert none.script is None


def test_renamed_key_stays_a_goal_and_removing_its_name_is_refused(stage):
    edited, _ = do(stage, commands.SetKeys, actor="red", keys=(1,), changes={"name": "gate"})
    assert dict(edited.script["first"].goals) == {"red": "gate", "blue": "arch"}
    reason = refused(stage, commands.SetKeys, actor="red", keys=(1,), changes={"name": None})
    assert reason.startswith("Key 'arch' of 'red' is its goal in meeting 'first'")
    swapped, _ = do(stage, commands.ShiftKey, actor="red", key=1, to=2)
    assert swapped.script == stage.script


def test_goal_key_cannot_be_deleted(stage):
    reason = refused(stage, commands.DeleteKeys, actor="red", keys=(1, 2))
    assert reason == ("Key 'arch' of 'red' cannot go: it is its goal in meeting 'first'. Give that another goal first.")
    edited, _ = do(stage, commands.DeleteKeys, actor="red", keys=(2,))
    assert edited.script == stage.script


def test_keys_of_meeting_participants_are_moved_like_any_others(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="red", keys=(1,), by=(0, 1, 0))
    assert edited["red"].motion.path.keys[1].position.tolist() == [2, 1, 0]
    other, _ = do(edited, commands.MoveKeys, actor="train", keys=(1,), by=(0, 1, 0))
    assert [one.motion is not None for one in other.actors] == [True] * 3
    assert other.script == stage.script


# ---- what is seen ----------------------------------------------------------------------------------------------------


def test_meeting_views_have_the_script(stage):
    first, last = meeting_views(stage)
    assert [(one.actor, one.key, one.distance, one.is_orientation) for one in last.goals] == [
        ("red", "home", None, False),
        ("blue", None, 4.0, False),
    ]
    assert (first.after, last.after, last.need, last.of, last.gate, last.patience) == (
        (), ("first",), None, "targets", False, 2.0,
    )  # fmt: skip
    assert meeting_views(stage_with_script()) == ()


def test_script_change_affects_all_participants(stage):
    edited, _ = do(stage, commands.SetMeeting, meeting="first", changes={"gate": True})
    assert dependents(stage, edited) == {"red", "blue"}
    none, _ = do(stage, commands.RemoveActor, actor="train")
    assert dependents(stage, none) == set()
    without_red, _ = do(stage, commands.SetGoal, meeting="first", actor="red", goal=None)
    free, _ = do(without_red, commands.SetGoal, meeting="last", actor="red", goal=None)
    assert "red" in dependents(without_red, free)


def test_preview_lasts_until_all_meetings_are_done(stage):
    preview = Preview(stage)
    assert preview.duration >= 5
    views = meeting_event_views(shoot(stage, preview.take_duration, 24).events)
    states = [(one.meeting, one.state) for one in views if one.state != "reached"]
    assert states == [("first", "active"), ("first", "done"), ("last", "active"), ("last", "done")]
    assert [one.time for one in views] == sorted(one.time for one in views)
    assert all(one.text for one in views)


def test_keys_of_a_delayed_child_actor_are_shown_where_it_passes_them():
    boat = Actor("boat", Motion(MotionPath([(0, 0, 0), (0, 8, 0)]), duration=8.0))
    ride = Actor(
        "rider", Motion(MotionPath([(0, 0, 0), Key((2, 0, 0), name="bow"), (4, 0, 0)]), duration=2.0), parent="boat"
    )
    stage = meeting_stage().with_actor(boat).with_actor(ride)
    stage = stage.changed(script=Script([Meeting(name="late", goals={"rider": "bow", "red": "home"})]))
    preview = Preview(stage)
    preview = Preview(stage, shoot(stage, preview.take_duration, 60))
    [done] = [one for one in preview.meeting_events if one.state == "done"]
    assert done.time > 3.5
    bow = unpack_update(pack_curve(preview, "rider", 24.0, 1))["keys"][1]
    assert bow == pytest.approx((2, done.time, 0), abs=0.1)


def test_live_run_has_meeting_events_so_far_and_fewer_after_a_rewind(stage):
    running = LiveRun(stage)

    def states():
        return [(one.meeting, one.state) for one in running.live_frame(stage).meeting_events if one.state != "reached"]

    while not running.covers_time(5.0):
        running.advance_tick(5.0)
    running.show_time(5.0)
    assert ("last", "done") in states()
    running.start_seek(0.5)
    while running.has_pending_seek:
        running.advance_seek()
    assert states() == [("first", "active")]


def test_meeting_events_are_sent_again_with_a_whole_scene_before_they_were_read(stage, tmp_path):
    def unread(client):
        updates = [client.outbox.pop() for _ in range(len(client.outbox))]
        return [one for one in updates if isinstance(one, str) and '"is":"meeting_events"' in one]

    def script(hub):
        client = join_client(hub)
        unread(client)
        hub.preview = Preview(stage, shoot(stage, 5.0, 24))
        client.send_scene((), is_full=False)
        client.send_scene((), is_full=True)
        (updates,) = unread(client)
        assert '"state":"done"' in updates
        client.send_scene((), is_full=False)
        assert unread(client) == []

    with_hub(tmp_path, script, stage)
