"""What may a terminal be shown? Letters: whatever would steer it, or hide, or cannot be written there, is spelled out.

A scene comes from anywhere, and the names in it could hold escape characters that recolour or clear a screen.
"""

import json
from typing import Any


def escape_text(text: str) -> str:
    """A text of one or more lines in which everything but letters is spelled out."""
    return "".join(letter if letter == "\n" else _escape_character(letter) for letter in text)


def escape_line(text: object) -> str:
    """A name as it stands within a line."""
    return "".join(map(_escape_character, str(text)))


def escape_unencodable(text: str, encoding: str | None) -> str:
    """A text with what this encoding lacks spelled out."""
    known = encoding or "utf-8"
    return text.encode(known, "backslashreplace").decode(known)


def escape_json(value: Any, encoding: str | None) -> str:
    """A value as JSON that reads back as the same, whatever is in its texts."""
    try:
        unicode = "×…".encode(encoding or "utf-8").decode("utf-8") == "×…"
    except UnicodeError:
        unicode = False
    text = json.dumps(value, ensure_ascii=not unicode, indent=2)
    return "".join(letter if letter == "\n" or letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def _escape_character(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()
