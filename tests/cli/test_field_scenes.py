"""A scene with fields from the command line: checked, shot and plotted as any other, and its problems told."""

import json

import pytest

from keypose import load, save, shoot
from keypose.document.scene import scene_object
from tests.cli.command_line import run_command
from tests.document.field_samples import every_push


@pytest.fixture
def file(tmp_path):
    save(every_push(), tmp_path / "birds.json")
    return tmp_path / "birds.json"


def test_field_scene_is_checked(file):
    result = run_command("check", file)
    assert result.exit_code == 0, result.output


def test_invalid_formula_is_reported_with_field_and_column(file):
    scene = json.loads(file.read_text())
    scene["fields"]["typed"]["text"] = "(-y, x, 0) * ecp(r)"
    file.write_text(json.dumps(scene))
    result = run_command("check", file)
    assert result.exit_code != 0
    assert "fields.typed.text: Column 14 of the formula: " in result.output


def test_field_scene_is_shot_as_in_python(file, tmp_path):
    result = run_command("shoot", file, "--output", tmp_path / "take.npz", "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    take, stage = load(tmp_path / "take.npz"), every_push()
    assert load(file) == stage
    expected = shoot(stage, 0.5, fps=take.fps)
    for name in stage.names:
        assert take[name].position.tobytes() == expected[name].position.tobytes()


def test_field_scene_is_plotted(file, tmp_path):
    result = run_command("plot", file, "--output", tmp_path / "birds.svg")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "birds.svg").stat().st_size > 1000


def test_schema_contains_fields_and_dynamic_splines(file):
    schema = json.loads(run_command("schema").stdout)
    assert "fields" in schema["properties"]
    assert {"vortex", "formula", "dynamic_spline", "keeping_of_a_distance", "carrier_of_a_field"} <= schema[
        "$defs"
    ].keys()
    assert "fields" in scene_object(load(file))
