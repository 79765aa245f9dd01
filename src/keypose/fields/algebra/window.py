"""When does a field push? From one moment to another, or to and fro."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from keypose.errors import KeyposeError
from keypose.fields.algebra.field import Asked
from keypose.fields.algebra.sum import Wrapped
from keypose.maths.arrays import Floats
from keypose.maths.inputs import above_zero, amount, not_below_zero
from keypose.maths.smoothstep import rising


@dataclass(frozen=True, repr=False)
class During(Wrapped):
    """A field that lasts from `start` to `stop` [s], without that last moment; see `Field.during`."""

    start: float
    stop: float
    _: KW_ONLY
    fade: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        start, stop = (amount(each, "The time of a field") for each in (self.start, self.stop))
        if not start < stop:
            raise KeyposeError(f"A field lasts from {start:g} to {stop:g} s. Let it start before it stops.")
        said = {"start": start, "stop": stop, "fade": not_below_zero(self.fade, "The fade of a field", stop - start)}
        self.__dict__.update(said)

    def push(self, asked: Asked) -> Floats:
        """While it lasts f, else zero; with a fade it rises after the start and falls before the stop."""
        t, out = asked.t, np.zeros_like(asked.place)
        lasts = np.broadcast_to((t >= self.start) & (t < self.stop), asked.place.shape[:1])
        strength = rising(t - self.start, self.fade) * rising(self.stop - t, self.fade)
        now = np.broadcast_to(strength, lasts.shape)[lasts]
        if lasts.any():
            out[lasts] = now[:, None] * self.field.push(asked.some(lasts))
        return out

    def __repr__(self) -> str:
        fade = f", fade={self.fade!r}" if self.fade else ""
        return f"{self._inner()}.during({self.start!r}, {self.stop!r}{fade})"


@dataclass(frozen=True, repr=False)
class Pulsing(Wrapped):
    """A field that swings to and fro; see `Field.pulsing`."""

    period: float
    _: KW_ONLY
    start: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["period"] = above_zero(self.period, "The period of a field", least=1e-9)
        self.__dict__["start"] = amount(self.start, "The start of a pulsing field")

    def push(self, asked: Asked) -> Floats:
        """The field f times cos 2π(t − start)/period."""
        turns = np.remainder((asked.t - self.start) / self.period, 1.0)
        return np.asarray(np.cos(2 * np.pi * turns)[..., None] * self.field.push(asked))

    def __repr__(self) -> str:
        start = f", start={self.start!r}" if self.start else ""
        return f"{self._inner()}.pulsing({self.period!r}{start})"
