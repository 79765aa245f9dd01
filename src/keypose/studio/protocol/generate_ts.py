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
from keypose.studio.protocol.updates.updates import AnyNumbers, AnyUpdate
from keypose.studio.protocol.version import PROTOCOL_VERSION

TITLE = "// What the page says and is told. Made by `python -m keypose.studio.protocol.generate_ts`; do not edit."
PRIMITIVES = {AnyType: "unknown", BoolType: "boolean", FloatType: "number", IntType: "number", NoneType: "null"}


def typescript() -> str:
    """The protocol version and the types of all messages, as the text of a TypeScript file."""
    commands, updates, array_updates = (get_args(union) for union in (AnyMessage, AnyUpdate, AnyNumbers))
    structs = {struct.cls: struct for struct in nested_structs(multi_type_info([*commands, *updates, *array_updates]))}
    unions = {
        "AnyMessage": commands,
        "AnyEdit": [one for one in commands if issubclass(one, Edit)],
        "AnyUpdate": updates,
        "AnyNumbers": array_updates,
    }
    version = f"export const PROTOCOL_VERSION = {PROTOCOL_VERSION};"
    parts = [TITLE, version, *(interface(struct, optional=cls in commands) for cls, struct in structs.items())]
    parts += [union(name, [one.__name__ for one in kinds]) for name, kinds in unions.items()]
    return "\n\n".join(parts) + "\n"


def nested_structs(kinds: tuple[Type, ...] | list[Type]) -> Iterator[StructType]:
    """Every struct met in these types, the inner ones first."""
    for kind in kinds:
        match kind:
            case StructType(fields=fields):
                yield from nested_structs([field.type for field in fields])
                yield kind
            case UnionType(types=types) | TupleType(item_types=types):
                yield from nested_structs(types)
            case VarTupleType(item_type=item):
                yield from nested_structs([item])
            case DictType(value_type=value):
                yield from nested_structs([value])


def interface(struct: StructType, optional: bool) -> str:
    """One struct as an interface, with what its docstrings say."""
    docs = field_docs(struct.cls)
    lines = [comment(inspect.getdoc(struct.cls) or "", ""), f"export interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    for field in struct.fields:
        if field.name in docs:
            lines.append(comment(docs[field.name], "  "))
        lines.append(f"  {field.encode_name}{'?' if optional and not field.required else ''}: {type_text(field.type)};")
    return "\n".join([*lines, "}"])


def type_text(kind: Type) -> str:
    """A type in TypeScript. Every kind that occurs in messages is here; a new one is refused until it is said how."""
    match kind:
        case StructType(cls=cls):
            return str(cls.__name__)
        case StrType():
            return "string"
        case LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case UnionType(types=types):
            return " | ".join(type_text(one) for one in types)
        case TupleType(item_types=types):
            return f"[{', '.join(type_text(one) for one in types)}]"
        case VarTupleType(item_type=item):
            inner = type_text(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case DictType(value_type=value):
            return f"Record<string, {type_text(value)}>"
        case _ if type(kind) in PRIMITIVES:
            return PRIMITIVES[type(kind)]
    raise TypeError(f"generate_ts does not know how TypeScript says {kind}. Add a case to `type_text`.")


def field_docs(cls: type) -> dict[str, str]:
    """What is written below each field of a class and of those it grows from."""
    docs: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        if not issubclass(one, msgspec.Struct) or one is msgspec.Struct:
            continue
        [body] = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                    docs[name] = inspect.cleandoc(doc)
    return docs


def comment(text: str, indent: str) -> str:
    """A docstring as TypeScript writes one."""
    lines = text.splitlines()
    if len(lines) == 1:
        return f"{indent}/** {text} */"
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"])


def union(name: str, members: list[str]) -> str:
    """A name for any one of these interfaces."""
    return "\n".join([f"export type {name} =", *(f"  | {member}" for member in members)]) + ";"


def output_file() -> Path:
    """Where the page's sources hold the types, in a checkout."""
    return Path(__file__).resolve().parents[4] / "web/src/messages.ts"


def main() -> None:
    """Write the file anew, if it says something else by now: whoever reads it meanwhile finds it whole."""
    text, file = typescript(), output_file()
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
