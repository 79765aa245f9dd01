"""Labels cover neither the curve they name nor each other, and stay in the picture; what finds no place stays away."""

import numpy as np
import pytest

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile, plot
from keypose.plot.canvas.label_candidates import InkMap, LabelCandidates
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import LIGHT, new_figure, set_up_space_axes
from keypose.plot.drawing import Drawing

WAVE = [(0, 0), (1, 2), (3, 2.2), (4, 0), (6, 1)]


def scattered(count, dim, seed):
    return np.cumsum(np.random.default_rng(seed).normal(size=(count, dim)), axis=0)


def spiral(count):
    turns = np.linspace(0, 4 * np.pi, count)
    facing = [Orientation.facing((-np.sin(turn), 0, np.cos(turn))) for turn in turns]
    return [
        Key((np.cos(turn), 0.2 * turn, np.sin(turn)), orientation=orientation)
        for turn, orientation in zip(turns, facing, strict=True)
    ]  # fmt: skip


MOTIONS = {
    "flat": Motion(MotionPath(WAVE), SpeedProfile([1, 1, 8, 2, 1]), duration=2),
    "captured": Motion(MotionPath([Key(place, name=f"key {place}") for place in WAVE]), duration=2, capture={2: 0.3}),
    "closed": Motion(MotionPath(WAVE, closed=True), KeyTimes([0, 1, 1.5, 2, 3, 4])),
    "15 keys": Motion(MotionPath(scattered(15, 2, 3)), SpeedProfile.slow_in_slow_out(), duration=4),
    "15 keys in space": Motion(MotionPath(scattered(15, 3, 5)), duration=4),
    "a spiral that faces its way": Motion(MotionPath(spiral(15)), duration=4),
    "40 keys": Motion(MotionPath(scattered(40, 2, 8)), duration=9),
    "a path of two far keys": MotionPath([(0, 0), (9, 5)]),
}


def inked_pixels(ax):
    """Every line of the axes as points in pixels, no more than one apart; dots as they are."""
    points = []
    for line in (line for line in ax.lines if line.get_transform() == ax.transData):
        ends = ax.transData.transform(line.get_xydata())
        if line.get_linestyle() == "None":
            points.append(ends)
            continue
        pieces = np.stack([ends[:-1], ends[1:]], axis=1)
        for start, stop in pieces[np.isfinite(pieces).all(axis=(1, 2))]:
            points.append(np.linspace(start, stop, int(np.abs(stop - start).max()) + 2))
    return np.concatenate(points)


def label_boxes(ax):
    return {text: text.get_window_extent() for text in ax.texts if text.get_text()}


@pytest.fixture(scope="module", params=MOTIONS)
def space_views(request):
    """The views of space of a real motion's sheet."""
    thing = MOTIONS[request.param]
    path = thing.path if isinstance(thing, Motion) else thing
    return path, plot(thing).figure.axes[: 4 if path.shape == (3,) else 1]


def test_no_label_covers_a_curve_a_frame_or_a_tangent(space_views):
    for ax in space_views[1]:
        points = inked_pixels(ax)
        for text, box in label_boxes(ax).items():
            assert not ((points > box.min) & (points < box.max)).all(axis=1).any(), text.get_text()


def test_no_label_covers_the_square_of_a_key(space_views):
    for ax in space_views[1]:
        squares = next(line for line in ax.lines if line.get_marker() == "s")
        half = squares.get_markersize() / 2 * ax.figure.dpi / 72
        places = ax.transData.transform(squares.get_xydata())
        for text, box in label_boxes(ax).items():
            assert not ((places > box.min - half) & (places < box.max + half)).all(axis=1).any(), text.get_text()


def test_no_label_overlaps_another(space_views):
    for ax in space_views[1]:
        found = list(label_boxes(ax).items())
        for index, (text, box) in enumerate(found):
            for other, its in found[:index]:
                assert not box.overlaps(its), (text.get_text(), other.get_text())


def test_every_label_lies_within_its_view(space_views):
    for ax in space_views[1]:
        width, height = ax.figure.canvas.get_width_height()
        head = 16 * ax.figure.dpi / 72
        frame = ax.get_window_extent()
        for text, box in label_boxes(ax).items():
            assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text.get_text()
            assert box.y0 >= frame.y0 - 1, text.get_text()
            assert box.y1 <= frame.y1 + head, text.get_text()


def test_most_keys_are_named_or_numbered(space_views):
    path, views = space_views
    for ax in views:
        names = {text.get_text() for text in ax.texts}
        wanted = {path.keys[index].name or str(index) for index in range(len(path))}
        assert len(wanted & names) >= 0.8 * len(wanted)
        assert {path.keys[0].name or "0"} <= names


# ---- one label at a time -------------------------------------------------------------------------------------------


def empty_axes():
    figure = new_figure(3, 3, LIGHT)
    ax = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    set_up_space_axes(ax, LIGHT)
    ax.set(xlim=(0, 10), ylim=(0, 10))
    return ax, Labels(ax)


def label_box(ax, name):
    return next(text for text in ax.texts if text.get_text() == name).get_window_extent()


def test_label_avoids_a_long_line_between_its_samples():
    ax, labels = empty_axes()
    labels.avoid_line(
        np.array([(0, 0), (10, 10)])
    )  # the diagonal through the preferred place, without a sample near it
    labels.add(np.array((5, 5)), "here", "black")
    labels.place()
    box = label_box(ax, "here")
    line = ax.transData.transform(np.linspace((0, 0), (10, 10), 1000))
    assert not ((line > box.min) & (line < box.max)).all(axis=1).any()


def test_names_are_always_written_and_numbers_only_where_they_fit():
    ax, labels = empty_axes()
    rows = np.linspace(0, 10, 200)
    for row in rows:
        labels.avoid_line(np.array([(0, row), (10, row)]))
    labels.add(np.array((5, 5)), "name", "black")
    labels.add(np.array((5, 5)), "7", "black", optional=True)
    labels.place()
    assert {text.get_text() for text in ax.texts} - {""} == {"name"}


def test_distant_label_has_a_leader_line():
    ax, labels = empty_axes()
    labels.avoid_dots(np.array([(5, 5)]), size=40.0)
    labels.add(np.array((5, 5)), "far", "black")
    labels.place()
    leader = next(text for text in ax.texts if not text.get_text())
    assert leader.xy == pytest.approx((5, 5))
    assert leader.arrow_patch.get_linewidth() < 1


def test_clipped_points_have_no_label_and_labels_are_placed_once():
    ax, labels = empty_axes()
    labels.add(np.array((50, 5)), "gone", "black")
    labels.add(np.array((5, 5)), "here", "black")
    labels.place()
    labels.place()
    assert [text.get_text() for text in ax.texts] == ["here"]


def test_label_of_several_points_is_placed_at_the_free_one():
    ax, labels = empty_axes()
    labels.avoid_dots(np.array([(2, 2)]), size=90.0)
    labels.add(np.array([(2, 2), (8, 8)]), "any", "black")
    labels.place()
    assert next(text for text in ax.texts if text.get_text()).xy == pytest.approx((8, 8))


def test_labels_avoid_a_name_written_on_a_line():
    path = MotionPath([(0, 0), (2, 1), (3, 0)])
    drawing = Drawing()
    panel = drawing.panel().path(path).name(path, 1.0, "a rather long name").label(path.at(1.0), "beside it")
    drawing.place_labels()
    written, beside = (label_box(panel.ax, text) for text in ("a rather long name", "beside it"))
    assert not written.overlaps(beside)


def test_key_names_are_escaped_and_labels_may_be_formulas():
    path = MotionPath([Key((0, 0), name="$5 or $6"), Key((1, 1))])
    sheet = plot(path)
    text = next(text for text in sheet.figure.axes[0].texts if "5" in text.get_text())
    assert text.get_text() == r"\$5 or \$6"
    assert label_box(sheet.figure.axes[0], text.get_text()).width > 30


def test_drawing_is_labelled_beside_its_outline():
    a = np.linspace(0, 2 * np.pi, 13)
    ring = np.stack([np.cos(a), np.sin(a)], axis=-1)
    ax = plot(MotionPath([Key(ring), Key(ring + np.array((4, 1)))])).figure.axes[0]
    points = inked_pixels(ax)
    for name in ("0", "1"):
        box = label_box(ax, name)
        assert not ((points > box.min) & (points < box.max)).all(axis=1).any()


# ---- ink and places ------------------------------------------------------------------------------------------------


def test_ink_map_counts_pixels_under_a_box():
    ink = InkMap(np.array([100.0, 50.0]), np.array([[(10.0, 20), (90, 20)]]), np.array([(50.0, 40)]), np.array([2.0]))
    boxes = np.array([(0.0, 0, 100, 19), (0, 19, 100, 22), (20, 19, 30, 22), (40, 30, 60, 50), (-9, -9, 200, 200)])
    assert ink.count_pixels(boxes[:, :2], boxes[:, 2:]).tolist() == [0, 81, 10, 16, 97]


def test_ink_outside_the_picture_is_ignored():
    far = np.array([[(-1e9, 25.0), (1e9, 25.0)], [(500.0, 25), (900, 25)]])
    ink = InkMap(np.array([100.0, 50.0]), far, np.array([(500.0, 500), (-50, 10)]), np.array([3.0, 3.0]))
    assert ink.count_pixels(np.array([(0.0, 0)]), np.array([(100.0, 20)])).tolist() == [0]


def test_label_candidates_surround_their_point_without_covering_it():
    places = LabelCandidates(np.array([(50.0, 50)]), np.array([12.0, 5]), 1.0)
    assert len(places.centers) == 80
    assert not (np.abs(places.centers - 50) < (12, 5)).all(axis=1).any()
    assert places.is_outside(np.array([(-20, -20), (120, 120)])).sum() == 0
    assert places.is_outside(np.array([(0, 0), (120, 120)])).any()
    assert places.is_ambiguous(np.array([(50.0, 50)])).sum() == 0
    assert places.is_ambiguous(np.array([(60.0, 60)])).any()
