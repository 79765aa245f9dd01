"""How does the page know what it may say, and what it is told? TypeScript's types are made from Python's.

`python -m keypose.studio.protocol.generate_ts` writes `web/src/messages.ts` anew; a test fails when it is out of date.
What has a default may be left out of a message; what the page is told is always whole.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
from msgspec.inspect import (
    AnyType,
    BoolType,
    DictType,
    FloatType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    multi_type_info,
)

from keypose.studio.protocol.commands import AnyMessage, Edit
from keypose.studio.protocol.updates.updates import AnyNumbers, AnyView

TITLE = "// What the page says and is told. Made by `python -m keypose.studio.protocol.generate_ts`; do not edit."
PLAIN = {AnyType: "unknown", BoolType: "boolean", FloatType: "number", IntType: "number", NoneType: "null"}


def typescript() -> str:
    """The types of all messages and views, as the text of a TypeScript file."""
    said, words, numbers = (get_args(union) for union in (AnyMessage, AnyView, AnyNumbers))
    structs = {struct.cls: struct for struct in nested(multi_type_info([*said, *words, *numbers]))}
    unions = {
        "AnyMessage": said,
        "AnyEdit": [one for one in said if issubclass(one, Edit)],
        "AnyView": words,
        "AnyNumbers": numbers,
    }
    parts = [TITLE, *(interface(struct, optional=cls in said) for cls, struct in structs.items())]
    parts += [union(name, [one.__name__ for one in kinds]) for name, kinds in unions.items()]
    return "\n\n".join(parts) + "\n"


def nested(kinds: tuple[Type, ...] | list[Type]) -> Iterator[StructType]:
    """Every struct met in these types, the inner ones first."""
    for kind in kinds:
        match kind:
            case StructType(fields=fields):
                yield from nested([field.type for field in fields])
                yield kind
            case UnionType(types=types) | TupleType(item_types=types):
                yield from nested(types)
            case VarTupleType(item_type=item):
                yield from nested([item])
            case DictType(value_type=value):
                yield from nested([value])


def interface(struct: StructType, optional: bool) -> str:
    """One struct as an interface, with what its docstrings say."""
    told = docs_of_fields(struct.cls)
    lines = [comment(inspect.getdoc(struct.cls) or "", ""), f"export interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    for field in struct.fields:
        if field.name in told:
            lines.append(comment(told[field.name], "  "))
        lines.append(f"  {field.encode_name}{'?' if optional and not field.required else ''}: {written(field.type)};")
    return "\n".join([*lines, "}"])


def written(kind: Type) -> str:
    """A type in TypeScript. Every kind that occurs in messages is here; a new one is refused until it is said how."""
    match kind:
        case StructType(cls=cls):
            return str(cls.__name__)
        case StrType():
            return "string"
        case LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case UnionType(types=types):
            return " | ".join(written(one) for one in types)
        case TupleType(item_types=types):
            return f"[{', '.join(written(one) for one in types)}]"
        case VarTupleType(item_type=item):
            inner = written(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case DictType(value_type=value):
            return f"Record<string, {written(value)}>"
        case _ if type(kind) in PLAIN:
            return PLAIN[type(kind)]
    raise TypeError(f"generate_ts does not know how TypeScript says {kind}. Add a case to `written`.")


def docs_of_fields(cls: type) -> dict[str, str]:
    """What is written below each field of a class and of those it grows from."""
    told: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        if not issubclass(one, msgspec.Struct) or one is msgspec.Struct:
            continue
        [body] = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                    told[name] = inspect.cleandoc(doc)
    return told


def comment(text: str, indent: str) -> str:
    """A docstring as TypeScript writes one."""
    lines = text.splitlines()
    if len(lines) == 1:
        return f"{indent}/** {text} */"
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"])


def union(name: str, members: list[str]) -> str:
    """A name for any one of these interfaces."""
    return "\n".join([f"export type {name} =", *(f"  | {member}" for member in members)]) + ";"


def place() -> Path:
    """Where the page's sources hold the types, in a checkout."""
    return Path(__file__).resolve().parents[3] / "web/src/messages.ts"


def main() -> None:
    """Write the file anew, if it says something else by now: whoever reads it meanwhile finds it whole."""
    text, file = typescript(), place()
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
