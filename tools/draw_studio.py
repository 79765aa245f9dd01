"""Photograph the studio for the documentation: the flagship scene, fields, bodies, and the graph of meetings."""

import io
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    DynamicSpline,
    FaceForward,
    Figure,
    Follow,
    Free,
    Key,
    Link,
    MotionPath,
    Pin,
    Plane,
    Script,
    Sphere,
    Stage,
    Still,
    fields,
    load,
)
from keypose.studio.server.launch import Studio

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tools.get_browser import find_browser  # noqa: E402 - found only once the root is

MEETINGS = "document.querySelector('[title^=\"Who is to meet\"]').click()"
COLOURS = 256  # in a picture: fewer bytes, and nobody sees it


@dataclass(frozen=True)
class Picture:
    """What is photographed: a stage at a moment [s], with something selected."""

    name: str
    stage: Stage
    moment: float
    selected: str  # what the page does to select it


def flagship() -> Picture:
    """Two of three balls are on their way to the second arch; that meeting is chosen."""
    stage = load(ROOT / "examples/20_three_arches.json")
    assert stage.script is not None
    return Picture("studio.png", stage, 4.6, f"{MEETINGS}; selection.selectMeeting('{stage.script.meetings[1].name}')")


def light() -> Picture:
    """A moth, which is selected, and a fly about a lamp whose light pulls and whirls."""
    lamp = load(ROOT / "examples/09_a_moth_and_a_lamp.json")["lamp"]
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
    return Picture("studio-fields.png", stage, 2.6, 'fieldArrows.togglePinned("light"); selection.select("moth")')


def crates() -> Picture:
    """A ball, which is selected, has run into crates that lie on its way; a capsule is stuck at a wall."""
    rough = MotionPath([(-2.6, 0.3, 0.6), (-1.2, 0.3, -0.2), (0.4, 0.3, 0.1), (2.6, 0.3, 0.9)])
    through = MotionPath([(-0.9, 0.45, -1.8), (0.6, 0.45, -1.6), (2.4, 0.45, -1.8)])
    wood = Body(Box(0.45), mass=0.4)
    positions = {"crate/1": (0.1, 0.225, 0.05), "crate/2": (0.1, 0.675, 0.05), "crate/3": (0.65, 0.225, -0.1)}
    cast = [
        Actor("floor", Still(Body(Plane())), look="#8c7853"),
        Actor("wall", Still(Body(Box((0.3, 1.0, 1.1))), (0.9, 0.5, -1.8)), look="#56b4e9"),
        Actor("ball", Follow(rough, Body(Sphere(0.3), mass=2), within=0.45, speed=2.2), look="#cc79a7"),
        Actor("capsule", Follow(through, Body(Capsule(0.18, 0.4)), within=0.4, speed=1.5), look="#f0e442"),
        *(Actor(name, Free(wood, position), look="#d55e00") for name, position in positions.items()),
    ]
    selected = "viewport.maximised = 'perspective'; selection.select('ball')"
    return Picture("studio-bodies.png", Stage(cast, gravity=(0, -9.81, 0)), 1.25, selected)


def arches() -> Picture:
    """Three balls who pass three arches in pairs; the second meeting is chosen while it is active."""
    lanes = {
        "red": (0.0, [(3, 0.6, "first"), (9, 1.6, "third"), (12, 0.0, "home")], 1.5, "#d55e00"),
        "blue": (2.0, [(3, 1.4, "first"), (6, 2.4, "second"), (12, 2.0, "home")], 1.2, "#56b4e9"),
        "green": (4.0, [(6, 3.4, "second"), (9, 2.4, "third"), (12, 4.0, "home")], 2.0, "#2fbf94"),
    }
    cast = []
    for name, (z, stops, speed, look) in lanes.items():
        path = MotionPath([(0, 0.3, z), *(Key((x, 0.3, at), name=key) for x, at, key in stops)])
        cast.append(Actor(name, Follow(path, Body(Sphere(0.3)), within=0.5, speed=speed), look=look))
    post = Body(Box((0.25, 1.1, 0.25)))
    posts = [Pin(Link(name, post, (0, -0.675, side))) for name, side in (("near", 1.175), ("far", -1.175))]
    for number, (x, z) in enumerate([(3, 1), (6, 3), (9, 2)], start=1):
        arch = Figure(Body(Box((0.25, 0.25, 2.6))), posts, position=(x, 1.225, z), held=True)
        cast.append(Actor(f"arch {number}", arch, look="#a9b0bd"))
    script = Script()
    first = script.meet({"red": "first", "blue": "first"}, name="first arch")
    second = script.meet({"blue": "second", "green": "second"}, name="second arch", after=first)
    third = script.meet({"red": "third", "green": "third"}, name="third arch", after=second)
    script.meet({"red": "home", "blue": "home", "green": "home"}, name="all at home", after=third, gate=True)
    selected = f"{MEETINGS}; selection.selectMeeting('second arch')"
    return Picture("studio-meetings.png", Stage(cast, script=script), 4.6, selected)


def main() -> None:
    """Draw them, or those that are named."""
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        os.environ["KEYPOSE_STATE"] = state
        browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        for picture in (flagship(), light(), crates(), arches()):
            if picture.name in (sys.argv[1:] or [picture.name]):
                take_screenshot(browser, picture)
        browser.close()


def take_screenshot(browser: Browser, picture: Picture) -> None:
    """Take one picture of the studio."""
    with Studio(picture.stage) as studio:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(studio.url)
        page.get_by_role("button", name=picture.stage.names[0], exact=False).first.wait_for()
        page.wait_for_timeout(2500)
        while page.evaluate("() => window.__keypose.connection.isWorking"):
            page.wait_for_timeout(100)
        names = "fieldArrows, playback, selection, viewport"
        page.evaluate(
            f"() => {{ const {{ {names} }} = window.__keypose; {picture.selected}; playback.seek({picture.moment}); }}"
        )
        page.wait_for_timeout(1500)
        screenshot = (
            Image.open(io.BytesIO(page.screenshot()))
            .convert("RGB")
            .quantize(COLOURS, kmeans=4, dither=Image.Dither.NONE)
        )
        page.close()
    file = ROOT / "docs" / picture.name
    screenshot.save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
