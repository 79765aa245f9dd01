"""A film lasts as long as its motion, shows every frame once, and holds at the end."""

import numpy as np
import pytest
from PIL import Image

from keypose import Key, KeyposeError, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

PATH = MotionPath([(0, 0), (1, 1), (3, 0)])


def motion_film(motion, fps=24):
    drawing = Drawing(width=1.2, height=1.0)
    return Film(drawing, motion.duration, fps).run(drawing.panel().path(motion.path), motion)


def frame_durations(file):
    with Image.open(file) as film:
        found = []
        for frame in range(film.n_frames):
            film.seek(frame)
            film.load()
            found.append(film.info["duration"])
        return found, film.info.get("loop")


def test_film_frames_do_not_drift_and_the_last_one_holds(tmp_path):
    film = motion_film(Motion(PATH, duration=0.5))
    shown, loop = frame_durations(film.save(tmp_path / "new" / "film.webp", dpi=40, hold=0.7))
    assert len(shown) == film.frames == 13
    assert set(shown[:-1]) == {41, 42}
    assert np.abs(np.cumsum(shown[:-1]) - np.arange(1, 13) * 1000 / 24).max() <= 0.5
    assert shown[-1] == 700
    assert loop == 0


def test_looping_film_has_no_final_frame(tmp_path):
    drawing = Drawing(width=1.2, height=1.0)
    film = Film(drawing, 0.4, 25, loops=True).follow(drawing.panel(), lambda time: (time, 0), color="ink")
    shown, _ = frame_durations(film.save(tmp_path / "film.webp", dpi=40))
    assert sum(shown) == 400  # [ms]
    assert film.frames == 10, "the eleventh would be the first again"


def test_the_last_frame_is_never_shorter_than_the_others(tmp_path):
    shown, _ = frame_durations(
        motion_film(Motion(PATH, duration=0.5), fps=8).save(tmp_path / "film.webp", dpi=40, hold=0)
    )
    assert shown == [125] * 5


@pytest.mark.parametrize("motion", [
    Motion(PATH, duration=2, start=7),
    Motion(PATH, KeyTimes([7, 8, 9])),
])  # fmt: skip
def test_film_begins_where_its_motion_begins(motion):
    film = motion_film(motion)
    ball = film.drawing.panels[0].ax.lines[-1]
    for time in (0.0, 1.0, 2.0):
        film.show(time)
        np.testing.assert_allclose(ball.get_xydata()[0], motion.at(7 + time).position)


def test_every_point_of_a_drawing_is_shown():
    film = motion_film(Motion(MotionPath([Key([(0, 0), (1, 0), (1, 1)]), Key([(2, 0), (3, 0), (3, 2)])]), duration=1))
    film.show(1.0)
    np.testing.assert_allclose(film.drawing.panels[0].ax.lines[-1].get_xydata(), [(2, 0), (3, 0), (3, 2)])


def test_film_is_saved_as_webp_only(tmp_path):
    with pytest.raises(KeyposeError, match=r"A film cannot be saved as 'film\.gif'\. Use \.webp\."):
        motion_film(Motion(PATH, duration=0.1)).save(tmp_path / "new" / "film.gif")
    assert list(tmp_path.iterdir()) == []


def test_film_is_byte_identical_when_saved_again(tmp_path):
    motion = Motion(PATH, duration=0.2)
    first, second = (motion_film(motion).save(tmp_path / f"{turn}.webp", dpi=40).read_bytes() for turn in "ab")
    assert first == second
    assert first[:4] == b"RIFF"
