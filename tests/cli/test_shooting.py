"""A scene becomes a take in a file: with a bar on a terminal, in silence elsewhere, and whole or not at all."""

import json
import os
import re
import runpy
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Script, Stage, load, save, shoot
from keypose.plot.stage.track_builder import DEFAULT_DURATION
from keypose.stage.recorder import duration
from keypose.stage.recorder import shoot as shooting
from tests.cli.typed import (
    KEYPOSE,
    ROOT,
    STAGE,
    WITH_SLEEPER,
    environment,
    interrupted,
    on_a_terminal,
    process,
    refused,
    scene,
    sleepy,
    typed,
)
from tests.files.apart import as_nobody, somewhere
from tests.script.walks import follower
from tests.stage.test_ending import held_up

EXAMPLES = ROOT / "examples"


def files(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("name", ["take.csv", "take.npz", "TAKE.CSV"])
def test_the_take_is_what_python_shoots(name, tmp_path):
    result = typed("shoot", scene(tmp_path), "-o", tmp_path / name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{tmp_path / name}: 49 frames of hand, ring, 24 frames per second.\n"
    taken, expected = load(tmp_path / name), shoot(STAGE, 2.0)
    assert np.array_equal(taken["ring"].position, expected["ring"].position)
    assert files(tmp_path) == sorted([name, "walk.json"])


def test_seconds_and_frame_rate_can_be_said(tmp_path):
    typed("shoot", scene(tmp_path), "-o", tmp_path / "a.npz", "--seconds", "0.5", "--fps", "30")
    assert (len(load(tmp_path / "a.npz")), load(tmp_path / "a.npz").fps) == (16, 30)


def test_programs_read_json(tmp_path):
    reach = MotionPath([Key((0, 1, 0)), Key((0, 0, 0), relative_to="hand")])
    stage = Stage([STAGE["hand"], Actor("catcher", Motion(reach, duration=1.0))])
    result = typed("shoot", scene(tmp_path, stage), "-o", tmp_path / "a.csv", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    events = answer.pop("events")
    assert answer == {
        "file": f"{tmp_path}/a.csv", "frames": 49, "fps": 24, "seconds": 2, "actors": ["hand", "catcher"],
    }  # fmt: skip
    assert all(set(event) == {"time", "actor", "kind", "text"} for event in events)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seconds", "nan"], "nan"),
        (["--seconds", "inf"], "inf"),
        (["--seconds=-1"], "-1"),
        (["--seconds", "1e300"], "1e+300"),
        (["--fps", "0"], "Frames per second"),
        (["--fps=-24"], "Frames per second"),
        (["--fps", "nan"], "Frames per second"),
        (["--tick", "0"], "tick"),
        (["--tick=-1"], "tick"),
        (["--tick", "nan"], "tick"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(words, said, tmp_path):
    assert said in refused("shoot", scene(tmp_path), "-o", tmp_path / "a.csv", *words)
    assert files(tmp_path) == ["walk.json"]


def test_what_cannot_be_written_is_refused_before_anything_is_read(tmp_path):
    missing = tmp_path / "missing.json"
    assert "A Take cannot be saved as .json" in refused("shoot", missing, "-o", missing)
    assert "A Take cannot be saved as .json" in refused("shoot", scene(tmp_path), "-o", tmp_path / "walk.json")
    assert "Did you mean '.csv'?" in refused("shoot", missing, "-o", tmp_path / "a.cvs")
    assert "Create it first." in refused("shoot", missing, "-o", tmp_path / "none" / "a.csv")
    (tmp_path / "a.csv").mkdir()
    assert "that is a folder" in refused("shoot", missing, "-o", tmp_path / "a.csv")
    assert load(tmp_path / "walk.json") == STAGE


def test_a_folder_that_may_not_be_written_in_is_told(tmp_path):
    def attempt():
        as_nobody()
        return refused("shoot", folder / "missing.json", "-o", folder / "a.csv")

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    try:
        assert "was not saved: the permission is missing" in somewhere(attempt)
    finally:
        shutil.rmtree(folder)


def test_a_take_is_no_scene(tmp_path):
    save(shoot(STAGE, 0.5), tmp_path / "a.csv")
    assert "holds no scene" in refused("shoot", tmp_path / "a.csv", "-o", tmp_path / "b.csv")


def test_what_ends_never_needs_a_length(tmp_path):
    around = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0, outside="cycle")
    file = scene(tmp_path, Stage([Actor("a", around)]))
    assert "as --seconds 5" in refused("shoot", file, "-o", tmp_path / "a.csv")
    assert typed("shoot", file, "-o", tmp_path / "a.csv", "--seconds", "5").exit_code == 0


def test_how_long_is_shot_where_nothing_ends_is_told_in_the_help():
    assert "never end" in " ".join(typed("shoot", "--help").stdout.replace("│", " ").split())
    assert f"by itself for {DEFAULT_DURATION:g} s" in " ".join(typed("plot", "--help").stdout.split())


def test_movers_are_shot_tick_by_tick(tmp_path):
    words = ["shoot", sleepy(tmp_path, 0), "-o", tmp_path / "a.npz", "--seconds", "1", "--tick", "0.25"]
    made = process(*words, command=WITH_SLEEPER)
    assert (made.returncode, made.stderr) == (0, "")
    assert np.allclose(load(tmp_path / "a.npz")["bear"].position[:, 0], np.arange(25) / 24)


@pytest.mark.parametrize("name", ["a.csv", "a.npz"])
def test_a_terminal_sees_how_much_is_written(name, tmp_path):
    words = ["shoot", scene(tmp_path), "-o", tmp_path / name, "--fps", "30000"]
    code, _, shown = on_a_terminal(*words)
    assert code == 0, shown
    assert re.search(r"reading", shown)
    assert re.search(r"writing[^\n]*100%", shown)


@pytest.mark.parametrize("by", ["file", "module"])
def test_a_scene_with_movers_of_ones_own_is_shot_with_their_python(by, tmp_path):
    shutil.copy(EXAMPLES / "03_damped_follower.py", tmp_path / "dogs.py")
    python = tmp_path / "dogs.py" if by == "file" else "dogs"
    words = ["shoot", EXAMPLES / "03_damped_follower.json", "-o", tmp_path / "a.npz", "--import", python]
    made = process(*words, env=environment(PYTHONPATH=os.pathsep.join([environment()["PYTHONPATH"], str(tmp_path)])))
    assert (made.returncode, made.stderr) == (0, "")
    expected = shoot(runpy.run_path(str(EXAMPLES / "03_damped_follower.py"))["stage"], 4.0)
    assert np.array_equal(load(tmp_path / "a.npz")["dog"].position, expected["dog"].position)


def test_a_terminal_sees_a_bar_with_the_time_left_and_no_other_does(tmp_path):
    words = ["shoot", sleepy(tmp_path, 0.02), "-o", tmp_path / "a.csv", "--seconds", "2"]
    code, answer, shown = on_a_terminal(*words, command=WITH_SLEEPER)
    assert code == 0, shown
    assert "shooting" in shown
    assert re.search(r"[1-9]\d?%", shown)
    assert re.search(r"\d:\d\d:\d\d", shown)
    assert "\x1b" not in answer
    made = process(*words, command=WITH_SLEEPER)
    assert (made.returncode, made.stderr, made.stdout) == (0, "", answer)


@pytest.mark.parametrize("old", [b"old words", None], ids=["replaced", "new"])
def test_ctrl_c_in_the_middle_leaves_nothing_half_written(old, tmp_path):
    output, started = tmp_path / "a.csv", tmp_path / "started"
    if old is not None:
        output.write_bytes(old)
    noting = f"open({str(started)!r}, 'w').close(); time.sleep(self.nap)"
    command = [*WITH_SLEEPER[:2], WITH_SLEEPER[2].replace("time.sleep(self.nap)", noting)]
    code, answer, beside = interrupted(
        "shoot", sleepy(tmp_path, 0.1), "-o", output, "--seconds", "600", command=command, begun=started.exists
    )
    assert (code, answer, beside) == (130, "", "keypose: Stopped. No file was left half-written.\n")
    assert files(tmp_path) == [*(["a.csv"] if old else []), "sleepy.json", "started"]
    assert old is None or output.read_bytes() == old


@pytest.mark.parametrize("presses", [1, 30])
def test_ctrl_c_while_the_take_is_written_leaves_nothing_half_written(presses, tmp_path):
    def begun():
        return any(file.stat().st_size for file in tmp_path.glob(".*.keypose-tmp"))

    words = ["shoot", scene(tmp_path), "-o", tmp_path / "a.csv", "--seconds", "20000"]
    code, answer, beside = interrupted(*words, command=KEYPOSE, begun=begun, presses=presses)
    assert (code, answer, beside) == (130, "", "keypose: Stopped. No file was left half-written.\n")
    assert files(tmp_path) == ["walk.json"]


def test_a_scene_is_shot_until_all_have_met(tmp_path):
    script = Script()
    script.meet({"a": "1", "b": "1"}, name="arch")
    stage = Stage([Actor("a", follower(2.0)), Actor("b", follower(6.0, 1))], script=script)
    made = typed("shoot", scene(tmp_path, stage), "-o", tmp_path / "a.npz")
    assert made.exit_code == 0, made.stderr
    assert load(tmp_path / "a.npz").script.meetings["arch"].done is not None
    assert "not over" not in made.stderr


def test_who_is_held_up_is_waited_for(tmp_path):
    file = scene(tmp_path, held_up())
    made = typed("shoot", file, "-o", tmp_path / "a.npz")
    assert made.exit_code == 0, made.stderr
    take = load(tmp_path / "a.npz")
    assert take.times[-1] > duration.expected_duration(held_up())
    assert take == shoot(held_up(), None)
    assert take.script.meetings["meeting"].done is not None
    assert typed("plot", file, "--script", "-o", tmp_path / "a.svg").exit_code == 0
    assert "not done by the end" not in (tmp_path / "a.svg").read_text()


def test_meetings_that_are_still_to_come_are_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(duration, "MAX_DURATION", 1.0)
    monkeypatch.setattr(shooting, "MAX_DURATION", 1.0)
    script = Script()
    script.meet({"a": "1"}, name="arch")
    file = scene(tmp_path, Stage([Actor("a", follower(6.0))], script=script))
    made = typed("shoot", file, "-o", tmp_path / "a.npz")
    assert "1 s, a: Meeting 'arch' is not over after 1 s, and no take is longer by itself. Say how" in made.stderr
    answer = json.loads(typed("shoot", file, "-o", tmp_path / "a.npz", "--json").stdout)
    assert "'arch' is not over" in answer["events"][-1]["text"]
    assert "not over" not in typed("shoot", file, "-o", tmp_path / "a.npz", "--seconds", "1").stderr
