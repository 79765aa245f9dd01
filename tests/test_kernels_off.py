"""With `KEYPOSE_KERNELS=off` actors, fields, followers and scripts run on references that agree with the kernels."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Stage, load, shoot
from keypose.maths import kernel_switch

EXAMPLES = Path(__file__).parents[1] / "examples"
SCENES = [
    *(file for number in (1, 2, 5, 6, 7, 8, 9, 10, 11, 12) for file in EXAMPLES.glob(f"{number:02}_*.json")),
    *sorted(EXAMPLES.glob("papers/pf89_*.py")),
]
BODY_SCENES = [file for number in range(13, 21) for file in EXAMPLES.glob(f"{number}_*.json")]

SHOOT_WITHOUT_KERNELS = """
import sys
import numpy as np
from pathlib import Path
from tests.test_kernels_off import shoot_scene
folder, *scenes = map(Path, sys.argv[1:])
for scene in scenes:
    np.savez(folder / scene.stem, **shoot_scene(scene))
    loaded = [name for name in sys.modules if name == "numba" or name.startswith("keypose.")]
    print([name for name in loaded if name == "numba" or "kernel" in vars(sys.modules[name])])
"""


def read_scene(file: Path) -> Stage:
    stage = load(file) if file.suffix == ".json" else runpy.run_path(str(file))["STAGE"]
    assert isinstance(stage, Stage)
    return stage


def shoot_scene(file: Path) -> dict[str, np.ndarray]:
    """The positions, and behind them the orientations, of all actors over half a second."""
    take = shoot(read_scene(file), 0.5)
    return {
        name: np.concatenate([take[name].position.reshape(len(take.times), -1), take[name].orientation], axis=1)
        for name in take.names
    }


def shoot_without_kernels(folder: Path, scenes: list[Path]) -> Path:
    """The scenes as a process with `KEYPOSE_KERNELS=off` shoots them; it prints the kernel modules loaded so far."""
    process = subprocess.run(
        [sys.executable, "-c", SHOOT_WITHOUT_KERNELS, folder, *scenes],
        capture_output=True,
        text=True,
        cwd=EXAMPLES.parent,
        env={**os.environ, "KEYPOSE_KERNELS": "off"},
    )
    assert process.returncode == 0, process.stderr
    folder.joinpath("modules").write_text(process.stdout)
    return folder


@pytest.fixture(scope="module")
def folder_without_kernels(tmp_path_factory):
    return shoot_without_kernels(tmp_path_factory.mktemp("references"), SCENES)


@pytest.fixture(scope="module")
def bodies_without_kernels(tmp_path_factory):
    return shoot_without_kernels(tmp_path_factory.mktemp("bodies"), BODY_SCENES)


def check_poses(scene: Path, folder: Path) -> None:
    """Assert that a scene is shot here as in the other process."""
    reference = np.load(folder / f"{scene.stem}.npz")
    poses = shoot_scene(scene)
    assert list(poses) == list(reference)
    for name, values in poses.items():
        assert_allclose(values, reference[name], rtol=0, atol=1e-9)


@pytest.mark.parametrize("scene", SCENES, ids=lambda file: file.stem)
def test_keyed_and_field_scenes_agree_with_and_without_kernels(scene, folder_without_kernels, monkeypatch):
    monkeypatch.setattr(kernel_switch, "loaded", True)  # small scenes too
    check_poses(scene, folder_without_kernels)


@pytest.mark.parametrize("scene", BODY_SCENES, ids=lambda file: file.stem)
def test_followers_and_scripts_agree_with_and_without_kernels(scene, bodies_without_kernels):
    check_poses(scene, bodies_without_kernels)


def test_followers_load_none_of_their_kernels_when_kernels_are_off(bodies_without_kernels):
    loaded = bodies_without_kernels.joinpath("modules").read_text().splitlines()[3]  # the next one has a script
    assert "keypose.physics.engine.kernels" in loaded  # which has no references, and runs as Python
    for package in ("following", "relative", "engine.contact_model"):
        assert f"'keypose.physics.{package}." not in loaded


def test_scripts_load_none_of_their_kernels_when_kernels_are_off(bodies_without_kernels):
    assert "'keypose.script." not in bodies_without_kernels.joinpath("modules").read_text()


def test_keyed_and_field_scenes_load_no_kernel_when_kernels_are_off(folder_without_kernels):
    """A kernel that is loaded then would run as a Python loop instead of its reference."""
    assert folder_without_kernels.joinpath("modules").read_text().splitlines()[-1] == "['keypose.maths.kernel_switch']"
