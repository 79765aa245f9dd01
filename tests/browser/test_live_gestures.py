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
def live(visit):
    """The stage, running live; paused and ended when the test is over."""
    visit.open(STAGE)
    visit.do("studio.select(null); studio.tool = 'select'; studio.view = { maximised: null, camera: null };")
    visit.until("studio.scene.fields[0]?.name === 'pull' && studio.curves.get('leaf')?.arrays.line?.length > 9")
    visit.still()
    visit.do("studio.framings += 1;")
    visit.page.get_by_role("button", name="Live", exact=True).click()
    visit.until("studio.isLive && studio.isPlaying && studio.poses.time > 0.2")
    yield visit
    visit.page.get_by_role("button", name="End live").click()
    visit.until("!studio.isLive")


def leaf_state(live):
    """A moment of the run, and where the leaf is in it."""
    seen = live.read_state("[studio.poses.time, ...studio.poses.poses.slice(0, 3)]")
    return seen[0], np.array(seen[1:])


def undisturbed_position(time):
    """Where the leaf would be if nobody touched anything."""
    take = shoot(STAGE, seconds=time, fps=1 / time)
    return take["leaf"].position[-1]


def test_field_dragged_in_a_live_run_changes_the_course_of_the_actor(live):
    time, before = leaf_state(live)
    assert before == pytest.approx(undisturbed_position(time), abs=2e-2)
    live.drag(live.at("", "front", field="pull"), (0, 90))
    live.until(f"studio.poses.time > {leaf_state(live)[0] + 3.0}")
    live.page.keyboard.press("k")
    live.until("!studio.isPlaying")
    live.still()
    later, after = leaf_state(live)
    assert np.linalg.norm(after - undisturbed_position(later)) > 0.2
    assert after[1] < undisturbed_position(later)[1]
    assert live.studio.stage.fields["pull"].center[1] < 1


def test_rewound_live_run_shortens_its_trail(live):
    early, there = leaf_state(live)
    live.drag(live.at("", "front", field="pull"), (0, 90))
    live.until(f"studio.poses.time > {early + 1.8}")
    live.page.keyboard.press("k")
    live.until("!studio.isPlaying")
    live.still()
    last, _ = leaf_state(live)
    assert live.page.evaluate("(asked) => window.__keypose.project(...asked)", ["leaf", {"wake": last - 0.1}, "front"])
    live.page.get_by_label("Rewind the live run").fill(str(round(early * 24) / 24))
    live.until(f"Math.abs(studio.poses.time - {early}) < 0.05")  # it may come there in pieces
    live.still()
    again, here = leaf_state(live)
    assert here == pytest.approx(there + (again - early) * np.array([1 / 3, 0, 0]), abs=0.05)
    wake = ["leaf", {"wake": last - 0.1}, "front"]
    assert live.page.evaluate("(asked) => window.__keypose.project(...asked)", wake) is None


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
        assert screen.trouble == []


def test_pointer_follows_the_mouse_and_the_kept_line_is_saved(drawing):
    screen, file = drawing
    screen.until("() => window.__keypose.studio.curves.get('brush')?.arrays.line?.length > 9")
    screen.page.get_by_role("button", name="Live", exact=True).click()
    screen.until("() => window.__keypose.studio.isLive && window.__keypose.studio.poses.time > 0.1")
    start = screen.spot("pointer", {"pose": True})
    x, y = start["x"], start["y"]
    for i in range(25):
        x, y = start["x"] + 3 * i, start["y"] - 60 * float(np.sin(i / 10))
        screen.page.mouse.move(x, y)
        screen.page.wait_for_timeout(20)
    near = "([x, y]) => { const at = window.__keypose.project('pointer', { pose: true }, 'front');"
    screen.until(f"{near} return at && Math.hypot(at.x - x, at.y - y) < 1; }}", [x, y])
    assert screen.ask("document.querySelector('canvas').style.cursor") == "crosshair"
    screen.press("k")
    screen.until("() => !window.__keypose.studio.isPlaying")
    screen.page.mouse.move(start["x"], start["y"] - 30)  # a run that is paused is only looked at
    brush = screen.ask("[...studio.poses.poses.slice(7, 10)]")
    screen.page.get_by_role("button", name="Keep the drawn line").click()
    screen.until("() => window.__keypose.studio.scene.steps.undo !== null")
    wait_until_settled(screen)
    assert screen.page.evaluate(f"{near} return at && Math.hypot(at.x - x, at.y - y) < 1; }}", [x, y])
    end = screen.ask("[...studio.poses.poses.slice(0, 3)]")
    screen.press("Control+s")
    screen.until("() => window.__keypose.studio.scene.is_saved")
    kept, before = load(file)["pointer"].motion, load(DRAWN_LINE_FILE)["pointer"].motion
    assert kept.path.keys != before.path.keys
    places = np.array([[*key.position, 0, 0][:3] for key in kept.path.keys])
    assert np.linalg.norm(places - end, axis=1).min() < 0.05
    assert np.linalg.norm(np.subtract(brush, load(DRAWN_LINE_FILE)["brush"].mover.position)) > 0.02
