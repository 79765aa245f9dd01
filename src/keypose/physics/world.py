"""How do all bodies of a stage move together? Step by step: targets race on, bodies are pulled, and bump into things.

The state is a value: what MuJoCo needs to go on with the same bits, what is remembered of each follower, and what was
told. An engine is kept for each thread, as it was left: one that is asked to go on from another state is put there.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.motion.company import Outlook, Surroundings
from keypose.motion.pose import Pose
from keypose.motion.take import Event
from keypose.physics.actuator import turn_away
from keypose.physics.bouncing import HARDNESS
from keypose.physics.hits import SOFTEST, Told, blocked, hit
from keypose.physics.movers import TICK, Follow, Free, Still, Weighty
from keypose.physics.racing import ANCHOR, ANCHOR_U, IS_TOLD, RUNAWAY, SINCE, Race, U
from keypose.physics.shapes import Box, Capsule, Mesh, Shape, Sphere

if TYPE_CHECKING:
    from keypose.physics.engine import Engine, Solid

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEEP = 0.25  # of the smallest body: who would go deeper into another is looked at again in smaller steps
SHALLOW, CALM = 0.1, 25  # of that: when all contacts are no deeper for so many ticks, steps are as long as before
MESHES_ARE = 0.05  # [m]: half of how wide a mesh is taken to be where it is narrowest
FINEST = 3  # how often a step is halved at most
STUCK = "stuck"
WAITED = -2  # what `kernels.race` answers if somebody has waited for long enough to be told of


@dataclass(frozen=True, eq=False)
class Going:
    """All bodies at one tick."""

    simulated: Floats
    """What the engine needs to go on."""
    place: Floats
    """(moving, 7)"""
    memory: Floats
    """What is remembered of each follower, see `racing`."""
    touching: Ints
    """Pairs of those who touch, as numbers."""
    told: Told
    halved: tuple[int, int]
    """How often a step is halved now, and for how many ticks it need not have been."""


@dataclass(frozen=True, eq=False)
class Touching:
    """Who touches whom at one tick, and who did not before."""

    key: bytes
    """The same as long as the same touch."""
    pairs: Ints
    places: Floats
    codes: Ints
    """A number for each pair, in order."""
    new: Ints
    """Contacts of those who have just met."""
    speeds: Floats
    """How fast they came together [m/s]."""

    @classmethod
    def of(cls, engine: "Engine", before: Ints, going: Floats) -> "Touching":
        """As the engine sees it, where some touched before and bodies went so."""
        from keypose.physics import kernels

        pairs, places, normals = engine.touching()
        met = kernels.met(pairs, places, normals, before, len(engine.solids), engine.place, going)
        return cls(engine.contacts, pairs, places, *met)


class Bodies:
    """The company of all bodies on a stage."""

    def __init__(self, members: Mapping[str, Weighty], said: Surroundings) -> None:
        for name in members:
            if name in said.standing:
                raise KeyposeError(
                    f"Actor {name!r} has a body and a parent. Bodies are in the world: leave the parent out."
                )
        self.members = members
        self._said = said
        self._driven = tuple(said.bodies)
        self._moving = [name for name, member in members.items() if not isinstance(member, Still)]
        self._order = (*self._moving, *self._driven)
        """The moving bodies, as the engine counts them."""
        self._row = {name: row for row, name in enumerate(self._order)}
        followers = {name: member for name, member in members.items() if isinstance(member, Follow)}
        pull = float(np.linalg.norm(said.gravity))
        self._race = Race.of(followers, [self._row[name] for name in followers], pull)
        self._still = {
            name: Pose.of(np.array(member.position), member.orientation.wxyz)
            for name, member in members.items()
            if isinstance(member, Still)
        }
        self._deepest = DEEP * min((_smallest(members[name].body.shape) for name in self._moving), default=np.inf)
        self._local = threading.local()

    # ---- a company ---------------------------------------------------------------------------------------------------

    @property
    def watches(self) -> Mapping[str, tuple[str, ...]]:
        """Everybody looks at those whom motions move, and who have bodies."""
        return dict.fromkeys(self.members, self._driven)

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return {name: self._first(member) for name, member in self.members.items()}

    def begin(self, outlook: Outlook) -> Going:
        """Everybody at the first moment."""
        engine = self._engine(outlook)
        for row, name in enumerate(self._order):
            self._put(engine, row, name, outlook)
        return self._begun(engine, self._race.begun(), Told())

    def gone_on(self, outlook: Outlook, before: "Bodies", state: Going) -> Going:
        """Who was there goes on as it was; who is new begins."""
        engine, memory = self._engine(outlook), self._race.begun()
        old = before._engine(outlook)
        before._be_at(old, state)
        for row, name in enumerate(self._order):
            there = before._row.get(name)
            if there is None or name in self._driven:
                self._put(engine, row, name, outlook)
            else:
                engine.place[row], engine.going[row] = old.place[there], old.going[there]
        known = {name: row for row, name in enumerate(before._race.names)}
        for row, name in enumerate(self._race.names):
            if name in known:
                memory[row] = self._race.gone_on(row, state.memory[known[name]])
        return self._begun(engine, memory, state.told)

    def step(self, state: Going, outlook: Outlook, dt: float) -> Going:
        """Everybody one tick later."""
        return self.strode(state, outlook, np.array([outlook.time, outlook.time + dt]), dt)

    def strode(self, state: Going, outlook: Outlook, times: Floats, dt: float) -> Going:
        """Everybody at the last of these times, from the first on, in ticks of `dt` seconds: as by as many steps."""
        engine = self._engine(outlook)
        self._be_at(engine, state)
        on_the_way = self._driven_at(outlook, times[:-1])
        memory, told, touching, (halved, calm) = state.memory.copy(), state.told, state.touching, state.halved
        seen, known, going = Touching.of(engine, touching, engine.going), memory.copy(), engine.going.copy()
        for number, time in enumerate((times[:-1] + dt).tolist()):
            engine.remember()
            known[:], going[:] = memory, engine.going
            waits = self._tick(engine, memory, on_the_way[number], time, dt, halved)
            if engine.contacts != seen.key:
                seen = Touching.of(engine, touching, going)
                finer = self._finer(seen)
                if finer > halved:  # before they met, or the harder contact would throw them back harder
                    halved, calm = finer, 0
                    engine.bring_back()
                    memory[:] = known
                    waits = self._tick(engine, memory, on_the_way[number], time, dt, halved)
                    seen = Touching.of(engine, touching, going)
                told = told.and_(self._hits(engine, seen, time))
                touching = seen.codes
            if halved:
                calm = 0 if engine.depth > SHALLOW * self._deepest else calm + 1
                halved = 0 if calm > CALM else halved
            if waits:
                told = told.and_(self._stuck(engine, memory, time, seen))
        if not engine.is_finite:
            raise self._lost(engine, float(times[-1]))
        return self._left(engine, memory, touching, told, (halved, calm))

    def poses(self, state: Going) -> Mapping[str, Pose]:
        """Where everybody is."""
        return Posed(state.place, self._row, self._still, self.members)

    def between(self, before: Going, after: Going, share: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        place = before.place + share * (after.place - before.place)
        place[:, 3:] = quaternion.slerp(before.place[:, 3:], after.place[:, 3:], np.full(len(place), share))
        return Posed(place, self._row, self._still, self.members)

    def filmed(self, frames: Sequence[Mapping[str, Pose]]) -> dict[str, Pose]:
        """Where everybody is in each of some frames, which `poses` or `between` gave."""
        places = np.stack([frame.place for frame in frames if isinstance(frame, Posed)])
        found = {name: Pose(places[:, row, :3], places[:, row, 3:]) for name, row in self._row.items()}
        for name, pose in self._still.items():
            found[name] = Pose(*(np.tile(values, (len(frames), 1)) for values in (pose.position, pose.orientation)))
        return {name: found[name] for name in self.members}

    def events(self, state: Going) -> tuple[Event, ...]:
        """Who bumped into whom, and who was stuck."""
        return state.told.all

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _engine(self, outlook: Outlook) -> "Engine":
        """The engine of the thread that asks."""
        if not hasattr(self._local, "engine"):
            from keypose.physics.engine import Engine

            self._local.engine = Engine(self._solids(outlook), self._said.gravity, TICK)
            self._local.now = None
        engine: Engine = self._local.engine
        return engine

    def _solids(self, outlook: Outlook) -> "list[Solid]":
        from keypose.physics.engine import Solid

        moving = [(name, self.members[name].body, self._first(self.members[name]), False) for name in self._moving]
        driven = [(name, self._said.bodies[name], outlook.pose(name), True) for name in self._driven]
        still = [
            Solid(name, self.members[name].body, tuple(pose.position), tuple(pose.orientation), moves=False)
            for name, pose in self._still.items()
        ]
        return [
            *(
                Solid(name, body, tuple(pose.position), tuple(pose.orientation), is_driven=is_driven)
                for name, body, pose, is_driven in (*moving, *driven)
            ),
            *still,
        ]

    def _first(self, member: Weighty) -> Pose:
        """Where one begins."""
        if isinstance(member, Follow):
            place = np.asarray(member.path.at(0.0))
            place = place if len(place) == 3 else np.append(place, 0.0)
            return Pose.of(place, np.asarray(member.path.orientation_at(0.0)))
        return Pose.of(np.array(member.position), member.orientation.wxyz)

    def _put(self, engine: "Engine", row: int, name: str, outlook: Outlook) -> None:
        """Put a moving body where it begins."""
        pose = outlook.pose(name) if name in self._driven else self._first(self.members[name])
        engine.place[row, :3], engine.place[row, 3:] = pose.position, pose.orientation
        engine.going[row] = 0.0
        member = self.members.get(name)
        if isinstance(member, Free):
            back = quaternion.conjugate(pose.orientation)
            engine.going[row, :3] = member.velocity
            engine.going[row, 3:] = quaternion.rotate(back, np.radians(member.spin))

    def _driven_at(self, outlook: Outlook, times: Floats) -> list[list[Pose]]:
        """Where those are whom motions move, at each of some ticks."""
        if len(times) == 1 or not self._driven:
            return [[outlook.pose(name) for name in self._driven]] * len(times)
        found = [outlook.past(name, times) for name in self._driven]
        return [[pose[number] for pose in found if pose is not None] for number in range(len(times))]

    def _tick(
        self, engine: "Engine", memory: Floats, driven: Sequence[Pose], time: float, dt: float, halved: int
    ) -> bool:
        """One tick until `time`, in steps that are so often halved; whether somebody has waited for too long."""
        parts, waits = max(1, round(dt / TICK)) << halved, False
        engine.take(dt / parts)  # always before the first part, or a run that was rewound would see other contacts
        if driven:
            self._drive(engine, driven, dt)
        for _ in range(parts):
            answer = self._pull(engine, memory, dt / parts)
            if answer >= 0:
                raise self._lost(engine, time - dt)
            waits |= answer == WAITED
            engine.advance()
        return waits

    def _finer(self, seen: Touching) -> int:
        """How often a step is to be halved so that those who have just met do not go deep into each other."""
        depth = seen.speeds.max(initial=0.0) * TICK / HARDNESS
        return min(FINEST, ceil(log2(depth / self._deepest))) if depth > self._deepest else 0

    def _drive(self, engine: "Engine", driven: Sequence[Pose], dt: float) -> None:
        """Let those whom motions move go on to where they are now, as fast as that takes."""
        for row, pose in enumerate(driven, len(self._moving)):
            place = engine.place[row]
            engine.going[row, :3] = (pose.position - place[:3]) / dt
            spin = turn_away(place[3:], pose.orientation) / dt
            engine.going[row, 3:] = quaternion.rotate(quaternion.conjugate(place[3:]), spin)
        engine.look()

    def _pull(self, engine: "Engine", memory: Floats, step: float) -> int:
        """Let all targets race on, and pull their bodies; what `kernels.race` answers."""
        known: tuple[Callable[..., int], tuple[Any, ...]] | None = self._local.__dict__.get("raced")
        if known is None:
            from keypose.physics.kernels import race

            bodies = engine.place, engine.going, engine.mass, engine.inertia, engine.axes
            known = self._local.raced = (race, (*self._race.arrays, *bodies))
        loop, arrays = known
        return loop(*arrays, step, memory, engine.force)

    def _lost(self, engine: "Engine", time: float) -> KeyposeError:
        """Whose body is lost. The state before stays as it was."""
        with np.errstate(all="ignore"):
            size = np.abs(np.concatenate([engine.place, engine.going], axis=1)).max(axis=1, initial=0.0)
        name = self._order[int(np.argmax(~(size <= RUNAWAY)))]
        return KeyposeError(
            f"The body of {name!r} is lost at {time:g} s: it is too fast, too far away or nowhere at all. "
            "Look for bodies that begin in each other, masses that differ too much, or take a shorter tick."
        )

    def _hits(self, engine: "Engine", seen: Touching, time: float) -> list[Event]:
        """Those who have just met, and not only touched."""
        told: list[Event] = []
        for number in np.flatnonzero(seen.speeds >= SOFTEST):
            contact = seen.new[number]
            one, two = sorted(seen.pairs[contact].tolist())
            x, y, z = seen.places[contact].tolist()
            names = engine.solids[one].name, engine.solids[two].name
            told.append(hit(time, *names, (x, y, z), float(seen.speeds[number])))
        return told

    def _stuck(self, engine: "Engine", memory: Floats, time: float, seen: Touching) -> list[Event]:
        """Those who neither move nor see their target move, though it has not arrived; each is told of once."""
        told = []
        for number in np.flatnonzero((memory[:, SINCE] >= self._race.patience) & (memory[:, IS_TOLD] == 0.0)):
            memory[number, IS_TOLD] = 1.0
            row, pushes = int(self._race.rows[number]), engine.pushes()
            blocking: dict[str, float] = {}
            for (one, two), push in zip(seen.pairs.tolist(), pushes.tolist(), strict=True):
                if row in (one, two):
                    other = engine.solids[two if one == row else one].name
                    blocking[other] = blocking.get(other, 0.0) + push
            told.append(Event(time, self._race.names[number], blocked(blocking), "warning", STUCK))
        return told

    def _be_at(self, engine: "Engine", state: Going) -> None:
        if getattr(self._local, "now", None) is not state.simulated:
            engine.restore(state.simulated)
        self._local.now = None  # until it has got somewhere else

    def _begun(self, engine: "Engine", memory: Floats, told: Told) -> Going:
        engine.look()
        memory[:, ANCHOR : ANCHOR + 3], memory[:, ANCHOR_U] = engine.place[self._race.rows, :3], memory[:, U]
        nobody = np.empty(0, np.int64)
        return self._left(engine, memory, Touching.of(engine, nobody, engine.going).codes, told, (0, 0))

    def _left(self, engine: "Engine", memory: Floats, touching: Ints, told: Told, halved: tuple[int, int]) -> Going:
        """The state it is in now."""
        arrays = engine.state(), engine.place.copy(), memory.copy(), touching.copy()
        for array in arrays:
            array.flags.writeable = False
        self._local.now = arrays[0]
        return Going(*arrays, told, halved)


class Posed(Mapping[str, Pose]):
    """Where bodies are, made when asked for."""

    def __init__(
        self, place: Floats, row: Mapping[str, int], still: Mapping[str, Pose], members: Mapping[str, Weighty]
    ) -> None:
        self.place, self._row, self._still, self._members = place, row, still, members

    def __getitem__(self, name: str) -> Pose:
        if name in self._still:
            return self._still[name]
        here = self.place[self._row[name]]
        return Pose.of(here[:3], here[3:])

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


def _smallest(shape: Shape) -> float:
    """Half of how wide a body is where it is narrowest [m]."""
    match shape:
        case Sphere(radius) | Capsule(radius, _):
            return radius
        case Box(size):
            return min(size) / 2
        case Mesh():
            return MESHES_ARE
    return np.inf
