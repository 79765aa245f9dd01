"""Every numbered example runs as it stands and ends in its own check."""

import runpy
import sys
from pathlib import Path

import pytest

from keypose import Run, load, shoot
from keypose.document.scene import read, write
from tests.scene_files import scenes_equal

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9][0-9]_*.py"))


def test_examples_are_numbered_without_gaps():
    assert [int(file.name[:2]) for file in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example_runs_and_prints_output(file, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(file)])
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example_stage_equals_its_scene_file(file):
    stage = runpy.run_path(str(file)).get("stage")
    scene = file.with_suffix(".json")
    assert scene.exists() == (stage is not None), "tools/write_scenes.py writes them"
    if stage is not None:
        assert scenes_equal(scene.read_bytes(), b"".join(write(stage))), "tools/write_scenes.py writes it anew"
        again = read(b"".join(write(stage)), scene.name)
        assert again == stage
        one, two = shoot(stage, 1), shoot(again, 1)
        for name in one.names:
            assert one.poses[name].position.tobytes() == two.poses[name].position.tobytes()
            assert one.poses[name].orientation.tobytes() == two.poses[name].orientation.tobytes()


@pytest.mark.parametrize("file", [file for file in EXAMPLES if file.stem >= "08"], ids=lambda file: file.stem)
def test_scene_replays_bitwise_identically_after_rewind(file):
    run = Run(load(file.with_suffix(".json")))
    states = [_pose_bytes(run)] + [_tick_bytes(run) for _ in range(30)]
    for ticks in (17, 0):
        run.rewind(ticks * run.time / run.ticks)
        assert run.ticks == ticks
        assert [_pose_bytes(run)] + [_tick_bytes(run) for _ in range(30 - ticks)] == states[ticks:]


def _tick_bytes(run):
    run.tick()
    return _pose_bytes(run)


def _pose_bytes(run):
    return {name: (pose.position.tobytes(), pose.orientation.tobytes()) for name, pose in run.poses.items()}
