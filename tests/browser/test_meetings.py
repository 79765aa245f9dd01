"""Can a person say who meets whom by picking keys and drawing arrows, and see what becomes of it?"""

import pytest

from tests.browser.appointments import (
    arrow,
    as_opened,
    choose_meeting,
    click_key,
    clicked_for_a_goal,
    draw_arrow,
    go_to,
    goals,
    graph,
    grip,
    node,
    script,
    shot,
    studio_with_meetings,
)
from tests.browser.for_everybody import all_have_names, readable
from tests.browser.hands import middle
from tests.browser.winds import changed, inspector, saved


@pytest.fixture(scope="module")
def table(chromium, tmp_path_factory):
    """One studio on a scene with meetings for all tests."""
    with studio_with_meetings(chromium, tmp_path_factory.mktemp("meetings")) as screen:
        yield screen


@pytest.fixture
def screen(table):
    return as_opened(table)


def state(screen, name):
    return node(screen, name).get_attribute("data-state")


def told(screen, meeting, how):
    """When something became of a meeting [s]."""
    found = f"one.meeting === {meeting!r} && one.state === {how!r}"
    times = screen.ask(f"studio.meetings.told.filter((one) => {found}).map(({{ time }}) => time)")
    assert times, (meeting, how)
    return times[0]


def comes_to_be(screen, name, how):
    seen = "([name, how]) => document.querySelector(`[data-meeting='${name}']`)?.dataset.state === how"
    screen.until(seen, [name, how])


# ---- who meets whom --------------------------------------------------------------------------------------------------


def test_a_meeting_is_added_by_picking_keys_in_a_view(screen):
    screen.select("red", 2)
    changed(screen, graph(screen).get_by_role("button", name="Meeting", exact=True).click)
    screen.until("() => window.__keypose.studio.meetings.picking?.meeting === 'meeting 4'")
    assert goals(screen, "meeting 4") == {"red": "meeting 4"}
    assert "Click a key" in screen.page.locator("main .hint").inner_text()
    clicked_for_a_goal(screen, "blue", 1)
    screen.until("() => window.__keypose.studio.meetings.picking === null")
    assert goals(screen, "meeting 4") == {"red": "meeting 4", "blue": "arch"}
    assert screen.key("red", 2)["said"]["name"] == "meeting 4"
    node(screen, "meeting 4").wait_for()
    written = {one["name"]: one["goals"] for one in saved(screen, screen.file)["script"]}
    assert written["meeting 4"] == {"red": "meeting 4", "blue": "arch"}


def test_without_a_selection_the_first_key_that_is_clicked_begins_the_meeting_and_escape_ends_it(screen):
    graph(screen).get_by_role("button", name="Meeting", exact=True).click()
    screen.until("() => window.__keypose.studio.meetings.picking !== null")
    clicked_for_a_goal(screen, "grey", 0)
    assert goals(screen, "meeting 4") == {"grey": "start"}
    screen.until("() => window.__keypose.studio.meetings.picking?.meeting === 'meeting 4'")
    screen.press("Escape")
    screen.until("() => window.__keypose.studio.meetings.picking === null")
    click_key(screen, "blue", 1, "top")
    screen.until("() => window.__keypose.studio.selection.actor === 'blue'")
    assert goals(screen, "meeting 4") == {"grey": "start"}


def test_a_goal_is_picked_in_the_view_chosen_from_a_list_and_said_as_a_distance(screen):
    choose_meeting(screen, "first")
    inspector(screen).get_by_role("button", name="Pick in the view").click()
    clicked_for_a_goal(screen, "red", 3)
    assert goals(screen, "first") == {"red": "home", "blue": "arch"}
    where = inspector(screen).get_by_role("combobox", name="Where red is to be")
    changed(screen, lambda: where.select_option(label="start"))
    assert goals(screen, "first")["red"] == "start"
    changed(screen, lambda: where.select_option(label="a distance"))
    far = inspector(screen).get_by_role("textbox", name="How far along its path red is to be")
    far.fill("1.5")
    changed(screen, lambda: far.press("Enter"))
    assert goals(screen, "first")["red"] == 1.5


def test_somebody_comes_too_and_comes_no_more(screen):
    choose_meeting(screen, "first")
    changed(screen, lambda: screen.page.get_by_label("Let somebody come too").select_option("grey"))
    assert goals(screen, "first") == {"red": "arch", "blue": "arch", "grey": "home"}
    changed(screen, inspector(screen).get_by_role("button", name="Let red come no more").click)
    assert goals(screen, "first") == {"blue": "arch", "grey": "home"}


def test_words_of_a_meeting_are_said_in_the_inspector(screen):
    choose_meeting(screen, "first")
    panel = inspector(screen)
    name = panel.get_by_role("textbox", name="Name of the meeting")
    name.fill("bridge")
    changed(screen, lambda: name.press("Enter"))
    screen.until("() => window.__keypose.studio.meetings.chosen === 'bridge'")
    assert script(screen)["second"] == ["bridge"]
    changed(screen, panel.get_by_label("is a gate").click)
    patience = panel.get_by_role("textbox", name="Patience")
    patience.fill("3")
    changed(screen, lambda: patience.press("Enter"))
    one = screen.ask("studio.meeting('bridge')")
    assert (one["gate"], one["patience"]) == (True, 3)


def test_a_patience_that_is_no_number_gets_a_sentence_and_stays_to_be_mended(screen):
    choose_meeting(screen, "first")
    patience = inspector(screen).get_by_role("textbox", name="Patience")
    for typed in ("abc", "nan"):
        patience.fill(typed)
        patience.press("Enter")
        heard = "text => window.__keypose.studio.notices.filter((one) => one.text.includes(text)).length === 1"
        screen.until(heard, f'Patience: "{typed}" is no number.')
        assert (patience.input_value(), patience.get_attribute("aria-invalid")) == (typed, "true")
    patience.press("Escape")
    assert screen.ask("studio.meeting('first')")["patience"] == 2
    screen.page.evaluate("() => window.__keypose.studio.notices.splice(0)")


def test_what_cannot_be_is_refused_and_the_list_shows_what_holds(screen):
    choose_meeting(screen, "first")
    changed(screen, lambda: screen.page.get_by_label("Let somebody come too").select_option("green"))
    choose_meeting(screen, "second")
    screen.page.evaluate(
        "() => window.__keypose.studio.say({ do: 'connect_meetings', meeting: 'first', after: 'second' })"
    )
    screen.until("() => window.__keypose.studio.notices.some(({ text }) => text.includes('in a circle'))")
    assert script(screen)["first"] == []


# ---- in which order --------------------------------------------------------------------------------------------------


def test_an_arrow_is_dragged_from_one_meeting_to_another_and_undone(screen):
    changed(screen, lambda: draw_arrow(screen, "third", "second"))
    assert script(screen) == {"first": [], "second": ["first", "third"], "third": []}
    arrow(screen, "third", "second").wait_for()
    changed(screen, lambda: screen.press("Control+z"))
    assert script(screen)["second"] == ["first"]


def test_an_arrow_that_would_make_a_circle_is_refused_with_a_sentence(screen):
    before = screen.revision
    draw_arrow(screen, "second", "first")
    notice = screen.page.get_by_role("log", name="Notices").get_by_text("in a circle")
    notice.wait_for()
    assert "'first'" in notice.inner_text()
    assert "'second'" in notice.inner_text()
    screen.heard()
    assert screen.revision == before
    assert script(screen) == {"first": [], "second": ["first"], "third": []}
    assert arrow(screen, "second", "first").count() == 0
    screen.page.evaluate("() => window.__keypose.studio.notices.splice(0)")


def test_escape_calls_an_arrow_off_that_is_being_dragged(screen):
    start, end = middle(grip(screen, "third", "source")), middle(grip(screen, "second", "target"))
    mouse, before = screen.page.mouse, screen.revision
    mouse.move(start["x"], start["y"])
    mouse.down()
    mouse.move(end["x"], end["y"], steps=6)
    screen.page.locator(".svelte-flow__connectionline").wait_for(state="attached")
    screen.press("Escape")
    mouse.up()
    screen.heard()
    assert screen.revision == before
    changed(screen, lambda: draw_arrow(screen, "third", "second"))
    assert script(screen)["second"] == ["first", "third"]


def test_an_arrow_is_chosen_and_deleted_and_so_is_a_meeting(screen):
    arrow(screen, "first", "second").focus()
    screen.until("() => window.__keypose.studio.meetings.after === 'first'")
    changed(screen, lambda: screen.press("Delete"))
    assert script(screen)["second"] == []
    changed(screen, lambda: screen.press("Control+z"))
    box = arrow(screen, "first", "second").locator(".line").bounding_box()
    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.until("() => window.__keypose.studio.meetings.after === 'first'")
    changed(screen, lambda: screen.press("Delete"))
    assert script(screen)["second"] == []
    choose_meeting(screen, "third")
    changed(screen, lambda: screen.press("Delete"))
    assert [*script(screen)] == ["first", "second"]


def test_the_order_is_said_without_a_mouse_too(screen):
    choose_meeting(screen, "second")
    changed(screen, inspector(screen).get_by_role("button", name="Not after first").click)
    assert script(screen)["second"] == []
    changed(screen, lambda: screen.page.get_by_label("Let it come after another meeting").select_option("first"))
    changed(screen, lambda: screen.page.get_by_label("Let it come after another meeting").select_option("third"))
    needs = inspector(screen).get_by_role("textbox", name="Needs")
    needs.fill("1")
    changed(screen, lambda: needs.press("Enter"))
    one = screen.ask("studio.meeting('second')")
    assert (one["after"], one["need"]) == (["first", "third"], 1)


# ---- what becomes of it ----------------------------------------------------------------------------------------------


def test_states_are_shown_by_their_forms_while_time_is_scrubbed(screen):
    done = told(screen, "first", "done")
    assert (state(screen, "first"), state(screen, "second")) == ("active", "waiting")
    assert node(screen, "first").locator("svg[data-state] circle").count() == 2
    assert node(screen, "second").locator("svg[data-state] circle").count() == 1
    go_to(screen, done + 0.1)
    comes_to_be(screen, "first", "done")
    assert state(screen, "second") == "active"
    assert node(screen, "first").locator("svg[data-state] path").count() == 1
    assert node(screen, "first").locator(".there").count() == 2
    go_to(screen, told(screen, "third", "failed") + 0.1)
    comes_to_be(screen, "third", "failed")
    assert "failed" in node(screen, "third").get_attribute("aria-label")
    choose_meeting(screen, "third")
    assert "'green' is stuck: 'wall'" in inspector(screen).get_by_role("note").first.inner_text()


LOOK = """node => {
    const sign = node.querySelector("svg[data-state]"), box = getComputedStyle(node);
    const form = [...sign.children].map((one) => `${one.localName} ${one.getAttribute("d") ?? ""}`);
    return { form: form.join(), sign: getComputedStyle(sign).stroke, border: box.borderTopColor };
}"""


def test_states_differ_in_form_and_in_colour(screen):
    choose_meeting(screen, "third")
    patience = inspector(screen).get_by_role("textbox", name="Patience")
    patience.fill("2")
    changed(screen, lambda: patience.press("Enter"))
    screen.until("() => window.__keypose.studio.meetings.told.some(({ state }) => state === 'late')")
    shown = {how: ("third", told(screen, "third", how)) for how in ("active", "late", "failed")}
    shown |= {"waiting": ("second", 0), "done": ("first", told(screen, "first", "done"))}
    looks = {}
    for how, (name, time) in shown.items():
        go_to(screen, time + 0.01)
        comes_to_be(screen, name, how)
        looks[how] = node(screen, name).evaluate(LOOK)
    for word in ("form", "sign", "border"):
        assert len({look[word] for look in looks.values()}) == 5, (word, looks)


def test_states_follow_while_it_plays(screen):
    screen.press("Space")
    for how in ("active", "done"):
        comes_to_be(screen, "second", how)
    screen.press("Space")
    screen.until("() => !window.__keypose.studio.isPlaying")


def test_a_live_run_shows_them_too_and_rewound_they_wait_again(screen):
    screen.press("v")
    screen.until("() => window.__keypose.studio.isLive")
    comes_to_be(screen, "first", "done")
    screen.press("Space")
    screen.until("() => !window.__keypose.studio.isPlaying")
    screen.page.get_by_label("Rewind the live run").focus()
    screen.press("Home")
    comes_to_be(screen, "first", "active")
    screen.page.evaluate("() => document.activeElement?.blur()")
    screen.press("v")
    screen.until("() => !window.__keypose.studio.isLive")


def test_meetings_are_marked_on_the_transport_and_a_click_shows_the_moment(screen):
    marks = screen.page.locator(".appointment")
    assert screen.page.locator(".appointment.done").count() == 2
    assert screen.page.locator(".appointment.failed").count() == 1
    titles = [marks.nth(number).get_attribute("title") for number in range(marks.count())]
    assert any(title.startswith("first is done at") for title in titles)
    choose_meeting(screen, "second")
    assert screen.page.locator(".appointment.own").count() == 1
    screen.page.locator(".appointment.own").click()
    screen.until("time => Math.abs(window.__keypose.studio.poses.time - time) < 1e-3", told(screen, "second", "done"))
    row = inspector(screen).get_by_role("list", name="What becomes of it").get_by_role("button").first
    row.click()
    screen.until("time => Math.abs(window.__keypose.studio.poses.time - time) < 1e-3", told(screen, "second", "active"))


def test_a_change_to_the_script_is_shot_again(screen):
    before = told(screen, "first", "done")
    screen.page.evaluate(
        "() => window.__keypose.studio.say({ do: 'set_motion', actor: 'blue', changes: { duration: 5 } })"
    )
    is_later = "one.meeting === 'first' && one.state === 'done' && one.time > before + 0.2"
    screen.until(f"before => window.__keypose.studio.meetings.told.some((one) => {is_later})", before)
    shot(screen)


def test_of_another_scene_nothing_is_known_before_it_is_told(screen):
    left = screen.page.evaluate("""() => {
        const { studio } = window.__keypose, { scene } = studio, { told } = studio.meetings;
        studio.merge({ ...scene, opened_at: scene.opened_at + 1 });
        const left = studio.meetings.told.length;
        studio.merge(scene);
        studio.meetings.told = told;
        return [told.length > 0, left];
    }""")
    assert left == [True, 0]


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_graph_can_be_read_and_has_names(screen, size):
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("first", "third"):
        choose_meeting(screen, name)
        readable(screen, name)
        all_have_names(screen, 40)
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


def test_the_speed_panel_comes_back_and_an_empty_scene_says_how_to_begin(screen):
    screen.page.get_by_role("button", name="Speed", exact=True).click()
    screen.page.get_by_role("region", name="Speed").wait_for()
    screen.page.get_by_role("button", name="Meetings").click()
    for name in ("third", "second", "first"):
        choose_meeting(screen, name)
        changed(screen, lambda: screen.press("Delete"))
    assert "Select a key" in graph(screen).inner_text()
    assert screen.page.locator(".appointment").count() == 0
