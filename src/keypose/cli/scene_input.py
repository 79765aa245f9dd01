"""Input of the commands: a scene or take by its file's ending, or a scene from standard input under the name `-`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from keypose.cli.console import print_note
from keypose.errors import KeyposeError

if TYPE_CHECKING:
    from keypose.motion import Take
    from keypose.stage import Stage

STANDARD_INPUT = "-"
STANDARD_INPUT_LABEL = "standard input"


def input_label(file: Path) -> str:
    """The name of an input in a message."""
    return STANDARD_INPUT_LABEL if str(file) == STANDARD_INPUT else str(file)


def read_input(file: Path) -> bytes:
    """All bytes of a file, or of standard input."""
    from keypose.files import MAX_FILE_BYTES, read_whole

    if str(file) != STANDARD_INPUT:
        return read_whole(file)
    if sys.stdin is None:
        raise KeyposeError("Standard input is closed. Pipe a scene into the command, or give the name of a file.")
    if sys.stdin.isatty():
        print_note("Reading a scene from standard input; Ctrl+D ends it.")
    content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise KeyposeError(f"Standard input has more than {MAX_FILE_BYTES:,} bytes. Is it the right file?")
    return content


def load_input(file: Path) -> "Stage | Take":
    """The stage or take in a file, or the stage on standard input."""
    if str(file) == STANDARD_INPUT:
        from keypose.document import read

        return read(read_input(file), STANDARD_INPUT_LABEL)
    from keypose.files import load

    content: Stage | Take = load(file)
    return content


def is_take_file(file: Path) -> bool:
    """Whether a file holds a take by its ending."""
    from keypose.files import FORMATS
    from keypose.motion import Take

    found = FORMATS.get(file.suffix.lower())
    return found is not None and found.content_type is Take
