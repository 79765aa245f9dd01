"""Where is everybody at these moments? Each actor's own pose first, then from the root up, then who looks at whom.

Asked for some, only those and what they stand on or look at are worked out; each is worked out once.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keypose.motion.facing import FaceForward, LookAt, towards
from keypose.motion.hierarchy import in_space, middle, stood_on
from keypose.motion.pose import Pose
from keypose.stage.order import Step, stands

if TYPE_CHECKING:
    from keypose.stage.stage import Stage

Floats = NDArray[np.float64]

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


class Instants:
    """The cast at times t (n,) [s]; `taken(name)` says the poses (n, …) of a mover in the frame it stands in."""

    def __init__(self, stage: "Stage", t: Floats, taken: Callable[[str], Pose]) -> None:
        self._stage = stage
        self._t = t
        self._taken = taken
        self._own: dict[str, Pose] = {}
        self._done: dict[Step, Pose] = {}

    def everybody(self) -> dict[str, Pose]:
        """All poses in the world, in the stage's order of actors."""
        for batch in self._stage.batches:
            facing = np.broadcast_to(IDENTITY, (len(self._t), 4))
            self._own.update(
                (name, Pose(place, facing)) for name, place in zip(batch.names, batch.at(self._t), strict=True)
            )
        self._work_out(self._stage.steps)
        actors = self._stage.by_name
        return {name: self._done[stands(actors, name)] for name in actors}

    def pose(self, name: str) -> Pose:
        """One actor's poses in the world."""
        step = stands(self._stage.by_name, name)
        if step not in self._done:
            self._work_out(self._stage.steps_to(name))
        return self._done[step]

    def _work_out(self, steps: Iterable[Step]) -> None:
        actors, done = self._stage.by_name, self._done
        for step in steps:
            if step in done:
                continue
            name, turned = step
            actor = actors[name]
            if turned:
                assert isinstance(actor.facing, LookAt)
                here = done[name, False]
                away = middle(done[actor.facing.name, False]) - middle(here)
                done[step] = Pose(here.position, towards(away, here.orientation))
            elif actor.parent is None:
                done[step] = self._own_pose(name)
            else:
                done[step] = stood_on(done[stands(actors, actor.parent)], self._own_pose(name))

    def _own_pose(self, name: str) -> Pose:
        """An actor's poses in the frame it stands in."""
        actor = self._stage.by_name[name]
        if actor.motion is None:
            return self._taken(name)
        pose = self._own[name] if name in self._own else in_space(actor.motion.at(self._t))
        if isinstance(actor.facing, FaceForward):
            return Pose(pose.position, actor.facing.along(actor.motion, self._t, pose.orientation))
        return pose
