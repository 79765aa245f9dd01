"""Do the cards of the start page show how the examples move?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Figure, Hinge, Link, Motion, MotionPath, Reach, Sphere, Stage
from keypose.plot.marks.bodies import body_shapes
from keypose.studio.present.example_cards import HEIGHT, WIDTH, YAW, example_card
from keypose.studio.protocol.updates.updates import CardTrail
from keypose.studio.session.examples import CARDS_FILE, examples, folder, load_example

NAMES = [one.name for one in examples()]
WITH_BODIES = [name for name in NAMES if body_shapes(load_example(name))]

TOLERANCE = 0.3  # [px]
BODY_TOLERANCE = (
    0.6  # 0.2 for corners that last digits choose, 0.15 for rounding, and as much to spare: how bodies that
)
# hit each other go on differs from processor to processor, which was below 0.2 with gravity off by a billionth


def tolerance_of(name):
    return BODY_TOLERANCE if name in WITH_BODIES else TOLERANCE


def card(name):
    (picture,) = (one.trails for one in examples() if one.name == name)
    return picture


def card_distance(trails, expected):
    """How far two cards are from each other at most [px]; without end if others or other things are on them."""
    if [_trail_summary(trail) for trail in trails] != [_trail_summary(trail) for trail in expected]:
        return np.inf
    found = [0.0]
    for shown, reference in zip(trails, expected, strict=True):
        outlines = (
            (one + one[:1], other + other[:1]) for one, other in zip(shown.bodies, reference.bodies, strict=True)
        )
        lines = [(one, other) for one, other in ((shown.line, reference.line), *outlines) if one or other]
        found += [max(_distance_to_line(one, other), _distance_to_line(other, one)) for one, other in lines]
        found += [np.hypot(x - u, y - v) for (x, y), (u, v) in zip(shown.keys, reference.keys, strict=True)]
    return max(found)


def _trail_summary(trail):
    return trail.look, len(trail.keys), len(trail.bodies)


def _distance_to_line(positions, line):
    """How far some of these places is from a line through others: where that has its points makes no difference."""
    if not positions or not line:
        return np.inf
    at, corners = np.array(positions)[:, None], np.array([*line, line[-1]])  # of one point, a line too
    starts, segments = corners[:-1], np.diff(corners, axis=0)
    share = ((at - starts) * segments).sum(axis=-1) / np.maximum((segments**2).sum(axis=-1), 1e-12)
    nearest = starts + np.clip(share, 0, 1)[..., None] * segments
    return np.linalg.norm(at - nearest, axis=-1).min(axis=1).max()


@pytest.mark.parametrize("name", NAMES)
def test_card_shows_how_its_example_moves(name):
    assert card_distance(example_card(load_example(name)), card(name)) < tolerance_of(name), (
        "run python -m keypose.studio.present.example_cards"
    )


@pytest.mark.parametrize("name", WITH_BODIES)
def test_drag_precision_differences_of_bodies_are_not_visible_on_their_card(name):
    stage = load_example(name)
    nudged = stage.changed(gravity=tuple(np.array(stage.gravity) * (1 + 1e-12) + (1e-12, 0, 0)))
    assert card_distance(example_card(nudged), card(name)) < tolerance_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_other_mirrored_and_rotated_cards_differ(name, monkeypatch):
    expected = card(name)
    for other in NAMES:
        assert other == name or card_distance(card(other), expected) > 10 * tolerance_of(name)
    mirrored = [
        CardTrail(
            look=trail.look,
            line=_mirrored(trail.line),
            keys=_mirrored(trail.keys),
            bodies=tuple(_mirrored(body) for body in trail.bodies),
        )
        for trail in expected
    ]
    assert card_distance(mirrored, expected) > 10 * tolerance_of(name)
    monkeypatch.setattr("keypose.studio.present.example_cards.YAW", YAW + 0.1)
    assert card_distance(example_card(load_example(name)), expected) > 2 * tolerance_of(name)


def _mirrored(line):
    return tuple((WIDTH - x, y) for x, y in line)


@pytest.mark.parametrize("name", NAMES)
def test_everything_on_a_card_lies_within_it(name):
    (example,) = (one for one in examples() if one.name == name)
    positions = np.array(
        [position for trail in example.trails for position in sum(trail.bodies, trail.line + trail.keys)]
    )
    assert (positions > 5).all()
    assert (positions < np.array([WIDTH, HEIGHT]) - 5).all()
    assert np.ptp(positions, axis=0).max() > 60  # and it is not a speck


def test_card_of_the_arches_shows_arches_and_balls():
    (example,) = (one for one in examples() if one.name == "20_three_arches")
    bodies = [len(trail.bodies) for trail in example.trails]
    assert sorted(bodies) == [0, 1, 1, 1, 9, 9, 9]  # the floor, balls, arches
    highs = [
        np.ptp([y for body in trail.bodies for _, y in body]) for trail in example.trails if len(trail.bodies) == 9
    ]
    assert min(highs) > 20


def test_walker_fills_its_card_and_stones_are_clipped():
    (example,) = (one for one in examples() if one.name == "17_a_walk")
    (walker,) = (trail for trail in example.trails if len(trail.bodies) > 1)
    positions = np.array([position for body in walker.bodies for position in body])
    assert np.ptp(positions[:, 1]) > 0.7 * HEIGHT


def test_card_of_a_letter_shows_the_letter_and_not_only_its_trail():
    (example,) = (one for one in examples() if one.name == "12_a_jelly_letter")
    (letter,) = (np.array(trail.bodies[0]) for trail in example.trails if trail.bodies)
    assert len(letter) > 100
    assert np.ptp(letter[:, 1]) > 0.4 * HEIGHT


def test_child_wheel_is_shown_by_its_body_without_a_trail():
    rolls = Motion(MotionPath([(0, 1, 0), (4, 1, 0)]), duration=1.0)
    turns = Motion(MotionPath([(0, -0.5, 0), (0, -0.5, 0)]), duration=1.0)
    wheel = Actor("wheel", turns, parent="wagon", body=Body(Sphere(0.3)))
    wagon, wheel = example_card(Stage([Actor("wagon", rolls, body=Body(Box(1))), wheel]))
    assert (len(wagon.line), len(wagon.keys), len(wagon.bodies)) == (73, 2, 1)
    assert (len(wheel.line), len(wheel.keys), len(wheel.bodies)) == (1, 0, 1)


def test_open_drawing_has_no_filled_area():
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 0)], float)
    for drawing, closed in ((square, True), (square[:-1], False)):
        away = Motion(MotionPath([drawing, drawing + 2]), duration=1.0)
        (card,) = example_card(Stage([Actor("drawing", away)]))
        assert bool(card.bodies) == closed


def test_resting_actor_is_a_point():
    fixed_motion = Motion(MotionPath([(1, 2, 3), (1, 2, 3)]), duration=1.0)
    away = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=1.0)
    fixed, moving = example_card(Stage([Actor("post", fixed_motion), Actor("bird", away)]))
    assert (len(fixed.line), len(moving.line)) == (1, 73)


def test_driven_hand_has_a_trail_and_the_rest_of_the_arm_has_none():
    shoulder, upper, hand = (
        Body(Box(0.1)),
        Link("upper", Body(Box(0.1)), (0, -0.2, 0)),
        Link("hand", Body(Box(0.1)), (0, -0.5, 0)),
    )
    arm = Figure(shoulder, [Hinge(upper, at=(0, 0, 0)), Hinge(hand, "upper", at=(0, -0.4, 0))], held=True)
    lead = Reach("arm/hand", MotionPath([(0, -0.5, 0), (0.3, -0.2, 0)]), within=0.1)
    fixed, driven = example_card(Stage([Actor("arm", arm, look="red")], connections=[lead]))
    assert (len(fixed.line), len(driven.line)) == (1, 73)
    assert driven.look == "red"


def test_number_of_trails_is_limited_and_includes_the_first():
    away = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=1.0)
    crowd = example_card(
        Stage([Actor(f"ant/{number}", away, look="red" if not number else None) for number in range(100)])
    )
    assert len(crowd) == 34
    assert crowd[0].look == "red"


def test_card_without_picture_still_opens_its_scene(tmp_path, monkeypatch):
    examples_folder = folder()
    for file in (*examples_folder.glob("[0-9]*.json"), *examples_folder.glob("[0-9]*.py")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / CARDS_FILE).write_text("{", encoding="utf-8")
    monkeypatch.setattr("keypose.studio.session.examples.folder", lambda: tmp_path)
    listed = examples.__wrapped__()
    assert [one.name for one in listed] == NAMES
    assert all(one.trails == () for one in listed)
