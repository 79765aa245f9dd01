"""How is a recipe computed at once, as soon as it is typed? Step by step over whole arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.fields.formula.operations import OPERATIONS
from keypose.fields.formula.program import Recipe


def computed(recipe: Recipe, named: Mapping[str, Any]) -> Sequence[Any]:
    """The numbers of a recipe's answer, each a number or an array as wide as what it was made of.

    `named` tells its variables and parameters. What has no value becomes NaN or infinity, without a warning.
    """
    results: list[Any] = []
    with np.errstate(all="ignore"):
        for step, done in zip(recipe.steps, recipe.last_use, strict=True):
            if step.operation == "number":
                results.append(np.float64(step.number))
            elif step.operation == "name":
                results.append(named[step.name])
            else:
                results.append(OPERATIONS[step.operation].on_arrays(*(results[at] for at in step.of)))
            for at in done:
                results[at] = None  # a million points in every step would not fit into memory for long
    return [results[at] for at in recipe.answer]
