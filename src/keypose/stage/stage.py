"""The stage: actors that know each other by name (GL95 §6.1), with the fields, connections and script they share.

`Stage` is the specification alone. What follows from it is computed once, in `resolved_stage`. A stage of motions is
a function of time, evaluated at any instant; one with movers is simulated: see `run` and `recorder`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np

from keypose.curves import MAX_COORDINATE
from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, list_names, short_repr
from keypose.maths import ArrayLike, parse_non_nan, parse_numbers
from keypose.motion import Pose
from keypose.physics import Connection
from keypose.script import FROM_START, ClockedMotion, Script, StartProgress
from keypose.stage.actor import Actor
from keypose.stage.resolve.names import add_links, check_motion, check_names, index_by_name
from keypose.stage.resolve.systems import check_carriers, check_fields, resolve_connections
from keypose.stage.resolved_stage import ResolvedStage, changed_actors, load_kernels_for
from keypose.stage.scene_style import SceneStyle

NO_FIELDS: Mapping[str, Any] = {}
OPTIONS = ("actors", "fields", "connections", "script", "gravity", "style")


class Stage:
    """Actors that refer to each other by name; immutable, compared by value, whatever the order they are given in.

    `stage["hand"]` is an actor, `for actor in stage` goes through all of them and `len(stage)` is their number. A link
    of a figure goes by its name as well, as `stage["arm/hand"]`, and is part of its actor.
    """

    actors: tuple[Actor, ...]
    fields: Mapping[str, Any]
    """The force fields, by name."""
    gravity: tuple[float, float, float]
    connections: tuple[Connection, ...]
    """The joints and reaches between bodies."""
    style: SceneStyle
    script: Script | None
    """The meetings."""
    resolved: ResolvedStage
    """What follows from the specification, for the other packages; not part of the public surface."""

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
        self.__dict__["resolved"] = ResolvedStage(self, by_name)
        self.__dict__["script"] = None if script is None else script.frozen()
        self.resolved.relative_keys.check()

    def __getitem__(self, name: str) -> Actor:
        by_name = self.resolved.by_name
        if not isinstance(name, str) or name not in by_name:
            label = name if isinstance(name, str) else short_repr(name)
            raise UnknownNameError(f"Nobody on the stage is named {short_repr(name)}.{did_you_mean(label, by_name)}")
        actor = by_name[name]
        return (
            actor
            if not isinstance(actor.mover, ClockedMotion)
            else next(one for one in self.actors if one.name == name)
        )

    def __contains__(self, actor: object) -> bool:
        """Whether a name, or an actor as it is, is on the stage."""
        return actor in self.actors if isinstance(actor, Actor) else actor in self.resolved.by_name

    def __iter__(self) -> Iterator[Actor]:
        return iter(self.actors)

    def __len__(self) -> int:
        return len(self.actors)

    def __bool__(self) -> bool:  # also without actors
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all actors and of the links of figures, as `arm/hand`."""
        return self.resolved.names

    def at(self, t: ArrayLike) -> dict[str, Pose]:
        """Everybody's pose in the world at time t [s]; an array of times gives as many poses each."""
        times = parse_non_nan(t, "A time")
        load_kernels_for(self.resolved)
        poses = self.resolved.evaluator(times.reshape(-1)).all_poses()
        if times.ndim == 1:
            return poses
        return {name: _reshape_pose(pose, times.shape) for name, pose in poses.items()}

    def with_actor(self, actor: Actor) -> "Stage":
        """The stage with one actor said differently, or one more."""
        if not isinstance(actor, Actor):
            raise KeyposeError(f"A stage was to be with {short_repr(actor)}. Give Actor(name, motion).")
        before = self.resolved.by_name.get(actor.name)
        if before is not None and _have_equal_dependencies(before, actor):
            return self._with_motion(actor)
        return self.changed(actors=list({**{one.name: one for one in self.actors}, actor.name: actor}.values()))

    def changed(self, **changes: Any) -> "Stage":
        """The same stage with some things said differently, as `gravity=(0, -9.81, 0)`."""
        for option in changes:
            if option not in OPTIONS:
                raise KeyposeError(f"A stage has no {option!r}.{did_you_mean(option, OPTIONS)}")
        stage = Stage(**{option: getattr(self, option) for option in OPTIONS} | changes)
        stage.resolved.reuse_results(self.resolved, changed_actors(self.resolved, stage.resolved))
        return stage

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stage):
            return NotImplemented
        return _comparison_values(self) == _comparison_values(other)

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

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name != "resolved"]

    def _with_motion(self, actor: Actor) -> "Stage":
        """The stage with an actor that only moves or looks differently: dependencies stay and are shared."""
        with ErrorPath("actors", self.names.index(actor.name)):
            check_motion(actor)
        stage = Stage.__new__(Stage)
        actors = tuple(actor if one.name == actor.name else one for one in self.actors)
        stage.__dict__.update({option: self.__dict__[option] for option in OPTIONS}, actors=actors)
        stage.__dict__["resolved"] = self.resolved.with_motion(stage, actor)
        return stage


def with_clocks(stage: Stage, names: Collection[str], start_progress: StartProgress = FROM_START) -> Stage:
    """Return the same stage on which the motions `names` have clocks of their own, without taking part in meetings.

    `start_progress` is what the clocks showed when meetings were added during a run.
    """
    plan = stage.resolved.sync_plan
    if not names and start_progress == (FROM_START if plan is None else plan.start_progress):
        return stage
    clocked = Stage.__new__(Stage)
    clocked.__dict__.update({option: stage.__dict__[option] for option in OPTIONS})
    by_name = add_links({actor.name: actor for actor in stage.actors})
    clocked.__dict__["resolved"] = ResolvedStage(clocked, by_name, names, start_progress)
    return clocked


def _comparison_values(stage: Stage) -> tuple[object, ...]:
    actors = {actor.name: actor for actor in stage.actors}
    return actors, stage.fields, stage.gravity, stage.style, stage.connections, stage.script or None


def _have_equal_dependencies(one: Actor, two: Actor) -> bool:
    """Whether an actor still depends on the same others, in the same ways."""
    is_same = (one.parent, one.facing, one.carriers, one.body) == (two.parent, two.facing, two.carriers, two.body)
    return is_same and one.mover is two.mover


def _reshape_pose(pose: Pose, shape: tuple[int, ...]) -> Pose:
    """Poses of many instants (n, …) laid out as the times were asked."""
    return Pose(pose.position.reshape(shape + pose.position.shape[1:]), pose.orientation.reshape(*shape, 4))


def _rebuild_stage(options: Mapping[str, Any]) -> Stage:  # what was said; the rest is derived again
    return Stage(**options)
