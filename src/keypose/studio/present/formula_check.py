"""What is wrong with a formula while it is being typed? Where, why, and which names nobody has said yet.

It is read as a field reads it, character by character, and nothing of it is ever run.
"""

import re
from keyword import iskeyword
from typing import Any

from keypose.document import PARAMETER, MapOf, ReadContext
from keypose.errors import KeyposeError
from keypose.fields import RESERVED_NAMES, TOKEN, Formula, FormulaError, Keep, Potential, check_tokens
from keypose.studio.edits.labels import raise_problems
from keypose.studio.protocol.commands import CheckFormula
from keypose.studio.protocol.updates.updates import FormulaChecked

PARAMETERS = MapOf(PARAMETER, "parameters by name")


def check_formula(message: CheckFormula) -> FormulaChecked:
    """What a page is told about what it typed."""
    try:
        _parse(message)
    except FormulaError as error:
        start = min(error.column - 1, len(message.text))
        missing = () if message.kind == "keep" else _missing_parameters(message)
        end = _token_end(message.text, start)
        return FormulaChecked(id=message.id, reason=str(error), column=start, end=end, missing=missing)
    except KeyposeError as error:
        return FormulaChecked(id=message.id, reason=str(error))
    return FormulaChecked(id=message.id, reason=None)


def _parse(message: CheckFormula) -> None:
    reading = ReadContext()
    parameters: Any = PARAMETERS.read(message.parameters, "parameters", reading)
    raise_problems(reading, "The formula")
    if message.kind == "keep":
        Keep(message.text, (0.0, 0.0, 0.0))
    else:
        (Formula if message.kind == "formula" else Potential)(message.text, **parameters)


def _token_end(text: str, start: int) -> int | None:
    """Just behind the word or sign that begins there, if it is longer than a letter."""
    found = TOKEN.match(text, start)
    return found.end() if found is not None and found.end() > start + 1 else None


def _missing_parameters(message: CheckFormula) -> tuple[str, ...]:
    """Names that could be parameters, each once; none while the text is not even spelt like a formula."""
    try:
        line = check_tokens(message.text)
    except FormulaError:
        return ()
    known = RESERVED_NAMES | set(message.parameters)
    found: dict[str, None] = {}
    for token in TOKEN.finditer(line):
        name = token["name"]
        is_called = re.match(r" *\(", line[token.end() :]) is not None
        if name and not is_called and name not in known and not iskeyword(name) and not name.startswith("__"):
            found[name] = None
    return tuple(found)
