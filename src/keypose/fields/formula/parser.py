"""What does a typed formula mean? Text in, a checked recipe out; anything else is refused at its column.

`ast` only sorts the text into a tree: every node of it must be of a kind listed here, every name one that is known, and
nothing of it is ever run. Numbers, vectors and conditions are kept apart, and vectors become three numbers each.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from keypose.errors import did_you_mean, short_repr
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.functions import Value, emit_function
from keypose.fields.formula.lexer import check_tokens
from keypose.fields.formula.program import Program, ProgramBuilder
from keypose.fields.formula.vocabulary import ARGUMENT_COUNTS, CALL_FORMS, CONSTANTS, POSITION, VARIABLES

ResultKind = Literal["number", "vector"]

MAX_DEPTH = 64  # of anything within anything; sums and products may be as long as the text
MAX_EXPONENT = 64
MAX_INSTRUCTIONS = 5000
NO_VALUE = "has no value for these numbers, wherever it is asked for. Give others, or something that varies."

ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply",
    ast.Div: "divide", ast.Mod: "remainder", ast.Pow: "power"}  # fmt: skip
SYMBOLS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "remainder": "%", "power": "**"}
COMPARISONS: dict[type[ast.cmpop], tuple[str, bool]] = {ast.Lt: ("less", False), ast.Gt: ("less", True),
    ast.LtE: ("less or equal", False), ast.GtE: ("less or equal", True),
    ast.Eq: ("equal", False), ast.NotEq: ("equal", False)}  # fmt: skip


@lru_cache(maxsize=512)
def parse_formula(
    text: str,
    result_kind: ResultKind,
    parameters: frozenset[str] = frozenset(),
    variables: tuple[str, ...] = VARIABLES,
) -> Program:
    """The recipe for one number, or for the three of a vector (of two numbers: z is 0).

    Raises `FormulaError`, whose `column` tells where.
    """
    line = check_tokens(text)
    try:
        tree = ast.parse(f"({line})", mode="eval").body  # in parentheses spaces in front mean nothing
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        column = min(max((getattr(error, "offset", None) or 2) - 1, 1), len(line))
        raise FormulaError("it cannot be read from here. Look for something missing.", column) from None
    parser = _Parser(line, parameters, variables)
    value = parser.parse(tree, 0)
    column = parser.first_column
    if value.kind == "condition":
        raise FormulaError("this is a comparison, and a value is wanted. Write where(x > 0, a, b).", column)
    if result_kind == "vector" and value.kind == "number":
        raise FormulaError("this gives one number, and a vector is wanted. Write (…, …, …), a number each.", column)
    if result_kind == "number" and value.kind == "vector":
        raise FormulaError("this gives a vector, and one number is wanted. Write length(a), or dot(a, b).", column)
    return parser.builder.build(value.parts)


@dataclass
class _Parser:
    """Goes through the tree, and writes the steps of what it meets onto a sheet."""

    line: str
    parameters: frozenset[str]
    variables: tuple[str, ...]

    def __post_init__(self) -> None:
        self.builder = ProgramBuilder()
        self.first_column = len(self.line) - len(self.line.lstrip()) + 1

    def parse(self, node: ast.AST, depth: int) -> Value:
        """What a node of the tree stands for."""
        if depth > MAX_DEPTH:
            raise self._error_at("more is nested in each other here than can be followed. Simplify it.", node)
        match node:
            case ast.Constant(value=float() | int() as value) if not isinstance(value, bool):
                parsed = Value("number", (self.builder.constant(float(value)),))
            case ast.Name():
                parsed = self._name(node)
            case ast.Tuple():
                parsed = self._vector(node, depth)
            case ast.UnaryOp():
                parsed = self._sign(node, depth)
            case ast.BinOp():
                parsed = self._chain(node, depth)
            case ast.Compare():
                parsed = self._comparison(node, depth)
            case ast.BoolOp():
                parsed = self._boolean(node, depth)
            case ast.Call():
                parsed = self._call(node, depth)
            case _:
                raise self._error_at("this is no part of a formula. Use numbers, names, + - * / % ** and ( ).", node)
        if len(self.builder.instructions) > MAX_INSTRUCTIONS:
            raise self._error_at("up to here it takes too many steps to compute. Shorten it.", node)
        return parsed

    def _name(self, node: ast.Name) -> Value:
        name, builder = node.id, self.builder
        if name in self.parameters or name in self.variables:
            return Value("number", (builder.variable(name),))
        if name in CONSTANTS:
            return Value("number", (builder.constant(CONSTANTS[name]),))
        has_position = set(POSITION) <= set(self.variables)
        if name == "r" and has_position:
            return Value("number", (builder.length(map(builder.variable, POSITION)),))
        if name in CALL_FORMS:
            raise self._error_at(f"'{name}' is a function. Call it, as in {CALL_FORMS[name]}.", node)
        known = (*sorted(self.parameters), *self.variables, *(("r",) if has_position else ()), *CONSTANTS)
        raise self._unknown_name_error(name, known, CALL_FORMS, node)

    def _unknown_name_error(
        self, name: str, known: Iterable[str], others: Iterable[str], node: ast.AST
    ) -> FormulaError:
        """Nobody's name: the nearest one is suggested, else the ones that could stand here."""
        known, words = tuple(known), (*known, *others)
        same_letters = [word for word in words if word.lower() == name.lower()]
        hint = f" Did you mean '{same_letters[0]}'?" if same_letters else did_you_mean(name, words)
        if "Did you mean" not in hint:
            hint = f" There is {', '.join(known[:20])}{', …' * (len(known) > 20)}."
        return self._error_at(f"nothing is called {short_repr(name)} here.{hint}", node)

    def _vector(self, node: ast.Tuple, depth: int) -> Value:
        if len(node.elts) not in (2, 3):
            message = f"a vector has 2 or 3 numbers, and here are {len(node.elts)}. Write (x, y, z)."
            raise self._error_at(message, node)
        parts = [self._scalar(part, self.parse(part, depth + 1), "A vector is made of numbers.") for part in node.elts]
        return Value("vector", (*parts, *([self.builder.constant(0.0)] * (3 - len(parts)))))

    def _sign(self, node: ast.UnaryOp, depth: int) -> Value:
        operand = self.parse(node.operand, depth + 1)
        if isinstance(node.op, ast.Not):
            return Value("condition", (self.builder.emit("not", self._condition(node.operand, operand)),))
        if operand.kind == "condition":
            raise self._error_at("a comparison has no sign. Write where(x > 0, a, b).", node)
        if isinstance(node.op, ast.UAdd):
            return operand
        if isinstance(node.op, ast.USub):
            return Value(operand.kind, tuple(self.builder.emit("negative", part) for part in operand.parts))
        raise self._error_at("this sign is no part of a formula. There are + and -.", node)

    def _chain(self, node: ast.BinOp, depth: int) -> Value:
        """Of a + b - c …: long sums and products hang to the left, and are read in a loop rather than in depth."""
        links = [node]
        while isinstance(links[-1].left, ast.BinOp):
            links.append(links[-1].left)
        result = self.parse(links[-1].left, depth + 1)
        for link in reversed(links):
            result = self._arithmetic(link, result, self.parse(link.right, depth + 1))
            if not self.builder.undefined.isdisjoint(result.parts):
                sign = SYMBOLS[ARITHMETIC[type(link.op)]]
                raise FormulaError(f"'{sign}' {NO_VALUE}", self._operator_column(link.left, link.right))
        return result

    def _arithmetic(self, node: ast.BinOp, a: Value, b: Value) -> Value:
        operation = ARITHMETIC.get(type(node.op))
        column = self._operator_column(node.left, node.right)
        if operation is None:
            raise FormulaError("this is no part of a formula. There are + - * / % and **.", column)
        symbol, builder = SYMBOLS[operation], self.builder
        if "condition" in (a.kind, b.kind):
            raise FormulaError(f"'{symbol}' stands beside a comparison. Write where(x > 0, a, b) for a value.", column)
        match operation, a.kind, b.kind:
            case "power", "number", "number":
                return Value("number", (self._power(a.parts[0], b.parts[0], node.right),))
            case (_, "number", "number") | ("add" | "subtract", "vector", "vector"):
                return Value(
                    a.kind, tuple(builder.emit(operation, *pair) for pair in zip(a.parts, b.parts, strict=True))
                )
            case "multiply", "number", "vector":
                return Value("vector", tuple(builder.emit("multiply", a.parts[0], part) for part in b.parts))
            case "multiply" | "divide", "vector", "number":
                return Value("vector", tuple(builder.emit(operation, part, b.parts[0]) for part in a.parts))
            case "multiply", _, _:
                message = "two vectors are multiplied. Write dot(a, b) for a number or cross(a, b) for a vector."
            case "power", "vector", _:
                message = "a vector has no power. Write dot(a, a) or length(a)**2."
            case "add" | "subtract", _, _:
                message = f"'{symbol}' joins a number and a vector. Make both numbers, or both vectors as (a, a, a)."
            case _:
                message = (
                    f"'{symbol}' works on numbers, and there is a vector beside it. Write length(a), or each part "
                    "alone."
                )
        raise FormulaError(message, column)

    def _power(self, base: int, exponent: int, node: ast.expr) -> int:
        value = self.builder.constant_value(exponent)
        if value is None:
            return self.builder.emit("power", base, exponent)
        if abs(value) > MAX_EXPONENT:
            message = f"the exponent {value:g} is too large. {-MAX_EXPONENT} … {MAX_EXPONENT} will do, or exp(a)."
            raise self._error_at(message, node)
        if value == int(value):
            return self.builder.power(base, int(value))
        return self.builder.emit("root", base) if value == 0.5 else self.builder.emit("power", base, exponent)

    def _comparison(self, node: ast.Compare, depth: int) -> Value:
        """Of a < b, and of a < b < c as people write it."""
        sides = [node.left, *node.comparators]
        requirement = "Numbers are compared."
        numbers = [self._scalar(side, self.parse(side, depth + 1), requirement) for side in sides]
        conditions = []
        for index, operator in enumerate(node.ops):
            if type(operator) not in COMPARISONS:
                raise FormulaError("this does not compare numbers. Write < > <= >= == or !=.",
                                   self._operator_column(sides[index], sides[index + 1]))  # fmt: skip
            operation, is_swapped = COMPARISONS[type(operator)]
            pair = numbers[index : index + 2][::-1] if is_swapped else numbers[index : index + 2]
            condition = self.builder.emit(operation, *pair)
            conditions.append(self.builder.emit("not", condition) if isinstance(operator, ast.NotEq) else condition)
        return Value("condition", (self._join_conditions("and", conditions),))

    def _boolean(self, node: ast.BoolOp, depth: int) -> Value:
        conditions = [self._condition(part, self.parse(part, depth + 1)) for part in node.values]
        return Value("condition", (self._join_conditions("and" if isinstance(node.op, ast.And) else "or", conditions),))

    def _join_conditions(self, operation: str, conditions: list[int]) -> int:
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.builder.emit(operation, result, condition)
        return result

    def _call(self, node: ast.Call, depth: int) -> Value:
        if not isinstance(node.func, ast.Name):
            raise self._error_at("only functions can be called. For a product write *.", node.func)
        name = node.func.id
        if name not in CALL_FORMS or name in self.parameters:
            if name in (*self.parameters, *self.variables, *CONSTANTS, "r"):
                raise self._error_at(f"'{name}' is a number. For a product write {name} * (…).", node.func)
            raise self._unknown_name_error(name, CALL_FORMS, (), node.func)
        if node.keywords:
            raise self._error_at(f"'{name}' takes its values in order. Write {CALL_FORMS[name]}.", node.keywords[0])
        if len(node.args) not in ARGUMENT_COUNTS[name]:
            count_text = f"{len(node.args)} value" + "s" * (len(node.args) != 1)
            raise self._error_at(f"'{name}' is given {count_text}. Write {CALL_FORMS[name]}.", node.func)
        args = [self.parse(each, depth + 1) for each in node.args]
        requirement = f"{name} is written {CALL_FORMS[name]}."
        if name == "where":
            self._condition(node.args[0], args[0])
            if args[1].kind != args[2].kind or args[1].kind == "condition":
                raise self._error_at(
                    "'where' chooses between two numbers or two vectors. Make both alike.", node.args[2]
                )
        elif name in ("dot", "cross", "length", "normalize"):
            for each, value in zip(node.args, args, strict=True):
                if value.kind != "vector":
                    raise self._error_at(f"'{name}' works on vectors, and this is a {value.kind}. {requirement}", each)
        else:
            for each, value in zip(node.args, args, strict=True):
                self._scalar(each, value, requirement)
        result = emit_function(self.builder, name, args)
        if not self.builder.undefined.isdisjoint(result.parts):
            raise self._error_at(f"'{name}' {NO_VALUE}", node.func)
        return result

    def _scalar(self, node: ast.expr, value: Value, requirement: str) -> int:
        """The step of a single number; `requirement` says why it has to be one."""
        if value.kind != "number":
            remedy = "Write length(a), or each part alone." if value.kind == "vector" else "Write where(x > 0, a, b)."
            raise self._error_at(f"this is a {value.kind}. {requirement} {remedy}", node)
        return value.parts[0]

    def _condition(self, node: ast.expr, value: Value) -> int:
        if value.kind != "condition":
            raise self._error_at(f"this is a {value.kind}, and a comparison is wanted. Write for example x > 0.", node)
        return value.parts[0]

    def _operator_column(self, left: ast.expr, right: ast.expr) -> int:
        """The column of the operator between two operands, past the parentheses around them."""
        start, stop = left.end_col_offset or 1, right.col_offset
        between = self.line[start - 1 : stop - 1]
        return start + len(between) - len(between.lstrip(" )"))

    def _error_at(self, message: str, node: ast.AST) -> FormulaError:
        """A refusal at the first character of what a node was read from."""
        column = getattr(node, "col_offset", 0) or self.first_column  # 0 is the parenthesis that was put around it all
        return FormulaError(message, column)
