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

from keypose import (
    Actor,
    Body,
    CollisionEvent,
    Event,
    Free,
    Key,
    Motion,
    MotionPath,
    Plane,
    Script,
    Sphere,
    Stage,
    Still,
    load,
    save,
    shoot,
)
from keypose.cli.console import print_events
from keypose.plot.stage.track_builder import DEFAULT_DURATION
from keypose.stage.recorder import duration
from keypose.stage.recorder import shoot as shooting
from tests.cli.command_line import (
    KEYPOSE,
    ROOT,
    SLEEPER_COMMAND,
    STAGE,
    process_environment,
    refusal_text,
    run_command,
    run_interrupted,
    run_on_terminal,
    run_process,
    save_scene,
    save_sleeper_scene,
)
from tests.files.child_process import drop_privileges, run_in_child_or_skip
from tests.script.straight_paths import follower
from tests.stage.test_take_duration import delayed_pair

EXAMPLES = ROOT / "examples"


def files(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("name", ["take.csv", "take.npz", "TAKE.CSV"])
def test_saved_take_equals_the_python_take(name, tmp_path):
    result = run_command("shoot", save_scene(tmp_path), "-o", tmp_path / name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{tmp_path / name}: 49 frames of hand, ring, 24 frames per second.\n"
    take, expected = load(tmp_path / name), shoot(STAGE, 2.0)
    assert np.array_equal(take["ring"].position, expected["ring"].position)
    assert files(tmp_path) == sorted([name, "walk.json"])


def test_scene_from_standard_input_is_shot(tmp_path):
    content = save_scene(tmp_path).read_bytes()
    result = run_command("shoot", "-", "-o", tmp_path / "a.npz", input=content)
    assert (result.exit_code, result.stderr) == (0, "")
    assert load(tmp_path / "a.npz") == shoot(STAGE)


def test_of_a_hundred_actors_six_are_named(tmp_path):
    file = save_scene(tmp_path, Stage([Actor(f"bird{i}", STAGE["hand"].motion) for i in range(100)]))
    assert run_command("shoot", file, "-o", tmp_path / "a.npz").stdout == (
        f"{tmp_path / 'a.npz'}: 49 frames of bird0, bird1, bird2, bird3, bird4, bird5 … and 94 more, "
        "24 frames per second.\n"
    )


def test_hits_are_counted_unless_all_events_are_asked_for(capsys):
    hits = [
        CollisionEvent(number / 10, "ball", f"Hits 'floor' with {number} m/s.", "note", other="floor", speed=number)
        for number in (1, 3, 2)
    ]
    notes = [Event(number, "ball", f"Note {number}.") for number in range(25)]
    print_events([*hits, *notes])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 s, ball: Note 0."
    assert lines[20:] == [
        "… and 5 more events. --events prints all.",
        "3 hits, the hardest at 0.3 s, ball: Hits 'floor' with 3 m/s. --events prints all.",
    ]
    print_events(hits[:1])
    assert capsys.readouterr().err == "0.1 s, ball: Hits 'floor' with 1 m/s.\n"
    print_events([*hits, *notes], show_all=True)
    assert len(capsys.readouterr().err.splitlines()) == 28


def test_all_events_are_printed_on_demand(tmp_path):
    ball = Body(Sphere(0.2), bounce=0.9)
    stage = Stage(
        [Actor("ball", Free(ball, (0, 1, 0))), Actor("floor", Still(Body(Plane((0, 1, 0), 0), bounce=0.9)))],
        gravity=(0, -9.81, 0),
    )
    words = ["shoot", save_scene(tmp_path, stage), "-o", tmp_path / "a.npz", "--seconds", "2"]
    counted, printed = run_command(*words), run_command(*words, "--events")
    hits = load(tmp_path / "a.npz").collisions
    assert len(hits) > 1
    assert counted.stderr.startswith(f"{len(hits)} hits, the hardest at ")
    assert len(printed.stderr.splitlines()) == len(hits)


def test_seconds_and_frame_rate_can_be_given(tmp_path):
    run_command("shoot", save_scene(tmp_path), "-o", tmp_path / "a.npz", "--seconds", "0.5", "--fps", "30")
    assert (len(load(tmp_path / "a.npz").times), load(tmp_path / "a.npz").fps) == (16, 30)


def test_take_without_seconds_includes_the_last_key(tmp_path):
    stage = Stage([Actor("a", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.01))])
    run_command("shoot", save_scene(tmp_path, stage), "-o", tmp_path / "a.npz")
    take = load(tmp_path / "a.npz")
    assert (len(take.times), take["a"].position[-1].tolist()) == (26, [1, 0, 0])


def test_json_output_is_machine_readable(tmp_path):
    reach = MotionPath([Key((0, 1, 0)), Key((0, 0, 0), relative_to="hand")])
    stage = Stage([STAGE["hand"], Actor("catcher", Motion(reach, duration=1.0))])
    result = run_command("shoot", save_scene(tmp_path, stage), "-o", tmp_path / "a.csv", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    events = report.pop("events")
    assert report == {
        "file": f"{tmp_path}/a.csv", "frames": 49, "fps": 24, "seconds": 2, "actors": ["hand", "catcher"],
    }  # fmt: skip
    assert all(set(event) == {"time", "actor", "kind", "text"} for event in events)


@pytest.mark.parametrize(
    ("words", "message"),
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
def test_invalid_numbers_are_refused_with_reason(words, message, tmp_path):
    assert message in refusal_text("shoot", save_scene(tmp_path), "-o", tmp_path / "a.csv", *words)
    assert files(tmp_path) == ["walk.json"]


def test_unwritable_output_is_refused_before_reading(tmp_path):
    missing = tmp_path / "missing.json"
    assert "A Take cannot be saved as .json" in refusal_text("shoot", missing, "-o", missing)
    assert "A Take cannot be saved as .json" in refusal_text(
        "shoot", save_scene(tmp_path), "-o", tmp_path / "walk.json"
    )
    assert "Did you mean '.csv'?" in refusal_text("shoot", missing, "-o", tmp_path / "a.cvs")
    assert "Create it first." in refusal_text("shoot", missing, "-o", tmp_path / "none" / "a.csv")
    (tmp_path / "a.csv").mkdir()
    assert "that is a folder" in refusal_text("shoot", missing, "-o", tmp_path / "a.csv")
    assert load(tmp_path / "walk.json") == STAGE


def test_unwritable_folder_is_reported(tmp_path):
    def attempt():
        drop_privileges()
        return refusal_text("shoot", folder / "missing.json", "-o", folder / "a.csv")

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    try:
        assert "was not saved: the permission is missing" in run_in_child_or_skip(attempt)
    finally:
        shutil.rmtree(folder)


def test_take_is_refused_as_scene(tmp_path):
    save(shoot(STAGE, 0.5), tmp_path / "a.csv")
    assert "is a take and holds no scene" in refusal_text("shoot", tmp_path / "a.csv", "-o", tmp_path / "b.csv")


def test_endless_scene_needs_a_duration(tmp_path):
    around = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0, outside="cycle")
    file = save_scene(tmp_path, Stage([Actor("a", around)]))
    assert "as --seconds 5" in refusal_text("shoot", file, "-o", tmp_path / "a.csv")
    assert run_command("shoot", file, "-o", tmp_path / "a.csv", "--seconds", "5").exit_code == 0


def test_default_duration_is_in_the_help():
    assert "never end" in " ".join(run_command("shoot", "--help").stdout.replace("│", " ").split())
    assert f"by itself for {DEFAULT_DURATION:g} s" in " ".join(run_command("plot", "--help").stdout.split())


def test_movers_are_shot_tick_by_tick(tmp_path):
    words = ["shoot", save_sleeper_scene(tmp_path, 0), "-o", tmp_path / "a.npz", "--seconds", "1", "--tick", "0.25"]
    process = run_process(*words, command=SLEEPER_COMMAND)
    assert (process.returncode, process.stderr) == (0, "")
    assert np.allclose(load(tmp_path / "a.npz")["bear"].position[:, 0], np.arange(25) / 24)


@pytest.mark.parametrize("name", ["a.csv", "a.npz"])
def test_terminal_shows_writing_progress(name, tmp_path):
    words = ["shoot", save_scene(tmp_path), "-o", tmp_path / name, "--fps", "30000"]
    code, _, shown = run_on_terminal(*words)
    assert code == 0, shown
    assert re.search(r"reading", shown)
    assert re.search(r"writing[^\n]*100%", shown)


@pytest.mark.parametrize("by", ["file", "module"])
def test_scene_with_custom_movers_is_shot_with_imported_python(by, tmp_path):
    shutil.copy(EXAMPLES / "03_damped_follower.py", tmp_path / "dogs.py")
    python = tmp_path / "dogs.py" if by == "file" else "dogs"
    words = ["shoot", EXAMPLES / "03_damped_follower.json", "-o", tmp_path / "a.npz", "--import", python]
    process = run_process(
        *words,
        env=process_environment(PYTHONPATH=os.pathsep.join([process_environment()["PYTHONPATH"], str(tmp_path)])),
    )
    assert (process.returncode, process.stderr) == (0, "")
    expected = shoot(runpy.run_path(str(EXAMPLES / "03_damped_follower.py"))["stage"], 4.0)
    assert np.array_equal(load(tmp_path / "a.npz")["dog"].position, expected["dog"].position)


def test_only_a_terminal_shows_the_progress_bar_with_remaining_time(tmp_path):
    words = ["shoot", save_sleeper_scene(tmp_path, 0.02), "-o", tmp_path / "a.csv", "--seconds", "2"]
    code, stdout, shown = run_on_terminal(*words, command=SLEEPER_COMMAND)
    assert code == 0, shown
    assert "shooting" in shown
    assert re.search(r"[1-9]\d?%", shown)
    assert re.search(r"\d:\d\d:\d\d", shown)
    assert "\x1b" not in stdout
    process = run_process(*words, command=SLEEPER_COMMAND)
    assert (process.returncode, process.stderr, process.stdout) == (0, "", stdout)


@pytest.mark.parametrize("old", [b"old words", None], ids=["replaced", "new"])
def test_ctrl_c_during_the_shot_leaves_no_partial_file(old, tmp_path):
    output, started = tmp_path / "a.csv", tmp_path / "started"
    if old is not None:
        output.write_bytes(old)
    noting = f"open({str(started)!r}, 'w').close(); time.sleep(self.nap)"
    command = [*SLEEPER_COMMAND[:2], SLEEPER_COMMAND[2].replace("time.sleep(self.nap)", noting)]
    code, stdout, stderr = run_interrupted(
        "shoot",
        save_sleeper_scene(tmp_path, 0.1),
        "-o",
        output,
        "--seconds",
        "600",
        command=command,
        ready=started.exists,
    )
    assert (code, stdout, stderr) == (130, "", "keypose: Stopped. No file was left half-written.\n")
    assert files(tmp_path) == [*(["a.csv"] if old else []), "sleepy.json", "started"]
    assert old is None or output.read_bytes() == old


@pytest.mark.parametrize("presses", [1, 30])
def test_ctrl_c_during_writing_leaves_no_partial_file(presses, tmp_path):
    def ready():
        return any(file.stat().st_size for file in tmp_path.glob(".*.keypose-tmp"))

    words = ["shoot", save_scene(tmp_path), "-o", tmp_path / "a.csv", "--seconds", "20000"]
    code, stdout, stderr = run_interrupted(*words, command=KEYPOSE, ready=ready, presses=presses)
    assert (code, stdout, stderr) == (130, "", "keypose: Stopped. No file was left half-written.\n")
    assert files(tmp_path) == ["walk.json"]


def test_scene_is_shot_until_all_meetings_are_done(tmp_path):
    script = Script()
    script.meet({"a": "1", "b": "1"}, name="arch")
    stage = Stage([Actor("a", follower(2.0)), Actor("b", follower(6.0, 1))], script=script)
    result = run_command("shoot", save_scene(tmp_path, stage), "-o", tmp_path / "a.npz")
    assert result.exit_code == 0, result.stderr
    assert load(tmp_path / "a.npz").script.meetings["arch"].done is not None
    assert "not over" not in result.stderr


def test_blocked_participant_is_waited_for(tmp_path):
    file = save_scene(tmp_path, delayed_pair())
    result = run_command("shoot", file, "-o", tmp_path / "a.npz")
    assert result.exit_code == 0, result.stderr
    take = load(tmp_path / "a.npz")
    assert take.times[-1] > duration.expected_duration(delayed_pair())
    assert take == shoot(delayed_pair(), None)
    assert take.script.meetings["meeting"].done is not None
    assert run_command("plot", file, "--script", "-o", tmp_path / "a.svg").exit_code == 0
    assert "not done by the end" not in (tmp_path / "a.svg").read_text()


def test_unfinished_meetings_are_reported_with_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(duration, "MAX_DURATION", 1.0)
    monkeypatch.setattr(shooting, "MAX_DURATION", 1.0)
    script = Script()
    script.meet({"a": "1"}, name="arch")
    file = save_scene(tmp_path, Stage([Actor("a", follower(6.0))], script=script))
    result = run_command("shoot", file, "-o", tmp_path / "a.npz")
    assert "1 s, a: Meeting 'arch' is not over after 1 s, and no take is longer by itself. Say how" in result.stderr
    report = json.loads(run_command("shoot", file, "-o", tmp_path / "a.npz", "--json").stdout)
    assert "'arch' is not over" in report["events"][-1]["text"]
    assert "not over" not in run_command("shoot", file, "-o", tmp_path / "a.npz", "--seconds", "1").stderr
