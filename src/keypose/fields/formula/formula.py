"""Which push was typed? `Formula` tells an acceleration for every place, `Potential` a landscape to roll down.

Vectors of x y z r t vx vy vz, named parameters, + - * / % ** and functions. The text is read when the word is made, so
a wrong one is refused there, at its column; it is computed over arrays, and compiled where there are many places.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from keyword import iskeyword
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.algebra.field import Asked, Field, Look
from keypose.fields.formula.compile import MOST_STEPS, loop, written
from keypose.fields.formula.derivative import downhill
from keypose.fields.formula.evaluate import computed
from keypose.fields.formula.lexer import names_in
from keypose.fields.formula.parameter import Slider
from keypose.fields.formula.parser import Wanted, read
from keypose.fields.formula.program import Recipe
from keypose.fields.formula.vocabulary import PLACE, TAKEN, VELOCITY
from keypose.maths.arrays import Floats
from keypose.maths.inputs import as_number, moments, numbers
from keypose.maths.kernel_switch import WORTH_LOADING, compiled, spread


class Typed(Field):
    """What `Formula` and `Potential` share: a text and its parameters, immutable, compared by value."""

    _wanted: ClassVar[Wanted]
    _example: ClassVar[str]
    _recipe: Recipe
    text: str
    parameters: Mapping[str, float | Slider]

    def __init__(self, text: str, /, **parameters: float | Slider) -> None:
        said = _text(text, type(self).__name__, self._example)
        named = {name: _parameter(name, parameters[name]) for name in sorted(parameters)}
        recipe = self._made(read(said, self._wanted, frozenset(named)))
        vars(self).update(text=said, parameters=MappingProxyType(named), _recipe=recipe)

    @staticmethod
    def _made(read: Recipe) -> Recipe:
        """The recipe of the acceleration, from that of what was typed."""
        return read

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A {type(self).__name__} does not change. Make another, or use .changed(…).")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def _identity(self) -> tuple[object, ...]:
        return type(self), self.text, tuple(self.parameters.items())

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Typed) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        said = [repr(self.text), *(f"{name}={value!r}" for name, value in self.parameters.items())]
        return f"{type(self).__name__}({', '.join(said)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.text, **self.parameters), ()

    @property
    def unused(self) -> tuple[str, ...]:
        """The parameters that the text does not speak of: whatever they are, nothing is another."""
        spoken = names_in(self.text)
        return tuple(name for name in self.parameters if name not in spoken)

    def told_unused(self, name: str) -> str:
        """What to say of a parameter that does nothing."""
        return f"The {type(self).__name__} never uses its parameter {shown(name)}. Use it, or leave it out."

    def changed(self, /, **parameters: float | Slider) -> Self:
        """The same text with other values; a number moves a slider within its range."""
        for name in parameters:
            if name not in self.parameters:
                kind, hint = type(self).__name__, did_you_mean(name, self.parameters)
                raise UnknownNameError(f"This {kind} has no parameter {shown(name)}.{hint}", at=(name,))
        new = {**self.parameters}
        for name, given in parameters.items():
            old, value = new[name], _parameter(name, given)
            new[name] = old.at(value) if isinstance(old, Slider) and not isinstance(value, Slider) else value
        return type(self)(self.text, **new)

    def at(
        self,
        position: ArrayLike,
        t: ArrayLike = 0.0,
        velocity: ArrayLike | None = None,
        look: Look | None = None,
        who: str | Sequence[str] | None = None,
    ) -> Floats:
        """The acceleration [m/s²], (…, 3), at positions (…, 3) or (…, 2) where z is 0; `t` is one second or (…).

        NaN or infinity where the formula has no value. How many are asked about decides alone whether it is compiled,
        so the same question always has the same answer to the last bit.
        """
        places = _threes(position, "A field's positions")
        when = moments(t, "A field's times")
        speeds = None if velocity is None else _threes(velocity, "An object's velocities")
        shape = places.shape[:-1]
        try:
            times = np.broadcast_to(when, shape).reshape(-1) if when.ndim else when
            moving = None if speeds is None else np.broadcast_to(speeds, places.shape).reshape(-1, 3)
        except ValueError:
            told = f"positions {places.shape}, times {when.shape}"
            told += "" if speeds is None else f", velocities {speeds.shape}"
            remedy = "Give one time and one velocity, or one for each position."
            raise KeyposeError(f"A field is asked for {told}. {remedy}") from None
        out = np.empty(places.shape)
        self.fill(places.reshape(-1, 3), moving, times, out.reshape(-1, 3))
        return out

    def push(self, asked: Asked) -> Floats:
        """What the formula says; NaN or infinity where it has no value."""
        out = np.empty(asked.place.shape)
        self.fill(asked.place, asked.velocity, asked.t, out)
        return out

    def fill(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` (n, 3) for positions (n, 3), velocities (n, 3) or None for 0, and moments `t` () or (n,).

        Trusts what it is given.
        """
        work = 3 * len(position)
        many = work >= WORTH_LOADING and len(self._recipe.steps) <= MOST_STEPS and compiled(work)
        (self._looped if many else self._stepped)(position, velocity, t, out)

    @property
    def _values(self) -> list[float]:
        return [value.value if isinstance(value, Slider) else value for value in self.parameters.values()]

    def _stepped(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` step by step; columns lie together, for numpy may round those with gaps otherwise."""
        columns = [*position.T.copy(), *(np.zeros(3) if velocity is None else velocity.T.copy())]
        named = dict(zip((*PLACE, *VELOCITY, "t", *self.parameters), (*columns, t, *self._values), strict=True))
        for at, part in enumerate(computed(self._recipe, named)):
            out[:, at] = part

    def _looped(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` by the compiled loop, on both cores where that pays."""
        if velocity is None:
            velocity = np.zeros((0, 3) if self._recipe.names.isdisjoint(VELOCITY) else position.shape)
        fill = loop(written(self._recipe, tuple(self.parameters), t.ndim > 0))
        position, velocity, t = (np.ascontiguousarray(each) if each.ndim else each for each in (position, velocity, t))
        values = np.array(self._values)

        def some(start: int, stop: int) -> None:
            part = slice(start, stop)
            fill(position[part], velocity[part], t[part] if t.ndim else float(t), values, out[part])

        spread(some, len(position), 3 * len(position))


class Formula(Typed):
    """A field as it was typed: `Formula("(-y, x, 0) * exp(-r**2) * swirl", swirl=Slider(2, 0, 5))` [m/s²].

    Of x y z [m], r = length of (x, y, z), t [s], the object's own vx vy vz [m/s] and the parameters.
    """

    _wanted = "vector"
    _example = "(-y, x, 0) * exp(-r**2)"


class Potential(Typed):
    """A landscape as it was typed, and objects roll down it: the acceleration is −∇V. `Potential("k * r**2 / 2", k=3)`.

    V [m²/s²] is one number of the same words as a `Formula`. At a place where r is 0 the slope of r counts as 0.
    """

    _wanted = "number"
    _example = "r**2 / 2"
    _made = staticmethod(downhill)


def _text(given: object, kind: str, example: str) -> str:
    if not isinstance(given, str):
        raise KeyposeError(f"A {kind} is given {shown(given)}. Give it text, such as {example!r}.", at=("text",))
    return str(given)


def _parameter(name: str, given: object) -> float | Slider:
    """A parameter with a name that can stand in a formula, and a value."""
    if name in TAKEN:
        raise KeyposeError(f"A formula already knows what {name!r} is. Call the parameter something else.", at=(name,))
    if not (name.isascii() and name.isidentifier()) or iskeyword(name) or name.startswith("__"):
        told = f"A formula's parameter is called {shown(name)}. Give it a plain name of letters a to z, such as 'wind'."
        raise KeyposeError(told, at=(name,))
    if isinstance(given, Slider):
        return given
    value = as_number(given)
    if value is None:
        told = f"A formula's parameter {name!r} is {shown(given)}. Give a finite number, or Slider(value, low, high)."
        raise KeyposeError(told, at=(name,))
    return value


def _threes(given: ArrayLike, what: str) -> Floats:
    """Places or velocities as (…, 3); flat ones are at z = 0."""
    found = numbers(given, what, copy=False)
    if found.ndim == 0 or found.shape[-1] not in (2, 3):
        raise KeyposeError(f"{what} are {shown(given)}. Give (x, y, z), or a list of such.")
    if found.shape[-1] == 3:
        return found
    return np.concatenate([found, np.zeros((*found.shape[:-1], 1))], axis=-1)
