"""What does MuJoCo make of all solids? A model; or it refuses, and then it is said which of them is wrong."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.physics.body import Body
from keypose.physics.meshes import check_meshes
from keypose.physics.moulding import form, mould
from keypose.physics.shapes import Mesh
from keypose.physics.solids import Solid, Tie


def compiled(empty: Callable[[], Any], solids: Sequence[Solid], gravity: Sequence[float], ties: Sequence[Tie]) -> Any:
    """The model of these, with what holds them together; `empty` is MuJoCo's specification of nothing yet."""
    spec = empty()
    mould(spec, solids, gravity, ties)
    try:
        with warnings.catch_warnings(action="ignore"):  # what is wrong is told by who it is, when it is lost
            return spec.compile()
    except ValueError as error:
        check_meshes(solids, lambda solid, mesh: _sides(empty(), solid, mesh))
        raise KeyposeError(f"The bodies of a stage cannot be simulated: {_in_a_line(error)}") from None


def _sides(spec: Any, solid: Solid, mesh: Mesh) -> Floats | str:
    """How large the box around a solid is if it is such a mesh [m]; or why there is none."""
    form(spec, spec.worldbody.add_geom(), replace(solid, body=Body(mesh)), 0, is_placed=False)
    try:
        return 2 * np.asarray(spec.compile().geom_aabb[0, 3:])
    except ValueError as error:
        return _in_a_line(error).removeprefix("mesh '0' has ").split(". ")[0]


def _in_a_line(error: ValueError) -> str:
    return str(error).removeprefix("Error: ").splitlines()[0].rstrip(".")
