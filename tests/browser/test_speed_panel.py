"""Can a person read the speed panel, and take from it what it shows? Way and time, marks of keys, values."""

import numpy as np
import pytest

from keypose import Actor, DynamicSpline, Key, Motion, MotionPath, SpeedProfile, Stage, fields

POSITIONS = [(0, 0, 0), (2, 2, 0), Key((4, 0, 1), name="low"), (6, 2, 0)]
RED = Motion(MotionPath(POSITIONS), SpeedProfile([1, 3, 1, 1, 1]), duration=2.0, capture={"low": 1.5})
BLUE = Motion(MotionPath([(0, 0, 2), (3, 1, 2), (6, 0, 2)]), SpeedProfile([1, 1, 1]), duration=2.0)
STAGE = Stage([Actor("red", RED), Actor("blue", BLUE)])
# One glides, one speeds up, and one is pushed no more than rounding would.
SIMULATED_STAGE = Stage(
    [
        Actor("glider", DynamicSpline((0, 1, 0), (2, 0, 0))),
        Actor("faller", DynamicSpline((0, 3, 0), senses={"down": 1})),
        Actor("rock", DynamicSpline((0, 0, 0), senses={"nothing": 1})),
    ],
    fields={
        "down": fields.Uniform((0, -1, 0)),
        "nothing": fields.Uniform((1e-14, 0, 0)),
    },
)


@pytest.fixture
def studio_page(shared_page):
    shared_page.show(STAGE)
    shared_page.do("selection.select('red')")
    return shared_page


def mark(studio_page, key):
    return studio_page.page.get_by_role("button", name=f"Mark of key {key}", exact=True)


def value(studio_page, index):
    return studio_page.page.get_by_role("slider", name=f"Speed value {index}")


def centre_x(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2


def test_playhead_is_at_its_time_on_the_curve_and_its_distance_on_the_path(studio_page):
    studio_page.do("playback.seek(0.5)")
    studio_page.wait_until("Math.abs(playback.time - 0.5) < 1e-6")
    curve, distance_curve = studio_page.page.locator("line.cursor"), studio_page.page.locator("path.now")
    left, right = centre_x(value(studio_page, 0)), centre_x(value(studio_page, 4))
    assert centre_x(curve) == pytest.approx(left + 0.25 * (right - left), abs=1)
    share = float(RED.distance(0.5)) / RED.path.length
    assert centre_x(distance_curve) == pytest.approx(left + share * (right - left), abs=2)
    above, below = distance_curve.bounding_box(), curve.bounding_box()
    assert above["y"] + above["height"] < below["y"]
    names = studio_page.page.get_by_label("The speed over the duration").locator("text.name").all()
    assert [name.evaluate("one => one.firstChild.textContent") for name in names] == ["way", "time"]


def test_key_mark_shows_its_time_and_a_click_selects_the_key(studio_page):
    assert mark(studio_page, 2).locator("title").text_content() == (
        'Key 2 "low" at 1.5 s, pinned to that time: click to select'
    )
    mark(studio_page, 1).click()
    assert studio_page.read_state("selection.keys") == [1]
    assert mark(studio_page, 1).get_attribute("aria-pressed") == "true"


def test_pinned_key_is_marked_and_freed_in_the_speed_panel(studio_page):
    assert [mark(studio_page, key).locator("path.pin").count() for key in range(4)] == [0, 0, 1, 0]
    mark(studio_page, 2).click()
    studio_page.page.get_by_role("button", name="Free the key").click()
    studio_page.wait_until("!doc.actor('red').keys[2].is_pinned")
    assert studio_page.studio.stage["red"].motion.capture == {}
    assert mark(studio_page, 2).locator("path.pin").count() == 0
    assert studio_page.read_state("doc.scene.steps.undo") == "free low of red"


def test_time_field_shows_a_pinned_time_and_clearing_it_frees_the_key(studio_page):
    time = studio_page.page.get_by_label("Time", exact=True)
    studio_page.do("selection.select('red', [1])")
    assert time.input_value() == ""
    assert float(time.get_attribute("placeholder")) == pytest.approx(RED.key_times[1], abs=1e-3)
    time.fill("1/2")
    time.press("Enter")
    studio_page.wait_until("doc.actor('red').keys[1].is_pinned")
    assert studio_page.studio.stage["red"].motion.capture == {1: 0.5, "low": 1.5}
    assert time.input_value() == "0.5"
    time.fill("")
    time.press("Enter")
    studio_page.wait_until("!doc.actor('red').keys[1].is_pinned")
    assert studio_page.studio.stage["red"].motion == RED


def selected_count(studio_page):
    return studio_page.page.locator("circle.value.selected").count()


def test_speed_value_is_deselected_by_another_selection(studio_page):
    for other in ("selection.select('red', [1])", "selection.select('blue')"):
        value(studio_page, 1).click()
        assert selected_count(studio_page) == 1
        studio_page.do(other)
        assert selected_count(studio_page) == 0
        studio_page.do("selection.select('red')")
        assert selected_count(studio_page) == 0


def test_speed_value_is_deselected_in_another_document(studio_page):
    value(studio_page, 1).click()
    studio_page.page.evaluate("() => window.__keypose.connection.send({ do: 'new' })")
    studio_page.page.evaluate("() => window.__keypose.connection.send({ do: 'undo' })")
    studio_page.do("selection.select('red')")
    assert selected_count(studio_page) == 0


@pytest.mark.parametrize("keys", ["[]", "[1]"])
def test_delete_removes_the_selected_speed_value_and_no_key(studio_page, keys):
    studio_page.do(f"selection.select('red', {keys})")
    value(studio_page, 1).click()
    studio_page.page.keyboard.press("Delete")
    studio_page.wait_until("doc.actor('red').speed.values.length === 4")
    assert studio_page.read_state("doc.actor('red').keys.length") == 4


def test_first_speed_value_does_not_cover_the_axis_labels(studio_page):
    box = value(studio_page, 0).bounding_box()
    for tick in studio_page.page.locator("text.tick").all():
        label_box = tick.bounding_box()
        assert label_box["x"] + label_box["width"] < box["x"]


def test_focus_ring_of_the_first_actor_is_not_clipped(studio_page):
    first = studio_page.page.get_by_label("Cast").locator("button.name").first.bounding_box()
    around = studio_page.page.get_by_label("Cast").locator("ul").bounding_box()
    assert first["y"] - 3 >= around["y"]  # 2 px of ring, 1 px away


# ---- who is moved tick by tick ---------------------------------------------------------------------------------------


@pytest.fixture
def simulated_page(shared_page):
    shared_page.open(SIMULATED_STAGE)
    shared_page.wait_until("doc.scene.order.length === 3 && doc.curves.get('rock')?.arrays.line_speed?.length")
    shared_page.wait_until_settled()
    return shared_page


def plotted_speeds(studio_page):
    """The speeds that the panel draws, as its axis tells them."""
    panel = studio_page.page.get_by_label("The speed over the duration")
    ticks = panel.locator("text.tick").all()
    labels = [tick.text_content() for tick in ticks]
    assert labels[0] == "0 m/s"
    heights = [float(tick.get_attribute("y")) - 4 for tick in ticks]
    zero, unit = heights[0], (heights[0] - heights[1]) / float(labels[1])
    points = [point.split(" ") for point in panel.locator("path.curve").get_attribute("d")[1:].split("L")]
    return np.array([(zero - float(y)) / unit for _, y in points])


def test_speed_of_a_simulated_actor_is_shown_in_metres_per_second(simulated_page):
    simulated_page.do("selection.select('glider')")
    assert plotted_speeds(simulated_page) == pytest.approx(2, abs=0.03)
    simulated_page.do("selection.select('faller')")
    speeds, seconds = plotted_speeds(simulated_page), simulated_page.read_state("doc.scene.duration")
    assert speeds[0] == pytest.approx(0, abs=0.05 * seconds)
    assert speeds[-1] == pytest.approx(seconds, rel=0.05)
    assert speeds[len(speeds) // 2] == pytest.approx(seconds / 2, rel=0.05)


def test_resting_actor_has_zero_speed_despite_rounding(simulated_page):
    simulated_page.do("selection.select('rock')")
    assert 0 < simulated_page.read_state("Math.max(...doc.curves.get('rock').arrays.line_speed)") < 1e-9
    assert plotted_speeds(simulated_page) == pytest.approx(0, abs=1e-3)
    simulated_page.do("selection.select(null)")
    legend = simulated_page.page.get_by_title("Dots are one per frame").inner_text().split("\n")
    assert legend[:2] == ["Speed", "0"]


@pytest.mark.parametrize("actor", ["glider", "faller", "rock"])
def test_axis_labels_do_not_touch_the_time_scale_labels(simulated_page, actor):
    simulated_page.do(f"selection.select({actor!r})")
    panel = simulated_page.page.get_by_label("The speed over the duration")
    ruler = panel.locator("text.name").nth(1).bounding_box()
    for tick in panel.locator("text.tick").all():
        assert tick.bounding_box()["y"] >= ruler["y"] + 9, "one line below the other"
        assert tick.bounding_box()["x"] >= panel.bounding_box()["x"]
