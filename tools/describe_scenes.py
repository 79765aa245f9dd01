"""Write the tables of docs/scene-file.md anew from the forms that read scene files."""

import json
import re
from pathlib import Path

from keypose.document.actors import ACTOR, FACINGS, LOOKS
from keypose.document.keys import KEY, TURN
from keypose.document.motions import CAPTURED, FRAMES, PATH, TIMINGS
from keypose.document.records import Record
from keypose.document.scene import EFFECT, SCENE, STYLE

PAGE = Path(__file__).parents[1] / "docs" / "scene-file.md"
KINDS = {f'"{kind.word}"': kind.record for kinds in (TIMINGS, FACINGS, LOOKS) for kind in kinds}
RECORDS = {record.title: record for record in (SCENE, STYLE, EFFECT, ACTOR, PATH, KEY, TURN, CAPTURED, FRAMES)} | KINDS
TABLE = re.compile(r"(<!-- fields of (.*?) -->\n)(?:\|.*\n)*")


def table(record: Record) -> str:
    """The fields of a record: what they mean, and what they are if they are left out."""
    rows = ["| field | meaning | usual |", "|---|---|---|"]
    for name, field in record.fields.items():
        usual = "must be there" if field.needed else "" if field.usual is None else f"`{json.dumps(field.usual)}`"
        rows.append(f"| `{name}` | {field.doc} | {usual} |")
    return "\n".join(rows) + "\n"


def described(page: str) -> str:
    """The page with every table as the forms have it."""
    return TABLE.sub(lambda found: found[1] + table(RECORDS[found[2]]), page)


if __name__ == "__main__":
    PAGE.write_text(described(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
