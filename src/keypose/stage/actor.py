"""Who is on the stage? A name, what moves it, what it stands on, which way it looks, and what it looks like."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cached_property
from typing import Any

from keypose.curves import Key
from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.maths import parse_number
from keypose.motion import FaceForward, LookAt, Motion, Mover, RecordedMotion, SystemMover, equal_values
from keypose.physics import Body, Follow, check_movable, check_rigid

MAX_MOVER_REPR = 120  # characters of a mover in the repr of its actor; of a longer one only its type is named


@dataclass(frozen=True)
class Camera:
    """A look that sees: `fov` is its vertical field of view in degrees. It looks along +Z with +Y up."""

    fov: float = 50.0

    def __post_init__(self) -> None:
        degrees = parse_number(self.fov, "The field of view of a camera")
        if not 0 < degrees < 180:
            raise KeyposeError(f"A camera has a field of view of {degrees:g} degrees. Give more than 0, less than 180.")
        object.__setattr__(self, "fov", degrees)


INTERNAL_ATTRIBUTES = frozenset({"carriers", "key_carriers", "single_mover", "system_mover"})
"""For other modules and packages; not shown by tab completion."""


@dataclass(frozen=True)
class Actor:
    """Somebody with a name; frozen, compared by value.

    `motion_or_mover` is said in the frame of `parent`, another actor's name, or in the world. `facing` is
    `FaceForward(bank)` or `LookAt(name)`; without one the motion's own facing holds. `look` is a colour, a shape or a
    `Camera(fov)`. With a `body` a motion pushes the bodies it meets, and nothing pushes it. Actors may stand on and
    look at each other in a circle only through a mover, which then reads where the other was at the last tick.
    """

    name: str
    motion_or_mover: "Motion | Mover[Any] | SystemMover"
    _: KW_ONLY
    parent: str | None = None
    facing: FaceForward | LookAt | None = None
    look: Any = None
    body: Body | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise KeyposeError(f"An actor is named {short_repr(self.name)}. Give it a name.")
        owner, given = f"Actor {self.name!r}", self.motion_or_mover
        if isinstance(given, type) or not isinstance(given, Motion | Mover | SystemMover):
            raise KeyposeError(
                f"{owner} was given {short_repr(given)} to move it. Give a Motion, or a mover that takes ticks."
            )
        if self.parent is not None and (not isinstance(self.parent, str) or not self.parent):
            raise KeyposeError(f"{owner} has parent={short_repr(self.parent)}. Give the name of an actor, or None.")
        if self.facing is not None and not isinstance(self.facing, FaceForward | LookAt):
            raise KeyposeError(
                f"{owner} has facing={short_repr(self.facing)}. Give FaceForward(), LookAt(name) or None."
            )
        if isinstance(self.look, str) and not self.look:
            raise KeyposeError(f"{owner} has an empty look. Give a colour, a shape, a Camera, or None.")
        if self.body is not None:
            check_movable(check_rigid(self.body, owner), owner)
            if not isinstance(given, Motion):
                raise KeyposeError(
                    f"{owner} takes ticks and has a body beside that. Only a motion can be given one.", at=("body",)
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Actor):
            return NotImplemented
        return has_equal_motion(self, other) and equal_values(self.look, other.look)

    def __hash__(self) -> int:  # a mover and a look may be made of arrays, which have none
        moves_by = type(self.motion_or_mover) if self.motion is None else self.motion
        return hash((self.name, moves_by, self.parent, self.facing))

    def __repr__(self) -> str:
        mover = repr(self.motion_or_mover)
        if len(mover) > MAX_MOVER_REPR:
            mover = f"<{type(self.motion_or_mover).__name__}>"
        options = {name: getattr(self, name) for name in ("parent", "facing", "look", "body")}
        given = [f"{option}={value!r}" for option, value in options.items() if value is not None]
        return f"Actor({', '.join([repr(self.name), mover, *given])})"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    @property
    def motion(self) -> Motion | None:
        """What moves it, if that is a function of time."""
        return self.motion_or_mover if isinstance(self.motion_or_mover, Motion) else None

    @property
    def mover(self) -> Mover[Any] | SystemMover | None:
        """What moves it, if that takes ticks."""
        return None if isinstance(self.motion_or_mover, Motion) else self.motion_or_mover

    @cached_property
    def system_mover(self) -> SystemMover | None:
        """What moves it, if that steps together with all others of its kind; looked for once, for it takes long."""
        return self.mover if isinstance(self.mover, SystemMover) else None

    @cached_property
    def single_mover(self) -> Mover[Any] | None:
        """What moves it, if that takes ticks on its own."""
        return self.mover if isinstance(self.mover, Mover) else None

    @property
    def keys(self) -> Sequence[Key]:
        """The keys of its path; a mover and a recording have none."""
        return () if self.motion is None or isinstance(self.motion, RecordedMotion) else self.motion.path.keys

    @cached_property
    def carriers(self) -> tuple[str, ...]:
        """The names of those who carry keys of its path, each once; followers read theirs at the last tick."""
        if self.motion is None or isinstance(self.motion, RecordedMotion):
            return ()
        names = self.motion.path.keys.column("relative_to")
        return () if names is None else tuple(dict.fromkeys(name for name in names if name is not None))

    @property
    def key_carriers(self) -> tuple[str, ...]:
        """The same, or those who carry keys of the path it follows."""
        return self.mover.carriers if isinstance(self.mover, Follow) else self.carriers

    def changed(self, **changes: Any) -> "Actor":
        """The same actor with some things said differently."""
        names = [field.name for field in fields(self)]
        for option in changes:
            if option not in names:
                raise KeyposeError(f"An actor has no {option!r}.{did_you_mean(option, names)}")
        return replace(self, **changes)


def has_equal_motion(one: Actor, two: Actor) -> bool:
    """Whether two actors are the same but for how they look."""
    is_same = (one.name, one.parent, one.facing, one.body) == (two.name, two.parent, two.facing, two.body)
    return is_same and equal_values(one.motion_or_mover, two.motion_or_mover)
