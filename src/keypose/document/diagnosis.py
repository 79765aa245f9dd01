"""Where does this text stop being a scene? Reads JSON token by token and knows at each of them which field it is in.

Only texts that were refused come here, so it may take its time. It goes on after what it can go on after (a key twice,
a number that is none), and stops at the first thing out of place.
"""

import json
import re
from dataclasses import dataclass, field
from math import isfinite

from keypose.document.problems import Reading
from keypose.errors import shown

DEEPEST = 100
TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
      (?P<mark>[{}\[\],:])
    | (?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
    | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    | (?P<word>[A-Za-z+-][A-Za-z0-9_.]*)
    | (?P<other>[^ \t\n\r])
    )""",
    re.VERBOSE,
)
WORDS = ("true", "false", "null")
LONGEST_NUMBER = 4000  # digits


@dataclass
class _Level:
    """An object or a list that is open: its names so far, or how many things it has."""

    path: str
    is_list: bool
    names: set[str] = field(default_factory=set)
    count: int = 0
    name: str = ""

    @property
    def inside(self) -> str:
        """The path of what comes next."""
        return f"{self.path}[{self.count}]" if self.is_list else _joined(self.path, self.name)


def diagnosed(text: str, reading: Reading) -> None:
    """Tell `reading` what is wrong with a text, and in which field."""
    levels: list[_Level] = []
    expected, position, before = "value", 0, len(reading.problems)
    while True:
        found = TOKEN.match(text, position)
        if found is None:  # nothing but blanks is left
            if expected != "end":
                _out_of_place(text, len(text), "the end of the file", expected, levels, reading)
            break
        kind, token, start = str(found.lastgroup), found[found.lastgroup or 0], found.start(found.lastgroup or 0)
        position = found.end()
        following = _after(kind, token, expected, levels, reading)
        if following is None:
            what = shown(token) if kind != "other" else f"the character {token!r}"
            _out_of_place(text, start, what, expected, levels, reading)
            break
        if len(levels) > DEEPEST:
            reading.wrong(
                levels[-1].path, f"Lists or objects lie in each other more than {DEEPEST} deep. Flatten them."
            )
            break
        expected = following
    if len(reading.problems) == before:  # never silent, whatever the other reader disliked
        reading.wrong("", "It is not JSON as Keypose reads it. Write it anew with save().")


def _after(kind: str, token: str, expected: str, levels: list[_Level], reading: Reading) -> str | None:
    """What may come after a token; None if the token itself is out of place."""
    if expected.startswith("value"):
        if token in ("{", "["):
            levels.append(_Level(levels[-1].inside if levels else "", token == "["))
            return "value or ]" if token == "[" else "name or }"
        if token == "]" and expected == "value or ]":
            return _closed(levels)
        if kind not in ("text", "number", "word"):
            return None
        _check_value(kind, token, levels, reading)
        return ", or end" if levels else "end"
    if expected.startswith("name"):
        if token == "}" and expected == "name or }":
            return _closed(levels)
        if kind != "text":
            return None
        level = levels[-1]
        level.name = json.loads(token)
        if level.name in level.names:
            reading.wrong(level.inside, "It is said twice in the same object. Keep one of them.")
        level.names.add(level.name)
        return ":"
    if expected == ":":
        return "value" if token == ":" else None
    if expected == ", or end":
        level = levels[-1]
        if token == ",":
            level.count += 1
            return "value" if level.is_list else "name"
        return _closed(levels) if token == ("]" if level.is_list else "}") else None
    return None


def _closed(levels: list[_Level]) -> str:
    levels.pop()
    return ", or end" if levels else "end"


def _check_value(kind: str, token: str, levels: list[_Level], reading: Reading) -> None:
    """A value by itself: a word must be one of three, a number must be finite."""
    path = levels[-1].inside if levels else ""
    if kind == "word" and token not in WORDS:
        remedy = "Give a finite number." if token.lstrip("+-").lower() in ("nan", "infinity", "inf") else _quoted(token)
        reading.wrong(path, f"It is {shown(token)}, which is no value in a scene. {remedy}")
    elif kind == "number" and (len(token) > LONGEST_NUMBER or not isfinite(float(token))):
        reading.wrong(path, f"It is {shown(token)}, which is too large. Give a finite number.")


def _quoted(token: str) -> str:
    return f'Give true, false, null, a number, or text in quotes: "{token[:20]}".'


def _out_of_place(text: str, at: int, what: str, expected: str, levels: list[_Level], reading: Reading) -> None:
    line, column = text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
    wanted = {
        "value": "a value",
        "value or ]": "a value or ]",
        "name": "a name in quotes",
        "name or }": "a name in quotes or }",
        ":": "a colon",
        ", or end": f"a comma or {']' if levels and levels[-1].is_list else '}'}",
        "end": "nothing more",
    }[expected]
    path = "" if not levels else levels[-1].path if expected.startswith("name") else levels[-1].inside
    reading.wrong(path, f"Line {line}, column {column} has {what} where {wanted} should be. Mend the text there.")


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
