"""The state of a system of movers at one tick, and the step context that it reads."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.motion import Pose, StepContext, SyncPlanProtocol, SyncSystem, System, pose_center
from keypose.stage.evaluate.poses import PoseEvaluator, pose_lookup
from keypose.stage.run.frozen_state import NotFiniteError, freeze
from keypose.stage.run.mover_state import MoverState, static_mover_state

if TYPE_CHECKING:
    from keypose.stage.resolved_stage import ResolvedStage


@dataclass(frozen=True, eq=False)
class SystemState:
    """One company at one tick."""

    system: System[Any]
    state: Any

    @classmethod
    def of(cls, system: System[Any], state: Any, time: float) -> "SystemState":
        """A company with a state it came to."""
        try:
            return cls(system, state if getattr(system, "freezes_state", False) else freeze(state))
        except NotFiniteError:
            names = ", ".join(list(system.watches)[:3])
            raise KeyposeError(
                f"What moves {names} and others came to a state that is not finite at {time:g} s. Take a shorter tick."
            ) from None

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """Where its members are, each in the frame it stands in."""
        return self.system.poses(self.state)

    def interpolate_from(self, before: "SystemState", fraction: float) -> Mapping[str, Pose]:
        """Where its members are at a share of the way from the last tick to this one."""
        cached: tuple[float, Mapping[str, Pose]] | None = self.__dict__.get("_way")
        if cached is None or cached[0] != fraction:  # asked for one member after the other
            cached = self.__dict__["_way"] = fraction, self.system.between(before.state, self.state, fraction)
        return cached[1]


class MoverStates(Mapping[str, MoverState]):
    """A track for each mover. Of a company most leave no more behind than a pose: theirs are made when asked for."""

    def __init__(self, states: dict[str, MoverState], system_states: Iterable[SystemState]) -> None:
        self._cached = states
        self._system_states = tuple(system_states)

    def __getitem__(self, name: str) -> MoverState:
        found = self._cached.get(name)
        if found is None:
            poses = next(
                (system_state.poses for system_state in self._system_states if name in system_state.system.watches), {}
            )
            found = self._cached[name] = static_mover_state(poses[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(
            {
                **self._cached,
                **{name: None for system_state in self._system_states for name in system_state.system.watches},
            }
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)


def find_sync_state(system_states: Iterable[SystemState]) -> tuple[SyncPlanProtocol, Any] | None:
    """The meetings there are, and how they are kept, by whichever company does that."""
    found = (
        system_state.system.sync_state(system_state.state)
        for system_state in system_states
        if isinstance(system_state.system, SyncSystem)
    )
    return next((sync for sync in found if sync is not None), None)


def build_step_context(
    stage: "ResolvedStage",
    evaluator: Callable[[], PoseEvaluator],
    time: float,
    previous_sync: tuple[SyncPlanProtocol, Any] | None = None,
) -> StepContext:
    """What companies see at a moment; right after a change, how meetings were kept until then."""
    lookup = cache(lambda: pose_lookup(stage.evaluator))

    def pose(name: str) -> Pose:
        found = evaluator().pose(name)
        return Pose(pose_center(found)[0], found.orientation[0])

    def parent_pose(name: str) -> Pose | None:
        found = evaluator().parent_pose(name)
        return None if found is None else Pose(pose_center(found)[0], found.orientation[0])

    def past_poses(name: str, t: Floats) -> Pose | None:
        if any(stage.by_name[other].mover is not None for other, _ in stage.steps_to(name)):
            return None
        found = lookup()(name, t)
        return Pose(pose_center(found), found.orientation)

    return StepContext(time, pose, parent_pose, past_poses, previous_sync)
