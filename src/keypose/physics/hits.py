"""Who bumped into whom? Told once for each time two bodies meet, with where and how fast."""

from dataclasses import dataclass, field

from keypose.motion.take import Event

Vector = tuple[float, float, float]

SOFTEST = 0.05  # [m/s]: slower ones lie on each other, and are not told


@dataclass(frozen=True)
class Hit(Event):
    """Two bodies met: the other one, where [m], and how fast [m/s] they came together."""

    other: str = ""
    place: Vector = field(default=(0.0, 0.0, 0.0))
    speed: float = 0.0


def hit(time: float, actor: str, other: str, place: Vector, speed: float) -> Hit:
    """Somebody bumped into somebody."""
    at = ", ".join(f"{round(value, 3):g}" for value in place)
    text = f"Hits {other!r} at ({at}) with {speed:.3g} m/s."
    return Hit(time, actor, text, "note", f"hits {other} {time}", other=other, place=place, speed=speed)
