"""When does a field push? From one moment to another, or to and fro."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from keypose.errors import KeyposeError
from keypose.fields.algebra.field import FieldQuery
from keypose.fields.algebra.sum import FieldModifier
from keypose.maths import Floats, parse_bounded_number, parse_non_negative, parse_positive, smoothstep


@dataclass(frozen=True, repr=False)
class TimedField(FieldModifier):
    """A field that lasts from `start` to `stop` [s], without that last moment; see `Field.during`."""

    start: float
    stop: float
    _: KW_ONLY
    fade: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        start, stop = (parse_bounded_number(each, "The time of a field") for each in (self.start, self.stop))
        if not start < stop:
            raise KeyposeError(f"A field lasts from {start:g} to {stop:g} s. Let it start before it stops.")
        values = {
            "start": start,
            "stop": stop,
            "fade": parse_non_negative(self.fade, "The fade of a field", stop - start),
        }
        self.__dict__.update(values)

    def push(self, query: FieldQuery) -> Floats:
        """While it lasts f, else zero; with a fade it rises after the start and falls before the stop."""
        t, out = query.t, np.zeros_like(query.position)
        is_active = np.broadcast_to((t >= self.start) & (t < self.stop), query.position.shape[:1])
        strength = smoothstep(t - self.start, self.fade) * smoothstep(self.stop - t, self.fade)
        active_strength = np.broadcast_to(strength, is_active.shape)[is_active]
        if is_active.any():
            out[is_active] = active_strength[:, None] * self.field.push(query.select(is_active))
        return out

    def __repr__(self) -> str:
        fade = f", fade={self.fade!r}" if self.fade else ""
        return f"{self._inner_code()}.during({self.start!r}, {self.stop!r}{fade})"


@dataclass(frozen=True, repr=False)
class PulsingField(FieldModifier):
    """A field that swings to and fro; see `Field.pulsing`."""

    period: float
    _: KW_ONLY
    start: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["period"] = parse_positive(self.period, "The period of a field", minimum=1e-9)
        self.__dict__["start"] = parse_bounded_number(self.start, "The start of a pulsing field")

    def push(self, query: FieldQuery) -> Floats:
        """The field f times cos 2π(t − start)/period."""
        cycles = np.remainder((query.t - self.start) / self.period, 1.0)
        return np.asarray(np.cos(2 * np.pi * cycles)[..., None] * self.field.push(query))

    def __repr__(self) -> str:
        start = f", start={self.start!r}" if self.start else ""
        return f"{self._inner_code()}.pulsing({self.period!r}{start})"
