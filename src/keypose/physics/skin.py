"""What is to be seen of a soft body? Its surface, a drawing that is known on the stage as `ball/skin`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.physics.body import Body
from keypose.physics.movers import SKIN, Bodily
from keypose.physics.softness import lattice_of

UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True)
class Skin(Bodily):
    """The surface of what moves a soft body, as a member of its company."""

    of: Any
    body: Body

    def around(self, pose: Pose) -> Pose:
        """Where it is while its body is in its own shape, at a pose."""
        lattice = lattice_of(self.body.shape)
        away = quaternion.rotate(pose.orientation, lattice.points[lattice.skin])
        return Pose.of(pose.position + away, UNTURNED)


def not_a_skin(name: str, skins: Collection[str], said: str) -> None:
    """Refuse the name of a surface where a place and a turn are needed: `said` is who speaks of it, and how."""
    if name in skins:
        whose = name.removesuffix(f"/{SKIN}")
        raise KeyposeError(f"{said} {name!r}, which is the surface of a soft body. Name the body itself, {whose!r}.")


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
