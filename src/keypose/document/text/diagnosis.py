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

from keypose.document.problems import ReadContext
from keypose.errors import join_path, short_repr

MAX_DEPTH = 100
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
LITERALS = ("true", "false", "null")
MAX_NUMBER_LENGTH = 4000  # digits
LOOKAHEAD = 500  # letters: about as many as a key has, and few enough to look at in vain
MAX_LOOKAHEAD_DEPTH = 8  # levels: farther down than anything stands in a scene, every glance could be in vain
LARGE_NUMBER = re.compile(r"[eE]\+?[0-9]{3}|[0-9]{200}")  # what a number that is too large has in it
LARGE_EXPONENT = re.compile(r"[eE]\+?[0-9]{3}")  # the same, much sooner, where there is no room for so many digits
EXPECTED_TEXT = {
    "value": "a value",
    "value or ]": "a value or ]",
    "name": "a name in quotes",
    "name or }": "a name in quotes or }",
    ":": "a colon",
    ", or ]": "a comma or ]",
    ", or }": "a comma or }",
    "end": "nothing more",
}


ITEM_START = re.compile(r"[ \t\n\r]*+[{\[]")
COMMA = re.compile(r"[ \t\n\r]*+,")


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if it says every key once."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key twice")
    return result


def reject_constant(constant: str) -> NoReturn:
    """NaN and infinities, which Python would let pass."""
    raise ValueError(constant)


STRICT_DECODER = json.JSONDecoder(object_pairs_hook=reject_duplicate_keys, parse_constant=reject_constant)


@dataclass
class _Level:
    """An object or a list that is open: its names so far, or how many things it has."""

    path: str
    is_list: bool
    names: set[str] = field(default_factory=set)
    count: int = 0
    name: str | None = None

    @property
    def current_path(self) -> str:
        """The path of what is being read in it."""
        if self.is_list:
            return join_path(self.path, self.count)
        return self.path if self.name is None else join_path(self.path, self.name)


class Scanner:
    """One way through a text, from token to token."""

    def __init__(self, context: ReadContext) -> None:
        self.reading = context
        self.levels: list[_Level] = []
        self.expected = "value"

    @property
    def path(self) -> str:
        """The field it is in."""
        return self.levels[-1].current_path if self.levels else ""

    def scan(self, text: str) -> tuple[int, str] | None:
        """Go as far as it goes: None at a good end, else where it stops and what is there."""
        position = 0
        while found := TOKEN.match(text, position):
            kind = str(found.lastgroup)
            if not self.accept(kind, found[kind]):
                unfinished_text = "a text without its end, or with a wrong escape,"
                return found.start(kind), unfinished_text if found[kind] == '"' else short_repr(found[kind])
            if len(self.levels) > MAX_DEPTH:
                return found.start(kind), f"a list or an object, {MAX_DEPTH} deep already,"
            position = found.end()
            if self.expected.startswith("value") and self.levels[-1].is_list and len(self.levels) < MAX_LOOKAHEAD_DEPTH:
                position = self._skip_valid_items(text, position)
        return None if self.expected == "end" else (len(text), "the end of the file")

    def _skip_valid_items(self, text: str, position: int) -> int:
        """Where the objects and rows that stand next in a list, each short and right, end; their commas are taken."""
        while found := ITEM_START.match(text, position):
            excerpt = text[found.end() - 1 : found.end() - 1 + LOOKAHEAD]
            try:
                _, length = STRICT_DECODER.raw_decode(excerpt)
            except (ValueError, RecursionError):
                return position
            end = COMMA.match(text, found.end() - 1 + length)
            if end is None or (LARGE_EXPONENT if length < 200 else LARGE_NUMBER).search(excerpt, 0, length):
                return position
            self.levels[-1].count += 1
            self.expected = "value"
            position = end.end()
        return position

    def accept(self, kind: str, token: str) -> bool:
        """Take a token; False if it is out of place."""
        if self.expected.startswith("value"):
            return self._accept_value(kind, token)
        if self.expected.startswith("name") and kind == "text":
            self._accept_name(json.loads(token))
            return True
        if self.expected == ":" and token == ":":
            self.expected = "value"
            return True
        if self.expected.startswith(",") and token == ",":
            level = self.levels[-1]
            level.count += 1
            self.expected = "value" if level.is_list else "name"
            return True
        return self._accept_close(token)

    def _accept_value(self, kind: str, token: str) -> bool:
        if token in ("{", "["):
            self.levels.append(_Level(self.path, token == "["))
            self.expected = "value or ]" if token == "[" else "name or }"
            return True
        if kind not in ("text", "number", "word"):
            return self._accept_close(token)
        _check_value(kind, token, self.path, self.reading)
        self._expect_after_value()
        return True

    def _accept_name(self, name: str) -> None:
        level = self.levels[-1]
        level.name = name
        if name in level.names:
            self.reading.add_problem(level.current_path, "It is said twice in the same object. Keep one of them.")
        level.names.add(name)
        self.expected = ":"

    def _accept_close(self, token: str) -> bool:
        """Whether the token ends the list or object that is open, where it may end."""
        if token not in ("]", "}") or not self.expected.endswith(token):
            return False
        self.levels.pop()
        self._expect_after_value()
        return True

    def _expect_after_value(self) -> None:
        self.expected = "end" if not self.levels else ", or ]" if self.levels[-1].is_list else ", or }"


def diagnose(text: str, context: ReadContext) -> None:
    """Tell `context` what is wrong with a text, and in which field."""
    before, scanner = context.count, Scanner(context)
    if not text.strip():
        context.add_problem("", 'It is empty. A scene is an object that starts with {"keypose": 1.')
        return
    stop = scanner.scan(text)
    if stop is not None:
        offset, found = stop
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        expected = EXPECTED_TEXT[scanner.expected]
        context.add_problem(
            scanner.path, f"Line {line}, column {column} has {found} where {expected} should be. Mend it there."
        )
    if context.count == before:  # never silent, whatever the other reader disliked
        context.add_problem("", "It is not JSON as Keypose reads it. Write it anew with save().")


def path_at_end(text: str) -> str:
    """The path of the field in which a text breaks off."""
    scanner = Scanner(ReadContext())
    scanner.scan(text)
    return scanner.path


def _check_value(kind: str, token: str, path: str, context: ReadContext) -> None:
    """A value by itself: a word must be one of three, a number must be finite."""
    if kind == "word" and token not in LITERALS:
        is_number = token.lstrip("+-").lower() in ("nan", "infinity", "inf")
        remedy = "a finite number" if is_number else f'true, false, null, a number, or text in quotes: "{token[:20]}"'
        context.add_problem(path, f"It is {short_repr(token)}, which is no value in a scene. Give {remedy}.")
    elif kind == "number" and (len(token) > MAX_NUMBER_LENGTH or not isfinite(float(token))):
        context.add_problem(path, f"It is {short_repr(token)}, which is too large. Give a finite number.")
