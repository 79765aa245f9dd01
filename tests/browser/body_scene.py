"""A scene with bodies, and what a page says of it."""

from contextlib import contextmanager

from keypose import Actor, Body, Box, Capsule, Follow, Free, Motion, MotionPath, Plane, Sphere, Stage, Still, save
from tests.browser.field_scene import choose, undo_all
from tests.browser.page_waits import wait_until_settled
from tests.browser.screen import Screen, serve_scene

BALL = Body(Sphere(0.3), mass=2.0, bounce=0.6)
BODY_STAGE = Stage(
    [
        Actor("floor", Still(Body(Plane(offset=-0.3)))),
        Actor("wall", Still(Body(Box((0.4, 1.2, 1.0))), (4.4, 0.3, 1.4))),
        Actor("red", Follow(MotionPath([(0, 0.5, 0), (3, 1.5, 0), (6, 0.5, 0)]), BALL, within=0.4, speed=2.0)),
        Actor("blue", Follow(MotionPath([(0, 0, 1.5), (3, 0, 1.4), (6, 0, 1.5)]), Body(Capsule(0.2, 0.4)), within=0.4)),
        Actor("ball", Free(Body(Sphere(0.35), bounce=0.7), (1.2, 3, -1))),
        Actor("train", Motion(MotionPath([(0, 0, 3), (5, 0, 3)]), duration=2.0), body=Body(Box(0.6))),
    ],
    gravity=(0, -9.81, 0),
)


@contextmanager
def open_studio(stage, chromium, folder, driven="red"):
    """A studio on a scene, and a page that has seen it shot."""
    file = folder / "weights.json"
    save(stage, file)
    with serve_scene(file) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        screen.file = file
        wait_until_shot(screen, driven)
        yield screen
        screen.page.close()
        assert screen.errors == []


def reset_scene(screen, first, driven="red"):
    """The scene as it was opened, from its beginning, whole."""
    choose(screen, first)
    undo_all(screen)
    wait_until_shot(screen, driven)
    go_to(screen, 0)
    screen.page.evaluate(
        "() => { const { selection, viewport } = window.__keypose; selection.select(null); viewport.framings += 1; }"
    )
    screen.render()
    return screen


def slider(screen, label):
    return screen.page.get_by_role("slider", name=f"{label} slider")


def wait_until_shot(screen, driven="red"):
    """Wait until everything that was said is shot and shown: work is told of before the scene that it is for."""
    wait_until_settled(screen, "ball")  # it has no path that is seen before it is shot
    screen.wait_until("() => !window.__keypose.connection.isWorking")
    screen.wait_until("name => window.__keypose.doc.curves.get(name)?.arrays.line.length > 0", driven)


def trail(screen, actor):
    """What a body did, as one list of numbers."""
    return screen.curve(actor, "line")


def go_to(screen, time):
    screen.page.evaluate("time => window.__keypose.playback.seek(time)", time)
    screen.wait_until("time => Math.abs(window.__keypose.playback.poses.time - time) < 1e-6", time)


def position_of(screen, actor):
    """Where somebody is now."""
    start = f"7 * doc.scene.order.indexOf({actor!r})"
    return screen.read_state(f"Array.from(playback.poses.poses.slice({start}, {start} + 3))")


def target(screen, actor):
    start = f"3 * doc.scene.order.indexOf({actor!r})"
    return screen.read_state(f"Array.from(playback.poses.targets.slice({start}, {start} + 3))")
