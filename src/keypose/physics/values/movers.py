"""What moves a body? A rough path that it follows, nothing at all, or only what it bumps into and what pulls it."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import Any

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, shown
from keypose.maths import quaternion
from keypose.maths.arrays import Vec3
from keypose.maths.inputs import ORIGIN, above_zero, vector
from keypose.motion.pose import Pose
from keypose.motion.sensing_protocol import NOTHING, affinities, spoken_of
from keypose.physics.values.body import Body, movable, rigid
from keypose.physics.values.soft_lattice import lattice_of

UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])

TICK = 0.002  # [s]
FARTHEST = 1e6  # [m], [m/s]: farther out the simulation has no digits left for contacts
NUMBERS = {
    "within": "How far ahead a target keeps (within)",
    "eagerness": "The eagerness of a follower",
    "damping": "The damping of a follower",
    "reaction": "The reaction of a follower",
    "correction": "The correction of a follower",
    "speed": "The speed of a follower",
    "turn_within": "How far ahead a target turns (turn_within), in degrees,",
}
OFTEN_UNSAID = ("damping", "correction", "speed")
USUAL = 1e-4, 1e4  # beyond it nothing is left of a number when it is divided by another
RANGES = {"eagerness": (1e-4, 100.0), "damping": (1e-3, 1e3), "turn_within": (0.01, 90.0)}
SOLVED = 1e-10, 1e7  # the eagerness that a speed may ask for: any speed does at a usual `within` and `reaction`
UPRIGHT = Orientation(1.0, 0.0, 0.0, 0.0)
SKIN = "skin"  # what the surface of a soft body is called, after the name of its actor


class Bodily:
    """What steps together with all other bodies of a stage."""

    tick = TICK
    system_kind = "bodies"

    @property
    def watches(self) -> tuple[str, ...]:
        """Those of whom the fields it senses speak by name: who carries them, and whom it tracks."""
        return spoken_of(getattr(self, "senses", NOTHING))


class Softly(Bodily):
    """What may move a soft body."""

    body: Body

    @property
    def links(self) -> "Mapping[str, Skin]":
        """The surface of a soft body, which is known on the stage as `ball/skin`."""
        return {} if self.body.stiffness is None else {SKIN: Skin(self, self.body)}


@dataclass(frozen=True, kw_only=True)
class Racing:
    """What has a target that runs ahead on a path, and how it is pulled to it."""

    within: float
    eagerness: float = 0.5
    damping: float | None = None
    reaction: float = 0.1
    correction: float | None = 0.1
    speed: float | None = None
    turn_within: float = 10.0

    def _check_race(self, who: str, word: str, path: MotionPath) -> None:
        """Check all numbers, and the path, which is said as `word`."""
        if path.shape not in ((2,), (3,)):
            raise KeyposeError(
                f"{who} was given a path of places shaped {path.shape}. A body is at one place: give x, y, z.",
                at=(word,),
            )
        said: dict[str, Any] = {
            name: None
            if getattr(self, name) is None and name in OFTEN_UNSAID
            else _sane(getattr(self, name), what, name)
            for name, what in NUMBERS.items()
        }
        if said["speed"] is not None and said["eagerness"] != Racing.eagerness:
            raise KeyposeError(
                f"{who} has speed={said['speed']:g} and eagerness={said['eagerness']:g}. Give one: the speed says "
                "how eager it is.",
                at=("eagerness",),
            )
        for name, value in said.items():
            object.__setattr__(self, name, value)
        self._check_pull(who)

    def _check_pull(self, who: str) -> None:
        """What a speed makes of the eagerness must be something that can be simulated."""
        eagerness, (least, most) = self.pull[0], SOLVED
        if self.speed is None or least <= eagerness <= most:
            return
        low, high = (one / self.damping if self.damping else sqrt(one / 2) for one in (least, most))
        raise KeyposeError(
            f"{who} has speed={self.speed:g}, within={self.within:g} and reaction={self.reaction:g}: for that its "
            f"eagerness would be {eagerness:g}, and {least:g} to {most:g} can be simulated. "
            f"Let speed · reaction / within be {low:.3g} to {high:.3g}.",
            at=("speed",),
        )

    @property
    def pull(self) -> tuple[float, float]:
        """α and β of LG95 eq. 1: the share of the way, and of the speed, in one reaction."""
        if self.speed is None:
            return self.eagerness, sqrt(2 * self.eagerness) if self.damping is None else self.damping
        share = self.speed * self.reaction / self.within
        if self.damping is None:
            return 2 * share * share, 2 * share
        return share * self.damping, self.damping

    @property
    def pace(self) -> float:
        """The speed [m/s] it settles at: α·d/(β·Δt)."""
        eagerness, damping = self.pull
        return eagerness * self.within / (damping * self.reaction)


@dataclass(frozen=True)
class Follow(Softly, Racing):
    """A body that races a target along a path (LG95 §3.1): the target keeps `within` [m] ahead, or waits.

    Each `reaction` seconds the body covers the share `eagerness` of the way to its target, and loses `damping` of its
    speed: critical, √(2·eagerness), unless said. So it settles at eagerness · within / (damping · reaction) [m/s];
    with `speed` [m/s] that is given, and the eagerness is what comes of it. What lasts, as gravity, is made up for
    within about `correction` seconds; None leaves it. A path with facings has a second target, `turn_within` degrees
    ahead; without them the body turns as it likes. Keys may be `relative_to` others, who carry them until the target
    comes to them; then they are pinned in the world, unless `pin=False`. `senses` gives each field, or its name on the
    stage, an affinity 0 … 1: it pushes the body beside all that, whatever its mass.
    """

    path: MotionPath
    body: Body
    _: KW_ONLY
    senses: Mapping[Any, float] = NOTHING

    def __post_init__(self) -> None:
        who = "A follower"
        if not isinstance(self.path, MotionPath):
            raise KeyposeError(f"{who} was given the path {shown(self.path)}. Give a MotionPath.", at=("path",))
        movable(self.body, who)
        self._check_race(who, "path", self.path)
        object.__setattr__(self, "senses", affinities(self.senses, who))

    @property
    def carriers(self) -> tuple[str, ...]:
        """The names of those who carry keys of its path, each once."""
        return carriers_of(self.path)

    def __hash__(self) -> int:
        numbers = self.within, self.pull, self.reaction, self.correction, self.turn_within
        return hash((self.path, self.body, numbers, self.senses))


@dataclass(frozen=True)
class Still(Bodily):
    """A body that nothing moves: a floor, a wall, an arch."""

    body: Body
    position: Vec3 = ORIGIN
    orientation: Orientation = UPRIGHT

    def __post_init__(self) -> None:
        rigid(self.body, "What is still")
        object.__setattr__(self, "position", place(self.position, "The position of what is still"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))


@dataclass(frozen=True)
class Free(Softly):
    """A body that begins at `position` [m] with `velocity` [m/s] and goes wherever it is pushed.

    It is pushed by what it bumps into, by gravity, and by the fields it `senses`, each with an affinity 0 … 1.
    """

    body: Body
    position: Vec3
    velocity: Vec3 = ORIGIN
    senses: Mapping[Any, float] = NOTHING
    _: KW_ONLY
    orientation: Orientation = UPRIGHT
    spin: Vec3 = ORIGIN
    """How fast it turns, degrees a second about each axis of the world."""

    def __post_init__(self) -> None:
        movable(self.body, "What is free")
        object.__setattr__(self, "position", place(self.position, "The position of what is free"))
        object.__setattr__(self, "velocity", place(self.velocity, "The velocity of what is free"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))
        object.__setattr__(self, "spin", place(self.spin, "The spin of what is free"))
        object.__setattr__(self, "senses", affinities(self.senses, "What is free"))

    def __hash__(self) -> int:
        return hash((self.body, self.position, self.velocity, self.orientation, self.spin, self.senses))


def place(given: object, what: str) -> Vec3:
    """`given` as a place in the world, within what can be simulated."""
    found = vector(given, what)
    if max(map(abs, found)) > FARTHEST:
        raise KeyposeError(f"{what} was given as {shown(given)}. Give numbers up to {FARTHEST:g}.")
    return found


def carriers_of(path: MotionPath) -> tuple[str, ...]:
    """The names of those who carry keys of a path, each once."""
    names = path.keys.column("relative_to")
    return () if names is None else tuple(dict.fromkeys(name for name in names if name is not None))


def _sane(given: object, what: str, word: str) -> float:
    """One of a follower's numbers, within what can be simulated."""
    found, (least, most) = above_zero(given, what), RANGES.get(word, USUAL)
    if not least <= found <= most:
        raise KeyposeError(f"{what} is {found:g}. Give {least:g} to {most:g}.", at=(word,))
    return found


@dataclass(frozen=True)
class Skin(Bodily):
    """The surface of what moves a soft body, as a member of its company."""

    of: Any
    body: Body

    def around(self, pose: Pose) -> Pose:
        """Where it is while its body is in its own shape, at a pose."""
        lattice = lattice_of(self.body.shape)
        away = quaternion.rotate(pose.orientation, lattice.points[lattice.skin])
        return Pose.of(pose.position + away, UNTURNED)


def not_a_skin(name: str, skins: Collection[str], said: str) -> None:
    """Refuse the name of a surface where a place and a turn are needed: `said` is who speaks of it, and how."""
    if name in skins:
        whose = name.removesuffix(f"/{SKIN}")
        raise KeyposeError(f"{said} {name!r}, which is the surface of a soft body. Name the body itself, {whose!r}.")
