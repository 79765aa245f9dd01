"""What does each mover see? Those it watches, in the frame it stands in itself, each worked out once."""

import numpy as np

from keypose.motion.hierarchy import middle, seen_from
from keypose.motion.mover import Sight
from keypose.motion.pose import Pose
from keypose.stage.actor import Actor
from keypose.stage.evaluate.poses import Instants
from keypose.stage.stage import Stage

Frame = tuple[str, bool] | None  # a parent's name, and whether it is read late; None for the world


class Views:
    """What movers see at one instant."""

    def __init__(self, stage: Stage, instant: Instants, time: float) -> None:
        self._stage = stage
        self._instant = instant
        self._time = time
        self._seen: dict[tuple[Frame, str], Pose] = {}

    def of(self, actor: Actor) -> Sight:
        """What one mover sees."""
        frame, seen = self._frame(actor), self._seen

        def look(name: str) -> Pose:
            found = seen.get((frame, name))
            return self._looked(actor, frame, name) if found is None else found

        return Sight(self._time, self._stage.watches[actor.name], look)

    def prepare(self) -> None:
        """Work out together what those see who stand on others."""
        views: dict[tuple[Frame, str], tuple[Pose, Pose]] = {}
        for name in self._stage.alone:
            actor, watched = self._stage.by_name[name], self._stage.watches[name]
            if actor.parent is None or not watched:
                continue
            frame, under = self._frame(actor), self._instant.under(name)
            assert under is not None
            for other in watched:
                world = self._instant.pose(other)
                if (frame, other) not in views and world.position.ndim == 2:
                    views[frame, other] = under, world
        if len(views) < 2:
            return
        under = Pose(
            np.concatenate([middle(frame) for frame, _ in views.values()]),
            np.concatenate([frame.orientation for frame, _ in views.values()]),
        )
        world = Pose(
            np.concatenate([pose.position for _, pose in views.values()]),
            np.concatenate([pose.orientation for _, pose in views.values()]),
        )
        self._seen.update(zip(views, seen_from(under, world).read_only(), strict=True))

    def _frame(self, actor: Actor) -> Frame:
        return None if actor.parent is None else (actor.parent, (actor.name, False) in self._stage.late)

    def _looked(self, actor: Actor, frame: Frame, name: str) -> Pose:
        world, under = self._instant.pose(name), self._instant.under(actor.name)
        own = world if under is None else seen_from(under, world)
        self._seen[frame, name] = found = own[0].read_only()  # others see it too
        return found
