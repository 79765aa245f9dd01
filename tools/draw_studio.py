"""Photograph the studio for the documentation: docs/studio.png, the flagship scene, and docs/studio-fields.png."""

import io
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from keypose import Actor, DynamicSpline, FaceForward, Stage, fields, load
from keypose.studio.open import Studio

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE))
from tools.get_browser import found  # noqa: E402 - found only once the root is

COLOURS = 256  # in a picture: fewer bytes, and nobody sees it


@dataclass(frozen=True)
class Picture:
    """What is photographed: a stage at a moment [s], with something selected."""

    name: str
    stage: Stage
    moment: float
    selected: str  # what the page does to select it


def catch() -> Picture:
    """The hand is about to catch; the key of the second bounce is selected."""
    return Picture("studio.png", load(HERE / "examples/07_the_catch.json"), 2.25, 'studio.select("ball", [3])')


def light() -> Picture:
    """A moth, which is selected, and a fly about a lamp whose light pulls and whirls."""
    lamp = load(HERE / "examples/09_a_moth_and_a_lamp.json")["lamp"]
    glow = (fields.Attractor(6.0, falloff=0) + fields.Vortex(4.0)).carried_by("lamp")
    breeze = fields.Uniform((0.3, 0, 0.1)).within(1.2, center=(2.6, 0.6, 1.2))
    moth = DynamicSpline((-3, 2.2, 0.6), (0.5, 0, 2.0), friction=0.06, senses={"light": 1, "breeze": 0.6})
    fly = DynamicSpline((-3, 1, 1), (0.9, 0.2, -0.1), friction=0.02, senses={"light": 0.2})
    cast = [
        lamp,
        Actor("moth", moth, facing=FaceForward(), look="#56b4e9"),
        Actor("fly", fly, facing=FaceForward(), look="#cc79a7"),
    ]
    stage = Stage(cast, fields={"light": glow, "breeze": breeze})
    return Picture("studio-fields.png", stage, 2.6, 'studio.fieldArrows.toggleEye("light"); studio.select("moth")')


def main() -> None:
    """Draw them."""
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        os.environ["KEYPOSE_STATE"] = state
        browser = playwright.chromium.launch(executable_path=found(), args=flags)
        for picture in (catch(), light()):
            photograph(browser, picture)
        browser.close()


def photograph(browser: Browser, picture: Picture) -> None:
    """Take one picture of the studio."""
    with Studio(picture.stage) as studio:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(studio.url)
        page.get_by_role("button", name=picture.stage.names[0], exact=False).first.wait_for()
        page.wait_for_timeout(2500)
        page.evaluate(
            f"() => {{ const {{ studio }} = window.__keypose; {picture.selected}; studio.seek({picture.moment}); }}"
        )
        page.wait_for_timeout(1500)
        seen = (
            Image.open(io.BytesIO(page.screenshot()))
            .convert("RGB")
            .quantize(COLOURS, kmeans=4, dither=Image.Dither.NONE)
        )
        page.close()
    file = HERE / "docs" / picture.name
    seen.save(file, optimize=True)
    print(f"{file.relative_to(HERE)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
