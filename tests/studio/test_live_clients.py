"""A page plays the scene live; the other pages see the document."""

import pytest

from keypose import Actor, Stage
from keypose.studio.protocol import commands
from tests.studio.edit_calls import move, undo
from tests.studio.live_scenes import FailingMover, draw_pointer_circle, join_client, live_stage, pass_ticks, with_hub
from tests.studio.scenes import text
from tests.studio.studio_client import serve_stage


def test_one_client_is_live_and_the_other_shows_the_document(tmp_path):
    def script(hub):
        first, second = join_client(hub), join_client(hub)
        first.send(commands.Live, is_on=True)
        view = first.player.view()
        assert (view.is_live, view.is_playing, view.speed, view.time) == (True, True, 1.0, 0.0)
        assert not second.player.view().is_live
        assert second.player.preview is hub.preview
        assert first.player.preview is not hub.preview

    with_hub(tmp_path, script)


def test_edit_and_undo_of_any_client_reach_the_live_run(tmp_path):
    def script(hub):
        first, second = join_client(hub), join_client(hub)
        first.send(commands.Live, is_on=True)
        running = first.player.live_player.live_run
        before = hub.session.stage
        second.hub.apply(move(actor="lamp"))
        assert running.document is hub.session.stage is not before
        first.hub.apply(undo())
        assert text(running.document) == text(before)

    with_hub(tmp_path, script)


def test_disconnected_client_ends_its_run(tmp_path):
    def script(hub):
        client = join_client(hub)
        client.send(commands.Live, is_on=True)
        live = client.player.live_player
        hub.remove_client(client)
        assert live.speed == 0

    with_hub(tmp_path, script)


def test_ending_live_seeks_the_document_to_the_run_time_within_its_duration(tmp_path):
    def script(hub):
        client = join_client(hub)
        client.send(commands.Live, is_on=False)  # nothing to leave
        for seconds, expected in ((1.0, 1.0), (5.0, 2.0)):
            client.send(commands.Live, is_on=True)
            live = client.player.live_player
            pass_ticks(live, round(24 * seconds))
            client.send(commands.Live, is_on=False)
            view = client.player.view()
            assert (view.is_live, view.is_playing, view.simulated_until) == (False, False, 0.0)
            assert view.time == pytest.approx(expected)
            assert client.player.preview is hub.preview

    with_hub(tmp_path, script)


def test_opening_another_scene_ends_the_run_with_a_notice(tmp_path):
    def script(hub):
        client = join_client(hub)
        client.send(commands.Live, is_on=True)
        draw_pointer_circle(client)
        hub.apply(commands.New(id=1))
        assert not client.player.view().is_live
        assert client.notices == [("note", "The live run has ended: there is another scene now.")]
        hub.apply(undo())
        assert "fewer than two places" in client.refusal_of(commands.KeepPointer)

    with_hub(tmp_path, script)


def test_scene_that_cannot_start_is_not_live(tmp_path):
    def script(hub):
        client = join_client(hub)
        assert "It cannot begin" in client.refusal_of(commands.Live, is_on=True)
        assert not client.player.view().is_live

    with_hub(tmp_path, script, Stage([Actor("red", FailingMover(0))]))


def test_live_run_over_a_websocket_plays_changes_rewinds_and_ends(tmp_path):
    with serve_stage(live_stage(), tmp_path) as studio, studio.connect() as client, studio.connect() as other:
        assert client.request("live", is_on=True)["is"] == "done"
        client.receive_until(lambda update: update["is"] == "transport" and update["is_live"] and update["is_playing"])
        client.receive_until(lambda update: update["is"] == "poses" and update["time"] > 0.2)
        for step in range(5):
            assert client.request("point", to=[step, 0, 0])["is"] == "done"
            client.receive_until(
                lambda update, last_time=client.poses[-1]["time"]: (
                    update["is"] == "poses" and update["time"] > last_time + 0.05
                )
            )
        assert other.request("move_keys", actor="lamp", keys=[1], by=[0, 1, 0])["is"] == "done"
        assert client.request("play", time=0, speed=2)["is"] == "refused"
        client.request("pause")
        client.request("seek", time=0.1)
        poses = client.receive_until(lambda update: update["is"] == "poses" and update["time"] == 0.1)
        assert poses["poses"].shape == (5, 7)
        transport = client.receive_until(lambda update: update["is"] == "transport" and not update["is_playing"])
        assert transport["simulated_until"] > 0.2
        assert client.request("keep_pointer")["text"] == "keep the drawn line"
        assert client.request("live", is_on=False)["is"] == "done"
        client.receive_until(
            lambda update: update["is"] == "transport" and not update["is_live"]
        )  # not what was told before
        assert other.request("point", to=[0, 0, 0])["is"] == "refused"
