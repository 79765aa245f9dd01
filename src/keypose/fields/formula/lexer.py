"""Is this written as a formula is? Every character is looked at before Python's own parser sees any of them.

Read from left to right: where a value is due, a number, a name, a sign or an opening parenthesis; after a value, what
joins it to the next. So the first thing that is wrong is the one that is told, at its column, whatever follows it.
"""

import re
from keyword import iskeyword

from keypose.fields.formula.errors import FormulaError

LONGEST = 2000  # characters
DEEPEST = 32  # parentheses within parentheses
MOST_SIGNS = 8  # in a row, as in --x
LARGEST = 1e100  # of a number

TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark>\*\*|//|<<|>>|<=|>=|==|!=|:=|.)",
    re.ASCII | re.DOTALL,
)
JOINS = frozenset({"+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "!=", "and", "or"})
SIGNS = frozenset({"+", "-", "not"})

TO_COMPARE = "Compare with == or <, inside where(…); a parameter gets its value beside the text, not in it."
IN_PARENTHESES = "Write ( and ), as in (x, y, z)."
NO_TEXT = "A formula holds numbers and names, no text. Take the quotes away."
TO_CHOOSE = "To choose, write where(x > 0, a, b)."
NOT_KNOWN = "A formula has only + - * / % **, comparisons, commas and parentheses."
INSTEAD = {
    "^": "A power is written **, as in r**2.",
    ".": "Nothing is reached with a dot here. Decimals are written 0.5, products 2 * x.",
    "//": "Write floor(a / b).",
    "@": "Write dot(a, b) or cross(a, b).",
    "&": "Write and, inside where(…).",
    "|": "Write or, inside where(…), or abs(a) for a size.",
    "~": "Write not, inside where(…).",
    "!": "Write not, inside where(…); a formula has no factorials.",
    "=": TO_COMPARE,
    ":=": TO_COMPARE,
    "?": TO_CHOOSE,
    ":": TO_CHOOSE,
    **dict.fromkeys("[]{}", IN_PARENTHESES),
    **dict.fromkeys("'\"`", NO_TEXT),
    **dict.fromkeys("×·⋅∙", "Write * for a product."),
    **dict.fromkeys("−–—", "Write the plain - for minus."),
    **dict.fromkeys("÷⁄∕", "Write / for a quotient."),
    "²": "Write **2 for a square.",
    "³": "Write **3 for a cube.",
    "√": "Write sqrt(a) for a root.",
    "π": "Write pi.",
    "τ": "Write tau.",
    "≤": "Write <=.",
    "≥": "Write >=.",
    "≠": "Write !=.",
    "if": TO_CHOOSE,
    "else": TO_CHOOSE,
    "True": TO_CHOOSE,
    "False": TO_CHOOSE,
}


def check_spelling(text: str) -> str:
    """The text on one line, column for column, if it is spelt like a formula; refused otherwise."""
    if len(text) > LONGEST:
        raise FormulaError(f"it has {len(text):,} characters, and {LONGEST:,} are the most. Shorten it.", LONGEST + 1)
    if not text.strip(" \t\r\n"):
        raise FormulaError("it is empty. Write for example (-y, x, 0) * exp(-r**2).", 1)
    line = re.sub(r"[\t\r\n]", " ", text)
    _Spelling(line).check()
    return line


def names_in(text: str) -> frozenset[str]:
    """Every name in a text that is spelt like a formula: variables, parameters and functions."""
    return frozenset(token["name"] for token in TOKEN.finditer(text) if token["name"])


class _Spelling:
    """One reading from left to right: what has been opened, what came last, and whether a value is due."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.opened: list[int] = []  # columns
        self.signs = 0
        self.before = ""
        self.due = True  # a value, not something that joins two

    def check(self) -> None:
        for found in TOKEN.finditer(self.line):
            token, column = found.group(), found.start() + 1
            if token == " ":
                continue
            if not token.isascii() or (found["mark"] and token not in JOINS and token not in "(),"):
                raise FormulaError(_no_part(token), column)
            if found["number"]:
                self._number(token, column)
            if iskeyword(token) and token not in ("and", "or", "not"):
                raise FormulaError(f"'{token}' is no part of a formula. {INSTEAD.get(token, NOT_KNOWN)}", column)
            if self.due:
                self._value(token, column)
            else:
                self._join(token, column)
            self.before = token
        end = len(self.line.rstrip())
        if self.due:
            raise FormulaError(f"it ends after '{self.before}', where a value is due. Write on, or take it away.", end)
        if self.opened:
            raise FormulaError("'(' is opened here and never closed. Add a ')'.", self.opened[-1])

    def _number(self, token: str, column: int) -> None:
        if not float(token) <= LARGEST:
            raise FormulaError(f"{_short(token)} is too large a number. {LARGEST:g} is the most.", column)
        if token.isdecimal() and token[0] == "0" and token.strip("0"):
            raise FormulaError(f"{_short(token)} begins with a 0. Leave that out.", column)

    def _value(self, token: str, column: int) -> None:
        """Where a value is due: a number, a name, a sign or an opening parenthesis."""
        self.signs = self.signs + 1 if token in SIGNS else 0
        if self.signs > MOST_SIGNS:
            raise FormulaError(f"'{token}' is one sign too many in a row. {MOST_SIGNS} are the most.", column)
        if token == "not" and self.before not in ("", "(", ",", "and", "or", "not"):
            raise FormulaError(
                f"'not' stands after '{self.before}'. Put parentheses around it and its condition.", column
            )
        if token in SIGNS:
            return
        if token == "(":
            self._open(column)
        elif token == ")" and self.before == "(":
            raise FormulaError("nothing stands between '(' and ')'. Write a value there.", column)
        elif token in JOINS or token in "),":
            what = f"after '{self.before}'" if self.before else "at the beginning"
            raise FormulaError(f"'{token}' stands {what}, where a value is due. Write the value before it.", column)
        else:
            self.due = False

    def _join(self, token: str, column: int) -> None:
        """After a value: an operator, a comma, a closing parenthesis, or a function's opening one."""
        if token == ")":
            if not self.opened:
                raise FormulaError("')' closes what was never opened. Take it away, or add a '('.", column)
            self.opened.pop()
        elif token in JOINS or token == ",":
            self.due = True
        elif token == "(" and (self.before[0].isalpha() or self.before[0] == "_"):
            self._open(column)
            self.due = True
        elif token == "not":
            raise FormulaError("'not' stands after a value. Write and not, or or not, between two conditions.", column)
        else:
            two = f"'{_short(self.before)}' and '{_short(token)}' stand side by side"
            raise FormulaError(f"{two}. For a product write * between them.", column)

    def _open(self, column: int) -> None:
        self.opened.append(column)
        if len(self.opened) > DEEPEST:
            raise FormulaError(f"'(' is inside {DEEPEST} others, and that is the deepest. Simplify it.", column)


def _short(token: str) -> str:
    return token if len(token) <= 24 else token[:23] + "…"


def _no_part(mark: str) -> str:
    """Why a character is refused; one that could be taken for another is called by its name."""
    if mark in INSTEAD:
        quoted = "a quote" if mark in "'\"`" else f"'{mark}'"
        return f"{quoted} is no part of a formula. {INSTEAD[mark]}"
    if mark.isascii():
        return f"{mark!r} is no part of a formula. {NOT_KNOWN}"
    from unicodedata import name  # only for people who type such letters

    looks = f"'{mark}' " if mark.isprintable() else ""
    called = name(mark, "").capitalize() or f"U+{ord(mark):04X}"
    return f"{looks}({called}) is no letter that a formula knows, whatever it looks like. Use the plain letters a to z."
