"""How do all bodies of a stage move together? Step by step: targets race on, bodies are pulled, and bump into things.

The state is a value: what MuJoCo needs to go on with the same bits, what is remembered of each follower, and what was
told. An engine is kept for each thread, as it was left: one that is asked to go on from another state is put there.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.motion.company import Outlook, Surroundings
from keypose.motion.hierarchy import between as straight
from keypose.motion.pose import Pose
from keypose.motion.take import Event
from keypose.physics.actuator import turn_away
from keypose.physics.hits import SOFTEST, hit
from keypose.physics.movers import TICK, Follow, Free, Still, Weighty
from keypose.physics.racing import ANCHOR, ANCHOR_U, SINCE, U, Race
from keypose.physics.shapes import Box, Capsule, Mesh, Shape, Sphere

if TYPE_CHECKING:
    from keypose.physics.engine import Engine, Solid

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEEP = 0.25  # of the smallest body: deeper contacts are gone through again in half the step
FINEST = 8  # parts of a step at most
PATIENCE = 0.75  # [s] without a move before somebody is stuck
MOVED = 0.02  # of how far its target keeps ahead: what counts as a move
RUNAWAY = 1e6  # [m], [m/s]: whoever is faster or farther is lost
STUCK = "stuck"


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
    told: tuple[Event, ...]


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
        return self._begun(engine, self._race.begun(), ())

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
                memory[row] = state.memory[known[name]]
                memory[row, U] = min(memory[row, U], self._race.segments[row, 1])
        return self._begun(engine, memory, state.told)

    def step(self, state: Going, outlook: Outlook, dt: float) -> Going:
        """Everybody one tick later."""
        engine = self._engine(outlook)
        parts = max(1, round(dt / TICK))
        memory, told = state.memory, list(state.told)
        while True:
            self._be_at(engine, state)
            memory = state.memory.copy()
            deepest = 0.0
            self._drive(engine, outlook, dt)
            for _ in range(parts):
                self._pull(engine, memory, dt / parts)
                engine.advance(dt / parts)
                deepest = max(deepest, engine.depth)
            self._check(engine, outlook.time + dt)
            if deepest <= self._deepest or parts >= FINEST * max(1, round(dt / TICK)):
                break
            parts *= 2
            self._local.now = None
        pairs, places, normals = engine.touching()
        codes, first = np.unique(pairs[:, 0] * len(engine.solids) + pairs[:, 1], return_index=True)
        for number in first[~np.isin(codes, state.touching)]:
            event = self._hit(engine, outlook.time + dt, pairs[number], places[number], normals[number])
            if event is not None:
                told.append(event)
        told += self._stuck(engine, memory, outlook.time + dt, dt, pairs)
        return self._left(engine, memory, codes, tuple(told))

    def poses(self, state: Going) -> Mapping[str, Pose]:
        """Where everybody is."""
        return Posed(state.place, self._row, self._still, self.members)

    def between(self, before: Going, after: Going, share: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        one, two = self.poses(before), self.poses(after)
        return {name: straight(one[name], two[name], share) for name in self.members}

    def events(self, state: Going) -> tuple[Event, ...]:
        """Who bumped into whom, and who was stuck."""
        return state.told

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _engine(self, outlook: Outlook) -> "Engine":
        """This thread's engine."""
        known: Engine | None = getattr(self._local, "engine", None)
        if known is None:
            from keypose.physics.engine import Engine

            known = self._local.engine = Engine(self._solids(outlook), self._said.gravity, TICK)
            self._local.now = None
        return known

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

    def _drive(self, engine: "Engine", outlook: Outlook, dt: float) -> None:
        """Let those whom motions move go on to where they are now, as fast as that takes."""
        for row, name in enumerate(self._driven, len(self._moving)):
            pose, place = outlook.pose(name), engine.place[row]
            back = quaternion.conjugate(place[3:])
            engine.going[row, :3] = (pose.position - place[:3]) / dt
            engine.going[row, 3:] = quaternion.rotate(back, turn_away(place[3:], pose.orientation) / dt)

    def _pull(self, engine: "Engine", memory: Floats, step: float) -> None:
        """Let all targets race on, and pull their bodies."""
        if not len(memory):
            return
        from keypose.physics import kernels

        race = self._race
        kernels.race(
            race.rows,
            race.pull,
            race.reach,
            race.lasting,
            race.segments,
            race.closed,
            race.cubics,
            race.facings,
            engine.place,
            engine.going,
            engine.mass,
            engine.inertia,
            engine.axes,
            step,
            memory,
            engine.force,
        )

    def _check(self, engine: "Engine", time: float) -> None:
        """Stop where a body is lost; the state before stays as it was."""
        with np.errstate(all="ignore"):
            size = np.abs(np.concatenate([engine.place, engine.going], axis=1)).max(axis=1, initial=0.0)
        if (size <= RUNAWAY).all():
            return
        self._local.now = None
        name = self._order[int(np.argmax(~(size <= RUNAWAY)))]
        raise KeyposeError(
            f"The body of {name!r} is lost at {time:g} s: it is too fast, too far away or nowhere at all. "
            "Look for bodies that begin in each other, masses that differ too much, or take a shorter tick."
        )

    def _hit(self, engine: "Engine", time: float, pair: Ints, place: Floats, normal: Floats) -> Event | None:
        """What is told of two who have just met; nothing if they only touch."""
        one, two = (int(number) for number in pair)
        speed = float((self._speed_at(engine, one, place) - self._speed_at(engine, two, place)) @ normal)
        if speed < SOFTEST:
            return None
        names = engine.solids[one].name, engine.solids[two].name
        x, y, z = place.tolist()
        return hit(time, *names, (x, y, z), speed)

    def _speed_at(self, engine: "Engine", solid: int, place: Floats) -> Floats:
        """How a point of a body moves [m/s]."""
        if solid >= len(self._order):
            return np.zeros(3)
        here, going = engine.place[solid], engine.going[solid]
        spin = quaternion.rotate(here[3:], going[3:])
        return np.asarray(going[:3] + np.cross(spin, place - here[:3]))

    def _stuck(self, engine: "Engine", memory: Floats, time: float, dt: float, pairs: Ints) -> list[Event]:
        """Who neither moves nor sees its target move, though it has not arrived."""
        if not len(memory):
            return []
        race = self._race
        place, near = engine.place[race.rows, :3], MOVED * race.reach[:, 0]
        moved = np.abs(place - memory[:, ANCHOR : ANCHOR + 3]).max(axis=1) > near
        going = (memory[:, U] > memory[:, ANCHOR_U]) & moved | (memory[:, U] - memory[:, ANCHOR_U] > MOVED)
        arrived = ~race.closed & (memory[:, U] >= race.segments[:, 1])
        free = moved | going | arrived
        memory[free, ANCHOR : ANCHOR + 3], memory[free, ANCHOR_U], memory[free, SINCE] = place[free], memory[free, U], 0.0
        memory[~free, SINCE] += dt
        since = memory[:, SINCE]
        told = []
        for number in np.flatnonzero((since >= PATIENCE) & (since - dt < PATIENCE)):
            told.append(self._blocked(engine, race.names[number], int(race.rows[number]), time, pairs))
        return told

    def _blocked(self, engine: "Engine", name: str, row: int, time: float, pairs: Ints) -> Event:
        """Who stands in somebody's way, and how strongly."""
        pushes = engine.pushes()
        blocking: dict[str, float] = {}
        for (one, two), push in zip(pairs.tolist(), pushes, strict=True):
            if row in (one, two):
                other = engine.solids[two if one == row else one].name
                blocking[other] = blocking.get(other, 0.0) + float(push)
        if blocking:
            who = " and ".join(f"{other!r} ({push:.3g} N)" for other, push in blocking.items())
            text = f"Is stuck: {who} in its way."
        else:
            text = "Is stuck, and nothing touches it: what pulls it off its path is too strong. Let it be more eager."
        return Event(time, name, text, "warning", STUCK)

    def _be_at(self, engine: "Engine", state: Going) -> None:
        if getattr(self._local, "now", None) is not state.simulated:
            engine.restore(state.simulated)
        self._local.now = None  # until it has got somewhere else

    def _begun(self, engine: "Engine", memory: Floats, told: tuple[Event, ...]) -> Going:
        engine.look()
        for row, follower in enumerate(self._race.rows):
            memory[row, ANCHOR : ANCHOR + 3], memory[row, ANCHOR_U] = engine.place[follower, :3], memory[row, U]
        pairs, _, _ = engine.touching()
        return self._left(engine, memory, np.unique(pairs[:, 0] * len(engine.solids) + pairs[:, 1]), told)

    def _left(self, engine: "Engine", memory: Floats, touching: Ints, told: tuple[Event, ...]) -> Going:
        """The state it is in now."""
        arrays = engine.state(), engine.place.copy(), memory, touching
        for array in arrays:
            array.flags.writeable = False
        self._local.now = arrays[0]
        return Going(*arrays, told)


class Posed(Mapping[str, Pose]):
    """Where bodies are, made when asked for."""

    def __init__(
        self, place: Floats, row: Mapping[str, int], still: Mapping[str, Pose], members: Mapping[str, Weighty]
    ) -> None:
        self._place, self._row, self._still, self._members = place, row, still, members

    def __getitem__(self, name: str) -> Pose:
        if name in self._still:
            return self._still[name]
        here = self._place[self._row[name]]
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
            return 0.05
    return np.inf
