"""What is to be seen of a soft body? Its surface, a drawing that is known on the stage as `ball/skin`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.physics.values.movers import SKIN, UNTURNED, Skin
from keypose.physics.values.soft_lattice import lattice_of


class Skins:
    """The surfaces of all soft bodies of a company, one after the other in one array (points, 3)."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self.members: dict[str, Skin] = {name: one for name, one in members.items() if isinstance(one, Skin)}
        self.bodies = [name.removesuffix(f"/{SKIN}") for name in self.members]
        """Whose they are."""
        ends = np.cumsum([0, *(len(lattice_of(one.body.shape).skin) for one in self.members.values())]).tolist()
        self.parts = {name: slice(*ends[number : number + 2]) for number, name in enumerate(self.members)}

    def pose(self, name: str, skins: Floats) -> Pose:
        """One of them."""
        return Pose.of(skins[self.parts[name]], UNTURNED)

    def filmed(self, frames: Sequence[Floats]) -> dict[str, Pose]:
        """All of them in some frames."""
        if not self.members:
            return {}
        found, turns = np.stack(frames), np.tile(UNTURNED, (len(frames), 1))
        return {name: Pose(found[:, part], turns) for name, part in self.parts.items()}
