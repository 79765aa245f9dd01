"""A script is drawn as the graph of its meetings, and how it was kept as speeds over time: who waited when."""

import re
from itertools import pairwise

import numpy as np
import pytest

from keypose import Actor, Key, KeyposeError, Meeting, Motion, MotionPath, Script, Stage, plot, shoot, turn
from keypose.plot.canvas import text as names
from keypose.plot.canvas import theme as look
from keypose.plot.canvas.theme import LIGHT
from keypose.script.report import Outcome, ScriptReport
from tests.script.straight_paths import follower


def arch_script():
    """Three in pairs under three arches, then all of them at home."""
    script = Script()
    a = script.meet({"red": "arch", "blue": 2.5}, name="one")
    b = script.meet({"blue": turn("raised"), "green": "arch"}, after=a, name="two", gate=True)
    script.meet({"red": "home", "green": "home"}, after=[a, b], need=1, name="home", of="bodies", patience=5)
    return script


def sheet_texts(sheet):
    return [text.get_text() for ax in sheet.figure.axes for text in ax.texts] + [
        text.get_text() for text in sheet.figure.texts
    ]


def legend_texts(sheet):
    return [text.get_text() for one in sheet.figure.legends for text in one.get_texts()]


def arrows(sheet):
    from matplotlib.patches import FancyArrowPatch

    return [patch for patch in sheet.figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]


# ---- the graph of meetings -----------------------------------------------------------------------------------------


def test_each_meeting_shows_its_name_and_goals():
    written = sheet_texts(plot(arch_script()))
    assert {"one", "two", "home"} <= set(written)
    assert {"red: arch", "blue: 2.5 m", "blue: turns to raised", "green: home"} <= set(written)
    assert "script: 3 meetings of 3 actors" in written


def test_every_dependency_has_an_arrow():
    assert len(arrows(plot(arch_script()))) == 3


def test_partly_needed_dependencies_are_dashed_and_counted():
    sheet = plot(arch_script())
    assert "1 of 2" in sheet_texts(sheet)
    assert sorted(arrow.get_linestyle() != "solid" for arrow in arrows(sheet)) == [False, True, True]
    assert "not all are needed" in legend_texts(sheet)


def test_gates_bodies_and_patience_are_shown():
    sheet = plot(arch_script())
    assert {"gate", "bodies · patience 5 s"} <= set(sheet_texts(sheet))
    assert "gate: nobody passes before" in legend_texts(sheet)


def test_unused_marks_are_not_in_the_legend():
    script = Script()
    script.meet({"a": "x"})
    assert legend_texts(plot(script)) == []


def test_script_of_a_stage_is_drawn_identically():
    path = MotionPath([Key((0, 0)), Key((1, 0), name="x")])
    script = Script([Meeting(name="m", goals={"a": "x", "b": "x"})])
    stage = Stage([Actor(name, Motion(path, duration=1)) for name in "ab"], script=script)
    assert plot(stage.script).as_bytes(".svg") == plot(script).as_bytes(".svg")


def test_empty_script_has_a_title_only():
    assert sheet_texts(plot(Script())) == ["script: no meetings"]


def test_cycle_is_refused_with_its_names():
    circle = Script([Meeting(name=one, goals={"a": "x"}, after=other) for one, other in (("p", "q"), ("q", "p"))])
    with pytest.raises(KeyposeError, match=r"in a circle: 'p' after 'q' after 'p'"):
        plot(circle)


def test_script_plot_refuses_a_duration():
    with pytest.raises(KeyposeError, match="Only a stage is told how long"):
        plot(arch_script(), seconds=3)


def large_script(count, each=2):
    script = Script()
    for one in range(count):
        after = [f"meeting {one}", f"meeting {max(one - 5, 1)}"] if one else ()
        script.meet({f"actor {(one + other) % 50}": "goal" for other in range(each)}, after=after)
    return script


EXTREME_SCRIPTS = {
    "odd names": lambda: Script([Meeting(name="$x_{", goals={"猫": "\\frac", "two\nlines": turn("$")})]),
    "long names": lambda: Script([Meeting(name="W" * 90, goals={"V" * 90: "U" * 90})]),
    "forty in one": lambda: Script([Meeting(name="all", goals={f"a{one}": "x" for one in range(40)})]),
    "a long chain": lambda: large_script(60),
    "three hundred": lambda: large_script(300),
}


@pytest.mark.parametrize("nasty", EXTREME_SCRIPTS)
def test_extreme_scripts_are_drawn_and_saved(nasty):
    for theme in ("light", "dark"):
        sheet = plot(EXTREME_SCRIPTS[nasty](), theme=theme)
        sheet.as_bytes(".png", dpi=30)  # warnings are errors here
        assert sheet.figure.get_size_inches().max() <= 27.01


def test_missing_glyphs_are_boxes_and_only_names_are_numbered(monkeypatch):
    monkeypatch.setattr(names, "has_glyph", str.isascii)
    script = Script([Meeting(name="門", goals={"赤": "家", "青": turn("上")})])
    assert {"□ #1", "□ #1: □", "□ #2: turns to □"} <= set(sheet_texts(plot(script)))
    met = outcome("門", late=1.0, failed=2.0, why="'赤' is stuck.")
    assert "2 s: '□' is stuck." in sheet_texts(plot(script_report(script.meetings, {"門": met}, ("赤", "青"))))


def test_glyphs_of_a_fallback_font_are_used(monkeypatch):
    rare = "\u210a"  # a script g, which only the second of these has
    script = Script([Meeting(name="arch", goals={rare: rare})])
    monkeypatch.setattr(look, "FALLBACK_FONTS", ("No Such Font", "STIXGeneral"))
    for cached in (look.font_families, names.has_glyph):
        cached.cache_clear()
    try:
        assert look.font_families() == ("DejaVu Sans", "STIXGeneral")
        sheet = plot(script)
        assert f"{rare}: {rare}" in sheet_texts(sheet)
        sheet.as_bytes(".png", dpi=30)  # a missing letter would be a warning, which is an error here
    finally:
        for cached in (look.font_families, names.has_glyph):
            cached.cache_clear()


def test_no_text_leaves_its_box():
    from matplotlib.patches import FancyBboxPatch

    sheet = plot(arch_script())
    ax = sheet.figure.axes[0]
    boxes = [patch.get_window_extent() for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    for text in ax.texts:
        if ": " in text.get_text() and "script" not in text.get_text():
            extent = text.get_window_extent()
            assert any(box.x0 < extent.x0 and extent.x1 < box.x1 and box.y0 < extent.y0 for box in boxes)


def small_script(name="arch"):
    script = Script()
    a = script.meet({"red": name}, name=name)
    b = script.meet({"red": 2.0}, name="turns", gate=True)
    script.meet({"red": "home"}, after=[a, b], need=1, name="home")
    return script


@pytest.mark.parametrize("script", [small_script(), small_script("W" * 90), arch_script(), large_script(300)])
def test_all_text_is_on_the_sheet(script):
    sheet = plot(script)
    paper = sheet.figure.bbox
    written = [text for ax in sheet.figure.axes for text in ax.texts] + list(sheet.figure.legends)
    for one in written:
        extent = one.get_window_extent()
        assert 0 <= extent.x0 <= extent.x1 <= paper.x1
        assert 0 <= extent.y0 <= extent.y1 <= paper.y1


# ---- how it was kept -----------------------------------------------------------------------------------------------

TIMES = np.arange(0, 4.01, 0.25)
STEPS = 0.2 + 0.2 * np.arange(9)  # [s] as in a walk: there is room for a name between them, and no more


def script_report(meetings, met, names=("red", "blue"), turns=()):
    """A performance in which the first is slowed down from 1 to 2 s, and then goes at its own speed of 2 m/s."""
    eases = {name: np.where((TIMES >= 1) & (TIMES <= 2) & (name == names[0]), 0.5, 1.0) for name in names}
    own = {name: np.full(len(TIMES), 2.0) for name in names}
    speeds = {name: 2.0 * eases[name] for name in names}
    return ScriptReport(Script(meetings), TIMES, eases, speeds, own, frozenset(turns), met)


def outcome(name, active=0.0, reached=(), late=None, done=None, failed=None, why=""):
    delays = () if late is None else ((late, None),)
    return Outcome(name, active, dict(reached), late, done, failed, why, delays)


PAIR = Meeting(name="arch", goals={"red": "x", "blue": "x"})
DONE = outcome("arch", reached={"red": 1.5, "blue": 2.0}, done=2.0)
FAILED = outcome("arch", late=1.0, failed=2.5, why="Meeting 'arch' has failed: 'blue' is stuck.")


def marker_lines(sheet, marker):
    """The marks of a kind on the lanes, not those beside names."""
    (ax,) = sheet.figure.axes
    return [line for line in ax.lines if line.get_marker() == marker and line.get_transform() == ax.transData]


def test_every_actor_has_a_lane_with_its_name_and_nominal_speed():
    written = sheet_texts(plot(script_report([PAIR], {"arch": DONE})))
    assert {"red", "blue", "arch"} <= set(written)
    assert written.count("2 m/s") == 2


def test_waiting_times_are_shaded():
    sheet = plot(script_report([PAIR], {"arch": outcome("arch")}))
    shaded = [
        patch.get_paths()[0].vertices for patch in sheet.figure.axes[0].collections if len(patch.get_paths()) == 1
    ]
    assert len(shaded) == 1
    ((first, last),) = script_report([PAIR], {"arch": DONE}).waits("red")
    assert (shaded[0][:, 0].min(), shaded[0][:, 0].max()) == pytest.approx((first, last))
    assert 0 <= shaded[0][:, 1].min() < shaded[0][:, 1].max() <= 1, "it is the first lane"


def test_title_gives_the_largest_spread_without_gates():
    gate = Meeting(name="gate", goals=PAIR.goals, gate=True)
    waited = outcome("gate", reached={"red": 0.5, "blue": 3.0}, done=3.0)
    title, *_ = plot(script_report([PAIR, gate], {"arch": DONE, "gate": waited})).figure.texts
    assert title.get_text().endswith("; at most 500 ms apart (arch, gates not counted)")
    title, *_ = plot(script_report([PAIR], {"arch": DONE})).figure.texts
    assert title.get_text().endswith("; at most 500 ms apart (arch)")
    title, *_ = plot(script_report([gate], {"gate": waited})).figure.texts
    assert "apart" not in title.get_text()


def test_early_arrivals_are_not_counted_in_the_spread():
    gate = Meeting(name="gate", goals=PAIR.goals, gate=True)
    three = Meeting(name="home", goals={"red": "y", "blue": "y", "green": "y"}, after=("arch",))
    names = ("red", "blue", "green")
    passed = outcome("home", active=2.0, reached={"green": 2.0, "red": 3.0, "blue": 3.1}, done=3.1)
    title, *_ = plot(script_report([PAIR, three], {"arch": DONE, "home": passed}, names)).figure.texts
    assert title.get_text().endswith("; at most 500 ms apart (arch, who had passed before not counted)")
    waited = outcome("gate", reached={"red": 0.5, "blue": 3.0}, done=3.0)
    met = {"arch": DONE, "home": passed, "gate": waited}
    title, *_ = plot(script_report([PAIR, three, gate], met, names)).figure.texts
    assert title.get_text().endswith("ms apart (arch, gates and who had passed before not counted)")
    both = outcome("home", active=2.0, reached={"green": 2.0, "red": 2.0, "blue": 3.1}, done=3.1)
    alone = outcome("arch", reached={"red": 2.0, "blue": 2.0}, done=2.0, active=None)
    title, *_ = plot(script_report([PAIR, three], {"arch": alone, "home": both}, names)).figure.texts
    assert title.get_text().endswith("at most 0 ms apart (arch, who had passed before not counted)")


def test_long_title_fits_on_the_sheet():
    names = [f"actor {number}" for number in range(120)]
    named = [f"{number} {'W' * 30}" for number in range(30)]
    meetings = [
        Meeting(name=name, goals=dict.fromkeys(names, "x"), after=named[:1] * (name != named[0])) for name in named
    ]
    meetings.append(Meeting(name="gate", goals=dict.fromkeys(names, "x"), gate=True))
    arrival_times = {name: 1.0 + (row > 1) * (0.5 + 0.01 * row) for row, name in enumerate(names)}
    met = {one.name: outcome(one.name, active=1.0, reached=arrival_times, done=3.0) for one in meetings}
    sheet = plot(script_report(meetings, met, names))
    title, *_ = sheet.figure.texts
    assert "the first 100 of 120; " in title.get_text()
    assert "meetings are named" in title.get_text()
    assert title.get_window_extent().x1 < sheet.figure.bbox.x1
    assert plot(script_report([PAIR], {"arch": DONE})).figure.texts[0].get_fontsize() == 10


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_early_arrivals_of_a_take_are_noted_in_the_title(of):
    """Red is at its end long before blue has been at the arch, and green comes with blue."""
    script = Script()
    arch = script.meet({"blue": "1"}, name="arch")
    script.meet({"red": "1", "blue": "2", "green": "1"}, after=arch, of=of, name="home")
    actors = [Actor("red", follower(1)), Actor("blue", follower(6, 1, 2)), Actor("green", follower(6, 2))]
    take = shoot(Stage(actors, script=script), 5)
    met = take.script.meetings["home"]
    assert met.spread > 1, "red has been waiting since the meeting is active"
    title, *_ = plot(take.script).figure.texts
    found = re.search(r"at most (\d+) ms apart \(home, who had passed before not counted\)$", title.get_text())
    assert int(found[1]) <= 50


def test_names_that_fit_are_on_one_line():
    path = [Meeting(name=f"step {one}", goals=PAIR.goals) for one in range(1, 10)]
    met = {
        one.name: outcome(one.name, reached={"red": t, "blue": t}, done=t) for t, one in zip(STEPS, path, strict=True)
    }
    named = [text for text in plot(script_report(path, met)).figure.axes[0].texts if text.get_text().startswith("step")]
    boxes = sorted((text.get_window_extent() for text in named), key=lambda box: box.x0)
    assert len({round(box.y0) for box in boxes}) == 1
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_reached_goals_are_marked_with_a_dot():
    dots = marker_lines(plot(script_report([PAIR], {"arch": DONE})), "o")
    assert [(float(dot.get_xdata()[0]), float(dot.get_ydata()[0])) for dot in dots] == [(1.5, 0.5), (2.0, 1.5)]


def test_late_and_failed_meetings_have_warning_marks_and_a_message():
    sheet = plot(script_report([PAIR], {"arch": FAILED}))
    crosses, triangles = marker_lines(sheet, "X"), marker_lines(sheet, "^")
    assert [float(cross.get_xdata()[0]) for cross in crosses] == [2.5, 2.5]
    assert [float(triangle.get_xdata()[0]) for triangle in triangles] == [1.0, 1.0]
    assert {mark.get_color() for mark in (*crosses, *triangles)} == {LIGHT.key}
    assert "arch (failed)" in sheet_texts(sheet)
    assert "2.5 s: Meeting 'arch' has failed: 'blue' is stuck." in sheet_texts(sheet)
    assert {"late", "failed"} <= set(legend_texts(sheet))


def test_successful_meetings_have_no_warning_in_the_legend():
    sheet = plot(script_report([PAIR], {"arch": DONE}))
    assert not {"late", "failed"} & set(legend_texts(sheet))
    assert marker_lines(sheet, "X") == marker_lines(sheet, "^") == []


def test_dependent_failures_are_listed_below_their_cause():
    goals = {"red": "x", "blue": "x"}
    after = Meeting(name="then", goals=goals, after="arch")
    late = outcome("late", late=0.5, failed=1.0, why="Meeting 'late' has failed.")
    then = outcome("then", None, failed=2.5, why="Meeting 'then' has failed: 'arch' has.")
    met = {"then": then, "arch": FAILED, "late": late}
    sheet = plot(script_report([after, PAIR, Meeting(name="late", goals=goals)], met))
    failures = [text for text in sheet_texts(sheet) if "has failed" in text]
    assert failures == [
        "1 s: Meeting 'late' has failed.",
        f"2.5 s: {FAILED.reason}",
        "2.5 s: Meeting 'then' has failed: 'arch' has.",
    ]
    high = {text.get_text(): text.get_window_extent().y0 for text in sheet.figure.axes[0].texts}
    assert high["arch (failed)"] > high["then (failed)"]


def test_unfinished_meetings_are_listed():
    assert "not done by the end: arch" in sheet_texts(plot(script_report([PAIR], {"arch": outcome("arch")})))


def test_turn_goal_is_on_its_own_lane_in_degrees():
    meeting = Meeting(name="raised", goals={"arm": turn("up"), "leg": "down"})
    met = {"raised": outcome("raised", reached={"arm": 1.0, "leg": 1.0}, done=1.0)}
    sheet = plot(script_report([meeting], met, ("arm", "arm (turn)", "leg"), {"arm (turn)"}))
    assert [float(dot.get_ydata()[0]) for dot in marker_lines(sheet, "o")] == [1.5, 2.5]
    assert "115 °/s" in sheet_texts(sheet)


def test_names_of_simultaneous_meetings_are_stacked():
    meetings = [Meeting(name=f"meeting {one}", goals={"red": "x", "blue": "x"}) for one in range(9)]
    met = {one.name: outcome(one.name, reached={"red": 2.0, "blue": 2.0}, done=2.0) for one in meetings}
    sheet = plot(script_report(meetings, met))
    named = [text for text in sheet.figure.axes[0].texts if text.get_text().startswith("meeting")]
    boxes = sorted((text.get_window_extent() for text in named), key=lambda box: box.y0)
    assert len(boxes) == 9
    assert all(low.y1 <= high.y0 for low, high in pairwise(boxes))
    assert boxes[-1].y1 < sheet.figure.bbox.y1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_many_lanes_and_many_meetings_are_drawn(theme):
    names = tuple(f"runner {one}" for one in range(150))
    meetings = [Meeting(name=f"m{one}", goals={names[one % 150]: "x"}) for one in range(200)]
    met = {one.name: outcome(one.name, done=2.0, reached=dict.fromkeys(one.goals, 2.0)) for one in meetings}
    sheet = plot(script_report(meetings, met, names), theme=theme)
    sheet.as_bytes(".png", dpi=30)
    texts = [text.get_text() for text in sheet.figure.texts]
    assert any("the first 100 of 150; 20 of 200 meetings are named" in text for text in texts)


def test_shot_report_is_drawn_byte_identically():
    path = MotionPath([Key((0, 0)), Key((1, 0), name="x"), Key((2, 0))])
    script = Script([Meeting(name="m", goals={"a": "x", "b": "x"})])
    stage = Stage([Actor(name, Motion(path, duration=long)) for name, long in (("a", 1), ("b", 2))], script=script)
    sheets = [plot(shoot(stage, 2).script).as_bytes(".svg") for _ in range(2)]
    assert sheets[0] == sheets[1]
