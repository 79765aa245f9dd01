"""Is this text JSON, and strictly so? Every key once, every number finite, and of a size that fits.

The quick way is Python's own reader, told to refuse what it usually lets pass. It says what is wrong but not in which
field; so what it refuses is read again by `diagnosis`, slowly and with paths.
"""

import gc
import json
from typing import Any

from keypose.document.problems import BAD, Bad, Reading
from keypose.document.text.diagnosis import diagnosed, each_once, field_at_the_end, refuse

MOST_BYTES = 1_000_000_000
MOST_KEYS = 10_000_000
MOST_VALUES = 100_000_000


def parsed(content: bytes, reading: Reading) -> Any | Bad:
    """What the text says, as Python's plain values; problems are told to `reading`."""
    sizes = (
        (len(content), MOST_BYTES, "bytes"),
        (content.count(b"{"), MOST_KEYS, "objects"),
        (content.count(b","), MOST_VALUES, "values"),
    )
    for count, most, what in sizes:  # known before anything is built
        if count > most:
            return reading.wrong("", f"It has {count:,} {what}, more than {most:,}. Split it into several scenes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line = before.count("\n") + 1
        path = field_at_the_end(before)
        return reading.wrong(path, f"Line {line} has a byte that is not UTF-8. Save the file as UTF-8.")
    paused = gc.isenabled()
    gc.disable()  # a million small values and not one cycle: looking for some would double the time
    try:
        return json.loads(text, object_pairs_hook=each_once, parse_constant=refuse)
    except (ValueError, RecursionError):
        diagnosed(text, reading)
        return BAD
    finally:
        if paused:
            gc.enable()
