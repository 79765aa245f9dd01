"""Can what runs be changed by hand while it runs? With a real mouse in a real browser, against the run itself."""

from pathlib import Path

import numpy as np
import pytest

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, load, shoot
from tests.browser.page_waits import wait_until_settled
from tests.browser.screen import Screen, serve_scene

# Slow enough that the leaf is still on its way to the pull when a busy machine has come to drag that.
STAGE = Stage(
    [
        Actor("leaf", DynamicSpline((-2, 0, 0), (1 / 3, 0, 0), senses={"pull": 1}), look="skyblue"),
        Actor("man", Motion(MotionPath([(-3, -2, 0), (3, 2, 0)]), duration=9.0)),
    ],
    fields={"pull": fields.Attractor(1 / 9, center=(1, 1.5, 0), falloff=0)},
)
DRAWN_LINE_FILE = Path(__file__).parents[2] / "examples" / "10_a_drawn_line_smoothed.json"


@pytest.fixture
def live_page(shared_page):
    """The stage, running live; paused and ended when the test is over."""
    shared_page.open(STAGE)
    shared_page.do("selection.select(null); viewport.tool = 'select'; viewport.maximised = viewport.camera = null;")
    shared_page.wait_until("doc.scene.fields[0]?.name === 'pull' && doc.curves.get('leaf')?.arrays.line?.length > 9")
    shared_page.wait_until_settled()
    shared_page.do("viewport.framings += 1;")
    shared_page.page.get_by_role("button", name="Live", exact=True).click()
    shared_page.wait_until("playback.isLive && playback.isPlaying && playback.poses.time > 0.2")
    yield shared_page
    shared_page.page.get_by_role("button", name="End live").click()
    shared_page.wait_until("!playback.isLive")


def leaf_state(live_page):
    """A moment of the run, and where the leaf is in it."""
    state = live_page.read_state("[playback.poses.time, ...playback.poses.poses.slice(0, 3)]")
    return state[0], np.array(state[1:])


def undisturbed_position(time):
    """Where the leaf would be if nobody touched anything."""
    take = shoot(STAGE, seconds=time, fps=1 / time)
    return take["leaf"].position[-1]


def test_field_dragged_in_a_live_run_changes_the_course_of_the_actor(live_page):
    time, before = leaf_state(live_page)
    assert before == pytest.approx(undisturbed_position(time), abs=2e-2)
    live_page.drag(live_page.handle_position("", "front", field="pull"), (0, 90))
    live_page.wait_until(f"playback.poses.time > {leaf_state(live_page)[0] + 3.0}")
    live_page.page.keyboard.press("k")
    live_page.wait_until("!playback.isPlaying")
    live_page.wait_until_settled()
    end_time, position = leaf_state(live_page)
    assert np.linalg.norm(position - undisturbed_position(end_time)) > 0.2
    assert position[1] < undisturbed_position(end_time)[1]
    assert live_page.studio.stage.fields["pull"].center[1] < 1


def test_rewound_live_run_shortens_its_trail(live_page):
    first_time, first_position = leaf_state(live_page)
    live_page.drag(live_page.handle_position("", "front", field="pull"), (0, 90))
    live_page.wait_until(f"playback.poses.time > {first_time + 1.8}")
    live_page.page.keyboard.press("k")
    live_page.wait_until("!playback.isPlaying")
    live_page.wait_until_settled()
    last_time, _ = leaf_state(live_page)
    assert live_page.page.evaluate(
        "(asked) => window.__keypose.project(...asked)", ["leaf", {"wake": last_time - 0.1}, "front"]
    )
    live_page.page.get_by_label("Rewind the live run").fill(str(round(first_time * 24) / 24))
    live_page.wait_until(f"Math.abs(playback.poses.time - {first_time}) < 0.05")  # it may come there in pieces
    live_page.wait_until_settled()
    time, position = leaf_state(live_page)
    assert position == pytest.approx(first_position + (time - first_time) * np.array([1 / 3, 0, 0]), abs=0.05)
    wake = ["leaf", {"wake": last_time - 0.1}, "front"]
    assert live_page.page.evaluate("(asked) => window.__keypose.project(...asked)", wake) is None


@pytest.fixture
def drawing(chromium, tmp_path):
    """The example of a drawn line, in a file of its own."""
    file = tmp_path / "line.json"
    file.write_bytes(DRAWN_LINE_FILE.read_bytes())
    with serve_scene(file) as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        screen = Screen(context.new_page(), address)
        yield screen, file
        context.close()
        assert screen.errors == []


def test_pointer_follows_the_mouse_and_its_line_is_saved(drawing):
    screen, file = drawing
    screen.wait_until("() => window.__keypose.doc.curves.get('brush')?.arrays.line?.length > 9")
    screen.page.get_by_role("button", name="Live", exact=True).click()
    screen.wait_until("() => window.__keypose.playback.isLive && window.__keypose.playback.poses.time > 0.1")
    start = screen.handle_position("pointer", {"pose": True})
    x, y = start["x"], start["y"]
    for i in range(25):
        x, y = start["x"] + 3 * i, start["y"] - 60 * float(np.sin(i / 10))
        screen.page.mouse.move(x, y)
        screen.page.wait_for_timeout(20)
    near = "([x, y]) => { const at = window.__keypose.project('pointer', { pose: true }, 'front');"
    screen.wait_until(f"{near} return at && Math.hypot(at.x - x, at.y - y) < 1; }}", [x, y])
    assert screen.read_state("document.querySelector('canvas').style.cursor") == "crosshair"
    screen.press("k")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")
    screen.page.mouse.move(start["x"], start["y"] - 30)  # a run that is paused is only looked at
    brush = screen.read_state("[...playback.poses.poses.slice(7, 10)]")
    screen.page.get_by_role("button", name="Keep the drawn line").click()
    screen.wait_until("() => window.__keypose.doc.scene.steps.undo !== null")
    wait_until_settled(screen)
    assert screen.page.evaluate(f"{near} return at && Math.hypot(at.x - x, at.y - y) < 1; }}", [x, y])
    end = screen.read_state("[...playback.poses.poses.slice(0, 3)]")
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.doc.scene.is_saved")
    saved, before = load(file)["pointer"].motion, load(DRAWN_LINE_FILE)["pointer"].motion
    assert saved.path.keys != before.path.keys
    positions = np.array([[*key.position, 0, 0][:3] for key in saved.path.keys])
    assert np.linalg.norm(positions - end, axis=1).min() < 0.05
    assert np.linalg.norm(np.subtract(brush, load(DRAWN_LINE_FILE)["brush"].mover.position)) > 0.02
