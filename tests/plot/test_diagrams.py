"""Diagrams tell the truth about a motion: a jump is a gap, a smooth motion is one stroke, and units are its own."""

import numpy as np
import pytest

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile, plot
from keypose.plot.canvas.theme import LIGHT, new_figure
from keypose.plot.canvas.views import FLAT, LINE
from keypose.plot.marks import diagrams

POSITIONS = [(0, 0), (1, 2), (3, 2), (4, 0), (6, 1)]
SMOOTH = MotionPath(POSITIONS)
CORNER = SMOOTH.with_key(2, continuity=-1)
PROFILE = SpeedProfile([1, 2, 5, 2, 1])


DRAW = {
    "speed": lambda ax, motion: diagrams.draw_speed(ax, motion, LIGHT),
    "hodograph": lambda ax, thing: diagrams.draw_hodograph(ax, thing, view_of(thing), LIGHT),
    "curvature": lambda ax, path: diagrams.draw_curvature(ax, path, LIGHT),
    "turning": lambda ax, thing: diagrams.draw_turn_rate(ax, thing, LIGHT),
}


def view_of(thing):
    path = thing.path if isinstance(thing, Motion) else thing
    return LINE if path.shape == (1,) else FLAT


def diagram(thing, title):
    """One diagram of a sheet, alone: quicker than the whole."""
    ax = new_figure(4, 3, LIGHT).add_axes((0.1, 0.1, 0.8, 0.8))
    DRAW[title](ax, thing)
    return ax


def strokes(ax):
    """The strokes of a diagram, without handles and dots."""
    return [line.get_xydata() for line in ax.lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 2]


@pytest.mark.parametrize("title", ["speed", "hodograph"])
def test_smooth_motion_is_one_stroke(title):
    for motion in (Motion(SMOOTH, PROFILE, duration=2), Motion(SMOOTH, KeyTimes([0, 1, 1.5, 3, 4]))):
        assert len(strokes(diagram(motion, title))) == 1


def test_corner_is_a_gap_in_the_hodograph_but_not_in_the_speed():
    motion = Motion(CORNER, PROFILE, duration=2)
    before, after = strokes(diagram(motion, "hodograph"))
    at = motion.key_times[2]
    np.testing.assert_allclose(before[-1], motion.velocity(at - 1e-7), atol=1e-3)
    np.testing.assert_allclose(after[0], motion.velocity(at + 1e-7), atol=1e-3)
    assert len(strokes(diagram(motion, "speed"))) == 1


@pytest.mark.parametrize("duration", [2, 2e4])
@pytest.mark.parametrize("start", [0, 1e6])
def test_captured_key_is_a_gap_in_speed_and_hodograph(duration, start):
    motion = Motion(SMOOTH, PROFILE, duration=duration, start=start, capture={2: 0.2 * duration})
    before, after = strokes(diagram(motion, "speed"))
    jump = motion.speed_jump(2)
    assert before[-1, 1] == pytest.approx(jump[0], rel=1e-3)
    assert after[0, 1] == pytest.approx(jump[1], rel=1e-3)
    assert len(strokes(diagram(motion, "hodograph"))) == 2


def test_untimed_path_has_gaps_at_its_corners():
    timed = SMOOTH.timed(np.arange(5.0))
    assert len(strokes(diagram(timed, "hodograph"))) == 1
    assert len(strokes(diagram(timed.with_key(2, continuity=-1), "hodograph"))) == 2


def test_curvature_has_a_gap_at_a_corner_and_none_at_an_inserted_key():
    arc = MotionPath([Key((0, 0), leave=(3, 0)), Key((2, 2), arrive=(0, 3))])
    assert len(strokes(diagram(arc, "curvature"))) == 1
    assert len(strokes(diagram(arc.insert(0.4), "curvature"))) == 1
    assert len(strokes(diagram(arc.insert(0.4).with_key(1, arrive=(1, 0), leave=(0, 1)), "curvature"))) == 2


def test_stop_at_one_key_does_not_change_the_curvature_at_others():
    path = MotionPath([Key((0, 0), tension=1), Key((2, 2), tension=1)]).insert(0.5)
    assert len(strokes(diagram(path, "curvature"))) == 1


@pytest.mark.parametrize("motion", [
    Motion(MotionPath([(0,), (3,), (1,)]), duration=1),  # turns back between two keys
    Motion(MotionPath([(0, 0), (3, 1), (0, 0), (3, 1)]), duration=1),  # turns back at keys
])  # fmt: skip
def test_reversal_at_full_speed_is_not_bridged(motion):
    speed = motion.speed(0.5)
    for line in diagram(motion, "hodograph").lines:
        tips = line.get_xydata()
        if line.get_marker() != "+":
            np.testing.assert_allclose(np.linalg.norm(tips, axis=1), speed, rtol=1e-6)
            assert (np.linalg.norm(np.diff(tips, axis=0), axis=1) < speed).all() or line.get_linestyle() != "-"


def test_sharp_bend_is_drawn_as_an_arc():
    places = np.cumsum(np.random.default_rng(3).normal(size=(30, 2)), axis=0)  # bends of a centimetre
    motion = Motion(MotionPath(places), duration=4)
    for stroke in strokes(diagram(motion, "hodograph")):
        assert np.linalg.norm(np.diff(stroke, axis=0), axis=1).max() < 0.03 * motion.speed(1.0)


def test_hodograph_of_ground_motion_is_seen_from_above():
    sheet = plot(Motion(MotionPath([(0, 0, 0), (4, 0, 3), (8, 0, -1)]), duration=3))
    ax = next(ax for ax in sheet.figure.axes if ax.get_title(loc="left") == "hodograph, top")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("velocity x [m/s]", "−z")


def test_speed_diagram_has_room_above_and_shows_the_last_key():
    motion = Motion(SMOOTH, duration=2)  # steady: the line would lie on the frame
    ax = diagram(motion, "speed")
    assert ax.get_ylim()[1] > 1.05 * motion.speed(1.0)
    assert ax.get_xlim()[1] > motion.key_times[-1]


def test_handles_of_a_b_spline_are_joined_and_those_of_an_interpolant_are_not():
    joined, apart = (
        [line for line in plot(profile).figure.axes[0].lines if line.get_linestyle() == "--"]
        for profile in (PROFILE, SpeedProfile.through({0: 0, 0.4: 2, 1: 1}))
    )
    assert (len(joined), len(apart)) == (1, 0)
    motion = Motion(SMOOTH, SpeedProfile.through({0: 0, 0.4: 2, 1: 1}), duration=2)
    assert not [line for line in diagram(motion, "speed").lines if line.get_linestyle() == "--"]


def test_handles_of_a_motion_are_at_its_profile_in_metres_per_second():
    motion = Motion(SMOOTH, PROFILE, duration=2, start=3)
    handles = next(line for line in diagram(motion, "speed").lines if line.get_marker() == "o").get_xydata()
    np.testing.assert_allclose(handles[[0, -1], 0], [3, 5])
    np.testing.assert_allclose(handles[[0, -1], 1], motion.speed([3, 5]))


def test_the_time_bar_has_a_stripe_per_frame_and_a_mark_per_key():
    motion = Motion(SMOOTH, PROFILE, duration=2)
    ax = next(ax for ax in plot(motion, fps=12).figure.axes if "12 fps" in ax.get_title(loc="left"))
    stripes = np.array([stripe[0, 0] for stripe in ax.collections[0].get_segments()])
    np.testing.assert_allclose(stripes, motion.time_bar(12) / SMOOTH.length)
    assert len(ax.lines[0].get_xdata()) == 5


def test_turn_rate_is_shown_over_motion_time_or_path_keys():
    path = MotionPath(
        [
            Key((0, 0, 0), orientation=Orientation.turned(0, "y")),
            Key((1, 2, 0)),  # no facing here: it turns on through
            Key((3, 2, 1), orientation=Orientation.turned(90, "y")),
        ]
    )
    over_keys, over_time = diagram(path, "turning"), diagram(Motion(path, duration=6, start=1), "turning")
    assert over_keys.get_xlim()[1] == pytest.approx(2, rel=0.02)
    assert (over_time.get_xlabel(), over_time.get_ylabel()) == ("time [s]", "°/s")
    t, rate = np.concatenate(strokes(over_time)).T
    assert (t.min(), t.max()) == (pytest.approx(1), pytest.approx(7))
    assert np.sum((rate[1:] + rate[:-1]) / 2 * np.diff(t)) == pytest.approx(90, rel=1e-2)


def test_drag_precision_in_a_turn_is_not_magnified():
    keys = [Key(place, orientation=Orientation.turned(50, "x")) for place in [(0, 0, 0), (1, 1, 1), (2, 0, 1)]]
    assert diagram(Motion(MotionPath(keys), duration=2), "turning").get_ylim() == (0, 1)


def test_lines_and_drawings_have_no_curvature_diagram():
    for path in (MotionPath([(0,), (3,), (1,)]), MotionPath([Key([(0, 0), (1, 0)]), Key([(2, 2), (3, 2)])])):
        assert [ax.get_title(loc="left") for ax in plot(path).figure.axes] == ["", "hodograph"]
