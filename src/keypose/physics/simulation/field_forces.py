"""What do fields do to bodies? Who senses them is pushed by mass · Σ affinity · field, worked out once for a tick."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Ints
from keypose.motion import Event, MovingBodies, Pose, Sensing, SensingBodies, StepContext, SystemContext
from keypose.physics.values.figure import AnyBodyMover
from keypose.physics.values.movers import TICK, Free, check_not_surface
from keypose.physics.values.soft_surface import SoftSurfaces

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


@dataclass(frozen=True, eq=False)
class FieldForces:
    """What those of some bodies feel who sense fields."""

    sensing: Sensing[Any]
    rows: Ints
    """Which of the moving bodies sense."""
    moving_count: int
    """How many bodies move that no motion moves; they are the first of all."""
    static_poses: Mapping[str, Pose]
    outside_names: tuple[str, ...]
    """Who is no body of this company, and whom fields speak of."""

    @classmethod
    def of(
        cls,
        movers: Mapping[str, AnyBodyMover],
        moving_names: Sequence[str],
        static_poses: Mapping[str, Pose],
        system_context: SystemContext,
    ) -> "FieldForces | None":
        """What these bodies feel, of whom these move; None if nobody senses anything."""
        senses = {name: found for name in moving_names if (found := getattr(movers[name], "senses", None))}
        if not senses:
            return None
        if system_context.sensing is None:
            raise KeyposeError(
                f"Actor {next(iter(senses))!r} senses fields, and there are none here. Put it on a stage."
            )
        rows = {name: row for row, name in enumerate(moving_names)}
        free_ticks = {name: TICK for name in senses if isinstance(movers[name], Free)}
        filtered_context = _exclude_surfaces(senses, SoftSurfaces(movers).slices, system_context)
        sensing = system_context.sensing(SensingBodies(senses, rows, movers, free_ticks), filtered_context)
        watched_names = dict.fromkeys(name for names in sensing.watches.values() for name in names)
        return cls(
            sensing, np.array([rows[name] for name in senses]), len(moving_names), static_poses, tuple(watched_names)
        )

    def begin(self, engine: "Engine", context: StepContext) -> Any:
        """What is remembered at first."""
        return self.sensing.begin(self._moving_bodies(engine), self._with_static_poses(context))

    def resume(self, engine: "Engine", context: StepContext, before: "FieldForces | None", state: Any) -> Any:
        """What is remembered where bodies felt other things before, or nothing at all."""
        if before is None:
            return self.begin(engine, context)
        return self.sensing.resume(self._moving_bodies(engine), self._with_static_poses(context), before.sensing, state)

    def step_contexts(self, context: StepContext, times: Floats) -> list[StepContext]:
        """What is seen at each of some ticks (n,), of which the first is that of the outlook."""
        if len(times) == 1:
            return [self._with_static_poses(context)]
        poses = {name: pose for name in self.outside_names if (pose := context.past_poses(name, times)) is not None}

        def context_at(number: int, time: float) -> StepContext:
            return self._with_static_poses(replace(context, time=time, pose=lambda name: poses[name][number]))

        return [context_at(number, time) for number, time in enumerate(times.tolist())]

    def forces(self, engine: "Engine", state: Any, context: StepContext, dt: float) -> tuple[Floats, Any]:
        """What pushes those who sense in a tick of `dt` seconds (n, 3) [N], and what is remembered after it."""
        accelerations, after = self.sensing.accelerations(state, self._moving_bodies(engine), context, dt)
        return engine.mass[self.rows, None] * accelerations[self.rows], after

    def add_forces(self, engine: "Engine", forces: Floats) -> None:
        """Push those who sense, beside what else pulls them."""
        engine.forces[self.rows, :3] += forces

    def clear_forces(self, engine: "Engine") -> None:
        """Forget what pushed those who sense: a force lasts until it is said anew."""
        engine.forces[self.rows, :3] = 0.0

    def events(self, state: Any) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self.sensing.events(state)

    def _moving_bodies(self, engine: "Engine") -> MovingBodies:
        poses, velocities = engine.poses[: self.moving_count], engine.velocities[: self.moving_count]
        return MovingBodies(poses[:, :3].copy(), poses[:, 3:].copy(), velocities[:, :3].copy())

    def _with_static_poses(self, context: StepContext) -> StepContext:
        return replace(
            context, pose=lambda name: self.static_poses[name] if name in self.static_poses else context.pose(name)
        )


def _exclude_surfaces(
    senses: Mapping[str, Mapping[Any, float]], surface_names: Collection[str], system_context: SystemContext
) -> SystemContext:
    """What is said beside surfaces of soft bodies: nobody senses those, and groups are of the bodies alone."""
    for actor, sensed in senses.items():
        for key in sensed:
            field = system_context.fields.get(key) if isinstance(key, str) else key
            for name in getattr(field, "names", ()):
                check_not_surface(name, surface_names, f"Actor {actor!r} senses a field of")
    return (
        replace(system_context, names=tuple(name for name in system_context.names if name not in surface_names))
        if surface_names
        else system_context
    )
