"""Does a person see what is soft give way, and make it as soft as it shall be?"""

import io

import numpy as np
import pytest
from PIL import Image

from keypose import Actor, Body, Box, Free, Motion, MotionPath, Plane, Sphere, Stage, Still
from tests.browser.body_scene import go_to, open_studio, position_of, reset_scene, slider
from tests.browser.field_scene import choose, wait_for_change
from tests.browser.page_waits import middle

SOFT_STAGE = Stage(
    [
        Actor("floor", Still(Body(Plane(offset=-0.5)))),
        Actor("post", Still(Body(Box((0.2, 1, 0.2))), (0, 0, 0))),
        Actor("ball", Free(Body(Sphere(0.4), stiffness=800), (2, 0.9, 0)), look="#d55e00"),
        Actor("lamp", Motion(MotionPath([(0, 1, 0), (0, 1.2, 0)]), duration=1.2)),  # so long it lasts
    ],
    gravity=(0, -9.81, 0),
)


@pytest.fixture(scope="module")
def shared_screen(chromium, tmp_path_factory):
    """One studio on a soft ball for all tests."""
    with open_studio(SOFT_STAGE, chromium, tmp_path_factory.mktemp("soft"), "ball") as screen:
        yield screen


@pytest.fixture
def screen(shared_screen):
    return reset_scene(shared_screen, "floor", "ball")


def surface(screen):
    """The points of the ball's surface [m], from its middle."""
    points = np.reshape(screen.read_state("Array.from(playback.poses.points)"), (-1, 3))
    return points - position_of(screen, "ball")


def pixel_colour(screen, x, y):
    """The colour of a few pixels of the page: red, green, blue."""
    clip = {"x": round(x) - 1, "y": round(y) - 1, "width": 3, "height": 3}
    picture = Image.open(io.BytesIO(screen.page.screenshot(clip=clip))).convert("RGB")
    return np.asarray(picture, dtype=float).mean(axis=(0, 1))


def test_soft_ball_is_drawn_by_its_surface_and_a_click_selects_it(screen):
    for time in np.arange(0.3, 1.2, 0.05).tolist():
        go_to(screen, time)
        if np.ptp(surface(screen)[:, 1]) < 0.7:
            break
    points = surface(screen)
    widest = points[np.argmax(points[:, 0])]
    assert widest[0] > 0.42, "it is flat, and wider than what is rigid"
    positions = [screen.handle_position(name, {"pose": True}) for name in ("ball", "post")]
    metre = (positions[0]["x"] - positions[1]["x"]) / (position_of(screen, "ball")[0] - position_of(screen, "post")[0])
    position, offset = positions[0], 0.97 * metre * widest
    screen.render()
    colour = pixel_colour(screen, position["x"] + offset[0], position["y"] - offset[1])
    assert colour[0] > colour[2] + 30
    screen.page.mouse.click(position["x"] + 0.3 * metre, position["y"])
    screen.wait_until("() => window.__keypose.selection.actor === 'ball'")


def test_ball_is_made_rigid_soft_and_stiffer(screen):
    choose(screen, "ball")
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "stiffness")), 60, 0))
    assert screen.read_state("doc.actor('ball').body.stiffness") > 10_000
    soft = screen.page.get_by_label("is soft")
    wait_for_change(screen, soft.click)
    assert screen.read_state("doc.actor('ball').body.stiffness") is None
    assert "ball/skin" not in screen.read_state("doc.scene.order")
    wait_for_change(screen, soft.click)
    assert screen.read_state("doc.actor('ball').body.stiffness") == 3000
