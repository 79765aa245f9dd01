"""With `KEYPOSE_KERNELS=off` keyed actors and fields run on the numpy references, and agree with the kernels."""

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


@pytest.fixture(scope="module")
def folder_without_kernels(tmp_path_factory):
    """The scenes as a process with `KEYPOSE_KERNELS=off` shoots them; it prints the modules of kernels it loads."""
    folder = tmp_path_factory.mktemp("references")
    process = subprocess.run(
        [sys.executable, "-c", SHOOT_WITHOUT_KERNELS, folder, *SCENES],
        capture_output=True,
        text=True,
        cwd=EXAMPLES.parent,
        env={**os.environ, "KEYPOSE_KERNELS": "off"},
    )
    assert process.returncode == 0, process.stderr
    folder.joinpath("modules").write_text(process.stdout)
    return folder


@pytest.mark.parametrize("scene", SCENES, ids=lambda file: file.stem)
def test_keyed_and_field_scenes_agree_with_and_without_kernels(scene, folder_without_kernels, monkeypatch):
    monkeypatch.setattr(kernel_switch, "loaded", True)  # small scenes too
    reference = np.load(folder_without_kernels / f"{scene.stem}.npz")
    poses = shoot_scene(scene)
    assert list(poses) == list(reference)
    for name, values in poses.items():
        assert_allclose(values, reference[name], rtol=0, atol=1e-9)


def test_keyed_and_field_scenes_load_no_kernel_when_kernels_are_off(folder_without_kernels):
    """A kernel that is loaded then would run as a Python loop instead of its reference."""
    assert folder_without_kernels.joinpath("modules").read_text().strip() == "['keypose.maths.kernel_switch']"
