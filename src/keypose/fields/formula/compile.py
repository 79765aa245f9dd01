"""How is a recipe computed for a million points? As one loop, written from its steps and compiled with numba.

Nothing that was typed gets into the loop's text: it has numbered results, the operations of one table, and numbers.
Parameters are handed over, so moving a slider compiles nothing. Importing this does not load numba; `loop` does.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np

from keypose.fields.formula.operations import OPERATIONS
from keypose.fields.formula.program import Recipe
from keypose.fields.formula.vocabulary import PLACE, VELOCITY
from keypose.maths.arrays import Floats

Loop = Callable[[Floats, Floats, Floats | float, Floats, Floats], None]

MOST_STEPS = 400  # numba takes about a second for as many; longer recipes stay with numpy


@lru_cache(maxsize=256)
def written(recipe: Recipe, parameters: tuple[str, ...], moments: bool) -> str:
    """The loop as Python source: `fill(position, velocity, t, parameters, out)`.

    Position and velocity are (n, 3), `parameters` is (how many,) in the order of their names here, and `t` is (n,) if
    `moments`, else one number. All of `out` (n, 3) is filled: counting from 0, numba need not think of negative rows.
    """
    places = {name: f"position[i, {at}]" for at, name in enumerate(PLACE)}
    places |= {name: f"velocity[i, {at}]" for at, name in enumerate(VELOCITY)}
    places |= {"t": "t[i]" if moments else "t"}
    places |= {name: f"parameters[{at}]" for at, name in enumerate(parameters)}
    before, inside = list[str](), list[str]()
    for at, step in enumerate(recipe.steps):
        if step.operation == "number":  # with a name of its own, or Python would work out (-8.0) ** 0.3 as complex
            before.append(f"s{at} = {step.number!r}")
        elif step.operation == "name":
            lines = before if step.name in parameters or places[step.name] == "t" else inside
            lines.append(f"s{at} = {places[step.name]}")
        else:
            operands = (f"s{of}" for of in step.of)
            inside.append(f"s{at} = {OPERATIONS[step.operation].in_a_loop.format(*operands)}")
    inside += [f"out[i, {at}] = s{of}" for at, of in enumerate(recipe.answer)]
    head = "def fill(position, velocity, t, parameters, out):"
    loop = [head, *(f"    {line}" for line in before), "    for i in range(len(out)):"]
    return "\n".join([*loop, *(f"        {line}" for line in inside)])


@lru_cache(maxsize=256)
def loop(source: str) -> Loop:
    """The compiled loop of a source that `written` has made; compiled at its first call, for this process."""
    import numba

    return cast(Loop, numba.njit(nogil=True, error_model="numpy")(as_python(source)))


def as_python(source: str) -> Loop:
    """The loop as it stands, not compiled."""
    made: dict[str, Any] = {}
    exec(source, {"np": np, "abs": abs, "len": len, "range": range, "__builtins__": {}}, made)
    return cast(Loop, made["fill"])
