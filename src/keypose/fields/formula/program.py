"""What is computed, and in which order? A recipe: steps over single numbers, each using only earlier ones.

Vectors are three numbers by now. A step that is already there is not added again, so whatever a formula repeats (the
distance r above all) is computed once. Nothing here is recursive: a recipe may be as deep as it is long.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.fields.formula.operations import OPERATIONS, TRUTHS

SYMMETRIC = frozenset({"add", "multiply"})  # a + b is b + a to the last bit


@dataclass(frozen=True)
class Step:
    """One operation on the results of earlier steps; a "number" or a "name" stands for itself."""

    operation: str
    of: tuple[int, ...] = ()
    number: float = 0.0
    name: str = ""


@dataclass(frozen=True, eq=False)  # each is read once and then known by itself: comparing steps would take long
class Recipe:
    """Steps in order, and which of them are the answer: one for a number, three for a vector."""

    steps: tuple[Step, ...]
    answer: tuple[int, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables and parameters that it uses."""
        return frozenset(step.name for step in self.steps if step.name)

    @cached_property
    def last_use(self) -> tuple[tuple[int, ...], ...]:
        """For each step, the steps whose results nobody needs after it."""
        last = {number: at for at, step in enumerate(self.steps) for number in step.of}
        done: list[list[int]] = [[] for _ in self.steps]
        for number, at in last.items():
            if number not in self.answer:
                done[at].append(number)
        return tuple(map(tuple, done))


class Sheet:
    """Where a recipe is written down, step by step; what can be worked out or left out is, on the way."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self.steps: list[Step] = list(steps)
        self._known = {step: at for at, step in enumerate(self.steps)}
        self.valueless: set[int] = set()
        """Steps of constants alone that have no value, wherever they are asked for."""

    def _add(self, step: Step) -> int:
        at = self._known.setdefault(step, len(self.steps))
        if at == len(self.steps):
            self.steps.append(step)
        return at

    def number(self, value: float) -> int:
        """A constant."""
        return self._add(Step("number", number=value + 0.0))  # no minus zero: it would equal zero and not be it

    def name(self, name: str) -> int:
        """A variable or a parameter."""
        return self._add(Step("name", name=name))

    def value(self, at: int) -> float | None:
        """The constant that a step is, if it is one."""
        return self.steps[at].number if self.steps[at].operation == "number" else None

    def do(self, operation: str, *of: int) -> int:
        """One operation; constants are worked out, and what changes nothing is left out: x + 0, 1 · x, 0 · x = 0."""
        values = [self.value(at) for at in of]
        if operation not in TRUTHS and None not in values:
            with np.errstate(all="ignore"):
                worked_out = float(OPERATIONS[operation].on_arrays(*values))
            if np.isfinite(worked_out):
                return self.number(worked_out)
        shorter = self._shorter(operation, of, values)
        if shorter is not None:
            return shorter
        made = self._add(Step(operation, tuple(sorted(of)) if operation in SYMMETRIC else of))
        is_said = all(value is not None or at in self.valueless for at, value in zip(of, values, strict=True))
        if operation not in TRUTHS and is_said:
            self.valueless.add(made)
        return made

    def _shorter(self, operation: str, of: tuple[int, ...], values: list[float | None]) -> int | None:
        """The same result with less work, or None."""
        match operation, values:
            case ("add", [0.0, _]) | ("multiply", [1.0, _]):
                return of[1]
            case ("add" | "subtract", [_, 0.0]) | ("multiply" | "divide", [_, 1.0]):
                return of[0]
            case ("multiply", [0.0, _]) | ("multiply", [_, 0.0]):
                return self.number(0.0)
            case ("subtract", [0.0, _]) | ("multiply", [-1.0, _]):
                return self.do("negative", of[1])
            case "multiply", [_, -1.0]:
                return self.do("negative", of[0])
            case "negative" | "not", _ if self.steps[of[0]].operation == operation:
                return self.steps[of[0]].of[0]
            case "where", _ if of[1] == of[2]:
                return of[1]
            case "multiply", _ if of[0] == of[1] and self.is_length(of[0]):
                return self.steps[of[0]].of[0]  # r · r needs no root, and has a slope where r is 0
        return None

    def is_length(self, at: int) -> bool:
        """Whether a step is the root of a sum of squares, as r is: a length, never negative, 0 only at one place."""
        if self.steps[at].operation != "root":
            return False
        summed, seen = [self.steps[at].of[0]], set[int]()
        while summed:
            part = self.steps[summed.pop()]
            if part.operation == "add":
                summed.extend(set(part.of) - seen)  # a sum may share its parts so often that walking all takes for ever
                seen.update(part.of)
            elif part.operation != "multiply" or part.of[0] != part.of[1]:
                return False
        return True

    def power(self, base: int, exponent: int) -> int:
        """A whole power by as few multiplications as squaring allows."""
        if exponent < 0:
            return self.do("divide", self.number(1.0), self.power(base, -exponent))
        result, square = self.number(1.0), base
        while exponent:
            if exponent & 1:
                result = self.do("multiply", result, square)
            exponent >>= 1
            if exponent:
                square = self.do("multiply", square, square)
        return result

    def length(self, vector: Iterable[int]) -> int:
        """The length of a vector, as r is that of (x, y, z)."""
        squares = [self.do("multiply", part, part) for part in vector]
        total = squares[0]
        for square in squares[1:]:
            total = self.do("add", total, square)
        return self.do("root", total)

    def recipe(self, answer: Iterable[int]) -> Recipe:
        """What leads to the answer, and nothing else."""
        answer = tuple(answer)
        needed, ahead = set(answer), list(answer)
        while ahead:
            for at in self.steps[ahead.pop()].of:
                if at not in needed:
                    needed.add(at)
                    ahead.append(at)
        kept = sorted(needed)
        renumbered = {old: new for new, old in enumerate(kept)}
        steps = [self.steps[old] for old in kept]
        moved = (Step(s.operation, tuple(renumbered[at] for at in s.of), s.number, s.name) for s in steps)
        return Recipe(tuple(moved), tuple(renumbered[at] for at in answer))
