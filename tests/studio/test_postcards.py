"""Do the cards of the start page show how the examples move?"""

import numpy as np
import pytest

from keypose import Actor, Motion, MotionPath, Stage
from keypose.studio.examples import PICTURES, example, examples, folder
from keypose.studio.postcards import HEIGHT, WIDTH, postcard

NAMES = [one.name for one in examples()]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_shows_how_its_example_moves(name):
    (told,) = (one for one in examples() if one.name == name)
    drawn = postcard(example(name))
    assert len(drawn) == len(told.picture), "run python -m keypose.studio.postcards"
    for now, then in zip(drawn, told.picture, strict=True):
        assert now.look == then.look
        for made, kept in ((now.line, then.line), (now.keys, then.keys)):
            assert np.array(made) == pytest.approx(np.array(kept), abs=0.3), "run python -m keypose.studio.postcards"


@pytest.mark.parametrize("name", NAMES)
def test_everything_on_a_card_lies_within_it(name):
    (told,) = (one for one in examples() if one.name == name)
    places = np.array([place for trail in told.picture for place in trail.line + trail.keys])
    assert (places > 5).all()
    assert (places < np.array([WIDTH, HEIGHT]) - 5).all()
    assert np.ptp(places, axis=0).max() > 60  # and it is not a speck


def test_what_stays_where_it_is_is_a_point():
    rest = Motion(MotionPath([(1, 2, 3), (1, 2, 3)]), duration=1.0)
    away = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=1.0)
    still, moving = postcard(Stage([Actor("post", rest), Actor("bird", away)]))
    assert (len(still.line), len(moving.line)) == (1, 73)


def test_of_a_crowd_some_trails_are_shown_the_first_among_them():
    away = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=1.0)
    crowd = postcard(Stage([Actor(f"ant/{number}", away, look="red" if not number else None) for number in range(100)]))
    assert len(crowd) == 34
    assert crowd[0].look == "red"


def test_a_card_without_its_picture_still_opens_its_scene(tmp_path, monkeypatch):
    place = folder()
    for file in (*place.glob("[0-9]*.json"), *place.glob("[0-9]*.py")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / PICTURES).write_text("{", encoding="utf-8")
    monkeypatch.setattr("keypose.studio.examples.folder", lambda: tmp_path)
    told = examples.__wrapped__()
    assert [one.name for one in told] == NAMES
    assert all(one.picture == () for one in told)
