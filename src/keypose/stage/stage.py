"""Who plays together? A cast that knows each other by name (GL95 §6.1). Names are resolved once, here.

A stage of motions is a function of time, asked for any instant; one with movers takes ticks: see `run` and `shoot`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.key import FARTHEST
from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import moments, numbers
from keypose.maths.kernel_switch import settle
from keypose.motion.facing import FaceForward
from keypose.motion.mover import FILM_TICK, tick_of, watched_by
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.motion.system import Aiming, Company, Keeping, Strider, SystemKind
from keypose.physics.values.connections import Connection
from keypose.script.clock_system import Timed
from keypose.script.plan import FROM_THE_BEGINNING, Begins
from keypose.script.script import Script
from keypose.script.sync.sync_plan import Appointments
from keypose.stage.actor import Actor, move_alike
from keypose.stage.evaluate.batch import Batch, batches
from keypose.stage.evaluate.dependencies import Late, Step, late_steps, levels, steps_for
from keypose.stage.evaluate.poses import Instants
from keypose.stage.evaluate.relative_keys import Meetings
from keypose.stage.resolve.names import by_names, check_motion, check_names, with_links
from keypose.stage.resolve.synchronization import planned, with_clocks
from keypose.stage.resolve.systems import check_carriers, checked_fields, companies, connected
from keypose.stage.scene_style import SceneStyle

NO_FIELDS: Mapping[str, Any] = {}
WORDS = ("actors", "fields", "connections", "script", "gravity", "style")
OF_TIES = (
    "fields",
    "gravity",
    "connections",
    "script",
    "plan",
    "style",
    "companies",
    "late",
    "steps",
    "_closures",
    "levels",
)  # whoever moves how


class Stage:
    """Actors who find each other by name; immutable, compared by value, whatever the order they are given in."""

    actors: tuple[Actor, ...]
    fields: Mapping[str, Any]
    """What pushes, by its name."""
    gravity: tuple[float, float, float]
    connections: tuple[Connection, ...]
    """What holds bodies together."""
    style: SceneStyle
    script: Script | None
    """Who meets whom, and where."""
    plan: Appointments | None
    """The same with everybody who acts in it; None without meetings."""
    by_name: Mapping[str, Actor]
    """Everybody, and the links of figures, as `arm/hand`; motions that meet somebody as movers by a clock."""
    steps: Sequence[Step]
    """What to work out, in order, to know everybody's pose."""
    companies: Mapping[SystemKind, Company[Any]]
    """Those who step together, by what makes a company of them."""
    late: Late
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
            raise KeyposeError(f"A stage was given style={shown(style)}. Give a SceneStyle.")
        pull = numbers(gravity, "Gravity")
        if pull.shape != (3,) or not (np.abs(pull) <= FARTHEST).all():
            raise KeyposeError(f"Gravity is {shown(gravity)}. Give three finite numbers [m/s²], as (0, -9.81, 0).")
        given = by_names(actors)
        by_name = with_links(given)
        for index, actor in enumerate(given.values()):
            with At("actors", index):
                check_names(actor, by_name)
                check_motion(actor)
                check_carriers(actor, by_name)
        x, y, z = (float(value) for value in pull)
        said = {
            "actors": tuple(given.values()),
            "fields": checked_fields(fields, by_name),
            "connections": connected(connections, by_name),
            "script": script,
            "gravity": (x, y, z),
            "style": style or SceneStyle(),
        }
        self.__dict__.update(said)
        self._play(by_name)
        self.meetings.check()

    def _play(
        self, by_name: Mapping[str, Actor], loose: Iterable[str] = (), begins: Begins = FROM_THE_BEGINNING
    ) -> None:
        """Find out who of a cast keeps which appointments, steps with whom, and depends on whom."""
        plan = planned(self.script, by_name, self.connections, self.gravity, loose, begins)
        played = with_clocks(by_name, plan)
        late = late_steps(played)
        self.__dict__.update(
            script=None if self.script is None else self.script.closed(),
            plan=plan,
            companies=companies(played, self.fields, self.gravity, self.connections, plan),
            by_name=played,
            late=late,
            steps=steps_for(played, played, late),
            _closures={},
        )

    def by_clocks(self, names: Collection[str], begins: Begins = FROM_THE_BEGINNING) -> "Stage":
        """The same stage, on which the motions of some go by clocks of their own though nobody is to meet them.

        `begins` says what clocks showed when meetings were said, where that was while it ran.
        """
        if not names and begins == (FROM_THE_BEGINNING if self.plan is None else self.plan.begins):
            return self
        made = Stage.__new__(Stage)
        made.__dict__.update({word: self.__dict__[word] for word in WORDS})
        made._play(with_links({actor.name: actor for actor in self.actors}), names, begins)
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name."""
        return tuple(self.by_name)

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The names of those who take ticks."""
        return tuple(actor.name for actor in self.by_name.values() if actor.mover is not None)

    @cached_property
    def alone(self) -> tuple[str, ...]:
        """The names of those who take ticks each on its own."""
        return tuple(actor.name for actor in self.actors if actor.lone is not None)

    @cached_property
    def turning(self) -> dict[Any, tuple[str, ...]]:
        """Those of each company who face to where they go, by what makes it."""
        forward = {name for name, actor in self.by_name.items() if isinstance(actor.facing, FaceForward)}
        return {
            made: tuple(name for name in company.watches if name in forward) for made, company in self.companies.items()
        }

    @cached_property
    def striding(self) -> SystemKind | None:
        """What makes the only company, if it can take many ticks at once and nobody else takes any; None if not."""
        if len(self.companies) != 1 or self.alone or self.late or any(self.turning.values()) or self.meetings.live:
            return None
        ((kind, company),) = self.companies.items()
        watched = {name for seen in company.watches.values() for name in seen}
        movers = set(self.movers)
        ticking = any(other in movers for name in watched for other, _ in self.steps_to(name))
        return kind if isinstance(company, Strider) and not ticking else None

    @cached_property
    def aiming(self) -> dict[SystemKind, Aiming[Any]]:
        """The companies some of whom race a target."""
        return {
            made: company for made, company in self.companies.items() if isinstance(company, Aiming) and company.racers
        }

    @cached_property
    def keeping(self) -> dict[SystemKind, Keeping[Any]]:
        """The companies some of whom keep appointments."""
        kept = {made: company for made, company in self.companies.items() if isinstance(company, Keeping)}
        return {made: company for made, company in kept.items() if company.strands}

    @property
    def tick(self) -> float:
        """Seconds a tick takes: those of the mover that needs the finest, 1/24 without any."""
        ticks = [
            tick_of(actor.mover, f"actor {actor.name!r}") for actor in self.by_name.values() if actor.mover is not None
        ]
        return min(ticks, default=FILM_TICK)

    @property
    def duration(self) -> float:
        """Seconds from 0 until the last motion that ends has ended; 0 if none does."""
        motions = [actor.motion for actor in self.actors if actor.motion is not None]
        return max([0.0, *(motion.span[1] for motion in motions if motion.outside == "hold")])

    def __getitem__(self, name: str) -> Actor:
        if not isinstance(name, str) or name not in self.by_name:
            said = name if isinstance(name, str) else shown(name)
            raise UnknownNameError(f"Nobody on the stage is named {shown(name)}.{did_you_mean(said, self.names)}")
        actor = self.by_name[name]
        return actor if not isinstance(actor.mover, Timed) else next(one for one in self.actors if one.name == name)

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def at(self, t: ArrayLike) -> dict[str, Pose]:
        """Everybody's pose in the world at time t [s]; an array of times gives as many poses each."""
        asked = moments(t, "A time")
        settle()  # or one instant would differ by a bit from many
        poses = self.instants(asked.reshape(-1)).everybody()
        if asked.ndim == 1:
            return poses
        return {name: _shaped(pose, asked.shape) for name, pose in poses.items()}

    def with_actor(self, actor: Actor) -> "Stage":
        """The stage with one actor said differently, or one more."""
        if not isinstance(actor, Actor):
            raise KeyposeError(f"A stage was to be with {shown(actor)}. Give Actor(name, motion).")
        before = self.by_name.get(actor.name)
        if before is not None and _tied_alike(before, actor):
            return self._with_motion(before, actor)
        return self.changed(actors=list({**{one.name: one for one in self.actors}, actor.name: actor}.values()))

    def changed(self, **changes: Any) -> "Stage":
        """The same stage with some things said differently, as `gravity=(0, -9.81, 0)`."""
        for word in changes:
            if word not in WORDS:
                raise KeyposeError(f"A stage has no {word!r}.{did_you_mean(word, WORDS)}")
        made = Stage(**{word: getattr(self, word) for word in WORDS} | changes)
        made.share(self, moved_between(self, made))
        return made

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stage):
            return NotImplemented
        said = (self.by_name, self.fields, self.gravity, self.style, self.connections, self.script or None)
        return said == (
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
        pushes = f", fields={dict(self.fields)!r}" if self.fields else ""
        pull = f", gravity={self.gravity}" if any(self.gravity) else ""
        held = f", connections={list(self.connections)!r}" if self.connections else ""
        met = f", script={self.script!r}" if self.script else ""
        style = f", style={self.style!r}" if self.style != SceneStyle() else ""
        return f"Stage({list(self.actors)!r}{pushes}{held}{met}{pull}{style})"

    def __setattr__(self, word: str, value: object) -> None:
        raise FrozenInstanceError(f"A stage cannot be given another {word!r}: make a new stage.")

    def __delattr__(self, word: str) -> None:
        raise FrozenInstanceError(f"A stage cannot lose its {word!r}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _said_again, ({word: getattr(self, word) for word in WORDS} | {"fields": dict(self.fields)},)

    # ---- inside ------------------------------------------------------------------------------------------------------

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """Those that can be asked together."""
        return self.batches_of(self.by_name)

    def batches_of(self, names: Iterable[str]) -> tuple[Batch, ...]:
        """Those of some actors that can be asked together."""
        actors = [self.by_name[name] for name in names]
        forward = {actor.name: actor.facing for actor in actors if isinstance(actor.facing, FaceForward)}
        return batches(((actor.name, actor.motion) for actor in actors if actor.motion is not None), forward)

    @cached_property
    def levels(self) -> list[list[Step]]:
        """The steps to everybody's pose; those of one level need only those of the levels before."""
        return levels(self.by_name, self.steps, self.late)

    @cached_property
    def meetings(self) -> Meetings:
        """Those whose keys are carried by others."""
        return Meetings(self)

    @cached_property
    def watches(self) -> dict[str, tuple[str, ...]]:
        """Whom each mover looks at."""
        alone = {name: watched_by(self.by_name[name].mover, f"Actor {name!r}") for name in self.alone}
        return alone | {name: seen for company in self.companies.values() for name, seen in company.watches.items()}

    @cached_property
    def seen(self) -> tuple[tuple[Batch, ...], list[list[Step]]]:
        """What to work out at each tick for the movers: whom they watch, what they stand on, what they read late."""
        names = dict.fromkeys(name for watched in self.watches.values() for name in watched)
        together = self.watches.keys() - set(self.alone)
        under = (self.by_name[name].parent for name, watched in self.watches.items() if watched or name in together)
        names |= dict.fromkeys(name for name in under if name is not None)
        names |= dict.fromkeys(name for name, _ in self.late.values())
        steps = steps_for(self.by_name, names, self.late)
        there = dict.fromkeys(name for name, _ in steps)
        return self.batches_of(there), levels(self.by_name, steps, self.late)

    def share(self, other: "Stage", moved: frozenset[str]) -> None:
        """Take over what another stage has worked out already, wherever nobody who `moved` differently matters."""
        self.meetings.share(other.meetings, moved)
        if "batches" in other.__dict__ and not moved:
            self.__dict__.setdefault("batches", other.batches)

    def _with_motion(self, before: Actor, actor: Actor) -> "Stage":
        """The stage with an actor that only moves or looks otherwise: who depends on whom stays, and is shared."""
        with At("actors", self.names.index(actor.name)):
            check_motion(actor)
        made, by_name = Stage.__new__(Stage), {**self.by_name, actor.name: actor}
        known = {word: self.__dict__[word] for word in OF_TIES if word in self.__dict__}
        actors = tuple(actor if one.name == actor.name else one for one in self.actors)
        made.__dict__.update(known, actors=actors, by_name=by_name)
        made.__dict__["meetings"] = self.meetings.on(made)
        made.meetings.check(actor.name)
        if "batches" in self.__dict__ or self.meetings.has_met:  # else there is nothing to take over, and none compared
            made.share(self, frozenset() if _move_alike(before, actor) else frozenset({actor.name}))
        return made

    def instants(self, t: Floats, story: Callable[[str], Story] | None = None) -> Instants:
        """The cast at times (n,); `story(name)` says which keys were passed by when, if that is not the stage's own."""
        return Instants(self, t, self._no_ticks, self.meetings.story if story is None else story)

    def steps_to(self, name: str) -> Sequence[Step]:
        """What to work out, in order, to know one actor's pose."""
        closures: dict[str, Sequence[Step]] = self.__dict__["_closures"]
        if name not in closures:
            closures[name] = steps_for(self.by_name, [name], self.late)
        return closures[name]

    def _no_ticks(self, name: str) -> NoReturn:
        raise KeyposeError(
            f"Actor {name!r} takes ticks, so the stage cannot be asked for single moments. "
            "Shoot it and ask the take, or run it."
        )


def moved_between(one: Stage, two: Stage) -> frozenset[str]:
    """Who is on one of two stages only, or moves differently on them; how they look does not matter."""
    names = one.by_name.keys() | two.by_name.keys()
    return frozenset(name for name in names if not _move_alike(one.by_name.get(name), two.by_name.get(name)))


def _move_alike(one: Actor | None, two: Actor | None) -> bool:
    if one is two or one is None or two is None:
        return one is two
    return move_alike(one, two)


def _tied_alike(one: Actor, two: Actor) -> bool:
    """Whether an actor still depends on the same others, in the same ways."""
    ties = (one.parent, one.facing, one.carriers, one.body) == (two.parent, two.facing, two.carriers, two.body)
    return ties and one.mover is two.mover


def _shaped(pose: Pose, shape: tuple[int, ...]) -> Pose:
    """Poses of many instants (n, …) laid out as the times were asked."""
    return Pose(pose.position.reshape(shape + pose.position.shape[1:]), pose.orientation.reshape(*shape, 4))


def _said_again(said: Mapping[str, Any]) -> Stage:  # what was said; the rest is derived again
    return Stage(**said)
