"""Legal but nasty casts: still, coincident, huge, tiny, lost, oddly named. All are drawn, and nothing warns."""

import numpy as np
import pytest

from keypose import Actor, Camera, Key, KeyTimes, Motion, MotionPath, Pose, SpeedProfile, Stage, Take, plot

UPRIGHT = np.array([1.0, 0, 0, 0])
A = np.linspace(0, 2 * np.pi, 13)
RING = np.stack([np.cos(A), np.sin(A)], axis=-1)
ODD_NAMES = [
    "$5",
    "a $x^$ b",
    "under_score^{",
    "back\\slash \\frac",
    "two\nlines\t",
    "猫",
    "犬犬",
    "_",
    "W" * 60,
    "\x07",
]
PARTLY_UNDEFINED = np.where(np.arange(20)[:, None] < 8, np.arange(20.0)[:, None], np.nan) * (1.0, 0.5, 2.0)


def walk(*places, seconds=1.0, **options):
    return Motion(MotionPath(list(places)), duration=seconds, **options)


def still_motion(*place):
    return Motion(MotionPath([place, place]), KeyTimes([0, 1]))


def recorded_take(positions):
    return Take(np.arange(len(positions)) / 24, 24, {"a": Pose(positions, np.tile(UPRIGHT, (len(positions), 1)))})


EXTREME_CASTS = {
    "one still actor": lambda: Stage([Actor("a", still_motion(1.0, 2.0, 3.0))]),
    "coincident actors": lambda: Stage([Actor(name, walk((0, 0, 0), (1, 2, 3))) for name in "abcdef"]),
    "all still in one place": lambda: Stage([Actor(name, still_motion(7.0, 7.0)) for name in "abc"]),
    "huge": lambda: Stage([Actor(name, walk((0, 0, 1e50 * i), (1e50, 1e49, 0))) for i, name in enumerate("abc")]),
    "tiny": lambda: Stage([Actor(name, walk((0, 0, 1e-9 * i), (1e-9, 0, 0))) for i, name in enumerate("abc")]),
    "odd names": lambda: Stage([Actor(name, walk((0, i), (3, i))) for i, name in enumerate(ODD_NAMES)]),
    "one dimension": lambda: Stage([Actor("a", walk((0,), (3,), (1,)))]),
    "drawings": lambda: Stage(
        [Actor("a", walk(Key(RING), Key(RING + 3))), Actor("b", walk(Key(RING), Key(2 * RING)), parent="a")]
    ),
    "very short": lambda: Stage([Actor("a", walk((0, 0), (1, 1), seconds=1e-6))]),
    "very long": lambda: Stage([Actor("a", walk((0, 0), (1, 1), seconds=1e9)), Actor("b", walk((0, 1), (1, 1)))]),
    "very late": lambda: Stage([Actor("a", walk((0, 0), (1, 1), start=1e9))]),
    "two frames": lambda: recorded_take(np.array([(0.0, 0, 0), (1, 1, 1)])),
    "a take that is lost": lambda: recorded_take(PARTLY_UNDEFINED),
    "a take of nothing known": lambda: recorded_take(np.full((5, 3), np.nan)),
    "a flat take": lambda: recorded_take(np.arange(10.0).reshape(5, 2)),
    "a wide camera": lambda: Stage([Actor("a", walk((0, 0, 0), (1, 1, 1)), look=Camera(179))]),
    "looks of all kinds": lambda: Stage(
        [
            Actor(str(i), walk((0, i), (1, i)), look=look)
            for i, look in enumerate(["white", "none", "black", "box", ("box", 1), "C0", "#ff000000", "0.5", 7])
        ]
    ),
    "1000 keys": lambda: Stage([Actor("a", walk(*np.random.default_rng(1).normal(size=(1000, 2)), seconds=9.0))]),
    "rests": lambda: Stage(
        [Actor("a", Motion(MotionPath([(0, 0), (1, 1)]), SpeedProfile.slow_in_slow_out(), duration=1))]
    ),
    "still on one that moves": lambda: Stage(
        [Actor("a", walk((0, 0), (1, 0))), Actor("b", still_motion(0, 0), parent="a")]
    ),
}


@pytest.mark.parametrize("nasty", EXTREME_CASTS)
def test_extreme_casts_are_drawn_with_finite_limits(nasty):
    for theme in ("light", "dark"):
        sheet = plot(EXTREME_CASTS[nasty](), theme=theme)
        sheet.as_bytes(".svg", dpi=50)  # warnings are errors here
        for ax in sheet.figure.axes:
            for low, high in (ax.get_xlim(), ax.get_ylim()):
                assert np.isfinite([low, high]).all()
                assert low != high


def test_names_are_escaped_kept_on_one_line_and_numbered_without_glyphs():
    strip = plot(EXTREME_CASTS["odd names"]()).figure.axes[-1]
    texts = {text.get_text() for text in strip.texts}
    assert texts >= {r"\$5", r"a \$x^\$ b", "under_score^{", "back\\slash \\frac", "two lines", "_"}
    assert texts >= {"□ #5", "□□ #6", "□ #9"}
    assert all(text.get_window_extent().x0 >= 0 for text in strip.texts)


def flock(count):
    """A flock that flies past a falcon, in space."""
    birds = [Actor(f"starling/{i}", walk((0, i % 7, i % 11), (9, i % 5, i % 13))) for i in range(count)]
    return Stage([*birds, Actor("falcon", walk((0, 9, 0), (5, 0, 5)))])


def names_in(ax):
    return [text for text in ax.texts if text.get_text().startswith(("starling", "falcon"))]


def test_group_is_named_once_in_every_view():
    views = plot(flock(60)).figure.axes[:4]
    for ax in views:
        assert sorted(text.get_text() for text in names_in(ax)) == ["falcon", "starling/*: 60"]


@pytest.mark.parametrize("count", [10, 60])
def test_no_name_leaves_its_view(count):
    sheet = plot(flock(count))
    sheet.figure.canvas.draw()
    for ax in sheet.figure.axes[:4]:
        box = ax.get_window_extent()
        for text in names_in(ax):
            extent = text.get_window_extent()
            assert box.x0 <= extent.x0
            assert extent.x1 <= box.x1
