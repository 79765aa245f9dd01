"""How soon does a dragged curve come back, and how many actors move on screen? Asked over a real socket.

The studio runs in a process of its own, as it does for a person. What is dragged is dragged in a real browser; a
thousand actors are watched by a plain websocket.
"""

import gzip
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
from urllib.parse import urljoin, urlsplit

import numpy as np
from measure import Row, lower_limit_row, upper_limit_row
from playwright.sync_api import sync_playwright
from websockets.sync.client import ClientConnection, connect

from keypose import Actor, Motion, MotionPath, SpeedProfile, Stage, save

sys.path.insert(0, str(Path(__file__).parent.parent))
from tools.get_browser import find_browser

PAGE = Path(__file__).parent.parent / "src/keypose/studio/page"
DRAGS, TURNS = 100, 5  # in each turn; of all turns the middle one counts, whatever else the machine did in some
SECONDS = 5.0


# In the page: milliseconds until its first paint.
PAINTED = """() => new Promise(seen => new PerformanceObserver(list => seen(list.getEntries()[0].startTime))
  .observe({ type: "paint", buffered: true }))"""

# In the page: milliseconds from sending an empty message, and a drag, until the answer and the new curve are there.
DRAGGED = """drags => new Promise((done, failed) => {
  const socket = new WebSocket(`ws://${location.host}/live`);
  socket.binaryType = "arraybuffer";
  socket.onclose = () => failed(new Error("The studio hung up."));
  const times = [[], []];
  const isCurve = data => data instanceof ArrayBuffer && new TextDecoder().decode(data.slice(4, 20)).includes("curve");
  const quiet = () => new Promise(settled => {
    let timer = setTimeout(settled, 20);
    socket.onmessage = () => { clearTimeout(timer); timer = setTimeout(settled, 20); };
  });
  const told = (message, ended) => new Promise(answered => {
    const startTime = performance.now();
    socket.onmessage = ({ data }) => ended(data) && answered(performance.now() - startTime);
    socket.send(JSON.stringify(message));
  });
  socket.onopen = async () => {
    await quiet();
    for (let id = 1; id <= drags; id++) {
      times[0].push(await told({ do: "ping", id }, () => true));
      const drag = { do: "move_keys", id, gesture: "g", actor: "a", keys: [50], by: [0.001 * id, 0, 0] };
      times[1].push(await told(drag, isCurve));
      await quiet();
    }
    socket.onclose = () => done(times);  // else the next turn would be shown to this one too
    socket.close();
  };
})"""


@contextmanager
def studio_on(stage: Stage) -> Iterator[str]:
    """The address of a studio that shows this stage, in a process of its own."""
    with TemporaryDirectory() as folder:
        scene = save(stage, Path(folder, "scene.json"))
        words = [sys.executable, "-m", "keypose.cli", "studio", str(scene), "--no-browser"]
        environment = {"KEYPOSE_STATE": folder}
        studio = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        try:
            assert studio.stdout is not None
            yield studio.stdout.readline().split()[-1]
        finally:
            studio.terminate()
            studio.wait()
            if studio.stdout is not None:
                studio.stdout.close()


@contextmanager
def page_on(stage: Stage) -> Iterator[ClientConnection]:
    """A websocket to a studio that shows this stage."""
    with studio_on(stage) as address:
        parts = urlsplit(address)
        line = HTTPConnection(parts.netloc)
        line.request("GET", f"/?{parts.query}")
        headers = {"Cookie": str(line.getresponse().getheader("set-cookie")).split(";")[0]}
        line.close()
        origin = f"http://{parts.netloc}"
        live = f"ws://{parts.netloc}/live"
        with connect(live, origin=origin, additional_headers=headers, compression=None, max_size=None) as page:
            yield page


def drag_latency() -> list[Row]:
    """Moving one key of a hundred in a real browser: from sending it until the new curve is there, beside nothing."""
    rng = np.random.default_rng(1)
    path = MotionPath(np.cumsum(rng.normal(size=(100, 3)), axis=0))
    stage = Stage([Actor("a", Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=10.0))])
    with studio_on(stage) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)  # which leaves a cookie
        page.goto(urljoin(address, "/icon.svg"))  # of the studio too, and draws nothing meanwhile
        page.evaluate(DRAGGED, 10)  # warm
        turns = np.array([page.evaluate(DRAGGED, DRAGS) for _ in range(TURNS)])
        browser.close()
    quantiles = np.percentile(turns, (50, 95), axis=2)  # (quantile, turn, empty or dragged)
    (bare, half), (slow_bare, slow) = np.median(quantiles, axis=1)
    ratio = np.median(quantiles[1, :, 1] / quantiles[1, :, 0])
    description = f"median {half:.2g} ms, an empty message {bare:.2g} and {slow_bare:.2g} ms"
    return [
        upper_limit_row(f"drag a key of 100, curve back, 95 % ({description})", float(slow), 16, " ms"),
        upper_limit_row("drag a key of 100, curve back, 95 %: of an empty message", float(ratio), 3, "×"),
    ]


def open_time() -> list[Row]:
    """The page, from asking for it until something is seen, and how much of it is sent."""
    motion = Motion(MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)]), duration=2.0)
    with studio_on(Stage([Actor("a", motion)])) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("canvas")  # it is the studio that was painted
        painted = page.evaluate(PAINTED)
        browser.close()
    sent = sum(len(gzip.compress(file.read_bytes())) for file in PAGE.rglob("*") if file.suffix in (".js", ".css"))
    return [
        upper_limit_row("the studio's page, from asking for it until it is painted first", painted / 1e3, 2, " s"),
        upper_limit_row("the studio's page, its scripts and styles packed", sent / 1e3, 400, " kB"),
    ]


def thousand_actors_on_screen() -> list[Row]:
    """A thousand moving actors, played at true speed: how often a page hears where they are, and how late."""
    rng = np.random.default_rng(1)
    actors = [Actor(f"a{i}", Motion(MotionPath(rng.normal(size=(4, 3))), duration=60.0)) for i in range(1000)]
    with page_on(Stage(actors)) as page:
        curves = 0
        while curves < len(actors):
            curves += _has_kind(page.recv(), b"curve")
        page.send(json.dumps({"do": "play", "id": 1, "time": 0.0}))
        start_time, moments, updates = time.perf_counter(), [], 0
        while time.perf_counter() - start_time < SECONDS:
            message = page.recv()
            if isinstance(message, bytes) and _has_kind(message, b"poses"):
                updates += 1
                moments.append(
                    time.perf_counter() - start_time - json.loads(message[4 : message.index(b"}]}") + 3])["time"]
                )
    behind = 1e3 * (np.percentile(moments, 95) - min(moments))
    rate = updates / SECONDS
    return [
        lower_limit_row(
            f"1,000 moving actors played (95 % at most {behind:.2g} ms late): updates", round(rate), 60, "/s"
        ),
    ]


def _has_kind(message: str | bytes, kind: bytes) -> bool:
    return isinstance(message, bytes) and b'{"is":"' + kind in message[:24]
