"""The path of an error within what was given, as in `actors[0].path.keys[2]`: added on the way out, joined to text."""

import json

from keypose.errors.keypose_error import KeyposeError

MAX_NAME_LENGTH = 60  # characters of a name in a path


class ErrorPath:
    """With it around them, errors know better where they are: `with ErrorPath("actors", 3): …`."""

    def __init__(self, *path: str | int) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, KeyposeError):
            error.at = (*self.path, *error.at)


def join_path(path: str, *steps: str | int) -> str:
    """The path of a field or a part: `keys[2].time`; a name that would not read as one is quoted: `effects["a
    b"]`.
    """
    for step in steps:
        if isinstance(step, int):
            path = f"{path}[{step}]"
        elif step.isidentifier() and len(step) <= MAX_NAME_LENGTH:
            path = f"{path}.{step}" if path else step
        else:
            short = step if len(step) <= MAX_NAME_LENGTH else step[: MAX_NAME_LENGTH - 1] + "…"
            path = f"{path}[{json.dumps(short, ensure_ascii=not short.isprintable())}]"
    return path
