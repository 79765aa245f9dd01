"""What does a typed formula mean? Text in, a checked recipe out; anything else is refused at its column.

`ast` only sorts the text into a tree: every node of it must be of a kind listed here, every name one that is known, and
nothing of it is ever run. Numbers, vectors and conditions are kept apart, and vectors become three numbers each.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from keypose.errors import did_you_mean, shown
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.functions import Value, called
from keypose.fields.formula.lexer import check_spelling
from keypose.fields.formula.program import Recipe, Sheet
from keypose.fields.formula.vocabulary import CALLS, CONSTANTS, COUNTS, PLACE, VARIABLES

Wanted = Literal["number", "vector"]

MOST_NESTED = 64  # of anything within anything; sums and products may be as long as the text
LARGEST_EXPONENT = 64
MOST_STEPS = 5000
NO_VALUE = "has no value for these numbers, wherever it is asked for. Give others, or something that varies."

ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply",
    ast.Div: "divide", ast.Mod: "remainder", ast.Pow: "power"}  # fmt: skip
WRITTEN = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "remainder": "%", "power": "**"}
COMPARISONS: dict[type[ast.cmpop], tuple[str, bool]] = {ast.Lt: ("less", False), ast.Gt: ("less", True),
    ast.LtE: ("less or equal", False), ast.GtE: ("less or equal", True),
    ast.Eq: ("equal", False), ast.NotEq: ("equal", False)}  # fmt: skip


@lru_cache(maxsize=512)
def read(
    text: str,
    wanted: Wanted,
    parameters: frozenset[str] = frozenset(),
    variables: tuple[str, ...] = VARIABLES,
) -> Recipe:
    """The recipe for one number, or for the three of a vector (of two numbers: z is 0).

    Raises `FormulaError`, whose `column` tells where.
    """
    line = check_spelling(text)
    try:
        tree = ast.parse(f"({line})", mode="eval").body  # in parentheses spaces in front mean nothing
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        column = min(max((getattr(error, "offset", None) or 2) - 1, 1), len(line))
        raise FormulaError("it cannot be read from here. Look for something missing.", column) from None
    reader = _Reader(line, parameters, variables)
    found = reader.read(tree, 0)
    column = reader.first
    if found.kind == "condition":
        raise FormulaError("this is a comparison, and a value is wanted. Write where(x > 0, a, b).", column)
    if wanted == "vector" and found.kind == "number":
        raise FormulaError("this gives one number, and a vector is wanted. Write (…, …, …), a number each.", column)
    if wanted == "number" and found.kind == "vector":
        raise FormulaError("this gives a vector, and one number is wanted. Write length(a), or dot(a, b).", column)
    return reader.sheet.recipe(found.parts)


@dataclass
class _Reader:
    """Goes through the tree, and writes the steps of what it meets onto a sheet."""

    line: str
    parameters: frozenset[str]
    variables: tuple[str, ...]

    def __post_init__(self) -> None:
        self.sheet = Sheet()
        self.first = len(self.line) - len(self.line.lstrip()) + 1

    def read(self, node: ast.AST, depth: int) -> Value:
        """What a node of the tree stands for."""
        if depth > MOST_NESTED:
            raise self._refusal("more is nested in each other here than can be followed. Simplify it.", node)
        match node:
            case ast.Constant(value=float() | int() as value) if not isinstance(value, bool):
                found = Value("number", (self.sheet.number(float(value)),))
            case ast.Name():
                found = self._name(node)
            case ast.Tuple():
                found = self._vector(node, depth)
            case ast.UnaryOp():
                found = self._sign(node, depth)
            case ast.BinOp():
                found = self._chain(node, depth)
            case ast.Compare():
                found = self._comparison(node, depth)
            case ast.BoolOp():
                found = self._both(node, depth)
            case ast.Call():
                found = self._call(node, depth)
            case _:
                raise self._refusal("this is no part of a formula. Use numbers, names, + - * / % ** and ( ).", node)
        if len(self.sheet.steps) > MOST_STEPS:
            raise self._refusal("up to here it takes too many steps to compute. Shorten it.", node)
        return found

    def _name(self, node: ast.Name) -> Value:
        name, sheet = node.id, self.sheet
        if name in self.parameters or name in self.variables:
            return Value("number", (sheet.name(name),))
        if name in CONSTANTS:
            return Value("number", (sheet.number(CONSTANTS[name]),))
        places = set(PLACE) <= set(self.variables)
        if name == "r" and places:
            return Value("number", (sheet.length(map(sheet.name, PLACE)),))
        if name in CALLS:
            raise self._refusal(f"'{name}' is a function. Call it, as in {CALLS[name]}.", node)
        known = (*sorted(self.parameters), *self.variables, *(("r",) if places else ()), *CONSTANTS)
        raise self._unknown(name, known, CALLS, node)

    def _unknown(self, name: str, known: Iterable[str], others: Iterable[str], node: ast.AST) -> FormulaError:
        """Nobody's name: the nearest one is suggested, else the ones that could stand here."""
        known, words = tuple(known), (*known, *others)
        alike = [word for word in words if word.lower() == name.lower()]
        hint = f" Did you mean '{alike[0]}'?" if alike else did_you_mean(name, words)
        if "Did you mean" not in hint:
            hint = f" There is {', '.join(known[:20])}{', …' * (len(known) > 20)}."
        return self._refusal(f"nothing is called {shown(name)} here.{hint}", node)

    def _vector(self, node: ast.Tuple, depth: int) -> Value:
        if len(node.elts) not in (2, 3):
            told = f"a vector has 2 or 3 numbers, and here are {len(node.elts)}. Write (x, y, z)."
            raise self._refusal(told, node)
        parts = [self._one(part, self.read(part, depth + 1), "A vector is made of numbers.") for part in node.elts]
        return Value("vector", (*parts, *([self.sheet.number(0.0)] * (3 - len(parts)))))

    def _sign(self, node: ast.UnaryOp, depth: int) -> Value:
        of = self.read(node.operand, depth + 1)
        if isinstance(node.op, ast.Not):
            return Value("condition", (self.sheet.do("not", self._condition(node.operand, of)),))
        if of.kind == "condition":
            raise self._refusal("a comparison has no sign. Write where(x > 0, a, b).", node)
        if isinstance(node.op, ast.UAdd):
            return of
        if isinstance(node.op, ast.USub):
            return Value(of.kind, tuple(self.sheet.do("negative", part) for part in of.parts))
        raise self._refusal("this sign is no part of a formula. There are + and -.", node)

    def _chain(self, node: ast.BinOp, depth: int) -> Value:
        """Of a + b - c …: long sums and products hang to the left, and are read in a loop rather than in depth."""
        links = [node]
        while isinstance(links[-1].left, ast.BinOp):
            links.append(links[-1].left)
        result = self.read(links[-1].left, depth + 1)
        for link in reversed(links):
            result = self._arithmetic(link, result, self.read(link.right, depth + 1))
            if not self.sheet.valueless.isdisjoint(result.parts):
                sign = WRITTEN[ARITHMETIC[type(link.op)]]
                raise FormulaError(f"'{sign}' {NO_VALUE}", self._between(link.left, link.right))
        return result

    def _arithmetic(self, node: ast.BinOp, a: Value, b: Value) -> Value:
        operation = ARITHMETIC.get(type(node.op))
        column = self._between(node.left, node.right)
        if operation is None:
            raise FormulaError("this is no part of a formula. There are + - * / % and **.", column)
        do, sheet = WRITTEN[operation], self.sheet
        if "condition" in (a.kind, b.kind):
            raise FormulaError(f"'{do}' stands beside a comparison. Write where(x > 0, a, b) for a value.", column)
        match operation, a.kind, b.kind:
            case "power", "number", "number":
                return Value("number", (self._power(a.parts[0], b.parts[0], node.right),))
            case (_, "number", "number") | ("add" | "subtract", "vector", "vector"):
                return Value(a.kind, tuple(sheet.do(operation, *pair) for pair in zip(a.parts, b.parts, strict=True)))
            case "multiply", "number", "vector":
                return Value("vector", tuple(sheet.do("multiply", a.parts[0], part) for part in b.parts))
            case "multiply" | "divide", "vector", "number":
                return Value("vector", tuple(sheet.do(operation, part, b.parts[0]) for part in a.parts))
            case "multiply", _, _:
                told = "two vectors are multiplied. Write dot(a, b) for a number or cross(a, b) for a vector."
            case "power", "vector", _:
                told = "a vector has no power. Write dot(a, a) or length(a)**2."
            case "add" | "subtract", _, _:
                told = f"'{do}' joins a number and a vector. Make both numbers, or both vectors as (a, a, a)."
            case _:
                told = f"'{do}' works on numbers, and there is a vector beside it. Write length(a), or each part alone."
        raise FormulaError(told, column)

    def _power(self, base: int, exponent: int, node: ast.expr) -> int:
        value = self.sheet.value(exponent)
        if value is None:
            return self.sheet.do("power", base, exponent)
        if abs(value) > LARGEST_EXPONENT:
            told = f"the exponent {value:g} is too large. {-LARGEST_EXPONENT} … {LARGEST_EXPONENT} will do, or exp(a)."
            raise self._refusal(told, node)
        if value == int(value):
            return self.sheet.power(base, int(value))
        return self.sheet.do("root", base) if value == 0.5 else self.sheet.do("power", base, exponent)

    def _comparison(self, node: ast.Compare, depth: int) -> Value:
        """Of a < b, and of a < b < c as people write it."""
        sides = [node.left, *node.comparators]
        told = "Numbers are compared."
        read = [self._one(side, self.read(side, depth + 1), told) for side in sides]
        truths = []
        for at, operator in enumerate(node.ops):
            if type(operator) not in COMPARISONS:
                raise FormulaError("this does not compare numbers. Write < > <= >= == or !=.",
                                   self._between(sides[at], sides[at + 1]))  # fmt: skip
            operation, turned = COMPARISONS[type(operator)]
            pair = read[at : at + 2][::-1] if turned else read[at : at + 2]
            truth = self.sheet.do(operation, *pair)
            truths.append(self.sheet.do("not", truth) if isinstance(operator, ast.NotEq) else truth)
        return Value("condition", (self._joined("and", truths),))

    def _both(self, node: ast.BoolOp, depth: int) -> Value:
        truths = [self._condition(part, self.read(part, depth + 1)) for part in node.values]
        return Value("condition", (self._joined("and" if isinstance(node.op, ast.And) else "or", truths),))

    def _joined(self, operation: str, truths: list[int]) -> int:
        result = truths[0]
        for truth in truths[1:]:
            result = self.sheet.do(operation, result, truth)
        return result

    def _call(self, node: ast.Call, depth: int) -> Value:
        if not isinstance(node.func, ast.Name):
            raise self._refusal("only functions can be called. For a product write *.", node.func)
        name = node.func.id
        if name not in CALLS or name in self.parameters:
            if name in (*self.parameters, *self.variables, *CONSTANTS, "r"):
                raise self._refusal(f"'{name}' is a number. For a product write {name} * (…).", node.func)
            raise self._unknown(name, CALLS, (), node.func)
        if node.keywords:
            raise self._refusal(f"'{name}' takes its values in order. Write {CALLS[name]}.", node.keywords[0])
        if len(node.args) not in COUNTS[name]:
            given = f"{len(node.args)} value" + "s" * (len(node.args) != 1)
            raise self._refusal(f"'{name}' is given {given}. Write {CALLS[name]}.", node.func)
        args = [self.read(each, depth + 1) for each in node.args]
        told = f"{name} is written {CALLS[name]}."
        if name == "where":
            self._condition(node.args[0], args[0])
            if args[1].kind != args[2].kind or args[1].kind == "condition":
                raise self._refusal(
                    "'where' chooses between two numbers or two vectors. Make both alike.", node.args[2]
                )
        elif name in ("dot", "cross", "length", "normalize"):
            for each, value in zip(node.args, args, strict=True):
                if value.kind != "vector":
                    raise self._refusal(f"'{name}' works on vectors, and this is a {value.kind}. {told}", each)
        else:
            for each, value in zip(node.args, args, strict=True):
                self._one(each, value, told)
        found = called(self.sheet, name, args)
        if not self.sheet.valueless.isdisjoint(found.parts):
            raise self._refusal(f"'{name}' {NO_VALUE}", node.func)
        return found

    def _one(self, node: ast.expr, value: Value, told: str) -> int:
        """The step of a single number; `told` says why it has to be one."""
        if value.kind != "number":
            remedy = "Write length(a), or each part alone." if value.kind == "vector" else "Write where(x > 0, a, b)."
            raise self._refusal(f"this is a {value.kind}. {told} {remedy}", node)
        return value.parts[0]

    def _condition(self, node: ast.expr, value: Value) -> int:
        if value.kind != "condition":
            raise self._refusal(f"this is a {value.kind}, and a comparison is wanted. Write for example x > 0.", node)
        return value.parts[0]

    def _between(self, left: ast.expr, right: ast.expr) -> int:
        """The column of the operator between two operands, past the parentheses around them."""
        start, stop = left.end_col_offset or 1, right.col_offset
        between = self.line[start - 1 : stop - 1]
        return start + len(between) - len(between.lstrip(" )"))

    def _refusal(self, told: str, node: ast.AST) -> FormulaError:
        """A refusal at the first character of what a node was read from."""
        column = getattr(node, "col_offset", 0) or self.first  # 0 is the parenthesis that was put around it all
        return FormulaError(told, column)
