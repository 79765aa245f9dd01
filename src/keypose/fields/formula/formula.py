"""Which push was typed? `Formula` tells an acceleration for every place, `Potential` a landscape to roll down.

Vectors of x y z r t vx vy vz, named parameters, + - * / % ** and functions. The text is read when the word is made, so
a wrong one is refused there, at its column; it is computed over arrays, and compiled where there are many places.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from keyword import iskeyword
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.fields.algebra.field import Field, FieldQuery, PoseLookup
from keypose.fields.formula.compile import MAX_COMPILED_INSTRUCTIONS, compile_loop, loop_source
from keypose.fields.formula.derivative import negative_gradient
from keypose.fields.formula.evaluate import evaluate_program
from keypose.fields.formula.lexer import formula_names
from keypose.fields.formula.parameter import Slider
from keypose.fields.formula.parser import ResultKind, parse_formula
from keypose.fields.formula.program import Program
from keypose.fields.formula.vocabulary import POSITION, RESERVED_NAMES, VELOCITY
from keypose.maths import ArrayLike, Floats, as_number, parse_non_nan, parse_numbers, run_parallel, use_kernels

WORTH_COMPILING = 20_000  # numbers asked for at once, from which on a formula is compiled if numba is loaded anyway


INTERNAL_ATTRIBUTES = frozenset(
    {"fill", "fill_by_loop", "fill_by_steps", "parameter_values", "program", "unused_message"}
)
"""For other modules and packages; not shown by tab completion."""


class FormulaField(Field):
    """What `Formula` and `Potential` share: a text and its parameters, immutable, compared by value."""

    text: str
    parameters: Mapping[str, float | Slider]
    program: Program
    """The instructions that compute the acceleration."""

    def __init__(
        self,
        text: str,
        parameters: Mapping[str, float | Slider],
        result_kind: ResultKind,
        acceleration_program: Callable[[Program], Program],
        example: str,
    ) -> None:
        """Parse a text with a result of this kind; `acceleration_program` turns its program into the acceleration's."""
        formula_text = _check_text(text, type(self).__name__, example)
        values = {name: _check_parameter(name, parameters[name]) for name in sorted(parameters)}
        program = acceleration_program(parse_formula(formula_text, result_kind, frozenset(values)))
        vars(self).update(text=formula_text, parameters=MappingProxyType(values), program=program)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A {type(self).__name__} does not change. Make another, or use .changed(…).")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def _identity(self) -> tuple[object, ...]:
        return type(self), self.text, tuple(self.parameters.items())

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, FormulaField) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        arguments = [repr(self.text), *(f"{name}={value!r}" for name, value in self.parameters.items())]
        return f"{type(self).__name__}({', '.join(arguments)})"

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild: Callable[..., Any] = type(self)
        return partial(rebuild, self.text, **self.parameters), ()

    @property
    def unused_parameters(self) -> tuple[str, ...]:
        """The parameters that the text does not speak of: whatever they are, nothing is another."""
        used = formula_names(self.text)
        return tuple(name for name in self.parameters if name not in used)

    def unused_message(self, name: str) -> str:
        """What to say of a parameter that does nothing."""
        return f"The {type(self).__name__} never uses its parameter {short_repr(name)}. Use it, or leave it out."

    def changed(self, /, **parameters: float | Slider) -> Self:
        """The same text with other values; a number moves a slider within its range."""
        for name in parameters:
            if name not in self.parameters:
                kind, hint = type(self).__name__, did_you_mean(name, self.parameters)
                raise UnknownNameError(f"This {kind} has no parameter {short_repr(name)}.{hint}", at=(name,))
        new = {**self.parameters}
        for name, given in parameters.items():
            old, value = new[name], _check_parameter(name, given)
            new[name] = old.at(value) if isinstance(old, Slider) and not isinstance(value, Slider) else value
        rebuild: Callable[..., Self] = type(self)
        return rebuild(self.text, **new)

    def at(
        self,
        position: ArrayLike,
        t: ArrayLike = 0.0,
        velocity: ArrayLike | None = None,
        look: PoseLookup | None = None,
        who: str | Sequence[str] | None = None,
    ) -> Floats:
        """The acceleration [m/s²], (…, 3), at positions (…, 3) or (…, 2) where z is 0; `t` is one second or (…).

        NaN or infinity where the formula has no value. How many are asked about decides alone whether it is compiled,
        so the same question always has the same answer to the last bit.
        """
        positions = _as_vectors(position, "A field's positions")
        given_times = parse_non_nan(t, "A field's times")
        given_velocities = None if velocity is None else _as_vectors(velocity, "An object's velocities")
        shape = positions.shape[:-1]
        try:
            times = np.broadcast_to(given_times, shape).reshape(-1) if given_times.ndim else given_times
            velocities = (
                None if given_velocities is None else np.broadcast_to(given_velocities, positions.shape).reshape(-1, 3)
            )
        except ValueError:
            shapes = f"positions {positions.shape}, times {given_times.shape}"
            shapes += "" if given_velocities is None else f", velocities {given_velocities.shape}"
            remedy = "Give one time and one velocity, or one for each position."
            raise KeyposeError(f"A field is asked for {shapes}. {remedy}") from None
        out = np.empty(positions.shape)
        self.fill(positions.reshape(-1, 3), velocities, times, out.reshape(-1, 3))
        return out

    def push(self, query: FieldQuery) -> Floats:
        """What the formula says; NaN or infinity where it has no value."""
        out = np.empty(query.position.shape)
        self.fill(query.position, query.velocity, query.t, out)
        return out

    def fill(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` (n, 3) for positions (n, 3), velocities (n, 3) or None for 0, and moments `t` () or (n,).

        Trusts what it is given.
        """
        work = 3 * len(position)
        is_compiled = (
            work >= WORTH_COMPILING
            and len(self.program.instructions) <= MAX_COMPILED_INSTRUCTIONS
            and use_kernels(work)
        )
        (self.fill_by_loop if is_compiled else self.fill_by_steps)(position, velocity, t, out)

    @property
    def parameter_values(self) -> list[float]:
        """The number of each parameter, in their order."""
        return [value.value if isinstance(value, Slider) else value for value in self.parameters.values()]

    def fill_by_steps(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` step by step; columns lie together, for numpy may round those with gaps otherwise."""
        columns = [*position.T.copy(), *(np.zeros(3) if velocity is None else velocity.T.copy())]
        variables = dict(
            zip((*POSITION, *VELOCITY, "t", *self.parameters), (*columns, t, *self.parameter_values), strict=True)
        )
        for axis, part in enumerate(evaluate_program(self.program, variables)):
            out[:, axis] = part

    def fill_by_loop(self, position: Floats, velocity: Floats | None, t: Floats, out: Floats) -> None:
        """Fill `out` by the compiled loop, on both cores where that pays."""
        if velocity is None:
            velocity = np.zeros((0, 3) if self.program.names.isdisjoint(VELOCITY) else position.shape)
        fill = compile_loop(loop_source(self.program, tuple(self.parameters), t.ndim > 0))
        position, velocity, t = (np.ascontiguousarray(each) if each.ndim else each for each in (position, velocity, t))
        values = np.array(self.parameter_values)

        def fill_part(start: int, stop: int) -> None:
            part = slice(start, stop)
            fill(position[part], velocity[part], t[part] if t.ndim else float(t), values, out[part])

        run_parallel(fill_part, len(position), 3 * len(position))


class Formula(FormulaField):
    """A field as it was typed: `Formula("(-y, x, 0) * exp(-r**2) * swirl", swirl=Slider(2, 0, 5))` [m/s²].

    Of x y z [m], r = length of (x, y, z), t [s], the object's own vx vy vz [m/s] and the parameters.
    """

    def __init__(self, text: str, /, **parameters: float | Slider) -> None:
        super().__init__(text, parameters, "vector", lambda program: program, "(-y, x, 0) * exp(-r**2)")


class Potential(FormulaField):
    """A landscape as it was typed, and objects roll down it: the acceleration is −∇V. `Potential("k * r**2 / 2", k=3)`.

    V [m²/s²] is one number of the same words as a `Formula`. At a place where r is 0 the slope of r counts as 0.
    """

    def __init__(self, text: str, /, **parameters: float | Slider) -> None:
        super().__init__(text, parameters, "number", negative_gradient, "r**2 / 2")


def _check_text(given: object, kind: str, example: str) -> str:
    if not isinstance(given, str):
        raise KeyposeError(f"A {kind} is given {short_repr(given)}. Give it text, such as {example!r}.", at=("text",))
    return str(given)


def _check_parameter(name: str, given: object) -> float | Slider:
    """A parameter with a name that can stand in a formula, and a value."""
    if name in RESERVED_NAMES:
        raise KeyposeError(f"A formula already knows what {name!r} is. Call the parameter something else.", at=(name,))
    if not (name.isascii() and name.isidentifier()) or iskeyword(name) or name.startswith("__"):
        message = (
            f"A formula's parameter is called {short_repr(name)}. Give it a plain name of letters a to z, such as "
            "'wind'."
        )
        raise KeyposeError(message, at=(name,))
    if isinstance(given, Slider):
        return given
    value = as_number(given)
    if value is None:
        message = (
            f"A formula's parameter {name!r} is {short_repr(given)}. Give a finite number, or Slider(value, low, high)."
        )
        raise KeyposeError(message, at=(name,))
    return value


def _as_vectors(given: ArrayLike, what: str) -> Floats:
    """Places or velocities as (…, 3); flat ones are at z = 0."""
    vectors = parse_numbers(given, what, copy=False)
    if vectors.ndim == 0 or vectors.shape[-1] not in (2, 3):
        raise KeyposeError(f"{what} are {short_repr(given)}. Give (x, y, z), or a list of such.")
    if vectors.shape[-1] == 3:
        return vectors
    return np.concatenate([vectors, np.zeros((*vectors.shape[:-1], 1))], axis=-1)
