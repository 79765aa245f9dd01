"""What do we say when a disk says no? The file, the reason and what to do, in place of an error number."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keypose.errors import KeyposeError, short_repr

File = str | os.PathLike[str]

OTHER_FOLDER = "or choose another folder"

# error number: (the reason, the remedy)
ERROR_TEXTS = {
    errno.ENOSPC: ("the disk is full", f"Free some space, {OTHER_FOLDER}"),
    errno.EDQUOT: ("your share of the disk is used up", f"Free some space, {OTHER_FOLDER}"),
    errno.EFBIG: ("it is larger than files may be here", f"Raise the limit, {OTHER_FOLDER}"),
    errno.EROFS: ("that disk can only be read", "Choose another folder"),
    errno.EACCES: ("the permission is missing, for it or for its folder {folder}", f"Ask for it, {OTHER_FOLDER}"),
    errno.EPERM: ("the permission is missing, for it or for its folder {folder}", f"Ask for it, {OTHER_FOLDER}"),
    errno.ENAMETOOLONG: ("its name is too long", "Give a shorter one"),
    errno.ELOOP: ("it is a link that leads back to itself", "Remove the link, or give another name"),
    errno.EEXIST: ("a file of that name is in the way", "Remove it, or choose another folder"),
    errno.EIO: ("the disk reports damage", "Use another disk"),
}


def file_label(file: File) -> str:
    """The file's name as it stands in a sentence; of a very long one, the end."""
    text = repr(os.fspath(file))
    return text if len(text) <= 150 else "'…" + text[-100:]


def parse_file_name(file: object) -> str:
    """What was given as a file, if that can be a file's name."""
    try:
        text = os.fsdecode(file)  # type: ignore[arg-type]  # anything may be given; what is no name is refused
        os.fsencode(text)
    except TypeError:
        raise KeyposeError(f"A file goes by its name, but {short_repr(file)} was given. Write 'walk.json'.") from None
    except UnicodeError:
        raise KeyposeError(f"A file cannot be named {short_repr(file)}. Use other letters.") from None
    if not text:
        raise KeyposeError("A file cannot be named ''. Write 'walk.json'.")
    if "\0" in text:
        raise KeyposeError(f"A file cannot be named {short_repr(text)}. Leave out the zero character.")
    return text


@contextmanager
def translate_os_errors(file: File, fact: str) -> Iterator[None]:
    """What the system refuses inside is told as '<file> <fact>: <reason>. <remedy>.' instead of by a number."""
    try:
        yield
    except OSError as error:
        reason, remedy = _error_text(error, os.path.realpath(file))
        raise KeyposeError(f"{file_label(file)} {fact}: {reason}. {remedy}.") from error


def _error_text(error: OSError, file: str) -> tuple[str, str]:
    folder = Path(file).parent
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return _missing_folder_text(folder)
    reason, remedy = ERROR_TEXTS.get(error.errno or 0, (f"the system says {error.strerror!r}", "Choose another folder"))
    return reason.format(folder=file_label(folder)), remedy


def _missing_folder_text(folder: Path) -> tuple[str, str]:
    """What on the way to a file is missing, or is no folder."""
    for step in (*reversed(folder.parents), folder):
        if step.exists() and not step.is_dir():
            return f"{file_label(step)} is a file and no folder", "Choose another folder"
    if folder.exists():
        return "it was removed meanwhile", "Try again"
    return f"the folder {file_label(folder)} does not exist", "Create it first"
