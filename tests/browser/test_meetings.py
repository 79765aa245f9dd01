"""Can a person say who meets whom by picking keys and drawing arrows, and see what becomes of it?"""

import pytest

from tests.browser.accessibility import assert_controls_named, assert_readable
from tests.browser.field_scene import inspector, save_and_read, wait_for_change
from tests.browser.meeting_scene import (
    arrow,
    choose_meeting,
    click_key,
    connection_handle,
    draw_arrow,
    go_to,
    goals,
    graph,
    meeting_order,
    node,
    pick_goal,
    reset_scene,
    studio_with_meetings,
    wait_until_shot,
)
from tests.browser.page_waits import middle


@pytest.fixture(scope="module")
def shared_screen(chromium, tmp_path_factory):
    """One studio on a scene with meetings for all tests."""
    with studio_with_meetings(chromium, tmp_path_factory.mktemp("meetings")) as screen:
        yield screen


@pytest.fixture
def screen(shared_screen):
    return reset_scene(shared_screen)


def state(screen, name):
    return node(screen, name).get_attribute("data-state")


def event_time(screen, meeting, state):
    """When something became of a meeting [s]."""
    condition = f"one.meeting === {meeting!r} && one.state === {state!r}"
    times = screen.read_state(f"meetingStates.events.filter((one) => {condition}).map(({{ time }}) => time)")
    assert times, (meeting, state)
    return times[0]


def wait_for_state(screen, name, state):
    is_shown = "([name, how]) => document.querySelector(`[data-meeting='${name}']`)?.dataset.state === how"
    screen.wait_until(is_shown, [name, state])


# ---- who meets whom --------------------------------------------------------------------------------------------------


def test_meeting_is_added_by_picking_keys_in_a_view(screen):
    screen.select("red", 2)
    wait_for_change(screen, graph(screen).get_by_role("button", name="Meeting", exact=True).click)
    screen.wait_until("() => window.__keypose.selection.goalPicking?.meeting === 'meeting 4'")
    assert goals(screen, "meeting 4") == {"red": "meeting 4"}
    assert "Click a key" in screen.page.locator("main .hint").inner_text()
    pick_goal(screen, "blue", 1)
    screen.wait_until("() => window.__keypose.selection.goalPicking === null")
    assert goals(screen, "meeting 4") == {"red": "meeting 4", "blue": "arch"}
    assert screen.key("red", 2)["spec"]["name"] == "meeting 4"
    node(screen, "meeting 4").wait_for()
    written = {one["name"]: one["goals"] for one in save_and_read(screen, screen.file)["script"]}
    assert written["meeting 4"] == {"red": "meeting 4", "blue": "arch"}


def test_first_clicked_key_starts_a_meeting_and_escape_ends_picking(screen):
    graph(screen).get_by_role("button", name="Meeting", exact=True).click()
    screen.wait_until("() => window.__keypose.selection.goalPicking !== null")
    pick_goal(screen, "grey", 0)
    assert goals(screen, "meeting 4") == {"grey": "start"}
    screen.wait_until("() => window.__keypose.selection.goalPicking?.meeting === 'meeting 4'")
    screen.press("Escape")
    screen.wait_until("() => window.__keypose.selection.goalPicking === null")
    click_key(screen, "blue", 1, "top")
    screen.wait_until("() => window.__keypose.selection.actor === 'blue'")
    assert goals(screen, "meeting 4") == {"grey": "start"}


def test_goal_is_picked_in_the_view_chosen_from_a_list_or_typed_as_a_distance(screen):
    choose_meeting(screen, "first")
    inspector(screen).get_by_role("button", name="Pick in the view").click()
    pick_goal(screen, "red", 3)
    assert goals(screen, "first") == {"red": "home", "blue": "arch"}
    goal_list = inspector(screen).get_by_role("combobox", name="Where red is to be")
    wait_for_change(screen, lambda: goal_list.select_option(label="start"))
    assert goals(screen, "first")["red"] == "start"
    wait_for_change(screen, lambda: goal_list.select_option(label="a distance"))
    far = inspector(screen).get_by_role("textbox", name="How far along its path red is to be")
    far.fill("1.5")
    wait_for_change(screen, lambda: far.press("Enter"))
    assert goals(screen, "first")["red"] == 1.5


def test_participants_are_added_and_removed(screen):
    choose_meeting(screen, "first")
    wait_for_change(screen, lambda: screen.page.get_by_label("Let somebody come too").select_option("grey"))
    assert goals(screen, "first") == {"red": "arch", "blue": "arch", "grey": "home"}
    wait_for_change(screen, inspector(screen).get_by_role("button", name="Let red come no more").click)
    assert goals(screen, "first") == {"blue": "arch", "grey": "home"}


def test_meeting_options_are_changed_in_the_inspector(screen):
    choose_meeting(screen, "first")
    panel = inspector(screen)
    name = panel.get_by_role("textbox", name="Name of the meeting")
    name.fill("bridge")
    wait_for_change(screen, lambda: name.press("Enter"))
    screen.wait_until("() => window.__keypose.selection.meeting === 'bridge'")
    assert meeting_order(screen)["second"] == ["bridge"]
    wait_for_change(screen, panel.get_by_label("is a gate").click)
    patience = panel.get_by_role("textbox", name="Patience")
    patience.fill("3")
    wait_for_change(screen, lambda: patience.press("Enter"))
    one = screen.read_state("doc.meeting('bridge')")
    assert (one["gate"], one["patience"]) == (True, 3)


def test_invalid_patience_is_reported_and_stays_for_correction(screen):
    choose_meeting(screen, "first")
    patience = inspector(screen).get_by_role("textbox", name="Patience")
    for typed in ("abc", "nan"):
        patience.fill(typed)
        patience.press("Enter")
        is_reported = "text => window.__keypose.notices.entries.filter((one) => one.text.includes(text)).length === 1"
        screen.wait_until(is_reported, f'Patience: "{typed}" is no number.')
        assert (patience.input_value(), patience.get_attribute("aria-invalid")) == (typed, "true")
    patience.press("Escape")
    assert screen.read_state("doc.meeting('first')")["patience"] == 2
    screen.page.evaluate("() => window.__keypose.notices.entries.splice(0)")


def test_circular_order_is_refused_and_the_script_is_unchanged(screen):
    choose_meeting(screen, "first")
    wait_for_change(screen, lambda: screen.page.get_by_label("Let somebody come too").select_option("green"))
    choose_meeting(screen, "second")
    screen.page.evaluate(
        "() => window.__keypose.connection.dispatch({ do: 'connect_meetings', meeting: 'first', after: 'second' })"
    )
    screen.wait_until("() => window.__keypose.notices.entries.some(({ text }) => text.includes('in a circle'))")
    assert meeting_order(screen)["first"] == []


# ---- in which order --------------------------------------------------------------------------------------------------


def test_arrow_is_dragged_between_meetings_and_undone(screen):
    wait_for_change(screen, lambda: draw_arrow(screen, "third", "second"))
    assert meeting_order(screen) == {"first": [], "second": ["first", "third"], "third": []}
    arrow(screen, "third", "second").wait_for()
    wait_for_change(screen, lambda: screen.press("Control+z"))
    assert meeting_order(screen)["second"] == ["first"]


def test_arrow_that_would_make_a_cycle_is_refused_with_reason(screen):
    before = screen.revision
    draw_arrow(screen, "second", "first")
    notice = screen.page.get_by_role("log", name="Notices").get_by_text("in a circle")
    notice.wait_for()
    assert "'first'" in notice.inner_text()
    assert "'second'" in notice.inner_text()
    screen.ping()
    assert screen.revision == before
    assert meeting_order(screen) == {"first": [], "second": ["first"], "third": []}
    assert arrow(screen, "second", "first").count() == 0
    screen.page.evaluate("() => window.__keypose.notices.entries.splice(0)")


def test_escape_cancels_an_arrow_drag(screen):
    start, end = (
        middle(connection_handle(screen, "third", "source")),
        middle(connection_handle(screen, "second", "target")),
    )
    mouse, before = screen.page.mouse, screen.revision
    mouse.move(start["x"], start["y"])
    mouse.down()
    mouse.move(end["x"], end["y"], steps=6)
    screen.page.locator(".svelte-flow__connectionline").wait_for(state="attached")
    screen.press("Escape")
    mouse.up()
    screen.ping()
    assert screen.revision == before
    wait_for_change(screen, lambda: draw_arrow(screen, "third", "second"))
    assert meeting_order(screen)["second"] == ["first", "third"]


def test_selected_arrow_and_meeting_are_deleted(screen):
    arrow(screen, "first", "second").focus()
    screen.wait_until("() => window.__keypose.selection.arrowFrom === 'first'")
    wait_for_change(screen, lambda: screen.press("Delete"))
    assert meeting_order(screen)["second"] == []
    wait_for_change(screen, lambda: screen.press("Control+z"))
    box = arrow(screen, "first", "second").locator(".line").bounding_box()
    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.wait_until("() => window.__keypose.selection.arrowFrom === 'first'")
    wait_for_change(screen, lambda: screen.press("Delete"))
    assert meeting_order(screen)["second"] == []
    choose_meeting(screen, "third")
    wait_for_change(screen, lambda: screen.press("Delete"))
    assert [*meeting_order(screen)] == ["first", "second"]


def test_order_is_edited_without_a_mouse(screen):
    choose_meeting(screen, "second")
    wait_for_change(screen, inspector(screen).get_by_role("button", name="Not after first").click)
    assert meeting_order(screen)["second"] == []
    wait_for_change(
        screen, lambda: screen.page.get_by_label("Let it come after another meeting").select_option("first")
    )
    wait_for_change(
        screen, lambda: screen.page.get_by_label("Let it come after another meeting").select_option("third")
    )
    needed_count = inspector(screen).get_by_role("textbox", name="Needs")
    needed_count.fill("1")
    wait_for_change(screen, lambda: needed_count.press("Enter"))
    one = screen.read_state("doc.meeting('second')")
    assert (one["after"], one["need"]) == (["first", "third"], 1)


# ---- what becomes of it ----------------------------------------------------------------------------------------------


def test_meeting_states_have_their_icons_while_time_is_scrubbed(screen):
    done = event_time(screen, "first", "done")
    assert (state(screen, "first"), state(screen, "second")) == ("active", "waiting")
    assert node(screen, "first").locator("svg[data-state] circle").count() == 2
    assert node(screen, "second").locator("svg[data-state] circle").count() == 1
    go_to(screen, done + 0.1)
    wait_for_state(screen, "first", "done")
    assert state(screen, "second") == "active"
    assert node(screen, "first").locator("svg[data-state] path").count() == 1
    assert node(screen, "first").locator(".there").count() == 2
    go_to(screen, event_time(screen, "third", "failed") + 0.1)
    wait_for_state(screen, "third", "failed")
    assert "failed" in node(screen, "third").get_attribute("aria-label")
    choose_meeting(screen, "third")
    assert "'green' is stuck: 'wall'" in inspector(screen).get_by_role("note").first.inner_text()


STATE_STYLE = """node => {
    const sign = node.querySelector("svg[data-state]"), box = getComputedStyle(node);
    const form = [...sign.children].map((one) => `${one.localName} ${one.getAttribute("d") ?? ""}`);
    return { form: form.join(), sign: getComputedStyle(sign).stroke, border: box.borderTopColor };
}"""


def test_meeting_states_differ_in_icon_and_colour(screen):
    choose_meeting(screen, "third")
    patience = inspector(screen).get_by_role("textbox", name="Patience")
    patience.fill("2")
    wait_for_change(screen, lambda: patience.press("Enter"))
    screen.wait_until("() => window.__keypose.meetingStates.events.some(({ state }) => state === 'late')")
    shown = {
        state_name: ("third", event_time(screen, "third", state_name)) for state_name in ("active", "late", "failed")
    }
    shown |= {"waiting": ("second", 0), "done": ("first", event_time(screen, "first", "done"))}
    styles = {}
    for state_name, (name, time) in shown.items():
        go_to(screen, time + 0.01)
        wait_for_state(screen, name, state_name)
        styles[state_name] = node(screen, name).evaluate(STATE_STYLE)
    for part in ("form", "sign", "border"):
        assert len({style[part] for style in styles.values()}) == 5, (part, styles)


def test_meeting_states_update_during_playback(screen):
    screen.press("Space")
    for state_name in ("active", "done"):
        wait_for_state(screen, "second", state_name)
    screen.press("Space")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")


def test_meeting_states_update_in_a_live_run_and_reset_on_rewind(screen):
    screen.press("v")
    screen.wait_until("() => window.__keypose.playback.isLive")
    wait_for_state(screen, "first", "done")
    screen.press("Space")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")
    screen.page.get_by_label("Rewind the live run").focus()
    screen.press("Home")
    wait_for_state(screen, "first", "active")
    screen.page.evaluate("() => document.activeElement?.blur()")
    screen.press("v")
    screen.wait_until("() => !window.__keypose.playback.isLive")


def test_meetings_are_marked_on_the_timeline_and_a_click_seeks_there(screen):
    marks = screen.page.locator(".appointment")
    assert screen.page.locator(".appointment.done").count() == 2
    assert screen.page.locator(".appointment.failed").count() == 1
    titles = [marks.nth(number).get_attribute("title") for number in range(marks.count())]
    assert any(title.startswith("first is done at") for title in titles)
    choose_meeting(screen, "second")
    assert screen.page.locator(".appointment.own").count() == 1
    screen.page.locator(".appointment.own").click()
    screen.wait_until(
        "time => Math.abs(window.__keypose.playback.poses.time - time) < 1e-3", event_time(screen, "second", "done")
    )
    row = inspector(screen).get_by_role("list", name="What becomes of it").get_by_role("button").first
    row.click()
    screen.wait_until(
        "time => Math.abs(window.__keypose.playback.poses.time - time) < 1e-3", event_time(screen, "second", "active")
    )


def test_changed_motion_reshoots_the_meetings(screen):
    before = event_time(screen, "first", "done")
    screen.page.evaluate(
        "() => window.__keypose.connection.dispatch({ do: 'set_motion', actor: 'blue', changes: { duration: 5 } })"
    )
    is_later = "one.meeting === 'first' && one.state === 'done' && one.time > before + 0.2"
    screen.wait_until(f"before => window.__keypose.meetingStates.events.some((one) => {is_later})", before)
    wait_until_shot(screen)


def test_meeting_events_are_cleared_when_another_scene_opens(screen):
    remaining = screen.page.evaluate("""() => {
        const { doc, meetingStates, updates } = window.__keypose, { scene } = doc, { events } = meetingStates;
        updates.onUpdate({ ...scene, opened_at: scene.opened_at + 1 });
        const left = meetingStates.events.length;
        updates.onUpdate(scene);
        meetingStates.events = events;
        return [events.length > 0, left];
    }""")
    assert remaining == [True, 0]


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_meeting_graph_is_readable_and_controls_are_named(screen, size):
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("first", "third"):
        choose_meeting(screen, name)
        assert_readable(screen, name)
        assert_controls_named(screen, 40)
    panel = graph(screen).bounding_box()
    for name in ("first", "second", "third"):
        box = node(screen, name).bounding_box()
        assert box["width"] > 110
        for axis, size_of in (("x", "width"), ("y", "height")):
            assert panel[axis] <= box[axis]
            assert box[axis] + box[size_of] <= panel[axis] + panel[size_of] + 1
    marks = screen.page.locator(".appointment")
    for number in range(marks.count()):
        box = marks.nth(number).bounding_box()
        assert box["y"] + box["height"] <= size[1]
    screen.page.set_viewport_size({"width": 1280, "height": 800})


def test_speed_panel_returns_and_empty_script_explains_how_to_start(screen):
    screen.page.get_by_role("button", name="Speed", exact=True).click()
    screen.page.get_by_role("region", name="Speed").wait_for()
    screen.page.get_by_role("button", name="Meetings").click()
    for name in ("third", "second", "first"):
        choose_meeting(screen, name)
        wait_for_change(screen, lambda: screen.press("Delete"))
    assert "Select a key" in graph(screen).inner_text()
    assert screen.page.locator(".appointment").count() == 0
