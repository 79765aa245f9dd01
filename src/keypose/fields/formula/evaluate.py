"""How is a recipe computed at once, as soon as it is typed? Step by step over whole arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.fields.formula.operations import OPERATIONS
from keypose.fields.formula.program import Program


def evaluate_program(program: Program, variables: Mapping[str, Any]) -> Sequence[Any]:
    """The numbers of a recipe's answer, each a number or an array as wide as what it was made of.

    `variables` tells its variables and parameters. What has no value becomes NaN or infinity, without a warning.
    """
    results: list[Any] = []
    with np.errstate(all="ignore"):
        for instruction, released in zip(program.instructions, program.released_after, strict=True):
            if instruction.operation == "number":
                results.append(np.float64(instruction.number))
            elif instruction.operation == "name":
                results.append(variables[instruction.name])
            else:
                results.append(
                    OPERATIONS[instruction.operation].array_function(
                        *(results[index] for index in instruction.operands)
                    )
                )
            for index in released:
                results[index] = None  # a million points in every step would not fit into memory for long
    return [results[index] for index in program.outputs]
