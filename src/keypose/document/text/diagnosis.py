"""Where does this text stop being a scene? Reads JSON token by token and knows at each of them which field it is in.

Only texts that were refused come here, so it may take its time; but it hands what is plainly right to Python's own
reader, a key or a row at once. It goes on after what it can go on after (a key twice, a number that is none), and stops
at the first thing out of place.
"""

import json
import re
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NoReturn

from keypose.document.problems import Reading, inside
from keypose.errors import shown

DEEPEST = 100
TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
      (?P<mark>[{}\[\],:])
    | (?P<text>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    | (?P<word>[A-Za-z+-][A-Za-z0-9_.]*+)
    | (?P<other>[^ \t\n\r])
    )""",
    re.VERBOSE,
)
WORDS = ("true", "false", "null")
LONGEST_NUMBER = 4000  # digits
GLANCE = 500  # letters: about as many as a key has, and few enough to look at in vain
SHALLOW = 8  # levels: farther down than anything stands in a scene, every glance could be in vain
LARGE = re.compile(r"[eE]\+?[0-9]{3}|[0-9]{200}")  # what a number that is too large has in it
LARGE_IN_SHORT = re.compile(r"[eE]\+?[0-9]{3}")  # the same, much sooner, where there is no room for so many digits
WANTED = {
    "value": "a value",
    "value or ]": "a value or ]",
    "name": "a name in quotes",
    "name or }": "a name in quotes or }",
    ":": "a colon",
    ", or ]": "a comma or ]",
    ", or }": "a comma or }",
    "end": "nothing more",
}


ITEM = re.compile(r"[ \t\n\r]*+[{\[]")
COMMA = re.compile(r"[ \t\n\r]*+,")


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if it says every key once."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key twice")
    return made


def refuse(constant: str) -> NoReturn:
    """NaN and infinities, which Python would let pass."""
    raise ValueError(constant)


PLAIN = json.JSONDecoder(object_pairs_hook=each_once, parse_constant=refuse)


@dataclass
class _Level:
    """An object or a list that is open: its names so far, or how many things it has."""

    path: str
    is_list: bool
    names: set[str] = field(default_factory=set)
    count: int = 0
    name: str | None = None

    @property
    def here(self) -> str:
        """The path of what is being read in it."""
        if self.is_list:
            return inside(self.path, self.count)
        return self.path if self.name is None else inside(self.path, self.name)


class _Walk:
    """One way through a text, from token to token."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.levels: list[_Level] = []
        self.expected = "value"

    @property
    def path(self) -> str:
        """The field it is in."""
        return self.levels[-1].here if self.levels else ""

    def through(self, text: str) -> tuple[int, str] | None:
        """Go as far as it goes: None at a good end, else where it stops and what is there."""
        position = 0
        while found := TOKEN.match(text, position):
            kind = str(found.lastgroup)
            if not self._step(kind, found[kind]):
                unfinished = "a text without its end, or with a wrong escape,"
                return found.start(kind), unfinished if found[kind] == '"' else shown(found[kind])
            if len(self.levels) > DEEPEST:
                return found.start(kind), f"a list or an object, {DEEPEST} deep already,"
            position = found.end()
            if self.expected.startswith("value") and self.levels[-1].is_list and len(self.levels) < SHALLOW:
                position = self._past_what_is_right(text, position)
        return None if self.expected == "end" else (len(text), "the end of the file")

    def _past_what_is_right(self, text: str, position: int) -> int:
        """Where the objects and rows that stand next in a list, each short and right, end; their commas are taken."""
        while found := ITEM.match(text, position):
            glance = text[found.end() - 1 : found.end() - 1 + GLANCE]
            try:
                _, length = PLAIN.raw_decode(glance)
            except (ValueError, RecursionError):
                return position
            end = COMMA.match(text, found.end() - 1 + length)
            if end is None or (LARGE_IN_SHORT if length < 200 else LARGE).search(glance, 0, length):
                return position
            self.levels[-1].count += 1
            self.expected = "value"
            position = end.end()
        return position

    def _step(self, kind: str, token: str) -> bool:
        """Take a token; False if it is out of place."""
        if self.expected.startswith("value"):
            return self._value(kind, token)
        if self.expected.startswith("name") and kind == "text":
            self._name(json.loads(token))
            return True
        if self.expected == ":" and token == ":":
            self.expected = "value"
            return True
        if self.expected.startswith(",") and token == ",":
            level = self.levels[-1]
            level.count += 1
            self.expected = "value" if level.is_list else "name"
            return True
        return self._closes(token)

    def _value(self, kind: str, token: str) -> bool:
        if token in ("{", "["):
            self.levels.append(_Level(self.path, token == "["))
            self.expected = "value or ]" if token == "[" else "name or }"
            return True
        if kind not in ("text", "number", "word"):
            return self._closes(token)
        _check_value(kind, token, self.path, self.reading)
        self._after_a_value()
        return True

    def _name(self, name: str) -> None:
        level = self.levels[-1]
        level.name = name
        if name in level.names:
            self.reading.wrong(level.here, "It is said twice in the same object. Keep one of them.")
        level.names.add(name)
        self.expected = ":"

    def _closes(self, token: str) -> bool:
        """Whether the token ends the list or object that is open, where it may end."""
        if token not in ("]", "}") or not self.expected.endswith(token):
            return False
        self.levels.pop()
        self._after_a_value()
        return True

    def _after_a_value(self) -> None:
        self.expected = "end" if not self.levels else ", or ]" if self.levels[-1].is_list else ", or }"


def diagnosed(text: str, reading: Reading) -> None:
    """Tell `reading` what is wrong with a text, and in which field."""
    before, walk = reading.count, _Walk(reading)
    if not text.strip():
        reading.wrong("", 'It is empty. A scene is an object that starts with {"keypose": 1.')
        return
    stopped = walk.through(text)
    if stopped is not None:
        at, what = stopped
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        wanted = WANTED[walk.expected]
        reading.wrong(walk.path, f"Line {line}, column {column} has {what} where {wanted} should be. Mend it there.")
    if reading.count == before:  # never silent, whatever the other reader disliked
        reading.wrong("", "It is not JSON as Keypose reads it. Write it anew with save().")


def field_at_the_end(text: str) -> str:
    """The path of the field in which a text breaks off."""
    walk = _Walk(Reading())
    walk.through(text)
    return walk.path


def _check_value(kind: str, token: str, path: str, reading: Reading) -> None:
    """A value by itself: a word must be one of three, a number must be finite."""
    if kind == "word" and token not in WORDS:
        number = token.lstrip("+-").lower() in ("nan", "infinity", "inf")
        remedy = "a finite number" if number else f'true, false, null, a number, or text in quotes: "{token[:20]}"'
        reading.wrong(path, f"It is {shown(token)}, which is no value in a scene. Give {remedy}.")
    elif kind == "number" and (len(token) > LONGEST_NUMBER or not isfinite(float(token))):
        reading.wrong(path, f"It is {shown(token)}, which is too large. Give a finite number.")
