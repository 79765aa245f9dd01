"""What moves a body? A rough path that it follows, nothing at all, or only what it bumps into and what pulls it."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import Any

import numpy as np

from keypose.curves import MotionPath, Orientation
from keypose.errors import KeyposeError, short_repr
from keypose.maths import ORIGIN, Vec3, parse_positive, parse_vector, quaternion
from keypose.motion import NO_AFFINITIES, Pose, parse_affinities, referenced_names
from keypose.physics.values.body import Body, check_movable, check_rigid
from keypose.physics.values.soft_lattice import build_lattice

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])

TICK = 0.002  # [s]
MAX_COORDINATE = 1e6  # [m], [m/s]: farther out the simulation has no digits left for contacts
OPTION_LABELS = {
    "within": "How far ahead a target keeps (within)",
    "eagerness": "The eagerness of a follower",
    "damping": "The damping of a follower",
    "reaction": "The reaction of a follower",
    "correction": "The correction of a follower",
    "speed": "The speed of a follower",
    "turn_within": "How far ahead a target turns (turn_within), in degrees,",
}
NULLABLE_OPTIONS = ("damping", "correction", "speed")
DEFAULT_RANGE = 1e-4, 1e4  # beyond it nothing is left of a number when it is divided by another
OPTION_RANGES = {"eagerness": (1e-4, 100.0), "damping": (1e-3, 1e3), "turn_within": (0.01, 90.0)}
SOLVED_EAGERNESS_RANGE = (
    1e-10,
    1e7,
)  # the eagerness that a speed may ask for: any speed does at a usual `within` and `reaction`
UPRIGHT = Orientation(1.0, 0.0, 0.0, 0.0)
SURFACE_NAME = "skin"  # what the surface of a soft body is called, after the name of its actor


class BodyMover:
    """What steps together with all other bodies of a stage."""

    tick = TICK
    system_kind = "bodies"

    @property
    def watches(self) -> tuple[str, ...]:
        """The actors that the fields it senses name: their carriers, and those it tracks."""
        return ()


@dataclass(frozen=True, kw_only=True)
class FollowerOptions:
    """What has a target that runs ahead on a path, and how it is pulled to it."""

    within: float
    eagerness: float = 0.5
    damping: float | None = None
    reaction: float = 0.1
    correction: float | None = 0.1
    speed: float | None = None
    turn_within: float = 10.0

    def _check_options(self, owner: str, path_name: str, path: MotionPath) -> None:
        """Check all numbers, and the path, which is said as `path_name`."""
        if path.shape not in ((2,), (3,)):
            raise KeyposeError(
                f"{owner} was given a path of places shaped {path.shape}. A body is at one place: give x, y, z.",
                at=(path_name,),
            )
        options: dict[str, Any] = {
            name: None
            if getattr(self, name) is None and name in NULLABLE_OPTIONS
            else _check_option(getattr(self, name), what, name)
            for name, what in OPTION_LABELS.items()
        }
        if options["speed"] is not None and options["eagerness"] != FollowerOptions.eagerness:
            raise KeyposeError(
                f"{owner} has speed={options['speed']:g} and eagerness={options['eagerness']:g}. Give one: "
                "the speed says "
                "how eager it is.",
                at=("eagerness",),
            )
        for name, value in options.items():
            object.__setattr__(self, name, value)
        self._check_eagerness(owner)

    def _check_eagerness(self, owner: str) -> None:
        """What a speed makes of the eagerness must be something that can be simulated."""
        eagerness, (least, most) = self.pull[0], SOLVED_EAGERNESS_RANGE
        if self.speed is None or least <= eagerness <= most:
            return
        low, high = (limit / self.damping if self.damping else sqrt(limit / 2) for limit in (least, most))
        raise KeyposeError(
            f"{owner} has speed={self.speed:g}, within={self.within:g} and reaction={self.reaction:g}: for that its "
            f"eagerness would be {eagerness:g}, and {least:g} to {most:g} can be simulated. "
            f"Let speed · reaction / within be {low:.3g} to {high:.3g}.",
            at=("speed",),
        )

    @property
    def pull(self) -> tuple[float, float]:
        """α and β of LG95 eq. 1: the share of the way, and of the speed, in one reaction."""
        if self.speed is None:
            return self.eagerness, sqrt(2 * self.eagerness) if self.damping is None else self.damping
        ratio = self.speed * self.reaction / self.within
        if self.damping is None:
            return 2 * ratio * ratio, 2 * ratio
        return ratio * self.damping, self.damping

    @property
    def pace(self) -> float:
        """The speed [m/s] it settles at: α·d/(β·Δt)."""
        eagerness, damping = self.pull
        return eagerness * self.within / (damping * self.reaction)


@dataclass(frozen=True)
class Follow(BodyMover, FollowerOptions):
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
    senses: Mapping[Any, float] = NO_AFFINITIES

    def __post_init__(self) -> None:
        owner = "A follower"
        if not isinstance(self.path, MotionPath):
            raise KeyposeError(f"{owner} was given the path {short_repr(self.path)}. Give a MotionPath.", at=("path",))
        check_movable(self.body, owner)
        self._check_options(owner, "path", self.path)
        object.__setattr__(self, "senses", parse_affinities(self.senses, owner))

    @property
    def watches(self) -> tuple[str, ...]:
        """The actors that the fields it senses name: their carriers, and those it tracks."""
        return referenced_names(self.senses)

    @property
    def links(self) -> "Mapping[str, SoftSurface]":
        """The surface of a soft body, which is known on the stage as `ball/skin`."""
        return surface_links(self)

    @property
    def carriers(self) -> tuple[str, ...]:
        """The names of those who carry keys of its path, each once."""
        return carrier_names(self.path)

    def __hash__(self) -> int:
        numbers = self.within, self.pull, self.reaction, self.correction, self.turn_within
        return hash((self.path, self.body, numbers, self.senses))


@dataclass(frozen=True)
class Still(BodyMover):
    """A body that nothing moves: a floor, a wall, an arch."""

    body: Body
    position: Vec3 = ORIGIN
    orientation: Orientation = UPRIGHT

    def __post_init__(self) -> None:
        check_rigid(self.body, "What is still")
        object.__setattr__(self, "position", bounded_vector(self.position, "The position of what is still"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))


@dataclass(frozen=True)
class Free(BodyMover):
    """A body that begins at `position` [m] with `velocity` [m/s] and goes wherever it is pushed.

    It is pushed by what it bumps into, by gravity, and by the fields it `senses`, each with an affinity 0 … 1.
    """

    body: Body
    position: Vec3
    velocity: Vec3 = ORIGIN
    senses: Mapping[Any, float] = NO_AFFINITIES
    _: KW_ONLY
    orientation: Orientation = UPRIGHT
    spin: Vec3 = ORIGIN
    """How fast it turns, degrees a second about each axis of the world."""

    def __post_init__(self) -> None:
        check_movable(self.body, "What is free")
        object.__setattr__(self, "position", bounded_vector(self.position, "The position of what is free"))
        object.__setattr__(self, "velocity", bounded_vector(self.velocity, "The velocity of what is free"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))
        object.__setattr__(self, "spin", bounded_vector(self.spin, "The spin of what is free"))
        object.__setattr__(self, "senses", parse_affinities(self.senses, "What is free"))

    @property
    def watches(self) -> tuple[str, ...]:
        """The actors that the fields it senses name: their carriers, and those it tracks."""
        return referenced_names(self.senses)

    @property
    def links(self) -> "Mapping[str, SoftSurface]":
        """The surface of a soft body, which is known on the stage as `ball/skin`."""
        return surface_links(self)

    def __hash__(self) -> int:
        return hash((self.body, self.position, self.velocity, self.orientation, self.spin, self.senses))


def bounded_vector(given: object, what: str) -> Vec3:
    """`given` as a place in the world, within what can be simulated."""
    found = parse_vector(given, what)
    if max(map(abs, found)) > MAX_COORDINATE:
        raise KeyposeError(f"{what} was given as {short_repr(given)}. Give numbers up to {MAX_COORDINATE:g}.")
    return found


def carrier_names(path: MotionPath) -> tuple[str, ...]:
    """The names of those who carry keys of a path, each once."""
    names = path.keys.column("relative_to")
    return () if names is None else tuple(dict.fromkeys(name for name in names if name is not None))


def _check_option(given: object, what: str, name: str) -> float:
    """One of a follower's numbers, within what can be simulated."""
    value, (least, most) = parse_positive(given, what), OPTION_RANGES.get(name, DEFAULT_RANGE)
    if not least <= value <= most:
        raise KeyposeError(f"{what} is {value:g}. Give {least:g} to {most:g}.", at=(name,))
    return value


@dataclass(frozen=True)
class SoftSurface(BodyMover):
    """The surface of what moves a soft body, as a member of its company."""

    mover: Any
    body: Body

    def rest_pose(self, pose: Pose) -> Pose:
        """Where it is while its body is in its own shape, at a pose."""
        lattice = build_lattice(self.body.shape)
        offsets = quaternion.rotate(pose.orientation, lattice.points[lattice.surface_indices])
        return Pose.of(pose.position + offsets, IDENTITY)


def surface_links(mover: Follow | Free) -> dict[str, SoftSurface]:
    """The surface of a soft body, by its name after that of its actor; a rigid body has none."""
    return {} if mover.body.stiffness is None else {SURFACE_NAME: SoftSurface(mover, mover.body)}


def check_not_surface(name: str, surface_names: Collection[str], subject: str) -> None:
    """Refuse the name of a surface where a place and a turn are needed: `subject` is who speaks of it, and how."""
    if name in surface_names:
        body_name = name.removesuffix(f"/{SURFACE_NAME}")
        raise KeyposeError(
            f"{subject} {name!r}, which is the surface of a soft body. Name the body itself, {body_name!r}."
        )
