"""What is computed, and in which order? A recipe: steps over single numbers, each using only earlier ones.

Vectors are three numbers by now. A step that is already there is not added again, so whatever a formula repeats (the
distance r above all) is computed once. Nothing here is recursive: a recipe may be as deep as it is long.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.fields.formula.operations import BOOLEAN_OPERATIONS, OPERATIONS

SYMMETRIC = frozenset({"add", "multiply"})  # a + b is b + a to the last bit


@dataclass(frozen=True)
class Instruction:
    """One operation on the results of earlier steps; a "number" or a "name" stands for itself."""

    operation: str
    operands: tuple[int, ...] = ()
    number: float = 0.0
    name: str = ""


@dataclass(frozen=True, eq=False)  # each is read once and then known by itself: comparing steps would take long
class Program:
    """Steps in order, and which of them are the answer: one for a number, three for a vector."""

    instructions: tuple[Instruction, ...]
    outputs: tuple[int, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables and parameters that it uses."""
        return frozenset(instruction.name for instruction in self.instructions if instruction.name)

    @cached_property
    def released_after(self) -> tuple[tuple[int, ...], ...]:
        """For each step, the steps whose results nobody needs after it."""
        last = {
            operand: index for index, instruction in enumerate(self.instructions) for operand in instruction.operands
        }
        released: list[list[int]] = [[] for _ in self.instructions]
        for operand, index in last.items():
            if operand not in self.outputs:
                released[index].append(operand)
        return tuple(map(tuple, released))


class ProgramBuilder:
    """Where a recipe is written down, step by step; what can be worked out or left out is, on the way."""

    def __init__(self, instructions: Iterable[Instruction] = ()) -> None:
        self.instructions: list[Instruction] = list(instructions)
        self._index_of = {instruction: index for index, instruction in enumerate(self.instructions)}
        self.undefined: set[int] = set()
        """Steps of constants alone that have no value, wherever they are asked for."""

    def _append(self, instruction: Instruction) -> int:
        index = self._index_of.setdefault(instruction, len(self.instructions))
        if index == len(self.instructions):
            self.instructions.append(instruction)
        return index

    def constant(self, value: float) -> int:
        """A constant."""
        return self._append(
            Instruction("number", number=value + 0.0)
        )  # no minus zero: it would equal zero and not be it

    def variable(self, name: str) -> int:
        """A variable or a parameter."""
        return self._append(Instruction("name", name=name))

    def constant_value(self, index: int) -> float | None:
        """The constant that a step is, if it is one."""
        return self.instructions[index].number if self.instructions[index].operation == "number" else None

    def emit(self, operation: str, *operands: int) -> int:
        """One operation; constants are worked out, and what changes nothing is left out: x + 0, 1 · x, 0 · x = 0."""
        values = [self.constant_value(index) for index in operands]
        if operation not in BOOLEAN_OPERATIONS and None not in values:
            with np.errstate(all="ignore"):
                constant = float(OPERATIONS[operation].array_function(*values))
            if np.isfinite(constant):
                return self.constant(constant)
        simplified = self._simplify(operation, operands, values)
        if simplified is not None:
            return simplified
        index_added = self._append(
            Instruction(operation, tuple(sorted(operands)) if operation in SYMMETRIC else operands)
        )
        is_constant = all(
            value is not None or index in self.undefined for index, value in zip(operands, values, strict=True)
        )
        if operation not in BOOLEAN_OPERATIONS and is_constant:
            self.undefined.add(index_added)
        return index_added

    def _simplify(self, operation: str, operands: tuple[int, ...], values: list[float | None]) -> int | None:
        """The same result with less work, or None."""
        match operation, values:
            case ("add", [0.0, _]) | ("multiply", [1.0, _]):
                return operands[1]
            case ("add" | "subtract", [_, 0.0]) | ("multiply" | "divide", [_, 1.0]):
                return operands[0]
            case ("multiply", [0.0, _]) | ("multiply", [_, 0.0]):
                return self.constant(0.0)
            case ("subtract", [0.0, _]) | ("multiply", [-1.0, _]):
                return self.emit("negative", operands[1])
            case "multiply", [_, -1.0]:
                return self.emit("negative", operands[0])
            case "negative" | "not", _ if self.instructions[operands[0]].operation == operation:
                return self.instructions[operands[0]].operands[0]
            case "where", _ if operands[1] == operands[2]:
                return operands[1]
            case "multiply", _ if operands[0] == operands[1] and self.is_length(operands[0]):
                return self.instructions[operands[0]].operands[0]  # r · r needs no root, and has a slope where r is 0
        return None

    def is_length(self, index: int) -> bool:
        """Whether a step is the root of a sum of squares, as r is: a length, never negative, 0 only at one place."""
        if self.instructions[index].operation != "root":
            return False
        pending, seen = [self.instructions[index].operands[0]], set[int]()
        while pending:
            part = self.instructions[pending.pop()]
            if part.operation == "add":
                pending.extend(
                    set(part.operands) - seen
                )  # a sum may share its parts so often that walking all takes for ever
                seen.update(part.operands)
            elif part.operation != "multiply" or part.operands[0] != part.operands[1]:
                return False
        return True

    def power(self, base: int, exponent: int) -> int:
        """A whole power by as few multiplications as squaring allows."""
        if exponent < 0:
            return self.emit("divide", self.constant(1.0), self.power(base, -exponent))
        result, square = self.constant(1.0), base
        while exponent:
            if exponent & 1:
                result = self.emit("multiply", result, square)
            exponent >>= 1
            if exponent:
                square = self.emit("multiply", square, square)
        return result

    def length(self, vector: Iterable[int]) -> int:
        """The length of a vector, as r is that of (x, y, z)."""
        squares = [self.emit("multiply", part, part) for part in vector]
        total = squares[0]
        for square in squares[1:]:
            total = self.emit("add", total, square)
        return self.emit("root", total)

    def build(self, outputs: Iterable[int]) -> Program:
        """What leads to the answer, and nothing else."""
        outputs = tuple(outputs)
        needed, pending = set(outputs), list(outputs)
        while pending:
            for index in self.instructions[pending.pop()].operands:
                if index not in needed:
                    needed.add(index)
                    pending.append(index)
        used = sorted(needed)
        renumbered = {old: new for new, old in enumerate(used)}
        instructions = [self.instructions[old] for old in used]
        renumbered_instructions = (
            Instruction(
                instruction.operation,
                tuple(renumbered[index] for index in instruction.operands),
                instruction.number,
                instruction.name,
            )
            for instruction in instructions
        )
        return Program(tuple(renumbered_instructions), tuple(renumbered[index] for index in outputs))
