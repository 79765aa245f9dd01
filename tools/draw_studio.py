"""Photograph the studio for the README, as it looks when the flagship scene is opened: docs/studio.png."""

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from keypose import load
from keypose.studio.open import Studio

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE))
from tools.get_browser import found  # noqa: E402 - found only once the root is

SCENE, PICTURE = HERE / "examples" / "07_the_catch.json", HERE / "docs" / "studio.png"
MOMENT, KEY = 2.25, 3  # [s] the hand is about to catch, and the key of the second bounce
SHOWN = """([time, key]) => {
    const { studio } = window.__keypose;
    studio.select("ball", [key]);
    studio.seek(time);
}"""


def main() -> None:
    """Draw it."""
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        os.environ["KEYPOSE_STATE"] = state
        studio = Studio(load(SCENE))
        browser = playwright.chromium.launch(executable_path=found(), args=flags)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(studio.url)
        page.get_by_role("button", name="ball", exact=False).first.wait_for()
        page.wait_for_timeout(1500)
        page.evaluate(SHOWN, [MOMENT, KEY])
        page.wait_for_timeout(1500)
        PICTURE.write_bytes(page.screenshot())
        browser.close()
        studio.close()
    print(f"{PICTURE.relative_to(HERE)}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
