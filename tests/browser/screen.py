"""A page of a real studio, as a test speaks of it."""

import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from keypose import Stage
from keypose.studio.server.launch import StudioServer
from tests.browser.page_waits import PAGE_STATE, wait_until_settled

TIMEOUT = 120.0  # [s]
SERVERS = {}
"""The studios that run beside the tests, by their addresses."""


def with_timeout(page):
    """A page that is waited for as long as everything else here."""
    page.set_default_timeout(1000 * TIMEOUT)
    return page


@contextmanager
def serve_scene(file: Path):
    """A studio on a scene file, and its address. It runs beside the test: a process of its own starts for seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEYPOSE_STATE", str(file.parent / "state"))
        server = StudioServer(Stage([]), file, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    SERVERS[server.url] = server
    try:
        yield server.url
    finally:
        del SERVERS[server.url]
        server.close()
        thread.join(TIMEOUT)


class Screen:
    """A page of the studio, as a test speaks of it."""

    def __init__(self, page, address):
        self.page, self.errors = with_timeout(page), []
        self._server = SERVERS.get(address)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.goto(address)
        self.wait_until("() => window.__keypose?.doc.scene && window.__keypose.connection.isConnected")
        self.settle()  # when the last trail is here the views show all of it, and handles are elsewhere

    def wait_until(self, condition, *arguments):
        """What a function of the page gives once that is something; asked again and again, as the page forbids eval."""
        deadline = time.monotonic() + TIMEOUT
        while not (result := self.page.evaluate(condition, *arguments)):
            assert time.monotonic() < deadline, f"never came: {condition}"
            self.page.wait_for_timeout(20)
        return result

    def read_state(self, expression):
        return self.page.evaluate(f"() => {{ {PAGE_STATE} return {expression}; }}")

    def ping(self):
        """The studio has heard all that was said until now, and what it told of it is here."""
        self.page.evaluate("() => window.__keypose.connection.send({ do: 'ping' }).then(() => null)")

    def settle(self):
        """All that was said is carried out, those who take ticks are shot, and whatever came of it is seen."""
        wait_until_settled(self)
        if self._server is not None:
            self._server.wait()  # then nothing more is sent, and what was sent comes before an answer
            self.ping()
        self.render()

    def render(self):
        """Two more frames are drawn: what was asked for before is seen in the second of them at the latest."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def revision(self):
        return self.read_state("doc.scene.revision")

    def edit_and_wait(self, gesture):
        """Do something, and wait until the studio has answered with a new revision and its curves."""
        before = self.revision
        gesture()
        self.wait_until("before => window.__keypose.doc.scene.revision > before", before)
        self.settle()

    def key(self, actor, key):
        return self.read_state(f"doc.actor({actor!r}).keys[{key}]")

    def curve(self, actor, array):
        return self.read_state(f"Array.from(doc.curves.get({actor!r}).arrays[{array!r}])")

    def handle_position(self, actor, handle, view="front"):
        """Where a handle is on the page, once it is there."""
        expression = "given => window.__keypose.project(...given)"
        return self.wait_until(expression, [actor, handle, view])

    def drag(self, start, right, up, steps=8):
        mouse = self.page.mouse
        mouse.move(start["x"], start["y"])
        mouse.down()
        for step in range(1, steps + 1):
            mouse.move(start["x"] + right * step / steps, start["y"] - up * step / steps)
            self.page.wait_for_timeout(10)
        mouse.up()

    def select(self, actor, key=None):
        self.page.evaluate(
            "([actor, keys]) => { window.__keypose.selection.select(actor, keys); }",
            [actor, [] if key is None else [key]],
        )

    def press(self, keys):
        self.page.keyboard.press(keys)
