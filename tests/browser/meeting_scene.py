"""A scene in which some are to meet, and hands for the graph of that."""

import json
from contextlib import contextmanager

from keypose import Actor, Body, Follow, Key, Motion, MotionPath, Script, Sphere, Stage, Still, save
from tests.browser.field_scene import undo_all, wait_for_change
from tests.browser.page_waits import PAGE_STATE, middle, wait_until_settled
from tests.browser.screen import Screen, serve_scene

MEETING_EVENTS = (
    "window.__keypose.meetingStates.events.map(({ time, meeting, state, actor }) => "
    "`${time.toFixed(3)} ${meeting} ${state} ${actor}`).join('; ')"
)


def line_path(z, *names):
    return MotionPath([Key((2.0 * i, 0.5 * (i % 2), z), name=name) for i, name in enumerate(names)])


def meeting_stage():
    """Red and blue meet twice; green, who follows a path into a wall, makes the last meeting fail."""
    script = Script()
    first = script.meet({"red": "arch", "blue": "arch"}, name="first")
    script.meet({"red": "home", "blue": "home"}, name="second", after=first)
    script.meet({"green": "home", "grey": "home"}, name="third", patience=0.5)
    ball = Body(Sphere(0.2))
    return Stage(
        [
            Actor("red", Motion(line_path(0, "start", "arch", None, "home"), duration=3.0), look="red"),
            Actor("blue", Motion(line_path(1.5, "start", "arch", "home"), duration=4.0), look="skyblue"),
            Actor("green", Follow(line_path(3, "start", None, "home"), ball, within=0.3, speed=2.0), look="green"),
            Actor("grey", Follow(line_path(4.5, "start", None, "home"), ball, within=0.3, speed=2.0)),
            Actor("wall", Still(Body(Sphere(0.8)), (3.0, 0.2, 3.0))),
        ],
        script=script,
    )


@contextmanager
def studio_with_meetings(chromium, folder):
    """A studio on that scene, and a page that has seen it shot and shows its graph."""
    file = folder / "meetings.json"
    save(meeting_stage(), file)
    with serve_scene(file) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        screen.file = file
        wait_until_shot(screen)
        screen.initial_events = meeting_events(screen)
        screen.page.get_by_role("button", name="Meetings").click()
        yield screen
        screen.page.close()
        assert screen.errors == []


def reset_scene(screen):
    """The scene as it was opened, from its beginning, with its graph."""
    screen.page.evaluate(
        "() => { const { selection } = window.__keypose; selection.goalPicking = null; selection.select(null); }"
    )
    screen.page.evaluate("() => document.activeElement?.blur()")
    undo_all(screen)
    wait_until_shot(screen)
    screen.wait_until(
        f"() => {MEETING_EVENTS} === {json.dumps(screen.initial_events)}"
    )  # not what the last test left, until it is shot again
    go_to(screen, 0)
    return screen


def meeting_events(screen):
    """What becomes of all meetings, in one word."""
    return screen.page.evaluate(f"() => {MEETING_EVENTS}")


def wait_until_shot(screen):
    """Wait until everything that was said is shot: the studio tells of progress from when the hand rests on."""
    wait_until_settled(screen)
    screen.wait_until(f"() => {{ {PAGE_STATE} return !connection.isWorking && meetingStates.events.length > 0; }}")


def go_to(screen, time):
    screen.page.evaluate("time => window.__keypose.playback.seek(time)", time)
    screen.wait_until("time => Math.abs(window.__keypose.playback.poses.time - time) < 1e-6", time)


def graph(screen):
    return screen.page.get_by_role("region", name="Meetings")


def node(screen, name):
    return screen.page.locator(f"[data-meeting='{name}']")


def choose_meeting(screen, name):
    node(screen, name).click()
    screen.wait_until("it => window.__keypose.selection.meeting === it", name)


def arrow(screen, before, behind):
    return screen.page.locator(f"[data-arrow='{before} {behind}']")


def draw_arrow(screen, before, behind):
    """Drag from the right of one meeting to the left of another."""
    start, end = (
        middle(connection_handle(screen, before, "source")),
        middle(connection_handle(screen, behind, "target")),
    )
    screen.drag(start, end["x"] - start["x"], start["y"] - end["y"])


def connection_handle(screen, name, kind):
    return screen.page.locator(f".svelte-flow__handle.{kind}[data-nodeid='{name}']")


def meeting_order(screen):
    """Who comes after what, by the names of the meetings."""
    return {one["name"]: one["after"] for one in screen.read_state("doc.scene.meetings")}


def goals(screen, name):
    views = screen.read_state(f"doc.meeting({name!r}).goals")
    return {one["actor"]: one["key"] if one["distance"] is None else one["distance"] for one in views}


def click_key(screen, actor, key, view="front"):
    position = screen.handle_position(actor, {"key": key}, view)
    screen.page.mouse.click(position["x"], position["y"])


def pick_goal(screen, actor, key, view="top"):
    wait_for_change(screen, lambda: click_key(screen, actor, key, view))
