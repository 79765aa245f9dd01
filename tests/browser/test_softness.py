"""Does a person see what is soft give way, and make it as soft as it shall be?"""

import io

import numpy as np
import pytest
from PIL import Image

from keypose import Actor, Body, Box, Free, Motion, MotionPath, Plane, Sphere, Stage, Still
from tests.browser.hands import middle
from tests.browser.weights import as_opened, go_to, place, slider, studio_on
from tests.browser.winds import changed, choose

SOFT = Stage(
    [
        Actor("floor", Still(Body(Plane(offset=-0.5)))),
        Actor("post", Still(Body(Box((0.2, 1, 0.2))), (0, 0, 0))),
        Actor("ball", Free(Body(Sphere(0.4), stiffness=800), (2, 0.9, 0)), look="#d55e00"),
        Actor("lamp", Motion(MotionPath([(0, 1, 0), (0, 1.2, 0)]), duration=1.2)),  # so long it lasts
    ],
    gravity=(0, -9.81, 0),
)


@pytest.fixture(scope="module")
def studio(chromium, tmp_path_factory):
    """One studio on a soft ball for all tests."""
    with studio_on(SOFT, chromium, tmp_path_factory.mktemp("soft"), "ball") as screen:
        yield screen


@pytest.fixture
def screen(studio):
    return as_opened(studio, "floor", "ball")


def surface(screen):
    """The points of the ball's surface [m], from its middle."""
    points = np.reshape(screen.ask("Array.from(studio.poses.points)"), (-1, 3))
    return points - place(screen, "ball")


def seen(screen, x, y):
    """The colour of a few pixels of the page: red, green, blue."""
    clip = {"x": round(x) - 1, "y": round(y) - 1, "width": 3, "height": 3}
    picture = Image.open(io.BytesIO(screen.page.screenshot(clip=clip))).convert("RGB")
    return np.asarray(picture, dtype=float).mean(axis=(0, 1))


def test_a_soft_ball_is_drawn_by_its_surface_and_a_click_on_it_selects_its_actor(screen):
    for time in np.arange(0.3, 1.2, 0.05).tolist():
        go_to(screen, time)
        if np.ptp(surface(screen)[:, 1]) < 0.7:
            break
    points = surface(screen)
    widest = points[np.argmax(points[:, 0])]
    assert widest[0] > 0.42, "it is flat, and wider than what is rigid"
    spots = [screen.spot(name, {"pose": True}) for name in ("ball", "post")]
    metre = (spots[0]["x"] - spots[1]["x"]) / (place(screen, "ball")[0] - place(screen, "post")[0])
    spot, beside = spots[0], 0.97 * metre * widest
    screen.drawn()
    inside = seen(screen, spot["x"] + beside[0], spot["y"] - beside[1])
    assert inside[0] > inside[2] + 30
    screen.page.mouse.click(spot["x"] + 0.3 * metre, spot["y"])
    screen.until("() => window.__keypose.studio.selection.actor === 'ball'")


def test_a_ball_is_made_rigid_and_soft_again_and_stiffer(screen):
    choose(screen, "ball")
    changed(screen, lambda: screen.drag(middle(slider(screen, "stiffness")), 60, 0))
    assert screen.ask("studio.actor('ball').body.stiffness") > 10_000
    soft = screen.page.get_by_label("is soft")
    changed(screen, soft.click)
    assert screen.ask("studio.actor('ball').body.stiffness") is None
    assert "ball/skin" not in screen.ask("studio.scene.order")
    changed(screen, soft.click)
    assert screen.ask("studio.actor('ball').body.stiffness") == 3000
