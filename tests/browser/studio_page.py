"""A page of a studio opened from Python, whose document is at hand."""

import io
import time

import numpy as np
from PIL import Image

from tests.browser.page_waits import PAGE_STATE
from tests.browser.screen import TIMEOUT


class StudioPage:
    """A page of an open studio, and hands to work it."""

    def __init__(self, studio, page):
        self.studio, self.page = studio, page

    def read_state(self, expression):
        """What the page's own state says."""
        return self.page.evaluate(f"(() => {{ {PAGE_STATE} return {expression} }})()")

    def do(self, statements):
        """Change what the page shows, and let it be drawn."""
        self.read_state(f"(() => {{ {statements} }})()")
        self.render()

    def wait_until(self, expression):
        """Frame by frame; Playwright's own way needs eval, which the page forbids."""
        deadline = time.monotonic() + TIMEOUT
        while not self.read_state(expression):
            assert time.monotonic() < deadline, f"never came: {expression}"
            self.render()

    def render(self):
        """Until two more frames have been drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def show(self, stage):
        """Another scene, from the beginning, seen whole."""
        self.studio.stage = stage
        self.do("selection.select(null); viewport.tool = 'select'; viewport.maximised = viewport.camera = null;")
        for name in stage.names:  # a curve that did not change is not sent again
            keys = [float(x) for key in stage[name].motion.path.keys for x in position_3d(key.position)]
            self.wait_until(f"{keys}.every((x, i) => Math.abs(doc.curves.get({name!r})?.arrays.keys[i] - x) < 1e-5)")
        self.wait_until("!window.__keypose.isEchoing()")  # no handle is where a hand left it before
        self.do("viewport.framings += 1;")

    def handle_position(self, actor, view, **handle):
        """Where on the page a handle is."""
        position = self.page.evaluate("(asked) => window.__keypose.project(...asked)", [actor, handle, view])
        assert position is not None, f"{handle} of {actor} is not seen in the {view} view"
        return position["x"], position["y"]

    def pixels(self, centre, reach):
        """What is seen around a place of the page, as far as `reach` [px]: red, green, blue from 0 to 255."""
        self.render()
        x, y = (round(value) - reach for value in centre)
        clip = {"x": x, "y": y, "width": 2 * reach + 1, "height": 2 * reach + 1}
        shot = Image.open(io.BytesIO(self.page.screenshot(clip=clip)))
        return np.asarray(shot.convert("RGB"), dtype=float)

    def drag(self, start, by, *, release=True):
        """With the mouse, in some steps."""
        x, y = start
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + by[0], y + by[1], steps=5)
        if release:
            self.page.mouse.up()
            self.wait_until_settled()

    def open(self, stage):
        """Another scene, until it is shown and whoever takes ticks has been shot."""
        self.studio.stage = stage
        self.settle()

    def settle(self):
        """Until the page has been told everything, also what takes a moment to be shot."""
        self.studio.wait()
        self.wait_until_settled()

    def wait_until_settled(self):
        """Until all that was said is in the scene that is shown. Trails and poses that were waiting may come after."""
        self.wait_until("connection.socket.pendingReplies.size === 0")
        newest = self.page.evaluate("async () => (await window.__keypose.connection.send({ do: 'ping' })).revision")
        self.wait_until(f"doc.scene.revision >= {newest}")
        self.render()


def position_3d(position):
    """A key's place as the page is told it: of a drawing the middle, of a plane without height."""
    middle = np.reshape(position, (-1, np.shape(position)[-1])).mean(axis=0)
    return [*middle, 0, 0][:3]
