"""What does somebody see who opens a scene? All of it, in every view, and a picture for every key."""

import pytest

VIEWS = ["perspective", "top", "front", "side"]
SIZES = [(1280, 800), (1920, 1080)]


@pytest.fixture
def open_example(shared_page):
    """Open an example, and wait until all of it has been drawn."""

    def open_by_name(name):
        before = shared_page.read_state("doc.scene.opened_at")
        shared_page.page.evaluate("name => window.__keypose.connection.send({ do: 'open_example', name })", name)
        has_trails = "doc.scene.order.every(one => (doc.curves.get(one)?.arrays.line?.length ?? 0) > 0"
        newer = "doc.curves.get(one).revision >= doc.scene.opened_at"
        shared_page.wait_until(f"doc.scene.opened_at > {before} && {has_trails} && {newer})")
        shared_page.render()

    shared_page.do("selection.select(null); viewport.maximised = viewport.camera = null;")
    yield open_by_name
    resize(shared_page, SIZES[0])


def examples_to_open(studio_page):
    """The examples, but for the flock: to draw five hundred trails takes a minute where there is no graphics card."""
    return [
        name
        for name in studio_page.read_state("connection.welcome.examples.map(one => one.name)")
        if "flock" not in name
    ]


def view_rectangles(page):
    """The views from left to right and from the upper row to the lower one, by name."""
    boxes = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.viewports > .view')].map(one => [
        one.innerText.trim().split(/\\s/)[0].toLowerCase(), one.getBoundingClientRect().toJSON()]))""")
    assert sorted(boxes) == sorted(VIEWS)
    return boxes


def projected_points(studio_page):
    """Every key and every fifth place of every trail: whose, what, and where on the page it is in each view."""
    return studio_page.page.evaluate(
        """(views) => {
        const { doc, project } = window.__keypose, found = [];
        for (const name of doc.scene.order) {
            const { arrays, shapes } = doc.curves.get(name);
            const what = Array.from({ length: shapes.keys[0] }, (_, key) => ({ key }));
            for (let i = 0; i < arrays.line_u.length; i += 5) what.push({ u: arrays.line_u[i] });
            what.push({ pose: true });
            for (const one of what) for (const view of views) found.push([name, one, view, project(name, one, view)]);
        }
        return found;
    }""",
        VIEWS,
    )


def resize(studio_page, size):
    studio_page.page.set_viewport_size({"width": size[0], "height": size[1]})
    studio_page.render()


def assert_all_in_view(studio_page, example):
    views, points = view_rectangles(studio_page.page), projected_points(studio_page)
    assert len(points) > 100
    for name, handle, view, point in points:
        assert point is not None, (example, name, handle, view)
        box = views[view]
        assert box["left"] + 20 < point["x"] < box["right"] - 20, (example, name, handle, view)
        # above and below are the view's own bars
        assert box["top"] + 32 < point["y"] < box["bottom"] - 32, (example, name, handle, view)


def assert_keys_have_pictures(studio_page, example):
    for name in studio_page.read_state("doc.scene.order.filter(one => doc.actor(one)?.keys.length > 0)"):
        studio_page.do(f"selection.select({name!r})")
        keys = studio_page.read_state(f"doc.actor({name!r}).keys.length")
        pictures = card_drawings(studio_page)
        assert len(pictures) == keys if keys < 30 else 10 < len(pictures) < keys  # of very many those in sight
        assert all("<circle" in picture for picture in pictures), (example, name)


TYPICAL_EXAMPLES = ("02_camera_ride", "10_a_drawn_line_smoothed", "14_shaking_hands", "20_three_arches")


def assert_examples_fit(shared_page, open_example, examples):
    """On a small and a large screen by turns: to open and shoot them all takes its time."""
    for number, example in enumerate(examples):
        resize(shared_page, SIZES[number % 2])
        open_example(example)
        assert_all_in_view(shared_page, example)
        assert_keys_have_pictures(shared_page, example)
        resize(shared_page, SIZES[number % 2 - 1])
        shared_page.do("selection.select(null); viewport.framings += 1;")
        assert_all_in_view(shared_page, example)


def test_typical_examples_fit_every_view_and_every_key_has_a_picture(shared_page, open_example):
    assert_examples_fit(shared_page, open_example, TYPICAL_EXAMPLES)


@pytest.mark.soak
def test_every_example_fits_every_view_and_every_key_has_a_picture(shared_page, open_example):
    assert_examples_fit(shared_page, open_example, examples_to_open(shared_page))


def test_undoing_an_open_frames_the_previous_scene(shared_page, open_example):
    open_example("02_camera_ride")
    expected = [point for *_, point in projected_points(shared_page)]
    open_example("07_the_catch")
    shared_page.page.keyboard.press("Control+z")
    shared_page.wait_until("doc.scene.order.includes('car')")
    shared_page.wait_until("doc.scene.order.every(one => doc.curves.get(one)?.revision >= doc.scene.opened_at)")
    shared_page.render()
    for expected_point, point in zip(expected, [point for *_, point in projected_points(shared_page)], strict=True):
        assert point == pytest.approx(expected_point, abs=0.5)


def card_drawings(studio_page):
    """What is drawn on every card of the strip."""
    return studio_page.page.evaluate("() => [...document.querySelectorAll('.card svg')].map(one => one.innerHTML)")


def test_cards_of_keys_that_only_turn_show_their_orientation(shared_page, open_example):
    open_example("01_a_ring_on_a_hand")
    shared_page.do("selection.select('arm')")
    first, second, third = card_drawings(shared_page)
    assert first != second
    assert first == third  # the arm comes back


def test_opened_scene_selects_an_actor_with_keys(screen):
    for number, name in ((0, "arm"), (2, "master"), (6, "ball")):
        title = screen.read_state(f"connection.welcome.examples[{number}].title")
        screen.page.get_by_role("button", name="Keypose").click()
        screen.edit_and_wait(screen.page.get_by_role("dialog").get_by_role("button", name=title).click)
        screen.wait_until("name => window.__keypose.selection.actor === name", name)
        assert screen.read_state("doc.scene.steps.undo") == f"open the example {title}"


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
