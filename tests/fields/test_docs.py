"""What docs/fields.md shows runs as it stands, and every word it names is there."""

import re
from pathlib import Path

from keypose import fields

PAGE = (Path(__file__).parents[2] / "docs" / "fields.md").read_text(encoding="utf-8")


def test_the_page_s_example_runs():
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names = {}
    exec(compile(block, "docs/fields.md", "exec"), names)
    assert len(names["take"]) == 97
    assert not names["take"].events


def test_every_word_of_the_page_is_one_of_the_room():
    words = re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE) + re.findall(r"`, `(\w+)(?:\(|`)", PAGE)
    assert len(words) > 12
    assert [word for word in words if not hasattr(fields, word)] == []
    methods = re.findall(r"`\.(\w+)\(", PAGE)
    assert [method for method in methods if not hasattr(fields.Field, method)] == []
