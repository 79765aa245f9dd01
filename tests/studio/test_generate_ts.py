"""Do the page and Python speak the same language?"""

import re
import subprocess
import sys
from typing import get_args

import msgspec
import pytest
from msgspec.inspect import type_info

from keypose.studio.protocol.commands import AnyMessage
from keypose.studio.protocol.generate_ts import output_file, type_text, typescript
from keypose.studio.protocol.updates.updates import AnyNumbers, AnyUpdate


def test_generated_typescript_is_up_to_date() -> None:
    assert output_file().read_text(encoding="utf-8") == typescript(), (
        "run python -m keypose.studio.protocol.generate_ts"
    )


def test_every_command_and_update_has_an_interface_with_its_tag() -> None:
    text = typescript()
    for union, field in ((AnyMessage, "do"), (AnyUpdate, "is"), (AnyNumbers, "is")):
        for one in get_args(union):
            tag = one.__struct_config__.tag
            assert re.search(rf'export interface {one.__name__} \{{\n  {field}: "{tag}";', text), one


def test_defaults_are_optional_in_commands_but_not_in_updates() -> None:
    text = typescript()
    assert "  gesture?: string | null;" in text
    assert "  effect: string | null;" in text


def test_field_comments_are_copied_to_typescript() -> None:
    assert "  /** Of a drawing; 0 for one place. */\n  points: number;" in typescript()


def test_unsupported_type_is_refused() -> None:
    with pytest.raises(TypeError, match="does not know how TypeScript says"):
        type_text(type_info(msgspec.Raw))


def test_generation_is_one_command_and_idempotent() -> None:
    before, written_at = output_file().read_bytes(), output_file().stat().st_mtime_ns
    subprocess.run([sys.executable, "-m", "keypose.studio.protocol.generate_ts"], check=True)
    assert output_file().read_bytes() == before
    assert output_file().stat().st_mtime_ns == written_at, "who builds the page meanwhile finds it whole"
