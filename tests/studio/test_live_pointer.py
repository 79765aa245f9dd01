"""The mouse leads the pointer through a live run, and the line it drew can be kept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, KeyposeError, Motion, MotionPath, Stage
from keypose.stage.live_run import Run
from keypose.studio.protocol import commands
from tests.studio.edit_calls import undo
from tests.studio.live_scenes import (
    REST,
    draw_circle,
    draw_pointer_circle,
    join_client,
    live_stage,
    pass_ticks,
    play_live,
    with_hub,
)


def test_pointer_rests_at_its_start_until_the_mouse_moves_it():
    def script(live):
        live.wait(0.5)
        assert live.pose_rows()[3, :3].tolist() == [0, 1, 0]
        live.run.move_pointer((3.0, 2.0, 1.0))
        live.wait(0.25)
        assert live.pose_rows()[3, :3].tolist() == [3, 2, 1]
        live.wait(2.0)
        return live.pose_rows()

    brush = play_live(script)[4, :3]
    assert np.linalg.norm(brush - (3, 2, 1)) < 0.2  # it follows


def test_pointer_strokes_replay_bitwise_identically_after_a_rewind():
    def script(live):
        records = draw_circle(live)
        live.run.pause()
        for count in (10, 100, 60, 119):
            live.run.seek(records[count][0])
            assert live.pose_rows().tobytes() == records[count][1]
        live.run.seek(0.0)
        live.run.play(0.0)
        for time, row_bytes in records:
            live.wait(time - live.run.time)
            if live.run.time == time:
                assert live.pose_rows().tobytes() == row_bytes

    play_live(script)


def test_new_strokes_after_a_rewind_replace_the_later_ones():
    def script(live):
        draw_circle(live)
        live.run.seek(1.0)
        live.run.move_pointer((5.0, 5.0, 0.0))
        live.wait(1.0)
        assert live.pose_rows()[3, :3].tolist() == [5, 5, 0]
        assert live.run.reached_time == live.run.time
        live.run.seek(0.5)
        assert live.pose_rows()[3, :3].tolist() != [5, 5, 0]
        live.run.seek(live.run.reached_time)
        assert live.pose_rows()[3, :3].tolist() == [5, 5, 0]

    play_live(script)


def test_dropping_the_future_after_a_rewind_is_reported_once():
    def script(live):
        draw_circle(live)
        live.run.seek(1.0)
        count = len(live.speed_changes)
        live.run.move_pointer((5.0, 5.0, 0.0))
        assert live.run.reached_time == pytest.approx(1.0)
        assert len(live.speed_changes) == count + 1
        live.run.move_pointer((5.0, 6.0, 0.0))
        assert len(live.speed_changes) == count + 1, "nothing more is lost"

    play_live(script)


def test_edit_in_the_past_replays_the_same_strokes():
    def script(live):
        draw_circle(live)
        one = live.pose_rows()
        live.run.seek(0.0)
        live.run.update_document(live_stage(brush=0.1))
        live.wait(2.0)
        return one, live.pose_rows()

    one, two = play_live(script)
    assert_allclose(two[3], one[3])
    assert np.linalg.norm(two[4, :3] - one[4, :3]) > 0.01


def test_pointer_input_does_not_change_the_run_stage(monkeypatch):
    changes = []
    monkeypatch.setattr(Run, "change", lambda *_: changes.append(1))
    play_live(draw_circle)
    assert not changes


def test_drawing_follows_the_pointer_by_its_centre():
    drawing = Motion(MotionPath(np.array([[[0, 0], [2, 0]], [[0, 1], [2, 1]]], dtype=float)), duration=1.0)

    def script(live):
        live.run.move_pointer((3.0, 2.0, 1.0))
        live.wait(0.25)
        return live.run.preview.all_poses(live.run.time)

    rows, (points,) = play_live(script, Stage([Actor("pointer", drawing)]))
    assert rows[0, :3].tolist() == [3, 2, 1]
    assert points.tolist() == [[2, 2, 1], [4, 2, 1]]


@pytest.mark.parametrize(("stage", "reason"), [
    (Stage([Actor("red", REST)]), "there is none on the stage. Add an actor of that name"),
    (Stage([Actor("red", REST), Actor("pointer", REST, parent="red")]), "stands on 'red'.*Let it stand on nothing"),
])  # fmt: skip
def test_pointer_input_without_a_parentless_pointer_actor_is_refused(stage, reason):
    def script(live):
        with pytest.raises(KeyposeError, match=reason):
            live.run.move_pointer((0.0, 0.0, 0.0))

    play_live(script, stage)


@pytest.mark.parametrize("far", [1e300, float("inf"), float("nan")])
def test_out_of_range_pointer_position_is_refused(far):
    def script(live):
        with pytest.raises(KeyposeError, match="The mouse points to"):
            live.run.move_pointer((0.0, far, 0.0))

    play_live(script)


def test_drawn_line_is_saved_as_an_undoable_motion(tmp_path):
    def script(hub):
        client, before = join_client(hub), hub.session.stage
        client.send(commands.Live, is_on=True)
        draw_pointer_circle(client)
        change = client.send(commands.KeepPointer)
        assert change.label == hub.session.steps.undo == "keep the drawn line"
        motion = hub.session.stage["pointer"].motion
        positions = motion.at(np.arange(1, 97) / 24).position
        expected = [(np.cos(step / 15), np.sin(step / 15)) for step in range(96)]
        assert np.linalg.norm(positions - expected, axis=1).max() < 0.011 * np.hypot(2, 2)
        assert len(motion.path.keys) < 20
        assert motion.span == pytest.approx((1 / 24, 96 / 24))
        assert client.player.live_player.live_run.pointer_history is client.player.pointer_history  # it is led on
        hub.apply(undo())
        assert hub.session.stage is before
        client.send(commands.Live, is_on=False)
        assert client.send(commands.KeepPointer).label == "keep the drawn line"  # also afterwards

    with_hub(tmp_path, script)


def test_line_drawn_in_another_scene_is_not_saved(tmp_path):
    def script(hub):
        client, stage = join_client(hub), hub.session.stage
        client.send(commands.Live, is_on=True)
        draw_pointer_circle(client)
        client.send(commands.Live, is_on=False)
        hub.publish_change(hub.session.open_example("Another", stage))
        assert "There is no drawn line to keep" in client.refusal_of(commands.KeepPointer)

    with_hub(tmp_path, script)


def test_saved_line_rests_where_the_mouse_rested(tmp_path):
    def script(hub):
        client = join_client(hub)
        client.send(commands.Live, is_on=True)
        live = client.player.live_player
        live.pause()
        for position in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.5)):
            client.send(commands.Point, to=position)
            pass_ticks(live, 24)
        client.send(commands.KeepPointer)
        motion = hub.session.stage["pointer"].motion
        assert_allclose(motion.at([0.5, 1.5, 2.5]).position, [(0, 0, 0), (1, 0, 0), (1, 1, 0.5)], atol=0.01)

    with_hub(tmp_path, script)


def test_line_with_fewer_than_two_positions_is_not_saved(tmp_path):
    def script(hub):
        client = join_client(hub)
        assert "fewer than two places" in client.refusal_of(commands.KeepPointer)
        client.send(commands.Live, is_on=True)
        draw_pointer_circle(client, count=1)
        assert "fewer than two places" in client.refusal_of(commands.KeepPointer)
        pass_ticks(client.player.live_player, 1)
        client.send(commands.Point, to=(1.0, 0.0, 0.0))
        assert "stays in one place" in client.refusal_of(commands.KeepPointer)
        assert "in a live run only" in (
            client.send(commands.Live, is_on=False) or client.refusal_of(commands.Point, to=(0, 0, 0))
        )

    with_hub(tmp_path, script)
