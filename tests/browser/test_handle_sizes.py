"""Do marks and handles keep their size on screen, however far the scene goes? In a real browser."""

import numpy as np
import pytest

from keypose import Actor, Camera, DynamicSpline, FaceForward, Motion, MotionPath, Stage, fields

STAGE = Stage(
    [
        Actor("leaf", DynamicSpline((-2, 1, 0), (1, 0.5, 0), friction=0.02), look="skyblue"),
        Actor("man", Motion(MotionPath([(1, 0, 1), (2, 0.5, -1)]), duration=2.0), facing=FaceForward(), look="orange"),
        Actor("eye", Motion(MotionPath([(0, 1, 1.5), (0.5, 1, 1.5)]), duration=2.0), look=Camera(40)),
    ],
    fields={"wind": fields.Uniform((0.4, 0, 0)), "noise": fields.Noise(1.0)},
)
FAR_MOTION = Motion(MotionPath([(0, 0, 0), (4000, 50, 900)]), duration=2.0)
WIDE_STAGE = STAGE.with_actor(Actor("stray", FAR_MOTION, look="gray"))
VIEWS = ["perspective", "top", "front", "side"]


@pytest.fixture
def studio_page(shared_page):
    shared_page.do("selection.select(null); viewport.tool = 'select'; viewport.maximised = viewport.camera = null;")
    open_and_frame(shared_page, STAGE)
    shared_page.do("playback.seek(0); viewport.framings += 1;")
    return shared_page


def open_and_frame(studio_page, stage):
    studio_page.open(stage)
    names = list(stage.names)
    studio_page.wait_until(f"doc.scene.order.join() === {','.join(names)!r}")
    studio_page.wait_until("doc.scene.order.every((name) => doc.curves.get(name)?.arrays.line?.length)")
    studio_page.wait_until(f"playback.poses.poses.length === {7 * len(names)}")
    studio_page.wait_until_settled()


def coloured_pixels(studio_page, name, view, colour):
    """How many pixels about an actor have about its colour, in whatever light."""
    pixels = studio_page.pixels(studio_page.handle_position(name, view, pose=True), 40)
    brightness = pixels.max(axis=-1)
    is_similar = (
        np.abs(pixels / np.maximum(brightness, 1)[..., None] - np.array(colour) / max(colour)).max(axis=-1) < 0.12
    )
    return int(np.sum(is_similar & (brightness > 60)))


@pytest.mark.parametrize("view", VIEWS)
def test_actor_marker_keeps_its_screen_size_in_a_much_larger_scene(studio_page, view):
    before = coloured_pixels(studio_page, "man", view, (255, 165, 0))
    assert 20 < before < 800
    open_and_frame(studio_page, WIDE_STAGE)
    assert 0.5 * before < coloured_pixels(studio_page, "man", view, (255, 165, 0)) < 2 * before


def velocity_arrow_length(studio_page, view):
    """How long the arrow of the leaf's velocity is on screen."""
    ends = (
        studio_page.handle_position("leaf", view, velocity=True),
        studio_page.handle_position("leaf", view, start=True),
    )
    return float(np.hypot(*np.subtract(*ends)))


@pytest.mark.parametrize("view", ["perspective", "top", "front"])
def test_velocity_arrow_keeps_its_screen_length_when_the_scene_changes(studio_page, view):
    studio_page.do("selection.select('leaf');")
    assert 12 <= velocity_arrow_length(studio_page, view) <= 100
    studio_page.do("selection.select(null);")
    open_and_frame(studio_page, WIDE_STAGE)
    studio_page.do("selection.select('leaf');")
    assert 12 <= velocity_arrow_length(studio_page, view) <= 100
    fast = WIDE_STAGE.with_actor(Actor("leaf", DynamicSpline((-2, 1, 0), (300, 150, 0)), look="skyblue"))
    open_and_frame(studio_page, fast)
    studio_page.wait_until("doc.actor('leaf').spline.velocity[0] === 300")
    assert 12 <= velocity_arrow_length(studio_page, view) <= 100
    open_and_frame(studio_page, STAGE)
    studio_page.wait_until("doc.actor('leaf').spline.velocity[0] === 1")
    assert 12 <= velocity_arrow_length(studio_page, view) <= 100


def test_zoom_does_not_lengthen_the_velocity_arrow_beyond_the_view(studio_page):
    studio_page.do("selection.select('leaf');")
    x, y = studio_page.handle_position("leaf", "front", start=True)
    studio_page.page.mouse.move(x, y)
    for _ in range(12):
        studio_page.page.mouse.wheel(0, -240)
        studio_page.render()
    assert 12 <= velocity_arrow_length(studio_page, "front") <= 100


def handle_position(studio_page, name):
    at = list(STAGE.fields).index(name)
    return np.array(studio_page.read_state(f"[...playback.poses.fields.slice({7 * at}, {7 * at + 3})]"))


@pytest.mark.parametrize("view", ["top", "front", "perspective"])
def test_offset_handle_drags_as_far_as_a_centred_one(studio_page, view):
    """New fields are all in one place: a small pull may not be a large one."""
    moved = []
    for name in ("wind", "noise"):
        studio_page.drag(studio_page.handle_position("", view, field=name), (6, 0))
        studio_page.wait_until("!window.__keypose.isEchoing()")
        moved.append(handle_position(studio_page, name))
        studio_page.page.keyboard.press("Control+z")
        studio_page.wait_until("playback.poses.fields.every((part, i) => i % 7 > 2 || part === 0)")
        studio_page.wait_until_settled()
    assert np.linalg.norm(moved[0]) > 0.01
    assert moved[1] == pytest.approx(moved[0], rel=0.15, abs=0.01)


def test_offset_handle_stays_under_the_pointer_and_is_joined_to_its_position(studio_page):
    (x, y), (beside, _) = (
        studio_page.handle_position("", "front", field="wind"),
        studio_page.handle_position("", "front", field="noise"),
    )
    between = studio_page.pixels(((x + beside) / 2, y), 1)
    assert beside > x + 18
    assert between[..., 2].max() > 150, "a violet line joins the square and its place"
    studio_page.drag((beside, y), (30, -20), release=False)
    studio_page.wait_until_settled()
    assert studio_page.handle_position("", "front", field="noise") == pytest.approx((beside + 30, y - 20), abs=0.5)
    studio_page.page.mouse.up()
    studio_page.wait_until("!window.__keypose.isEchoing()")
    assert studio_page.handle_position("", "front", field="noise") == pytest.approx((x + 30, y - 20), abs=0.5)
