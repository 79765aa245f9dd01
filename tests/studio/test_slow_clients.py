"""Pages that are slow: they are shown the newest, nothing piles up, and nobody waits for one that does not read."""

import json
import socket
import time

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

from keypose import Actor, Motion, MotionPath, Stage
from keypose.studio.server.client import Client
from tests.studio.four_actors import STAGE, receive_all_curves
from tests.studio.studio_client import TIMEOUT, serve_stage

MAX_SINGLE_UPDATES = len({"welcome", "scene", "poses", "transport", "hits", "meeting_events", "an answer"})
"""What may wait for a page at once, beside a curve for each actor: one of each, however long it does not read."""


@pytest.fixture
def studio(tmp_path):
    with serve_stage(STAGE, tmp_path) as running:
        yield running


def crowd():
    """A thousand who move."""
    rng = np.random.default_rng(1)
    paths = [MotionPath(rng.normal(size=(4, 3))) for _ in range(1000)]
    return Stage([Actor(f"a{i}", Motion(path, duration=5.0)) for i, path in enumerate(paths)])


def test_a_thousand_moving_actors_play_without_a_growing_outbox(tmp_path):
    stage = crowd()
    with serve_stage(stage, tmp_path) as studio, studio.visit() as page:
        receive_all_curves(page, stage.names)
        (visitor,) = studio.workshop.clients
        # So slowly that it does not come round to its beginning before enough was seen, however long that takes.
        page.ask("play", time=0.0, speed=0.01, repeat="cycle")
        page.poses.clear()
        while len(page.poses) < 60:
            page.hear()
            assert len(visitor.outbox) <= MAX_SINGLE_UPDATES
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times)
        assert page.poses[-1]["poses"].shape == (1000, 7)
        now = visitor.player.time
        page.ask("pause")
        last = page.receive_until(lambda heard: heard["is"] == "poses")
        assert last["time"] >= times[-1]
        assert now >= times[-1]


def small_window():
    """A socket that takes little before it is full."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return made


def test_slow_client_gets_the_newest_update_and_a_stalled_one_is_disconnected_with_reason(tmp_path):
    stage = crowd()
    with serve_stage(stage, tmp_path, patience=6.0) as studio:
        line = small_window()
        line.connect(("127.0.0.1", studio.port))
        # The client's library reads ahead: with a queue of one frame it stops when nobody takes what it has.
        with studio.visit(sock=line, max_queue=1, ping_interval=None) as page:
            page.ask("play", time=0.0, repeat="cycle")
            (visitor,) = studio.workshop.clients
            deadline = time.monotonic() + TIMEOUT
            while studio.workshop.clients and time.monotonic() < deadline:
                assert len(visitor.outbox) <= len(stage.names) + MAX_SINGLE_UPDATES  # a curve each beside them
                time.sleep(0.05)
            assert not studio.workshop.clients
            assert visitor.outbox.replaced_count > 0
            with pytest.raises(ConnectionClosed) as ended:
                page.receive_until(lambda heard: False)
            assert ended.value.rcvd.code == 1008
            assert "has not read" in ended.value.rcvd.reason
        with studio.visit() as other:
            assert other.ask("ping")["is"] == "done"


def test_client_that_sends_without_reading_is_disconnected(studio):
    visitor = Client(studio.workshop)
    for number in range(2000):
        visitor.receive(json.dumps({"do": "ping", "id": number}))
    assert "Reload" in visitor.disconnect_reason
    assert len(visitor.outbox) <= 1001


def test_too_many_clients_are_refused_with_reason(studio, monkeypatch):
    monkeypatch.setattr("keypose.studio.server.app.MAX_CLIENTS", 1)
    with studio.visit() as first:
        first.ask("ping")
        with studio.visit() as second:
            with pytest.raises(ConnectionClosed) as ended:
                second.receive_until(lambda heard: False)
            assert ended.value.rcvd.code == 1013
