"""Is this written as a formula is? Every character is looked at before Python's own parser sees any of them.

Read from left to right: where a value is due, a number, a name, a sign or an opening parenthesis; after a value, what
joins it to the next. So the first thing that is wrong is the one that is told, at its column, whatever follows it.
"""

import re
from keyword import iskeyword

from keypose.fields.formula.errors import FormulaError

MAX_CHARACTERS = 2000  # characters
MAX_DEPTH = 32  # parentheses within parentheses
MAX_SIGNS = 8  # in a row, as in --x
MAX_NUMBER = 1e100  # of a number

TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark>\*\*|//|<<|>>|<=|>=|==|!=|:=|.)",
    re.ASCII | re.DOTALL,
)
BINARY_OPERATORS = frozenset({"+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "!=", "and", "or"})
UNARY_OPERATORS = frozenset({"+", "-", "not"})

COMPARISON_REMEDY = "Compare with == or <, inside where(…); a parameter gets its value beside the text, not in it."
PARENTHESES_REMEDY = "Write ( and ), as in (x, y, z)."
QUOTES_REMEDY = "A formula holds numbers and names, no text. Take the quotes away."
CHOICE_REMEDY = "To choose, write where(x > 0, a, b)."
ALLOWED_SYMBOLS_TEXT = "A formula has only + - * / % **, comparisons, commas and parentheses."
REMEDIES = {
    "^": "A power is written **, as in r**2.",
    ".": "Nothing is reached with a dot here. Decimals are written 0.5, products 2 * x.",
    "//": "Write floor(a / b).",
    "@": "Write dot(a, b) or cross(a, b).",
    "&": "Write and, inside where(…).",
    "|": "Write or, inside where(…), or abs(a) for a size.",
    "~": "Write not, inside where(…).",
    "!": "Write not, inside where(…); a formula has no factorials.",
    "=": COMPARISON_REMEDY,
    ":=": COMPARISON_REMEDY,
    "?": CHOICE_REMEDY,
    ":": CHOICE_REMEDY,
    **dict.fromkeys("[]{}", PARENTHESES_REMEDY),
    **dict.fromkeys("'\"`", QUOTES_REMEDY),
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
    "if": CHOICE_REMEDY,
    "else": CHOICE_REMEDY,
    "True": CHOICE_REMEDY,
    "False": CHOICE_REMEDY,
}


def check_tokens(text: str) -> str:
    """The text on one line, column for column, if it is spelt like a formula; refused otherwise."""
    if len(text) > MAX_CHARACTERS:
        raise FormulaError(
            f"it has {len(text):,} characters, and {MAX_CHARACTERS:,} are the most. Shorten it.", MAX_CHARACTERS + 1
        )
    if not text.strip(" \t\r\n"):
        raise FormulaError("it is empty. Write for example (-y, x, 0) * exp(-r**2).", 1)
    line = re.sub(r"[\t\r\n]", " ", text)
    _TokenChecker(line).check()
    return line


def formula_names(text: str) -> frozenset[str]:
    """Every name in a text that is spelt like a formula: variables, parameters and functions."""
    return frozenset(token["name"] for token in TOKEN.finditer(text) if token["name"])


class _TokenChecker:
    """One reading from left to right: what has been opened, what came last, and whether a value is due."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.open_columns: list[int] = []  # columns
        self.sign_count = 0
        self.previous = ""
        self.expects_value = True  # a value, not something that joins two

    def check(self) -> None:
        for match in TOKEN.finditer(self.line):
            token, column = match.group(), match.start() + 1
            if token == " ":
                continue
            if not token.isascii() or (match["mark"] and token not in BINARY_OPERATORS and token not in "(),"):
                raise FormulaError(_bad_character_message(token), column)
            if match["number"]:
                self._check_number(token, column)
            if iskeyword(token) and token not in ("and", "or", "not"):
                raise FormulaError(
                    f"'{token}' is no part of a formula. {REMEDIES.get(token, ALLOWED_SYMBOLS_TEXT)}", column
                )
            if self.expects_value:
                self._check_value(token, column)
            else:
                self._check_operator(token, column)
            self.previous = token
        end = len(self.line.rstrip())
        if self.expects_value:
            raise FormulaError(
                f"it ends after '{self.previous}', where a value is due. Write on, or take it away.", end
            )
        if self.open_columns:
            raise FormulaError("'(' is opened here and never closed. Add a ')'.", self.open_columns[-1])

    def _check_number(self, token: str, column: int) -> None:
        if not float(token) <= MAX_NUMBER:
            raise FormulaError(f"{_shorten(token)} is too large a number. {MAX_NUMBER:g} is the most.", column)
        if token.isdecimal() and token[0] == "0" and token.strip("0"):
            raise FormulaError(f"{_shorten(token)} begins with a 0. Leave that out.", column)

    def _check_value(self, token: str, column: int) -> None:
        """Where a value is due: a number, a name, a sign or an opening parenthesis."""
        self.sign_count = self.sign_count + 1 if token in UNARY_OPERATORS else 0
        if self.sign_count > MAX_SIGNS:
            raise FormulaError(f"'{token}' is one sign too many in a row. {MAX_SIGNS} are the most.", column)
        if token == "not" and self.previous not in ("", "(", ",", "and", "or", "not"):
            raise FormulaError(
                f"'not' stands after '{self.previous}'. Put parentheses around it and its condition.", column
            )
        if token in UNARY_OPERATORS:
            return
        if token == "(":
            self._open_parenthesis(column)
        elif token == ")" and self.previous == "(":
            raise FormulaError("nothing stands between '(' and ')'. Write a value there.", column)
        elif token in BINARY_OPERATORS or token in "),":
            where = f"after '{self.previous}'" if self.previous else "at the beginning"
            raise FormulaError(f"'{token}' stands {where}, where a value is due. Write the value before it.", column)
        else:
            self.expects_value = False

    def _check_operator(self, token: str, column: int) -> None:
        """After a value: an operator, a comma, a closing parenthesis, or a function's opening one."""
        if token == ")":
            if not self.open_columns:
                raise FormulaError("')' closes what was never opened. Take it away, or add a '('.", column)
            self.open_columns.pop()
        elif token in BINARY_OPERATORS or token == ",":
            self.expects_value = True
        elif token == "(" and (self.previous[0].isalpha() or self.previous[0] == "_"):
            self._open_parenthesis(column)
            self.expects_value = True
        elif token == "not":
            raise FormulaError("'not' stands after a value. Write and not, or or not, between two conditions.", column)
        else:
            pair_text = f"'{_shorten(self.previous)}' and '{_shorten(token)}' stand side by side"
            raise FormulaError(f"{pair_text}. For a product write * between them.", column)

    def _open_parenthesis(self, column: int) -> None:
        self.open_columns.append(column)
        if len(self.open_columns) > MAX_DEPTH:
            raise FormulaError(f"'(' is inside {MAX_DEPTH} others, and that is the deepest. Simplify it.", column)


def _shorten(token: str) -> str:
    return token if len(token) <= 24 else token[:23] + "…"


def _bad_character_message(mark: str) -> str:
    """Why a character is refused; one that could be taken for another is called by its name."""
    if mark in REMEDIES:
        quoted = "a quote" if mark in "'\"`" else f"'{mark}'"
        return f"{quoted} is no part of a formula. {REMEDIES[mark]}"
    if mark.isascii():
        return f"{mark!r} is no part of a formula. {ALLOWED_SYMBOLS_TEXT}"
    from unicodedata import name  # only for people who type such letters

    shown_mark = f"'{mark}' " if mark.isprintable() else ""
    character_name = name(mark, "").capitalize() or f"U+{ord(mark):04X}"
    return (
        f"{shown_mark}({character_name}) is no letter that a formula knows, whatever it looks like. Use the plain "
        "letters a to z."
    )
