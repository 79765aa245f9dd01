"""Write the tables of docs/scene-file.md anew from the forms that read scene files."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from keypose.document.actors import ACTOR, FACINGS, LOOKS
from keypose.document.bodies import BODY, BODY_MOVERS, SHAPES
from keypose.document.fields.dynamic_splines import SENSE, SPLINE
from keypose.document.fields.field_kinds import FIELDS, SLIDER
from keypose.document.fields.trackers import TRACKERS
from keypose.document.fields.transforms import TRANSFORMS
from keypose.document.figures import CONNECTIONS, FIGURE, JOINTS, LINK
from keypose.document.motion.keys import KEY, TURN
from keypose.document.motion.motions import CAPTURE, PATH, RECORDING, TIMINGS
from keypose.document.scene import EFFECT, SCENE, STYLE
from keypose.document.schema.kinds import Kind
from keypose.document.schema.records import Field, Record
from keypose.document.scripts import MEETING

PAGE = Path(__file__).parents[1] / "docs" / "scene-file.md"
KINDS = {f'"{kind.tag}"': kind.record for kinds in (TIMINGS, FACINGS, LOOKS, BODY_MOVERS, (FIGURE,)) for kind in kinds}
PATH_RECORDS = (ACTOR, PATH, KEY, TURN, CAPTURE, RECORDING)
FIELD_RECORDS = (SPLINE, SENSE, SLIDER)
RECORDS = {
    record.title: record for record in (SCENE, STYLE, EFFECT, *PATH_RECORDS, *FIELD_RECORDS, BODY, LINK, MEETING)
} | KINDS
MANY: dict[str, Iterable[Kind]] = {
    "fields": FIELDS,
    "placings": TRANSFORMS,
    "trackers": TRACKERS,
    "shapes": SHAPES,
    "joints": JOINTS,
    "connections": CONNECTIONS,
}
TABLE = re.compile(r"(<!-- fields of (.*?) -->\n)(?:\|.*\n)*")
LIST = re.compile(r"(<!-- kinds of (.*?) -->\n)(?:\|.*\n)*")


def table(record: Record) -> str:
    """The fields of a record: what they mean, and what they are if they are left out."""
    rows = ["| field | meaning | usual |", "|---|---|---|"]
    for name, field in record.fields.items():
        value = "" if field.default is None else f"`{_format_default(field.default)}`"
        default = "must be there" if field.is_required else value
        rows.append(f"| `{name}` | {field.doc} | {default} |")
    return "\n".join(rows) + "\n"


def kind_table(kinds: Iterable[Kind]) -> str:
    """Many kinds in one table: their fields, with what is usual in brackets. What all have, `then`, is left out."""
    rows = ["| kind | its fields |", "|---|---|"]
    for kind in kinds:
        descriptions = [_field_description(name, field) for name, field in kind.record.fields.items() if name != "then"]
        rows.append(f"| `{kind.tag}` | {'; '.join(descriptions)} |")
    return "\n".join(rows) + "\n"


def _field_description(name: str, field: Field) -> str:
    default = "may be left out" if field.default is None else f"`{_format_default(field.default)}`"
    return f"**`{name}`** {field.doc}" + ("" if field.is_required else f" ({default})")


def _format_default(default: object) -> str:
    return re.sub(r"\.0\b", "", json.dumps(default))  # 2 in place of 2.0, as files have it


def update_tables(page: str) -> str:
    """The page with every table as the forms have it."""
    page = LIST.sub(lambda match: match[1] + kind_table(MANY[match[2]]), page)
    return TABLE.sub(lambda match: match[1] + table(RECORDS[match[2]]), page)


if __name__ == "__main__":
    PAGE.write_text(update_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
