"""A page plays the scene live; the other pages see the document."""

import pytest

from keypose import Actor, Stage
from keypose.studio.protocol import commands
from tests.studio.edit_calls import move, undo
from tests.studio.live_scenes import FailingMover, cast, draw_pointer_circle, join_client, pass_ticks, with_hub
from tests.studio.scenes import text
from tests.studio.studio_client import serve_stage


def test_one_client_is_live_and_the_other_shows_the_document(tmp_path):
    def script(workshop):
        one, two = join_client(workshop), join_client(workshop)
        one.says(commands.Live, is_on=True)
        view = one.player.view()
        assert (view.is_live, view.is_playing, view.speed, view.time) == (True, True, 1.0, 0.0)
        assert not two.player.view().is_live
        assert two.player.preview is workshop.preview
        assert one.player.preview is not workshop.preview

    with_hub(tmp_path, script)


def test_edit_and_undo_of_any_client_reach_the_live_run(tmp_path):
    def script(workshop):
        one, two = join_client(workshop), join_client(workshop)
        one.says(commands.Live, is_on=True)
        running = one.player._live_player.live_run
        before = workshop.session.stage
        two.hub.apply(move(actor="lamp"))
        assert running.document is workshop.session.stage is not before
        one.hub.apply(undo())
        assert text(running.document) == text(before)

    with_hub(tmp_path, script)


def test_disconnected_client_ends_its_run(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        page.says(commands.Live, is_on=True)
        live = page.player._live_player
        workshop.remove_client(page)
        assert live.speed == 0

    with_hub(tmp_path, script)


def test_ending_live_seeks_the_document_to_the_run_time_within_its_duration(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        page.says(commands.Live, is_on=False)  # nothing to leave
        for seconds, wanted in ((1.0, 1.0), (5.0, 2.0)):
            page.says(commands.Live, is_on=True)
            live = page.player._live_player
            pass_ticks(live, round(24 * seconds))
            page.says(commands.Live, is_on=False)
            view = page.player.view()
            assert (view.is_live, view.is_playing, view.reached) == (False, False, 0.0)
            assert view.time == pytest.approx(wanted)
            assert page.player.preview is workshop.preview

    with_hub(tmp_path, script)


def test_opening_another_scene_ends_the_run_with_a_notice(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        page.says(commands.Live, is_on=True)
        draw_pointer_circle(page)
        workshop.apply(commands.New(id=1))
        assert not page.player.view().is_live
        assert page.notices == [("note", "The live run has ended: there is another scene now.")]
        workshop.apply(undo())
        assert "fewer than two places" in page.refusal_of(commands.KeepPointer)

    with_hub(tmp_path, script)


def test_scene_that_cannot_start_is_not_live(tmp_path):
    def script(workshop):
        page = join_client(workshop)
        assert "It cannot begin" in page.refusal_of(commands.Live, is_on=True)
        assert not page.player.view().is_live

    with_hub(tmp_path, script, Stage([Actor("red", FailingMover(0))]))


def test_live_run_over_a_websocket_plays_changes_rewinds_and_ends(tmp_path):
    with serve_stage(cast(), tmp_path) as studio, studio.visit() as page, studio.visit() as other:
        assert page.ask("live", is_on=True)["is"] == "done"
        page.receive_until(lambda heard: heard["is"] == "transport" and heard["is_live"] and heard["is_playing"])
        page.receive_until(lambda heard: heard["is"] == "poses" and heard["time"] > 0.2)
        for step in range(5):
            assert page.ask("point", to=[step, 0, 0])["is"] == "done"
            page.receive_until(
                lambda heard, now=page.poses[-1]["time"]: heard["is"] == "poses" and heard["time"] > now + 0.05
            )
        assert other.ask("move_keys", actor="lamp", keys=[1], by=[0, 1, 0])["is"] == "done"
        assert page.ask("play", time=0, speed=2)["is"] == "refused"
        page.ask("pause")
        page.ask("seek", time=0.1)
        back = page.receive_until(lambda heard: heard["is"] == "poses" and heard["time"] == 0.1)
        assert back["poses"].shape == (5, 7)
        told = page.receive_until(lambda heard: heard["is"] == "transport" and not heard["is_playing"])
        assert told["reached"] > 0.2
        assert page.ask("keep_pointer")["text"] == "keep the drawn line"
        assert page.ask("live", is_on=False)["is"] == "done"
        page.receive_until(
            lambda heard: heard["is"] == "transport" and not heard["is_live"]
        )  # not what was told before
        assert other.ask("point", to=[0, 0, 0])["is"] == "refused"
