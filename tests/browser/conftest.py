"""How is the studio tried as a person would? A real Chromium, a real mouse; the document behind it is at hand."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keypose.studio.open import Studio

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = tuple(f"/usr/bin/{name}" for name in NAMES)
PATIENCE = 30.0  # [s]
# As root there is no sandbox; without a graphics card WebGL is drawn by the processor.
WORDS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="session")
def built():
    """The page as it is built from the sources now."""
    subprocess.run([sys.executable, ROOT / "tools/build_page.py"], check=True, timeout=300)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    here = [shutil.which(name) for name in NAMES] + [path for path in PLACES if os.access(path, os.X_OK)]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=next((path for path in here if path), None), args=WORDS)
        yield opened
        opened.close()


class Visit:
    """A page of an open studio, and hands to work it."""

    def __init__(self, studio, page):
        self.studio, self.page = studio, page

    def see(self, words):
        """What the page's own state says."""
        return self.page.evaluate(f"(() => {{ const studio = window.__keypose.studio; return {words} }})()")

    def do(self, words):
        """Change what the page shows, and let it be drawn."""
        self.see(f"(() => {{ {words} }})()")
        self.settle()

    def until(self, words):
        """Frame by frame; Playwright's own way needs eval, which the page forbids."""
        ends = time.monotonic() + PATIENCE
        while not self.see(words):
            assert time.monotonic() < ends, f"never came: {words}"
            self.settle()

    def settle(self):
        """Until two more frames have been drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def show(self, stage):
        """Another scene, from the beginning, seen whole."""
        self.studio.stage = stage
        self.do("studio.select(null); studio.tool = 'select'; studio.view = { maximised: null, camera: null };")
        for name in stage.names:  # a curve that did not change is not sent again
            keys = [float(x) for key in stage[name].motion.path.keys for x in key.position]
            self.until(f"{keys}.every((x, i) => Math.abs(studio.curves.get({name!r})?.arrays.keys[i] - x) < 1e-5)")
        self.do("studio.framings += 1;")

    def at(self, actor, view, **what):
        """Where on the page a handle is."""
        told = self.page.evaluate("(asked) => window.__keypose.project(...asked)", [actor, what, view])
        assert told is not None, f"{what} of {actor} is not seen in the {view} view"
        return told["x"], told["y"]

    def drag(self, start, by, *, let_go=True):
        """With the mouse, in some steps."""
        x, y = start
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + by[0], y + by[1], steps=5)
        if let_go:
            self.page.mouse.up()
            self.still()

    def still(self):
        """Until nothing is under way: an empty message has come back."""
        self.page.evaluate("() => window.__keypose.studio.send({ do: 'ping' })")
        self.settle()


@pytest.fixture(scope="session")
def visit(built, browser, tmp_path_factory):
    os.environ["KEYPOSE_STATE"] = str(tmp_path_factory.mktemp("state"))
    from keypose import Actor, Key, Motion, MotionPath, Stage

    with Studio(Stage([Actor("first", Motion(MotionPath([Key((0, 0, 0)), Key((1, 0, 0))]), duration=1.0))])) as studio:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        wrong = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(studio.url)
        visit = Visit(studio, page)
        visit.until("studio.scene !== null && window.__keypose.project !== undefined")
        yield visit
        page.close()
        assert wrong == []
