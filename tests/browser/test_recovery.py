"""What a person sees after the studio was killed in the middle of work: the offer to take it up, and the work."""

import os
import re
import signal
import subprocess
import sys

from keypose import load
from tests.browser.screen import Screen, serve_scene


def test_edit_survives_a_kill_of_the_studio_and_is_offered_at_the_next_start(chromium, scene):
    quiet = {**os.environ, "KEYPOSE_STATE": str(scene.parent / "state"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "keypose.cli", "studio", scene.name, "--no-browser"]
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    before = scene.read_bytes()
    with subprocess.Popen(command, cwd=scene.parent, env=quiet, stdout=subprocess.PIPE, text=True) as process:
        try:
            screen = Screen(context.new_page(), re.search(r"http://\S+", process.stdout.readline()).group())
            screen.select("red", 1)
            field = screen.page.get_by_label("tension", exact=True)
            field.fill("0.75")
            screen.edit_and_wait(lambda: field.press("Enter"))
        finally:
            process.send_signal(signal.SIGKILL)
    screen.page.close()
    assert scene.read_bytes() == before

    with serve_scene(scene) as address:
        recovered = Screen(context.new_page(), address)
        offer = recovered.page.get_by_role("dialog", name="Take up where you were?")
        offer.wait_for()
        assert "key 1 of red" in offer.inner_text()
        assert offer.get_by_role("button", name="Throw it away").is_visible()  # that cannot be undone
        recovered.press("Escape")  # neither: it is asked again
        recovered.page.reload()
        offer.wait_for()
        recovered.edit_and_wait(offer.get_by_role("button", name="Take it up").click)
        assert recovered.key("red", 1)["tension"] == 0.75
        assert not recovered.read_state("doc.scene.is_saved")
        recovered.press("Control+s")
        recovered.wait_until("() => window.__keypose.doc.scene.is_saved")
        assert load(scene)["red"].keys[1].tension == 0.75
    context.close()
