"""Who plays together? A cast that knows each other by name (GL95 §6.1). Names are resolved once, here.

A stage of motions is a function of time, asked for any instant; one with movers takes ticks: see `run` and
`shoot`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves import MAX_COORDINATE
from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, list_names, short_repr
from keypose.maths import Floats, load_kernels, parse_non_nan, parse_numbers
from keypose.motion import (
    FILM_TICK,
    BatchSystem,
    FaceForward,
    PassLog,
    Pose,
    SyncSystem,
    System,
    SystemKind,
    TargetSystem,
    mover_tick,
    watched_names,
)
from keypose.physics import Connection
from keypose.script import FROM_START, ClockedMotion, Script, StartProgress, SyncPlan
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
from keypose.stage.resolve.names import add_links, check_motion, check_names, index_by_name
from keypose.stage.resolve.synchronization import add_clocks, build_sync_plan
from keypose.stage.resolve.systems import build_systems, check_carriers, check_fields, resolve_connections
from keypose.stage.scene_style import SceneStyle

NO_FIELDS: Mapping[str, Any] = {}
OPTIONS = ("actors", "fields", "connections", "script", "gravity", "style")
SHARED_ATTRIBUTES = (
    "fields",
    "gravity",
    "connections",
    "script",
    "sync_plan",
    "style",
    "systems",
    "previous_reads",
    "steps",
    "_closures",
    "levels",
)  # whoever moves how


class Stage:
    """Actors that refer to each other by name; immutable, compared by value, whatever the order they are given in.

    `stage["hand"]` is an actor, `for actor in stage` goes through all of them and `len(stage)` is their number. A link
    of a figure goes by its name as well, as `stage["arm/hand"]`, and is part of its actor.
    """

    actors: tuple[Actor, ...]
    fields: Mapping[str, Any]
    """What pushes, by its name."""
    gravity: tuple[float, float, float]
    connections: tuple[Connection, ...]
    """What holds bodies together."""
    style: SceneStyle
    script: Script | None
    """Who meets whom, and where."""
    sync_plan: SyncPlan | None
    """The same with everybody who acts in it; None without meetings."""
    by_name: Mapping[str, Actor]
    """Everybody, and the links of figures, as `arm/hand`; motions that meet somebody as movers by a clock."""
    steps: Sequence[PoseStep]
    """What to work out, in order, to know everybody's pose."""
    systems: Mapping[SystemKind, System[Any]]
    """Those who step together, by what makes a company of them."""
    previous_reads: PreviousReads
    """What movers on a circle read as it was at the last tick."""

    def __init__(
        self,
        actors: Sequence[Actor],
        *,
        fields: Mapping[str, Any] = NO_FIELDS,
        connections: Sequence[Any] = (),
        script: Script | None = None,
        gravity: ArrayLike = (0, 0, 0),
        style: SceneStyle | None = None,
    ) -> None:
        if style is not None and not isinstance(style, SceneStyle):
            raise KeyposeError(f"A stage was given style={short_repr(style)}. Give a SceneStyle.")
        gravity_vector = parse_numbers(gravity, "Gravity")
        if gravity_vector.shape != (3,) or not (np.abs(gravity_vector) <= MAX_COORDINATE).all():
            raise KeyposeError(f"Gravity is {short_repr(gravity)}. Give three finite numbers [m/s²], as (0, -9.81, 0).")
        given = index_by_name(actors)
        by_name = add_links(given)
        for index, actor in enumerate(given.values()):
            with ErrorPath("actors", index):
                check_names(actor, by_name)
                check_motion(actor)
                check_carriers(actor, by_name)
        x, y, z = (float(value) for value in gravity_vector)
        options = {
            "actors": tuple(given.values()),
            "fields": check_fields(fields, by_name),
            "connections": resolve_connections(connections, by_name),
            "script": script,
            "gravity": (x, y, z),
            "style": style or SceneStyle(),
        }
        self.__dict__.update(options)
        self._resolve(by_name)
        self.relative_keys.check()

    def _resolve(
        self, by_name: Mapping[str, Actor], clock_names: Iterable[str] = (), start_progress: StartProgress = FROM_START
    ) -> None:
        """Find out who of a cast keeps which appointments, steps with whom, and depends on whom."""
        plan = build_sync_plan(self.script, by_name, self.connections, self.gravity, clock_names, start_progress)
        clocked_actors = add_clocks(by_name, plan)
        previous_reads = find_previous_reads(clocked_actors)
        self.__dict__.update(
            script=None if self.script is None else self.script.frozen(),
            sync_plan=plan,
            systems=build_systems(clocked_actors, self.fields, self.gravity, self.connections, plan),
            by_name=clocked_actors,
            previous_reads=previous_reads,
            steps=ordered_steps(clocked_actors, clocked_actors, previous_reads),
            _closures={},
        )

    def with_clocks(self, names: Collection[str], start_progress: StartProgress = FROM_START) -> "Stage":
        """The same stage, on which the motions of some go by clocks of their own though nobody is to meet them.

        `start_progress` says what clocks showed when meetings were said, where that was while it ran.
        """
        if not names and start_progress == (FROM_START if self.sync_plan is None else self.sync_plan.start_progress):
            return self
        stage = Stage.__new__(Stage)
        stage.__dict__.update({option: self.__dict__[option] for option in OPTIONS})
        stage._resolve(add_links({actor.name: actor for actor in self.actors}), names, start_progress)
        return stage

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name."""
        return tuple(self.by_name)

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The names of those who take ticks."""
        return tuple(actor.name for actor in self.by_name.values() if actor.mover is not None)

    @cached_property
    def single_movers(self) -> tuple[str, ...]:
        """The names of those who take ticks each on its own."""
        return tuple(actor.name for actor in self.actors if actor.single_mover is not None)

    @cached_property
    def face_forward_names(self) -> dict[Any, tuple[str, ...]]:
        """Those of each company who face to where they go, by what makes it."""
        forward = {name for name, actor in self.by_name.items() if isinstance(actor.facing, FaceForward)}
        return {
            kind: tuple(name for name in system.watches if name in forward) for kind, system in self.systems.items()
        }

    @cached_property
    def batch_kind(self) -> SystemKind | None:
        """What makes the only company, if it can take many ticks at once and nobody else takes any; None if not."""
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
        """The companies some of whom race a target."""
        return {
            kind: system
            for kind, system in self.systems.items()
            if isinstance(system, TargetSystem) and system.followers
        }

    @cached_property
    def sync_systems(self) -> dict[SystemKind, SyncSystem[Any]]:
        """The companies some of whom keep appointments."""
        sync_systems = {kind: system for kind, system in self.systems.items() if isinstance(system, SyncSystem)}
        return {kind: system for kind, system in sync_systems.items() if system.channels}

    @property
    def tick(self) -> float:
        """Seconds a tick takes: those of the mover that needs the finest, 1/24 without any."""
        ticks = [
            mover_tick(actor.mover, f"actor {actor.name!r}")
            for actor in self.by_name.values()
            if actor.mover is not None
        ]
        return min(ticks, default=FILM_TICK)

    @property
    def duration(self) -> float:
        """Seconds from 0 until the last motion that ends has ended; 0 if none does."""
        motions = [actor.motion for actor in self.actors if actor.motion is not None]
        return max([0.0, *(motion.span[1] for motion in motions if motion.outside == "hold")])

    def __getitem__(self, name: str) -> Actor:
        if not isinstance(name, str) or name not in self.by_name:
            label = name if isinstance(name, str) else short_repr(name)
            raise UnknownNameError(f"Nobody on the stage is named {short_repr(name)}.{did_you_mean(label, self.names)}")
        actor = self.by_name[name]
        return (
            actor
            if not isinstance(actor.mover, ClockedMotion)
            else next(one for one in self.actors if one.name == name)
        )

    def __contains__(self, actor: object) -> bool:
        """Whether a name, or an actor as it is, is on the stage."""
        return actor in self.actors if isinstance(actor, Actor) else actor in self.by_name

    def __iter__(self) -> Iterator[Actor]:
        return iter(self.actors)

    def __len__(self) -> int:
        return len(self.actors)

    def __bool__(self) -> bool:  # also without actors
        return True

    def at(self, t: ArrayLike) -> dict[str, Pose]:
        """Everybody's pose in the world at time t [s]; an array of times gives as many poses each."""
        times = parse_non_nan(t, "A time")
        load_kernels_for(self)
        poses = self.evaluator(times.reshape(-1)).all_poses()
        if times.ndim == 1:
            return poses
        return {name: _reshape_pose(pose, times.shape) for name, pose in poses.items()}

    def with_actor(self, actor: Actor) -> "Stage":
        """The stage with one actor said differently, or one more."""
        if not isinstance(actor, Actor):
            raise KeyposeError(f"A stage was to be with {short_repr(actor)}. Give Actor(name, motion).")
        before = self.by_name.get(actor.name)
        if before is not None and _have_equal_dependencies(before, actor):
            return self._with_motion(before, actor)
        return self.changed(actors=list({**{one.name: one for one in self.actors}, actor.name: actor}.values()))

    def changed(self, **changes: Any) -> "Stage":
        """The same stage with some things said differently, as `gravity=(0, -9.81, 0)`."""
        for option in changes:
            if option not in OPTIONS:
                raise KeyposeError(f"A stage has no {option!r}.{did_you_mean(option, OPTIONS)}")
        stage = Stage(**{option: getattr(self, option) for option in OPTIONS} | changes)
        stage.reuse_results(self, changed_actors(self, stage))
        return stage

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stage):
            return NotImplemented
        own = (self.by_name, self.fields, self.gravity, self.style, self.connections, self.script or None)
        return own == (
            other.by_name,
            other.fields,
            other.gravity,
            other.style,
            other.connections,
            other.script or None,
        )

    def __hash__(self) -> int:
        return hash((frozenset(self.actors), self.gravity))

    def __repr__(self) -> str:
        names = [actor.name for actor in self.actors]
        counts = {"field": self.fields, "connection": self.connections, "meeting": self.script or ()}
        more = [f"{len(values)} {noun}{'s' * (len(values) != 1)}" for noun, values in counts.items() if values]
        if any(self.gravity):
            more.append(f"gravity ({', '.join(f'{value:g}' for value in self.gravity)})")
        return f"<Stage: {'; '.join([list_names(names), *more])}>"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"A stage cannot be given another {name!r}: make a new stage.")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"A stage cannot lose its {name!r}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_stage, ({option: getattr(self, option) for option in OPTIONS} | {"fields": dict(self.fields)},)

    # ---- inside ------------------------------------------------------------------------------------------------------

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """Those that can be asked together."""
        return self.batches_of(self.by_name)

    def batches_of(self, names: Iterable[str]) -> tuple[Batch, ...]:
        """Those of some actors that can be asked together."""
        actors = [self.by_name[name] for name in names]
        forward = {actor.name: actor.facing for actor in actors if isinstance(actor.facing, FaceForward)}
        return build_batches(((actor.name, actor.motion) for actor in actors if actor.motion is not None), forward)

    @cached_property
    def levels(self) -> list[list[PoseStep]]:
        """The steps to everybody's pose; those of one level need only those of the levels before."""
        return group_levels(self.by_name, self.steps, self.previous_reads)

    @cached_property
    def relative_keys(self) -> RelativeKeySolver:
        """Those whose keys are carried by others."""
        return RelativeKeySolver(self)

    @cached_property
    def watches(self) -> dict[str, tuple[str, ...]]:
        """Whom each mover looks at."""
        single = {name: watched_names(self.by_name[name].mover, f"Actor {name!r}") for name in self.single_movers}
        return single | {name: names for system in self.systems.values() for name, names in system.watches.items()}

    @cached_property
    def tick_evaluation(self) -> tuple[tuple[Batch, ...], list[list[PoseStep]]]:
        """What to work out at each tick for the movers: whom they watch, what they stand on, what they read late."""
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

    def reuse_results(self, other: "Stage", changed: frozenset[str]) -> None:
        """Take over what another stage has worked out already, wherever nobody who `changed` differently matters."""
        self.relative_keys.reuse_results(other.relative_keys, changed)
        if "batches" in other.__dict__ and not changed:
            self.__dict__.setdefault("batches", other.batches)

    def _with_motion(self, before: Actor, actor: Actor) -> "Stage":
        """The stage with an actor that only moves or looks otherwise: who depends on whom stays, and is shared."""
        with ErrorPath("actors", self.names.index(actor.name)):
            check_motion(actor)
        stage, by_name = Stage.__new__(Stage), {**self.by_name, actor.name: actor}
        shared = {attribute: self.__dict__[attribute] for attribute in SHARED_ATTRIBUTES if attribute in self.__dict__}
        actors = tuple(actor if one.name == actor.name else one for one in self.actors)
        stage.__dict__.update(shared, actors=actors, by_name=by_name)
        stage.__dict__["relative_keys"] = self.relative_keys.for_stage(stage)
        stage.relative_keys.check(actor.name)
        if (
            "batches" in self.__dict__ or self.relative_keys.has_motions
        ):  # else there is nothing to take over, and none compared
            stage.reuse_results(self, frozenset() if _have_equal_motion(before, actor) else frozenset({actor.name}))
        return stage

    def evaluator(self, t: Floats, pass_log: Callable[[str], PassLog] | None = None) -> PoseEvaluator:
        """The cast at times (n,); `story(name)` says which keys were passed by when, if that is not the stage's own."""
        return PoseEvaluator(self, t, self._refuse_mover, self.relative_keys.pass_log if pass_log is None else pass_log)

    def steps_to(self, name: str) -> Sequence[PoseStep]:
        """What to work out, in order, to know one actor's pose."""
        closures: dict[str, Sequence[PoseStep]] = self.__dict__["_closures"]
        if name not in closures:
            closures[name] = ordered_steps(self.by_name, [name], self.previous_reads)
        return closures[name]

    def _refuse_mover(self, name: str) -> NoReturn:
        raise KeyposeError(
            f"Actor {name!r} takes ticks, so the stage cannot be asked for single moments. "
            "Shoot it and ask the take, or run it."
        )


def load_kernels_for(stage: Stage) -> None:
    """Load the kernels if the stage's results depend on them in the last bits: so one instant equals its shot frame.

    Keys that stand still have the same bits with and without kernels. Relative keys and whatever moves tick by tick
    have not.
    """
    if stage.movers or stage.relative_keys.has_motions:
        load_kernels()


def changed_actors(one: Stage, two: Stage) -> frozenset[str]:
    """Who is on one of two stages only, or moves differently on them; how they look does not matter."""
    names = one.by_name.keys() | two.by_name.keys()
    return frozenset(name for name in names if not _have_equal_motion(one.by_name.get(name), two.by_name.get(name)))


def _have_equal_motion(one: Actor | None, two: Actor | None) -> bool:
    if one is two or one is None or two is None:
        return one is two
    return has_equal_motion(one, two)


def _have_equal_dependencies(one: Actor, two: Actor) -> bool:
    """Whether an actor still depends on the same others, in the same ways."""
    is_same = (one.parent, one.facing, one.carriers, one.body) == (two.parent, two.facing, two.carriers, two.body)
    return is_same and one.mover is two.mover


def _reshape_pose(pose: Pose, shape: tuple[int, ...]) -> Pose:
    """Poses of many instants (n, …) laid out as the times were asked."""
    return Pose(pose.position.reshape(shape + pose.position.shape[1:]), pose.orientation.reshape(*shape, 4))


def _rebuild_stage(options: Mapping[str, Any]) -> Stage:  # what was said; the rest is derived again
    return Stage(**options)
