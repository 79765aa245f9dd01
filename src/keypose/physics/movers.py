"""What moves a body? A rough path that it follows, nothing at all, or only what it bumps into and what pulls it."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation import Orientation
from keypose.curves.values import ORIGIN, Vector, above_zero, vector
from keypose.errors import KeyposeError, shown
from keypose.physics.body import Body, movable, solid

if TYPE_CHECKING:
    from keypose.physics.world import Bodies

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
NOTHING: Mapping[Any, float] = MappingProxyType({})
UPRIGHT = Orientation(1.0, 0.0, 0.0, 0.0)


class _Weighty:
    """What steps together with all other bodies of a stage."""

    tick = TICK

    @property
    def company(self) -> "type[Bodies]":
        """All bodies of a stage step together."""
        from keypose.physics.world import Bodies

        return Bodies


@dataclass(frozen=True)
class Follow(_Weighty):
    """A body that races a target along a path (LG95 §3.1): the target keeps `within` [m] ahead, or waits.

    Each `reaction` seconds the body covers the share `eagerness` of the way to its target, and loses `damping` of its
    speed: critical, √(2·eagerness), unless said. So it settles at eagerness · within / (damping · reaction) [m/s];
    with `speed` [m/s] that is given, and the eagerness is what comes of it. What lasts, as gravity, is made up for
    within about `correction` seconds; None leaves it. A path with facings has a second target, `turn_within` degrees
    ahead; without them the body turns as it likes.
    """

    path: MotionPath
    body: Body
    _: KW_ONLY
    within: float
    eagerness: float = 0.5
    damping: float | None = None
    reaction: float = 0.1
    correction: float | None = 0.1
    speed: float | None = None
    turn_within: float = 10.0
    senses: Mapping[Any, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        who = "A follower"
        if not isinstance(self.path, MotionPath):
            raise KeyposeError(f"{who} was given the path {shown(self.path)}. Give a MotionPath.", at=("path",))
        if self.path.shape not in ((2,), (3,)):
            raise KeyposeError(
                f"{who} was given a path of places shaped {self.path.shape}. A body is at one place: give x, y, z.",
                at=("path",),
            )
        movable(self.body, who)
        said: dict[str, Any] = {
            word: None
            if getattr(self, word) is None and word in OFTEN_UNSAID
            else _sane(getattr(self, word), what, word)
            for word, what in NUMBERS.items()
        }
        said["senses"] = _unsensed(self.senses, who)
        if self.path.keys.column("relative_to") is not None:
            raise KeyposeError(
                f"{who} was given a path with keys that somebody carries, but followers of those do not exist yet. "
                "Give places in the world.",
                at=("path",),
            )
        if said["speed"] is not None and said["eagerness"] != Follow.eagerness:
            raise KeyposeError(
                f"A follower has speed={said['speed']:g} and eagerness={said['eagerness']:g}. Give one: the speed says "
                "how eager it is.",
                at=("eagerness",),
            )
        for word, value in said.items():
            object.__setattr__(self, word, value)

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

    def __hash__(self) -> int:
        return hash((self.path, self.body, self.within, self.pull, self.reaction, self.correction, self.turn_within))


@dataclass(frozen=True)
class Still(_Weighty):
    """A body that nothing moves: a floor, a wall, an arch."""

    body: Body
    position: Vector = ORIGIN
    orientation: Orientation = UPRIGHT

    def __post_init__(self) -> None:
        solid(self.body, "What is still")
        object.__setattr__(self, "position", place(self.position, "What is still is at"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))


@dataclass(frozen=True)
class Free(_Weighty):
    """A body that begins at `position` [m] with `velocity` [m/s] and goes wherever it is pushed."""

    body: Body
    position: Vector
    velocity: Vector = ORIGIN
    _: KW_ONLY
    orientation: Orientation = UPRIGHT
    spin: Vector = ORIGIN
    """How fast it turns, degrees a second about each axis of the world."""
    senses: Mapping[Any, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        movable(self.body, "What is free")
        object.__setattr__(self, "position", place(self.position, "What is free begins at"))
        object.__setattr__(self, "velocity", place(self.velocity, "What is free begins with the velocity"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))
        object.__setattr__(self, "spin", place(self.spin, "What is free begins with the spin"))
        object.__setattr__(self, "senses", _unsensed(self.senses, "What is free"))

    def __hash__(self) -> int:
        return hash((self.body, self.position, self.velocity, self.orientation, self.spin))


Weighty = Follow | Still | Free


def place(given: object, what: str) -> Vector:
    """`given` as a place in the world, within what can be simulated."""
    found = vector(given, what)
    if max(map(abs, found)) > FARTHEST:
        raise KeyposeError(f"{what} {shown(given)}. Give numbers up to {FARTHEST:g}.")
    return found


def _sane(given: object, what: str, word: str) -> float:
    """One of a follower's numbers, within what can be simulated."""
    found, (least, most) = above_zero(given, what), RANGES.get(word, USUAL)
    if not least <= found <= most:
        raise KeyposeError(f"{what} is {found:g}. Give {least:g} to {most:g}.", at=(word,))
    return found


def _unsensed(given: object, who: str) -> dict[Any, float]:
    if not isinstance(given, Mapping):
        raise KeyposeError(f"{who} senses {shown(given)}. Give affinities by field, as {{wind: 0.5}}.")
    if given:
        raise KeyposeError(f"{who} senses {shown(dict(given))}, but bodies do not sense fields yet. Leave it out.")
    return {}
