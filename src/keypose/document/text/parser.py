"""Is this text JSON, and strictly so? Every key once, every number finite, and of a size that fits.

The quick way is Python's own reader, told to refuse what it usually lets pass. It says what is wrong but not in which
field; so what it refuses is read again by `diagnosis`, slowly and with paths.
"""

import gc
import json
from typing import Any

from keypose.document.problems import INVALID, Invalid, ReadContext
from keypose.document.text.diagnosis import diagnose, path_at_end, reject_constant, reject_duplicate_keys

MAX_BYTES = 1_000_000_000
MAX_OBJECTS = 10_000_000
MAX_VALUES = 100_000_000


def parse_text(content: bytes, context: ReadContext) -> Any | Invalid:
    """What the text says, as Python's plain values; problems are told to `context`."""
    sizes = (
        (len(content), MAX_BYTES, "bytes"),
        (content.count(b"{"), MAX_OBJECTS, "objects"),
        (content.count(b","), MAX_VALUES, "values"),
    )
    for count, limit, what in sizes:  # known before anything is built
        if count > limit:
            return context.add_problem(
                "", f"It has {count:,} {what}, more than {limit:,}. Split it into several scenes."
            )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line = before.count("\n") + 1
        path = path_at_end(before)
        return context.add_problem(path, f"Line {line} has a byte that is not UTF-8. Save the file as UTF-8.")
    was_enabled = gc.isenabled()
    gc.disable()  # a million small values and not one cycle: looking for some would double the time
    try:
        return json.loads(text, object_pairs_hook=reject_duplicate_keys, parse_constant=reject_constant)
    except (ValueError, RecursionError):
        diagnose(text, context)
        return INVALID
    finally:
        if was_enabled:
            gc.enable()
