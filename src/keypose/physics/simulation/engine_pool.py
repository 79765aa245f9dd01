"""What simulates all bodies of a company, and how is a state of it left, and taken up again?

The state is a value: what MuJoCo needs to go on with the same bits, what is remembered of each follower, and what was
told. An engine is kept for each thread, as it was left: one that is asked to go on from another state is put there.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Ints, Records, is_finite
from keypose.motion import Pose, StepContext, SynchronizerProtocol, SystemContext
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.following.follower_state import float_fields
from keypose.physics.relative.relative_path_cache import RelativePathCache
from keypose.physics.simulation.initial_poses import find_initial_poses
from keypose.physics.simulation.readout import BodyReadout
from keypose.physics.simulation.state import BodyState
from keypose.physics.values.body import RUNAWAY_LIMIT
from keypose.physics.values.connections import Reach

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


MUJOCO_MISSING = "Bodies need MuJoCo. Install it with: pip install 'keypose[physics]'."


class EnginePool(BodyReadout):
    """A company of bodies with what simulates it."""

    _system_context: SystemContext
    _kinematic_names: Sequence[str]
    _body_names: Sequence[str]
    _reaches: Mapping[str, Reach]
    _has_relative_keys: bool
    _moving_count: int
    _local: threading.local
    """Of each thread: its engine, what pulls in it, the paths as they are bent there, and the state it was left in."""

    def _thread_engine(self, context: StepContext) -> "Engine":
        """The engine of the thread that asks."""
        if not hasattr(self._local, "engine"):
            try:
                from keypose.physics.engine.substeps import deep_contact, speed_limit
                from keypose.physics.simulation.engine_assembly import build_engine
            except ModuleNotFoundError as error:
                if error.name != "mujoco":
                    raise
                raise KeyposeError(MUJOCO_MISSING) from error

            initial_poses = self._resolve_initial_poses(lambda name: _first_pose(context, name))
            initial_poses = {**initial_poses, **{name: _first_pose(context, name) for name in self._kinematic_names}}
            parts = build_engine(
                self.movers, self._system_context, self._rows, initial_poses, self._current_arrays, self._reaches
            )
            self._local.engine, self._local.actuation = parts
            self._local.max_depth = deep_contact(parts[0].half_widths[: self._moving_count])
            self._local.refine_speed = speed_limit(self._local.max_depth)
            self._local.current_state = None
        engine: Engine = self._local.engine
        return engine

    @cached_property
    def _world_initial_poses(self) -> Mapping[str, Pose]:
        return find_initial_poses(self.movers, self._static_poses, None)

    def _resolve_initial_poses(self, pose_of: Callable[[str], Pose]) -> Mapping[str, Pose]:
        """Where everybody begins, if it is so where they look."""
        return (
            find_initial_poses(self.movers, self._static_poses, pose_of)
            if self._relative_keys
            else self._world_initial_poses
        )

    def _path_cache(self) -> RelativePathCache | None:
        """The bent paths of the thread that asks; None if nobody carries anything."""
        if self._has_relative_keys and not hasattr(self._local, "path_cache"):
            self._local.path_cache = RelativePathCache(self._relative_keys, self._follower_arrays)
        cache: RelativePathCache | None = getattr(self._local, "path_cache", None)
        return cache

    @property
    def _current_arrays(self) -> FollowerArrays:
        """The race on all paths as they are bent now."""
        cache = self._path_cache()
        return self._follower_arrays if cache is None else cache.follower_arrays

    def _restore(self, engine: "Engine", state: BodyState) -> None:
        """Take up a state, if that is not where the engine was left."""
        if getattr(self._local, "current_state", None) is not state.engine:
            engine.frozen_contacts, engine.penetrations = state.frozen_contacts, state.penetrations
            engine.restore(state.engine)
        self._local.current_state = None  # until it has got somewhere else

    def _freeze(
        self,
        engine: "Engine",
        time: float,
        followers: Records,
        relative_keys: Floats,
        contacts: Ints,
        events: EventLog,
        substeps: tuple[int, int],
        field_state: Any,
        synchronizer: SynchronizerProtocol | None,
    ) -> BodyState:
        """The state it is in now, for good: what is remembered must not change any more."""
        soft_points = engine.surface_points([self._rows[name] for name in self._surfaces.body_names])
        arrays = engine.state(), engine.poses.copy(), soft_points, followers, relative_keys, contacts.copy()
        numbers = *arrays[:3], float_fields(followers), relative_keys
        if not all(map(is_finite, numbers)):
            raise self._divergence_error(engine, time)
        for array in arrays:
            array.flags.writeable = False
        self._local.current_state = arrays[0]
        return BodyState(
            *arrays,
            engine.frozen_contacts,
            engine.penetrations,
            events,
            substeps,
            field_state,
            None if synchronizer is None else synchronizer.freeze(),
        )

    def _divergence_error(self, engine: "Engine", time: float) -> KeyposeError:
        """Whose body is lost. The state before stays as it was."""
        with np.errstate(all="ignore"):
            size = np.abs(np.concatenate([engine.poses, engine.velocities], axis=1)).max(axis=1, initial=0.0)
        has_bad_force = ~np.isfinite(engine.forces).all(
            axis=1
        )  # which everybody who touches somebody has caught by now
        name = self._body_names[int(np.argmax(has_bad_force if has_bad_force.any() else ~(size <= RUNAWAY_LIMIT)))]
        return KeyposeError(
            f"The body of {name!r} is lost at {time:g} s: it is too fast, too far away or nowhere at all. "
            "Look for bodies that begin in each other, masses that differ too much, gravity or fields that are too "
            "strong; or take a shorter tick."
        )


def _first_pose(context: StepContext, name: str) -> Pose:
    """Where somebody is at the first moment; now, if that is not known any more."""
    past = context.past_poses(name, np.zeros(1))
    return context.pose(name) if past is None else past[0]
