"""One MuJoCo engine per thread, and the states that it is left in and resumes from.

A state is a value: what MuJoCo needs to resume bitwise identically, the state of each follower, and the events so far.
An engine that is to continue from another state than its current one is restored to it.
"""

import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, is_finite
from keypose.motion import Pose, StepContext
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.following.follower_state import float_fields
from keypose.physics.relative.relative_path_cache import RelativePathCache, build_path_cache
from keypose.physics.relative.resolved_paths import ResolvedPaths
from keypose.physics.simulation.body_plan import BodyPlan
from keypose.physics.simulation.initial_poses import find_initial_poses
from keypose.physics.simulation.state import BodyMemory, BodyState
from keypose.physics.values.body import RUNAWAY_LIMIT

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine
    from keypose.physics.simulation.forces import Actuation

MUJOCO_MISSING = "Bodies need MuJoCo. Install it with: pip install 'keypose[physics]'."


class EnginePool:
    """The engines that simulate the bodies of a plan, one for each thread."""

    def __init__(self, plan: BodyPlan) -> None:
        self._plan, self._rows, self._surfaces = plan, plan.rows, plan.surfaces
        self._has_relative_keys = bool(plan.relative_keys)
        self._local = threading.local()
        """Of each thread: its engine, what pulls in it, the paths as they are bent there, and its current state."""

    def engine(self, context: StepContext) -> "Engine":
        """The engine of the calling thread."""
        if not hasattr(self._local, "engine"):
            try:
                from keypose.physics.engine.contact_model.substeps import deep_contact, speed_limit
                from keypose.physics.simulation.engine_assembly import build_engine
            except ModuleNotFoundError as error:
                if error.name != "mujoco":
                    raise
                raise KeyposeError(MUJOCO_MISSING) from error

            plan = self._plan
            initial_poses = self.initial_poses(lambda name: _first_pose(context, name))
            initial_poses = {**initial_poses, **{name: _first_pose(context, name) for name in plan.kinematic_names}}
            parts = build_engine(
                plan.movers, plan.system_context, plan.rows, initial_poses, self.current_arrays, plan.reaches
            )
            self._local.engine, self._local.actuation = parts
            self._local.max_depth = deep_contact(parts[0].half_widths[: len(plan.moving_names)])
            self._local.refine_speed = speed_limit(self._local.max_depth)
            self._local.current_state = None
        engine: Engine = self._local.engine
        return engine

    @property
    def actuation(self) -> "Actuation":
        """What pulls in the engine of the calling thread."""
        actuation: Actuation = self._local.actuation
        return actuation

    @property
    def max_depth(self) -> float:
        """The depth from which a contact counts as deep [m]."""
        return float(self._local.max_depth)

    @property
    def refine_speed(self) -> float:
        """The speed up to which no step needs to be halved [m/s]."""
        return float(self._local.refine_speed)

    @cached_property
    def world_initial_poses(self) -> Mapping[str, Pose]:
        """The initial poses that depend on no actor outside the system."""
        return find_initial_poses(self._plan.movers, self._plan.static_poses, None)

    def initial_poses(self, pose_of: Callable[[str], Pose]) -> Mapping[str, Pose]:
        """The initial poses of all bodies; `pose_of` gives the poses of other actors."""
        if not self._plan.relative_keys:
            return self.world_initial_poses
        return find_initial_poses(self._plan.movers, self._plan.static_poses, pose_of)

    @property
    def path_cache(self) -> RelativePathCache | ResolvedPaths | None:
        """The paths with relative keys as they are now in the calling thread; None without relative keys."""
        if not self._has_relative_keys:
            return None
        if not hasattr(self._local, "path_cache"):
            self._local.path_cache = build_path_cache(self._plan.relative_keys, self._plan.follower_arrays)
        cache: RelativePathCache | ResolvedPaths = self._local.path_cache
        return cache

    @property
    def current_arrays(self) -> FollowerArrays:
        """The followers on their paths as these are now."""
        cache = self.path_cache
        return self._plan.follower_arrays if cache is None else cache.follower_arrays

    def set_current(self, engine_state: Floats | None) -> None:
        """Note which state the engine of the calling thread is in; None if it is to be restored before it steps."""
        self._local.current_state = engine_state

    def restore(self, engine: "Engine", state: BodyState) -> None:
        """Put the engine of the calling thread in a state, unless it is in it."""
        if getattr(self._local, "current_state", None) is not state.engine:
            engine.frozen_contacts, engine.penetrations = state.frozen_contacts, state.penetrations
            engine.restore(state.engine)
        self._local.current_state = None  # until it has got somewhere else

    def freeze(self, engine: "Engine", time: float, memory: BodyMemory) -> BodyState:
        """The state it is in now, for good: the arrays of `memory` must not change any more."""
        followers, relative_keys, contacts, events, substeps, field_state, synchronizer = memory
        soft_points = engine.surface_points([self._rows[name] for name in self._surfaces.body_names])
        arrays = engine.state(), engine.poses.copy(), soft_points, followers, relative_keys, contacts.copy()
        numbers = *arrays[:3], float_fields(followers), relative_keys
        if not all(map(is_finite, numbers)):
            raise self.divergence_error(engine, time)
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

    def divergence_error(self, engine: "Engine", time: float) -> KeyposeError:
        """Whose body is lost. The state before stays as it was."""
        with np.errstate(all="ignore"):
            size = np.abs(np.concatenate([engine.poses, engine.velocities], axis=1)).max(axis=1, initial=0.0)
        has_bad_force = ~np.isfinite(engine.forces).all(
            axis=1
        )  # which everybody who touches somebody has caught by now
        name = self._plan.body_names[int(np.argmax(has_bad_force if has_bad_force.any() else ~(size <= RUNAWAY_LIMIT)))]
        return KeyposeError(
            f"The body of {name!r} is lost at {time:g} s: it is too fast, too far away or nowhere at all. "
            "Look for bodies that begin in each other, masses that differ too much, gravity or fields that are too "
            "strong; or take a shorter tick."
        )


def _first_pose(context: StepContext, name: str) -> Pose:
    """Where somebody is at the first moment; now, if that is not known any more."""
    past = context.past_poses(name, np.zeros(1))
    return context.pose(name) if past is None else past[0]
