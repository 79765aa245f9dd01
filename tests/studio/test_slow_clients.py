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

MAX_SINGLE_UPDATES = len({"welcome", "scene", "poses", "transport", "collisions", "meeting_events", "an answer"})
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
    with serve_stage(stage, tmp_path) as studio, studio.connect() as client:
        receive_all_curves(client, stage.names)
        (server_client,) = studio.hub.clients
        # So slowly that it does not come round to its beginning before enough was seen, however long that takes.
        client.request("play", time=0.0, speed=0.01, repeat="cycle")
        client.poses.clear()
        while len(client.poses) < 60:
            client.receive()
            assert len(server_client.outbox) <= MAX_SINGLE_UPDATES
        times = [shown["time"] for shown in client.poses]
        assert times == sorted(times)
        assert client.poses[-1]["poses"].shape == (1000, 7)
        now = server_client.player.time
        client.request("pause")
        last = client.receive_until(lambda update: update["is"] == "poses")
        assert last["time"] >= times[-1]
        assert now >= times[-1]


def small_window():
    """A socket that takes little before it is full."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return connection


def test_slow_client_gets_the_newest_update_and_a_stalled_one_is_disconnected_with_reason(tmp_path):
    stage = crowd()
    with serve_stage(stage, tmp_path, patience=6.0) as studio:
        line = small_window()
        line.connect(("127.0.0.1", studio.port))
        # The client's library reads ahead: with a queue of one frame it stops when nobody takes what it has.
        with studio.connect(sock=line, max_queue=1, ping_interval=None) as client:
            client.request("play", time=0.0, repeat="cycle")
            (server_client,) = studio.hub.clients
            deadline = time.monotonic() + TIMEOUT
            while studio.hub.clients and time.monotonic() < deadline:
                assert len(server_client.outbox) <= len(stage.names) + MAX_SINGLE_UPDATES  # a curve each beside them
                time.sleep(0.05)
            assert not studio.hub.clients
            assert server_client.outbox.replaced_count > 0
            with pytest.raises(ConnectionClosed) as ended:
                client.receive_until(lambda update: False)
            assert ended.value.rcvd.code == 1008
            assert "has not read" in ended.value.rcvd.reason
        with studio.connect() as other:
            assert other.request("ping")["is"] == "done"


def test_client_that_sends_without_reading_is_disconnected(studio):
    server_client = Client(studio.hub)
    for number in range(2000):
        server_client.receive(json.dumps({"do": "ping", "id": number}))
    assert "Reload" in server_client.disconnect_reason
    assert len(server_client.outbox) <= 1001


def test_too_many_clients_are_refused_with_reason(studio, monkeypatch):
    monkeypatch.setattr("keypose.studio.server.app.MAX_CLIENTS", 1)
    with studio.connect() as first:
        first.request("ping")
        with studio.connect() as second:
            with pytest.raises(ConnectionClosed) as ended:
                second.receive_until(lambda update: False)
            assert ended.value.rcvd.code == 1013
