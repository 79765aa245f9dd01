"""What does somebody see who opens a scene? All of it, in every view, and a picture for every key."""

import pytest

VIEWS = ["perspective", "top", "front", "side"]
SIZES = [(1280, 800), (1920, 1080)]


@pytest.fixture
def open_example(visit):
    """Open an example, and wait until all of it has been drawn."""

    def opened(name):
        before = visit.read_state("studio.scene.opened_at")
        visit.page.evaluate("name => window.__keypose.studio.send({ do: 'open_example', name })", name)
        here = "studio.scene.order.every(one => (studio.curves.get(one)?.arrays.line?.length ?? 0) > 0"
        newer = "studio.curves.get(one).revision >= studio.scene.opened_at"
        visit.until(f"studio.scene.opened_at > {before} && {here} && {newer})")
        visit.settle()

    visit.do("studio.select(null); studio.view = { maximised: null, camera: null };")
    yield opened
    resize(visit, SIZES[0])


def examples_to_open(visit):
    """The examples, but for the flock: to draw five hundred trails takes a minute where there is no graphics card."""
    return [name for name in visit.read_state("studio.welcome.examples.map(one => one.name)") if "flock" not in name]


def view_rectangles(page):
    """The views from left to right and from the upper row to the lower one, by name."""
    found = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.viewports > .view')].map(one => [
        one.innerText.trim().split(/\\s/)[0].toLowerCase(), one.getBoundingClientRect().toJSON()]))""")
    assert sorted(found) == sorted(VIEWS)
    return found


def projected_points(visit):
    """Every key and every fifth place of every trail: whose, what, and where on the page it is in each view."""
    return visit.page.evaluate(
        """(views) => {
        const { studio, project } = window.__keypose, found = [];
        for (const name of studio.scene.order) {
            const { arrays, shapes } = studio.curves.get(name);
            const what = Array.from({ length: shapes.keys[0] }, (_, key) => ({ key }));
            for (let i = 0; i < arrays.line_u.length; i += 5) what.push({ u: arrays.line_u[i] });
            what.push({ pose: true });
            for (const one of what) for (const view of views) found.push([name, one, view, project(name, one, view)]);
        }
        return found;
    }""",
        VIEWS,
    )


def resize(visit, size):
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    visit.settle()


def assert_all_in_view(visit, example):
    views, seen = view_rectangles(visit.page), projected_points(visit)
    assert len(seen) > 100
    for name, what, view, spot in seen:
        assert spot is not None, (example, name, what, view)
        box = views[view]
        assert box["left"] + 20 < spot["x"] < box["right"] - 20, (example, name, what, view)
        # above and below are the view's own bars
        assert box["top"] + 32 < spot["y"] < box["bottom"] - 32, (example, name, what, view)


def assert_keys_have_pictures(visit, example):
    for name in visit.read_state("studio.scene.order.filter(one => studio.actor(one)?.keys.length > 0)"):
        visit.do(f"studio.select({name!r})")
        keys = visit.read_state(f"studio.actor({name!r}).keys.length")
        pictures = card_drawings(visit)
        assert len(pictures) == keys if keys < 30 else 10 < len(pictures) < keys  # of very many those in sight
        assert all("<circle" in picture for picture in pictures), (example, name)


def test_every_example_fits_every_view_and_every_key_has_a_picture(visit, open_example):
    """On a small and a large screen by turns: to open and shoot them all takes its time."""
    for number, example in enumerate(examples_to_open(visit)):
        resize(visit, SIZES[number % 2])
        open_example(example)
        assert_all_in_view(visit, example)
        assert_keys_have_pictures(visit, example)
        resize(visit, SIZES[number % 2 - 1])
        visit.do("studio.select(null); studio.framings += 1;")
        assert_all_in_view(visit, example)


def test_undoing_an_open_frames_the_previous_scene(visit, open_example):
    open_example("02_camera_ride")
    wanted = [spot for *_, spot in projected_points(visit)]
    open_example("07_the_catch")
    visit.page.keyboard.press("Control+z")
    visit.until("studio.scene.order.includes('car')")
    visit.until("studio.scene.order.every(one => studio.curves.get(one)?.revision >= studio.scene.opened_at)")
    visit.settle()
    for told, spot in zip(wanted, [spot for *_, spot in projected_points(visit)], strict=True):
        assert spot == pytest.approx(told, abs=0.5)


def card_drawings(visit):
    """What is drawn on every card of the strip."""
    return visit.page.evaluate("() => [...document.querySelectorAll('.card svg')].map(one => one.innerHTML)")


def test_cards_of_keys_that_only_turn_show_their_orientation(visit, open_example):
    open_example("01_a_ring_on_a_hand")
    visit.do("studio.select('arm')")
    first, second, third = card_drawings(visit)
    assert first != second
    assert first == third  # the arm comes back


def test_opened_scene_selects_an_actor_with_keys(screen):
    for number, name in ((0, "arm"), (2, "master"), (6, "ball")):
        title = screen.ask(f"studio.welcome.examples[{number}].title")
        screen.page.get_by_role("button", name="Keypose").click()
        screen.after(screen.page.get_by_role("dialog").get_by_role("button", name=title).click)
        screen.until("name => window.__keypose.studio.selection.actor === name", name)
        assert screen.ask("studio.scene.steps.undo") == f"open the example {title}"


def test_cards_of_the_start_page_have_pictures(screen):
    screen.page.get_by_role("button", name="Keypose").click()
    cards = screen.page.get_by_role("dialog").locator(".examples button")
    assert cards.count() == 20
    assert cards.first.locator("b").inner_text() == "Three arches"
    assert cards.first.locator("polygon").count() > 20
    assert cards.first.bounding_box()["width"] > 1.5 * cards.nth(1).bounding_box()["width"]
    for number in range(20):
        assert cards.nth(number).locator("polyline, polygon").count() >= 2
        box, card = cards.nth(number).locator("svg").bounding_box(), cards.nth(number).bounding_box()
        assert box["height"] > 60
        assert box["x"] >= card["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
