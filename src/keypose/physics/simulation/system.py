"""How do all bodies of a stage move together? Step by step: targets race on, bodies are pulled, and bump into things.

Who begins is put where it begins; then it is stepped, with steps that are halved where somebody is too fast for them.
What simulates all of it, and how a state is left for good and taken up again, is in `simulated`.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import settle
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Played
from keypose.motion.system import Outlook, Surroundings
from keypose.motion.take import Event
from keypose.physics.diagnostics.blocked import in_the_way, stuck
from keypose.physics.diagnostics.collisions import Told, Touching
from keypose.physics.diagnostics.detached_joints import left_apart
from keypose.physics.diagnostics.penetration import begun, doubts, sank
from keypose.physics.diagnostics.strength import too_weak
from keypose.physics.engine.contact_model import renumbered
from keypose.physics.engine.joint_specs import reaches
from keypose.physics.engine.kinematic_bodies import drive, jumps
from keypose.physics.engine.substeps import DEEP, calmed, finer, hasty
from keypose.physics.following.follower_arrays import ANCHOR, ANCHOR_U, FACED, Race, U
from keypose.physics.relative.key_carriers import Sought
from keypose.physics.relative.relative_keys import Carried
from keypose.physics.relative.relative_path_cache import Carriers
from keypose.physics.simulation.engine_pool import Simulated
from keypose.physics.simulation.field_forces import Feeling
from keypose.physics.simulation.initial_poses import opening, openings
from keypose.physics.simulation.state import Going
from keypose.physics.sync.body_progress import Blocking, Pacing
from keypose.physics.values.connections import Reach
from keypose.physics.values.figure import Limb, Weighty, is_held
from keypose.physics.values.movers import TICK, Follow, Free
from keypose.physics.values.soft_surface import Skins

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


NOWHERE = Pose.of(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
WAITED = -2  # what `kernels.race` answers if somebody has waited for long enough to be told of


class Bodies(Simulated):
    """The company of all bodies on a stage."""

    def __init__(self, members: Mapping[str, Weighty], said: Surroundings) -> None:
        settle()  # or a stage that is built first would differ by a bit from the same one, built again
        for name in members:
            if name in said.standing:
                raise KeyposeError(
                    f"Actor {name!r} has a body and a parent. Bodies are in the world: leave the parent out."
                )
        self.members = members
        self._said = said
        self._driven = tuple(said.bodies)
        self._skins = Skins(members)
        self._moving = [name for name, one in members.items() if not is_held(one) and name not in self._skins.parts]
        self._order = (*self._moving, *self._driven)
        """The moving bodies, as the engine counts them."""
        self._row = {name: row for row, name in enumerate(self._order)}
        self._reaches = reaches(said.connections, members)
        self._hung = [self._row[name] for name in self._reaches]
        followers: dict[str, Follow | Reach] = {
            name: member for name, member in members.items() if isinstance(member, Follow)
        }
        followers |= self._reaches
        pull = float(np.linalg.norm(said.gravity))
        self._race = Race.of(followers, [self._row[name] for name in followers], pull)
        self._still = {name: opening(member, {}) for name, member in members.items() if is_held(member)}
        self._carried = Carried.of(followers, self._race)
        self._sought = Sought(self._carried, self._race, members)
        outside = (name for name in self._carried.names if name not in self._row and name not in members)
        self._watched = (*self._driven, *outside)
        """Those whom others move: first who has a body, then who only carries keys."""
        self._carriers = Carriers(self._carried.names, self._row, self._still, self._watched)
        if self._carried:
            openings(members, self._still, lambda _: NOWHERE)  # or nobody could tell where to begin
        self._feeling = Feeling.of(members, self._moving, self._still, said)
        self._plan = said.script if said.script is not None and said.script.races else None
        self._pacing = None if self._plan is None else Pacing.of(self._plan, self._race)
        self._timed: Mapping[str, Played] = {} if self._plan is None else self._plan.timed
        sensing = {} if self._feeling is None else self._feeling.sensing.watches
        self.watches = {name: (*self._watched, *sensing.get(name, ())) for name in members}
        self.watches |= dict.fromkeys(self._timed, ())
        """Everybody looks at those whom motions move, with bodies or carried keys, and of whom its fields speak."""
        self._local = threading.local()

    # ---- a company ---------------------------------------------------------------------------------------------------

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody begins who begins in the world, or relative to somebody who does."""
        return self._openings

    def begin(self, outlook: Outlook) -> Going:
        """Everybody at the first moment."""
        engine, first = self._engine(outlook), self._first(outlook.pose)
        self._local.now = None  # until it is somewhere
        engine.begin()
        for row, name in enumerate(self._order):
            self._put(engine, row, name, first[name] if name in first else outlook.pose(name))
        engine.look()
        frames = self._carried.begun(self._carriers.poses(engine.place, self._seen_at(outlook, np.zeros(1))[0]))
        felt = None if self._feeling is None else self._feeling.begun(engine, outlook)
        told = Told().and_(doubts(engine, self._moving, self.members.keys(), outlook.time))
        engine.sinking = begun(engine, self.members.keys())
        kept = None if self._plan is None else self._plan.begun(outlook.time, outlook.kept)
        return self._begun(engine, outlook.time, self._race.begun(), frames, told, felt, kept)

    def gone_on(self, outlook: Outlook, before: "Bodies", state: Going) -> Going:
        """Who was there goes on as it was; who is new begins."""
        old = before._engine(outlook)
        before._be_at(old, state)
        known_driven = (name for name in self._driven if name in before._row)
        jumping = [name for name in known_driven if jumps(old, before._row[name], outlook.pose(name))]
        if before is self:
            return self._unchanged(old, state, jumping, outlook)
        engine, memory = self._engine(outlook), self._race.begun()
        self._local.now = None
        goes_on = {name: before._row[name] for name in self._order if name in before._row and name not in jumping}
        known = {name: Pose.of(old.place[row, :3], old.place[row, 3:]) for name, row in goes_on.items()}
        first = openings(self.members, {**self._still, **known}, outlook.pose)
        engine.begin()
        for row, name in enumerate(self._order):
            if name in goes_on:
                engine.adopt(row, old, goes_on[name])
            else:
                self._put(engine, row, name, first[name] if name in first else outlook.pose(name))
        engine.lingering = renumbered(state.lingering, old.names, engine.names)
        engine.look()
        frames = self._carried.begun(self._carriers.poses(engine.place, self._seen_at(outlook, np.zeros(1))[0]))
        self._carried.gone_on(frames, self._race.names, before._carried, before._race.names, state.frames)
        raced = {name: row for row, name in enumerate(before._race.names)}
        for row, name in enumerate(self._race.names):
            if name in raced:
                is_same = self._led(name) == before._led(name)
                memory[row] = self._race.gone_on(row, before._race, raced[name], state.memory[raced[name]], is_same)
        self._carried.forget(memory)
        feeling = self._feeling
        felt = None if feeling is None else feeling.gone_on(engine, outlook, before._feeling, state.felt)
        new = {name for name in (*self.members, *self._driven) if name not in before._row and name not in before._still}
        told = state.told.and_(doubts(engine, self._moving, new, outlook.time))
        held = before._said.connections, self._said.connections
        told = told.and_(left_apart(old, engine, *held, outlook.time))
        engine.sinking = np.vstack([renumbered(state.sinking, old.names, engine.names), begun(engine, new)])
        kept = None if self._plan is None else self._plan.begun(outlook.time, outlook.kept)
        return self._begun(engine, outlook.time, memory, frames, told, felt, kept, state.halved)

    def _led(self, name: str) -> tuple[Reach | None, Mapping[str, Weighty]]:
        """What leads a limb, and the figure that it is of."""
        whole = name.split("/")[0]
        return self._reaches.get(name), {one: it for one, it in self.members.items() if one.split("/")[0] == whole}

    def _unchanged(self, engine: "Engine", state: Going, jumping: Sequence[str], outlook: Outlook) -> Going:
        """The state where all bodies are the same, and what pushes them; motions may have put some elsewhere."""
        if not jumping:
            self._local.now = state.simulated
            return state
        for name in jumping:
            self._put(engine, self._row[name], name, outlook.pose(name))
        engine.look()
        keeper = None if self._plan is None else self._plan.keeper(state.kept)
        kept = state.memory.copy(), state.frames.copy(), state.touching, state.told, state.halved, state.felt, keeper
        return self._left(engine, outlook.time, *kept)

    def step(self, state: Going, outlook: Outlook, dt: float) -> Going:
        """Everybody one tick later."""
        return self.strode(state, outlook, np.array([outlook.time, outlook.time + dt]), dt)[1]

    def strode(self, state: Going, outlook: Outlook, times: Floats, dt: float) -> tuple[Going, Going]:
        """Everybody at the last two of these times, from the first on, in ticks of `dt` seconds: as by steps."""
        engine = self._engine(outlook)
        self._be_at(engine, state)
        on_the_way = self._seen_at(outlook, times[:-1])
        memory, told, (halved, calm) = state.memory.copy(), state.told, state.halved
        touching = Touching(engine, state.touching)
        frames, carrying = state.frames.copy(), self._carrying()
        if carrying is not None:
            carrying.be_at(frames)
        feeling, felt, push = self._feeling, state.felt, None
        sights = None if feeling is None else feeling.sights(outlook, times[:-1])
        keeper = None if self._plan is None else self._plan.keeper(state.kept)
        known, going = np.empty_like(memory), engine.going.copy()
        deepest = DEEP * float(engine.narrow[: len(self._moving)].min(initial=np.inf))
        hasty_at = hasty(deepest)
        last_but_one = state
        for number, time in enumerate((times[:-1] + dt).tolist()):
            if 0 < number == len(times) - 2:
                left = memory.copy(), frames.copy(), touching.codes, told, (halved, calm), felt, keeper
                last_but_one = self._left(engine, time - dt, *left)
            if carrying is not None:  # once a tick, however often that is halved
                carrying.go_on(self._carriers.poses(engine.place, on_the_way[number]), dt, frames, memory)
            going[:] = engine.going
            if may_halve := touching.haste > hasty_at:
                engine.remember()
                known[:] = memory
            if feeling is not None and sights is not None:
                push, felt = feeling.felt(engine, felt, sights[number], dt)
            asks = keeper is not None and keeper.asks
            waiting, blocking = self._tick(engine, memory, on_the_way[number], push, time, dt, halved, asks)
            news = touching.look(going)
            often = finer(touching.fastest, deepest) if news and may_halve else 0
            if often > halved:  # before they met, or the harder contact would throw them back harder
                halved, calm = often, 0
                engine.bring_back()
                engine.linger()
                memory[:] = known
                waiting, blocking = self._tick(engine, memory, on_the_way[number], push, time, dt, halved, asks)
                news = touching.look(going)
            if news:
                told = told.and_(touching.hits(time))
            touching.keep()
            if len(engine.lingering):
                engine.let_go()
            if halved:
                halved, calm = calmed(halved, calm, engine.depth, deepest)
            told = told.and_(waiting).and_(sank(engine, time, dt))
            if keeper is not None and self._pacing is not None:
                self._pacing.keep(keeper, self._raced, memory, engine.place, time, dt, blocking, told)
        last = self._left(engine, float(times[-1]), memory, frames, touching.codes, told, (halved, calm), felt, keeper)
        return last_but_one, last

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _put(self, engine: "Engine", row: int, name: str, pose: Pose) -> None:
        """Put a moving body where it begins."""
        member = self.members.get(name)
        if isinstance(member, Limb):
            return
        velocity = spin = np.zeros(3)
        if isinstance(member, Free):
            velocity = np.array(member.velocity)
            spin = quaternion.rotate(quaternion.conjugate(pose.orientation), np.radians(member.spin))
        engine.put(row, pose.position, pose.orientation, velocity, spin)

    def _seen_at(self, outlook: Outlook, times: Floats) -> Floats:
        """Where those are whom others move, at each of some ticks: (times, watched, 7)."""
        found = np.empty((len(times), len(self._watched), 7))
        for number, name in enumerate(self._watched):
            pose = outlook.pose(name) if len(times) == 1 else outlook.past(name, times)
            assert pose is not None, "only where nobody else takes ticks many are taken at once"
            found[:, number, :3], found[:, number, 3:] = pose.position, pose.orientation
        return found

    def _tick(
        self,
        engine: "Engine",
        memory: Floats,
        seen: Floats,
        push: Floats | None,
        time: float,
        dt: float,
        halved: int,
        asks: bool,
    ) -> tuple[Sequence[Event], Blocking]:
        """One tick until `time`, in steps that are so often halved; what is told of those who have waited too long.

        And what was in whose way, where somebody asks for that.
        """
        waiting: list[Event] = []
        blocking: Blocking = {}
        whole, feeling, pulls = round(dt / TICK) or 1, self._feeling, self._local.pulls
        parts = whole << halved
        step = dt / parts
        engine.take(step, dt / whole)  # always before the first part, or a rewound run would see other contacts
        if self._driven:
            drive(engine, len(self._moving), seen[: len(self._driven)], dt)
        for _ in range(parts):
            if feeling is not None:
                feeling.let_go(engine)
            answer = pulls(memory, step)
            if answer >= 0:
                raise self._lost(engine, time - dt)
            if feeling is not None and push is not None:
                feeling.push(engine, push)
            engine.advance()
            if answer == WAITED:
                waiting += stuck(engine, time, self._race, self._sought, memory, pulls.short)
            if pulls.tired:
                waiting += too_weak(engine, time, self._race, self._sought, memory, pulls.tired)
            if asks:
                everybody, said = np.arange(len(memory)), (engine, self._race, self._sought, memory)
                both = (in_the_way(*said, everybody, turns) for turns in (False, True))
                blocking = {who: by for found in both for who, by in found.items()}
            try:
                engine.look()
            except ArithmeticError:
                raise self._lost(engine, time) from None
        return waiting, blocking

    def _begun(
        self,
        engine: "Engine",
        time: float,
        memory: Floats,
        frames: Floats,
        told: Told,
        felt: Any,
        kept: Any,
        halved: tuple[int, int] = (0, 0),
    ) -> Going:
        carrying = self._carrying()
        if carrying is not None:
            carrying.begin(frames, memory)
        here = engine.place[self._race.rows]
        memory[:, ANCHOR : ANCHOR + 3], memory[:, FACED : FACED + 4] = here[:, :3], here[:, 3:]
        memory[:, ANCHOR_U] = memory[:, U]
        self._race.know_weight(memory, self._said.gravity, hung={*engine.pairs().ravel().tolist(), *self._hung})
        self._local.pulls.know_weight(memory)
        nobody = np.empty(0, np.int64)
        touching = Touching(engine, nobody)
        touching.look(engine.going)
        touching.keep()
        keeper = None if self._plan is None else self._plan.keeper(kept)
        if keeper is not None and self._pacing is not None:
            self._pacing.begin(keeper, self._raced, memory, engine.place, time)
        return self._left(engine, time, memory, frames, touching.codes, told, halved, felt, keeper)
