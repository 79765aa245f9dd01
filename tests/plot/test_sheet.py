"""One call draws anything: the right sheet, in three formats, the same bytes every time, and nothing loaded before."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from keypose import Key, KeyposeError, KeyTimes, Motion, MotionPath, Orientation, Sheet, SpeedProfile, plot
from keypose.plot.sheet import check_picture_ending

MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-"}
BALL = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 1000)])

PATH = MotionPath([Key((0, 0)), Key((1, 2)), Key((3, 2.2), name="bounce", continuity=-1), Key((4, 0)), Key((6, 1))])
FLIGHT = MotionPath(
    [
        Key((0, 0, 0), orientation=Orientation.facing((1, 0, 0))),
        Key((2, 1.5, 1), orientation=Orientation.turned(120, "y")),
        Key((3, 0.4, 3), name="dip"),
        Key((5, 2, 2), orientation=Orientation.facing((0, 0, -1))),
    ]
)
PROFILE = SpeedProfile([1, 1, 8, 2, 1])


def turning_path(*degrees, places=None, **style):
    keys = zip(degrees, places or [None] * len(degrees), strict=True)
    return MotionPath([Key(place, orientation=Orientation.turned(angle, "y")) for angle, place in keys], **style)


def scattered(count, dim=2):
    return np.cumsum(np.random.default_rng(count).normal(size=(count, dim)), axis=0)


def titles(sheet):
    return [title for ax in sheet.figure.axes if (title := ax.get_title(loc="left"))]


# ---- what is drawn -------------------------------------------------------------------------------------------------


def test_a_motion_shows_its_speed_hodograph_curvature_and_time_bar():
    shown = titles(plot(Motion(PATH, PROFILE, duration=2)))
    assert shown == ["speed", "hodograph", "curvature", "time bar: a stripe per frame at 24 fps, by distance"]


def test_path_sheet_shows_diagrams_without_time():
    assert titles(plot(PATH)) == ["hodograph", "curvature"]


def test_path_with_orientations_shows_its_turn_rate():
    assert titles(plot(FLIGHT))[-1] == "turning"


def test_turns_and_profiles_have_their_own_sheets():
    assert titles(plot(FLIGHT.geometry.turns)) == ["turning"]
    assert titles(plot(PROFILE)) == ["speed profile"]


def test_a_flat_path_is_seen_once_and_a_path_in_space_four_times():
    assert len(plot(PATH).figure.axes) == 1 + 2
    assert len(plot(FLIGHT).figure.axes) == 4 + 3


def test_pure_rotation_is_shown_on_a_sphere_in_radians():
    sheet = plot(Motion(turning_path(0, 90, 200), duration=2))
    assert titles(sheet)[:2] == ["speed", "turning"]
    assert sheet.figure.axes[1].get_ylabel() == "rad/s"
    assert "z, forward" in {text.get_text() for text in sheet.figure.axes[0].texts}


@pytest.mark.parametrize("thing", [None, 3, "motion", [Key((0, 0))], Key((0, 0)), KeyTimes([0, 1])])
def test_other_objects_are_refused_with_reason(thing):
    with pytest.raises(
        KeyposeError,
        match=r"cannot be plotted. Give a motion, a path, its turns, a profile, a field, a script, a stage or a take\.",
    ):
        plot(thing)


def test_an_unknown_theme_is_refused_with_a_suggestion():
    with pytest.raises(KeyposeError, match=r"There is no theme 'drak'\. Did you mean 'dark'\?"):
        plot(PATH, theme="drak")
    with pytest.raises(KeyposeError, match="There is no theme"):
        plot(PATH, theme=["dark"])


# ---- saving --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", MAGIC)
def test_sheet_is_saved_by_file_extension_into_a_new_folder(tmp_path, ending):
    file = plot(PROFILE).save(tmp_path / "new" / "folder" / f"profile{ending}")
    assert file.read_bytes().startswith(MAGIC[ending])
    assert plot(PROFILE).save(str(tmp_path / f"PROFILE{ending.upper()}")).read_bytes().startswith(MAGIC[ending])


@pytest.mark.parametrize("name", ["profile.jpg", "profile", "profile.svg.bmp", ".png"])
def test_unknown_extension_is_refused_and_nothing_is_written(tmp_path, name):
    with pytest.raises(KeyposeError, match=r"cannot be saved as .*\. Use one of \.svg, \.png, \.pdf\."):
        plot(PROFILE).save(tmp_path / "new" / name)
    assert list(tmp_path.iterdir()) == []


def test_picture_bytes_need_no_file(tmp_path):
    sheet = plot(PROFILE)
    for ending, magic in MAGIC.items():
        assert sheet.as_bytes(ending).startswith(magic)
        assert sheet.as_bytes(ending.upper(), dpi=60) == sheet.save(tmp_path / f"a{ending}", dpi=60).read_bytes()
    for ending in ("svg", ".jpg", ""):
        with pytest.raises(KeyposeError, match=r"A picture cannot be saved as 'picture.*'\. Use one of \.svg"):
            sheet.as_bytes(ending)


def test_picture_extension_can_be_checked_before_drawing():
    assert check_picture_ending("a/b.SVG") == ".svg"
    assert check_picture_ending(Path("b.png")) == ".png"
    with pytest.raises(
        KeyposeError, match=r"A picture cannot be saved as 'sheet\.jpg'\. Use one of \.svg, \.png, \.pdf\."
    ):
        check_picture_ending("folder/sheet.jpg")


def test_notebook_shows_the_picture():
    assert "<svg" in plot(PROFILE)._repr_svg_()
    assert isinstance(plot(PROFILE), Sheet)


# ---- the same every time -------------------------------------------------------------------------------------------

DIGESTS = """
import hashlib, sys, tempfile
from keypose import Key, Motion, MotionPath, Orientation, SpeedProfile, plot

keys = [Key((0, 0), orientation=Orientation.turned(20, "y")), Key((2, 1), name="hit"), Key((3, 0), continuity=-1),
        Key((6, 1), orientation=Orientation.turned(90, "x"))]
motion = Motion(MotionPath(keys), SpeedProfile([1, 4, 1]), duration=1.5, capture={"hit": 0.2})
for theme in ("light", "dark"):
    sheet = plot(motion, theme=theme)
    for ending in ("svg", "png", "pdf"):
        file = sheet.save(f"{tempfile.mkdtemp()}/sheet.{ending}", dpi=60)
        print(theme, ending, hashlib.sha256(file.read_bytes()).hexdigest())
"""


def test_another_process_writes_the_same_bytes():
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed, "KEYPOSE_KERNELS": "off"},  # quicker for one picture
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (run.communicate(timeout=300)[0].splitlines() for run in runs)
    assert len(set(first)) == 6
    assert first == second


@pytest.mark.parametrize(
    ("thing", "ending"),
    [(Motion(PATH, PROFILE, duration=2, capture={"bounce": 0.5}), ".svg"), (FLIGHT, ".png"), (PROFILE, ".pdf")],
)
def test_sheet_drawn_or_saved_again_is_byte_identical(tmp_path, thing, ending):
    first, other = plot(thing), plot(thing)
    saved = [sheet.save(tmp_path / f"a{ending}", dpi=50).read_bytes() for sheet in (first, first, other)]
    assert saved[0] == saved[1] == saved[2]


def test_user_settings_neither_change_a_sheet_nor_are_changed(tmp_path):
    import matplotlib as mpl

    plain = plot(PATH).save(tmp_path / "plain.svg").read_bytes()
    with mpl.rc_context({"font.size": 25, "axes.facecolor": "red", "xtick.direction": "in", "lines.marker": "x"}):
        before = dict(mpl.rcParams)
        assert plot(PATH).save(tmp_path / "odd.svg").read_bytes() == plain
        assert dict(mpl.rcParams) == before


# ---- loaded when needed --------------------------------------------------------------------------------------------


def test_matplotlib_is_loaded_when_something_is_plotted_and_pyplot_never():
    code = """
import sys
def loaded():
    print([name for name in ("matplotlib", "PIL", "matplotlib.pyplot") if name in sys.modules])
import keypose
loaded()
from keypose import Key, Motion, MotionPath, Orientation, plot
from keypose.plot import drawing, film, gallery, sheet
from keypose.plot.canvas import labels
from keypose.plot.marks import diagrams
loaded()
path = MotionPath([Key((0, 0)), Key((1, 1), orientation=Orientation.turned(9, "y")), Key((2, 0))])
Motion(path, duration=1).frames(24)
loaded()
try:
    plot(3)
except keypose.KeyposeError:
    pass
plot(Motion(path, duration=1))
loaded()
"""
    quick = {**os.environ, "KEYPOSE_KERNELS": "off"}
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=quick)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == ["[]", "[]", "[]", "['matplotlib', 'PIL']"]


def test_plot_package_and_plot_function_do_not_hide_each_other():
    code = """
from keypose.plot.drawing import Drawing
from keypose import plot
import keypose
import keypose.plot.film
assert callable(plot) and keypose.plot is plot
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=300).returncode == 0


def test_missing_matplotlib_is_reported_with_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(KeyposeError, match=r"Pictures need matplotlib. Install it with: pip install 'keypose\[plot\]'"):
        plot(PROFILE)


# ---- legal, but nasty ----------------------------------------------------------------------------------------------

THREE_POSITIONS = [(0, 0), (1, 1), (3, 0)]
EXTREME_INPUTS = {
    "coincident keys": lambda: Motion(MotionPath([(0, 0), (1, 1), (1, 1), (1, 1), (2, 0)]), duration=1),
    "coincident keys by times": lambda: Motion(MotionPath([(0, 0), (1, 1), (1, 1), (2, 0)]), KeyTimes([0, 1, 2, 3])),
    "no length": lambda: Motion(MotionPath([(1e9, 3), (1e9, 3)]), duration=1),
    "no length in space": lambda: Motion(MotionPath([(3, 3, 3), (3, 3, 3)]), KeyTimes([0, 1])),
    "one dimension": lambda: Motion(MotionPath([(0,), (3,), (1,)]), duration=1),
    "one dimension, facing": lambda: Motion(turning_path(0, 60, 90, places=[(0,), (3,), (1,)]), duration=1),
    "four dimensions": lambda: Motion(MotionPath([(0, 0, 0, 1), (1, 1, 1, 0), (3, 0, 2, 2)]), duration=1),
    "two keys there and back": lambda: Motion(MotionPath([(0, 0), (1, 0)], closed=True), duration=1),
    "200 keys": lambda: Motion(MotionPath(scattered(200)), duration=9),
    "a drawing of one point": lambda: Motion(MotionPath([Key([place]) for place in THREE_POSITIONS]), duration=1),
    "a drawing of 1000 points": lambda: Motion(
        MotionPath([Key(BALL + place) for place in THREE_POSITIONS]), duration=1
    ),
    "a drawing on a line": lambda: Motion(MotionPath([Key([(0,), (1,)]), Key([(3,), (5,)])]), duration=1),
    "turning alone, for ever": lambda: Motion(turning_path(0, 90, 180, 270, closed=True), duration=1),
    "turning alone, not at all": lambda: Motion(turning_path(30, 30), duration=1),
    "one facing": lambda: Motion(FLIGHT.with_key(0, orientation=None).with_key(1, orientation=None), duration=1),
    "closed, by times": lambda: Motion(MotionPath(scattered(5, 3), closed=True), KeyTimes([0, 1, 2, 4, 5])),
    "huge": lambda: Motion(MotionPath(1e6 * scattered(5, 3)), duration=1),
    "tiny": lambda: Motion(MotionPath(1e-6 * scattered(5, 3)), duration=1),
    "far away": lambda: Motion(MotionPath(1e6 + 1e-3 * scattered(5)), duration=1),
    "inertia": lambda: Motion(turning_path(0, 90, places=[(0, 0, 0), (1, 1, 1)], inertia=0.5), PROFILE, duration=1),
    "stops at every key": lambda: Motion(MotionPath(THREE_POSITIONS, tension=1), duration=1),
    "late": lambda: Motion(MotionPath(THREE_POSITIONS), duration=1, start=1e9),
    "slow in, slow out": lambda: Motion(MotionPath(THREE_POSITIONS), SpeedProfile.slow_in_slow_out(), duration=1),
    "rests": lambda: Motion(
        MotionPath(THREE_POSITIONS), SpeedProfile.through({0: 0, 0.3: 1, 0.5: 0, 0.6: 0, 1: 1}), duration=1
    ),
    "odd names": lambda: MotionPath([Key((0, 0), name="$5"), Key((1, 1), name="a $x^$ b"), Key((3, 0), name="{_^")]),
    "a long name": lambda: MotionPath([Key((0, 0), name="where everything begins " * 3), Key((1, 0))]),
    "one facing's turns": lambda: (
        turning_path(30, 30, places=[(0, 0, 0), (1, 1, 1)]).with_key(0, orientation=None).geometry.turns
    ),
    "one value": lambda: SpeedProfile([3]),
}


@pytest.mark.parametrize("nasty", EXTREME_INPUTS)
def test_extreme_inputs_are_drawn_with_finite_limits(nasty):
    sheet = plot(EXTREME_INPUTS[nasty](), theme="dark")
    sheet.figure.draw_without_rendering()  # warnings are errors here
    for ax in sheet.figure.axes:
        for low, high in (ax.get_xlim(), ax.get_ylim()):
            assert np.isfinite([low, high]).all()
            assert low < high


def test_every_key_of_a_sheet_lies_within_the_picture():
    for path in (PATH, MotionPath(scattered(30, 3))):
        sheet = plot(path)
        for ax in sheet.figure.axes[: 4 if path.shape == (3,) else 1]:
            places = ax.transData.transform(np.concatenate([line.get_xydata() for line in ax.lines[:4]]))
            frame = ax.get_window_extent()
            places = places[np.isfinite(places).all(axis=1)]
            assert (places > frame.min).all()
            assert (places < frame.max).all()


def test_frames_of_a_long_motion_are_thinned():
    sheet = plot(Motion(PATH, duration=600), fps=25)
    assert titles(sheet)[-1] == "time bar: a stripe per 20 frames at 25 fps, by distance"
    dots = next(line for line in sheet.figure.axes[0].lines if line.get_marker() == "o")
    assert len(dots.get_xdata()) == 600 * 25 / 20 + 1
    with pytest.raises(KeyposeError, match="Frames per second"):
        plot(Motion(PATH, duration=600), fps=0)


def test_many_keys_need_no_more_strokes_and_are_partly_numbered():
    few, many = (plot(Motion(MotionPath(scattered(count)), duration=2)).figure.axes[0] for count in (5, 100))
    assert len(many.lines) == len(few.lines)
    assert len(many.texts) < 45
    assert {"0", "99", "5"} <= {text.get_text() for text in many.texts}
