"""What the README and the design show runs as it stands, and does what it says."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from typer.testing import CliRunner

from keypose import (
    Actor,
    DynamicSpline,
    Key,
    KeyposeError,
    KeyTimes,
    Motion,
    MotionPath,
    Orientation,
    SpeedProfile,
    Stage,
    fields,
    shoot,
)
from keypose.cli.app import app

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture(scope="module")
def readme():
    """Every python block of the README, run in order in one namespace."""
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    names = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"README.md, python block {number + 1}", "exec"), names)
    return names


def assert_moves(motion, path):
    """Both ends are where the path says, and every frame lies on it."""
    frames = motion.frames(24).position
    assert_allclose(frames[[0, -1]], path.at([0, path.segments]), atol=1e-12)
    assert np.isfinite(frames).all()


def test_two_metres_along_the_path_are_two_metres(readme):
    path = readme["path"]
    assert path.distance(path.parameter(2.0)) == pytest.approx(2.0, abs=1e-9)
    assert_array_equal(path.along(2.0), path.at(path.parameter(2.0)))


def test_edit_returns_a_new_path_and_keeps_the_old_one(readme):
    path, softer = readme["path"], readme["softer"]
    assert softer != path
    assert path.keys[2].tension is None
    assert softer.keys[2].tension == 0.4
    assert_allclose(softer.leave[2], 0.6 * path.leave[2])
    assert softer.keys[2].name == "bounce"


def test_corner_is_passed_at_full_speed(readme):
    path = readme["path"]
    one, two = np.diff([key.position for key in path.keys[1:]], axis=0)
    assert_allclose(np.cross(path.arrive[2], one), 0, atol=1e-12)  # straight along the chords on either side
    assert_allclose(np.cross(path.leave[2], two), 0, atol=1e-12)
    assert np.linalg.norm(path.arrive[2]) > 0.5
    assert np.linalg.norm(path.leave[2]) > 0.5


def test_overshoot_passes_its_key(readme):
    path = readme["path"]
    assert path.at(np.linspace(1, 2, 50))[:, 1].max() > 1.01


def test_drawn_motion_has_49_frames(readme):
    motion = readme["motion"]
    assert motion.frames(24).position.shape == (49, 3)
    assert motion.at(1.25).position.shape == (3,)
    assert motion.duration == 2
    assert_moves(motion, readme["path"])
    assert 0.8 < np.linspace(0, 2, 500)[np.argmax(motion.speed(np.linspace(0, 2, 500)))] < 1.2
    assert_array_equal(readme["calm"].speed([0, 2]), [0, 0])
    assert readme["calm"].duration == 2


def test_orientations_are_interpolated(readme):
    flight = readme["flight"]
    assert flight.orientation_at(1.5).shape == (4,)
    assert np.linalg.norm(flight.orientation_at(1.5)) == pytest.approx(1)
    assert_allclose(flight.orientation_at(0.0), (1, 0, 0, 0), atol=1e-12)
    assert Orientation.of(flight.orientation_at(2.0)).angle_to(Orientation.turned(90, "y")) < 1e-6
    assert 1 < Orientation.of(flight.orientation_at(1.0)).angle_to(Orientation.identity) < 89  # it turns on through
    assert_allclose(flight.angular_velocity(2.0), np.zeros(3), atol=1e-12)  # a tension of its own


def test_inbetween_counts_keep_the_speed_and_nudge_shifts_by_two_frames(readme):
    by_counts, later = readme["by_counts"], readme["later"]
    assert_allclose(by_counts.key_times * 24, [0, 11, 17, 25])
    before, after = by_counts.speed_jump(1)
    assert before == pytest.approx(after)
    assert_allclose(later.key_times - by_counts.key_times, [0, 0, 2 / 24, 0], atol=1e-12)


def test_captured_key_is_at_its_time(readme):
    beat = readme["on_the_beat"]
    assert_allclose(beat.at(0.75).position, (3, 0, 0), atol=1e-12)
    before, after = beat.speed_jump("bounce")
    assert before > after > 0
    assert beat.time_bar(24).shape == (49,)
    assert beat.time_bar(24)[-1] == pytest.approx(readme["path"].length)


def test_hand_arrives_with_a_swinging_bucket(readme):
    carried = readme["carried"]
    hand, bucket = carried["arm/hand"].position, carried["bucket"].position
    assert_allclose(hand[-1], (0.3, 1.6, 0), atol=0.02)
    assert np.linalg.norm(hand - bucket, axis=1).max() < 0.32
    assert np.ptp(bucket[:, 0] - hand[:, 0]) > 0.03
    assert_array_equal(carried["arm"].position[-1], (0, 2, 0))


def test_hand_meets_the_glass_and_stays(readme):
    stage = readme["rendezvous"]
    met = stage.at(1.5)
    assert_allclose(met["hand"].position, np.add(met["glass"].position, (0, 0.05, 0)), atol=1e-9)
    assert_array_equal(stage.at(2.0)["hand"].position, met["hand"].position)
    assert np.linalg.norm(stage.at(2.0)["glass"].position - met["glass"].position) > 0.1
    assert_allclose(met["ring"].position, np.add(met["hand"].position, (0, 0.2, 0)))


def test_kite_keeps_one_metre_to_the_leaf(readme):
    flown, wind = readme["flown"], readme["wind"]
    leaf, kite = flown["leaf"].position, flown["kite"].position
    assert np.linalg.norm(leaf[-1] - (4, 3, 0)) > 0.5  # it would be there if there were no wind
    assert_allclose(np.linalg.norm(kite - leaf, axis=1)[48:], 1.0, atol=0.1)
    assert not flown.events  # with this friction the kite's gain settles
    assert_allclose(wind.at((1, 0, 0)), (0.4, 0, -2))


def test_both_reach_arch_and_home_simultaneously(readme):
    arrival_times = {}
    for event in readme["met"].events:
        if event.state == "reached":
            arrival_times.setdefault(event.meeting, []).append(event.time)
    assert set(arrival_times) == {"arch", "home"}
    assert all(len(times) == 2 and max(times) - min(times) < 0.01 for times in arrival_times.values())


def test_saved_objects_load_equal(readme):
    assert readme["load"]("out/glass.json") == readme["rendezvous"]
    assert_array_equal(readme["load"]("out/ring.csv")["ring"].position, readme["take"]["ring"].position)


def commands():
    """What the README types after `keypose`, each as its words."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line.split("#")[0].split() for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words[0] == "keypose"]


def test_readme_commands_work(readme, tmp_path, monkeypatch):
    assert {words[0] for words in commands()} == {"check", "shoot", "plot", "schema", "gallery", "warm"}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    readme["save"](readme["rendezvous"], "out/glass.json")
    readme["save"](readme["windy"], "out/windy.json")
    for words in commands():
        arguments = [*words, "--help"] if words[0] in ("gallery", "warm") else words  # these have tests of their own
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
    files = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert files == ["glass.csv", "glass.json", "glass.svg", "path.png", "schema.json", "wind.png", "windy.json"]


def test_files_named_in_the_readme_exist():
    root, text = README.parent, README.read_text(encoding="utf-8")
    for file in re.findall(r"`((?:src|examples|tests)/[\w/.]+)`", text):
        assert (root / file).exists(), file


def test_design_example_works():
    path = MotionPath([
        Key((0, 0, 0)),
        Key((2, 1, 0), tension=-0.3, bias=1),          # overshoot
        Key((3, 0, 0), continuity=-1, name="bounce"),  # a corner at full speed
        Key((5, 2, 0)),
    ])  # fmt: skip
    down = path.along(2.0)  # two metres down the path  # fmt: skip
    softer = path.with_key("bounce", tension=0.4)

    motion = Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=2.0)
    position = motion.at(1.25).position
    retimed = motion.retimed(SpeedProfile.slow_in_slow_out())

    reach = MotionPath([Key((0, 1.2, 0)), Key((0, 0.05, 0), relative_to="glass", name="grasp")])
    stage = Stage([
        Actor("glass", motion),
        Actor("hand", Motion(reach, duration=3.0)),
        Actor("ring", Motion(path, duration=3.0), parent="hand"),
    ])  # fmt: skip
    hand, ring = stage["hand"].motion, stage["ring"].motion

    assert down.shape == position.shape == (3,)
    assert path.distance(path.parameter(2.0)) == pytest.approx(2.0)
    assert softer.at(2.0).tolist() == [3, 0, 0]
    assert_moves(motion, path)
    assert_moves(retimed, path)
    assert_moves(ring, path)
    assert reach.keys[1].relative_to == "glass"
    assert hand.duration == ring.duration == 3
    poses = stage.at(3.0)
    assert_allclose(poses["glass"].position, (5, 2, 0), atol=1e-12)
    assert_allclose(poses["hand"].position, (5, 2.05, 0), atol=1e-12)
    assert_allclose(poses["ring"].position, (10, 4.05, 0), atol=1e-12)
    (event,) = shoot(stage, seconds=3).events
    assert (event.time, event.actor) == (2.0, "hand")  # the glass stands still before the hand is there


def test_design_example_of_fields_works():
    wind = fields.Uniform((0.4, 0, 0)) + fields.Vortex(2.0)
    stage = Stage([
        Actor("leaf", DynamicSpline((0, 3, 0), (1, 0, 0), friction=0.02, senses={wind: 0.5})),
        Actor("kite", DynamicSpline((-1, 3, 0), senses={fields.KeepDistance("leaf", 1.0): 0.8})),
    ])  # fmt: skip
    take = shoot(stage, seconds=8, fps=24)
    leaf, kite = take["leaf"].position, take["kite"].position
    assert leaf.shape == kite.shape == (193, 3)
    first = leaf[1] - leaf[0] - (1 / 24, 0, 0)  # at (0, 3, 0) it is in the whirl's eye, so there is only the breeze
    assert_allclose(first, 0.98 * np.array([0.5 * 0.4, 0, 0]) / 24**2 / 2 - (0.02 / 24 / 2, 0, 0), atol=1e-12)
    assert np.linalg.norm(kite - leaf, axis=1)[0] == 1
    (event,) = take.events  # without friction so strong a pull does not settle, and that is told
    assert (event.actor, event.kind) == ("kite", "warning")
    assert "0.66" in event.text


def test_other_design_features_work():
    path = MotionPath([Key((0, 0)), Key((1, 1), name="bounce"), Key((3, 0))])
    motion = Motion(path, SpeedProfile.through({0: 1, 0.5: 4, 1: 1}), duration=2.0, capture={"bounce": 0.75})
    assert_allclose(motion.at(0.75).position, (1, 1), atol=1e-12)
    counted = Motion(path, KeyTimes.inbetweens([10, 5], 24))
    assert counted.duration == pytest.approx(17 / 24)
    with pytest.raises(KeyposeError, match="duration"):
        Motion(path, KeyTimes([0, 1, 2]), duration=9)
    for outside in ("hold", "cycle", "mirror"):
        assert np.isfinite(Motion(path, duration=1.0, outside=outside).at([-3.3, 7.7]).position).all()
