"""How soon does a dragged curve come back, and how many actors move on screen? Asked over a real socket.

The studio runs in a process of its own, as it does for a person; the page here is a plain websocket.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import numpy as np
from measure import Row, at_least, at_most
from websockets.sync.client import ClientConnection, connect

from keypose import Actor, Motion, MotionPath, SpeedProfile, Stage, save

DRAGS = 400
SECONDS = 5.0


@contextmanager
def page_on(stage: Stage) -> Iterator[ClientConnection]:
    """A websocket to a studio that shows this stage, in a process of its own."""
    with TemporaryDirectory() as folder:
        scene = save(stage, Path(folder, "scene.json"))
        words = [sys.executable, "-m", "keypose.cli", "studio", str(scene), "--no-browser"]
        environment = {"KEYPOSE_STATE": folder}
        studio = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        try:
            assert studio.stdout is not None
            parts = urlsplit(studio.stdout.readline().split()[-1])
            line = HTTPConnection(parts.netloc)
            line.request("GET", f"/?{parts.query}")
            cookie = str(line.getresponse().getheader("set-cookie")).split(";")[0]
            line.close()
            address = f"ws://{parts.netloc}/live"
            headers = {"Cookie": cookie}
            with connect(
                address, origin=f"http://{parts.netloc}", additional_headers=headers, compression=None, max_size=None
            ) as page:
                yield page
        finally:
            studio.terminate()
            studio.wait()
            if studio.stdout is not None:
                studio.stdout.close()


def dragging() -> list[Row]:
    """Moving one key of a hundred: from sending it until the new curve is there, beside an empty message."""
    rng = np.random.default_rng(1)
    path = MotionPath(np.cumsum(rng.normal(size=(100, 3)), axis=0))
    stage = Stage([Actor("a", Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=10.0))])
    with page_on(stage) as page:
        _settled(page)
        empty, drag = np.empty(DRAGS), np.empty(DRAGS)
        for number in range(DRAGS):
            began = time.perf_counter()
            page.send(json.dumps({"do": "ping", "id": number}))
            page.recv()
            empty[number] = time.perf_counter() - began
            said = {"gesture": "g", "actor": "a", "keys": [50], "by": [0.001 * number, 0, 0]}
            began = time.perf_counter()
            page.send(json.dumps({"do": "move_keys", "id": number, **said}))
            while not _is(page.recv(), b"curve"):
                pass
            drag[number] = time.perf_counter() - began
            _settled(page)
    bare, there_and_back = (np.percentile(times, (50, 95)) * 1e3 for times in (empty[10:], drag[10:]))
    told = f"median {there_and_back[0]:.2g} ms, an empty message {bare[0]:.2g} and {bare[1]:.2g} ms"
    return [
        at_most(f"drag a key of 100, curve back, 95 % ({told})", float(there_and_back[1]), 16, " ms"),
        at_most("drag a key of 100, curve back, 95 %: of an empty message", float(there_and_back[1] / bare[1]), 3, "×"),
    ]


def a_thousand_on_screen() -> list[Row]:
    """A thousand moving actors, played at true speed: how often a page hears where they are, and how late."""
    rng = np.random.default_rng(1)
    cast = [Actor(f"a{i}", Motion(MotionPath(rng.normal(size=(4, 3))), duration=60.0)) for i in range(1000)]
    with page_on(Stage(cast)) as page:
        curves = 0
        while curves < len(cast):
            curves += _is(page.recv(), b"curve")
        page.send(json.dumps({"do": "play", "id": 1, "time": 0.0}))
        began, moments, updates = time.perf_counter(), [], 0
        while time.perf_counter() - began < SECONDS:
            heard = page.recv()
            if isinstance(heard, bytes) and _is(heard, b"poses"):
                updates += 1
                moments.append(time.perf_counter() - began - json.loads(heard[4 : heard.index(b"}]}") + 3])["time"])
    behind = 1e3 * (np.percentile(moments, 95) - min(moments))
    rate = updates / SECONDS
    return [
        at_least(f"1,000 moving actors played (95 % at most {behind:.2g} ms late): updates", round(rate), 59, "/s"),
    ]


def _settled(page: ClientConnection) -> None:
    """Hear whatever is still being told."""
    while True:
        try:
            page.recv(timeout=0.02)
        except TimeoutError:
            return


def _is(heard: str | bytes, kind: bytes) -> bool:
    return isinstance(heard, bytes) and b'{"is":"' + kind in heard[:24]
