"""What is to be seen of a soft body? Its surface, a drawing that is known on the stage as
`ball/skin`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.maths import Floats
from keypose.motion import Pose
from keypose.physics.values.movers import IDENTITY, SURFACE_NAME, SoftSurface
from keypose.physics.values.soft_lattice import build_lattice


class SoftSurfaces:
    """The surfaces of all soft bodies of a company, one after the other in one array (points, 3)."""

    def __init__(self, movers: Mapping[str, Any]) -> None:
        self.surfaces: dict[str, SoftSurface] = {
            name: surface for name, surface in movers.items() if isinstance(surface, SoftSurface)
        }
        self.body_names = [name.removesuffix(f"/{SURFACE_NAME}") for name in self.surfaces]
        """Whose they are."""
        offsets = np.cumsum(
            [0, *(len(build_lattice(surface.body.shape).surface_indices) for surface in self.surfaces.values())]
        ).tolist()
        self.slices = {name: slice(*offsets[number : number + 2]) for number, name in enumerate(self.surfaces)}

    def pose(self, name: str, soft_points: Floats) -> Pose:
        """One of them."""
        return Pose.of(soft_points[self.slices[name]], IDENTITY)

    def stack_frames(self, frames: Sequence[Floats]) -> dict[str, Pose]:
        """All of them in some frames."""
        if not self.surfaces:
            return {}
        points, orientations = np.stack(frames), np.tile(IDENTITY, (len(frames), 1))
        return {name: Pose(points[:, point_slice], orientations) for name, point_slice in self.slices.items()}
