"""What does a file hold? All its bytes, unless there are too many; a missing name is answered with a near one."""

import stat
from itertools import islice
from pathlib import Path

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean
from keypose.files.os_errors import File, file_label, parse_file_name, translate_os_errors

MAX_FILE_BYTES = 1 << 30  # [bytes]
NOT_READ = "was not read"


def read_whole(file: File, limit: int = MAX_FILE_BYTES) -> bytes:
    """All bytes of a file. One of more than `limit` bytes is refused before memory is spent on it."""
    name = parse_file_name(file)
    found = Path(name)
    with translate_os_errors(name, NOT_READ):
        try:
            status = found.stat()
        except FileNotFoundError:
            raise UnknownNameError(
                f"{file_label(name)} {NOT_READ}: there is no such file.{_name_suggestion(found)}"
            ) from None
    if stat.S_ISDIR(status.st_mode):
        raise KeyposeError(f"{file_label(name)} {NOT_READ}: that is a folder. Add the name of a file.")
    if not stat.S_ISREG(status.st_mode):  # a pipe could keep us waiting, a device could go on for ever
        raise KeyposeError(f"{file_label(name)} {NOT_READ}: that is a device or a pipe. Give the name of a file.")
    if status.st_size > limit:
        raise KeyposeError(
            f"{file_label(name)} {NOT_READ}: it is {_format_size(status.st_size)}, and at most "
            f"{_format_size(limit)} are read. "
            "Is it the right file?"
        )
    with translate_os_errors(name, NOT_READ):
        return found.read_bytes()


def _name_suggestion(missing: Path) -> str:
    """' Did you mean …?' among the files of the same folder and ending, if there is the folder."""
    try:
        siblings = [other.name for other in islice(missing.parent.iterdir(), 1000) if other.suffix == missing.suffix]
    except FileNotFoundError:
        return f" There is no folder {file_label(missing.parent)} either."
    except OSError:  # a folder that may not be listed
        return ""
    return did_you_mean(missing.name, siblings)


def _format_size(count: int) -> str:
    """A number of bytes in the unit that people say."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count} bytes"
