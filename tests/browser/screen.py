"""A page of a real studio, as a test speaks of it."""

import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 30.0  # [s]


@contextmanager
def serving(folder: Path, *words: str):
    """A studio as a person starts it, and the address it prints."""
    command = [sys.executable, "-m", "keypose.cli", "studio", *words, "--no-browser"]
    quiet = {**os.environ, "KEYPOSE_STATE": str(folder / "state"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=quiet, stdout=subprocess.PIPE, text=True) as process:
        try:
            printed = process.stdout.readline()
            address = re.search(r"http://\S+", printed)
            assert address, printed
            yield address.group()
        finally:
            process.terminate()
            process.wait(20)


class Screen:
    """A page of the studio, as a test speaks of it."""

    def __init__(self, page, address):
        self.page, self.trouble = page, []
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        page.goto(address)
        self.until("() => window.__keypose?.studio.scene && window.__keypose.studio.isConnected")

    def until(self, condition, *given):
        """What a function of the page gives once that is something; asked again and again, as the page forbids eval."""
        ends = time.monotonic() + PATIENCE
        while not (told := self.page.evaluate(condition, *given)):
            assert time.monotonic() < ends, f"never came: {condition}"
            self.page.wait_for_timeout(20)
        return told

    def ask(self, expression):
        return self.page.evaluate(f"() => {{ const studio = window.__keypose.studio; return {expression}; }}")

    @property
    def revision(self):
        return self.ask("studio.scene.revision")

    def after(self, gesture):
        """Do something, and wait until the studio has answered with a new revision and its curve."""
        before = self.revision
        gesture()
        self.until("before => window.__keypose.studio.scene.revision > before", before)
        self.page.wait_for_timeout(150)  # the last of a drag's answers

    def key(self, actor, key):
        return self.ask(f"studio.actor({actor!r}).keys[{key}]")

    def curve(self, actor, array):
        return self.ask(f"Array.from(studio.curves.get({actor!r}).arrays[{array!r}])")

    def spot(self, actor, what, view="front"):
        """Where a handle is on the page, once it is there."""
        found = "given => window.__keypose.project(...given)"
        return self.until(found, [actor, what, view])

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
            "([actor, keys]) => { window.__keypose.studio.selection = { actor, keys }; }",
            [actor, [] if key is None else [key]],
        )

    def press(self, keys):
        self.page.keyboard.press(keys)
