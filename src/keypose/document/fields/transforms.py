"""Where is a field in a scene file, how large, how long, and who carries it? What was done to it, one after the other.

`"then"` reads as the methods do in Python: `field.moved((1, 0, 0)).within(3)` is a list of a move and a limit.
"""

from collections.abc import Callable, Sequence
from typing import Any

from keypose.document.motion.keys import QUATERNION
from keypose.document.problems import Bad, Reading
from keypose.document.schema.dataclass_kinds import Said, declared
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, Numbers
from keypose.document.schema.value_types import Either, Form, Number, Text
from keypose.errors import At
from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Times, Wrapped
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.algebra.window import During, Pulsing
from keypose.maths.inputs import LARGEST

Step = Callable[[Field], Field]

AMOUNT = Number(-LARGEST, LARGEST)
ABOVE_ZERO = Number(most=LARGEST, above=0.0)
FROM_ZERO = Number(0.0, LARGEST)
PLACE = Numbers(widths=(2, 3))
CARRIES = "is carried by"


class Names:
    """The names of some actors and groups; `verb` says what is told of them."""

    def __init__(self, verb: str) -> None:
        self.verb = verb

    def read(self, given: Any, path: str, reading: Reading) -> tuple[str, ...] | Bad:
        """All of them. Who speaks may be among them."""
        speaker, reading.speaker = reading.speaker, None
        found = ListOf(Text(self.verb, groups=True), 1, None, "names").read(given, path, reading)
        reading.speaker = speaker
        return found if isinstance(found, Bad) else tuple(found)

    def schema(self, named: dict[str, Any]) -> dict[str, Any]:
        """A list of texts."""
        return ListOf(Text(), 1).schema(named)


def _placing(word: str, kind: type[Wrapped], title: str, said: Said) -> Kind:
    def build(**given: Any) -> Step:
        return lambda field: kind(field, **given)

    return declared(word, kind, title, said, build)


def _turned(turn: Any) -> Step:
    return lambda field: Turned(field, turn)


CARRIER: Form = Either(
    'the name of an actor, a group as "flock/*", or a list of names',
    {str: Text(CARRIES, groups=True), list: Names(CARRIES)},
)
PLACINGS = Kinds(
    "placing of a field",
    _placing("times", Times, "a field some times as strong", {"factor": (AMOUNT, "how many times as strong")}),
    _placing("moved", Moved, "a move of a field", {"offset": (PLACE, "by how much [m]")}),
    declared("turned", Turned, "a turn of a field", {"turn": (QUATERNION, "about the origin: w, x, y, z")}, _turned),
    _placing(
        "scaled",
        Scaled,
        "a stretch of a field",
        {
            "factors": (
                Either("a factor, or one along each axis", {int: AMOUNT, float: AMOUNT, list: Numbers(widths=(3, 3))}),
                "how many times as large, about the origin, or that along x, y, z; a negative one mirrors",
            )
        },
    ),
    _placing(
        "within",
        Within,
        "a limit of a field",
        {
            "radius": (ABOVE_ZERO, "of a ball outside of which it is zero [m]"),
            "size": (Numbers(widths=(3, 3)), "the sides of a box instead [m]"),
            "center": (PLACE, "the middle of the ball or box [m]"),
            "edge": (FROM_ZERO, "how far inside it fades away [m]"),
        },
    ),
    _placing(
        "during",
        During,
        "a time of a field",
        {
            "start": (AMOUNT, "when it begins [s]"),
            "stop": (AMOUNT, "when it ends [s]"),
            "fade": (FROM_ZERO, "how long it takes to come and to go [s]"),
        },
    ),
    _placing(
        "pulsing",
        Pulsing,
        "a pulse of a field",
        {
            "period": (ABOVE_ZERO, "how long a swing to and fro takes [s]"),
            "start": (AMOUNT, "a moment at which it is whole [s]"),
        },
    ),
    _placing(
        "carried_by",
        Carried,
        "a carrier of a field",
        {
            "carrier": (CARRIER, 'the actor it moves and turns with, a group as "flock/*", or a list of names'),
            "speed": (ABOVE_ZERO, "at which it travels from there [m/s]; without one it is felt at once"),
        },
    ),
)


def placed(field: Field, then: Sequence[Step]) -> Field:
    """A field after what was done to it."""
    for number, step in enumerate(then):
        with At("then", number):
            field = step(field)
    return field
