"""Old files are read for ever: a sample of each version, and steps from one version to the next."""

from pathlib import Path

import numpy as np
import pytest

from keypose.document.migration import MIGRATIONS, VERSION, migrate
from keypose.document.problems import INVALID, ReadContext
from keypose.document.scene import read
from tests.document.stage_samples import Hopper, everything, scene_bytes

SAMPLES = sorted((Path(__file__).parent / "samples").glob("v*.json"))


def test_every_version_has_a_sample_and_every_old_one_a_migration():
    assert [sample.stem for sample in SAMPLES] == [f"v{version}" for version in range(1, VERSION + 1)]
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def test_version_1_is_read_unchanged():
    stage = read((SAMPLES[0]).read_bytes())
    assert stage == everything()
    assert stage.gravity == (0, -9.81, 0)
    assert stage.style.tension == 0.25
    assert dict(stage.style.effects["snap"]) == {"tension": 0.4, "continuity": 0, "bias": -0.5}
    ball = stage["ball"].motion.path
    assert (ball.options.ends, ball.options.turning, ball.options.inertia) == ("still", "log", 0.5)
    assert [key.time for key in ball.keys] == [0, 0.5, 0.75, 1, 1.5, 4]
    assert ball.keys[1].orientation.tension == 0.1
    assert ball.keys[1].orientation.leave == "chord"
    assert ball.keys["end"].arrive == "chord"
    assert stage["line"].motion.outside == "mirror"
    assert stage["drawing"].motion.path.shape == (4, 3)
    assert stage["loop"].motion.path.options.closing == 0.5
    assert stage["named"].motion.capture == {"up": 0.7, 2: 2.5}
    assert stage["hand"].motion.path.keys[2].relative_to == "tray"
    assert stage["hand"].motion.path.keys[2].pin is False
    assert stage["tray"].facing.name == "second eye"
    assert stage["eye"].look.fov == 35.5
    assert stage["snapped"].motion.path.keys[1].bias == -0.5
    assert stage["taken"].motion.times[1] == 1 / 24
    assert stage["frog"].mover == Hopper("man", 0.25, rest=2.0, names={"a b": 1.0}, notes=("x", "ß"))


def test_newest_sample_is_written_unchanged():
    assert scene_bytes(read(SAMPLES[-1].read_bytes())) == SAMPLES[-1].read_bytes()


def test_migrations_run_in_order_from_the_file_version():
    def step(number):
        return lambda scene: {**scene, "steps": [*scene.get("steps", []), number]}

    steps = {number: step(number) for number in (1, 2, 3)}
    for version in (1, 2, 3, 4):
        migrated = migrate({"keypose": version, "actors": []}, ReadContext(), 4, steps)
        assert migrated == {"actors": [], **({"steps": list(range(version, 4))} if version < 4 else {})}


@pytest.mark.parametrize("version", [5, 10**400, 0, -1, 1.0, True, None, "4", [4]])
def test_invalid_or_future_version_is_refused(version):
    reading = ReadContext()
    assert migrate({"keypose": version}, reading, 4, {}) is INVALID
    assert reading.problems[0].path == "keypose"


def test_sample_keeps_numbers_exactly():
    again = read(SAMPLES[0].read_bytes())["drawing"].motion.path.keys.column("position")
    assert np.array_equal(again, np.arange(36.0).reshape(3, 4, 3) ** 0.5)
