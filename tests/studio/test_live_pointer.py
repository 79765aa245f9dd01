"""The mouse leads the pointer through a live run, and the line it drew can be kept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, KeyposeError, Motion, MotionPath, Stage
from keypose.stage.run.run import Run
from keypose.studio.protocol import commands
from tests.studio.edit_calls import undo
from tests.studio.live_scenes import (
    REST,
    cast,
    draw_circle,
    draw_pointer_circle,
    join_client,
    pass_ticks,
    play_live,
    with_hub,
)


def test_pointer_rests_at_its_start_until_the_mouse_moves_it():
    def script(live):
        live.wait(0.5)
        assert live.places()[3, :3].tolist() == [0, 1, 0]
        live.run.move_pointer((3.0, 2.0, 1.0))
        live.wait(0.25)
        assert live.places()[3, :3].tolist() == [3, 2, 1]
        live.wait(2.0)
        return live.places()

    brush = play_live(script)[4, :3]
    assert np.linalg.norm(brush - (3, 2, 1)) < 0.2  # it follows


def test_pointer_strokes_replay_bitwise_identically_after_a_rewind():
    def script(live):
        seen = draw_circle(live)
        live.run.pause()
        for count in (10, 100, 60, 119):
            live.run.seek(seen[count][0])
            assert live.places().tobytes() == seen[count][1]
        live.run.seek(0.0)
        live.run.play(0.0)
        for time, places in seen:
            live.wait(time - live.run.time)
            if live.run.time == time:
                assert live.places().tobytes() == places

    play_live(script)


def test_new_strokes_after_a_rewind_replace_the_later_ones():
    def script(live):
        draw_circle(live)
        live.run.seek(1.0)
        live.run.move_pointer((5.0, 5.0, 0.0))
        live.wait(1.0)
        assert live.places()[3, :3].tolist() == [5, 5, 0]
        assert live.run.reached_time == live.run.time
        live.run.seek(0.5)
        assert live.places()[3, :3].tolist() != [5, 5, 0]
        live.run.seek(live.run.reached_time)
        assert live.places()[3, :3].tolist() == [5, 5, 0]

    play_live(script)


def test_dropping_the_future_after_a_rewind_is_reported_once():
    def script(live):
        draw_circle(live)
        live.run.seek(1.0)
        told = len(live.told)
        live.run.move_pointer((5.0, 5.0, 0.0))
        assert live.run.reached_time == pytest.approx(1.0)
        assert len(live.told) == told + 1
        live.run.move_pointer((5.0, 6.0, 0.0))
        assert len(live.told) == told + 1, "nothing more is lost"

    play_live(script)


def test_edit_in_the_past_replays_the_same_strokes():
    def script(live):
        draw_circle(live)
        one = live.places()
        live.run.seek(0.0)
        live.run.update_document(cast(brush=0.1))
        live.wait(2.0)
        return one, live.places()

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


@pytest.mark.parametrize(("stage", "told"), [
    (Stage([Actor("red", REST)]), "there is none on the stage. Add an actor of that name"),
    (Stage([Actor("red", REST), Actor("pointer", REST, parent="red")]), "stands on 'red'.*Let it stand on nothing"),
])  # fmt: skip
def test_pointer_input_without_a_parentless_pointer_actor_is_refused(stage, told):
    def script(live):
        with pytest.raises(KeyposeError, match=told):
            live.run.move_pointer((0.0, 0.0, 0.0))

    play_live(script, stage)


@pytest.mark.parametrize("far", [1e300, float("inf"), float("nan")])
def test_out_of_range_pointer_position_is_refused(far):
    def script(live):
        with pytest.raises(KeyposeError, match="The mouse points to"):
            live.run.move_pointer((0.0, far, 0.0))

    play_live(script)


def test_drawn_line_is_kept_as_an_undoable_motion(tmp_path):
    def script(workshop):
        page, before = join_client(workshop), workshop.session.stage
        page.says(commands.Live, is_on=True)
        draw_pointer_circle(page)
        change = page.says(commands.KeepPointer)
        assert change.label == workshop.session.steps.undo == "keep the drawn line"
        made = workshop.session.stage["pointer"].motion
        places = made.at(np.arange(1, 97) / 24).position
        wanted = [(np.cos(step / 15), np.sin(step / 15)) for step in range(96)]
        assert np.linalg.norm(places - wanted, axis=1).max() < 0.011 * np.hypot(2, 2)
        assert len(made.path.keys) < 20
        assert made.span == pytest.approx((1 / 24, 96 / 24))
        assert page.player._live_player.live_run.pointer_history is page.player._pointer_history  # it is led on
        workshop.apply(undo())
        assert workshop.session.stage is before
        page.says(commands.Live, is_on=False)
        assert page.says(commands.KeepPointer).label == "keep the drawn line"  # also afterwards

    with_hub(tmp_path, script)


def test_line_drawn_in_another_scene_is_not_kept(tmp_path):
    def script(workshop):
        page, stage = join_client(workshop), workshop.session.stage
        page.says(commands.Live, is_on=True)
        draw_pointer_circle(page)
        page.says(commands.Live, is_on=False)
        workshop.publish_change(workshop.session.open_example("Another", stage))
        assert "There is no drawn line to keep" in page.refusal_of(commands.KeepPointer)

    with_hub(tmp_path, script)


def test_kept_line_rests_where_the_mouse_rested(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        page.says(commands.Live, is_on=True)
        live = page.player._live_player
        live.pause()
        for place in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.5)):
            page.says(commands.Point, to=place)
            pass_ticks(live, 24)
        page.says(commands.KeepPointer)
        made = workshop.session.stage["pointer"].motion
        assert_allclose(made.at([0.5, 1.5, 2.5]).position, [(0, 0, 0), (1, 0, 0), (1, 1, 0.5)], atol=0.01)

    with_hub(tmp_path, script)


def test_line_with_fewer_than_two_positions_is_not_kept(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        assert "fewer than two places" in page.refusal_of(commands.KeepPointer)
        page.says(commands.Live, is_on=True)
        draw_pointer_circle(page, count=1)
        assert "fewer than two places" in page.refusal_of(commands.KeepPointer)
        pass_ticks(page.player._live_player, 1)
        page.says(commands.Point, to=(1.0, 0.0, 0.0))
        assert "stays in one place" in page.refusal_of(commands.KeepPointer)
        assert "in a live run only" in (
            page.says(commands.Live, is_on=False) or page.refusal_of(commands.Point, to=(0, 0, 0))
        )

    with_hub(tmp_path, script)
