"""How is a recipe computed for a million points? As one loop, written from its steps and compiled with numba.

Nothing that was typed gets into the loop's text: it has numbered results, the operations of one table, and numbers.
Parameters are handed over, so moving a slider compiles nothing. Importing this does not load numba; `compile_loop`
does.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np

from keypose.fields.formula.operations import OPERATIONS
from keypose.fields.formula.program import Program
from keypose.fields.formula.vocabulary import POSITION, VELOCITY
from keypose.maths import Floats

Loop = Callable[[Floats, Floats, Floats | float, Floats, Floats], None]

MAX_COMPILED_INSTRUCTIONS = 400  # numba takes about a second for as many; longer recipes stay with numpy


@lru_cache(maxsize=256)
def loop_source(program: Program, parameters: tuple[str, ...], has_times: bool) -> str:
    """The loop as Python source: `fill(position, velocity, t, parameters, out)`.

    Position and velocity are (n, 3), `parameters` is (how many,) in the order of their names here, and `t` is (n,) if
    `has_times`, else one number. All of `out` (n, 3) is filled: counting from 0, numba need not think of negative rows.
    """
    sources = {name: f"position[i, {index}]" for index, name in enumerate(POSITION)}
    sources |= {name: f"velocity[i, {index}]" for index, name in enumerate(VELOCITY)}
    sources |= {"t": "t[i]" if has_times else "t"}
    sources |= {name: f"parameters[{index}]" for index, name in enumerate(parameters)}
    before, inside = list[str](), list[str]()
    for index, instruction in enumerate(program.instructions):
        if (
            instruction.operation == "number"
        ):  # with a name of its own, or Python would work out (-8.0) ** 0.3 as complex
            before.append(f"s{index} = {instruction.number!r}")
        elif instruction.operation == "name":
            lines = before if instruction.name in parameters or sources[instruction.name] == "t" else inside
            lines.append(f"s{index} = {sources[instruction.name]}")
        else:
            operands = (f"s{operand}" for operand in instruction.operands)
            inside.append(f"s{index} = {OPERATIONS[instruction.operation].loop_template.format(*operands)}")
    inside += [f"out[i, {index}] = s{operand}" for index, operand in enumerate(program.outputs)]
    head = "def fill(position, velocity, t, parameters, out):"
    loop = [head, *(f"    {line}" for line in before), "    for i in range(len(out)):"]
    return "\n".join([*loop, *(f"        {line}" for line in inside)])


@lru_cache(maxsize=256)
def compile_loop(source: str) -> Loop:
    """The compiled loop of a source that `loop_source` has made; compiled at its first call, for this process."""
    import numba

    return cast(Loop, numba.njit(nogil=True, error_model="numpy")(load_loop(source)))


def load_loop(source: str) -> Loop:
    """The loop as it stands, not compiled."""
    namespace: dict[str, Any] = {}
    exec(source, {"np": np, "abs": abs, "len": len, "range": range, "__builtins__": {}}, namespace)
    return cast(Loop, namespace["fill"])
