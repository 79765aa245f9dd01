"""LG95's figures, and GL95's dancing letter, show what their captions say, in the takes that are drawn."""

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Follow, Key, MotionPath, Stage, Still, shoot
from keypose.document.scene import read, write
from tests.scene_files import scenes_equal

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "examples" / "papers"
PAGE, GL95 = ((ROOT / "docs" / "papers" / f"{paper}.md").read_text(encoding="utf-8") for paper in ("lg95", "gl95"))


@cache
def figure(number: int, paper: str = "lg95") -> dict[str, Any]:
    return runpy.run_path(str(PAPERS / f"{paper}_{number:02}.py"))


@pytest.mark.parametrize(("paper", "number"), [*(("lg95", number) for number in range(1, 12)), ("gl95", 8)])
def test_figure_scene_file_shoots_bitwise_identically(paper, number):
    stage, file = figure(number, paper)["SCENE"], PAPERS / f"{paper}_{number:02}.json"
    written = b"".join(write(stage))
    assert scenes_equal(file.read_bytes(), written), "tools/write_scenes.py writes it anew"
    first, second = shoot(stage, 0.25), shoot(read(written), 0.25)
    assert all(first.poses[name].position.tobytes() == second.poses[name].position.tobytes() for name in first.names)


def test_figure_1_target_is_the_base_distance_ahead_and_speed_is_the_corrected_one():
    namespace = figure(1)
    distance = np.linalg.norm(namespace["AIMS"] - namespace["TAKE"]["ball"].position, axis=1)
    assert_allclose(distance[30:340], namespace["FOLLOW"].within, rtol=0.02)
    assert namespace["settled_speed"]() == pytest.approx(namespace["FOLLOW"].pace, rel=1e-3)
    assert namespace["FOLLOW"].pace == pytest.approx(0.4 * 0.4 / (0.8 * 0.1))


def test_figure_2_base_distance_smooths_beta_damps_and_alpha_sets_the_speed():
    namespace = figure(2)
    deviation, positions = (
        namespace["deviation_from_path"],
        {name: take["ball"].position for name, (_, take) in namespace["CURVES"].items()},
    )
    assert deviation("5") > 2 * deviation("2"), "a longer base distance cuts more"
    assert positions["3"][:, 1].max() > 1.25, "below critical it swings over the top"
    assert max(positions["2"][:, 1].max(), positions["4"][:, 1].max()) < 1.21, "at and above it does not"
    assert namespace["arrival_time"]("4") > 1.8 * namespace["arrival_time"]("2"), "more damping is slower"
    assert namespace["deviation_from_two"]("slower") < 0.002, "with α/β² kept the way is the same …"
    assert namespace["arrival_time"]("slower") == pytest.approx(2 * namespace["arrival_time"]("2"), rel=0.01), (
        "… at half the speed"
    )
    assert 0.01 < namespace["deviation_from_two"]("as slow") < 0.03, "with β kept it is nearly"


def test_figure_3_mass_matters_at_a_sprung_obstacle_and_not_at_a_fixed_one():
    namespace = figure(3)
    fixed, sprung = namespace["TAKES"]["a"], namespace["TAKES"]["b"]
    assert_allclose(fixed["1"]["ball"].position, fixed["2"]["ball"].position, atol=1e-9)
    assert namespace["lateral_offset"](sprung["1"]) > 4 * namespace["lateral_offset"](sprung["2"])
    assert namespace["displacements"](sprung["2"]).max() > 2 * namespace["displacements"](sprung["1"]).max()
    hard, soft = namespace["TAKES"]["c"].values()
    assert namespace["lateral_offset"](soft) < 0.7 * namespace["lateral_offset"](hard), "what is soft gives way"
    squeezed = _surface_deviation(soft)
    assert squeezed.max() > 0.05 > 10 * squeezed[-1], "and is nearly round again: it spins, which draws it out for ever"
    assert squeezed[-1] == pytest.approx(squeezed[-100], rel=0.01)
    path = MotionPath([Key(key.position, orientation=(1, 0, 0, 0)) for key in namespace["LINE"].keys])
    upright = Follow(path, Body(namespace["BALL"], 0.5, friction=0.2, stiffness=namespace["SOFT"]), within=0.4)
    cast = [Actor("ball", upright), Actor("post", Still(namespace["OBSTACLE"], namespace["AT"]))]
    assert _surface_deviation(shoot(Stage(cast), 2.6, 200))[-1] < 1e-4, "where its path has facings it does not"
    for take in (*fixed.values(), *sprung.values(), hard, soft):
        assert take["ball"].position[-1] == pytest.approx((1.9, 0, 0), abs=0.01), "all come back to the line"


def _surface_deviation(take):
    """How far the surface of the soft ball is from where it is at first, at most, at each frame [m]."""
    radii = np.linalg.norm(take["ball/skin"].position - take["ball"].position[:, None], axis=2)
    return np.abs(radii - radii[0].mean()).max(axis=1)


def test_figure_4_filter_keeps_the_arm_tip_on_its_line():
    namespace = figure(4)
    rms = {name: np.sqrt(np.mean(namespace["lateral_offset"](name) ** 2)) for name in "ab"}
    assert rms["b"] < 0.01 < 0.03 < rms["a"]
    end = {name: namespace["TAKES"][name]["arm/tip"].position[-1] for name in "ab"}
    assert end["b"] == pytest.approx(namespace["END"], abs=0.01)
    assert end["a"][1] < namespace["END"][1] - 0.03, "without it the arm sags"


def test_figure_5_target_is_on_the_current_spline_and_passed_keys_stay():
    namespace = figure(5)
    for time in (0.5, 1.0, 1.6, 2.2, 3.0):
        curve = namespace["path_at"](time).at(np.linspace(0, 3, 3001))
        assert np.linalg.norm(curve - namespace["aim"](time), axis=1).min() < 0.01
    assert namespace["pass_time"]("one") < namespace["pass_time"]("two")
    for name in ("one", "two"):
        moved = namespace["lift_key_position"](name, 4.0) - namespace["lift_key_position"](
            name, namespace["pass_time"](name)
        )
        assert np.abs(moved).max() > 0.3, "the lift goes on"
    assert namespace["TAKE"]["ball"].position[-1] == pytest.approx((4.5, 0.6, 0), abs=0.02)


def test_figure_5_text_gives_target_error_and_that_passed_keys_stay():
    namespace = figure(5)
    assert max(namespace["deviation"](time) for time in namespace["SHOWN"]) < 0.001
    key, lift = namespace["displacements"]("one", namespace["SHOWN"][-1])
    assert key < 1e-9
    assert lift > 0.5
    assert "moved 0 mm" in namespace["caption"](namespace["SHOWN"][-1])


def test_figure_6_hands_meet_according_to_eagerness_and_strength():
    namespace = figure(6)
    met = {name: namespace["meeting_point"](take) for name, (_, take) in namespace["SHAKES"].items()}
    assert met["a"][1][0] == pytest.approx(0, abs=1e-6), "in the middle"
    assert met["b"][1][0] > 0.05, "nearer to who is less eager"
    assert met["c"][1][0] > 0.01, "nearer to who is too weak for its weight"
    for _, take in namespace["SHAKES"].values():
        assert namespace["separation"](take)[0] > 1.2
        assert namespace["separation"](take)[-1] < 0.2


def test_figure_7_ball_is_kicked_down_at_any_wagon_speed():
    namespace = figure(7)
    for speed, (_, take) in namespace["KICKS"].items():
        time, _ = namespace["first_hit"](take)
        rides = take.times < time
        ball, wagon = take["ball"].position[rides], take["wagon"].position[rides]
        assert_allclose(ball - wagon, np.tile((0.15, 0.15, 0), (len(ball), 1)), atol=0.01)
        assert ball[-1, 0] - ball[0, 0] == pytest.approx(speed * time, abs=0.01)
        assert time + 0.2 < namespace["landing_time"](take) < namespace["SECONDS"]


def test_figure_8_others_wait_for_a_blocked_participant_and_resume_their_nominal_speed():
    namespace = figure(8)
    report, own = namespace["TAKE"].script, namespace["SPEED"]
    met = report.meetings["line"]
    assert met.spread <= 0.02, "with an obstacle on the way of one"
    alone = namespace["crossing_times"](namespace["ALONE"])
    first, second, third = alone.values()
    assert f"At the line after {met.done:.1f} s, all within 0.02 s" in PAGE
    assert f"each for itself after {first:.1f}, {second:.1f} and {third:.1f} s" in PAGE
    assert met.done < 1.15 * max(alone.values()), "and not much later than the last would be anyway"
    assert max(alone.values()) - min(alone.values()) > 1
    times = report.times
    for name in ("one", "three"):
        speed = namespace["speeds"](name)
        assert speed[(times > 0.5) & (times < 1.5)].min() > 0.8 * own
        assert speed[(times > 2) & (times < 4)].min() < 0.25 * own, "waits"
        after = (times > met.done + 0.5) & (times < met.done + 1)
        assert_allclose(speed[after], own, rtol=0.01), "and is as fast as before"
    assert any(event.actor == "two" and getattr(event, "other", "") == "post" for event in namespace["TAKE"].events)


def test_figure_9_light_arm_matches_the_heavy_one_until_they_have_met():
    namespace = figure(9)
    alone, met = namespace["TAKES"]["a"], namespace["TAKES"]["b"]
    time_apart = namespace["pass_time"](alone, "heavy") - namespace["pass_time"](alone, "light")
    assert f"Within 0.02 s instead of {time_apart:.1f} s apart" in PAGE
    assert namespace["SPREAD"] <= 0.02
    assert namespace["pass_time"](met, "heavy") == pytest.approx(namespace["pass_time"](alone, "heavy"), rel=0.02), (
        "nobody hurries it"
    )
    speed, free = namespace["speeds"](met, "light"), namespace["speeds"](alone, "light")
    done = met.script.meetings["level"].done
    before, after = (met.times > 1) & (met.times < done - 0.2), (met.times > done + 0.4) & (met.times < done + 0.9)
    assert speed[before].max() < 0.6 * np.nanmax(free)
    assert_allclose(speed[after], 0.8, atol=0.025), "and then it has its own speed again"
    assert_allclose(
        met["light/hand"].position[-1], np.add(namespace["POSITIONS"]["light"], namespace["UP_OFFSET"]), atol=0.05
    )


def test_figure_10_each_meeting_waits_for_its_predecessors():
    namespace = figure(10)
    meetings, after = namespace["REPORT"].meetings, namespace["AFTER"]
    for name, outcome in meetings.items():
        assert outcome.spread <= 0.02
        assert set(outcome.reached) == set(namespace["GOALS"][name])
        assert outcome.active == max([0.0, *(meetings[parent].done for parent in after[name])])
    assert all(namespace["REPORT"].waits(actor) for actor in ("T₂", "T₃", "T₄", "T₅")), "and this is what waiting is"
    assert not namespace["REPORT"].waits("T₁"), "T₁ is the last to each of its meetings"


def test_figure_11_each_pair_passes_its_arch_together():
    namespace = figure(11)
    met = namespace["MET"]
    assert [set(met[arch].reached) for arch in namespace["ARCHES"]] == [
        {"red", "blue"},
        {"blue", "green"},
        {"red", "green"},
    ]
    for arch in namespace["ARCHES"]:
        assert met[arch].spread <= 0.02
        assert np.ptp(list(namespace["arch_times"](arch).values())) < 0.1, "and so do the spheres themselves"
    assert met["first"].done < met["second"].done == met["third"].active < met["third"].done
    assert len(namespace["TAKE"].script.waits("red")) == 2, (
        "red waits for blue and later for green, and hurries in between"
    )
    hit = {getattr(event, "other", "") for event in namespace["TAKE"].events if event.actor in namespace["ROUTES"]}
    assert not any("arch" in other for other in hit), "nobody bumps into an arch"


def _figure_1_text(namespace):
    deviation = 1000 * namespace["deviations"]().max()
    return f"{namespace['settled_speed']():.4f} m/s where it is straight, as the formula says, {deviation:.0f} mm off"


def _figure_2_text(namespace):
    deviation = [f"{1000 * namespace['deviation_from_path'](name):.0f}" for name in "25"]
    three, two, four = (namespace["arrival_time"](name) for name in "324")
    return (
        f"Up to {deviation[0]} mm off with d_base 0.25 m, {deviation[1]} mm with 0.8 m; "
        f"there after {three:.1f} s with β below the critical one, {two:.1f} s with it, {four:.1f} s above."
    )


def _figure_3_text(namespace):
    offsets = {
        name: [f"{1000 * namespace['lateral_offset'](take):.0f}" for take in of.values()]
        for name, of in namespace["TAKES"].items()
    }
    light, heavy = (
        namespace["displacements"](take).max() * namespace["STIFF"] for take in namespace["TAKES"]["b"].values()
    )
    return (
        f"Fixed: both {offsets['a'][0]} mm aside. Sprung: {offsets['b'][0]} mm and {light:.0f} N for the light one, "
        f"{offsets['b'][1]} mm and {heavy:.0f} N for the heavy one. Foam: {offsets['c'][1]} mm."
    )


def _figure_4_text(namespace):
    rms_offsets = (np.sqrt(np.mean(namespace["lateral_offset"](name) ** 2)) for name in "ab")
    without, with_it = (
        f"{1000 * rms:.0f} mm rms off and {1000 * namespace['final_error'](name):.0f} mm from the end"
        for rms, name in zip(rms_offsets, "ab", strict=True)
    )
    return f"{without} without, {with_it} with it."


def _figure_5_text(namespace):
    deviation = max(namespace["deviation"](time) for time in namespace["SHOWN"])
    far = 1000 * max(namespace["displacements"](name, namespace["SHOWN"][-1])[1] for name in namespace["LIFTS"])
    return (
        f"At most {1000 * deviation:.1f} mm from the spline; passed keys stay while lifts go on by up to {far:.0f} mm."
    )


def _figure_6_text(namespace):
    a, b, c = (namespace["caption"](take).removeprefix("touch after ") for _, take in namespace["SHAKES"].values())
    return f"They touch after {a} (a), {b} (b), {c} (c)."


def _figure_7_text(namespace):
    takes = [take for _, take in namespace["KICKS"].values()]
    (first, fast), (second, slower), (third, slow) = (namespace["first_hit"](take) for take in takes)
    down = [f"{namespace['landing_time'](take):.2f}" for take in takes]
    return (
        f"Hit after {first:.2f}, {second:.2f} and {third:.2f} s with {fast:.1f}, {slower:.1f} and {slow:.1f} m/s, "
        f"down after {down[0]}, {down[1]} and {down[2]} s."
    )


def _figure_11_text(namespace):
    times = [max(namespace["arch_times"](arch).values()) for arch in namespace["ARCHES"]]
    return f"Under the arches after {times[0]:.2f}, {times[1]:.2f} and {times[2]:.2f} s"


FIGURE_TEXTS = {
    1: _figure_1_text,
    2: _figure_2_text,
    3: _figure_3_text,
    4: _figure_4_text,
    5: _figure_5_text,
    6: _figure_6_text,
    7: _figure_7_text,
    11: _figure_11_text,
}


@pytest.mark.parametrize("number", FIGURE_TEXTS)
def test_page_has_the_numbers_of_the_drawn_figure(number):
    text = FIGURE_TEXTS[number](figure(number))
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| [fig. {number}]"))
    assert text in row, f"say there: {text}"


def test_page_has_the_accuracy_of_the_dancing_letter():
    namespace = figure(8, "gl95")
    error = max(miss[namespace["FPS"] :].max() for miss in namespace["errors"]().values())
    angle = max(np.abs(namespace["shin_angles"](side)).max() for side in ("left", "right"))
    text = f"Head and knees up to {1000 * error:.0f} mm from their sticks, shins up to {angle:.0f}° from their thighs."
    assert text in next(line for line in GL95.splitlines() if line.startswith("| [fig. 8]")), f"say there: {text}"


def test_gl95_figure_8_film_shows_a_periodic_lap():
    namespace = figure(8, "gl95")
    begin, end = (
        namespace["SETTLED_TAKE"].at(namespace["LAP"] * lap) for lap in (namespace["SETTLED"], namespace["SETTLED"] + 1)
    )
    assert max(np.abs(begin[name].position - end[name].position).max() for name in namespace["LINKS"]) < 0.002
    film = namespace["film"]()
    assert film.loops
    assert film.frames / film.fps == pytest.approx(namespace["LAP"])
    times = [panel.ax.get_title() for panel in namespace["draw"]().panels[:6]]
    assert times == [f"{time:.1f} s" for time in namespace["SHOWN"]], "as the graph below counts"


def test_gl95_figure_8_head_and_knees_follow_their_sticks_and_the_rest_swings():
    namespace = figure(8, "gl95")
    for miss in namespace["errors"]().values():
        assert miss[namespace["FPS"] :].max() < 0.04
    for side in ("left", "right"):
        assert 30 < np.abs(namespace["shin_angles"](side)).max() < 90
    lap = round(namespace["LAP"] * namespace["FPS"])
    for link in ("letter", "letter/left shin"):
        positions = namespace["TAKE"][link].position
        assert_allclose(positions[-1], positions[-1 - lap], atol=0.12), "it repeats"
