"""What a stage computes from its specification, once: names, order of evaluation, systems, batches, relative keys.

`Stage` states what the animator wants; runs, takes, sheets and the studio read the rest here, as `stage.resolved`.
Everything that needs no check at construction is computed when it is first used.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from keypose.errors import KeyposeError
from keypose.maths import Floats, load_kernels
from keypose.motion import (
    FILM_TICK,
    BatchSystem,
    FaceForward,
    PassLog,
    SyncSystem,
    System,
    SystemKind,
    TargetSystem,
    mover_tick,
    watched_names,
)
from keypose.script import FROM_START, StartProgress, SyncPlan
from keypose.stage.actor import Actor, has_equal_motion
from keypose.stage.evaluate.batch import Batch, build_batches
from keypose.stage.evaluate.dependencies import (
    PoseStep,
    PreviousReads,
    find_previous_reads,
    group_levels,
    ordered_steps,
)
from keypose.stage.evaluate.poses import PoseEvaluator
from keypose.stage.evaluate.relative_keys import RelativeKeySolver
from keypose.stage.resolve.synchronization import add_clocks, build_sync_plan
from keypose.stage.resolve.systems import build_systems

if TYPE_CHECKING:
    from keypose.stage.stage import Stage

SHARED_ATTRIBUTES = ("sync_plan", "systems", "previous_reads", "steps", "_steps_by_name", "levels")
"""What does not depend on how an actor moves or looks."""


class ResolvedStage:
    """The actors of a stage with their names resolved, and everything that follows from it."""

    spec: "Stage"
    sync_plan: SyncPlan | None
    """The script with the actors that take part in it; None without meetings."""
    by_name: Mapping[str, Actor]
    """All actors, and the links of figures as `arm/hand`; motions that take part in meetings as movers by a clock."""
    systems: Mapping[SystemKind, System[Any]]
    """The systems of the movers that are stepped together."""
    previous_reads: PreviousReads
    """What movers in a circle read from the previous tick."""
    steps: Sequence[PoseStep]
    """The steps that compute all poses, in order."""

    def __init__(
        self,
        spec: "Stage",
        by_name: Mapping[str, Actor],
        clock_names: Iterable[str] = (),
        start_progress: StartProgress = FROM_START,
    ) -> None:
        plan = build_sync_plan(spec.script, by_name, spec.connections, spec.gravity, clock_names, start_progress)
        self.spec = spec
        self.sync_plan = plan
        self.by_name = add_clocks(by_name, plan)
        self.previous_reads = find_previous_reads(self.by_name)
        self.systems = build_systems(self.by_name, spec.fields, spec.gravity, spec.connections, plan)
        self.steps = ordered_steps(self.by_name, self.by_name, self.previous_reads)
        self._steps_by_name: dict[str, Sequence[PoseStep]] = {}

    def with_motion(self, spec: "Stage", actor: Actor) -> "ResolvedStage":
        """Return the same for a stage on which one actor only moves or looks differently; dependencies are shared."""
        before = self.by_name[actor.name]
        stage = ResolvedStage.__new__(ResolvedStage)
        shared = {attribute: self.__dict__[attribute] for attribute in SHARED_ATTRIBUTES if attribute in self.__dict__}
        stage.__dict__.update(shared, spec=spec, by_name={**self.by_name, actor.name: actor})
        stage.__dict__["relative_keys"] = self.relative_keys.for_stage(stage)
        stage.relative_keys.check(actor.name)
        if "batches" in self.__dict__ or self.relative_keys.has_motions:  # else there is nothing to reuse
            stage.reuse_results(self, frozenset() if _have_equal_motion(before, actor) else frozenset({actor.name}))
        return stage

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all actors and links."""
        return tuple(self.by_name)

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The names of all actors that are simulated."""
        return tuple(actor.name for actor in self.by_name.values() if actor.mover is not None)

    @cached_property
    def single_movers(self) -> tuple[str, ...]:
        """The names of the movers that belong to no system."""
        return tuple(actor.name for actor in self.spec.actors if actor.single_mover is not None)

    @cached_property
    def face_forward_names(self) -> dict[Any, tuple[str, ...]]:
        """The movers of each system that face along their velocity, by the kind of system."""
        forward = {name for name, actor in self.by_name.items() if isinstance(actor.facing, FaceForward)}
        return {
            kind: tuple(name for name in system.watches if name in forward) for kind, system in self.systems.items()
        }

    @cached_property
    def batch_kind(self) -> SystemKind | None:
        """The kind of the only system, if it can step many ticks at once and nothing else is simulated; else None."""
        if (
            len(self.systems) != 1
            or self.single_movers
            or self.previous_reads
            or any(self.face_forward_names.values())
            or self.relative_keys.live
        ):
            return None
        ((kind, system),) = self.systems.items()
        watched = {name for names in system.watches.values() for name in names}
        movers = set(self.movers)
        watches_movers = any(other in movers for name in watched for other, _ in self.steps_to(name))
        return kind if isinstance(system, BatchSystem) and not watches_movers else None

    @cached_property
    def target_systems(self) -> dict[SystemKind, TargetSystem[Any]]:
        """The systems with followers, by kind."""
        return {
            kind: system
            for kind, system in self.systems.items()
            if isinstance(system, TargetSystem) and system.followers
        }

    @cached_property
    def sync_systems(self) -> dict[SystemKind, SyncSystem[Any]]:
        """The systems with movers that take part in meetings, by kind."""
        sync_systems = {kind: system for kind, system in self.systems.items() if isinstance(system, SyncSystem)}
        return {kind: system for kind, system in sync_systems.items() if system.channels}

    @property
    def duration(self) -> float:
        """Seconds from 0 to the end of the last motion that ends; 0 if none does."""
        motions = [actor.motion for actor in self.spec.actors if actor.motion is not None]
        return max([0.0, *(motion.span[1] for motion in motions if motion.outside == "hold")])

    @property
    def tick(self) -> float:
        """The tick [s]: that of the mover with the finest one, 1/24 without movers."""
        ticks = [
            mover_tick(actor.mover, f"actor {actor.name!r}")
            for actor in self.by_name.values()
            if actor.mover is not None
        ]
        return min(ticks, default=FILM_TICK)

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """The motions that are evaluated together."""
        return self.batches_of(self.by_name)

    def batches_of(self, names: Iterable[str]) -> tuple[Batch, ...]:
        """The motions of some actors that are evaluated together."""
        actors = [self.by_name[name] for name in names]
        forward = {actor.name: actor.facing for actor in actors if isinstance(actor.facing, FaceForward)}
        return build_batches(((actor.name, actor.motion) for actor in actors if actor.motion is not None), forward)

    @cached_property
    def levels(self) -> list[list[PoseStep]]:
        """The steps to all poses; those of one level need only those of the levels before."""
        return group_levels(self.by_name, self.steps, self.previous_reads)

    @cached_property
    def relative_keys(self) -> RelativeKeySolver:
        """The actors with relative keys, and when these are passed."""
        return RelativeKeySolver(self)

    @cached_property
    def watches(self) -> dict[str, tuple[str, ...]]:
        """The actors that each mover reads."""
        single = {name: watched_names(self.by_name[name].mover, f"Actor {name!r}") for name in self.single_movers}
        return single | {name: names for system in self.systems.values() for name, names in system.watches.items()}

    @cached_property
    def tick_evaluation(self) -> tuple[tuple[Batch, ...], list[list[PoseStep]]]:
        """What is evaluated at each tick for the movers: actors they read, their parents, previous reads."""
        names = dict.fromkeys(name for watched in self.watches.values() for name in watched)
        system_names = self.watches.keys() - set(self.single_movers)
        parents = (
            self.by_name[name].parent for name, watched in self.watches.items() if watched or name in system_names
        )
        names |= dict.fromkeys(name for name in parents if name is not None)
        names |= dict.fromkeys(name for name, _ in self.previous_reads.values())
        steps = ordered_steps(self.by_name, names, self.previous_reads)
        needed = dict.fromkeys(name for name, _ in steps)
        return self.batches_of(needed), group_levels(self.by_name, steps, self.previous_reads)

    def reuse_results(self, other: "ResolvedStage", changed: frozenset[str]) -> None:
        """Reuse what another stage has computed already, wherever it does not depend on `changed` actors."""
        self.relative_keys.reuse_results(other.relative_keys, changed)
        if "batches" in other.__dict__ and not changed:
            self.__dict__.setdefault("batches", other.batches)

    def drop_batches(self) -> None:
        """Free the memory of the batches; they are built again when needed."""
        self.__dict__.pop("batches", None)

    def evaluator(self, t: Floats, pass_log: Callable[[str], PassLog] | None = None) -> PoseEvaluator:
        """Return the poses at times (n,) [s]; `pass_log(name)` replaces the stage's own times of passed keys."""
        return PoseEvaluator(self, t, _refuse_mover, self.relative_keys.pass_log if pass_log is None else pass_log)

    def steps_to(self, name: str) -> Sequence[PoseStep]:
        """The steps that compute one actor's pose, in order."""
        if name not in self._steps_by_name:
            self._steps_by_name[name] = ordered_steps(self.by_name, [name], self.previous_reads)
        return self._steps_by_name[name]


def _refuse_mover(name: str) -> NoReturn:
    raise KeyposeError(
        f"Actor {name!r} takes ticks, so the stage cannot be asked for single moments. "
        "Shoot it and ask the take, or run it."
    )


def load_kernels_for(stage: ResolvedStage) -> None:
    """Load the kernels if the stage's results depend on them in the last bits: so one instant equals its shot frame.

    Keys that stand still have the same bits with and without kernels. Relative keys and whatever moves tick by tick
    have not.
    """
    if stage.movers or stage.relative_keys.has_motions:
        load_kernels()


def changed_actors(one: ResolvedStage, two: ResolvedStage) -> frozenset[str]:
    """The names of actors on only one of two stages or that move differently; looks do not count."""
    names = one.by_name.keys() | two.by_name.keys()
    return frozenset(name for name in names if not _have_equal_motion(one.by_name.get(name), two.by_name.get(name)))


def _have_equal_motion(one: Actor | None, two: Actor | None) -> bool:
    if one is two or one is None or two is None:
        return one is two
    return has_equal_motion(one, two)
